//! Requirements of tests that the machine may lack: Debian packages, another Rust.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;

use crate::run::rustc_version;

/// The machine, and whether what it lacks may be installed.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Machine {
    /// Install missing programs: Debian packages as root or with sudo, and versions of Rust with rustup
    #[arg(long)]
    install: bool,
}

impl Machine {
    /// Returns the options that say the same to another program.
    pub fn arguments(self) -> &'static [&'static str] {
        if self.install { &["--install"] } else { &[] }
    }

    /// Returns the path of a file in the packages. `pattern` is a path under `/usr/lib/<triplet>`.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub fn library(self, pattern: &str, packages: &[&str]) -> Result<PathBuf, String> {
        self.packages(packages, || find(pattern))
    }

    /// Ensures that a command is available.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub fn command(self, name: &str, packages: &[&str]) -> Result<(), String> {
        self.packages(packages, || runs(name).then_some(()))
    }

    /// Returns what `find` finds, after installing the Debian packages if it finds nothing.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub fn packages<T>(self, packages: &[&str], find: impl Fn() -> Option<T>) -> Result<T, String> {
        let names = packages.join(" ");
        self.ensure(&names, &format!("apt-get install {names}"), find, || {
            let apt = apt().ok_or("only root, or sudo without a password, installs them on Debian")?;
            let apt = |arguments: &[&str]| {
                let mut command = limited();
                // Steps that run side by side would find apt's lists locked.
                command.arg("flock").arg(std::env::temp_dir().join("qtdec-apt.lock"));
                command.args(apt).args(["-qq"]).args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
                quiet(&mut command)
            };
            let install = [&["install", "--yes", "--no-install-recommends"], packages].concat();
            let is_installed = apt(&install) || (apt(&["update"]) && apt(&install));
            is_installed.then_some(()).ok_or("apt-get could not install them")
        })
    }

    /// Returns Cargo of this version of Rust, to which arguments can be added.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub fn cargo_of(self, version: &str) -> Result<Command, String> {
        if rustc_version() == version {
            return Ok(Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())));
        }
        let cargo = || {
            let mut cargo = Command::new("rustup");
            cargo.args(["run", version, "cargo"]);
            cargo
        };
        let install = format!("rustup toolchain install {version} --profile minimal");
        self.tool(&format!("Rust {version}"), &install, || quiet(cargo().arg("--version")))?;
        Ok(cargo())
    }

    /// Ensures that a subcommand of Cargo is available.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub fn cargo_tool(self, name: &str) -> Result<(), String> {
        self.tool(&format!("cargo {name}"), &format!("cargo install --locked cargo-{name}"), || {
            quiet(Command::new("cargo").args([name, "--version"]))
        })
    }

    /// Ensures that Rust's standard library is available for another target.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub fn target(self, target: &str) -> Result<(), String> {
        self.tool(&format!("the Rust target {target}"), &format!("rustup target add {target}"), || {
            let mut rustc = Command::new("rustc");
            let libraries = rustc.args(["--print", "target-libdir", "--target", target]).output();
            libraries.is_ok_and(|output| {
                PathBuf::from(String::from_utf8_lossy(&output.stdout).trim_end()).is_dir()
            })
        })
    }

    /// Ensures that something is there which one command installs for this user. Spaces separate its words.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub fn tool(self, what: &str, install: &str, is_there: impl Fn() -> bool) -> Result<(), String> {
        self.ensure(
            what,
            install,
            || is_there().then_some(()),
            || quiet(limited().args(install.split(' '))).then_some(()).ok_or("this command failed"),
        )
    }

    /// Returns what `find` finds, after `install` if it finds nothing and may install.
    fn ensure<T>(
        self,
        what: &str,
        command: &str,
        find: impl Fn() -> Option<T>,
        install: impl FnOnce() -> Result<(), &'static str>,
    ) -> Result<T, String> {
        if let Some(found) = find() {
            return Ok(found);
        }
        if !self.install {
            return Err(format!("missing: {what}; run {command}, or add --install"));
        }
        install().map_err(|reason| format!("missing: {what}; {command}: {reason}"))?;
        find().ok_or_else(|| format!("missing: {what}, also after {command}"))
    }
}

/// Returns a command that ends another one after half an hour; the arguments follow.
fn limited() -> Command {
    let mut command = Command::new("timeout");
    command.arg("1800");
    command
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
        assert_eq!(
            missing,
            "missing: Rust 0.0.1; run rustup toolchain install 0.0.1 --profile minimal, or add --install"
        );
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
