//! Finds the program of a bot, and checks before a start whether it can run.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, eaccess};

use crate::foreign_text::shown;

/// Looks up the file of a program as a shell in the folder `dir`, an absolute path, would do.
/// `dir_is_given` says whether the user chose that folder.
///
/// # Errors
/// The file does not exist or cannot be executed; the message, a part of a sentence, says what to
/// do.
pub fn find(program: &str, dir: &Path, dir_is_given: bool) -> Result<PathBuf, String> {
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
        } else {
            String::new()
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
