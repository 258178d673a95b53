//! Two trees below one test that no border can express.

use super::{DecisionTree, GuardedTree, KnownOutcomes, Predicate};
use crate::domain::{Axis, Domain, MethodIndex, Requirement, Samples};
use crate::message::Message;
use crate::problem::{Place, Problem, Problems};
use crate::statistics::Statistics;

/// A decision function whose outermost test asks whether a predicate holds for the size on one axis.
///
/// On each side answers a tree of its own: one of boxes, whose domain has only the samples of that side, so that its borders lie between
/// them. It is not a [`DecisionTree`], and whatever takes only trees of boxes cannot be given half of it by mistake.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitTree {
    domain: Domain,
    axis: usize,
    predicate: Predicate,
    /// The trees where the predicate holds, and where it fails.
    halves: Box<[DecisionTree; 2]>,
    source: Option<String>,
}

impl SplitTree {
    /// Creates a tree from its halves, whose domains are the [parts](Domain::part) of the whole one.
    pub(crate) fn new(
        domain: Domain,
        (axis, predicate): (usize, Predicate),
        halves: [DecisionTree; 2],
        source: Option<String>,
    ) -> Self {
        Self { domain, axis, predicate, halves: Box::new(halves), source }
    }

    /// Returns the axes with all samples, and the methods.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Returns the position of the axis whose size the outermost test looks at.
    pub fn axis(&self) -> usize {
        self.axis
    }

    /// Returns the outermost test.
    pub fn predicate(&self) -> Predicate {
        self.predicate
    }

    /// Returns the tree where the predicate holds, and the one where it fails.
    pub fn halves(&self) -> &[DecisionTree; 2] {
        &self.halves
    }

    /// Returns the origin of the map, as JSON.
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// Returns the number of regions of both halves.
    pub fn regions(&self) -> u64 {
        self.halves.iter().map(|half| half.statistics().regions).sum()
    }

    /// Returns the sentence that the outermost test holds, or that it fails, as in "ranks is a power of two".
    pub fn side(&self, holds: bool) -> String {
        self.predicate.described(&self.domain.axes()[self.axis].name, holds)
    }

    /// Returns the halves below the checks that their methods need beyond the outermost test.
    pub fn guarded(&self) -> [GuardedTree; 2] {
        let known = KnownOutcomes::default();
        let is_of_ranks = self.domain.axes()[self.axis].name == "comm_size";
        let decided =
            (is_of_ranks && self.predicate == Predicate::PowerOfTwo).then_some(Requirement::PowerOfTwo);
        let [holding, failing] = &*self.halves;
        let (met, unmet) = match decided {
            Some(decided) => (known.clone().met(&[decided]), known.unmet(&[decided])),
            None => (known.clone(), known),
        };
        [holding.guarded_below(&met), failing.guarded_below(&unmet)]
    }

    /// Replaces the fallback of both halves.
    pub(crate) fn with_fallback(mut self, label: &str) -> Result<Self, Problem> {
        let [holding, failing] = *self.halves.clone();
        *self.halves = [holding.with_fallback(label)?, failing.with_fallback(label)?];
        Ok(self)
    }

    /// Returns the problem that a reader of trees or a form of code cannot say the outermost test; `what` begins with it, as in "a table
    /// compares sizes with borders".
    pub fn refused(&self, what: &str) -> Problem {
        let message = format!("{what}, and the outermost test of this tree is `{}`", self.side(true));
        Problem::new(Place::File, message).help(Message::from("encode the map without ").option("predicates"))
    }
}

impl Domain {
    /// Returns the domain with only those samples of an axis for which a predicate holds, or fails.
    pub(super) fn part(&self, axis: usize, predicate: Predicate, holds: bool) -> Result<Self, Problems> {
        let mut axes = self.axes().to_vec();
        let split: &mut Axis = &mut axes[axis];
        let Samples::Values(values) = &mut split.samples else {
            let message = format!("`{}` has labels, and no sizes with predicates", split.name);
            return Err(Problem::new(Place::File, message).into());
        };
        values.retain(|&size| predicate.holds(size) == holds);
        if values.is_empty() {
            let message = format!("no sample is one where {}", predicate.described(&split.name, holds));
            return Err(Problem::new(Place::File, message).into());
        }
        Self::new(self.collective().map(str::to_owned), axes, self.methods().to_vec())
    }
}

/// A tree of boxes, or one split by a predicate. The variants are complete.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a program has few trees, and moves each of them once")]
pub enum AnyTree {
    /// A tree of boxes.
    Boxes(DecisionTree),
    /// Two trees of boxes below a predicate.
    Split(SplitTree),
}

/// A reference to a tree of boxes, or to one split by a predicate. The variants are complete.
#[derive(Clone, Copy, Debug)]
pub enum TreeRef<'t> {
    /// A tree of boxes.
    Boxes(&'t DecisionTree),
    /// Two trees of boxes below a predicate.
    Split(&'t SplitTree),
}

impl<'t> From<&'t DecisionTree> for TreeRef<'t> {
    fn from(tree: &'t DecisionTree) -> Self {
        Self::Boxes(tree)
    }
}

impl<'t> From<&'t AnyTree> for TreeRef<'t> {
    fn from(tree: &'t AnyTree) -> Self {
        match tree {
            AnyTree::Boxes(tree) => Self::Boxes(tree),
            AnyTree::Split(tree) => Self::Split(tree),
        }
    }
}

impl AnyTree {
    /// Returns the tree of boxes, or the problem of [`SplitTree::refused`].
    ///
    /// # Errors
    ///
    /// Returns an error for a tree that is split by a predicate.
    pub fn into_boxes(self, what: &str) -> Result<DecisionTree, Problem> {
        match self {
            Self::Boxes(tree) => Ok(tree),
            Self::Split(tree) => Err(tree.refused(what)),
        }
    }

    /// Returns a reference to the tree of boxes, as [`into_boxes`](Self::into_boxes) does.
    ///
    /// # Errors
    ///
    /// Returns the same errors.
    pub fn as_boxes(&self, what: &str) -> Result<&DecisionTree, Problem> {
        match self {
            Self::Boxes(tree) => Ok(tree),
            Self::Split(tree) => Err(tree.refused(what)),
        }
    }
}

impl<'t> TreeRef<'t> {
    /// Returns the axes and methods.
    pub fn domain(self) -> &'t Domain {
        match self {
            Self::Boxes(tree) => tree.domain(),
            Self::Split(tree) => tree.domain(),
        }
    }

    /// Returns the origin of the map, as JSON.
    pub fn source(self) -> Option<&'t str> {
        match self {
            Self::Boxes(tree) => tree.source(),
            Self::Split(tree) => tree.source(),
        }
    }

    /// Returns the trees of boxes: the only one, or both halves.
    pub fn boxes(self) -> &'t [DecisionTree] {
        match self {
            Self::Boxes(tree) => std::slice::from_ref(tree),
            Self::Split(tree) => tree.halves(),
        }
    }

    /// Returns the methods that the function returns, each once, in their order.
    pub fn methods(self) -> Vec<MethodIndex> {
        let mut returned = vec![false; self.domain().methods().len()];
        for tree in self.boxes() {
            let mut answers = tree.root().answers();
            answers.push(tree.fallback());
            for method in answers.into_iter().flatten() {
                returned[method.get()] = true;
            }
        }
        self.domain().method_indexes().filter(|method| returned[method.get()]).collect()
    }

    /// Returns whether there is a decision everywhere.
    pub fn is_total(self) -> bool {
        self.boxes().iter().all(DecisionTree::is_total)
    }

    /// Returns the size of the function, as [`Statistics::size`](crate::Statistics::size).
    pub fn size(self) -> String {
        self.said(Statistics::size)
    }

    /// Returns a short summary, as of [`Statistics::summary`](crate::Statistics::summary).
    pub fn summary(self) -> String {
        self.said(Statistics::summary)
    }

    /// Returns what is said of the tree, or of each half.
    fn said(self, of: fn(&Statistics) -> String) -> String {
        match self {
            Self::Boxes(tree) => of(tree.statistics()),
            Self::Split(tree) => {
                let name = format!("`{}`", tree.domain.axes()[tree.axis].name);
                let side = |holds, half: &DecisionTree| {
                    format!("if {}, {}", tree.predicate.described(&name, holds), of(half.statistics()))
                };
                let [holding, failing] = tree.halves();
                format!("{}; {}", side(true, holding), side(false, failing))
            }
        }
    }
}
