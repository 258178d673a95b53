//! Nodes on one machine: Open MPI takes daemons with different hostnames for nodes, and ranks of one daemon for those of a node.

use std::process::Command;

use qtdec_mpi_library::catalogue::Release;

use crate::engines::agent::Agent;
use crate::engines::observed::Program;

/// The nodes of a run.
pub(super) enum Nodes {
    /// All ranks on one node.
    One,
    /// Half of the ranks on each of two nodes.
    Two(Agent),
}

impl Nodes {
    /// Adds the options of a launcher that place a number of ranks.
    pub(super) fn place(&self, command: &mut Command, release: Release, ranks: u64) {
        let Self::Two(agent) = self else {
            command.args(["--oversubscribe", "--mca", "btl", "self,vader"]);
            return;
        };
        let each = ranks.div_ceil(2);
        let kind = if release < Release::new(5, 0) {
            ["--mca", "plm_rsh_agent"]
        } else {
            ["--prtemca", "plm_ssh_agent"]
        };
        command.args(["--host", &format!("qtdec-a:{each},qtdec-b:{each}")]);
        command.args(kind).arg(agent.path()).args(["--mca", "btl", "self,vader,tcp"]);
    }
}

/// Returns the launcher of a number of ranks, with these environment settings.
pub(super) fn mpirun(program: &Program, (ranks, nodes): (u64, &Nodes), settings: &str) -> Command {
    let mut command = program.launcher(settings);
    command
        .args(["--allow-run-as-root", "--bind-to", "none"])
        .args(["--mca", "pml", "ob1", "--mca", "mpi_yield_when_idle", "1"])
        .args(["-x", &format!("LD_PRELOAD={}", program.spy().display())])
        .args(["-np", &ranks.to_string()]);
    nodes.place(&mut command, program.release(), ranks);
    command
}
