//! Drawn fields and packs.

use tensai::analysis::triggers;
use tensai::board::{ChildBuffer, Field, Kernel};
use tensai::game::{Cells, Chain, Situation};

use super::Target;
use crate::checks::{message, text};

/// What `analyse` reads, and fields that are drawn alone.
pub const SITUATION: Target = Target {
    words: &["12/34", ".5/67", "END", "..........", "#123456789", "1 2", "\n\n", "\u{85}", "10/10"],
    ..Target::new("situation", run)
};

fn run(data: &[u8]) -> Option<String> {
    let text = text(data);
    if let Err(error) = text.parse::<Cells>().map(|field| {
        assert_eq!(field.to_string().parse(), Ok(field), "a drawing reads back");
    }) {
        message(error);
    }
    let situation = match text.parse::<Situation>() {
        Ok(situation) => situation,
        Err(error) => return message(error),
    };
    let fields = situation.fields.iter().map(Cells::to_string).collect::<Vec<_>>().join("\n");
    let packs = situation.packs.iter().map(|pack| {
        let [a, b, c, d] = pack.codes();
        format!("{a}{b}/{c}{d}\n")
    });
    let written = format!("{fields}\n{}", packs.collect::<String>());
    assert_eq!(written.parse(), Ok(situation.clone()), "what is written reads back");
    for &field in &situation.fields {
        let longest = triggers(&field, Chain(1)).first().map_or(0, |trigger| trigger.chain().0);
        let slow = field.potential();
        for &kernel in Kernel::available() {
            let fast = Field::from_cells(&field).potential(&mut ChildBuffer::of(kernel));
            assert_eq!(fast, slow, "{kernel:?} and the reference agree on a drawn field");
        }
        assert!(longest <= 100, "a chain of {longest}");
    }
    None
}
