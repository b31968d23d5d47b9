//! The results of the stages of a decision.

use super::alpha_beta::CheckedAction;
use super::endgame::EndgameResult;
use super::plans::Plans;
use super::searches::BothSearches;
use super::selection::Selection;
use crate::engine::ActionSource;
use crate::game::{Action, Placement};
use crate::search::beam::Attack;

/// The results of the stages of one decision.
pub struct Stages {
    /// The chosen plan; `None` if all actions but one lose.
    pub choice: Option<Choice>,
    pub endgame: EndgameResult,
    /// `None` if there was no alpha-beta search.
    pub checked: Option<CheckedAction>,
}

/// The chosen plan: the results of its four stages.
pub struct Choice {
    pub searches: BothSearches,
    pub plans: Plans,
    pub selection: Selection,
}

impl Stages {
    /// Returns the action to play and the stage that found it (`Report::source`); `None` if no
    /// stage found an action.
    pub fn action(&self) -> Option<(Action, ActionSource)> {
        if let Some(win) = self.endgame.win {
            return Some((win, ActionSource::Mate));
        }
        if let Some(checked) = self.checked.as_ref().filter(|checked| !checked.is_choice) {
            return Some((checked.played.action, ActionSource::AlphaBeta));
        }
        if let Some(survival) = self.endgame.survival {
            return Some((survival, ActionSource::Survival));
        }
        let choice = self.choice.as_ref()?;
        let has_plan = choice.plan().is_some();
        let source = if has_plan { ActionSource::Plan } else { ActionSource::Building };
        Some((choice.action()?, source))
    }
}

impl Choice {
    /// The attack of the plan, if there is a plan.
    pub fn plan(&self) -> Option<&Attack> {
        self.selection.plan.map(|plan| &self.plans.own[plan].attack)
    }

    /// The drops of the plan, from this turn on. Without a plan, the best drop for building alone,
    /// if there is one.
    pub fn path(&self) -> &[Placement] {
        let building = || match &self.searches.found[0].building {
            Some((drop, _)) => std::slice::from_ref(drop),
            None => &[],
        };
        self.plan().map_or_else(building, |plan| &plan.path)
    }

    /// The first drop of [`Self::path`].
    pub fn action(&self) -> Option<Action> {
        self.path().first().copied().map(Action::Drop)
    }
}
