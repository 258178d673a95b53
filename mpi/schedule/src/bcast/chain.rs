//! Several chains that start at the root.

use crate::Collective;
use crate::Request;
use crate::algorithm::{Build, Entry, Parameter};
use crate::tree::Place;

/// Chains of neighbours that start at the root, four by default: Open MPI's `chain`.
pub(crate) static CHAIN: Entry =
    Entry::new(Collective::Bcast, "chain", "several chains that start at the root", Build::Tree(place))
        .in_segments()
        .with(&[Parameter::Chains]);

/// The number of chains in Open MPI's fixed default.
const CHAINS: u32 = 4;

/// Returns the place in chains whose lengths differ by at most one; longer chains come first.
fn place(request: &Request, number: u32) -> Place {
    let others = request.comm_size() - 1;
    let chains = request.chosen_variant().chains.unwrap_or(CHAINS).min(others);
    if number == 0 {
        return Place {
            parent: None,
            children: (0..chains).map(|chain| head(chain, chains, others)).collect(),
        };
    }
    // Find the last chain whose head is not after the rank.
    let (mut chain, mut above) = (0, chains);
    while above - chain > 1 {
        let middle = chain + (above - chain) / 2;
        if head(middle, chains, others) <= number { chain = middle } else { above = middle }
    }
    let first = head(chain, chains, others);
    let end = head(chain + 1, chains, others);
    let parent = if number == first { 0 } else { number - 1 };
    Place { parent: Some(parent), children: (number + 1..end).take(1).collect() }
}

/// Returns the first rank of a chain, counted from the root.
fn head(chain: u32, chains: u32, others: u32) -> u32 {
    1 + chain * (others / chains) + chain.min(others % chains)
}
