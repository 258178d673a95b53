//! Axes that were measured along a line alone, such as m = n = k.

use std::collections::BTreeMap;

use qtdec_core::DecisionMap;

/// Two axes or more of which each sample was measured with one sample of each other one alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    axes: Vec<usize>,
}

impl Line {
    /// Returns the lines of a map: no axis is in two of them.
    pub fn all(map: &DecisionMap) -> Vec<Self> {
        let mut lines: Vec<Self> = Vec::new();
        for axis in 0..map.domain().axes().len() {
            match lines.iter_mut().find(|line| is_one_to_one(map, line.axes[0], axis)) {
                Some(line) => line.axes.push(axis),
                None => lines.push(Self { axes: vec![axis] }),
            }
        }
        lines.retain(|line| line.axes.len() > 1);
        lines
    }

    /// Returns whether the line goes through several samples of an axis.
    pub fn has(&self, axis: usize) -> bool {
        self.axes.contains(&axis)
    }

    /// Returns what was measured, and what rules and trees therefore hold for.
    pub fn described(&self, map: &DecisionMap) -> String {
        let name = |axis: usize| &*map.domain().axes()[axis].name;
        let has_equal_sizes =
            |point: Vec<u64>| self.axes.iter().all(|&axis| point[axis] == point[self.axes[0]]);
        let line = if points(map).all(has_equal_sizes) {
            let names: Vec<&str> = self.axes.iter().map(|&axis| name(axis)).collect();
            names.join(" = ")
        } else {
            let at = |point: Option<Vec<u64>>| {
                let point = point.unwrap_or_default();
                let sizes = self.axes.iter().map(|&axis| format!("{}={}", name(axis), point[axis]));
                sizes.collect::<Vec<_>>().join(" ")
            };
            format!("a line from {} to {}", at(points(map).next()), at(points(map).next_back()))
        };
        format!(
            "only {line} was measured: decisions hold on that line, and are guesses elsewhere; measure points off it"
        )
    }
}

/// Returns the sizes of the measured points. Cells between them may have been filled in, without a cost.
fn points(map: &DecisionMap) -> impl DoubleEndedIterator<Item = Vec<u64>> {
    let domain = map.domain();
    let is_measured = move |cell: &usize| match map.costs() {
        Some(costs) => domain.method_indexes().any(|method| costs.get(*cell, method).is_some()),
        None => map.cells()[*cell].is_some(),
    };
    (0..domain.cells()).filter(is_measured).map(|cell| domain.sizes(cell))
}

/// Returns whether each of several samples of one axis goes with one of another, and vice versa. In a grid, the first row tells that they
/// do not.
fn is_one_to_one(map: &DecisionMap, one: usize, other: usize) -> bool {
    let (mut of_one, mut of_other) = (BTreeMap::new(), BTreeMap::new());
    let agrees = points(map).all(|point| {
        *of_one.entry(point[one]).or_insert(point[other]) == point[other]
            && *of_other.entry(point[other]).or_insert(point[one]) == point[one]
    });
    agrees && of_one.len() > 1
}

#[cfg(test)]
mod tests {
    use qtdec_core::{Axis, Domain, Method};

    use super::*;

    fn map(names: [&str; 3], is_measured: impl Fn(&[u64]) -> bool) -> DecisionMap {
        let axes = names.map(|name| Axis::new(name, [64, 128, 256])).to_vec();
        let domain = Domain::new(None, axes, vec![Method::new("a")]).unwrap();
        let method = domain.method_indexes().next();
        let cells = (0..domain.cells()).map(|cell| method.filter(|_| is_measured(&domain.sizes(cell))));
        let cells = cells.collect();
        DecisionMap::new(domain, cells).unwrap()
    }

    fn described(is_measured: impl Fn(&[u64]) -> bool) -> Vec<String> {
        let map = map(["m", "n", "k"], is_measured);
        Line::all(&map).iter().map(|line| line.described(&map)).collect()
    }

    #[test]
    fn points_with_equal_sizes_are_a_line() {
        let all = described(|sizes| sizes[0] == sizes[1] && sizes[1] == sizes[2]);
        let expected = "only m = n = k was measured: decisions hold on that line, and are guesses elsewhere; measure points off it";
        assert_eq!(all, [expected]);
        assert_eq!(described(|sizes| sizes[0] == sizes[2]), [expected.replace("m = n = k", "m = k")]);
    }

    #[test]
    fn points_with_a_product_in_common_are_a_line() {
        let all = described(|sizes| sizes[0] * sizes[1] == 128 * 128 && sizes[2] == 64);
        assert!(all[0].starts_with("only a line from m=64 n=256 to m=256 n=64 was measured: "), "{all:?}");
        assert_eq!(all.len(), 1);
        let bent = [[64, 64], [128, 256], [256, 128]];
        let all = described(|sizes| bent.contains(&[sizes[0], sizes[1]]) && sizes[2] == 64);
        assert!(all[0].starts_with("only a line from m=64 n=64 to m=256 n=128 was measured: "), "{all:?}");
    }

    #[test]
    fn a_grid_with_gaps_or_one_row_is_no_line() {
        assert_eq!(described(|_| true), [""; 0]);
        assert_eq!(described(|sizes| sizes[0] <= sizes[1]), [""; 0]);
        assert_eq!(described(|sizes| sizes[0] == 64 && sizes[1] == 64), [""; 0]);
        assert_eq!(described(|sizes| sizes[0] == sizes[1] || sizes[0] == 64), [""; 0]);
    }
}
