//! What a decision costs in memory on every machine: the blocks that it visits, for the papers' queries.

use qtdec_core::{Borders, DecisionMap};

use crate::trees::Making;

/// The papers' largest message, 16 MB, and the ranks of their queries.
const LARGEST: u64 = 16 << 20;

/// Returns the mean number of blocks that a decision visits, the whole grid included, for all ranks up to a number and all bytes up to 16 MiB
/// equally often.
///
/// # Panics
///
/// Panics if the axes of the map are not ranks and bytes.
pub(crate) fn visited(map: &DecisionMap, depth: u32, making: &Making, ranks: u64) -> f64 {
    let quadrants = making.of_depth(depth).quadrants(map).expect("the maps of the papers have few blocks");
    let [rows, columns] = map.domain().axes() else { panic!("the axes are ranks and bytes") };
    // Each sample stands for the sizes from its own on, the first also for those below it.
    let share = |axis: &qtdec_core::Axis, from: u64, last: u64| -> Vec<f64> {
        let border = |sample: usize| match sample {
            0 => from,
            _ if sample == axis.len() => last + 1,
            _ => axis.threshold(sample, Borders::Floor).clamp(from, last + 1),
        };
        let sizes = (last + 1 - from) as f64;
        (0..axis.len()).map(|sample| (border(sample + 1) - border(sample)) as f64 / sizes).collect()
    };
    let (of_rows, of_columns) = (share(rows, 2, ranks), share(columns, 1, LARGEST));
    let mut mean = 0.0;
    for (row, in_row) in of_rows.iter().enumerate() {
        for (column, in_column) in of_columns.iter().enumerate() {
            let (_, depth) = quadrants.leaf(&[row, column]);
            mean += in_row * in_column * f64::from(depth + 1);
        }
    }
    mean
}

/// The largest number of ranks in the queries of the 2006 paper, and of the 2007 paper.
pub(crate) const RANKS_2006: u64 = 32;
pub(crate) const RANKS_2007: u64 = 64;

#[cfg(test)]
mod tests {
    use qtdec_core::{Axis, Method};

    use super::*;

    /// Half of the ranks, 2 to 17 of 2 to 33, lie in the undivided half of the messages below 8 MiB.
    #[test]
    fn blocks_count_by_the_sizes_that_they_cover() {
        let axes = vec![Axis::new("comm_size", [2, 18, 26, 30]), Axis::new("msg_size", [1, 8 << 20])];
        let methods = ["a", "b"].map(Method::new).to_vec();
        let map = DecisionMap::from_costs(axes, methods, |sizes, method| {
            Some(if (sizes[0] == 2) == (method.get() == 0) { 1.0 } else { 2.0 })
        });
        let map = map.unwrap();
        let making = Making::default();
        // At depth 1 every decision visits the whole grid and a quarter of it.
        assert!((visited(&map, 1, &making, 33) - 2.0).abs() < 1e-12);
        // The upper half of the ranks is uniform: 26 to 33, a quarter of them.
        assert!((visited(&map, 2, &making, 33) - (3.0 - 0.25)).abs() < 1e-12);
    }
}
