//! Commands that must succeed.

use std::path::Path;
use std::process::Command;

use xtask::run::target;

/// Returns the program `qtdec`, as it was built; `qtdec mpi` is `qtdec-mpi`.
pub(super) fn qtdec() -> Command {
    let name = if cfg!(debug_assertions) { "debug/qtdec" } else { "release/qtdec" };
    Command::new(target().join(name))
}

/// Runs a command to its end.
pub(super) fn succeed(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{}: {error}", program(command).display()))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

fn program(command: &Command) -> &Path {
    Path::new(command.get_program())
}
