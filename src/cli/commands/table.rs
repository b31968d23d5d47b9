//! Tables without lines, fitted to the width of the terminal.

use std::env;
use std::io::{self, IsTerminal as _};

use comfy_table::{CellAlignment, Table, presets};
use terminal_size::{Width, terminal_size_of};

/// The column that is aligned to the left, and whose text may be cut.
const NAME: &str = "engine";

/// Columns of text of a terminal whose width is unknown.
const DEFAULT_WIDTH: usize = 80;

/// The columns of text of standard output; `None` if it is no terminal. The variable `COLUMNS`
/// comes first if it is a number, then the width of the terminal, then [`DEFAULT_WIDTH`].
pub fn width() -> Option<usize> {
    let out = io::stdout();
    if !out.is_terminal() {
        return None;
    }
    let given = env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let own = terminal_size_of(&out).map(|(Width(width), _)| usize::from(width));
    Some([given, own].into_iter().flatten().find(|&width| width > 0).unwrap_or(DEFAULT_WIDTH))
}

/// Formats a table in at most `width` columns of text. Each row has a cell for each title of
/// `header`. If the table is too wide, its columns first stand closer. Then the columns of `spare`
/// are left out in that order. Then names are cut. A last line lists the columns that are left out, and
/// says how to see them.
pub fn fitting(
    header: &[&str],
    rows: &[Vec<String>],
    spare: &[&str],
    width: Option<usize>,
) -> String {
    let Some(width) = width else { return text(header, rows, 2) };
    let mut kept: Vec<usize> = (0..header.len()).collect();
    let mut left_out = Vec::new();
    let mut spare = spare.iter();
    loop {
        let titles: Vec<&str> = kept.iter().map(|&column| header[column]).collect();
        let cells = |row: &Vec<String>| kept.iter().map(|&column| row[column].clone()).collect();
        let mut cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
        let gap = if widest(&titles, &cells, 2) <= width { 2 } else { 1 };
        let excess = widest(&titles, &cells, gap).saturating_sub(width);
        if excess > 0 {
            if let Some(title) = spare.next() {
                left_out.push(*title);
                kept.retain(|&column| header[column] != *title);
                continue;
            }
            cut_names(&titles, &mut cells, excess);
        }
        let mut text = text(&titles, &cells, gap);
        if !left_out.is_empty() {
            let left_out = left_out.join(", ");
            text += &format!("without {left_out}: `| less -S` has all columns\n");
        }
        return text;
    }
}

/// Formats a table whose last columns continue below if they do not fit. Each part repeats the
/// first `fixed` columns.
pub fn continued(
    header: &[&str],
    rows: &[Vec<String>],
    fixed: usize,
    width: Option<usize>,
) -> String {
    let mut parts = Vec::new();
    let mut from = fixed;
    while from < header.len() {
        let part = |to: usize| {
            let titles = [&header[..fixed], &header[from..to]].concat();
            let cells = rows.iter().map(|row| [&row[..fixed], &row[from..to]].concat());
            (titles, cells.collect::<Vec<_>>())
        };
        let fits = |to: &usize| {
            let (titles, cells) = part(*to);
            width.is_none_or(|width| widest(&titles, &cells, 2) <= width)
        };
        let to = (from + 1..=header.len()).rev().find(fits).unwrap_or(from + 1);
        let (titles, cells) = part(to);
        parts.push(fitting(&titles, &cells, &[], width));
        from = to;
    }
    parts.join("\n")
}

/// Shortens the longest names by `excess` columns of text, but to no fewer than `LEAST` characters.
fn cut_names(titles: &[&str], cells: &mut [Vec<String>], excess: usize) {
    /// The fewest characters of a shortened name, with its dots.
    const LEAST: usize = 8;
    let Some(name) = titles.iter().position(|title| *title == NAME) else { return };
    let longest = cells.iter().map(|row| row[name].chars().count()).max().unwrap_or(0);
    let most = longest.saturating_sub(excess).max(LEAST);
    for cell in cells.iter_mut().map(|row| &mut row[name]) {
        if cell.chars().count() > most {
            *cell = cell.chars().take(most - 2).chain("..".chars()).collect();
        }
    }
}

/// The columns of text of the widest line.
fn widest(header: &[&str], rows: &[Vec<String>], gap: u16) -> usize {
    let widths = table(header, rows, gap).column_max_content_widths();
    let gaps = usize::from(gap) * widths.len().saturating_sub(1) + usize::from(gap / 2);
    widths.iter().map(|&width| usize::from(width)).sum::<usize>() + gaps
}

/// The table as text, without blanks at the ends of lines.
fn text(header: &[&str], rows: &[Vec<String>], gap: u16) -> String {
    let table = table(header, rows, gap);
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// A table without lines, with numbers aligned to the right and a gap of 1 or 2 blanks between
/// columns.
fn table(header: &[&str], rows: &[Vec<String>], gap: u16) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for (title, column) in header.iter().zip(table.column_iter_mut()) {
        let is_name = *title == NAME;
        column.set_cell_alignment(if is_name { CellAlignment::Left } else { CellAlignment::Right });
        column.set_padding((gap / 2, 1));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(name: &str) -> Vec<Vec<String>> {
        ["1", "1234"]
            .map(|number| vec![name.to_owned(), number.to_owned(), number.to_owned()])
            .into()
    }

    #[test]
    fn a_table_takes_no_more_columns_of_text_than_it_may() {
        let header = ["engine", "games", "cores"];
        let all = fitting(&header, &rows("tensai"), &["cores"], None);
        assert_eq!(all, fitting(&header, &rows("tensai"), &["cores"], Some(25)));
        assert_eq!(all, " engine  games  cores\n tensai      1      1\n tensai   1234   1234\n");
        assert_eq!(
            fitting(&header, &rows("tensai"), &["cores"], Some(18)),
            "engine games cores\ntensai     1     1\ntensai  1234  1234\n"
        );
        assert_eq!(
            fitting(&header, &rows("a long name"), &["cores"], Some(16)),
            "engine     games\na long n..     1\na long n..  1234\n\
             without cores: `| less -S` has all columns\n"
        );
    }

    #[test]
    fn columns_that_do_not_fit_continue_below() {
        let header = ["", "engine", "1", "2"];
        let row = ["1", "a", "1000/2000", "3/4"].map(str::to_owned).to_vec();
        assert_eq!(
            continued(&header, std::slice::from_ref(&row), 2, None),
            "    engine          1    2\n 1  a       1000/2000  3/4\n"
        );
        assert_eq!(
            continued(&header, &[row], 2, Some(24)),
            "    engine          1\n 1  a       1000/2000\n\n    engine    2\n 1  a       3/4\n"
        );
    }
}
