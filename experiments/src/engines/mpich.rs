//! MPICH under `mpirun`: checks that it loads and obeys the selection file written here.

mod broadcasts;
mod forced;
mod malformed;

use std::process::Command;

use super::observed::{Program, launcher};
use xtask::outcome::Outcome;
use xtask::packages::Machine;

pub(super) fn prove(machine: Machine) -> Result<Outcome, String> {
    for (command, package) in [("mpirun.mpich", "mpich"), ("mpicc.mpich", "libmpich-dev"), ("cc", "gcc")] {
        if let Err(reason) = machine.command(command, &[package]) {
            return Ok(Outcome::Skipped(reason));
        }
    }
    // The compiler wrapper is installed without the headers that it needs.
    if let Err(reason) = machine.library("mpich/include/mpi.h", &["libmpich-dev"]) {
        return Ok(Outcome::Skipped(reason));
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let program = Program::build(folder.path(), "mpicc.mpich", "mpich_spy.c")?;
    let broadcasts = broadcasts::count(&program, folder.path())?;
    let forced = forced::compare(&program, folder.path())?;
    let malformed = malformed::compare(folder.path())?;
    Ok(Outcome::Held(format!(
        "{broadcasts} broadcasts, at every threshold, sent the messages of the algorithm of the file, and {forced}; {malformed}"
    )))
}

/// Returns the launcher of a number of ranks, with these environment settings.
fn mpirun(program: &Program, ranks: u64, settings: &str) -> Command {
    let mut command = launcher("mpirun.mpich", settings);
    command
        .args(["-np", &ranks.to_string()])
        // Send every message through UCX, where the spy is.
        .env("MPIR_CVAR_NOLOCAL", "1")
        .env("UCX_TLS", "self,sm,tcp")
        .args(["-genv", "LD_PRELOAD"])
        .arg(program.spy());
    command
}
