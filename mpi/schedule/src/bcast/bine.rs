//! A Bine tree: a binomial tree over negabinary numbers, in which communicating ranks are close to each other.

use crate::Collective;
use crate::Request;
use crate::algorithm::{Build, Entry};
use crate::tree::Place;

/// The distance-halving Bine tree (De Sensi et al., "Bine Trees: Enhancing Collective Operations by Optimizing
/// Communication Locality", SC 2025). If the number of ranks is not a power of two, as many neighbours as needed form pairs, and
/// the second of a pair gets the message last.
pub(crate) static BINE: Entry =
    Entry::new(Collective::Bcast, "bine", "a binomial tree over negabinary numbers", Build::Tree(place))
        .in_segments();

fn place(request: &Request, number: u32) -> Place {
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
