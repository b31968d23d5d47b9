//! Divides the time of a game among its turns.
//!
//! Each turn has a weight. The share of a turn is its weight divided by the sum of the weights of
//! this turn and all later turns, so the time is never used up. Time that a turn leaves unused goes
//! to the later turns. The turns from [`KEPT_FROM`] on have a fifth of all weights: 34 s of 180 s
//! are kept for a longer game. Most turns do not use their whole share, so a turn may take
//! [`TimeParameters::most_shares`] times its share.

use std::time::Duration;

/// The turns whose weights are given; the weights of the turns in between are interpolated
/// linearly.
const KNOTS: [usize; 10] = [0, 1, 2, 3, 5, 8, 9, 20, 30, KEPT_FROM - 1];

/// The first turn of those for which a fifth of the weights is kept: a longer game.
const KEPT_FROM: usize = 46;

/// Parameters of the time of a turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeParameters {
    /// The weights of the turns 0, 1, 2, 3, 5, 8, 9, 20, 30 and 45, each more than 0; those of the
    /// turns in between are interpolated linearly. By default a weight is about the seconds that
    /// the turn may take of a game of 180 s.
    ///
    /// Turns 0 to 2 find the plan of the opening, which is remembered. Turns 3 to 8 rarely change
    /// that plan and only compare other plans with it. Attacks are possible from turn 9 on, and the
    /// decisive attacks are sent by turn 25. Experiments T-01, T-05, T-06.
    pub weights: [f64; KNOTS.len()],
    /// From turn 46 on, the weight of a turn divided by the weight of the previous turn.
    pub decay: f64,
    /// The maximum time of a turn, as a multiple of its share. Most turns use less than this
    /// maximum, because a search of four plies ends early. Experiments T-05 and T-06.
    pub most_shares: f64,
    /// The factor by which a calm turn's share is reduced. Chosen by hand, as are the weights.
    pub calm: f64,
    /// A player is short of time if its time left is less than the other player's time divided by
    /// this: such a player soon has to answer with almost no search.
    pub short_of_time: u32,
}

impl Default for TimeParameters {
    fn default() -> Self {
        Self {
            weights: [12.0, 6.0, 5.0, 2.0, 3.0, 3.0, 7.0, 7.0, 3.0, 1.5],
            decay: 0.97,
            most_shares: 1.6,
            calm: 0.6,
            short_of_time: 10,
        }
    }
}

/// The times by which the last three turns exceeded their planned times.
#[derive(Default)]
pub struct Overruns([Duration; 3]);

impl Overruns {
    /// Returns the typical overrun: the least of the last three, so that a single stall does not
    /// count.
    pub fn typical(&self) -> Duration {
        self.0.into_iter().min().unwrap_or_default()
    }

    /// Records a turn that was planned to take `planned` and took `taken`.
    pub fn note(&mut self, planned: Duration, taken: Duration) {
        self.0.rotate_left(1);
        self.0[2] = taken.saturating_sub(planned);
    }

    /// Halves the recorded overruns after a turn without a search, so that past stalls of the
    /// machine do not prevent searches for the rest of the game.
    pub fn relax(&mut self) {
        self.0.iter_mut().for_each(|overrun| *overrun /= 2);
    }

    /// Returns the usable time below which no search is started: three typical overruns, at least
    /// 10 ms.
    ///
    /// A search that is stopped at once still takes a millisecond, and tens of milliseconds on a
    /// busy machine. Hundreds of turns may remain, and they must not use up the reserve.
    /// Experiments T-03 and T-13.
    pub fn least_usable(&self) -> Duration {
        const LEAST: Duration = Duration::from_millis(10);
        LEAST.max(self.typical() * 3)
    }
}

impl TimeParameters {
    /// Returns the part of the time left that `turn` may take, more than 0. The part is smaller if
    /// `is_calm`: no player can attack soon.
    pub fn share(&self, turn: usize, is_calm: bool) -> f64 {
        let rest = self.weight(turn.max(KEPT_FROM)) / (1.0 - self.decay);
        let to_come = (turn..KEPT_FROM).map(|turn| self.weight(turn)).sum::<f64>() + rest;
        let share = self.most_shares * self.weight(turn) / to_come;
        if is_calm { self.calm * share } else { share }
    }

    /// Whether the opponent is short of time: by default, it has less than a tenth of the
    /// first player's time left.
    pub fn is_opponent_short_of_time(&self, time_left: [Duration; 2]) -> bool {
        time_left[1].saturating_mul(self.short_of_time) < time_left[0]
    }

    /// The weight of `turn`, interpolated between [`KNOTS`].
    fn weight(&self, turn: usize) -> f64 {
        let after = KNOTS.iter().position(|&knot| knot >= turn);
        let Some(after) = after else {
            let last = KNOTS.len() - 1;
            return self.weights[last] * self.decay.powi((turn - KNOTS[last]) as i32);
        };
        let before = after.saturating_sub(1);
        let (to, end) = (KNOTS[after], self.weights[after]);
        let (from, begin) = (KNOTS[before], self.weights[before]);
        let part = (turn - from) as f64 / (to - from).max(1) as f64;
        begin + part * (end - begin)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::engine::{TimeLimits, TurnClock};
    use crate::game::TURNS;

    fn defaults() -> TimeParameters {
        TimeParameters::default()
    }

    fn share(turn: usize, is_calm: bool) -> f64 {
        defaults().share(turn, is_calm)
    }

    fn weight(turn: usize) -> f64 {
        defaults().weight(turn)
    }

    /// The seconds that each turn of a game of `game` seconds takes if each takes `part` of its
    /// planned time, and the seconds left at the end.
    fn taken(part: f64, game: f64, is_calm: impl Fn(usize) -> bool) -> (Vec<f64>, f64) {
        let rules = TimeLimits::default();
        let mut left = game;
        let turns = (0..TURNS).map(|turn| {
            let clock = TurnClock::new(Instant::now(), Duration::from_secs_f64(left), &rules);
            let planned = clock.planned(share(turn, is_calm(turn))).as_secs_f64();
            assert!(planned <= 19.0, "the limit of a turn");
            left -= part * planned;
            part * planned
        });
        (turns.collect(), left)
    }

    /// As [`taken`], if each turn takes exactly its share.
    fn spent(game: f64, is_calm: impl Fn(usize) -> bool) -> (Vec<f64>, f64) {
        taken(1.0 / defaults().most_shares, game, is_calm)
    }

    #[test]
    fn weights_are_interpolated_and_decay_after_the_table() {
        for (turn, there) in KNOTS.into_iter().zip(defaults().weights) {
            assert!((weight(turn) - there).abs() < 1e-9, "turn {turn}");
        }
        assert!((weight(4) - 2.5).abs() < 1e-9);
        let last = weight(KEPT_FROM - 1);
        assert!((weight(KEPT_FROM + 1) - last * defaults().decay.powi(2)).abs() < 1e-9);
        assert!((0..TURNS).all(|turn| (1e-9..1.0).contains(&share(turn, true))));
    }

    #[test]
    fn time_is_never_used_up() {
        let reserve = TimeLimits::default().reserve().as_secs_f64();
        for game in [1.0, 2.0, 3.0, 10.0, 45.0, 180.0, 3600.0] {
            for calm in [1, 2, usize::MAX] {
                let (_, left) = taken(1.0, game, |turn| turn % calm == 0);
                assert!(left >= reserve.min(game), "{left} s of {game} s left");
            }
        }
    }

    #[test]
    fn turns_0_to_2_and_9_to_25_take_half_of_the_time() {
        let (turns, _) = spent(180.0, |_| false);
        let sum = |from: usize, to: usize| turns[from..=to].iter().sum::<f64>();
        assert!((15.0..25.0).contains(&sum(0, 2)), "{}", sum(0, 2));
        assert!((10.0..20.0).contains(&sum(3, 8)), "{}", sum(3, 8));
        assert!((75.0..90.0).contains(&sum(9, 25)), "{}", sum(9, 25));
        assert!(sum(0, 2) + sum(9, 25) > 90.0, "half of the time");
        assert!(
            turns[9..].is_sorted_by(|a, b| *a >= b * 0.999),
            "turns from 9 on take less and less"
        );
    }

    #[test]
    fn a_sixth_of_the_time_is_left_at_turn_46() {
        for game in [10.0, 180.0] {
            let (turns, _) = spent(game, |_| false);
            let left = game - turns[..KEPT_FROM].iter().sum::<f64>();
            assert!(left >= game / 6.0, "{left} s of {game} s left");
        }
        // The time that calm turns leave unused goes to the other turns.
        let (turns, _) = spent(180.0, |turn| turn % 2 == 0);
        assert!(turns[21] > spent(180.0, |_| false).0[21] + 0.5);
        assert!(turns[22] < turns[21]);
    }

    #[test]
    fn turn_100_still_has_time() {
        let (turns, _) = spent(180.0, |_| false);
        assert!(turns[60] > 0.5 && turns[100] > 0.1, "{} s, {} s", turns[60], turns[100]);
    }

    #[test]
    fn the_typical_overrun_is_the_least_of_three_turns() {
        let ms = Duration::from_millis;
        let mut overruns = Overruns::default();
        for taken in [250, 1300, 280] {
            assert_eq!((overruns.typical(), overruns.least_usable()), (ms(0), ms(10)));
            overruns.note(ms(200), ms(taken));
        }
        assert_eq!((overruns.typical(), overruns.least_usable()), (ms(50), ms(150)));
        overruns.relax();
        assert_eq!(overruns.typical(), ms(25), "a turn without a search halves the overruns");
        overruns.note(ms(200), ms(190));
        assert_eq!(overruns.typical(), ms(0));
    }

    #[test]
    fn a_player_with_less_than_a_tenth_of_the_other_time_is_short_of_time() {
        let short_of_time = |own, theirs| {
            defaults().is_opponent_short_of_time([own, theirs].map(Duration::from_millis))
        };
        assert!(short_of_time(50_000, 4_999) && !short_of_time(50_000, 5_000));
        assert!(!short_of_time(1000, 1000) && !short_of_time(0, 0));
    }
}
