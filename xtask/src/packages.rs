//! What tests need and the machine may lack: Debian's packages, an older Rust.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The path of a file that one of the packages brings, which are installed for it where this is Debian and root is
/// asked. `pattern` is a folder under `/usr/lib/<triplet>`.
pub(crate) fn library(pattern: &str, packages: &[&str]) -> Result<PathBuf, String> {
    if let Some(found) = find(pattern) {
        return Ok(found);
    }
    install(packages)?;
    find(pattern).ok_or_else(|| format!("{} brought no {pattern}", packages.join(" and ")))
}

/// Whether a command is there, if need be after an installation.
pub(crate) fn command(name: &str, packages: &[&str]) -> Result<(), String> {
    if runs(name) {
        return Ok(());
    }
    install(packages)?;
    if runs(name) { Ok(()) } else { Err(format!("{} brought no {name}", packages.join(" and "))) }
}

fn find(pattern: &str) -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?;
    folders.filter_map(|folder| Some(folder.ok()?.path().join(pattern))).find(|path| path.exists())
}

fn runs(name: &str) -> bool {
    quiet(Command::new("which").arg(name))
}

/// Installs packages, where this is Debian or its kin and root is asked.
pub(crate) fn install(packages: &[&str]) -> Result<(), String> {
    if !may_install() {
        return Err(format!("{} not installed here (Debian: apt-get install)", packages.join(" and ")));
    }
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("timeout");
        command.args(["600", "apt-get", "-qq"]).args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        quiet(&mut command)
    };
    let install = [&["install", "--yes", "--no-install-recommends"], packages].concat();
    if apt(&install) || (apt(&["update"]) && apt(&install)) {
        Ok(())
    } else {
        Err(format!("{} could not be installed", packages.join(" and ")))
    }
}

/// Whether there is this version of Rust, if need be after an installation by the same rule.
pub(crate) fn rust(version: &str) -> bool {
    let runs = || quiet(Command::new("rustup").args(["run", version, "cargo", "--version"]));
    let mut install = Command::new("timeout");
    install.args([
        "600",
        "rustup",
        "toolchain",
        "install",
        version,
        "--profile",
        "minimal",
        "--no-self-update",
    ]);
    runs() || (may_install() && quiet(&mut install) && runs())
}

/// Whether this is Debian or its kin and root is asked.
fn may_install() -> bool {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    root && runs("apt-get")
}

fn quiet(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
