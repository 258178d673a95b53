//! Running of commands.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable with which long tests try every case, and not a sample: `tests/kit/src/sample.rs` reads it.
pub const EVERY_CASE: (&str, &str) = ("QTDEC_TESTS", "all");

/// Returns the folder of the workspace.
///
/// # Panics
///
/// Does not panic: the folder of this package lies in the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_owned()
}

/// Returns Cargo's build folder.
pub fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// Returns Cargo with these arguments, in the workspace.
pub fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Returns Cargo with this command for the packages of the workspace.
pub fn workspace<S: AsRef<OsStr>>(command: &str, arguments: impl IntoIterator<Item = S>) -> Command {
    let mut cargo = cargo([command, "--workspace"]);
    cargo.args(arguments);
    cargo
}

/// Returns the rustc that Cargo calls.
pub fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Returns the version of rustc, as in `1.95.0`.
pub fn rustc_version() -> String {
    let output = rustc().arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).split(' ').nth(1).unwrap_or_default().to_owned()
}

/// Runs a command to its end, and returns what it prints.
///
/// # Errors
///
/// Returns the command with what it says, if it cannot be started or fails.
pub fn printed(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns `cargo build` of targets of the workspace, with the features that the tests have.
///
/// Cargo adds the features that only tests need where it builds a test. Without them, most packages would be compiled a second time, so
/// a small test is built along.
pub fn build(targets: &[&str]) -> Command {
    let mut command = workspace("build", ["--quiet", "--test", "returned"]);
    command.args(targets);
    command
}

/// Returns a program of the workspace, built with the features that the tests have, and optimised if this one is.
///
/// # Errors
///
/// Returns an error if it cannot be built.
pub fn program(name: &str) -> Result<Command, String> {
    let (folder, options): (&str, &[&str]) =
        if cfg!(debug_assertions) { ("debug", &[]) } else { ("release", &["--release"]) };
    let status = build(&["--bin", name]).args(options).status();
    if !status.is_ok_and(|status| status.success()) {
        return Err(format!("{name} cannot be built"));
    }
    let mut command = Command::new(target().join(folder).join(name));
    command.current_dir(root());
    Ok(command)
}
