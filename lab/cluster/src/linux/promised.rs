//! What the simulator says of the library's algorithms and of our schedules, on the network as another launch measured it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use qtdec_core::{DecisionMap, Document};
use qtdec_mpi_predict::Network;
use qtdec_mpi_predict::network::import;
use qtdec_mpi_predict::predict::{Method, Predictor, Size, TimeSource, paired};
use qtdec_mpi_schedule::Collective;

/// A method of the library or of ours in one cell, with its simulated time in seconds.
#[derive(Clone, Debug)]
pub(super) struct Promised {
    pub(super) name: String,
    pub(super) segment: Option<u64>,
    pub(super) seconds: f64,
}

impl Promised {
    /// Returns the name with the segment size, as methods are called in options.
    pub(super) fn label(&self) -> String {
        self.segment.map_or_else(|| self.name.clone(), |segment| format!("{}/{segment}", self.name))
    }
}

/// The segment sizes among which the simulator chooses for our schedules.
const SEGMENTS: [Option<u64>; 3] = [None, Some(1 << 10), Some(1 << 13)];

/// Reads a file of the benchmark.
pub(super) fn network(path: &Path) -> Result<Network, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read(path).map_err(|error| told(&error))?;
    Ok(import(&text).map_err(|error| told(&error))?.network)
}

/// Returns the fastest measured method of the library in each cell of a map, with its simulated time.
pub(super) fn of_library(
    network: &Network,
    collective: Collective,
    map: &Path,
) -> Result<Vec<Promised>, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", map.display());
    let text = fs::read(map).map_err(|error| told(&error))?;
    let document = Document::from_json(&text).map_err(|error| told(&error))?;
    let map: DecisionMap = document.into_map().ok_or_else(|| told(&"this is no map"))?;
    let predictor = predictor(network, collective)?;
    let both = paired(&predictor, &map, &BTreeMap::new()).map_err(|error| told(&error))?;
    let best = |cell: usize| {
        let at = both.measured.best(cell)?;
        let method = &map.domain().methods()[at];
        let seconds = both.predicted.at(cell)[at]?;
        Some(Promised { name: method.name.clone(), segment: method.segment_size, seconds })
    };
    (0..map.domain().cells())
        .map(|cell| best(cell).ok_or_else(|| told(&"the best method cannot be simulated")))
        .collect()
}

/// Returns one of our algorithms with the segment size whose simulated time is the least.
pub(super) fn of_ours(
    network: &Network,
    collective: Collective,
    algorithm: &'static str,
    size: Size,
) -> Result<Promised, String> {
    let predictor = predictor(network, collective)?;
    let methods = SEGMENTS.map(|segment| Method::new(algorithm, segment));
    let calls: Vec<(&Method, Size)> = methods.iter().map(|method| (method, size)).collect();
    let times = predictor.times(&calls, || ());
    let known = methods.iter().zip(times).filter_map(|(method, seconds)| {
        Some(Promised { name: algorithm.to_owned(), segment: method.segment_size, seconds: seconds? })
    });
    let best = known.min_by(|one, other| one.seconds.total_cmp(&other.seconds));
    best.ok_or_else(|| format!("{collective} by {algorithm} cannot be simulated"))
}

fn predictor(network: &Network, collective: Collective) -> Result<Predictor<'_>, String> {
    Predictor::new(network, collective, TimeSource::Simulated, &[])
}
