//! The assertions of all targets.

use tensai::game::Packs;
use tensai::util::sanitize::{MESSAGE, visible};

/// The seed of the packs that an abbreviation stands for.
const SEED: u64 = 3;

/// Asserts that a refusal is one short line that a terminal shows as it is: without escape
/// sequences, ends of lines, marks of direction or characters without width, and no longer than
/// the maximum of a message on standard error. Returns the message.
pub fn message(error: impl ToString) -> Option<String> {
    let message = error.to_string();
    assert!(!message.trim().is_empty(), "a refusal says why");
    assert_eq!(visible(&message, MESSAGE).to_string(), message, "a message is shown as it is");
    Some(message)
}

/// Returns the bytes as text, with U+FFFD for bytes that are not UTF-8.
pub fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// The text with the packs of a game for each of the first three lines `PACKS`.
pub fn with_packs(data: &[u8]) -> Vec<u8> {
    const MOST: usize = 3;
    let packs = Packs::from_seed(SEED).to_string();
    let mut expanded = Vec::with_capacity(data.len());
    let mut found = 0;
    for line in data.split_inclusive(|&byte| byte == b'\n') {
        if line.trim_ascii() == b"PACKS" && found < MOST {
            found += 1;
            expanded.extend(packs.as_bytes());
        } else {
            expanded.extend(line);
        }
    }
    expanded
}

/// The JSON with the packs of a game for the first `"packs":[]`.
pub fn with_packs_in_json(data: &[u8]) -> Vec<u8> {
    const SHORT: &[u8] = b"\"packs\":[]";
    let Some(at) = data.windows(SHORT.len()).position(|window| window == SHORT) else {
        return data.to_vec();
    };
    let packs = Packs::from_seed(SEED);
    let rows: Vec<_> = packs.from_turn(0).iter().map(|pack| pack.rows()).collect();
    let json = format!("\"packs\":{}", serde_json::to_string(&rows).unwrap());
    [&data[..at], json.as_bytes(), &data[at + SHORT.len()..]].concat()
}
