//! External checks: the real libraries, which receive the tuning files written here.

mod agent;
mod deployed;
mod installed;
mod intel_mpi;
mod interposer;
mod measured;
mod mpich;
mod observed;
mod open_mpi;
mod preloaded;
mod probe;
mod profile;
mod repository;
mod smoke;
mod spawn;
mod started;

use installed::Installed;
use xtask::outcome::{Outcome, held};
use xtask::packages::Machine;

/// Check tuning files with the real libraries
#[derive(clap::Parser)]
#[command(name = "cargo xtask engines")]
pub(crate) struct Arguments {
    #[command(flatten)]
    machine: Machine,

    /// Run only checks whose name contains this, such as MPICH
    only: Option<String>,

    /// Make random calls for this many minutes in the check `soak`
    #[arg(long, value_name = "MINUTES", default_value_t = 1)]
    minutes: u32,
}

type Engine = (&'static str, fn(&Arguments) -> Result<Outcome, String>);

const ENGINES: &[Engine] = &[
    ("Open MPI's reader", |with| checked(open_mpi::component(with.machine), |found| open_mpi::prove(&found))),
    ("Open MPI 4.1 under mpirun", |with| {
        checked(Installed::open_mpi_of_debian(with.machine), open_mpi::observe)
    }),
    ("Open MPI 5.0 under mpirun", |with| checked(Installed::open_mpi_5(with.machine), open_mpi::observe)),
    ("MPICH 4.0 under mpirun", |with| checked(Installed::mpich_of_debian(with.machine), mpich::prove_4)),
    ("MPICH 5.0 under mpirun", |with| checked(Installed::mpich_5(with.machine), mpich::prove_5)),
    ("Intel MPI 2021 under mpirun", |with| checked(Installed::intel_mpi(with.machine), intel_mpi::prove)),
    ("profiler", |with| checked(preloaded::available(with.machine), |()| profile::prove())),
    ("interposer", |with| checked(preloaded::available(with.machine), |()| interposer::prove())),
    ("learning interposer", |with| {
        checked(preloaded::available(with.machine), |()| interposer::learns::prove())
    }),
    ("spawn", |with| checked(spawn::libraries(with.machine), spawn::prove)),
    ("real programs", |with| {
        checked(interposer::programs::available(with.machine), |()| interposer::programs::prove())
    }),
    ("chapter", |with| {
        checked(interposer::chapter::available(with.machine), |()| interposer::chapter::follow())
    }),
    ("pairs", |with| checked(preloaded::available(with.machine), |()| interposer::pairs::measure())),
    ("soak", |with| checked(preloaded::available(with.machine), |()| interposer::soak::soak(with.minutes))),
];

/// Runs a check with what it needs, or skips it for the reason why that is missing.
fn checked<T>(
    needed: Result<T, String>,
    check: impl FnOnce(T) -> Result<String, String>,
) -> Result<Outcome, String> {
    match needed {
        Ok(found) => check(found).map(Outcome::Held),
        Err(reason) => Ok(Outcome::Skipped(reason)),
    }
}

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
