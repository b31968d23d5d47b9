use super::*;
use crate::board::Field;
use crate::engine::classic::opponent;
use crate::engine::classic::{Parameters, Preset};

fn player(drawing: &str, stock: Stock, gauge: u8) -> Player<Field> {
    let field = drawing.parse().unwrap();
    Player { field, stock, gauge: Gauge::new(gauge).unwrap(), score: 0 }
}

fn packs(cells: &[[u8; 4]]) -> Vec<Pack> {
    cells.iter().map(|&cells| Pack::new(cells).unwrap()).collect()
}

/// The inputs of a search, which its request borrows.
struct Inputs {
    players: [Player<Field>; 2],
    packs: Vec<Pack>,
    tables: Tables,
    context: EvaluationContext,
    hints: RootHints,
}

impl Inputs {
    fn new(players: [Player<Field>; 2], packs: Vec<Pack>) -> Self {
        let [own, opponent] = &players;
        let sendable = Some(opponent::most_sent(own, &packs[0]));
        let request = opponent::OpponentRequest {
            player: opponent,
            others_stock: own.stock,
            packs: &packs,
            plies: packs.len(),
            sendable,
        };
        let budget = Budget::new(u64::MAX, None);
        let tables = opponent::search(&request, &mut TranspositionTable::new(18), &budget).unwrap();
        let weights = Parameters::of(Preset::Online).weights;
        let context =
            EvaluationContext::new(weights, 30, opponent, &opponent.field.to_cells(), false);
        Self { players, packs, tables, context, hints: RootHints::default() }
    }

    fn request(&self) -> OwnRequest<'_> {
        let Self { players, packs, tables, context, hints } = self;
        OwnRequest { players, packs, plies: packs.len(), tables, context, hints }
    }

    fn search(&self) -> Vec<OwnRootMove> {
        let budget = Budget::new(u64::MAX, None);
        search(&self.request(), &mut TranspositionTable::new(18), &budget).unwrap()
    }

    /// Returns the values of all first actions, without cuts, order or table.
    fn plainly(&self) -> Vec<(Action, OjamaHundredths)> {
        let (table, budget) = (TranspositionTable::without_slots(), Budget::new(u64::MAX, None));
        let request = self.request();
        let mut search = OwnSearcher::new(&request, &table, &budget);
        let root = search.root();
        let children = search.children(&root, 0).unwrap();
        children.iter().map(|child| (child.action, plain(&mut search, &root, child, 0))).collect()
    }
}

fn plain(
    search: &mut OwnSearcher<'_>,
    node: &OwnNode,
    child: &Child,
    ply: usize,
) -> OjamaHundredths {
    if let Some(value) = search.end(node, child, ply) {
        return value;
    }
    let (unattacked, attacked) = search.outcomes(node, child, ply);
    let lines = [unattacked].into_iter().chain(attacked);
    let value = |line| {
        let mut next = OwnNode { field: child.field, line };
        if ply + 1 == search.request.plies {
            return search.leaf(next, ply + 1);
        }
        next.let_rain(ply + 1);
        let children = search.children(&next, ply + 1).unwrap();
        children.iter().map(|child| plain(search, &next, child, ply + 1)).max().unwrap()
    };
    lines.map(value).min().unwrap()
}

const OWN: &str = "
    6.........
    43........
    285.......
    17428.....";

const OPPONENT: &str = "
    ..4.......
    9.3.......
    8#2.......
    7#1#######";

/// Cuts, order and table do not change the best value and the beam move's value.
#[test]
fn cuts_keep_the_best_value() {
    let later = packs(&[[1, 9, 0, 2], [3, 5, 5, 1], [0, 7, 2, 4]]);
    for (stocks, gauges) in [([0, 0], [0, 0]), ([14, 0], [80, 72]), ([0, 23], [64, 88])] {
        let players = [player(OWN, stocks[0], gauges[0]), player(OPPONENT, stocks[1], gauges[1])];
        for plies in 1..=3 {
            let mut inputs = Inputs::new(players, later[..plies].to_vec());
            inputs.hints.beam_move = Some("4 1".parse().unwrap());
            let root_moves = inputs.search();
            let plain = inputs.plainly();
            let best = plain.iter().map(|(_, value)| *value).max().unwrap();
            assert_eq!(root_moves[0].value, best, "{stocks:?} {plies}");
            let exact = |action| plain.iter().find(|(of, _)| *of == action).unwrap().1;
            assert_eq!(exact(root_moves[0].action), best, "{stocks:?} {plies}");
            let beams = root_moves.iter().find(|v| Some(v.action) == inputs.hints.beam_move);
            assert_eq!(beams.unwrap().value, exact(beams.unwrap().action), "{stocks:?} {plies}");
            let bounds =
                root_moves.iter().all(|root_move| root_move.value >= exact(root_move.action));
            assert!(bounds && root_moves.len() == plain.len());
        }
    }
}

#[test]
fn the_opponent_sends_its_most_once_or_nothing() {
    // The opponent can send a chain of eight, 13 ojama, at once: one row falls on us, or none.
    let ready =
        ["4.", "4.", "4.", "3.", "3.", "2.", "2.", "9.", "8#", "8#", "7#", "7#", "6#", "6#", "6#"];
    let ready = ready.map(|row| format!("{row}........\n")).concat();
    let later = packs(&[[1, 1, 0, 1], [4, 4, 4, 0]]);
    let inputs = Inputs::new([player("", 0, 0), player(&ready, 0, 0)], later);
    let table = TranspositionTable::new(10);
    let budget = Budget::new(u64::MAX, None);
    let request = inputs.request();
    let mut search = OwnSearcher::new(&request, &table, &budget);
    let root = search.root();
    let child = search.children(&root, 0).unwrap()[0];
    let (unattacked, attacked) = search.outcomes(&root, &child, 0);
    let attacked = attacked.unwrap();
    assert_eq!(
        (unattacked.net, unattacked.attacked, unattacked.chances, unattacked.spared),
        (0, (0, 0), 1, 1)
    );
    assert_eq!(
        (attacked.net, attacked.attacked, attacked.chances, attacked.spared),
        (13, (13, 1), 1, 0)
    );
    // After its attack, the opponent sends nothing more in that line.
    let next = OwnNode { field: child.field, line: attacked };
    let child = search.children(&next, 1).unwrap()[0];
    assert_eq!(search.outcomes(&next, &child, 1).1, None);
    // If no row depends on the attack, there is one case only.
    let safe =
        Inputs::new([player("", 0, 0), player("", 0, 0)], packs(&[[1, 1, 0, 1], [4, 4, 4, 0]]));
    let request = safe.request();
    let mut search = OwnSearcher::new(&request, &table, &budget);
    let root = search.root();
    let child = search.children(&root, 0).unwrap()[0];
    assert_eq!(search.outcomes(&root, &child, 0).1, None);
}

#[test]
fn an_opponent_that_cannot_survive_loses() {
    let full = "4343434343\n".repeat(16);
    let inputs = Inputs::new(
        [player(OWN, 0, 0), player(&full, 10, 0)],
        packs(&[[1, 1, 0, 1], [4, 4, 4, 0]]),
    );
    assert_eq!(inputs.search()[0].value, WIN, "a row kills the opponent at the first ply");
}

#[test]
fn a_loss_is_delayed() {
    // Two rows are due and one fits; only two columns have space for a pack.
    let narrow = "34343434..\n43434343..\n".repeat(3) + "34343434..\n";
    let tower = narrow + &"4343434343\n3434343434\n".repeat(4);
    let inputs = Inputs::new(
        [player(&tower, 20, 0), player("", 0, 0)],
        packs(&[[1, 1, 1, 0], [4, 4, 4, 0], [4, 4, 4, 0]]),
    );
    let values: Vec<OjamaHundredths> =
        inputs.search().iter().map(|root_move| root_move.value).collect();
    assert!(values[0] < LOSS.scaled(1, 2) && values[0] > LOSS);
    assert_eq!(*values.last().unwrap(), LOSS);
}

#[test]
fn first_actions_are_adjusted() {
    let later = packs(&[[1, 1, 0, 1], [4, 4, 4, 0]]);
    let mut inputs = Inputs::new([player("9.........", 0, 0), player("", 0, 0)], later);
    let plain = inputs.plainly();
    let of = |values: &[OwnRootMove], action: &str| {
        values.iter().find(|v| v.action == action.parse().unwrap()).unwrap().value
    };
    inputs.hints.adjustment = Some((1..=1, OjamaHundredths(5_000)));
    inputs.hints.beam_move = Some("0 0".parse().unwrap());
    let root_moves = inputs.search();
    assert_eq!(root_moves[0].chain, Chain(1));
    let before = plain.iter().find(|(action, _)| *action == "0 0".parse().unwrap()).unwrap().1;
    assert_eq!(of(&root_moves, "0 0"), before + OjamaHundredths(5_000));
}

#[test]
fn a_line_for_people_begins_with_the_action() {
    let later = packs(&[[1, 9, 0, 2], [3, 5, 5, 1], [0, 7, 2, 4]]);
    let inputs = Inputs::new([player(OWN, 0, 0), player(OPPONENT, 0, 0)], later);
    let best = inputs.search()[0].action;
    let budget = Budget::new(u64::MAX, None);
    let line = line(&inputs.request(), best, &mut TranspositionTable::new(18), &budget).unwrap();
    assert_eq!((line.len(), line[0].0), (3, best));
}

#[test]
fn the_values_fit_in_the_table() {
    const {
        assert!(TranspositionTable::LEAST < LOSS.0 - PLY.0);
        assert!(WIN.0 + PLY.0 < TranspositionTable::MOST);
    }
}
