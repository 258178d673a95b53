//! Compositions of two levels on nodes with two ranks each: what a decision gains that may choose them, over one that may not.

mod seen;

use std::ops::RangeInclusive;

use clap::Args;
use qtdec_mpi_run::choice::{DEFAULT, WITH_HAN};
use qtdec_mpi_schedule::{Collective, TwoLevel};
use xtask::outcome::Outcome;

use super::chain::Chain;
use super::library::Library;
use super::prepared::{self, Measurement, Options};
use super::survey;
use super::table::table;
use super::two_networks;
use crate::topology::Topology;
use seen::Seen;

/// The options of the measurement.
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,

    /// Number of nodes, with two ranks each
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(NODES))]
    nodes: u8,
}

const NODES: RangeInclusive<i64> = 2..=16;
const RANKS_PER_NODE: u8 = 2;
const LAUNCHES: u8 = 5;

/// A collective with the sizes of its calls, and the methods among which decisions choose.
struct Calls {
    collective: Collective,
    msg_sizes: [u64; 3],
    /// The library's algorithms, and some of ours.
    flat: &'static [&'static str],
    /// The algorithms between the nodes and within them.
    composed: &'static [(&'static str, &'static str)],
}

const MESSAGES: [u64; 3] = [1 << 10, 1 << 13, 1 << 16];
const BLOCKS: [u64; 3] = [1 << 8, 1 << 10, 1 << 13];

const CALLS: [Calls; 5] = [
    Calls {
        collective: Collective::Bcast,
        msg_sizes: MESSAGES,
        flat: &["binomial", "pipeline/1K", "pipeline/8K", "split_binary_tree/1K", "own:scatter_allgather"],
        composed: &[
            ("binomial", "linear"),
            ("pipeline/1024", "linear"),
            ("pipeline/8192", "linear"),
            ("split_binary/1024", "linear"),
        ],
    },
    Calls {
        collective: Collective::Reduce,
        msg_sizes: MESSAGES,
        flat: &["binomial", "pipeline/1K", "pipeline/8K", "rabenseifner"],
        composed: &[
            ("binomial", "linear"),
            ("pipeline/1024", "linear"),
            ("pipeline/8192", "linear"),
            ("scatter_gather", "linear"),
        ],
    },
    Calls {
        collective: Collective::Allreduce,
        msg_sizes: MESSAGES,
        flat: &["recursive_doubling", "ring", "rabenseifner", "own:circulant"],
        composed: &[
            ("recursive_doubling", "recursive_doubling"),
            ("rabenseifner", "recursive_doubling"),
            ("reduce_bcast", "recursive_doubling"),
        ],
    },
    Calls {
        collective: Collective::Allgather,
        msg_sizes: BLOCKS,
        flat: &["ring", "bruck", "neighbor", "own:bruck"],
        composed: &[("ring", "ring"), ("bruck", "ring"), ("neighbor_exchange", "ring")],
    },
    Calls {
        collective: Collective::Alltoall,
        msg_sizes: BLOCKS,
        flat: &["pairwise", "modified_bruck", "linear_sync", "own:linear"],
        composed: &[("pairwise", "pairwise"), ("linear", "pairwise"), ("bruck", "pairwise")],
    },
];

/// Measures on nodes with two ranks each.
pub(crate) fn run(Arguments { options, nodes }: &Arguments) -> Result<Outcome, String> {
    let topology = Topology { ranks_per_node: RANKS_PER_NODE, ..survey::topology(*nodes)? };
    let name = format!("levels {nodes} {}", options.release);
    let more = vec!["--nodes".into(), nodes.to_string().into()];
    let measurement = Measurement { table: &name, more, ..Measurement::new("levels", topology) };
    prepared::run(options, measurement, |chain| steps(chain, *nodes))
}

/// Measures in launches, on the head node.
fn steps(chain: &Chain, nodes: u8) -> Result<(), String> {
    let network = two_networks::measure(chain, 1, RANKS_PER_NODE, RANKS_PER_NODE)?;
    let ranks = u32::from(nodes) * u32::from(RANKS_PER_NODE);
    // The library's own choice with HAN, where there is one.
    let default = if chain.release == Library::OpenMpi5 { WITH_HAN } else { DEFAULT };
    for launch in 1..=LAUNCHES {
        for calls in &CALLS {
            calls.measure(chain, ranks, default, launch)?;
        }
    }
    let titles = ["collective", "bytes", "best flat", "best composition", "library", "flat", "simulated"];
    let mut cells = table([&titles[..], &["composition", "flat over it"]].concat(), 4);
    let titles = ["collective", "gain over flat, %", "95 %", "over the library, %", "95 %"];
    let mut gains = table([&titles[..], &["error of the simulation: median, %", "greatest, %"]].concat(), 1);
    for calls in &CALLS {
        let seen = Seen::new(chain, calls, ranks, default, &network)?;
        for row in seen.rows()? {
            cells.add_row(row);
        }
        gains.add_row(seen.gains()?);
    }
    chain.results(&format!("{cells}\n\n{gains}"))
}

impl Calls {
    fn folder(&self) -> String {
        format!("levels-{}", self.collective)
    }

    /// Returns the names of the compositions.
    fn compositions(&self) -> impl Iterator<Item = String> {
        self.composed.iter().map(|(inter, intra)| format!("{}:inter={inter}:intra={intra}", TwoLevel::PREFIX))
    }

    /// Measures in one launch: the library's own choice in a process, because forcing algorithms changes its settings, and all others in
    /// another one. Whichever is second finds a machine that the first one warmed up.
    fn measure(&self, chain: &Chain, ranks: u32, default: &str, launch: u8) -> Result<(), String> {
        let flat = self.flat.iter().map(|name| (*name).to_owned());
        let composed = self.compositions().map(|name| format!("own:{name}"));
        let methods: Vec<String> = flat.chain(composed).collect();
        let methods = methods.join(",");
        let mut processes = [("1", default), ("2", &*methods)];
        if launch.is_multiple_of(2) {
            processes.reverse();
        }
        let launch = launch.to_string();
        let of_launch = ["--collective", self.collective.name(), "--launch", &launch, "--repeats", "5"];
        for (process, methods) in processes {
            let more = [&of_launch[..], &["--process", process, "--methods", methods]].concat();
            let file = format!("{}/{launch}-{process}.csv", self.folder());
            chain.measure("", (&[ranks], &self.msg_sizes), &file, &more)?;
        }
        Ok(())
    }
}
