//! Step 1: plays at random, but never an action that loses at once. `survivor SEED` sets the seed
//! (default 1).

use course::protocol::{self, Observation};
use course::random::Random;
use course::simulator::{Action, Pack};

/// Whether this player has lost after the action, which is legal.
fn loses(pack: Pack, turn: &Observation, action: Action) -> bool {
    turn.own.play_half(pack, action).map_or(true, |step| step.player.is_over())
}

fn decide(packs: &[Pack], turn: &Observation, random: &mut Random) -> Action {
    let legal: Vec<Action> = turn.own.actions().collect();
    let safe: Vec<Action> =
        legal.iter().copied().filter(|&action| !loses(packs[turn.turn], turn, action)).collect();
    // Where every action loses, one of them has to be played all the same.
    let choices = if safe.is_empty() { &legal } else { &safe };
    choices[random.below(choices.len())]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let mut random = Random(seed);
    protocol::run("survivor", |packs, turn| decide(packs, turn, &mut random))?;
    Ok(())
}
