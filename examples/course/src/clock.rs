use std::time::{Duration, Instant};

use crate::protocol::Observation;

/// What is kept for stalls of the machine: a bot with less time left answers almost at once.
const RESERVE: Duration = Duration::from_secs(2);

/// A turn's share of the time that is left for the game; or, if the variable `TENSAI_NODES` is set,
/// that number of nodes, so that the bot plays alike on every machine. A node is a state whose actions
/// are all tried.
pub struct Clock {
    start: Instant,
    share: Duration,
    limit: Option<u64>,
    nodes: u64,
}

impl Clock {
    /// Gives the turn `1 / turns` of the time left without the reserve, or a little of the reserve.
    pub fn new(turn: &Observation, turns: u32) -> Self {
        let left = Duration::from_millis(turn.time_left[0]);
        let share = (left.saturating_sub(RESERVE) / turns).max(left / 500);
        let limit = std::env::var("TENSAI_NODES").ok().and_then(|nodes| nodes.parse().ok());
        Self { start: Instant::now(), share: share.min(Duration::from_secs(9)), limit, nodes: 0 }
    }

    /// Whether twice the turn's time is over. Work that counts no nodes must end then, too.
    pub fn is_late(&self) -> bool {
        self.limit.is_none() && self.start.elapsed() > 2 * self.share
    }

    /// Counts a node. The part of the share that is used up; from 1 on, the turn's time is over.
    pub fn used(&mut self) -> f64 {
        self.nodes += 1;
        self.limit.map_or_else(
            || self.start.elapsed().as_secs_f64() / self.share.as_secs_f64(),
            |limit| self.nodes as f64 / limit.max(1) as f64,
        )
    }
}
