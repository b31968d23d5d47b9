import java.util.Arrays;

/**
 * A field: columns from the left, each with its cells from the bottom, 1 to 9 or {@link
 * Simulator#OJAMA}. Nothing floats.
 */
final class Field {
    private final int[][] cells = new int[Simulator.WIDTH][Simulator.ROWS];
    private final int[] heights = new int[Simulator.WIDTH];

    Field copy() {
        Field copy = new Field();
        for (int x = 0; x < Simulator.WIDTH; x++) copy.cells[x] = cells[x].clone();
        System.arraycopy(heights, 0, copy.heights, 0, Simulator.WIDTH);
        return copy;
    }

    int cell(int x, int y) {
        return cells[x][y];
    }

    int height(int x) {
        return heights[x];
    }

    int tallest() {
        return Arrays.stream(heights).max().getAsInt();
    }

    /** Puts a cell on top of a column; 0 changes nothing. */
    void push(int x, int cell) {
        if (cell != 0) cells[x][heights[x]++] = cell;
    }

    /** Lets the blocks of a pack fall, each in its column, the lower row first. */
    void drop(Simulator.Pack pack, Simulator.Drop where) {
        for (int turned = 0; turned < where.rotation(); turned++) pack = pack.rotated();
        push(where.position(), pack.lowerLeft());
        push(where.position() + 1, pack.lowerRight());
        push(where.position(), pack.upperLeft());
        push(where.position() + 1, pack.upperRight());
    }

    /** Removes all pairs that sum to 10, round by round, and returns the number of rounds. */
    int runChain() {
        int chain = 0;
        while (remove((block, other, isSame) -> block + other == 10 && !isSame) > 0) chain++;
        return chain;
    }

    /** Blows up each 5 and the blocks around it, and returns the number of blocks. */
    int explode() {
        return remove((block, other, isSame) -> other == 5);
    }

    /** Whether a block vanishes because of a cell beside it, or of itself ({@code isSame}). */
    private interface Vanishes {
        boolean test(int block, int other, boolean isSame);
    }

    /**
     * Removes the blocks that vanish because of one of their eight neighbours or of themselves, all
     * at once; what is above falls. Returns their number. Ojama stay.
     */
    private int remove(Vanishes vanishes) {
        int removed = 0;
        int[][] left = new int[Simulator.WIDTH][Simulator.ROWS];
        int[] leftHeights = new int[Simulator.WIDTH];
        for (int x = 0; x < Simulator.WIDTH; x++) {
            for (int y = 0; y < heights[x]; y++) {
                if (cells[x][y] != Simulator.OJAMA && vanishesAt(x, y, vanishes)) {
                    removed++;
                } else {
                    left[x][leftHeights[x]++] = cells[x][y];
                }
            }
        }
        for (int x = 0; x < Simulator.WIDTH; x++) cells[x] = left[x];
        System.arraycopy(leftHeights, 0, heights, 0, Simulator.WIDTH);
        return removed;
    }

    private boolean vanishesAt(int x, int y, Vanishes vanishes) {
        for (int nx = Math.max(x - 1, 0); nx <= Math.min(x + 1, Simulator.WIDTH - 1); nx++) {
            for (int ny = Math.max(y - 1, 0); ny <= Math.min(y + 1, heights[nx] - 1); ny++) {
                boolean isSame = nx == x && ny == y;
                if (vanishes.test(cells[x][y], cells[nx][ny], isSame)) return true;
            }
        }
        return false;
    }
}
