//! The index of `notes/README.md`, the records of experiments, and the ids that the source cites.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of this crate.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The ids of records (`B-09`) and of their rows (`B-09.4`) in a text.
fn ids(text: &str) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    for word in text.split(|c: char| !is_word(c) && c != '.') {
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
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// A record, by its id: its file in `notes/experiments`, and its title.
fn records() -> BTreeMap<String, (String, String)> {
    let mut records = BTreeMap::new();
    for entry in fs::read_dir(root().join("notes/experiments")).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        for heading in read(&format!("notes/experiments/{file}")).lines() {
            if let Some((id, title)) = heading.strip_prefix("## ").and_then(|h| h.split_once(' '))
                && ids(id).contains(id)
            {
                let other = records.insert(id.to_owned(), (file.clone(), title.to_owned()));
                assert_eq!(other, None, "{file}: {id} is used twice");
            }
        }
    }
    records
}

#[test]
fn each_record_is_in_the_index() {
    let index = read("notes/README.md");
    let records = records();
    assert!(records.len() > 80, "{} records", records.len());
    for (id, (file, title)) in records {
        let link = anchor(&format!("{id} {title}"));
        let row = format!("| [{id}](experiments/{file}#{link}) | {title} |");
        assert!(index.contains(&row), "notes/README.md lacks the row {row}");
    }
}

/// Rows of the table "Index by constant": the names in the first column, the files, the ids.
fn constants() -> Vec<(Vec<String>, Vec<String>, BTreeSet<String>)> {
    let index = read("notes/README.md");
    let (_, table) = index.split_once("\n## Index by constant\n").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    let quoted = |cell: &str| -> Vec<String> {
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        let files = quoted(cells[2]).into_iter().filter(|file| file.starts_with("src/"));
        (quoted(cells[1]), files.collect(), ids(cells[4]))
    })
    .collect()
}

/// Whether a source has the name: a constant or a field, or `TYPE::NAME` within the braces of TYPE.
fn has(source: &str, name: &str) -> bool {
    let Some((of, member)) = name.rsplit_once("::") else { return source.contains(name) };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let blocks = ["struct", "enum", "trait", "impl", "mod"].map(|kind| format!("{kind} {of}"));
    let mut bodies = blocks.iter().flat_map(|block| source.split(block.as_str()).skip(1));
    bodies.any(|body| {
        !body.starts_with(is_word)
            && body.split("\n}").next().is_some_and(|body| body.contains(member))
    })
}

#[test]
fn the_index_names_constants_of_the_source() {
    let rows = constants();
    assert!(rows.len() > 50, "{} rows", rows.len());
    for (names, files, _) in rows {
        let texts: Vec<String> = files
            .iter()
            .filter(|file| !root().join(file).is_dir())
            .map(|file| read(file))
            .collect();
        for name in names {
            let is_there = texts.iter().any(|text| has(text, &name));
            assert!(is_there, "notes/README.md, index by constant: {name} is not in {files:?}");
        }
    }
}

/// The Rust files below a folder, relative to this crate.
fn rust_files(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let paths = entries.map(|entry| format!("{folder}/{}", entry.unwrap().file_name().display()));
    let files = paths
        .flat_map(|path| if root().join(&path).is_dir() { rust_files(&path) } else { vec![path] });
    files.filter(|path| Path::new(path).extension().is_some_and(|kind| kind == "rs")).collect()
}

#[test]
fn each_id_that_the_source_cites_is_a_record_and_is_in_the_index() {
    let records = records();
    let files: BTreeSet<&String> = records.values().map(|(file, _)| file).collect();
    let texts: String =
        files.iter().map(|file| read(&format!("notes/experiments/{file}"))).collect();
    let mut indexed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, files, ids) in constants() {
        for file in files {
            indexed.entry(file).or_default().extend(ids.clone());
        }
    }
    for file in rust_files("src") {
        let comments: Vec<String> = read(&file)
            .lines()
            .filter_map(|line| line.split_once("//").map(|(_, comment)| comment.to_owned()))
            .collect();
        for id in ids(&comments.join("\n")) {
            let record = id.split('.').next().unwrap_or(&id);
            assert!(records.contains_key(record), "{file} cites {id}, which is no record");
            // A row of a table, or the first word of a paragraph.
            let is_row =
                [format!("| {id}"), format!("\n{id}")].iter().any(|row| texts.contains(row));
            assert!(record == id || is_row, "{file} cites {id}, which is no row of its record");
            let is_indexed = indexed.get(&file).is_some_and(|ids| ids.contains(&id));
            assert!(is_indexed, "notes/README.md, index by constant: {file} cites {id}");
        }
    }
}
