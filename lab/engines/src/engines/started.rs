//! Programs that are started.

use std::ffi::OsStr;
use std::process::Command;

/// Runs a command that must succeed.
pub(super) fn succeed(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let told = || format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.status.success().then_some(()).ok_or_else(told)
}

/// Returns `timeout` around a launcher, because an MPI that hangs must not hang the tests, in a shell that first makes these
/// settings.
pub(super) fn launcher(name: impl AsRef<OsStr>, settings: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{settings}\nexec \"$@\""), "sh", "timeout", "-k", "5", "240"]).arg(name);
    command
}
