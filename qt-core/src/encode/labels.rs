//! Methods that are known for some labels of an axis and not for others, such as algorithms that only one of two combined collectives
//! has.

use crate::domain::{MethodIndex, Samples};
use crate::map::DecisionMap;

/// The methods that may run for each label of an axis.
#[derive(Debug)]
pub(super) struct KnownMethods {
    stride: usize,
    /// For each label, the methods in increasing order; empty for a label that has no cells.
    of_labels: Vec<Vec<MethodIndex>>,
}

impl KnownMethods {
    /// Returns the axes of labels on which not all labels have the same methods. A method is known for a label if it has a cost or is
    /// acceptable in some cell of it.
    pub(super) fn of_map(map: &DecisionMap) -> Vec<Self> {
        let axes = map.domain().axes().iter().zip(map.shape().strides());
        let labels = axes.filter_map(|(axis, stride)| match &axis.samples {
            Samples::Labels(labels) => Some((labels.len(), stride)),
            Samples::Values(_) => None,
        });
        labels.filter_map(|(labels, stride)| Self::of_axis(map, labels, stride)).collect()
    }

    fn of_axis(map: &DecisionMap, labels: usize, stride: usize) -> Option<Self> {
        let mut of_labels = vec![Vec::new(); labels];
        for cell in 0..map.cells().len() {
            let known: &mut Vec<MethodIndex> = &mut of_labels[cell / stride % labels];
            known.extend_from_slice(map.acceptable_methods(cell));
            if let Some(costs) = map.costs() {
                let has_cost = |method: &MethodIndex| costs.get(cell, *method).is_some();
                known.extend(map.domain().method_indexes().filter(has_cost));
            }
            // Most cells of a label have the same methods: what is collected stays small.
            if known.len() > 4 * map.domain().methods().len() {
                sort(known);
            }
        }
        of_labels.iter_mut().for_each(sort);
        let mut labels = of_labels.iter().filter(|known| !known.is_empty());
        let first = labels.next()?;
        let differ = labels.any(|known| known != first);
        differ.then_some(Self { stride, of_labels })
    }

    pub(super) fn has(&self, method: MethodIndex, cell: usize) -> bool {
        let known = &self.of_labels[cell / self.stride % self.of_labels.len()];
        known.is_empty() || known.binary_search(&method).is_ok()
    }
}

fn sort(methods: &mut Vec<MethodIndex>) {
    methods.sort_unstable();
    methods.dedup();
}
