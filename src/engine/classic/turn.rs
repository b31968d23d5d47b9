//! The stages of the classic engine's decision of one turn.

use std::time::Duration;

use super::beam::{SearchResult, longest_now};
use super::budgets::{self, share};
use super::evaluation::{EvaluationContext, LOSS, hundredths};
use super::first_attack::{self, Chains};
use super::later_beam::Builder;
use super::opening_beam;
use super::opponent::{self, Tables, most_sent};
use super::own::{self, RootHints, RootMove};
use super::parameters::{Parameters, Shape};
use super::plan::{self, OpeningPlan};
use super::report::{self, AttackReport, BeamReport, ClassicReport, ojama, timed};
use super::skill_mode::{Expectation, Outlook};
use super::views::{self, Screen};
use crate::board::Field;
use crate::engine::time_manager::TimeManager;
use crate::engine::{BestSoFar, Report, RootMoveReport};
use crate::game::{Action, OJAMA_ROW, Pack, Placement, State, Stock};
use crate::search::{Budget, OjamaHundredths, OjamaTenths, TranspositionTable};

/// Values below this belong to lost lines.
const LOST: OjamaHundredths = LOSS.scaled(1, 2);

/// Values from this on are kills: the smallest is a near kill in the last turn.
const NEAR_KILL: OjamaHundredths = OjamaHundredths::of_ojama(100_000_000);

/// Values from this on are sure kills.
const SURE_KILL: OjamaHundredths = OjamaHundredths::of_ojama(4_000_000_000);

/// The number of first actions in the report.
const CANDIDATES: usize = 6;

/// The least depth of the opponent's beam under attack; a shallower beam decides nothing
/// (published).
const ATTACKED_DEPTH: usize = 7;

/// Shows a view if a screen is present. The view is not computed otherwise.
macro_rules! show {
    ($turn:expr, $view:expr) => {
        if let Some(screen) = $turn.screen {
            screen.show(&$view);
        }
    };
}

/// The searches that decide one turn, and their inputs.
pub struct TurnSearch<'a> {
    pub state: State<Field>,
    pub packs: &'a [Pack],
    /// Time left in the game.
    pub left: Duration,
    pub parameters: &'a Parameters,
    pub table: &'a mut TranspositionTable,
    pub time_manager: TimeManager<'a>,
    /// The output of the views, if they are wanted.
    pub screen: Option<&'a Screen>,
    pub best_so_far: &'a BestSoFar,
}

impl TurnSearch<'_> {
    /// Decides the action. Returns `None` if no search found one.
    pub fn decide(
        &mut self,
        plan: &mut Option<OpeningPlan>,
        skill_mode: &mut Option<Expectation>,
        report: &mut Report,
        classic: &mut ClassicReport,
    ) -> Option<Action> {
        show!(self, views::position(&self.state));
        let turn = self.state.turn;
        let beams = self.time_manager.counts_drops() || self.left >= self.parameters.beams_until;

        // 1. The plan.
        if turn == 0 && beams && plan.is_none() {
            *plan = self.open(classic);
        }
        if let Some(plan) = plan.as_ref().filter(|_| turn < self.parameters.unquestioned) {
            classic.phase = "opening";
            report.source = "plan";
            return Some(plan.action());
        }
        classic.phase = match (beams, &plan) {
            (false, _) => "short",
            (true, Some(_)) => "plan",
            (true, None) => "later",
        };

        // 2. The test of attacking first.
        let attack = if beams { self.test_attack(classic) } else { Default::default() };

        // 3. The opponent's tables.
        let most = self.parameters.plies;
        let [own_plies, opponent_plies] =
            budgets::plies(&self.time_manager, most, beams, self.left, turn);
        let tables = self.search_opponent(opponent_plies, classic);

        // 4. The beam's move.
        if !beams {
            *skill_mode = None;
        }
        let beam_move = match plan.as_ref() {
            Some(plan) => Some(plan.action()),
            None if beams => self.beam_move(skill_mode, classic),
            None => None,
        };
        if skill_mode.is_some() {
            classic.phase = "skill";
            *skill_mode = Some(Expectation::after(&self.state));
        }
        beam_move.inspect(|&action| self.best_so_far.put(action));
        classic.beam_move = beam_move.map(|action| action.to_string());
        if beam_move.is_some() {
            report.source = if plan.is_some() { "plan" } else { "building" };
        }
        let Some(tables) = tables else {
            return beam_move;
        };

        // 5. The move's answers to an attack.
        let mut answers = [0; 5];
        if let (Some(Action::Drop(first)), None, true) = (beam_move, &skill_mode, beams) {
            answers = self.answers(first, &tables, classic);
        }

        // 6. The best move, and whether it exceeds the beam's move by the margin.
        let hints = RootHints { beam_move, answers, adjustment: attack };
        let skill_mode = skill_mode.is_some();
        let root_moves = self.search_own(own_plies, &tables, &hints, skill_mode, classic);
        let Some(root_moves) = root_moves else {
            return beam_move;
        };
        let best = root_moves.first()?;
        let beams = root_moves.iter().find(|root_move| Some(root_move.action) == beam_move);
        classic.beam_value = beams.map(|root_move| ojama(root_move.value));
        classic.best_move = Some(best.action.to_string());
        classic.best_value = Some(ojama(best.value));
        classic.kill = match best.value {
            sure if sure >= SURE_KILL => Some("sure"),
            near if near >= NEAR_KILL => Some("near"),
            _ => None,
        };
        let kept = beams.filter(|beams| match plan {
            Some(_) => plan::is_kept(self.parameters, beams.value, best.value),
            None => best.value - beams.value < hundredths(self.parameters.later_margin),
        });
        let played = kept.unwrap_or(best);
        report.source = match (kept, plan) {
            (None, _) => "alpha_beta",
            (Some(_), Some(_)) => "plan",
            (Some(_), None) => "building",
        };
        // The own search may have ended at a smaller depth.
        report.depth = classic.own_plies;
        let candidates = root_moves.iter().take(CANDIDATES);
        report.candidates = candidates
            .map(|root_move| RootMoveReport {
                action: root_move.action.to_string(),
                value: OjamaTenths::from(root_move.value),
            })
            .collect();
        report.value = Some(OjamaTenths::from(played.value));
        report.best_value = Some(OjamaTenths::from(best.value));
        Some(played.action)
    }

    /// Runs the opening beam and returns the plan that it finds.
    fn open(&mut self, classic: &mut ClassicReport) -> Option<OpeningPlan> {
        let result = timed(&mut classic.ms.beam, || {
            self.time_manager.within(share::OPENING, self.parameters.opening.time, |budget| {
                opening_beam::search(&self.state, self.packs, self.parameters, self.table, budget)
            })
        });
        classic.beam = Some(BeamReport::new(&result, Some(self.parameters.target)));
        OpeningPlan::new(&result, self.state.players[0].field.to_cells())
    }

    /// Runs the test of attacking first. Returns the range of chains whose first actions are
    /// adjusted, and the value to add.
    fn test_attack(
        &mut self,
        classic: &mut ClassicReport,
    ) -> Option<(std::ops::RangeInclusive<u8>, OjamaHundredths)> {
        let [own, opponent] = self.state.players;
        let pack = &self.packs[0];
        let c1 = longest_now(&own, pack);
        let c2 = longest_now(&opponent, pack);
        // An attack that only offsets ojama that are due, after this turn's row has fallen, makes
        // no row fall on the opponent.
        let due = if own.stock >= OJAMA_ROW { own.stock - OJAMA_ROW } else { own.stock };
        if opponent.stock + c1.ojama() < due + OJAMA_ROW {
            let chains = Chains { c1, c2, ..Chains::default() };
            classic.attack = Some(AttackReport::new(&chains, &first_attack::Advice::None));
            return None;
        }
        let shape = self.parameters.attack;
        let left_alone = Shape { depth: self.parameters.unattacked_depth, ..shape };
        let mut ms = 0;
        let cell = std::cell::RefCell::new((&mut *self, &mut ms));
        let ask = |shape: Shape, attack: Option<(usize, Stock)>| {
            let (turn, ms) = &mut *cell.borrow_mut();
            let builder = Builder { player: &opponent, others_stock: own.stock, packs: turn.packs };
            timed(ms, || {
                turn.time_manager.within(share::ATTACK, shape.time, |budget| match attack {
                    None => builder.chains(shape, turn.table, budget),
                    Some(attack) => builder.chains_under(attack, shape, turn.table, budget),
                })
            })
        };
        let (chains, advice) = Chains::test(
            c1,
            c2,
            || ask(left_alone, None).best(),
            || {
                // The opponent can set off its present chains before the attack arrives.
                let result = ask(shape, Some((0, c1.ojama())));
                (!result.cut || result.depth() >= ATTACKED_DEPTH).then(|| result.best())
            },
        );
        classic.ms.attack = ms;
        classic.attack = Some(AttackReport::new(&chains, &advice));
        advice.adjustment(c1)
    }

    /// Searches the opponent's tables with `plies` plies, or with fewer if the drops do not
    /// suffice.
    fn search_opponent(&mut self, plies: usize, classic: &mut ClassicReport) -> Option<Tables> {
        let [own, opponent] = &self.state.players;
        let sendable = Some(most_sent(own, &self.packs[0]));
        for plies in (1..=plies).rev() {
            let request = opponent::SearchRequest {
                player: opponent,
                others_stock: own.stock,
                packs: self.packs,
                plies,
                sendable,
            };
            let found = timed(&mut classic.ms.tables, || {
                self.time_manager.rest(|budget| opponent::search(&request, self.table, budget))
            });
            if let Some(tables) = found {
                classic.hits = Some([self.table.hits(), 0]);
                classic.opponent_plies = Some(tables.plies());
                classic.tables = report::tables(&tables, opponent.stock);
                show!(self, views::tables(&tables));
                return Some(tables);
            }
        }
        None
    }

    /// Decides whether to give up chains, and returns the move of the own beam.
    fn beam_move(
        &mut self,
        skill_mode: &mut Option<Expectation>,
        classic: &mut ClassicReport,
    ) -> Option<Action> {
        let [own, opponent] = self.state.players;
        let packs = self.packs;
        let own_builder = Builder { player: &own, others_stock: opponent.stock, packs };
        let opponents_builder = Builder { player: &opponent, others_stock: own.stock, packs };
        let parameters = self.parameters;
        let mut chosen = None;
        if skill_mode.is_none() {
            let result =
                self.ask(share::BEAM, &own_builder, parameters.later, &mut classic.ms.beam);
            let theirs = self.ask(
                share::OPPONENT,
                &opponents_builder,
                parameters.opponent,
                &mut classic.ms.opponent_beam,
            );
            let outlook = Outlook {
                own: &result,
                opponents: &theirs,
                ojama: own.field.ojama(),
                opponents_stock: opponent.stock,
                explosion: own.field.explosion().0,
                give_up_below: parameters.give_up_below,
            };
            if outlook.gives_up() {
                *skill_mode = Some(Expectation::after(&self.state));
            }
            classic.opponent_beam = Some(BeamReport::new(&theirs, None));
            chosen = Some(result);
        }
        if skill_mode.is_some() {
            chosen = Some(timed(&mut classic.ms.beam, || {
                self.time_manager.within(share::BEAM, parameters.skill.time, |budget| {
                    own_builder.skill(parameters.skill, self.table, budget)
                })
            }));
        }
        let result = chosen?;
        classic.beam = Some(BeamReport::new(&result, None));
        result.path.first().map(|&drop| Action::Drop(drop))
    }

    /// Runs a beam for chains, and adds its time to `ms`.
    fn ask(
        &mut self,
        share: f64,
        builder: &Builder<'_>,
        shape: Shape,
        ms: &mut u64,
    ) -> SearchResult {
        timed(ms, || {
            let beam = |budget: &Budget| builder.chains(shape, self.table, budget);
            self.time_manager.within(share, shape.time, beam)
        })
    }

    /// Returns the ojama that the beam's move answers with, by the ply (from 1) of the opponent's
    /// attack.
    fn answers(
        &mut self,
        first: Placement,
        tables: &Tables,
        classic: &mut ClassicReport,
    ) -> [Stock; 5] {
        let [own, opponent] = &self.state.players;
        let builder = Builder { player: own, others_stock: opponent.stock, packs: self.packs };
        let shape = self.parameters.answer;
        let (time_manager, table) = (&mut self.time_manager, &mut *self.table);
        let ask = |attack| {
            time_manager.within(share::ANSWER, shape.time, |budget| {
                builder.chains_behind(first, attack, shape, table, budget)
            })
        };
        let stocks = [own.stock, opponent.stock];
        let answers = timed(&mut classic.ms.answers, || plan::answers(stocks, tables, ask));
        classic.answers = Some([answers[1], answers[2], answers[3], answers[4]]);
        answers
    }

    /// Runs the own search with `plies` plies. If all lines are lost at that depth, it searches
    /// fewer plies, so that the loss is delayed. It also searches fewer if the drops do not
    /// suffice.
    fn search_own(
        &mut self,
        plies: usize,
        tables: &Tables,
        hints: &RootHints,
        skill_mode: bool,
        classic: &mut ClassicReport,
    ) -> Option<Vec<RootMove>> {
        let opponent = &self.state.players[1];
        let weights = self.parameters.weights;
        let cells = opponent.field.to_cells();
        let context =
            EvaluationContext::new(weights, self.state.turn, opponent, &cells, skill_mode);
        classic.lethal = Some(context.lethal());
        let (players, packs) = (&self.state.players, self.packs);
        let request =
            |plies| own::SearchRequest { players, packs, plies, tables, context: &context, hints };
        let mut found = None;
        for plies in (1..=plies.min(packs.len())).rev() {
            let root_moves = timed(&mut classic.ms.own, || {
                self.time_manager.rest(|budget| own::search(&request(plies), self.table, budget))
            });
            let Some(root_moves) = root_moves else { continue };
            classic.own_plies = Some(plies);
            let hits = classic.hits.get_or_insert_default();
            hits[1] = self.table.hits();
            let lost = root_moves.first().is_none_or(|best| best.value < LOST);
            found = Some(root_moves);
            if !lost {
                break;
            }
        }
        if let (Some(screen), Some(root_moves)) = (self.screen, &found) {
            let plies = classic.own_plies.unwrap_or(1);
            let request = request(plies);
            let best = root_moves.first().map(|root_move| ("the best line", root_move.action));
            let beam = hints.beam_move.map(|action| ("the beam's line", action));
            for (name, first) in best.into_iter().chain(beam) {
                let line =
                    self.time_manager.rest(|budget| own::line(&request, first, self.table, budget));
                screen.show(&views::line(name, &line.unwrap_or_default()));
            }
        }
        found
    }
}
