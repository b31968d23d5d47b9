//! Infers the answers of a turn from the states before and after it.

use crate::game::{Action, Cells, HEIGHT, Pack, Seat, State};

/// The answers of each seat that lead from `before` to `after`: all of them, because several may
/// have equal results. Returns no answers if `after` is not the state of the next turn, or if no
/// pair of answers leads to it by the rules.
///
/// Any answer of one seat goes with any answer of the other: the other seat is affected only by the
/// chain and the ojama sent, which follow from the score.
pub fn infer_actions(before: &State<Cells>, pack: &Pack, after: &State<Cells>) -> [Vec<Action>; 2] {
    let nothing = [Vec::new(), Vec::new()];
    if after.turn != before.turn + 1 {
        return nothing;
    }
    let leading = Seat::BOTH.map(|seat| -> Vec<Action> {
        let (player, observed) = (&before[seat], &after[seat]);
        let leads = |action: &Action| {
            player.step(pack, *action).is_ok_and(|step| {
                // No turn is played after the end of the game, even if the visible rows are equal.
                step.player.field.is_over() == observed.field.is_over()
                    && step.player.score == observed.score
                    && is_seen_as(&step.player.field, &observed.field)
            })
        };
        Action::all().filter(leads).collect()
    });
    let is_reached = |actions: [Action; 2]| {
        before.play(pack, actions).is_ok_and(|played| {
            Seat::BOTH.into_iter().all(|seat| {
                let (reached, observed) = (&played.after[seat], &after[seat]);
                reached.stock == observed.stock && reached.gauge == observed.gauge
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

/// Whether `field` equals `observed`, a field without rows above the [`HEIGHT`]th, in the rows
/// below.
fn is_seen_as(field: &Cells, observed: &Cells) -> bool {
    (0..HEIGHT).all(|y| field.row(y) == observed.row(y))
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
    fn answers_with_equal_results_are_all_inferred() {
        let before = state(["", ""], [0, 0]);
        // Three ones: two on the left column or on the right one, in two rotations each.
        let pack = Pack::new([1, 0, 1, 1]).unwrap();
        let answers = ["0 0", "4 2"].map(|answer| answer.parse::<Action>().unwrap());
        let after = before.play(&pack, answers).unwrap().after;
        let inferred = infer_actions(&before, &pack, &after).map(|answers| format!("{answers:?}"));
        assert_eq!(inferred, ["[0 0, 0 1]", "[4 2, 4 3]"]);
    }

    #[test]
    fn a_skill_is_recognised_by_its_gauge() {
        // Without a five, the skill only empties the gauge.
        let before = state(["1.........", "1........."], [80, 90]);
        let pack = Pack::new([2, 2, 2, 0]).unwrap();
        let answers = ["S", "8 0"].map(|answer| answer.parse::<Action>().unwrap());
        let after = before.play(&pack, answers).unwrap().after;
        assert_eq!(infer_actions(&before, &pack, &after)[0], [Action::Skill]);
    }

    #[test]
    fn states_that_the_rules_do_not_reach_have_no_answers() {
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
    fn an_answer_that_ends_the_game_is_not_inferred_if_the_game_goes_on() {
        // Three fives vanish together, or two of them, and the third is invisible in row 17.
        let towers = "1.........\n".repeat(3) + &"11........\n".repeat(13);
        let before = state([&towers, ""], [0, 0]);
        let pack = Pack::new([5, 0, 5, 5]).unwrap();
        let answers = ["4 0", "4 0"].map(|answer| answer.parse::<Action>().unwrap());
        let after = before.play(&pack, answers).unwrap().after;
        let inferred = infer_actions(&before, &pack, &after);
        let inferred: Vec<String> = inferred[0].iter().map(Action::to_string).collect();
        assert!(inferred.contains(&"4 0".to_owned()));
        assert!(inferred.iter().all(|answer| !answer.starts_with('0')), "{inferred:?}");
    }

    proptest! {
        /// The played answers are among the inferred ones, and all inferred pairs lead to the same
        /// state.
        #[test]
        fn played_answers_are_inferred(
            seed: u64,
            choices in prop::collection::vec((0..37usize, 0..37usize), 40),
        ) {
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
                let inferred = infer_actions(&state, &pack, &after);
                prop_assert!(inferred[0].contains(&played[0]) && inferred[1].contains(&played[1]));
                for &first in &inferred[0] {
                    for &second in &inferred[1] {
                        prop_assert_eq!(state.play(&pack, [first, second]).unwrap().after, after);
                    }
                }
                state = after;
            }
        }
    }
}
