//! Openings: random turns before the engines' first decision.

use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{Action, Cells, Packs, Placement, State};
use crate::record::TurnRecord;

/// The greatest number of turns of an opening: a field still has room for all their blocks.
pub const LONGEST: usize = 20;

/// The seed of a round's opening is mixed with this number, because the packs of the round may be
/// chosen from the same seed.
const STREAM: u64 = 0x9e37_79b9_7f4a_7c15;

/// Generates the first `turns` turns of a game with `packs`. Each is a drop that does not end the
/// game, chosen from all of them with equal probability, and both players play it. So both players
/// have the same field, stock, gauge and score after it. If all drops end the game, the opening is
/// shorter.
pub fn generate(packs: &Packs, turns: usize, seed: u64) -> Vec<TurnRecord> {
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed ^ STREAM);
    let mut state = State::<Cells>::new();
    let mut opening = Vec::with_capacity(turns);
    for pack in packs.from_turn(0).iter().take(turns) {
        let after = |placement| {
            let action = Action::Drop(placement);
            let after = state.play(pack, [action; 2]).ok()?.after;
            after.end().is_none().then_some((action, after))
        };
        let drops: Vec<_> = Placement::all().filter_map(after).collect();
        let Some(&(action, after)) = drops.choose(random) else { break };
        let answer = action.to_string();
        let answers = [answer.clone(), answer];
        opening.push(TurnRecord { answers, think_us: [0, 0], info: [None, None] });
        state = after;
    }
    opening
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(opening: &[TurnRecord]) -> Vec<&str> {
        opening.iter().map(|turn| turn.answers[0].as_str()).collect()
    }

    #[test]
    fn both_players_have_equal_states_after_an_opening() {
        for seed in 0..10 {
            let packs = Packs::from_seed(seed);
            let opening = generate(&packs, LONGEST, seed);
            assert_eq!(opening.len(), LONGEST, "seed {seed}");
            let mut state = State::<Cells>::new();
            for (turn, pack) in opening.iter().zip(packs.from_turn(0)) {
                assert_eq!(turn.answers[0], turn.answers[1]);
                let actions = turn.answers.each_ref().map(|answer| answer.parse().unwrap());
                state = state.play(pack, actions).unwrap().after;
                assert_eq!(state.end(), None);
            }
            assert_eq!(state.players[0], state.players[1]);
        }
    }

    #[test]
    fn an_opening_follows_from_its_seed() {
        let packs = Packs::from_seed(1);
        let opening = generate(&packs, 6, 1);
        assert_eq!(opening, generate(&packs, 6, 1));
        assert_eq!(opening[..4], generate(&packs, 4, 1), "a shorter one is its beginning");
        assert_ne!(answers(&opening), answers(&generate(&packs, 6, 2)));
        assert_eq!(generate(&packs, 0, 1), []);
    }
}
