//! Verification of a deployment: comparison of times before and after, point by point.

use std::collections::{BTreeMap, BTreeSet};

use qtdec_core::{Place, Problem};

use super::interval::Interval;
use crate::measure::measurements::{MeasuredMethod, Measurements, Repeat, Statistic};
use crate::measure::selection::{least_rank_sum_p_value, rank_sum_p_value};

/// The significance level of the family of all tests.
const LEVEL: f64 = 0.05;

/// The ratio of the fastest time after to the slowest time before, above which a point is suspected of being slower.
pub const SUSPICIOUS_RATIO: f64 = 1.5;

/// Times before and after at one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The sizes.
    pub sizes: Vec<u64>,
    /// The medians before and after.
    pub medians: [f64; 2],
    /// The two-sided p-value of the rank-sum test, corrected by Holm's method for all points, or `None` if there is nothing to
    /// test.
    pub p: Option<f64>,
    /// Whether the library's own choice was kept here.
    pub is_control: bool,
    repeats: [Vec<Repeat>; 2],
}

/// A function that returns whether the library's own choice was kept at a point, given its sizes.
pub type IsControl<'c> = dyn Fn(&[u64]) -> bool + 'c;

/// The unit from which the interval is resampled.
///
/// The variants are complete: a time belongs to a launch and a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resampled {
    /// Launches of the program, before and after, so the interval includes variation between launches.
    Launches,
    /// Points: there is only one launch, so the interval excludes variation between launches.
    Points,
}

/// Numbers of repeats with which no difference at a point, however large, can be significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFewRepeats {
    /// The numbers of repeats before and after, at the point where they allow the least p-value.
    pub repeats: [usize; 2],
    /// The number of points that are tested.
    pub points: usize,
    /// The least number of repeats, before as well as after, with which a difference at one point can be significant.
    pub needed: usize,
}

/// The comparison of times before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// Every point that was measured before and after.
    pub pairs: Vec<Pair>,
    /// The number of points that were measured only before, and only after.
    pub unpaired: [u64; 2],
    /// The geometric mean of time after / time before, with its interval.
    pub ratio: Interval,
    /// The same ratio over the points where the default was kept: the drift of the machine.
    pub drift: Option<Interval>,
    /// The same ratio over the other points, if they are known.
    pub changed: Option<Interval>,
    /// The unit from which the intervals are resampled.
    pub resampled: Resampled,
    /// The numbers of repeats, if they are too small for any test of a single point.
    pub too_few: Option<TooFewRepeats>,
}

impl Pair {
    /// Returns the time after divided by the time before.
    pub fn ratio(&self) -> f64 {
        self.medians[1] / self.medians[0]
    }

    /// Returns whether the point became slower, beyond noise according to a test.
    pub fn is_slower(&self) -> bool {
        self.ratio() > 1.0 && self.is_significant()
    }

    /// Returns whether the point is suspected of being slower: the test does not find it, but even the fastest time after exceeds
    /// [`SUSPICIOUS_RATIO`] times the slowest time before.
    pub fn is_suspected(&self) -> bool {
        let [before, after] = self.repeats.each_ref().map(|repeats| repeats.iter().map(|repeat| repeat.time));
        let (slowest, fastest) = (before.fold(0.0, f64::max), after.fold(f64::INFINITY, f64::min));
        !self.is_slower() && fastest > SUSPICIOUS_RATIO * slowest
    }

    fn is_significant(&self) -> bool {
        self.p.is_some_and(|p| p < LEVEL)
    }
}

impl Verification {
    /// Compares measurements of one method each; `is_control` returns where the library's own choice was kept, if that is known.
    ///
    /// # Errors
    ///
    /// Fails if there are several methods, no repeats, different axes, or no common point.
    pub fn of(
        before: &Measurements,
        after: &Measurements,
        is_control: Option<&IsControl<'_>>,
    ) -> Result<Self, Problem> {
        let names = |measurements: &Measurements| {
            measurements.axes().iter().map(|axis| axis.name.clone()).collect::<Vec<_>>()
        };
        if names(before) != names(after) {
            return Err(Problem::new(
                Place::File,
                format!(
                    "the axes of the times before are {}, those of the times after {}",
                    names(before).join(", "),
                    names(after).join(", ")
                ),
            )
            .help("measure both on the same axes"));
        }
        let (before, after) = (points(before, "before")?, points(after, "after")?);
        let alone = |one: &BTreeMap<_, _>, other: &BTreeMap<_, _>| {
            one.keys().filter(|sizes| !other.contains_key(*sizes)).count() as u64
        };
        let unpaired = [alone(&before, &after), alone(&after, &before)];
        let mut pairs: Vec<Pair> = before
            .iter()
            .filter_map(|(sizes, old)| Some((sizes, old, after.get(sizes)?)))
            .map(|(sizes, old, new)| {
                let repeats = [old.clone(), new.clone()];
                let [old, new] = repeats.each_ref().map(|repeats| sorted(repeats));
                let median = |times: &[f64]| Statistic::Median.of_sorted(times).unwrap_or(f64::NAN);
                Pair {
                    sizes: sizes.clone(),
                    medians: [median(&old), median(&new)],
                    p: rank_sum_p_value(&old, &new),
                    is_control: is_control.is_some_and(|is_control| is_control(sizes)),
                    repeats,
                }
            })
            .collect();
        holm(&mut pairs);
        let resampled = resampling_unit(&pairs);
        let Some(ratio) = interval(&pairs.iter().collect::<Vec<_>>(), resampled) else {
            return Err(Problem::new(Place::File, "no point was measured both before and after")
                .help("measure the same sizes again"));
        };
        let part = |control: bool| {
            let part: Vec<&Pair> = pairs.iter().filter(|pair| pair.is_control == control).collect();
            interval(&part, resampled)
        };
        let (drift, changed) = match is_control {
            Some(_) => (part(true), part(false)),
            None => (None, None),
        };
        let too_few = too_few(&pairs);
        Ok(Self { pairs, unpaired, ratio, drift, changed, resampled, too_few })
    }

    /// Returns the points that became slower, beyond noise; the worst first.
    pub fn slower(&self) -> Vec<&Pair> {
        self.worst_first(Pair::is_slower)
    }

    /// Returns the points that are suspected of being slower; the worst first.
    pub fn suspected(&self) -> Vec<&Pair> {
        self.worst_first(Pair::is_suspected)
    }

    fn worst_first(&self, are: impl Fn(&Pair) -> bool) -> Vec<&Pair> {
        let mut pairs: Vec<&Pair> = self.pairs.iter().filter(|pair| are(pair)).collect();
        pairs.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
        pairs
    }
}

/// Returns only the times of the method with this label.
pub fn only(measurements: &Measurements, label: &str) -> Measurements {
    let mut part = measurements.without_methods();
    let found = measurements.methods().position(|method| method.label() == label);
    let own = measurements.all_series().filter(|(_, method, _)| Some(*method) == found);
    for (sizes, _, series) in own {
        let method = part.method(MeasuredMethod { name: label.to_owned(), segment_size: None });
        *part.series_mut(sizes, method) = series.clone();
    }
    part
}

fn sorted(repeats: &[Repeat]) -> Vec<f64> {
    let mut times: Vec<f64> = repeats.iter().map(|repeat| repeat.time).collect();
    times.sort_unstable_by(f64::total_cmp);
    times
}

/// Returns the repeats at each point.
fn points(measurements: &Measurements, when: &str) -> Result<BTreeMap<Vec<u64>, Vec<Repeat>>, Problem> {
    let methods: Vec<String> = measurements.methods().map(|method| method.label()).collect();
    if methods.len() > 1 {
        return Err(Problem::new(
            Place::File,
            format!("the times {when} have {} methods: {}", methods.len(), methods.join(", ")),
        )
        .help(
            "a deployment has the times of a single method: select its rows with --where, or name the \
                 default with --baseline",
        ));
    }
    let mut points = BTreeMap::new();
    for (sizes, _, series) in measurements.all_series() {
        if series.repeats().is_empty() {
            return Err(Problem::new(Place::File, format!("the times {when} are statistics, not repeats"))
                .help("use files with a time for each repeat"));
        }
        points.insert(sizes.to_vec(), series.repeats().to_vec());
    }
    Ok(points)
}

/// Applies Holm's correction (Scandinavian Journal of Statistics 6, 1979): p-values in increasing order, each times the number of
/// those that are not smaller, and never smaller than the previous one.
fn holm(pairs: &mut [Pair]) {
    let mut tested: Vec<(f64, usize)> =
        pairs.iter().enumerate().filter_map(|(at, pair)| Some((pair.p?, at))).collect();
    tested.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut greatest = 0.0_f64;
    for (rank, (p, at)) in tested.iter().enumerate() {
        greatest = greatest.max(p * (tested.len() - rank) as f64).min(1.0);
        pairs[*at].p = Some(greatest);
    }
}

/// Returns the numbers of repeats if no point can become significant: Holm's correction multiplies the least p-value by the number
/// of tests, and the other p-values do not become smaller than that.
fn too_few(pairs: &[Pair]) -> Option<TooFewRepeats> {
    // Equal times allow smaller p-values than different ones.
    if pairs.iter().any(Pair::is_significant) {
        return None;
    }
    let tested = pairs.iter().filter(|pair| pair.p.is_some());
    let numbers: Vec<[usize; 2]> = tested.map(|pair| pair.repeats.each_ref().map(Vec::len)).collect();
    let points = numbers.len();
    let corrected = |[before, after]: [usize; 2]| least_rank_sum_p_value(before, after) * points as f64;
    let distinct: BTreeSet<[usize; 2]> = numbers.into_iter().collect();
    let repeats = distinct.into_iter().min_by(|a, b| corrected(*a).total_cmp(&corrected(*b)))?;
    // A hundred repeats are enough for 10^30 points.
    let needed = (1..=100).find(|&number| corrected([number, number]) < LEVEL)?;
    (corrected(repeats) >= LEVEL).then_some(TooFewRepeats { repeats, points, needed })
}

/// Returns launches if there are several both before and after, otherwise points.
fn resampling_unit(pairs: &[Pair]) -> Resampled {
    let [before, after] = [0, 1].map(|side| launches(pairs.iter(), side).len());
    if before > 1 && after > 1 { Resampled::Launches } else { Resampled::Points }
}

/// Returns the launches. A launch is a run of a file, or the file if it names no runs.
fn launches<'p>(pairs: impl Iterator<Item = &'p Pair>, side: usize) -> Vec<(u32, u16)> {
    let mut launches: Vec<(u32, u16)> =
        pairs.flat_map(|pair| pair.repeats[side].iter().map(|repeat| (repeat.file, repeat.run))).collect();
    launches.sort_unstable();
    launches.dedup();
    launches
}

/// Returns the geometric mean of the ratios with its interval, or `None` if there are no pairs.
fn interval(pairs: &[&Pair], resampled: Resampled) -> Option<Interval> {
    let mean = |logs: &[f64]| (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    let logs: Vec<f64> = pairs.iter().map(|pair| pair.ratio().ln()).collect();
    if resampled == Resampled::Points {
        return Interval::bootstrap(pairs.len(), |drawn| {
            mean(&drawn.iter().map(|&at| logs[at]).collect::<Vec<_>>())
        });
    }
    if pairs.is_empty() {
        return None;
    }
    // The mean logarithm of the medians of each launch's points, because launches are resampled as a whole.
    let of_launches = |side: usize| -> Vec<f64> {
        let of = |launch: (u32, u16)| {
            let medians: Vec<f64> = pairs
                .iter()
                .filter_map(|pair| {
                    let own = pair.repeats[side].iter().filter(|repeat| (repeat.file, repeat.run) == launch);
                    let times = sorted(&own.copied().collect::<Vec<_>>());
                    // Relative to all launches of the point, so that a launch that lacks points does not look fast.
                    Some((Statistic::Median.of_sorted(&times)? / pair.medians[side]).ln())
                })
                .collect();
            medians.iter().sum::<f64>() / medians.len() as f64
        };
        launches(pairs.iter().copied(), side).into_iter().map(of).collect()
    };
    let centre = mean(&logs);
    let sampled = Interval::of_difference(&of_launches(1), &of_launches(0))?;
    let around = |end: f64| centre * (end - sampled.mean).exp();
    Some(Interval { mean: centre, low: around(sampled.low), high: around(sampled.high) })
}
