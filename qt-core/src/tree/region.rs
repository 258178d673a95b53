//! Regions, the boxes that correspond to the leaves of a tree.

use std::ops::Range;

use super::DecisionTree;
use crate::domain::{MethodIndex, Samples};

/// A leaf of the simplified tree: a box of the grid and its method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The samples on each axis. There is no border above the last sample or below sample 0.
    pub samples: Vec<Range<usize>>,
    /// The method; `None` where the tree gives none.
    pub method: Option<MethodIndex>,
}

impl DecisionTree {
    /// Returns all regions, in the order of the tree.
    pub fn regions(&self) -> Vec<Region> {
        let mut regions = Vec::with_capacity(self.root().leaves());
        let mut samples: Vec<Range<usize>> = self.domain().shape().into_iter().map(|len| 0..len).collect();
        self.root().each_leaf(&mut samples, &mut |samples, method| {
            regions.push(Region { samples: samples.to_vec(), method });
        });
        regions
    }

    /// Returns the smallest size of a region on an axis and the smallest one beyond it, if they exist.
    pub fn bounds(&self, region: &Region, axis: usize) -> (Option<u64>, Option<u64>) {
        let Range { start, end } = region.samples[axis];
        let from = (start > 0).then(|| self.threshold(axis, start));
        let below = (end < self.domain().axes()[axis].len()).then(|| self.threshold(axis, end));
        (from, below)
    }

    /// Returns a textual description of the region: `1024 <= comm_size < 4096, msg_size < 512`.
    pub fn rule(&self, region: &Region) -> String {
        self.described(region, false)
    }

    /// Returns a textual description of the region with the units of the axes: `8 <= comm_size < 64 ranks`.
    pub fn rule_with_units(&self, region: &Region) -> String {
        self.described(region, true)
    }

    fn described(&self, region: &Region, with_units: bool) -> String {
        let axes = self.domain().axes().iter().enumerate();
        let rules = axes.filter_map(|(index, axis)| {
            let name = &axis.name;
            let unit = axis.unit.as_ref().filter(|_| with_units);
            let unit = unit.map_or_else(String::new, |unit| format!(" {unit}"));
            match (&axis.samples, self.bounds(region, index)) {
                (_, (None, None)) => None,
                (Samples::Labels(labels), _) => {
                    Some(format!("{name} is {}", labels[region.samples[index].clone()].join(" or ")))
                }
                (_, (Some(from), Some(below))) => Some(format!("{from} <= {name} < {below}{unit}")),
                (_, (Some(from), None)) => Some(format!("{from}{unit} <= {name}")),
                (_, (None, Some(below))) => Some(format!("{name} < {below}{unit}")),
            }
        });
        let rules: Vec<String> = rules.collect();
        if rules.is_empty() { "always".to_owned() } else { rules.join(", ") }
    }
}
