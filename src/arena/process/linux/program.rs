//! Finds the program of a bot, and checks before a start whether it can run.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, eaccess};

use crate::arena::engine::{EngineConfig, KNOWN_OPPONENTS, KnownOpponent, OWN, StartError};
use crate::game::Seat;
use crate::util::sanitize::shown;
use crate::util::suggestion::{closest, hint, separator};

/// The file of the running program, even if another file has replaced it since.
pub(super) const OWN_FILE: &str = "/proc/self/exe";

/// The program of `engine` and its arguments.
///
/// The program is looked up as a shell in the engine's folder would do; [`OWN`] is `OWN_FILE`. All
/// checks that are possible before the program runs are made.
///
/// # Errors
/// The command has no words, the program or the engine's folder does not exist or may not be used,
/// or no process can be given these words or variables.
pub fn command(engine: &EngineConfig) -> Result<(PathBuf, Vec<String>), StartError> {
    // Before a match, the program is looked for as in its first game.
    let in_game = engine.clone().in_game(1, 1, Seat::First);
    let words = shlex::split(&in_game.cmd).unwrap_or_default();
    let [program, arguments @ ..] = &words[..] else {
        return Err(StartError::Words(engine.cmd.clone()));
    };
    let invalid = |reason: String| StartError::Program { command: engine.cmd.clone(), reason };
    check_texts(engine).map_err(invalid)?;
    let dir = checked_dir(engine)?;
    if program == OWN {
        return Ok((OWN_FILE.into(), present(arguments)));
    }
    let program = find(program, &dir, engine.dir.is_some())
        .map_err(|reason| invalid(reason + &needs_no_shell(program)))?;
    Ok((program, arguments.to_vec()))
}

/// The arguments of this program in their present spelling. The folders of matches and leagues of
/// version 0.2 have `play --random`, which their known opponent `random` was.
fn present(arguments: &[String]) -> Vec<String> {
    match arguments {
        [play, random, rest @ ..] if play == "play" && random == "--random" => {
            let random = ["--engine", "random"].map(str::to_owned);
            random.into_iter().chain(rest.iter().cloned()).collect()
        }
        _ => arguments.to_vec(),
    }
}

/// A hint at what takes the place of a shell, if `program` is a word that only a shell understands;
/// else at a comma that separates words; empty if it is neither.
fn needs_no_shell(program: &str) -> String {
    let is_name = |name: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !name.is_empty() && name.chars().all(fits)
    };
    let instead = match program.split_once('=') {
        Some((name, _)) if is_name(name) => {
            "give a variable by env=NAME=VALUE (check-bot: --env NAME=VALUE)"
        }
        _ if program == "cd" => "give the folder by dir=FOLDER (check-bot: --dir FOLDER)",
        _ if program.starts_with(['~', '$']) => "write the whole path",
        _ => return separator(program, EngineConfig::KEYS),
    };
    format!("; no shell runs the command: {instead}")
}

/// Checks the texts that the process is given.
fn check_texts(engine: &EngineConfig) -> Result<(), String> {
    if engine.cmd.contains('\0') {
        return Err("expected no NUL character".to_owned());
    }
    for (name, value) in &engine.env {
        if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
            return Err(format!(
                "env: a process cannot have the variable `{}={}`",
                name.escape_debug(),
                value.escape_debug()
            ));
        }
    }
    Ok(())
}

/// The working directory as an absolute path.
fn checked_dir(engine: &EngineConfig) -> Result<PathBuf, StartError> {
    let dir = engine.dir.as_deref().unwrap_or_else(|| Path::new("."));
    let invalid = |reason: String| {
        let dir = if dir.as_os_str().is_empty() { Path::new("dir=") } else { dir };
        StartError::Folder { command: engine.cmd.clone(), dir: dir.to_owned(), reason }
    };
    let path = dir.canonicalize().ok().filter(|path| path.is_dir());
    let path = path.ok_or_else(|| invalid("is not a folder".to_owned()))?;
    eaccess(&path, AccessFlags::X_OK)
        .map_err(|error| invalid(format!("cannot be entered: {}", error.desc())))?;
    Ok(path)
}

/// Looks up the file of a program as a shell in the folder `dir`, an absolute path, would do.
/// `dir_is_given` says whether the user chose that folder.
///
/// # Errors
/// The file does not exist or cannot be executed; the message, a part of a sentence, says what to
/// do.
fn find(program: &str, dir: &Path, dir_is_given: bool) -> Result<PathBuf, String> {
    if program.contains('/') {
        let path = dir.join(program);
        return match path.metadata() {
            Ok(_) => check(&path, dir).map(|()| path),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(format!("{}: {error}", shown(&path)))
            }
            Err(_) => Err(format!(
                "there is no file {}{}",
                shown(&path),
                elsewhere(program, dir_is_given)
            )),
        };
    }
    let Ok(path) = which::which_in(program, std::env::var_os("PATH"), dir) else {
        let here = dir.join(program).is_file() || dir.join(program).is_symlink();
        let hint = if here {
            format!("; for the file in {}, write `./{program}`", shown(dir))
        } else if KnownOpponent::named(program).is_some() {
            // The name alone would have been replaced by its command.
            format!("; the known opponent `{program}` takes no arguments")
        } else {
            // It may be the misspelt name of a known opponent.
            hint(closest(program, KNOWN_OPPONENTS.map(|opponent| opponent.name)))
        };
        return Err(format!("no folder of PATH has a program `{program}`{hint}"));
    };
    check(&path, dir).map(|()| path)
}

/// A hint at the file that a relative path would mean in the current folder, if it exists there.
fn elsewhere(program: &str, dir_is_given: bool) -> String {
    match Path::new(program).canonicalize() {
        Ok(found) if dir_is_given => {
            format!(
                "; the path is relative to dir=: for the file in the current folder, write `{}`",
                shown(&found)
            )
        }
        _ => String::new(),
    }
}

/// Checks a file that is to be run in the folder `dir`.
fn check(path: &Path, dir: &Path) -> Result<(), String> {
    let name = shown(path);
    if path.is_dir() {
        return Err(format!("{name} is a folder: name a program in it"));
    }
    if eaccess(path, AccessFlags::X_OK).is_err() {
        return Err(format!(
            "{name} may not be executed: allow it with `chmod +x`, or give its interpreter as the \
             first word"
        ));
    }
    // A file that cannot be read may still be executable.
    let Ok(file) = File::open(path) else { return Ok(()) };
    /// Longer than the part that the kernel reads.
    const LOOKED_AT: u64 = 256;
    let mut line = Vec::new();
    let _ = BufReader::new(file.take(LOOKED_AT)).read_until(b'\n', &mut line);
    let Some(rest) = line.strip_prefix(b"#!") else { return Ok(()) };
    let rest = String::from_utf8_lossy(rest);
    let Some(interpreter) = rest.split([' ', '\t', '\n']).find(|word| !word.is_empty()) else {
        return Ok(());
    };
    if interpreter.ends_with('\r') {
        return Err(format!(
            "{name}: its first line ends with a carriage return: save it with the line ends of Unix"
        ));
    }
    match dir.join(interpreter).is_file() {
        true => Ok(()),
        false => Err(format!(
            "{name}: its first line names the interpreter {interpreter}, which does not exist"
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_command_of_an_earlier_version_is_read_in_its_present_spelling() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        assert_eq!(present(&words("play --random --seed 1")), words("--engine random --seed 1"));
        assert_eq!(present(&words("play --level 3")), words("play --level 3"));
        let engine = EngineConfig::new("random", "tensai play --random");
        assert_eq!(command(&engine).unwrap().1, words("--engine random"));
    }

    #[test]
    fn programs_are_found_as_in_a_shell() {
        let found = |cmd: &str| command(&EngineConfig::new("a", cmd));
        let (program, arguments) = found("sh -c 'echo  x'").unwrap();
        assert!(program.is_absolute() && program.ends_with("sh"));
        assert_eq!(arguments, ["-c", "echo  x"]);
        assert!(matches!(found("'"), Err(StartError::Words(_))));
        assert!(matches!(found("./none"), Err(StartError::Program { .. })));
        let lost =
            EngineConfig { dir: Some("no such folder".into()), ..EngineConfig::new("a", "sh") };
        assert!(matches!(command(&lost), Err(StartError::Folder { .. })));
        let own = EngineConfig { cmd: OWN.to_owned(), ..lost };
        assert!(matches!(command(&own), Err(StartError::Folder { .. })), "this program's too");
        for (cmd, instead) in [
            ("DEPTH=3 python3 bot.py", "give a variable by env=NAME=VALUE (check-bot: --env"),
            ("cd bots && ./run", "give the folder by dir=FOLDER"),
            ("~/bot", "write the whole path"),
            ("$HOME/bot", "write the whole path"),
        ] {
            let refused = found(cmd).unwrap_err().to_string();
            assert!(
                refused.contains(&format!("no shell runs the command: {instead}")),
                "{refused}"
            );
        }
        let comma = found("./bot,name=x").unwrap_err().to_string();
        assert!(comma.ends_with("; a comma does not separate words: write a space before `name=`"));
        let last = found("random,").unwrap_err().to_string();
        assert!(last.ends_with("; a comma does not separate words: leave out the `,` at the end"));
        let known = found("greedy random").unwrap_err().to_string();
        assert!(
            known.ends_with("`greedy`; the known opponent `greedy` takes no arguments"),
            "{known}"
        );
        let (_, arguments) = found("sh -c 'echo {game}-{seat} ${game}'").unwrap();
        assert_eq!(arguments, ["-c", "echo 1-0 ${game}"], "as in the first game");
        for (name, value) in [("A=B", ""), ("", "x"), ("A", "x\0")] {
            let env = [(name.to_owned(), value.to_owned())].into();
            let odd = EngineConfig { env, ..EngineConfig::new("a", "sh") };
            assert!(matches!(command(&odd), Err(StartError::Program { .. })), "{name}={value}");
        }
    }

    #[test]
    fn a_file_that_cannot_run_is_explained() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().canonicalize().unwrap();
        let write = |name: &str, text: &str, mode: u32| {
            fs::write(dir.join(name), text).unwrap();
            fs::set_permissions(dir.join(name), fs::Permissions::from_mode(mode)).unwrap();
        };
        write("plain", "", 0o644);
        write("dos", "#!/bin/sh\r\nexit\n", 0o755);
        write("lost", "#! /no/such/thing -x\n", 0o755);
        write("good", "#!/bin/sh\n", 0o755);
        write("bare", "exit 1\n", 0o755);
        fs::create_dir(dir.join("sub")).unwrap();
        let refused = |program: &str| find(program, &dir, true).unwrap_err();
        assert!(refused("./plain").contains("plain may not be executed: allow it with `chmod +x`"));
        assert!(refused("./sub").ends_with("sub is a folder: name a program in it"));
        assert!(refused("./dos").contains("carriage return"));
        assert!(refused("./lost").ends_with("interpreter /no/such/thing, which does not exist"));
        assert!(refused("./plain/x").contains("Not a directory"));
        assert!(refused("./none").ends_with("/none"));
        assert!(refused("levle3").ends_with("a program `levle3`; did you mean `level3`?"));
        assert!(
            refused("plain").contains("no folder of PATH has a program `plain`; for the file in")
        );
        assert!(
            refused("./Cargo.toml").contains("; the path is relative to dir=: for the file in")
        );
        assert_eq!(find("./good", &dir, true), Ok(dir.join("./good")));
        find("./bare", &dir, true).unwrap();
        assert!(find("sh", &dir, false).unwrap().is_absolute());
    }
}
