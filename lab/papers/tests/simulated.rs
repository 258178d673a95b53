//! The simulated times in the repository equal those of its networks and its simulator.

use std::fs::File;
use std::io::Read;
use std::num::NonZero;
use std::path::Path;
use std::thread;

use lzma_rust2::XzReader;
use qtdec_mpi_predict::network::shipped;
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::{Cluster, simulate};

/// Simulates Grig's broadcasts. `cargo xtask papers data` makes these and the others, which take longer, in the same
/// way.
#[test]
fn the_broadcasts_of_grig_are_simulated_anew_to_the_byte() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mpi/command/maps/grig-bcast.json.xz");
    let mut carried = String::new();
    XzReader::new(File::open(path).unwrap(), true).read_to_string(&mut carried).unwrap();
    let network = shipped(Cluster::Grig.network()).unwrap();
    let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let map = simulate(Cluster::Grig, Collective::Bcast, &network, threads, || ()).unwrap();
    assert!(map.to_json() == carried, "run cargo xtask papers data and look at the changes");
}
