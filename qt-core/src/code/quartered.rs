//! A quadtree as nested blocks, in the form in which the papers print it.
//!
//! Section 3.3 of the 2006 and 2007 papers generates `if (NW) {...} else if (NE) {...} else if (SW) {...} else if (SE) {...} else {error}`
//! for every internal node. The blocks are found again from the tests that decisions need, so no condition compares what no decision asks, or
//! what the conditions around it have decided. The papers' outlook, to merge conditions with the same colour, is carried out: equal quadrants
//! of one block share a branch, whether they are leaves or blocks.

mod cover;
mod cuts;

use super::limits::too_many;
use crate::domain::MethodIndex;
use crate::encode::{Encoder, Quadtree};
use crate::message::Message;
use crate::problem::{Place, Problem};
use crate::tree::{Bound, DecisionTree, Node, Subtree};

use cover::{cover, name};
use cuts::{cuts, part};

/// A block of a quadtree.
///
/// The variants are complete: code that prints a quadtree must handle each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quartered {
    /// A block with one decision; `None` where the tree gives none.
    Answer(Option<MethodIndex>),
    /// A block that is in a function of its own.
    Part(usize),
    /// The branches of a block, at least two: exactly one of their conditions holds for every size in the block.
    Divided(Vec<QuadrantBranch>),
}

/// One branch of a block: a quadrant, or several with the same leaf or block. No two branches of a block lead to equal ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuadrantBranch {
    /// The names of the quadrants, in their order.
    pub names: Vec<String>,
    /// The condition: all bounds of at least one of these lists hold.
    pub when: Vec<Vec<Bound>>,
    /// The block, or the leaf.
    pub then: Quartered,
}

impl Quartered {
    /// Returns the blocks of a tree of the encoding `quadtree`.
    ///
    /// The quadrants have the order and names NW, NE, SW and SE: the first axis grows to the south and the second to the east. Those of a
    /// third axis are followed by `low` and `high`, as in `NW low`, and so are the halves of a single axis. An axis on which no decision in
    /// a block depends is not divided there: two halves of the other axis remain, such as N and S. Nor is one whose borders differ between
    /// these halves, because then each of them is a block of its own. A border may lie elsewhere than in the middle of a block, if decisions
    /// on both sides of the middle are equal.
    ///
    /// # Errors
    ///
    /// Returns an error for a tree of another encoding, and for one with more than `most` leaves.
    pub fn from_tree(tree: &DecisionTree, most: usize) -> Result<Self, Problem> {
        if !is_quadtree(tree) {
            return Err(not_a_quadtree(tree.encoding()));
        }
        let block = block(tree.reduced().root(), tree.domain().axes().len());
        let leaves = block.leaves();
        if leaves <= most { Ok(block) } else { Err(too_many(tree, leaves, most, false)) }
    }

    /// Returns the number of leaves and calls.
    pub fn leaves(&self) -> usize {
        match self {
            Self::Answer(_) | Self::Part(_) => 1,
            Self::Divided(branches) => branches.iter().map(|branch| branch.then.leaves()).sum(),
        }
    }

    /// Returns the axis and sample of every cut that a condition compares with, each as often as it occurs.
    pub fn cuts(&self) -> Vec<(usize, usize)> {
        let Self::Divided(branches) = self else { return Vec::new() };
        let own = |branch: &QuadrantBranch| {
            branch.when.iter().flatten().map(|bound| (bound.axis, bound.at)).collect::<Vec<_>>()
        };
        branches.iter().flat_map(|branch| [own(branch), branch.then.cuts()].concat()).collect()
    }

    /// Moves blocks into parts until the rest and each part have few leaves.
    pub(super) fn split(self, most: usize, parts: &mut Vec<Self>) -> Self {
        let Self::Divided(branches) = self else { return self };
        let branches = branches
            .into_iter()
            .map(|branch| QuadrantBranch { then: branch.then.split(most, parts), ..branch });
        let mut branches: Vec<QuadrantBranch> = branches.collect();
        while branches.iter().map(|branch| branch.then.leaves()).sum::<usize>() > most {
            let divided = branches.iter_mut().filter(|branch| branch.then.leaves() > 1);
            let Some(largest) = divided.max_by_key(|branch| branch.then.leaves()) else { break };
            let block = std::mem::replace(&mut largest.then, Self::Part(parts.len()));
            parts.push(block);
        }
        Self::Divided(branches)
    }
}

/// Returns whether a tree has the encoding `quadtree`.
pub(super) fn is_quadtree(tree: &DecisionTree) -> bool {
    tree.encoding() == Encoder::name(&Quadtree::default())
}

/// Returns the block that a subtree decides, of a tree with so many axes.
fn block(subtree: Subtree<'_>, axes: usize) -> Quartered {
    if let Node::Leaf(answer) = subtree.node() {
        return Quartered::Answer(answer);
    }
    let cuts = cuts(subtree);
    let branch = |Group { quadrants, then, .. }| QuadrantBranch {
        names: quadrants.iter().map(|&quadrant| name(quadrant, &cuts, axes)).collect(),
        when: cover(&quadrants, &cuts),
        then,
    };
    Quartered::Divided(groups(subtree, &cuts, axes).into_iter().map(branch).collect())
}

/// The numbers of quadrants with equal blocks.
struct Group<'t> {
    quadrants: Vec<usize>,
    part: Subtree<'t>,
    then: Quartered,
}

/// Groups the quadrants of a block, in the order of the first of each.
fn groups<'t>(subtree: Subtree<'t>, cuts: &[Bound], axes: usize) -> Vec<Group<'t>> {
    let mut groups: Vec<Group<'t>> = Vec::new();
    for quadrant in 0..1 << cuts.len() {
        let part = part(subtree, quadrant, cuts);
        if let Some(group) = groups.iter_mut().find(|group| group.part == part) {
            group.quadrants.push(quadrant);
            continue;
        }
        let then = block(part, axes);
        // Tests in another order may make the same block.
        match groups.iter_mut().find(|group| group.then == then) {
            Some(group) => group.quadrants.push(quadrant),
            None => groups.push(Group { quadrants: vec![quadrant], part, then }),
        }
    }
    groups
}

fn not_a_quadtree(encoding: &str) -> Problem {
    let message = Message::default()
        .setting("layout", "quadrants")
        .text(format!(" writes quadtrees, and the tree has the encoding `{encoding}`"));
    Problem::new(Place::File, message)
        .help(Message::set("encoding", "quadtree"))
        .help("choose `branches`, `table`, `select` or `auto`, which write every tree")
}
