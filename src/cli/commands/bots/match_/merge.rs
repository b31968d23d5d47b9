//! `tensai match merge`: merges the parts of a match, and names what is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::ptr;

use clap::Args;

use super::options::FormArgs;
use super::play::sprt;
use super::report;
use super::{check_starts, check_tested};
use crate::arena::match_::other_packs;
use crate::arena::{
    Fixture, Folder, FolderKind, GameSummary, Manifest, MatchTest, Pairing, Shard, Standing,
};
use crate::cli::commands::output::print;
use crate::cli::error::CliError;
use crate::record::Record;
use crate::util::message;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;
use crate::util::system::stop::Stop;

/// The most ranges of missing parts or games that a message lists.
const LISTED: usize = 100;

/// Arguments of `tensai match merge`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai match merge parts/* --records whole")]
pub struct MergeArgs {
    /// The folders of the parts. Of several records of one game, that of the first folder counts.
    #[arg(value_name = "FOLDER", required = true)]
    folders: Vec<PathBuf>,

    /// Copy the games to this folder.
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,

    /// Make this SPRT on the games that are there [default: that of the match].
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..=4)]
    sprt: Option<Vec<String>>,

    /// Succeed although games are missing.
    ///
    /// Otherwise they are an error, with exit code 1, unless the test is decided.
    #[arg(long)]
    partial: bool,

    #[command(flatten)]
    form: FormArgs,
}

/// Merges the parts of a match, and reports the results.
pub fn run(args: &MergeArgs) -> Result<(), CliError> {
    Stop::at_once()?;
    let folders: Vec<Folder> = args.folders.iter().map(Folder::at).collect();
    let mut manifest = united_manifest(args, &folders)?;
    // All checks come before the first write.
    let mut records = Vec::new();
    if let Some(path) = &args.records {
        FolderKind::Match.check(path)?;
        let united = Folder::at(path);
        if united.has_match() {
            let sprt = manifest.sprt.or(united.manifest()?.sprt);
            let parts = manifest.parts;
            manifest = Manifest { parts, ..united.resumed(&Manifest { sprt, ..manifest })? };
        }
        records.push(united);
    }
    records.extend(folders);
    let sources = sources(&records, &manifest)?;
    let (mut standing, mut test) = (Standing::of(&manifest), MatchTest::new(&manifest));
    for (fixture, _, summary) in &sources {
        standing.add(*fixture, summary.clone());
    }
    check_tested(&manifest, &standing)?;
    test.look(&standing);
    manifest.decision = test.decision();
    if let Some(path) = &args.records {
        // Opening the folder keeps other processes from playing in it meanwhile.
        let united = Folder::open(path, Shard::WHOLE)?;
        // The whole match is no part: it is resumed as a whole.
        united.begin(&Manifest { parts: None, ..manifest.clone() })?;
        let others = sources.iter().filter(|(_, source, _)| !ptr::eq(*source, &records[0]));
        for &(fixture, source, _) in others {
            if let Some(record) = source.record(fixture, &manifest)? {
                united.keep(fixture.number, &record)?;
            }
        }
    }
    let json = args.form.json;
    report::print(json, &manifest, manifest.schedule().games(), &standing, &test)?;
    check_starts(standing.starts())?;
    let Some(missing) = missing(&manifest, &standing) else { return Ok(()) };
    if test.is_decided() {
        if !json {
            print(&format!("the test is decided: {missing}, and need not be played\n"))?;
        }
        return Ok(());
    }
    if args.partial {
        return Ok(());
    }
    let undecided = if manifest.sprt.is_some() { "the test is not decided, and " } else { "" };
    let reason = "a part goes on in its folder; --partial accepts the games that are there";
    Err(CliError::Failed(format!("match merge: {undecided}{missing}: {reason}")))
}

/// The match of which all `folders` have a part.
fn united_manifest(args: &MergeArgs, folders: &[Folder]) -> Result<Manifest, CliError> {
    let mut manifests = folders.iter().map(Folder::manifest).collect::<Result<Vec<_>, _>>()?;
    let mut manifest = manifests.remove(0);
    let is_paired = manifest.pairing == Pairing::Paired;
    let given = sprt(args.sprt.as_deref(), manifest.engines.len(), is_paired)?;
    let test = given.or(manifest.sprt);
    (manifest.decision, manifest.sprt) = (manifest.decision_of(test), test);
    for (other, folder) in manifests.iter().zip(&folders[1..]) {
        let (path, first) = (folder.path(), folders[0].path());
        let refused = |reason: &str| {
            let (path, first) = (shown(&path), shown(&first));
            CliError::Refused(format!("{path}: not a part of the match in {first}: {reason}"))
        };
        if manifest.version != other.version {
            return Err(refused(
                "another version of tensai has divided it: merge the folders of each version by \
                 themselves, and go on with one of the matches by `match resume`",
            ));
        }
        if let Some(reason) = manifest.difference(other) {
            return Err(refused(&reason));
        }
        if given.is_none()
            && manifest.sprt.is_some_and(|sprt| other.sprt.is_some_and(|o| o != sprt))
        {
            return Err(refused("`sprt` differs: give --sprt"));
        }
        manifest.rounds = manifest.rounds.max(other.rounds);
        manifest.sprt = manifest.sprt.or(other.sprt);
        manifest.decision = manifest.decision.or(other.decision_of(manifest.sprt));
        // Of two divisions, the parts of neither name what is missing.
        manifest.parts = manifest.parts.filter(|_| manifest.parts == other.parts);
    }
    Ok(manifest)
}

/// Describes the games of the match that have no record, by their parts if the match is divided;
/// `None` if there are none.
fn missing(manifest: &Manifest, standing: &Standing) -> Option<String> {
    let schedule = manifest.schedule();
    let missing = schedule.fixtures().filter(|fixture| !standing.has(fixture.number));
    let missing: Vec<Fixture> = missing.collect();
    let (count, planned) = (missing.len(), schedule.games());
    if count == 0 {
        return None;
    }
    let verb = if count == 1 { "is" } else { "are" };
    let start = format!("{count} of {} {verb} missing", counted(planned, "game"));
    let Some(parts) = manifest.parts else {
        let numbers = missing.iter().map(|fixture| fixture.number).collect();
        return Some(format!("{start} ({})", ranges(&numbers)));
    };
    let numbers: BTreeSet<usize> =
        missing.iter().map(|&fixture| schedule.part_of(fixture, parts)).collect();
    let noun = if numbers.len() == 1 { "part" } else { "parts" };
    Some(format!("{start}, of the {noun} {} of {parts}", ranges(&numbers)))
}

/// Numbers in the form that `sbatch --array` takes: `2,5-9`.
fn ranges(numbers: &BTreeSet<usize>) -> String {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some([_, end]) if *end + 1 == number => *end = number,
            _ => ranges.push([number, number]),
        }
    }
    let text = |&[from, to]: &[usize; 2]| match from == to {
        true => from.to_string(),
        false => format!("{from}-{to}"),
    };
    let listed = ranges.iter().take(LISTED).map(text).collect::<Vec<_>>().join(",");
    if ranges.len() > LISTED { listed + " and more" } else { listed }
}

/// The games that have a record, each with the first of `folders` that holds one, and its summary.
///
/// # Errors
/// A record cannot be read, is that of other engines, or is on other packs than the records of its
/// round before it.
fn sources<'a>(
    folders: &'a [Folder],
    manifest: &Manifest,
) -> Result<Vec<(Fixture, &'a Folder, GameSummary)>, CliError> {
    // By one look at each folder: a thousand parts have a million pairs of folder and game.
    let mut holders: BTreeMap<usize, Vec<&Folder>> = BTreeMap::new();
    for folder in folders {
        for number in folder.numbers()? {
            holders.entry(number).or_default().push(folder);
        }
    }
    let mut differing: Option<(usize, String)> = None;
    let mut sources = Vec::new();
    // The first record of the present round.
    let mut first: Option<(Fixture, &Folder, Record)> = None;
    for fixture in manifest.schedule().fixtures() {
        let Some((&folder, others)) =
            holders.get(&fixture.number).and_then(|all| all.split_first())
        else {
            continue;
        };
        let Some(record) = folder.record(fixture, manifest)? else { continue };
        for other in others {
            if other.record(fixture, manifest)?.is_some_and(|other| other != record) {
                let (number, paths) = (fixture.number, [folder, other].map(|at| at.path()));
                let [counts, other] = paths.each_ref().map(|path| shown(path).to_string());
                let example = format!("game {number}: {counts} counts, {other} does not");
                differing.get_or_insert((0, example)).0 += 1;
            }
        }
        sources.push((fixture, folder, GameSummary::new(fixture, &record)));
        match &first {
            Some((known, at, first)) if known.round == fixture.round => {
                if first.packs != record.packs {
                    let expected = shown(&at.record_path(known.number)).to_string();
                    return Err(other_packs(folder, fixture, expected).into());
                }
            }
            _ => first = Some((fixture, folder, record)),
        }
    }
    if let Some((count, example)) = differing {
        message::line(format_args!(
            "tensai: match merge: {} differ from other records of the same games, such as {example}",
            counted(count, "record")
        ));
    }
    Ok(sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_listed_as_a_slurm_array() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10].into()), "1-3,7,9-10");
        let many = ranges(&(0..500).map(|number| 2 * number).collect());
        assert!(many.ends_with("198 and more") && many.len() < 500, "{many}");
    }
}
