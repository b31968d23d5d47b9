//! The documents are true. Every drawing, table, sample, program and command of `docs/rules.md`,
//! `docs/protocol.md` and their Japanese versions is checked or run; `docs/course.md` shows the lines of
//! its sources; the imports of the source
//! follow the layers of `docs/architecture.md`; `notes/index.md` shows the records and what of the
//! source rests on them.
#![cfg(all(feature = "arena", target_os = "linux"))]

mod course;
mod drawing;
mod example;
mod layers;
mod notes;
mod protocol;
mod rules;
#[path = "../running/mod.rs"]
mod running;

use example::{Example, examples};

/// Both languages of a document.
fn versions(document: &str) -> [Vec<Example>; 2] {
    [format!("{document}.md"), format!("{document}.ja.md")].map(|file| examples(&file))
}

/// The Japanese document has the examples of the English one, byte for byte and in its order.
fn languages_agree(document: &str) {
    let [english, japanese] = versions(document);
    for (english, japanese) in english.iter().zip(&japanese) {
        let (place, other) = (english.place(), japanese.place());
        assert_eq!(english.name, japanese.name, "{place} and {other}");
        assert_eq!(english.language, japanese.language, "{place} and {other}");
        assert_eq!(english.text, japanese.text, "{place} and {other}");
    }
    assert_eq!(english.len(), japanese.len(), "{document}: as many examples in both languages");
}

#[test]
fn both_languages_have_equal_examples() {
    languages_agree("rules");
    languages_agree("protocol");
    languages_agree("course");
}

#[test]
fn the_examples_of_the_rules_are_right() {
    let [english, japanese] = versions("rules");
    assert!(english.len() >= 20, "{} examples", english.len());
    english.iter().chain(&japanese).for_each(rules::check);
}

#[test]
fn the_examples_of_the_protocol_are_right() {
    // The Japanese ones are equal, and running them again takes time.
    let [english, _] = versions("protocol");
    assert!(english.len() >= 10, "{} examples", english.len());
    english.iter().for_each(|example| protocol::check(example, &english));
}

#[test]
fn the_course_shows_its_sources_and_they_are_short() {
    let [english, _] = versions("course");
    course::shows_its_sources(&english);
    course::is_short();
}

/// A link within a document leads to one of its headings, and a link to a file leads to a file.
#[test]
fn links_lead_somewhere() {
    for name in ["rules", "protocol", "course"] {
        for document in [format!("{name}.md"), format!("{name}.ja.md")] {
            for link in example::links(&document) {
                let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
                let file = if file.is_empty() { &document } else { file };
                let path = example::docs().join(file);
                assert!(path.exists(), "{document}: {link}");
                let anchors = || example::anchors(file);
                assert!(
                    heading.is_empty() || anchors().contains(&heading.to_owned()),
                    "{document}: {link}"
                );
            }
        }
    }
}
