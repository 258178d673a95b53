//! C4.5 decision trees, which the second paper evaluates: J. R. Quinlan, *C4.5: Programs for Machine Learning*, 1993, in the
//! version of Release 8 (Quinlan, "Improved use of continuous attributes in C4.5", JAIR 4, 1996).
//!
//! The cells of a map are the training cases, its sizes are continuous attributes, its labels a discrete one, and its methods the
//! classes. The tree need not be exact: the gain of a test is weighed against its cost, and on a checkerboard no test
//! gains anything.

mod cases;
mod estimate;
mod grow;
mod lacking;
mod prune;
#[cfg(feature = "tools")]
mod report;
#[cfg(feature = "tools")]
mod weka_text;

use std::ops::Range;

use super::boxes::{balanced, cells, common_decision};
use super::setting::{Setting, choose, percent};
use super::{Algorithm, Encoded, Input};
use crate::domain::MethodIndex;
use crate::listing::name_of;
use crate::message::Message;
use crate::problem::{Place, Problem};
use crate::tree::FlatTree;

#[cfg(feature = "tools")]
pub use report::{Condition, Fit, Leaf, Report};

use cases::Cases;
use grow::{Test, Tree};
use lacking::Lacking;

/// The options of C4.5, with the defaults of Release 8.
#[derive(Clone, Debug, PartialEq)]
pub struct C45 {
    /// The minimum number of cases in at least two outcomes of a test; `-m`.
    pub weight: u32,
    /// The confidence level in per cent: lower values prune more; `-c`.
    pub confidence: f64,
    /// The implementation whose constants and tolerances are used.
    pub constants: Constants,
}

/// The two implementations of C4.5, which differ in their error estimates and in comparisons of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Constants {
    /// C4.5 Release 8.
    #[default]
    Release8,
    /// J48, its counterpart in Weka.
    J48,
}

impl Constants {
    /// Returns the difference up to which two numbers count as equal.
    fn tolerance(self) -> f64 {
        if self == Self::J48 { 1e-6 } else { 0.0 }
    }
}

const CONSTANTS: [(&str, Constants); 2] = [("r8", Constants::Release8), ("j48", Constants::J48)];

impl Default for C45 {
    fn default() -> Self {
        Self { weight: 2, confidence: 25.0, constants: Constants::default() }
    }
}

impl Algorithm for C45 {
    const NAME: &'static str = "c45";

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting {
            name: "weight",
            value: "N",
            help: "require at least this many cases in two outcomes of a test; 2 by default",
            set: |own, value| {
                let weight = value.parse().ok().filter(|weight| *weight > 0);
                own.weight = weight.ok_or("a whole number above 0, such as 2")?;
                Ok(())
            },
            get: |own| Some(own.weight.to_string()),
        },
        Setting {
            name: "confidence",
            value: "PERCENT",
            help: "prune at this confidence level; lower values prune more; 25 by default",
            set: |own, value| {
                let expected = "a number above 0 and up to 100, such as 25";
                let level = percent(value, ..1.0, expected)?;
                own.confidence = Some(level).filter(|level| *level > 0.0).ok_or(expected)?;
                Ok(())
            },
            get: |own| Some(own.confidence.to_string()),
        },
        Setting {
            name: "constants",
            value: "r8|j48",
            help: "estimate errors with the constants of C4.5 Release 8 or of Weka's J48",
            set: |own, value| choose(&mut own.constants, value, &CONSTANTS),
            get: |own| Some(name_of(&own.constants, &CONSTANTS).to_owned()),
        },
    ];

    fn tree(&self, input: &Input<'_>) -> Result<Encoded, Problem> {
        let (cases, _, pruned) = self.trees(input)?;
        let mut samples = input.shape.lens().iter().map(|&len| 0..len).collect();
        let nodes = nodes(&pruned, &cases, input, &mut samples);
        let nodes = Lacking::decided(&cases, &pruned, nodes, input);
        Ok(Encoded::new(&nodes, input, None))
    }
}

impl C45 {
    fn trees(&self, input: &Input<'_>) -> Result<(Cases, Tree, Tree), Problem> {
        let cells = input.shape.cells();
        // Every case is examined once for every axis and level, and stored in every node on its path.
        if !input.search_limit.allows(cells as u128 * 1024, 0) {
            let message = format!("C4.5 takes too long to grow a tree from {cells} cases");
            return Err(Problem::new(Place::File, message)
                .help(Message::set("encoding", "greedy"))
                .help(Message::set("encoding", "quadtree")));
        }
        let cases = Cases::new(input);
        let mut before = grow::Grower::new(self, &cases, input).tree(cases.all(), None, 0)?;
        before.collapse();
        let mut after = before.clone();
        prune::prune(&mut after, &cases, &estimate::Estimate::new(self));
        Ok((cases, before, after))
    }
}

/// Converts the tree into binary tests. A leaf whose class may not run in all of its box is divided further.
fn nodes(tree: &Tree, cases: &Cases, input: &Input<'_>, samples: &mut Vec<Range<usize>>) -> FlatTree {
    let Some(test) = &tree.test else {
        let cells = cells(input.shape.lens(), samples);
        return match tree.class.map(|class| cases.method(class)) {
            None => FlatTree::leaf(None),
            Some(method) if cells.iter().all(|&cell| input.may_run(method, cell)) => {
                FlatTree::leaf(Some(method))
            }
            Some(_) => runnable(input, samples),
        };
    };
    let whole = samples[test.axis()].clone();
    let mut of = |tree: &Tree, range: Range<usize>| {
        samples[test.axis()] = range;
        nodes(tree, cases, input, samples)
    };
    let nodes = match *test {
        Test::Cut { axis, at } => {
            let below = of(&tree.children[0], whole.start..at);
            FlatTree::test(axis, at, below, of(&tree.children[1], at..whole.end))
        }
        Test::Labels { axis } => {
            let starts: Vec<usize> = (0..tree.children.len()).collect();
            let parts =
                starts.iter().map(|&label| of(&tree.children[label], label..label + 1)).collect::<Vec<_>>();
            balanced(axis, &starts, &parts)
        }
    };
    samples[test.axis()] = whole;
    nodes
}

/// Builds the tree of a box from the most common method that may run in all of it, or else from its halves.
fn runnable(input: &Input<'_>, samples: &[Range<usize>]) -> FlatTree {
    let cells = cells(input.shape.lens(), samples);
    let mut votes = vec![0_u64; input.methods().len()];
    for method in cells.iter().flat_map(|&cell| input.map.acceptable_methods(cell)) {
        votes[method.get()] += 1;
    }
    let runs = |method: &MethodIndex| cells.iter().all(|&cell| input.may_run(*method, cell));
    let voted = input.methods().filter(|method| votes[method.get()] > 0);
    let majority = voted.filter(runs).min_by_key(|method| std::cmp::Reverse(votes[method.get()]));
    match (majority, cells.len()) {
        (Some(method), _) => FlatTree::leaf(Some(method)),
        (None, 1) => FlatTree::leaf(common_decision(input, samples)),
        (None, _) => {
            let axis = (0..samples.len()).max_by_key(|&axis| samples[axis].len()).unwrap_or(0);
            let [below, from] = super::optimal::guillotine::halves(
                samples,
                axis,
                samples[axis].start + samples[axis].len() / 2,
            );
            FlatTree::test(axis, from[axis].start, runnable(input, &below), runnable(input, &from))
        }
    }
}
