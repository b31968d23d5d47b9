//! The conventions of the command line: the help of each command, and the commands in the
//! documents.
//!
//! The help of each command is in `tests/cli/help`. With `SNAPSHOTS=overwrite`, the test writes the
//! files instead of comparing them (`snapbox`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

use assert_cmd::cargo::cargo_bin;
use snapbox::Data;
use tensai::arena::EngineConfig;

/// Runs the program with the variables of the environment that the conventions name removed.
fn tensai(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(cargo_bin("tensai"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    for name in ["TENSAI_NODES", "TENSAI_THREADS", "TENSAI_BACKEND"] {
        command.env_remove(name);
    }
    command.args(arguments).envs(variables.iter().copied()).stdin(Stdio::null());
    command.output().unwrap()
}

fn said(arguments: &[&str]) -> String {
    let output = tensai(arguments, &[]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The subcommands that a help lists: under one heading, or in groups.
fn subcommands(help: &str) -> Vec<String> {
    let (mut found, mut is_list) = (Vec::new(), false);
    for line in help.lines() {
        if let Some(heading) = line.strip_suffix(':').filter(|line| !line.starts_with(' ')) {
            let lists = ["Commands", "Play", "Bots", "Games", "Submission"];
            is_list = lists.contains(&heading);
        }
        let name = line.strip_prefix("  ").filter(|rest| is_list && !rest.starts_with(' '));
        found.extend(name.and_then(|rest| rest.split_whitespace().next()).map(str::to_owned));
    }
    found.retain(|name| name != "help");
    found
}

/// All commands, each as its words after `tensai`.
fn commands() -> Vec<Vec<String>> {
    let (mut found, mut next) = (vec![vec![], vec!["bot".to_owned()]], 0);
    while let Some(command) = found.get(next).cloned() {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["-h"]).collect();
        for name in subcommands(&said(&words)) {
            found.push(command.iter().cloned().chain([name]).collect());
        }
        next += 1;
    }
    found
}

/// The most lines of a help of 80 columns, so that it fits a screen.
const SCREEN: usize = 50;

#[test]
fn the_help_of_each_command_is_pinned_and_fits_a_screen() {
    let folder = root().join("tests/cli/help");
    let mut files = Vec::new();
    let mut pinned = |name: String, help: String| {
        snapbox::assert_data_eq!(help, Data::read_from(&folder.join(&name), None).raw());
        files.push(name);
    };
    for command in commands() {
        let name = [&["tensai".to_owned()], &command[..]].concat().join("-");
        let words = |flag| command.iter().map(String::as_str).chain([flag]).collect::<Vec<_>>();
        let help = said(&words("-h"));
        assert!(help.contains("\nExample:\n"), "{name}: no example");
        let narrow = tensai(&words("-h"), &[("COLUMNS", "80")]).stdout;
        let lines = String::from_utf8(narrow).unwrap().lines().count();
        assert!(lines <= SCREEN, "{name}: {lines} lines");
        let full = said(&words("--help"));
        assert!(full.contains("\nExample:\n"), "{name}: no example at the end of all of it");
        if !command.is_empty() {
            assert_eq!(said(&[&["help"], &words("")[..command.len()]].concat()), full, "{name}");
        }
        let options = |help: &str| -> BTreeSet<String> {
            let words = help.split_whitespace().filter(|word| word.starts_with("--"));
            words.map(|word| word.split(['[', '=', '`']).next().unwrap().to_owned()).collect()
        };
        assert!(options(&full).is_superset(&options(&help)), "{name}");
        pinned(format!("{name}.txt"), help);
    }
    let mut there: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    files.sort();
    assert_eq!(there, files, "tests/cli/help has a file for each command");
}

/// The commands of `tensai` in the fenced `sh` blocks of a document.
fn examples(text: &str) -> Vec<String> {
    let (mut found, mut is_shell, mut line) = (Vec::new(), false, String::new());
    for part in text.lines() {
        match part.trim_start() {
            fence if fence.starts_with("```") => is_shell = fence.trim_end() == "```sh",
            part if is_shell => match part.strip_suffix('\\') {
                Some(begin) => line += begin,
                None => found.push(std::mem::take(&mut line) + part),
            },
            _ => {}
        }
    }
    found
}

/// The words after `tensai` of a line of a shell, up to a pipe or redirection; `None` for another
/// program.
fn words(line: &str) -> Option<Vec<String>> {
    let line = line.replace("\\\n", " ");
    let words = shlex::split(&line).unwrap_or_else(|| panic!("not a command: {line}"));
    let is_tensai = |word: &String| word == "tensai" || word.ends_with("/tensai");
    let mut rest = words.iter().skip_while(|word| word.contains('=') && !word.starts_with('-'));
    match rest.next() {
        Some(first) if is_tensai(first) => {}
        Some(cargo) if cargo == "cargo" => {
            rest.by_ref().find(|&word| word == "--")?;
            if words.get(1).is_none_or(|word| word != "run") {
                return None;
            }
        }
        _ => return None,
    }
    let is_end =
        |word: &&String| ["|", "<", ">", ">>", "2>", "&&", "||", ";", "&"].contains(&word.as_str());
    Some(rest.take_while(|word| !is_end(word)).cloned().collect())
}

/// `line` with 1 for each variable and sum of the shell, which may stand for any value.
fn without_variables(line: &str) -> String {
    let mut parts = line.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = match part.strip_prefix("((") {
            Some(sum) => sum.split_once("))").map_or("", |(_, rest)| rest),
            None => part.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_'),
        };
        text = text + "1" + rest;
    }
    text
}

/// The words of each engine in the words of a command, which `--help` leaves unread.
fn engines(words: &[String]) -> Vec<Vec<String>> {
    let begins = |word: &String| ["--engine", "--against"].contains(&word.as_str());
    let options = words.iter().enumerate().filter(|(_, word)| begins(word)).map(|(at, _)| at + 1);
    let added = [words.starts_with(&["league".to_owned(), "add".to_owned()]).then_some(3)];
    let is_engine = |first: &String| first.contains('=');
    let engines = options.chain(added.into_iter().flatten()).map(|at| {
        words[at..].iter().take_while(|word| !word.starts_with("--")).cloned().collect::<Vec<_>>()
    });
    // `--engine` of the bot and `replay --against` have other values.
    engines.filter(|engine| engine.first().is_some_and(is_engine)).collect()
}

/// `--help` at the end stops the parser after all words before it are accepted, and before the
/// command does anything.
#[test]
fn commands_in_the_documents_have_options_and_engines_that_exist() {
    let mut files: Vec<PathBuf> =
        ["README.md", "README.ja.md", "CONTRIBUTING.md"].map(|name| root().join(name)).into();
    for folder in ["docs", "examples", "notes"] {
        let entries = fs::read_dir(root().join(folder)).unwrap();
        files.extend(entries.map(|entry| entry.unwrap().path()));
    }
    files.retain(|file| file.extension().is_some_and(|kind| kind == "md"));
    let mut count = 0;
    for file in files {
        for line in examples(&fs::read_to_string(&file).unwrap()) {
            let Some(words) = words(&without_variables(&line)) else { continue };
            let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
            arguments.push("--help");
            let output = tensai(&arguments, &[]);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {line}: {errors}", file.display());
            for engine in engines(&words) {
                let read = EngineConfig::from_words(&engine);
                assert!(read.is_ok(), "{}: {line}: {read:?}", file.display());
            }
            count += 1;
        }
    }
    assert!(count >= 20, "only {count} commands were found");
}

/// The examples at the end of each help, as they are copied: a backslash continues a line.
fn examples_of_the_help() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for command in commands() {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["-h"]).collect();
        let help = said(&words);
        let mut lines = help.lines().skip_while(|line| *line != "Example:");
        while let Some(line) = lines.next() {
            let Some(line) = line.strip_prefix("  ").filter(|line| line.starts_with("tensai"))
            else {
                continue;
            };
            let mut example = line.to_owned();
            while example.ends_with('\\') {
                example = format!("{example}\n{}", lines.next().unwrap());
            }
            found.insert(example);
        }
    }
    found
}

/// The columns of text of a terminal of the usual width.
const COLUMNS: usize = 80;

/// A line that wraps cannot be copied into a shell.
#[test]
fn the_examples_of_each_help_fit_80_columns() {
    let parameters = said(&["--help-parameters"]);
    assert!(parameters.lines().all(|line| line.chars().count() <= COLUMNS), "{parameters}");
    let mut helps = vec![parameters];
    for command in commands() {
        for flag in ["-h", "--help"] {
            let words: Vec<&str> = command.iter().map(String::as_str).chain([flag]).collect();
            helps.push(said(&words));
        }
    }
    let pinned = fs::read_dir(root().join("tests/cli/help")).unwrap();
    helps.extend(pinned.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()));
    for help in helps {
        let lines = help.lines().skip_while(|line| *line != "Example:");
        let wide: Vec<&str> = lines.filter(|line| line.chars().count() > COLUMNS).collect();
        assert!(wide.is_empty() && help.contains("Example:"), "{wide:#?}\n{help}");
    }
}

/// Examples that take long, or need what a test has elsewhere: games by the clock (`tests/arena`),
/// large searches (`tests/tools.rs`), a Git checkout (`tests/submit.rs`), a server
/// (`tests/arena/serve`), or the WebAssembly of `.ci/wasm`.
const NOT_RUN: &[&str] = &[
    "tensai --threads 1 < input.txt",
    "tensai check-bot \"python3 bot.py\" --dir bots/mine",
    "tensai league run mine                 # until Ctrl-C; run it again to go on",
    "tensai league run mine --for 1h",
    "tensai dev bench beam --against ./old",
    "tensai dev bench engine --nodes 3000000",
    "tensai dev blunders --nodes 100000",
    "tensai dev decisions --nodes 3000000",
    "tensai dev learn beam --packs 320 --nodes 1000000 > weights.rs",
    "tensai dev learn chains --packs 320",
    "tensai dev learn check positions.csv --held-out",
    "tensai dev learn data --records games/A -o positions.csv",
    "tensai record import match.json -o games/M",
    "tensai dev learn fit positions.csv > weights.rs",
    "tensai match --engine cmd=./bot name=mine --engine cmd=tensai --rounds 10",
    "tensai bot --engine classic --threads 1 < input.txt",
    "tensai match merge parts/* --records whole",
    "tensai match resume games/2026-11-21T080000Z --rounds 20",
    "tensai serve --engine name=mine cmd=\"java -jar bot.jar\"",
    "tensai submit --check submit.zip",
    "tensai submit -o submit.zip",
    "tensai tune resume mine",
    "tensai tune mine --nodes 20000 --parameter discount start=0.98 \\\n      --parameter in_hand max=0.8",
    "tensai dev page target/tensai.wasm -o client.html",
];

/// The other examples, in an order in which each finds the files that it needs.
#[cfg(target_os = "linux")]
const RUN: &[&str] = &[
    "tensai analyse field.toml --triggers 5",
    "tensai dev bench --passes 100",
    "tensai dev completions bash \\\n      > ~/.local/share/bash-completion/completions/tensai",
    "tensai league init mine --time 60s",
    "tensai league add mine level3",
    "tensai league add mine name=new cmd=\"./bot --deep\"",
    "tensai league remove mine level3",
    "tensai league set mine --openings 4    # for the games to come",
    "tensai league set mine --openings 4 --adjudicate",
    "tensai league show mine --page list.html",
    "tensai dev man ~/.local/share/man/man1",
    "tensai packs generate --seed 7 -o game.pack",
    "tensai packs check game.pack",
    "tensai dev perft --depth 3",
    "tensai play --level 3",
    "tensai record puzzles games/A -o puzzles.json",
    "tensai stats ratings games/A games/B --anchor random=0",
    "tensai record check games/A",
    "tensai record input games/A/0001.json --seat 0 -o input.txt",
    "tensai replay games/A/0001.json",
    "tensai replay blunders games/A/0001.json --nodes 100000",
    "tensai replay from games/A/0001.json 20 --nodes 1000",
    "tensai replay situation games/A/0001.json 20 > turn.toml",
    "tensai replay turn games/A/0001.json 20 --seat 1",
    "tensai stats engines games/A",
    "tensai stats foresight games/A",
    "tensai stats positions games/A -o positions.jsonl",
    "tensai record page games/A -o page.html",
];

#[cfg(target_os = "linux")]
#[test]
fn examples_of_the_help_do_their_work() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let completions = folder.join(".local/share/bash-completion/completions");
    fs::create_dir_all(&completions).unwrap();
    fs::write(folder.join("field.toml"), "[own]\nfield = '5.........'\n").unwrap();
    let bot = folder.join("bot");
    fs::write(&bot, "#!/bin/sh\nexec tensai --engine random\n").unwrap();
    fs::set_permissions(&bot, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let program = cargo_bin("tensai");
    let others = env::var_os("PATH").unwrap();
    let folders = std::iter::once(program.parent().unwrap().to_owned());
    let path = env::join_paths(folders.chain(env::split_paths(&others))).unwrap();
    let shell = |line: &str| {
        let mut command = Command::new("sh");
        command.args(["-ec", line]).current_dir(folder).stdin(Stdio::null());
        command.env("HOME", folder).env("PATH", &path).env("XDG_STATE_HOME", folder);
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {errors}");
    };
    // With nodes no clock runs. The games have more than 20 turns.
    for name in ["A", "B"] {
        shell(&format!("tensai match --nodes 100 --seed 1 --records games/{name}"));
    }
    RUN.iter().for_each(|line| shell(line));
    for file in ["list.html", "page.html", "input.txt", "positions.jsonl"] {
        assert!(folder.join(file).exists(), "{file}");
    }
    assert!(folder.join(".local/share/man/man1/tensai-league-add.1").exists());
    assert!(completions.join("tensai").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn each_example_of_the_help_is_run_or_listed() {
    let listed: BTreeSet<String> = NOT_RUN.iter().chain(RUN).map(|&line| line.into()).collect();
    assert_eq!(examples_of_the_help(), listed);
}

#[test]
fn examples_of_the_help_have_only_options_that_exist() {
    for line in examples_of_the_help() {
        let words = words(&line).unwrap();
        let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
        arguments.push("--help");
        let output = tensai(&arguments, &[]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {errors}");
    }
}

#[test]
fn an_option_that_does_not_exist_fails_the_check_of_the_documents() {
    let line = examples("text\n```sh\ntensai match --no-such \\\n  --json # why\n```\n").remove(0);
    let words = words(&line).unwrap();
    assert_eq!(words, ["match", "--no-such", "--json"]);
    assert_eq!(tensai(&["match", "--no-such", "--json", "--help"], &[]).status.code(), Some(2));
}

/// What a person types who has not read the help, and what the message tells.
#[test]
fn a_wrong_command_line_is_answered_in_one_line() {
    for (line, message) in [
        ("replay A B", "unexpected argument 'B' found; a command comes before its options and"),
        ("replay A turn 3", "unexpected argument 'turn' found; a command comes before its options"),
        ("stats rate g", "unrecognized subcommand 'rate'; a similar subcommand exists: 'ratings'"),
        ("league mine run", "unrecognized subcommand 'mine'; `tensai league` has "),
        ("help mtach", "unrecognized subcommand 'mtach'"),
        ("dev bench --engine", "unexpected argument '--engine' found"),
        ("serve --port 99999", "invalid value '99999' for '--port <N>': "),
        ("serve --host here", "'--host <ADDRESS>': expected an address such as 127.0.0.1"),
        (
            "play --level 10",
            "invalid value '10' for '--level <1..9>': expected a whole number from 1 to 9",
        ),
    ] {
        let words = shlex::split(line).unwrap();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let refused = tensai(&words, &[]);
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{line}: {errors}");
        assert!(errors.contains(message), "{line}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{line}: {errors}");
    }
}

#[test]
fn options_without_an_effect_are_refused() {
    let all = "
        replay turn G 3 --time 1s --nodes 5
        replay from G 80 --time 1s --nodes 5
        dev bench engine --parameter discount=0.7
        dev bench beam --positions 3
        dev blunders --factor 3
        dev decisions --against x
        dev decisions --beam-threads 2
        dev bench engine --seed 3
        dev bench --passes 10 engine
        dev bench beam --against x --beam-threads 2
        stats engines G --json --csv";
    for line in all.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let arguments: Vec<&str> = line.split(' ').collect();
        let refused = tensai(&arguments, &[]);
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{line}: {errors}");
        let reasons = ["cannot be used with", "unexpected arg"];
        let is_refused = reasons.iter().any(|reason| errors.contains(reason));
        assert!(is_refused, "{line}: {errors}");
    }
}

#[test]
fn drawings_obey_the_option_and_the_variables_of_color() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("field.toml");
    fs::write(&file, "[own]\nfield = '5.........'\n").unwrap();
    let is_colored = |more: &[&str], variables: &[(&str, &str)]| {
        let file = file.to_str().unwrap();
        let output = tensai(&[&["analyze", file], more].concat(), variables);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout.contains(&b'\x1b')
    };
    assert!(!is_colored(&[], &[]), "a pipe");
    assert!(is_colored(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!is_colored(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(is_colored(&["--colour", "always"], &[("NO_COLOR", "1"), ("TERM", "dumb")]));
    assert!(!is_colored(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn a_report_is_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("field.toml");
    fs::write(&file, "turn = 7\npacks = ['12/34']\n[own]\nfield = '5.........'\n").unwrap();
    let text = said(&["analyse", file.to_str().unwrap(), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(json.pointer("/0/triggers").is_some(), "{text}");
}

#[test]
fn a_dash_is_standard_output_and_a_closed_pipe_is_no_error() {
    assert_eq!(said(&["packs", "generate", "-o", "-"]), said(&["packs", "generate"]));
    let several = tensai(&["packs", "generate", "--count", "2", "-o", "-"], &[]);
    assert_eq!(several.status.code(), Some(2));
    let game = root().join("tests/data/official_16_turns.txt");
    let game = game.to_str().unwrap();
    for arguments in [
        &["packs", "generate", "-o", "-"][..],
        &["packs", "generate", "-o", "/dev/stdout"],
        &["replay", game],
        &["dev", "completions", "bash"],
    ] {
        let mut command = Command::new(cargo_bin("tensai"));
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = command.spawn().unwrap();
        drop(running.stdout.take());
        let ended = running.wait_with_output().unwrap();
        assert_eq!((ended.status.code(), &*ended.stderr), (Some(0), &[][..]), "{arguments:?}");
    }
}

#[test]
fn completions_and_manual_pages_know_the_commands() {
    let offered = said(&["dev", "completions", "bash"]);
    assert!(offered.contains("check-bot") && !offered.contains("exec-bot"), "{offered}");
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    said(&["dev", "man", pages.to_str().unwrap()]);
    assert!(pages.join("tensai.1").exists() && pages.join("tensai-match.1").exists());
}
