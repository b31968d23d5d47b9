//! A match that is played: the games that are finished, and those that are missing.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::vec;

use super::match_folder::{Folder, FolderError};
use super::match_json::Manifest;
use super::schedule::{Fixture, PackSource, Pairing, Shard};
use super::sprt_decision::MatchTest;
use super::standing::{GameSummary, Standing};
use super::tournament::{Failure, GameSource, Next, NextGame, Resources, Tournament};
use crate::arena::referee::Observer;
use crate::record::{Record, RecordError};
use crate::util::sanitize::{NAME, visible};
use crate::util::system::stop::Stop;

/// A match, or a part of it, in its open folder.
pub struct OpenMatch {
    folder: Arc<Folder>,
    /// The definition that the folder has.
    kept: Manifest,
    /// The same with the rounds that are played; the folder's match may have more.
    manifest: Arc<Manifest>,
    packs: Arc<PackSource>,
    part: Vec<Fixture>,
    missing: vec::IntoIter<Fixture>,
    standing: Standing,
    test: MatchTest,
}

impl OpenMatch {
    /// Begins the part `shard` of a match in `folder`, or resumes the one that it holds, which must be
    /// the same, and reads the finished games.
    ///
    /// # Errors
    /// The folder holds another match, a record is wrong or on other packs than its round, or the file
    /// system reports an error.
    pub fn begin(
        folder: Folder,
        manifest: &Manifest,
        packs: PackSource,
        shard: Shard,
    ) -> Result<Self, FolderError> {
        let kept = folder.begin(manifest)?;
        let manifest = Manifest { rounds: manifest.rounds, ..kept.clone() };
        let part: Vec<Fixture> = manifest.schedule().part(shard).collect();
        let recorded = folder.numbers()?;
        let mut standing = Standing::of(&manifest);
        // Only those of this part: a folder with a thousand parts has many others.
        for &fixture in part.iter().filter(|fixture| recorded.contains(&fixture.number)) {
            if let Some(record) = folder.record(fixture, &manifest)? {
                let (expected, of_round) = packs.of_round(fixture.round);
                if record.packs().as_ref() != Ok(&of_round) {
                    return Err(other_packs(&folder, fixture, expected).into());
                }
                standing.add(fixture, GameSummary::new(fixture, &record));
            }
        }
        let mut test = MatchTest::new(&manifest);
        test.look(&standing);
        let missing: Vec<Fixture> =
            part.iter().copied().filter(|fixture| !standing.has(fixture.number)).collect();
        let (folder, manifest, packs) = (Arc::new(folder), Arc::new(manifest), Arc::new(packs));
        Ok(Self {
            folder,
            kept,
            manifest,
            packs,
            part,
            missing: missing.into_iter(),
            standing,
            test,
        })
    }

    /// Plays the missing games until all are played, the test is decided, or `stop` is asked for.
    /// `games_before` is that of the [`Tournament`].
    ///
    /// # Errors
    /// As [`Tournament::run`].
    pub fn play(
        &mut self,
        resources: Resources<'_>,
        games_before: usize,
        stop: &Stop,
        observer: &mut impl Observer<Self>,
    ) -> Result<(), Failure> {
        // The games that were found may have decided the test.
        self.keep_decision()?;
        let folder = Arc::clone(&self.folder);
        Tournament { folder: &folder, resources, games_before }.run(self, stop, observer)
    }

    /// The folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The definition of the match, with the decision of its test.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// All games of the part.
    pub fn part(&self) -> &[Fixture] {
        &self.part
    }

    /// The number of games that have not begun.
    pub fn missing(&self) -> usize {
        self.missing.len()
    }

    /// The standing.
    pub const fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The test.
    pub const fn test(&self) -> &MatchTest {
        &self.test
    }

    /// Whether all games of the part are finished.
    pub fn is_finished(&self) -> bool {
        self.part.iter().all(|fixture| self.standing.has(fixture.number))
    }

    /// The latest finished games of the match, at most `most`, oldest first.
    ///
    /// # Errors
    /// A record cannot be read.
    pub fn latest(&self, most: usize) -> Result<Vec<(Fixture, Record)>, FolderError> {
        let finished = |fixture: &Fixture| self.standing.has(fixture.number);
        let mut latest: Vec<Fixture> =
            self.part.iter().copied().filter(finished).rev().take(most).collect();
        latest.reverse();
        let mut records = Vec::new();
        for fixture in latest {
            records.extend(self.folder.record(fixture, &self.manifest)?.map(|it| (fixture, it)));
        }
        Ok(records)
    }

    /// Writes the decision of the test at once: the running games may take long to end.
    fn keep_decision(&mut self) -> Result<(), FolderError> {
        let decision = self.test.decision();
        if decision == self.manifest.decision {
            return Ok(());
        }
        Arc::make_mut(&mut self.manifest).decision = decision;
        self.kept.decision = decision;
        self.folder.renew(&self.kept)
    }
}

impl GameSource for OpenMatch {
    fn next(&mut self, _: &mut dyn FnMut(&str)) -> Result<Next, Failure> {
        if self.test.is_decided() {
            return Ok(Next::End);
        }
        Ok(self.missing.next().map_or(Next::End, |fixture| {
            let (manifest, packs) = (Arc::clone(&self.manifest), Arc::clone(&self.packs));
            Next::Game(NextGame { fixture, manifest, packs })
        }))
    }

    fn finished(&mut self, game: &NextGame, record: &Record) -> Result<ControlFlow<()>, Failure> {
        self.standing.add(game.fixture, GameSummary::new(game.fixture, record));
        self.test.look(&self.standing);
        self.keep_decision()?;
        Ok(if self.test.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

impl Standing {
    /// The standing of a match before its first game, with names made visible.
    pub fn of(manifest: &Manifest) -> Self {
        let names = manifest.engines.iter().map(|engine| visible(&engine.name, NAME).to_string());
        let standing = Self::new(names);
        if manifest.pairing == Pairing::Paired { standing.with_pairs() } else { standing }
    }
}

/// The error of a record that is not on the packs of its round (`expected`).
pub fn other_packs(folder: &Folder, fixture: Fixture, expected: String) -> RecordError {
    let path = folder.record_path(fixture.number);
    RecordError::OtherPacks { path, round: fixture.round + 1, expected }
}
