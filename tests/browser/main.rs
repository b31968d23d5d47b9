//! The page of `tensai view` in a real browser: what it shows is what the rules say.
#![cfg(all(feature = "arena", target_os = "linux"))]

mod chromium;
mod fragments;
#[path = "../fuzz/mutate.rs"]
#[expect(dead_code, reason = "what the fuzz targets grow and minimise")]
mod mutate;

use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use tensai::game::trace::Trace;
use tensai::game::{Action, Cells, HEIGHT, ROWS, Seat, State, WIDTH};
use tensai::record::Record;

use chromium::Browser;

/// Limits of time in a match that no machine is too busy for.
const UNHURRIED: [&str; 6] = ["--time", "1h", "--turn-time", "10m", "--start-time", "10m"];

fn tensai(folder: &Path, arguments: &[&str]) {
    let limits = if arguments[0] == "match" { &UNHURRIED[..] } else { &[] };
    let mut program = Command::new(cargo_bin("tensai"));
    let output = program.args(arguments).args(limits).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Plays games that differ: of the bot with itself, and of one that falls silent.
fn games(folder: &Path) -> Vec<PathBuf> {
    let engines = ["--engine", "name=<b>a</b>", "nodes=20000", "--engine", "name=b", "nodes=5000"];
    let more = ["--rounds", "2", "--seed", "4", "--records", "games", "--json"];
    tensai(folder, &[&["match"], &engines[..], &more].concat());
    let silent = ["--a", "sh -c 'echo silent; head -1 >/dev/null'", "--records", "silent"];
    tensai(folder, &[&["match"], &silent[..]].concat());
    ["games/0001.json", "games/0002.json", "silent/0001.json"].map(|name| folder.join(name)).into()
}

/// The turn and the step that are shown.
const PLACE: &str = "[game.dataset.turn, game.dataset.step].map(Number)";

/// All cells that a side shows, as a text from the bottom, and how many are marked.
const SHOWN: &str = "[0, 1].map((seat) => { \
    const cells = [...document.querySelectorAll(`#field${seat} > .cell`)]; \
    return { field: cells.map((cell) => cell.dataset.c).join(''), \
        text: cells.map((cell) => cell.textContent || (cell.dataset.c === '#' ? '#' : '.')).join(''), \
        marks: cells.map((cell) => cell.dataset.m || '.').join(''), \
        sums: ['.score strong', '.stock strong', '.gauge strong'] \
            .map((sum) => Number(document.querySelector(`#side${seat} ${sum}`).textContent)) }; })";

/// A field as the page's cells are in order.
fn text(field: &Cells) -> String {
    (0..ROWS).flat_map(|y| field.row(y)).map(tensai::game::Cell::symbol).collect()
}

/// What a side is to show at a step.
fn expected(field: &Cells, marked: &[(usize, usize)], state: &State<Cells>, seat: Seat) -> Value {
    let mut marks = vec!['.'; WIDTH * ROWS];
    for &(x, y) in marked {
        marks[y * WIDTH + x] = '1';
    }
    let player = &state[seat];
    json!({
        "field": text(field), "text": text(field), "marks": marks.iter().collect::<String>(),
        "sums": [player.score, player.stock, u64::from(player.gauge.get())],
    })
}

/// What both sides are to show at each step of a turn, the first one before anything moves.
fn steps(state: &State<Cells>, record: &Record) -> Vec<[Value; 2]> {
    let packs = record.packs().unwrap();
    let pack = packs.get(state.turn).unwrap();
    let answers = &record.turns[state.turn].answers;
    let traces = Seat::BOTH.map(|seat| {
        let action: Action = answers[seat.index()].parse().unwrap();
        Trace::new(&state[seat], pack, action)
    });
    let mut fields = Seat::BOTH.map(|seat| state[seat].field);
    let mut all = Vec::new();
    let mut add = |next: [Option<Cells>; 2], marks: [Vec<(usize, usize)>; 2]| {
        all.push(Seat::BOTH.map(|seat| {
            let index = seat.index();
            fields[index] = next[index].unwrap_or(fields[index]);
            expected(&fields[index], &marks[index], state, seat)
        }));
    };
    let none = || [Vec::new(), Vec::new()];
    add([None, None], none());
    if traces.iter().any(|trace| trace.rained.is_some()) {
        add(traces.each_ref().map(|trace| trace.rained), none());
    }
    let bursts = traces.each_ref().map(|trace| trace.explosion.clone());
    let places =
        bursts.each_ref().map(|burst| burst.as_ref().map_or(Vec::new(), |b| b.places.clone()));
    add(traces.each_ref().map(|trace| Some(trace.acted)), places);
    if bursts.iter().any(Option::is_some) {
        add(bursts.map(|burst| burst.map(|burst| burst.after)), none());
    }
    let rounds = traces.iter().map(|trace| trace.rounds.len()).max().unwrap();
    for round in 0..rounds {
        let rounds = traces.each_ref().map(|trace| trace.rounds.get(round));
        let pairs = rounds.map(|round| round.map_or(Vec::new(), |r| r.pairs.as_flattened().into()));
        add([None, None], pairs);
        add(rounds.map(|round| round.map(|round| round.after)), none());
    }
    all
}

#[test]
fn every_step_shown_is_the_simulators() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let records = games(folder);
    let names: Vec<&str> = records.iter().map(|path| path.to_str().unwrap()).collect();
    tensai(folder, &[&["view", "-o", "page.html"], &names[..]].concat());
    let page = folder.join("page.html");
    browser.look(1280, 800, "light");
    browser.open(&page, "");
    let rows = browser.evaluate("document.querySelectorAll('#games tr').length");
    assert_eq!(rows, records.len());
    let mut seen = 0;
    for (number, path) in (1..).zip(&records) {
        let record = Record::read(path).unwrap();
        let outcome = serde_json::to_string(&record.outcome()).unwrap();
        browser.evaluate(&format!("location.hash = '#game={number}&turn=0'"));
        browser
            .wait(&format!("document.getElementById('outcome').textContent.startsWith({outcome})"));
        assert_eq!(browser.evaluate("document.querySelector('.who b b')"), Value::Null);
        let mut state = State::new();
        for played in record.replay().unwrap() {
            for (step, expected) in steps(&state, &record).into_iter().enumerate() {
                let shown = browser.evaluate(&format!("[{PLACE}, {SHOWN}]"));
                assert_eq!(shown[0], json!([state.turn, step]));
                assert_eq!(shown[1], json!(expected), "turn {}, step {step}", state.turn);
                browser.press(".");
                seen += 1;
            }
            state = played.after;
        }
        let end = Seat::BOTH.map(|seat| expected(&state[seat].field, &[], &state, seat));
        assert_eq!(browser.evaluate(SHOWN), json!(end), "the end of game {number}");
        let place = browser.evaluate("Number(game.dataset.turn)");
        assert_eq!(place, record.turns.len());
    }
    assert!(seen > 100, "{seen} steps");
    assert_eq!(browser.evaluate("document.getAnimations().length"), 0, "less motion is asked for");
    assert_eq!(browser.troubles, [""; 0]);
    let asked =
        |address: &&String| !address.starts_with("file://") && !address.starts_with("data:");
    assert_eq!(browser.requests.iter().find(asked), None, "no network is needed");
}

#[test]
fn keys_addresses_and_buttons_lead_where_they_say() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let records = games(folder);
    let record = Record::read(&records[1]).unwrap();
    let turns = record.turns.len();
    tensai(folder, &["view", "games", "silent", "-o", "page.html"]);
    let page = folder.join("page.html");
    browser.open(&page, "#game=2&turn=5&step=1");
    let at = |browser: &mut Browser, key: &str| {
        browser.press(key);
        browser.evaluate(PLACE)
    };
    assert_eq!(at(&mut browser, "?"), json!([5, 1]));
    assert_eq!(browser.evaluate("document.querySelector('dialog').open"), true);
    browser.evaluate("document.querySelector('dialog').close()");
    for (key, place) in [
        ("ArrowLeft", [5, 0]),
        ("ArrowLeft", [4, 0]),
        ("ArrowRight", [5, 0]),
        (".", [5, 1]),
        (",", [5, 0]),
        ("End", [turns, 0]),
        ("ArrowRight", [turns, 0]),
        ("Home", [0, 0]),
        (",", [0, 0]),
    ] {
        assert_eq!(at(&mut browser, key), json!(place), "{key}");
    }
    browser.wait("location.hash === '#game=2&turn=0'");
    // The planned chain is shown on demand, as large as the bot says where nothing falls.
    let planned = record.turns.iter().position(|turn| {
        turn.info[0].as_ref().is_some_and(|info| info["plan_chain"].as_u64() > Some(5))
    });
    browser.evaluate(&format!("location.hash = '#game=2&turn={}'", planned.unwrap()));
    browser.wait(&format!("Number(game.dataset.turn) === {}", planned.unwrap()));
    browser.press("p");
    let chain = &record.turns[planned.unwrap()].info[0].as_ref().unwrap()["plan_chain"];
    let badge = browser.evaluate("document.querySelector('#field0 .badge').textContent");
    assert_eq!(badge, format!("plan: chain {chain}"));
    let rounds =
        "Math.max(...[...document.querySelectorAll('#field0 [data-r]')].map((c) => c.dataset.r))";
    assert_eq!(browser.evaluate(rounds), *chain);
    browser.press("p");
    assert_eq!(browser.evaluate("document.querySelector('#field0 [data-r]')"), Value::Null);
    // It plays by itself to the end, and stops there.
    (0..4).for_each(|_| browser.press("+"));
    browser.press(" ");
    browser.wait(&format!("Number(game.dataset.turn) === {turns} && !player.playing"));
    // A key that is held down does not exhaust what a browser allows to happen to an address.
    browser.evaluate("for (let at = 0; at < 500; at++) actions[at % 2 ? 'more' : 'less']()");
    browser.press("[");
    browser.wait("location.hash === '#game=1&turn=0'");
    browser.press("i");
    browser.wait("document.getElementById('game').hidden");
    // Nonsense leads to the nearest place.
    browser.open(&page, "#game=2&turn=9999&step=x");
    assert_eq!(browser.evaluate("Number(game.dataset.turn)"), turns);
    browser.open(&page, "#game=77");
    assert_eq!(browser.evaluate("document.getElementById('index').hidden"), false);
    assert_eq!(browser.troubles, [""; 0]);
}

#[test]
fn mutated_fragments_lead_to_a_turn_or_the_list() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let records = games(folder);
    tensai(folder, &["view", "games", "silent", "-o", "page.html"]);
    browser.look(1280, 800, "light");
    browser.open(&folder.join("page.html"), "");
    fragments::lead_to_a_turn(&mut browser, records.len() as u64);
}

#[test]
fn the_page_fits_small_screens_and_either_light() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    games(folder);
    tensai(folder, &["view", "games", "-o", "page.html"]);
    for (width, scheme) in [(360, "dark"), (390, "light"), (768, "dark"), (1280, "light")] {
        browser.look(width, 800, scheme);
        for place in ["", "#game=1&turn=9"] {
            browser.open(&folder.join("page.html"), place);
            let wide = browser.evaluate("document.documentElement.scrollWidth");
            assert!(wide.as_u64() <= Some(width.into()), "{width} {place}: {wide}");
        }
        assert_eq!(browser.evaluate("document.documentElement.dataset.theme"), scheme);
        let nameless = "[...document.querySelectorAll('button')].filter((button) => \
            !(button.getAttribute('aria-label') || button.textContent.trim())).length";
        assert_eq!(browser.evaluate(nameless), 0);
        let line = browser.evaluate(
            "(() => { const field = document.getElementById('field0').getBoundingClientRect(); \
             return field.height / field.width; })()",
        );
        let ratio = line.as_f64().unwrap();
        assert!((ratio - (HEIGHT + 3) as f64 / WIDTH as f64).abs() < 0.01, "{ratio}");
    }
    assert_eq!(browser.troubles, [""; 0]);
}

#[test]
fn a_live_page_follows_the_game() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    browser.look(1280, 800, "light");
    let random = format!("{} play --random --seed 1", cargo_bin("tensai").display());
    // A pile in one corner, half a second a block; after six turns it waits to be told to go on,
    // and then hurries.
    let go = folder.join("go").display().to_string();
    let script = format!(
        "{random} | sed -u '1!s/.*/0 0/' | {{ turn=0; while read -r line; do \
         [ -e {go} ] || sleep 0.5; \
         [ $turn -le 6 ] || while [ ! -e {go} ]; do sleep 0.1; done; \
         echo \"$line\"; turn=$((turn + 1)); done; }}",
        go = shlex::try_quote(&go).unwrap()
    );
    let slow = format!("sh -c {}", shlex::try_quote(&script).unwrap());
    let arguments = ["match", "--a", &slow, "--b", &random, "--seed", "3"];
    let mut playing = Command::new(cargo_bin("tensai"))
        .args(arguments)
        .args(["--rounds", "2", "--records", "games", "--live", "page.html", "--json"])
        .args(UNHURRIED)
        .current_dir(folder)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let page = folder.join("page.html");
    while !page.exists() {
        assert_eq!(playing.try_wait().unwrap(), None, "the page is there while games are played");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    browser.open(&page, "");
    // It opens the only game by itself once that has begun, and goes on with it.
    browser.wait(
        "typeof player !== 'undefined' && Number(game.dataset.turn) > 3 && data.live && player.follow",
    );
    // Who looks back is left in peace.
    browser.press_until("ArrowLeft", "typeof player !== 'undefined' && !player.follow");
    let place = browser.evaluate("performance.timeOrigin");
    std::thread::sleep(std::time::Duration::from_millis(2500));
    assert_eq!(browser.evaluate("performance.timeOrigin"), place, "nothing was loaded");
    std::fs::write(&go, "").unwrap();
    browser.press("End");
    assert!(playing.wait().unwrap().success());
    let records = ["games/0001.json", "games/0002.json"];
    let records = records.map(|name| Record::read(&folder.join(name)).unwrap());
    browser.wait("typeof data !== 'undefined' && !data.live && !player.playing");
    assert_eq!(browser.evaluate("games.map((game) => game.cut)"), json!([false, false]));
    let turns = browser.evaluate("games.map((game) => game.turns.length)");
    assert_eq!(turns, json!(records.each_ref().map(|record| record.turns.len())));
    let shown = browser.evaluate("Number(game.dataset.turn) === player.end");
    assert_eq!(shown, true);
    assert_eq!(browser.troubles, [""; 0]);
}
