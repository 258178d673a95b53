//! A k-nomial tree: in every round, each rank that has the message sends it to several that do not.

use crate::Collective;
use crate::Request;
use crate::algorithm::{Build, Entry, Parameter};
use crate::tree::Place;

/// The k-nomial tree: numbers are in base k, and a parent's number is the child's without its lowest nonzero digit.
pub(crate) static KNOMIAL: Entry = Entry::new(
    Collective::Bcast,
    "knomial",
    "a k-nomial tree, the farthest children first",
    Build::Tree(place),
)
.in_segments()
.with(&[Parameter::Radix]);

fn place(request: &Request, number: u32) -> Place {
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
