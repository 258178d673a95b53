//! The simulated times in the repository: `mpi/command/maps`, and `lab/papers/data` with other assumptions.

use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

use lzma_rust2::{XzOptions, XzReader, XzWriter};
use qtdec_core::DecisionMap;
use qtdec_mpi_predict::network::shipped;
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::{Cluster, simulate};

use crate::simulated::Simulated;
use xtask::files;
use xtask::run::root;

const COLLECTIVES: [Collective; 2] = [Collective::Bcast, Collective::Reduce];

fn path(cluster: Cluster, collective: Collective) -> PathBuf {
    root().join(format!("mpi/command/maps/{}-{}.json.xz", cluster.name(), collective.name()))
}

/// Simulates every experiment and writes its map; prints which files changed.
pub(crate) fn write() -> Result<(), String> {
    let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    for cluster in Cluster::ALL {
        let network = shipped(cluster.network())?;
        for collective in COLLECTIVES {
            let map = simulate(cluster, collective, &network, threads, || ());
            update(&path(cluster, collective), &map.map_err(|error| error.to_string())?)?;
        }
    }
    Simulated::ALL.into_iter().try_for_each(|other| update(&path_of(other), &other.map(u64::MAX)?))
}

/// Writes a map unless the file has it already, and prints which.
fn update(path: &Path, map: &DecisionMap) -> Result<(), String> {
    let text = map.to_json();
    let held = unpacked(path).is_ok_and(|held| held == text.as_bytes());
    println!("{}: {}", path.display(), if held { "as it was" } else { "written anew" });
    if held {
        return Ok(());
    }
    let packed = packed(text.as_bytes()).map_err(|error| error.to_string())?;
    files::write(path, packed)
}

fn path_of(other: Simulated) -> PathBuf {
    root().join(format!("lab/papers/data/{}.json.xz", other.name()))
}

/// Reads the map of an experiment with another assumption.
pub(crate) fn read_other(other: Simulated) -> Result<DecisionMap, String> {
    qtdec_papers::read::map(&path_of(other))
}

/// Reads the map of an experiment.
pub(crate) fn read(cluster: Cluster, collective: Collective) -> Result<DecisionMap, String> {
    qtdec_papers::read::map(&path(cluster, collective))
}

/// A map and what it is of.
pub(crate) type Named = (&'static str, DecisionMap);

/// Reads the maps of broadcasts, in the order of the 2007 paper.
pub(crate) fn broadcasts() -> Result<[Named; 2], String> {
    let [frodo, grig] = [Cluster::Frodo, Cluster::Grig].map(|cluster| read(cluster, Collective::Bcast));
    Ok([("broadcast on Frodo", frodo?), ("broadcast on Grig", grig?)])
}

/// Reads all maps, in the order of the 2007 paper.
pub(crate) fn all() -> Result<[Named; 4], String> {
    let [frodo, grig] = broadcasts()?;
    let [of_frodo, of_grig] =
        [Cluster::Frodo, Cluster::Grig].map(|cluster| read(cluster, Collective::Reduce));
    Ok([frodo, grig, ("reduce on Frodo", of_frodo?), ("reduce on Grig", of_grig?)])
}

fn unpacked(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut XzReader::new(fs::File::open(path)?, true), &mut text)?;
    Ok(text)
}

fn packed(text: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packed = XzWriter::new(Vec::new(), XzOptions::with_preset(9))?;
    packed.write_all(text)?;
    packed.finish()
}
