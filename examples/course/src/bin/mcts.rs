//! Step 8: Monte Carlo tree search for simultaneous moves. In each node both players choose their
//! actions apart from each other by UCB1; from a new node on, greedy playouts tell who stands better.

use std::collections::HashMap;

use course::clock::Clock;
use course::field::OJAMA;
use course::protocol::{self, Observation};
use course::simulator::{play_turn, Action, Pack, Player, WIDTH};

const SHARE: u32 = 20;
/// Turns of a playout.
const PLAYOUT: usize = 6;
/// How much UCB1 explores.
const EXPLORATION: f64 = 0.5;
/// Ojama by which a side has about three quarters of the win.
const SCALE: f64 = 30.0;

/// Visits of an action and the sum of their rewards.
#[derive(Clone, Copy, Default)]
struct Arm {
    visits: f64,
    rewards: f64,
}

/// A node: the arms of both players, and the children by both actions.
struct Node {
    actions: [Vec<Action>; 2],
    arms: [Vec<Arm>; 2],
    children: HashMap<[usize; 2], usize>,
}

impl Node {
    fn new(players: &[Player; 2]) -> Self {
        let actions = [0, 1].map(|side: usize| players[side].actions().collect::<Vec<_>>());
        let arms = [0, 1].map(|side: usize| vec![Arm::default(); actions[side].len()]);
        Self { actions, arms, children: HashMap::new() }
    }

    /// UCB1 of one player, who does not see what the other chooses.
    fn choose(&self, side: usize) -> usize {
        let arms = &self.arms[side];
        let total: f64 = arms.iter().map(|arm| arm.visits).sum();
        let bound = |arm: &Arm| {
            if arm.visits == 0.0 {
                return f64::INFINITY;
            }
            arm.rewards / arm.visits + EXPLORATION * (total.ln() / arm.visits).sqrt()
        };
        let better = |a: &usize, b: &usize| bound(&arms[*a]).total_cmp(&bound(&arms[*b]));
        (0..arms.len()).rev().max_by(better).unwrap_or(0)
    }
}

/// The action that sends most ojama now; among equal ojama, the lowest field counts.
fn greedy(player: &Player, pack: Pack) -> Action {
    let rank = |action: &Action| {
        player.play_half(pack, *action).map_or((false, 0, 0), |step| {
            let heights = (0..WIDTH).map(|x| step.player.field.height(x).pow(2) as i64);
            (!step.player.is_over(), step.sent(), -heights.sum::<i64>())
        })
    };
    player.actions().max_by_key(rank).unwrap_or(Action::Skill)
}

/// The reward of the first player, 0 to 1.
fn reward(players: &[Player; 2]) -> f64 {
    let received = |player: &Player| (player.stock + u64::from(player.field.count(OJAMA))) as f64;
    match (players[0].is_over(), players[1].is_over()) {
        (true, false) => 0.0,
        (false, true) => 1.0,
        (true, true) => 0.5,
        _ => 1.0 / (1.0 + ((received(&players[0]) - received(&players[1])) / SCALE).exp()),
    }
}

/// Selection, expansion, playout, backpropagation: once through the tree.
fn visit(nodes: &mut Vec<Node>, mut players: [Player; 2], packs: &[Pack]) {
    let mut path: Vec<(usize, [usize; 2])> = Vec::new();
    let mut index = 0;
    let mut is_new = false;
    let mut ply = 0;
    while !is_new && ply < packs.len() && !players.iter().any(Player::is_over) {
        let chosen = [nodes[index].choose(0), nodes[index].choose(1)];
        let actions = [0, 1].map(|side: usize| nodes[index].actions[side][chosen[side]]);
        let Ok((_, after)) = play_turn(&players, packs[ply], actions) else { break };
        path.push((index, chosen));
        players = after;
        ply += 1;
        index = match nodes[index].children.get(&chosen) {
            Some(&child) => child,
            None => {
                is_new = true;
                let child = nodes.len();
                nodes[index].children.insert(chosen, child);
                nodes.push(Node::new(&players));
                child
            }
        };
    }
    for &pack in packs[ply..].iter().take(PLAYOUT) {
        if players.iter().any(Player::is_over) {
            break;
        }
        let actions = [0, 1].map(|side: usize| greedy(&players[side], pack));
        let Ok((_, after)) = play_turn(&players, pack, actions) else { break };
        players = after;
    }
    let first = reward(&players);
    for (index, chosen) in path {
        for (side, reward) in [first, 1.0 - first].into_iter().enumerate() {
            let arm = &mut nodes[index].arms[side][chosen[side]];
            arm.visits += 1.0;
            arm.rewards += reward;
        }
    }
}

fn decide(packs: &[Pack], turn: &Observation) -> Action {
    let mut clock = Clock::new(turn, SHARE);
    let players = [turn.own, turn.opponent];
    let mut nodes = vec![Node::new(&players)];
    while clock.used() < 1.0 {
        visit(&mut nodes, players, &packs[turn.turn..]);
    }
    let arms = &nodes[0].arms[0];
    let most = |a: &usize, b: &usize| arms[*a].visits.total_cmp(&arms[*b].visits);
    // The action with most visits: its mean is the most certain, while one visit may be luck.
    let best = (0..arms.len()).rev().max_by(most).unwrap_or(0);
    nodes[0].actions[0][best]
}

fn main() -> std::io::Result<()> {
    protocol::run("mcts", decide)
}
