//! A choice among matrix kernels of tract, also at sizes that were not measured.

use qtdec::decision_map;

/// The kernels, each named by its instructions and its tile.
#[decision_map("maps/intel_avx512_mmv.json")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {}

/// Returns the kernel for the product of an m × k matrix and a vector, which has one column.
#[decision_map("maps/intel_avx512_mmv.json", n = 1)]
const fn kernel(m: usize, k: usize) -> Kernel;

fn main() {
    println!("matrix × vector: the kernel");
    for (m, k) in
        [(1, 8), (16, 100), (40, 1000), (65, 100), (100, 100), (128, 2048), (1000, 300), (5000, 5000)]
    {
        println!("{m:>5} × {k:<5} {:?}", kernel(m, k));
    }
}
