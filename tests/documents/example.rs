//! The fenced blocks of a document.

use std::path::PathBuf;

/// A fenced block whose info string names it, such as `text example=chain`.
pub struct Example {
    document: String,
    /// The line of the block's first line, from 1.
    line: usize,
    /// The name of the example.
    pub name: String,
    /// `text`, `python` or `sh`.
    pub language: String,
    /// The text, each line with a line feed.
    pub text: String,
}

impl Example {
    /// The place of the block, for messages.
    pub fn place(&self) -> String {
        format!("docs/{}:{}, example {}", self.document, self.line, self.name)
    }

    /// The rows of a table, whose cells are separated by two blanks or more.
    pub fn table(&self) -> Vec<Vec<&str>> {
        table(&self.text)
    }
}

/// The cells of each line, separated by two blanks or more.
pub fn table(text: &str) -> Vec<Vec<&str>> {
    fn cells(line: &str) -> Vec<&str> {
        line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
    }
    text.lines().map(cells).collect()
}

/// The folder of the documents.
pub fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs")
}

fn read(document: &str) -> String {
    std::fs::read_to_string(docs().join(document)).unwrap()
}

/// All examples of a document. A fenced block that is none is a `text diagram`.
pub fn examples(document: &str) -> Vec<Example> {
    let text = read(document);
    let mut examples: Vec<Example> = Vec::new();
    let mut lines = text.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> =
            lines.by_ref().map(|(line, _)| line).take_while(|line| *line != "```").collect();
        if info == "text diagram" {
            continue;
        }
        let Some((language, name)) = info.split_once(" example=") else {
            panic!("docs/{document}:{number}: expected `LANGUAGE example=NAME`, found `{info}`");
        };
        let example = Example {
            document: document.to_owned(),
            line: number + 1,
            name: name.to_owned(),
            language: language.to_owned(),
            text: block.into_iter().map(|line| line.to_owned() + "\n").collect(),
        };
        assert!(examples.iter().all(|known| known.name != name), "{}: twice", example.place());
        examples.push(example);
    }
    examples
}

/// The lines of a document outside its fenced blocks.
fn prose(document: &str) -> Vec<String> {
    let mut is_code = false;
    let text = read(document);
    let outside = text.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code
    });
    outside.map(str::to_owned).collect()
}

/// The targets of all links.
pub fn links(document: &str) -> Vec<String> {
    let text = prose(document).join("\n");
    let targets = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    targets.map(str::to_owned).collect()
}

/// The anchors of all headings, as GitHub makes them.
pub fn anchors(document: &str) -> Vec<String> {
    let heading = |line: &String| {
        let title = line.trim_start_matches('#').strip_prefix(' ')?.to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_ー".contains(*c));
        Some(kept.map(|c| if c == ' ' { '-' } else { c }).collect())
    };
    prose(document).iter().filter(|line| line.starts_with('#')).filter_map(heading).collect()
}
