//! The scan that fits the network `grig-fitted` to Table 3 of the 2006 paper, and to nothing else.
//!
//! The papers publish no times of Grig. For its broadcasts they print the leaves and penalties of trees of six depths. A
//! setting is better the closer its simulated measurements come to them. The scan improves one parameter after the other
//! until none can be improved; it is the same in every run.

use std::fmt;
use std::num::NonZero;
use std::thread;

use qtdec_core::encode::{self, Fill, Quadtree};
use qtdec_core::{Borders, DecisionMap};
use qtdec_mpi_predict::network::{Description, Network, Overheads, Point, ReceivePort, SizeFactor, Unit};
use qtdec_mpi_predict::simulate::Noise;
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::{Cluster, simulate};

use crate::part::{of_2006, rebuilt};
use crate::printed::GRIG_BCAST_2006;

/// The default factors on latency and bandwidth by size in SimGrid's SMPI, which its authors measured on a cluster
/// with Gigabit Ethernet and TCP.
const SMPI: [(u64, f64, f64); 9] = [
    (0, 2.01467, 0.812_084),
    (257, 1.95341, 0.338_112),
    (732, 1.9503, 0.341_987),
    (1426, 1.61075, 0.608_902),
    (3484, 1.88101, 0.77493),
    (5776, 2.18796, 1.08739),
    (9376, 2.59299, 0.58729),
    (15_424, 3.48845, 0.697_866),
    (65_472, 11.6436, 0.940_694),
];

/// The rate of Fast Ethernet in bytes per microsecond, which the paper states.
const BYTES_PER_US: f64 = 12.5;

/// The random seeds with which a setting with noise is evaluated.
pub(crate) const SEEDS: std::ops::Range<u64> = 1..6;

/// The fitted parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Setting {
    /// The latency one way in microseconds.
    latency: f64,
    /// The processor time for a message at either side in microseconds.
    overhead: f64,
    /// The bytes that travel with a message.
    header: u64,
    /// The exponent of SMPI's factors: 0 for none, 1 for all of them.
    factors: f64,
    /// The largest message without a handshake.
    eager: Option<u64>,
    /// Whether arrivals share a port.
    shared: bool,
    /// The standard deviation of the logarithm of a time.
    noise: f64,
}

/// The values of each parameter.
const LATENCIES: [f64; 7] = [20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 75.0];
const OVERHEADS: [f64; 7] = [2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0];
const HEADERS: [u64; 4] = [16, 64, 128, 256];
const FACTORS: [f64; 6] = [0.0, 0.25, 0.5, 0.75, 1.0, 1.25];
const EAGER: [Option<u64>; 4] = [None, Some(16 << 10), Some(64 << 10), Some(128 << 10)];
const NOISE: [f64; 8] = [0.0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05];

impl Setting {
    /// Returns the start of the scan: round numbers for Fast Ethernet, all of SMPI's factors, no noise.
    fn start() -> Self {
        Self {
            latency: 50.0,
            overhead: 10.0,
            header: 16,
            factors: 1.0,
            eager: None,
            shared: true,
            noise: 0.0,
        }
    }

    /// Returns the setting with every value of one parameter.
    fn along(self, parameter: usize) -> Vec<Self> {
        match parameter {
            0 => LATENCIES.map(|latency| Self { latency, ..self }).to_vec(),
            1 => OVERHEADS.map(|overhead| Self { overhead, ..self }).to_vec(),
            2 => EAGER.map(|eager| Self { eager, ..self }).to_vec(),
            3 => FACTORS.map(|factors| Self { factors, ..self }).to_vec(),
            4 => NOISE.map(|noise| Self { noise, ..self }).to_vec(),
            5 => HEADERS.map(|header| Self { header, ..self }).to_vec(),
            _ => [true, false].map(|shared| Self { shared, ..self }).to_vec(),
        }
    }

    fn network(self) -> Network {
        let points = [1, 1 << 10, 1 << 16, 1 << 20, 1 << 24].map(|bytes: u64| Point {
            bytes,
            gap: bytes as f64 / BYTES_PER_US,
            send: self.overhead,
            receive: self.overhead,
        });
        let factor = |(bytes, latency, bandwidth): (u64, f64, f64)| {
            let strength = |factor: f64| (factor.powf(self.factors) * 1e4).round() / 1e4;
            SizeFactor { bytes, latency: strength(latency), gap: strength(1.0 / bandwidth) }
        };
        let size_factors = if self.factors == 0.0 { Vec::new() } else { SMPI.map(factor).to_vec() };
        let description = Description {
            header_bytes: self.header,
            eager_limit: self.eager,
            receive: if self.shared { ReceivePort::Shared } else { ReceivePort::Fifo },
            overheads: Overheads::Outside,
            size_factors,
            ..Description::new(Unit::Microseconds, self.latency, points.to_vec())
        };
        Network::new(description).expect("every setting is a network")
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let eager = self.eager.map_or("all".to_owned(), |limit| format!("{} KiB", limit >> 10));
        write!(
            f,
            "latency {} us, overhead {} us, header {} B, factors^{}, eager {eager}, {}, noise {} %",
            self.latency,
            self.overhead,
            self.header,
            self.factors,
            if self.shared { "shared" } else { "fifo" },
            100.0 * self.noise,
        )
    }
}

/// Leaves and mean penalties of the trees of depths 1 to 6.
#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    leaves: [f64; 6],
    penalties: [f64; 6],
}

impl Outcome {
    fn from_map(map: &DecisionMap, fill: Fill) -> Self {
        let mut outcome = Self::default();
        for depth in 0..6 {
            let quadtree = Quadtree { max_depth: Some(depth as u32 + 1), fill, ..Quadtree::default() };
            let tree = encode::encode(map, &quadtree, Borders::Floor).expect("a quadtree serves every map");
            let encoding = &tree.statistics().encoding;
            outcome.leaves[depth] = encoding.leaves as f64;
            outcome.penalties[depth] =
                encoding.quality.penalty.as_ref().map_or(f64::NAN, |penalty| penalty.mean);
        }
        outcome
    }

    fn mean(outcomes: &[Self]) -> Self {
        let mean = |of: &dyn Fn(&Self) -> f64| outcomes.iter().map(of).sum::<f64>() / outcomes.len() as f64;
        Self {
            leaves: std::array::from_fn(|depth| mean(&|outcome| outcome.leaves[depth])),
            penalties: std::array::from_fn(|depth| mean(&|outcome| outcome.penalties[depth])),
        }
    }

    /// Returns the distance of the outcome from the table: 1 if the leaves of one of the depths 3 to 6 differ by 15 %, or the penalty
    /// of one of the depths 1 to 3 by a factor of 1.5. The worst of these counts fully, plus a tenth of their mean.
    fn distance(&self) -> f64 {
        let printed = printed();
        let off = |own: f64, printed: f64, limit: f64| (own / printed).ln().abs() / f64::ln(limit);
        let leaves = (2..6).map(|depth| off(self.leaves[depth], printed.leaves[depth], 1.15));
        let penalties = (0..3).map(|depth| off(self.penalties[depth], printed.penalties[depth], 1.5));
        let all: Vec<f64> = leaves.chain(penalties).collect();
        let worst = all.iter().copied().fold(0.0, f64::max);
        worst + 0.1 * all.iter().sum::<f64>() / all.len() as f64
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = self.leaves.iter().zip(self.penalties);
        cells.enumerate().try_for_each(|(at, (leaves, penalty))| {
            let separator = if at == 0 { "" } else { ", " };
            write!(f, "{separator}{leaves:.0}/{penalty:.1}")
        })
    }
}

/// A simulator of settings that keeps the times without noise while only the noise changes.
struct Scan {
    /// How the grid is filled up.
    fill: Fill,
    kept: Option<(Setting, DecisionMap)>,
    count: usize,
}

impl Scan {
    fn outcome(&mut self, setting: Setting) -> Outcome {
        let silent = Setting { noise: 0.0, ..setting };
        if self.kept.as_ref().is_none_or(|(kept, _)| *kept != silent) {
            self.kept = Some((silent, times(silent)));
            self.count += 1;
        }
        let (_, map) = self.kept.as_ref().expect("it was simulated");
        if setting.noise == 0.0 {
            return Outcome::from_map(&of_2006(map), self.fill);
        }
        let noisy =
            SEEDS.map(|seed| Outcome::from_map(&of_2006(&with_noise(map, setting.noise, seed)), self.fill));
        Outcome::mean(&noisy.collect::<Vec<_>>())
    }
}

/// Searches with grids filled up in one way, and prints every setting.
pub(crate) fn fit(fill: Fill) {
    let mut scan = Scan { fill, kept: None, count: 0 };
    println!("distance, and leaves/mean penalty in % at depths 1 to 6; printed: {}", printed());
    let mut here = Setting::start();
    let mut distance = scan.outcome(here).distance();
    loop {
        let before = here;
        for parameter in 0..7 {
            for setting in here.along(parameter) {
                let outcome = scan.outcome(setting);
                let found = outcome.distance();
                println!("{found:.3}  {outcome}  {setting}");
                if found < distance {
                    (distance, here) = (found, setting);
                }
            }
        }
        if here == before {
            break;
        }
    }
    let outcome = scan.outcome(here);
    println!("\n{} networks simulated; the nearest: {distance:.3}\n{here}\n{outcome}", scan.count);
    println!("\n{}", here.network().to_json());
}

fn printed() -> Outcome {
    Outcome {
        leaves: GRIG_BCAST_2006.map(|row| row.leaves as f64),
        penalties: GRIG_BCAST_2006.map(|row| row.penalty_mean),
    }
}

fn times(setting: Setting) -> DecisionMap {
    let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    simulate(Cluster::Grig, Collective::Bcast, &setting.network(), threads, || ())
        .expect("broadcasts were measured on Grig")
}

/// Returns the map with noise on every time, as the simulator applies it; `runs` is the standard deviation of ln t.
pub(crate) fn with_noise(map: &DecisionMap, runs: f64, seed: u64) -> DecisionMap {
    let noise = Noise { seed, messages: 0.0, runs };
    let (domain, costs) = (map.domain(), map.costs().expect("times are simulated"));
    let mut values = Vec::with_capacity(map.cells().len() * domain.methods().len());
    let mut run = 0;
    for cell in 0..map.cells().len() {
        let msg_size = domain.sizes(cell)[1];
        let mut whole = None;
        for method in domain.method_indexes() {
            let segment = domain.method(method).segment_size;
            let cost = if segment.is_some_and(|segment| segment >= msg_size) {
                whole
            } else {
                run += 1;
                costs.get(cell, method).map(|cost| cost * noise.of_run(run - 1).run_factor())
            };
            if segment.is_none() {
                whole = cost;
            }
            values.push(cost);
        }
    }
    rebuilt(domain.clone(), values)
}
