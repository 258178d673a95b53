//! Broadcasts on two sites that share a slow link: which algorithms cross it once, and what that is worth.

use xtask::outcome::Outcome;

use super::broadcasts::Broadcasts;
use super::chain::Chain;
use super::prepared::{self, Measurement, Options};
use crate::topology::Topology;

/// The papers' schedule for one cluster, and for two: with large messages, the second must be faster.
const DOES_NOT: (&str, &str, &str) = ("own:multirail/1K", "own_multirail", "1024");
const KNOWS: (&str, &str, &str) = ("own:multirail@2x4/1K", "own_multirail_2x4", "1024");
const LARGE: u64 = 1 << 16;

/// The library's choice, algorithms that know nothing of sites, and the papers' for a chain of clusters.
const BROADCASTS: Broadcasts<'_> = Broadcasts {
    nodes: 8,
    msg_sizes: &[1 << 10, 1 << 13, LARGE, 1 << 18],
    methods: &[
        ("default", "default", ""),
        ("own:binomial", "own_binomial", ""),
        ("own:pipeline/1K", "own_pipeline", "1024"),
        DOES_NOT,
        KNOWS,
        ("own:multirail@2x4/8K", "own_multirail_2x4", "8192"),
    ],
};

/// Measures on two sites of four nodes.
pub(crate) fn run(options: &Options) -> Result<Outcome, String> {
    let topology = Topology { nodes: BROADCASTS.nodes, sites: 2, ..Topology::default() };
    prepared::run(options, Measurement::new("sites", topology), steps)
}

/// Measures in one launch, on the head node.
fn steps(chain: &Chain) -> Result<(), String> {
    let medians = BROADCASTS.measure(chain)?;
    let time = |(_, name, segment): (&str, &str, &str)| {
        medians.of(u32::from(BROADCASTS.nodes), LARGE, &(name.to_owned(), segment.to_owned()))
    };
    let (knows, does_not) = (time(KNOWS)?, time(DOES_NOT)?);
    if knows < does_not {
        Ok(())
    } else {
        Err(format!("the schedule that knows the sites takes {knows} us, and the other one {does_not} us"))
    }
}
