//! `tensai record page` as a process. `tests/browser` tests the content of the pages.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::path::Path;

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use serde_json::{Value, json};
use tensai::game::TURNS;
use tensai::record::Record;
use tensai::web::api::{NoProgress, handle};
use tensai::web::pages::Page;

use crate::official::write_official;
use crate::run::{names, ok_in, play, refused_in, run_in};

const OFFICIAL: &str = include_str!("../data/official_20190510_1814.json");

/// Returns the data that a page embeds.
pub fn data(page: &Path) -> Value {
    let text = fs::read_to_string(page).unwrap();
    assert!(text.starts_with("<!doctype html>") && text.ends_with("</html>"));
    let (_, rest) = text.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_has_the_games_of_files_folders_and_replays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let page = folder.join("pages/page.html");
    let evil = "--engine name=</script><b>";
    let [flag, name] = evil.split_once(' ').map(|(a, b)| [a, b]).unwrap();
    let arguments =
        ["match", flag, name, "cmd=tensai", "nodes=2000", "--engine", "cmd=tensai", "nodes=1000"];
    ok_in(folder, &[&arguments[..], &["--rounds", "2", "--seed", "1", "--records", "g"]].concat());
    fs::write(folder.join("g/notes.txt"), "no game").unwrap();
    ok_in(folder, &["record", "page", "g", "g/0002.json", "-o", "pages/page.html"]);
    let games = data(&page)["games"].as_array().unwrap().clone();
    assert_eq!(
        games.len(),
        2,
        "neither match.json nor notes are games, and each game is shown once"
    );
    assert_eq!(games[0]["names"][0], "</script><b>");
    let record = Record::read(&folder.join("g/0001.json")).unwrap();
    assert_eq!(games[0]["outcome"], record.outcome());
    let turns = games[0]["turns"].as_array().unwrap();
    assert_eq!(turns.len(), record.turns.len());
    // The text that the page offers for sharing is the game.
    let params = json!({ "text": games[0]["shared"] }).to_string();
    let shared = handle("unshare", &params, &mut NoProgress::default()).unwrap();
    let shared: Value = serde_json::from_str(shared.get()).unwrap();
    let actions: Vec<&Value> = turns.iter().map(|turn| &turn["actions"]).collect();
    assert_eq!(shared["game"]["actions"], json!(actions));
    assert_eq!(shared["game"]["names"], games[0]["names"]);
    // An earlier page is overwritten. A match in the official format has its packs beside it.
    write_official(folder, &["g/0001.json", "g/0002.json"], "official.json");
    ok_in(folder, &["record", "page", "official.json", "-o", "pages/page.html"]);
    let official = data(&page)["games"].as_array().unwrap().clone();
    assert_eq!(official.len(), 2);
    assert_eq!(official[1]["turns"][5]["steps"], games[1]["turns"][5]["steps"]);
    assert_eq!(official[1]["packs_from"], "official.2.pack");
    assert_eq!(names(&folder.join("pages")), ["page.html"], "and nothing else");
}

#[test]
fn files_that_cannot_be_shown_are_refused_with_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("notes.txt"), "mine\n").unwrap();
    fs::write(folder.join("broken.json"), "{\"format\":").unwrap();
    fs::write(folder.join("official.json"), OFFICIAL).unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    let random = play(&["--a", "tensai --engine random --seed 2", "--seed", "1"]).0;
    let mut odd = random.clone();
    odd.turns[2].answers[1] = "9 9".to_owned();
    random.write(&folder.join("good.json")).unwrap();
    odd.write(&folder.join("odd.json")).unwrap();
    for (arguments, message) in [
        (&["none.json", "-o", "p.html"][..], "none.json: cannot read"),
        (
            &["good.json", "broken.json", "-o", "p.html"],
            "broken.json: not a game record: expected JSON, found the end of the text",
        ),
        (&["odd.json", "-o", "p.html"], "odd.json: not a game record: turn 2: player 1: expected"),
        (&["official.json", "-o", "p.html"], "official.1.pack: no such file, and the packs"),
        (&["empty", "-o", "p.html"], "empty: it contains no game record"),
        (
            &["good.json", "-o", "notes.txt"],
            "notes.txt: cannot write: it exists already and is not",
        ),
        (&["good.json", "-o", "empty"], "empty: cannot write"),
        (&["good.json", "-o", "notes.txt/p.html"], "notes.txt/p.html: cannot"),
        (&["good.json"], "--output <FILE>"),
        (&["-o", "p.html"], "<RECORD>..."),
    ] {
        let said = refused_in(folder, &[&["record", "page"], arguments].concat());
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
    let there = ["broken.json", "empty", "good.json", "notes.txt", "odd.json", "official.json"];
    assert_eq!(names(folder), there, "nothing was written");
    assert_eq!(fs::read_to_string(folder.join("notes.txt")).unwrap(), "mine\n");
}

#[test]
fn the_offline_page_is_written_around_webassembly_only() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("tensai.wasm"), b"\0asm\x01\0\0\0").unwrap();
    fs::write(folder.join("notes.txt"), "mine\n").unwrap();
    for _ in 0..2 {
        ok_in(folder, &["dev", "page", "tensai.wasm", "-o", "client.html"]);
    }
    let page = fs::read_to_string(folder.join("client.html")).unwrap();
    assert!(page.contains("\"host\":\"offline\"") && page.contains("wasm-unsafe-eval"));
    assert_eq!(ok_in(folder, &["dev", "page", "tensai.wasm", "-o", "-"]), page);
    for (wasm, output, what) in [
        (
            "notes.txt",
            "other.html",
            "notes.txt: cannot read: it is not WebAssembly; `.ci/wasm build` makes",
        ),
        ("missing.wasm", "other.html", "missing.wasm: cannot read: "),
        ("tensai.wasm", "notes.txt", "notes.txt: cannot write: it exists already"),
    ] {
        let said = refused_in(folder, &["dev", "page", wasm, "-o", output]);
        assert!(said.starts_with(&format!("tensai: {what}")), "{said}");
    }
    assert_eq!(names(folder), ["client.html", "notes.txt", "tensai.wasm"]);
}

#[test]
fn a_page_is_written_to_a_fifo_a_pipe_and_through_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(&["--a", "tensai --engine random", "--seed", "1"])
        .0
        .write(&folder.join("g.json"))
        .unwrap();
    ok_in(folder, &["record", "page", "g.json", "-o", "page.html"]);
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    for output in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        assert_eq!(ok_in(folder, &["record", "page", "g.json", "-o", output]), page, "{output}");
    }
    let fifo = folder.join("fifo");
    mkfifo(&fifo, Mode::S_IRWXU).unwrap();
    let reader = std::thread::spawn(move || fs::read_to_string(fifo).unwrap());
    assert_eq!(ok_in(folder, &["record", "page", "g.json", "-o", "fifo"]), "");
    assert_eq!(reader.join().unwrap(), page);
    assert!(folder.join("fifo").metadata().unwrap().file_type().is_fifo(), "it is still there");
    // Links: to a page, to a missing file, to another file.
    fs::write(folder.join("notes"), "mine").unwrap();
    for (link, target) in [("old", "page.html"), ("new", "later.html"), ("other", "notes")] {
        symlink(target, folder.join(link)).unwrap();
    }
    fs::write(folder.join("page.html"), &page[..page.len() / 2]).unwrap();
    for (link, target) in [("old", "page.html"), ("new", "later.html")] {
        ok_in(folder, &["record", "page", "g.json", "-o", link]);
        assert!(folder.join(link).is_symlink());
        assert!(!folder.join(target).is_symlink());
        assert_eq!(fs::read_to_string(folder.join(target)).unwrap(), page);
    }
    let said = refused_in(folder, &["record", "page", "g.json", "-o", "other"]);
    assert!(said.starts_with("tensai: other: cannot write: it exists already"), "{said}");
    assert_eq!(fs::read_to_string(folder.join("notes")).unwrap(), "mine");
}

#[test]
fn records_are_read_from_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let random = play(&["--a", "tensai --engine random", "--seed", "1"]).0;
    random.write(&folder.join("g.json")).unwrap();
    let text = fs::read_to_string(folder.join("g.json")).unwrap();
    let input = "/dev/stdin";
    let through = |arguments: &[&str]| crate::checked::said(folder, arguments, &text);
    assert_eq!(
        through(&["record", "check", input]),
        ok_in(folder, &["record", "check", "g.json"]).replace("g.json", input)
    );
    assert_eq!(through(&["replay", input]), ok_in(folder, &["replay", "g.json"]));
    assert_eq!(
        through(&["record", "page", input, "-o", "-"]),
        ok_in(folder, &["record", "page", "g.json", "-o", "-"])
    );
}

#[test]
fn a_large_page_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut record = play(&["--a", "tensai --engine random", "--seed", "1"]).0;
    let mut printed = |records: usize| {
        for number in 1..=records {
            record.number = Some(number);
            // Another game, as equal ones count once.
            record.turns[0].think_us[0] = number as u64;
            record.write(&folder.join(format!("g/{number}.json"))).unwrap();
        }
        let arguments = ["record", "page", "-o", "page.html", "g"];
        let output = run_in(folder, &arguments);
        assert!(output.status.success() && output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    let size = || fs::metadata(folder.join("page.html")).unwrap().len();
    assert_eq!(printed(1), "");
    let one = size();
    assert!(one < 300_000, "{one} bytes");
    assert_eq!(printed(2), "");
    let games = usize::try_from(11_000_000 / (size() - one)).unwrap();
    let (line, size) = (printed(games), size());
    assert!(size >= 10_000_000, "{size} bytes of {games} games, {one} of one");
    let expected = format!("tensai: page.html: {games} games, {} MB, ", size / 1_000_000);
    assert!(line.starts_with(&expected) && line.lines().count() == 1, "{expected}: {line}");
}

/// Five hundred turns of two bots that write as much `info` as this bot.
#[test]
fn a_game_of_500_turns_makes_a_small_page() {
    let bot = "tensai --engine random --seed 5";
    let talkative = play(&["--a", "tensai --nodes 3000", "--b", bot, "--seed", "6"]).0;
    let info = talkative.turns.iter().filter_map(|turn| turn.info[0].clone());
    let info = info.max_by_key(|info| info.to_string().len());
    // A game that never ends: every pack vanishes whole.
    let mut long = talkative.clone();
    long.packs = vec![[[0, 5], [5, 5]]; TURNS];
    let mut turn = long.turns[0].clone();
    turn.answers = ["4 0", "4 0"].map(str::to_owned);
    turn.info = [info.clone(), info];
    long.turns = vec![turn; TURNS];
    assert_eq!(long.replay().unwrap().len(), TURNS);
    let mut page = Page::new();
    page.add(&long).unwrap();
    let size = page.html().len();
    assert!((100_000..1_500_000).contains(&size), "{size} bytes");
}
