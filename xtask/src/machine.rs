//! What checks need besides Rust, and this machine may lack. `.ci/install.sh` installs all of it.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::run::rustc_version;

/// Returns the path of a file in Debian's packages. `pattern` is a path under `/usr/lib/<triplet>`.
///
/// # Errors
///
/// Returns what is missing, and how to get it.
pub fn library(pattern: &str) -> Result<PathBuf, String> {
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten().filter_map(Result::ok);
    let mut paths = folders.map(|folder| folder.path().join(pattern));
    paths.find(|path| path.exists()).ok_or_else(|| missing(pattern))
}

/// Ensures that a command is available.
///
/// # Errors
///
/// Returns what is missing, and how to get it.
pub fn command(name: &str) -> Result<(), String> {
    ensure(quiet(Command::new("which").arg(name)), name)
}

/// Ensures that these files exist.
///
/// # Errors
///
/// Returns the first that is missing, and how to get it.
pub fn files(paths: &[&str]) -> Result<(), String> {
    paths.iter().try_for_each(|path| ensure(PathBuf::from(path).exists(), path))
}

/// Returns Cargo of this version of Rust, to which arguments can be added.
///
/// # Errors
///
/// Returns what is missing, and how to get it.
pub fn cargo_of(version: &str) -> Result<Command, String> {
    if rustc_version() == version {
        return Ok(Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())));
    }
    let cargo = || {
        let mut cargo = Command::new("rustup");
        cargo.args(["run", version, "cargo"]);
        cargo
    };
    ensure(quiet(cargo().arg("--version")), &format!("Rust {version}"))?;
    Ok(cargo())
}

/// Ensures that Rust's standard library is available for another target.
///
/// # Errors
///
/// Returns what is missing, and how to get it.
pub fn target(target: &str) -> Result<(), String> {
    let libraries = Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output();
    let is_there = libraries
        .is_ok_and(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim_end()).is_dir());
    ensure(is_there, &format!("the Rust target {target}"))
}

fn ensure(is_there: bool, what: &str) -> Result<(), String> {
    if is_there { Ok(()) } else { Err(missing(what)) }
}

/// Returns the message about what is missing.
pub(crate) fn missing(what: &str) -> String {
    format!("missing: {what}; run .ci/install.sh")
}

fn quiet(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_missing_is_named_with_the_way_to_get_it() {
        let named = |what: &str| format!("missing: {what}; run .ci/install.sh");
        assert_eq!(super::command("no-such-command"), Err(named("no-such-command")));
        assert_eq!(super::library("no/such.so"), Err(named("no/such.so")));
        assert_eq!(super::target("no-such-target"), Err(named("the Rust target no-such-target")));
        assert_eq!(super::cargo_of("0.0.1").err(), Some(named("Rust 0.0.1")));
        assert_eq!(super::files(&["/", "/no-such-file"]), Err(named("/no-such-file")));
        assert_eq!(super::command("sh"), Ok(()));
    }
}
