//! A dense grid of fitted times.

use std::collections::HashMap;

use qtdec_core::{Axis, Place, Problem, Problems, Samples};

use super::density::{AxisSamples, samples};
use super::model::CostModel;
use super::preset::Terms;
use crate::measurements::{Measurements, Repeat, Series, Statistic};

/// Fitted times of all methods on a dense grid.
///
/// Where terms have steps, such as the border of a tile, the grid has a sample; where those are denser than a few per cent, or the
/// terms have none, the ratio of neighbours is the same everywhere. A sample stands for the sizes up to the next one, so its time is
/// the geometric mean of the times at several of them. Measured times take the place of fitted ones in their cell, unless
/// repeats that were left out show that the fit decides better.
#[derive(Clone, Debug)]
pub struct Filled {
    /// The axes, in the order of the measurements.
    pub axes: Vec<Axis>,
    /// The times, with cells in row-major order and one time for each method within a cell.
    pub times: Vec<f64>,
    /// The fitted methods.
    pub model: CostModel,
    /// The cells that hold measured times, increasing.
    pub measured: Vec<usize>,
    /// Whether measured times were left out, because the fit decides better on repeats that were left out.
    pub fit_wins: bool,
}

impl Filled {
    /// Fits the terms to the times of methods, by their numbers in the measurements, and fills the grid.
    ///
    /// # Errors
    ///
    /// Fails for everything that [`CostModel::fit`] refuses, for a grid with more than a few million times, and where a term has no
    /// value.
    pub fn new(
        terms: &Terms,
        measurements: &Measurements,
        statistic: Statistic,
        methods: &[usize],
    ) -> Result<Self, Problems> {
        let model = CostModel::fit(terms, measurements, statistic, methods)?;
        let measured: Vec<Axis> =
            (0..measurements.axes().len()).map(|axis| measurements.grid_axis(axis)).collect();
        let ranges = measured.iter().map(|axis| {
            let values = axis.values().unwrap_or_default();
            (values.first().copied().unwrap_or(1), values.last().copied().unwrap_or(1))
        });
        let grid = samples(&model, &ranges.collect::<Vec<_>>());
        let cells: usize = grid.iter().map(|axis| axis.sizes.len()).product();
        if cells * methods.len() > MOST_TIMES_AT_ALL {
            let message = format!("the terms need {cells} cells of {} methods each", methods.len());
            return Err(Problem::new(Place::File, message)
                .help(
                    "make a map for each size of an axis with --split-by, or exclude methods with --exclude",
                )
                .into());
        }
        let mut logarithms = Vec::with_capacity(cells * methods.len());
        for cell in 0..cells {
            let places = places(&grid, cell);
            for method in 0..methods.len() {
                let mut sum = 0.0;
                for place in &places {
                    sum += model.time(method, place)?.ln();
                }
                logarithms.push(sum / places.len() as f64);
            }
        }
        let fit_wins = fit_wins(terms, measurements, statistic, methods)?;
        let measured_cells = if fit_wins {
            Vec::new()
        } else {
            correct(&model, &grid, measurements, statistic, methods, &mut logarithms)?
        };
        let axes = measured.into_iter().zip(&grid);
        let axes = axes.map(|(axis, grid)| Axis { samples: Samples::Values(grid.sizes.clone()), ..axis });
        Ok(Self {
            axes: axes.collect(),
            times: logarithms.into_iter().map(|logarithm| rounded(logarithm.exp())).collect(),
            model,
            measured: measured_cells,
            fit_wins,
        })
    }

    /// The slowdown up to which fitted times count as equal, in per cent: no fit is that close, and trees that may choose among such
    /// methods are smaller.
    pub const TIES: f64 = 0.1;

    /// Returns whether a cell holds measured times.
    pub fn is_measured(&self, cell: usize) -> bool {
        self.measured.binary_search(&cell).is_ok()
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.times.len() / self.model.methods().len()
    }
}

/// The maximum number of times in a map; more could not be written.
const MOST_TIMES_AT_ALL: usize = 4_500_000;

/// Returns the points of a cell at which its time is taken.
fn places(grid: &[AxisSamples], cell: usize) -> Vec<Vec<u64>> {
    let mut places = vec![Vec::new()];
    let mut stride: usize = grid.iter().map(|axis| axis.sizes.len()).product();
    for axis in grid {
        stride /= axis.sizes.len();
        let of_axis = axis.places(cell / stride % axis.sizes.len());
        let with = |place: &Vec<u64>| {
            of_axis.iter().map(|size| [&place[..], &[*size]].concat()).collect::<Vec<Vec<u64>>>()
        };
        places = places.iter().flat_map(with).collect();
    }
    places
}

fn cell_of(grid: &[AxisSamples], sizes: &[u64]) -> usize {
    grid.iter().zip(sizes).fold(0, |cell, (axis, size)| {
        cell * axis.sizes.len() + axis.sizes.partition_point(|sample| sample <= size).saturating_sub(1)
    })
}

/// Multiplies the times of each cell in which a method was measured by measured / fitted there, the geometric mean of several points.
/// Returns such cells, increasing.
fn correct(
    model: &CostModel,
    grid: &[AxisSamples],
    measurements: &Measurements,
    statistic: Statistic,
    methods: &[usize],
    logarithms: &mut [f64],
) -> Result<Vec<usize>, Problem> {
    let mut factors: HashMap<usize, (f64, f64)> = HashMap::new();
    for (sizes, method, series) in measurements.all_series() {
        let Some(position) = methods.iter().position(|known| *known == method) else { continue };
        let Some(time) = series.get(statistic) else { continue };
        let factor = (time / model.time(position, sizes)?).ln();
        let (sum, count) = factors.entry(cell_of(grid, sizes) * methods.len() + position).or_default();
        (*sum, *count) = (*sum + factor, *count + 1.0);
    }
    let mut cells: Vec<usize> = factors.keys().map(|position| position / methods.len()).collect();
    for (position, (sum, count)) in factors {
        logarithms[position] += sum / count;
    }
    cells.sort_unstable();
    cells.dedup();
    Ok(cells)
}

/// Returns whether fitted times decide better than measured ones: both are made from the first half of the repeats of every method
/// and point, and judged by the other half. Without repeats, measured times count.
fn fit_wins(
    terms: &Terms,
    measurements: &Measurements,
    statistic: Statistic,
    methods: &[usize],
) -> Result<bool, Problems> {
    let mut first = measurements.without_times();
    let mut second = measurements.without_times();
    for (sizes, method, series) in measurements.all_series() {
        let Series::Repeats(repeats) = series else { return Ok(false) };
        if repeats.len() < 2 {
            return Ok(false);
        }
        let (one, other): (&[Repeat], &[Repeat]) = repeats.split_at(repeats.len() / 2);
        first.record_all(sizes, method, one.iter().copied());
        second.record_all(sizes, method, other.iter().copied());
    }
    let model = CostModel::fit(terms, &first, statistic, methods)?;
    let mut difference = 0.0;
    for (sizes, _) in second.sorted(statistic) {
        let time = |of: &Measurements, method: usize| of.series(sizes, method)?.get(statistic);
        let known: Vec<usize> = (0..methods.len())
            .filter(|&position| {
                time(&first, methods[position]).is_some() && time(&second, methods[position]).is_some()
            })
            .collect();
        let fitted = known.iter().map(|&position| model.time(position, sizes));
        let fitted = fitted.collect::<Result<Vec<f64>, Problem>>()?;
        let by_fit = known.iter().zip(&fitted).min_by(|one, other| one.1.total_cmp(other.1));
        let measured = |position: usize| time(&first, methods[position]).unwrap_or(f64::INFINITY);
        let by_measured = known.iter().min_by(|one, other| measured(**one).total_cmp(&measured(**other)));
        let judged = |position: &usize| time(&second, methods[*position]).map(f64::ln);
        if let (Some((fit, _)), Some(measured)) = (by_fit, by_measured) {
            difference += judged(fit).unwrap_or_default() - judged(measured).unwrap_or_default();
        }
    }
    Ok(difference < 0.0)
}

/// Returns a time with four digits: a fit has no more, and the file of a dense map stays short.
fn rounded(time: f64) -> f64 {
    format!("{time:.3e}").parse().unwrap_or(time)
}
