//! Run-length encoding in the style of tuning files: first by communicator size, then by message size.
//!
//! For every communicator size, the message sizes are divided into runs with one method. Neighbouring communicator sizes with
//! the same runs share them (the rule files of Open MPI's `tuned` component). In the tree, balanced cuts separate the
//! runs.

use std::ops::Range;

use super::boxes::{balanced, common_decision};
use super::sets::{SetId, Sets};
use super::{Algorithm, Encoded, Input, fewest_leaves};
use crate::problem::Problem;
use crate::tree::FlatTree;

/// Run-length encoding. It is exact and has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rle;

impl Algorithm for Rle {
    const NAME: &'static str = "rle";

    fn tree(&self, input: &Input<'_>) -> Result<Encoded, Problem> {
        fewest_leaves::check(input)?;
        let mut sets = Sets::new();
        let cells = sets.of_cells(input);
        let order = order(input);
        let lens = order.iter().map(|&axis| input.shape.lens()[axis]).collect();
        let slab = in_order(input, &order, &cells);
        let mut runs = Runs { input, sets: &mut sets, order, lens };
        let mut samples = input.shape.lens().iter().map(|&len| 0..len).collect();
        let nodes = runs.tree(0, &slab, &mut samples);
        Ok(Encoded::new(&nodes, input, None))
    }
}

/// Returns the axes in the nesting order of rule files: labels such as the collective, then the communicator size, then the others.
fn order(input: &Input<'_>) -> Vec<usize> {
    let axes = input.map.domain().axes();
    let mut order: Vec<usize> = (0..axes.len()).collect();
    order.sort_by_key(|&axis| (axes[axis].values().is_some(), axes[axis].name != "comm_size"));
    order
}

/// Returns the cells row-major, with the axes in this order.
fn in_order(input: &Input<'_>, order: &[usize], cells: &[SetId]) -> Vec<SetId> {
    let (lens, strides) = (input.shape.lens(), input.shape.strides());
    let offsets = order.iter().fold(vec![0], |offsets, &axis| {
        offsets
            .iter()
            .flat_map(|offset| (0..lens[axis]).map(move |sample| (offset, sample)))
            .map(|(offset, sample)| offset + sample * strides[axis])
            .collect()
    });
    offsets.into_iter().map(|offset: usize| cells[offset]).collect()
}

struct Runs<'s, 'm> {
    input: &'s Input<'m>,
    sets: &'s mut Sets,
    order: Vec<usize>,
    /// The number of samples on each axis, in nesting order.
    lens: Vec<usize>,
}

impl Runs<'_, '_> {
    /// Returns the tree of a slab: the part of the grid that remains when the samples on the axes before `level` are fixed.
    fn tree(&mut self, level: usize, slab: &[SetId], samples: &mut Vec<Range<usize>>) -> FlatTree {
        let Some(&axis) = self.order.get(level) else {
            return FlatTree::leaf(common_decision(self.input, samples));
        };
        let groups = self.groups(level, slab);
        let starts: Vec<usize> = groups.iter().map(|(range, _)| range.start).collect();
        let whole = samples[axis].clone();
        let parts: Vec<FlatTree> = groups
            .into_iter()
            .map(|(range, slab)| {
                samples[axis] = range;
                self.tree(level + 1, &slab, samples)
            })
            .collect();
        samples[axis] = whole;
        balanced(axis, &starts, &parts)
    }

    /// Returns the slices of a slab, with those that have the same decisions merged.
    fn groups(&mut self, level: usize, slab: &[SetId]) -> Vec<(Range<usize>, Vec<SetId>)> {
        let width = slab.len() / self.lens[level];
        if width == 1 && level + 1 == self.lens.len() {
            let runs = self.sets.longest_runs(slab);
            return runs.into_iter().map(|run| (run, vec![])).collect();
        }
        let mut groups: Vec<(Range<usize>, Vec<SetId>, usize)> = Vec::new();
        for (sample, slice) in slab.chunks(width).enumerate() {
            let runs = self.count(level + 1, slice);
            if let Some((range, group, of_group)) = groups.last_mut() {
                let both: Vec<SetId> =
                    group.iter().zip(slice).map(|(&one, &other)| self.sets.meet(one, other)).collect();
                // Merged slices may need more runs than each of them alone.
                let together =
                    if both.contains(&SetId::NONE) { usize::MAX } else { self.count(level + 1, &both) };
                if together < *of_group + runs {
                    (range.end, *group, *of_group) = (sample + 1, both, together);
                    continue;
                }
            }
            groups.push((sample..sample + 1, slice.to_vec(), runs));
        }
        groups.into_iter().map(|(range, group, _)| (range, group)).collect()
    }

    fn count(&mut self, level: usize, slab: &[SetId]) -> usize {
        if level + 1 == self.lens.len() {
            return self.sets.longest_runs(slab).len();
        }
        self.groups(level, slab).into_iter().map(|(_, slab)| self.count(level + 1, &slab)).sum()
    }
}
