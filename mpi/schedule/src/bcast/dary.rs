//! A d-ary tree: every rank passes the message to up to d others.

use crate::Collective;
use crate::Request;
use crate::algorithm::{Build, Entry, Parameter};
use crate::tree::Place;

/// The d-ary tree of a heap: the children of v are d·v + 1 to d·v + d.
pub(super) static DARY: Entry = Entry::new(Collective::Bcast, "dary", "a d-ary tree", Build::Tree(place))
    .in_segments()
    .with(&[Parameter::Radix]);

fn place(request: &Request, number: u32) -> Place {
    let radix = u64::from(request.radix());
    let first = u64::from(number) * radix + 1;
    let children = (first..u64::from(request.comm_size())).take(radix as usize);
    let parent = number.checked_sub(1).map(|before| (u64::from(before) / radix) as u32);
    Place { parent, children: children.map(|child| child as u32).collect() }
}
