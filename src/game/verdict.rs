//! Decides the result of a game.

use serde::{Deserialize, Serialize};

use super::{Seat, TURNS};

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// This player has won.
    Win(Seat),
    /// No player has won.
    Draw,
}

impl Verdict {
    /// The score of a game for the player of `seat`: 1 for a win, 0.5 for a draw, or 0.
    pub fn score(self, seat: Seat) -> f64 {
        match self {
            Self::Win(winner) => f64::from(u8::from(winner == seat)),
            Self::Draw => 0.5,
        }
    }
}

/// How the rules of play, or the referee, end a game; a [`Fault`] ends it too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// At the end of a turn, one or both players had a block above row 16.
    DangerLine,
    /// All [`TURNS`] turns were played.
    LastTurn,
    /// The referee ended the game because one player was proven to lose; not a rule of play.
    Adjudication,
}

/// An error of a bot that ends a game before a turn is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// No answer in time.
    OutOfTime,
    /// The answer is no action, or is the skill with too low a gauge.
    Invalid,
    /// No answer will come: the bot has ended or closed its output. The rules have no name for this
    /// fault; it counts as an invalid answer.
    Crash,
    /// No name: the bot could not be started, or did not give its name in time. It counts as an
    /// invalid answer too.
    NoStart,
}

impl Fault {
    /// The name in lists: `out of time`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OutOfTime => "out of time",
            Self::Invalid => "invalid answer",
            Self::Crash => "crash",
            Self::NoStart => "no start",
        }
    }
}

impl End {
    /// The name in lists: `danger line`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DangerLine => "danger line",
            Self::LastTurn => "last turn",
            Self::Adjudication => "adjudication",
        }
    }
}

/// Judges the state after `turns` turns, by the players past the danger line (`over`) and the
/// scores; `None` if the game goes on.
pub fn judge(turns: usize, over: [bool; 2], scores: [u64; 2]) -> Option<(End, Verdict)> {
    match over {
        [false, false] if turns < TURNS => None,
        [false, false] => Some((End::LastTurn, judge_scores(scores))),
        [true, true] => Some((End::DangerLine, judge_scores(scores))),
        [false, true] => Some((End::DangerLine, Verdict::Win(Seat::First))),
        [true, false] => Some((End::DangerLine, Verdict::Win(Seat::Second))),
    }
}

/// Judges the faults of a turn; `None` if there is no fault.
pub fn judge_faults(faults: [Option<Fault>; 2], scores: [u64; 2]) -> Option<Verdict> {
    match faults {
        [None, None] => None,
        [None, Some(_)] => Some(Verdict::Win(Seat::First)),
        [Some(_), None] => Some(Verdict::Win(Seat::Second)),
        [Some(Fault::OutOfTime), Some(Fault::OutOfTime)] => Some(judge_scores(scores)),
        [Some(_), Some(_)] => Some(Verdict::Draw),
    }
}

/// Judges by the scores: the higher one wins, equal scores draw.
pub const fn judge_scores(scores: [u64; 2]) -> Verdict {
    let [first, second] = scores;
    if first > second {
        Verdict::Win(Seat::First)
    } else if second > first {
        Verdict::Win(Seat::Second)
    } else {
        Verdict::Draw
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simultaneous_ends_are_decided_by_score() {
        let first = Verdict::Win(Seat::First);
        assert_eq!(judge(9, [true, true], [2, 1]), Some((End::DangerLine, first)));
        assert_eq!(judge(9, [true, true], [1, 1]), Some((End::DangerLine, Verdict::Draw)));
        assert_eq!(judge(9, [false, true], [0, 9]), Some((End::DangerLine, first)));
        assert_eq!(judge(499, [false, false], [1, 1]), None);
        assert_eq!(judge(500, [false, false], [2, 1]), Some((End::LastTurn, first)));
        assert_eq!(judge(500, [true, false], [2, 1]).unwrap().1, Verdict::Win(Seat::Second));
    }

    #[test]
    fn two_faults_draw_unless_both_are_out_of_time() {
        use Fault::{Crash, Invalid, NoStart, OutOfTime};
        let judge = |first, second| judge_faults([first, second], [1, 2]);
        assert_eq!(judge(None, None), None);
        assert_eq!(judge(Some(Invalid), None), Some(Verdict::Win(Seat::Second)));
        assert_eq!(judge(None, Some(OutOfTime)), Some(Verdict::Win(Seat::First)));
        assert_eq!(judge(Some(OutOfTime), Some(OutOfTime)), Some(Verdict::Win(Seat::Second)));
        assert_eq!(judge(Some(Invalid), Some(Invalid)), Some(Verdict::Draw));
        assert_eq!(judge(Some(Invalid), Some(OutOfTime)), Some(Verdict::Draw));
        assert_eq!(judge(Some(Crash), Some(OutOfTime)), Some(Verdict::Draw));
        assert_eq!(judge(Some(NoStart), None), Some(Verdict::Win(Seat::Second)));
    }
}
