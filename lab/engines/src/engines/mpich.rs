//! MPICH under `mpirun`: checks that it loads and obeys the selection file written here.

mod broadcasts;
mod device;
mod forced;
mod malformed;
mod pair;
mod smoke;

use std::path::Path;
use std::process::Command;

use qtdec_mpi_library::catalogue::Release;

use super::installed::Installed;
use super::observed::Program;
use xtask::files;
use xtask::run::root;

/// The release in Debian.
pub(super) fn prove_4(installed: Installed) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let observed = observed(installed, folder.path())?;
    let malformed = malformed::compare(folder.path())?;
    Ok(format!("{observed}; {malformed}"))
}

/// The release of a wheel. Its reader cannot be asked alone.
pub(super) fn prove_5(installed: Installed) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    observed(installed, folder.path())
}

fn observed(installed: Installed, folder: &Path) -> Result<String, String> {
    let smoke = smoke::test(&installed, folder)?;
    let program = &Program::build(folder, installed, "mpich_spy.c")?;
    let broadcasts = broadcasts::count(program, folder)?;
    let forced = forced::compare(program, folder)?;
    let device = device::compare(program, folder)?;
    let pair = pair::compare(program, folder)?;
    Ok(format!(
        "{broadcasts} broadcasts, at every threshold, sent the messages of the algorithm of the file, and {forced}; {device}; {pair}; {smoke}"
    ))
}

/// Returns a complete selection file of a release, for rules to be inserted into.
fn whole(release: Release) -> Result<Vec<u8>, String> {
    let path = root().join("tests/commands/tests/commands.in/whole.json");
    let text = files::read(path)?;
    let text = if release < Release::new(5, 0) {
        text
    } else {
        text.replace(
            "MPIR_Barrier_intra_dissemination\": {}",
            "MPIR_Barrier_intra_k_dissemination\": {\"k=2\": {}}",
        )
    };
    Ok(text.into_bytes())
}

/// How ranks are placed: MPICH can take one machine for several nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Placement {
    /// Each rank on a node of its own.
    Alone,
    /// Half of the ranks on each of two nodes.
    TwoNodes,
    /// All ranks on one node.
    OneNode,
}

impl Placement {
    const ALL: [Self; 3] = [Self::Alone, Self::TwoNodes, Self::OneNode];

    /// Returns how many of an even number of ranks are on each node.
    fn ranks_per_node(self, ranks: u64) -> u64 {
        match self {
            Self::Alone => 1,
            Self::TwoNodes => ranks / 2,
            Self::OneNode => ranks,
        }
    }

    /// Returns the variable that places ranks so, and its value.
    fn variable(self) -> (&'static str, &'static str) {
        match self {
            Self::Alone => ("MPIR_CVAR_NOLOCAL", "1"),
            Self::TwoNodes => ("MPIR_CVAR_NUM_CLIQUES", "2"),
            Self::OneNode => ("MPIR_CVAR_NUM_CLIQUES", "1"),
        }
    }
}

/// Returns the launcher of a number of ranks, with these environment settings.
fn mpirun(program: &Program, (ranks, placement): (u64, Placement), settings: &str) -> Command {
    let mut command = program.launcher(settings);
    let (variable, value) = placement.variable();
    command
        .args(["-np", &ranks.to_string()])
        // Messages between nodes go through UCX, where the spy is.
        .env(variable, value)
        .env("UCX_TLS", "self,sm,tcp")
        // Since 5.0 a library may have both.
        .env("MPIR_CVAR_CH4_NETMOD", "ucx")
        .args(["-genv", "LD_PRELOAD"])
        .arg(program.spy());
    command
}
