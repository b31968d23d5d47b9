import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;

/**
 * The simulator against the golden vectors ({@code ../vectors/README.md}).
 *
 * <p>{@code java SimulatorTest FOLDER} reads them from another folder than ../vectors.
 */
final class SimulatorTest {
    private int failures;

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args.length > 0 ? args[0] : "../vectors");
        SimulatorTest test = new SimulatorTest();
        test.checkTurns(folder.resolve("rules.txt"));
        test.checkTurns(folder.resolve("games.txt"));
        test.checkScores(folder.resolve("scores.txt"));
        test.checkThatTheSkillIsRefusedBelowItsGauge();
        System.out.println(test.failures == 0 ? "passed" : "FAILED");
        System.exit(test.failures == 0 ? 0 : 1);
    }

    private void expectEqual(String what, Object expected, Object found) {
        if (expected.equals(found)) return;
        System.err.println(what + ": found " + found + ", expected " + expected);
        failures++;
    }

    /** The lines of a vector file as words, without comments and blank lines. */
    private static List<List<String>> records(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(line -> Arrays.asList(line.split(" ")))
                .toList();
    }

    private void checkTurns(Path file) throws IOException {
        int number = 0;
        int turns = 0;
        String name = "";
        Simulator.Pack pack = null;
        Simulator.Player[] before = new Simulator.Player[2];
        Simulator.Action[] actions = new Simulator.Action[2];
        Simulator.Turn turn = null;
        for (List<String> words : records(file)) {
            String key = words.get(0);
            List<String> rest = words.subList(Math.min(2, words.size()), words.size());
            switch (key) {
                case "turn" -> {
                    number = Integer.parseInt(words.get(1));
                    name = words.get(2);
                }
                case "pack" -> pack = pack(words.subList(1, 5));
                case "end" -> {
                    String end = Simulator.result(number + 1, turn.after())
                            .map(SimulatorTest::text).orElse("-");
                    expectEqual(name + ": end", words.get(1), end);
                    turns++;
                }
                default -> {
                    int seat = Integer.parseInt(words.get(1));
                    String what = name + ": " + key + " of player " + seat;
                    String expected = String.join(" ", rest);
                    switch (key) {
                        case "before" -> before[seat] = player(rest);
                        case "skill" -> {
                            String found = before[seat].canUseSkill() ? "yes" : "no";
                            expectEqual(what, expected, found);
                        }
                        case "action" -> {
                            actions[seat] = action(rest);
                            if (seat == 1) {
                                turn = Simulator.playTurn(List.of(before), pack, List.of(actions));
                            }
                        }
                        case "result" -> {
                            Simulator.Step step = turn.steps().get(seat);
                            String found = step.chain() + " " + step.exploded() + " " + step.sent();
                            expectEqual(what, expected, found);
                        }
                        case "after" -> expectEqual(what, expected, text(turn.after().get(seat)));
                        default -> throw new IllegalArgumentException("unknown record: " + key);
                    }
                }
            }
        }
        System.out.println(file + ": " + turns + " turns");
        if (turns == 0) failures++;
    }

    private static Simulator.Pack pack(List<String> words) {
        int[] cells = words.stream().mapToInt(Integer::parseInt).toArray();
        return new Simulator.Pack(cells[0], cells[1], cells[2], cells[3]);
    }

    private static Simulator.Action action(List<String> words) {
        if (words.equals(List.of("S"))) return new Simulator.Skill();
        return new Simulator.Drop(Integer.parseInt(words.get(0)), Integer.parseInt(words.get(1)));
    }

    /** Parses STOCK GAUGE SCORE COLUMN...; a column is given from the bottom, `-` if empty. */
    private static Simulator.Player player(List<String> words) {
        Field field = new Field();
        for (int x = 0; x < Simulator.WIDTH; x++) {
            for (char symbol : words.get(3 + x).toCharArray()) {
                if (symbol != '-') field.push(x, symbol == '#' ? Simulator.OJAMA : symbol - '0');
            }
        }
        return new Simulator.Player(
                field,
                Long.parseLong(words.get(0)),
                Integer.parseInt(words.get(1)),
                Long.parseLong(words.get(2)));
    }

    /** The words of a player, as {@link #player} parses them. */
    private static String text(Simulator.Player player) {
        StringJoiner words = new StringJoiner(" ");
        words.add(player.stock() + " " + player.gauge() + " " + player.score());
        for (int x = 0; x < Simulator.WIDTH; x++) {
            StringBuilder column = new StringBuilder();
            for (int y = 0; y < player.field().height(x); y++) {
                int cell = player.field().cell(x, y);
                column.append(cell == Simulator.OJAMA ? "#" : cell);
            }
            words.add(column.isEmpty() ? "-" : column);
        }
        return words.toString();
    }

    private static String text(Simulator.Result result) {
        return switch (result) {
            case FIRST_WINS -> "0";
            case SECOND_WINS -> "1";
            case DRAW -> "draw";
        };
    }

    private void checkScores(Path file) throws IOException {
        for (List<String> words : records(file)) {
            int count = Integer.parseInt(words.get(1));
            long score = words.get(0).equals("chain")
                    ? Simulator.chainScore(count)
                    : Simulator.explosionScore(count);
            expectEqual(words + ": score", words.get(2), Long.toString(score));
            expectEqual(words + ": ojama sent", words.get(3), Long.toString(score / 2));
        }
    }

    private void checkThatTheSkillIsRefusedBelowItsGauge() {
        Simulator.Player player = new Simulator.Player(new Field(), 0, 79, 0);
        try {
            Simulator.playHalf(player, new Simulator.Pack(1, 2, 3, 0), new Simulator.Skill());
            System.err.println("the skill is played at a gauge of 79");
            failures++;
        } catch (IllegalArgumentException expected) {
            // The skill is refused.
        }
    }
}
