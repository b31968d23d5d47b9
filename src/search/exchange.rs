//! What an exchange of attacks comes to.
//!
//! Each side has plans: ways to an attack that its beam has found. Any plan of ours meets any of the
//! opponent's, and whoever attacks first makes rows fall on the other, which then answers as well
//! as it can from where its own plan has taken it, while the attacker builds anew. What is sent is
//! set off against what comes back: so a pair of plans has a balance, in ojama, and all pairs make
//! a matrix game.
//!
//! Answers are searched by beams under exactly the rows that the attack makes fall. A balance is
//! therefore as good as those beams; it holds three attacks, the third only as what the first
//! attacker can offset.

use std::cmp::Ordering;

use fnv::FnvHashMap;
use rayon::prelude::*;

use super::beam::{self, Attack, Question};
use super::budget::Part;
use super::endgame::MateSearch;
use super::endgame::survival::survive;
use super::{Budget, Rain};
use crate::board::Field;
use crate::game::{DropColumns, Gauge, OJAMA_ROW, Pack, Player, Seat, Stock};

/// A player when an exchange is thought about, and the attacks that it may plan.
#[derive(Clone, Debug)]
pub struct Side<'a> {
    /// Its field, the row of the coming turn not fallen yet.
    pub field: Field,
    /// The ojama that wait to fall on it.
    pub stock: Stock,
    /// Its gauge.
    pub gauge: Gauge,
    /// Its plans.
    pub plans: &'a [Plan],
    /// What is known beforehand of its answers.
    pub found: Option<Found>,
}

/// Answers to an attack that were found by a larger beam than those of an exchange.
#[derive(Clone, Debug)]
pub struct Found {
    /// The field of who is attacked when the turn of the attack is over; `None` for whichever.
    pub field: Option<Field>,
    /// The ply of the attack.
    pub ply: usize,
    /// The rows that it makes fall.
    pub rows: u64,
    /// The most ojama that are sent in the turn after the attack and so many more.
    pub best: Vec<Stock>,
}

/// An attack that a side may plan.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The attack, and the way to it.
    pub attack: Attack,
    /// Drops that the side may be ahead of what is known of it, less than the attack's ply: so many
    /// turns sooner it has the fields of the way. 0 where the way itself is meant.
    pub ahead: usize,
}

impl Plan {
    /// The ply in which it attacks.
    pub fn ply(&self) -> usize {
        self.attack.ply() - self.ahead
    }
}

impl From<Attack> for Plan {
    fn from(attack: Attack) -> Self {
        Self { attack, ahead: 0 }
    }
}

/// What is left of a stock when the turn of a ply is over, if nothing is added.
fn waiting_after(stock: Stock, ply: usize) -> Stock {
    stock - OJAMA_ROW * (stock / OJAMA_ROW).min(ply as u64 + 1)
}

/// The ojama that wait to fall on who is attacked when the turn of the attack is over, as they follow
/// from both stocks now, the attacker's first, and what is sent.
pub fn falling(stocks: [Stock; 2], ply: usize, sent: Stock) -> Stock {
    let [attacker, victim] = stocks.map(|stock| waiting_after(stock, ply));
    (victim + sent).saturating_sub(attacker)
}

/// The balance of a kill.
pub const CERTAIN: f64 = 300.0;

/// What a kill is reckoned as, so that what waits now does not make less than [`CERTAIN`] of it.
const KILL: f64 = 2.0 * CERTAIN;

/// Turns after an attack in which it may be answered: the rows of an attack that does not kill have
/// fallen by then.
pub const ANSWER: usize = 10;

/// What two plans come to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// What we send beyond what comes back, in ojama. Negative is worse for us; what waits to fall
    /// now is in it; a kill, or more, is [`CERTAIN`].
    pub balance: f64,
    /// The most ojama that whoever is attacked first sends in the turns after, whatever is offset;
    /// set against what it had planned, it shows how much of that the attack crushes. `None` if
    /// both attack at once.
    pub answer: Option<Stock>,
}

impl Outcome {
    /// By the balance, which may be beyond what is [`CERTAIN`].
    fn new(balance: f64, answer: Option<Stock>) -> Self {
        Self { balance: balance.clamp(-CERTAIN, CERTAIN), answer }
    }
}

/// A plan, and where it takes its field.
struct PlanTrace {
    /// The field after each of its drops, the attack's last.
    fields: Vec<Field>,
    /// The ply of the attack.
    ply: usize,
    sent: Stock,
    /// The question what can be sent anew after the attack.
    anew: usize,
}

/// What can be sent in the turns after an attack.
struct Curve {
    /// The most within so many of them and one more.
    best: Vec<Stock>,
    /// Whether the field dies on every way that was looked at.
    dies: bool,
}

impl Curve {
    fn most(&self) -> Stock {
        self.best.last().copied().unwrap_or(0)
    }
}

/// What can be sent by a field after a ply, with so many rows about to fall on it.
#[derive(Clone, Copy)]
struct Asked {
    field: Field,
    ply: usize,
    rows: u64,
}

/// All questions of an exchange, each once: plans often share their first drops.
struct Questions {
    asked: Vec<Asked>,
    known: FnvHashMap<(u64, usize, u64), usize>,
}

impl Questions {
    /// The number of a question; `falling` are the ojama about to fall.
    fn number(&mut self, field: Field, ply: usize, falling: Stock) -> usize {
        let rows = falling / OJAMA_ROW;
        *self.known.entry((field.hash(), ply, rows)).or_insert_with(|| {
            self.asked.push(Asked { field, ply, rows });
            self.asked.len() - 1
        })
    }
}

/// Two plans of which one attacks first.
struct Matchup<'a> {
    attack: &'a PlanTrace,
    answering: &'a PlanTrace,
    /// What falls on who is attacked.
    falling: Stock,
    /// The gauge of who is attacked.
    gauge: Gauge,
    terms: Payoff,
}

/// What the balance of two plans is reckoned from.
#[derive(Clone, Copy)]
struct Payoff {
    /// Who attacks first; we are the first player.
    attacker: Seat,
    /// What the attack sends.
    sent: Stock,
    /// The question what the answer may be.
    answer: usize,
    /// The question what the attacker can send anew.
    anew: usize,
}

impl Payoff {
    /// Our balance, in ojama, if nobody dies; what waits now is not in it.
    fn balance(&self, curves: &[Curve]) -> f64 {
        let (answer, anew) = (&curves[self.answer], &curves[self.anew]);
        let turns = answer.best.iter().zip(&anew.best);
        let answered = turns.map(|(sent, offset)| sent.saturating_sub(*offset)).max().unwrap_or(0);
        self.ours(self.sent as f64 - answered as f64)
    }

    /// Our balance, by the attacker's.
    fn ours(&self, attackers: f64) -> f64 {
        match self.attacker {
            Seat::First => attackers,
            Seat::Second => -attackers,
        }
    }

    fn outcome(&self, balance: f64, curves: &[Curve]) -> Outcome {
        Outcome::new(balance, Some(curves[self.answer].most()))
    }
}

/// All exchanges of two sides' plans, played out.
pub struct Exchange {
    asked: Vec<Asked>,
    curves: Vec<Curve>,
    /// Of each pair; `None` if both attack at once, or if one dies: then no answer matters.
    terms: Vec<Option<Payoff>>,
    /// What waits to fall now, as a balance.
    before: f64,
    outcomes: Vec<Vec<Outcome>>,
}

impl Exchange {
    /// By our plan, then by the opponent's, what they come to.
    pub fn outcomes(&self) -> &[Vec<Outcome>] {
        &self.outcomes
    }

    /// The balances alone.
    pub fn balances(&self) -> Vec<Vec<f64>> {
        let row = |row: &Vec<Outcome>| row.iter().map(|outcome| outcome.balance).collect();
        self.outcomes.iter().map(row).collect()
    }

    /// Takes answers of a player into account that were found since, ours being the first. Kills
    /// stay, unlike what is only worth as much as one.
    pub fn learn(&mut self, of: Seat, found: &Found) {
        note(&mut self.curves, &self.asked, &self.terms, of, found);
        for (outcome, terms) in self.outcomes.iter_mut().flatten().zip(&self.terms) {
            if let Some(terms) = terms {
                let balance = self.before + terms.balance(&self.curves);
                *outcome = terms.outcome(balance, &self.curves);
            }
        }
    }
}

/// Takes note of answers of a player where they are some to what is asked.
fn note(curves: &mut [Curve], asked: &[Asked], terms: &[Option<Payoff>], of: Seat, found: &Found) {
    for terms in terms.iter().flatten().filter(|terms| terms.attacker != of) {
        let asked = &asked[terms.answer];
        let is_there = found.field.is_none_or(|field| field == asked.field);
        if is_there && (asked.ply, asked.rows) == (found.ply, found.rows) {
            let both = curves[terms.answer].best.iter_mut().zip(&found.best);
            both.for_each(|(best, &found)| *best = found.max(*best));
        }
    }
}

/// Plays out all pairs of plans.
///
/// The budget's drops are shared equally among all beams, whose number depends on the plans; where
/// a beam has found only death, as many again may be spent on whether there is a way to live. The
/// beams run in parallel; the result does not depend on the number of threads.
pub fn search(own: &Side<'_>, opponent: &Side<'_>, packs: &[Pack], budget: &Budget) -> Exchange {
    let mut questions = Questions { asked: Vec::new(), known: FnvHashMap::default() };
    let [ours, theirs] = [own, opponent].map(|side| courses(side, packs, &mut questions));
    let pairs: Vec<(&PlanTrace, &PlanTrace)> =
        ours.iter().flat_map(|ours| theirs.iter().map(move |theirs| (ours, theirs))).collect();
    let matchups: Vec<Option<Matchup<'_>>> = pairs
        .iter()
        .map(|&(ours, theirs)| Matchup::between([own, opponent], [ours, theirs], &mut questions))
        .collect();
    let all_terms: Vec<_> =
        matchups.iter().map(|matchup| matchup.as_ref().map(|matchup| matchup.terms)).collect();
    let asked = questions.asked;
    let beams = Beams { packs, each: budget.part(asked.len() as u64) };
    let mut curves: Vec<Curve> = asked.par_iter().map(|asked| beams.curve(asked)).collect();
    for (of, side) in [(Seat::First, own), (Seat::Second, opponent)] {
        if let Some(found) = &side.found {
            note(&mut curves, &asked, &all_terms, of, found);
        }
    }
    let before = opponent.stock as f64 - own.stock as f64;
    let (outcomes, terms): (Vec<Outcome>, Vec<Option<Payoff>>) = matchups
        .par_iter()
        .zip(&pairs)
        .map(|(matchup, (ours, theirs))| {
            let Some(matchup) = matchup else {
                let balance = before + ours.sent as f64 - theirs.sent as f64;
                return (Outcome::new(balance, None), None);
            };
            let terms = matchup.terms;
            if beams.kills(matchup, &curves) {
                return (terms.outcome(before + terms.ours(KILL), &curves), None);
            }
            (terms.outcome(before + terms.balance(&curves), &curves), Some(terms))
        })
        .unzip();
    let row = |i: usize| outcomes[i * theirs.len()..][..theirs.len()].to_vec();
    let outcomes = (0..ours.len()).map(row).collect();
    Exchange { asked, curves, terms, before, outcomes }
}

fn courses(side: &Side<'_>, packs: &[Pack], questions: &mut Questions) -> Vec<PlanTrace> {
    let course = |plan: &Plan| {
        let rain = Rain::of_stock(side.stock);
        let walk = beam::walk(side.field, packs, &plan.attack.path, rain);
        let fields: Vec<Field> = walk.skip(plan.ahead).map(|dropped| dropped.field).collect();
        let (ply, sent) = (plan.ply(), plan.attack.chain.ojama());
        // What the attack does not offset goes on falling.
        let falling = waiting_after(side.stock, ply).saturating_sub(sent);
        let anew = questions.number(fields[ply], ply, falling);
        PlanTrace { fields, ply, sent, anew }
    };
    side.plans.iter().map(course).collect()
}

impl<'a> Matchup<'a> {
    /// The matchup of two plans, ours first; `None` if both attack at once.
    fn between(
        [own, opponent]: [&Side<'_>; 2],
        [ours, theirs]: [&'a PlanTrace; 2],
        questions: &mut Questions,
    ) -> Option<Self> {
        let (attacker, sides, [attack, answering]) = match ours.ply.cmp(&theirs.ply) {
            Ordering::Less => (Seat::First, [own, opponent], [ours, theirs]),
            Ordering::Greater => (Seat::Second, [opponent, own], [theirs, ours]),
            Ordering::Equal => return None,
        };
        let ply = attack.ply;
        let falling = falling(sides.map(|side| side.stock), ply, attack.sent);
        let answer = questions.number(answering.fields[ply], ply, falling);
        let terms = Payoff { attacker, sent: attack.sent, answer, anew: attack.anew };
        Some(Self { attack, answering, falling, gauge: sides[1].gauge, terms })
    }
}

/// The searches of an exchange, each with the same budget.
struct Beams<'a> {
    packs: &'a [Pack],
    each: Part<'a>,
}

impl Beams<'_> {
    fn curve(&self, asked: &Asked) -> Curve {
        let question = Question {
            field: asked.field,
            packs: self.packs.get(asked.ply + 1..).unwrap_or_default(),
            rain: Rain::of_stock(asked.rows * OJAMA_ROW),
            depth: ANSWER,
            positions: DropColumns::ALL,
        };
        let budget = self.each.budget();
        let answer = beam::search(&question, &budget);
        self.each.book(&budget);
        let best = answer.most_sent();
        Curve { dies: answer.reached < best.len(), best }
    }

    /// Whether what falls after an attack kills who is attacked. A beam that looks for chains may have
    /// missed the ways to live: with it alone 11 games were won and 19 lost.
    fn kills(&self, matchup: &Matchup<'_>, curves: &[Curve]) -> bool {
        let &Matchup { attack, answering, falling: stock, gauge, terms } = matchup;
        let answer = &curves[terms.answer];
        if !answer.dies || answer.most() >= stock {
            return false;
        }
        let ply = attack.ply;
        let attacker = Player { field: attack.fields[ply], ..Player::new() };
        let victim = Player { field: answering.fields[ply], stock, gauge, ..Player::new() };
        let packs = self.packs.get(ply + 1..).unwrap_or_default();
        let mut siege = MateSearch::new(&attacker, &victim, packs, Vec::new());
        let budget = self.each.budget();
        let fate = survive(&mut siege, &[], &budget);
        self.each.book(&budget);
        fate.is_death()
    }
}

#[cfg(test)]
mod tests;
