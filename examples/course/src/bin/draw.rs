//! Draws the picture of a step for `docs/course.md`: `draw STEP` prints an SVG. The positions are those
//! of the first game in `examples/vectors/games.txt`.

use std::fmt::Write;

use course::clock::Clock;
use course::field::{Field, OJAMA};
use course::potential::{Potential, Zobrist};
use course::protocol::Observation;
use course::search::{plans, Plan};
use course::simulator::{play_turn, Action, Pack, Player, HEIGHT, WIDTH};

/// Side of a cell, and room above a field for its title.
const CELL: usize = 14;
const TITLE: usize = 34;
const GAP: usize = 18;

/// The packs of the game and both players before each turn.
fn game() -> (Vec<Pack>, Vec<[Player; 2]>) {
    // Read here, not when it is built: without the vectors all bots can be built.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/games.txt");
    let games = std::fs::read_to_string(path).unwrap_or_else(|error| {
        eprintln!("{path}: {error}. Copy the folder examples/vectors beside the folder course.");
        std::process::exit(1)
    });
    let (mut packs, mut states) = (Vec::new(), Vec::new());
    for line in games.lines().take_while(|line| !line.ends_with("game_2")) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "pack" => packs.push(std::array::from_fn(|i| words[1 + i].parse().unwrap_or(0))),
            "before" => {
                let mut player =
                    Player { stock: words[2].parse().unwrap_or(0), ..Player::default() };
                player.gauge = words[3].parse().unwrap_or(0);
                for (x, column) in words[5..].iter().enumerate() {
                    for symbol in column.bytes().filter(|&symbol| symbol != b'-') {
                        player.field.push(x, if symbol == b'#' { OJAMA } else { symbol - b'0' });
                    }
                }
                states.push(player);
            }
            _ => {}
        }
    }
    (packs, states.chunks(2).map(|pair| [pair[0], pair[1]]).collect())
}

/// A field with two lines of text above it; marked cells have a frame.
struct Panel {
    title: [String; 2],
    field: Field,
    marked: Vec<(usize, usize)>,
}

fn panel(title: &str, below: String, field: Field) -> Panel {
    Panel { title: [title.to_owned(), below], field, marked: Vec::new() }
}

/// The field after the first actions of a plan.
fn after(player: &Player, packs: &[Pack], plan: &Plan, turns: usize) -> Field {
    let mut player = *player;
    for (&action, &pack) in plan.actions.iter().zip(packs).take(turns) {
        player = player.play_half(pack, action).expect("a plan has drops only").player;
    }
    player.field
}

fn svg(panels: &[Panel]) -> String {
    let width = panels.len() * (WIDTH * CELL + GAP) + GAP;
    let height = TITLE + HEIGHT * CELL + GAP;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\" \
         text-anchor=\"middle\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (number, panel) in panels.iter().enumerate() {
        let left = GAP + number * (WIDTH * CELL + GAP);
        let middle = left + WIDTH * CELL / 2;
        for (line, title) in panel.title.iter().enumerate() {
            let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{}\">{title}</text>", 13 + 14 * line);
        }
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{TITLE}\" width=\"{}\" height=\"{}\" fill=\"#f2f2f2\"/>",
            WIDTH * CELL,
            HEIGHT * CELL
        );
        for x in 0..WIDTH {
            for y in 0..panel.field.height(x).min(HEIGHT) {
                let (cell, px) = (panel.field.cell(x, y), left + x * CELL);
                let py = TITLE + (HEIGHT - 1 - y) * CELL;
                // Both numbers of a pair have one color.
                let color = match cell {
                    OJAMA => "#999",
                    1 | 9 => "#f5b7b1",
                    2 | 8 => "#f9e79f",
                    3 | 7 => "#abebc6",
                    4 | 6 => "#aed6f1",
                    _ => "#d7bde2",
                };
                let frame = if panel.marked.contains(&(x, y)) { "#c00" } else { "#fff" };
                let symbol = if cell == OJAMA { "#".to_owned() } else { cell.to_string() };
                let _ = writeln!(
                    svg,
                    "<rect x=\"{px}\" y=\"{py}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{color}\" \
                     stroke=\"{frame}\"/><text x=\"{}\" y=\"{}\">{symbol}</text>",
                    px + CELL / 2,
                    py + 11
                );
            }
        }
    }
    svg + "</svg>\n"
}

fn main() {
    let step = std::env::args().nth(1).unwrap_or_default();
    std::env::set_var("TENSAI_NODES", "4000"); // alike on every machine
    let (packs, states) = game();
    let early = 6; // something to build
    let plans_of = |player: &Player, turn: usize, depth: usize| {
        let own = *player;
        let turn = Observation { turn, own, opponent: own, time_left: [10_000; 2] };
        let packs = &packs[turn.turn..(turn.turn + depth).min(packs.len())];
        plans(player, packs, &[], &Zobrist::default(), (&mut Clock::new(&turn, 1), 1.0))
    };
    let drop =
        |player: &Player, turn: usize, action| player.play_half(packs[turn], action).unwrap();
    let [own, opponent] = states[early];
    let mut panels = vec![panel("turn 6", String::new(), own.field)];
    match step.as_str() {
        "1" => {
            let lost = |turn: usize, side: usize| {
                let is_over =
                    |&action: &Action| drop(&states[turn][side], turn, action).player.is_over();
                Action::drops().filter(is_over).count()
            };
            // Where some drops lose and others do not, the choice matters.
            let all = (0..states.len()).flat_map(|turn| [(turn, 0), (turn, 1)]);
            let mut near: Vec<(usize, usize)> =
                all.filter(|&(turn, side)| (1..36).contains(&lost(turn, side))).collect();
            near.sort_by_key(|&(turn, side)| lost(turn, side).abs_diff(18));
            panels = vec![];
            for (turn, side) in near.into_iter().take(2) {
                let below = format!("{} of 36 drops lose at once", lost(turn, side));
                let title = format!("player {side}, turn {turn}");
                panels.push(panel(&title, below, states[turn][side].field));
            }
        }
        "2" => {
            let tallest = |action: &Action| drop(&own, early, *action).player.field.tallest();
            for (title, action) in [
                ("a low drop", Action::drops().min_by_key(tallest)),
                ("a tall drop", Action::drops().max_by_key(tallest)),
            ] {
                let step = drop(&own, early, action.unwrap());
                let below = format!(
                    "{} ojama, tallest column {}",
                    step.sent(),
                    step.player.field.tallest()
                );
                panels.push(panel(title, below, step.player.field));
            }
        }
        "3" => {
            let plans = plans_of(&own, early, 3);
            let plan = plans.iter().max_by_key(|plan| plan.sent).unwrap();
            for turn in 1..=plan.actions.len() {
                let below = if turn == plan.actions.len() {
                    format!("{} ojama", plan.sent)
                } else {
                    String::new()
                };
                panels.push(panel(
                    &format!("after turn {turn}"),
                    below,
                    after(&own, &packs[early..], plan, turn),
                ));
            }
        }
        "4" => {
            let turn = early + 6;
            let mut field = states[turn][0].field;
            let potential = Potential::of(&field);
            let (x, y) = potential.trigger;
            let best = (1..10).max_by_key(|&number| {
                let mut with = field;
                with.push(x, number);
                with.run_chain(1 << x)
            });
            panels = vec![panel(&format!("turn {turn}"), String::new(), field)];
            field.push(x, best.unwrap_or(1));
            let mut marked =
                panel("one more block", format!("potential {}", potential.chain), field);
            marked.marked.push((x, y));
            panels.push(marked);
            field.run_chain(1 << x);
            panels.push(panel(
                "after the chain",
                format!("{} blocks less", potential.vanished),
                field,
            ));
        }
        "5" => {
            let plan = plans_of(&own, early, 12).pop().unwrap();
            for turns in [4, 8, 12] {
                let field = after(&own, &packs[early..], &plan, turns);
                let below = format!("potential {}", Potential::of(&field).chain);
                panels.push(panel(&format!("{turns} turns ahead"), below, field));
            }
        }
        "6" => {
            // `mazai` looks for attacks of at least 13 ojama, up to two turns after the earliest.
            let plans = plans_of(&own, early, 12);
            let attacks: Vec<&Plan> = plans.iter().filter(|plan| plan.sent >= 13).collect();
            let worth =
                |plan: &Plan| plan.sent as f64 / 1.2_f64.powi(plan.actions.len() as i32 - 1);
            let last = attacks[0].actions.len() + 2;
            let is_found = |plan: &Plan| plan.actions.len() <= last;
            let found = attacks.iter().filter(|plan| is_found(plan));
            let best = found.map(|plan| worth(plan)).fold(0.0, f64::max);
            for plan in attacks.into_iter().take(4) {
                let turns = plan.actions.len();
                let note = match is_found(plan) {
                    true if worth(plan) == best => ": chosen",
                    true => "",
                    false => ", but too late",
                };
                let field = after(&own, &packs[early..], plan, turns - 1);
                let title = format!("{} ojama in {turns} turns", plan.sent);
                panels.push(panel(&title, format!("worth {:.1} now{note}", worth(plan)), field));
            }
        }
        "8" => {
            let mut players = [own, opponent];
            panels = vec![];
            for (player, side) in [(own, "own"), (opponent, "opponent")] {
                panels.push(panel(&format!("{side}, turn 6"), String::new(), player.field));
            }
            let greedy = |player: &Player, turn: usize| {
                let rank = |action: &Action| {
                    let step = drop(player, turn, *action);
                    let heights = (0..WIDTH).map(|x| step.player.field.height(x).pow(2));
                    (step.sent(), std::cmp::Reverse(heights.sum::<usize>()))
                };
                Action::drops().max_by_key(rank).unwrap()
            };
            for (turn, &pack) in packs.iter().enumerate().take(early + 6).skip(early) {
                let actions = [0, 1].map(|side: usize| greedy(&players[side], turn));
                players = play_turn(&players, pack, actions).unwrap().1;
            }
            for (player, side) in players.iter().zip(["own", "opponent"]) {
                let below = format!("score {}", player.score);
                panels.push(panel(&format!("{side}, 6 greedy turns on"), below, player.field));
            }
        }
        "7" => {
            panels = vec![];
            for (player, side) in [(own, "own"), (opponent, "opponent")] {
                let plans = plans_of(&player, early, 10);
                let plan = plans.iter().max_by_key(|plan| plan.sent).unwrap();
                let turns = plan.actions.len();
                let mut field = after(&player, &packs[early..], plan, turns - 1);
                let chain = Potential::of(&field).chain;
                panels.push(panel(
                    &format!("{side}, turn {}", 5 + turns),
                    format!("{} ojama, potential {chain}", plan.sent),
                    field,
                ));
                // Fewer rows bury neither trigger.
                (0..3).for_each(|_| field.drop_ojama_row());
                let left = Potential::of(&field).chain;
                panels.push(panel("the same under 3 rows", format!("potential {left}"), field));
            }
        }
        "9" => {
            panels = vec![panel("own, turn 12", String::new(), states[12][0].field)];
            let them = states[12][1];
            let mut hit = them;
            (0..2).for_each(|_| hit.field.drop_ojama_row());
            for (title, player) in [("opponent, turn 12", them), ("opponent under 2 rows", hit)] {
                let plans = plans_of(&player, 12, 4);
                let most = plans.iter().map(|plan| plan.sent).max().unwrap_or(0);
                panels.push(panel(title, format!("sends {most} ojama in 4 turns"), player.field));
            }
        }
        _ => {
            eprintln!("draw: expected a step from 1 to 9, found '{step}'");
            std::process::exit(2)
        }
    }
    print!("{}", svg(&panels));
}
