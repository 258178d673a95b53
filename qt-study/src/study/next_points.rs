//! Which points to measure next: those where the choice between the best methods around is worth most.
//!
//! Around a point are the nearest measured points on its lines along the axes. Where the best methods of these differ, one of them may be
//! wrong at the point. What is at stake is the mean over the points around of what the worst of these methods costs there. It counts
//! the more, the further the nearest measured point is away on a logarithmic axis.

use qtdec_core::{Axis, DecisionMap, Domain, MethodIndex, Place, Problem, Problems, Samples};

use crate::selection::gaps::{distance, log2};

/// A point that was not measured, and what its measurement decides.
#[derive(Clone, Debug, PartialEq)]
pub struct NextPoint {
    /// The sizes, one for each axis. A label is given by its position.
    pub sizes: Vec<u64>,
    /// The best methods of the measured points around, in increasing order.
    pub methods: Vec<MethodIndex>,
    /// What the worst of them costs over the best method at the points around: the geometric mean in per cent.
    pub at_stake: f64,
}

/// Returns the map with a size in the middle between any two neighbours on each axis, where nothing was measured.
///
/// The middle is the roundest size in binary of the middle third of the gap on a logarithmic axis: 96 between 64 and 128. Neighbours
/// with no such size have no middle.
///
/// # Errors
///
/// Fails for a map without costs, and if the grid would be too large.
pub fn with_middles(map: &DecisionMap) -> Result<DecisionMap, Problems> {
    let Some(costs) = map.costs() else {
        let message = "the map has no costs, so nothing says which sizes are worth measuring";
        return Err(Problem::new(Place::File, message).help("make the map from times").into());
    };
    let own = map.domain();
    let axes: Vec<Axis> = own
        .axes()
        .iter()
        .map(|axis| match &axis.samples {
            Samples::Labels(_) => axis.clone(),
            Samples::Values(values) => {
                let mut all: Vec<u64> = values
                    .windows(2)
                    .filter_map(|pair| middle(pair[0], pair[1]))
                    .chain(values.iter().copied())
                    .collect();
                all.sort_unstable();
                Axis { samples: Samples::Values(all), ..axis.clone() }
            }
        })
        .collect();
    let domain = Domain::new(own.collective().map(str::to_owned), axes, own.methods().to_vec())?;
    let known: std::collections::HashMap<Vec<u64>, usize> =
        (0..own.cells()).map(|cell| (own.sizes(cell), cell)).collect();
    let origins: Vec<Option<usize>> =
        (0..domain.cells()).map(|cell| known.get(&domain.sizes(cell)).copied()).collect();
    let cells = origins.iter().map(|origin| origin.and_then(|cell| map.cells()[cell])).collect();
    let values = origins.iter().flat_map(|origin| {
        own.method_indexes().map(move |method| origin.and_then(|cell| costs.get(cell, method)))
    });
    let mut all = qtdec_core::Costs::new(own.methods().len(), values);
    (all.unit, all.statistic) = (costs.unit.clone(), costs.statistic.clone());
    DecisionMap::new(domain, cells)?.with_costs(all)
}

/// Returns the roundest size between two others, if there is one in the middle third of their ratio.
fn middle(lower: u64, upper: u64) -> Option<u64> {
    let [below, above] = [lower.max(1), upper].map(|size| (size as f64).ln());
    let at = |share: f64| (below + share * (above - below)).exp();
    let (from, to) = (at(1.0 / 3.0).ceil() as u64, at(2.0 / 3.0).floor() as u64);
    let (from, to) = (from.max(lower + 1), to.min(upper - 1));
    // Of two multiples in a row, one is a multiple of the double, so the first that is found is the only one.
    (0..64).rev().map(|shift| 1_u64 << shift).find_map(|unit| {
        let multiple = from.div_ceil(unit).checked_mul(unit)?;
        (multiple <= to).then_some(multiple)
    })
}

/// Returns the points of a map without times that are worth most, the most valuable one first: at most a given number. Where nothing is
/// at stake, the point that is furthest from a measured one is the next.
///
/// Each point after the first is chosen as if the ones before it had been measured, with times interpolated from those around.
pub fn next_points(map: &DecisionMap, count: usize) -> Vec<NextPoint> {
    let Some(mut known) = Known::new(map) else { return Vec::new() };
    let mut found = Vec::new();
    while found.len() < count {
        let open = (0..map.cells().len()).filter(|&cell| known.logs[cell].is_none());
        let valued = open.filter_map(|cell| known.value(cell));
        let Some(next) = valued.reduce(|best, one| if one.is_above(&best) { one } else { best }) else {
            break;
        };
        known.logs[next.cell] = Some(known.interpolated(next.cell, &next.around));
        found.push(NextPoint {
            sizes: map.domain().sizes(next.cell),
            methods: next.methods,
            at_stake: 100.0 * next.at_stake.exp_m1(),
        });
    }
    found
}

/// Returns a decision for every cell of a map: the best method where times are known, and elsewhere the best of the times that are
/// interpolated between the known points on its lines, or that of the nearest point if it is between no two. There is none if nothing
/// is known.
pub fn interpolated_decisions(map: &DecisionMap) -> Vec<Option<MethodIndex>> {
    let Some(known) = Known::new(map) else { return vec![None; map.cells().len()] };
    let methods: Vec<MethodIndex> = map.domain().method_indexes().collect();
    (0..map.cells().len()).map(|cell| known.decision(cell).map(|best| methods[best])).collect()
}

/// Returns the greatest finite difference of one of these methods' logarithms from the least of all.
fn worst_cost(logs: &[f64], methods: &[usize]) -> f64 {
    let least = logs.iter().copied().fold(f64::INFINITY, f64::min);
    let costs = methods.iter().map(|&method| logs[method] - least);
    costs.filter(|cost| cost.is_finite()).fold(0.0, f64::max)
}

/// Returns the place of the least of some logarithms.
fn least(logs: &[f64]) -> Option<usize> {
    (0..logs.len()).min_by(|&one, &other| logs[one].total_cmp(&logs[other]))
}

struct Known<'m> {
    map: &'m DecisionMap,
    /// For each axis of sizes, the distance of neighbours in the grid and the logarithms of the sizes; none for labels.
    axes: Vec<(usize, Option<Vec<f64>>)>,
    /// The logarithms of the times at each cell, infinite for a method without one.
    logs: Vec<Option<Vec<f64>>>,
}

/// A measured point on a line through another one, with their distance.
#[derive(Clone, Copy, Debug)]
struct Near {
    cell: usize,
    distance: f64,
}

/// A cell without times.
struct Valued {
    cell: usize,
    around: Vec<[Option<Near>; 2]>,
    methods: Vec<MethodIndex>,
    at_stake: f64,
    distance: f64,
}

impl Valued {
    fn is_above(&self, other: &Self) -> bool {
        let key = |value: &Self| (value.at_stake * value.distance, value.distance);
        let ((own, far), (others, further)) = (key(self), key(other));
        own > others || (own >= others && far > further)
    }
}

impl<'m> Known<'m> {
    fn new(map: &'m DecisionMap) -> Option<Self> {
        let (costs, shape) = (map.costs()?, map.domain().shape());
        let axes = map.domain().axes().iter().enumerate().map(|(at, axis)| {
            (
                shape[at + 1..].iter().product(),
                axis.values().map(|sizes| sizes.iter().copied().map(log2).collect()),
            )
        });
        let logs = (0..map.cells().len()).map(|cell| {
            let log = |method| costs.get(cell, method).map_or(f64::INFINITY, f64::ln);
            let logs: Vec<f64> = map.domain().method_indexes().map(log).collect();
            logs.iter().any(|log| log.is_finite()).then_some(logs)
        });
        Some(Self { map, axes: axes.collect(), logs: logs.collect() })
    }

    /// Returns the nearest measured points on the lines through a cell, below and above it on each axis.
    fn around(&self, cell: usize) -> Vec<[Option<Near>; 2]> {
        let near = self.axes.iter().map(|(stride, sizes)| match sizes {
            Some(sizes) => self.along(cell, *stride, sizes),
            None => [None; 2],
        });
        near.collect()
    }

    fn along(&self, cell: usize, stride: usize, sizes: &[f64]) -> [Option<Near>; 2] {
        let own = cell / stride % sizes.len();
        let near = |at: usize| {
            let other = cell + at * stride - own * stride;
            self.logs[other].as_ref().map(|_| Near { cell: other, distance: (sizes[at] - sizes[own]).abs() })
        };
        [(0..own).rev().find_map(near), (own + 1..sizes.len()).find_map(near)]
    }

    /// Returns the logarithms of the times at the nearest point of all that has the same labels.
    fn nearest(&self, cell: usize) -> Option<&[f64]> {
        let (domain, here) = (self.map.domain(), self.map.domain().sizes(cell));
        let away = |other: usize| distance(domain, &here, &domain.sizes(other)).unwrap_or(f64::INFINITY);
        let known =
            self.logs.iter().enumerate().filter_map(|(other, logs)| Some((away(other), logs.as_deref()?)));
        known.min_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, logs)| logs)
    }

    fn decision(&self, cell: usize) -> Option<usize> {
        if let Some(logs) = &self.logs[cell] {
            return least(logs);
        }
        let around = self.around(cell);
        let is_between = around.iter().any(|sides| sides.iter().all(Option::is_some));
        if is_between { least(&self.interpolated(cell, &around)) } else { least(self.nearest(cell)?) }
    }

    /// Returns what the measurement of a cell decides, or `None` if nothing was measured on its lines.
    fn value(&self, cell: usize) -> Option<Valued> {
        let around = self.around(cell);
        let near = || around.iter().flatten().flatten();
        let logs = |near: &Near| self.logs[near.cell].as_deref().unwrap_or_default();
        let mut methods: Vec<usize> = near().filter_map(|near| least(logs(near))).collect();
        methods.sort_unstable();
        methods.dedup();
        let at_stake =
            near().map(|near| worst_cost(logs(near), &methods)).sum::<f64>() / near().count() as f64;
        let distance = near().map(|near| near.distance).min_by(f64::total_cmp)?;
        let method = |number: usize| self.map.domain().method_indexes().nth(number);
        let methods = methods.into_iter().filter_map(method).collect();
        Some(Valued { cell, around, methods, at_stake, distance })
    }

    /// Returns the logarithms of the times at a cell: linear between the points around on each axis, in the mean of the axes, or those
    /// of the nearest point.
    fn interpolated(&self, cell: usize, around: &[[Option<Near>; 2]]) -> Vec<f64> {
        let logs = |near: &Near| self.logs[near.cell].clone().unwrap_or_default();
        let pairs: Vec<(Near, Near)> =
            around.iter().filter_map(|&[below, above]| Some((below?, above?))).collect();
        let nearest =
            around.iter().flatten().flatten().min_by(|one, other| one.distance.total_cmp(&other.distance));
        if pairs.is_empty() {
            return nearest.map_or_else(|| vec![f64::INFINITY; self.map.domain().methods().len()], logs);
        }
        debug_assert!(self.logs[cell].is_none(), "a measured cell is not interpolated");
        let mut sum = vec![0.0; self.map.domain().methods().len()];
        for (below, above) in &pairs {
            let share = below.distance / (below.distance + above.distance);
            for ((sum, from), to) in sum.iter_mut().zip(logs(below)).zip(logs(above)) {
                *sum += (from * (1.0 - share) + to * share) / pairs.len() as f64;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use qtdec_core::Method;

    use super::*;

    fn map(axes: Vec<Axis>, cost: impl Fn(&[u64], usize) -> Option<f64>) -> DecisionMap {
        let methods = ["a", "b"].map(Method::new).to_vec();
        DecisionMap::from_costs(axes, methods, |point, method| cost(point, method.get())).unwrap()
    }

    #[test]
    fn middles_are_round() {
        let found = [(64, 128), (1024, 2048), (2, 4), (4, 16), (3, 4), (0, 1), (0, 100), (100, 1000), (7, 8)]
            .map(|(lower, upper)| middle(lower, upper));
        let expected = [Some(96), Some(1536), Some(3), Some(8), None, None, Some(16), Some(256), None];
        assert_eq!(found, expected);
        assert!(middle(1 << 62, u64::MAX).is_some_and(|middle| middle > 1 << 62));
    }

    /// The winner changes between 4 and 16, where the loser takes twice as long, and between 256 and 1024, where it takes 1 % longer.
    #[test]
    fn the_border_that_costs_most_comes_first() {
        let sizes = [1, 4, 16, 64, 256, 1024];
        let map = map(vec![Axis::new("n", sizes)], |point, method| {
            let is_a = point[0] <= 4 || point[0] >= 1024;
            let loser = if point[0] <= 16 { 2.0 } else { 1.01 };
            Some(if is_a == (method == 0) { 1.0 } else { loser })
        });
        let middles = with_middles(&map).unwrap();
        assert_eq!(middles.domain().axes()[0].values().unwrap().len(), 11);
        assert_eq!(middles.cells().iter().filter(|cell| cell.is_some()).count(), 6);
        let next = next_points(&middles, 3);
        assert_eq!(next[0].sizes, [8]);
        assert!((next[0].at_stake - 100.0).abs() < 1e-9, "{next:?}");
        assert_eq!(next[0].methods.len(), 2);
        // The interpolated times at 8 leave the border on one of its sides.
        assert_eq!(next[1].sizes, [512]);
        assert!((next[1].at_stake - 1.0).abs() < 1e-9, "{next:?}");
        assert_eq!(next_points(&middles, 100).len(), 5);
        assert_eq!(next_points(&map, 5), []);
    }

    #[test]
    fn labels_have_no_middle_and_no_neighbours() {
        let labels = Samples::Labels(["x", "y"].map(str::to_owned).to_vec());
        let axes = vec![Axis::new("n", [1, 4]), Axis { samples: labels, ..Axis::new("kind", []) }];
        let map = map(axes, |point, method| Some(if (point[1] == 0) == (method == 0) { 1.0 } else { 9.0 }));
        let next = next_points(&with_middles(&map).unwrap(), 9);
        assert_eq!(next.iter().map(|next| next.sizes.clone()).collect::<Vec<_>>(), [[2, 0], [2, 1]]);
        assert!(next.iter().all(|next| next.at_stake == 0.0 && next.methods.len() == 1));
    }

    #[test]
    fn winners_alone_say_nothing() {
        let map = map(vec![Axis::new("n", [1, 4])], |_, _| Some(1.0));
        let winners = DecisionMap::new(map.domain().clone(), map.cells().to_vec()).unwrap();
        assert!(with_middles(&winners).unwrap_err().to_string().contains("the map has no costs"));
        assert_eq!(next_points(&winners, 1), []);
    }
}
