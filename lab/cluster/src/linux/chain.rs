//! The steps of the chain.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;
use xtask::files;

use super::library::Library;
use super::programs::{qtdec, succeed};

/// The grid: 12 cells.
pub(super) const COMM_SIZES: [u32; 3] = [2, 4, 8];
pub(super) const MSG_SIZES: [u64; 4] = [1 << 10, 1 << 13, 1 << 16, 1 << 18];

/// The methods besides the default.
const METHODS: &str = "basic_linear,chain/8K,pipeline/1K,pipeline/8K,split_binary_tree/1K,split_binary_tree/8K,\
                       binary_tree/8K,binomial,binomial/8K";

/// The results of the steps, as the page has them.
pub(super) const RESULTS: &str = "results.md";

/// Where the steps run, and with what.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// The folder of the benchmark, and of all files.
    pub(super) folder: PathBuf,
    /// The command that starts ranks.
    pub(super) mpirun: PathBuf,
    /// The library, which the tuning file is for.
    pub(super) release: Library,
}

/// Returns numbers as the argument of an option.
fn listed<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

impl Chain {
    /// Runs the benchmark under the settings of a script, if one is named.
    pub(super) fn bench(&self, ranks: u32, settings: &str, arguments: &[&str]) -> Result<(), String> {
        let program = format!("{}/bench/qtdec-bench", self.folder.display());
        succeed(self.launcher(ranks, settings).arg(program).args(arguments))
    }

    /// Returns the command that starts a program on ranks under the settings of a script, if one is named. The program is to be added.
    pub(super) fn launcher(&self, ranks: u32, settings: &str) -> Command {
        let mut command = Command::new("timeout");
        command.args(["--kill-after=5", "300"]);
        if !settings.is_empty() {
            command.args(["sh", "-c", &format!(". {settings}; exec \"$@\""), "sh"]);
        }
        command.arg(&self.mpirun).args(["-np", &ranks.to_string()]);
        command.current_dir(&self.folder).stdin(Stdio::null());
        command
    }

    /// Writes a script with settings, and returns its path.
    pub(super) fn settings(&self, name: &str, variables: &[(&str, &str)]) -> Result<String, String> {
        let path = self.folder.join(name);
        let lines = variables.iter().map(|(name, value)| format!("export {name}='{value}'\n"));
        files::write(&path, lines.collect::<String>())?;
        Ok(path.display().to_string())
    }

    fn grid(
        &self,
        settings: &str,
        folder: &str,
        name: &str,
        launch: &str,
        more: &[&str],
    ) -> Result<(), String> {
        let file = format!("{folder}/{name}-{launch}.csv");
        let more = [&["--launch", launch], more].concat();
        self.measure(settings, (&COMM_SIZES, &MSG_SIZES), &file, &more)
    }

    /// Measures a grid in one launch, with the clock that all nodes share, and writes the times to a file in a folder of its own. The
    /// numbers of ranks increase.
    pub(super) fn measure(
        &self,
        settings: &str,
        (comm_sizes, msg_sizes): (&[u32], &[u64]),
        file: &str,
        more: &[&str],
    ) -> Result<(), String> {
        let path = self.folder.join(file);
        let folder = path.parent().unwrap_or(&self.folder);
        files::folder(folder)?;
        let (ranks, bytes) = (listed(comm_sizes), listed(msg_sizes));
        let mut arguments = vec!["--clock", "shared", "--root", "0", "--output", file];
        arguments.extend(["--comm-sizes", &ranks, "--msg-sizes", &bytes]);
        arguments.extend(more);
        self.bench(comm_sizes.last().copied().unwrap_or(1), settings, &arguments)
    }

    /// Measures the library's own choice, without a change of its settings.
    pub(super) fn launch(&self, folder: &str, name: &str, launch: &str, more: &[&str]) -> Result<(), String> {
        self.grid("", folder, name, launch, &[&["--methods", "default", "--repeats", "5"], more].concat())
    }

    /// Measures the library's algorithms, of which slow ones drop out.
    pub(super) fn forced(&self, launch: &str) -> Result<(), String> {
        let race = ["--race", "--repeats", "5", "--process", "2", "--seconds", "24"];
        self.grid("", "before", "forced", launch, &[&["--methods", METHODS], &race[..]].concat())
    }

    /// Makes trees and a tuning file from times, in a folder. `more` are further options of `qtdec-mpi tune`.
    pub(super) fn tune(
        &self,
        times: &[impl AsRef<OsStr>],
        folder: &str,
        more: &[&str],
    ) -> Result<(), String> {
        let mut tune = qtdec();
        tune.args(["mpi", "tune"]).args(times).args(["--library", "open-mpi"]).args(more);
        tune.args(["--release", self.release.release(), "-o", folder]);
        succeed(tune.current_dir(&self.folder))
    }

    /// Measures what the library does under the tuning file.
    pub(super) fn tuned(&self, launch: &str) -> Result<(), String> {
        let more = ["--methods", "default", "--repeats", "5"];
        self.grid("tuned/switches.sh", "after", "tuned", launch, &more)
    }

    /// Compares the launches under the tuning file with their partners without it. `default` is the library's own choice in all.
    pub(super) fn verify(&self, default: &str) -> Result<Value, String> {
        for side in ["before", "control", "after"] {
            let mut read = qtdec();
            read.args(["read", side, "-o", &format!("{side}.csv")]);
            succeed(read.current_dir(&self.folder))?;
        }
        let verify = ["verify", "before.csv", "control.csv", "after.csv", "--baseline", default];
        self.json(&[&verify[..], &["--deployed", "tuned/bcast.tree.json"]].concat())
    }

    /// Measures algorithms of the library and our own schedules of the same algorithms, by turns in one launch.
    pub(super) fn own(&self, collective: &str, methods: &str) -> Result<(), String> {
        self.grid(
            "",
            collective,
            "own",
            "1",
            &["--collective", collective, "--methods", methods, "--repeats", "7"],
        )
    }

    /// Compares simulations on the measured network with times. `times` are the arguments of `qtdec map` that select them.
    pub(super) fn predicted(&self, collective: &str, times: &[&str]) -> Result<Value, String> {
        self.map(collective, times, "measured.json")?;
        let network = ["mpi", "predict", "network.json", "--collective", collective, "--form", "simulated"];
        self.json(&[&network[..], &["--against", "measured.json"]].concat())
    }

    /// Prints the results, and writes them to their file.
    pub(super) fn results(&self, results: &str) -> Result<(), String> {
        println!("{results}");
        let path = self.folder.join(RESULTS);
        files::write(&path, format!("{results}\n"))
    }

    /// Makes a map from times. `times` are the arguments of `qtdec map` that select them.
    pub(super) fn map(&self, collective: &str, times: &[&str], output: &str) -> Result<(), String> {
        let mut map = qtdec();
        map.arg("map").args(times).args(["--collective", collective, "-o", output]);
        succeed(map.current_dir(&self.folder))
    }

    /// Returns what a command prints as JSON, whatever its exit code.
    pub(super) fn json(&self, arguments: &[&str]) -> Result<Value, String> {
        let mut command = qtdec();
        command.args(arguments).arg("--json").current_dir(&self.folder).stderr(Stdio::inherit());
        let failed = |error: &dyn std::fmt::Display| format!("qtdec {}: {error}", arguments.join(" "));
        let output = command.output().map_err(|error| failed(&error))?;
        serde_json::from_slice(&output.stdout).map_err(|error| failed(&error))
    }

    /// Returns the method of the tree in a cell, with its segment size.
    pub(super) fn decided(&self, ranks: u32, bytes: u64) -> Result<(String, String), String> {
        let (ranks, bytes) = (format!("comm_size={ranks}"), format!("msg_size={bytes}"));
        let answer = self.json(&["decide", "tuned/bcast.tree.json", &ranks, &bytes])?;
        let segment = answer["segment_size"].as_u64().map(|segment| segment.to_string());
        Ok((answer["name"].as_str().unwrap_or_default().to_owned(), segment.unwrap_or_default()))
    }
}
