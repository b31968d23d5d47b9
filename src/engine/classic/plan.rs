//! The plan of the opening, and the counterattacks that a beam's move leaves possible.

use std::collections::VecDeque;

use super::beam::ClassicBeamResult;
use super::line_value::hundredths;
use super::opponent::Tables;
use super::presets::Parameters;
use crate::game::{Action, Cells, OJAMA_ROW, Pack, Placement, Player, Stock};
use crate::search::{OjamaHundredths, Rain};

/// The classic engine's plan of the opening: the drops of the opening beam up to the turn in which
/// the target can be set off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningPlan {
    path: VecDeque<Placement>,
    /// The field that the coming turn must begin with.
    field: Cells,
}

impl OpeningPlan {
    /// Creates the plan that an opening beam has found for `field`. The plan ends at the target,
    /// because the opponent's attack may need a counterattack (y.s.). If no target was found, the
    /// plan is the whole path. Returns `None` if the path is empty.
    pub fn new(result: &ClassicBeamResult, field: Cells) -> Option<Self> {
        let length = result.target_depth.unwrap_or(result.path.len());
        let path: VecDeque<Placement> = result.path.iter().take(length).copied().collect();
        (!path.is_empty()).then_some(Self { path, field })
    }

    /// Returns whether the plan is still valid at the start of a turn: no row of ojama falls (y.s.:
    /// otherwise the plan is dropped), and the field is the expected one.
    pub fn holds(&self, player: &Player<Cells>) -> bool {
        player.stock < OJAMA_ROW && player.field == self.field
    }

    /// Returns the coming turn's action.
    pub fn action(&self) -> Action {
        Action::Drop(self.path[0])
    }

    /// Returns the remaining drops.
    pub fn path(&self) -> impl Iterator<Item = Placement> {
        self.path.iter().copied()
    }

    /// Returns the rest of the plan after the coming action. Returns `None` at its end, where the
    /// searches decide when to attack.
    pub fn followed(mut self, player: &Player<Cells>, pack: &Pack) -> Option<Self> {
        let step = player.step(pack, self.action()).ok()?;
        self.path.pop_front();
        self.field = step.player.field;
        (!self.path.is_empty()).then_some(self)
    }
}

/// Returns, for each ply (from 1) at which the opponent could attack with a row or more while
/// nothing is sent to it, the ojama of the longest chain within seven turns of a first drop, after
/// that attack has arrived; 0 where no row would fall.
///
/// `ask` runs the beam after that drop, under an attack.
pub fn answers(
    stocks: [Stock; 2],
    tables: &Tables,
    mut ask: impl FnMut((usize, Stock)) -> ClassicBeamResult,
) -> [Stock; 5] {
    let mut answers = [0; 5];
    let [mut own, mut opponents] = stocks;
    let mut rain = Rain::NONE;
    for ply in 0..tables.plies() {
        if opponents >= OJAMA_ROW {
            opponents -= OJAMA_ROW;
            rain = rain.with(ply);
        }
        if own >= OJAMA_ROW {
            own -= OJAMA_ROW;
        }
        if !tables.has(ply, rain) {
            break;
        }
        let worst = tables.any(ply, rain);
        let attack = worst.chain.ojama().max(worst.skill_sent);
        if attack >= OJAMA_ROW && attack + own >= OJAMA_ROW + opponents {
            let result = ask((ply, attack));
            answers[ply + 1] = result.longest.iter().skip(1).max().map_or(0, |chain| chain.ojama());
        }
    }
    answers
}

/// Returns whether the plan's move, worth `plans`, is played instead of the best move, worth
/// `best`. It is played if `plans` reaches `plan_enough`, or if `best` does not and exceeds `plans`
/// by at most `plan_margin` (y.s.: `-bihd`, `-bihmax`, `-bihmin`), or if both are equal.
pub fn is_kept(parameters: &Parameters, plans: OjamaHundredths, best: OjamaHundredths) -> bool {
    let enough = hundredths(parameters.plan_enough);
    let margin = hundredths(parameters.plan_margin);
    plans >= enough || (best < enough && best - plans <= margin) || best == plans
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::engine::classic::Preset;
    use crate::engine::classic::line_value::OJAMA;
    use crate::game::{Chain, Packs};

    #[test]
    fn a_plan_is_kept_within_the_margin() {
        let parameters = Parameters::of(Preset::Submission); // 35 ojama, and 70 are enough
        let kept = |plans: i64, best: i64| is_kept(&parameters, OJAMA * plans, OJAMA * best);
        assert!(kept(0, 35) && !kept(0, 36));
        assert!(kept(-90, -60) && !kept(-90, -50));
        assert!(!kept(40, 70), "the best move is enough, the plan is not");
        assert!(kept(70, 5_000_000), "the plan is enough");
    }

    #[test]
    fn a_plan_ends_at_its_target_and_breaks_under_ojama() {
        let packs = Packs::from_seed(1);
        let path: Vec<Placement> = Placement::all().step_by(7).collect();
        let result =
            ClassicBeamResult { path, target_depth: Some(2), ..ClassicBeamResult::default() };
        let player = Player::<Cells>::new();
        let plan = OpeningPlan::new(&result, player.field).unwrap();
        assert_eq!(plan.path().count(), 2);
        assert!(plan.holds(&player) && plan.holds(&Player { stock: 9, ..player }));
        assert!(!plan.holds(&Player { stock: 10, ..player }), "a row falls");
        let pack = packs.get(0).unwrap();
        let next = player.step(pack, plan.action()).unwrap().player;
        let plan = plan.followed(&player, pack).unwrap();
        assert!(plan.holds(&next) && !plan.holds(&player), "another field");
        assert_eq!(plan.followed(&next, packs.get(1).unwrap()), None);
        let no_target = ClassicBeamResult { target_depth: None, longest: vec![Chain(0)], ..result };
        assert_eq!(OpeningPlan::new(&no_target, player.field).unwrap().path().count(), 6);
    }
}
