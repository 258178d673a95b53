//! A campaign: launches in which calls of a program are measured with all methods.

use qtdec_mpi_schedule::Collective;

use super::chain::Chain;

const LAUNCHES: u8 = 3;

/// Calls of a collective, with the methods among which decisions choose.
pub(super) struct Calls {
    pub(super) collective: Collective,
    pub(super) msg_sizes: &'static [u64],
    /// The library's algorithms.
    pub(super) forced: &'static str,
    /// The default, and our schedules.
    pub(super) others: &'static str,
}

/// Measures in launches, and writes the folder `times`. Forcing algorithms changes settings, so they have a process of their own.
pub(super) fn measure(chain: &Chain, calls: &[Calls], ranks: &[u32]) -> Result<(), String> {
    for launch in 1..=LAUNCHES {
        let launch = launch.to_string();
        for Calls { collective, msg_sizes, forced, others } in calls {
            for (process, methods) in [("1", others), ("2", forced)] {
                let more = ["--collective", collective.name(), "--methods", methods, "--repeats", "5"];
                let of_launch = ["--launch", &*launch, "--process", process];
                let file = format!("times/{collective}-{process}-{launch}.csv");
                chain.measure("", (ranks, msg_sizes), &file, &[&more[..], &of_launch].concat())?;
            }
        }
    }
    Ok(())
}
