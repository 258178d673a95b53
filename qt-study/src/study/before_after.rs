//! Verification of a deployment: comparison of times before and after, by launches and point by point.

use std::collections::{BTreeMap, BTreeSet};

use qtdec_core::{Method, Place, Problem};

use super::change::Change;
use super::holm;
use super::launch_times::LaunchTimes;
use super::pairs::Pairs;
use super::sides::Sides;
use crate::measurements::{Measurements, Statistic};
use crate::selection::{least_rank_sum_p_value, rank_sum_p_value};

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
    /// The two-sided p-value of the rank-sum test of the launches' medians, corrected by Holm's method for all points, or `None` if
    /// there is nothing to test.
    pub p: Option<f64>,
    /// Whether the library's own choice was kept here.
    pub is_kept: bool,
    /// The numbers of launches before and after.
    pub launches: [usize; 2],
    /// The fastest repeat after divided by the slowest one before.
    least_ratio: f64,
}

/// A function that returns whether the library's own choice was kept at a point, given its sizes.
pub type IsKept<'c> = dyn Fn(&[u64]) -> bool + 'c;

/// Numbers of launches with which no difference at a point, however large, can be significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFewLaunches {
    /// The numbers of launches before and after, at the point where they allow the least p-value.
    pub launches: [usize; 2],
    /// The number of points that are tested.
    pub points: usize,
    /// The least number of launches, before as well as after, with which a difference at one point can be significant.
    pub needed: usize,
}

/// The comparison of times before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// Every point that was measured before and after.
    pub pairs: Vec<Pair>,
    /// The number of points that were measured only before, and only after.
    pub unpaired: [u64; 2],
    /// The change over all points.
    pub time: Change,
    /// The change over the points where the default was kept, if they are known.
    pub kept: Option<Change>,
    /// The change over the other points, if they are known.
    pub changed: Option<Change>,
    /// The numbers of launches, if they are too small for any test of a single point.
    pub too_few: Option<TooFewLaunches>,
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
        !self.is_slower() && self.least_ratio > SUSPICIOUS_RATIO
    }

    fn is_significant(&self) -> bool {
        self.p.is_some_and(|p| p < LEVEL)
    }
}

impl Verification {
    /// Compares measurements of one method each, within pairs of launches if there are any, else as sides; `is_kept` returns where the library's own choice was kept, if that is known.
    ///
    /// # Errors
    ///
    /// Fails if there are several methods, no repeats, different axes, or no common point.
    pub fn new(
        before: &Measurements,
        after: &Measurements,
        of_pairs: Option<&Pairs>,
        sides: Sides,
        is_kept: Option<&IsKept<'_>>,
    ) -> Result<Self, Problem> {
        let [old, new] = [before, after]
            .map(|times| times.axes().iter().map(|axis| axis.name.clone()).collect::<Vec<_>>().join(", "));
        if old != new {
            let message = format!("the axes of the times before are {old}, those of the times after {new}");
            return Err(Problem::new(Place::File, message).help("measure both on the same axes"));
        }
        let (old, new) = (points(before, "before")?, points(after, "after")?);
        let alone = |one: &BTreeMap<_, _>, other: &BTreeMap<_, _>| {
            one.keys().filter(|sizes| !other.contains_key(*sizes)).count() as u64
        };
        let unpaired = [alone(&old, &new), alone(&new, &old)];
        let times = [before, after].map(|side| LaunchTimes::new(side, 0));
        let mut pairs: Vec<Pair> = old
            .iter()
            .filter_map(|(sizes, old)| Some((sizes, old, new.get(sizes)?)))
            .map(|(sizes, old, new)| {
                let median = |times: &[f64]| Statistic::Median.of_sorted(times).unwrap_or(f64::NAN);
                let [before, after] = times.each_ref().map(|times| times.at(sizes));
                Pair {
                    sizes: sizes.clone(),
                    medians: [median(old), median(new)],
                    p: rank_sum_p_value(&before, &after),
                    is_kept: is_kept.is_some_and(|is_kept| is_kept(sizes)),
                    launches: [before.len(), after.len()],
                    least_ratio: new[0] / old[old.len() - 1],
                }
            })
            .collect();
        correct(&mut pairs);
        let [before, after] = &times;
        let within = of_pairs.map(|pairs| pairs.with(after).over(before));
        let change = |is_in: &dyn Fn(&&Pair) -> bool| {
            let points = pairs.iter().filter(is_in).map(|pair| pair.sizes.clone()).collect();
            match &within {
                Some(within) => Change::from_pairs(within, &points),
                None => Change::new(before, after, sides, &points),
            }
        };
        let Some(time) = change(&|_| true) else {
            return Err(Problem::new(Place::File, "no point was measured both before and after")
                .help("measure the same sizes again"));
        };
        let (kept, changed) = match is_kept {
            Some(_) => (change(&|pair| pair.is_kept), change(&|pair| !pair.is_kept)),
            None => (None, None),
        };
        let too_few = too_few(&pairs);
        Ok(Self { pairs, unpaired, time, kept, changed, too_few })
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
    let found = measurements.labels().position(|known| known == label);
    let own = measurements.all_series().filter(|(_, method, _)| Some(*method) == found);
    for (sizes, _, series) in own {
        let method = part.method(Method::new(label));
        *part.series_mut(sizes, method) = series.clone();
    }
    part
}

/// Returns the times of all repeats at each point, in increasing order.
fn points(measurements: &Measurements, when: &str) -> Result<BTreeMap<Vec<u64>, Vec<f64>>, Problem> {
    let methods: Vec<String> = measurements.labels().collect();
    if methods.len() > 1 {
        let message = format!("the times {when} have {} methods: {}", methods.len(), methods.join(", "));
        return Err(Problem::new(Place::File, message).help(
            "a deployment has the times of a single method: select its rows with qtdec read --where, or name the \
                 default with --baseline",
        ));
    }
    let mut points = BTreeMap::new();
    for (sizes, _, series) in measurements.all_series() {
        if series.repeats().is_empty() {
            return Err(Problem::new(Place::File, format!("the times {when} are statistics, not repeats"))
                .help("use files with a time for each repeat"));
        }
        points.insert(sizes.to_vec(), series.sorted());
    }
    Ok(points)
}

/// Corrects the p-values for the number of points that are tested.
fn correct(pairs: &mut [Pair]) {
    let mut tested: Vec<&mut f64> = pairs.iter_mut().filter_map(|pair| pair.p.as_mut()).collect();
    let corrected = holm::corrected(&tested.iter().map(|p| **p).collect::<Vec<_>>());
    for (p, corrected) in tested.iter_mut().zip(corrected) {
        **p = corrected;
    }
}

/// Returns the numbers of launches if no point can become significant: Holm's correction multiplies the least p-value by the number
/// of tests, and the other p-values do not become smaller than that.
fn too_few(pairs: &[Pair]) -> Option<TooFewLaunches> {
    // Equal times allow smaller p-values than different ones.
    if pairs.iter().any(Pair::is_significant) {
        return None;
    }
    let tested = pairs.iter().filter(|pair| pair.p.is_some());
    let numbers: Vec<[usize; 2]> = tested.map(|pair| pair.launches).collect();
    let points = numbers.len();
    let corrected = |[before, after]: [usize; 2]| least_rank_sum_p_value(before, after) * points as f64;
    let distinct: BTreeSet<[usize; 2]> = numbers.into_iter().collect();
    let launches = distinct.into_iter().min_by(|a, b| corrected(*a).total_cmp(&corrected(*b)))?;
    // A hundred launches are enough for 10^30 points.
    let needed = (1..=100).find(|&number| corrected([number, number]) < LEVEL)?;
    (corrected(launches) >= LEVEL).then_some(TooFewLaunches { launches, points, needed })
}
