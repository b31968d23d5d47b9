//! Measures how well win probabilities predict the winners.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

use super::{PlayersView, TrainingPosition};
use crate::engine::win_probability::{WinProbability, logistic};
use crate::util::numbers::counted;

/// The first turn of each group of turns that the report lists.
const GROUPS: [usize; 6] = [4, 6, 11, 17, 26, 41];

/// The number of bins of the calibration.
const BINS: usize = 10;

/// Probabilities are clamped to this distance from 0 and 1: otherwise one wrong certain prediction
/// would dominate the loss.
const SURE: f64 = 1e-6;

/// How well win probabilities fit the results. All figures cover the views of both players.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Quality {
    /// The number of positions, each from both views.
    pub positions: usize,
    /// The log-loss: the mean of minus the logarithm of the probability given to the actual result.
    /// A coin has 0.693.
    pub loss: f64,
    /// The part of the positions, without draws, in which the winner had a probability above one
    /// half. A position in which both players had one half counts as half a position.
    pub accuracy: f64,
    /// The correlation of probability and result; 0 if all probabilities are one half.
    pub correlation: f64,
}

impl Quality {
    /// Returns the quality of `predictions`: pairs of a probability and a result (1, 0.5 or 0), two
    /// for each position.
    pub fn of(predictions: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let (mut predicted, mut decided) = (0, 0.0);
        let [mut loss, mut right, mut of_both, mut of_chance, mut of_result] = [0.0; 5];
        for (chance, result) in predictions {
            predicted += 1;
            let sure = chance.clamp(SURE, 1.0 - SURE);
            loss -= result * sure.ln() + (1.0 - result) * (1.0 - sure).ln();
            let (leaning, outcome) = (chance - 0.5, result - 0.5);
            if outcome != 0.0 {
                decided += 1.0;
                right += match leaning * outcome {
                    product if product > 0.0 => 1.0,
                    product if product < 0.0 => 0.0,
                    _ => 0.5,
                };
            }
            of_both += leaning * outcome;
            of_chance += leaning * leaning;
            of_result += outcome * outcome;
        }
        let ratio = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        Self {
            positions: predicted / 2,
            loss: ratio(loss, predicted as f64),
            accuracy: ratio(right, decided),
            correlation: ratio(of_both, (of_chance * of_result).sqrt()),
        }
    }
}

/// A function that returns the player's win probability.
type Judge<'a> = dyn Fn(&PlayersView) -> f64 + 'a;

/// How well a win probability predicts the winners, by groups of turns and by probability.
/// `Display` formats it as tables.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CalibrationReport {
    /// The number of positions.
    pub positions: usize,
    /// The number of games.
    pub games: usize,
    /// The quality for all turns, then by groups of turns: of the win probability, of a model of
    /// the stocks alone, and of a coin.
    pub quality: Vec<JudgeQuality>,
    /// The results by probability, in ascending order.
    pub calibration: Vec<Bin>,
}

/// The quality of one predictor in a group of turns.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct JudgeQuality {
    /// The first turn of the group.
    pub from: usize,
    /// The last turn of the group; `None` if there is no last one.
    pub to: Option<usize>,
    /// `learned`, `stock alone` or `a coin`.
    pub judge: &'static str,
    /// The quality.
    #[serde(flatten)]
    pub quality: Quality,
}

/// The results of the positions whose win probability lies in a tenth of the scale.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Bin {
    /// The mean of the win probabilities.
    pub predicted: f64,
    /// The part of the positions that were won; a draw counts as half.
    pub won: f64,
    /// The number of positions, each from both views.
    pub positions: usize,
}

/// Measures the quality of `chance` beside that of a coin and of a model of the stocks alone, by
/// turns, and the calibration of `chance`.
pub fn report(chance: &WinProbability, positions: &[&TrainingPosition]) -> CalibrationReport {
    let views: Vec<PlayersView> = positions.iter().flat_map(|one| one.views()).collect();
    let stock = stock_alone(&views);
    let judges: [(&str, &Judge<'_>); 3] = [
        ("learned", &|view| chance.of(&view.features).0),
        ("stock alone", &|view| logistic(stock * view.stock_difference)),
        ("a coin", &|_| 0.5),
    ];
    let games: BTreeSet<&str> = positions.iter().map(|position| &*position.game).collect();
    let mut quality = Vec::new();
    let ends = GROUPS[1..].iter().map(|&next| Some(next - 1)).chain([None]);
    for (from, to) in std::iter::once((0, None)).chain(GROUPS.into_iter().zip(ends)) {
        let turns = from..=to.unwrap_or(usize::MAX);
        for (name, judge) in &judges {
            let of_turns = views.iter().filter(|view| turns.contains(&view.turn));
            let found = Quality::of(of_turns.map(|view| (judge(view), view.result)));
            if found.positions > 0 {
                quality.push(JudgeQuality { from, to, judge: name, quality: found });
            }
        }
    }
    let calibration = calibration(chance, &views);
    CalibrationReport { positions: positions.len(), games: games.len(), quality, calibration }
}

impl fmt::Display for CalibrationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (positions, games) = (counted(self.positions, "position"), counted(self.games, "game"));
        writeln!(f, "{positions} of {games}\n")?;
        writeln!(f, "turns     positions  judge        log-loss  accuracy  correlation")?;
        for &JudgeQuality { from, to, judge, quality } in &self.quality {
            let turns = match (from, to) {
                (0, _) => "all".to_owned(),
                (from, None) => format!("{from}+"),
                (from, Some(to)) => format!("{from}-{to}"),
            };
            let Quality { positions, loss, accuracy, correlation } = quality;
            let accuracy = accuracy * 100.0;
            writeln!(
                f,
                "{turns:8} {positions:10}  {judge:11} {loss:9.3} {accuracy:7.1} % {correlation:12.2}"
            )?;
        }
        writeln!(f, "\n  predicted          won  number (each position from both views)")?;
        for Bin { predicted, won, positions } in &self.calibration {
            writeln!(f, "{predicted:11.3} {won:12.3} {positions:6}")?;
        }
        Ok(())
    }
}

/// The results by probability. Tenths of the scale without a position are left out.
fn calibration(chance: &WinProbability, views: &[PlayersView]) -> Vec<Bin> {
    let mut bins = [(0.0, 0.0, 0_usize); BINS];
    for PlayersView { features, result, .. } in views {
        let chance = chance.of(features).0;
        let (sum, won, times) = &mut bins[((chance * BINS as f64) as usize).min(BINS - 1)];
        *sum += chance;
        *won += result;
        *times += 1;
    }
    let bins = bins.into_iter().filter(|&(_, _, times)| times > 0);
    let bin = |(sum, won, positions): (f64, f64, usize)| Bin {
        predicted: sum / positions as f64,
        won: won / positions as f64,
        positions,
    };
    bins.map(bin).collect()
}

/// Returns the weight of the difference of the stocks under which the results of these positions
/// are most likely.
fn stock_alone(views: &[PlayersView]) -> f64 {
    let mut weight = 0.0;
    for _ in 0..20 {
        let (mut slope, mut curvature) = (0.0, 1e-9);
        for view in views {
            let difference = view.stock_difference;
            let chance = logistic(weight * difference);
            slope += (chance - view.result) * difference;
            curvature += chance * (1.0 - chance) * difference * difference;
        }
        weight -= slope / curvature;
    }
    weight
}

#[cfg(test)]
mod tests {
    use super::super::fit::tests::sampled;
    use super::*;

    #[test]
    fn quality_of_a_coin_and_of_an_oracle() {
        let of = |predictions: &[(f64, f64)]| Quality::of(predictions.iter().copied());
        let coin = of(&[(0.5, 1.0), (0.5, 0.0), (0.5, 0.5), (0.5, 0.5)]);
        assert!((coin.loss - 2.0_f64.ln()).abs() < 1e-12);
        assert_eq!((coin.positions, coin.accuracy, coin.correlation), (2, 0.5, 0.0));
        let oracle = of(&[(1.0, 1.0), (0.0, 0.0)]);
        assert!(oracle.loss < 1e-5);
        assert_eq!((oracle.accuracy, oracle.correlation), (1.0, 1.0));
        let wrong = of(&[(0.0, 1.0)]);
        assert!(wrong.loss < 20.0, "finite");
        assert_eq!(of(&[]), Quality::default());
    }

    #[test]
    fn the_model_behind_the_results_is_calibrated() {
        let positions = sampled(20_000);
        let positions: Vec<&TrainingPosition> = positions.iter().collect();
        let report = report(WinProbability::learned(), &positions);
        assert_eq!(report.calibration.len(), BINS);
        for bin in &report.calibration {
            assert!((bin.predicted - bin.won).abs() < 0.05, "{bin:?}");
        }
        let views: usize = report.calibration.iter().map(|bin| bin.positions).sum();
        assert_eq!(views, 2 * positions.len());
        let loss = |name: &str| {
            let is_all = |found: &&JudgeQuality| found.from == 0 && found.judge == name;
            report.quality.iter().find(is_all).unwrap().quality.loss
        };
        assert!(loss("learned") < loss("stock alone") && loss("stock alone") < loss("a coin"));
        assert!((loss("a coin") - 2.0_f64.ln()).abs() < 1e-9);
        let text = report.to_string();
        assert!(text.contains("all           20000  a coin          0.693"), "{text}");
        assert_eq!(text.lines().last().unwrap().split_whitespace().count(), 3, "{text}");
    }
}
