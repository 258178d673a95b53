//! The numbers that the papers print.

/// A row of a table about trees of limited depth; penalties are in per cent.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrintedTree {
    /// The limit.
    pub(super) depth: u32,
    /// The mean depth of the leaves.
    pub(super) mean_depth: f64,
    /// The mean penalty.
    pub(super) penalty_mean: f64,
    /// The greatest penalty, where the paper prints it.
    pub(super) penalty_max: Option<f64>,
    /// The number of leaves.
    pub(super) leaves: u64,
}

const fn row(depth: u32, mean_depth: f64, penalty_max: f64, penalty_mean: f64, leaves: u64) -> PrintedTree {
    PrintedTree { depth, mean_depth, penalty_mean, penalty_max: Some(penalty_max), leaves }
}

/// The 2006 paper, Table 3: broadcast on Grig.
pub(super) const GRIG_BCAST_2006: [PrintedTree; 6] = [
    row(1, 1.0, 346.05, 37.11, 4),
    row(2, 2.0, 436.02, 18.63, 16),
    row(3, 2.9655, 436.02, 8.83, 58),
    row(4, 3.8554, 391.53, 6.29, 166),
    row(5, 4.7783, 356.47, 5.41, 442),
    row(6, 5.6269, 0.0, 0.0, 973),
];

/// Returns a row of a table about reduce, which prints no greatest penalty.
const fn reduce(depth: u32, mean_depth: f64, penalty_mean: f64, leaves: u64) -> PrintedTree {
    PrintedTree { depth, mean_depth, penalty_mean, penalty_max: None, leaves }
}

/// The 2006 paper, Table 4: reduce on Grig.
pub(super) const GRIG_REDUCE_2006: [PrintedTree; 7] = [
    reduce(0, 0.0, 561.67, 1),
    reduce(1, 1.0, 143.59, 4),
    reduce(2, 2.0, 12.51, 16),
    reduce(3, 2.95, 3.23, 55),
    reduce(4, 3.84, 0.96, 157),
    reduce(5, 4.63, 0.37, 334),
    reduce(6, 5.40, 0.0, 610),
];

/// The 2007 paper, Table 1: broadcast on Frodo.
pub(super) const FRODO_BCAST_2007: [PrintedTree; 6] = [
    row(1, 1.0, 560.42, 74.62, 4),
    row(2, 1.92, 743.16, 12.56, 13),
    row(3, 2.5, 743.15, 12.43, 22),
    row(4, 3.63, 743.15, 12.01, 91),
    row(5, 4.61, 31.14, 0.67, 328),
    row(6, 5.65, 0.0, 0.0, 1153),
];

/// The 2007 paper, Table 2: broadcast on Grig. Its depth 5 has 227 leaves in print; 369 nodes, which it also prints, need 277.
pub(super) const GRIG_BCAST_2007: [PrintedTree; 6] = [
    row(1, 1.0, 337.43, 37.10, 4),
    row(2, 2.0, 391.53, 18.54, 16),
    row(3, 2.76, 247.20, 5.75, 37),
    row(4, 3.75, 247.20, 3.25, 106),
    row(5, 4.61, 225.30, 1.29, 277),
    row(6, 5.70, 0.0, 0.0, 1024),
];

/// The 2007 paper, Table 3: reduce on Grig. It prints no leaves but conditions, four for each inner node: 4, 12, 68, 136, 264 and 884. A
/// quadtree has one leaf more than three times as many as inner nodes.
pub(super) const GRIG_REDUCE_2007: [PrintedTree; 6] = [
    reduce(1, 1.0, 81.10, 4),
    reduce(2, 1.8, 11.58, 10),
    reduce(3, 2.92, 5.63, 52),
    reduce(4, 3.62, 1.39, 103),
    reduce(5, 4.31, 0.97, 199),
    reduce(6, 5.5, 0.0, 664),
];

/// The 2006 paper, Table 4: the memory of the tree of each row, in bytes.
pub(super) const MEMORY_2006: [u64; 7] = [104, 520, 2184, 7592, 21_736, 46_280, 84_552];

/// The 2007 paper, Table 3: the memory of the tree of each row with its sizes and methods, in bytes.
pub(super) const MEMORY_2007: [u64; 6] = [712, 1096, 3784, 7048, 13_192, 42_952];
