//! Rates of the interval of what decisions cost at sizes that were not measured.
//!
//! A world has methods whose times are sums of a latency and a term that is proportional to the size, with waves of 10 % on top. It is
//! measured at powers of two, or at other sizes of the same ratio.

use std::f64::consts::TAU;
use std::iter;
use std::ops::RangeInclusive;

use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Document, Method, Options, Problems};
use qtdec_study::study::interval::Interval;
use qtdec_study::study::left_out::LeftOut;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::findings::Findings;
use super::noise::Noise;
use super::trials::rates;

/// The methods of a world.
const METHODS: usize = 4;

/// The sizes of each axis, and the standard deviations of the noise.
type Setting = (&'static [usize], &'static [f64]);

const SETTINGS: [Setting; 5] =
    [(&[6], &[0.0]), (&[12], &[0.0]), (&[24], &[0.0, 0.1]), (&[6, 6], &[0.0]), (&[8, 12], &[0.0, 0.02, 0.1])];

/// The least share of worlds in which decisions from all sizes cost no more than the upper end, in per cent, by borders. Borders where
/// methods cross follow the times, so that half of the sizes decide nearly as well as all of them.
const LEAST_ABOVE: [(Borders, f64); 2] = [(Borders::Floor, 97.5), (Borders::Crossing, 80.0)];

/// The most deviations of the noise in a setting.
const MOST_SIGMAS: usize = 3;

/// The positions between two neighbouring sizes at which a world is asked.
const PHASES: usize = 8;

/// The first size of every axis; the others are powers of two times as large.
const FIRST: f64 = 1024.0;

/// The times of methods at all sizes.
struct World {
    /// The logarithms to the base 2 of the latency and of the time per unit of size, the growth of both with the second axis, and the
    /// phases of the waves.
    methods: Vec<[f64; 6]>,
}

impl World {
    /// Creates a world whose last axis has sizes up to this logarithm.
    fn new(span: f64, methods: usize, chance: &mut Pcg64) -> Self {
        let mut method = || {
            // The more a method takes at once, the less it takes for each unit, so that each is the best one somewhere.
            let share = chance.random_range(0.0..span / 2.0);
            let slope = chance.random_range(-0.5..0.5) - share;
            let mut from = |end: f64| chance.random_range(0.0..end);
            [share, slope, from(1.0), from(1.0), from(TAU), from(TAU)]
        };
        Self { methods: (0..methods).map(|_| method()).collect() }
    }

    /// Returns the time of a method at the logarithms of the sizes.
    fn time(&self, method: usize, place: &[f64]) -> f64 {
        let [latency, slope, of_latency, of_slope, ..] = self.methods[method];
        let (size, other) = (place[place.len() - 1], if place.len() > 1 { place[0] } else { 0.0 });
        let sum = libm::exp2(latency + of_latency * other) + libm::exp2(slope + of_slope * other + size);
        let waves: f64 =
            place.iter().zip(&self.methods[method][4..]).map(|(at, phase)| libm::sin(2.0 * at + phase)).sum();
        sum * libm::exp(0.1 * waves)
    }

    /// Returns the map of times at a phase of all axes.
    fn map(&self, lens: &[usize], phase: f64, mut noise: impl FnMut() -> f64) -> DecisionMap {
        let axes: Vec<Axis> = lens
            .iter()
            .enumerate()
            .map(|(axis, &len)| {
                Axis::new(
                    format!("axis{axis}"),
                    (0..len).map(|at| size(at as f64 + phase)).collect::<Vec<_>>(),
                )
            })
            .collect();
        let methods = (0..self.methods.len()).map(|method| Method::new(format!("method{method}"))).collect();
        let cost = |point: &[u64], method: qtdec_core::MethodIndex| {
            let place: Vec<f64> = point.iter().map(|&size| libm::log2(size as f64 / FIRST)).collect();
            self.time(method.get(), &place) * noise()
        };
        DecisionMap::from_costs(axes, methods, cost).expect("the sizes increase")
    }
}

/// The times of a world at all sizes between the first and the last one of each axis.
struct Truth {
    /// The sizes of each axis.
    sizes: Vec<Vec<u64>>,
    /// For each point, row-major, the times of all methods.
    times: Vec<f64>,
    methods: usize,
}

impl Truth {
    fn new(world: &World, lens: &[usize]) -> Self {
        let places: Vec<Vec<f64>> = lens
            .iter()
            .map(|len| (0..=(len - 1) * PHASES).map(|step| step as f64 / PHASES as f64).collect())
            .collect();
        let methods = world.methods.len();
        let points = points(&places);
        let times = points.flat_map(|place| (0..methods).map(move |method| world.time(method, &place)));
        let times = times.collect();
        let sizes = places.iter().map(|places| places.iter().map(|&place| size(place)).collect()).collect();
        Self { sizes, times, methods }
    }

    /// Returns the logarithm of what the decisions of a tree cost, in the mean of all points.
    fn excess(&self, tree: &DecisionTree) -> f64 {
        let times = self.times.chunks_exact(self.methods);
        let logs = points(&self.sizes).zip(times).map(|(sizes, times)| {
            let chosen = tree.decide(&sizes).expect("it has a decision");
            libm::log(times[chosen.get()] / times.iter().copied().fold(f64::INFINITY, f64::min))
        });
        logs.sum::<f64>() / (self.times.len() / self.methods) as f64
    }
}

/// Returns the points of a grid of some values for each axis, row-major.
fn points<V: Copy>(axes: &[Vec<V>]) -> impl Iterator<Item = Vec<V>> {
    let lens: Vec<usize> = axes.iter().map(Vec::len).collect();
    (0..lens.iter().product()).map(move |point| {
        let mut rest = point;
        let mut values: Vec<V> = axes.iter().map(|values| values[0]).collect();
        for ((value, values), len) in values.iter_mut().zip(axes).zip(&lens).rev() {
            *value = values[rest % len];
            rest /= len;
        }
        values
    })
}

/// Returns the size whose logarithm to the base 2, relative to the first one, is given.
fn size(place: f64) -> u64 {
    (FIRST * libm::exp2(place)).round() as u64
}

fn tree(map: &DecisionMap, borders: Borders) -> Result<DecisionTree, Problems> {
    Options::parse(&[("borders", borders.name())])?.tree(Document::Map(map.clone()))
}

fn left_out(map: &DecisionMap) -> LeftOut<'_> {
    LeftOut::new(map).expect("every axis has four sizes")
}

fn excess(left_out: &LeftOut<'_>, borders: Borders) -> f64 {
    left_out.excess(|rest| tree(rest, borders)).expect("every axis has four sizes")
}

fn interval(left_out: &LeftOut<'_>, borders: Borders) -> Interval {
    left_out.figure(|rest| tree(rest, borders)).expect("every axis has four sizes").excess
}

/// What is asked of an interval: whether it holds what decisions from half of the sizes cost at the others in the mean of all phases,
/// whether its upper end is above that, and whether it is above what decisions from all sizes cost at the sizes between.
type Answers = [bool; 3];

/// Returns the answers for each kind of borders and each deviation of the noise.
fn trial((lens, sigmas): Setting, seed: u64) -> [[Answers; MOST_SIGMAS]; LEAST_ABOVE.len()] {
    let world = World::new(lens[lens.len() - 1] as f64, METHODS, &mut Pcg64::seed_from_u64(seed));
    let truth = Truth::new(&world, lens);
    let phases: Vec<DecisionMap> =
        (0..PHASES).map(|phase| world.map(lens, phase as f64 / PHASES as f64, || 1.0)).collect();
    let measured = sigmas.iter().map(|sigma| {
        let mut noise = Noise::from_seed(seed);
        world.map(lens, 0.0, || libm::exp(noise.normal(*sigma)))
    });
    let measured: Vec<DecisionMap> = measured.collect();
    // Both borders leave the same sizes out.
    let without = phases.iter().map(left_out).collect::<Vec<_>>();
    // Without noise, the map is that of the first phase.
    let noisy = sigmas.iter().zip(&measured).map(|(sigma, map)| (*sigma > 0.0).then(|| left_out(map)));
    let noisy: Vec<Option<LeftOut<'_>>> = noisy.collect();
    LEAST_ABOVE.map(|(borders, _)| {
        let first = interval(&without[0], borders);
        let means = iter::once(first.mean).chain(without[1..].iter().map(|rests| excess(rests, borders)));
        let logs = means.map(|mean| libm::log1p(mean / 100.0));
        let half = percent(logs.sum::<f64>() / PHASES as f64);
        let mut answers = [[false; 3]; MOST_SIGMAS];
        for ((answer, map), noisy) in answers.iter_mut().zip(&measured).zip(&noisy) {
            let found = noisy.as_ref().map_or(first, |rests| interval(rests, borders));
            let own = percent(truth.excess(&tree(map, borders).expect("a quadtree needs nothing")));
            *answer = [(found.low..=found.high).contains(&half), half <= found.high, own <= found.high];
        }
        answers
    })
}

fn percent(log: f64) -> f64 {
    100.0 * libm::expm1(log)
}

/// Returns the table of the interval's rates.
pub(super) fn of_intervals(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| borders | sizes | methods | noise | in the interval | below its upper end | the map itself below it |\n|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let found = SETTINGS.map(|setting| {
        rates::<{ LEAST_ABOVE.len() * MOST_SIGMAS * 3 }>(seeds.clone(), |seed| {
            let answers = trial(setting, seed);
            std::array::from_fn(|at| answers.as_flattened().as_flattened()[at])
        })
    });
    for (number, (borders, least)) in LEAST_ABOVE.into_iter().enumerate() {
        for ((lens, sigmas), found) in SETTINGS.iter().zip(&found) {
            let sizes = lens.iter().map(ToString::to_string).collect::<Vec<_>>().join(" × ");
            let borders = borders.name();
            let shares = &found.as_chunks::<3>().0[number * MOST_SIGMAS..];
            for (sigma, [inside, below, own]) in sigmas.iter().zip(shares) {
                findings.add(
                    format!("| `{borders}` | {sizes} | {METHODS} | {sigma} | {inside:.1} % | {below:.1} % | {own:.1} % |"),
                    *own >= least,
                );
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With forty trials, more than one above the upper end would contradict the rate.
    #[test]
    fn few_trials_agree_with_the_rates() {
        let [own] = rates(1..=40, |seed| [trial(SETTINGS[1], seed)[0][0][2]]);
        assert!(own >= 97.5, "{own} %");
    }

    /// The excess is that of the tree: none for the best choices, and that of a single method by hand.
    #[test]
    fn costs_are_those_between_the_sizes() {
        let world = World::new(12.0, METHODS, &mut Pcg64::seed_from_u64(5));
        let truth = Truth::new(&world, &[12]);
        let fine: Vec<u64> = (0..=11 * PHASES).map(|at| size(at as f64 / PHASES as f64)).collect();
        let map_of = |sizes: Vec<u64>, is_known: &dyn Fn(usize) -> bool| {
            let methods = (0..4).map(|method| Method::new(format!("method{method}"))).collect();
            DecisionMap::from_costs(vec![Axis::new("axis0", sizes)], methods, |point, method| {
                let place = libm::log2(point[0] as f64 / FIRST);
                is_known(method.get()).then(|| world.time(method.get(), &[place]))
            })
            .unwrap()
        };
        let all = tree(&map_of(fine.clone(), &|_| true), Borders::Floor).unwrap();
        assert!(truth.excess(&all) < 1e-3, "{}", truth.excess(&all));
        let one = tree(&map_of(fine, &|method| method == 2), Borders::Floor).unwrap();
        let by_hand: f64 = (0..=88)
            .map(|at| {
                let time = |method| world.time(method, &[f64::from(at) / 8.0]);
                (time(2) / (0..4).map(time).fold(f64::INFINITY, f64::min)).ln()
            })
            .sum();
        assert!((truth.excess(&one) - by_hand / 89.0).abs() < 1e-9);
    }
}
