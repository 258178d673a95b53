//! A network of two levels, each of which is measured.

use qtdec_mpi_predict::Network;
use serde_json::Value;
use xtask::files;

use super::chain::Chain;
use super::promised::network;

/// Measures the network between the first node and each of two others, `within` a cluster and `between` clusters, as one file
/// `network.json`. Between the first node and itself, it is that of two ranks of the node. Clusters have `cluster_size` ranks, and nodes
/// `ranks_per_node`.
pub(super) fn measure(
    chain: &Chain,
    [within, between]: [u8; 2],
    ranks_per_node: u8,
    cluster_size: u8,
) -> Result<Network, String> {
    pair(chain, within, "network.json")?;
    pair(chain, between, "between.json")?;
    let path = |name: &str| chain.folder.join(name);
    let read = |name: &str| -> Result<Value, String> {
        let text = files::bytes(path(name))?;
        serde_json::from_slice(&text).map_err(|error| format!("{name}: {error}"))
    };
    let (mut both, between) = (read("network.json")?, read("between.json")?);
    both["ranks_per_node"] = ranks_per_node.into();
    both["between"] = serde_json::json!({
        "cluster_size": cluster_size, "latency": between["latency"], "points": between["points"],
    });
    files::write(path("network.json"), format!("{both:#}\n"))?;
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
