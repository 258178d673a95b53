//! Measures the kernels of `matmul`: `cargo bench --bench matmul` writes the map, and the next build uses it.

use std::hint::black_box;

use qtdec_example_general::matmul::{Kernel, operands};
use qtdec_measure::Benchmark;

fn main() -> Result<(), qtdec_measure::Error> {
    let sizes: Vec<u64> = (0..9).map(|power| 1 << power).collect();
    let grid = Benchmark::new().axis("m", sizes.clone()).axis("n", sizes);
    let benchmark = Kernel::ALL.into_iter().fold(grid, |benchmark, (name, kernel)| {
        benchmark.method(name, move |point| {
            let (m, n) = (point["m"] as usize, point["n"] as usize);
            let (left, right, mut product) = operands(m, n);
            move || kernel.multiply(n, black_box(&left), black_box(&right), black_box(&mut product))
        })
    });
    benchmark.write_on_bench("maps/matmul.json")
}
