//! Rates of the interval of what decisions cost at sizes that were not measured.
//!
//! A world has methods whose times are sums of a latency and a term that is proportional to the size, with waves of 10 % on top. It is
//! measured at powers of two, or at other sizes of the same ratio.

use std::f64::consts::TAU;
use std::ops::RangeInclusive;

use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Document, Method, Options, Problems};
use qtdec_study::study::left_out::LeftOut;
use qtdec_study::study::unmeasured::Unmeasured;
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
    fn new(lens: &[usize], methods: usize, chance: &mut Pcg64) -> Self {
        let span = lens[lens.len() - 1] as f64;
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

    /// Returns the logarithm of what the decisions of a tree cost at all sizes between the first and the last one of each axis.
    fn excess(&self, tree: &DecisionTree, lens: &[usize]) -> f64 {
        let steps: Vec<usize> = lens.iter().map(|len| (len - 1) * PHASES + 1).collect();
        let points: usize = steps.iter().product();
        let mut sum = 0.0;
        for point in 0..points {
            let mut rest = point;
            let mut place = vec![0.0; lens.len()];
            for (place, steps) in place.iter_mut().zip(&steps).rev() {
                *place = (rest % steps) as f64 / PHASES as f64;
                rest /= steps;
            }
            let chosen = tree
                .decide(&place.iter().map(|&at| size(at)).collect::<Vec<_>>())
                .expect("it has a decision");
            let best =
                (0..self.methods.len()).map(|method| self.time(method, &place)).fold(f64::INFINITY, f64::min);
            sum += libm::log(self.time(chosen.get(), &place) / best);
        }
        sum / points as f64
    }
}

/// Returns the size whose logarithm to the base 2, relative to the first one, is given.
fn size(place: f64) -> u64 {
    (FIRST * libm::exp2(place)).round() as u64
}

fn tree(map: &DecisionMap, borders: Borders) -> Result<DecisionTree, Problems> {
    Options::parse(&[("borders", borders.name())])?.tree(Document::Map(map.clone()))
}

fn figure(map: &DecisionMap, borders: Borders) -> Unmeasured {
    let figure = LeftOut::new(map).and_then(|left_out| left_out.figure(|rest| tree(rest, borders)));
    figure.expect("every axis has four sizes")
}

/// Returns, for each deviation of the noise, whether the interval holds what decisions from half of the sizes cost at the others in the
/// mean of all phases, whether its upper end is above that, and whether it is above what decisions from all sizes cost at the sizes
/// between.
fn trial((lens, sigmas): Setting, borders: Borders, seed: u64) -> [[bool; 3]; 3] {
    let mut chance = Pcg64::seed_from_u64(seed);
    let world = World::new(lens, METHODS, &mut chance);
    let of_phase = |phase: usize| {
        let excess = figure(&world.map(lens, phase as f64 / PHASES as f64, || 1.0), borders).excess.mean;
        libm::log1p(excess / 100.0)
    };
    let mean = (0..PHASES).map(of_phase).sum::<f64>() / PHASES as f64;
    let percent = |log: f64| 100.0 * libm::expm1(log);
    let half = percent(mean);
    let mut answers = [[false; 3]; 3];
    for (answer, sigma) in answers.iter_mut().zip(sigmas) {
        let mut noise = Noise::from_seed(seed);
        let measured = world.map(lens, 0.0, || libm::exp(noise.normal(*sigma)));
        let found = figure(&measured, borders).excess;
        let own = world.excess(&tree(&measured, borders).expect("a quadtree needs nothing"), lens);
        *answer = [(found.low..=found.high).contains(&half), half <= found.high, percent(own) <= found.high];
    }
    answers
}

/// Returns the table of the interval's rates.
pub(super) fn of_intervals(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| borders | sizes | methods | noise | in the interval | below its upper end | the map itself below it |\n|---|---:|---:|---:|---:|---:|---:|\n",
    );
    for (borders, least) in LEAST_ABOVE {
        for setting in SETTINGS {
            let found: [f64; 9] = rates(seeds.clone(), |seed| {
                let answers = trial(setting, borders, seed);
                std::array::from_fn(|at| answers[at / 3][at % 3])
            });
            let (lens, sigmas) = setting;
            let sizes = lens.iter().map(ToString::to_string).collect::<Vec<_>>().join(" × ");
            let borders = borders.name();
            for (sigma, shares) in sigmas.iter().zip(found.as_chunks::<3>().0) {
                let [inside, below, own] = shares;
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
        let [own] = rates(1..=40, |seed| [trial(SETTINGS[1], Borders::Floor, seed)[0][2]]);
        assert!(own >= 97.5, "{own} %");
    }

    /// The excess is that of the tree: none for the best choices, and that of a single method by hand.
    #[test]
    fn costs_are_those_between_the_sizes() {
        let world = World::new(&[12], METHODS, &mut Pcg64::seed_from_u64(5));
        let lens = [12];
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
        assert!(world.excess(&all, &lens) < 1e-3, "{}", world.excess(&all, &lens));
        let one = tree(&map_of(fine, &|method| method == 2), Borders::Floor).unwrap();
        let by_hand: f64 = (0..=88)
            .map(|at| {
                let time = |method| world.time(method, &[f64::from(at) / 8.0]);
                (time(2) / (0..4).map(time).fold(f64::INFINITY, f64::min)).ln()
            })
            .sum();
        assert!((world.excess(&one, &lens) - by_hand / 89.0).abs() < 1e-9);
    }
}
