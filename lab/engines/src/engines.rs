//! External checks: the real libraries, which receive the tuning files written here, and SimGrid, which simulates the same as our
//! simulator.

mod agent;
mod installed;
mod intel_mpi;
mod interposer;
mod mpich;
mod observed;
mod open_mpi;
mod preloaded;
mod probe;
mod profile;
mod repository;
mod simgrid;
mod spawn;

use xtask::outcome::{Outcome, held};
use xtask::packages::Machine;

/// The options of the external checks.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    machine: Machine,

    /// Run only checks whose name contains this, such as SimGrid
    only: Option<String>,

    /// Make random calls for this many minutes in the check `soak`
    #[arg(long, value_name = "MINUTES", default_value_t = 1)]
    minutes: u32,
}

type Engine = (&'static str, fn(&Arguments) -> Result<Outcome, String>);

const ENGINES: &[Engine] = &[
    ("Open MPI's reader", |with| open_mpi::prove(with.machine)),
    ("Open MPI 4.1 under mpirun", |with| open_mpi::observe_4(with.machine)),
    ("Open MPI 5.0 under mpirun", |with| open_mpi::observe_5(with.machine)),
    ("MPICH 4.0 under mpirun", |with| mpich::prove_4(with.machine)),
    ("MPICH 5.0 under mpirun", |with| mpich::prove_5(with.machine)),
    ("Intel MPI 2021 under mpirun", |with| intel_mpi::prove(with.machine)),
    ("SimGrid", |with| simgrid::prove(with.machine)),
    ("profiler", |with| profile::prove(with.machine)),
    ("interposer", |with| interposer::prove(with.machine)),
    ("spawn", |with| spawn::prove(with.machine)),
    ("real programs", |with| interposer::programs::prove(with.machine)),
    ("chapter", |with| interposer::chapter::follow(with.machine)),
    ("pairs", |with| interposer::pairs::measure(with.machine)),
    ("soak", |with| interposer::soak::soak(with.machine, with.minutes)),
];

/// Runs the selected checks and prints their results. They are skipped if none of them can run.
pub(crate) fn engines(arguments: &Arguments) -> Result<Outcome, String> {
    let (mut failed, mut skipped) = (Vec::new(), Vec::new());
    let only = arguments.only.as_deref().unwrap_or_default();
    let selected: Vec<&Engine> = ENGINES.iter().filter(|(name, _)| name.contains(only)).collect();
    if selected.is_empty() {
        let names: Vec<&str> = ENGINES.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        return Err(format!("no check has `{only}` in its name; the checks are {names}"));
    }
    for (library, ask) in &selected {
        match ask(arguments) {
            Ok(Outcome::Held(what)) => println!("{library}: {what}"),
            Ok(Outcome::Skipped(why)) => {
                println!("{library}: skipped, {why}");
                skipped.push(why);
            }
            Err(reason) => {
                println!("{library}: {reason}");
                failed.push(*library);
            }
        }
    }
    if !failed.is_empty() {
        Err(format!("failed: {}", failed.join(", ")))
    } else if skipped.len() == selected.len() {
        Ok(Outcome::Skipped(skipped.join("; ")))
    } else {
        Ok(held(()))
    }
}
