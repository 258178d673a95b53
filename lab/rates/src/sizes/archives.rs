//! The maps with all times that are part of the project, and their parts.

use std::fs::File;
use std::io::Read;

use qtdec_core::{DecisionMap, Document, Method};
use qtdec_study::measurements::{MeasuredAxis, Measurements, Repeat};
use qtdec_study::readers::unpacked;
use xtask::run::root;

/// A map of the project: its name, its file, and every how many samples of each axis are taken.
pub(super) type Archive = (&'static str, &'static str, [usize; 2]);

/// Measured times of a collective.
pub(super) const POLARIS: Archive =
    ("reduce_scatter_block on Polaris", "examples/build-script/maps/reduce_scatter_block.json", [1, 1]);

/// The papers' collectives on the papers' clusters.
pub(super) const PAPERS: [Archive; 4] = [
    ("broadcasts on Grig, simulated", "mpi/command/maps/grig-bcast.json.xz", [3, 5]),
    ("reductions on Grig, simulated", "mpi/command/maps/grig-reduce.json.xz", [3, 5]),
    ("broadcasts on Frodo, simulated", "mpi/command/maps/frodo-bcast.json.xz", [6, 4]),
    ("reductions on Frodo, simulated", "mpi/command/maps/frodo-reduce.json.xz", [6, 4]),
];

/// Returns the map in a file of the project.
///
/// # Panics
///
/// Panics if the file has no map.
pub(super) fn map(file: &str) -> DecisionMap {
    let mut bytes = Vec::new();
    let file = File::open(root().join(file)).expect("the file is there");
    unpacked(Box::new(file)).and_then(|mut text| text.read_to_end(&mut bytes)).expect("the file can be read");
    match Document::from_json(&bytes) {
        Ok(Document::Map(map)) => map,
        other => panic!("no map: {other:?}"),
    }
}

/// Returns the map at every so many samples of each axis.
pub(super) fn thinned(map: &DecisionMap, steps: [usize; 2]) -> DecisionMap {
    let thin = |map: DecisionMap, axis: usize| {
        let samples: Vec<usize> = (0..map.domain().axes()[axis].len()).step_by(steps[axis]).collect();
        map.at_samples(axis, &samples).expect("the samples increase")
    };
    thin(thin(map.clone(), 0), 1)
}

/// Returns the times of some cells of a map as measurements, whose methods are named by their labels.
pub(super) fn measurements(map: &DecisionMap, is_measured: impl Fn(usize) -> bool) -> Measurements {
    let domain = map.domain();
    let axes = domain.axes().iter().map(|axis| MeasuredAxis::named(&axis.name)).collect();
    let (mut found, costs) = (Measurements::new(axes), map.costs().expect("the map has costs"));
    let methods = domain.methods().iter().map(|method| Method::new(method.label()));
    let methods: Vec<usize> = methods.map(|method| found.method(method)).collect();
    for cell in (0..map.cells().len()).filter(|&cell| is_measured(cell)) {
        let sizes = domain.sizes(cell);
        for (index, &method) in domain.method_indexes().zip(&methods) {
            if let Some(time) = costs.get(cell, index) {
                found.record(&sizes, method, Repeat { time, run: 0, file: 0 });
            }
        }
    }
    found
}

/// Returns the mean over cells of what decisions cost over the best method, in per cent.
pub(super) fn percent(logs: &[f64]) -> f64 {
    100.0 * (logs.iter().sum::<f64>() / logs.len() as f64).exp_m1()
}

/// Returns the logarithm of the lowest cost of any method in a cell.
pub(super) fn best(map: &DecisionMap, cell: usize) -> f64 {
    let costs = map.costs().expect("the map has costs");
    let times = map.domain().method_indexes().filter_map(|method| costs.get(cell, method));
    times.fold(f64::INFINITY, f64::min).ln()
}
