//! What measurements on the cluster begin and end with: the benchmark, and the page of results.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use xtask::chapter::with_new_table;
use xtask::files;
use xtask::outcome::{Outcome, held};
use xtask::run::{build, root, target};

use super::chain::{Chain, RESULTS};
use super::library::Library;
use super::outside;
use super::programs::{qtdec, succeed};
use crate::topology::Topology;

/// What may be changed besides the results.
#[derive(Args, Clone, Debug)]
pub(crate) struct Setup {
    /// Write the results to `lab/results/emulated-cluster.md`
    #[arg(long)]
    write: bool,

    /// Run the steps on the head node: in this folder, with this command that starts ranks, for this release
    #[arg(long, num_args = 3, hide = true)]
    steps: Option<Vec<String>>,
}

/// The options of a measurement.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(super) setup: Setup,

    /// Measure this release of Open MPI
    #[arg(long, default_value = "4.1", value_parser = PossibleValuesParser::new(Library::FORCED).try_map(|name| Library::from_str(&name, false)))]
    pub(super) release: Library,
}

/// What is measured.
pub(super) struct Measurement<'m> {
    /// The subcommand of this program.
    pub(super) command: &'m str,
    pub(super) topology: Topology,
    /// The name of the table in the page of results.
    pub(super) table: &'m str,
    /// Arguments of the subcommand besides the options of every measurement.
    pub(super) more: Vec<OsString>,
}

impl<'m> Measurement<'m> {
    /// Creates a measurement whose table has the name of the subcommand.
    pub(super) fn new(command: &'m str, topology: Topology) -> Self {
        Self { command, topology, table: command, more: Vec::new() }
    }
}

/// Prepares the programs, runs this program again for the steps on a cluster, and writes their results to the page if that is asked for.
pub(super) fn run(
    options: &Options,
    measurement: Measurement<'_>,
    steps: impl FnOnce(&Chain) -> Result<(), String>,
) -> Result<Outcome, String> {
    if let Some([folder, mpirun, release]) = options.setup.steps.as_deref() {
        let release = Library::from_str(release, false)?;
        return steps(&Chain { folder: folder.into(), mpirun: mpirun.into(), release }).map(held);
    }
    let Measurement { command: subcommand, topology, table, more } = measurement;
    let folder = target().join(["cluster-", subcommand].concat());
    let mpirun = match prepare(&folder, options)? {
        Ok(mpirun) => mpirun,
        Err(reason) => return Ok(Outcome::Skipped(reason)),
    };
    let program = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let mut command: Vec<OsString> = vec![program.into(), subcommand.into()];
    command.extend_from_slice(&more);
    command.extend(["--steps".into(), folder.clone().into(), mpirun.into()]);
    command.push(options.release.to_string().into());
    if outside::run(&topology, &command)? != ExitCode::SUCCESS {
        return Err("the steps did not hold".to_owned());
    }
    if options.setup.write {
        let words: Vec<String> = more.iter().map(|word| word.display().to_string()).collect();
        let words = [&[subcommand.to_owned()], &*words].concat().join(" ");
        let title = format!("`cargo xtask cluster {words} --release {}`:", options.release);
        write(table, &title, &folder.join(RESULTS))?;
    }
    Ok(held(()))
}

/// Empties a folder, compiles the benchmark into its folder `bench`, and returns the command that starts ranks, or what the machine
/// lacks.
fn prepare(folder: &Path, options: &Options) -> Result<Result<PathBuf, String>, String> {
    let commands = match outside::check().and_then(|()| options.release.ready()) {
        Ok(commands) => commands,
        Err(reason) => return Ok(Err(reason)),
    };
    let built = build(&["--lib", "--bin", "qtdec", "--bin", "qtdec-mpi"]).status();
    if !built.is_ok_and(|status| status.success()) {
        return Err("qtdec cannot be built".to_owned());
    }
    let _ = fs::remove_dir_all(folder);
    files::folder(folder)?;
    let mut build = qtdec();
    build.args(["mpi", "build", "--mpicc"]).arg(&commands.mpicc).arg("--output").arg(folder.join("bench"));
    succeed(&mut build)?;
    Ok(Ok(commands.mpirun))
}

/// Writes results to the page, between the lines that name them. Those that were never measured get such lines under a title.
fn write(name: &str, title: &str, results: &Path) -> Result<(), String> {
    let page = root().join("lab/results/emulated-cluster.md");
    files::write(&page, with_new_table(&files::read(&page)?, name, title, &files::read(results)?)?)
}
