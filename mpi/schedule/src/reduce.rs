//! Reductions to a root.

use super::algorithm::{Build, Entry};
use super::circulant::Circulant;
use super::group::Group;
use super::partial::{Partial, Slots};
use super::{Buffer, Builder, Collective, Part, Request, TooLarge, bcast, mirror};

const fn mirrored(broadcast: &'static Entry, summary: &'static str) -> Entry {
    Entry::from(broadcast, Collective::Reduce, summary, mirror::reduce)
}

pub(super) static ALL: &[&Entry] = &[
    &LINEAR,
    &mirrored(&bcast::CHAIN, "several chains that end at the root"),
    &mirrored(&bcast::PIPELINE, "one chain of all ranks"),
    &mirrored(&bcast::BINARY, "a binary tree"),
    &IN_ORDER_BINARY,
    &mirrored(&bcast::BINOMIAL, "a binomial tree"),
    &mirrored(&bcast::KNOMIAL, "a k-nomial tree"),
    &SCATTER_GATHER,
    &mirrored(&bcast::MULTIRAIL, "two heaps, each for one half of the message on one of two rails"),
    &mirrored(&bcast::TWO_TREE, "two in-order binary trees, each for one half of the message"),
    &mirrored(&bcast::CIRCULANT, "n segments in n − 1 + ⌈log2 p⌉ rounds, the minimum"),
    &mirrored(&bcast::BINE, "a binomial tree over negabinary numbers"),
];

/// The flat tree; the root combines in rank order, so the operation need not commute.
static LINEAR: Entry = Entry::new(
    Collective::Reduce,
    "linear",
    "every rank sends to the root, which combines in rank order",
    Build::Local(linear),
)
.in_segments()
.in_rank_order();

fn linear(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let root = request.root_rank();
    if rank != root {
        for segment in request.segments(request.message()) {
            ops.send(root, segment.within_buffer(Buffer::Send))?;
        }
        return Ok(());
    }
    let mut slots =
        Slots::new(request.segments(request.message()).map(|segment| segment.bytes).max().unwrap_or(0));
    for segment in request.segments(request.message()) {
        let result = segment.within_buffer(Buffer::Receive);
        // Rank 0 begins the result; the root has its input already.
        let mut so_far = if root == 0 { segment.within_buffer(Buffer::Send) } else { result };
        if root > 0 {
            ops.receive(0, result)?;
        }
        for other in 1..request.comm_size() {
            let operand = if other == root {
                segment.within_buffer(Buffer::Send)
            } else {
                slots.next(segment.bytes, ops)
            };
            if other != root {
                ops.receive(other, operand)?;
            }
            ops.reduce(&[so_far, operand], result)?;
            so_far = result;
        }
    }
    Ok(())
}

/// A binary tree in which every rank stands between its subtrees: all ranks of the left one come before it, those of the
/// right one after it. So the operation need not commute. The root of the tree is the root of the call, and the ranks
/// on either side of it are halved recursively.
static IN_ORDER_BINARY: Entry = Entry::new(
    Collective::Reduce,
    "in_order_binary",
    "a binary tree that combines in rank order",
    Build::Local(in_order_binary),
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

fn in_order_binary(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
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

/// Rabenseifner's reduction ("Optimization of Collective Reduction Operations", ICCS 2004): a reduce-scatter and a binomial
/// gather. The reduce-scatter is the one on a circulant graph, which serves every number of ranks.
static SCATTER_GATHER: Entry = Entry::new(
    Collective::Reduce,
    "scatter_gather",
    "a reduce-scatter of blocks and a binomial gather",
    Build::Local(scatter_gather),
);

fn scatter_gather(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::from_root(request, rank);
    let whole = match group.me {
        0 => request.message().within_buffer(Buffer::Receive),
        _ => ops.scratch(request.bytes()),
    };
    let block = |from, to| request.blocks(from, to, group.size);
    let mut partial = Partial::new(whole);
    Circulant::new(group.size).reduce_scatter(&group, block, &mut partial, ops)?;
    group.gather_binomial(|from, to| vec![block(from, to).within(whole)], ops)
}
