import java.io.IOException;
import java.util.Comparator;
import java.util.List;

/** Plays the drop with the longest chain now. It looks one turn ahead and knows no opponent. */
final class GreedyBot {
    /** The skill pays from one row of ojama on, which the explosion of a single 5 sends. */
    private static final int SKILL_PAYS = Simulator.OJAMA_ROW;

    /**
     * Orders drops, the best one last: survive, long chain, low columns.
     *
     * <p>The height rule breaks ties between equal chains: first the tallest column, then the sum of
     * the squared heights, which is lowest on a flat field.
     */
    private static final Comparator<Simulator.Step> QUALITY =
            Comparator.comparing((Simulator.Step step) -> !step.player().isOver())
                    .thenComparing(Simulator.Step::chain)
                    .thenComparing(step -> -step.player().field().tallest())
                    .thenComparing(step -> -squaredHeights(step.player().field()));

    private static int squaredHeights(Field field) {
        int sum = 0;
        for (int x = 0; x < Simulator.WIDTH; x++) sum += field.height(x) * field.height(x);
        return sum;
    }

    private static Simulator.Action decide(List<Simulator.Pack> packs, Protocol.Observation turn) {
        Simulator.Player own = turn.own();
        Simulator.Pack pack = packs.get(turn.turn());
        Simulator.Action best = null;
        Simulator.Step bestStep = null;
        for (Simulator.Drop drop : Simulator.drops()) {
            Simulator.Step step = Simulator.playHalf(own, pack, drop);
            // The first of equal drops stays: from the left, and the smallest rotation.
            if (best == null || QUALITY.compare(step, bestStep) > 0) {
                best = drop;
                bestStep = step;
            }
        }
        if (own.canUseSkill()) {
            Simulator.Action skill = new Simulator.Skill();
            Simulator.Step step = Simulator.playHalf(own, pack, skill);
            boolean pays = step.sent() >= SKILL_PAYS && step.sent() > bestStep.sent();
            if (!step.player().isOver() && (pays || bestStep.player().isOver())) return skill;
        }
        return best;
    }

    public static void main(String[] args) throws IOException {
        Protocol.run("greedy-java", GreedyBot::decide);
    }
}
