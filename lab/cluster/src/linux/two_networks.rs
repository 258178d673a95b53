//! A network of two levels, each of which is measured.

use qtdec_mpi_predict::Network;
use serde_json::Value;
use xtask::files;

use super::chain::Chain;
use super::promised::network;

/// Measures the network between the first two ranks, and between the first rank and a rank on node `other`, as one file `network.json`.
/// Clusters have `cluster_size` ranks, and nodes `ranks_per_node`.
pub(super) fn measure(
    chain: &Chain,
    other: u8,
    ranks_per_node: u8,
    cluster_size: u8,
) -> Result<Network, String> {
    chain.bench(2, "", &["--network", "-o", "network.json"])?;
    let path = |name: &str| chain.folder.join(name);
    files::write(path("hosts"), format!("qt0 slots=1\nqt{other} slots=1\n"))?;
    let hosts = path("hosts").display().to_string();
    let settings =
        format!("export OMPI_MCA_orte_default_hostfile='{hosts}' PRTE_MCA_prte_default_hostfile='{hosts}'\n");
    files::write(path("hosts.sh"), settings)?;
    chain.bench(2, &path("hosts.sh").display().to_string(), &["--network", "-o", "between.json"])?;
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
