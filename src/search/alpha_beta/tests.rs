use super::*;
use crate::board::Field;
use crate::search::threats;

fn packs() -> Vec<Pack> {
    [[1, 9, 0, 2], [3, 5, 5, 1], [0, 7, 2, 4]].map(|cells| Pack::new(cells).unwrap()).to_vec()
}

fn state(own: &str, opponent: &str) -> State<Field> {
    let mut state = State::new();
    state.players[0].field = own.parse().unwrap();
    state.players[1].field = opponent.parse().unwrap();
    state
}

fn alpha_beta(state: &State<Field>, plies: usize, exact: Option<Action>) -> Vec<Verdict> {
    let budget = Budget::new(u64::MAX, None);
    let threats = threats::search(&state.players[1], &packs(), plies, &budget).unwrap();
    search(state, &packs(), &threats, exact, &budget).unwrap()
}

/// The search without pruning and without a transposition table.
fn plain(search: &mut Search<'_>, mut node: Node, ply: usize) -> OjamaTenths {
    if ply == search.threats.plies() {
        return search.value(node, ply, LOSS, WIN).unwrap();
    }
    node.let_rain(ply);
    let alive = search.threats.at(ply, node.opponents_rain).alive;
    let threat = search.threats.at(ply, node.opponents_rain).drained(0);
    let mut best = LOSS;
    for child in search.children(&node, ply).unwrap() {
        let after = Node {
            field: child.field,
            gauge: child.gauge,
            opponents_gauge: node.opponents_gauge.drained(child.chain),
            net: node.net - child.sent as i64,
            ..node
        };
        let value = match (child.field.is_over(), alive) {
            (true, true) => loss_after(ply),
            (false, false) => win_after(ply),
            (true, false) => search.balance.mutual_end(),
            (false, true) if node.opponent_spent || threat.ojama == 0 => {
                plain(search, after, ply + 1)
            }
            (false, true) => {
                let attacked = Node {
                    gauge: after.gauge.drained(threat.chain),
                    net: after.net + threat.ojama as i64,
                    opponent_spent: true,
                    ..after
                };
                plain(search, after, ply + 1).min(plain(search, attacked, ply + 1))
            }
        };
        best = best.max(value);
    }
    best
}

#[test]
fn pruning_changes_no_value() {
    let mut state =
        state("6.........\n43........\n2851......\n174289....", "6....4....\n2.82.3....");
    state.players[0].stock = 25;
    state.players[0].gauge = Gauge::new(72).unwrap();
    let verdicts = alpha_beta(&state, 2, None);
    let budget = Budget::new(u64::MAX, None);
    let threats = threats::search(&state.players[1], &packs(), 2, &budget).unwrap();
    let [own, opponent] = &state.players;
    let packs = packs();
    let mut search = Search {
        packs: &packs,
        threats: &threats,
        budget: &budget,
        balance: Balance::new(own, opponent),
        opponents_gauge: opponent.gauge,
        table: TranspositionTable::new(0),
        buffer: ChildBuffer::new(),
    };
    let root = Node {
        field: own.field,
        gauge: own.gauge,
        opponents_gauge: opponent.gauge,
        net: 25,
        opponents_rain: Rain::NONE,
        opponent_spent: false,
    };
    assert_eq!(verdicts[0].value, plain(&mut search, root, 0));
}

#[test]
fn an_advised_action_is_valued_exactly() {
    let state = state("6.........\n43........\n2851......\n174289....", "6....4....\n2.82.3....");
    let all = alpha_beta(&state, 1, None);
    let worst = all.last().unwrap().action;
    let advised = alpha_beta(&state, 1, Some(worst));
    let value = advised.iter().find(|verdict| verdict.action == worst).unwrap().value;
    assert!(value <= all[0].value);
    assert_eq!(advised[0].value, all[0].value);
}

/// A drop that kills its own player is not chosen.
#[test]
fn the_danger_line_is_avoided() {
    let tower = "4.........\n3.........\n".repeat(8);
    let verdicts = alpha_beta(&state(&tower, ""), 1, None);
    let deadly: Vec<&Verdict> =
        verdicts.iter().filter(|verdict| verdict.value.0 < LOSS.0 / 2).collect();
    assert!(!deadly.is_empty() && verdicts[0].value.0 > LOSS.0 / 2);
    assert!(deadly.iter().all(|verdict| verdict.action.to_string().starts_with('0')));
}

/// An opponent that cannot survive its next row has lost.
#[test]
fn a_win_is_seen() {
    let full = "4343434343\n".repeat(16);
    let mut state = state("", &full);
    state.players[1].stock = 10;
    assert_eq!(alpha_beta(&state, 1, None)[0].value, WIN);
}
