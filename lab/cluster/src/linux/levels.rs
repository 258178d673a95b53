//! Compositions of two and three levels on nodes with two ranks each: what a decision gains that may choose them, over one that may not.

mod calls;
mod gains;
mod machine;
mod seen;

use std::time::{Duration, Instant};

use clap::Args;
use qtdec_mpi_library::choice::{DEFAULT, WITH_HAN};
use qtdec_mpi_library::tuning::open_mpi::HAN;
use xtask::outcome::Outcome;

use super::chain::Chain;
use super::library::Library;
use super::measured_network;
use super::prepared::{self, Measurement, Options};
use super::table::table;
use calls::of;
use gains::Gains;
use machine::{Machine, RANKS_PER_NODE};
use seen::Seen;

/// The options of the measurement.
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,

    #[command(flatten)]
    machine: Machine,
}

const LAUNCHES: u32 = 5;

/// The fewest launches whose intervals say something.
const LEAST: u32 = 3;

/// No launch begins that would probably end later than this.
const LIMIT: Duration = Duration::from_secs(18 * 60);

/// Measures on nodes with two ranks each.
pub(crate) fn run(Arguments { options, machine }: &Arguments) -> Result<Outcome, String> {
    let name = format!("levels {} {}", machine.name(), options.release);
    let more = machine.arguments();
    let measurement = Measurement { table: &name, more, ..Measurement::new("levels", machine.topology()?) };
    prepared::run(options, measurement, |chain| steps(chain, *machine))
}

/// Measures in launches, on the head node.
fn steps(chain: &Chain, machine: Machine) -> Result<(), String> {
    let began = Instant::now();
    let network = measured_network::measure(chain, RANKS_PER_NODE, machine.nodes_of_site())?;
    // The library's own choice with HAN, where there is one.
    let default = if chain.release == Library::OpenMpi5 { WITH_HAN } else { DEFAULT };
    let mut launches = 0;
    while launches < LAUNCHES && fits(began.elapsed(), launches) {
        launches += 1;
        for calls in of(machine) {
            calls.measure(chain, machine, default, launches)?;
        }
    }
    if launches < LEAST {
        return Err(format!("{launches} launches took {} s: measure fewer nodes", began.elapsed().as_secs()));
    }
    let titles = ["collective", "bytes", "best flat", "best composition", "library", "flat", "simulated"];
    let mut cells = table([&titles[..], &["composition", "flat over it"]].concat(), 4);
    let titles = ["collective", "gain over flat, %", "95 %", "over the library, %", "95 %"];
    let mut gains = table([&titles[..], &["error of the simulation: median, %", "greatest, %"]].concat(), 1);
    let mut all = Vec::new();
    for calls in of(machine) {
        let seen = Seen::new(chain, calls, machine, default, &network)?;
        for row in seen.rows()? {
            cells.add_row(row);
        }
        let of_calls = seen.gains()?;
        gains.add_row(of_calls.row(calls.collective.name())?);
        all.push((calls.collective, of_calls));
    }
    gains.add_row(Gains::together(all.iter().map(|(_, gains)| gains)).row("all")?);
    if default == WITH_HAN {
        let served = all.iter().filter(|(collective, _)| HAN.contains(&collective.name()));
        gains.add_row(Gains::together(served.map(|(_, gains)| gains)).row("those of HAN")?);
    }
    chain.results(&format!("{cells}\n\n{gains}"))
}

/// Returns whether another launch probably ends within the limit, after some that took so long together with what came before them.
fn fits(elapsed: Duration, launches: u32) -> bool {
    elapsed.checked_div(launches).is_none_or(|of_each| elapsed + of_each <= LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_launch_ends_far_beyond_the_limit() {
        assert!(fits(Duration::ZERO, 0) && fits(LIMIT, 0), "nothing is known of the first one");
        assert!(fits(LIMIT * 4 / 5, 4));
        assert!(!fits(LIMIT * 4 / 5 + Duration::from_secs(1), 4));
        assert!(!fits(LIMIT * 2 / 3, 1));
    }
}
