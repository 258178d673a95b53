//! A choice that has nothing to do with MPI: the fastest kernel for a matrix product depends on the sizes of the
//! matrices.
//!
//! The committed map was measured on one machine. `cargo bench --package qtdec-example-general --bench matmul` measures yours and
//! rewrites the map, which the next build uses. README.md explains how to measure candidates of your own.

use std::hint::black_box;

use qtdec::decision_map;
use qtdec_time::Benchmark;

use crate::compare;

/// The kernels, one for each method of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    /// Rows of the left matrix against columns of the right one.
    Dot,
    /// Rows of the right matrix, scaled and added up.
    Axpy,
    /// As `Dot`, with the right matrix transposed first.
    Transposed,
}

/// Returns the fastest kernel for an `m` × 64 matrix times a 64 × `n` matrix.
#[decision_map("maps/matmul.json", borders = "geometric")]
const fn fastest(m: usize, n: usize) -> Kernel;

/// The length that both matrices share.
const K: usize = 64;

impl Kernel {
    const ALL: [(&str, Self); 3] =
        [("dot", Self::Dot), ("axpy", Self::Axpy), ("transposed", Self::Transposed)];

    /// Multiplies an `m` × `K` matrix by a `K` × `n` matrix, all of them row-major.
    fn multiply(self, n: usize, left: &[f32], right: &[f32], product: &mut [f32]) {
        let rows = product.chunks_exact_mut(n).zip(left.chunks_exact(K));
        match self {
            Self::Dot => {
                for (sums, row) in rows {
                    for (column, sum) in sums.iter_mut().enumerate() {
                        *sum = row.iter().zip(right.chunks_exact(n)).map(|(l, r)| l * r[column]).sum();
                    }
                }
            }
            Self::Axpy => {
                for (sums, row) in rows {
                    sums.fill(0.0);
                    for (l, scaled) in row.iter().zip(right.chunks_exact(n)) {
                        sums.iter_mut().zip(scaled).for_each(|(sum, r)| *sum += l * r);
                    }
                }
            }
            Self::Transposed => {
                let turned: Vec<f32> =
                    (0..n).flat_map(|column| (0..K).map(move |row| right[row * n + column])).collect();
                for (sums, row) in rows {
                    for (sum, column) in sums.iter_mut().zip(turned.chunks_exact(K)) {
                        // Eight sums side by side, as wide as the machine adds.
                        let mut lanes = [0.0; 8];
                        for (l, r) in row.chunks_exact(8).zip(column.chunks_exact(8)) {
                            lanes.iter_mut().zip(l.iter().zip(r)).for_each(|(lane, (l, r))| *lane += l * r);
                        }
                        *sum = lanes.iter().sum();
                    }
                }
            }
        }
    }
}

/// Returns two matrices, and room for their product, each of whose entries is 48.
fn operands(m: usize, n: usize) -> (Vec<f32>, Vec<f32>, Vec<f32>) {
    (vec![1.5; m * K], vec![0.5; K * n], vec![0.0; m * n])
}

/// Returns the benchmark of every kernel at every point.
pub fn benchmark() -> Benchmark<'static> {
    let sizes: Vec<u64> = (0..9).map(|power| 1 << power).collect();
    let grid = Benchmark::new().axis("m", sizes.clone()).axis("n", sizes);
    Kernel::ALL.into_iter().fold(grid, |benchmark, (name, kernel)| {
        benchmark.method(name, move |point| {
            let (m, n) = (point["m"] as usize, point["n"] as usize);
            let (left, right, mut product) = operands(m, n);
            move || kernel.multiply(n, black_box(&left), black_box(&right), black_box(&mut product))
        })
    })
}

/// Prints some decisions and what all of them gain.
///
/// # Errors
///
/// Returns an error if the map cannot be read.
///
/// # Panics
///
/// Panics if a kernel does not multiply.
pub fn run() -> Result<(), Box<dyn std::error::Error>> {
    for (m, n) in [(1, 1), (1, 200), (200, 1), (7, 7), (200, 200)] {
        let kernel = fastest(m, n);
        let (left, right, mut product) = operands(m, n);
        kernel.multiply(n, &left, &right, &mut product);
        assert!(product.iter().all(|entry| (entry - 48.0).abs() < 1e-3), "every kernel multiplies");
        println!("{m:>3} × 64 times 64 × {n:<3}: {kernel:?}");
    }
    compare(include_bytes!("../maps/matmul.json"), |point| {
        let chosen = fastest(point[0] as usize, point[1] as usize);
        Kernel::ALL.iter().position(|(_, kernel)| *kernel == chosen).expect("ALL has all")
    })
}
