//! Cells without times.

use qtdec_core::{Axis, Domain, MethodIndex};

use crate::notes::Notes;

/// The treatment of cells without times; the papers' "missing data can be interpolated" (2006, section 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gaps {
    /// They stay empty.
    #[default]
    Empty,
    /// They take the method of the nearest cell with the same labels that may run there, by the sum over the axes of |log2| of the
    /// ratio of the sizes.
    Nearest,
    /// Each method's times are interpolated between measured neighbours on an axis, linearly between the logarithms of
    /// size and time. If there are neighbours on several axes, their mean is taken.
    Interpolate,
}

impl Gaps {
    /// Every treatment and its name in options.
    pub const ALL: [(&'static str, Self); 3] =
        [("empty", Self::Empty), ("nearest", Self::Nearest), ("interpolate", Self::Interpolate)];

    /// Fills empty cells from their nearest measured neighbours.
    pub(super) fn fill(self, domain: &Domain, cells: &mut [Option<MethodIndex>], notes: &mut Notes) {
        if self != Self::Nearest {
            return;
        }
        let measured: Vec<(usize, MethodIndex)> =
            cells.iter().enumerate().filter_map(|(cell, method)| Some((cell, (*method)?))).collect();
        let mut filled = 0;
        for (number, nearest) in nearest(domain, &measured).into_iter().enumerate() {
            if cells[number].is_some() {
                continue;
            }
            let sizes = domain.sizes(number);
            let may_run = |method: MethodIndex| domain.may_run(method, &sizes);
            let near = nearest.and_then(|(_, cell)| cells[cell]).filter(|method| may_run(*method));
            // If the method of the nearest cell may not run there, try all others.
            cells[number] = near.or_else(|| {
                let running = measured.iter().filter(|(_, method)| may_run(*method));
                let away = |(cell, method): &(usize, MethodIndex)| {
                    Some((distance(domain, &sizes, &domain.sizes(*cell))?, *method))
                };
                let nearest = running.filter_map(away).min_by(|(a, _), (b, _)| a.total_cmp(b));
                nearest.map(|(_, method)| method)
            });
            filled += u64::from(cells[number].is_some());
        }
        notes.add_counted("an empty cell was given the method of the nearest one", filled);
    }

    /// Interpolates missing costs; `values` holds one cost for each method within each cell.
    pub(super) fn interpolate(self, domain: &Domain, values: &mut [Option<f64>], notes: &mut Notes) {
        if self != Self::Interpolate {
            return;
        }
        let methods = values.len() / domain.cells();
        // For each missing time, the sum of the logarithms interpolated on its axes, and their number.
        let (mut sums, mut counts) = (vec![0.0; values.len()], vec![0_u8; values.len()]);
        for axis in directions(domain) {
            let series = axis.firsts().flat_map(|first| (0..methods).map(move |method| (first, method)));
            for (first, method) in series {
                let at = |sample: usize| (first + sample * axis.stride) * methods + method;
                let known: Vec<(usize, f64)> = (0..axis.places.len())
                    .filter_map(|sample| Some((sample, values[at(sample)]?.ln())))
                    .collect();
                for (&(left, left_cost), &(right, right_cost)) in known.iter().zip(known.iter().skip(1)) {
                    for sample in left + 1..right {
                        let [left, here, right] = [left, sample, right].map(|sample| axis.places[sample]);
                        let share = (here - left) / (right - left);
                        sums[at(sample)] += left_cost + share * (right_cost - left_cost);
                        counts[at(sample)] += 1;
                    }
                }
            }
        }
        let mut filled = 0;
        for (position, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            values[position] = Some((sums[position] / f64::from(count)).exp());
            filled += 1;
        }
        notes.add_counted("a missing time was interpolated", filled);
    }
}

/// Returns the nearest of these cells to each cell, with its distance. Ties go to the first.
///
/// The distance is a sum over the axes, so one pass along each of them in both directions finds it.
fn nearest(domain: &Domain, measured: &[(usize, MethodIndex)]) -> Vec<Option<(f64, usize)>> {
    let mut nearest = vec![None; domain.cells()];
    for &(cell, _) in measured {
        nearest[cell] = Some((0.0, cell));
    }
    for axis in directions(domain) {
        let last = axis.places.len() - 1;
        for first in axis.firsts() {
            let there = (0..last).map(|sample| (sample, sample + 1));
            let back = (0..last).rev().map(|sample| (sample + 1, sample));
            for (from, to) in there.chain(back) {
                let Some((distance, cell)) = nearest[first + from * axis.stride] else { continue };
                let candidate = (distance + (axis.places[from] - axis.places[to]).abs(), cell);
                let here: &mut Option<(f64, usize)> = &mut nearest[first + to * axis.stride];
                if here.is_none_or(|known| candidate < known) {
                    *here = Some(candidate);
                }
            }
        }
    }
    nearest
}

/// Returns the distance of two points: the sum over the axes of sizes of |log2| of the ratio of the sizes. There is none between
/// different labels.
fn distance(domain: &Domain, here: &[u64], there: &[u64]) -> Option<f64> {
    let on_axis = |(axis, (&here, &there)): (&Axis, (&u64, &u64))| match axis.values() {
        Some(_) => Some((log2(here) - log2(there)).abs()),
        None => (here == there).then_some(0.0),
    };
    domain.axes().iter().zip(here.iter().zip(there)).map(on_axis).sum()
}

/// A direction along an axis.
struct Direction {
    /// The distance of neighbours in the grid.
    stride: usize,
    /// The logarithms of the sizes.
    places: Vec<f64>,
    cells: usize,
}

impl Direction {
    /// Returns the first cell of each line along the axis.
    fn firsts(&self) -> impl Iterator<Item = usize> + use<> {
        let (stride, length) = (self.stride, self.places.len());
        (0..self.cells).filter(move |cell| (cell / stride).is_multiple_of(length))
    }
}

/// Returns the direction along each axis of sizes. Labels have no distance, so nothing is taken from another label.
fn directions(domain: &Domain) -> impl Iterator<Item = Direction> {
    let shape = domain.shape();
    let has_sizes = |axis: &usize| domain.axes()[*axis].values().is_some();
    (0..shape.len()).filter(has_sizes).map(move |axis| {
        let stride: usize = shape[axis + 1..].iter().product();
        let places = (0..shape[axis]).map(|sample| log2(domain.sizes(sample * stride)[axis])).collect();
        Direction { stride, places, cells: domain.cells() }
    })
}

/// Returns the logarithm of a size, or 0 for size 0, like for 1.
fn log2(size: u64) -> f64 {
    (size.max(1) as f64).log2()
}

#[cfg(test)]
mod tests {
    use qtdec_core::{Axis, Method, Requirement};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    fn domain() -> Domain {
        let axes = vec![Axis::new("comm_size", [2, 4, 16]), Axis::new("msg_size", [1, 8, 64])];
        Domain::new(None, axes, vec![Method::new("a")]).unwrap()
    }

    #[test]
    fn the_nearest_by_ratio_not_by_difference() {
        let domain = domain();
        let method = domain.method_indexes().next();
        let (mut cells, mut notes) = (vec![None; 9], Notes::default());
        cells[0] = method;
        Gaps::Nearest.fill(&domain, &mut cells, &mut notes);
        assert_eq!(cells, [method; 9]);
        assert_eq!(
            notes.lines().collect::<Vec<_>>(),
            ["an empty cell was given the method of the nearest one (8 times)"]
        );
    }

    #[test]
    fn times_that_follow_a_power_law_are_found_again() {
        let domain = domain();
        let law = |cell: usize| {
            let sizes = domain.sizes(cell);
            3.0 * (sizes[0] as f64).powf(0.5) * (sizes[1] as f64).powf(0.25)
        };
        let mut values: Vec<Option<f64>> = (0..9).map(|cell| Some(law(cell))).collect();
        // The middle has neighbours on both axes, the second of the first row on one, the corner on none.
        for cell in [1, 4, 8] {
            values[cell] = None;
        }
        Gaps::Interpolate.interpolate(&domain, &mut values, &mut Notes::default());
        assert!((values[4].unwrap() - law(4)).abs() < 1e-9 && (values[1].unwrap() - law(1)).abs() < 1e-9);
        assert_eq!(values[8], None);
    }

    /// Both treatments, computed cell by cell from their definitions.
    #[test]
    fn walks_along_the_axes_find_what_looking_everywhere_finds() {
        let mut chance = Pcg64::seed_from_u64(7);
        for _ in 0..60 {
            let axes = ["comm_size", "msg_size", "ppn"].map(|name| {
                let mut sizes: Vec<u64> =
                    (0..chance.random_range(1..6)).map(|_| chance.random_range(0..40)).collect();
                sizes.sort_unstable();
                sizes.dedup();
                Axis::new(name, sizes)
            });
            let mut methods = vec![Method::new("a"), Method::new("b")];
            methods[1].requires = vec![Requirement::PowerOfTwo];
            let domain = Domain::new(None, axes.into(), methods).unwrap();
            let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
            let place = |cell: usize| domain.sizes(cell).into_iter().map(log2).collect::<Vec<f64>>();
            let mut method = |cell: usize| {
                let method = indexes[chance.random_range(0..2)];
                (chance.random_range(0..3) == 0 && domain.may_run(method, &domain.sizes(cell)))
                    .then_some(method)
            };
            let measured: Vec<Option<MethodIndex>> = (0..domain.cells()).map(&mut method).collect();
            let mut filled = measured.clone();
            Gaps::Nearest.fill(&domain, &mut filled, &mut Notes::default());
            for (cell, method) in filled.into_iter().enumerate() {
                let away = |other: usize| {
                    place(other).iter().zip(place(cell)).map(|(a, b)| (a - b).abs()).sum::<f64>()
                };
                let sizes = domain.sizes(cell);
                let running = (0..measured.len())
                    .filter(|&other| measured[other].is_some_and(|method| domain.may_run(method, &sizes)));
                let least = running.clone().map(away).min_by(f64::total_cmp);
                let as_near = |&other: &usize| away(other) <= least.unwrap_or(0.0) + 1e-9;
                let known = measured[cell].is_some();
                let allowed: Vec<_> = running.filter(as_near).map(|other| measured[other]).collect();
                match method {
                    Some(_) if known => assert_eq!(method, measured[cell]),
                    Some(_) => assert!(allowed.contains(&method)),
                    None => assert!(allowed.is_empty()),
                }
            }

            let costs: Vec<Option<f64>> = (0..2 * domain.cells())
                .map(|_| (chance.random_range(0..2) == 0).then(|| chance.random_range(1.0..9.0)))
                .collect();
            let mut filled = costs.clone();
            Gaps::Interpolate.interpolate(&domain, &mut filled, &mut Notes::default());
            for (position, cost) in filled.into_iter().enumerate() {
                let (cell, method) = (position / 2, position % 2);
                let between = |axis: usize| {
                    let on_line = (0..domain.cells()).filter(|&other| {
                        let differs = |known: usize| domain.sizes(other)[known] != domain.sizes(cell)[known];
                        (0..3).all(|known| known == axis || !differs(known))
                    });
                    let known = on_line
                        .filter_map(|other| Some((place(other)[axis], costs[2 * other + method]?.ln())));
                    let here = place(cell)[axis];
                    let left = known
                        .clone()
                        .filter(|(place, _)| *place < here)
                        .max_by(|(a, _), (b, _)| a.total_cmp(b))?;
                    let right =
                        known.filter(|(place, _)| *place > here).min_by(|(a, _), (b, _)| a.total_cmp(b))?;
                    Some(left.1 + (here - left.0) / (right.0 - left.0) * (right.1 - left.1))
                };
                let along: Vec<f64> = (0..3).filter_map(between).collect();
                let mean =
                    (!along.is_empty()).then(|| (along.iter().sum::<f64>() / along.len() as f64).exp());
                let expected = costs[position].or(mean);
                assert_eq!(cost.is_some(), expected.is_some());
                assert!(cost.zip(expected).is_none_or(|(a, b)| (a - b).abs() < 1e-9 * b));
            }
        }
    }
}
