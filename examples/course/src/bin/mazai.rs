//! Step 6: MazAI, after its published description. Features with learned weights order the states;
//! attacks are kept apart from the beam. `mazai train GAME...` learns the weights from recorded games.

use std::collections::{BinaryHeap, HashSet};
use std::iter::successors;

use course::clock::Clock;
use course::field::{Field, OJAMA};
use course::potential::{Potential, Zobrist};
use course::protocol::{self, Observation};
use course::random::Random;
use course::simulator::{chain_score, play_turn, Action, Pack, Player, WIDTH};

/// Turns to look ahead: longer before the first attack of the game, on an empty field.
const DEPTHS: [usize; 2] = [13, 10];
const SHARE: u32 = 20;
/// Ojama of an attack. Smaller chains are part of the way.
const ATTACK: u64 = 13;
/// An attack that sends this number of ojama is made at once: no later one is worth waiting for.
const DECISIVE: u64 = 33;
/// What an attack loses with each turn, and the turns after the earliest one that are searched.
const DISCOUNT: f64 = 1.2;
const LATER: usize = 2;

const FEATURES: usize = 30;
type Vector = [f64; FEATURES];
/// The weights, and the hash.
type Tools<'a> = (&'a Vector, &'a Zobrist);
const WEIGHTS: &str = include_str!("../weights.txt");

/// The features of a state: stock, ojama, blocks, pairs apart (5), heights (10), steps between
/// columns (9), and of the longest chain: its length, blocks a round, height of its trigger.
fn features(player: &Player, potential: &Potential) -> Vector {
    let field: &Field = &player.field;
    let heights: [f64; WIDTH] = std::array::from_fn(|x| field.height(x) as f64);
    let apart = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 0)];
    let mut vector = [0.0; FEATURES];
    vector[0] = player.stock as f64;
    vector[1] = f64::from(field.count(OJAMA));
    vector[2] = f64::from(field.blocks());
    (0..5).for_each(|i| vector[3 + i] = f64::from(field.pairs_apart(apart[i].0, apart[i].1)));
    (0..10).for_each(|x| vector[8 + x] = heights[x]);
    (0..9).for_each(|x| vector[18 + x] = (heights[x] - heights[x + 1]).abs());
    vector[27] = f64::from(potential.chain);
    vector[28] = f64::from(potential.vanished) / f64::from(potential.chain.max(1));
    vector[29] = potential.trigger.1 as f64;
    vector
}

/// The value without learning, in thousandths of a round.
fn base(potential: &Potential) -> f64 {
    let score = chain_score(potential.chain).max(1) as f64;
    1000.0 * f64::from(potential.chain) + 1000.0 * score.log10()
}

/// The value of a state: the base, and the weighted features.
fn evaluate(player: &Player, weights: &Vector) -> f64 {
    let potential = Potential::of(&player.field);
    let vector = features(player, &potential);
    base(&potential) + vector.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>()
}

/// An attack: the drops that lead to it, the last of them at `ply`.
struct Attack {
    way: Vec<Action>,
    ply: usize,
    sent: u64,
}

impl Attack {
    fn value(&self) -> f64 {
        self.sent as f64 / DISCOUNT.powi(self.ply as i32)
    }
}

/// Looks for attacks and good states, first on the way of the `plan` from the turn before. Returns
/// the attacks, the way to the best state, and this state.
fn search(
    root: &Player,
    packs: &[Pack],
    plan: &[Action],
    (weights, zobrist): Tools,
    mut is_late: impl FnMut() -> bool,
) -> (Vec<Attack>, Vec<Action>, Player) {
    let mut attacks: Vec<Attack> = Vec::new();
    let mut nodes = vec![(*root, 0, Action::Skill)]; // state, index of the parent, drop
    let mut waiting = vec![BinaryHeap::from([(0, 0)]); 1];
    waiting.resize_with(packs.len() + 1, BinaryHeap::new);
    let mut seen = HashSet::new();
    let mut depth = packs.len();
    let way = |nodes: &[(Player, usize, Action)], last: usize| {
        let states = successors(Some(last), |&index| Some(nodes[index].1));
        let mut way: Vec<Action> = states.take_while(|&i| i != 0).map(|i| nodes[i].2).collect();
        way.reverse();
        way
    };
    let mut is_first_pass = true;
    'search: while waiting[..depth].iter().any(|heap| !heap.is_empty()) {
        for (ply, &pack) in packs.iter().enumerate().take(depth) {
            let Some((_, parent)) = waiting[ply].pop() else { continue };
            for action in Action::drops() {
                let Ok(step) = nodes[parent].0.play_half(pack, action) else { continue };
                if step.player.is_over() || !seen.insert((ply, zobrist.hash(&step.player.field))) {
                    continue;
                }
                if step.sent() >= ATTACK {
                    // Kept apart: it is not expanded and takes no place among the waiting states.
                    let mut way = way(&nodes, parent);
                    way.push(action);
                    depth = depth.min(ply + 1 + LATER);
                    attacks.push(Attack { way, ply, sent: step.sent() });
                    continue;
                }
                // The plan goes to the front of its heaps in the first pass.
                let is_next = is_first_pass && plan.get(ply) == Some(&action);
                let value = if is_next { i64::MAX } else { evaluate(&step.player, weights) as i64 };
                waiting[ply + 1].push((value, nodes.len()));
                nodes.push((step.player, parent, action));
            }
            if is_late() {
                break 'search;
            }
        }
        is_first_pass = false;
    }
    let last = waiting.iter().skip(1).rev().find_map(|heap| heap.peek());
    let last = last.map_or(0, |&(_, index)| index);
    (attacks, way(&nodes, last), nodes[last].0)
}

/// Removes attacks that another one dominates: not later and not smaller. Of the decisive attacks,
/// only the earliest stays.
fn undominated(mut attacks: Vec<Attack>) -> Vec<Attack> {
    attacks.sort_by_key(|attack| (attack.ply, std::cmp::Reverse(attack.sent)));
    let mut kept: Vec<Attack> = Vec::new();
    for attack in attacks {
        let greatest = kept.last().map_or(0, |last| last.sent);
        if attack.sent > greatest && greatest < DECISIVE {
            kept.push(attack);
        }
    }
    kept
}

fn decide(packs: &[Pack], turn: &Observation, plan: &mut Vec<Action>, tools: Tools) -> Action {
    let mut clock = Clock::new(turn, SHARE);
    let has_attacked = turn.own.score.max(turn.opponent.score) >= chain_score(10);
    let depth = DEPTHS[usize::from(has_attacked)].min(packs.len() - turn.turn);
    let packs = &packs[turn.turn..][..depth];
    let (attacks, best, _) = search(&turn.own, packs, plan, tools, || clock.used() >= 1.0);
    let attack = undominated(attacks).into_iter().max_by(|a, b| a.value().total_cmp(&b.value()));
    let value = attack.as_ref().map_or(20.0, Attack::value);
    *plan = attack.map_or(best, |attack| attack.way);
    let skill = turn.own.play_half(packs[0], Action::Skill);
    if skill.is_ok_and(|step| step.sent() as f64 > value) {
        plan.insert(0, Action::Skill);
    }
    if plan.is_empty() {
        return Action::Drop { position: 4, rotation: 0 };
    }
    plan.remove(0)
}

/// The cells of `"packs":[[[a,b],[c,d]],...]`, and the answers of both players, of a record.
fn read_game(text: &str) -> Option<(Vec<Pack>, Vec<[Action; 2]>)> {
    let after = |name: &str| text.split_once(name).map_or("", |(_, after)| after);
    let cells = after("\"packs\":").split("]]]").next().unwrap_or("").bytes();
    let digits: Vec<u8> = cells.filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    let number = |word: &str| word.parse().unwrap_or(0);
    let drop = |(x, r): (&str, &str)| Action::Drop { position: number(x), rotation: number(r) };
    let answer = |word: &str| word.split_once(' ').map_or(Action::Skill, drop);
    let turns = text.split("\"answers\":[\"").skip(1).filter_map(|part| {
        let mut words = part.split("\"]").next()?.split("\",\"");
        Some([answer(words.next()?), answer(words.next()?)])
    });
    let packs = digits.chunks_exact(4).map(|cells| [cells[0], cells[1], cells[2], cells[3]]);
    let (packs, turns): (Vec<Pack>, Vec<[Action; 2]>) = (packs.collect(), turns.collect());
    (1..=packs.len()).contains(&turns.len()).then_some((packs, turns))
}

/// Examples: the features of a state, and how much a search of five turns finds above its base value.
fn examples(games: &[String], zobrist: &Zobrist) -> Result<Vec<(Vector, f64)>, String> {
    games.first().ok_or("expected no argument, or `train GAME...`")?;
    let (mut examples, tools) = (Vec::new(), (&[0.0; FEATURES], zobrist));
    for game in games {
        let text = std::fs::read_to_string(game).map_err(|error| format!("{game}: {error}"))?;
        let (packs, turns) = read_game(&text).ok_or_else(|| format!("{game}: no recorded game"))?;
        let mut players = [Player::default(); 2];
        for (turn, actions) in turns.into_iter().enumerate() {
            for player in &players {
                let mut nodes = 0..40;
                let packs = &packs[turn..(turn + 5).min(packs.len())];
                let (_, way, deep) = search(player, packs, &[], tools, || nodes.next().is_none());
                if !way.is_empty() {
                    let potential = Potential::of(&player.field);
                    let gain = base(&Potential::of(&deep.field)) - base(&potential);
                    examples.push((features(player, &potential), gain));
                }
            }
            let Ok((_, after)) = play_turn(&players, packs[turn], actions) else { break };
            players = after;
        }
    }
    Ok(examples)
}

/// The regression: stochastic gradient descent with AdaGrad and L2 on normalised features.
fn learn(examples: &[(Vector, f64)], seed: u64) -> Vector {
    const STEPS: usize = 200_000;
    const RATE: f64 = 20.0;
    const L2: f64 = 1e-3;
    let mean = |f: &dyn Fn(&(Vector, f64)) -> f64| {
        examples.iter().map(f).sum::<f64>() / examples.len() as f64
    };
    let means: Vector = std::array::from_fn(|i| mean(&|example| example.0[i]));
    // E(x^2) - E(x)^2: both are means. MazAI's author forgot to divide the first by the number.
    let squares: Vector = std::array::from_fn(|i| mean(&|example| example.0[i] * example.0[i]));
    let spread: Vector =
        std::array::from_fn(|i| (squares[i] - means[i] * means[i]).max(1e-6).sqrt());
    let middle = mean(&|example| example.1);
    let (mut weights, mut gradients) = ([0.0; FEATURES], [1e-8; FEATURES]);
    let mut random = Random(seed);
    for _ in 0..STEPS {
        let (x, y) = &examples[random.below(examples.len())];
        let x: Vector = std::array::from_fn(|i| (x[i] - means[i]) / spread[i]);
        let said: f64 = x.iter().zip(&weights).map(|(x, w)| x * w).sum();
        for i in 0..FEATURES {
            let gradient = (said - (y - middle)) * x[i] + L2 * weights[i];
            gradients[i] += gradient * gradient;
            weights[i] -= RATE * gradient / gradients[i].sqrt();
        }
    }
    std::array::from_fn(|i| weights[i] / spread[i])
}

fn main() -> std::io::Result<()> {
    let zobrist = Zobrist::default();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [command, games @ ..] = &arguments[..] {
        let games = if command == "train" { games } else { &[] };
        let examples = examples(games, &zobrist).map_err(|error| eprintln!("mazai: {error}"));
        let Ok(examples) = examples else { std::process::exit(2) };
        learn(&examples, 1).iter().for_each(|weight| println!("{weight:.1}"));
        return Ok(());
    }
    let weights: Vec<f64> = WEIGHTS.lines().map(|line| line.parse().expect("a number")).collect();
    let weights = weights.try_into().expect("a weight for each feature");
    let mut plan = Vec::new();
    protocol::run("mazai", |packs, turn| decide(packs, turn, &mut plan, (&weights, &zobrist)))
}
