//! External checks: the real libraries, which receive the tuning files written here.

mod agent;
mod deployed;
mod installed;
mod intel_mpi;
mod interposer;
mod measured;
mod mpi4py;
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

/// Check tuning files with the real libraries
#[derive(clap::Parser)]
#[command(name = "cargo xtask engines")]
pub(crate) struct Arguments {
    /// Run only checks whose name contains this, such as MPICH
    only: Option<String>,

    /// Make random calls for this many minutes in the check `soak`
    #[arg(long, value_name = "MINUTES", default_value_t = 1)]
    minutes: u32,
}

type Engine = (&'static str, fn(&Arguments) -> Result<Outcome, String>);

const ENGINES: &[Engine] = &[
    ("Open MPI's reader", |_| checked(open_mpi::component(), |found| open_mpi::prove(&found))),
    ("Open MPI 4.1 under mpirun", |_| checked(Installed::open_mpi_of_debian(), open_mpi::observe)),
    ("Open MPI 5.0 under mpirun", |_| checked(Installed::open_mpi_5(), open_mpi::observe)),
    ("MPICH 4.0 under mpirun", |_| checked(Installed::mpich_of_debian(), mpich::prove_4)),
    ("MPICH 5.0 under mpirun", |_| checked(Installed::mpich_5(), mpich::prove_5)),
    ("Intel MPI 2021 under mpirun", |_| checked(Installed::intel_mpi(), intel_mpi::prove)),
    ("profiler", |_| checked(preloaded::available(), |()| profile::prove())),
    ("interposer", |_| checked(preloaded::available(), |()| interposer::prove())),
    ("learning interposer", |_| checked(preloaded::available(), |()| interposer::learns::prove())),
    ("spawn", |_| checked(spawn::libraries(), spawn::prove)),
    ("real programs", |_| checked(interposer::programs::available(), |()| interposer::programs::prove())),
    ("mpi4py", |_| checked(mpi4py::available(), mpi4py::prove)),
    ("chapter", |_| checked(interposer::chapter::available(), |()| interposer::chapter::follow())),
    ("pairs", |_| checked(preloaded::available(), |()| interposer::pairs::measure())),
    ("soak", |with| checked(preloaded::available(), |()| interposer::soak::soak(with.minutes))),
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
