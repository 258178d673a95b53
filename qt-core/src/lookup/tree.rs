//! The line of nodes.

use super::{Writer, index};
use crate::tree::{DecisionTree, Node, Subtree};

/// The bits of a test that hold the position of its threshold and the step to its upper side.
const BITS: u32 = 29;

const LEAF: u32 = 1 << 31;

pub(super) fn write(tree: &DecisionTree, bytes: &mut Writer) -> Option<()> {
    let mut cuts: Vec<(usize, usize)> = tree.root().cuts().collect();
    cuts.sort_unstable();
    cuts.dedup();
    let bits = cuts.len().next_power_of_two().ilog2();
    let mut nodes = Vec::new();
    line(tree.root(), &Line { cuts: &cuts, shift: BITS.checked_sub(bits)? }, &mut nodes)?;
    bytes.u32(cuts.len());
    for &(axis, at) in &cuts {
        bytes.u64(tree.threshold(axis, at));
    }
    bytes.bytes([bits as u8]);
    bytes.u32(nodes.len());
    for node in nodes {
        bytes.bytes(node.to_le_bytes());
    }
    Some(())
}

/// How nodes are written.
struct Line<'c> {
    cuts: &'c [(usize, usize)],
    shift: u32,
}

/// `None` for a step that is too long.
fn line(subtree: Subtree<'_>, form: &Line<'_>, nodes: &mut Vec<u32>) -> Option<()> {
    match subtree.node() {
        Node::Leaf(method) => nodes.push(LEAF | u32::from(index(method))),
        Node::Test { axis, at, below, from } => {
            let position = form.cuts.partition_point(|&cut| cut < (axis, at)) as u32;
            // A binary tree has one node less than twice as many as it has leaves.
            let step = 2 * below.leaves() as u32;
            if step >= 1 << form.shift {
                return None;
            }
            nodes.push((axis as u32) << BITS | position << form.shift | step);
            line(below, form, nodes)?;
            line(from, form, nodes)?;
        }
    }
    Some(())
}
