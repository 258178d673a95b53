//! Trees made of a part of the measurements, and judged by the rest.

use std::collections::BTreeMap;

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Borders, DecisionMap, DecisionTree, Problems};

use super::against;
use super::assess::{Assessment, LeaveOut, assess};
use super::interval::Interval;
use super::sweep::Spread;

/// What came of the trees of one row, one tree for each split.
#[derive(Clone, Debug, Default)]
pub struct HeldOut {
    /// The trees, each made of the training part of its split.
    pub trees: Vec<DecisionTree>,
    /// What they cost at the points that they were made of.
    pub own: Vec<Assessment>,
    /// What they cost at the points that were held out.
    pub judged: Vec<Assessment>,
    /// At each point 100 · ln(t\[tree\] / t\[exact tree\]), for each split.
    to_exact: BTreeMap<Vec<u64>, Vec<f64>>,
}

/// The two parts of a split, and what every tree of it is compared with.
#[derive(Debug)]
pub struct Split<'m> {
    train: &'m DecisionMap,
    test: &'m DecisionMap,
    exact: Vec<Option<qtdec_core::MethodIndex>>,
}

impl<'m> Split<'m> {
    /// A split: `train` is what trees are made of, and `test` what they are judged by.
    ///
    /// # Errors
    ///
    /// Parts with different axes.
    pub fn new(train: &'m DecisionMap, test: &'m DecisionMap) -> Result<Self, Problems> {
        // Without its ties: the exact tree takes the best method of every cell.
        let best = DecisionMap::new(train.domain().clone(), train.cells().to_vec())?;
        let exact = encode::encode(&best, &Quadtree::default(), Borders::Floor)?;
        Ok(Self { train, test, exact: against::decisions(&exact, test)? })
    }

    /// Judges a tree that was made of the training part, and adds what came of it.
    ///
    /// # Errors
    ///
    /// A tree with other axes.
    pub fn judge(
        &self,
        tree: DecisionTree,
        [of_train, of_test]: [&LeaveOut; 2],
        into: &mut HeldOut,
    ) -> Result<(), Problems> {
        let decisions = against::decisions(&tree, self.test)?;
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
    /// Whether nothing was judged.
    pub fn is_empty(&self) -> bool {
        self.judged.is_empty()
    }

    /// The mean over the splits of what `of` says of a held-out assessment, and its spread.
    pub fn spread(&self, of: impl Fn(&Assessment) -> f64) -> Option<Spread> {
        Spread::of(&self.judged.iter().map(of).collect::<Vec<_>>())
    }

    /// The paired difference to the exact tree of the same split, in points of 100 · ln: the mean over the points, and its
    /// interval by drawing points. Above 0 the exact tree is the faster one.
    pub fn to_exact(&self) -> Option<Interval> {
        let mean = |differences: &Vec<f64>| differences.iter().sum::<f64>() / differences.len() as f64;
        Interval::of(&self.to_exact.values().map(mean).collect::<Vec<_>>())
    }
}
