//! Axes that were measured along a line alone, such as m = n = k.

use std::collections::BTreeSet;

use qtdec_core::DecisionMap;

/// Two axes or more of which each sample was measured with one sample of each other one alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    axes: Vec<usize>,
    /// The sizes of two measured points.
    points: [Vec<u64>; 2],
}

impl Line {
    /// Returns the lines of a map: no axis is in two of them.
    pub fn all(map: &DecisionMap) -> Vec<Self> {
        let domain = map.domain();
        let has_cost = |cell| {
            domain
                .method_indexes()
                .any(|method| map.costs().is_some_and(|costs| costs.get(cell, method).is_some()))
        };
        // Cells between measured ones may have been filled in.
        let is_measured =
            |cell: &usize| if map.costs().is_some() { has_cost(*cell) } else { map.cells()[*cell].is_some() };
        let measured = (0..domain.cells()).filter(is_measured);
        let points: Vec<Vec<u64>> = measured.map(|cell| domain.sizes(cell)).collect();
        let mut lines: Vec<Self> = Vec::new();
        for axis in 0..domain.axes().len() {
            match lines.iter_mut().find(|line| is_one_to_one(&points, line.axes[0], axis)) {
                Some(line) => line.axes.push(axis),
                None => {
                    let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
                    lines.push(Self { axes: vec![axis], points: [first.clone(), last.clone()] });
                }
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
        let name = |axis: &usize| map.domain().axes()[*axis].name.clone();
        let names: Vec<String> = self.axes.iter().map(name).collect();
        let is_equal =
            self.points.iter().all(|point| self.axes.iter().all(|&axis| point[axis] == point[self.axes[0]]));
        let line = if is_equal {
            format!("{} was measured", names.join(" = "))
        } else {
            let at = |point: &Vec<u64>| {
                self.axes
                    .iter()
                    .map(|&axis| format!("{}={}", map.domain().axes()[axis].name, point[axis]))
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            format!("a line from {} to {} was measured", at(&self.points[0]), at(&self.points[1]))
        };
        format!("only {line}: decisions hold on that line, and are guesses elsewhere; measure points off it")
    }
}

/// Returns whether each of several samples of one axis goes with one of another, and vice versa.
fn is_one_to_one(points: &[Vec<u64>], one: usize, other: usize) -> bool {
    let pairs: BTreeSet<[u64; 2]> = points.iter().map(|point| [point[one], point[other]]).collect();
    let count = |side: usize| pairs.iter().map(|pair| pair[side]).collect::<BTreeSet<u64>>().len();
    pairs.len() > 1 && count(0) == pairs.len() && count(1) == pairs.len()
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
    }

    #[test]
    fn a_grid_with_gaps_or_one_row_is_no_line() {
        assert_eq!(described(|_| true), [""; 0]);
        assert_eq!(described(|sizes| sizes[0] <= sizes[1]), [""; 0]);
        assert_eq!(described(|sizes| sizes[0] == 64 && sizes[1] == 64), [""; 0]);
        assert_eq!(described(|sizes| sizes[0] == sizes[1] || sizes[0] == 64), [""; 0]);
    }
}
