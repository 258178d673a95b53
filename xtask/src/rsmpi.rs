//! The example of a Rust program under MPI: formatted, built and run.

use std::process::Command;

use xtask::machine;
use xtask::outcome::Outcome;
use xtask::run::{cargo, root, target};
use xtask::watched::run;

const MANIFEST: &str = "examples/mpi/Cargo.toml";

/// The number of ranks.
const RANKS: &str = "4";

/// Builds the example against Debian's Open MPI, and runs it.
pub(crate) fn check() -> Result<Outcome, String> {
    let missing = [
        machine::command("mpirun.openmpi"),
        machine::library("openmpi/include/mpi.h").map(drop),
        // Bindings to the header are made when the package `mpi` is built.
        machine::library("lib/libclang.so").map(drop),
    ];
    if let Some(reason) = missing.into_iter().find_map(Result::err) {
        return Ok(Outcome::Skipped(reason));
    }
    run(&mut cargo(["fmt", "--check", "--manifest-path", MANIFEST]))?;
    let folder = target().join("example-mpi");
    let mut build = cargo(["build", "--quiet", "--manifest-path", MANIFEST, "--target-dir"]);
    run(build.arg(&folder).env("MPICC", "mpicc.openmpi").env_remove("CARGO_TARGET_DIR"))?;
    let mut mpirun = Command::new("timeout");
    mpirun.args(["60", "mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-np", RANKS]);
    run(mpirun.arg(folder.join("debug/qtdec-example-mpi")).current_dir(root()))
}
