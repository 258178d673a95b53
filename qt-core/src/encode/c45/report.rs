//! What C4.5 prints for a run, and its production rules.

use super::estimate::Estimate;
use super::grow::Tree;
use super::rules::{self, Rules};
use super::{C45, printed};
use crate::borders::Borders;
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
        let fit = |tree: &Tree| Fit {
            size: tree.size(),
            leaves: tree.leaves(),
            errors: tree.errors() as u64,
            cases: cases.len() as u64,
            predicted: 100.0 * estimate.of_tree(tree) / (cases.len() as f64).max(1.0),
        };
        let decisions = self.tree(&input)?.nodes.cells(input.shape.lens());
        let thresholds = crossing::thresholds(borders, map, &decisions);
        Ok(Report {
            before: fit(&before),
            after: fit(&after),
            tree: printed::text(&after, &cases, map.domain(), &thresholds),
        })
    }

    /// Returns production rules that are derived from the tree before pruning, with the pessimistic errors of the confidence level.
    /// Rules are judged by cases alone, so that where methods cross, their borders are the geometric ones.
    ///
    /// # Errors
    ///
    /// The same as for [`report`](Self::report).
    pub fn rules(&self, map: &DecisionMap, borders: Borders) -> Result<Rules, Problem> {
        let input = Input::new(map, &Budget::default(), SearchLimit::COMMAND)?;
        let (cases, before, _) = self.trees(&input)?;
        let mut rules = rules::rules(&before, &cases, &Estimate::new(self), map.domain(), borders);
        // Cases are the measured cells, in order.
        let mut decided = std::mem::take(&mut rules.decisions).into_iter();
        rules.decisions =
            map.cells().iter().map(|cell| cell.and_then(|_| decided.next().flatten())).collect();
        Ok(rules)
    }
}

impl Tree {
    fn size(&self) -> u64 {
        1 + self.children.iter().map(Tree::size).sum::<u64>()
    }

    fn leaves(&self) -> u64 {
        if self.children.is_empty() { 1 } else { self.children.iter().map(Tree::leaves).sum() }
    }
}
