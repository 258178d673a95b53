//! A choice that has nothing to do with MPI: the fastest kernel for a matrix product depends on the sizes of the
//! matrices.
//!
//! The committed map was measured on one machine. `cargo bench --package qtdec-example-general --bench matmul` measures yours and
//! rewrites the map, which the next build uses. README.md explains how to measure candidates of your own.

use qtdec::decision_map;

/// The kernels, one for each method of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Rows of the left matrix against columns of the right one.
    Dot,
    /// Rows of the right matrix, scaled and added up.
    Axpy,
    /// As `Dot`, with the right matrix transposed first.
    Transposed,
}

/// Returns the fastest kernel for an `m` × 64 matrix times a 64 × `n` matrix.
#[decision_map("maps/matmul.json")]
pub const fn fastest(m: usize, n: usize) -> Kernel;

/// The length that both matrices share.
pub const K: usize = 64;

impl Kernel {
    /// All kernels with their names in the map.
    pub const ALL: [(&str, Self); 3] =
        [("dot", Self::Dot), ("axpy", Self::Axpy), ("transposed", Self::Transposed)];

    /// Multiplies an `m` × `K` matrix by a `K` × `n` matrix, all of them row-major.
    pub fn multiply(self, n: usize, left: &[f32], right: &[f32], product: &mut [f32]) {
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
pub fn operands(m: usize, n: usize) -> (Vec<f32>, Vec<f32>, Vec<f32>) {
    (vec![1.5; m * K], vec![0.5; K * n], vec![0.0; m * n])
}

/// Prints some decisions.
///
/// # Panics
///
/// Panics if a kernel does not multiply.
pub fn run() {
    for (m, n) in [(1, 1), (1, 200), (200, 1), (7, 7), (200, 200)] {
        let kernel = fastest(m, n);
        let (left, right, mut product) = operands(m, n);
        kernel.multiply(n, &left, &right, &mut product);
        assert!(product.iter().all(|entry| (entry - 48.0).abs() < 1e-3), "every kernel multiplies");
        println!("{m:>3} × 64 times 64 × {n:<3}: {kernel:?}");
    }
}
