import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;

/** The contest's protocol: text on standard input and output. */
final class Protocol {
    /**
     * What a bot reads at the start of a turn: the state at the end of the turn before.
     *
     * @param turn 0 to 499
     * @param ownTime what is left for the game, in milliseconds
     */
    record Observation(
            int turn,
            Simulator.Player own,
            Simulator.Player opponent,
            long ownTime,
            long opponentsTime) {}

    /** A bot: what it answers in a turn. */
    interface Bot {
        Simulator.Action decide(List<Simulator.Pack> packs, Observation turn);
    }

    private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    private StringTokenizer words = new StringTokenizer("");
    private long playersTime;

    private Protocol() {}

    /**
     * Plays until the input ends: prints the name, then an answer for each turn.
     *
     * <p>The first line of a game's packs has two numbers, the first line of a turn has one. So one
     * process can play several games. Standard output is for answers only: write your own notes to
     * {@code System.err}.
     */
    static void run(String name, Bot bot) throws IOException {
        new Protocol().play(name, bot);
    }

    private void play(String name, Bot bot) throws IOException {
        System.out.println(name);
        List<Simulator.Pack> packs = List.of();
        while (nextLine()) {
            if (words.countTokens() == 2) {
                packs = packs();
            } else {
                Observation turn = turn();
                System.out.println(bot.decide(packs, turn));
            }
            // An answer that stays in a buffer loses the game on time.
            System.out.flush();
        }
    }

    /** Goes to the next line that is not blank, or returns false at the end of the input. */
    private boolean nextLine() throws IOException {
        while (!words.hasMoreTokens()) {
            String line = input.readLine();
            if (line == null) return false;
            words = new StringTokenizer(line);
        }
        return true;
    }

    private String word() throws IOException {
        if (!nextLine()) throw new EOFException("the input ends in the middle of a message");
        return words.nextToken();
    }

    private int number() throws IOException {
        return Integer.parseInt(word());
    }

    private void end() throws IOException {
        String word = word();
        if (!word.equals("END")) throw new IOException("expected END, found " + word);
    }

    private List<Simulator.Pack> packs() throws IOException {
        List<Simulator.Pack> packs = new ArrayList<>();
        while (packs.size() < Simulator.TURNS) {
            packs.add(new Simulator.Pack(number(), number(), number(), number()));
            end();
        }
        return packs;
    }

    private Observation turn() throws IOException {
        int turn = number();
        Simulator.Player own = player();
        long ownTime = playersTime;
        Simulator.Player opponent = player();
        return new Observation(turn, own, opponent, ownTime, playersTime);
    }

    /** A player: time left, stock, gauge, score, and 16 rows of 10 cells, the topmost row first. */
    private Simulator.Player player() throws IOException {
        playersTime = Long.parseLong(word());
        long stock = Long.parseLong(word());
        int gauge = number();
        long score = Long.parseLong(word());
        int[][] rows = new int[Simulator.HEIGHT][Simulator.WIDTH];
        for (int[] row : rows) {
            for (int x = 0; x < row.length; x++) row[x] = number();
        }
        end();
        Field field = new Field();
        for (int row = rows.length - 1; row >= 0; row--) { // from the bottom upwards
            for (int x = 0; x < Simulator.WIDTH; x++) field.push(x, rows[row][x]);
        }
        return new Simulator.Player(field, stock, gauge, score);
    }
}
