import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rules of CODE VS Reborn: a turn of one player, and a turn of both.
 *
 * <p>Columns count from the left, rows from the bottom, both from 0.
 */
final class Simulator {
    static final int WIDTH = 10;
    /** A player with a cell above row 16 at the end of a turn has lost. */
    static final int HEIGHT = 16;
    /** In the middle of a turn a column can hold a row of ojama and two blocks more. */
    static final int ROWS = HEIGHT + 3;
    static final int TURNS = 500;
    static final int OJAMA = 11;
    /** Ojama in a row, one on each column. */
    static final int OJAMA_ROW = 10;
    static final int GAUGE_FULL = 100;
    /** The gauge that the skill needs. */
    static final int GAUGE_SKILL = 80;
    /** What a turn with a chain adds to the gauge. */
    static final int GAUGE_CHARGE = 8;

    private Simulator() {}

    /** A pack without rotation; 0 is an empty cell. */
    record Pack(int upperLeft, int upperRight, int lowerLeft, int lowerRight) {
        /** The pack turned clockwise once: [a b; c d] becomes [c a; d b]. */
        Pack rotated() {
            return new Pack(lowerLeft, upperLeft, lowerRight, upperRight);
        }
    }

    sealed interface Action permits Drop, Skill {}

    /** Drops the pack: the column of its left cells, 0 to 8, and the quarter turns, 0 to 3. */
    record Drop(int position, int rotation) implements Action {
        @Override
        public String toString() {
            return position + " " + rotation;
        }
    }

    /** Uses the skill; the turn's pack is discarded. */
    record Skill() implements Action {
        @Override
        public String toString() {
            return "S";
        }
    }

    /** All 36 drops: from the left, each with its four rotations. */
    static List<Drop> drops() {
        List<Drop> drops = new ArrayList<>();
        for (int position = 0; position < WIDTH - 1; position++) {
            for (int rotation = 0; rotation < 4; rotation++) {
                drops.add(new Drop(position, rotation));
            }
        }
        return drops;
    }

    /** A player at the end of a turn. The simulator never changes its field, it works on a copy. */
    record Player(Field field, long stock, int gauge, long score) {
        boolean canUseSkill() {
            return gauge >= GAUGE_SKILL;
        }

        boolean isOver() {
            return field.tallest() > HEIGHT;
        }
    }

    /**
     * A player's half of a turn, before the opponent's half acts on it.
     *
     * @param chain rounds in which blocks vanished
     * @param exploded blocks that the skill blew up
     */
    record Step(Player player, int chain, int exploded) {
        /** Ojama sent to the opponent. The chain and the explosion are halved separately. */
        long sent() {
            return chainScore(chain) / 2 + explosionScore(exploded) / 2;
        }
    }

    /** The sum of floor(1.3^i) for i from 1 to {@code chain}. */
    static long chainScore(int chain) {
        long score = 0;
        for (int i = 1; i <= chain; i++) score += (long) Math.pow(1.3, i);
        return score;
    }

    static long explosionScore(int blocks) {
        return blocks == 0 ? 0 : (long) (25 * Math.pow(2, blocks / 12.0));
    }

    /** Plays one player's half of a turn. The skill needs its gauge. */
    static Step playHalf(Player before, Pack pack, Action action) {
        Field field = before.field().copy();
        long stock = before.stock();
        int gauge = before.gauge();
        int exploded = 0;
        if (stock >= OJAMA_ROW) { // exactly one row a turn, the rest waits
            stock -= OJAMA_ROW;
            for (int x = 0; x < WIDTH; x++) field.push(x, OJAMA);
        }
        if (action instanceof Drop drop) {
            field.drop(pack, drop);
        } else {
            if (!before.canUseSkill()) {
                throw new IllegalArgumentException("the skill needs a gauge of " + GAUGE_SKILL);
            }
            gauge = 0;
            exploded = field.explode();
        }
        int chain = field.runChain();
        if (chain > 0) gauge = Math.min(gauge + GAUGE_CHARGE, GAUGE_FULL);
        long score = before.score() + chainScore(chain) + explosionScore(exploded);
        return new Step(new Player(field, stock, gauge, score), chain, exploded);
    }

    /** A turn of both players; the lists are in the order of the players. */
    record Turn(List<Step> steps, List<Player> after) {}

    /** Plays a turn of both players at once. Both drop the same pack. */
    static Turn playTurn(List<Player> players, Pack pack, List<? extends Action> actions) {
        Step first = playHalf(players.get(0), pack, actions.get(0));
        Step second = playHalf(players.get(1), pack, actions.get(1));
        long firstStock = first.player().stock() + second.sent();
        long secondStock = second.player().stock() + first.sent();
        long offset = Math.min(firstStock, secondStock); // ojama on both sides cancel out
        Player firstAfter = after(first, second, firstStock - offset);
        Player secondAfter = after(second, first, secondStock - offset);
        return new Turn(List.of(first, second), List.of(firstAfter, secondAfter));
    }

    private static Player after(Step own, Step opponent, long stock) {
        int drain = opponent.chain() >= 3 ? 12 + 2 * opponent.chain() : 0;
        Player player = own.player();
        int gauge = Math.max(player.gauge() - drain, 0);
        return new Player(player.field(), stock, gauge, player.score());
    }

    enum Result { FIRST_WINS, SECOND_WINS, DRAW }

    /** The result of the game, if it has ended after {@code turnsPlayed} turns. */
    static Optional<Result> result(int turnsPlayed, List<Player> players) {
        Player first = players.get(0);
        Player second = players.get(1);
        if (!first.isOver() && !second.isOver() && turnsPlayed < TURNS) return Optional.empty();
        if (first.isOver() != second.isOver()) {
            return Optional.of(first.isOver() ? Result.SECOND_WINS : Result.FIRST_WINS);
        }
        if (first.score() == second.score()) return Optional.of(Result.DRAW);
        return Optional.of(first.score() > second.score() ? Result.FIRST_WINS : Result.SECOND_WINS);
    }
}
