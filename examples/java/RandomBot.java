import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Plays any legal action with equal probability. {@code java RandomBot SEED} sets the seed (default
 * 1).
 */
final class RandomBot {
    public static void main(String[] args) throws IOException {
        Random random = new Random(args.length > 0 ? Long.parseLong(args[0]) : 1);
        Protocol.run("random-java", (packs, turn) -> {
            // Every drop is legal on every field; the skill is legal from a gauge of 80 on.
            List<Simulator.Action> legal = new ArrayList<>(Simulator.drops());
            if (turn.own().canUseSkill()) legal.add(new Simulator.Skill());
            return legal.get(random.nextInt(legal.size()));
        });
    }
}
