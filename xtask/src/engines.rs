//! The real libraries: what they do with the tuning files that are written here.

mod mpich;
mod observed;
mod open_mpi;
mod repository;

use crate::outcome::Outcome;
use crate::packages::Machine;

/// Asks every library that there is.
pub(crate) fn all(machine: Machine) -> Vec<(&'static str, Result<Outcome, String>)> {
    vec![
        ("Open MPI's reader", open_mpi::prove(machine)),
        ("Open MPI under mpirun", open_mpi::observe(machine)),
        ("MPICH under mpirun", mpich::prove(machine)),
    ]
}

/// Asks them, and says what came of it.
pub(crate) fn engines(machine: Machine) -> Result<(), String> {
    let mut failed = Vec::new();
    for (library, outcome) in all(machine) {
        match outcome {
            Ok(Outcome::Held(what)) => println!("{library}: {what}"),
            Ok(Outcome::Skipped(why)) => println!("{library}: skipped, {why}"),
            Err(reason) => {
                println!("{library}: {reason}");
                failed.push(library);
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}
