//! Model parameters fitted to measured times.
//!
//! Parameters that the data do not determine are reported, not guessed: see [`Fit::undetermined`].

mod contention;
mod ping_pong;

pub use contention::{contention, contention_factor};
pub use ping_pong::ping_pong;

/// A measured time of a collective.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The number of ranks.
    pub ranks: u64,
    /// The number of bytes, counted as in [`Call`](crate::models::Call).
    pub bytes: u64,
    /// The time in seconds.
    pub seconds: f64,
}

/// Fitted parameters, and how well they describe the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit<P> {
    /// The parameters.
    pub parameters: P,
    /// The residual `predicted / measured − 1` of each time used, in the order given.
    pub residuals: Vec<f64>,
    /// The quantities that the data do not determine, in one sentence each.
    pub undetermined: Vec<String>,
}

impl<P> Fit<P> {
    /// Returns the median and the 90th percentile of the absolute residuals, or `None` without data.
    pub fn error(&self) -> Option<(f64, f64)> {
        crate::trust::median_and_90th(self.residuals.iter().map(|residual| residual.abs()).collect())
    }
}
