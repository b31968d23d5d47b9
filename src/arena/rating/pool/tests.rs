//! Rates random games, two players, and extreme results.

use proptest::collection::vec;
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::arena::rating::Elo;

fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
    Tally { wins, draws, losses }
}

fn anchors(anchors: &[(&str, f64)]) -> Vec<(String, f64)> {
    anchors.iter().map(|&(name, rating)| (name.to_owned(), rating)).collect()
}

fn find<'a>(list: &'a [Rated], name: &str) -> &'a Rated {
    list.iter().find(|rated| rated.name == name).unwrap()
}

/// Plays a random tournament of players with known ratings, with `games` games for each pair.
fn tournament(players: &[(&str, f64)], games: u32, rng: &mut Xoshiro256PlusPlus) -> Pool {
    let mut pool = Pool::default();
    for (index, &(a, strength)) in players.iter().enumerate() {
        for &(b, other) in &players[index + 1..] {
            let expected = Elo(strength - other).expected_score();
            for _ in 0..games {
                let won = u64::from(rng.random::<f64>() < expected);
                pool.add(a, b, tally(won, 0, 1 - won));
            }
        }
    }
    pool
}

const PLAYERS: [(&str, f64); 4] = [("a", 150.0), ("b", 40.0), ("c", -10.0), ("d", -180.0)];

#[test]
fn known_ratings_are_found() {
    let pool = tournament(&PLAYERS, 20_000, &mut Xoshiro256PlusPlus::seed_from_u64(1));
    let list = pool.ratings(&[]).unwrap();
    assert!(list.iter().map(|rated| rated.name.as_str()).eq(["a", "b", "c", "d"]));
    for (rated, (_, rating)) in list.iter().zip(PLAYERS) {
        assert!((rated.rating - rating).abs() < 5.0, "{rated:?}, not {rating}");
        assert_eq!(rated.tally.games(), 60_000);
    }
}

#[test]
fn errors_cover_95_percent_of_the_true_ratings() {
    const POOLS: u32 = 500;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let (mut free, mut anchored) = (0, 0);
    for _ in 0..POOLS {
        let pool = tournament(&PLAYERS, 100, &mut rng);
        let within = |list: &[Rated]| {
            let held = PLAYERS.iter().filter(|&&(name, rating)| {
                let rated = find(list, name);
                (rated.rating - rating).abs() < rated.error
            });
            held.count() as u32
        };
        free += within(&pool.ratings(&[]).unwrap());
        anchored += within(&pool.ratings(&anchors(&[("b", 40.0)])).unwrap());
    }
    let [free, anchored] =
        [(free, 4), (anchored, 3)].map(|(held, of)| f64::from(held) / f64::from(of * POOLS));
    assert!((0.935..0.965).contains(&free), "{free}");
    assert!((0.935..0.965).contains(&anchored), "{anchored}");
}

#[test]
fn two_players_are_rated_by_their_score() {
    let mut pool = Pool::default();
    pool.add("new", "old", tally(60, 20, 20));
    // With the added draw: 70.5 of 101.
    let score = 70.5 / 101.0;
    let difference = Elo::from_score(score).0;
    let error = SPREAD_95 * POINTS / (101.0 * score * (1.0 - score)).sqrt();
    let list = pool.ratings(&[]).unwrap();
    for (rated, sign) in list.iter().zip([1.0, -1.0]) {
        assert!((rated.rating - sign * difference / 2.0).abs() < 1e-6, "{rated:?}");
        assert!((rated.error - error / 2.0).abs() < 1e-6, "{rated:?}");
    }
    assert_eq!((list[0].name.as_str(), list[0].tally), ("new", tally(60, 20, 20)));
    assert_eq!((list[1].name.as_str(), list[1].tally), ("old", tally(20, 20, 60)));
    let list = pool.ratings(&anchors(&[("old", 1500.0)])).unwrap();
    assert!((list[0].rating - 1500.0 - difference).abs() < 1e-6);
    assert!((list[0].error - error).abs() < 1e-6);
    assert_eq!((list[1].rating, list[1].error), (1500.0, 0.0));
}

#[test]
fn the_documented_differences_are_right() {
    let difference = |wins, losses| {
        let mut pool = Pool::default();
        pool.add("a", "b", tally(wins, 0, losses));
        let list = pool.ratings(&[]).unwrap();
        (list[0].rating - list[1].rating).round()
    };
    assert_eq!((difference(10, 0), difference(75, 25)), (529.0, 189.0));
}

#[test]
fn anchors_shift_the_list() {
    let pool = tournament(&PLAYERS, 200, &mut Xoshiro256PlusPlus::seed_from_u64(3));
    let (free, shifted) =
        (pool.ratings(&[]).unwrap(), pool.ratings(&anchors(&[("c", 1000.0)])).unwrap());
    let shift = 1000.0 - find(&free, "c").rating;
    for (free, shifted) in free.iter().zip(&shifted) {
        assert_eq!(free.name, shifted.name);
        assert!((free.rating + shift - shifted.rating).abs() < 1e-6);
    }
    // If all players but one are anchored, the last rating follows from its own games alone.
    let three = [("a", 500.0), ("b", 500.0), ("c", 500.0)];
    let list = pool.ratings(&anchors(&three)).unwrap();
    let last = find(&list, "d");
    let score = (last.tally.points() + 1.5) / (last.tally.games() as f64 + 3.0);
    assert!((last.rating - 500.0 - Elo::from_score(score).0).abs() < 1e-6);
    let all = [three[0], three[1], three[2], ("d", 500.0)];
    let list = pool.ratings(&anchors(&all)).unwrap();
    assert!(list.iter().all(|rated| (rated.rating, rated.error) == (500.0, 0.0)));
}

#[test]
fn extreme_results_give_finite_ratings() {
    let mut pool = Pool::default();
    for (a, b) in [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")] {
        pool.add(a, b, tally(1_000_000_000, 0, 0));
    }
    let far = anchors(&[("a", 10_000.0), ("c", -10_000.0)]);
    for anchors in [&[][..], &far, &far[..1]] {
        let list = pool.ratings(anchors).unwrap();
        assert!(list.iter().map(|rated| rated.name.as_str()).eq(["a", "b", "c", "d"]));
        assert!(list.iter().all(|rated| rated.rating.is_finite() && rated.error.is_finite()));
    }
}

/// Games against anchors that are very far away carry almost no information; other games carry
/// much.
#[test]
fn players_between_far_anchors_are_rated() {
    let mut pool = Pool::default();
    pool.add("high", "middle", tally(1, 0, 0));
    pool.add("middle", "low", tally(1, 0, 0));
    pool.add("middle", "friend", tally(1, 0, 1));
    let list = pool.ratings(&anchors(&[("high", 10_000.0), ("low", -10_000.0)])).unwrap();
    let [middle, friend] = ["middle", "friend"].map(|name| find(&list, name));
    assert!((middle.rating - friend.rating).abs() < 1e-3, "{list:?}");
    assert!(list.iter().all(|rated| rated.rating.is_finite() && rated.error.is_finite()));
}

#[test]
fn invalid_pools_are_refused() {
    let mut pool = Pool::default();
    let refused =
        |pool: &Pool, given: &[(&str, f64)]| pool.ratings(&anchors(given)).unwrap_err().to_string();
    pool.add("tensai", "tensai", tally(3, 0, 0));
    pool.add("tensai", "random", tally(0, 0, 0));
    assert_eq!(refused(&pool, &[]), "nothing to rate: no two players have met");
    pool.add("tensai", "random", tally(3, 1, 0));
    let nobody = "anchor `tensia`: nobody of that name has played; did you mean `tensai`?";
    assert_eq!(refused(&pool, &[("tensia", 0.0)]), nobody);
    assert_eq!(refused(&pool, &[("x", 0.0)]), "anchor `x`: nobody of that name has played");
    let twice = "anchor `random`: expected one rating, found another";
    assert_eq!(refused(&pool, &[("random", 0.0), ("random", 1.0)]), twice);
    let range = "anchor `random`: expected a rating from -10000 to 10000, found";
    assert_eq!(refused(&pool, &[("random", f64::NAN)]), format!("{range} NaN"));
    assert_eq!(refused(&pool, &[("random", 1e5)]), format!("{range} 100000"));

    pool.add("other", "another", tally(1, 0, 1));
    let separate = "the ratings of `another` and `random` cannot be compared: no games connect \
                    them; let them play, or anchor one player of each group";
    assert_eq!(refused(&pool, &[]), separate);
    assert_eq!(refused(&pool, &[("tensai", 0.0)]), separate);
    let list = pool.ratings(&anchors(&[("tensai", 0.0), ("other", 50.0)])).unwrap();
    assert!((find(&list, "another").rating - 50.0).abs() < 1e-6);
    pool.add("other", "tensai", tally(1, 0, 1));
    assert!(pool.ratings(&[]).is_ok());
}

/// Games of up to six players, in which each player has met the previous one.
fn games() -> impl Strategy<Value = Vec<(usize, usize, Tally)>> {
    let tally = (0..60u64, 0..60u64, 0..60u64).prop_map(|(w, d, l)| tally(w, d, l));
    let some = vec((0..6usize, 0..6usize, tally), 1..30);
    some.prop_map(|mut games| {
        games.extend(
            (1..6).map(|player| (player - 1, player, Tally { wins: 1, ..Tally::default() })),
        );
        games
    })
}

fn pool_of(games: &[(usize, usize, Tally)]) -> Pool {
    let mut pool = Pool::default();
    for &(a, b, tally) in games {
        pool.add(&a.to_string(), &b.to_string(), tally);
    }
    pool
}

proptest! {
    #[test]
    fn the_order_of_games_has_no_effect(games in games().prop_shuffle(), turned in any::<u32>()) {
        let mut sorted = games.clone();
        sorted.sort_by_key(|&(a, b, tally)| (a, b, tally.wins));
        for (index, (a, b, tally)) in sorted.iter_mut().enumerate() {
            if turned >> (index % 32) & 1 == 1 {
                (*a, *b, *tally) = (*b, *a, tally.reversed());
            }
        }
        prop_assert_eq!(pool_of(&games).ratings(&[]), pool_of(&sorted).ratings(&[]));
    }

    /// At the maximum, the score of every player without an anchor equals its expected score.
    #[test]
    fn the_likeliest_ratings_have_the_expected_score(
        games in games(),
        anchor in -500.0..500.0_f64,
        far in any::<bool>(),
    ) {
        let mut given = vec![("0".to_owned(), anchor)];
        if far {
            given.push(("5".to_owned(), -anchor));
        }
        for anchors in [&[][..], &given] {
            let pool = pool_of(&games);
            let list = pool.ratings(anchors).unwrap();
            let mut surplus: BTreeMap<&str, f64> = BTreeMap::new();
            for ((a, b), tally) in &pool.pairs {
                let difference = Elo(find(&list, a).rating - find(&list, b).rating);
                let expected = difference.expected_score() * (tally.games() + 1) as f64;
                *surplus.entry(a).or_default() += tally.points() + 0.5 - expected;
                *surplus.entry(b).or_default() -= tally.points() + 0.5 - expected;
            }
            surplus.retain(|name, _| anchors.iter().all(|(anchor, _)| anchor != name));
            prop_assert!(surplus.values().all(|surplus| surplus.abs() < 1e-6), "{:?}", surplus);
            let mean = list.iter().map(|rated| rated.rating).sum::<f64>() / list.len() as f64;
            prop_assert!(!anchors.is_empty() || mean.abs() < 1e-6);
        }
    }
}
