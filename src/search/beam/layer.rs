//! The layers of a beam search, and the paths to their fields.

use super::candidate::{Candidate, Origin};
use super::due_rain::after_row;
use super::tree::{KnownLayer, Tree};
use crate::board::Field;
use crate::game::{Pack, Placement};

/// The origins of a layer's fields. The drops are simulated again, because this is cheaper than to
/// store the fields of all candidates.
pub struct LayerOrigins<'a> {
    /// The fields of the layer before.
    pub parents: Vec<Field>,
    /// The candidates that the layer has kept.
    pub kept: Vec<Candidate>,
    /// The pack that was dropped.
    pub pack: &'a Pack,
    /// Whether a row of ojama falls after the drop.
    pub is_rain: bool,
    /// The known fields of the layer.
    pub known: Option<&'a KnownLayer>,
}

impl LayerOrigins<'_> {
    /// Computes `fields`, the fields of the layer from the index `first` on.
    pub fn fill(&self, first: usize, fields: &mut [Field]) {
        for (field, candidate) in fields.iter_mut().zip(&self.kept[first..]) {
            *field = match candidate.origin {
                Origin::Drop(parent, placement) => {
                    let parent = &self.parents[parent as usize];
                    after_row(parent.drop_pack(self.pack, placement).field, self.is_rain)
                }
                Origin::Known(place) => self
                    .known
                    .map(|known| known.field(place))
                    .expect("a candidate of a known layer"),
            };
        }
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
