//! Simulations compared with the library's algorithms for several collectives, on sixteen nodes.

use xtask::outcome::Outcome;

use super::chain::Chain;
use super::prepared::{self, Measurement, Options};
use super::results::{ERRORS, errors};
use super::table::table;
use crate::topology::Topology;

const NODES: u8 = 16;

const COMM_SIZES: [u32; 4] = [2, 4, 8, 16];
const MSG_SIZES: [u64; 3] = [1 << 10, 1 << 13, 1 << 16];

/// Collectives with algorithms of the library that we have as schedules.
const COLLECTIVES: [(&str, &str); 5] = [
    ("bcast", "basic_linear,pipeline/8K,binary_tree/8K,split_binary_tree/8K,binomial"),
    ("reduce", "linear,pipeline/8K,binary/8K,binomial"),
    ("allreduce", "recursive_doubling,ring,rabenseifner"),
    ("allgather", "ring,bruck,recursive_doubling,neighbor"),
    ("alltoall", "pairwise,modified_bruck"),
];

/// Runs the survey on sixteen nodes.
pub(crate) fn run(options: &Options) -> Result<Outcome, String> {
    let topology = topology(NODES)?;
    prepared::run(options, Measurement::new("survey", topology), steps)
}

/// Returns nodes on ports of 5 Mbit/s with a latency of 2 ms. Each frame takes processor time, of which 16 ranks need so much that it
/// shows on a faster network.
pub(super) fn topology(nodes: u8) -> Result<Topology, String> {
    Ok(Topology { nodes, rate: "5Mbit".parse()?, latency: "2ms".parse()?, ..Topology::default() })
}

/// Runs the survey, on the head node.
fn steps(chain: &Chain) -> Result<(), String> {
    chain.bench(2, "", &["--network", "-o", "network.json"])?;
    let mut table = table([&["collective", "methods", "cells"][..], &ERRORS].concat(), 1);
    for (collective, methods) in COLLECTIVES {
        let file = format!("{collective}.csv");
        let more = ["--collective", collective, "--methods", methods, "--repeats", "5"];
        chain.measure("", (&COMM_SIZES, &MSG_SIZES), &file, &more)?;
        let found = chain.predicted(collective, &[&file])?;
        let mut row = vec![collective.to_owned(), methods.split(',').count().to_string()];
        row.push((COMM_SIZES.len() * MSG_SIZES.len()).to_string());
        row.extend(errors(&found));
        table.add_row(row);
    }
    chain.results(&table.to_string())
}
