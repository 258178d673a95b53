//! The simulated times in the repository: `qt-tune/data/papers`.

use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use lzma_rust2::{XzOptions, XzReader, XzWriter};
use qtdec_core::{DecisionMap, Document};
use qtdec_mpi::Collective;
use qtdec_mpi::experiment::{Cluster, simulate};
use qtdec_mpi::network::shipped;

use xtask::run::root;

const COLLECTIVES: [Collective; 2] = [Collective::Bcast, Collective::Reduce];

fn path(cluster: Cluster, collective: Collective) -> PathBuf {
    root().join(format!("qt-tune/data/papers/{}-{}.json.xz", cluster.name(), collective.name()))
}

/// Simulates every experiment and writes its map; prints which files changed.
pub(super) fn write() -> Result<(), String> {
    let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    for cluster in Cluster::ALL {
        let network = shipped(cluster.network()).map_err(|error| error.to_string())?;
        for collective in COLLECTIVES {
            let map = simulate(cluster, collective, &network, threads, || ());
            let text = map.map_err(|error| error.to_string())?.to_json();
            let path = path(cluster, collective);
            let held = unpacked(&path).is_ok_and(|held| held == text.as_bytes());
            println!("{}: {}", path.display(), if held { "as it was" } else { "written anew" });
            if !held {
                let packed = packed(text.as_bytes()).map_err(|error| error.to_string())?;
                fs::write(&path, packed).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
    }
    Ok(())
}

/// Reads the map of an experiment.
pub(super) fn read(cluster: Cluster, collective: Collective) -> Result<DecisionMap, String> {
    let path = path(cluster, collective);
    let text = unpacked(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    match Document::from_json(&text) {
        Ok(Document::Map(map)) => Ok(map),
        Ok(Document::Tree(_)) => Err(format!("{} holds a tree", path.display())),
        Err(problems) => Err(format!("{}: {problems}", path.display())),
    }
}

fn unpacked(path: &PathBuf) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut XzReader::new(fs::File::open(path)?, true), &mut text)?;
    Ok(text)
}

fn packed(text: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packed = XzWriter::new(Vec::new(), XzOptions::with_preset(9))?;
    packed.write_all(text)?;
    packed.finish()
}
