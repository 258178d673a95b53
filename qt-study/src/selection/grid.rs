//! Times at sizes that no file has, interpolated between measured neighbours, and their errors.

use qtdec_core::{Axis, DecisionMap, Domain, Place, Problem, Samples};

use super::gaps::Gaps;
use crate::notes::Notes;

/// Sizes that are added to an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridSizes {
    /// The name of the axis.
    pub axis: String,
    /// The sizes, increasing; measured sizes may be among them.
    pub sizes: Vec<u64>,
}

/// The error of interpolated times: every other size of an axis is removed and interpolated from its neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridError {
    /// The number of removed cells.
    pub cells: u64,
    /// The median over cells and methods of |ln(t\[interpolated\] / t\[measured\])|, in points of 100 · ln.
    pub times: f64,
    /// The cost of choices based on interpolated times: 100 · mean ln(t\[chosen\] / t\[best\]).
    pub interpolated: f64,
    /// The cost of the choices at the next smaller sample, which a map without the size would use.
    pub floor: f64,
}

/// Returns the axes with these sizes added, which lie in the measured ranges.
pub(super) fn extended(mut axes: Vec<Axis>, grid: &[GridSizes]) -> Result<Vec<Axis>, Problem> {
    for GridSizes { axis: name, sizes } in grid {
        let names: Vec<String> = axes.iter().map(|axis| axis.name.clone()).collect();
        let axis = axes.iter_mut().find(|axis| axis.name == *name);
        let Some(Samples::Values(values)) = axis.map(|axis| &mut axis.samples) else {
            return Err(Problem::new(Place::File, format!("there is no axis `{name}` of sizes"))
                .help(format!("the axes are {}", names.join(", "))));
        };
        let (first, last) = (values[0], values[values.len() - 1]);
        if let Some(beyond) = sizes.iter().find(|size| !(first..=last).contains(size)) {
            let message = format!("{name} {beyond} is outside the measured range, {first} to {last}");
            return Err(Problem::new(Place::File, message).help(
                "times are only interpolated between measured sizes: measure there, or remove the size",
            ));
        }
        values.extend(sizes);
        values.sort_unstable();
        values.dedup();
    }
    Ok(axes)
}

/// Fills in the times at added sizes, linearly between the logarithms of size and time, axis after axis. Cells of measured
/// sizes that lack times are left to [`Gaps`].
pub(super) fn fill(domain: &Domain, measured: &[Axis], values: &mut [Option<f64>]) {
    let methods = values.len() / domain.cells();
    let known = |axis: usize, size: u64| measured[axis].values().is_none_or(|sizes| sizes.contains(&size));
    let is_added: Vec<bool> = (0..domain.cells())
        .map(|cell| domain.sizes(cell).iter().enumerate().any(|(axis, size)| !known(axis, *size)))
        .collect();
    // A size that is new on several axes has neighbours once one of them is filled.
    for _ in 0..measured.len() {
        let mut all = values.to_vec();
        Gaps::Interpolate.interpolate(domain, &mut all, &mut Notes::default());
        for (position, value) in all.into_iter().enumerate() {
            if is_added[position / methods] {
                values[position] = value;
            }
        }
    }
}

/// Returns the error of interpolation along an axis at the sizes of a map, or `None` for fewer than three sizes.
pub fn grid_error(map: &DecisionMap, axis: &str) -> Option<GridError> {
    let (costs, domain) = (map.costs()?, map.domain());
    let axis = domain.find_axis(axis)?;
    let values = domain.axes()[axis].values()?;
    let stride: usize = domain.shape()[axis + 1..].iter().product();
    let log = |size: u64| (size.max(1) as f64).ln();
    let (mut times, mut interpolated, mut floor) = (Vec::new(), Vec::new(), Vec::new());
    for cell in 0..map.cells().len() {
        let sample = cell / stride % values.len();
        let Some(best) = map.cells()[cell].and_then(|best| costs.get(cell, best)) else { continue };
        if sample.is_multiple_of(2) || sample + 1 == values.len() {
            continue;
        }
        let (below, above) = (cell - stride, cell + stride);
        let share = (log(values[sample]) - log(values[sample - 1]))
            / (log(values[sample + 1]) - log(values[sample - 1]));
        let sizes = domain.sizes(cell);
        let methods = map.candidates().into_iter().filter_map(|method| {
            let (below, above) = (costs.get(below, method)?, costs.get(above, method)?);
            let time = costs.get(cell, method).filter(|_| domain.may_run(method, &sizes))?;
            Some((below.ln() + share * (above.ln() - below.ln()), below, time))
        });
        let methods: Vec<(f64, f64, f64)> = methods.collect();
        let by = |key: fn(&(f64, f64, f64)) -> f64| {
            let chosen = methods.iter().min_by(|a, b| key(a).total_cmp(&key(b)))?;
            Some(100.0 * (chosen.2 / best).ln())
        };
        times.extend(methods.iter().map(|(log, _, time)| 100.0 * (log - time.ln()).abs()));
        interpolated.extend(by(|(log, ..)| *log));
        floor.extend(by(|(_, below, _)| *below));
    }
    times.sort_unstable_by(f64::total_cmp);
    let mean = |points: &[f64]| points.iter().sum::<f64>() / points.len() as f64;
    (!interpolated.is_empty()).then(|| GridError {
        cells: interpolated.len() as u64,
        times: times[times.len() / 2],
        interpolated: mean(&interpolated),
        floor: mean(&floor),
    })
}
