//! The numbers that the papers print.

/// A row of a table about trees of limited depth; penalties are in per cent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The limit.
    pub(super) depth: u32,
    /// The mean depth of the leaves.
    pub(super) mean_depth: f64,
    /// The greatest penalty; `None` where the paper does not print it.
    pub(super) penalty_max: Option<f64>,
    pub(super) penalty_mean: f64,
    pub(super) leaves: u64,
}

const fn row(depth: u32, mean_depth: f64, penalty_max: f64, penalty_mean: f64, leaves: u64) -> Row {
    Row { depth, mean_depth, penalty_max: Some(penalty_max), penalty_mean, leaves }
}

/// The 2006 paper, Table 3: broadcast on Grig.
pub(super) const GRIG_BCAST_2006: [Row; 6] = [
    row(1, 1.0, 346.05, 37.11, 4),
    row(2, 2.0, 436.02, 18.63, 16),
    row(3, 2.9655, 436.02, 8.83, 58),
    row(4, 3.8554, 391.53, 6.29, 166),
    row(5, 4.7783, 356.47, 5.41, 442),
    row(6, 5.6269, 0.0, 0.0, 973),
];
