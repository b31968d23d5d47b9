//! `notes/index.md`, made from the records of experiments and from the ids that the source cites.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of `notes/experiments`, in the order of the index.
const FILES: [&str; 9] = [
    "simulator.md",
    "beam.md",
    "alpha-beta.md",
    "engine.md",
    "opponents.md",
    "time.md",
    "win-probability.md",
    "classic.md",
    "arena.md",
];

/// The words with which a verdict begins.
const VERDICTS: [&str; 4] = ["kept", "not kept", "tie", "measurement"];

/// What stands above the index.
const HEAD: &str = "\
# Index of the notes

Made from the records of [`experiments/`](experiments) and from the comments of the source:
`SNAPSHOTS=overwrite cargo test --test documents` writes this file.

- [By question](#by-question)
- [By constant](#by-constant)
- [By record](#by-record)
";

/// What stands above the index by constant.
const CONSTANTS: &str = "
## By constant

Whose value or claim rests on a record, by the comments of the source and the row `Constants` of the
records. A constant without a record was chosen by hand.

";

/// The folder of this crate.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The record to which an id belongs: `B-09` of `B-09` and of its row `B-09.4`.
fn record_of(id: &str) -> &str {
    id.split('.').next().unwrap_or(id)
}

/// The ids of records (`B-09`) and of their rows (`B-09.4`) in a text.
fn ids(text: &str) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for word in text.split(|c: char| !is_word(c) && !matches!(c, '-' | '.')) {
        let word = word.trim_end_matches('.');
        let (record, row) = word.split_once('.').unwrap_or((word, "0"));
        let is_record = record.len() == 4
            && record.starts_with(['S', 'B', 'D', 'E', 'O', 'T', 'W', 'C', 'A'])
            && record[1..].starts_with('-')
            && record[2..].chars().all(|c| c.is_ascii_digit());
        if is_record && row.chars().all(|c| c.is_ascii_digit()) {
            ids.insert(word.to_owned());
        }
    }
    ids
}

/// The anchor that a heading gets in a rendered document.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|&c| is_word(c) || matches!(c, ' ' | '-'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// A record of an experiment.
struct ExperimentRecord {
    file: &'static str,
    id: String,
    title: String,
    /// The rows of its first table.
    rows: BTreeMap<String, String>,
    text: String,
}

impl ExperimentRecord {
    /// The record with this heading (`B-09 Only drops ...`) and text.
    fn new(file: &'static str, heading: &str, text: &str) -> Self {
        let (id, title) = heading.split_once(' ').unwrap_or((heading, ""));
        let first_table = text.lines().skip_while(|line| !line.starts_with('|'));
        let first_table = first_table.take_while(|line| line.starts_with('|'));
        let rows = first_table.filter_map(|line| {
            let row = line.strip_prefix("| ")?.strip_suffix(" |")?;
            let (name, value) = row.split_once(" | ")?;
            Some((name.to_owned(), value.to_owned()))
        });
        let (id, title, text) = (id.to_owned(), title.to_owned(), text.to_owned());
        Self { file, id, title, rows: rows.collect(), text }
    }

    /// The value of a row that every record has; `name` begins the name of the row.
    fn row(&self, name: &str) -> &str {
        let row = self.rows.iter().find(|(found, _)| found.starts_with(name));
        let Some((_, value)) = row else { panic!("{}: {}: no row `{name}`", self.file, self.id) };
        value
    }

    /// The entries of a row of a list, each with the rows of the record in brackets behind it.
    fn list(&self, name: &str) -> Vec<(String, BTreeSet<String>)> {
        let Some(list) = self.rows.get(name) else { return Vec::new() };
        let entries = list.split("; ").map(|entry| {
            let (entry, rows) = entry.split_once(" (").unwrap_or((entry, ""));
            let rows = if rows.is_empty() { BTreeSet::from([self.id.clone()]) } else { ids(rows) };
            (entry.to_owned(), rows)
        });
        entries.collect()
    }

    /// The first date of the record.
    fn date(&self) -> &str {
        self.row("Date").split([',', ' ']).next().unwrap_or_default()
    }

    /// The first words of the verdict, and the record that replaces this one.
    fn verdict(&self) -> String {
        let verdict = self.row("Verdict");
        let first = VERDICTS.into_iter().find(|known| verdict.starts_with(known));
        let first = first.unwrap_or_else(|| {
            panic!("{}: the verdict of {} begins with none of {VERDICTS:?}", self.file, self.id)
        });
        match verdict.split_once("replaced by ") {
            Some((_, by)) => {
                format!("{first}, replaced by {}", record_of(by.trim_end_matches('.')))
            }
            None => first.to_owned(),
        }
    }

    fn link(&self, id: &str) -> String {
        let Self { file, id: record, title, .. } = self;
        format!("[{id}](experiments/{file}#{})", anchor(&format!("{record} {title}")))
    }
}

/// All records, in the order of the index.
fn records() -> Vec<ExperimentRecord> {
    let folder = fs::read_dir(root().join("notes/experiments")).unwrap();
    let files: BTreeSet<String> =
        folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(files, FILES.map(str::to_owned).into(), "the files of the index");
    let mut records: Vec<ExperimentRecord> = Vec::new();
    for file in FILES {
        for part in read(&format!("notes/experiments/{file}")).split("\n## ").skip(1) {
            let (heading, text) = part.split_once('\n').unwrap_or((part, ""));
            let record = ExperimentRecord::new(file, heading, text);
            assert!(ids(&record.id).contains(&record.id), "{file}: {heading}: no id of a record");
            assert!(records.iter().all(|known| known.id != record.id), "{}: used twice", record.id);
            records.push(record);
        }
    }
    records
}

/// The links to some ids, in the order of the index.
fn links(records: &[ExperimentRecord], ids: &BTreeSet<String>) -> String {
    let links = records.iter().flat_map(|record| {
        ids.iter().filter(|id| record_of(id) == record.id).map(|id| record.link(id))
    });
    links.collect::<Vec<String>>().join(", ")
}

/// The Rust files below a folder, relative to this crate, in order.
fn rust_files(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let paths = entries.map(|entry| format!("{folder}/{}", entry.unwrap().file_name().display()));
    let files = paths.flat_map(|path| {
        if root().join(&path).is_dir() { rust_files(&path) } else { BTreeSet::from([path]) }
    });
    files.filter(|path| Path::new(path).extension().is_some_and(|kind| kind == "rs")).collect()
}

/// The name that a line of Rust defines: of a constant, a function, a type or a field.
fn defined(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = match line.strip_prefix("pub(").and_then(|rest| rest.split_once(") ")) {
        Some((_, rest)) => rest,
        None => line.strip_prefix("pub ").unwrap_or(line),
    };
    let mut rest = line;
    for word in ["const ", "static ", "unsafe ", "async "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let of_kind = ["fn ", "struct ", "enum ", "trait ", "type ", "mod "]
        .into_iter()
        .find_map(|kind| rest.strip_prefix(kind));
    let rest = of_kind.unwrap_or(rest);
    let name = rest.split(|c: char| !is_word(c)).next()?;
    let is_defined = of_kind.is_some() || rest[name.len()..].starts_with(": ");
    (is_defined && !name.is_empty()).then_some(name)
}

/// What the comment in line `at` of a source is about: the item after it, the item around it, or the
/// module.
fn subject(lines: &[&str], at: usize) -> String {
    let line = lines[at].trim_start();
    let module = || "the module".to_owned();
    if line.starts_with("//!") {
        return module();
    }
    let found = if line.starts_with("///") {
        let is_about = |line: &&&str| {
            !line.trim_start().starts_with("//") && !line.trim_start().starts_with("#[")
        };
        lines[at..].iter().find(is_about).and_then(|line| defined(line))
    } else {
        lines[..=at].iter().rev().find_map(|line| defined(line).filter(|_| !line.contains("let ")))
    };
    found.map_or_else(module, |name| format!("`{name}`"))
}

/// The ids that the comments of a source cite, with the lines.
fn cited(lines: &[&str]) -> Vec<(usize, BTreeSet<String>)> {
    let comments = lines.iter().enumerate().filter_map(|(at, line)| {
        let (_, comment) = line.split_once("//")?;
        Some((at, ids(comment)))
    });
    comments.filter(|(_, ids)| !ids.is_empty()).collect()
}

/// The file that alone defines `name`, or nothing if several files do; `None` if no file does.
/// Modules before the name, as in `rounds::raise`, are folders or the file.
fn defining(sources: &BTreeMap<String, String>, name: &str) -> Option<String> {
    let mut modules: Vec<&str> = name.split("::").collect();
    let name = modules.pop()?;
    let is_within = |file: &str| {
        let mut parts = file.split(['/', '.']);
        modules.iter().all(|module| parts.any(|part| part == *module))
    };
    // A line without a keyword may be a field in an expression.
    let is_definition = |line: &str| {
        let line = line.trim_start();
        let keywords = ["pub", "const ", "static ", "fn ", "struct ", "enum "];
        keywords.iter().any(|keyword| line.starts_with(keyword)) && defined(line) == Some(name)
    };
    let mut files = sources
        .iter()
        .filter(|(file, text)| is_within(file) && text.lines().any(is_definition))
        .map(|(file, _)| file.clone());
    let file = files.next()?;
    Some(if files.next().is_none() { file } else { String::new() })
}

/// The index by constant: for each file and name the ids. A constant that only a record names is
/// listed with the file that alone defines it.
fn constants(records: &[ExperimentRecord]) -> BTreeMap<(String, String), BTreeSet<String>> {
    let sources: BTreeMap<String, String> =
        rust_files("src").into_iter().map(|file| (file.clone(), read(&file))).collect();
    let mut constants: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for (file, text) in &sources {
        let lines: Vec<&str> = text.lines().collect();
        for (at, ids) in cited(&lines) {
            constants.entry((file.clone(), subject(&lines, at))).or_default().extend(ids);
        }
    }
    for record in records {
        for (name, ids) in record.list("Constants") {
            let file = defining(&sources, name.trim_matches('`'));
            let file = file.unwrap_or_else(|| {
                panic!(
                    "{}: {}: nothing in src is called {name}: give the row `Constants` its present \
                     name, or remove it",
                    record.file, record.id
                )
            });
            let (_, plain) = name.rsplit_once("::").unwrap_or(("", name.trim_matches('`')));
            let name = match file.is_empty() {
                true => name.clone(),
                false => format!("`{}`", plain.trim_matches('`')),
            };
            constants.entry((file, name)).or_default().extend(ids);
        }
    }
    constants
}

/// The text of the index.
fn index() -> String {
    let records = records();
    let mut text = HEAD.to_owned();
    text += "\n## By question\n\n| Question | Records |\n|---|---|\n";
    let mut questions: Vec<(String, BTreeSet<String>)> = Vec::new();
    for record in &records {
        for (question, ids) in record.list("Answers") {
            match questions.iter_mut().find(|(known, _)| *known == question) {
                Some((_, known)) => known.extend(ids),
                None => questions.push((question, ids)),
            }
        }
    }
    for (question, ids) in questions {
        let _ = writeln!(text, "| {question} | {} |", links(&records, &ids));
    }
    text += CONSTANTS;
    text += "| Constant | File | Records |\n|---|---|---|\n";
    for ((file, name), ids) in constants(&records) {
        let file =
            if file.is_empty() { "several".to_owned() } else { format!("[`{file}`](../{file})") };
        let _ = writeln!(text, "| {name} | {file} | {} |", links(&records, &ids));
    }
    text += "\n## By record\n";
    for file in FILES {
        let title = read(&format!("notes/experiments/{file}"));
        let title = title.lines().next().unwrap_or_default().trim_start_matches("# ");
        let _ = writeln!(text, "\n### [{title}](experiments/{file})\n");
        text += "| Id | Title | Date | Verdict |\n|---|---|---|---|\n";
        for record in records.iter().filter(|record| record.file == file) {
            let (link, title) = (record.link(&record.id), &record.title);
            let _ =
                writeln!(text, "| {link} | {title} | {} | {} |", record.date(), record.verdict());
        }
    }
    text
}

/// `SNAPSHOTS=overwrite` writes the index.
#[test]
fn the_index_shows_the_records_and_the_constants() {
    let index = index();
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        fs::write(root().join("notes/index.md"), index).unwrap();
        return;
    }
    let found = read("notes/index.md");
    let differs = found.lines().zip(index.lines()).find(|(found, expected)| found != expected);
    assert!(
        found == index,
        "notes/index.md: {differs:?}: SNAPSHOTS=overwrite cargo test --test documents writes it"
    );
}

#[test]
fn each_id_that_the_source_cites_is_a_record() {
    let records = records();
    assert!(records.len() > 80, "{} records", records.len());
    for file in rust_files("src") {
        let text = read(&file);
        for id in cited(&text.lines().collect::<Vec<_>>()).into_iter().flat_map(|(_, ids)| ids) {
            let record = records.iter().find(|record| record.id == record_of(&id));
            let Some(record) = record else { panic!("{file} cites {id}, which is no record") };
            // A row of a table, or the first word of a paragraph.
            let is_row =
                [format!("| {id}"), format!("\n{id}")].iter().any(|row| record.text.contains(row));
            assert!(record.id == id || is_row, "{file} cites {id}, which is no row of its record");
        }
    }
}

/// A link of a note to a file leads to a file, and one to a heading of a note to a heading.
#[test]
fn links_of_the_notes_lead_somewhere() {
    let anchors = |text: &str| -> BTreeSet<String> {
        let headings = text.lines().filter(|line| line.starts_with('#'));
        headings.map(|line| anchor(line.trim_start_matches('#').trim_start())).collect()
    };
    let mut texts = BTreeMap::from([
        ("README.md".to_owned(), read("notes/README.md")),
        ("index.md".to_owned(), index()),
    ]);
    texts.extend(
        FILES.map(|file| {
            (format!("experiments/{file}"), read(&format!("notes/experiments/{file}")))
        }),
    );
    for (file, text) in &texts {
        let folder = Path::new(file).parent().unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')) {
            let (path, heading) = link.0.split_once('#').unwrap_or((link.0, ""));
            let target = match path {
                "" => file.clone(),
                path if path.contains("://") => continue,
                path => match path.strip_prefix("../") {
                    Some(path) if folder == Path::new("experiments") => path.to_owned(),
                    _ => folder.join(path).display().to_string(),
                },
            };
            assert!(root().join("notes").join(&target).exists(), "notes/{file}: {path}");
            let leads = heading.is_empty()
                || texts.get(&target).is_none_or(|text| anchors(text).contains(heading));
            assert!(leads, "notes/{file}: {path}#{heading}");
        }
    }
}
