//! The decision tree, the common representation between encoders and emitters.

mod block;
mod decide;
mod flat_tree;
mod guard;
mod guarded;
mod read;
mod reduced;
mod region;
mod rows;
pub mod table;
mod thresholds;
#[cfg(feature = "tools")]
mod write;

pub use block::{Arm, Block, Condition};
pub(crate) use flat_tree::FlatTree;
pub use flat_tree::{Node, Subtree};
pub use guard::Guard;
use guard::KnownOutcomes;
pub use guarded::GuardedTree;
pub use region::Region;
pub(crate) use rows::PackedRows;
pub use table::DecisionTable;
pub(crate) use thresholds::{Cut, Thresholds};

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::borders::Borders;
use crate::domain::{Domain, MethodIndex};
use crate::statistics::{Encoding, Statistics};

/// The name and version of the file format.
pub const FORMAT: &str = "qtdec-tree/1";

/// The maximum depth of a tree: axis-parallel trees of measured grids stay below a tenth of it.
pub(crate) const MAX_DEPTH: usize = 512;

/// A decision function: a binary tree whose tests each compare the size on one axis.
///
/// The tree is always simplified: the two sides of a test differ, no leaf merely continues across a border, and no test
/// is decided by those above it. Its leaves are the *regions* of the function.
#[derive(Clone, Debug)]
pub struct DecisionTree {
    domain: Domain,
    thresholds: Thresholds,
    nodes: FlatTree,
    encoding: Encoding,
    /// Made when it is needed first: a tree that is only asked for decisions needs none.
    counted: OnceLock<Box<Counted>>,
    source: Option<String>,
    guards: Vec<Guard>,
    fallback: Option<MethodIndex>,
}

/// The branches of a tree, and its statistics, which count them.
#[derive(Clone, Debug)]
struct Counted {
    block: Block,
    statistics: Statistics,
}

/// Branches and statistics follow from the other parts.
impl PartialEq for DecisionTree {
    fn eq(&self, other: &Self) -> bool {
        let Self { domain, thresholds, nodes, encoding, counted: _, source, guards, fallback } = self;
        (domain, thresholds, nodes) == (&other.domain, &other.thresholds, &other.nodes)
            && encoding == &other.encoding
            && (source, guards, fallback) == (&other.source, &other.guards, &other.fallback)
    }
}

/// One comparison on the path to a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The axis that is compared.
    pub axis: usize,
    /// The first sample of the upper side.
    pub at: usize,
    /// Whether the size must be on the lower side.
    pub below: bool,
}

impl DecisionTree {
    /// Returns the origin of the map, as JSON.
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// Creates a tree from nodes that are [simplified](FlatTree::simplified). `encoding` is the encoder's report, `source` is the origin
    /// of the map, and `fallback` is the method that answers where another may not run, if that is known.
    pub(crate) fn new(
        domain: Domain,
        thresholds: Thresholds,
        nodes: FlatTree,
        encoding: Encoding,
        source: Option<String>,
        fallback: Option<MethodIndex>,
    ) -> Self {
        let (counted, guards) = (OnceLock::new(), Vec::new());
        let thresholds = thresholds.limited_to(nodes.root().cuts());
        let mut tree = Self { domain, thresholds, nodes, encoding, counted, source, guards, fallback: None };
        tree.guards = tree.find_guards();
        if !tree.guards.is_empty() {
            tree.fallback = fallback.or_else(|| tree.likely_fallback());
        }
        tree
    }

    /// Returns the axes and methods.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Returns the rule for the borders between samples.
    pub fn borders(&self) -> Borders {
        self.thresholds.borders()
    }

    /// Returns the root of the tree.
    pub fn root(&self) -> Subtree<'_> {
        self.nodes.root()
    }

    /// Returns the branches of the tree, nested as in code of any language.
    ///
    /// Every comparison in the branches is needed: with any of them removed, some size would have a different decision or take more
    /// comparisons, even if the borders of the other comparisons move. Only a tree that `optimal` made for the fewest mispredictions
    /// keeps all of its tests, because fewer tests may be harder to predict.
    pub fn block(&self) -> &Block {
        &self.counted().block
    }

    /// Returns the name of the encoding.
    pub(crate) fn encoding(&self) -> &str {
        &self.encoding.name
    }

    /// Returns the encoder's report and the size of the simplified tree.
    pub fn statistics(&self) -> &Statistics {
        &self.counted().statistics
    }

    /// Returns the methods that the function returns, each once, in their order.
    pub fn methods(&self) -> Vec<MethodIndex> {
        let mut returned = vec![false; self.domain.methods().len()];
        for method in self.root().answers().into_iter().chain([self.fallback]).flatten() {
            returned[method.get()] = true;
        }
        self.domain.method_indexes().filter(|method| returned[method.get()]).collect()
    }

    fn counted(&self) -> &Counted {
        self.counted.get_or_init(|| {
            let Self { nodes, encoding, .. } = self;
            let block = if encoding.is_for_prediction() {
                Block::from_subtree(nodes.root())
            } else {
                Block::from_subtree(self.reduced().root())
            };
            let (regions, conditions) = (nodes.root().leaves() as u64, block.conditions());
            let statistics = Statistics { encoding: encoding.clone(), regions, conditions };
            Box::new(Counted { block, statistics })
        })
    }

    /// Returns the tests that decisions need.
    pub(crate) fn reduced(&self) -> FlatTree {
        self.nodes.reduced(&self.domain.shape())
    }

    /// Returns the smallest size on the upper side of a cut; on a labelled axis, the position of its first label.
    pub fn threshold(&self, axis: usize, at: usize) -> u64 {
        self.thresholds.threshold(self.domain.axes(), axis, at)
    }

    /// Returns whether the tree has a decision everywhere.
    pub fn is_total(&self) -> bool {
        let is_guarded = self.guards.is_empty() || self.fallback.is_some();
        is_guarded && !self.root().methods().any(|method| method.is_none())
    }

    /// Replaces methods that return the same value by one representative, which `canonical` gives for each.
    pub(crate) fn with_canonical_methods(&self, canonical: &[MethodIndex]) -> Cow<'_, Self> {
        if self.domain.method_indexes().eq(canonical.iter().copied()) {
            return Cow::Borrowed(self);
        }
        Cow::Owned(self.with_decisions(|method| Some(canonical[method.get()])))
    }

    fn with_decisions(&self, decision: impl Fn(MethodIndex) -> Option<MethodIndex>) -> Self {
        self.with_nodes(&self.nodes.with_decisions(decision))
    }

    fn with_nodes(&self, nodes: &FlatTree) -> Self {
        let nodes = nodes.simplified(&self.domain.shape());
        let Self { domain, thresholds, encoding, source, fallback, .. } = self.clone();
        Self::new(domain, thresholds, nodes, encoding, source, fallback)
    }
}
