//! A binary tree that keeps the order of the ranks.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::partial::Slots;
use crate::{Buffer, Builder, Part, Request, TooLarge};

/// A binary tree in which every rank stands between its subtrees: all ranks of the left one come before it, those of the
/// right one after it. So the operation need not commute. The root of the tree is the root of the call, and the ranks
/// on either side of it are halved recursively.
pub(crate) static IN_ORDER_BINARY: Entry = Entry::new(
    Collective::Reduce,
    "in_order_binary",
    "a binary tree that combines in rank order",
    Build::Local(reduce),
)
.in_segments()
.in_rank_order();

#[derive(Debug, Default)]
struct Place {
    parent: Option<u32>,
    left: Option<u32>,
    right: Option<u32>,
}

fn place(request: &Request, rank: u32) -> Place {
    let middle = |from: u32, to: u32| (from < to).then(|| from + (to - from) / 2);
    let (mut node, mut from, mut to) = (request.root_rank(), 0, request.comm_size());
    let mut parent = None;
    loop {
        let (left, right) = (middle(from, node), middle(node + 1, to));
        let child = match rank.cmp(&node) {
            std::cmp::Ordering::Equal => return Place { parent, left, right },
            std::cmp::Ordering::Less => {
                to = node;
                left
            }
            std::cmp::Ordering::Greater => {
                from = node + 1;
                right
            }
        };
        parent = Some(node);
        // The rank lies in the subtree, which is therefore not empty.
        node = child.unwrap_or(rank);
    }
}

fn reduce(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let Place { parent, left, right } = place(request, rank);
    let children = [left, right].into_iter().flatten().count();
    let longest = request.segments(request.message()).map(|segment| segment.bytes).max().unwrap_or(0);
    let mut slots = [Slots::new(longest), Slots::new(longest)];
    let whole = match parent {
        None => request.message().within_buffer(Buffer::Receive),
        Some(_) if children > 0 => ops.scratch(request.bytes()),
        Some(_) => request.message().within_buffer(Buffer::Send),
    };
    for segment in request.segments(request.message()) {
        let own = segment.within_buffer(Buffer::Send);
        let result = segment.within(whole);
        let mut operands: Vec<Part> = vec![own];
        if let Some(left) = left {
            let slot = slots[0].next(segment.bytes, ops);
            ops.receive(left, slot)?;
            operands.insert(0, slot);
        }
        if let Some(right) = right {
            let slot = slots[1].next(segment.bytes, ops);
            ops.receive(right, slot)?;
            operands.push(slot);
        }
        if children > 0 {
            ops.reduce(&operands, result)?;
        } else {
            ops.copy(own, result)?;
        }
        if let Some(parent) = parent {
            ops.send(parent, result)?;
        }
    }
    Ok(())
}
