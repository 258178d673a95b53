//! A quadtree as nested blocks, in the form in which the papers print it.
//!
//! Section 3.3 of the 2006 and 2007 papers generates `if (NW) {...} else if (NE) {...} else if (SW) {...} else if (SE) {...} else {error}`
//! for every internal node. A tree holds only the tests that decisions need, so the blocks are found again from the filled-in grid. The
//! papers' outlook, to merge conditions with the same colour, is carried out: equal leaves of one block share a branch.

mod cover;

use std::ops::Range;

use super::limits::too_many;
use crate::domain::MethodIndex;
use crate::encode::{Encoder, FilledAxis, Quadtree};
use crate::message::Message;
use crate::problem::{Place, Problem};
use crate::tree::{Bound, DecisionTree, Node, Subtree};

use cover::{cover, is_below, name};

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

/// One branch of a block: a quadrant, or several with the same leaf.
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
    /// a block depends is not divided there, for example because only one of its samples is left: two halves of the other axis remain,
    /// such as N and S.
    ///
    /// # Errors
    ///
    /// Returns an error for a tree of another encoding, and for one with more than `most` leaves.
    pub fn from_tree(tree: &DecisionTree, most: usize) -> Result<Self, Problem> {
        let blocks = Blocks::new(tree)?;
        let block = blocks.block(tree.root(), &vec![0; blocks.axes.len()], 1 << blocks.levels);
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
        while branches.iter().map(|branch| branch.then.leaves()).sum::<usize>() > most
            && let Some(largest) = branches.iter_mut().max_by_key(|branch| branch.then.leaves())
            && largest.then.leaves() > 1
        {
            let block = std::mem::replace(&mut largest.then, Self::Part(parts.len()));
            parts.push(block);
        }
        Self::Divided(branches)
    }
}

struct Blocks {
    axes: Vec<FilledAxis>,
    levels: u32,
}

impl Blocks {
    fn new(tree: &DecisionTree) -> Result<Self, Problem> {
        let encoding = &tree.statistics().encoding;
        let mut quadtree = Quadtree::default();
        if encoding.name != Encoder::name(&quadtree) {
            return Err(not_a_quadtree(&encoding.name));
        }
        for (name, value) in &encoding.options {
            // The options that all encoders share do not change the grid.
            let _ = Encoder::set(&mut quadtree, name, value);
        }
        let (levels, axes) = FilledAxis::of_grid(&tree.domain().shape(), quadtree.fill);
        Ok(Self { axes, levels })
    }

    /// Returns a block of the grid, given its first filled-in indexes. `subtree` decides everything in it.
    fn block(&self, subtree: Subtree<'_>, corner: &[usize], size: usize) -> Quartered {
        let first = |axis: usize, offset: usize| self.axes[axis].first_from(corner[axis] + offset);
        let samples: Vec<Range<usize>> =
            (0..corner.len()).map(|axis| first(axis, 0)..first(axis, size)).collect();
        let subtree = within(subtree, &samples);
        let contents = Contents::of(subtree, &samples);
        if let [answer] = contents.answers[..] {
            return Quartered::Answer(answer);
        }
        let half = size / 2;
        // The half of an axis that is not divided: the one with samples.
        let mut halves = corner.to_vec();
        let mut cuts = Vec::new();
        for (axis, samples) in samples.iter().enumerate() {
            let at = first(axis, half);
            if at <= samples.start {
                halves[axis] += half;
            } else if at < samples.end && contents.axes[axis] {
                cuts.push(Bound { axis, at, below: true });
            }
        }
        if cuts.is_empty() {
            return self.block(subtree, &halves, half);
        }
        let parts = (0..1 << cuts.len()).map(|quadrant| {
            let mut corner = halves.clone();
            for (place, cut) in cuts.iter().enumerate() {
                corner[cut.axis] += half * usize::from(!is_below(quadrant, place, cuts.len()));
            }
            self.block(subtree, &corner, half)
        });
        let branch = |(quadrants, then): (Vec<usize>, Quartered)| QuadrantBranch {
            names: quadrants.iter().map(|&quadrant| name(quadrant, &cuts, corner.len())).collect(),
            when: cover(&quadrants, &cuts),
            then,
        };
        Quartered::Divided(grouped(parts).into_iter().map(branch).collect())
    }
}

/// Groups the numbers of the quadrants by equal leaves, in the order of the first of each.
fn grouped(quadrants: impl Iterator<Item = Quartered>) -> Vec<(Vec<usize>, Quartered)> {
    let mut groups: Vec<(Vec<usize>, Quartered)> = Vec::new();
    for (quadrant, block) in quadrants.enumerate() {
        let is_leaf = matches!(block, Quartered::Answer(_));
        match groups.iter_mut().find(|(_, other)| is_leaf && *other == block) {
            Some((group, _)) => group.push(quadrant),
            None => groups.push((vec![quadrant], block)),
        }
    }
    groups
}

/// Returns the part of a subtree that decides a block, without the tests above it.
fn within<'t>(mut subtree: Subtree<'t>, samples: &[Range<usize>]) -> Subtree<'t> {
    loop {
        match subtree.node() {
            Node::Test { axis, at, below, .. } if at >= samples[axis].end => subtree = below,
            Node::Test { axis, at, at_or_above, .. } if at <= samples[axis].start => subtree = at_or_above,
            Node::Test { .. } | Node::Leaf(_) => return subtree,
        }
    }
}

/// What a block depends on.
struct Contents {
    /// The different answers.
    answers: Vec<Option<MethodIndex>>,
    /// For each axis, whether a test inside the block compares it.
    axes: Vec<bool>,
}

impl Contents {
    fn of(subtree: Subtree<'_>, samples: &[Range<usize>]) -> Self {
        let mut contents = Self { answers: Vec::new(), axes: vec![false; samples.len()] };
        contents.add(subtree, &mut samples.to_vec());
        contents
    }

    fn add(&mut self, subtree: Subtree<'_>, samples: &mut [Range<usize>]) {
        match within(subtree, samples).node() {
            Node::Leaf(answer) if self.answers.contains(&answer) => {}
            Node::Leaf(answer) => self.answers.push(answer),
            Node::Test { axis, at, below, at_or_above } => {
                self.axes[axis] = true;
                let Range { start, end } = samples[axis];
                samples[axis] = start..at;
                self.add(below, samples);
                samples[axis] = at..end;
                self.add(at_or_above, samples);
                samples[axis] = start..end;
            }
        }
    }
}

fn not_a_quadtree(encoding: &str) -> Problem {
    let message = Message::default()
        .setting("layout", "quadrants")
        .text(format!(" writes quadtrees, and the tree has the encoding `{encoding}`"));
    Problem::new(Place::File, message)
        .help(Message::set("encoding", "quadtree"))
        .help("choose `branches`, `table`, `select` or `auto`, which write every tree")
}
