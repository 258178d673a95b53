//! Axes that a label lacks, as a barrier among other collectives lacks a message size: the value of an attribute is unknown there.
//!
//! In a map, the cells of such a label are repeated at every sample of the axis. Each copy weighs its share of a case, and all of them get
//! the answer of Release 8 for an unknown value: the class with the greatest weight among the leaves of both sides of each test of it.

use super::cases::Cases;
use super::grow::Tree;
use crate::domain::{MethodIndex, Samples};
use crate::encode::Input;
use crate::encode::boxes::{balanced, cells};
use crate::map::DecisionMap;
use crate::tree::FlatTree;

/// A label whose cells are copies along an axis.
pub(super) struct Lacking {
    /// The axis of labels, and the label.
    of: (usize, usize),
    /// The axis that the label lacks.
    axis: usize,
}

impl Lacking {
    /// Returns the axes that labels of a map lack, which only maps with divided calls have.
    pub(super) fn all(map: &DecisionMap) -> Vec<Self> {
        if map.calls().is_none() {
            return Vec::new();
        }
        let axes = map.domain().axes();
        let of_labels = axes.iter().enumerate().filter_map(|(at, axis)| match &axis.samples {
            Samples::Labels(labels) => Some((0..labels.len()).map(move |label| (at, label))),
            Samples::Values(_) => None,
        });
        let all = of_labels.flatten().flat_map(|of| (0..axes.len()).map(move |axis| Self { of, axis }));
        all.filter(|lacking| lacking.axis != lacking.of.0 && lacking.are_copies(map)).collect()
    }

    /// Returns whether the cells of the label are the same at every sample of the axis. Without times, equal cells of one method may have
    /// been measured each; their calls are not divided.
    fn are_copies(&self, map: &DecisionMap) -> bool {
        let (shape, len) = (map.shape(), map.domain().axes()[self.axis].len());
        let most = (0..shape.cells()).map(|cell| map.weight(cell)).fold(0.0, f64::max);
        let divided = most / len as f64 * (1.0 + 1e-9);
        let is_copy = |cell: usize| {
            let mut samples = shape.samples(cell);
            samples[self.axis] = 0;
            let first = shape.offset(&samples);
            let costs = |cell| {
                let of = move |method| map.costs().map(|costs| costs.get(cell, method));
                map.domain().method_indexes().map(of)
            };
            map.acceptable_methods(cell) == map.acceptable_methods(first)
                && map.cells()[cell] == map.cells()[first]
                && map.weight(cell) == map.weight(first)
                && (map.costs().is_some() || map.weight(cell) <= divided)
                && costs(cell).eq(costs(first))
        };
        len > 1 && (0..shape.cells()).filter(|&cell| self.has(&shape.samples(cell))).all(is_copy)
    }

    /// Returns whether a cell with these samples has the label.
    fn has(&self, samples: &[usize]) -> bool {
        samples[self.of.0] == self.of.1
    }

    /// Returns the share of a case that a cell with these samples is.
    pub(super) fn share(all: &[Self], map: &DecisionMap, samples: &[usize]) -> f64 {
        let lacking = all.iter().filter(|lacking| lacking.has(samples));
        lacking.map(|lacking| 1.0 / map.domain().axes()[lacking.axis].len() as f64).product()
    }

    /// Returns a tree that decides as `nodes`, apart from the cells of labels that lack axes, whose answers do not depend on these.
    pub(super) fn decided(cases: &Cases, tree: &Tree, nodes: FlatTree, input: &Input<'_>) -> FlatTree {
        let lens = input.shape.lens();
        let mut decided = nodes;
        for &Self { of: (axis, label), .. } in cases.lacking() {
            let unknown = cases.lacking().iter().filter(|lacking| lacking.of == (axis, label));
            let unknown: Vec<usize> = unknown.map(|lacking| lacking.axis).collect();
            let mut place = vec![None; lens.len()];
            place[axis] = Some(label);
            let vote = Vote { cases, tree, input, unknown: &unknown };
            let Some(own) = vote.tree_of(0, &mut place) else { continue };
            let (decisions, answers) = (decided.cells(lens), own.cells(lens));
            let is_of = |cell: &usize| input.shape.samples(*cell)[axis] == label;
            if (0..decisions.len()).filter(is_of).all(|cell| decisions[cell] == answers[cell]) {
                continue;
            }
            let starts = [0, label, label + 1].into_iter().filter(|&start| start < lens[axis]);
            let mut starts: Vec<usize> = starts.collect();
            starts.dedup();
            let part = |&start: &usize| if start == label { own.clone() } else { decided.clone() };
            decided = balanced(axis, &starts, &starts.iter().map(part).collect::<Vec<_>>()).simplified(lens);
        }
        decided
    }
}

/// The answers of a tree for a label that lacks axes.
struct Vote<'v> {
    cases: &'v Cases,
    tree: &'v Tree,
    input: &'v Input<'v>,
    unknown: &'v [usize],
}

impl Vote<'_> {
    /// Returns the answers as a tree over the axes from one on; `None` if one may not run everywhere.
    fn tree_of(&self, axis: usize, place: &mut [Option<usize>]) -> Option<FlatTree> {
        let lens = self.input.shape.lens();
        if axis == lens.len() {
            return Some(FlatTree::leaf(self.answer(place)?));
        }
        if place[axis].is_some() || self.unknown.contains(&axis) {
            return self.tree_of(axis + 1, place);
        }
        let (mut starts, mut parts) = (Vec::new(), Vec::new());
        for sample in 0..lens[axis] {
            place[axis] = Some(sample);
            let part = self.tree_of(axis + 1, place)?;
            if parts.last() != Some(&part) {
                starts.push(sample);
                parts.push(part);
            }
        }
        place[axis] = None;
        Some(balanced(axis, &starts, &parts))
    }

    /// Returns the answer at a place, which is no method if the tree has none.
    fn answer(&self, place: &[Option<usize>]) -> Option<Option<MethodIndex>> {
        let mut votes = vec![0.0; self.cases.classes()];
        add_votes(self.tree, place, 1.0, &mut votes);
        let most = votes.iter().copied().fold(0.0, f64::max);
        let Some(class) = votes.iter().position(|&votes| votes > 0.0 && votes >= most * (1.0 - 1e-9)) else {
            return Some(None);
        };
        let method = self.cases.method(class);
        let samples = place.iter().zip(self.input.shape.lens());
        let samples = samples.map(|(place, &len)| place.map_or(0..len, |sample| sample..sample + 1));
        let cells = cells(self.input.shape.lens(), &samples.collect::<Vec<_>>());
        cells.iter().all(|&cell| self.input.may_run(method, cell)).then_some(Some(method))
    }
}

/// Adds the weights of the classes that a share of a case reaches below a node.
fn add_votes(tree: &Tree, place: &[Option<usize>], share: f64, votes: &mut [f64]) {
    let total = tree.counts.total();
    let Some(test) = tree.test else {
        match tree.class {
            Some(class) if total == 0.0 => votes[class] += share,
            _ => {
                for (class, count) in tree.counts.of_classes() {
                    votes[class] += share * count / total;
                }
            }
        }
        return;
    };
    if let Some(sample) = place[test.axis()] {
        add_votes(&tree.children[test.outcome(sample)], place, share, votes);
        return;
    }
    for child in &tree.children {
        add_votes(child, place, share * child.counts.total() / total, votes);
    }
}
