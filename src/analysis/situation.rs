//! Situations: turns of a game in TOML, written by people.
//!
//! ```toml
//! # A remark.
//! turn = 30                         # 0 to 499; 0 if not given
//! time = "90s"                      # time that the player has left in the game
//! nodes = 3000000                   # simulated drops of the decision, instead of time
//! packs = ["12/34", ".5/67"]        # from this turn on: upper row, lower row; `.` is empty
//! expect = ["chain = 8"]            # the conditions of the decision
//!
//! [own]
//! stock = 5                         # ojama that wait to fall; each number is 0 if not given
//! gauge = 80
//! score = 121
//! field = """
//! .5........
//! #3......1.
//! """
//!
//! [opponent]                        # the same keys
//!
//! [classic]                         # parameters of the classic engine
//! preset = "online"
//!
//! [[next]]                          # a later turn of the game, with all keys but `classic`
//! turn = 31
//! ```
//!
//! Every key and table may be left out. Rows above the drawn ones are empty. A player of a later
//! turn without `field` keeps the field that the turn before has left.

use std::fmt::{self, Display, Write as _};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, de};
use serde_json::Value;
use thiserror::Error;

use crate::game::{Cells, Gauge, HEIGHT, Pack, Player, Seat, State, Stock, TURNS};
use crate::record::serde_errors::from_toml;
use crate::util::duration;
use crate::util::input_file;
use crate::util::sanitize::quoted;

/// A turn of a game, as people draw it, and later turns of that game.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Situation {
    /// The number of the turn, 0 to 499.
    pub turn: usize,
    /// Time that the player has left in the game.
    #[serde(with = "duration::optional")]
    pub time: Option<Duration>,
    /// Simulated drops of the decision, instead of time.
    pub nodes: Option<u64>,
    /// The packs from this turn on; may be empty.
    #[serde(deserialize_with = "packs")]
    pub packs: Vec<Pack>,
    /// The expectations that the decision must meet.
    pub expect: Vec<Expectation>,
    /// The player that decides.
    pub own: SituationPlayer,
    /// The opponent, if the situation has one.
    pub opponent: Option<SituationPlayer>,
    /// The parameters of the classic engine.
    pub classic: Option<ClassicOptions>,
    /// The later turns, in order. A later turn has no later turns itself.
    pub next: Vec<Self>,
}

/// Parameters of the classic engine; those that are not given have the values of the preset.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ClassicOptions {
    /// The preset; the submitted bot's if it is not given.
    pub preset: Option<ClassicPreset>,
    /// Fields that the opening beam keeps in a layer.
    pub opening_width: Option<usize>,
    /// Fields of a layer of the opening beam that may share a chain length.
    pub opening_cap: Option<usize>,
    /// Fields that a later beam keeps in a layer.
    pub later_width: Option<usize>,
    /// Fields of a layer of a later beam that may share a chain length.
    pub later_cap: Option<usize>,
    /// Fields that the opponent's beam keeps in a layer.
    pub opponent_width: Option<usize>,
    /// Fields of a layer of the opponent's beam that may share a chain length.
    pub opponent_cap: Option<usize>,
    /// Turns in which the plan is always played.
    pub unquestioned: Option<usize>,
}

/// A preset of the classic engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassicPreset {
    /// The bot's online games.
    Online,
    /// The submitted bot.
    Submission,
}

/// A player of a [`Situation`].
#[derive(Clone, Copy, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SituationPlayer {
    /// Ojama that wait to fall.
    pub stock: Stock,
    /// The gauge.
    #[serde(deserialize_with = "gauge")]
    pub gauge: Gauge,
    /// The score.
    pub score: u64,
    /// The field, if it is given.
    #[serde(deserialize_with = "field")]
    pub field: Option<Cells>,
}

/// A condition by which a decision is checked, written as `SUBJECT OPERATOR VALUE`.
///
/// The subject is `chain` (the length that the answer sets off), `action` (the answer), or a JSON
/// pointer into the report of the decision, such as `/classic/kill`. The value is JSON.
#[derive(Clone, PartialEq, Debug)]
pub struct Expectation {
    /// `chain`, `action` or a JSON pointer.
    pub subject: String,
    /// The comparison.
    pub operator: Operator,
    /// The value that the subject is compared with; `null` for [`Operator::Absent`].
    pub value: Value,
}

/// The comparison of an [`Expectation`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `absent`, without a value: the report has no such subject.
    Absent,
}

/// Why a text is not a situation, in one line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct SituationError(String);

impl Situation {
    /// The turn of a state with its coming packs; the player in `seat` decides.
    pub fn of(state: &State<Cells>, seat: Seat, packs: &[Pack]) -> Self {
        /// More packs than any search uses.
        const PACKS: usize = 20;
        Self {
            turn: state.turn,
            packs: packs.iter().take(PACKS).copied().collect(),
            own: SituationPlayer::from(&state[seat]),
            opponent: Some(SituationPlayer::from(&state[seat.other()])),
            ..Self::default()
        }
    }

    /// All turns: this one and the later ones.
    pub fn turns(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.next)
    }

    /// The players whose fields are given: the own one, then the opponent.
    ///
    /// # Errors
    /// The own field, or that of an opponent that is given, is missing.
    pub fn given_players(&self) -> Result<Vec<Player<Cells>>, SituationError> {
        let sides = [("own", Some(self.own)), ("opponent", self.opponent)];
        let sides = sides.into_iter().filter_map(|(name, side)| Some((name, side?)));
        let given = sides.map(|(name, side)| {
            let missing = || SituationError(format!("expected a field in `[{name}]`, found none"));
            side.field.map(|field| side.player(field)).ok_or_else(missing)
        });
        given.collect()
    }

    /// Checks the rules that concern several keys.
    fn check(&self) -> Result<(), String> {
        let mut last = None;
        for (index, turn) in self.turns().enumerate() {
            let name =
                index.checked_sub(1).map_or_else(String::new, |next| format!("next[{next}]."));
            if turn.turn >= TURNS {
                return Err(format!(
                    "`{name}turn`: expected 0 to {}, found {}",
                    TURNS - 1,
                    turn.turn
                ));
            }
            let most = TURNS - turn.turn;
            if turn.packs.len() > most {
                return Err(format!(
                    "`{name}packs`: expected at most {most} from turn {} on, found {}",
                    turn.turn,
                    turn.packs.len()
                ));
            }
            if let Some(last) = last.filter(|&last| turn.turn <= last) {
                return Err(format!(
                    "`{name}turn`: expected a turn after {last}, found {}",
                    turn.turn
                ));
            }
            if !name.is_empty() && !turn.next.is_empty() {
                return Err(format!("`{name}next`: expected all later turns in one list `next`"));
            }
            if !name.is_empty() && turn.classic.is_some() {
                return Err(format!(
                    "`{name}classic`: expected the options with the first turn only"
                ));
            }
            last = Some(turn.turn);
        }
        Ok(())
    }
}

impl SituationPlayer {
    /// The player, with `field` as its field.
    pub const fn player(&self, field: Cells) -> Player<Cells> {
        Player { field, stock: self.stock, gauge: self.gauge, score: self.score }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        writeln!(f, "\n[{name}]")?;
        let numbers =
            [("stock", self.stock), ("gauge", self.gauge.get().into()), ("score", self.score)];
        for (key, number) in numbers.into_iter().filter(|&(_, number)| number != 0) {
            writeln!(f, "{key} = {number}")?;
        }
        let Some(field) = self.field else { return Ok(()) };
        let drawing = field.to_string();
        let empty = |row: &&str| row.chars().all(|symbol| symbol == '.');
        let rows = drawing.lines().skip_while(empty);
        writeln!(
            f,
            "field = \"\"\"\n{}\"\"\"",
            rows.fold(String::new(), |text, row| text + row + "\n")
        )
    }
}

impl From<&Player<Cells>> for SituationPlayer {
    fn from(player: &Player<Cells>) -> Self {
        let Player { field, stock, gauge, score } = *player;
        Self { stock, gauge, score, field: Some(field) }
    }
}

/// The turn as the program writes it: conditions, options and later turns, which only people add, are
/// left out.
impl Display for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Packs on a line.
        const IN_LINE: usize = 10;
        writeln!(f, "turn = {}", self.turn)?;
        if let Some(time) = self.time {
            writeln!(f, "time = \"{}\"", humantime::format_duration(time))?;
        }
        if let Some(nodes) = self.nodes {
            writeln!(f, "nodes = {nodes}")?;
        }
        let packs: Vec<String> =
            self.packs.iter().map(|pack| format!("\"{}\"", word(pack))).collect();
        match &packs[..] {
            [] => {}
            packs if packs.len() <= IN_LINE => writeln!(f, "packs = [{}]", packs.join(", "))?,
            packs => {
                writeln!(f, "packs = [")?;
                for line in packs.chunks(IN_LINE) {
                    writeln!(f, "    {},", line.join(", "))?;
                }
                writeln!(f, "]")?;
            }
        }
        self.own.write(f, "own")?;
        self.opponent.map_or(Ok(()), |opponent| opponent.write(f, "opponent"))
    }
}

impl FromStr for Situation {
    type Err = SituationError;

    fn from_str(text: &str) -> Result<Self, SituationError> {
        input_file::check_length(text.len(), input_file::BY_HAND).map_err(SituationError)?;
        let read =
            from_toml(text).and_then(|situation: Self| situation.check().map(|()| situation));
        read.map_err(SituationError)
    }
}

fn gauge<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Gauge, D::Error> {
    let number = u64::deserialize(deserializer)?;
    let gauge = u8::try_from(number).ok().and_then(Gauge::new);
    gauge.ok_or_else(|| de::Error::custom(format!("expected a gauge, 0 to 100, found {number}")))
}

fn field<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cells>, D::Error> {
    let drawing = String::deserialize(deserializer)?;
    let field: Cells = drawing.parse().map_err(de::Error::custom)?;
    match usize::from(field.heights().into_iter().max().unwrap_or(0)) {
        ..=HEIGHT => Ok(Some(field)),
        height => Err(de::Error::custom(format!(
            "expected a field of at most {HEIGHT} rows, found a block in row {height}"
        ))),
    }
}

fn packs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Pack>, D::Error> {
    let words = Vec::<String>::deserialize(deserializer)?;
    words.iter().map(|word| pack(word).map_err(de::Error::custom)).collect()
}

/// Parses a pack such as `12/34`.
fn pack(word: &str) -> Result<Pack, String> {
    let code = |symbol: char| match symbol {
        '.' => Some(0),
        _ => symbol.to_digit(10).map(|digit| digit as u8),
    };
    let codes = |row: &str| -> Option<[u8; 2]> {
        row.chars().map(code).collect::<Option<Vec<u8>>>()?.try_into().ok()
    };
    let cells = word.split_once('/').and_then(|(upper, lower)| {
        let ([a, b], [c, d]) = (codes(upper)?, codes(lower)?);
        Some([a, b, c, d])
    });
    let cells = cells.ok_or_else(|| {
        format!("expected a pack such as `12/34`, upper row first, found {}", quoted(word))
    })?;
    Pack::new(cells).map_err(|error| format!("{}: {error}", quoted(word)))
}

/// A pack as [`pack`] reads it.
fn word(pack: &Pack) -> String {
    let mut word = String::new();
    for (index, code) in pack.codes().into_iter().enumerate() {
        let separator = if index == 2 { "/" } else { "" };
        // Writing to a string cannot fail.
        let _ = match code {
            0 => write!(word, "{separator}."),
            code => write!(word, "{separator}{code}"),
        };
    }
    word
}

impl Expectation {
    /// Whether a subject with the value `found` meets it; `None` if the report has no such subject.
    pub fn is_met(&self, found: Option<&Value>) -> bool {
        let numbers = || Some((found?.as_f64()?, self.value.as_f64()?));
        let is_equal =
            || numbers().map_or(found == Some(&self.value), |(found, value)| found == value);
        match self.operator {
            Operator::Absent => found.is_none(),
            Operator::Equal => is_equal(),
            Operator::NotEqual => found.is_some() && !is_equal(),
            Operator::Less => numbers().is_some_and(|(found, value)| found < value),
            Operator::Greater => numbers().is_some_and(|(found, value)| found > value),
        }
    }
}

impl FromStr for Expectation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let invalid = || {
            format!(
                "expected `SUBJECT OPERATOR VALUE`, such as `chain = 8`, `/source != \"plan\"` or \
                 `/classic/beam absent`, found {}",
                quoted(text)
            )
        };
        let (subject, rest) = text.split_once(' ').ok_or_else(invalid)?;
        if !matches!(subject, "chain" | "action") && !subject.starts_with('/') {
            return Err(invalid());
        }
        let (operator, value) = rest.split_once(' ').unwrap_or((rest, ""));
        let operator = match operator {
            "=" => Operator::Equal,
            "!=" => Operator::NotEqual,
            "<" => Operator::Less,
            ">" => Operator::Greater,
            "absent" if value.is_empty() => Operator::Absent,
            _ => return Err(invalid()),
        };
        let value = match operator {
            Operator::Absent => Value::Null,
            _ => serde_json::from_str(value).map_err(|_| invalid())?,
        };
        Ok(Self { subject: subject.to_owned(), operator, value })
    }
}

impl Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, operator, value } = self;
        match operator {
            Operator::Equal => write!(f, "{subject} = {value}"),
            Operator::NotEqual => write!(f, "{subject} != {value}"),
            Operator::Less => write!(f, "{subject} < {value}"),
            Operator::Greater => write!(f, "{subject} > {value}"),
            Operator::Absent => write!(f, "{subject} absent"),
        }
    }
}

impl<'de> Deserialize<'de> for Expectation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"turn = 30
time = "1m 30s"
nodes = 3000000
packs = ["12/34", ".5/67"]
expect = [
    'chain = 8',
    '/source != "plan"',
    '/classic/beam absent',
]

[own]
stock = 5
gauge = 80
score = 121
field = """
5.........
#3......1.
"""

[opponent]
field = """
"""

[classic]
preset = "online"
unquestioned = 1

[[next]]
turn = 31

[next.own]
stock = 1
"#;

    #[test]
    fn every_key_is_read_and_those_of_a_turn_are_written() {
        let situation: Situation = WHOLE.parse().unwrap();
        assert_eq!((situation.turn, situation.nodes), (30, Some(3_000_000)));
        assert_eq!(situation.time, Some(Duration::from_secs(90)));
        assert_eq!(situation.packs[1].codes(), [0, 5, 6, 7]);
        assert_eq!(situation.own.field.unwrap().heights()[..3], [2, 1, 0]);
        assert_eq!((situation.own.stock, situation.own.gauge.get()), (5, 80));
        assert_eq!(situation.opponent.unwrap().field, Some(Cells::EMPTY));
        assert_eq!(situation.turns().map(|turn| turn.turn).collect::<Vec<_>>(), [30, 31]);
        assert_eq!(situation.next[0].own.field, None);
        assert_eq!((situation.expect.len(), situation.classic.is_some()), (3, true));
        let turn = Situation { expect: Vec::new(), classic: None, next: Vec::new(), ..situation };
        assert_eq!(turn.to_string().parse(), Ok(turn));
    }

    #[test]
    fn a_field_alone_is_a_situation() {
        let situation: Situation = "own.field = \"5.........\"".parse().unwrap();
        let [player] = situation.given_players().unwrap()[..] else { panic!("one player") };
        assert_eq!((player.field.heights()[0], player.score), (1, 0));
        assert!(situation.packs.is_empty() && situation.expect.is_empty());
    }

    #[test]
    fn errors_name_the_line_and_the_key() {
        let refused = |text: &str| text.parse::<Situation>().unwrap_err().to_string();
        for (text, message) in [
            (
                "turn = 3\n[own]\nfield = '''\n..........\n.........'''",
                "line 3, `own.field`: row 2 of the drawing: expected 10 cells, found 9",
            ),
            (
                "[own]\nfield = '''\n5.........\n..........'''",
                "line 2, `own.field`: column 0, row 2 from the bottom: a block stands over an \
                 empty cell",
            ),
            ("turns = 3", "line 1: unknown field `turns`, expected one of"),
            ("own.gauge = 101", "line 1, `own.gauge`: expected a gauge, 0 to 100, found 101"),
            ("packs = ['12/3']", "expected a pack such as `12/34`, upper row first, found `12/3`"),
            ("packs = ['10/30']", "`10/30`: a pack holds 3 or 4 blocks, found 2"),
            ("expect = ['chain is 8']", "expected `SUBJECT OPERATOR VALUE`, such as `chain = 8`"),
            ("turn = 500", "`turn`: expected 0 to 499, found 500"),
            (
                "turn = 498\npacks = ['12/34', '12/34', '12/34']",
                "`packs`: expected at most 2 from turn 498 on, found 3",
            ),
            ("[classic]\nrival-width = 3", "line 2: unknown field `rival-width`, expected one of"),
            (
                "classic.unquestioned = -1",
                "line 1, `classic.unquestioned`: expected a whole number from 0, found `-1`",
            ),
            ("[[next]]\nturn = 0", "`next[0].turn`: expected a turn after 0, found 0"),
            ("[[next]]\nturn = 1\n[next.classic]", "`next[0].classic`: expected the options with"),
        ] {
            let refused = refused(text);
            assert!(refused.contains(message), "{refused}");
        }
        let tower = format!("[own]\nfield = '''\n{}'''", "5.........\n".repeat(17));
        assert!(refused(&tower).ends_with("at most 16 rows, found a block in row 17"));
        let empty = Situation::default().given_players().unwrap_err().to_string();
        assert_eq!(empty, "expected a field in `[own]`, found none");
    }

    #[test]
    fn expectations_compare_values() {
        let met = |text: &str, found: Option<Value>| {
            text.parse::<Expectation>().unwrap().is_met(found.as_ref())
        };
        assert!(met("chain = 8", Some(8.into())) && !met("chain = 8", None));
        assert!(met("/x = 8.0", Some(8.into())) && met("action = \"S\"", Some("S".into())));
        assert!(met("chain < 8", Some(7.into())) && !met("chain < 8", Some(8.into())));
        assert!(met("chain > 8", Some(9.into())) && !met("/x > 8", Some("9".into())));
        assert!(met("/x != 8", Some(9.into())) && !met("/x != 8", None));
        assert!(met("/x = 8.0", Some(8.into())) && !met("/x != 8.0", Some(8.into())));
        assert!(met("/x absent", None) && !met("/x absent", Some(Value::Null)));
    }
}
