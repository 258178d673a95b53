//! What MPI libraries are told about the cluster: variables that make a bare `mpirun` use all nodes.

use super::nodes::network;
use crate::topology::Topology;

/// The folder with the cluster's own files, in a file system that is gone with it.
pub(crate) const FOLDER: &str = "/run/qtdec";

/// The library that lets idle ranks sleep.
pub(crate) const IDLE: &str = "/run/qtdec/idle.so";

/// The program that takes the place of ssh.
pub(crate) const AGENT: &str = "/run/qtdec/agent";

/// The nodes with their slots, as Open MPI reads them.
pub(crate) const SLOTS: &str = "/run/qtdec/slots";

/// The nodes with their slots, as MPICH reads them.
pub(crate) const MACHINES: &str = "/run/qtdec/machines";

/// The rate that all ports have from now on, if there is such a file.
pub(crate) const RATE: &str = "/run/qtdec/rate";

/// Returns the variables of the command, which all ranks inherit.
pub(crate) fn variables(topology: &Topology) -> Vec<(String, String)> {
    let mut variables: Vec<(String, String)> = Vec::new();
    let networks: Vec<String> = (0..topology.ports).map(|port| format!("{}.0/24", network(port))).collect();
    let (network, all) = (networks[0].as_str(), networks.join(","));
    // Open MPI: all messages over TCP and the cluster's networks, also those within a node.
    let common = [
        ("btl", "tcp,self"),
        ("pml", "ob1"),
        ("btl_tcp_if_include", all.as_str()),
        ("btl_base_warn_component_unused", "0"),
        ("mpi_yield_when_idle", "1"),
        ("hwloc_base_binding_policy", "none"),
    ];
    // Up to 4.1, its own runtime.
    let runtime = [
        ("plm", "rsh"),
        ("plm_rsh_agent", AGENT),
        ("plm_rsh_no_tree_spawn", "1"),
        ("orte_default_hostfile", SLOTS),
        ("oob_tcp_if_include", network),
        ("rmaps_base_mapping_policy", "slot"),
    ];
    for (name, value) in common.into_iter().chain(runtime) {
        variables.push((format!("OMPI_MCA_{name}"), value.to_owned()));
    }
    // From 5.0 on, PRRTE.
    let prrte = [
        ("plm", "ssh"),
        ("plm_ssh_agent", AGENT),
        ("plm_ssh_no_tree_spawn", "1"),
        ("prte_default_hostfile", SLOTS),
        ("prte_if_include", network),
        ("rmaps_default_mapping_policy", "slot"),
        ("hwloc_default_binding_policy", "none"),
    ];
    for (name, value) in prrte {
        variables.push((format!("PRTE_MCA_{name}"), value.to_owned()));
    }
    // MPICH's launcher, Hydra.
    for (name, value) in [("LAUNCHER", "ssh"), ("LAUNCHER_EXEC", AGENT), ("HOST_FILE", MACHINES)] {
        variables.push((format!("HYDRA_{name}"), value.to_owned()));
    }
    // Its messages would cross nodes through the memory that these share.
    for (name, value) in [("UCX_TLS", "tcp,self"), ("UCX_NET_DEVICES", "eth0"), ("MPIR_CVAR_NOLOCAL", "1")] {
        variables.push((name.to_owned(), value.to_owned()));
    }
    for prefix in ["OMPI", "PRTE"] {
        variables.push((format!("{prefix}_ALLOW_RUN_AS_ROOT"), "1".to_owned()));
        variables.push((format!("{prefix}_ALLOW_RUN_AS_ROOT_CONFIRM"), "1".to_owned()));
    }
    variables.push(("TMPDIR".to_owned(), FOLDER.to_owned()));
    variables
}
