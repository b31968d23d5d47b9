//! One sweep of a beam search: layer after layer, of one width, and the paths to their fields.

use std::mem;

use super::attack::{Attack, BeamResult};
use super::candidate::{Candidate, Origin, after_row};
use super::evaluation_filter::NARROW;
use super::features::FeatureWeights;
use super::groups::{CandidatePart, Candidates};
use super::layer::{DROPS_OF_A_CANDIDATE, LayerOrigins, LayerStep, first_index};
use super::select::select;
use super::tree::Tree;
use super::{BeamRequest, TYPICAL_PART, WIDEST};
use crate::board::Field;
use crate::game::Placement;
use crate::search::{Budget, BudgetMark};

/// The greatest width of a layer of the last sweep, as a multiple of the planned width; a layer may
/// have [`NARROW`] fields in any case. Chosen by hand.
const MOST_OF_PLANNED: usize = 2;

/// The part of a layer's cost that the width of a layer of the last sweep leaves over, because the
/// later layers may cost more: a sweep that is cut short has no last plies. Experiment B-24.
const RESERVED_LAYER: f64 = 0.3;

/// A sweep of a smaller planned width is small.
const SMALL: usize = 20;

/// In a small last sweep, each layer is planned narrower than the one before by the factor
/// e^-`NARROWING`, because few fields suffice for a path to the last ply, and the attacks of the
/// next plies need more. Experiment B-24; B-13 for sweeps that are not small.
const NARROWING: f64 = 0.4;

/// One sweep of a search.
pub struct Sweep<'a> {
    /// The weights of the evaluation.
    pub weights: &'a FeatureWeights,
    /// The position.
    pub request: &'a BeamRequest<'a>,
    /// The fields of an earlier search.
    pub known: &'a Tree,
    /// The number of turns to search, at most the number of packs.
    pub depth: usize,
    /// The number of fields of a layer; in the last sweep of a search, the planned number.
    pub width: usize,
    /// In the last sweep of a search, the mark since which the rate of drops is measured. Each
    /// layer is then as wide as the rest of the budget allows.
    pub rest_since: Option<BudgetMark>,
}

impl Sweep<'_> {
    /// Runs the sweep and stores the kept fields in `tree`, if one is given.
    ///
    /// Returns the drops that the sweep would have booked if all candidates before the last ply
    /// were evaluated, or `None` if the budget ran out within the sweep.
    pub fn run(
        &self,
        budget: &Budget,
        result: &mut BeamResult,
        mut tree: Option<&mut Tree>,
    ) -> Option<u64> {
        let Sweep { weights, request, known, depth, .. } = *self;
        let mut trail = Trail::new(known);
        let mut fields = vec![after_row(request.field, request.rain.falls_at(0))];
        let mut origins: Option<LayerOrigins<'_>> = None;
        let mut building = None;
        let (mut most, mut width) = (0, self.width);
        for (ply, pack) in request.packs.iter().take(depth).enumerate() {
            let is_last = ply > 0 && ply + 1 == depth;
            let spent = budget.spent();
            let step = LayerStep::new(weights, request, ply, is_last, fields.len(), budget);
            let layer = step.try_layer(&mut fields, origins.as_ref());
            if let Some(attack) = layer.attack {
                let mut path = trail.path_to(attack.parent);
                path.push(attack.placement);
                let (chain, blocks_left) = (attack.chain, attack.blocks_left);
                result.take(Attack { path, chain, blocks_left });
            }
            if layer.is_cut_short {
                result.building = result.building.or(building);
                return None;
            }
            if let (Some(tree), Some(LayerOrigins { kept, .. })) = (&mut tree, &origins) {
                tree.push(kept, &fields, |index| trail.path_to(index));
            }
            most += fields.len() as u64 * self.most_of_a_field(is_last);
            if !layer.survives {
                break;
            }
            result.reached = result.reached.max(ply + 1);
            if is_last || layer.candidates.iter().all(CandidatePart::is_empty) {
                break;
            }
            if let Some(mark) = &self.rest_since {
                let of_a_field = (budget.spent() - spent) as f64 / fields.len() as f64;
                let left = budget.drops_left_since(mark) as f64;
                let is_narrow = fields.len() < NARROW;
                width = self.affordable(left, of_a_field, is_narrow, depth - ply - 1);
            }
            let kept = self.select(layer.candidates, fields.len(), ply, width);
            trail.push(&kept);
            if let (Some(&first), Some(best)) = (trail.path_to(0).first(), kept.first()) {
                building = Some((first, best.potential));
            }
            let parents = mem::replace(&mut fields, vec![Field::EMPTY; kept.len()]);
            let is_rain = request.rain.falls_at(ply + 1);
            origins = Some(LayerOrigins { parents, kept, pack, is_rain, known: known.layer(ply) });
        }
        result.building = building;
        Some(most)
    }

    /// The most drops that are booked for a field of a layer.
    fn most_of_a_field(&self, is_last: bool) -> u64 {
        let placements = self.request.columns.placements().count() as u64;
        placements * if is_last { 1 } else { DROPS_OF_A_CANDIDATE }
    }

    /// Returns the width of the next layer that `left` drops allow, with `layers` layers to come. A
    /// field of the layer before has booked `of_a_field` drops; if that layer `is_narrow`, all its
    /// candidates were evaluated.
    fn affordable(&self, left: f64, of_a_field: f64, is_narrow: bool, layers: usize) -> usize {
        let of_wide = if is_narrow { TYPICAL_PART * of_a_field } else { of_a_field };
        let of_narrow = self.most_of_a_field(false) as f64;
        // The candidates of the last ply are not evaluated.
        let of_last = self.most_of_a_field(true) as f64;
        let evaluated = layers.saturating_sub(1);
        let left = match evaluated {
            0 => left,
            evaluated => left * evaluated as f64 / (evaluated as f64 + RESERVED_LAYER),
        };
        let most = (MOST_OF_PLANNED * self.width).clamp(NARROW, WIDEST);
        if self.width >= SMALL {
            let width = left / (of_wide * evaluated as f64 + of_last);
            return (width as usize).clamp(1, most);
        }
        let cost = |width: usize| {
            let fields =
                |layer: usize| (width as f64 * (-NARROWING * layer as f64).exp()).round().max(1.0);
            let of_layer = |layer: usize| {
                let fields = fields(layer);
                fields * if fields < NARROW as f64 { of_narrow } else { of_wide }
            };
            (0..evaluated).map(of_layer).sum::<f64>() + fields(evaluated) * of_last
        };
        (1..=most).rev().find(|&width| cost(width) <= left).unwrap_or(1)
    }

    /// Selects the fields of the next layer: of `candidates`, the drops at `ply` on a layer of
    /// `fields` fields, and of the known fields, at most `width`.
    fn select(
        &self,
        mut candidates: Vec<CandidatePart>,
        fields: usize,
        ply: usize,
        width: usize,
    ) -> Vec<Candidate> {
        let known = self.known.layer(ply).into_iter().flat_map(|known| known.candidates(width));
        candidates.push(CandidatePart::new(first_index(fields), known.collect()));
        select(&Candidates::new(candidates), width, self.request.is_under_rows())
    }
}

/// The origin of each field, for every layer but the first.
struct Trail<'a> {
    layers: Vec<Vec<Origin>>,
    known: &'a Tree,
}

impl<'a> Trail<'a> {
    /// The trail of a search that starts with the tree `known`.
    const fn new(known: &'a Tree) -> Self {
        Self { layers: Vec::new(), known }
    }

    /// Adds a layer.
    fn push(&mut self, kept: &[Candidate]) {
        self.layers.push(kept.iter().map(|candidate| candidate.origin).collect());
    }

    /// Returns the drops that lead to the field of index `field` in the last layer.
    fn path_to(&self, field: u32) -> Vec<Placement> {
        let mut path = Vec::with_capacity(self.layers.len() + 1);
        let mut at = field;
        for (ply, layer) in self.layers.iter().enumerate().rev() {
            match layer[at as usize] {
                Origin::Drop(parent, placement) => {
                    path.push(placement);
                    at = parent;
                }
                Origin::Known(index) => {
                    let known = self.known.layer(ply).map(|known| known.path(index));
                    path.extend(known.into_iter().flatten().rev());
                    break;
                }
            }
        }
        path.reverse();
        path
    }
}
