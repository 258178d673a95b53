//! A crate that uses the attribute, and the cost of compiling and editing it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use qtdec_core::DecisionMap;
use qtdec_testkit::maps::{Pattern, Plan};
use wait4::Wait4;

use super::timed;
use xtask::run::{cargo, root};

/// Makes the stable compiler report the times of its passes.
const UNSTABLE: (&str, &str) = ("RUSTC_BOOTSTRAP", "1");

/// A crate that only uses the attribute.
pub(super) struct Consumer {
    folder: PathBuf,
}

/// The cost of a compilation.
pub(super) struct Compiled {
    pub(super) expansion: Duration,
    pub(super) total: Duration,
    /// The time of all processors.
    pub(super) processor: Duration,
    /// The memory in bytes.
    pub(super) memory: u64,
}

impl Consumer {
    pub(super) fn new(folder: &Path) -> Result<Self, String> {
        let folder = folder.join("consumer");
        let root = root();
        let manifest = format!(
            "[package]\nname = \"consumer\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nqtdec = {{ path = \"{}\" }}\n\n[workspace]\n",
            root.display()
        );
        let write = || {
            fs::create_dir_all(folder.join("src"))?;
            fs::write(folder.join("Cargo.toml"), manifest)?;
            fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).map(drop)
        };
        write().map_err(|error| error.to_string())?;
        Ok(Self { folder })
    }

    pub(super) fn write_map(&self, map: &DecisionMap, layout: &str) -> Result<(), String> {
        let source = format!(
            "#[qtdec::decision_map(\"map.json\", layout = \"{layout}\")]\n\
             pub fn select(comm_size: usize, msg_size: usize) -> u16;\n"
        );
        let write = || {
            fs::write(self.folder.join("src/lib.rs"), source)?;
            fs::write(self.folder.join("map.json"), map.to_json())
        };
        write().map_err(|error| error.to_string())
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = cargo(arguments);
        command.current_dir(&self.folder).arg("--offline").stdout(Stdio::null()).stderr(Stdio::inherit());
        command
    }

    pub(super) fn clean_build(&self) -> Result<(Duration, u64), String> {
        self.write_map(&Plan::new(&[2, 2], Pattern::Corner, 1).map(), "branches")?;
        let clean = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut command = self.cargo(&["build", "--quiet"]);
        command.arg("--target-dir").arg(clean.path());
        timed(&mut command)
    }

    /// Compiles the crate with its map in release mode; the macro is built with Cargo's defaults.
    pub(super) fn compile(&self) -> Result<Compiled, String> {
        // The first build is for the dependencies, the second one is measured; build scripts also see the variable.
        timed(self.cargo(&["build", "--quiet", "--release"]).env(UNSTABLE.0, UNSTABLE.1))?;
        let source = self.folder.join("src/lib.rs");
        let text = fs::read_to_string(&source).map_err(|error| error.to_string())?;
        fs::write(&source, text).map_err(|error| error.to_string())?;
        let mut command = cargo(["rustc", "--quiet", "--release", "--offline", "--", "-Ztime-passes"]);
        command
            .current_dir(&self.folder)
            .env(UNSTABLE.0, UNSTABLE.1)
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let mut passes = String::new();
        let mut stderr = child.stderr.take().expect("it is piped");
        std::io::Read::read_to_string(&mut stderr, &mut passes).map_err(|error| error.to_string())?;
        let used = child.wait4().map_err(|error| error.to_string())?;
        let pass = |name: &str| {
            let line = passes.lines().find(|line| line.trim_end().ends_with(name));
            let seconds = line.and_then(|line| {
                line.trim_start().strip_prefix("time:")?.split(';').next()?.trim().parse().ok()
            });
            seconds
                .map(Duration::from_secs_f64)
                .ok_or_else(|| format!("rustc reported no time for {name}: {passes}"))
        };
        Ok(Compiled {
            expansion: pass("macro_expand_crate")?,
            total: pass("total")?,
            processor: used.rusage.utime + used.rusage.stime,
            memory: used.rusage.maxrss,
        })
    }

    /// Returns the time that a language server needs to load the crate with its dependencies, and to find no error.
    pub(super) fn edit(&self) -> Result<Duration, String> {
        let mut command = Command::new("rust-analyzer");
        command.args(["diagnostics", "--severity", "error"]).arg(&self.folder);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        timed(&mut command).map(|(time, _)| time)
    }
}

/// Checks whether there is a language server.
pub(super) fn editor() -> Result<(), String> {
    let version = Command::new("rust-analyzer").arg("--version").output();
    match version {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err("rust-analyzer is not installed (rustup component add rust-analyzer rust-src)".to_owned()),
    }
}
