//! `--live`: a page of the match, rewritten while the match runs.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::arena::{Fixture, Folder, Manifest, MatchEvent, PackSource, Standing};
use crate::cli::error::CliError;
use crate::game::Pack;
use crate::record::{
    Contestant, FORMAT, GameResult, Limits, Record, RecordError, TurnRecord, VERSION,
};
use crate::web::pages::{Page, ShownGame};

/// Minimum time between two writes of the page while games run.
const PAUSE: Duration = Duration::from_secs(1);

/// Maximum number of finished games on the page, the latest ones. The browser reads the page anew
/// each second, and a match may have thousands of games.
const FINISHED: usize = 20;

/// The records of the latest finished games of a match, at most `most`, oldest first.
///
/// # Errors
/// A record cannot be read.
pub fn latest_finished(
    manifest: &Manifest,
    folder: &Folder,
    standing: &Standing,
    most: usize,
) -> Result<Vec<(Fixture, Record)>, CliError> {
    let fixtures = manifest.schedule().fixtures();
    let finished: Vec<Fixture> = fixtures.filter(|fixture| standing.has(fixture.number)).collect();
    let mut records = Vec::new();
    for &fixture in &finished[finished.len().saturating_sub(most)..] {
        records.extend(folder.record(fixture, manifest)?.map(|record| (fixture, record)));
    }
    Ok(records)
}

/// The page of a match that is being played.
pub struct Live<'a> {
    path: PathBuf,
    manifest: &'a Manifest,
    packs: &'a PackSource,
    finished: VecDeque<ShownGame>,
    running: BTreeMap<usize, Record>,
    written: Option<Instant>,
    failed: Option<RecordError>,
}

impl<'a> Live<'a> {
    /// Writes a page without games to `path`.
    ///
    /// # Errors
    /// `path` exists and is no page, or it cannot be written.
    pub fn new(
        path: PathBuf,
        manifest: &'a Manifest,
        packs: &'a PackSource,
    ) -> Result<Self, CliError> {
        Page::new().write(&path, true)?;
        let (finished, running) = (VecDeque::new(), BTreeMap::new());
        Ok(Self { path, manifest, packs, finished, running, written: None, failed: None })
    }

    /// Adds the latest games of the match's folder that were finished before.
    ///
    /// # Errors
    /// A record cannot be read.
    pub fn remember(&mut self, folder: &Folder, standing: &Standing) -> Result<(), CliError> {
        for (fixture, record) in latest_finished(self.manifest, folder, standing, FINISHED)? {
            self.finish(&record, fixture.number);
        }
        Ok(())
    }

    /// Updates the page after an event of the match.
    pub fn event(&mut self, event: &MatchEvent) {
        match event {
            MatchEvent::Turn { number, played, .. } => {
                if !self.running.contains_key(number) {
                    let Some(fixture) = fixture(self.manifest, *number) else { return };
                    self.running.insert(*number, begun(self.manifest, self.packs, fixture));
                }
                if let Some(record) = self.running.get_mut(number) {
                    record.turns.push(played.clone());
                }
                if self.written.is_none_or(|written| written.elapsed() >= PAUSE) {
                    self.write(true);
                }
            }
            MatchEvent::Finished(fixture, record) => {
                self.running.remove(&fixture.number);
                self.finish(record, fixture.number);
                self.write(true);
            }
        }
    }

    /// Puts a finished game on the page. The oldest game is removed if there are more than
    /// [`FINISHED`].
    fn finish(&mut self, record: &Record, number: usize) {
        // The referee plays by the rules, so that the page accepts each game.
        self.finished.extend(ShownGame::new(record, number));
        if self.finished.len() > FINISHED {
            self.finished.pop_front();
        }
    }

    /// Writes the page for the last time; the browser then no longer looks for a newer one.
    ///
    /// # Errors
    /// The page could not be written at some time. The match goes on without it.
    pub fn end(mut self) -> Result<(), CliError> {
        self.write(false);
        self.failed.map_or(Ok(()), |error| Err(error.into()))
    }

    fn write(&mut self, live: bool) {
        let mut page = Page::new();
        self.finished.iter().for_each(|game| page.put(game.clone()));
        for record in self.running.values() {
            // The referee plays by the rules, so that the page accepts each game.
            let _ = page.add(record);
        }
        if let Err(error) = page.write(&self.path, live) {
            self.failed.get_or_insert(error);
        }
        self.written = Some(Instant::now());
    }
}

/// The place of game `number` in the schedule of a match.
pub fn fixture(manifest: &Manifest, number: usize) -> Option<Fixture> {
    manifest.schedule().fixtures().nth(number.checked_sub(1)?)
}

/// The record of a game before its first turn.
pub fn begun(manifest: &Manifest, packs: &PackSource, fixture: Fixture) -> Record {
    let (packs_from, packs) = packs.of_round(fixture.round);
    let contestant = |seat: usize| {
        let engine = &manifest.engines[fixture.players[seat]];
        let time = manifest.time_of(engine).as_millis();
        Contestant {
            engine: Some(engine.name.clone()),
            time_ms: u64::try_from(time).ok(),
            nodes: engine.nodes.map(std::num::NonZeroU64::get),
            ..Contestant::default()
        }
    };
    Record {
        format: FORMAT.to_owned(),
        version: VERSION,
        date: manifest.date.clone(),
        number: Some(fixture.number),
        packs_from,
        packs: packs.from_turn(0).iter().map(Pack::rows).collect(),
        limits: Limits {
            game_ms: manifest.game_ms,
            turn_ms: manifest.turn_ms,
            grace_ms: manifest.grace_ms,
        },
        players: [contestant(0), contestant(1)],
        opening: 0,
        turns: Vec::<TurnRecord>::new(),
        result: GameResult::cut_short([0, 0]),
    }
}
