//! `tensai analyse` with drawn fields.

use std::path::Path;

use crate::run::{refused, said};

const FIELD: &str = "[own]
field = '''
2.........
3.........
8.5.......
'''
";

fn look(arguments: &[&str], input: &str) -> String {
    said(Path::new("."), &[&["analyse", "--threads", "1"], arguments].concat(), input)
}

#[test]
fn one_field_is_described() {
    let text = look(&[], &format!("{FIELD}gauge = 80\n"));
    let (drawing, printed) = text.split_once("\nfield\n").unwrap();
    assert!(drawing.ends_with("| 8 . 5 . . . . . . .|\n+--------------------+\n"), "{drawing}");
    assert_eq!(
        printed,
        "  chains by turn: no packs are given
  potential: a chain of 1 (0 ojama), if the block in column 0, row 2 from the bottom, is removed
  triggers: a single block, and its chain after 0, 1, 2, ... rows of ojama
    column  block  chain  buried by   chains
         1      7      2  3 rows      2 2 2 0 0 0 0 0 0 0 0 0 0 0
  skill: 1 block, 13 ojama
"
    );
}

#[test]
fn chains_are_found_by_turn() {
    let input = format!("packs = ['12/34', '.5/67', '77/3.', '12/.5']\n{FIELD}");
    let text = look(&["--nodes", "100000"], &input);
    assert!(
        text.contains("packs  1 2   . 5   7 7   1 2\n       3 4   6 7   3 .   . 5\n"),
        "{text}"
    );
    assert!(text.contains("the best chains within 4 turns (turn 0 is the next)\n"));
    assert!(text.contains(": a chain of "), "{text}");
    assert_eq!(text, look(&["--nodes", "100000"], &input), "one thread, the same");
}

#[test]
fn two_fields_are_described_in_order() {
    let fields = format!("{FIELD}gauge = 16\n[opponent]\nfield = '''\n9.........\n1.........'''\n");
    let text = look(&[], &format!("{fields}stock = 25\ngauge = 90\n"));
    assert!(text.contains("ojama 0  gauge 16           ojama 25  gauge 90"), "{text}");
    let second = text.split_once("\nsecond field\n").unwrap().1;
    assert!(second.contains("the field has neighbours that sum to 10"));
    assert!(second.contains("triggers: no single block sets off a chain of 2"));
    assert!(second.ends_with("skill: 0 blocks, 0 ojama, then a chain of 1 (0 ojama)\n"));
    assert!(text.contains("it needs a gauge of 80, found 16"));
}

#[test]
fn a_file_is_read_and_bad_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.toml"), FIELD).unwrap();
    let printed = said(folder.path(), &["analyse", "a.toml"], "");
    assert_eq!(printed, look(&[], FIELD));
    let refused = |arguments: &[&str], input: &str| {
        refused(folder.path(), &[&["analyse"], arguments].concat(), input)
    };
    assert_eq!(refused(&[], ""), "tensai: standard input: expected a field in `[own]`, found none");
    assert_eq!(
        refused(&[], "[own]\nfield = '''\n..........\n...x......'''\n"),
        "tensai: standard input: line 2, `own.field`: row 2 of the drawing: expected `.`, 1 to 9 or \
         `#`, found `x`"
    );
    let drawing = refused(&[], "..........\n\n12/34\n");
    assert!(drawing.starts_with("tensai: standard input: line 1: "), "{drawing}");
    assert!(refused(&["none.toml"], "").starts_with("tensai: none.toml: cannot read: "));
}
