//! The iterative program whose time is measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use qtdec_study::study::launch_interval::{LEVEL, LaunchMean};
use xtask::run::root;

use super::super::chain::Chain;
use super::super::programs::succeed;

/// The program, compiled.
pub(super) struct Program<'c> {
    pub(super) chain: &'c Chain,
    path: PathBuf,
}

/// What a run says.
pub(super) struct Run {
    pub(super) seconds: f64,
    /// What the interposer says.
    pub(super) said: String,
}

impl<'c> Program<'c> {
    /// Compiles the program, with the compiler beside the command that starts ranks.
    pub(super) fn new(chain: &'c Chain) -> Result<Self, String> {
        let path = chain.folder.join("iterations");
        let mut command = Command::new(chain.mpirun.with_file_name("mpicc"));
        command.args(["-O2", "-o"]).arg(&path);
        succeed(command.arg(root().join("lab/cluster/src/linux/learn/iterations.c")))?;
        Ok(Self { chain, path })
    }

    /// Writes settings with which the interposer is preloaded, and variables name folders. Those of one name are the same.
    pub(super) fn settings(&self, name: &str, variables: &[(&str, &str)]) -> Result<String, String> {
        let of = |name: &str| self.chain.folder.join(name).display().to_string();
        let mut folders: Vec<(&str, String)> =
            variables.iter().map(|(variable, folder)| (*variable, of(folder))).collect();
        folders.push(("LD_PRELOAD", of("bench/libqtdec_mpi.so")));
        folders.push(("QTDEC_TRACE", "1".to_owned()));
        let variables: Vec<(&str, &str)> = folders.iter().map(|(name, value)| (*name, &**value)).collect();
        self.chain.settings(&format!("{name}.sh"), &variables)
    }

    /// Returns the logarithm of the time under some settings over that under others, in two runs of which either comes first by turns.
    pub(super) fn pair(
        &self,
        pair: u8,
        [without, with]: [&str; 2],
        arguments: &[&str],
    ) -> Result<f64, String> {
        let seconds = |settings| self.run(settings, arguments).map(|run| run.seconds);
        let (without, with) = if pair.is_multiple_of(2) {
            let with = seconds(with)?;
            (seconds(without)?, with)
        } else {
            (seconds(without)?, seconds(with)?)
        };
        println!("pair {pair}: {without:.3} s without, {with:.3} s with");
        Ok((without / with).ln())
    }

    /// Runs the program under the settings of a script, if one is named.
    pub(super) fn run(&self, settings: &str, arguments: &[&str]) -> Result<Run, String> {
        let mut launcher = self.chain.launcher(u32::from(super::NODES), settings);
        launcher.arg(&self.path).args(arguments);
        let output = launcher.output().map_err(|error| format!("{launcher:?}: {error}"))?;
        let [printed, said] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
        match printed.trim().parse() {
            Ok(seconds) if output.status.success() => Ok(Run { seconds, said: said.into_owned() }),
            _ => Err(format!("{launcher:?}: {}\n{printed}{said}", output.status)),
        }
    }
}

/// Returns what runs learned in a folder.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut paths =
        entries.map(|entry| Ok(entry.map_err(failed)?.path())).collect::<Result<Vec<_>, String>>()?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "csv"));
    paths.sort();
    Ok(paths)
}

/// Returns the gain in per cent over pairs, and its interval.
pub(super) fn gain(ratios: &[f64]) -> Result<[String; 2], String> {
    let mean = LaunchMean::new(ratios).ok_or("too few pairs")?;
    let per_cent = |log: f64| format!("{:+.2}", 100.0 * log.exp_m1());
    let [low, high] = mean.ends(LEVEL).map(per_cent);
    Ok([per_cent(mean.mean), format!("{low} to {high}")])
}
