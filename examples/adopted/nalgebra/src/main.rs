//! Products of matrices by each algorithm that nalgebra offers, and steps of a Kalman filter that use them.

#[rustfmt::skip]
mod choice;

use std::process::ExitCode;

use adopted::{DECIDED, Run};
use nalgebra::{DMatrix, DVector};
use qtdec_measure::{Benchmark, Method, Point};

/// A way to compute a product, `c = a * b`.
type Way = fn(&mut DMatrix<f64>, &DMatrix<f64>, &DMatrix<f64>);

/// What the decision returns.
enum Product {
    Columns,
    Blocked,
    Rows,
}

/// The ways to compute a product. nalgebra's rule knows the first two algorithms.
const WAYS: [(&str, Way); 5] = [
    (Method::BASELINE, |c, a, b| c.gemm(1.0, a, b, 0.0)),
    ("columns", columns),
    ("blocked", blocked),
    ("rows", rows),
    (DECIDED, decided),
];

fn main() -> ExitCode {
    every_way_has_the_same_product();
    adopted::measure(|run| match run {
        Run::First => products(&WAYS[..4], SAMPLES),
        Run::Second => products(&WAYS, SAMPLES),
        Run::Between => products(&WAYS, &[3, 5, 7, 12, 24]),
        Run::Program => filters(),
    })
}

const SAMPLES: &[u64] = &[1, 2, 4, 6, 10, 16, 32];

/// Computes the product by the algorithm that was measured as the fastest.
fn decided(c: &mut DMatrix<f64>, a: &DMatrix<f64>, b: &DMatrix<f64>) {
    match choice::product(a.nrows(), a.ncols(), b.ncols()) {
        Product::Columns => columns(c, a, b),
        Product::Blocked => blocked(c, a, b),
        Product::Rows => rows(c, a, b),
    }
}

/// Computes each column of the product as a sum of columns, as nalgebra does if a side is at most 5.
fn columns(c: &mut DMatrix<f64>, a: &DMatrix<f64>, b: &DMatrix<f64>) {
    for column in 0..b.ncols() {
        c.column_mut(column).gemv(1.0, a, &b.column(column), 0.0);
    }
}

/// Computes each row of the product as products of a row with columns.
fn rows(c: &mut DMatrix<f64>, a: &DMatrix<f64>, b: &DMatrix<f64>) {
    let (mut row, mut product) = (DVector::zeros(a.ncols()), DVector::zeros(b.ncols()));
    for index in 0..a.nrows() {
        row.tr_copy_from(&a.row(index));
        product.gemv_tr(1.0, b, &row, 0.0);
        c.row_mut(index).tr_copy_from(&product);
    }
}

/// Computes the product by the crate matrixmultiply, as nalgebra does if all sides are over 5.
#[allow(unsafe_code)]
fn blocked(c: &mut DMatrix<f64>, a: &DMatrix<f64>, b: &DMatrix<f64>) {
    let (m, k, n) = (a.nrows(), a.ncols(), b.ncols());
    assert_eq!((b.nrows(), c.shape()), (k, (m, n)));
    let [of_a, of_b, of_c] = [m as isize, k as isize, m as isize];
    let (a, b, c) = (a.as_slice().as_ptr(), b.as_slice().as_ptr(), c.as_mut_slice().as_mut_ptr());
    // SAFETY: the matrices have these sides, columns follow each other, and `c` is borrowed alone.
    unsafe { matrixmultiply::dgemm(m, k, n, 1.0, a, 1, of_a, b, 1, of_b, 0.0, c, 1, of_c) }
}

fn products(ways: &'static [(&str, Way)], samples: &[u64]) -> Benchmark<'static> {
    let benchmark = Benchmark::new().axis("m", samples).axis("k", samples).axis("n", samples);
    ways.iter().fold(benchmark, |benchmark, &(name, way)| {
        benchmark.method(name, move |point: &Point| {
            let [m, k, n] = ["m", "k", "n"].map(|axis| point[axis] as usize);
            let (a, b) = (matrix(m, k), matrix(k, n));
            let mut c = DMatrix::zeros(m, n);
            move || {
                way(&mut c, &a, &b);
                c[0]
            }
        })
    })
}

fn matrix(rows: usize, columns: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |row, column| 1.0 / (1 + row + column) as f64)
}

fn filters() -> Benchmark<'static> {
    let benchmark =
        Benchmark::new().axis("states", [2, 3, 4, 6, 9, 12, 18, 24]).axis("observed", [1, 2, 3, 6, 12]);
    [WAYS[0], WAYS[4]].into_iter().fold(benchmark, |benchmark, (name, way)| {
        benchmark.method(name, move |point: &Point| {
            let (states, observed) = (point["states"] as usize, point["observed"] as usize);
            let (model, observation) = (matrix(states, states), matrix(observed, states));
            let covariance = DMatrix::identity(states, states);
            move || filtered(&covariance, &model, &observation, way)
        })
    })
}

/// Returns the covariance of a Kalman filter after a prediction and an observation.
fn filtered(
    covariance: &DMatrix<f64>,
    model: &DMatrix<f64>,
    observation: &DMatrix<f64>,
    way: Way,
) -> DMatrix<f64> {
    let product = |a: &DMatrix<f64>, b: &DMatrix<f64>| {
        let mut c = DMatrix::zeros(a.nrows(), b.ncols());
        way(&mut c, a, b);
        c
    };
    let noise = |side| DMatrix::<f64>::identity(side, side);
    let predicted = product(&product(model, covariance), &model.transpose()) + noise(model.nrows());
    let seen = product(&predicted, &observation.transpose());
    let innovation = product(observation, &seen) + noise(observation.nrows());
    let inverse = innovation.cholesky().expect("the sum with the noise is positive definite").inverse();
    let gain = product(&seen, &inverse);
    &predicted - product(&gain, &product(observation, &predicted))
}

fn every_way_has_the_same_product() {
    for (m, k, n) in [(1, 1, 1), (1, 9, 3), (7, 2, 5), (17, 30, 12)] {
        let (a, b) = (matrix(m, k), matrix(k, n));
        for (name, way) in WAYS {
            let mut c = DMatrix::from_element(m, n, f64::NAN);
            way(&mut c, &a, &b);
            assert!((&c - &a * &b).amax() < 1e-12, "{name}");
        }
    }
}
