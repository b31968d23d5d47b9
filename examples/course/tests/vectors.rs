//! The simulator against the golden vectors (`../vectors/README.md`).

use std::fs;
use std::path::Path;

use course::field::{Field, OJAMA};
use course::simulator::{
    chain_score, explosion_score, play_turn, verdict, Action, Pack, Player, SkillNotReady, Verdict,
    WIDTH,
};

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| {
        let hint = "copy the folder examples/vectors beside the folder course";
        panic!("{}: {error}; {hint}", path.display())
    })
}

/// The lines of a vector file as words, without comments and blank lines.
fn records(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split(' ').collect())
}

/// Parses STOCK GAUGE SCORE COLUMN...; a column is given from the bottom, `-` is an empty one.
fn player(words: &[&str]) -> Player {
    assert_eq!(words.len(), 3 + WIDTH, "{words:?}");
    let mut field = Field::default();
    for (x, word) in words[3..].iter().enumerate() {
        let cells = word.bytes().filter(|&symbol| symbol != b'-');
        cells.for_each(|symbol| field.push(x, if symbol == b'#' { OJAMA } else { symbol - b'0' }));
    }
    Player {
        field,
        stock: words[0].parse().unwrap(),
        gauge: words[1].parse().unwrap(),
        score: words[2].parse().unwrap(),
    }
}

fn action(words: &[&str]) -> Action {
    match words {
        ["S"] => Action::Skill,
        [position, rotation] => Action::Drop {
            position: position.parse().unwrap(),
            rotation: rotation.parse().unwrap(),
        },
        _ => panic!("expected an action, found {words:?}"),
    }
}

/// Plays each turn of a file, which is thirteen lines.
fn check(file: &str) {
    let text = read(file);
    let records: Vec<Vec<&str>> = records(&text).collect();
    assert!(!records.is_empty(), "{file}");
    assert_eq!(records.len() % 13, 0, "{file}");
    for turn in records.chunks(13) {
        let name = turn[0][2];
        let number: usize = turn[0][1].parse().unwrap();
        let pack: Vec<u8> = turn[1][1..].iter().map(|word| word.parse().unwrap()).collect();
        let pack: Pack = pack.try_into().unwrap();
        let before = [player(&turn[2][2..]), player(&turn[3][2..])];
        let actions = [action(&turn[6][2..]), action(&turn[7][2..])];
        let (steps, after) = play_turn(&before, pack, actions).unwrap();
        for seat in [0, 1] {
            let skill = if before[seat].can_use_skill() { "yes" } else { "no" };
            assert_eq!(skill, turn[4 + seat][2], "{name}: the skill of player {seat}");
            let step = &steps[seat];
            let result = format!("{} {} {}", step.chain, step.exploded, step.sent());
            assert_eq!(result, turn[8 + seat][2..].join(" "), "{name}: result of player {seat}");
            let expected = player(&turn[10 + seat][2..]);
            assert_eq!(after[seat], expected, "{name}: player {seat} after the turn");
        }
        let end = match verdict(number + 1, &after) {
            None => "-".to_owned(),
            Some(Verdict::Win(seat)) => seat.to_string(),
            Some(Verdict::Draw) => "draw".to_owned(),
        };
        assert_eq!(end, turn[12][1], "{name}: end");
    }
}

#[test]
fn rules() {
    check("rules.txt");
}

#[test]
fn games() {
    check("games.txt");
}

#[test]
fn scores() {
    for words in records(&read("scores.txt")) {
        let count = words[1].parse().unwrap();
        let score = match words[0] {
            "chain" => chain_score(count),
            _ => explosion_score(count),
        };
        assert_eq!([score, score / 2].map(|n| n.to_string())[..], words[2..], "{words:?}");
    }
}

#[test]
fn the_skill_is_refused_below_its_gauge() {
    let player = Player { gauge: 79, ..Player::default() };
    assert_eq!(player.play_half([1, 2, 3, 0], Action::Skill), Err(SkillNotReady));
}
