//! The map with the number of clusters as an axis: `tests/clusters.json`.

use qtdec_core::domain::Samples;
use qtdec_core::{Axis, DecisionMap, Method};
use qtdec_mpi_predict::network::Network;
use qtdec_mpi_predict::simulate::{Noise, Simulator};
use qtdec_mpi_schedule::Clusters;

use crate::broadcasts::{Candidate, Cards, Form};
use xtask::files;
use xtask::run::root;

const FILE: &str = "tests/clusters.json";

const COMM_SIZES: [u64; 4] = [4, 8, 16, 32];

const MSG_SIZES: [u64; 8] = [1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20];

/// The segment size in bytes of algorithms that cut messages.
const SEGMENT: u64 = 8 << 10;

/// The methods. Those without knowledge of clusters come first, and win on a tie.
const METHODS: [(&str, Option<u64>); 6] = [
    ("binomial", None),
    ("pipeline", Some(SEGMENT)),
    ("scatter_allgather", None),
    ("two_tree", Some(SEGMENT)),
    ("circulant", Some(SEGMENT)),
    ("multirail", Some(SEGMENT)),
];

/// Returns the ranks as one cluster or as two, and the network that they are on.
fn place(clusters: u64, comm_size: u64) -> Result<(Clusters, Network), String> {
    let count = clusters as u32 + 1;
    let size = comm_size as u32 / count;
    let clusters = Clusters::new([(count, size)]).map_err(|error| error.to_string())?;
    if count == 1 {
        return Ok((clusters, Cards::Two.network("multirail-32")?));
    }
    let mut description = Cards::Two.network("grid-2x16")?.description().clone();
    let between = description.between.as_mut().ok_or("grid-2x16 has one cluster")?;
    between.cluster_sizes = vec![u64::from(size)];
    Ok((clusters, Network::new(description).map_err(|problems| problems.to_string())?))
}

/// Simulates the map for messages of these sizes.
fn map(msg_sizes: &[u64]) -> Result<DecisionMap, String> {
    let labels = ["one", "two"].map(str::to_owned).into();
    let mut axes = vec![
        Axis { samples: Samples::Labels(labels), ..Axis::new("clusters", []) },
        Axis { unit: Some("ranks".to_owned()), ..Axis::new("comm_size", COMM_SIZES) },
    ];
    axes.push(Axis { unit: Some("bytes".to_owned()), ..Axis::new("msg_size", msg_sizes) });
    let methods = Form::ALL.iter().flat_map(|&form| METHODS.map(|method| (form, method)));
    let methods: Vec<_> = methods.collect();
    let named = methods.iter().map(|(form, (name, segment_size))| {
        let prefix = if *form == Form::Aware { "clusters_" } else { "" };
        Method { segment_size: *segment_size, ..Method::new(format!("{prefix}{name}")) }
    });
    let mut problem = None;
    let map = DecisionMap::from_costs(axes, named.collect(), |point, method| {
        let (form, (name, segment)) = methods[method.get()];
        let time = time(point, form, name, segment);
        time.unwrap_or_else(|error| {
            problem = Some(error);
            None
        })
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    let map = map.map_err(|problems| problems.to_string())?;
    let mut costs = map.costs().ok_or("the map has costs")?.clone();
    costs.unit = Some("us".to_owned());
    map.with_costs(costs).map_err(|problems| problems.to_string())
}

/// Returns the time of a method in microseconds; a message that is no larger than a segment is not cut.
fn time(point: &[u64], form: Form, name: &str, segment: Option<u64>) -> Result<Option<f64>, String> {
    let [clusters, comm_size, msg_size] = *point else { return Ok(None) };
    let (clusters, network) = place(clusters, comm_size)?;
    let segment = segment.filter(|&segment| segment < msg_size);
    let candidate = Candidate::new(name, form, clusters, segment)?;
    let Some(point) = candidate.point(comm_size as u32, msg_size)? else { return Ok(None) };
    let time = Simulator::new(&network).time(&point, Noise::default());
    Ok(Some(time.map_err(|error| error.to_string())?.seconds() * 1e6))
}

/// Simulates the map and writes it.
pub(crate) fn write() -> Result<(), String> {
    let file = root().join(FILE);
    files::write(&file, map(&MSG_SIZES)?.to_json())
}

#[cfg(test)]
mod tests {
    use qtdec_core::Document;

    use std::fs;

    use super::*;

    /// Checks that quick simulations reproduce the recorded map.
    #[test]
    fn the_map_is_that_of_the_simulator() {
        let text = fs::read(root().join(FILE)).unwrap();
        let Document::Map(held) = Document::from_json(&text).unwrap() else { panic!("it is a map") };
        let sizes = &MSG_SIZES[..5];
        let part = map(sizes).unwrap();
        assert_eq!(held.domain().methods(), part.domain().methods());
        let (of_held, of_part) = (held.costs().unwrap(), part.costs().unwrap());
        for cell in 0..part.domain().cells() {
            let same = cell / sizes.len() * MSG_SIZES.len() + cell % sizes.len();
            assert_eq!(held.domain().sizes(same), part.domain().sizes(cell));
            assert_eq!(held.cells()[same], part.cells()[cell]);
            for method in part.domain().method_indexes() {
                assert_eq!(of_held.get(same, method), of_part.get(cell, method));
            }
        }
    }
}
