//! Collectives on Nano, a cluster of which the papers print a map and a tree without sizes.

use std::num::NonZero;
use std::thread;

use qtdec_core::DecisionMap;
use qtdec_mpi_predict::network::shipped;
use qtdec_mpi_predict::predict::{self, Predictor, TimeSource};
use qtdec_mpi_schedule::Collective;

const COMM_SIZES: [u64; 9] = [2, 3, 4, 6, 8, 12, 16, 24, 32];

const MSG_SIZES: [u64; 9] = [4, 16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10];

const SEGMENTS: [u64; 2] = [8 << 10, 16 << 10];

fn simulated(collective: Collective, algorithms: &[&str], segments: &[u64]) -> Result<DecisionMap, String> {
    let network = shipped("nano")?;
    let names: Vec<String> = algorithms.iter().map(|name| (*name).to_owned()).collect();
    let mut predictor = Predictor::new(&network, collective, TimeSource::Simulated, &names)?;
    predictor.threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    predictor.every_segment = true;
    let map = predict::map(&predictor, &COMM_SIZES, &MSG_SIZES, segments, || ());
    map.map_err(|error| error.to_string())
}

/// Simulates reductions.
pub(crate) fn reduce() -> Result<DecisionMap, String> {
    simulated(Collective::Reduce, &["linear", "binomial", "binary", "pipeline"], &SEGMENTS)
}

/// Simulates all-to-alls in which all messages are sent at once, and those around a ring.
pub(crate) fn alltoall() -> Result<DecisionMap, String> {
    simulated(Collective::Alltoall, &["linear", "pairwise"], &[])
}
