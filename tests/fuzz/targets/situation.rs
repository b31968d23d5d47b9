//! Situations.

use tensai::analysis::{Situation, triggers};
use tensai::board::{Backend, ChildBuffer, Field};
use tensai::game::{Cells, Chain};

use super::FuzzTarget;
use crate::checks::{message, text};

/// Situations, and fields that are drawn alone.
pub const SITUATION: FuzzTarget = FuzzTarget {
    words: &[
        "packs = [",
        "\"12/34\"",
        "\".5/67\"",
        "]\n",
        "..........\n",
        "#123456789\n",
        "\n[own]\n",
        "\n[opponent]\n",
        "\n[[next]]\n",
        "[next.own]\n",
        "field = \"\"\"\n",
        "\"\"\"\n",
        "turn = 5\n",
        "time = \"9s\"\n",
        "stock = 5\n",
        "expect = ['chain = 8']\n",
        "[classic]\n",
        "\u{85}",
    ],
    ..FuzzTarget::new("situation", run)
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
    let written = situation.to_string();
    let turn = situation.clone();
    let turn = Situation { expect: Vec::new(), classic: None, next: Vec::new(), ..turn };
    assert_eq!(written.parse(), Ok(turn), "what is written reads back: {written}");
    let players = match situation.given_players() {
        Ok(players) => players,
        Err(error) => return message(error),
    };
    for field in players.into_iter().map(|player| player.field) {
        let longest = triggers(&field, Chain(1)).first().map_or(0, |trigger| trigger.chain().0);
        let slow = field.potential();
        for backend in Backend::available() {
            let fast = Field::from_cells(&field).potential(&mut ChildBuffer::of(backend));
            assert_eq!(fast, slow, "{backend} and the reference agree on a drawn field");
        }
        assert!(longest <= 100, "a chain of {longest}");
    }
    None
}
