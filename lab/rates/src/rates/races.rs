//! How often a race drops the best method, what that costs, and how many calls it saves.

use std::fmt;
use std::ops::RangeInclusive;

use qtdec_core::median;
use qtdec_core::racing::drop_slow;

use super::findings::Findings;
use super::noise::Noise;
use super::trials::rates;

/// The true times of the methods, the best one first. Races measure them in an order by chance.
const METHODS: [f64; 8] = [1.0, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 6.0];

/// The repeats of a method that is not dropped.
const ROUNDS: usize = 10;

/// The most that a race may cost in the mean, in points.
const MOST_LOST: f64 = 0.2;

/// The least share of calls that a race saves, in per cent.
const LEAST_SAVED: f64 = 35.0;

/// Where times come from. σ is the standard deviation of their logarithms.
#[derive(Clone, Copy)]
enum World {
    /// Logarithms are normal with this σ.
    Normal(f64),
    /// Logarithms are this multiple of Student's t with three degrees of freedom.
    HeavyTails(f64),
    /// 30 % of the calls of this many methods, the best ones, take this multiple; σ is 0.05.
    TwoGroups(usize, f64),
    /// One call in twenty takes ten times as long; σ is 0.05.
    Slow,
    /// The first call of each method takes three times as long; σ is 0.1.
    ColdMethods,
    /// The first call of all takes three times as long; σ is 0.1.
    ColdCell,
    /// Each round takes 1 % more than the one before; σ is 0.1.
    Drift,
}

/// The worlds, and the greatest share of races that may drop the best method, in per cent. Where times vary by 0.3, ten repeats do not
/// tell it from one that takes 5 % more.
const WORLDS: [(World, f64); 11] = [
    (World::Normal(0.1), 5.0),
    (World::Normal(0.3), 8.0),
    (World::HeavyTails(0.1), 5.0),
    (World::HeavyTails(0.3), 10.0),
    (World::TwoGroups(1, 3.0), 5.0),
    (World::TwoGroups(8, 3.0), 5.0),
    (World::TwoGroups(8, 2.0), 5.0),
    (World::Slow, 1.0),
    (World::ColdMethods, 5.0),
    (World::ColdCell, 5.0),
    (World::Drift, 5.0),
];

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Normal(sigma) => write!(f, "normal, σ {sigma}"),
            Self::HeavyTails(scale) => write!(f, "heavy tails, {scale} · t with 3 degrees of freedom"),
            Self::TwoGroups(1, factor) => write!(f, "30 % of the best method's calls × {factor}"),
            Self::TwoGroups(_, factor) => write!(f, "30 % of all calls × {factor}"),
            Self::Slow => f.write_str("one call in 20 × 10"),
            Self::ColdMethods => f.write_str("first call of each method × 3"),
            Self::ColdCell => f.write_str("first call of all × 3"),
            Self::Drift => f.write_str("1 % more in each round"),
        }
    }
}

impl World {
    /// Returns the factor of a time: of this method, in this round and turn.
    fn factor(self, noise: &mut Noise, method: usize, (round, turn): (usize, usize)) -> f64 {
        let normal = |noise: &mut Noise, sigma| libm::exp(noise.normal(sigma));
        match self {
            Self::Normal(sigma) => normal(noise, sigma),
            Self::HeavyTails(scale) => libm::exp(scale * student(noise)),
            Self::TwoGroups(methods, factor) => {
                let is_slow = noise.is_true(0.3) && method < methods;
                normal(noise, 0.05) * if is_slow { factor } else { 1.0 }
            }
            Self::Slow => normal(noise, 0.05) * if noise.is_true(0.05) { 10.0 } else { 1.0 },
            Self::ColdMethods => normal(noise, 0.1) * if round == 0 { 3.0 } else { 1.0 },
            Self::ColdCell => normal(noise, 0.1) * if (round, turn) == (0, 0) { 3.0 } else { 1.0 },
            Self::Drift => normal(noise, 0.1) * libm::pow(1.01, round as f64),
        }
    }
}

/// Returns a number of Student's distribution with three degrees of freedom.
fn student(noise: &mut Noise) -> f64 {
    let squares: f64 = (0..3).map(|_| noise.normal(1.0).powi(2)).sum();
    noise.normal(1.0) / (squares / 3.0).sqrt()
}

/// What a race found.
struct Raced {
    /// Whether it dropped the best method.
    dropped: bool,
    /// What its choice takes over that by all times, in points.
    lost: f64,
    /// The share of the calls that it made.
    calls: f64,
}

/// Returns what a race finds whose methods take turns, and of which each round begins with another one.
fn race(world: World, seed: u64) -> Raced {
    let mut noise = Noise::from_seed(seed);
    let shift = noise.below(METHODS.len());
    let mut all = vec![Vec::new(); METHODS.len()];
    for round in 0..ROUNDS {
        for turn in 0..METHODS.len() {
            let method = (shift + turn + round) % METHODS.len();
            all[method].push(METHODS[method] * world.factor(&mut noise, method, (round, turn)));
        }
    }
    let (mut raced, mut running) = (vec![Vec::new(); METHODS.len()], vec![true; METHODS.len()]);
    for round in 0..ROUNDS {
        for ((raced, all), _) in raced.iter_mut().zip(&all).zip(&running).filter(|(_, running)| **running) {
            raced.push(all[round]);
        }
        drop_slow(&raced, &mut running, round + 1);
    }
    let calls: usize = raced.iter().map(Vec::len).sum();
    Raced {
        dropped: !running[0],
        lost: 100.0 * (chosen(&raced) / chosen(&all)).ln(),
        calls: calls as f64 / (ROUNDS * METHODS.len()) as f64,
    }
}

/// Returns the true time of the method with the least median.
fn chosen(times: &[Vec<f64>]) -> f64 {
    let medians =
        times.iter().zip(METHODS).filter_map(|(times, truth)| Some((median(times.as_slice())?, truth)));
    medians.min_by(|(one, _), (other, _)| one.total_cmp(other)).expect("each method has a time").1
}

/// Returns the table of races.
pub(super) fn of_races(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| times | the best is dropped | at most | points lost | calls saved |\n|---|---:|---:|---:|---:|\n",
    );
    for (world, most) in WORLDS {
        let [dropped] = rates(seeds.clone(), |seed| [race(world, seed).dropped]);
        let number = seeds.clone().count() as f64;
        let (lost, calls) =
            seeds.clone().map(|seed| race(world, seed)).fold((0.0, 0.0), |(lost, calls), raced| {
                (lost + raced.lost / number, calls + raced.calls / number)
            });
        let saved = 100.0 * (1.0 - calls);
        let row = format!("| {world} | {dropped:.2} % | {most} % | {lost:+.2} | {saved:.1} % |");
        findings.add(row, dropped <= most && lost <= MOST_LOST && saved >= LEAST_SAVED);
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least numbers that would contradict the rates.
    #[test]
    fn few_races_agree_with_the_rates() {
        for (world, most) in WORLDS {
            let dropped = (1..=100).filter(|seed| race(world, *seed).dropped).count();
            assert!(dropped as f64 <= 2.0 * most + 5.0, "{world}: {dropped}");
        }
    }
}
