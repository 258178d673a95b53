//! External checks: the real libraries, which receive the tuning files written here, and SimGrid, which simulates the same as our
//! simulator.

mod installed;
mod interposer;
mod mpich;
mod observed;
mod open_mpi;
mod preloaded;
mod probe;
mod profile;
mod repository;
mod simgrid;

use xtask::outcome::{Outcome, held};
use xtask::packages::Machine;

/// The options of the external checks.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    machine: Machine,

    /// Run only checks whose name contains this, such as SimGrid
    only: Option<String>,
}

type Engine = (&'static str, fn(Machine) -> Result<Outcome, String>);

const ENGINES: &[Engine] = &[
    ("Open MPI's reader", open_mpi::prove),
    ("Open MPI 4.1 under mpirun", open_mpi::observe_4),
    ("Open MPI 5.0 under mpirun", open_mpi::observe_5),
    ("MPICH 4.0 under mpirun", mpich::prove_4),
    ("MPICH 5.0 under mpirun", mpich::prove_5),
    ("SimGrid", simgrid::prove),
    ("profiler", profile::prove),
    ("interposer", interposer::prove),
    ("soak", interposer::soak),
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
        match ask(arguments.machine) {
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
