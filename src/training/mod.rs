//! Training: the win probability from recorded games, and the weights of a beam from its chains.
//!
//! * [`TrainingPosition`], [`positions`]: the positions of a game that the model is fitted to;
//! * [`data`]: the file that holds positions;
//! * [`fit()`]: the weights under which the games are most likely, by Newton's method;
//! * [`constant`]: the weights as Rust source;
//! * [`Quality`] and [`report`]: how well win probabilities predict the winners;
//! * [`chains`]: the lengths of the chains that beams find with given weights;
//! * [`Climb`]: a search for the weights with the longest chains, by comparison.

pub mod chains;
mod check;
pub mod constant;
pub mod data;
mod fit;
mod spsa;

use std::hash::Hasher as _;
use std::num::NonZeroUsize;
use std::thread;

use fnv::FnvHasher;
use rayon::ThreadPoolBuilder;

use crate::board::{ChildBuffer, Field};
use crate::engine::win_probability::{Features, Measures, TURNS_AHEAD};
use crate::game::{DropColumns, Player, State, Verdict};
use crate::record::Record;
use crate::search::beam::{self, BeamRequest};
use crate::search::{Budget, Rain};

pub use check::{Quality, report};
pub use fit::fit;
pub use spsa::Climb;

/// The first turn used: before it, both fields are almost empty.
const FIRST: usize = 4;

/// The last turn used: later turns of a few games would outweigh all others.
const LAST: usize = 120;

/// One game in this many is held out, chosen by its packs, so that no game with the same packs is
/// among the games used for the fit.
const HELD_OUT: u64 = 5;

/// The start of a turn, and the result of its game.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingPosition {
    /// The folder and file of the game's record.
    pub game: String,
    /// A hash of the game's packs.
    pub packs: u64,
    /// The turn, 0 to 499.
    pub turn: usize,
    /// 1 if the first player won, 0 if the second, 0.5 for a draw.
    pub result: f64,
    /// The measures of both players.
    pub players: [Measures; 2],
}

impl TrainingPosition {
    /// Returns whether the position's game is held out from the fit.
    pub const fn is_held_out(&self) -> bool {
        self.packs.is_multiple_of(HELD_OUT)
    }

    /// Returns the features, for the first player.
    pub fn features(&self) -> Features {
        Features::between(&self.players[0], &self.players[1], self.turn)
    }
}

/// Returns the positions of a game that the model is fitted to. Returns none if the rules of play
/// did not end the game, but a fault or nothing did. Positions with two equal players are left out,
/// because they teach nothing.
///
/// Each player's curve comes from a beam of `drops` drops. The result does not depend on `threads`.
///
/// # Errors
/// The message names the turn that breaks the rules.
///
/// # Panics
/// If a thread cannot be started.
pub fn positions(
    game: &str,
    record: &Record,
    drops: u64,
    threads: NonZeroUsize,
) -> Result<Vec<TrainingPosition>, String> {
    let result = match record.result.verdict {
        _ if record.result.end.is_none() => return Ok(Vec::new()),
        Verdict::Win(seat) => 1.0 - seat.index() as f64,
        Verdict::Draw => 0.5,
    };
    let packs = record.packs()?;
    let mut hasher = FnvHasher::default();
    record.packs.as_flattened().as_flattened().iter().for_each(|&cell| hasher.write_u8(cell));
    let hash = hasher.finish();
    let states = record.replay()?.into_iter().map(|turn| turn.after);
    let states = states.filter(|state| {
        (FIRST..=LAST).contains(&state.turn)
            && state.end().is_none()
            && state.players[0] != state.players[1]
    });
    let states: Vec<State<Field>> = states.map(|state| state.convert()).collect();
    let measured = |state: &State<Field>| {
        let ahead = packs.from_turn(state.turn);
        let measure = |player: &Player<Field>| {
            let rain = Rain::of_stock(player.stock);
            let (depth, positions) = (TURNS_AHEAD, DropColumns::ALL);
            let request = BeamRequest { field: player.field, packs: ahead, rain, depth, positions };
            let found = beam::search(&request, &Budget::new(drops, None));
            Measures::of(player, &found.most_sent(), &mut ChildBuffer::new())
        };
        let players = state.players.each_ref().map(measure);
        TrainingPosition { game: game.to_owned(), packs: hash, turn: state.turn, result, players }
    };
    Ok(share_out(&states, threads, measured))
}

/// Runs `work` on each of `items`, distributed over `threads` threads. A beam inside `work` has one
/// thread, so that its use of drops is reproducible.
///
/// # Panics
/// If a thread cannot be started, or if `work` panics.
fn share_out<T: Sync, R: Send>(
    items: &[T],
    threads: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let share = |items: &[T]| -> Vec<R> {
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        let pool = pool.expect("a thread can be started");
        pool.install(|| items.iter().map(&work).collect())
    };
    let share = &share;
    thread::scope(|scope| {
        let shares = items.chunks(items.len().div_ceil(threads.get()).max(1));
        let shares = shares.map(|items| scope.spawn(move || share(items)));
        let started: Vec<_> = shares.collect();
        let done = started.into_iter().map(|share| share.join().expect("it does its work"));
        done.flatten().collect()
    })
}
