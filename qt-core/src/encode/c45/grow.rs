//! Tree growth: the choice of a test for each node.

use std::cell::Cell;

use super::cases::{Attribute, Cases, Counts, sum};
use super::{C45, Constants, Input};
use crate::message::Message;
use crate::problem::{Place, Problem};
use crate::tree::MAX_DEPTH;

#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The training cases that reach this node.
    pub(super) cases: Vec<u32>,
    /// The weight of these cases by class.
    pub(super) counts: Counts,
    /// The class of this node; that of the parent if there are no cases, `None` if the tree has no cases at all.
    pub(super) class: Option<usize>,
    /// The test; `None` for a leaf.
    pub(super) test: Option<Test>,
    /// The children, one for each outcome of the test.
    pub(super) children: Vec<Tree>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// A test of whether the sample on an axis is before `at`.
    Cut { axis: usize, at: usize },
    /// A test of the label, with an outcome for each.
    Labels { axis: usize },
}

impl Test {
    pub(super) fn axis(self) -> usize {
        match self {
            Self::Cut { axis, .. } | Self::Labels { axis } => axis,
        }
    }

    pub(super) fn split(self, cases: &[u32], all: &Cases) -> Vec<Vec<u32>> {
        let outcomes = match self {
            Self::Cut { .. } => 2,
            Self::Labels { axis } => all.attributes()[axis].len(),
        };
        let mut split = vec![Vec::new(); outcomes];
        for &case in cases {
            split[self.outcome(all.sample(case, self.axis()))].push(case);
        }
        split
    }

    /// Returns the outcome for a sample of the axis.
    pub(super) fn outcome(self, sample: usize) -> usize {
        match self {
            Self::Cut { at, .. } => usize::from(sample >= at),
            Self::Labels { .. } => sample,
        }
    }
}

impl Tree {
    /// Returns the number of training cases that are not of the class of their leaf.
    pub(super) fn errors(&self) -> f64 {
        if self.children.is_empty() {
            self.errors_as_leaf()
        } else {
            self.children.iter().map(Tree::errors).sum()
        }
    }

    fn errors_as_leaf(&self) -> f64 {
        self.counts.total() - self.counts.numbers().fold(0.0, f64::max)
    }

    pub(super) fn cut_off(&mut self) {
        self.test = None;
        self.children.clear();
    }

    /// Removes tests whose subtree makes as many errors as a leaf.
    pub(super) fn collapse(&mut self) {
        if self.errors() >= self.errors_as_leaf() - 1e-3 {
            self.cut_off();
        }
        self.children.iter_mut().for_each(Tree::collapse);
    }
}

pub(super) struct Grower<'c> {
    weight: f64,
    constants: Constants,
    cases: &'c Cases,
    input: &'c Input<'c>,
    /// The numbers that were examined so far, and the bytes of all nodes.
    steps: Cell<u128>,
    bytes: Cell<u128>,
}

/// The cost of a class in the evaluation of a cut, in search steps.
const STEPS_OF_A_CLASS: u128 = 8;

struct Candidate {
    test: Test,
    gain: f64,
    /// The split information of the test: that of the sizes of its outcomes alone.
    split: f64,
    /// Whether the test counts towards the average gain.
    counts: bool,
}

impl<'c> Grower<'c> {
    pub(super) fn new(options: &C45, cases: &'c Cases, input: &'c Input<'c>) -> Self {
        let (weight, constants) = (f64::from(options.weight), options.constants);
        Self { weight, constants, cases, input, steps: Cell::new(0), bytes: Cell::new(0) }
    }

    /// Grows a tree from these cases, for a node below one of this class, unless it takes too much work, memory or depth.
    pub(super) fn tree(&self, cases: Vec<u32>, above: Option<usize>, depth: usize) -> Result<Tree, Problem> {
        if depth > MAX_DEPTH {
            let message = format!("C4.5 grows a tree of more than {MAX_DEPTH} tests in a row");
            return Err(Problem::new(Place::File, message).help(Message::set("encoding", "greedy")));
        }
        let counts = self.cases.count(&cases);
        let class = counts.majority().or(above);
        // A node is stored twice, before and after pruning.
        let bytes = 2 * (size_of::<Tree>() + 4 * cases.len() + 16 * counts.len());
        self.charge(cases.len() as u128, bytes as u128)?;
        let test = self.test(&cases, &counts)?;
        let split = test.map_or_else(Vec::new, |test| test.split(&cases, self.cases));
        let children = split.into_iter().map(|cases| self.tree(cases, class, depth + 1));
        let children = children.collect::<Result<_, _>>()?;
        Ok(Tree { cases, counts, class, test, children })
    }

    /// Counts work, and returns an error if the limit is exceeded.
    fn charge(&self, steps: u128, bytes: u128) -> Result<(), Problem> {
        self.steps.set(self.steps.get() + steps);
        self.bytes.set(self.bytes.get() + bytes);
        let lens = self.input.shape.lens();
        let instead = Message::set("encoding", "greedy");
        self.input.search_limit.check("C4.5's tree", instead, lens, self.steps.get(), self.bytes.get())
    }

    /// Returns the test of a node: of those with at least the average gain, the one with the highest gain ratio.
    fn test(&self, cases: &[u32], counts: &Counts) -> Result<Option<Test>, Problem> {
        let total = counts.total();
        if total < 2.0 * self.weight - ROUNDING || counts.len() == 1 {
            return Ok(None);
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        for (axis, attribute) in self.cases.attributes().iter().enumerate() {
            candidates.extend(match attribute {
                Attribute::Continuous { values, seen } => self.cut(axis, values, seen, cases, counts)?,
                Attribute::Discrete(labels) => self.labels(axis, *labels, cases, counts)?,
            });
        }
        let counted: Vec<f64> =
            candidates.iter().filter(|candidate| candidate.counts).map(|candidate| candidate.gain).collect();
        if counted.is_empty() && self.constants == Constants::J48 {
            return Ok(None);
        }
        let average =
            if counted.is_empty() { 0.0 } else { counted.iter().sum::<f64>() / counted.len() as f64 };
        // Release 8 accepts a test without gain if there is no other; J48 does not.
        let (mut best, least_split, tolerance) = match self.constants {
            Constants::Release8 => (-1e-3, 1e-3, 0.0),
            Constants::J48 => (0.0, 1e-6 / total, 1e-6),
        };
        let mut chosen = None;
        for Candidate { test, gain, split, .. } in candidates {
            let ratio = gain / split;
            if gain >= average - 1e-3 && split > least_split && ratio - best > tolerance {
                (best, chosen) = (ratio, Some(test));
            }
        }
        Ok(chosen)
    }

    /// Returns the sample, class and weight of cases, sorted.
    fn by_sample(&self, axis: usize, cases: &[u32]) -> Vec<((usize, usize), f64)> {
        let of =
            |&case: &u32| ((self.cases.sample(case, axis), self.cases.class(case)), self.cases.weight(case));
        let mut by_sample: Vec<((usize, usize), f64)> = cases.iter().map(of).collect();
        by_sample.sort_unstable_by_key(|(key, _)| *key);
        by_sample
    }

    /// Returns the best cut of a continuous attribute, if its gain exceeds the cost of choosing among the cuts.
    fn cut(
        &self,
        axis: usize,
        values: &[f64],
        seen: &[bool],
        cases: &[u32],
        counts: &Counts,
    ) -> Result<Option<Candidate>, Problem> {
        let total = counts.total();
        let least = 0.1 * total / self.cases.classes() as f64;
        let least = if least <= self.weight { self.weight } else { least.min(25.0) };
        let classes: Vec<usize> = counts.classes().collect();
        let counts: Vec<f64> = counts.numbers().collect();
        let by_sample = self.by_sample(axis, cases);
        // Every cut evaluates the classes on both sides, with a logarithm for each.
        let cuts = by_sample.chunk_by(|(one, _), (other, _)| one.0 == other.0).count();
        self.charge(STEPS_OF_A_CLASS * cuts as u128 * classes.len() as u128, 0)?;
        let own = information(&counts);
        let tolerance = self.constants.tolerance();
        // The gain that a cut must exceed.
        let start = if self.constants == Constants::J48 { 0.0 } else { -1e-3 };
        let (mut below, mut tries) = (vec![0.0; classes.len()], 0_u32);
        let mut best: Option<(f64, usize, usize, f64)> = None;
        let mut last: Option<usize> = None;
        let mut size = 0.0;
        for here in by_sample.chunk_by(|(one, _), (other, _)| one.0 == other.0) {
            let sample = here[0].0.0;
            let least = least - ROUNDING;
            if let Some(last) = last.filter(|_| size >= least && total - size >= least) {
                tries += 1;
                let from: Vec<f64> = counts.iter().zip(&below).map(|(all, below)| all - below).collect();
                let gain = (own - information(&below) - information(&from)) / total;
                let than = best.map_or(start, |(gain, ..)| gain);
                if gain - than > tolerance {
                    best = Some((gain, last, sample, size));
                }
            }
            last = Some(sample);
            size += sum(here);
            for ((_, class), weight) in here {
                below[classes.binary_search(class).unwrap_or_default()] += weight;
            }
        }
        let Some((gain, low, high, size)) = best else { return Ok(None) };
        let gain = gain - f64::from(tries).log2() / total;
        if gain <= tolerance {
            return Ok(None);
        }
        // The greatest size of any case, here or elsewhere, that is not above the middle.
        let middle = f64::midpoint(values[low], values[high]);
        let at =
            (low..high).rev().find(|&sample| seen[sample] && values[sample] <= middle).unwrap_or(low) + 1;
        let split = information(&[size, total - size]) / total;
        Ok(Some(Candidate { test: Test::Cut { axis, at }, gain, split, counts: true }))
    }

    /// Returns the test of a discrete attribute, if at least two of its labels have enough cases.
    fn labels(
        &self,
        axis: usize,
        labels: usize,
        cases: &[u32],
        counts: &Counts,
    ) -> Result<Option<Candidate>, Problem> {
        // The node gets a child for every label, even for those without cases.
        self.charge(labels as u128, 0)?;
        let total = counts.total();
        let by_label: Vec<Vec<f64>> = self
            .by_sample(axis, cases)
            .chunk_by(|(one, _), (other, _)| one.0 == other.0)
            .map(|label| label.chunk_by(|(one, _), (other, _)| one.1 == other.1).map(sum).collect())
            .collect();
        let sizes: Vec<f64> = by_label.iter().map(|of_label| of_label.iter().sum()).collect();
        if sizes.iter().filter(|&&size| size >= self.weight - ROUNDING).count() < 2 {
            return Ok(None);
        }
        let parts: f64 = by_label.iter().map(|of_label| information(of_label)).sum();
        let gain = (information(&counts.numbers().collect::<Vec<_>>()) - parts) / total;
        let gain = if gain.abs() * total < 1e-6 { 0.0 } else { gain };
        let split = information(&sizes) / total;
        let counts = (labels as f64) < 0.3 * self.cases.len() as f64;
        Ok(Some(Candidate { test: Test::Labels { axis }, gain, split, counts }))
    }
}

/// The amount by which a sum of shares may be less than the whole number that it stands for.
const ROUNDING: f64 = 1e-9;

/// Returns the information in bits that identifies the classes of all cases.
fn information(counts: &[f64]) -> f64 {
    let bits = |count: f64| if count < 1e-6 { 0.0 } else { count * count.log2() };
    bits(counts.iter().sum()) - counts.iter().map(|&count| bits(count)).sum::<f64>()
}
