//! One sweep of a beam search: layer after layer, of one width.

use std::mem;

use super::BeamRequest;
use super::attack::{Attack, BeamResult};
use super::candidate::Candidate;
use super::candidates::{CandidatePart, Candidates};
use super::due_rain::after_row;
use super::evaluation::FeatureWeights;
use super::layer::{LayerOrigins, Trail};
use super::layer_step::{DROPS_OF_A_CANDIDATE, LayerStep, first_place};
use super::select::select;
use super::tree::Tree;
use crate::board::Field;
use crate::search::Budget;

/// The slots of a layer, in percent, that candidates of one potential take at most if no rows are
/// due. Experiments B-07, B-14.1.
const MAX_SAME_POTENTIAL_PERCENT: usize = 50;

/// As [`MAX_SAME_POTENTIAL_PERCENT`], if rows are due. Experiments B-07, B-12.
const MAX_SAME_POTENTIAL_PERCENT_UNDER_ROWS: usize = 30;

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
    /// The greatest number of fields of a layer.
    pub width: usize,
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
        let Sweep { request, known, depth, .. } = *self;
        let mut trail = Trail::new(known);
        let mut fields = vec![after_row(request.field, request.rain.falls_at(0))];
        let mut origins: Option<LayerOrigins<'_>> = None;
        let mut building = None;
        let mut most = 0;
        for (ply, pack) in request.packs.iter().take(depth).enumerate() {
            let is_last = ply > 0 && ply + 1 == depth;
            let step = LayerStep::new(self, pack, ply, is_last, fields.len(), budget);
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
                tree.push(kept, &fields, |place| trail.path_to(place));
            }
            most += fields.len() as u64 * self.most_of_a_field(is_last);
            if !layer.survives {
                break;
            }
            result.reached = result.reached.max(ply + 1);
            if is_last || layer.candidates.iter().all(CandidatePart::is_empty) {
                break;
            }
            let kept = self.select(layer.candidates, fields.len(), ply);
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

    /// Selects the fields of the next layer: of `candidates`, the drops at `ply` on a layer of
    /// `fields` fields, and of the known fields.
    fn select(
        &self,
        mut candidates: Vec<CandidatePart>,
        fields: usize,
        ply: usize,
    ) -> Vec<Candidate> {
        let known =
            self.known.layer(ply).into_iter().flat_map(|known| known.candidates(self.width));
        candidates.push(CandidatePart::new(first_place(fields), known.collect()));
        let max_same_potential_percent = if self.request.rain.rows_from(0) == 0 {
            MAX_SAME_POTENTIAL_PERCENT
        } else {
            MAX_SAME_POTENTIAL_PERCENT_UNDER_ROWS
        };
        select(&Candidates::new(candidates), self.width, max_same_potential_percent)
    }
}
