//! The layers of `docs/architecture.md`, and the imports of the source.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the document's tables: the layers from the top down, then the modules that stand
/// beside them.
fn layers() -> (Vec<BTreeSet<String>>, BTreeSet<String>) {
    let text = fs::read_to_string(super::example::docs().join("architecture.md")).unwrap();
    let (above, below) = text.split_once(" modules stand beside the table").unwrap();
    let (below, _) = below.split_once("\n## ").unwrap();
    let modules = |row: &str| -> BTreeSet<String> {
        let links = row.split("](../src/").skip(1).filter_map(|link| link.split(')').next());
        links.map(|link| link.trim_end_matches(".rs").to_owned()).collect()
    };
    let rows = |text: &str| -> Vec<BTreeSet<String>> {
        let cells = text.lines().filter_map(|line| line.strip_prefix("| [")?.split('|').next());
        cells.map(modules).collect()
    };
    (rows(above), rows(below).into_iter().flatten().collect())
}

/// The Rust files below `folder`.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|kind| kind == "rs")).collect()
}

/// The modules that the code of a file names by `crate::`, without comments and unit tests.
fn imports(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let code: Vec<&str> =
        code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let name = |path: &str| -> String {
        path.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect()
    };
    let mut names = BTreeSet::new();
    for path in code.split("crate::").skip(1) {
        if let Some(list) = path.strip_prefix('{') {
            // `use crate::{a, b::c};`: the words after the brace and after each comma.
            let list = list.split("};").next().unwrap_or_default();
            names.extend(list.split(',').map(|path| name(path.trim_start())));
        } else {
            names.insert(name(path));
        }
    }
    names
}

#[test]
fn each_module_imports_only_modules_below_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (layers, beside) = layers();
    let floors: BTreeMap<&str, usize> = layers
        .iter()
        .enumerate()
        .flat_map(|(floor, modules)| modules.iter().map(move |module| (module.as_str(), floor)))
        .collect();
    assert!(layers.len() > 10 && beside.len() > 5, "{layers:?} {beside:?}");
    let mut missing = Vec::new();
    for file in rust_files(&src) {
        let path = file.strip_prefix(&src).unwrap();
        let own = path.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let is_test = path.ends_with("tests.rs") || path.ends_with("engine/stalls.rs");
        if is_test || ["lib", "schemas"].contains(&own) {
            continue;
        }
        for import in imports(&fs::read_to_string(&file).unwrap()) {
            if import == own || import.is_empty() || beside.contains(&import) {
                continue;
            }
            let is_below = match (floors.get(own), floors.get(import.as_str())) {
                (Some(own), Some(import)) => import > own,
                _ => false,
            };
            if !is_below {
                missing.push(format!("{}: crate::{import}", path.display()));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new(), "imports that docs/architecture.md does not allow");
}

#[test]
fn the_document_names_every_module() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (layers, beside) = layers();
    let named: BTreeSet<String> = layers.into_iter().flatten().chain(beside).collect();
    let modules = fs::read_dir(&src).unwrap().map(|entry| entry.unwrap().file_name());
    let modules = modules.map(|name| name.to_str().unwrap().trim_end_matches(".rs").to_owned());
    let modules = modules.filter(|name| !["lib", "schemas"].contains(&name.as_str()));
    assert_eq!(modules.collect::<BTreeSet<String>>(), named);
}
