//! What a folder is: that of a match, of a league or of a tuning.
//!
//! Each kind has a file that describes it, and reads only its own records. Games that are written
//! into a folder of another kind would therefore count nowhere.

use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::record::official::is_official;
use crate::util::input_file;
use crate::util::sanitize::shown;

/// A kind of folder in which games are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FolderKind {
    /// The folder of a match.
    Match,
    /// The folder of a league.
    League,
    /// The folder of a tuning.
    Tuning,
}

/// The name of the folder in which a league has its records, and a tuning its matches.
pub(super) const GAMES: &str = "games";

/// A folder that is of another kind than a command needs.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}: {}", shown(path), self.reason())]
pub struct OtherKind {
    /// The folder.
    path: PathBuf,
    /// Its kind, or that of the folder around it.
    found: FolderKind,
    /// The needed kind; `None` for a folder of none of the kinds.
    needed: Option<FolderKind>,
    /// Whether the folder is no such folder itself, but in one.
    is_inside: bool,
}

impl OtherKind {
    fn reason(&self) -> String {
        let found = self.found.noun();
        if self.is_inside {
            return format!("it is in the folder of {found}: choose another folder");
        }
        let Some(needed) = self.needed else {
            return format!("it is the folder of {found}: choose another folder");
        };
        format!(
            "it is the folder of {found}, not of {}: go on with it by `tensai {}`, or choose \
             another folder",
            needed.noun(),
            self.found.command()
        )
    }
}

impl FolderKind {
    const ALL: [Self; 3] = [Self::Match, Self::League, Self::Tuning];

    /// The name of the file that describes a folder of this kind.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Match => "match.json",
            Self::League => "league.json",
            Self::Tuning => "tuning.json",
        }
    }

    const fn noun(self) -> &'static str {
        match self {
            Self::Match => "a match",
            Self::League => "a league",
            Self::Tuning => "a tuning",
        }
    }

    /// The command that goes on with a folder of this kind.
    const fn command(self) -> &'static str {
        match self {
            Self::Match => "match resume",
            Self::League => "league run",
            Self::Tuning => "tune resume",
        }
    }

    /// The kind of `folder`; `None` if it is of none.
    pub fn of(folder: &Path) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| {
            let file = folder.join(kind.file());
            // A match of the official client may have any name.
            let is_replay = || {
                let text = input_file::read_regular(&file, input_file::RECORD);
                text.is_ok_and(|text| is_official(&text))
            };
            file.is_file() && !(*kind == Self::Match && is_replay())
        })
    }

    /// The kind of the folder whose games are in `folder`: a league has its records in `games`, a
    /// tuning its matches in folders there.
    fn around(folder: &Path) -> Option<Self> {
        // `.` and links have other names than the folder itself.
        let folder = fs::canonicalize(folder).or_else(|_| std::path::absolute(folder)).ok()?;
        let of_games = |games: &Path| {
            let home = games.parent().filter(|_| games.ends_with(GAMES));
            home.and_then(Self::of).filter(|kind| *kind != Self::Match)
        };
        let of_a_match = || folder.parent().and_then(of_games).filter(|kind| *kind == Self::Tuning);
        of_games(&folder).or_else(of_a_match)
    }

    /// Checks that `folder` is of this kind or of none.
    ///
    /// # Errors
    /// The folder is of another kind, or among the games of a league or of a tuning.
    pub fn check(self, folder: &Path) -> Result<(), OtherKind> {
        match folder.join(self.file()).symlink_metadata() {
            Ok(_) => Ok(()),
            Err(_) => check_kind(folder, Some(self)),
        }
    }

    /// Checks that `folder` is of none of the kinds.
    ///
    /// # Errors
    /// The folder is of one of them, or among the games of a league or of a tuning.
    pub fn check_none(folder: &Path) -> Result<(), OtherKind> {
        check_kind(folder, None)
    }
}

fn check_kind(folder: &Path, needed: Option<FolderKind>) -> Result<(), OtherKind> {
    let own = FolderKind::of(folder).map(|kind| (kind, false));
    match own.or_else(|| Some((FolderKind::around(folder)?, true))) {
        None => Ok(()),
        Some((found, is_inside)) => {
            Err(OtherKind { path: folder.to_owned(), found, needed, is_inside })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_refused_for_another_kind_and_among_the_games_of_another() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        for (folder, kind) in
            [("M", FolderKind::Match), ("L", FolderKind::League), ("T", FolderKind::Tuning)]
        {
            fs::create_dir_all(path(folder).join(GAMES)).unwrap();
            fs::write(path(folder).join(kind.file()), "{}").unwrap();
        }
        let found = |kind: FolderKind, folder: &str| {
            kind.check(&path(folder)).map_err(|error| {
                let error = error.to_string();
                error.split_once(": ").unwrap().1.to_owned()
            })
        };
        for kind in FolderKind::ALL {
            for folder in ["M", "L", "T"] {
                let same = FolderKind::of(&path(folder)) == Some(kind);
                assert_eq!(found(kind, folder).is_ok(), same, "{folder} {kind:?}");
                FolderKind::check_none(&path(folder)).unwrap_err();
            }
            for folder in ["new", "M/games", "M/new", "L/games/new", "L/new", "T/new"] {
                assert_eq!(found(kind, folder), Ok(()), "{folder}");
            }
            for (folder, noun) in
                [("L/games", "league"), ("T/games", "tuning"), ("T/games/0007", "tuning")]
            {
                let reason = format!("it is in the folder of a {noun}: choose another folder");
                assert_eq!(found(kind, folder), Err(reason), "{folder}");
            }
        }
        assert_eq!(
            found(FolderKind::Match, "L").unwrap_err(),
            "it is the folder of a league, not of a match: go on with it by `tensai league run`, \
             or choose another folder"
        );
    }

    #[test]
    fn a_match_of_the_official_client_is_no_folder_of_a_match() {
        let place = tempfile::tempdir().unwrap();
        let official = include_bytes!("../../tests/data/official_20190510_1814.json");
        fs::write(place.path().join("match.json"), official).unwrap();
        assert_eq!(FolderKind::of(place.path()), None);
    }
}
