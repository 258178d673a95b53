//! The numbers that the papers print.

/// A row of a table about trees of limited depth; penalties are in per cent, and `None` is not printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrintedTree {
    /// The limit.
    pub(crate) depth: u32,
    /// The depth of the shallowest leaf.
    pub(crate) min_depth: Option<f64>,
    /// The mean depth of the leaves.
    pub(crate) mean_depth: f64,
    pub(crate) penalty_min: Option<f64>,
    pub(crate) penalty_max: Option<f64>,
    pub(crate) penalty_mean: f64,
    pub(crate) penalty_median: Option<f64>,
    /// The number of leaves.
    pub(crate) leaves: u64,
}

impl PrintedTree {
    /// Returns the nodes of a quadtree with these leaves: each inner node replaces one leaf by four.
    pub(crate) const fn nodes(&self) -> u64 {
        self.leaves + self.inner()
    }

    /// Returns the inner nodes.
    pub(crate) const fn inner(&self) -> u64 {
        (self.leaves - 1) / 3
    }
}

/// Returns a row of a table about broadcasts: min and mean depth, max, mean and median penalty. All of these print a least penalty of 0.
const fn row(
    depth: u32,
    [min_depth, mean_depth]: [f64; 2],
    [max, mean, median]: [f64; 3],
    leaves: u64,
) -> PrintedTree {
    PrintedTree {
        depth,
        min_depth: Some(min_depth),
        mean_depth,
        penalty_min: Some(0.0),
        penalty_max: Some(max),
        penalty_mean: mean,
        penalty_median: Some(median),
        leaves,
    }
}

/// The 2006 paper, Table 3: broadcast on Grig.
pub(crate) const GRIG_BCAST_2006: [PrintedTree; 6] = [
    row(1, [1.0, 1.0], [346.05, 37.11, 0.0], 4),
    row(2, [2.0, 2.0], [436.02, 18.63, 0.0], 16),
    row(3, [2.0, 2.9655], [436.02, 8.83, 0.0], 58),
    row(4, [2.0, 3.8554], [391.53, 6.29, 0.0], 166),
    row(5, [2.0, 4.7783], [356.47, 5.41, 0.0], 442),
    row(6, [2.0, 5.6269], [0.0, 0.0, 0.0], 973),
];

/// The 2006 paper, Table 3: the lines of the function of each row.
pub(crate) const LINES_2006: [u64; 6] = [24, 82, 330, 932, 2496, 5505];

/// Returns a row of a table about reduce, which prints the mean penalty alone.
const fn reduce(depth: u32, mean_depth: f64, penalty_mean: f64, leaves: u64) -> PrintedTree {
    PrintedTree {
        depth,
        min_depth: None,
        mean_depth,
        penalty_min: None,
        penalty_max: None,
        penalty_mean,
        penalty_median: None,
        leaves,
    }
}

/// The 2006 paper, Table 4: reduce on Grig.
pub(crate) const GRIG_REDUCE_2006: [PrintedTree; 7] = [
    reduce(0, 0.0, 561.67, 1),
    reduce(1, 1.0, 143.59, 4),
    reduce(2, 2.0, 12.51, 16),
    reduce(3, 2.95, 3.23, 55),
    reduce(4, 3.84, 0.96, 157),
    reduce(5, 4.63, 0.37, 334),
    reduce(6, 5.40, 0.0, 610),
];

/// The 2006 paper, Table 4: the nodes of the tree of each row.
pub(crate) const NODES_2006: [u64; 7] = [1, 5, 21, 73, 209, 445, 813];

/// The 2006 paper, Table 4: the memory of the tree of each row, in bytes.
pub(crate) const MEMORY_2006: [u64; 7] = [104, 520, 2184, 7592, 21_736, 46_280, 84_552];

/// The 2006 paper, Table 4: the time of a decision in memory, and that of a level, in nanoseconds.
pub(crate) const TIMES_2006: [[f64; 2]; 7] = [
    [22.22, 22.22],
    [66.38, 33.19],
    [109.26, 36.42],
    [146.78, 37.16],
    [161.84, 33.44],
    [170.02, 30.20],
    [174.95, 27.34],
];

/// The 2007 paper, Table 1: broadcast on Frodo.
pub(crate) const FRODO_BCAST_2007: [PrintedTree; 6] = [
    row(1, [1.0, 1.0], [560.42, 74.62, 2.88], 4),
    row(2, [1.0, 1.92], [743.16, 12.56, 0.0], 13),
    row(3, [1.0, 2.5], [743.15, 12.43, 0.0], 22),
    row(4, [2.0, 3.63], [743.15, 12.01, 0.0], 91),
    row(5, [2.0, 4.61], [31.14, 0.67, 0.0], 328),
    row(6, [2.0, 5.65], [0.0, 0.0, 0.0], 1153),
];

/// The 2007 paper, Table 1: the nodes of the tree of each row.
pub(crate) const FRODO_NODES_2007: [u64; 6] = [5, 17, 29, 121, 437, 1537];

/// The 2007 paper, Table 2: broadcast on Grig. Its depth 5 has 227 leaves in print; 369 nodes, which it also prints, need 277.
pub(crate) const GRIG_BCAST_2007: [PrintedTree; 6] = [
    row(1, [1.0, 1.0], [337.43, 37.10, 0.0], 4),
    row(2, [2.0, 2.0], [391.53, 18.54, 0.0], 16),
    row(3, [2.0, 2.76], [247.20, 5.75, 0.0], 37),
    row(4, [2.0, 3.75], [247.20, 3.25, 0.0], 106),
    row(5, [2.0, 4.61], [225.30, 1.29, 0.0], 277),
    row(6, [2.0, 5.70], [0.0, 0.0, 0.0], 1024),
];

/// The 2007 paper, Table 2: the nodes of the tree of each row.
pub(crate) const GRIG_NODES_2007: [u64; 6] = [5, 21, 49, 141, 369, 1365];

/// The 2007 paper, Table 3: reduce on Grig. It prints no leaves but conditions, four for each inner node: [`CONDITIONS_2007`]. A
/// quadtree has one leaf more than three times as many as inner nodes.
pub(crate) const GRIG_REDUCE_2007: [PrintedTree; 6] = [
    reduce(1, 1.0, 81.10, 4),
    reduce(2, 1.8, 11.58, 10),
    reduce(3, 2.92, 5.63, 52),
    reduce(4, 3.62, 1.39, 103),
    reduce(5, 4.31, 0.97, 199),
    reduce(6, 5.5, 0.0, 664),
];

/// The 2007 paper, Table 3: the conditions of the function of each row.
pub(crate) const CONDITIONS_2007: [u64; 6] = [4, 12, 68, 136, 264, 884];

/// The 2007 paper, Table 3: the memory of the tree of each row with its sizes and methods, in bytes.
pub(crate) const MEMORY_2007: [u64; 6] = [712, 1096, 3784, 7048, 13_192, 42_952];

/// The 2007 paper, Table 3: the time of a decision in memory, that of a level, and that of the function, in nanoseconds.
pub(crate) const TIMES_2007: [[f64; 3]; 6] = [
    [35.61, 17.81, 11.68],
    [36.78, 13.14, 10.70],
    [54.53, 13.91, 13.68],
    [54.70, 11.84, 13.87],
    [55.02, 10.36, 13.88],
    [71.54, 11.01, 16.47],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The printed nodes, conditions and lines are those of quadtrees with the printed or implied leaves.
    #[test]
    fn the_columns_of_a_table_agree_with_each_other() {
        let nodes = |rows: &[PrintedTree]| rows.iter().map(PrintedTree::nodes).collect::<Vec<_>>();
        assert_eq!(nodes(&GRIG_REDUCE_2006), NODES_2006);
        assert_eq!(nodes(&FRODO_BCAST_2007), FRODO_NODES_2007);
        assert_eq!(nodes(&GRIG_BCAST_2007), GRIG_NODES_2007);
        let inner = |rows: &[PrintedTree]| rows.iter().map(PrintedTree::inner).collect::<Vec<_>>();
        assert_eq!(
            inner(&GRIG_REDUCE_2007).iter().map(|inner| 4 * inner).collect::<Vec<_>>(),
            CONDITIONS_2007
        );
        let lines = inner(&GRIG_BCAST_2006)
            .into_iter()
            .zip(LINES_2006)
            .map(|(inner, lines)| lines - (17 * inner - 3));
        assert_eq!(lines.collect::<Vec<_>>(), [10, 0, 10, 0, 0, 0]);
    }

    /// "Time per level was computed as decision time / (mean depth + 1)."
    #[test]
    fn the_printed_times_of_a_level_are_those_of_the_decision() {
        let of_2006 = GRIG_REDUCE_2006.iter().zip(TIMES_2006.map(|[time, level]| (time, level)));
        let of_2007 = GRIG_REDUCE_2007.iter().zip(TIMES_2007.map(|[time, level, _]| (time, level)));
        for (row, (time, level)) in of_2006.chain(of_2007) {
            assert!((time / (row.mean_depth + 1.0) - level).abs() < 0.01, "{row:?}");
        }
    }
}
