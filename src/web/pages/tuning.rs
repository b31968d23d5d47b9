//! The page of a tuning: the path of each parameter as a line. It needs no script, and is light or
//! dark as the browser asks for.

use std::fmt::Write as _;
use std::path::Path;

use super::static_page::{self, escape};
use crate::arena::tuning::{Parameter, Tuning};
use crate::record::RecordError;
use crate::util::numbers::counted;

/// Rules of this page beside those of all pages without a script.
const OWN: &str = "figure { margin: 0 0 1.2rem; }
svg { width: 100%; height: auto; max-width: 60rem; display: block; }
svg .path { fill: none; stroke: currentColor; stroke-width: 1.5; }
svg .start { stroke: currentColor; opacity: .5; stroke-dasharray: 2 4; }
svg .mean { stroke: currentColor; stroke-width: 1.5; stroke-dasharray: 8 4; }
svg .frame { fill: none; stroke: currentColor; opacity: .25; }
svg text { fill: currentColor; font-size: 12px; }
";

/// Writes the page to a file, whole or not at all. An earlier page is replaced; any other file is
/// left alone.
///
/// # Errors
/// Another file exists at `path`, or the file system reports an error.
pub fn write(tuning: &Tuning, path: &Path) -> Result<(), RecordError> {
    static_page::write_in_folder(path, &html(tuning))
}

/// The page as HTML.
pub fn html(tuning: &Tuning) -> String {
    let games = tuning.path.iter().map(|step| step.games).sum::<usize>();
    let (done, planned) = (tuning.path.len(), tuning.iterations);
    let means = tuning.means();
    let pictures = tuning.parameters.iter().enumerate();
    let pictures: String = pictures
        .map(|(index, parameter)| picture(tuning, index, parameter, means[index]))
        .collect();
    let title = format!("Tuning of {}", escape(&tuning.engine.name));
    let (games, since) = (counted(games, "game"), escape(&tuning.date));
    let outcome = format!("{done} of {planned} iterations, {games}, since {since}");
    let main = format!(
        "<h2>Parameters</h2>\n{}\
         <p>The tuned value is the mean over the later half of the iterations.</p>\n\
         <h2>Path</h2>\n<p>The dotted line is the start, the dashed line the tuned value.</p>\n\
         {pictures}",
        table(tuning, &means),
    );
    static_page::html(&title, OWN, &outcome, &main)
}

/// The table of the parameters.
fn table(tuning: &Tuning, means: &[f64]) -> String {
    let titles = ["Start", "Tuned", "Last", "Least", "Greatest", "Stride"];
    let titles: String = titles.iter().map(|title| format!("<th class=\"n\">{title}")).collect();
    let mut html = format!(
        "<div class=\"scroll\"><table>\n<thead><tr><th>Parameter{titles}</tr></thead>\n<tbody>\n"
    );
    let rows = tuning.parameters.iter().zip(means).zip(tuning.values());
    for ((parameter, &mean), last) in rows {
        let Parameter { start, min, max, stride, .. } = *parameter;
        let cells = [start, mean, last, min, max, stride].map(number);
        let cells: String = cells.iter().map(|cell| format!("<td class=\"n\">{cell}")).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(html, "<tr><td><b>{}</b>{cells}</tr>", escape(&parameter.name));
    }
    html + "</tbody></table></div>\n"
}

/// The line of one parameter.
fn picture(tuning: &Tuning, index: usize, parameter: &Parameter, mean: f64) -> String {
    const WIDTH: f64 = 800.0;
    const HEIGHT: f64 = 160.0;
    /// Room for the numbers on the left, and for the frame on all sides.
    const LEFT: f64 = 80.0;
    const EDGE: f64 = 8.0;
    let path: Vec<f64> = std::iter::once(parameter.start)
        .chain(tuning.path.iter().map(|step| step.values[index]))
        .collect();
    let least = path.iter().copied().fold(f64::INFINITY, f64::min);
    let most = path.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // A path that does not move is a line in the middle.
    let margin = ((most - least) * 0.1).max(parameter.stride * 0.05);
    let (least, most) = (least - margin, most + margin);
    let last = (path.len() - 1).max(1) as f64;
    let x = |at: usize| LEFT + (WIDTH - LEFT - EDGE) * at as f64 / last;
    let y = |value: f64| EDGE + (HEIGHT - 2.0 * EDGE) * (most - value) / (most - least);
    let points =
        path.iter().enumerate().map(|(at, &value)| format!("{:.1},{:.1}", x(at), y(value)));
    let points = points.collect::<Vec<_>>().join(" ");
    let line = |class: &str, value: f64| {
        let (right, y) = (WIDTH - EDGE, y(value));
        format!(
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>"
        )
    };
    let label = |value: f64| {
        let (x, y) = (LEFT - 6.0, y(value) + 4.0);
        format!("<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text>", number(value))
    };
    let (name, start, tuned) = (escape(&parameter.name), number(parameter.start), number(mean));
    format!(
        "<figure>\n<figcaption><b>{name}</b>: {start} &rarr; {tuned}</figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"{name} over {} iterations, from {start} to {tuned}\">\n\
         <rect class=\"frame\" x=\"{LEFT}\" y=\"{EDGE}\" width=\"{}\" height=\"{}\"/>\n{}{}\n\
         {}{}\n<polyline class=\"path\" points=\"{points}\"/>\n</svg>\n</figure>\n",
        path.len() - 1,
        WIDTH - LEFT - EDGE,
        HEIGHT - 2.0 * EDGE,
        label(most - margin),
        label(least + margin),
        line("start", parameter.start),
        line("mean", mean),
    )
}

/// A number with four significant digits at most.
fn number(value: f64) -> String {
    let digits = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let decimals = (3 - digits).clamp(0, 6) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::EngineConfig;
    use crate::web::pages::BEGIN;

    #[test]
    fn a_page_shows_the_path_of_each_parameter() {
        let parameters =
            ["discount", "opening"].map(|name| Parameter::from_words(&[name]).unwrap());
        let engine = EngineConfig::new("<b>", "tensai");
        let mut tuning = Tuning::new(engine, parameters.into());
        let empty = html(&tuning);
        assert!(empty.contains("0 of 200 iterations, 0 games"), "{empty}");
        tuning.step(1.0, 2);
        tuning.step(-0.5, 2);
        let html = html(&tuning);
        assert!(html.starts_with(BEGIN) && !html.contains("<script") && !html.contains("NaN"));
        assert_eq!(html.matches("<polyline").count(), 2);
        let points = html.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(points.split(' ').count(), 3, "the start and two iterations");
        assert!(
            html.contains("2 of 200 iterations, 4 games") && html.contains("&lt;b&gt;"),
            "{html}"
        );
        assert!(html.contains("aria-label=\"discount over 2 iterations, from 0.8 to "), "{html}");
    }

    #[test]
    fn numbers_have_four_digits() {
        let numbers = [0.0, 0.8, 0.123_456, 12.345_6, 2000.0, 123_456.0, -0.35, 1e-7];
        let shown = numbers.map(number);
        assert_eq!(shown, ["0", "0.8", "0.1235", "12.35", "2000", "123456", "-0.35", "0"]);
    }
}
