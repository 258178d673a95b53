//! Broadcasts down one tree, in which every rank passes the message to its children.

use crate::Collective;
use crate::algorithm::{Build, Entry, Parameter};
use crate::tree::{self, Place};
use crate::{Library, Request};

const fn down(name: &'static str, summary: &'static str, place: fn(&Request, u32) -> Place) -> Entry {
    Entry::new(Collective::Bcast, name, summary, Build::Tree(place)).in_segments()
}

/// The flat tree; with segments, each goes to all ranks before the next one does (the paper's segmented flat tree).
pub(crate) static LINEAR: Entry =
    down("linear", "the root sends to every rank", |request, number| tree::flat(number, request.comm_size()));

/// One chain of all ranks; with segments, all of its links work at once.
pub(crate) static PIPELINE: Entry =
    down("pipeline", "one chain of all ranks", |request, number| tree::chain(number, request.comm_size()));

/// Chains of neighbours that start at the root, four by default: Open MPI's `chain`.
pub(crate) static CHAIN: Entry =
    down("chain", "several chains that start at the root", in_chains).with(&[Parameter::Chains]);

/// The number of chains in Open MPI's fixed default.
const CHAINS: u32 = 4;

/// Returns the place in chains whose lengths differ by at most one; longer chains come first.
fn in_chains(request: &Request, number: u32) -> Place {
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

/// The binary tree: that of a heap, or Open MPI's, whose last level is spread over both subtrees.
pub(crate) static BINARY: Entry =
    down("binary", "a binary tree", |request, number| match request.chosen_variant().library {
        Some(Library::OpenMpi) => tree::alternating(number, request.comm_size()),
        _ => heap(number, 2, request.comm_size()),
    });

/// The d-ary tree of a heap.
pub(super) static DARY: Entry =
    down("dary", "a d-ary tree", |request, number| heap(number, request.radix(), request.comm_size()))
        .with(&[Parameter::Radix]);

/// Returns the place in the tree where the children of v are d·v + 1 to d·v + d.
fn heap(number: u32, radix: u32, comm_size: u32) -> Place {
    let first = u64::from(number) * u64::from(radix) + 1;
    let children = (first..u64::from(comm_size)).take(radix as usize);
    let parent = number.checked_sub(1).map(|before| before / radix);
    Place { parent, children: children.map(|child| child as u32).collect() }
}

/// The binomial tree, where in every round each rank that has the message sends it to one that does not: MPICH's, which serves the farthest
/// child first, or Open MPI's.
pub(crate) static BINOMIAL: Entry =
    down("binomial", "a binomial tree, the farthest child first", |request, number| {
        match request.chosen_variant().library {
            Some(Library::OpenMpi) => nearest_first(number, request.comm_size()),
            _ => tree::farthest_first(number, request.comm_size()),
        }
    });

/// Returns the place in Open MPI's tree (`ompi_coll_base_topo_build_bmtree`), where a parent's number is the child's
/// without its highest bit.
fn nearest_first(number: u32, comm_size: u32) -> Place {
    let bits = u32::BITS - number.leading_zeros();
    let children = (bits..u32::BITS).map(|bit| number | 1 << bit).take_while(|&child| child < comm_size);
    Place { parent: (bits > 0).then(|| number & !(1 << (bits - 1))), children: children.collect() }
}

/// The k-nomial tree, where each rank sends to several in every round: numbers are in base k, and a parent's number is the child's without
/// its lowest nonzero digit.
pub(crate) static KNOMIAL: Entry =
    down("knomial", "a k-nomial tree, the farthest children first", knomial).with(&[Parameter::Radix]);

fn knomial(request: &Request, number: u32) -> Place {
    let radix = u64::from(request.radix());
    let (number, comm_size) = (u64::from(number), u64::from(request.comm_size()));
    // The weight of the lowest nonzero digit; for the root, the first weight that exceeds every rank.
    let mut weight = 1;
    while weight < comm_size && number % (weight * radix) == 0 {
        weight *= radix;
    }
    let parent = (number > 0).then(|| (number - number % (weight * radix)) as u32);
    let mut children = Vec::new();
    while weight > 1 {
        weight /= radix;
        let siblings = (1..radix).map(|digit| number + digit * weight).take_while(|&child| child < comm_size);
        children.extend(siblings.map(|child| child as u32));
    }
    Place { parent, children }
}

/// The distance-halving Bine tree (De Sensi et al., "Bine Trees: Enhancing Collective Operations by Optimizing
/// Communication Locality", SC 2025). If the number of ranks is not a power of two, as many neighbours as needed form pairs, and
/// the second of a pair gets the message last.
pub(crate) static BINE: Entry = down("bine", "a binomial tree over negabinary numbers", bine);

fn bine(request: &Request, number: u32) -> Place {
    let nodes = 1 << request.comm_size().ilog2();
    let pairs = request.comm_size() - nodes;
    let first = |node: u32| if node < pairs { 2 * node } else { node + pairs };
    if number < 2 * pairs && number % 2 == 1 {
        return Place { parent: Some(number - 1), children: Vec::new() };
    }
    let node = if number < 2 * pairs { number / 2 } else { number - pairs };
    let code = to_code(node, nodes);
    let bits = nodes.trailing_zeros();
    // A node has the message once its trailing bits agree with those of the root, or are all opposite to them.
    let agreeing = if code & 1 == 0 { code.trailing_zeros() } else { code.trailing_ones() }.min(bits);
    let reach = if node == 0 { bits + 1 } else { agreeing };
    let flipped = |bits: u32| first(from_code(code ^ ((1 << bits) - 1), nodes));
    let mut children: Vec<u32> = (1..reach).rev().map(flipped).collect();
    if number < 2 * pairs {
        children.push(number + 1);
    }
    Place { parent: (node > 0).then(|| flipped(agreeing)), children }
}

/// The bits of odd weight, which are negative in base −2.
const NEGATIVE: u32 = 0xAAAA_AAAA;

/// Returns the digits of `node` in base −2, modulo the number of nodes, a power of two.
fn to_code(node: u32, nodes: u32) -> u32 {
    (node.wrapping_add(NEGATIVE) ^ NEGATIVE) & (nodes - 1)
}

/// Returns the node whose digits in base −2 are `code`.
fn from_code(code: u32, nodes: u32) -> u32 {
    (code ^ NEGATIVE).wrapping_sub(NEGATIVE) & (nodes - 1)
}
