//! Step 7: the opponent moves inside the simulation. Each own plan is played out against each plan of
//! the opponent, and both sides counter what they see coming.

use course::clock::Clock;
use course::field::OJAMA;
use course::potential::{Potential, Zobrist};
use course::protocol::{self, Observation};
use course::search::{plans, Plan};
use course::simulator::{chain_score, play_turn, Action, Pack, Player, OJAMA_ROW, WIDTH};

const DEPTH: usize = 12;
const SHARE: u32 = 20;
/// Turns that are played on after the longest plan, so that rows of ojama fall.
const AFTER: usize = 4;
/// What an attack of the opponent loses with each turn in which something can happen to it.
const DISCOUNT: f64 = 1.11;
/// What a chain that is ready at the end is worth, compared with ojama that are sent.
const PROMISE: f64 = 0.3;
const LOST: f64 = 1000.0;

/// The action that sends most ojama now, and its ojama; among equal ojama, the lowest field counts.
fn strike(player: &Player, pack: Pack) -> (u64, Action) {
    let mut best = ((false, 0, 0), Action::Drop { position: 4, rotation: 0 });
    for action in player.actions() {
        let Ok(step) = player.play_half(pack, action) else { continue };
        let heights = (0..WIDTH).map(|x| step.player.field.height(x).pow(2) as i64).sum::<i64>();
        let rank = (!step.player.is_over(), step.sent(), -heights);
        if rank > best.0 {
            best = (rank, action);
        }
    }
    (best.0 .1, best.1)
}

/// What a player does in a playout: its plan, unless a row is due and it can send back a good part of
/// what waits; and the best strike once the plan has ended.
fn react(player: &Player, plan: &Plan, ply: usize, pack: Pack) -> Action {
    let planned = plan.actions.get(ply).copied();
    let is_due = player.stock >= OJAMA_ROW;
    match planned {
        Some(action) if !is_due => action,
        _ => {
            let (sent, action) = strike(player, pack);
            let is_counter = is_due && 2 * sent >= player.stock;
            planned.filter(|_| !is_counter).unwrap_or(action)
        }
    }
}

/// What a side has at the end of a playout: the ojama on the other side and the chain that is ready.
fn standing(own: &Player, opponent: &Player) -> f64 {
    let received = opponent.stock + u64::from(opponent.field.count(OJAMA));
    let ready = chain_score(Potential::of(&own.field).chain) / 2;
    let lost = if opponent.is_over() { LOST } else { 0.0 };
    received as f64 + PROMISE * ready as f64 + lost
}

/// Plays two plans against each other. The balance of ojama at the end.
fn play_out(mut players: [Player; 2], packs: &[Pack], plans: [&Plan; 2]) -> f64 {
    for (ply, &pack) in packs.iter().enumerate() {
        let actions = [0, 1].map(|side: usize| react(&players[side], plans[side], ply, pack));
        // A plan has no skill, and a strike uses it only if it is charged.
        let Ok((_, after)) = play_turn(&players, pack, actions) else { break };
        players = after;
        if players.iter().any(Player::is_over) {
            break;
        }
    }
    standing(&players[0], &players[1]) - standing(&players[1], &players[0])
}

fn decide(packs: &[Pack], turn: &Observation, zobrist: &Zobrist) -> Action {
    let mut clock = Clock::new(turn, SHARE);
    let coming = &packs[turn.turn..];
    let near = &coming[..DEPTH.min(coming.len())];
    let theirs = plans(&turn.opponent, near, &[], zobrist, (&mut clock, 0.35));
    // The attack that the opponent would choose by itself, and own plans for the field that it hits.
    let worth = |plan: &Plan| plan.sent as f64 / DISCOUNT.powi(plan.actions.len() as i32);
    let threat = theirs.iter().max_by(|a, b| worth(a).total_cmp(&worth(b)));
    let mut incoming = [0; DEPTH];
    if let Some(plan) = threat {
        incoming[plan.actions.len() - 1] = plan.sent;
    }
    let mut ours = plans(&turn.own, near, &[], zobrist, (&mut clock, 0.65));
    ours.extend(plans(&turn.own, near, &incoming, zobrist, (&mut clock, 0.95)));
    let (_, fallback) = strike(&turn.own, coming[0]);
    ours.push(Plan { actions: vec![fallback], sent: 0 });

    let played = &coming[..(DEPTH + AFTER).min(coming.len())];
    let players = [turn.own, turn.opponent];
    let still = Plan { actions: Vec::new(), sent: 0 };
    let value = |plan: &Plan| {
        let replies = theirs.iter().chain([&still]);
        let values = replies.map(|reply| play_out(players, played, [plan, reply]));
        values.fold(f64::INFINITY, f64::min)
    };
    let mut values: Vec<f64> = Vec::new();
    for plan in &ours {
        if clock.is_late() {
            break;
        }
        values.push(value(plan));
    }
    let best = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
    ours[best.unwrap_or(0)].actions[0]
}

fn main() -> std::io::Result<()> {
    let zobrist = Zobrist::default();
    protocol::run("reactive", |packs, turn| decide(packs, turn, &zobrist))
}
