use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::game::{Action, Cells, End, Fault, Packs, Placement, State, Verdict, judge_faults};

const OFFICIAL: &str = include_str!("../../../tests/data/official_20190510_1814.json");

/// How a game of a test ends.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Ending {
    /// The rules of play end the game.
    Played,
    /// A player's last answer ends the game at the given turn.
    Fault(usize, [Last; 2]),
    /// The file ends after the given turns.
    Cut(usize),
}

/// The last answer of a player.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Last {
    Fine,
    Nonsense,
    EarlySkill,
    Late,
}

/// A match in progress, with the expected records of its games.
struct Match {
    replay: Replay,
    packs: Vec<Packs>,
    games: Vec<Expected>,
    /// Whether a game ends in a way that also suggests wrong packs.
    doubtful: bool,
    /// Whether the last game was stopped; it may have ended before that.
    cut: bool,
}

/// A game as it was played.
#[derive(PartialEq, Debug)]
struct Expected {
    answers: Vec<[String; 2]>,
    think_us: Vec<[u64; 2]>,
    verdict: Verdict,
    end: Option<End>,
    faults: [Option<Fault>; 2],
    scores: [u64; 2],
}

impl Expected {
    fn of(record: &Record) -> Self {
        let result = &record.result;
        Self {
            answers: record.turns.iter().map(|turn| turn.answers.clone()).collect(),
            think_us: record.turns.iter().map(|turn| turn.think_us).collect(),
            verdict: result.verdict,
            end: result.end,
            faults: result.faults.clone().map(|fault| Some(fault?.fault)),
            scores: result.scores,
        }
    }
}

/// Plays a match at random, game by game.
fn play(seed: u64, endings: &[Ending]) -> Match {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut replay: Replay = Replay::parse(OFFICIAL.as_bytes()).unwrap();
    replay.all_battle = endings.len();
    replay.output0.truncate(1);
    replay.output1.truncate(1);
    replay.think_time0.clear();
    replay.think_time1.clear();
    let packs: Vec<_> = (seed..).take(endings.len()).map(Packs::from_seed).collect();
    let mut games = Vec::new();
    let (mut doubtful, mut cut) = (false, false);
    for (packs, &ending) in packs.iter().zip(endings) {
        let mut state = State::<Cells>::new();
        let (mut answers, mut think_us) = (Vec::new(), Vec::new());
        let mut used = [0; 2];
        let mut put = |[first, second]: [String; 2], times: [u64; 2]| {
            replay.output0.push(first);
            replay.output1.push(second);
            replay.think_time0.push(times[0]);
            replay.think_time1.push(times[1]);
        };
        let (verdict, end, faults) = loop {
            if let Some((end, verdict)) = state.end() {
                break (verdict, Some(end), [None, None]);
            }
            match ending {
                Ending::Fault(turn, lasts) if turn == state.turn => {
                    // The gauge may be full enough by then.
                    let lasts = [0, 1].map(|seat: usize| match lasts[seat] {
                        Last::EarlySkill if state.players[seat].gauge.allows_skill() => Last::Fine,
                        last => last,
                    });
                    let faults = lasts.map(|last| match last {
                        Last::Fine => None,
                        Last::Nonsense | Last::EarlySkill => Some(Fault::Invalid),
                        Last::Late => Some(Fault::OutOfTime),
                    });
                    if let Some(verdict) = judge_faults(faults, state.players.map(|p| p.score)) {
                        let answer = |last| match last {
                            Last::Fine => "0 0\n",
                            Last::Nonsense => "nine 0\n",
                            Last::EarlySkill => "S\n",
                            Last::Late => "",
                        };
                        let late = |seat: usize| match lasts[seat] {
                            Last::Late => 180_000_000_001 - used[seat],
                            _ => 0,
                        };
                        doubtful |= lasts.contains(&Last::EarlySkill);
                        doubtful |= lasts.contains(&Last::Late);
                        put(lasts.map(|last| answer(last).to_owned()), [late(0), late(1)]);
                        break (verdict, None, faults);
                    }
                }
                Ending::Cut(turn) if turn == state.turn => {
                    cut = true;
                    break (Verdict::Draw, None, [None, None]);
                }
                _ => {}
            }
            let actions = [0, 1].map(|seat: usize| {
                if state.players[seat].gauge.allows_skill() && rng.random_bool(0.5) {
                    return Action::Skill;
                }
                let index = rng.random_range(0..Placement::COUNT);
                Action::Drop(Placement::from_index(index).unwrap())
            });
            let texts = actions.map(|action| action.to_string());
            think_us.push([0; 2].map(|_| rng.random_range(0..300_000)));
            let times = think_us[think_us.len() - 1].map(|us| us * 1000);
            put(texts.clone().map(|text| text + "\n"), times);
            used = [0, 1].map(|seat| used[seat] + times[seat]);
            answers.push(texts);
            state = state.play(packs.get(state.turn).unwrap(), actions).unwrap().after;
        };
        let scores = state.players.map(|player| player.score);
        games.push(Expected { answers, think_us, verdict, end, faults, scores });
    }
    Match { replay, packs, games, doubtful, cut }
}

fn ending() -> impl Strategy<Value = Ending> {
    let last = prop_oneof![
        Just(Last::Fine),
        Just(Last::Nonsense),
        Just(Last::EarlySkill),
        Just(Last::Late)
    ];
    prop_oneof![
        Just(Ending::Played),
        (0..40usize, [last.clone(), last]).prop_map(|(turn, lasts)| Ending::Fault(turn, lasts)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// The file of a match becomes its games, for any endings.
    #[test]
    fn a_match_becomes_its_games(
        seed in 0..1u64 << 40,
        mut endings in prop::collection::vec(ending(), 1..4),
        cut in prop::option::of(1..30usize),
    ) {
        endings.extend(cut.map(Ending::Cut));
        let played = play(seed, &endings);
        let games = played.replay.games(&played.packs);
        if played.doubtful && played.cut {
            prop_assert!(matches!(games, Err(ReplayError::OtherPacks(_))));
            return Ok(());
        }
        let games = games.unwrap();
        prop_assert_eq!(games.iter().map(Expected::of).collect::<Vec<_>>(), played.games);
        prop_assert!(games.iter().all(|game| game.check().is_ok()));
        prop_assert_eq!(games.last().unwrap().is_cut_short(), played.cut);
    }
}

#[test]
fn the_official_clients_file_is_read() {
    let replay = Replay::parse(OFFICIAL.as_bytes()).unwrap();
    assert_eq!((replay.all_battle, replay.output1.len()), (5, 176));
    assert_eq!((&*replay.output1[0], &*replay.output1[1]), ("kera ", "6 1\n"));
    let newer = OFFICIAL.replacen('{', r#"{"weather":{"rain":[1,2]},"#, 1);
    assert_eq!(Replay::parse(newer.as_bytes()).unwrap(), replay);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.json");
    std::fs::write(&path, OFFICIAL).unwrap();
    assert_eq!(Replay::read(&path).unwrap(), replay);
    std::fs::write(&path, "{}").unwrap();
    let refused = Replay::read(&path).unwrap_err().to_string();
    assert!(
        refused.ends_with("not an official replay: line 1: missing field `allBattle`"),
        "{refused}"
    );
}

#[test]
fn packs_are_beside_their_match() {
    assert_eq!(packs_path(Path::new("a/b.json"), 1), Path::new("a/b.1.pack"));
    assert_eq!(packs_path(Path::new("match.of.two.json"), 2), Path::new("match.of.two.2.pack"));
    assert_eq!(packs_path(Path::new("b.v2"), 12), Path::new("b.v2.12.pack"));
}

#[test]
fn mismatched_lists_and_packs_are_refused() {
    let Match { replay, packs, games, .. } = play(2, &[Ending::Played; 3]);
    let refused = |replay: &Replay, packs: &[Packs]| replay.games(packs).unwrap_err().to_string();
    let changed = |change: fn(&mut Replay)| {
        let mut replay = replay.clone();
        change(&mut replay);
        refused(&replay, &packs)
    };
    assert_eq!(refused(&replay, &packs[..2]), "game 3 has answers, but no packs are given for it");
    assert_eq!(refused(&replay, &[]), "game 1 has answers, but no packs are given for it");
    let four = [&packs[..], &packs[..1]].concat();
    assert_eq!(refused(&replay, &four), "expected the packs of 3 games, found those of 4");
    assert_eq!(
        changed(|replay| replay.all_battle = 2),
        "expected the packs of 2 games, found those of 3"
    );
    assert_eq!(
        changed(|replay| replay.think_time1.truncate(replay.think_time1.len() - 1)),
        format!(
            "thinkTime1: expected {} times, one for each answer, found {}",
            replay.think_time1.len(),
            replay.think_time1.len() - 1
        )
    );
    assert_eq!(
        changed(|replay| replay.output0.clear()),
        "output0: expected the player's name and its answers, found 0"
    );
    let short = changed(|replay| {
        replay.output1.truncate(9);
        replay.think_time1.truncate(8);
    });
    assert!(short.starts_with("output1: expected ") && short.ends_with("found 8"), "{short}");

    // The second game was stopped: its packs are needed, the third one's are not.
    let mut cut = replay;
    let kept = games[0].answers.len() + 5;
    cut.output0.truncate(1 + kept);
    cut.think_time0.truncate(kept);
    cut.output1.truncate(kept);
    cut.think_time1.truncate(kept - 1);
    for given in [2, 3] {
        let records = cut.games(&packs[..given]).unwrap();
        assert_eq!(records.len(), 2);
        assert!(!records[0].is_cut_short() && records[1].is_cut_short());
        assert_eq!(records[1].turns.len(), 4, "a turn with one answer is left out");
    }
    cut.all_battle = 4;
    assert_eq!(refused(&cut, &packs), "expected the packs of 2 games, found those of 3");

    // The match was stopped after one answer of the second game.
    let whole = games[0].answers.len();
    cut.output0.truncate(1 + whole + 1);
    cut.think_time0.truncate(whole + 1);
    cut.output1.truncate(1 + whole);
    cut.think_time1.truncate(whole);
    for given in [1, 2, 4] {
        let packs: Vec<Packs> = packs.iter().cycle().take(given).cloned().collect();
        let records = cut.games(&packs).unwrap();
        assert_eq!(records.len(), 1, "{given} games have packs");
        assert!(!records[0].is_cut_short());
    }
    assert_eq!(refused(&cut, &packs), "expected the packs of 2 games, found those of 3");
    cut.all_battle = 1;
    assert!(refused(&cut, &packs[..1]).ends_with("answers are left for 1 turn"));
}

/// The client's file, whose packs are unknown, read with five other sets of packs a hundred times:
/// games last too long, until the skill comes too early or the time is over.
#[test]
fn packs_of_another_match_are_found_out() {
    let replay: Replay = Replay::parse(OFFICIAL.as_bytes()).unwrap();
    for seed in (0..500).step_by(5) {
        let packs: Vec<_> = (seed..).take(5).map(Packs::from_seed).collect();
        let refused = replay.games(&packs).unwrap_err();
        assert!(matches!(refused, ReplayError::OtherPacks(_)), "seed {seed}: {refused}");
    }
}
