//! What measurements on the cluster begin and end with: the benchmark, and the chapter of the guide.

use std::fs;
use std::path::{Path, PathBuf};

use xtask::chapter::with_table;
use xtask::packages::Machine;
use xtask::run::{cargo, root};

use super::library::Library;
use super::outside;
use super::programs::{qtdec, succeed};

/// Empties a folder, compiles the benchmark into its folder `bench`, and returns the command that starts ranks, or what the machine
/// lacks.
///
/// # Errors
///
/// Fails if a program cannot be built.
pub(super) fn prepare(
    folder: &Path,
    release: Library,
    machine: Machine,
) -> Result<Result<PathBuf, String>, String> {
    let commands = match outside::check().and_then(|()| release.ready(machine)) {
        Ok(commands) => commands,
        Err(reason) => return Ok(Err(reason)),
    };
    let built = cargo(["build", "--quiet", "--workspace", "--lib", "--bin", "qtdec"]).status();
    if !built.is_ok_and(|status| status.success()) {
        return Err("qtdec cannot be built".to_owned());
    }
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut build = qtdec();
    build.args(["mpi-build", "--mpicc"]).arg(&commands.mpicc).arg("--output").arg(folder.join("bench"));
    succeed(&mut build)?;
    Ok(Ok(commands.mpirun))
}

/// Writes results to the chapter, between the lines that name them.
///
/// # Errors
///
/// Fails if the chapter has no such lines, or a file cannot be read or written.
pub(super) fn write(name: &str, results: &Path) -> Result<(), String> {
    let chapter = root().join("guide/src/measured.md");
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let written = with_table(&read(&chapter)?, name, &read(results)?)?;
    fs::write(&chapter, written).map_err(|error| format!("{}: {error}", chapter.display()))
}
