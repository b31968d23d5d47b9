//! `tensai match` and its folder: renamed, deleted, full, or used by two matches at a time.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use nix::fcntl::OFlag;
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};

use crate::run::{HANGING, names, ok_in, program, refused_in, run_in, tensai};
use crate::running::{STATE, unhurried};

/// A match of games that take no time, in the folder `games` unless `--records` is given.
const RANDOM: [&str; 8] = [
    "match",
    "--a",
    "tensai --engine random --seed 1",
    "--b",
    "tensai --engine random --seed 2",
    "--seed=3",
    "--no-pin",
    "--concurrency=1",
];

/// Arguments after those of a match that takes no time.
fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&RANDOM[..], more].concat()
}

/// Starts the program in a folder.
fn start(folder: &Path, arguments: &[&str]) -> Child {
    program()
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until a file exists.
fn wait_for(path: &Path) {
    let since = Instant::now();
    while !path.exists() {
        assert!(since.elapsed() < HANGING, "{} does not come", path.display());
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The exit code, the standard output, and the last line of standard error.
fn ending(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let errors = text(&output.stderr);
    let last = errors.lines().last().unwrap_or_default().to_owned();
    (output.status.code(), text(&output.stdout), last)
}

/// The number of games of engine A in the table of results.
fn games_in(table: &str) -> usize {
    let row = table.lines().find(|line| line.trim_start().starts_with("random ")).expect(table);
    row.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// A match in `here` whose bots answer only while the file `go` exists, so that a test decides when
/// the second game ends.
fn held_up(here: &Path, more: &[&str]) -> Child {
    let wait = "while [ ! -e go ]; do sleep 0.01; done; exec \"$0\" --engine random --seed 1";
    let wait = format!("sh -c {} {}", shlex::try_quote(wait).unwrap(), tensai());
    let arguments = ["match", "--a", &wait, "--b", "tensai --engine random --seed 2", "--seed=3"];
    let long = ["--start-time=100s", "--no-pin", "--records=games"];
    start(here, &[&arguments[..], &long, more].concat())
}

#[test]
fn a_renamed_folder_receives_the_remaining_games() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let playing = held_up(here, &["--rounds=3", "--concurrency=1"]);
    wait_for(&here.join("games/match.json"));
    fs::rename(here.join("games"), here.join("moved")).unwrap();
    fs::write(here.join("go"), "").unwrap();
    let (code, table, last) = ending(&playing.wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{last}");
    assert!(!here.join("games").exists());
    assert_eq!(names(&here.join("moved")), ["0001.json", "0002.json", "0003.json", "match.json"]);
    assert!(table.contains("/moved\n"), "the report says where they are: {table}");
    ok_in(here, &["match", "resume", "moved"]);
}

#[test]
fn a_deleted_folder_ends_the_match_with_the_results_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let playing = start(here, &with(&["--rounds=100000", "--records=games"]));
    wait_for(&here.join("games/0003.json"));
    // The match may write records while the folder is emptied.
    let since = Instant::now();
    while fs::remove_dir_all(here.join("games")).is_err() {
        assert!(since.elapsed() < HANGING);
    }
    let (code, table, last) = ending(&playing.wait_with_output().unwrap());
    assert_eq!(code, Some(2), "{last}");
    let start = "tensai: games: the folder of the match was deleted while the match ran; ";
    assert!(last.starts_with(start) && last.ends_with(" played, 0 kept"), "{last}");
    assert!(games_in(&table) >= 4, "the last game counts too: {table}");
    assert!(names(here).is_empty(), "it is not made anew");
}

/// A match that is killed while they end must not lose the decision.
#[test]
fn the_decision_of_an_sprt_is_written_before_the_running_games_end() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let fifo = here.join("input");
    mkfifo(&fifo, Mode::S_IRWXU).unwrap();
    let mut input =
        OpenOptions::new().read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(&fifo).unwrap();
    // The first bot to start passes its input on and says no name. The others win their games, in
    // which the opponent crashes, once `go` exists.
    let wins = "mkdir held 2> /dev/null && { { echo held; cat; } > input; sleep 1000; }
        while [ ! -e go ]; do sleep 0.01; done; exec \"$0\" --engine random --seed 1";
    let wins = format!("sh -c {} {}", shlex::try_quote(wins).unwrap(), tensai());
    let test = ["--sprt", "elo0=0", "elo1=400", "alpha=0.4", "beta=0.4"];
    let two = ["--concurrency=2", "--no-pin", "--seed=3", "--records=games", "--json"];
    let arguments = ["match", "--a", &wins, "--b", "sh -c 'echo loses'"];
    let playing = start(here, &unhurried(&[&arguments[..], &test, &two].concat()));
    let mut text = Vec::new();
    let since = Instant::now();
    let mut read_until = |is_enough: &dyn Fn(usize, &[u8]) -> bool| loop {
        let mut buffer = [0; 1024];
        match input.read(&mut buffer) {
            Ok(count) => {
                text.extend(&buffer[..count]);
                if is_enough(count, &text) {
                    return;
                }
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
        assert!(since.elapsed() < HANGING);
        std::thread::sleep(Duration::from_millis(1));
    };
    read_until(&|_, text| text == b"held\n");
    fs::write(here.join("go"), "").unwrap();
    // The match stops the game that runs: its bot sees the end of its input, and sleeps.
    read_until(&|count, _| count == 0);
    let manifest = fs::read_to_string(here.join("games/match.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["decision"]["accepted"], "h1");
    let (code, results, last) = ending(&playing.wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{last}");
    let results: serde_json::Value = serde_json::from_str(&results).unwrap();
    assert_eq!(results["sprt"]["accepted"], "h1");
    assert_eq!(results["sprt"]["games"], manifest["decision"]["results"]);
}

#[test]
fn a_deleted_manifest_is_rewritten() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let playing = held_up(here, &["--rounds=2"]);
    let manifest = here.join("games/match.json");
    wait_for(&manifest);
    let before = fs::read_to_string(&manifest).unwrap();
    fs::remove_file(&manifest).unwrap();
    fs::write(here.join("go"), "").unwrap();
    assert!(playing.wait_with_output().unwrap().status.success());
    assert_eq!(fs::read_to_string(&manifest).unwrap(), before);
}

#[test]
fn an_unwritable_record_ends_the_match_like_ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok_in(here, &with(&["--records=games"]));
    // Files of more than 4 KB are refused from here on, as on a full disk; a record has more.
    let limited = ["-c", "ulimit -f 8; exec \"$0\" \"$@\"", &tensai()];
    let play = |more: &[&str]| {
        let arguments = unhurried(&with(more));
        let mut command = Command::new("sh");
        command.env("XDG_STATE_HOME", STATE);
        command.args(limited).args(arguments).current_dir(here).output().unwrap()
    };
    let output = play(&["--rounds=5", "--records=games"]);
    assert_eq!(output.status.signal(), None, "it is no signal that ends it");
    let (code, table, last) = ending(&output);
    assert_eq!(code, Some(2), "{last}");
    assert_eq!(
        last,
        "tensai: games/0002.json: cannot write: File too large (os error 27); 2 games played, \
         1 kept; resume with: tensai match resume games"
    );
    assert_eq!(games_in(&table), 2, "{table}");
    assert_eq!(names(&here.join("games")), ["0001.json", "match.json"], "nothing half-written");
    ok_in(here, &["match", "resume", "games"]);
    assert_eq!(names(&here.join("games")).len(), 6);
    // A single game is reported without the path of its record.
    let (code, report, last) = ending(&play(&["--records=one"]));
    assert_eq!(code, Some(2), "{last}");
    assert!(report.contains(": score ") && !report.contains("record:"), "{report}");
    assert!(last.contains("one/0001.json: cannot write: File too large"), "{last}");
}

#[test]
fn a_full_disk_ends_the_match_like_ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // A file system of 128 KB, if the system lets users mount one. Otherwise only the test of a
    // file size limit covers this.
    let mounted =
        ["-rm", "sh", "-c", "mount -t tmpfs -o size=128k none . && cd . && exec \"$0\" \"$@\""];
    let works = Command::new("unshare").args(mounted).arg("true").current_dir(here).output();
    if !works.is_ok_and(|output| output.status.success()) {
        return;
    }
    let script = "mount -t tmpfs -o size=128k none \"$PWD\" && cd \"$PWD\" && \"$0\" \"$@\"; \
                  code=$?; ls -a games; exit $code";
    let arguments = with(&["--rounds=100000", "--records=games"]);
    let output = Command::new("unshare")
        .env("XDG_STATE_HOME", STATE)
        .args(["-rm", "sh", "-c", script, &tensai()])
        .args(arguments)
        .current_dir(here)
        .output()
        .unwrap();
    let (code, said, last) = ending(&output);
    assert_eq!(code, Some(2), "{last}");
    assert!(
        last.contains(".json: cannot write: No space left on device (os error 28); "),
        "{last}"
    );
    assert!(last.ends_with("; resume with: tensai match resume games"), "{last}");
    assert!(games_in(&said) >= 2, "{said}");
    let files: Vec<&str> = said.lines().skip_while(|line| *line != ".").skip(2).collect();
    assert!(files.iter().all(|name| name.ends_with(".json")), "no draft, no lock: {files:?}");
}

/// A folder of another user may contain FIFOs and other special files.
#[test]
fn no_command_waits_for_a_fifo_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok_in(here, &with(&["--rounds=2", "--records=games"]));
    let fifo = |name: &str| {
        let path = here.join("games").join(name);
        let _ = fs::remove_file(&path);
        mkfifo(&path, Mode::S_IRWXU).unwrap();
    };
    let resume = ["match", "resume", "games"];
    // No match plays in this folder.
    fifo("playing-1-of-1.lock");
    ok_in(here, &resume);
    fifo("0002.json");
    let said = refused_in(here, &resume);
    assert_eq!(said, "tensai: games/0002.json: cannot read: it is not a regular file");
    assert_eq!(ok_in(here, &["stats", "ratings", "games"]).lines().count(), 3);
    assert!(ok_in(here, &["record", "check", "games"]).starts_with("games/0001.json: "));
    fifo("match.json");
    for arguments in [&resume[..], &["match", "merge", "games"], &with(&["--records=games"])] {
        let said = refused_in(here, arguments);
        let what = "not the folder of a match: match.json: it is not a regular file";
        assert!(said.ends_with(what), "{said}");
    }
}

#[test]
fn two_matches_in_one_folder_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let playing = held_up(here, &["--rounds=2"]);
    wait_for(&here.join("games/match.json"));
    let pid = playing.id();
    let busy = format!(
        "tensai: games: process {pid} plays the match there: wait until it has ended, or choose \
         another folder"
    );
    assert_eq!(refused_in(here, &["match", "resume", "games"]), busy);
    assert_eq!(refused_in(here, &["match", "resume", "games", "--shard", "1/1"]), busy);
    assert_eq!(refused_in(here, &["match", "merge", "games", "--records", "games"]), busy);
    ok_in(here, &["match", "merge", "games", "--partial"]);
    // The lock ends with the process, in every way in which the process may end.
    kill(Pid::from_raw(pid.cast_signed()), Signal::SIGKILL).unwrap();
    playing.wait_with_output().unwrap();
    fs::write(here.join("go"), "").unwrap();
    ok_in(here, &["match", "resume", "games"]);
    assert_eq!(names(&here.join("games")), ["0001.json", "0002.json", "match.json"]);
}

#[test]
fn shards_with_different_games_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let first = held_up(here, &["--rounds=4", "--shard=1/2"]);
    wait_for(&here.join("games/match.json"));
    let second = held_up(here, &["--rounds=4", "--shard=2/2"]);
    wait_for(&here.join("games/playing-2-of-2.lock"));
    for (shard, pid) in [("1/2", first.id()), ("2/2", second.id())] {
        let line = refused_in(here, &["match", "resume", "games", "--shard", shard]);
        assert!(line.starts_with(&format!("tensai: games: process {pid} plays part ")), "{line}");
    }
    fs::write(here.join("go"), "").unwrap();
    assert!(first.wait_with_output().unwrap().status.success());
    assert!(second.wait_with_output().unwrap().status.success());
    assert_eq!(names(&here.join("games")).len(), 5);
}

#[test]
fn two_matches_do_not_share_cores() {
    if std::thread::available_parallelism().unwrap().get() < 2 {
        return; // no engine is pinned if two engines would share a core
    }
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // The matches of other tests have their claims in another folder.
    let temporary = here.join("tmp");
    fs::create_dir(&temporary).unwrap();
    let wait = "echo x; while [ ! -e go ]; do sleep 0.01; done; echo me; exit 1";
    let wait = format!("sh -c {}", shlex::try_quote(wait).unwrap());
    let play = |records: &str| {
        let arguments =
            ["match", "--a", &wait, "--b", "tensai --engine random", "--json", "--seed=1"];
        program()
            .args(arguments)
            .args(["--records", records, "--rounds=9999", "--time=1000s", "--turn-time=1000s"])
            .env("TMPDIR", &temporary)
            .current_dir(here)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let locks = temporary.join(format!("tensai-cores-{}", procfs_uid()));
    let first = play("first");
    wait_for(&here.join("first/match.json"));
    let since = Instant::now();
    let all = std::thread::available_parallelism().unwrap().get();
    while !locks.exists() || names(&locks).len() < all / 2 * 2 {
        assert!(since.elapsed() < HANGING);
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut second = play("second");
    let mut line = String::new();
    let mut errors = std::io::BufReader::new(second.stderr.take().unwrap());
    std::io::BufRead::read_line(&mut errors, &mut line).unwrap();
    assert!(line.contains("and other matches leave ") && line.contains("not pinned"), "{line}");
    for mut playing in [first, second] {
        // A killed process releases its claims.
        kill(Pid::from_raw(playing.id().cast_signed()), Signal::SIGKILL).unwrap();
        playing.wait().unwrap();
    }
    fs::write(here.join("go"), "").unwrap();
    let third = program()
        .args(["match", "--a", "tensai --engine random", "--b", "tensai --engine random"])
        .args(["--seed=1", "--records=third"])
        .env("TMPDIR", &temporary)
        .current_dir(here)
        .output()
        .unwrap();
    let (code, _, last) = ending(&third);
    assert!(code == Some(0) && !last.contains("not pinned"), "{last}");
    // A folder in which other users may write is not trusted.
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    fs::set_permissions(&locks, open).unwrap();
    let fourth = program()
        .args(["match", "resume", "third"])
        .env("TMPDIR", &temporary)
        .current_dir(here)
        .output()
        .unwrap();
    assert!(fourth.status.success());
    fs::remove_file(here.join("third/0001.json")).unwrap();
    let again = program()
        .args(["match", "resume", "third"])
        .env("TMPDIR", &temporary)
        .current_dir(here)
        .output()
        .unwrap();
    let errors = String::from_utf8(again.stderr).unwrap();
    assert!(errors.contains("not a folder that only this user may write"), "{errors}");
}

fn procfs_uid() -> u32 {
    procfs::process::Process::myself().unwrap().uid().unwrap()
}

/// The file of the packs changes between the parts of a match.
#[test]
fn records_of_other_packs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let play = |seed: &str, shard: &str, records: &str| {
        let _ = fs::remove_file(here.join("a.pack"));
        ok_in(here, &["packs", "generate", "--seed", seed, "-o", "a.pack"]);
        let mut arguments = ["match", "--packs=a.pack", "--shard", shard, "--records", records]
            .map(str::to_owned)
            .to_vec();
        for seed in 1..=3 {
            let cmd = format!("cmd=tensai --engine random --seed {seed}");
            arguments.extend(["--engine".to_owned(), format!("name=bot{seed}"), cmd]);
        }
        ok_in(here, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    };
    play("5", "1/2", "one");
    play("6", "2/2", "two");
    let refused = |arguments: &[&str]| refused_in(here, &[&["match"], arguments].concat());
    assert_eq!(
        refused(&["resume", "one", "--shard", "1/2"]),
        "tensai: one/0001.json: the packs are not those of round 1 (a.pack): move the record elsewhere, \
         or give the match its packs again"
    );
    for records in [&[][..], &["--records", "united"]] {
        let line = refused(&[&["merge", "one", "two"], records].concat());
        let start = "tensai: two/0002.json: the packs are not those of round 1 (one/0001.json): ";
        assert!(line.starts_with(start), "{line}");
    }
    assert!(!here.join("united").exists(), "a refused merge writes nothing");
}

#[test]
fn paths_that_are_not_utf_8_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let name = OsStr::from_bytes(b"bad\xff");
    fs::create_dir(here.join(name)).unwrap();
    ok_in(here, &["packs", "generate", "--seed", "1", "-o", "1.pack"]);
    fs::rename(here.join("1.pack"), here.join(name).join("1.pack")).unwrap();
    let run = |folder: &Path, arguments: &[&OsStr]| {
        let output = program().args(arguments).current_dir(folder).output().unwrap();
        let (code, _, last) = ending(&output);
        assert_eq!(code, Some(2), "{last}");
        last
    };
    let arguments = ["match", "--records=games", "--packs"].map(OsStr::new);
    assert_eq!(
        run(here, &[&arguments[..], &[name]].concat()),
        "tensai: packs: expected a path in UTF-8, found `bad\u{fffd}`: rename the file or folder"
    );
    ok_in(here, &["league", "init", "league"]);
    let arguments = ["league", "add", "../league", "name=a", "cmd=true"].map(OsStr::new);
    let line = run(&here.join(name), &arguments);
    let start = "tensai: ../league: `engines`, `a`: dir: expected a path in UTF-8, found `";
    assert!(line.starts_with(start), "{line}");
    assert!(!here.join("games").exists());
}

#[test]
fn engines_that_cannot_start_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("text"), "exit 1\n").unwrap();
    fs::create_dir(here.join("sub")).unwrap();
    let before = names(here);
    for (words, what) in [
        (&["cmd=tensai", "dir=no"][..], "`tensai` does not start: no is not a folder"),
        (&["cmd=tensai", "dir=text"], "`tensai` does not start: text is not a folder"),
        (&["cmd=tensai", "dir="], "`tensai` does not start: dir= is not a folder"),
        (&["cmd=./text"], "text may not be executed: allow it with `chmod +x`"),
        (&["cmd=text"], "no folder of PATH has a program `text`; for the file in "),
        (&["cmd=./sub"], "sub is a folder: name a program in it"),
        (
            &["cmd=./text", "dir=sub"],
            "; the path is relative to dir=: for the file in the current folder, write `",
        ),
        (&["name=a", "cmd="], "--engine: cmd: expected a command, found nothing"),
    ] {
        let arguments = ["match", "--engine", "level1", "--records", "games", "--engine"];
        let line = refused_in(here, &[&arguments[..], words].concat());
        assert!(line.starts_with("tensai: ") && line.contains(what), "{words:?}: {line}");
        assert_eq!(names(here), before, "{words:?}");
    }
}

#[test]
fn each_signal_that_stops_a_command_gives_exit_code_130() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok_in(here, &with(&["--records=games"]));
    let many = here.join("games/many");
    fs::create_dir(&many).unwrap();
    for number in 0..5000 {
        fs::hard_link(here.join("games/0001.json"), many.join(format!("{number}.json"))).unwrap();
    }
    let never = "sh -c 'echo x; sleep 1000'";
    let commands = [
        (vec!["match", "--a", never, "--time=1000s", "--records=new"], "stopped after 0 games"),
        (vec!["replay", "blunders", "games/0001.json", "--nodes=30000000"], "turns were searched"),
        (vec!["packs", "generate", "--count=100000", "-o", "packs"], "no file was written"),
        (
            vec!["dev", "learn", "data", "--records", "games/many", "--nodes=200000", "-o", "data"],
            "data is not written",
        ),
        (
            vec![
                "dev",
                "learn",
                "beam",
                "--packs=2",
                "--batch=2",
                "--nodes=2000",
                "--steps=1000000",
            ],
            "the weights after ",
        ),
        (vec!["dev", "learn", "beam", "--packs=100000"], "no step was made"),
        (vec!["dev", "learn", "chains", "--packs=300"], ""),
        (
            vec!["stats", "positions", "-o", "lines", "games/many"],
            "no file of positions is written",
        ),
        (vec!["replay", "turn", "games/0001.json", "3", "--nodes=100000000000"], ""),
    ];
    let ignored = procfs::process::Process::myself().unwrap().status().unwrap().sigign;
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        if ignored >> (signal as i32 - 1) & 1 == 1 {
            continue; // the tests run under `nohup`, which their processes inherit
        }
        for (arguments, what) in &commands {
            // Before the first step, the samples are made: who stops it then waits longer.
            let mut pause = Duration::ZERO;
            let last = loop {
                let playing = start(here, arguments);
                let pid = Pid::from_raw(playing.id().cast_signed());
                wait_until_signals_are_obeyed(pid.as_raw());
                std::thread::sleep(pause);
                kill(pid, signal).unwrap();
                let output = playing.wait_with_output().unwrap();
                let (code, _, last) = ending(&output);
                assert_eq!(code, Some(130), "{signal} {arguments:?}: {last} {:?}", output.status);
                if last.contains(what) || pause > Duration::from_secs(60) {
                    break last;
                }
                pause = 2 * pause + Duration::from_millis(50);
            };
            assert!(last.contains(what), "{signal} {arguments:?}: {last}");
        }
        fs::remove_dir_all(here.join("new")).unwrap();
        let mut left = names(here);
        left.retain(|name| name != "packs");
        assert_eq!(left, ["games"], "nothing half-written");
        assert!(!here.join("packs").exists() || names(&here.join("packs")).is_empty());
    }
}

/// Waits until a command obeys the signals that stop it.
///
/// SIGXFSZ is caught last. A signal is lost that arrives while its own handler is installed: the
/// handler has no action yet.
fn wait_until_signals_are_obeyed(pid: i32) {
    let since = Instant::now();
    loop {
        let status = procfs::process::Process::new(pid).and_then(|process| process.status());
        if status.is_ok_and(|status| status.sigcgt >> (Signal::SIGXFSZ as i32 - 1) & 1 == 1) {
            return;
        }
        assert!(since.elapsed() < HANGING, "{} is not caught", Signal::SIGXFSZ);
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_match_under_nohup_continues_without_its_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let wait = "while [ ! -e go ]; do sleep 0.01; done; echo me; exit 1";
    let wait = format!("sh -c {}", shlex::try_quote(wait).unwrap());
    let playing = Command::new("sh")
        .env("XDG_STATE_HOME", STATE)
        .args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", &tensai(), "match", "--a", &wait])
        .args(["--b", "tensai --engine random", "--start-time=100s", "--records=games"])
        .current_dir(here)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for(&here.join("games/match.json"));
    kill(Pid::from_raw(playing.id().cast_signed()), Signal::SIGHUP).unwrap();
    fs::write(here.join("go"), "").unwrap();
    let (code, _, last) = ending(&playing.wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{last}");
    assert!(run_in(here, &["match", "resume", "games"]).status.success());
}
