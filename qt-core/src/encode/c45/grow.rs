//! Growing a tree: which test a node gets.

use super::cases::{Attribute, Cases};
use super::{C45, Constants};

/// A node with all below it.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The training cases that get here.
    pub(super) cases: Vec<u32>,
    /// How many of them are of each class.
    pub(super) counts: Vec<f64>,
    /// The class that is answered here; that of the node above where there are no cases, none if there are none at all.
    pub(super) class: Option<usize>,
    /// None for a leaf.
    pub(super) test: Option<Test>,
    /// One for each outcome of the test.
    pub(super) children: Vec<Tree>,
}

/// What a node looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// Whether the sample on an axis is before `at`.
    Cut { axis: usize, at: usize },
    /// Which label it is: an outcome for each.
    Labels { axis: usize },
}

impl Test {
    pub(super) fn axis(self) -> usize {
        match self {
            Self::Cut { axis, .. } | Self::Labels { axis } => axis,
        }
    }

    /// The cases by the outcomes of the test.
    pub(super) fn split(self, cases: &[u32], all: &Cases) -> Vec<Vec<u32>> {
        let outcomes = match self {
            Self::Cut { .. } => 2,
            Self::Labels { axis } => all.attributes()[axis].len(),
        };
        let mut split = vec![Vec::new(); outcomes];
        for &case in cases {
            let outcome = match self {
                Self::Cut { axis, at } => usize::from(all.sample(case, axis) >= at),
                Self::Labels { axis } => all.sample(case, axis),
            };
            split[outcome].push(case);
        }
        split
    }
}

impl Tree {
    pub(super) fn size(&self) -> u64 {
        1 + self.children.iter().map(Tree::size).sum::<u64>()
    }

    pub(super) fn leaves(&self) -> u64 {
        if self.children.is_empty() { 1 } else { self.children.iter().map(Tree::leaves).sum() }
    }

    /// The training cases that are not of the class of their leaf.
    pub(super) fn errors(&self) -> f64 {
        if self.children.is_empty() {
            self.errors_as_leaf()
        } else {
            self.children.iter().map(Tree::errors).sum()
        }
    }

    fn errors_as_leaf(&self) -> f64 {
        self.counts.iter().sum::<f64>() - self.counts.iter().copied().fold(0.0, f64::max)
    }

    /// Makes this node a leaf.
    pub(super) fn cut_off(&mut self) {
        self.test = None;
        self.children.clear();
    }

    /// Takes out tests below which as many cases err as in a leaf.
    pub(super) fn collapse(&mut self) {
        if self.errors() >= self.errors_as_leaf() - 1e-3 {
            self.cut_off();
        }
        self.children.iter_mut().for_each(Tree::collapse);
    }
}

/// The class of most cases, the first of equal ones.
pub(super) fn commonest(counts: &[f64]) -> Option<usize> {
    let most = counts.iter().copied().fold(0.0, f64::max);
    counts.iter().position(|&count| count == most && count > 0.0)
}

pub(super) struct Grower<'c> {
    weight: f64,
    constants: Constants,
    cases: &'c Cases,
}

/// A test that a node may get.
struct Candidate {
    test: Test,
    gain: f64,
    /// What the test tells by the sizes of its outcomes alone.
    split: f64,
    /// Whether it counts towards the average gain.
    counts: bool,
}

impl<'c> Grower<'c> {
    pub(super) fn new(options: &C45, cases: &'c Cases) -> Self {
        Self { weight: f64::from(options.weight), constants: options.constants, cases }
    }

    pub(super) fn tree(&self, cases: Vec<u32>) -> Tree {
        self.below(cases, None)
    }

    fn below(&self, cases: Vec<u32>, above: Option<usize>) -> Tree {
        let counts = self.cases.count(&cases);
        let class = commonest(&counts).or(above);
        let test = self.test(&cases, &counts);
        let split = test.map_or_else(Vec::new, |test| test.split(&cases, self.cases));
        let children = split.into_iter().map(|cases| self.below(cases, class)).collect();
        Tree { cases, counts, class, test, children }
    }

    /// The test of a node: of those that gain at least the average, the one that gains most for what it tells.
    fn test(&self, cases: &[u32], counts: &[f64]) -> Option<Test> {
        let total = cases.len() as f64;
        if total < 2.0 * self.weight || counts.contains(&total) {
            return None;
        }
        let candidates: Vec<Candidate> = self
            .cases
            .attributes()
            .iter()
            .enumerate()
            .filter_map(|(axis, attribute)| match attribute {
                Attribute::Continuous { values, seen } => self.cut(axis, values, seen, cases, counts),
                Attribute::Discrete(labels) => self.labels(axis, *labels, cases, counts),
            })
            .collect();
        let counted: Vec<f64> =
            candidates.iter().filter(|candidate| candidate.counts).map(|candidate| candidate.gain).collect();
        if counted.is_empty() && self.constants == Constants::J48 {
            return None;
        }
        let average =
            if counted.is_empty() { 0.0 } else { counted.iter().sum::<f64>() / counted.len() as f64 };
        // Release 8 takes a test that gains nothing, if there is no other; J48 takes none.
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
        chosen
    }

    /// The best cut of a continuous attribute, if one gains more than there are to choose from.
    fn cut(
        &self,
        axis: usize,
        values: &[f64],
        seen: &[bool],
        cases: &[u32],
        counts: &[f64],
    ) -> Option<Candidate> {
        let (total, classes) = (cases.len() as f64, counts.len());
        let least = 0.1 * total / classes as f64;
        let least = if least <= self.weight { self.weight } else { least.min(25.0) };
        let mut by_sample = vec![0.0; values.len() * classes];
        for &case in cases {
            by_sample[self.cases.sample(case, axis) * classes + self.cases.class(case)] += 1.0;
        }
        let own = information(counts);
        let (mut below, mut tries) = (vec![0.0; classes], 0_u32);
        let mut best: Option<(f64, usize, usize, f64)> = None;
        let mut last: Option<usize> = None;
        for (sample, here) in by_sample.chunks(classes).enumerate() {
            if here.iter().all(|&count| count == 0.0) {
                continue;
            }
            let size: f64 = below.iter().sum();
            if let Some(last) = last
                && size >= least
                && total - size >= least
            {
                tries += 1;
                let from: Vec<f64> = counts.iter().zip(&below).map(|(all, below)| all - below).collect();
                let gain = (own - information(&below) - information(&from)) / total;
                let than = best.map_or(self.start(), |(gain, ..)| gain);
                if gain - than > self.tolerance() {
                    best = Some((gain, last, sample, size));
                }
            }
            last = Some(sample);
            below.iter_mut().zip(here).for_each(|(below, here)| *below += here);
        }
        let (gain, low, high, size) = best?;
        let gain = gain - f64::from(tries).log2() / total;
        if gain <= self.tolerance() {
            return None;
        }
        // The greatest size of any case, here or elsewhere, that is not above the middle.
        let middle = f64::midpoint(values[low], values[high]);
        let at =
            (low..high).rev().find(|&sample| seen[sample] && values[sample] <= middle).unwrap_or(low) + 1;
        let split = information(&[size, total - size]) / total;
        Some(Candidate { test: Test::Cut { axis, at }, gain, split, counts: true })
    }

    /// What a gain must be above to be a cut's.
    fn start(&self) -> f64 {
        if self.constants == Constants::J48 { 0.0 } else { -1e-3 }
    }

    fn tolerance(&self) -> f64 {
        if self.constants == Constants::J48 { 1e-6 } else { 0.0 }
    }

    /// The test of a discrete attribute, if two of its labels have enough cases.
    fn labels(&self, axis: usize, labels: usize, cases: &[u32], counts: &[f64]) -> Option<Candidate> {
        let (total, classes) = (cases.len() as f64, counts.len());
        let mut by_label = vec![0.0; labels * classes];
        for &case in cases {
            by_label[self.cases.sample(case, axis) * classes + self.cases.class(case)] += 1.0;
        }
        let sizes: Vec<f64> = by_label.chunks(classes).map(|of_label| of_label.iter().sum()).collect();
        if sizes.iter().filter(|&&size| size >= self.weight).count() < 2 {
            return None;
        }
        let parts: f64 = by_label.chunks(classes).map(information).sum();
        let gain = (information(counts) - parts) / total;
        let gain = if gain.abs() * total < 1e-6 { 0.0 } else { gain };
        let split = information(&sizes) / total;
        let counts = (labels as f64) < 0.3 * self.cases.len() as f64;
        Some(Candidate { test: Test::Labels { axis }, gain, split, counts })
    }
}

/// The information in bits that tells the classes of all cases.
fn information(counts: &[f64]) -> f64 {
    let bits = |count: f64| if count < 1e-6 { 0.0 } else { count * count.log2() };
    bits(counts.iter().sum()) - counts.iter().map(|&count| bits(count)).sum::<f64>()
}
