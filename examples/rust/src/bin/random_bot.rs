//! Plays any legal action with equal probability. `random_bot SEED` sets the seed (default 1).

use starter_kit::protocol;
use starter_kit::simulator::Action;

/// The generator SplitMix64, so that the kit needs no crate.
struct Random(u64);

impl Random {
    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let mut random = Random(seed);
    protocol::run("random-rust", |_packs, turn| {
        // Every drop is legal on every field; the skill is legal from a gauge of 80 on.
        let mut legal: Vec<Action> = Action::drops().collect();
        if turn.own.can_use_skill() {
            legal.push(Action::Skill);
        }
        legal[random.below(legal.len())]
    })?;
    Ok(())
}
