//! The sequential probability ratio test: a match continues until the test accepts a hypothesis.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Elo, PairTally, Tally};
use crate::util::sanitize::quoted;
use crate::util::suggestion::{closest, hint, separator};

#[cfg(test)]
mod tests;

/// A test of H0, "the difference in strength is `elo0`", against H1, "it is `elo1`".
///
/// After each game, the test compares the log-likelihood ratio of H1 and H0 with two bounds (Wald
/// 1945, *Sequential tests of statistical hypotheses*). The frequency of draws is not known
/// beforehand, hence the generalised test: for each hypothesis, the probabilities of a win, a draw
/// and a loss are those that make the games most likely. Fishtest does the same, following Van den
/// Bergh's notes (<https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>, Proposition 1.1).
/// The test also takes pairs of games ([`llr_of_pairs`](Self::llr_of_pairs)).
///
/// The text form, which [`from_words`](Self::from_words) also reads:
/// `elo0=0 elo1=10 alpha=0.05 beta=0.05`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "Unchecked")]
pub struct Sprt {
    elo0: Elo,
    elo1: Elo,
    alpha: f64,
    beta: f64,
}

/// A hypothesis of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Hypothesis {
    /// The difference is `elo0` rather than `elo1`.
    H0,
    /// The difference is `elo1` rather than `elo0`.
    H1,
}

/// The count used for a result that has not occurred, as in fishtest: a probability of 0 would
/// exclude hypotheses permanently.
const UNSEEN: f64 = 1e-3;

/// The greatest absolute difference that can be tested, in Elo points: odds of 316 to one. Far
/// beyond it, both hypotheses have the same expected score in floating point.
const FARTHEST: f64 = 1000.0;

/// Bisection steps of the search for a tilt: the range is a few hundred wide at most, and smaller
/// than the precision of 1 in the end.
const HALVINGS: u32 = 64;

/// The keys of a test's values.
const KEYS: [&str; 4] = ["elo0", "elo1", "alpha", "beta"];

impl Sprt {
    /// Creates a test of `elo1` against `elo0`, both from -1000 to 1000. `alpha` is the probability
    /// of accepting H1 if H0 is true, and `beta` that of accepting H0 if H1 is true.
    ///
    /// # Errors
    /// `elo1` is not above `elo0`, or a value is out of range. The message names the value.
    pub fn new(elo0: Elo, elo1: Elo, alpha: f64, beta: f64) -> Result<Self, String> {
        for (name, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-FARTHEST..=FARTHEST).contains(&elo.0) {
                let range = format!("from -{FARTHEST} to {FARTHEST}");
                // `Debug` writes 1e308 with its exponent, `Display` with 309 digits.
                return Err(format!("{name}: expected a number {range}, found {:?}", elo.0));
            }
        }
        if elo0 >= elo1 {
            let found = format!("elo0={} elo1={}", elo0.0, elo1.0);
            return Err(format!("elo1: expected a number above elo0, found {found}"));
        }
        for (name, chance) in [("alpha", alpha), ("beta", beta)] {
            if !(chance > 0.0 && chance < 0.5) {
                let range = "above 0 and below 0.5";
                return Err(format!("{name}: expected a chance {range}, found {chance:?}"));
            }
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }

    /// Reads a test from words such as `elo1=20`, in any order. Missing values have their defaults.
    ///
    /// # Errors
    /// A word is unknown or occurs twice, or [`new`](Self::new) fails. The message names the cause.
    pub fn from_words(words: &[String]) -> Result<Self, String> {
        let Self { elo0, elo1, alpha, beta } = Self::default();
        let mut values = [elo0.0, elo1.0, alpha, beta];
        let mut given = [false; KEYS.len()];
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let Some(index) = KEYS.iter().position(|&known| known == key) else {
                let expected = "expected `elo0=`, `elo1=`, `alpha=` or `beta=`";
                return Err(format!(
                    "{expected}, found {}{}",
                    quoted(word),
                    hint(closest(key, KEYS))
                ));
            };
            if std::mem::replace(&mut given[index], true) {
                return Err(format!("{key}: expected once, found again in {}", quoted(word)));
            }
            let number = value.parse();
            values[index] = number.map_err(|_| {
                let hint = separator(word, KEYS);
                format!("{key}: expected `{key}=NUMBER`, found {}{hint}", quoted(word))
            })?;
        }
        let [elo0, elo1, alpha, beta] = values;
        Self::new(Elo(elo0), Elo(elo1), alpha, beta)
    }

    /// Returns the log-likelihood ratio of H1 and H0. A value above 0 favours H1.
    pub fn llr(&self, tally: Tally) -> f64 {
        if tally.games() == 0 {
            return 0.0;
        }
        let counts = [tally.losses, tally.draws, tally.wins];
        let counts = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let [chances0, chances1] =
            [self.elo0, self.elo1].map(|elo| likeliest(counts, elo.expected_score()));
        (0..3).map(|result| counts[result] * (chances1[result] / chances0[result]).ln()).sum()
    }

    /// Returns the log-likelihood ratio of H1 and H0 by pairs of games. [`PairTally`] gives each
    /// hypothesis a likelihood without further unknowns, so that the test is Wald's own.
    pub fn llr_of_pairs(&self, pairs: PairTally) -> f64 {
        pairs.log_likelihood(self.elo1) - pairs.log_likelihood(self.elo0)
    }

    /// Returns the log-likelihood ratios at which H0 (below 0) and H1 (above 0) are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = self.beta / (1.0 - self.alpha);
        let upper = (1.0 - self.beta) / self.alpha;
        (lower.ln(), upper.ln())
    }

    /// Returns the hypothesis that is accepted at the log-likelihood ratio `llr`; `None` if more games
    /// are needed.
    pub fn accepted(&self, llr: f64) -> Option<Hypothesis> {
        let (lower, upper) = self.bounds();
        if llr <= lower { Some(Hypothesis::H0) } else { (llr >= upper).then_some(Hypothesis::H1) }
    }
}

/// Returns the probabilities of a loss, a draw and a win under which `counts` is most likely, among
/// those with the expected score `score`.
///
/// With a Lagrange multiplier for the score, each probability is the share of its result in all
/// games divided by 1 + tilt x (points - score). The tilt is chosen so that the expected score is
/// `score`. The surplus of points decreases monotonically between the tilts at which a probability
/// becomes infinite, so bisection finds it.
fn likeliest(counts: [f64; 3], score: f64) -> [f64; 3] {
    let surplus = [0.0, 0.5, 1.0].map(|points| points - score);
    let games: f64 = counts.iter().sum();
    let chances =
        |tilt: f64| [0, 1, 2].map(|result| counts[result] / games / (1.0 + tilt * surplus[result]));
    let (mut low, mut high) = (-1.0 / surplus[2], -1.0 / surplus[0]);
    for _ in 0..HALVINGS {
        let tilt = f64::midpoint(low, high);
        let expected = chances(tilt).into_iter().zip(surplus);
        let above: f64 = expected.map(|(chance, surplus)| chance * surplus).sum();
        if above > 0.0 { low = tilt } else { high = tilt }
    }
    chances(f64::midpoint(low, high))
}

impl Default for Sprt {
    /// `elo0=0 elo1=10 alpha=0.05 beta=0.05`.
    fn default() -> Self {
        Self { elo0: Elo(0.0), elo1: Elo(10.0), alpha: 0.05, beta: 0.05 }
    }
}

impl fmt::Display for Sprt {
    /// Writes the words that [`from_words`](Sprt::from_words) reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0: Elo(elo0), elo1: Elo(elo1), alpha, beta } = self;
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}")
    }
}

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Self::from_words(&words)
    }
}

/// A test as deserialised, before its values are checked.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Unchecked {
    elo0: Elo,
    elo1: Elo,
    alpha: f64,
    beta: f64,
}

impl TryFrom<Unchecked> for Sprt {
    type Error = String;

    fn try_from(Unchecked { elo0, elo1, alpha, beta }: Unchecked) -> Result<Self, String> {
        Self::new(elo0, elo1, alpha, beta)
    }
}
