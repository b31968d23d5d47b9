//! Games in the format of the official client.

use std::path::Path;

use serde_json::json;
use tensai::game::{Fault, Seat};
use tensai::record::Record;
use tensai::record::official::packs_path;

/// Writes the games of `records` as the official client does: a match in one file, here with the
/// packs of its games beside it.
pub fn write_official(folder: &Path, records: &[&str], file: &str) {
    let games = records.iter().map(|record| Record::read(&folder.join(record)).unwrap());
    let games: Vec<Record> = games.collect();
    let file = folder.join(file);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let (mut outputs, mut times) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for (number, game) in (1..).zip(&games) {
        std::fs::write(packs_path(&file, number), game.packs().unwrap().to_string()).unwrap();
        for seat in Seat::BOTH {
            let (output, times) = (&mut outputs[seat.index()], &mut times[seat.index()]);
            if number == 1 {
                output.push(game.name(seat));
            }
            for turn in &game.turns {
                output.push(turn.answers[seat.index()].clone() + "\n");
                times.push(turn.think_us[seat.index()] * 1000);
            }
            // In the turn of a fault, a late answer is missing, and its time is beyond the limit.
            let faults = &game.result.faults;
            if *faults != [None, None] {
                let fault = faults[seat.index()].as_ref();
                let is_late = fault.is_some_and(|fault| fault.fault == Fault::OutOfTime);
                let answer = fault.map_or(Some("0 0"), |fault| fault.answer.as_deref());
                output.push(if is_late { String::new() } else { format!("{}\n", answer.unwrap()) });
                times.push(if is_late { 180_000_000_001 } else { 0 });
            }
        }
    }
    let official = json!({
        "gameSeed": 0, "allBattle": games.len(), "isOnline": false, "currentVersion": "1.0",
        "mapSize": "SMALL", "mapSeed": 0, "bgmSeed": 0, "output0": outputs[0],
        "output1": outputs[1], "thinkTime0": times[0], "thinkTime1": times[1],
    });
    std::fs::write(file, official.to_string()).unwrap();
}
