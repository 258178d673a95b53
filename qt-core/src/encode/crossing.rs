//! Borders where methods cross: the times of a map, summed along the cuts of its decisions.

use crate::borders::{Borders, Crossing};
use crate::domain::MethodIndex;
use crate::map::{Costs, DecisionMap};
use crate::tree::{Cut, Thresholds};

/// Returns the least sizes above all cuts by a rule, for the decisions in the cells of a map. The samples of a map without times are
/// borders themselves, such as those of a hand-written rule, and fitted times step at samples.
///
/// Where neighbouring cells have different decisions, every tree tests between them. The rows along the nodes that cut at a gap are
/// therefore those in which the decisions differ, and the borders are the same for all trees with the same decisions.
pub(super) fn thresholds(
    borders: Borders,
    map: &DecisionMap,
    decisions: &[Option<MethodIndex>],
) -> Thresholds {
    match (borders, map.costs()) {
        (Borders::Crossing, Some(costs)) if !map.is_fitted() => {
            let axes = 0..map.domain().axes().len();
            Thresholds::of_cuts(axes.flat_map(|axis| cuts(axis, map, decisions, costs)).collect())
        }
        (Borders::Crossing, _) => Thresholds::of_rule(Borders::Floor),
        (borders, _) => Thresholds::of_rule(borders),
    }
}

/// Returns the cuts of an axis, with the geometric border where times do not tell.
fn cuts(axis: usize, map: &DecisionMap, decisions: &[Option<MethodIndex>], costs: &Costs) -> Vec<Cut> {
    let Some(sizes) = map.domain().axes()[axis].values() else { return Vec::new() };
    let stride = map.shape().strides()[axis];
    let mut gaps = vec![Crossing::default(); sizes.len()];
    for upper in 0..decisions.len() {
        let at = upper / stride % sizes.len();
        if at > 0 && decisions[upper] != decisions[upper - stride] {
            add_row([upper - stride, upper], decisions, costs, &mut gaps[at]);
        }
    }
    let size = |lower: u64, upper: u64, gap: &Crossing| {
        gap.between(lower, upper).unwrap_or_else(|| Borders::Geometric.between(lower, upper))
    };
    (1..sizes.len()).map(|at| Cut { axis, at, size: size(sizes[at - 1], sizes[at], &gaps[at]) }).collect()
}

/// Adds the times of the decisions in two neighbouring cells, if both have times in both.
fn add_row(cells: [usize; 2], decisions: &[Option<MethodIndex>], costs: &Costs, gap: &mut Crossing) {
    let [Some(lower), Some(upper)] = cells.map(|cell| decisions[cell]) else { return };
    let times = cells.map(|cell| Some([costs.get(cell, lower)?, costs.get(cell, upper)?]));
    if let [Some(at_lower), Some(at_upper)] = times {
        gap.add(at_lower, at_upper);
    }
}
