//! Requirements of tests that the machine may lack: Debian packages, another Rust.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;

use crate::run::rustc_version;

/// The machine, and whether what it lacks may be installed.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Machine {
    /// Install missing programs: Debian packages as root or with sudo, and versions of Rust with rustup
    #[arg(long)]
    install: bool,
}

impl Machine {
    /// Returns the path of a file in the packages. `pattern` is a path under `/usr/lib/<triplet>`.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub(crate) fn library(self, pattern: &str, packages: &[&str]) -> Result<PathBuf, String> {
        if let Some(found) = find(pattern) {
            return Ok(found);
        }
        self.packages(packages)?;
        find(pattern).ok_or_else(|| format!("{} contains no {pattern}", packages.join(" and ")))
    }

    /// Ensures that a command is available.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub(crate) fn command(self, name: &str, packages: &[&str]) -> Result<(), String> {
        if runs(name) {
            return Ok(());
        }
        self.packages(packages)?;
        if runs(name) { Ok(()) } else { Err(format!("{} contains no {name}", packages.join(" and "))) }
    }

    /// Ensures that packages are available, which are known to be missing.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub(crate) fn packages(self, packages: &[&str]) -> Result<(), String> {
        let names = packages.join(" ");
        if !self.install {
            return Err(format!("missing: {names}; run apt-get install {names}, or add --install"));
        }
        let Some(apt) = apt() else {
            return Err(format!(
                "missing: {names}; only root, or sudo without a password, installs them on Debian"
            ));
        };
        let apt = |arguments: &[&str]| {
            let mut command = Command::new("timeout");
            command
                .arg("600")
                .args(apt)
                .args(["-qq"])
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive");
            quiet(&mut command)
        };
        let install = [&["install", "--yes", "--no-install-recommends"], packages].concat();
        if apt(&install) || (apt(&["update"]) && apt(&install)) {
            Ok(())
        } else {
            Err(format!("missing: {names}; apt-get could not install them"))
        }
    }

    /// Returns Cargo of this version of Rust, to which arguments can be added.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub(crate) fn cargo_of(self, version: &str) -> Result<Command, String> {
        if rustc_version() == version {
            return Ok(Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())));
        }
        let run = |arguments: &[&str]| {
            let mut command = Command::new("rustup");
            command.args(["run", version, "cargo"]).args(arguments);
            command
        };
        let runs = || quiet(&mut run(&["--version"]));
        if !runs() {
            if !self.install {
                return Err(format!(
                    "missing: Rust {version}; run rustup toolchain install {version}, or add --install"
                ));
            }
            let mut install = Command::new("timeout");
            install.args(["600", "rustup", "toolchain", "install", version, "--profile", "minimal"]);
            if !quiet(install.arg("--no-self-update")) || !runs() {
                return Err(format!("missing: Rust {version}; rustup could not install it"));
            }
        }
        Ok(run(&[]))
    }

    /// Ensures that a subcommand of Cargo is available.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub(crate) fn cargo_tool(self, name: &str) -> Result<(), String> {
        let is_there = || quiet(Command::new("cargo").args([name, "--version"]));
        if is_there() {
            return Ok(());
        }
        if !self.install {
            return Err(format!(
                "missing: cargo {name}; run cargo install --locked cargo-{name}, or add --install"
            ));
        }
        let mut install = Command::new("cargo");
        let package = format!("cargo-{name}");
        let installed = install.args(["install", "--locked", &package]).status();
        if installed.is_ok_and(|status| status.success()) && is_there() {
            Ok(())
        } else {
            Err(format!("missing: cargo {name}; cargo could not install it"))
        }
    }

    /// Ensures that Rust's standard library is available for another target.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub(crate) fn target(self, target: &str) -> Result<(), String> {
        let is_there = || {
            let mut rustc = Command::new("rustc");
            let libraries = rustc.args(["--print", "target-libdir", "--target", target]).output();
            libraries.is_ok_and(|output| {
                PathBuf::from(String::from_utf8_lossy(&output.stdout).trim_end()).is_dir()
            })
        };
        if is_there() {
            return Ok(());
        }
        if !self.install {
            return Err(format!(
                "missing: the Rust target {target}; run rustup target add {target}, or add --install"
            ));
        }
        let mut add = Command::new("timeout");
        if quiet(add.args(["600", "rustup", "target", "add", target])) && is_there() {
            Ok(())
        } else {
            Err(format!("missing: the Rust target {target}; rustup could not add it"))
        }
    }
}

fn find(pattern: &str) -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?;
    folders.filter_map(|folder| Some(folder.ok()?.path().join(pattern))).find(|path| path.exists())
}

fn runs(name: &str) -> bool {
    quiet(Command::new("which").arg(name))
}

/// Returns the command for apt-get, if the user may run it.
fn apt() -> Option<&'static [&'static str]> {
    let is_root =
        || Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if !runs("apt-get") {
        None
    } else if is_root() {
        Some(&["apt-get"])
    } else {
        quiet(Command::new("sudo").args(["-n", "true"])).then_some(&["sudo", "-n", "-E", "apt-get"])
    }
}

fn quiet(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::Machine;

    #[test]
    fn what_is_missing_is_named_with_the_way_to_get_it() {
        let machine = Machine { install: false };
        let missing = machine.command("no-such-command", &["one", "other"]).unwrap_err();
        assert_eq!(missing, "missing: one other; run apt-get install one other, or add --install");
        let missing = machine.cargo_of("0.0.1").unwrap_err();
        assert_eq!(missing, "missing: Rust 0.0.1; run rustup toolchain install 0.0.1, or add --install");
        let missing = machine.target("no-such-target").unwrap_err();
        assert_eq!(
            missing,
            "missing: the Rust target no-such-target; run rustup target add no-such-target, or add --install"
        );
        let missing = machine.cargo_tool("no-such-tool").unwrap_err();
        assert_eq!(
            missing,
            "missing: cargo no-such-tool; run cargo install --locked cargo-no-such-tool, or add --install"
        );
        assert!(machine.command("sh", &["dash"]).is_ok());
    }
}
