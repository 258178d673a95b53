//! All methods that are as good as the best.

use super::{DecisionMap, check_may_run, out_of_range};
use crate::domain::MethodIndex;
use crate::problem::{Diagnostics, Path, Problem};

/// For every cell, all methods that are as good as the best, in increasing order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ties {
    /// The end of each cell's methods in the list.
    ends: Vec<usize>,
    methods: Vec<MethodIndex>,
}

impl Ties {
    /// Creates ties from a row-major list of cells; empty for a cell where nothing was measured.
    pub fn new(cells: impl IntoIterator<Item = Vec<MethodIndex>>) -> Self {
        let (mut ends, mut methods) = (Vec::new(), Vec::new());
        for mut cell in cells {
            cell.sort_unstable();
            cell.dedup();
            methods.append(&mut cell);
            ends.push(methods.len());
        }
        Self { ends, methods }
    }

    /// Returns the methods of a cell.
    pub fn get(&self, cell: usize) -> &[MethodIndex] {
        let start = cell.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.methods[start..self.ends[cell]]
    }

    pub(super) fn check(&self, map: &DecisionMap, check: &mut Diagnostics) {
        let shape = map.shape();
        let path = Path::root().key("ties");
        if self.ends.len() != shape.cells() {
            check.add(Problem::new(
                path,
                format!("ties of {} cells for a grid of {}", self.ends.len(), shape.cells()),
            ));
            return;
        }
        let count = map.domain().methods().len();
        for (cell, &best) in map.cells().iter().enumerate() {
            let ties = self.get(cell);
            let place = || path.indices(&shape.samples(cell));
            if let Some(index) = ties.iter().find(|index| index.get() >= count) {
                check.add_with(|| out_of_range(&place(), index.get() as u64, count));
                continue;
            }
            for &tied in ties.iter().filter(|&&tied| Some(tied) != best) {
                check_may_run(map.domain(), tied, cell, place, check);
            }
            match best {
                Some(best) if !ties.contains(&best) => check.add_with(|| {
                    Problem::new(place(), format!("the method of the cell, {best:?}, is not among its ties"))
                        .help(
                            "`ties` lists all methods that are as good as the best, including the method \
                             of the cell",
                        )
                }),
                None if !ties.is_empty() => check.add_with(|| {
                    Problem::new(place(), "the cell is `null` and has ties")
                        .help("write `[]` where nothing was measured")
                }),
                _ => {}
            }
        }
    }
}
