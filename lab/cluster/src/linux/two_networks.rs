//! A network of two levels, each of which is measured.

use std::fs;

use qtdec_mpi_predict::Network;
use serde_json::Value;

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
    let failed = |error: std::io::Error| format!("{}: {error}", chain.folder.display());
    fs::write(path("hosts"), format!("qt0 slots=1\nqt{other} slots=1\n")).map_err(failed)?;
    let hosts = path("hosts").display().to_string();
    let settings =
        format!("export OMPI_MCA_orte_default_hostfile='{hosts}' PRTE_MCA_prte_default_hostfile='{hosts}'\n");
    fs::write(path("hosts.sh"), settings).map_err(failed)?;
    chain.bench(2, &path("hosts.sh").display().to_string(), &["--network", "-o", "between.json"])?;
    let read = |name: &str| -> Result<Value, String> {
        let text = fs::read(path(name)).map_err(failed)?;
        serde_json::from_slice(&text).map_err(|error| format!("{name}: {error}"))
    };
    let (mut both, between) = (read("network.json")?, read("between.json")?);
    both["ranks_per_node"] = ranks_per_node.into();
    both["between"] = serde_json::json!({
        "cluster_size": cluster_size, "latency": between["latency"], "points": between["points"],
    });
    fs::write(path("network.json"), format!("{both:#}\n")).map_err(failed)?;
    network(&path("network.json"))
}
