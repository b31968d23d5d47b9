//! Each kit is built by its `compile.sh`, passes the golden vectors, answers by its documented
//! rules and plays a match without a fault.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tensai::game::{Action, Packs, Seat, TURNS};
use tensai::protocol::writer;
use tensai::record::Record;

use crate::greedy::greedy;
use crate::running::run;
use crate::vectors::{self, GoldenVector};

/// A kit in `examples/`.
struct Kit {
    /// The folder.
    name: &'static str,
    /// The programs that it needs, and the Debian package that has them.
    needs: &'static [&'static str],
    package: &'static str,
    /// The command that tests its simulator, in the kit's folder after `compile.sh`.
    test: &'static [&'static str],
}

const PYTHON: Kit = Kit {
    name: "python",
    needs: &["python3"],
    package: "python3",
    test: &["python3", "test_simulator.py"],
};
const CPP: Kit =
    Kit { name: "cpp", needs: &["g++"], package: "g++", test: &["build/test_simulator"] };
const JAVA: Kit = Kit {
    name: "java",
    needs: &["javac", "java"],
    package: "default-jdk-headless",
    test: &["java", "-Xmx256m", "-cp", "build", "SimulatorTest"],
};
const RUST: Kit = Kit {
    name: "rust",
    needs: &["cargo"],
    package: "cargo",
    test: &["cargo", "test", "--quiet", "--locked", "--offline", "--target-dir", "target"],
};

#[test]
fn python_kit() {
    check(&PYTHON);
}

#[test]
fn cpp_kit() {
    check(&CPP);
}

#[test]
fn java_kit() {
    check(&JAVA);
}

#[test]
fn rust_kit() {
    check(&RUST);
}

/// A copy of a kit that is built. The checkout stays as it is.
struct Built {
    folder: PathBuf,
    _parent: TempDir,
}

fn check(kit: &Kit) {
    if is_missing(kit.name, kit.needs, kit.package) {
        return;
    }
    let built = build(kit);
    passes_the_vectors(kit, &built);
    answers_by_its_rules(kit, &built);
    plays_without_a_fault(kit, &built);
}

/// Whether a program that a kit needs is missing, which is said, unless `TENSAI_KITS=required`.
pub fn is_missing(name: &str, needs: &[&str], package: &str) -> bool {
    let missing = needs.iter().find(|program| which::which(program).is_err());
    let Some(program) = missing else { return false };
    let required = std::env::var_os("TENSAI_KITS").is_some_and(|set| set == "required");
    assert!(!required, "TENSAI_KITS=required, and there is no `{program}`");
    // Not by the macro, whose words are kept from the terminal where a test passes.
    let said = writeln!(
        io::stderr(),
        "skipped: the kit `{name}` needs `{program}` (`apt-get install {package}`)"
    );
    said.unwrap();
    true
}

/// Copies a kit and the vectors beside it, and runs its `compile.sh`.
fn build(kit: &Kit) -> Built {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let parent = tempfile::tempdir().unwrap();
    for name in [kit.name, "vectors"] {
        copy(&examples.join(name), &parent.path().join(name));
    }
    let folder = parent.path().join(kit.name);
    let said = command(&folder, &["./compile.sh"], "");
    assert_eq!(said, "", "the contest's runner takes standard output for answers");
    Built { folder, _parent: parent }
}

/// Copies a folder without what earlier builds left in it.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if !path.is_dir() {
            fs::copy(&path, &copied).unwrap();
        } else if !["target", "build", "__pycache__"].map(Into::into).contains(&entry.file_name()) {
            copy(&path, &copied);
        }
    }
}

/// Runs a command in a folder with an input; it must succeed. Its standard output.
pub fn command(folder: &Path, words: &[&str], input: &str) -> String {
    let program = Path::new(words[0]);
    let program =
        if program.components().count() > 1 { folder.join(program) } else { program.to_owned() };
    let mut running = Command::new(program)
        .args(&words[1..])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = running.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = running.wait_with_output().unwrap();
    let written = writer.join().unwrap();
    let [said, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{words:?}: {}\n{said}{errors}", output.status);
    written.unwrap();
    said
}

/// The kit's own test passes, and notices when a vector is wrong.
fn passes_the_vectors(kit: &Kit, built: &Built) {
    command(&built.folder, kit.test, "");
    let file = built.folder.with_file_name("vectors").join("rules.txt");
    let text = fs::read_to_string(&file).unwrap();
    let wrong = text.replacen("result 0 3 0 2", "result 0 3 0 3", 1);
    assert_ne!(text, wrong);
    fs::write(&file, wrong).unwrap();
    let [program, arguments @ ..] = kit.test else { panic!("{}: no test", kit.name) };
    let program = if program.contains('/') { built.folder.join(program) } else { program.into() };
    let output = Command::new(program).args(arguments).current_dir(&built.folder).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(!output.status.success() && said.contains("chain_of_3"), "{}: {said}", kit.name);
    fs::write(&file, text).unwrap();
}

/// The input of a game in which the turns of `asked` follow each other, for the player in seat 0.
/// Each turn has the pack of its vector.
fn input(asked: &[&GoldenVector]) -> String {
    let packs = Packs::from_seed(1);
    let pack_of = |turn: usize| {
        let vector = asked.iter().find(|vector| vector.before.turn == turn);
        vector.map_or_else(|| *packs.get(turn).unwrap(), |vector| vector.pack)
    };
    let packs = Packs::new((0..TURNS).map(pack_of).collect()).unwrap();
    let mut input = packs.to_string();
    for vector in asked {
        input += &writer::turn(&vector.before, Seat::First, [Duration::from_secs(180); 2]);
    }
    input
}

/// Two games, one after the other in one process, as recorded input files have them.
fn answers_by_its_rules(kit: &Kit, built: &Built) {
    let games = vectors::read("games.txt");
    let games = ["game_1", "game_2"].map(|name| {
        games.iter().filter(|vector| vector.name == name).collect::<Vec<&GoldenVector>>()
    });
    let asked = || games.iter().flatten();
    let input = games.iter().fold(String::new(), |text, game| text + &input(game));
    let answers = |words: &[&str]| {
        let said = command(&built.folder, &[&["./run.sh"], words].concat(), &input);
        let mut lines = said.lines().map(str::to_owned);
        let name = lines.next().unwrap();
        let bot = words.first().unwrap_or(&"greedy");
        assert_eq!(name, format!("{bot}-{}", kit.name));
        lines.collect::<Vec<String>>()
    };

    let due: Vec<String> = asked()
        .map(|vector| greedy(&vector.before[Seat::First], &vector.pack).to_string())
        .collect();
    assert!(due.contains(&"S".to_owned()), "a turn in which the skill pays");
    assert_eq!(answers(&[]), due, "{}: the greedy bot", kit.name);

    let [first, again, other] = ["7", "7", "8"].map(|seed| answers(&["random", seed]));
    assert_eq!(first, again, "{}: the random bot follows from its seed", kit.name);
    assert_ne!(first, other, "{}: seeds differ", kit.name);
    assert_eq!(first.len(), due.len());
    let mut drops = [0; 36];
    for (vector, answer) in asked().zip(first.iter()).chain(asked().zip(other.iter())) {
        match answer.parse().unwrap() {
            Action::Drop(placement) => drops[placement.index()] += 1,
            Action::Skill => assert!(vector.before[Seat::First].gauge.allows_skill()),
        }
    }
    let used = drops.iter().filter(|&&count| count > 0).count();
    assert!(used > 30, "{}: the random bot uses all drops: {drops:?}", kit.name);
}

/// A match of the greedy and the random bot, two games: no fault, and the greedy bot wins.
fn plays_without_a_fault(kit: &Kit, built: &Built) {
    let dir = format!("dir={}", built.folder.display());
    let games = tempfile::tempdir().unwrap();
    let greedy = ["--engine", "name=greedy", "cmd=./run.sh", &dir];
    let random = ["--engine", "name=random", "cmd=./run.sh random 3", &dir];
    let more = ["--seed", "11", "--rounds", "2", "--no-pin", "--records", "games", "--json"];
    let arguments = [&["match"], &greedy[..], &random, &more].concat();
    let output = run(games.path(), &arguments, b"");
    let report = String::from_utf8_lossy(&output.stdout);
    let mut context = String::new();
    let _ = write!(context, "{}: {report}{}", kit.name, String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{context}");
    let _: Value = serde_json::from_str(&report).unwrap();
    for number in 1..=2 {
        let record = Record::read(&games.path().join(format!("games/000{number}.json"))).unwrap();
        assert!(record.result.faults.iter().all(Option::is_none), "{context}");
        let winner = match record.result.verdict {
            tensai::game::Verdict::Win(seat) => record.players[seat.index()].engine.as_deref(),
            tensai::game::Verdict::Draw => None,
        };
        assert_eq!(winner, Some("greedy"), "{context}");
    }
}
