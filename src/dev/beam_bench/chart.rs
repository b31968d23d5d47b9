//! The picture of a race: a panel for each setting, a line for each program.

use std::fmt::Write as _;

use super::{BEAM_SETTINGS, Curves, MeanCurve};
use crate::util::sanitize::markup;

/// Width of a panel's plot, in pixels.
const WIDTH: f64 = 210.0;

/// Height of a panel's plot, in pixels.
const HEIGHT: f64 = 200.0;

/// Left edge of the first plot, and the distance between two plots, in pixels.
const LEFT: f64 = 40.0;

/// Upper edge of the plots, in pixels.
const TOP: f64 = 26.0;

/// Colors of lines.
const COLORS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#555555"];

/// Dashes of lines.
const DASHES: [&str; 4] = ["none", "6 3", "2 2", "8 2 2 2"];

/// Names in a line of the legend.
const IN_A_LINE: usize = 4;

/// Most characters of a name in the legend.
const MOST_OF_A_NAME: usize = 22;

/// The color and the dashes of the line of the program at `index`: sixteen different ones.
const fn style(index: usize) -> (&'static str, &'static str) {
    (COLORS[index % COLORS.len()], DASHES[(index + index / COLORS.len()) % DASHES.len()])
}

/// A range of values on an axis.
#[derive(Clone, Copy)]
struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    /// The smallest whole numbers around `values`, at least one apart.
    fn around(values: impl Iterator<Item = f64>) -> Self {
        let (from, to) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), value| {
                (from.min(value), to.max(value))
            });
        if from > to {
            return Self { from: 0.0, to: 1.0 };
        }
        let from = from.floor();
        Self { from, to: to.ceil().max(from + 1.0) }
    }

    /// Where `value` lies on the axis, from 0 to 1.
    fn part(self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from)
    }

    /// At most twelve whole numbers on the axis.
    fn ticks(self) -> impl Iterator<Item = f64> {
        let step = ((self.to - self.from) / 12.0).ceil().max(1.0);
        let count = ((self.to - self.from) / step) as usize;
        (0..=count).map(move |index| self.from + step * index as f64)
    }
}

/// Draws chains by time as SVG: the means of [`MeanCurve`], the time on a logarithmic axis.
/// `programs` are names with the curves of each, at least one.
pub fn svg(programs: &[(&str, Curves)]) -> String {
    let right = (LEFT + WIDTH) * BEAM_SETTINGS.len() as f64;
    let lines = programs.len().div_ceil(IN_A_LINE);
    let (width, height) = (right + 14.0, TOP + HEIGHT + 38.0 + 18.0 * lines as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\" \
         text-anchor=\"middle\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (index, setting) in BEAM_SETTINGS.iter().enumerate() {
        let curves: Vec<MeanCurve> = programs.iter().map(|(_, curves)| curves[index]).collect();
        panel(&mut svg, setting.name, LEFT + (LEFT + WIDTH) * index as f64, &curves);
    }
    for (index, (name, _)) in programs.iter().enumerate() {
        let (color, dashes) = style(index);
        let (line, place) = (index / IN_A_LINE, index % IN_A_LINE);
        let (x, y) = (LEFT + 170.0 * place as f64, TOP + HEIGHT + 46.0 + 18.0 * line as f64);
        let name: String = name.chars().take(MOST_OF_A_NAME).collect();
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.0} {:.0}h24\" stroke=\"{color}\" stroke-width=\"2\" \
             stroke-dasharray=\"{dashes}\"/><text x=\"{:.0}\" y=\"{y:.0}\" \
             text-anchor=\"start\">{}</text>",
            y - 4.0,
            x + 30.0,
            markup(&name)
        );
    }
    svg + "</svg>\n"
}

/// Draws the panel of a setting, whose plot begins at `left`.
fn panel(svg: &mut String, name: &str, left: f64, curves: &[MeanCurve]) {
    let milliseconds = |curve: &MeanCurve| curve.seconds.map(|seconds| (seconds * 1e3).log10());
    let times = Axis::around(curves.iter().flat_map(milliseconds));
    let chains = Axis::around(curves.iter().flat_map(|curve| curve.chains));
    let x = |time: f64| left + WIDTH * times.part(time);
    let y = |chain: f64| TOP + HEIGHT * (1.0 - chains.part(chain));
    let (middle, bottom) = (left + WIDTH / 2.0, TOP + HEIGHT);
    let _ = writeln!(
        svg,
        "<text x=\"{middle:.0}\" y=\"14\">{name}: longest chain by ms</text>\n\
         <rect x=\"{left}\" y=\"{TOP}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" \
         stroke=\"#999\"/>"
    );
    for time in times.ticks() {
        let (x, label) = (x(time), 10f64.powf(time));
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {TOP}v{HEIGHT}\" stroke=\"#ddd\"/>\
             <text x=\"{x:.1}\" y=\"{:.0}\">{label}</text>",
            bottom + 14.0
        );
    }
    for chain in chains.ticks() {
        let y = y(chain);
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {y:.1}h{WIDTH}\" stroke=\"#ddd\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{chain}</text>",
            left - 5.0,
            y + 4.0
        );
    }
    for (index, curve) in curves.iter().enumerate() {
        let (color, dashes) = style(index);
        let points: Vec<(f64, f64)> = milliseconds(curve)
            .into_iter()
            .zip(curve.chains)
            .filter(|(time, _)| time.is_finite())
            .map(|(time, chain)| (x(time), y(chain)))
            .collect();
        let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" \
             stroke-dasharray=\"{dashes}\"/>",
            line.join(" ")
        );
        for (x, y) in points {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::LEVELS;
    use super::*;

    fn curve(first: f64, chains: f64) -> MeanCurve {
        MeanCurve {
            seconds: std::array::from_fn(|level| first * 4f64.powi(level as i32)),
            chains: std::array::from_fn(|level| chains + level as f64),
        }
    }

    #[test]
    fn each_program_has_a_line_in_each_panel() {
        let programs = [("this", [curve(1e-3, 8.0); 3]), ("a<b>&", [curve(0.1, 6.5); 3])];
        let svg = svg(&programs);
        assert_eq!(svg.matches("<polyline").count(), 2 * BEAM_SETTINGS.len(), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 2 * BEAM_SETTINGS.len() * LEVELS);
        assert!(svg.contains(">a&lt;b&gt;&amp;</text>") && svg.contains(">empty: "), "{svg}");
        // From one millisecond to 25.6 s, and from 6 to 12 rounds.
        for label in [">1<", ">100000<", ">6<", ">12<"] {
            assert!(svg.contains(label), "{label} in {svg}");
        }
    }

    #[test]
    fn many_programs_have_different_lines_and_stand_in_the_picture() {
        let styles: std::collections::HashSet<_> = (0..16).map(style).collect();
        assert_eq!(styles.len(), 16);
        let name = "a".repeat(99);
        let svg = svg(&[(&name[..], [curve(1e-3, 8.0); 3]); 9]);
        assert!(svg.contains("height=\"318\"") && svg.contains(" y=\"308\""), "{svg}");
        assert!(!svg.contains(&name[..MOST_OF_A_NAME + 1]));
    }

    #[test]
    fn an_axis_has_a_length_whatever_the_values() {
        for values in [&[][..], &[f64::NEG_INFINITY], &[3.0], &[3.0, 3.0], &[-2.5, 40.0]] {
            let axis = Axis::around(values.iter().copied());
            assert!(axis.to >= axis.from + 1.0);
            assert!((2..=13).contains(&axis.ticks().count()), "{values:?}");
        }
    }
}
