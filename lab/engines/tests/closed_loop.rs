//! The closed loop: a simulation became a map, the map a tree, and the tree a compiled function; calls then take the time of the
//! function's choices. The times in `results/closed_loop.csv` are reference data, those of the selectors from SimGrid 3.32: they are
//! compared with the table of `lab/results/simgrid.md`, and ours with the simulator.

use std::fmt::Write;
use std::ops::Range;

use qtdec_mpi_predict::network::shipped;
use qtdec_mpi_predict::predict::{Method, Predictor, Size, TimeSource};
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::{Cluster, SEGMENTS_2007, algorithms};
use qtdec_study::study::interval::Interval;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const PAGE: &str = include_str!("../../results/simgrid.md");
const TIMES: &str = include_str!("../results/closed_loop.csv");

/// The network on which the map was simulated.
const BUILT_ON: &str = "grig";

/// SimGrid's selectors, which choose a broadcast for each call like those libraries.
const SELECTORS: [&str; 3] = ["ompi", "mpich", "mvapich2"];

/// The number of calls in a mix.
const CALLS: usize = 300;

/// The time of the calls of a seed.
struct CallTime {
    network: &'static str,
    seed: u64,
    /// What chooses each call's method: `oracle`, `fixed`, `function NAME` or `selector NAME`.
    decision: &'static str,
    /// The fixed method, or the number of the function's regions.
    detail: &'static str,
    seconds: f64,
}

fn results() -> Vec<CallTime> {
    let mut lines = TIMES.lines();
    assert_eq!(lines.next(), Some("network,seed,decision,detail,seconds"));
    let row = |line: &'static str| {
        let [network, seed, decision, detail, seconds] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        CallTime { network, seed: seed.parse().unwrap(), decision, detail, seconds: seconds.parse().unwrap() }
    };
    lines.map(row).collect()
}

/// Returns the networks in their order.
fn networks(results: &[CallTime]) -> Vec<&'static str> {
    let mut networks: Vec<&str> = results.iter().map(|row| row.network).collect();
    networks.dedup();
    networks
}

/// Returns the times of a decision on a network, in the order of the seeds.
fn times(results: &[CallTime], network: &str, decision: &str) -> Vec<f64> {
    let rows = results.iter().filter(|row| row.network == network && row.decision == decision);
    rows.map(|row| row.seconds).collect()
}

/// Returns the functions, as decisions, with their numbers of regions.
fn functions(results: &[CallTime], network: &str) -> Vec<(&'static str, &'static str)> {
    let first = results.iter().filter(|row| row.network == network && row.seed == 1);
    let functions = first.filter(|row| row.decision.starts_with("function "));
    functions.map(|row| (row.decision, row.detail)).collect()
}

/// Returns the ratio of two times of each seed.
fn interval(these: &[f64], those: &[f64]) -> Interval {
    assert_eq!(these.len(), those.len());
    let ratios: Vec<f64> = these.iter().zip(those).map(|(this, that)| this / that).collect();
    Interval::new(&ratios).unwrap()
}

fn ratio(these: &[f64], those: &[f64]) -> String {
    let Interval { mean, low, high } = interval(these, those);
    format!("{mean:.3} [{low:.3}, {high:.3}]")
}

/// The time of each function relative to the best methods, and of fixed methods and selectors relative to the function, as means
/// over the seeds with bootstrap intervals.
#[test]
fn the_page_has_the_table_of_the_results() {
    let results = results();
    let mut table = String::new();
    for network in networks(&results) {
        let of = |decision: &str| times(&results, network, decision);
        for (function, regions) in functions(&results, network) {
            let takes = of(function);
            let mut cells = vec![ratio(&takes, &of("oracle")), ratio(&of("fixed"), &takes)];
            for selector in SELECTORS {
                let chosen = of(&format!("selector {selector}"));
                cells.push(if chosen.is_empty() { "–".to_owned() } else { ratio(&chosen, &takes) });
            }
            let (name, cells) = (function.trim_start_matches("function "), cells.join(" | "));
            writeln!(table, "| {network} | {name} | {regions} | {cells} |").unwrap();
        }
    }
    assert!(PAGE.contains(&table), "the page lacks these rows:\n{table}");
}

/// Checks the purpose of the functions: they lose next to nothing, and the alternatives lose much.
#[test]
fn functions_are_worth_it_wherever_they_are_used() {
    let results = results();
    for network in networks(&results) {
        let of = |decision: &str| times(&results, network, decision);
        for (function, _) in functions(&results, network) {
            let takes = of(function);
            let lost = interval(&takes, &of("oracle"));
            assert!(
                lost.high < if network == BUILT_ON { 1.01 } else { 1.025 },
                "{network} {function} {lost:?}"
            );
            let gained = interval(&of("fixed"), &takes);
            assert!(gained.low > 1.1, "{network} {function} {gained:?}");
            for selector in SELECTORS {
                let chosen = of(&format!("selector {selector}"));
                let is_worse = chosen.is_empty() || interval(&chosen, &takes).low > 1.3;
                assert!(is_worse, "{network} {function} {selector}");
            }
        }
    }
}

/// Draws the calls of a seed: numbers of ranks uniformly from the range of the map, and message sizes log-uniformly from its range.
fn mix(seed: u64) -> Vec<Size> {
    let mut chance = Pcg64::seed_from_u64(seed);
    let [most_ranks, longest] =
        [Cluster::Grig.comm_sizes(), Cluster::Grig.msg_sizes()].map(|sizes| *sizes.last().unwrap());
    let mut call = || {
        let comm_size = chance.random_range(2..=most_ranks as u32);
        let power = chance.random_range(0.0..libm::log2((longest + 1) as f64));
        Size { comm_size, msg_size: libm::exp2(power) as u64 }
    };
    (0..CALLS).map(|_| call()).collect()
}

/// Checks that the times of one mix are reproducible: they depend only on the simulator and the seed.
#[test]
fn the_results_are_those_of_the_simulator() {
    let (network, calls) = (shipped(BUILT_ON).unwrap(), mix(1));
    let names: Vec<String> = algorithms(Collective::Bcast).iter().map(|name| (*name).to_owned()).collect();
    let predictor = Predictor::new(&network, Collective::Bcast, TimeSource::Simulated, &names).unwrap();
    let methods = predictor.methods(&SEGMENTS_2007);
    let requested = calls.iter().flat_map(|&call| methods.iter().map(move |method| (method, call)));
    let found = predictor.times(&requested.collect::<Vec<_>>(), || ());
    let uncut = |method: &Method| {
        let is_uncut = |other: &Method| other.algorithm == method.algorithm && other.segment_size.is_none();
        methods.iter().position(is_uncut).unwrap()
    };
    // A method whose segment is not smaller than the message takes its time without segments.
    let takes = |call: usize, method: usize| {
        let of_call = &found[call * methods.len()..][..methods.len()];
        of_call[method].or(of_call[uncut(&methods[method])]).unwrap()
    };
    let all: Range<usize> = 0..methods.len();
    let best: f64 = (0..CALLS)
        .map(|call| all.clone().map(|method| takes(call, method)).fold(f64::INFINITY, f64::min))
        .sum();
    let whole = |method: usize| (0..CALLS).map(|call| takes(call, method)).sum::<f64>();
    let (method, seconds) = all
        .clone()
        .map(|method| (method, whole(method)))
        .min_by(|one, other| one.1.total_cmp(&other.1))
        .unwrap();
    let Method { algorithm, segment_size, .. } = &methods[method];
    let segment = segment_size.map(|size| format!("/{size}")).unwrap_or_default();
    let results = results();
    let row = |decision: &str| {
        let is_it = |row: &&CallTime| row.network == BUILT_ON && row.seed == 1 && row.decision == decision;
        results.iter().find(is_it).unwrap()
    };
    assert!((row("oracle").seconds / best - 1.0).abs() < 1e-6);
    assert_eq!(row("fixed").detail, format!("{algorithm}{segment}"));
    assert!((row("fixed").seconds / seconds - 1.0).abs() < 1e-6);
}
