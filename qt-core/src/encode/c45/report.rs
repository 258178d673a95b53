//! What C4.5 prints for a run, and the leaves of its tree before pruning.

use super::cases::Cases;
use super::estimate::Estimate;
use super::grow::{Test, Tree};
use super::{C45, weka_text};
use crate::borders::Borders;
use crate::domain::MethodIndex;
use crate::encode::{Algorithm as _, Budget, Input, SearchLimit, crossing};
use crate::map::DecisionMap;
use crate::problem::Problem;

/// The results that C4.5 prints for a run: the second paper's Tables 1 and 2.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The fit of the tree before pruning.
    pub before: Fit,
    /// The fit of the tree after pruning.
    pub after: Fit,
    /// The pruned tree as text, with the borders of the report: its tests read `size < border`, or `size <= sample` with those of C4.5
    /// ([`Borders::Ceiling`]). Each leaf shows the number of its cases and, if there are any, of those of other classes: `(8.0/1.0)`.
    pub tree: String,
}

/// The size of a tree and how well it fits its training cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The number of leaves and tests.
    pub size: u64,
    /// The number of leaves.
    pub leaves: u64,
    /// The number of training cases that are not of the class of their leaf.
    pub errors: u64,
    /// The number of training cases.
    pub cases: u64,
    /// The predicted error rate on unseen cases, in per cent.
    pub predicted: f64,
}

/// A leaf of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The conditions that lead to it, beginning at the root.
    pub conditions: Vec<Condition>,
    /// Its method.
    pub method: MethodIndex,
}

/// A condition on the sample of one axis. The variants are complete: C4.5 has no other tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The sample is before a place (0) or from it on (1).
    Side {
        /// The axis.
        axis: usize,
        /// The index of the first sample of side 1.
        at: usize,
        /// The side.
        side: usize,
    },
    /// The sample is a label.
    Label {
        /// The axis.
        axis: usize,
        /// The index of the label.
        label: usize,
    },
}

impl C45 {
    /// Returns the results for a map and the tree in the form that C4.5 prints, before any adjustment for methods that may not run
    /// everywhere. With the same `borders`, the text and the [encoded](crate::encode::encode) tree make the same decision for every size.
    ///
    /// # Errors
    ///
    /// Returns an error for a map with too many cells, or a tree that takes too much work.
    pub fn report(&self, map: &DecisionMap, borders: Borders) -> Result<Report, Problem> {
        let input = Input::new(map, &Budget::default(), SearchLimit::COMMAND)?;
        let (cases, before, after) = self.trees(&input)?;
        let estimate = Estimate::new(self);
        let decisions = self.tree(&input)?.nodes.cells(input.shape.lens());
        let thresholds = crossing::thresholds(borders, map, &decisions);
        let tree = weka_text::text(&after, &cases, map.domain(), &thresholds);
        let [before, after] = [before, after].map(|tree| Fit {
            size: tree.size(),
            leaves: tree.leaves(),
            errors: tree.errors().round() as u64,
            cases: tree.counts.total().round() as u64,
            predicted: 100.0 * estimate.of_tree(&tree) / tree.counts.total().max(1.0),
        });
        Ok(Report { before, after, tree })
    }

    /// Returns the leaves of the tree before pruning that have cases, from which production rules are derived.
    ///
    /// # Errors
    ///
    /// The same as for [`report`](Self::report).
    pub fn leaves(&self, map: &DecisionMap) -> Result<Vec<Leaf>, Problem> {
        let input = Input::new(map, &Budget::default(), SearchLimit::COMMAND)?;
        let (cases, before, _) = self.trees(&input)?;
        let mut leaves = Vec::new();
        before.add_leaves(&mut Vec::new(), &cases, &mut leaves);
        Ok(leaves)
    }

    /// Returns the pessimistic error rate of what decides some cases with some errors, at the confidence level; 1 without cases.
    pub fn error_rate(&self, cases: usize, errors: usize) -> f64 {
        let (cases, errors) = (cases as f64, errors as f64);
        if cases == 0.0 { 1.0 } else { (errors + Estimate::new(self).further(cases, errors)) / cases }
    }
}

impl Tree {
    fn size(&self) -> u64 {
        1 + self.children.iter().map(Tree::size).sum::<u64>()
    }

    /// Adds the leaves with cases below this node, which these conditions lead to.
    fn add_leaves(&self, above: &mut Vec<Condition>, cases: &Cases, leaves: &mut Vec<Leaf>) {
        let Some(test) = self.test else {
            if let Some(class) = self.class.filter(|_| !self.cases.is_empty()) {
                leaves.push(Leaf { conditions: above.clone(), method: cases.method(class) });
            }
            return;
        };
        for (outcome, child) in self.children.iter().enumerate() {
            above.push(match test {
                Test::Cut { axis, at } => Condition::Side { axis, at, side: outcome },
                Test::Labels { axis } => Condition::Label { axis, label: outcome },
            });
            child.add_leaves(above, cases, leaves);
            above.pop();
        }
    }

    fn leaves(&self) -> u64 {
        if self.children.is_empty() { 1 } else { self.children.iter().map(Tree::leaves).sum() }
    }
}
