//! Cells without times.

use qtdec_core::{Domain, MethodIndex};

use crate::notes::Notes;

/// What becomes of cells without times; the papers' "missing data can be interpolated" (2006, section 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gaps {
    /// They stay empty.
    #[default]
    Empty,
    /// They take the method of the nearest cell whose method may run there, by the sum over the axes of |log2| of the ratio of the sizes.
    Nearest,
    /// Each method's times are interpolated between measured neighbours on an axis, linearly between the logarithms of
    /// size and time; the mean of the axes where several have neighbours on both sides.
    Interpolate,
}

impl Gaps {
    /// All of them, with the name each has in options.
    pub const ALL: [(&'static str, Self); 3] =
        [("empty", Self::Empty), ("nearest", Self::Nearest), ("interpolate", Self::Interpolate)];

    /// Fills empty cells from their nearest measured neighbours.
    pub(super) fn fill(self, domain: &Domain, cells: &mut [Option<MethodIndex>], notes: &mut Notes) {
        if self != Self::Nearest {
            return;
        }
        let place = |cell: usize| domain.sizes(cell).into_iter().map(log2).collect::<Vec<f64>>();
        let measured: Vec<(Vec<f64>, MethodIndex)> =
            (0..cells.len()).filter_map(|cell| Some((place(cell), cells[cell]?))).collect();
        let mut filled = 0;
        for (number, cell) in cells.iter_mut().enumerate().filter(|(_, cell)| cell.is_none()) {
            let here = place(number);
            let distance = |there: &[f64]| there.iter().zip(&here).map(|(a, b)| (a - b).abs()).sum::<f64>();
            let sizes = domain.sizes(number);
            let nearest = measured
                .iter()
                .filter(|(_, method)| domain.may_run(*method, &sizes))
                .min_by(|(a, _), (b, _)| distance(a).total_cmp(&distance(b)));
            *cell = nearest.map(|(_, method)| *method);
            filled += u64::from(cell.is_some());
        }
        notes.add_times("an empty cell was given the method of the nearest one", filled);
    }

    /// Interpolates missing costs; `values` holds one cost for each method within each cell.
    pub(super) fn interpolate(self, domain: &Domain, values: &mut [Option<f64>], notes: &mut Notes) {
        if self != Self::Interpolate {
            return;
        }
        let methods = values.len() / domain.cells();
        let measured = values.to_vec();
        let missing: Vec<usize> =
            (0..values.len()).filter(|&position| measured[position].is_none()).collect();
        let mut filled = 0;
        for position in missing {
            let (cell, method) = (position / methods, position % methods);
            let cost = |cell: usize| measured[cell * methods + method];
            let along: Vec<f64> =
                (0..domain.axes().len()).filter_map(|axis| between(domain, cell, axis, &cost)).collect();
            if !along.is_empty() {
                values[position] = Some((along.iter().sum::<f64>() / along.len() as f64).exp());
                filled += 1;
            }
        }
        notes.add_times("a missing time was interpolated", filled);
    }
}

/// The logarithm of a cost between the nearest measured cells on both sides along an axis.
fn between(domain: &Domain, cell: usize, axis: usize, cost: &impl Fn(usize) -> Option<f64>) -> Option<f64> {
    let shape = domain.shape();
    let stride: usize = shape[axis + 1..].iter().product();
    let sample = cell / stride % shape[axis];
    let at = |other: usize| cell - sample * stride + other * stride;
    let known = |other: usize| Some((log2(domain.sizes(at(other))[axis]), cost(at(other))?.ln()));
    let (left_size, left) = (0..sample).rev().find_map(known)?;
    let (right_size, right) = (sample + 1..shape[axis]).find_map(known)?;
    let share = (log2(domain.sizes(cell)[axis]) - left_size) / (right_size - left_size);
    Some(left + share * (right - left))
}

/// Of a size, with 0 where 1 is: there is no logarithm of 0.
fn log2(size: u64) -> f64 {
    (size.max(1) as f64).log2()
}

#[cfg(test)]
mod tests {
    use qtdec_core::{Axis, Method};

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
}
