//! lab
use rand::SeedableRng;
use std::time::{Duration, Instant};
use tensai::{board::*, game::*, search::*};
fn main() {
    let secs: f64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let n: u64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let depth = 16;
    let mut sum = vec![0.0; depth];
    for seed in 0..n {
        let packs = Packs::generate(&mut rand::rngs::SmallRng::seed_from_u64(seed));
        let q = beam::Question {
            field: BitBoard::<Avx2>::from_cells(&Cells::EMPTY),
            packs: packs.from_turn(0),
            rain: Rain::NONE,
            depth,
            positions: 2..=6,
        };
        let b = Budget::new(u64::MAX, Some(Instant::now() + Duration::from_secs_f64(secs)));
        let a = beam::search(&q, &b);
        let mut best = 0;
        let line: Vec<String> = a
            .strikes
            .iter()
            .enumerate()
            .map(|(i, s)| {
                let c = s.as_ref().map_or(0, |s| s.chain.0);
                best = best.max(c);
                sum[i] += best as f64;
                format!("{c}")
            })
            .collect();
        println!("{} width {} spent {}M", line.join(" "), a.width, b.spent() / 1_000_000);
    }
    println!(
        "{}",
        sum.iter().map(|s| format!("{:.1}", s / n as f64)).collect::<Vec<_>>().join(" ")
    );
}
