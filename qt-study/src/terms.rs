//! Times at sizes that were not measured: sums of terms over sizes and constants of methods, fitted to measured times.
//!
//! Terms are expressions of whole numbers ([`Expression`]), which a method multiplies by coefficients that are not negative.
//! [`CostModel::fit`] finds the coefficients, and [`CostModel::time`] returns a time at any sizes.
//!
//! Both halves are written here. The expressions are a small language of exact whole numbers: rounding up, logarithms rounded up,
//! checked 128-bit arithmetic, errors with a place in the text. The solver has at most a few dozen unknowns, for which Lawson and
//! Hanson's algorithm takes a page. Crates for such expressions compute with floating-point numbers, wrap, or are whole interpreters;
//! those for the solver need LAPACK or dozens of other crates.

mod density;
mod expression;
mod filled;
mod fit;
mod least_squares;
mod model;
mod parse;
mod preset;
mod samples;

pub use expression::{EvaluationError, Expression};
pub use filled::Filled;
pub use model::{CostModel, Form, MethodModel};
pub use preset::{Preset, Terms};
