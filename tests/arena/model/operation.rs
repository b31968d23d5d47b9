//! The operations on matches and their folders.

use proptest::collection::vec;
use proptest::prelude::*;

/// Folders that a sequence uses: two for whole matches, then one for each of two shards.
pub const FOLDERS: usize = 4;

/// One step of a sequence. Folders are given by their index, below [`FOLDERS`].
#[derive(Clone, Debug)]
pub enum Operation {
    /// Starts a match in a folder, or resumes the match in it.
    Play {
        /// The folder.
        folder: usize,
        /// Whether by `match resume` instead of the options of the match.
        resume: bool,
        /// Games at a time, 1 or 2.
        concurrency: usize,
        /// Lets games finish before `meanwhile` and `ending`: each entry says which of the games in
        /// progress, counted modulo their number.
        releases: Vec<usize>,
        /// The event while the next games are in progress.
        meanwhile: Meanwhile,
        /// How the match ends.
        ending: Ending,
    },
    /// Plays a match that cannot write its records, or not even its manifest.
    DiskFull {
        /// The folder.
        folder: usize,
        /// Whether the manifest cannot be written either.
        manifest: bool,
    },
    /// Merges folders into one of the first two.
    Merge {
        /// The folders that are read.
        from: Vec<usize>,
        /// The folder that is written.
        into: usize,
    },
    /// Renames a folder.
    Rename {
        /// The folder.
        folder: usize,
    },
    /// Deletes a folder.
    Delete {
        /// The folder.
        folder: usize,
    },
}

/// An event while games are in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meanwhile {
    /// Nothing.
    Nothing,
    /// The same match is played to its end in the next folder.
    OtherFolder,
    /// Another process starts the match in the same folder, which is refused.
    SameFolder,
    /// Another process resumes the match in the same folder, which is refused.
    SameFolderResumed,
    /// Another process reports the folder's games.
    Report,
}

/// The end of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All games are played.
    Finish,
    /// SIGINT.
    Interrupt,
    /// SIGTERM.
    Terminate,
    /// SIGINT, and at once SIGTERM.
    StopTwice,
    /// SIGKILL of the referee while games are in progress.
    KillReferee,
    /// SIGKILL of the referee while the records of games may be written.
    KillRefereeInMidWrite,
    /// SIGKILL of a bot; the other games are played.
    KillBot,
    /// SIGKILL of a supervisor; the other games are played.
    KillSupervisor,
}

impl Operation {
    /// A new match in the first folder, which most of the other operations use.
    pub fn first() -> impl Strategy<Value = Self> {
        Self::play(Just(0), Just(false))
    }

    /// Any operation; most often a match is played.
    pub fn any() -> impl Strategy<Value = Self> {
        let folder = || prop_oneof![3 => Just(0), 1 => 1..FOLDERS];
        prop_oneof![
            6 => Self::play(folder(), any::<bool>()),
            1 => (folder(), any::<bool>())
                .prop_map(|(folder, manifest)| Self::DiskFull { folder, manifest }),
            2 => (vec(folder(), 1..=3), 0..2_usize)
                .prop_map(|(from, into)| Self::Merge { from, into }),
            1 => folder().prop_map(|folder| Self::Rename { folder }),
            1 => folder().prop_map(|folder| Self::Delete { folder }),
        ]
    }

    /// A match that is started, or resumed, in a folder.
    fn play(
        folder: impl Strategy<Value = usize>,
        resume: impl Strategy<Value = bool>,
    ) -> impl Strategy<Value = Self> {
        let meanwhile = [
            Meanwhile::Nothing,
            Meanwhile::Nothing,
            Meanwhile::OtherFolder,
            Meanwhile::SameFolder,
            Meanwhile::SameFolderResumed,
            Meanwhile::Report,
        ];
        let ending = [
            Ending::Finish,
            Ending::Interrupt,
            Ending::Terminate,
            Ending::StopTwice,
            Ending::KillReferee,
            Ending::KillRefereeInMidWrite,
            Ending::KillBot,
            Ending::KillSupervisor,
        ];
        let play = (
            folder,
            resume,
            1..=2_usize,
            vec(0..2_usize, 0..=3),
            proptest::sample::select(meanwhile.to_vec()),
            proptest::sample::select(ending.to_vec()),
        );
        play.prop_map(|(folder, resume, concurrency, releases, meanwhile, ending)| Self::Play {
            folder,
            resume,
            concurrency,
            releases,
            meanwhile,
            ending,
        })
    }
}
