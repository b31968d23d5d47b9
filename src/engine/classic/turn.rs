//! The stages of the classic engine's decision of one turn. A stage returns its result;
//! `classic_report.rs` builds the report from all results.

use std::time::Duration;

use super::beam::{self, Aim, ClassicBeamRequest, ClassicBeamResult, longest_now};
use super::first_attack::{Advice, Chains};
use super::limits::{self, share};
use super::line_value::{EvaluationContext, LOSS, hundredths};
use super::opponent::{self, Tables, most_sent};
use super::own::{self, OwnRootMove, RootHints};
use super::plan::{self, OpeningPlan};
use super::presets::{Parameters, Shape};
use super::skill_mode::{ExpectedState, Outlook};
use super::stage_results::{
    AttackTest, Beams, ClassicChoice, ClassicStages, FoundTables, OpponentSearch, OwnSearch, Phase,
    RootMoves, Timed,
};
use super::views::{self, Screen};
use crate::board::Field;
use crate::engine::BestSoFar;
use crate::engine::time_manager::TimeManager;
use crate::game::{Action, OJAMA_ROW, Pack, Placement, State, Stock};
use crate::search::{OjamaHundredths, TranspositionTable};

/// Values below this belong to lost lines.
const LOST: OjamaHundredths = LOSS.scaled(1, 2);

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
    /// Runs the stages of the decision, with the plan and the expectation of the skill that the
    /// turn before has left.
    pub fn run_stages(
        &mut self,
        plan: Option<OpeningPlan>,
        skill_mode: Option<ExpectedState>,
    ) -> ClassicStages {
        show!(self, views::position(&self.state));
        let turn = self.state.turn;
        let has_beams =
            self.time_manager.counts_drops() || self.left >= self.parameters.beams_until;

        // 1. The plan.
        let opening = (turn == 0 && has_beams && plan.is_none()).then(|| {
            let request = ClassicBeamRequest::opening(&self.state, self.packs, self.parameters);
            self.search_beam(share::OPENING, &request)
        });
        let plan = plan.or_else(|| self.plan_of(opening.as_ref()?));
        if plan.is_some() && turn < self.parameters.unquestioned {
            let phase = Phase::Opening;
            return ClassicStages { phase, opening, plan, skill_mode, ..ClassicStages::default() };
        }

        // 2. The test of attacking first.
        let attack_test = has_beams.then(|| self.test_attack());

        // 3. The opponent's tables.
        let most = self.parameters.plies;
        let [own_plies, opponent_plies] =
            limits::plies(&self.time_manager, most, has_beams, self.left, turn);
        let opponent = self.search_opponent(opponent_plies);

        // 4. The beam's move.
        let gave_up = has_beams && skill_mode.is_some();
        let beams = (has_beams && plan.is_none()).then(|| self.search_beams(gave_up));
        let gives_up = gave_up || beams.as_ref().is_some_and(|beams| beams.gives_up);
        let planned = plan.as_ref().map(OpeningPlan::action);
        let beam_move = planned.or_else(|| beams.as_ref()?.action());
        beam_move.inspect(|&action| self.best_so_far.put(action));

        // 5. The move's counterattacks.
        let tables = opponent.found.as_ref().map(|found| &found.tables);
        let answers = match (tables, beam_move) {
            (Some(tables), Some(Action::Drop(first))) if has_beams && !gives_up => {
                Some(self.answers(first, tables))
            }
            _ => None,
        };

        // 6. The best move, and whether it exceeds the beam's move by the margin.
        let own = tables.map(|tables| {
            let hints = RootHints {
                beam_move,
                answers: answers.as_ref().map_or([0; 5], |answers| answers.result),
                adjustment: attack_test.as_ref().and_then(AttackTest::adjustment),
            };
            self.search_own(own_plies, tables, &hints, gives_up)
        });
        let root_moves = own.as_ref().and_then(|own| own.found.as_ref());
        let choice =
            root_moves.and_then(|found| self.choose(&found.moves, beam_move, plan.is_some()));

        ClassicStages {
            phase: Phase::of(has_beams, plan.is_some(), gives_up),
            opening,
            attack_test,
            opponent,
            beams,
            beam_move,
            answers,
            own,
            choice,
            skill_mode: gives_up.then(|| ExpectedState::after(&self.state)),
            plan,
        }
    }

    /// The plan that the opening beam has found, if any.
    fn plan_of(&self, opening: &Timed<ClassicBeamResult>) -> Option<OpeningPlan> {
        OpeningPlan::new(&opening.result, self.state.players[0].field.to_cells())
    }

    /// Runs the test of attacking first.
    fn test_attack(&mut self) -> AttackTest {
        let [own, opponent] = self.state.players;
        let pack = &self.packs[0];
        let c1 = longest_now(&own, pack);
        let c2 = longest_now(&opponent, pack);
        // An attack that only offsets ojama that are due, after this turn's row has fallen, makes
        // no row fall on the opponent.
        let due = if own.stock >= OJAMA_ROW { own.stock - OJAMA_ROW } else { own.stock };
        if opponent.stock + c1.ojama() < due + OJAMA_ROW {
            let chains = Chains { c1, c2, ..Chains::default() };
            return AttackTest { chains, advice: Advice::None, ms: 0 };
        }
        let shape = self.parameters.attack;
        let left_alone = Shape { depth: self.parameters.unattacked_depth, ..shape };
        let mut ms = 0;
        let cell = std::cell::RefCell::new((&mut *self, &mut ms));
        let ask = |shape: Shape, attack: Option<(usize, Stock)>| {
            let (turn, ms) = &mut *cell.borrow_mut();
            let request = ClassicBeamRequest::later(&opponent, own.stock, turn.packs, shape);
            let request = ClassicBeamRequest { attack, ..request };
            let beam = turn.search_beam(share::ATTACK, &request);
            **ms += beam.ms;
            beam.result
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
        AttackTest { chains, advice, ms }
    }

    /// Searches the opponent's tables with `plies` plies, or with fewer if the drops do not
    /// suffice.
    fn search_opponent(&mut self, plies: usize) -> OpponentSearch {
        let [own, opponent] = &self.state.players;
        let sendable = Some(most_sent(own, &self.packs[0]));
        let mut ms = 0;
        for plies in (1..=plies).rev() {
            let request = opponent::OpponentRequest {
                player: opponent,
                others_stock: own.stock,
                packs: self.packs,
                plies,
                sendable,
            };
            let search = Timed::run(|| {
                opponent::search(&request, self.table, &self.time_manager.remaining())
            });
            ms += search.ms;
            if let Some(tables) = search.result {
                show!(self, views::tables(&tables));
                let (hits, stock) = (self.table.hits(), opponent.stock);
                return OpponentSearch { found: Some(FoundTables { tables, stock, hits }), ms };
            }
        }
        OpponentSearch { found: None, ms }
    }

    /// Runs the beam for chains of both sides and decides whether to give up chains, or runs the
    /// beam for the skill if the turn before `gave_up` chains.
    fn search_beams(&mut self, gave_up: bool) -> Beams {
        let [own, opponent] = self.state.players;
        let (packs, parameters) = (self.packs, self.parameters);
        let chains = ClassicBeamRequest::later(&own, opponent.stock, packs, parameters.later);
        let skill = ClassicBeamRequest::later(&own, opponent.stock, packs, parameters.skill);
        let skill = ClassicBeamRequest { aim: Aim::Skill, ..skill };
        if gave_up {
            let own = self.search_beam(share::BEAM, &skill);
            return Beams { own, opponents: None, gives_up: true };
        }
        let chains = self.search_beam(share::BEAM, &chains);
        let theirs = ClassicBeamRequest::later(&opponent, own.stock, packs, parameters.opponent);
        let theirs = self.search_beam(share::OPPONENT, &theirs);
        let outlook = Outlook {
            own: &chains.result,
            opponents: &theirs.result,
            ojama: own.field.ojama(),
            opponents_stock: opponent.stock,
            explosion: own.field.explosion().0,
            give_up_below: parameters.give_up_below,
        };
        let gives_up = outlook.gives_up();
        let own = if gives_up {
            let skill = self.search_beam(share::BEAM, &skill);
            Timed { ms: chains.ms + skill.ms, ..skill }
        } else {
            chains
        };
        Beams { own, opponents: Some(theirs), gives_up }
    }

    /// Runs a beam with `share` of the drops, or for the time of its shape.
    fn search_beam(
        &mut self,
        share: f64,
        request: &ClassicBeamRequest<'_>,
    ) -> Timed<ClassicBeamResult> {
        let budget = self.time_manager.limit(share, request.shape.time);
        Timed::run(|| beam::search(request, self.table, &budget))
    }

    /// Returns the ojama of the counterattack after the beam's move, by the ply (from 1) of the
    /// opponent's attack.
    fn answers(&mut self, first: Placement, tables: &Tables) -> Timed<[Stock; 5]> {
        let [own, opponent] = &self.state.players;
        let request =
            ClassicBeamRequest::later(own, opponent.stock, self.packs, self.parameters.answer);
        let (time_manager, table) = (&self.time_manager, &mut *self.table);
        let ask = |attack| {
            let request =
                ClassicBeamRequest { first: Some(first), attack: Some(attack), ..request };
            beam::search(&request, table, &time_manager.limit(share::ANSWER, request.shape.time))
        };
        let stocks = [own.stock, opponent.stock];
        Timed::run(|| plan::answers(stocks, tables, ask))
    }

    /// Runs the own search with `plies` plies. If all lines are lost at that depth, it searches
    /// fewer plies, so that the loss is delayed. It also searches fewer if the drops do not
    /// suffice.
    fn search_own(
        &mut self,
        plies: usize,
        tables: &Tables,
        hints: &RootHints,
        gives_up: bool,
    ) -> OwnSearch {
        let opponent = &self.state.players[1];
        let weights = self.parameters.weights;
        let cells = opponent.field.to_cells();
        let context = EvaluationContext::new(weights, self.state.turn, opponent, &cells, gives_up);
        let (players, packs) = (&self.state.players, self.packs);
        let request =
            |plies| own::OwnRequest { players, packs, plies, tables, context: &context, hints };
        let mut found: Option<RootMoves> = None;
        let mut ms = 0;
        for plies in (1..=plies.min(packs.len())).rev() {
            let search = Timed::run(|| {
                own::search(&request(plies), self.table, &self.time_manager.remaining())
            });
            ms += search.ms;
            let Some(moves) = search.result else { continue };
            let lost = moves.first().is_none_or(|best| best.value < LOST);
            found = Some(RootMoves { moves, plies, hits: self.table.hits() });
            if !lost {
                break;
            }
        }
        if let (Some(screen), Some(RootMoves { moves, plies, .. })) = (self.screen, &found) {
            let request = request(*plies);
            let best = moves.first().map(|root_move| ("the best line", root_move.action));
            let beam = hints.beam_move.map(|action| ("the beam's line", action));
            for (name, first) in best.into_iter().chain(beam) {
                let budget = self.time_manager.remaining();
                let line = own::line(&request, first, self.table, &budget);
                screen.show(&views::line(name, &line.unwrap_or_default()));
            }
        }
        OwnSearch { lethal: context.lethal(), found, ms }
    }

    /// Chooses between the best of `root_moves` and the beam's move, which is the plan's move if
    /// `is_planned`. Returns `None` if `root_moves` is empty.
    fn choose(
        &self,
        root_moves: &[OwnRootMove],
        beam_move: Option<Action>,
        is_planned: bool,
    ) -> Option<ClassicChoice> {
        let best = *root_moves.first()?;
        let beams = root_moves.iter().find(|root_move| Some(root_move.action) == beam_move);
        let kept = beams.filter(|beams| match is_planned {
            true => plan::is_kept(self.parameters, beams.value, best.value),
            false => best.value - beams.value < hundredths(self.parameters.later_margin),
        });
        Some(ClassicChoice {
            best,
            beam_value: beams.map(|root_move| root_move.value),
            played: kept.copied().unwrap_or(best),
            is_kept: kept.is_some(),
        })
    }
}
