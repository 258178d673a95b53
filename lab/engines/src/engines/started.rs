//! Programs that are started.

use std::ffi::OsStr;
use std::process::Command;

use xtask::run::printed;

/// Runs a command that must succeed.
pub(super) fn succeed(command: &mut Command) -> Result<(), String> {
    printed(command).map(drop)
}

/// Returns `timeout` around a launcher, because an MPI that hangs must not hang the tests, in a shell that first makes these
/// settings.
pub(super) fn launcher(name: impl AsRef<OsStr>, settings: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{settings}\nexec \"$@\""), "sh", "timeout", "-k", "5", "240"]).arg(name);
    command
}
