//! Files and folders that commands are given; the check of many files. [`game_files`](super::game_files)
//! reads recorded games.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use crate::cli::commands::bots::arena_error::wrong_packs;
use crate::cli::commands::output::print;
use crate::cli::error::CliError;
use crate::game::Packs;
use crate::protocol::read_packs;
use crate::util::message;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;

/// Reads a file of packs.
pub fn packs_file(path: &Path) -> Result<Packs, CliError> {
    let file = File::open(path).map_err(CliError::unreadable(shown(path)))?;
    read_packs(BufReader::new(file)).map_err(|error| wrong_packs(path, &error))
}

/// Returns `path` itself if it is no folder, else the files of packs in it, sorted by name: all
/// files but those that [`is_of_the_system`] names. Prints what else is left out, such as folders.
///
/// # Errors
/// The folder cannot be read or has no file.
pub fn packs_in(path: &Path) -> Result<Vec<PathBuf>, CliError> {
    /// The most names that the message lists.
    const LISTED: usize = 5;
    let (files, skipped) = content(path)?;
    if files.is_empty() {
        return Err(CliError::Refused(format!("{}: it contains no file", shown(path))));
    }
    if !skipped.is_empty() {
        let name = |file: &PathBuf| Path::new(file.file_name().unwrap_or_default()).to_owned();
        let names = skipped.iter().take(LISTED).map(|file| shown(&name(file)).to_string());
        let names = names.collect::<Vec<_>>().join(", ");
        let more = match skipped.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let path = shown(path);
        let which = if skipped.len() == 1 { "it is no file" } else { "they are no files" };
        message::line(format_args!("tensai: {path}: left out, because {which}: {names}{more}"));
    }
    Ok(files)
}

/// Returns `path` itself if it is no folder, else the files in it, sorted by name, and what is
/// neither a file nor made [by the system](is_of_the_system): folders, and links to nothing.
pub fn content(path: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), CliError> {
    if !path.is_dir() {
        return Ok((vec![path.to_owned()], Vec::new()));
    }
    let entries = fs::read_dir(path).and_then(|entries| {
        entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>, io::Error>>()
    });
    let mut files = entries.map_err(CliError::unreadable(shown(path)))?;
    files.retain(|file| !is_of_the_system(file));
    files.sort();
    Ok(files.into_iter().partition(|file| file.is_file()))
}

/// Whether a file in a folder was not put there by its user: a hidden file, such as `.gitkeep`,
/// `.DS_Store` or an editor's swap file, a file of Windows or macOS about the folder, or an editor's
/// copy (`x~`, `#x#` of Emacs, `~$x` of an office program).
fn is_of_the_system(file: &Path) -> bool {
    /// The name of a folder's symbol on macOS ends with a carriage return.
    const OF_SYSTEMS: [&str; 5] =
        ["Thumbs.db", "ehthumbs.db", "ehthumbs_vista.db", "desktop.ini", "Icon\r"];
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let is_of_a_system = OF_SYSTEMS.iter().any(|known| name.eq_ignore_ascii_case(known));
    let is_a_copy = name.ends_with('~')
        || name.starts_with("~$")
        || (name.len() > 2 && name.starts_with('#') && name.ends_with('#'));
    name.starts_with('.') || is_a_copy || is_of_a_system
}

/// The path by which a file is known, whatever path names it. A stream has no other than its own.
pub fn canonical(file: &Path) -> PathBuf {
    fs::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}

/// The `files` without those that are named again, which a line on standard error counts.
pub fn distinct(
    files: impl IntoIterator<Item = Result<PathBuf, CliError>>,
) -> Vec<Result<PathBuf, CliError>> {
    let (mut known, mut again) = (HashSet::new(), Vec::new());
    let mut files: Vec<_> = files.into_iter().collect();
    files.retain(|file| {
        let Ok(file) = file else { return true };
        let is_new = known.insert(canonical(file));
        if !is_new {
            again.push(file.clone());
        }
        is_new
    });
    if let Some(first) = again.first() {
        let verb = if again.len() == 1 { "is" } else { "are" };
        let (count, first) = (counted(again.len(), "file"), shown(first));
        message::line(format_args!(
            "tensai: {count} {verb} named twice, such as {first}: each file counts once"
        ));
    }
    files
}

/// Calls `look` for each of `files`, whether or not an earlier one failed. Prints each result as a
/// line on standard output, and each error but the last on standard error.
///
/// # Errors
/// The last error, which the caller prints. It has exit code 1 if all files could be read, so that
/// only their content is wrong, else 2.
pub fn check_each(
    files: impl IntoIterator<Item = Result<PathBuf, CliError>>,
    look: impl Fn(&Path) -> Result<String, CliError>,
) -> Result<(), CliError> {
    let (mut failed, mut all_read) = (None::<String>, true);
    for file in files {
        match file.and_then(|file| look(&file)) {
            Ok(found) => print(&format!("{found}\n"))?,
            Err(error) => {
                all_read &= error.is_about_content();
                if let Some(earlier) = failed.replace(error.to_string()) {
                    message::line(format_args!("tensai: {earlier}"));
                }
            }
        }
    }
    match failed {
        None => Ok(()),
        Some(error) if all_read => Err(CliError::Failed(error)),
        Some(error) => Err(CliError::Refused(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_systems_and_editors_are_left_out() {
        for name in
            [".x", ".DS_Store", "Icon\r", "#x.pack#", "x~", "~$x", "THUMBS.DB", "desktop.ini"]
        {
            assert!(is_of_the_system(&Path::new("packs").join(name)), "{name:?}");
        }
        for name in ["x.pack", "1", "Icon", "#1.pack", "1#", "#", "x~.pack"] {
            assert!(!is_of_the_system(&Path::new("packs").join(name)), "{name:?}");
        }
    }
}
