//! Measures the numbers of threads of `threads`: `cargo bench --bench threads` writes the map, and the next build uses it.

use std::hint::black_box;

use qtdec_example_general::threads::Threads;
use qtdec_measure::Benchmark;

fn main() -> Result<(), qtdec_measure::Error> {
    let lengths: Vec<u64> = (8..=20).step_by(2).map(|power| 1 << power).collect();
    let grid = Benchmark::new().axis("len", lengths).axis("rounds", [1, 4, 16, 64]);
    let benchmark = Threads::ALL.into_iter().fold(grid, |benchmark, (name, threads)| {
        benchmark.method(name, move |point| {
            let (mut elements, rounds) = (vec![1; point["len"] as usize], point["rounds"] as u32);
            move || threads.scramble(black_box(&mut elements), rounds)
        })
    });
    benchmark.write_on_bench("maps/threads.json")
}
