//! The time of a program that learns while it runs: its first run, its second one, and one with the trees that are made of what it learned,
//! each over the default, in pairs of whole runs.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use qtdec_study::study::launch_interval::{LEVEL, LaunchMean};
use xtask::outcome::Outcome;
use xtask::run::root;

use super::chain::Chain;
use super::prepared::{self, Measurement, Options};
use super::programs::{qtdec, succeed};
use super::table::table;
use crate::topology::Topology;

const NODES: u8 = 8;
const PAIRS: u8 = 3;
const ITERATIONS: u32 = 200;

/// What is compared with the default.
const SIDES: [&str; 3] = ["first run", "second run", "with trees"];

/// Measures on eight nodes with the default ports.
pub(crate) fn run(options: &Options) -> Result<Outcome, String> {
    let topology = Topology { nodes: NODES, ..Topology::default() };
    prepared::run(options, Measurement::new("learn", topology), steps)
}

/// Runs the program, on the head node.
fn steps(chain: &Chain) -> Result<(), String> {
    let program = Program::new(chain)?;
    program.run("")?;
    let mut sides = SIDES.map(|side| (side, Vec::new()));
    for pair in 1..=PAIRS {
        let learns = program.settings(&format!("learned-{pair}"), "QTDEC_LEARN")?;
        for (side, ratios) in &mut sides[..2] {
            ratios.push(program.pair(side, pair, &learns)?);
        }
    }
    let mut learned = Vec::new();
    for pair in 1..=PAIRS {
        learned.extend(files(&chain.folder.join(format!("learned-{pair}")))?);
    }
    let mut tune = qtdec();
    tune.args(["mpi", "tune"]).args(&learned).args(["--library", "open-mpi", "--jobs", "launch"]);
    tune.args(["--release", chain.release.release(), "-o", "tuned"]);
    succeed(tune.current_dir(&chain.folder))?;
    let trees = program.settings("tuned", "QTDEC_TREES")?;
    for pair in 1..=PAIRS {
        let ratio = program.pair(SIDES[2], pair, &trees)?;
        sides[2].1.push(ratio);
    }
    let mut table = table(["", "pairs of runs", "gain over the default, %", "95 %"], 1);
    for (side, ratios) in &sides {
        let mean = LaunchMean::new(ratios).ok_or_else(|| format!("{side}: too few pairs"))?;
        let per_cent = |log: f64| format!("{:+.2}", 100.0 * log.exp_m1());
        let [low, high] = mean.ends(LEVEL).map(per_cent);
        table.add_row([
            (*side).to_owned(),
            ratios.len().to_string(),
            per_cent(mean.mean),
            format!("{low} to {high}"),
        ]);
    }
    chain.results(&table.to_string())
}

/// Returns the files of what a run learned.
fn files(folder: &std::path::Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut paths =
        entries.map(|entry| Ok(entry.map_err(failed)?.path())).collect::<Result<Vec<_>, String>>()?;
    paths.sort();
    Ok(paths)
}

struct Program<'c> {
    chain: &'c Chain,
    path: PathBuf,
}

impl<'c> Program<'c> {
    /// Compiles the program, with the compiler beside the command that starts ranks.
    fn new(chain: &'c Chain) -> Result<Self, String> {
        let path = chain.folder.join("iterations");
        let mut command = Command::new(chain.mpirun.with_file_name("mpicc"));
        command.args(["-O2", "-o"]).arg(&path);
        succeed(command.arg(root().join("lab/cluster/src/linux/learn/iterations.c")))?;
        Ok(Self { chain, path })
    }

    /// Writes the settings with which the interposer is preloaded and a variable names a folder.
    fn settings(&self, folder: &str, variable: &str) -> Result<String, String> {
        let of = |name: &str| self.chain.folder.join(name).display().to_string();
        let (named, library) = (of(folder), of("bench/libqtdec_mpi.so"));
        self.chain.settings(&format!("{folder}.sh"), &[(variable, &named), ("LD_PRELOAD", &library)])
    }

    /// Returns the logarithm of the time without settings over that with some, in two runs of which either comes first by turns.
    fn pair(&self, side: &str, pair: u8, settings: &str) -> Result<f64, String> {
        let mut runs = ["", settings];
        if pair.is_multiple_of(2) {
            runs.reverse();
        }
        let mut seconds = [self.run(runs[0])?, self.run(runs[1])?];
        if pair.is_multiple_of(2) {
            seconds.reverse();
        }
        println!("{side}, pair {pair}: {:.3} s without, {:.3} s with", seconds[0], seconds[1]);
        Ok((seconds[0] / seconds[1]).ln())
    }

    /// Runs the program under settings, and returns its seconds.
    fn run(&self, settings: &str) -> Result<f64, String> {
        let mut launcher = self.chain.launcher(u32::from(NODES), settings);
        launcher.arg(&self.path).arg(ITERATIONS.to_string());
        let output = launcher.output().map_err(|error| format!("{launcher:?}: {error}"))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let seconds = said.trim().parse().ok().filter(|_| output.status.success());
        seconds.ok_or_else(|| {
            format!("{launcher:?}: {}\n{said}{}", output.status, String::from_utf8_lossy(&output.stderr))
        })
    }
}
