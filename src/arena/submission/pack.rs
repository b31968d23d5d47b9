//! Makes the zip of a commit.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::archive::{self, Files};
use super::{SELFTEST, SubmissionError, cargo_manifest};
use crate::arena::PLAYING_VARIABLES;
use crate::game::TURNS;
use crate::util::sanitize::shown;

/// The purpose of a submission.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubmissionKind {
    /// Plays in the contest.
    Play,
    /// Shows the log of the runner: `compile.sh` plays a recorded game and fails with the log.
    SelfTest,
}

/// The result of making a zip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// The abbreviated hash of the commit.
    pub commit: String,
    /// Whether files of the checkout differ from the commit. The zip contains those of the commit.
    pub is_dirty: bool,
    /// The name and version that the compiler prints.
    pub compiler: String,
    /// Number of crates in the zip.
    pub crates: usize,
    /// Name and bytes of each binary.
    pub binaries: BTreeMap<String, u64>,
    /// Size of the zip in bytes.
    pub size: u64,
}

/// The binaries for runners without Rust, each with the processor for which it is compiled. The
/// first runs on any x86-64 processor and chooses its instructions when it starts. The second may
/// use the instructions of processors from about 2013 on everywhere.
const BINARIES: [(&str, &str); 2] =
    [("tensai-x86-64", "x86-64"), ("tensai-x86-64-v3", "x86-64-v3")];

/// The recorded input that a submission is tested with.
const INPUT: &str = "replays/input.txt";

/// Turns of the input that `compile.sh` plays.
const PROOF_TURNS: usize = 3;
/// Limit of drops for a decision, under which all builds answer these turns alike.
const PROOF_NODES: &str = "20000";

/// The configuration by which cargo takes the crates from the zip.
const SOURCE: &str = "[source.crates-io]\nreplace-with = \"vendored\"\n
[source.vendored]\ndirectory = \"vendor\"\n";

/// Lines of the input: three for each pack; for each turn its number and, for each player, four
/// numbers, sixteen rows and `END`.
const PROOF_LINES: usize = 3 * TURNS + PROOF_TURNS * (1 + 2 * (4 + 16 + 1));

/// Makes the zip of the commit that is checked out in the current folder.
///
/// The build takes place in `target/submission`, from the files of the zip only. Neither the folder
/// nor environment variables change a byte.
///
/// # Errors
/// The current folder is no checkout, a tool is missing or fails, or a file cannot be read or
/// written.
pub fn pack(
    output: &Path,
    kind: SubmissionKind,
    mut progress: impl FnMut(&str),
) -> Result<Packed, SubmissionError> {
    let root = checkout(Path::new("."))?;
    let commit = commit(&root)?;
    let changes = run(git(&root).args(["status", "--porcelain", "--untracked-files=no"]))?;
    let compiler = run(Command::new("rustc").arg("--version"))?.trim_end().to_owned();

    let workshop = root.join("target/submission");
    let stage = workshop.join("tensai");
    progress("the commit's files");
    let input = export(&root, &workshop, &stage)?;
    archive::check_place(output)?; // `target` exists now
    let text = read(&stage.join("Cargo.toml"))?;
    write(&stage.join("Cargo.toml"), cargo_manifest::trimmed(&text)?)?;

    progress("crates");
    let committed = read(&stage.join("Cargo.lock"))?;
    run(cargo(&stage).args(["vendor", "--quiet", "--versioned-dirs", "vendor"]))?;
    fs::create_dir_all(stage.join(".cargo"))
        .map_err(SubmissionError::file(&stage.join(".cargo"), "create"))?;
    write(&stage.join(".cargo/config.toml"), SOURCE.to_owned())?;
    check_lock(&committed, &read(&stage.join("Cargo.lock"))?)?;

    let mut files = Files::new();
    archive::gather(&stage, "", &mut files)?;
    let mut binaries = BTreeMap::new();
    for (name, processor) in BINARIES {
        progress(name);
        let binary = build(&stage, &workshop.join("build").join(processor), processor)?;
        let bytes = fs::read(&binary).map_err(SubmissionError::file(&binary, "read"))?;
        binaries.insert(name.to_owned(), bytes.len() as u64);
        files.insert(format!("bin/{name}"), bytes);
        if name == BINARIES[0].0 {
            progress("the answers to the recorded turns");
            let lines: Vec<&str> = input.lines().take(PROOF_LINES).collect();
            let played = lines.join("\n") + "\n";
            files.insert("replays/answers.txt".to_owned(), answers(&binary, &stage, &played)?);
            let kept = if kind == SubmissionKind::SelfTest { input.clone() } else { played };
            files.insert(INPUT.to_owned(), kept.into_bytes());
        }
    }
    files.insert("COMMIT".to_owned(), format!("{commit}\n{compiler}\n").into_bytes());
    if kind == SubmissionKind::SelfTest {
        let text = "compile.sh plays replays/input.txt and fails with the log.\n";
        files.insert(SELFTEST.to_owned(), text.as_bytes().to_vec());
    }
    progress("the zip");
    let size = archive::write(output, &files)?;
    let crates = files.keys().filter(|name| name.ends_with("/.cargo-checksum.json")).count();
    Ok(Packed { commit, is_dirty: !changes.is_empty(), compiler, crates, binaries, size })
}

/// The root of the checkout that `folder` is in.
fn checkout(folder: &Path) -> Result<PathBuf, SubmissionError> {
    let root = run(git(folder).args(["rev-parse", "--show-toplevel"])).map_err(|error| {
        let what_to_do = "expected a checkout of tensai, whose commit is packed: run it in a clone";
        SubmissionError::Refused(format!("{}: {what_to_do} ({error})", shown(folder)))
    })?;
    Ok(PathBuf::from(root.trim_end()))
}

/// The commit that is checked out in `root`.
fn commit(root: &Path) -> Result<String, SubmissionError> {
    let commit = run(git(root).args(["rev-parse", "--short=12", "HEAD"])).map_err(|error| {
        let what_to_do = "expected a commit, which is packed: commit the files first";
        SubmissionError::Refused(format!("{}: {what_to_do} ({error})", shown(root)))
    })?;
    Ok(commit.trim_end().to_owned())
}

/// Copies the commit's files that belong to a submission into a new folder. Returns the recorded
/// input.
fn export(root: &Path, workshop: &Path, stage: &Path) -> Result<String, SubmissionError> {
    if stage.exists() {
        fs::remove_dir_all(stage).map_err(SubmissionError::file(stage, "remove"))?;
    }
    fs::create_dir_all(stage).map_err(SubmissionError::file(stage, "create"))?;
    let listed = run(git(root).args(["ls-tree", "-r", "-z", "--name-only", "HEAD"]))?;
    let needed: Vec<&str> = listed
        .split('\0')
        .filter(|path| cargo_manifest::is_needed(path) || *path == INPUT)
        .collect();
    // A separate index, so that the user's own index does not change.
    let index = workshop.join("index");
    let in_index = || {
        let mut git = git(root);
        git.env("GIT_INDEX_FILE", &index);
        git
    };
    run(in_index().args(["read-tree", "HEAD"]))?;
    let prefix = format!("--prefix={}/", stage.display());
    run(in_index()
        .args(["-c", "core.autocrlf=false", "checkout-index", "--force", &prefix, "--"])
        .args(&needed))?;
    let input = stage.join(INPUT);
    let text = read(&input)?;
    fs::remove_file(&input).map_err(SubmissionError::file(&input, "remove"))?;
    Ok(text)
}

/// Builds the static binary of a staged submission. The binary does not contain the folder's name.
fn build(stage: &Path, target: &Path, processor: &str) -> Result<PathBuf, SubmissionError> {
    let host = run(Command::new("rustc").arg("-vV"))?;
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    if !host.starts_with("x86_64-") || !host.contains("linux") {
        let reason = format!("binaries for runners are made on x86-64 Linux, and this is {host}");
        return Err(SubmissionError::Refused(reason));
    }
    let flags = [
        format!("--remap-path-prefix={}=/tensai", stage.display()),
        format!("-Ctarget-cpu={processor}"),
        "-Ctarget-feature=+crt-static".to_owned(),
        "-Cstrip=symbols".to_owned(),
        "-Clink-arg=-Wl,--build-id=none".to_owned(),
    ];
    // With `--target`, the flags do not apply to build scripts and macros.
    run(cargo(stage)
        .args(["build", "--quiet", "--release", "--locked", "--offline", "--bin", "tensai"])
        .args(["--target", host])
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .env("CARGO_TARGET_DIR", target))?;
    Ok(target.join(host).join("release/tensai"))
}

/// Returns the bot's answers to the recorded turns.
fn answers(binary: &Path, stage: &Path, input: &str) -> Result<Vec<u8>, SubmissionError> {
    let played = stage.join("input.txt");
    write(&played, input.to_owned())?;
    let stdin = fs::File::open(&played).map_err(SubmissionError::file(&played, "read"))?;
    let bot = &mut Command::new(binary);
    for variable in PLAYING_VARIABLES {
        bot.env_remove(variable);
    }
    let output_text = run(bot.args(["--threads", "1", "--nodes", PROOF_NODES]).stdin(stdin))?;
    let lines = output_text.lines().count();
    if lines != 1 + PROOF_TURNS {
        let reason = format!("{INPUT}: expected {PROOF_TURNS} answers to it, found {}", lines - 1);
        return Err(SubmissionError::Refused(reason));
    }
    Ok(output_text.into_bytes())
}

/// Checks that the submission uses only crates that the project was tested with.
fn check_lock(whole: &str, part: &str) -> Result<(), SubmissionError> {
    let package = |entry: &str| -> Option<String> {
        let line = |key: &str| entry.lines().find(|line| line.starts_with(key));
        Some([line("name")?, line("version")?, line("checksum")?].join(" "))
    };
    let packages =
        |lock: &str| -> Vec<String> { lock.split("[[package]]").filter_map(package).collect() };
    let whole = packages(whole);
    match packages(part).into_iter().find(|package| !whole.contains(package)) {
        None => Ok(()),
        Some(package) => Err(SubmissionError::Refused(format!(
            "Cargo.lock: {package} is not in the project's; run `cargo build` and commit Cargo.lock"
        ))),
    }
}

/// A command of git that runs in `folder`.
fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder);
    git
}

/// Variables that change what cargo builds, besides those with a prefix that [`cargo`] removes.
const OTHERS: [&str; 5] =
    ["CARGO_INCREMENTAL", "RUSTC", "RUSTC_WORKSPACE_WRAPPER", "RUSTC_WRAPPER", "RUSTFLAGS"];

/// A command of cargo that runs in `folder`, without the variables that change its builds.
fn cargo(folder: &Path) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(folder);
    for (name, _) in std::env::vars_os() {
        let Some(text) = name.to_str() else { continue };
        let builds = ["CARGO_BUILD_", "CARGO_PROFILE_", "CARGO_TARGET_", "CARGO_ENCODED_"];
        let changes = builds.iter().any(|prefix| text.starts_with(prefix));
        if changes || OTHERS.contains(&text) {
            cargo.env_remove(&name);
        }
    }
    cargo
}

/// Runs a program to its end. Returns its standard output.
fn run(command: &mut Command) -> Result<String, SubmissionError> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.take(4).map(OsStr::to_string_lossy).collect();
    let words = words.join(" ");
    let tool = |reason: String| SubmissionError::Refused(format!("`{words}` {reason}"));
    let output = command.stderr(Stdio::piped()).output();
    let output = output.map_err(|error| tool(format!("does not start: {error}")))?;
    if !output.status.success() {
        let output_text = String::from_utf8_lossy(&output.stderr);
        let first =
            output_text.lines().find(|line| line.starts_with("error") || line.starts_with("fatal"));
        let first = first.or_else(|| output_text.lines().last()).unwrap_or("nothing");
        return Err(tool(format!("ended with {}: {first}", output.status)));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| tool("wrote output that is not UTF-8 text".to_owned()))
}

fn read(path: &Path) -> Result<String, SubmissionError> {
    fs::read_to_string(path).map_err(SubmissionError::file(path, "read"))
}

fn write(path: &Path, text: String) -> Result<(), SubmissionError> {
    fs::write(path, text).map_err(SubmissionError::file(path, "write"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locked_crates_stay_as_they_are() {
        let crate_of = |version: &str| {
            format!("[[package]]\nname = \"a\"\nversion = \"{version}\"\nchecksum = \"x\"\n")
        };
        let own = "[[package]]\nname = \"tensai\"\nversion = \"1\"\n";
        let whole = own.to_owned() + &crate_of("1.0") + &crate_of("2.0");
        check_lock(&whole, &(own.to_owned() + &crate_of("2.0"))).unwrap();
        let error = check_lock(&whole, &crate_of("2.1")).unwrap_err().to_string();
        assert!(error.contains("version = \"2.1\""), "{error}");
    }

    #[test]
    fn tools_that_fail_are_named() {
        let error = run(Command::new("sh").args(["-c", "echo error: x >&2; echo y >&2; exit 3"]));
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("`sh -c "), "{error}");
        assert!(error.ends_with("ended with exit status: 3: error: x"), "{error}");
        let error = run(&mut Command::new("no-such-tool")).unwrap_err().to_string();
        assert!(error.starts_with("`no-such-tool` does not start: "), "{error}");
    }
}
