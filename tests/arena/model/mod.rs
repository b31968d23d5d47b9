//! A model-based test of `tensai match`: random sequences of operations on the folders of matches.
//!
//! After each operation the folders agree with the model: no finished game is lost, no half-written
//! or untrusted file exists, no process of the match runs, each game is the game of an
//! undisturbed match, and exit codes and messages are right. No step depends on the machine's
//! speed: the bots wait for the test at a gate (see [`gate`]).
//!
//! The sequences follow from a fixed seed; `TENSAI_MODEL_CASES=500` runs more of them.

mod gate;
mod operation;
mod referee;
mod world;

use std::ops::RangeInclusive;

use proptest::collection::vec;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use operation::{Ending, Meanwhile, Operation};
use world::World;

/// Sequences that `cargo test` runs, and operations in each after its first match.
const CASES: u32 = 6;
const LENGTHS: RangeInclusive<usize> = 2..=5;

#[test]
fn random_operations_keep_every_finished_game() {
    let cases = std::env::var("TENSAI_MODEL_CASES").ok();
    let cases = cases.map_or(CASES, |cases| cases.parse().expect("a number of sequences"));
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(20_261_124),
        failure_persistence: None,
        // Shrinking a failing sequence may take some minutes.
        max_shrink_time: 60_000,
        ..Config::default()
    };
    let sequences = (Operation::first(), vec(Operation::any(), LENGTHS));
    let outcome = TestRunner::new(config).run(&sequences, |(first, others)| {
        run(&[vec![first], others].concat());
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

/// Runs each kind of operation at least once, because a random sequence may lack some.
#[test]
fn each_operation_keeps_every_finished_game() {
    let play = |folder, releases: &[usize], ending| Operation::Play {
        folder,
        resume: false,
        concurrency: 2,
        releases: releases.to_vec(),
        meanwhile: Meanwhile::Nothing,
        ending,
    };
    let resume = |folder, meanwhile, ending| Operation::Play {
        folder,
        resume: true,
        concurrency: 1,
        releases: vec![0],
        meanwhile,
        ending,
    };
    run(&[
        play(0, &[1], Ending::Interrupt),
        Operation::DiskFull { folder: 0, manifest: false },
        resume(0, Meanwhile::OtherFolder, Ending::KillSupervisor),
        Operation::Rename { folder: 0 },
        Operation::Delete { folder: 1 },
        Operation::Merge { from: vec![0], into: 1 },
    ]);
    run(&[
        play(2, &[], Ending::KillReferee),
        play(3, &[0], Ending::KillBot),
        resume(2, Meanwhile::Report, Ending::Terminate),
        Operation::Merge { from: vec![2, 3], into: 0 },
        Operation::DiskFull { folder: 0, manifest: true },
        play(0, &[0], Ending::KillRefereeInMidWrite),
        play(0, &[], Ending::Finish),
    ]);
}

/// Carries out a sequence; a failure shows the steps.
#[expect(clippy::print_stderr)]
fn run(sequence: &[Operation]) {
    let mut world = World::new();
    for (step, operation) in sequence.iter().enumerate() {
        eprintln!("step {step}: {operation:?}");
        world.carry_out(operation);
        world.check();
    }
}
