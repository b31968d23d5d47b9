//! The rows of ojama that are due on the fields of a layer.

use crate::board::{Field, FieldSummary};
use crate::game::HEIGHT;
use crate::search::Rain;

/// The rows that are still to fall after a ply.
#[derive(Clone, Copy, Debug)]
pub struct DueRain {
    /// The number of rows.
    pub rows: u32,
    /// Whether a row falls before the next drop.
    is_next: bool,
}

impl DueRain {
    /// The rows of `rain` after `ply`.
    pub fn after(ply: usize, rain: &Rain) -> Self {
        Self { rows: rain.rows_from(ply + 1), is_next: rain.falls_at(ply + 1) }
    }

    /// `field` after the row that falls before the next drop, if one does, and the number of
    /// further rows that fall, or that end the game.
    #[inline]
    pub fn prepare(self, field: &Field) -> (Field, u8) {
        if self.rows == 0 {
            return (*field, 0);
        }
        let next_row = u32::from(self.is_next);
        let until_over = (HEIGHT as u32 + 1).saturating_sub(u32::from(field.tallest()) + next_row);
        let more = (self.rows - next_row).min(until_over);
        (after_row(*field, self.is_next), more as u8)
    }

    /// The summary of the field before [`Self::prepare`], from the summary of the field after it.
    #[inline]
    pub fn before(self, mut after: FieldSummary) -> FieldSummary {
        after.heights.iter_mut().for_each(|height| *height -= u8::from(self.is_next));
        after
    }
}

/// Returns `field`, after a row of ojama if `falls`.
pub fn after_row(mut field: Field, falls: bool) -> Field {
    if falls {
        field.rain();
    }
    field
}
