//! A network of which each level is measured.

use qtdec_mpi_predict::Network;
use serde_json::Value;
use xtask::files;

use super::chain::Chain;
use super::promised::network;

/// Measures the network between the first node and the next one, within the first node if nodes have several ranks, and between the first
/// nodes of two sites if there are sites of so many nodes, as one file `network.json`.
pub(super) fn measure(
    chain: &Chain,
    ranks_per_node: u8,
    nodes_of_site: Option<u8>,
) -> Result<Network, String> {
    let path = |name: &str| chain.folder.join(name);
    let level = |other: u8| -> Result<Value, String> {
        pair(chain, other, "level.json")?;
        let text = files::bytes(path("level.json"))?;
        serde_json::from_slice(&text).map_err(|error| format!("level.json: {error}"))
    };
    let mut all = level(1)?;
    all["ranks_per_node"] = ranks_per_node.into();
    if ranks_per_node > 1 {
        let node = level(0)?;
        all["within_node"] = serde_json::json!({ "latency": node["latency"], "points": node["points"] });
    }
    if let Some(nodes) = nodes_of_site {
        let between = level(nodes)?;
        all["between"] = serde_json::json!({
            "cluster_size": nodes * ranks_per_node, "latency": between["latency"], "points": between["points"],
        });
    }
    files::write(path("network.json"), format!("{all:#}\n"))?;
    network(&path("network.json"))
}

/// Measures the network between a rank on the first node and one on another, or two on the first.
fn pair(chain: &Chain, other: u8, output: &str) -> Result<(), String> {
    let path = |name: &str| chain.folder.join(name);
    files::write(path("hosts"), hosts(other))?;
    let hosts = path("hosts").display().to_string();
    let settings =
        format!("export OMPI_MCA_orte_default_hostfile='{hosts}' PRTE_MCA_prte_default_hostfile='{hosts}'\n");
    files::write(path("hosts.sh"), settings)?;
    chain.bench(2, &path("hosts.sh").display().to_string(), &["--network", "-o", output])
}

/// Returns the slots of two ranks, as Open MPI reads them.
fn hosts(other: u8) -> String {
    match other {
        0 => "qt0 slots=2\n".to_owned(),
        _ => format!("qt0 slots=1\nqt{other} slots=1\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::hosts;

    #[test]
    fn two_ranks_share_the_first_node_or_are_on_two() {
        assert_eq!(hosts(0), "qt0 slots=2\n");
        assert_eq!(hosts(4), "qt0 slots=1\nqt4 slots=1\n");
    }
}
