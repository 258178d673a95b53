//! Decision functions in bands: by communicator size, and within each by message size.
//!
//! Every tuning file of an MPI library has this structure. A region of a tree that spans several communicator bands is
//! written once in each: [`Bands::from_tree`] makes the smallest possible number of bands.

use std::collections::BTreeSet;

use qtdec_core::{DecisionTree, MethodIndex, Path, Place, Problem};

/// Values that apply from each communicator size on and, within it, from each message size on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bands<T> {
    communicators: Vec<(u64, Vec<(u64, T)>)>,
}

impl Bands<Option<MethodIndex>> {
    /// Returns the bands of a tree on `comm_size` and `msg_size`, or one of them. A value of `None` means that the tree has no
    /// decision. They hold the results of its tests, whether those methods can run or not.
    ///
    /// # Errors
    ///
    /// Fails if the tree has another axis, or one of labels.
    pub fn from_tree(tree: &DecisionTree) -> Result<Self, Problem> {
        for (index, axis) in tree.domain().axes().iter().enumerate() {
            if axis.values().is_none() || !["comm_size", "msg_size"].contains(&&*axis.name) {
                return Err(no_axis(tree, index));
            }
        }
        let comm_size = tree.domain().find_axis("comm_size");
        let starts: Vec<u64> = comm_size.map_or_else(Vec::new, |axis| thresholds(tree, axis));
        let sizes = |comm| comm_size.map(|axis| (axis, comm)).into_iter().collect();
        Self::at(tree, starts, sizes)
            .ok_or_else(|| Problem::new(Place::File, "the tree has no decisions at all"))
    }

    /// Returns the bands of a tree on communicators that change at `starts`; `sizes` has the sizes of a communicator on axes other than
    /// `msg_size`, which are 0 unless it lists them.
    pub(super) fn at(
        tree: &DecisionTree,
        starts: Vec<u64>,
        sizes: impl Fn(u64) -> Vec<(usize, u64)>,
    ) -> Option<Self> {
        let messages = |comm| message_bands(tree, &sizes(comm));
        Self::new(
            sorted(starts.into_iter().chain([0])).into_iter().map(|comm| (comm, messages(comm))).collect(),
        )
    }
}

/// A tree's decisions from each message size on.
pub(super) type MessageBands = Vec<(u64, Option<MethodIndex>)>;

/// Returns a tree's decisions by message size, with these sizes on other axes and 0 on the rest.
pub(super) fn message_bands(tree: &DecisionTree, others: &[(usize, u64)]) -> MessageBands {
    let msg_size = tree.domain().find_axis("msg_size");
    let starts = msg_size.map_or_else(Vec::new, |axis| thresholds(tree, axis));
    let mut sizes = vec![0; tree.domain().axes().len()];
    let mut bands = Vec::new();
    for message in sorted(starts.into_iter().chain([0])) {
        for &(axis, size) in others.iter().chain(&msg_size.map(|axis| (axis, message))) {
            sizes[axis] = size;
        }
        bands.push((message, tree.tested(&sizes)));
    }
    bands.dedup_by(|next, kept| next.1 == kept.1);
    bands
}

/// Returns the sizes at which tests of an axis change their answers.
pub(super) fn thresholds(tree: &DecisionTree, axis: usize) -> Vec<u64> {
    tree.root().cuts().filter(|(cut, _)| *cut == axis).map(|(axis, at)| tree.threshold(axis, at)).collect()
}

/// Returns the fault of an axis that tuning files do not have.
pub(super) fn no_axis(tree: &DecisionTree, index: usize) -> Problem {
    let message = format!(
        "tuning files have no axis `{}`: they choose by comm_size and msg_size, and some by the placement on nodes",
        tree.domain().axes()[index].name
    );
    Problem::new(Path::root().key("axes").index(index), message).help(
        "make a map for each of its values (`qtdec map --split-by`), and name axes comm_size, msg_size, nodes and ppn",
    )
}

impl<T: Clone + PartialEq> Bands<T> {
    /// Creates bands with one value for all sizes.
    pub fn everywhere(value: T) -> Self {
        Self { communicators: vec![(0, vec![(0, value)])] }
    }

    /// Creates bands that begin at increasing sizes, the first of which is 0; equal neighbours are merged. Returns `None` without any.
    pub fn new(communicators: Vec<(u64, Vec<(u64, T)>)>) -> Option<Self> {
        let starts_at_0 = |bands: &[(u64, T)]| bands.first().is_some_and(|(from, _)| *from == 0);
        let is_sound = communicators.first().is_some_and(|(from, _)| *from == 0)
            && communicators.iter().all(|(_, messages)| starts_at_0(messages));
        is_sound.then(|| Self::merged(communicators))
    }

    fn merged(mut communicators: Vec<(u64, Vec<(u64, T)>)>) -> Self {
        for (_, messages) in &mut communicators {
            messages.dedup_by(|next, kept| next.1 == kept.1);
        }
        communicators.dedup_by(|next, kept| next.1 == kept.1);
        Self { communicators }
    }

    /// Returns the bands: the start of each, and the values in it from each message size on.
    pub fn communicators(&self) -> &[(u64, Vec<(u64, T)>)] {
        &self.communicators
    }

    /// Returns the number of message bands.
    pub fn rows(&self) -> usize {
        self.communicators.iter().map(|(_, messages)| messages.len()).sum()
    }

    /// Returns whether message sizes make a difference anywhere.
    pub fn use_message_sizes(&self) -> bool {
        self.communicators.iter().any(|(_, messages)| messages.len() > 1)
    }

    /// Returns the value for these sizes.
    pub fn get(&self, comm_size: u64, msg_size: u64) -> &T {
        let (_, messages) = last_from(&self.communicators, comm_size);
        &last_from(messages, msg_size).1
    }

    /// Returns the values for communicators of one size.
    pub fn messages(&self, comm_size: u64) -> &[(u64, T)] {
        &last_from(&self.communicators, comm_size).1
    }

    /// Returns the bands of converted values.
    pub fn map<U: Clone + PartialEq>(&self, mut of: impl FnMut(&T) -> U) -> Bands<U> {
        let mut messages =
            |bands: &Vec<(u64, T)>| bands.iter().map(|(from, held)| (*from, of(held))).collect::<Vec<_>>();
        let communicators = self.communicators.iter().map(|(from, bands)| (*from, messages(bands))).collect();
        Bands::merged(communicators)
    }

    /// Returns the same bands for communicators below `size`, and `rest` from there on.
    #[must_use]
    pub fn with_tail(&self, size: u64, rest: T) -> Self {
        let mut communicators: Vec<_> =
            self.communicators.iter().filter(|(from, _)| *from < size).cloned().collect();
        communicators.push((size, vec![(0, rest)]));
        Self::merged(communicators)
    }
}

/// Returns sizes in increasing order, each of them once.
pub(super) fn sorted(sizes: impl IntoIterator<Item = u64>) -> Vec<u64> {
    sizes.into_iter().collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the least and the greatest size of each band with its value; the last one has no greatest size.
pub(super) fn ranges<T>(bands: &[(u64, T)]) -> impl Iterator<Item = (u64, Option<u64>, &T)> {
    let ends = bands.iter().skip(1).map(|(next, _)| Some(next - 1)).chain([None]);
    bands.iter().zip(ends).map(|((from, value), upto)| (*from, upto, value))
}

/// Returns the band that a size is in.
pub(super) fn last_from<T>(bands: &[(u64, T)], size: u64) -> &(u64, T) {
    let above = bands.partition_point(|(from, _)| *from <= size);
    &bands[above.saturating_sub(1)]
}

#[cfg(test)]
mod tests {
    use qtdec_core::encode::{self, Quadtree};
    use qtdec_core::{Axis, Borders, DecisionMap, Domain, Method};

    use super::*;

    fn tree(cells: &[usize]) -> DecisionTree {
        let axes = vec![Axis::new("comm_size", [2, 4, 8]), Axis::new("msg_size", [1, 64, 512])];
        let methods = ["a", "b", "c"].map(Method::new);
        let domain = Domain::new(Some("bcast".to_owned()), axes, methods.to_vec()).expect("it is sound");
        let methods: Vec<_> = domain.method_indexes().collect();
        let cells = cells.iter().map(|&cell| Some(methods[cell])).collect();
        let map = DecisionMap::new(domain, cells).expect("it is sound");
        encode::encode(&map, &Quadtree::default(), Borders::Floor).expect("a quadtree needs nothing")
    }

    #[test]
    fn there_are_as_few_bands_as_decisions_need() {
        // The corner splits only its own row.
        let bands = Bands::from_tree(&tree(&[0, 0, 1, 0, 0, 0, 0, 0, 0]))
            .expect("the axes are those of tuning files");
        let bands = bands.map(|method| method.map(MethodIndex::get));
        let expected = [(0, vec![(0, Some(0)), (512, Some(1))]), (4, vec![(0, Some(0))])];
        assert_eq!(bands.communicators(), expected);
        assert_eq!((bands.rows(), bands.use_message_sizes()), (3, true));
        assert_eq!((bands.get(3, 512), bands.get(3, 511), bands.get(4, 512)), (&Some(1), &Some(0), &Some(0)));
    }

    #[test]
    fn bands_decide_as_their_tree_does() {
        let tree = tree(&[0, 1, 2, 1, 2, 0, 2, 0, 1]);
        let bands = Bands::from_tree(&tree).expect("the axes are those of tuning files");
        for comm_size in 0..10 {
            for msg_size in [0, 1, 63, 64, 65, 511, 512, u64::MAX] {
                assert_eq!(*bands.get(comm_size, msg_size), tree.decide(&[comm_size, msg_size]));
            }
        }
    }
}
