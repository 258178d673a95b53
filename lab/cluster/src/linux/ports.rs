//! Broadcasts of nodes with two ports: what a schedule for two rails gains over the others.

use xtask::outcome::Outcome;

use super::broadcasts::Broadcasts;
use super::chain::Chain;
use super::prepared::{self, Measurement, Options};
use crate::topology::Topology;

/// The library's choice, algorithms with one stream, and the papers' with a stream for each rail.
const BROADCASTS: Broadcasts<'_> = Broadcasts {
    nodes: 8,
    msg_sizes: &[1 << 13, 1 << 16, 1 << 18],
    methods: &[
        ("default", "default", ""),
        ("own:binomial", "own_binomial", ""),
        ("own:binary/1K", "own_binary", "1024"),
        ("own:pipeline/1K", "own_pipeline", "1024"),
        ("own:pipeline/8K", "own_pipeline", "8192"),
        ("own:multirail/1K", "own_multirail", "1024"),
        ("own:multirail/8K", "own_multirail", "8192"),
    ],
};

/// Measures on eight nodes with two ports each.
pub(crate) fn run(options: &Options) -> Result<Outcome, String> {
    let topology = Topology { nodes: BROADCASTS.nodes, ports: 2, ..Topology::default() };
    prepared::run(options, Measurement::new("ports", topology), steps)
}

/// Measures in one launch, on the head node.
fn steps(chain: &Chain) -> Result<(), String> {
    BROADCASTS.measure(chain).map(drop)
}
