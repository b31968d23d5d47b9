//! The clock of one player in a game.

use std::time::Duration;

/// A player's time for a game, and how much of it the player has used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerClock {
    game_time: Duration,
    used: Duration,
}

/// The time of a player for its next answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnswerTime {
    /// The limit that the player knows of.
    pub limit: Duration,
    /// The limit with grace: an answer that takes longer is late.
    pub allowed: Duration,
}

impl PlayerClock {
    /// A clock of which nothing is used.
    pub const fn new(game_time: Duration) -> Self {
        Self { game_time, used: Duration::ZERO }
    }

    /// Counts the thinking time of a turn.
    pub fn count(&mut self, think: Duration) {
        self.used = self.used.saturating_add(think);
    }

    /// The time left for the game; zero if more than the time for the game is used.
    pub const fn left(&self) -> Duration {
        self.game_time.saturating_sub(self.used)
    }

    /// The time for the next answer, if a turn may take `turn_time`. The player may exceed
    /// `turn_time` by `grace` in each turn, and its time for the game by `grace` in all turns
    /// together.
    pub fn answer_time(&self, turn_time: Duration, grace: Duration) -> AnswerTime {
        let game_allowed = self.game_time.saturating_add(grace).saturating_sub(self.used);
        AnswerTime {
            limit: self.left().min(turn_time),
            allowed: game_allowed.min(turn_time.saturating_add(grace)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Duration = Duration::from_secs(20);
    const GRACE: Duration = Duration::from_millis(100);

    fn answer_time(used: u64) -> [u128; 2] {
        let mut clock = PlayerClock::new(Duration::from_secs(60));
        clock.count(Duration::from_millis(used));
        let AnswerTime { limit, allowed } = clock.answer_time(TURN, GRACE);
        [limit, allowed].map(|time| time.as_millis())
    }

    #[test]
    fn the_shorter_limit_counts_with_its_grace() {
        assert_eq!(answer_time(0), [20_000, 20_100]);
        assert_eq!(answer_time(39_999), [20_000, 20_100]);
        assert_eq!(answer_time(40_001), [19_999, 20_099]);
        assert_eq!(answer_time(60_000), [0, 100]);
    }

    #[test]
    fn the_grace_of_the_game_counts_once() {
        assert_eq!(answer_time(60_070), [0, 30]);
        assert_eq!(answer_time(60_100), [0, 0]);
        assert_eq!(answer_time(70_000), [0, 0]);
    }
}
