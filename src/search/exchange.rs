//! What an exchange of strikes comes to.
//!
//! Each side has plans: ways to a strike that its beam has found. Any plan of ours meets any of the
//! opponent's, and whoever strikes first makes rows fall on the other, which then answers as well
//! as it can from where its own plan has taken it, while the striker builds anew. What is sent is
//! set off against what comes back: so a pair of plans has a balance, in ojama, and all pairs make
//! a matrix game.
//!
//! Answers are searched by beams under exactly the rows that the strike makes fall. A balance is
//! therefore as good as those beams; it holds three strikes, the third only as what the first
//! striker can offset.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::beam::{self, Answer, Question, Strike};
use super::budget::Part;
use super::endgame::Siege;
use super::endgame::survival::survive;
use super::{Budget, Rain};
use crate::game::{Field, Gauge, OJAMA_ROW, Pack, Player, Positions, Stock};

/// A player when an exchange is thought about, and the strikes that it may plan.
#[derive(Clone, Debug)]
pub struct Side<'a, F> {
    /// Its field, the row of the coming turn not fallen yet.
    pub field: F,
    /// The ojama that wait to fall on it.
    pub stock: Stock,
    /// Its gauge.
    pub gauge: Gauge,
    /// Its plans.
    pub plans: &'a [Strike],
}

impl<F> Side<'_, F> {
    /// What still waits when the turn of a ply is over, if nothing is added.
    fn waiting_after(&self, ply: usize) -> Stock {
        self.stock.saturating_sub((ply as u64 + 1) * OJAMA_ROW)
    }
}

/// The balance of a kill.
pub const CERTAIN: f64 = 300.0;

/// Turns after a strike in which it may be answered: the rows of a strike that does not kill have
/// fallen by then.
const ANSWER: usize = 10;

/// A plan, and what is known of it before it meets another.
struct Course<F> {
    /// The field after each of its drops, the strike's last.
    fields: Vec<F>,
    /// The ply of the strike.
    ply: usize,
    sent: Stock,
    /// What can be sent anew after the strike if nothing falls.
    anew: Curve,
}

/// What can be sent in the turns after a strike.
struct Curve {
    /// The most within so many of them and one more.
    best: Vec<Stock>,
    /// Whether the field dies on every way.
    dies: bool,
}

/// Plays out all pairs of plans: by our plan, then by the opponent's, the balance in ojama. Negative
/// is worse for us; what waits to fall now is in it; a kill, or more, is [`CERTAIN`].
///
/// The budget's drops are shared equally among all beams, whose number depends on the plans. The
/// beams run in parallel; the result does not depend on the number of threads.
pub fn search<F: Field>(
    own: &Side<'_, F>,
    opponent: &Side<'_, F>,
    packs: &[Pack],
    budget: &Budget,
) -> Vec<Vec<f64>> {
    let pairs = own.plans.len() * opponent.plans.len();
    let beams = pairs + own.plans.len() + opponent.plans.len();
    let shared = Shared { packs, each: budget.part(beams as u64) };
    let courses = [own, opponent].map(|side| shared.courses(side));
    let pairs: Vec<(usize, usize)> =
        (0..own.plans.len()).flat_map(|i| (0..opponent.plans.len()).map(move |j| (i, j))).collect();
    let before = opponent.stock as f64 - own.stock as f64;
    let balances: Vec<f64> = pairs
        .into_par_iter()
        .map(|(i, j)| {
            let (ours, theirs) = (&courses[0][i], &courses[1][j]);
            match ours.ply.cmp(&theirs.ply) {
                Ordering::Less => shared.struck_first([own, opponent], ours, theirs),
                Ordering::Greater => -shared.struck_first([opponent, own], theirs, ours),
                Ordering::Equal => ours.sent as f64 - theirs.sent as f64,
            }
        })
        .map(|balance| (before + balance).clamp(-CERTAIN, CERTAIN))
        .collect();
    (0..own.plans.len())
        .map(|i| balances[i * opponent.plans.len()..][..opponent.plans.len()].to_vec())
        .collect()
}

struct Shared<'a> {
    packs: &'a [Pack],
    each: Part<'a>,
}

impl Shared<'_> {
    fn courses<F: Field>(&self, side: &Side<'_, F>) -> Vec<Course<F>> {
        side.plans
            .par_iter()
            .map(|plan| {
                let rain = Rain::of_stock(side.stock);
                let walk = beam::walk(side.field, self.packs, &plan.path, rain);
                let fields: Vec<F> = walk.map(|dropped| dropped.field).collect();
                let (ply, sent) = (plan.ply(), plan.chain.ojama());
                // What the strike does not offset goes on falling.
                let falling = side.waiting_after(ply).saturating_sub(sent);
                let anew = self.curve(fields[ply], ply, falling);
                Course { fields, ply, sent, anew }
            })
            .collect()
    }

    /// What a field can send after the ply of a strike, with so many ojama about to fall on it.
    fn curve<F: Field>(&self, field: F, ply: usize, falling: Stock) -> Curve {
        let question = Question {
            field,
            packs: self.packs.get(ply + 1..).unwrap_or_default(),
            rain: Rain::of_stock(falling),
            depth: ANSWER,
            positions: Positions::ALL,
        };
        let budget = self.each.budget();
        let Answer { strikes, reached, .. } = beam::search(&question, &budget);
        self.each.book(&budget);
        let mut most = 0;
        let best = strikes.iter().map(|strike| {
            most = most.max(strike.as_ref().map_or(0, |strike| strike.chain.ojama()));
            most
        });
        let best: Vec<Stock> = best.collect();
        Curve { dies: reached < best.len(), best }
    }

    /// The striker's balance.
    fn struck_first<F: Field>(
        &self,
        [striker, victim]: [&Side<'_, F>; 2],
        strike: &Course<F>,
        answering: &Course<F>,
    ) -> f64 {
        let ply = strike.ply;
        let on_victim = victim.waiting_after(ply) + strike.sent;
        let falling = on_victim.saturating_sub(striker.waiting_after(ply));
        let answer = self.curve(answering.fields[ply], ply, falling);
        let turns = answer.best.iter().zip(&strike.anew.best);
        let answered = turns.map(|(sent, offset)| sent.saturating_sub(*offset)).max().unwrap_or(0);
        let most = answer.best.last().copied().unwrap_or(0);
        if answer.dies && most < falling && self.kills(strike, answering, falling, victim.gauge) {
            return 2.0 * CERTAIN;
        }
        strike.sent as f64 - answered as f64
    }

    /// Whether what falls after a strike kills who is struck. A beam that looks for chains may have
    /// missed the ways to live: with it alone 11 games were won and 19 lost.
    fn kills<F: Field>(
        &self,
        strike: &Course<F>,
        answering: &Course<F>,
        falling: Stock,
        gauge: Gauge,
    ) -> bool {
        let ply = strike.ply;
        let striker = Player { field: strike.fields[ply], ..Player::new() };
        let victim =
            Player { field: answering.fields[ply], stock: falling, gauge, ..Player::new() };
        let packs = self.packs.get(ply + 1..).unwrap_or_default();
        let mut siege = Siege::new(&striker, &victim, packs, Vec::new());
        let budget = self.each.budget();
        let fate = survive(&mut siege, &[], &budget);
        self.each.book(&budget);
        fate.is_death()
    }
}

#[cfg(test)]
mod tests;
