//! The closed loop: a simulation becomes a map, the map a tree, and the tree a compiled function; calls then take the time of
//! the function's choices. `cargo xtask closed-loop` writes the times to `lab/engines/results/closed_loop.csv`.

mod compiled;
mod mix;
mod results;
mod table;

use std::num::NonZero;

use qtdec_core::encode::Quadtree;
use qtdec_core::{Borders, DecisionMap, DecisionTree, encode};
use qtdec_mpi_predict::network::{Network, shipped};
use qtdec_mpi_predict::predict::{self, Method, Predictor, Size, TimeSource};
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::{Cluster, SEGMENTS_2007, algorithms};
use qtdec_study::study::recommend::{self, RecommendOptions};

use crate::smpi::{Broadcast, SELECTORS, Smpi};
use compiled::Compiled;
use results::{CallTime, Decision, Results};
use xtask::files;
use xtask::packages::Machine;
use xtask::run::root;

/// The network on which the map is simulated.
const BUILT_ON: &str = "grig";

/// The sizes of the map.
const GRID: Cluster = Cluster::Grig;

/// The file of the results.
const FILE: &str = "lab/engines/results/closed_loop.csv";

/// Runs everything, writes the results and prints the table.
pub(crate) fn closed_loop(machine: Machine) -> Result<(), String> {
    Smpi::available(machine)?;
    let smpi = Smpi::broadcasts()?;
    let map = map(&network(BUILT_ON)?)?;
    let functions = functions(&map)?;
    let mixes = mix::all();
    let mut results = Results::default();
    for Place { name, network, has_selectors } in places()? {
        println!("── {name}");
        let calls = mixes.concat();
        let times = Times::simulated(&network, &calls)?;
        let mut selected = Vec::new();
        for selector in SELECTORS.iter().filter(|_| has_selectors) {
            selected.push((*selector, smpi.times(&network, Broadcast::Selected(selector), &calls)?));
        }
        let mut first = 0;
        for (seed, mix) in (1..).zip(&mixes) {
            let here = first..first + mix.len();
            first = here.end;
            let mut add = |decision: Decision, seconds: f64| {
                results.rows.push(CallTime { network: name.to_owned(), seed, decision, seconds });
            };
            add(Decision::Oracle, here.clone().map(|call| times.best(call)).sum());
            let (method, seconds) = times.best_fixed(here.clone());
            add(Decision::Fixed(method), seconds);
            for (name, regions, function) in &functions {
                let chosen = here.clone().zip(function.decide(mix)?);
                let seconds = chosen.map(|(call, method)| times.seconds(call, method)).sum();
                add(Decision::Function { name: name.clone(), regions: *regions }, seconds);
            }
            for (selector, times) in &selected {
                add(Decision::Selector((*selector).to_owned()), times[here.clone()].iter().sum());
            }
        }
    }
    let file = root().join(FILE);
    files::write(&file, results.csv())?;
    println!("{}", table::markdown(&results)?);
    Ok(())
}

/// A network on which the calls are made.
struct Place {
    name: &'static str,
    network: Network,
    /// Whether SMPI can simulate the same network.
    has_selectors: bool,
}

/// Returns the network from which the map was made, and others.
fn places() -> Result<Vec<Place>, String> {
    let built_on = network(BUILT_ON)?;
    let mut handshakes = built_on.description().clone();
    handshakes.eager_limit = Some(0);
    let handshakes = Network::new(handshakes).map_err(|problems| problems.to_string())?;
    Ok(vec![
        Place { name: BUILT_ON, network: built_on, has_selectors: true },
        Place { name: "grig with handshakes", network: handshakes, has_selectors: false },
        Place { name: "frodo", network: network("frodo")?, has_selectors: true },
    ])
}

fn network(name: &str) -> Result<Network, String> {
    shipped(name)
}

fn predictor(network: &Network) -> Result<Predictor<'_>, String> {
    let names: Vec<String> = algorithms(Collective::Bcast).iter().map(|name| (*name).to_owned()).collect();
    let mut predictor = Predictor::new(network, Collective::Bcast, TimeSource::Simulated, &names)?;
    predictor.threads = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    Ok(predictor)
}

fn map(network: &Network) -> Result<DecisionMap, String> {
    let predictor = predictor(network)?;
    let map = predict::map(&predictor, &GRID.comm_sizes(), &GRID.msg_sizes(), &SEGMENTS_2007, || ());
    map.map_err(|error| error.to_string())
}

/// Returns the trees to compile, with their names: the exact one, the papers' of depth 3, and the recommended one.
fn trees(map: &DecisionMap) -> Result<Vec<(&'static str, DecisionTree)>, String> {
    let exact = recommend::tree(map, &[("encoding".to_owned(), "optimal".to_owned())]);
    let quadtree = Quadtree { max_depth: Some(3), ..Quadtree::default() };
    let third = encode::encode(map, &quadtree, Borders::Floor);
    let recommended = recommend::recommended(map, &RecommendOptions::default());
    Ok(vec![
        ("exact", exact.map_err(|problems| problems.to_string())?),
        ("depth 3", third.map_err(|problem| problem.to_string())?),
        ("recommended", recommended.map_err(|problems| problems.to_string())?.tree),
    ])
}

/// Returns the compiled functions, each with its name and the number of regions of its tree.
fn functions(map: &DecisionMap) -> Result<Vec<(String, u64, Compiled)>, String> {
    let compiled = |(name, tree): (&'static str, DecisionTree)| {
        let regions = tree.statistics().regions;
        Ok((name.to_owned(), regions, Compiled::build(tree)?))
    };
    trees(map)?.into_iter().map(compiled).collect()
}

/// The time of every method in every call.
struct Times {
    methods: Vec<Method>,
    times: Vec<f64>,
}

impl Times {
    /// Simulates all methods. A method whose segment is not smaller than the message takes its time without segments.
    fn simulated(network: &Network, calls: &[Size]) -> Result<Self, String> {
        let predictor = predictor(network)?;
        let methods = predictor.methods(&SEGMENTS_2007);
        let requested = calls.iter().flat_map(|&call| methods.iter().map(move |method| (method, call)));
        let found = predictor.times(&requested.collect::<Vec<_>>(), || ());
        let uncut = |method: &Method| {
            methods
                .iter()
                .position(|other| other.algorithm == method.algorithm && other.segment_size.is_none())
        };
        let uncut: Vec<Option<usize>> = methods.iter().map(uncut).collect();
        let mut times = Vec::with_capacity(found.len());
        for (call, found) in calls.iter().zip(found.chunks(methods.len())) {
            for (method, uncut) in uncut.iter().enumerate() {
                let time = found[method].or_else(|| found[(*uncut)?]);
                times.push(time.ok_or_else(|| format!("{:?} does not serve {call:?}", methods[method]))?);
            }
        }
        Ok(Self { methods, times })
    }

    fn seconds(&self, call: usize, method: usize) -> f64 {
        self.times[call * self.methods.len() + method]
    }

    fn best(&self, call: usize) -> f64 {
        (0..self.methods.len()).map(|method| self.seconds(call, method)).fold(f64::INFINITY, f64::min)
    }

    /// Returns the fastest method if the same is always called, with its time.
    fn best_fixed(&self, calls: std::ops::Range<usize>) -> (String, f64) {
        let total = |method| calls.clone().map(|call| self.seconds(call, method)).sum::<f64>();
        let totals = (0..self.methods.len()).map(|method| (method, total(method)));
        let best = totals.min_by(|one, other| one.1.total_cmp(&other.1));
        let (method, seconds) = best.expect("there are methods");
        let Method { algorithm, segment_size, .. } = &self.methods[method];
        let segment = segment_size.map(|size| format!("/{size}")).unwrap_or_default();
        (format!("{algorithm}{segment}"), seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the times of one mix are reproducible: they depend only on the simulator and the seed.
    #[test]
    fn the_results_are_those_of_the_simulator() {
        let results = Results::read(include_str!("../results/closed_loop.csv")).unwrap();
        let mix = mix::draw(1);
        let times = Times::simulated(&network(BUILT_ON).unwrap(), &mix).unwrap();
        let best: f64 = (0..mix.len()).map(|call| times.best(call)).sum();
        let (method, seconds) = times.best_fixed(0..mix.len());
        let row = |decision: Decision| results.seconds(BUILT_ON, 1, &decision).unwrap();
        assert!((row(Decision::Oracle) / best - 1.0).abs() < 1e-6);
        assert!((row(Decision::Fixed(method)) / seconds - 1.0).abs() < 1e-6);
    }
}
