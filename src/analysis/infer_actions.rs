//! What was answered, from what came of it.

use crate::game::{Action, Cells, HEIGHT, Pack, Seat, State};

/// The answers of each seat that lead from one turn to the next, as two fields, stocks, gauges and
/// scores in a row tell: all of them, as several may lead to the same. None if the second state is
/// not of the next turn, or if the rules lead there by no pair of answers.
///
/// Any answer of one seat goes with any of the other: how a seat's answer matters to the other is
/// its chain and what it sends, which its own score tells.
pub fn infer_actions(before: &State<Cells>, pack: &Pack, after: &State<Cells>) -> [Vec<Action>; 2] {
    let nothing = [Vec::new(), Vec::new()];
    if after.turn != before.turn + 1 {
        return nothing;
    }
    let leading = Seat::BOTH.map(|seat| -> Vec<Action> {
        let (player, told) = (&before[seat], &after[seat]);
        let leads = |action: &Action| {
            player.step(pack, *action).is_ok_and(|step| {
                // Nobody is asked about a turn after the end, though what shows may look the same.
                step.player.field.is_over() == told.field.is_over()
                    && step.player.score == told.score
                    && is_seen_as(&step.player.field, &told.field)
            })
        };
        Action::all().filter(leads).collect()
    });
    let is_reached = |actions: [Action; 2]| {
        before.play(pack, actions).is_ok_and(|played| {
            Seat::BOTH.into_iter().all(|seat| {
                let (reached, told) = (&played.after[seat], &after[seat]);
                reached.stock == told.stock && reached.gauge == told.gauge
            })
        })
    };
    let [first, second] = &leading;
    // A drop and the skill may lead to the same field, but not to the same gauge.
    let pairs = first.iter().flat_map(|&a| second.iter().map(move |&b| [a, b]));
    let pairs: Vec<[Action; 2]> = pairs.filter(|&pair| is_reached(pair)).collect();
    [0, 1].map(|seat: usize| {
        let mut answers: Vec<Action> = pairs.iter().map(|pair| pair[seat]).collect();
        answers.sort_unstable();
        answers.dedup();
        answers
    })
}

/// Whether a field is the one that was told of, which has no rows above the [`HEIGHT`]th.
fn is_seen_as(field: &Cells, told: &Cells) -> bool {
    (0..HEIGHT).all(|y| field.row(y) == told.row(y))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::{Gauge, Packs, Placement, Player};

    fn state(drawings: [&str; 2], gauges: [u8; 2]) -> State<Cells> {
        let player = |seat: usize| Player {
            field: drawings[seat].parse().unwrap(),
            gauge: Gauge::new(gauges[seat]).unwrap(),
            ..Player::new()
        };
        State { turn: 3, players: [player(0), player(1)] }
    }

    #[test]
    fn answers_that_give_the_same_are_all_told() {
        let before = state(["", ""], [0, 0]);
        // Three ones: two on the left column or on the right one, whichever way the pack lies.
        let pack = Pack::new([1, 0, 1, 1]).unwrap();
        let answers = ["0 0", "4 2"].map(|answer| answer.parse::<Action>().unwrap());
        let after = before.play(&pack, answers).unwrap().after;
        let told = infer_actions(&before, &pack, &after).map(|answers| format!("{answers:?}"));
        assert_eq!(told, ["[0 0, 0 1]", "[4 2, 4 3]"]);
    }

    #[test]
    fn a_skill_is_told_by_its_gauge() {
        // Without a five the skill does nothing but empty the gauge.
        let before = state(["1.........", "1........."], [80, 90]);
        let pack = Pack::new([2, 2, 2, 0]).unwrap();
        let answers = ["S", "8 0"].map(|answer| answer.parse::<Action>().unwrap());
        let after = before.play(&pack, answers).unwrap().after;
        assert_eq!(infer_actions(&before, &pack, &after)[0], [Action::Skill]);
    }

    #[test]
    fn what_the_rules_do_not_lead_to_is_unknown() {
        let before = state(["", ""], [0, 0]);
        let pack = Pack::new([1, 2, 3, 0]).unwrap();
        let answers = ["0 0", "4 2"].map(|answer| answer.parse::<Action>().unwrap());
        let after = before.play(&pack, answers).unwrap().after;
        let mut stock = after;
        stock.players[1].stock = 1;
        assert_eq!(infer_actions(&before, &pack, &stock), [[], []]);
        let later = State { turn: after.turn + 1, ..after };
        assert_eq!(
            infer_actions(&before, &pack, &later),
            [[], []],
            "a turn is missing between them"
        );
    }

    #[test]
    fn an_answer_that_ends_the_game_was_not_given() {
        // Three fives vanish together, or two of them, and the third is out of observation in row 17.
        let towers = "1.........\n".repeat(3) + &"11........\n".repeat(13);
        let before = state([&towers, ""], [0, 0]);
        let pack = Pack::new([5, 0, 5, 5]).unwrap();
        let answers = ["4 0", "4 0"].map(|answer| answer.parse::<Action>().unwrap());
        let after = before.play(&pack, answers).unwrap().after;
        let told = infer_actions(&before, &pack, &after);
        let told: Vec<String> = told[0].iter().map(Action::to_string).collect();
        assert!(told.contains(&"4 0".to_owned()));
        assert!(told.iter().all(|answer| !answer.starts_with('0')), "{told:?}");
    }

    proptest! {
        /// Whatever is played is among what is inferred, and all that is inferred leads there.
        #[test]
        fn what_was_played_is_inferred(seed: u64, choices in prop::collection::vec((0..37usize, 0..37usize), 40)) {
            let packs = Packs::from_seed(seed);
            let mut state = State::<Cells>::new();
            for (&pack, (a, b)) in packs.from_turn(0).iter().zip(choices) {
                let choose = |index: usize, gauge: Gauge| match Placement::from_index(index) {
                    Some(placement) => Action::Drop(placement),
                    None if gauge.allows_skill() => Action::Skill,
                    None => Action::all().next().unwrap(),
                };
                let played = [choose(a, state.players[0].gauge), choose(b, state.players[1].gauge)];
                let after = state.play(&pack, played).unwrap().after;
                if after.end().is_some() {
                    break;
                }
                let told = infer_actions(&state, &pack, &after);
                prop_assert!(told[0].contains(&played[0]) && told[1].contains(&played[1]));
                for &first in &told[0] {
                    for &second in &told[1] {
                        prop_assert_eq!(state.play(&pack, [first, second]).unwrap().after, after);
                    }
                }
                state = after;
            }
        }
    }
}
