//! Simulations compared with the library's algorithms under several eager limits, each with the network as it is measured under that limit.

use xtask::outcome::Outcome;

use super::chain::Chain;
use super::prepared::{self, Measurement, Options};
use super::results::{ERRORS, errors};
use super::survey;
use super::table::table;

const COMM_SIZES: [u32; 3] = [2, 4, 8];
const MSG_SIZES: [u64; 3] = [1 << 10, 1 << 13, 1 << 16];

/// The library's default, and limits that fewer and more of the messages exceed.
const LIMITS: [u32; 3] = [1 << 12, 1 << 16, 1 << 20];

/// A collective whose messages travel in one direction, and one in which ranks exchange them.
const COLLECTIVES: [(&str, &str); 2] = [
    ("bcast", "basic_linear,pipeline/8K,binary_tree/8K,split_binary_tree/8K,binomial"),
    ("allgather", "ring,recursive_doubling,neighbor"),
];

/// Measures on eight nodes of the survey's network.
pub(crate) fn run(options: &Options) -> Result<Outcome, String> {
    let topology = survey::topology(8)?;
    prepared::run(options, Measurement::new("eager", topology), steps)
}

/// Measures under each limit, on the head node.
fn steps(chain: &Chain) -> Result<(), String> {
    let mut table = table([&["eager limit, bytes", "collective", "cells"][..], &ERRORS].concat(), 1);
    for limit in LIMITS {
        let name = format!("eager-{limit}.sh");
        let settings = chain.settings(&name, &[("OMPI_MCA_btl_tcp_eager_limit", &limit.to_string())])?;
        chain.bench(2, &settings, &["--network", "-o", "network.json"])?;
        for (collective, methods) in COLLECTIVES {
            let file = format!("{collective}-{limit}.csv");
            let more = ["--collective", collective, "--methods", methods, "--repeats", "5"];
            chain.measure(&settings, (&COMM_SIZES, &MSG_SIZES), &file, &more)?;
            let found = chain.predicted(collective, &[&file])?;
            let cells = COMM_SIZES.len() * MSG_SIZES.len();
            let mut row = vec![limit.to_string(), collective.to_owned(), cells.to_string()];
            row.extend(errors(&found));
            table.add_row(row);
        }
    }
    chain.results(&table.to_string())
}
