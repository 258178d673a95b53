//! Trees made from one part of the measurements and evaluated on the rest.

use std::collections::BTreeMap;

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Borders, DecisionMap, DecisionTree, Problems};

use super::assess::{Assessment, LeaveOut, assess};
use super::gain::Gain;
use super::interval::Interval;
use super::launch_gain::LaunchGains;
use super::spread::{Spread, mean};
use super::tree_on_map;

/// The results for the trees of one row, one tree for each split.
#[derive(Clone, Debug, Default)]
pub struct HeldOut {
    /// The trees, each made of the training part of its split.
    pub trees: Vec<DecisionTree>,
    /// The costs at the points from which they were made.
    pub own: Vec<Assessment>,
    /// The costs at the held-out points.
    pub judged: Vec<Assessment>,
    /// The gains over the default at the held-out points.
    pub gains: LaunchGains,
    /// The difference 100 · ln(t\[tree\] / t\[exact tree\]) at each point, for each split.
    to_exact: BTreeMap<Vec<u64>, Vec<f64>>,
}

/// The two parts of a split, and the reference for its trees.
#[derive(Debug)]
pub struct Split<'m> {
    train: &'m DecisionMap,
    test: &'m DecisionMap,
    exact: Vec<Option<qtdec_core::MethodIndex>>,
}

impl<'m> Split<'m> {
    /// Creates a split: trees are made from `train` and evaluated on `test`.
    ///
    /// # Errors
    ///
    /// Fails if the parts have different axes.
    pub fn new(train: &'m DecisionMap, test: &'m DecisionMap) -> Result<Self, Problems> {
        // Without ties, the exact tree takes the best method of every cell.
        let best = DecisionMap::new(train.domain().clone(), train.cells().to_vec())?;
        let exact = encode::encode(&best, &Quadtree::default(), Borders::Floor)?;
        Ok(Self { train, test, exact: tree_on_map::decisions(&exact, test)? })
    }

    /// Evaluates a tree that was made from the training part, and adds the result.
    ///
    /// # Errors
    ///
    /// Fails if the tree has other axes.
    pub fn judge(
        &self,
        tree: DecisionTree,
        [of_train, of_test]: [&LeaveOut; 2],
        into: &mut HeldOut,
    ) -> Result<(), Problems> {
        let decisions = tree_on_map::decisions(&tree, self.test)?;
        into.gains.add_decisions(&decisions, self.test);
        into.own.extend(assess(&tree.cells(), self.train, of_train));
        into.judged.extend(assess(&decisions, self.test, of_test));
        for (cell, (chosen, exact)) in decisions.iter().zip(&self.exact).enumerate() {
            let cost = |method: &Option<_>| self.test.costs()?.get(cell, (*method)?);
            if let (Some(chosen), Some(exact)) = (cost(chosen), cost(exact)) {
                let differences = into.to_exact.entry(self.test.domain().sizes(cell)).or_default();
                differences.push(100.0 * (chosen / exact).ln());
            }
        }
        into.trees.push(tree);
        Ok(())
    }
}

impl HeldOut {
    /// Returns whether there are no results.
    pub fn is_empty(&self) -> bool {
        self.judged.is_empty()
    }

    /// Returns the mean over the splits of a quantity `of` of a held-out assessment, and its spread.
    pub fn spread(&self, of: impl Fn(&Assessment) -> f64) -> Option<Spread> {
        Spread::new(&self.judged.iter().map(of).collect::<Vec<_>>())
    }

    /// Returns the mean gain over the default at the held-out points, if there is a default.
    pub fn gain(&self) -> Option<Gain> {
        Gain::mean(self.judged.iter().filter_map(|judged| Some(judged.over_default.as_ref()?.gain)))
    }

    /// Returns the paired difference from the exact tree of the same split, in points of 100 · ln: the mean over the points, and its
    /// interval by resampling points. Above 0 the exact tree is faster.
    pub fn to_exact(&self) -> Option<Interval> {
        Interval::new(&self.to_exact.values().map(|differences| mean(differences)).collect::<Vec<_>>())
    }
}
