//! Plays each plan of one side against each plan of the other.
//!
//! A plan leads to an attack that a beam search has found. In a pair of plans, the earlier attack
//! makes rows fall on the other side. The victim counterattacks under these rows, from the field
//! that its own plan has reached, while the attacker builds a further attack. The ojama sent, less
//! the ojama that come back, are the pair's balance; the balances of all pairs make a matrix game.
//!
//! Beam searches find the counterattacks, under exactly the rows that the attack makes fall; the
//! victim's own plan is one that they need not find. A balance is only as accurate as these
//! searches. It covers three attacks; the third counts only by the ojama that it offsets.

mod curves;

use std::cmp::Ordering;

use rayon::prelude::*;

pub use self::curves::CurveMemory;
use self::curves::{AttackCurve, CurveSearch, Searches};
use super::beam::{self, Attack};
use super::endgame::MateSearch;
use super::endgame::survival::survive;
use super::{Budget, Ojama, Rain};
use crate::board::Field;
use crate::game::{Chain, Gauge, OJAMA_ROW, Pack, Player, Seat, Stock};

/// One player at the start of an exchange, with its plans.
#[derive(Clone, Debug)]
pub struct Side<'a> {
    /// The player's field, before the row of the coming turn falls.
    pub field: Field,
    /// The ojama that wait to fall on `field`.
    pub stock: Stock,
    /// The player's gauge.
    pub gauge: Gauge,
    /// The player's plans.
    pub plans: &'a [Plan],
    /// The player's counterattacks to one attack, if an earlier search has found them.
    pub known_counterattacks: Option<KnownCounterattacks>,
}

/// The counterattacks to one attack, found by a larger beam search than those of an exchange.
#[derive(Clone, Debug)]
pub struct KnownCounterattacks {
    /// The victim's field after the turn of the attack; `None` matches every field.
    pub field: Option<Field>,
    /// The ply of the attack.
    pub ply: usize,
    /// The rows that the attack makes fall.
    pub rows: u64,
    /// By index `i`: the most ojama that one counterattack sends within the `i + 1` turns after the
    /// attack.
    pub best: Vec<Stock>,
}

/// An attack that a side may plan.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The attack, and the drops that lead to it.
    pub attack: Attack,
    /// The number of drops by which the side may be ahead of its known field, less than the
    /// attack's ply: the side reaches each field of the path `ahead` turns sooner. 0 for the path
    /// as it is.
    pub ahead: usize,
}

impl Plan {
    /// The ply of the attack, less `ahead`.
    pub fn ply(&self) -> usize {
        self.attack.ply() - self.ahead
    }
}

impl From<Attack> for Plan {
    fn from(attack: Attack) -> Self {
        Self { attack, ahead: 0 }
    }
}

/// Returns the ojama of `stock` that still wait after the turn of `ply`, if nothing is added.
fn waiting_after(stock: Stock, ply: usize) -> Stock {
    stock - OJAMA_ROW * (stock / OJAMA_ROW).min(ply as u64 + 1)
}

/// Returns the ojama that wait to fall on the victim after the turn of an attack.
///
/// `stocks` are the present stocks, the attacker's first; the attack at `ply` sends `sent` ojama.
pub fn falling(stocks: [Stock; 2], ply: usize, sent: Stock) -> Stock {
    let [attacker, victim] = stocks.map(|stock| waiting_after(stock, ply));
    (victim + sent).saturating_sub(attacker)
}

/// The balance of a kill.
pub const CERTAIN: Ojama = Ojama(300.0);

/// The balance of a kill before the present stocks are added. The sum is at least [`CERTAIN`] for
/// any stocks that differ by at most [`CERTAIN`].
const KILL: Ojama = Ojama(2.0 * CERTAIN.0);

/// The number of turns after an attack in which a counterattack is searched: by then the rows of an
/// attack that does not kill have fallen.
pub const COUNTERATTACK_TURNS: usize = 10;

/// The result of an exchange of two plans.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// The ojama that we send less the ojama that come back, from `-CERTAIN` to [`CERTAIN`].
    /// Negative is worse for us. The present stocks are included. A kill is [`CERTAIN`], and
    /// larger balances are cut to [`CERTAIN`].
    pub balance: Ojama,
    /// The most ojama that one counterattack of the first attack's victim sends, before any offset.
    /// Compared with the victim's own plan, it shows the part of the plan that the attack destroys.
    /// `None` if both sides attack at the same ply, and their ojama offset each other entirely.
    pub counterattack: Option<Stock>,
}

impl Outcome {
    /// Clamps `balance` to `-CERTAIN..=CERTAIN`.
    fn new(balance: Ojama, counterattack: Option<Stock>) -> Self {
        Self { balance: balance.clamp_to(CERTAIN), counterattack }
    }
}

/// A plan, and the fields that it leads to.
struct PlanTrace<'a> {
    plan: &'a Plan,
    /// The field after each drop of the plan; the last drop is the attack.
    fields: Vec<Field>,
    /// The ply of the attack.
    ply: usize,
    /// The chain of the attack.
    chain: Chain,
    sent: Stock,
    /// The index of the search for the next attack, after this one.
    next_attack: usize,
}

/// Two plans, after the turn of the earlier attack. If both sides attack at the same ply, the side
/// on which ojama then wait is the victim.
struct Matchup<'a> {
    attack: &'a PlanTrace<'a>,
    victims_plan: &'a PlanTrace<'a>,
    /// The ojama that wait to fall on the victim.
    falling: Stock,
    /// The victim's gauge after the attack has drained it. Charges by the victim's plan are left
    /// out.
    gauge: Gauge,
    inputs: BalanceInputs,
}

/// The inputs of the balance of two plans.
#[derive(Clone, Copy)]
struct BalanceInputs {
    /// The side that attacks first; [`Seat::First`] is ours.
    attacker: Seat,
    /// The ojama that the attack sends, less those that the victim sends at the same ply.
    sent: Ojama,
    /// The index of the search for the victim's counterattack.
    counterattack: usize,
    /// The index of the search for the attacker's next attack.
    next_attack: usize,
    /// The ojama that kill the victim unless one counterattack offsets those that still wait
    /// ([`AttackCurve::stops`]); `None` if the victim survives without such a counterattack.
    kill: Option<Stock>,
}

impl BalanceInputs {
    /// Our balance in ojama, without the present stocks.
    fn balance(&self, curves: &[AttackCurve]) -> Ojama {
        let (counterattack, next_attack) = (&curves[self.counterattack], &curves[self.next_attack]);
        if self.kill.is_some_and(|kill| !counterattack.stops(kill)) {
            return self.ours(KILL);
        }
        let turns = counterattack.best.iter().zip(&next_attack.best);
        let sent_back = turns.map(|(sent, offset)| sent.saturating_sub(*offset)).max().unwrap_or(0);
        self.ours(self.sent - Ojama::from(sent_back))
    }

    /// Converts the attacker's balance to ours.
    fn ours(&self, attackers: Ojama) -> Ojama {
        match self.attacker {
            Seat::First => attackers,
            Seat::Second => -attackers,
        }
    }

    /// The outcome; `before` is the balance of the present stocks.
    fn outcome(&self, before: Ojama, curves: &[AttackCurve]) -> Outcome {
        Outcome::new(before + self.balance(curves), Some(curves[self.counterattack].most()))
    }
}

/// The exchanges of all pairs of plans of two sides.
pub struct Exchange {
    searches: Vec<CurveSearch>,
    /// By search.
    curves: Vec<AttackCurve>,
    /// By pair; `None` if both attack at the same ply and no ojama are left.
    inputs: Vec<Option<BalanceInputs>>,
    /// The balance of the present stocks.
    before: Ojama,
    outcomes: Vec<Vec<Outcome>>,
}

impl Exchange {
    /// The outcomes, by our plan, then by the opponent's plan.
    pub fn outcomes(&self) -> &[Vec<Outcome>] {
        &self.outcomes
    }

    /// The balances, by our plan, then by the opponent's plan.
    pub fn balances(&self) -> Vec<Vec<Ojama>> {
        let row = |row: &Vec<Outcome>| row.iter().map(|outcome| outcome.balance).collect();
        self.outcomes.iter().map(row).collect()
    }

    /// Updates the outcomes with counterattacks of the player `of` that were found later;
    /// [`Seat::First`] is ours. A counterattack that stops the rows of a kill refutes the kill.
    pub fn add_counterattacks(&mut self, of: Seat, found: &KnownCounterattacks) {
        add_counterattacks(&mut self.curves, &self.searches, &self.inputs, of, found);
        for (outcome, inputs) in self.outcomes.iter_mut().flatten().zip(&self.inputs) {
            if let Some(inputs) = inputs {
                *outcome = inputs.outcome(self.before, &self.curves);
            }
        }
    }
}

/// Adds the counterattacks `found` of the player `of` to the searches with the same field, ply and
/// rows.
fn add_counterattacks(
    curves: &mut [AttackCurve],
    searches: &[CurveSearch],
    inputs: &[Option<BalanceInputs>],
    of: Seat,
    found: &KnownCounterattacks,
) {
    for inputs in inputs.iter().flatten().filter(|inputs| inputs.attacker != of) {
        let search = &searches[inputs.counterattack];
        let is_there = found.field.is_none_or(|field| field == search.field);
        if is_there && (search.ply, search.rows) == (found.ply, found.rows) {
            curves[inputs.counterattack].raise(&found.best);
        }
    }
}

/// Plays each plan of `own` against each plan of `opponent`.
///
/// The drops of `budget` are divided equally among the beam searches whose curves `memory` does not
/// know well enough; their number depends on the plans. If a beam finds only death, a survival
/// search may spend in addition the part of the drops that a beam would have if no curve were
/// known. The beam searches run in parallel. The result depends on the threads only if the budget
/// of a beam runs out within a layer, or at the deadline.
pub fn search(
    own: &Side<'_>,
    opponent: &Side<'_>,
    packs: &[Pack],
    memory: &mut CurveMemory,
    budget: &Budget,
) -> Exchange {
    search_beside(own, opponent, packs, memory, budget, || None)
}

/// As [`search`], while `verify` searches further counterattacks of the opponent at the same time.
pub fn search_beside(
    own: &Side<'_>,
    opponent: &Side<'_>,
    packs: &[Pack],
    memory: &mut CurveMemory,
    budget: &Budget,
    verify: impl FnOnce() -> Option<KnownCounterattacks> + Send,
) -> Exchange {
    let mut searches = Searches::default();
    let [ours, theirs] = [own, opponent].map(|side| plan_traces(side, packs, &mut searches));
    let pairs: Vec<(&PlanTrace<'_>, &PlanTrace<'_>)> =
        ours.iter().flat_map(|ours| theirs.iter().map(move |theirs| (ours, theirs))).collect();
    let matchups: Vec<Option<Matchup<'_>>> = pairs
        .iter()
        .map(|&(ours, theirs)| Matchup::between([own, opponent], [ours, theirs], &mut searches))
        .collect();
    let all_inputs: Vec<_> =
        matchups.iter().map(|matchup| matchup.as_ref().map(|matchup| matchup.inputs)).collect();
    let searches = searches.all();
    let drops = budget.drops_left() / (searches.len() as u64).max(1);
    let kill_test = KillTest { packs, budget, drops };
    let (verified, mut curves) = rayon::join(verify, || memory.curves(&searches, packs, budget));
    let known = [
        (Seat::First, &own.known_counterattacks),
        (Seat::Second, &opponent.known_counterattacks),
        (Seat::Second, &verified),
    ];
    for (of, found) in known {
        if let Some(found) = found {
            add_counterattacks(&mut curves, &searches, &all_inputs, of, found);
        }
    }
    for matchup in matchups.iter().flatten() {
        curves[matchup.inputs.counterattack].raise(&matchup.planned_counterattack(packs));
    }
    let before = Ojama::from(opponent.stock) - Ojama::from(own.stock);
    let (outcomes, inputs): (Vec<Outcome>, Vec<Option<BalanceInputs>>) = matchups
        .par_iter()
        .zip(&pairs)
        .map(|(matchup, (ours, theirs))| {
            let Some(matchup) = matchup else {
                let balance = before + Ojama::from(ours.sent) - Ojama::from(theirs.sent);
                return (Outcome::new(balance, None), None);
            };
            let kill = kill_test.kills(matchup, &curves).then_some(matchup.falling);
            let inputs = BalanceInputs { kill, ..matchup.inputs };
            (inputs.outcome(before, &curves), Some(inputs))
        })
        .unzip();
    let row = |i: usize| outcomes[i * theirs.len()..][..theirs.len()].to_vec();
    let outcomes = (0..ours.len()).map(row).collect();
    Exchange { searches, curves, inputs, before, outcomes }
}

fn plan_traces<'a>(side: &Side<'a>, packs: &[Pack], searches: &mut Searches) -> Vec<PlanTrace<'a>> {
    let trace = |plan: &'a Plan| {
        let rain = Rain::of_stock(side.stock);
        let walk = beam::walk(side.field, packs, &plan.attack.path, rain);
        let fields: Vec<Field> = walk.skip(plan.ahead).map(|dropped| dropped.field).collect();
        let (ply, sent) = (plan.ply(), plan.attack.chain.ojama());
        // Ojama that the attack does not offset continue to fall.
        let falling = waiting_after(side.stock, ply).saturating_sub(sent);
        let next_attack = searches.index(fields[ply], ply, falling);
        PlanTrace { plan, fields, ply, chain: plan.attack.chain, sent, next_attack }
    };
    side.plans.iter().map(trace).collect()
}

impl<'a> Matchup<'a> {
    /// The matchup of two plans, ours first; `None` if both attack at the same ply and no ojama are
    /// left.
    fn between(
        [own, opponent]: [&Side<'_>; 2],
        [ours, theirs]: [&'a PlanTrace<'a>; 2],
        searches: &mut Searches,
    ) -> Option<Self> {
        let ply = ours.ply.min(theirs.ply);
        // What each side has sent by the end of the turn, ours first.
        let sent = [ours, theirs].map(|plan| if plan.ply == ply { plan.sent } else { 0 });
        let attacker = match ours.ply.cmp(&theirs.ply) {
            Ordering::Less => Seat::First,
            Ordering::Greater => Seat::Second,
            Ordering::Equal => {
                let [on_us, on_them] = [own, opponent].map(|side| waiting_after(side.stock, ply));
                match (on_us + sent[1]).cmp(&(on_them + sent[0])) {
                    Ordering::Less => Seat::First,
                    Ordering::Greater => Seat::Second,
                    Ordering::Equal => return None,
                }
            }
        };
        let (sides, [attack, victims_plan], [sent, offset]) = match attacker {
            Seat::First => ([own, opponent], [ours, theirs], sent),
            Seat::Second => ([opponent, own], [theirs, ours], [sent[1], sent[0]]),
        };
        let falling = falling(sides.map(|side| side.stock), ply, sent).saturating_sub(offset);
        let counterattack = searches.index(victims_plan.fields[ply], ply, falling);
        // Where both attack, the attacker has offset all that waited to fall on it.
        let next_attack = match ours.ply.cmp(&theirs.ply) {
            Ordering::Equal => searches.index(attack.fields[ply], ply, 0),
            _ => attack.next_attack,
        };
        let sent = Ojama::from(sent) - Ojama::from(offset);
        let inputs = BalanceInputs { attacker, sent, counterattack, next_attack, kill: None };
        let gauge = sides[1].gauge.drained(attack.chain);
        Some(Self { attack, victims_plan, falling, gauge, inputs })
    }

    /// By index `i`: the most ojama that one chain of the victim sends within the `i + 1` turns
    /// after the attack, if the victim follows its plan under the rows that fall. The beam of a
    /// search may miss this counterattack.
    fn planned_counterattack(&self, packs: &[Pack]) -> Vec<Stock> {
        let Self { attack, victims_plan, falling, .. } = self;
        let first = attack.ply + 1;
        let plan = victims_plan.plan;
        // How a side that is ahead got there is not known, nor which of its drops are left.
        let left = if plan.ahead > 0 { None } else { plan.attack.path.get(first..) };
        let (left, packs) = (left.unwrap_or_default(), packs.get(first..).unwrap_or_default());
        let field = victims_plan.fields[attack.ply];
        let mut most = 0;
        let mut sent: Vec<Stock> = beam::walk(field, packs, left, Rain::of_stock(*falling))
            .take(COUNTERATTACK_TURNS)
            .take_while(|dropped| !dropped.field.is_over())
            .map(|dropped| {
                most = most.max(dropped.chain.ojama());
                most
            })
            .collect();
        sent.resize(COUNTERATTACK_TURNS, most);
        sent
    }
}

/// The test whether an attack kills.
struct KillTest<'a> {
    packs: &'a [Pack],
    budget: &'a Budget,
    /// The drops of `budget` that one survival search may spend.
    drops: u64,
}

impl KillTest<'_> {
    /// Whether the ojama that fall after an attack kill the victim. A survival search confirms the
    /// death, because a beam search for chains may miss the ways to survive.
    fn kills(&self, matchup: &Matchup<'_>, curves: &[AttackCurve]) -> bool {
        let &Matchup { attack, victims_plan, falling: stock, gauge, inputs } = matchup;
        let counterattack = &curves[inputs.counterattack];
        if !counterattack.dies || counterattack.stops(stock) {
            return false;
        }
        let ply = attack.ply;
        let attacker = Player { field: attack.fields[ply], ..Player::new() };
        let victim = Player { field: victims_plan.fields[ply], stock, gauge, ..Player::new() };
        let packs = self.packs.get(ply + 1..).unwrap_or_default();
        let mut mate_search = MateSearch::new(&attacker, &victim, packs, Vec::new());
        survive(&mut mate_search, &[], &self.budget.limit(self.drops)).is_death()
    }
}

#[cfg(test)]
mod tests;
