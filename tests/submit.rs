//! The submission's scripts and the runner, as processes. Tests that need a build are in `.ci/run`.
#![cfg(all(feature = "arena", target_os = "linux"))]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use tensai::arena::submission::archive::{self, Files};

/// A folder of the project.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the answers of this build's bot to the first three recorded turns.
fn answers() -> Vec<u8> {
    let input = fs::read_to_string(project("replays/input.txt")).unwrap();
    let lines: Vec<&str> = input.lines().take(1500 + 3 * 43).collect();
    let bot = Command::new(cargo_bin("tensai"));
    let mut bot = assert_cmd::Command::from_std(bot);
    let bot = bot.args(["--threads", "1", "--nodes", "20000"]).write_stdin(lines.join("\n") + "\n");
    bot.assert().success().get_output().stdout.clone()
}

/// A submission with the binary of this build in place of the release binaries, and no sources.
fn submission() -> Files {
    let file = |path: &str| (path.to_owned(), fs::read(project(path)).unwrap());
    let mut files: Files =
        ["compile.sh", "run.sh", "Cargo.toml", "replays/input.txt"].map(file).into();
    // A script in place of the binary, which has 100 MB in the tests' profile.
    let path = cargo_bin("tensai").display().to_string();
    // It plays under a node limit, so that a game takes seconds and does not depend on the machine.
    // The runner unsets the variable of that limit.
    let path = shlex::try_quote(&path).unwrap();
    let binary =
        format!("#!/bin/sh\nexport TENSAI_NODES=\"${{TENSAI_NODES:-2000}}\"\nexec {path} \"$@\"\n");
    files.insert("bin/tensai-x86-64".to_owned(), binary.into_bytes());
    files.insert("replays/answers.txt".to_owned(), answers());
    files
}

/// A self-test by a short game: three turns, with little time left.
fn self_test() -> Files {
    let mut files = submission();
    files.insert("SELFTEST".to_owned(), Vec::new());
    let input = text(&files["replays/input.txt"]);
    let lines: Vec<&str> = input.lines().take(1500 + 3 * 43).collect();
    let input = (lines.join("\n") + "\n").replace("\n180000\n", "\n3000\n");
    files.insert("replays/input.txt".to_owned(), input.into_bytes());
    files
}

/// A submission in a folder.
fn unpacked(files: &Files) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    }
    folder
}

/// A zip may lose the modes of files, and a later run finds the files of an earlier run.
#[test]
fn the_scripts_run_without_the_executable_bit() {
    let mut files = self_test();
    files.insert("selftest.log".to_owned(), b"of before\n".to_vec());
    let folder = unpacked(&files);
    for name in files.keys() {
        fs::set_permissions(folder.path().join(name), PermissionsExt::from_mode(0o644)).unwrap();
    }
    let mut command = Command::new("sh");
    command.arg(folder.path().join("compile.sh")).env("TENSAI_COMPILE", "prebuilt");
    let said = text(&command.output().unwrap().stderr);
    assert!(said.contains("./tensai is bin/tensai-x86-64, as"), "{said}");
    assert!(said.contains("self-test: ended with exit code 0"), "{said}");
    let printed = Command::new("sh").arg(folder.path().join("run.sh")).output().unwrap();
    assert_eq!(printed.status.code(), Some(1), "the log is no answer");
    assert!(text(&printed.stdout).contains("self-test: ended with exit code 0"));
}

#[test]
fn a_prebuilt_binary_plays_if_nothing_can_be_built() {
    let folder = unpacked(&submission());
    let mut command = Command::new("sh");
    let printed = command.arg(folder.path().join("run.sh")).arg("--version").output().unwrap();
    assert!(text(&printed.stdout).starts_with("tensai "), "{}", text(&printed.stderr));
}

fn compile(folder: &Path, way: &str) -> (Option<i32>, String) {
    let mut command = Command::new("sh");
    let output = command.arg(folder.join("compile.sh")).env("TENSAI_COMPILE", way).output();
    let output = output.unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "the runner would take it for answers");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Checks a submission as the contest's runner does.
fn check(files: &Files, more: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let zip = folder.path().join("submit.zip");
    archive::write(&zip, files).unwrap();
    let mut command = Command::new(cargo_bin("tensai"));
    command.args(["submit", "--time", "1h", "--compile", "prebuilt"]).args(more);
    command.arg("--check").arg(&zip).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_submission_without_cargo_takes_and_tests_a_binary() {
    let folder = unpacked(&submission());
    let (code, said) = compile(folder.path(), "prebuilt");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("not v3: "), "{said}");
    assert!(said.contains("./tensai is bin/tensai-x86-64, as it runs on any x86-64"), "{said}");
    assert!(said.contains("it has played three recorded turns"), "{said}");
}

#[test]
fn a_binary_with_other_answers_is_not_taken() {
    let mut files = submission();
    // The binary for new processors is broken: on a new processor, the other binary is taken.
    files.insert("bin/tensai-x86-64-v3".to_owned(), b"#!/bin/sh\necho no >&2; exit 3\n".to_vec());
    let folder = unpacked(&files);
    let (code, said) = compile(folder.path(), "prebuilt");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("./tensai is bin/tensai-x86-64, as"), "{said}");
    // Both binaries are broken: no binary is left behind.
    files.insert("bin/tensai-x86-64".to_owned(), b"#!/bin/sh\necho tensai\n".to_vec());
    let folder = unpacked(&files);
    let (code, said) = compile(folder.path(), "prebuilt");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("not portable: it does not play the recorded turns"), "{said}");
    assert!(said.ends_with("compile.sh: no way is left to make ./tensai\n"), "{said}");
    assert!(!folder.path().join("tensai").exists());
}

/// Programs that replace those of the system.
fn with_tools(tools: &[(&str, &str)]) -> (tempfile::TempDir, String) {
    let files = tools
        .iter()
        .map(|(name, text)| ((*name).to_owned(), format!("#!/bin/sh\n{text}\n").into_bytes()));
    let folder = unpacked(&files.collect());
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    (folder, path)
}

#[test]
fn cargo_is_used_only_if_it_is_new_enough_and_in_time() {
    let mut files = submission();
    files.insert("vendor/crate".to_owned(), Vec::new());
    let cases = [
        (
            "300",
            "echo rustc 1.70.0",
            "",
            "not cargo: Rust 1.70 is too old; 1.95 or later is needed",
        ),
        ("300", "exit 1", "", "not cargo: cargo is there, but `rustc --version` does not work"),
        ("1", "echo rustc 1.95.0", "sleep 1000", "not cargo: cargo was not done within 1 s"),
        (
            "300",
            "echo rustc 2.0.1",
            "echo error: no crate; exit 101",
            "not cargo: the build failed with Rust 2.0: error: no crate",
        ),
    ];
    for (limit, rustc, cargo, message) in cases {
        let folder = unpacked(&files);
        let (_tools, path) = with_tools(&[("rustc", rustc), ("cargo", cargo)]);
        let mut command = Command::new("sh");
        command.arg(folder.path().join("compile.sh"));
        let output = command.env("PATH", path).env("TENSAI_COMPILE_LIMIT", limit).output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.success(), "{said}");
        assert!(said.contains(message), "{said}");
        assert!(said.contains("./tensai is bin/tensai-x86-64, as"), "{said}");
        assert!(said.contains("it has played three recorded turns"), "{said}");
        assert!(!folder.path().join("tensai.old").exists());
    }
}

/// The arguments and variables that run.sh gives the bot, which here prints them.
fn fitted(tools: &[(&str, &str)], limits: &str) -> String {
    let mut files = submission();
    let bot = "#!/bin/sh\necho \"$TENSAI_THREADS threads, $(ulimit -d) kB, $*\"\n";
    files.insert("tensai".to_owned(), bot.as_bytes().to_vec());
    let folder = unpacked(&files);
    let (_tools, path) = with_tools(tools);
    let script = format!("{limits} exec ./run.sh --name x");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder.path());
    let output = command.env("PATH", path).env_remove("TENSAI_THREADS").output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout).trim_end().to_owned()
}

#[test]
fn threads_and_memory_fit_the_machine() {
    // At most 900 MB, and therefore at most five threads.
    let many = fitted(&[("nproc", "echo 64")], "");
    let (threads, rest) = many.split_once(" threads, ").unwrap();
    let kib: u64 = rest.split_once(" kB, --name x").unwrap().0.parse().unwrap();
    assert!((1..=5).contains(&threads.parse::<u32>().unwrap()), "{many}");
    assert!(kib <= 900 * 1024, "{many}");
    // Below that, a tenth is left to other processes.
    let little = fitted(&[("nproc", "echo 64")], "ulimit -v 524288;");
    assert_eq!(
        little,
        "1 threads, 471040 kB, --name x".replace("471040", &(460 * 1024).to_string())
    );
    assert!(fitted(&[("nproc", "echo 1")], "").starts_with("1 threads, "));
    assert!(
        fitted(&[("nproc", "echo 64")], "TENSAI_THREADS=2; export TENSAI_THREADS;")
            .starts_with("2 threads, "),
        "who asks for a number gets it"
    );
}

#[test]
fn the_runner_plays_a_whole_game() {
    let checked = check(&submission(), &[]);
    let (said, errors) = (text(&checked.stdout), text(&checked.stderr));
    assert_eq!(checked.status.code(), Some(0), "{said}{errors}");
    for part in ["runner: ", "compile.sh: ", " s used, ", "run.sh: submission wins, "] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.trim_end().ends_with("submit.zip: good"), "{said}");
}

/// The check prints the line `runner: ...` once the zip is unpacked, and not before an error.
#[test]
fn what_is_no_submission_is_refused_by_one_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("text.zip"), "no zip").unwrap();
    for name in ["nope.zip", "text.zip"] {
        let mut command = Command::new(cargo_bin("tensai"));
        let output = command.args(["submit", "--check", name]).current_dir(folder.path());
        let output = output.output().unwrap();
        let (said, errors) = (text(&output.stdout), text(&output.stderr));
        assert!(!output.status.success() && said.is_empty(), "{name}: {said}{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.starts_with(&format!("tensai: {name}: ")), "{errors}");
    }
}

#[test]
fn the_first_error_is_reported_in_one_line() {
    let with = |name: &str, script: &str| {
        let mut files = submission();
        files.insert(name.to_owned(), format!("#!/bin/sh\n{script}\n").into_bytes());
        files
    };
    let without_run = {
        let mut files = submission();
        files.remove("run.sh");
        files
    };
    let with_run = |script: &str| {
        let mut files = with("run.sh", script);
        files.insert("compile.sh".to_owned(), b"#!/bin/sh\n".to_vec());
        files
    };
    let quiet = {
        let mut files = with_run("exit 3");
        files.insert("compile.sh".to_owned(), b"#!/bin/sh\nexec 2>log; sleep 1\n".to_vec());
        files
    };
    let cases = [
        (without_run, "tensai: run.sh: is not there, at the top of the zip"),
        (
            with("compile.sh", "echo fine; g++-99 -o x x.cpp; exit 1"),
            "tensai: compile.sh: ended with exit status: 1: ",
        ),
        (
            with("compile.sh", "exec 2>log; sleep 1; exit 4"),
            "tensai: compile.sh: ended with exit status: 4",
        ),
        (
            with("compile.sh", "echo done"),
            "tensai: compile.sh: wrote `done` to standard output, which the runner takes for answers",
        ),
        (
            with("run.sh", "echo no bot >&2; exit 3"),
            "tensai: compile.sh: ended with exit status: 2: compile.sh: not portable: it does not \
             play the recorded turns: no bot",
        ),
        (
            with_run("echo no bot >&2; exit 3"),
            "tensai: run.sh: no start at turn 0: no name: ended with exit status: 3: no bot",
        ),
        (quiet, "tensai: run.sh: no start at turn 0: no name: ended with exit status: 3"),
        (with_run("echo bot; head -n 1543 >turn; echo 9 9"), "tensai: run.sh: invalid answer"),
    ];
    let late = ["sleep 1000", "exec 2>log; sleep 1000"].map(|script| {
        ((with("compile.sh", script), "tensai: compile.sh: not done within 1s"), "1s")
    });
    let cases = cases.into_iter().map(|case| (case, "15m")).chain(late);
    for ((files, message), limit) in cases {
        let checked = check(&files, &["--compile-time", limit]);
        let errors = text(&checked.stderr);
        assert_eq!(checked.status.code(), Some(1), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.starts_with(message), "{message}: {errors}");
    }
}

#[test]
fn output_of_scripts_is_shown_without_control_characters() {
    let codes = "printf '\\033[2J\\033]0;t\\007\\342\\200\\256\\n'";
    let endless = "head -c 5000000 /dev/zero | tr '\\0' 7";
    let speaks = format!("{codes} >&2; {endless} >&2; echo >&2; {codes} >&2");
    let bot = format!("{codes}; {speaks}; head -n 1543 > turn; {endless}; {codes}");
    for (compile, run) in [
        (format!("{speaks}; exit 1"), ""),
        (codes.to_owned(), ""),
        (speaks.clone(), "exit 3"),
        (String::new(), &bot),
    ] {
        let mut files = submission();
        for (name, script) in [("compile.sh", &*compile), ("run.sh", run)] {
            files.insert(name.to_owned(), format!("#!/bin/sh\n{script}\n").into_bytes());
        }
        let checked = check(&files, &[]);
        let printed = text(&checked.stdout) + &text(&checked.stderr);
        assert_eq!(checked.status.code(), Some(1), "{compile}: {printed}");
        let is_hostile = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!printed.contains(is_hostile), "{printed:?}");
        assert!(printed.contains("\\u{1b}[2J\\u{1b}]0;t"), "{printed:?}");
        assert!(printed.len() < 64_000, "{} bytes", printed.len());
    }
}

#[test]
fn a_self_test_shows_its_log_as_an_error() {
    let files = self_test();
    let checked = check(&files, &[]);
    let said = text(&checked.stdout);
    assert_eq!(checked.status.code(), Some(0), "{said}{}", text(&checked.stderr));
    assert_eq!(said.matches("| info {").count(), 2 * 3, "on both streams: {said}");
    assert!(said.contains("self-test: compile.sh printed the log"), "{said}");
}

#[test]
fn wrong_requests_are_refused_with_one_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("text.zip"), "text").unwrap();
    for (arguments, message) in [
        (&["--check", "none.zip"][..], "tensai: none.zip: cannot read: "),
        (
            &["--check", "text.zip"],
            "tensai: text.zip: expected a zip, as `tensai submit` writes it: ",
        ),
        (&["--check", "text.zip", "--selftest"], "tensai: the argument '--"),
        (&["--time", "3"], "tensai: the following required arguments were not provided: "),
        (
            &["-o", "x.zip"],
            "tensai: .: expected a checkout of tensai, whose commit is packed: run it in a",
        ),
    ] {
        let mut command = Command::new(cargo_bin("tensai"));
        command.arg("submit").args(arguments).current_dir(folder.path());
        let refused = command.env("GIT_CEILING_DIRECTORIES", "/").output().unwrap();
        let errors = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.starts_with(message), "{errors}");
        assert!(!folder.path().join("x.zip").exists());
    }
}

#[test]
fn a_repository_without_a_commit_is_no_submission() {
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new("git").args(["init", "-q"]).current_dir(folder.path()).status();
    assert!(made.unwrap().success());
    let mut command = Command::new(cargo_bin("tensai"));
    let refused = command.args(["submit", "-o", "x.zip"]).current_dir(folder.path()).output();
    let errors = text(&refused.unwrap().stderr);
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(
        errors.contains("expected a commit, which is packed: commit the files first"),
        "{errors}"
    );
}

/// The folder's name has a space and ends with an end of line; the links are in another folder, one
/// of them leads to a link, and scripts are called from a third folder.
#[test]
fn the_scripts_are_called_through_links() {
    let places = tempfile::tempdir().unwrap();
    let [folder, links, elsewhere] =
        ["a bot\n", "bin", "elsewhere"].map(|name| places.path().join(name));
    fs::rename(unpacked(&submission()).keep(), &folder).unwrap();
    for name in [&links, &elsewhere] {
        fs::create_dir(name).unwrap();
    }
    for script in ["compile.sh", "run.sh"] {
        symlink(Path::new("../a bot\n").join(script), links.join(script)).unwrap();
        symlink(links.join(script), elsewhere.join(script)).unwrap();
    }
    let called = |script: &str, argument: &str, folder: &Path| {
        let mut command = Command::new("sh");
        command.args([script, argument]).current_dir(folder).env("TENSAI_COMPILE", "prebuilt");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{script}: {}", text(&output.stderr));
        output
    };
    let said = text(&called("../bin/compile.sh", "", &elsewhere).stderr);
    assert!(said.contains("it has played three recorded turns"), "{said}");
    assert!(folder.join("tensai").is_file());
    for script in ["run.sh", "./run.sh", "../bin/run.sh", "../a bot\n/run.sh"] {
        let printed = text(&called(script, "--version", &elsewhere).stdout);
        assert!(printed.starts_with("tensai "), "{script}: {printed}");
    }
    // As the kernel runs a script by its path, and as a shell finds it in PATH.
    let path = format!("{}:{}", links.display(), std::env::var("PATH").unwrap());
    for script in [elsewhere.join("run.sh"), PathBuf::from("run.sh")] {
        let mut command = Command::new("sh");
        let call = ["-c", "exec \"$0\" --version"];
        command.args(call).arg(&script).env("PATH", &path).current_dir(&folder);
        let printed = text(&command.output().unwrap().stdout);
        assert!(printed.starts_with("tensai "), "{}: {printed}", script.display());
    }
}

#[test]
fn each_stage_of_making_a_zip_is_a_line_where_there_is_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let script = "git init -q && git -c user.name=x -c user.email=x commit -q --allow-empty -m x";
    let made = Command::new("sh").args(["-c", script]).current_dir(folder.path()).status();
    assert!(made.unwrap().success());
    let mut command = Command::new(cargo_bin("tensai"));
    let failed = command.arg("submit").current_dir(folder.path()).output().unwrap();
    let errors = text(&failed.stderr);
    let lines: Vec<&str> = errors.lines().collect();
    assert_eq!((failed.status.code(), lines.len()), (Some(2), 2), "{errors}");
    assert_eq!(lines[0], "tensai: the commit's files ...");
    assert!(lines[1].contains("replays/input.txt: cannot read: "), "{errors}");
}

/// More folders in folders than there are file handles, in the zip and made by a script, where even
/// their path is too long for the system; and a folder that nobody may enter.
#[test]
fn a_check_leaves_nothing_behind_whatever_the_submission_makes() {
    let places = tempfile::tempdir().unwrap();
    let [zip, temporary] = ["deep.zip", "tmp"].map(|name| places.path().join(name));
    fs::create_dir(&temporary).unwrap();
    let without_run: Files = [("d/".repeat(900) + "file", Vec::new())].into();
    let script = "#!/bin/sh\nmkdir closed closed/in; chmod 0 closed/in closed\ni=0\n\
        name=a-folder-with-a-long-name\n\
        while [ $i -lt 400 ]; do mkdir $name; cd -P $name; i=$((i + 1)); done; exit 3\n";
    let mut deep = submission();
    deep.insert("compile.sh".to_owned(), script.as_bytes().to_vec());
    for (files, message) in [
        (without_run, "tensai: compile.sh: is not there, at the top of the zip\n"),
        (deep, "tensai: compile.sh: ended with exit status: 3\n"),
    ] {
        archive::write(&zip, &files).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -n 256; exec \"$@\"", "sh"]).arg(cargo_bin("tensai"));
        command.args(["submit", "--check"]).arg(&zip).env("TMPDIR", &temporary);
        let refused = command.output().unwrap();
        assert_eq!(text(&refused.stderr), message);
        assert_eq!(refused.status.code(), Some(1));
        // The claims of cores stay.
        let left = fs::read_dir(&temporary).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<_> = left.collect();
        let is_claim =
            |name: &std::ffi::OsString| name.to_string_lossy().starts_with("tensai-cores-");
        assert!(left.iter().all(is_claim), "{message}: {left:?}");
    }
}
