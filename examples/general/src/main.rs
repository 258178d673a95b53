//! Nothing to do with MPI: which kernel multiplies two matrices fastest depends on their sizes.
//!
//! The map that is committed was measured on one machine. `cargo run --release --package qtdec-example-general -- --measure`
//! measures yours and writes the map anew; the next build decides by it. README.md says how to measure what else there is.

use std::hint::black_box;
use std::time::Instant;

use qtdec::decision_map;
use qtdec_core::{Axis, DecisionMap, Document, Method, MethodIndex, Problems};

const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/maps/matmul.json");

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

/// The fastest kernel for an `m` × 64 matrix times a 64 × `n` matrix.
#[decision_map("maps/matmul.json", borders = "geometric")]
const fn fastest(m: usize, n: usize) -> Kernel;

/// What somebody would write who has tried a few sizes: of all rules with one threshold, the best one for the times of the map.
const fn by_hand(_m: usize, n: usize) -> Kernel {
    if n < 32 { Kernel::Transposed } else { Kernel::Axpy }
}

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

    /// The median time of one multiplication, in nanoseconds.
    fn time(self, m: usize, n: usize) -> f64 {
        let (left, right, mut product) = operands(m, n);
        let repeats = (1 << 22) / (m * n * K) + 1;
        let mut times: Vec<f64> = (0..9)
            .map(|_| {
                let start = Instant::now();
                for _ in 0..repeats {
                    self.multiply(n, black_box(&left), black_box(&right), black_box(&mut product));
                }
                start.elapsed().as_nanos() as f64 / repeats as f64
            })
            .collect();
        times.sort_by(f64::total_cmp);
        times[4]
    }
}

/// Two matrices and room for their product, each of whose entries is 48.
fn operands(m: usize, n: usize) -> (Vec<f32>, Vec<f32>, Vec<f32>) {
    (vec![1.5; m * K], vec![0.5; K * n], vec![0.0; m * n])
}

/// Times every kernel at every point; the fastest of each is the decision.
fn measure() -> Result<DecisionMap, Problems> {
    let sizes: Vec<u64> = (0..9).map(|power| 1 << power).collect();
    let axes = vec![Axis::new("m", sizes.clone()), Axis::new("n", sizes)];
    let methods = Kernel::ALL.map(|(name, _)| Method::new(name)).into();
    let map = DecisionMap::from_costs(axes, methods, |point, method| {
        let (_, kernel) = Kernel::ALL[method.get()];
        kernel.time(point[0] as usize, point[1] as usize)
    })?;
    let mut costs = map.costs().expect("it was made of them").clone();
    costs.unit = Some("ns".to_owned());
    costs.statistic = Some("median".to_owned());
    map.with_costs(costs)
}

/// The geometric mean, over the points of the map, of the time by one rule as a share of that by another.
fn share(map: &DecisionMap, rule: fn(usize, usize) -> Kernel, other: fn(usize, usize) -> Kernel) -> f64 {
    let costs = map.costs().expect("the map holds the times");
    let methods: Vec<MethodIndex> = map.domain().method_indexes().collect();
    let time = |cell: usize, rule: fn(usize, usize) -> Kernel| {
        let point = map.domain().sizes(cell);
        let chosen = rule(point[0] as usize, point[1] as usize);
        let method = Kernel::ALL.iter().position(|(_, kernel)| *kernel == chosen).expect("ALL has all");
        costs.get(cell, methods[method]).expect("every kernel was timed")
    };
    let cells = map.domain().cells();
    let logarithms: f64 = (0..cells).map(|cell| (time(cell, rule) / time(cell, other)).ln()).sum();
    (logarithms / cells as f64).exp()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().any(|argument| argument == "--measure") {
        std::fs::write(MAP, measure()?.to_json())?;
        println!("wrote {MAP}; the next build decides by it");
        return Ok(());
    }
    for (m, n) in [(1, 1), (1, 200), (200, 1), (7, 7), (200, 200)] {
        let kernel = fastest(m, n);
        let (left, right, mut product) = operands(m, n);
        kernel.multiply(n, &left, &right, &mut product);
        assert!(product.iter().all(|entry| (entry - 48.0).abs() < 1e-3), "every kernel multiplies");
        println!("{m:>3} × 64 times 64 × {n:<3}: {kernel:?}");
    }
    // The times of the file that this program was built from.
    let map =
        Document::from_json(include_bytes!("../maps/matmul.json"))?.into_map().ok_or("it holds a map")?;
    let share = share(&map, fastest, by_hand);
    println!(
        "at the {} sizes measured, the compiled decisions take {share:.2} of the time of the best threshold on n \
         (geometric mean): {:.2} times as fast",
        map.domain().cells(),
        1.0 / share
    );
    Ok(())
}
