//! Measures the sorts of `sort`: `cargo bench --bench sort` writes the map, and the next build uses it.

use std::hint::black_box;

use qtdec_example_general::sort::{Order, Sort};
use qtdec_measure::Benchmark;

fn main() -> Result<(), qtdec_measure::Error> {
    let lengths: Vec<u64> = (2..=16).step_by(2).map(|power| 1 << power).collect();
    let grid = Benchmark::new()
        .axis("len", lengths)
        .labels("order", ["random", "nearly", "ascending", "descending"]);
    // Each call sorts elements of its own.
    let benchmark = Sort::ALL.into_iter().fold(grid, |benchmark, (name, sort)| {
        benchmark.method_with_inputs(
            name,
            |point| Order::ALL[point["order"] as usize].elements(point["len"] as usize),
            move |elements| sort.sort(black_box(elements)),
        )
    });
    benchmark.write_on_bench("maps/sort.json")
}
