//! The file format of positions: comma-separated values with a line of names, after a comment with
//! their origin.

use crate::engine::win_probability::{MEASURES, Measures, SINGLE, TURNS_AHEAD};
use crate::search::Payoff;
use crate::util::sanitize::{quoted, visible};

use super::TrainingPosition;

/// The number of columns of a player.
const OF_A_PLAYER: usize = SINGLE + TURNS_AHEAD + 1;

/// The columns before those of the players.
const FIRST: [&str; 4] = ["game", "packs", "turn", "result"];

/// Formats positions as a file. `origin` is a line of text.
pub fn write(origin: &str, positions: &[TrainingPosition]) -> String {
    let mut writer = csv::WriterBuilder::new().comment(Some(b'#')).from_writer(Vec::new());
    // Writing to a vector does not fail, and all lines have the same number of columns.
    let wrote = writer.write_record(names());
    wrote.expect("a vector can be written to");
    for position in positions {
        let TrainingPosition { game, packs, turn, result, players, plans } = position;
        let first = [game.clone(), format!("{packs:016x}"), turn.to_string(), result.to_string()];
        let measures = players.iter().zip(plans).flat_map(|(player, plan)| {
            let measures = player.single().into_iter().chain(player.curve);
            let plan = plan.map_or_else(String::new, |plan| plan.0.to_string());
            measures.map(|measure| measure.to_string()).chain([plan])
        });
        let wrote = writer.write_record(first.into_iter().chain(measures));
        wrote.expect("a vector can be written to");
    }
    let lines = writer.into_inner().expect("a vector can be written to");
    format!("# {origin}\n{}", String::from_utf8_lossy(&lines))
}

/// The bytes of the line with the names of the columns that are read; all names take a tenth of it.
const LONGEST_NAMES: usize = 10_000;

/// Reads the text of a file. Returns the line of text with the origin, whole and with visible
/// characters only, and the positions.
///
/// # Errors
/// The message names the first line that is not as expected.
pub fn read(text: &str) -> Result<(String, Vec<TrainingPosition>), String> {
    let origin = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default();
    let reader = |text| csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text);
    let expected = names();
    // The names are read from the beginning of their line alone: the line of another file may be as
    // long as the file.
    let line = text.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
    let line = &line.as_bytes()[..line.len().min(LONGEST_NAMES)];
    let mut header = reader(line);
    let found = header.headers().map_err(|error| error.to_string())?;
    if found.iter().ne(&expected) {
        let place = found.iter().zip(&expected).position(|(found, expected)| found != expected);
        let place = place.unwrap_or(found.len().min(expected.len()));
        let name = |name: Option<&str>| name.map_or_else(|| "none".to_owned(), quoted);
        return Err(format!(
            "column {}: expected {}, found {}; `tensai dev learn data` makes such files",
            place + 1,
            name(expected.get(place).map(String::as_str)),
            name(found.get(place))
        ));
    }
    let mut positions = Vec::new();
    for line in reader(text.as_bytes()).records() {
        let line = line.map_err(|error| error.to_string())?;
        let number = line.position().map_or(0, csv::Position::line);
        positions.push(position(&line).map_err(|reason| format!("line {number}: {reason}"))?);
    }
    // Not cut here: a text that was cut would be cut again when it is written and read.
    Ok((visible(origin, usize::MAX).to_string(), positions))
}

fn names() -> Vec<String> {
    let of_a_player = |whose: &'static str| {
        let single = MEASURES.map(|name| format!("{whose}-{name}"));
        let curve = (1..=TURNS_AHEAD).map(move |turns| format!("{whose}-{turns}"));
        single.into_iter().chain(curve).chain([format!("{whose}-plan")])
    };
    let first = FIRST.map(str::to_owned).into_iter();
    first.chain(of_a_player("own")).chain(of_a_player("opponent")).collect()
}

fn position(line: &csv::StringRecord) -> Result<TrainingPosition, String> {
    let column = |index: usize| line.get(index).unwrap_or_default();
    let invalid = |index: usize, expected: &str| {
        let name = &names()[index];
        format!("{name}: expected {expected}, found {}", quoted(column(index)))
    };
    let packs = u64::from_str_radix(column(1), 16);
    let result = column(3).parse().ok().filter(|result| [0.0, 0.5, 1.0].contains(result));
    let measure = |index: usize| {
        let measure = column(index).parse::<u64>();
        measure.map_err(|_| invalid(index, "a whole number"))
    };
    let player = |from: usize| {
        let (mut single, mut curve) = ([0; SINGLE], [0; TURNS_AHEAD]);
        for (index, measured) in (from..).zip(single.iter_mut().chain(&mut curve)) {
            *measured = measure(index)?;
        }
        let last = from + OF_A_PLAYER - 1;
        let value = || column(last).parse().ok().filter(|plan| (-1.0..=1.0).contains(plan));
        let plan = match column(last) {
            "" => None,
            _ => Some(Payoff(
                value().ok_or_else(|| invalid(last, "a value of -1 to 1, or nothing"))?,
            )),
        };
        Ok::<_, String>((Measures::from_parts(single, curve), plan))
    };
    let (own, own_plan) = player(FIRST.len())?;
    let (opponent, opponents_plan) = player(FIRST.len() + OF_A_PLAYER)?;
    Ok(TrainingPosition {
        game: column(0).to_owned(),
        packs: packs.map_err(|_| invalid(1, "a hash of 16 digits"))?,
        turn: column(2).parse().map_err(|_| invalid(2, "a turn"))?,
        result: result.ok_or_else(|| invalid(3, "1, 0.5 or 0"))?,
        players: [own, opponent],
        plans: [own_plan, opponents_plan],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions() -> Vec<TrainingPosition> {
        let player = |stock| {
            let curve = std::array::from_fn(|turn| turn as u64 * stock);
            Measures::from_parts([stock, 2, 3, 4, 5, 6, 7, 8], curve)
        };
        [(1.0, 6), (0.5, 77), (0.0, 120)]
            .map(|(result, turn)| TrainingPosition {
                game: "m/0001".to_owned(),
                packs: 0xfeed << 44,
                turn,
                result,
                players: [player(turn as u64), player(1)],
                plans: [Some(Payoff(0.125)), None],
            })
            .to_vec()
    }

    #[test]
    fn positions_read_back() {
        let text = write("tensai dev learn data", &positions());
        assert_eq!(read(&text), Ok(("tensai dev learn data".to_owned(), positions())));
    }

    /// Found by the fuzz target `positions`: the origin was cut again with each reading.
    #[test]
    fn a_long_origin_reads_back() {
        let text = write(&format!("tensai\0learn{}", " data".repeat(99)), &positions());
        let (origin, positions) = read(&text).unwrap();
        assert!(
            origin.starts_with("tensai\\u{0}learn data") && origin.ends_with(" data"),
            "{origin}"
        );
        assert_eq!(read(&write(&origin, &positions)), Ok((origin, positions)));
    }

    #[test]
    fn errors_name_the_line_and_column() {
        let text = write("x", &positions());
        let refused = |text: &str| read(text).unwrap_err();
        let wrong = text.replacen(",77,0.5,", ",77,0.6,", 1);
        assert_eq!(refused(&wrong), "line 4: result: expected 1, 0.5 or 0, found `0.6`");
        let wrong = text.replacen(",77,0.5,77,", ",77,0.5,x,", 1);
        assert_eq!(refused(&wrong), "line 4: own-stock: expected a whole number, found `x`");
        let wrong = text.replacen(",0.125,", ",1.5,", 1);
        assert_eq!(
            refused(&wrong),
            "line 3: own-plan: expected a value of -1 to 1, or nothing, found `1.5`"
        );
        let wrong = text.replacen("own-ojama", "ojama", 1);
        assert!(
            refused(&wrong).starts_with("column 6: expected `own-ojama`, found `ojama`"),
            "{}",
            refused(&wrong)
        );
        assert!(refused("").starts_with("column 1: expected `game`, found none"));
        let short = text.rsplit_once(',').unwrap().0;
        assert!(refused(short).contains("line: 5"), "{}", refused(short));
    }
}
