//! The parameters of the engine, and y.s.'s two sets of them.
//!
//! "y.s." marks a figure of the account that y.s. has published of his bot. The account gives most
//! figures twice, in a table and in the command line that the bot last ran with; where they differ,
//! the command line counts. "Published" marks a figure that the account does not give and that
//! y.s.'s published bot has.

use std::time::Duration;

use crate::game::Chain;

/// The two sets of parameters of y.s.'s bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preset {
    /// The parameters of the bot's online games, on a laptop with four cores.
    Online,
    /// The parameters of the submitted bot, for one slower core.
    #[default]
    Submission,
}

impl Preset {
    /// The presets by their names on the command line, each with a line of help.
    pub const NAMED: [(&str, &str, Self); 2] = [
        (
            "online",
            "The parameters of the bot's online games, on a laptop with four cores",
            Self::Online,
        ),
        (
            "submission",
            "The parameters of the submitted bot, for one slower core",
            Self::Submission,
        ),
    ];
}

/// The size of a beam search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Turns that the beam looks ahead.
    pub depth: usize,
    /// Fields that the beam keeps in a layer.
    pub width: usize,
    /// The most fields of a layer with the same length of chain (y.s.: 20 to 30 % of the width).
    pub cap: usize,
    /// Time after which the beam ends with the deepest layer that it has reached.
    pub time: Duration,
}

/// All parameters. The values of each preset are in [`Parameters::of`].
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// The beam of the first turn.
    pub opening: Shape,
    /// The opening beam's target. The first layer that can set off this chain keeps only fields
    /// that can set it off, and the plan ends there.
    pub target: Chain,
    /// Chains that are shorter than the target by up to this are kept as well.
    pub kept: u8,
    /// A chain at which the opening beam ends at once; 0 for none.
    pub final_target: Chain,
    /// Columns on each side in which the opening beam drops nothing.
    pub closed: u8,
    /// A field with a block in this row or above it is worth nothing to the opening beam.
    pub height_limit: u8,
    /// Turns in which the plan is played without a search.
    pub unquestioned: usize,
    /// The plan's move is played unless the best move is better by more than this, in ojama.
    pub plan_margin: f64,
    /// A plan worth at least this, in ojama, is kept even if a better move exists. A plan that is
    /// worth less is dropped for a move that is worth at least this.
    pub plan_enough: f64,
    /// The beam of every later turn.
    pub later: Shape,
    /// The later beam's move is played unless the best move is better by at least this, in ojama.
    pub later_margin: f64,
    /// The opponent's beam, which decides whether chains are given up.
    pub opponent: Shape,
    /// The opponent's beams in the test of attacking first. The depth limits the search for the
    /// opponent's counterattack.
    pub attack: Shape,
    /// Turns within which the opponent's chains are searched if it is not attacked.
    pub unattacked_depth: usize,
    /// The beam that finds the counterattack of the plan's or the beam's move to an attack of the
    /// opponent.
    pub answer: Shape,
    /// The beam in skill mode.
    pub skill: Shape,
    /// With less time than this left in the game, no beam is searched.
    pub beams_until: Duration,
    /// Plies of the exhaustive searches, 1 to 4.
    pub plies: usize,
    /// Chains are given up if the later beam's longest chain is shorter than this.
    pub give_up_below: Chain,
    /// The weights of a leaf's value.
    pub weights: LeafWeights,
}

/// Weights of the leaf value, in ojama.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LeafWeights {
    /// An ojama of a stock beyond its whole rows, relative to an ojama of a whole row.
    pub units: f64,
    /// The penalty of a five in an outer column.
    pub edge_five: f64,
    /// A block in row 15, row 16 and the danger line.
    pub high: (f64, f64, f64),
    /// The own skill while chains are built, relative to skill mode.
    pub skill_while_building: f64,
    /// While chains are built, the own skill is worth nothing with fewer ojama than this on our
    /// field.
    pub skill_from_ojama: u32,
    /// The opponent's skill while it is not ready, relative to a ready one.
    pub unready_skill: f64,
    /// Added for an attack of the opponent in the first turns that is too small to matter.
    pub early_attack: f64,
    /// The part of each ojama of a small attack, by us or by the opponent, that does not count.
    pub small_attack: f64,
    /// A small chain of ours while no ojama are on the opponent's field, and while few are there.
    pub small_chain: (f64, f64),
    /// The longest chain that counts as small, in these two cases.
    pub small_chain_most: (Chain, Chain),
    /// Added for each ply at which the opponent may have attacked.
    pub may_attack: f64,
    /// Added for each ply at which the opponent could have attacked and did not.
    pub spared: f64,
}

impl Parameters {
    /// Returns the parameters of `preset`.
    pub fn of(preset: Preset) -> Self {
        let online = preset == Preset::Online;
        let shape = |depth, width, cap, ms| {
            let time = Duration::from_millis(ms);
            Shape { depth, width, cap, time }
        };
        Self {
            // Y.s.: `-bd 20 -bw 30000 -bcw 4900` (in the table 50,000 and 5,000), submitted
            // `-bd 16 -bw 5000 -bcw 1500`; 19 s both.
            opening: if online {
                shape(20, 30_000, 4_900, 19_000)
            } else {
                shape(16, 5_000, 1_500, 19_000)
            },
            target: Chain(12),                                // y.s.: `-bcm 12`
            kept: 1, // y.s.: "in the end 11 as well", `-bcm- 1`
            final_target: Chain(if online { 0 } else { 16 }), // y.s.: none, 16
            closed: 2, // y.s.: `-bminx 2 -bmaxx 6`
            height_limit: 14, // y.s.: row 14 and above make the value 0
            unquestioned: 8, // y.s.: until turn 8 nobody attacks
            // Y.s.: "in the end about 30"; the command lines have `-bihd 50` and `-bihd 35`, with
            // `-bihmax 70 -bihmin 70`.
            plan_margin: if online { 50.0 } else { 35.0 },
            plan_enough: 70.0,
            // Y.s.: `-nbw 3850 -nbcw 1470 -nftl 2500` (in the table 1,500, 300 and 1 s), submitted
            // `-nbw 700 -nbcw 350 -nftl 1350` (in the table 1 s).
            later: if online { shape(20, 3_850, 1_470, 2_500) } else { shape(16, 700, 350, 1_350) },
            later_margin: 10.0, // y.s.: `-nbihd 10`
            // Y.s., table of the opponent's beam; submitted `-nebw 500 -nebcw 200`.
            opponent: if online { shape(10, 750, 250, 500) } else { shape(10, 500, 200, 500) },
            // Y.s., table of the test before attacking first: depth 5 and 10; `-ebt 500`.
            attack: if online { shape(10, 1_600, 400, 1_000) } else { shape(10, 500, 200, 500) },
            unattacked_depth: 5,
            // Y.s., table of the counterattacks: `-dbw 200 -dbcw 75 -dbt 350`.
            answer: if online { shape(7, 350, 100, 500) } else { shape(7, 200, 75, 350) },
            // The account has no figures of its own for skill mode. Published: 1000, 200, 500 ms;
            // submitted, the width of the opponent's beam.
            skill: if online { shape(10, 1_000, 200, 500) } else { shape(10, 500, 200, 500) },
            beams_until: Duration::from_secs(30), // y.s.
            plies: 4,                             // y.s.: 5 own plies gained nothing
            // Y.s.: a chain of 7 or less gives up; `-nbminc 8` online, `-nbminc 9` submitted.
            give_up_below: Chain(if online { 8 } else { 9 }),
            weights: LeafWeights::of(online),
        }
    }

    /// Scales all times and `beams_until` from the contest's 180 s to a game of `time`. A game
    /// longer than 180 s leaves them unchanged.
    #[must_use]
    pub fn for_a_game_of(mut self, time: Duration) -> Self {
        /// Seconds of a game of the contest.
        const CONTEST: f64 = 180.0;
        let part = (time.as_secs_f64() / CONTEST).min(1.0);
        let beams = [
            &mut self.opening,
            &mut self.later,
            &mut self.opponent,
            &mut self.attack,
            &mut self.answer,
            &mut self.skill,
        ];
        beams.into_iter().for_each(|shape| shape.time = shape.time.mul_f64(part));
        self.beams_until = self.beams_until.mul_f64(part);
        self
    }
}

impl LeafWeights {
    fn of(online: bool) -> Self {
        Self {
            units: 0.2, // y.s.: a fifth
            // Y.s.: a penalty of no given size, in its first version; published then 0.1, later 0.
            edge_five: 0.0,
            // Y.s.: -10, -20, -100; in the end nothing but row 17 counts.
            high: (0.0, 0.0, -100.0),
            // Y.s.: "lowered" while chains are built; published: half, and only from 50 ojama on.
            skill_while_building: 0.5,
            skill_from_ojama: 50,
            unready_skill: 0.2, // y.s.: a fifth
            early_attack: 50.0, // y.s.
            small_attack: 0.9,  // y.s.
            // Y.s.: -10 to -20; `-fmcm -20 -smcm -10` online, `-fmcm -10 -smcm -5` submitted.
            small_chain: if online { (-20.0, -10.0) } else { (-10.0, -5.0) },
            small_chain_most: (Chain(10), Chain(9)), // y.s.: `-fmcn 10`; published: 9
            may_attack: -5.0,                        // y.s.: `-emdh -5`
            spared: 15.0,                            // published
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_game_has_short_beams() {
        let parameters = Parameters::of(Preset::Submission);
        let short = parameters.clone().for_a_game_of(Duration::from_secs(60));
        assert_eq!(short.beams_until, Duration::from_secs(10));
        assert_eq!(short.later.time, Duration::from_millis(450));
        assert_eq!(parameters.clone().for_a_game_of(Duration::from_secs(999)), parameters);
    }
}
