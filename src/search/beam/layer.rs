//! The layers of a beam search, and the paths to their fields.

use rayon::prelude::*;

use super::candidate::{Candidate, Origin};
use super::due_rain::after_row;
use super::tree::{Known, Tree};
use crate::board::Field;
use crate::game::{Pack, Placement};

/// The least number of drops that a thread simulates at once for the next layer. Chosen by hand.
const LEAST_DROPS: usize = 256;

/// The fields of a layer, after the row of ojama of its ply has fallen.
pub struct Layer(Vec<Field>);

impl Layer {
    /// The first layer of a search, which holds `field` alone.
    pub fn root(field: Field, is_rain: bool) -> Self {
        Self(vec![after_row(field, is_rain)])
    }

    /// The fields of the layer.
    pub fn fields(&self) -> &[Field] {
        &self.0
    }

    /// Returns the next layer, with the fields of `kept`. Their drops are simulated again, because
    /// this is cheaper than to store the fields of all candidates.
    pub fn descend(
        &self,
        kept: &[Candidate],
        pack: &Pack,
        is_rain: bool,
        known: Option<&Known>,
    ) -> Self {
        let field = |candidate: &Candidate| match candidate.origin {
            Origin::Drop(parent, placement) => {
                after_row(self.0[parent as usize].drop_pack(pack, placement).field, is_rain)
            }
            Origin::Known(place) => {
                known.map(|known| known.field(place)).expect("a candidate of a known layer")
            }
        };
        Self(kept.par_iter().with_min_len(LEAST_DROPS).map(field).collect())
    }
}

/// The origin of each field, for every layer but the first.
pub struct Trail<'a> {
    layers: Vec<Vec<Origin>>,
    known: &'a Tree,
}

impl<'a> Trail<'a> {
    /// The trail of a search that starts with the tree `known`.
    pub const fn new(known: &'a Tree) -> Self {
        Self { layers: Vec::new(), known }
    }

    /// Adds a layer.
    pub fn push(&mut self, kept: &[Candidate]) {
        self.layers.push(kept.iter().map(|candidate| candidate.origin).collect());
    }

    /// Returns the drops that lead to the field of index `field` in the last layer.
    pub fn path_to(&self, field: u32) -> Vec<Placement> {
        let mut path = Vec::with_capacity(self.layers.len() + 1);
        let mut at = field;
        for (ply, layer) in self.layers.iter().enumerate().rev() {
            match layer[at as usize] {
                Origin::Drop(parent, placement) => {
                    path.push(placement);
                    at = parent;
                }
                Origin::Known(place) => {
                    let known = self.known.layer(ply).map(|known| known.path(place));
                    path.extend(known.into_iter().flatten().rev());
                    break;
                }
            }
        }
        path.reverse();
        path
    }
}
