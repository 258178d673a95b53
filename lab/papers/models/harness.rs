//! Prints the nanoseconds of a decision of each of the forms below, the median of rounds in which all have their turn.

use std::hint::black_box;
use std::time::Instant;

const QUERIES: usize = 4096;
const ROUNDS: usize = 31;

fn main() {
    let queries = queries();
    let mut times = vec![Vec::new(); FORMS.len()];
    for round in 0..ROUNDS {
        for turn in 0..FORMS.len() {
            let form = (turn + round) % FORMS.len();
            let begin = Instant::now();
            for size in &queries {
                black_box(FORMS[form](black_box(size)));
            }
            times[form].push(begin.elapsed().as_nanos() as f64 / QUERIES as f64);
        }
    }
    for mut times in times {
        times.sort_by(f64::total_cmp);
        println!("{}", times[ROUNDS / 2]);
    }
}

/// Returns sizes whose logarithms are distributed evenly, the same in every run.
fn queries() -> Vec<Vec<u64>> {
    let mut state = 1993_u64;
    let mut share = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let size = |share: f64, (first, last): (u64, u64)| {
        let (first, last) = (first.max(1) as f64, last.max(1) as f64);
        (first * (last / first).powf(share)) as u64
    };
    (0..QUERIES).map(|_| ENDS.iter().map(|&ends| size(share(), ends)).collect()).collect()
}
