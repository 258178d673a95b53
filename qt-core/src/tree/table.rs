//! The table of a decision function, independent of the target language.
//!
//! All sizes between two neighbouring thresholds of an axis have the same decision. An [`AxisIndex`] maps a size to the number of
//! its interval without a branch. The numbers of all axes together identify one entry of a flat table.

use super::DecisionTree;
use crate::domain::{Axis, MethodIndex, Samples};
use crate::message::Message;
use crate::problem::{Place, Problem};

mod buckets;

pub use buckets::Buckets;

/// The maximum size of a table in bytes, including the indexes of its axes.
pub(crate) const MAX_BYTES: u64 = 1 << 22;

const MAX_COMPARISONS: usize = 4;

/// Up to this many sizes (one page) an axis uses a direct lookup array; beyond, only if that is shorter than the list of
/// exponents.
const MAX_SLOTS: u128 = 1 << 12;

/// A decision function as a table.
#[derive(Clone, Debug)]
pub struct DecisionTable {
    /// The index of each axis, in the order of the domain; `None` for an axis that does not affect the decision.
    pub axes: Vec<Option<AxisIndex>>,
    /// The possible decisions of the tree, no decision last.
    pub(crate) answers: Vec<Option<MethodIndex>>,
    /// For every box of intervals, row-major, the position of its answer. Rows are padded to powers of two with the entry of the
    /// last interval.
    pub(crate) entries: Vec<u16>,
}

/// The mapping from a size to the number of its interval, and from that to an offset in the entries.
#[derive(Clone, Debug)]
pub struct AxisIndex {
    /// The distance between two entries that are neighbours on this axis.
    pub(crate) stride: usize,
    /// The number of intervals, one more than the number of thresholds.
    pub(crate) intervals: usize,
    /// The lookup of the number.
    pub lookup: IntervalLookup,
}

/// Lookup of the interval that a size lies in.
///
/// The variants are complete: code that prints a table must handle each of them.
#[derive(Clone, Debug)]
pub enum IntervalLookup {
    /// By the position of a label: the first label of every interval except the first.
    Label(Vec<usize>),
    /// By comparison with every threshold, if there are few.
    Comparisons(Vec<u64>),
    /// In a list of all sizes up to the last threshold, whose entry also applies to all larger sizes.
    Size {
        /// The smallest threshold.
        first: u64,
        /// The interval of every size.
        numbers: Vec<u8>,
    },
    /// By the exponent of the size, followed by one comparison.
    Exponent(Buckets),
}

/// Returns the problem that a table would take too many bytes. `close` has the name of an axis and two thresholds on it that are so close
/// that they require most of the size, if that is the reason.
pub(crate) fn too_large(bytes: u128, close: Option<(&str, u64, u64)>) -> Problem {
    let because = match close {
        Some((axis, lower, upper)) => {
            format!(
                "the borders {lower} and {upper} of `{axis}` are so close that it would take {bytes} bytes"
            )
        }
        None => format!("it would take {bytes} bytes"),
    };
    Problem::new(Place::File, format!("the table is too large: {because}, and the maximum is {MAX_BYTES}"))
        .help(Message::set("layout", "branches"))
        .help("remove samples that affect few decisions")
}

impl DecisionTree {
    /// Returns the size of the function as a table in bytes, including the indexes of its axes and the padding to powers of two, or `None`
    /// if it is too large. This takes about as long as making the table.
    pub fn table_bytes(&self) -> Option<u64> {
        Plan::from_tree(self).ok().map(|plan| plan.bytes)
    }
}

impl DecisionTable {
    /// Creates the table of a tree.
    ///
    /// # Errors
    ///
    /// Returns an error for a table that would take more than 4 MiB.
    pub fn from_tree(tree: &DecisionTree) -> Result<Self, Problem> {
        let Plan { cuts, axes, answers, .. } = Plan::from_tree(tree)?;
        let position = |answer: &Option<MethodIndex>| {
            answers.binary_search_by_key(&(answer.is_none(), *answer), |known| (known.is_none(), *known))
        };
        let cells = cells_between(tree, &cuts, &shape(&cuts));
        let entries = cells.iter().map(|answer| position(answer).unwrap_or_default() as u16).collect();
        Ok(Self { axes, answers, entries })
    }
}

/// A table without its entries.
struct Plan {
    /// The first samples of the upper sides of all cuts on each axis, in order.
    cuts: Vec<Vec<usize>>,
    axes: Vec<Option<AxisIndex>>,
    answers: Vec<Option<MethodIndex>>,
    bytes: u64,
}

impl Plan {
    fn from_tree(tree: &DecisionTree) -> Result<Self, Problem> {
        let cuts = cuts(tree);
        let axes = axes(&cuts, tree)?;
        let answers = tree.root().answers();
        let cells = shape(&cuts).into_iter().map(|len| len as u128).product::<u128>();
        let bytes = bytes(&axes, cells, answers.len());
        match u64::try_from(bytes) {
            Ok(bytes) if bytes <= MAX_BYTES => Ok(Self { cuts, axes, answers, bytes }),
            _ => Err(too_large(bytes, None)),
        }
    }
}

/// Returns the first samples of the upper sides of all cuts on each axis, in order.
pub(crate) fn cuts(tree: &DecisionTree) -> Vec<Vec<usize>> {
    let mut is_cut: Vec<Vec<bool>> = tree.domain().shape().into_iter().map(|len| vec![false; len]).collect();
    for (axis, at) in tree.root().cuts() {
        is_cut[axis][at] = true;
    }
    let cuts = |is_cut: Vec<bool>| (0..is_cut.len()).filter(|&at| is_cut[at]).collect();
    is_cut.into_iter().map(cuts).collect()
}

/// Returns the decisions of a tree between its cuts, row-major. `shape` may have more places than there are intervals, which repeat the
/// last one.
pub(super) fn cells_between(
    tree: &DecisionTree,
    cuts: &[Vec<usize>],
    shape: &[usize],
) -> Vec<Option<MethodIndex>> {
    let interval = |axis: usize, at: usize| cuts[axis].partition_point(|&cut| cut <= at);
    tree.root().with_cuts(interval).cells(shape)
}

/// Returns the number of entries on each axis: a power of two, except on the first axis.
fn shape(cuts: &[Vec<usize>]) -> Vec<usize> {
    let lens = cuts.iter().map(|cuts| cuts.len() + 1).enumerate();
    lens.map(|(axis, len)| if axis == 0 { len } else { len.next_power_of_two() }).collect()
}

fn axes(cuts: &[Vec<usize>], tree: &DecisionTree) -> Result<Vec<Option<AxisIndex>>, Problem> {
    let mut stride = 1;
    let mut axes = Vec::with_capacity(cuts.len());
    for (axis, cuts) in cuts.iter().enumerate().rev() {
        let intervals = cuts.len() + 1;
        let Axis { name, samples, .. } = &tree.domain().axes()[axis];
        let lookup = match samples {
            _ if cuts.is_empty() => None,
            Samples::Labels(_) => Some(IntervalLookup::Label(cuts.clone())),
            Samples::Values(_) => {
                let thresholds: Vec<u64> = cuts.iter().map(|&at| tree.threshold(axis, at)).collect();
                let too_large = |(bytes, lower, upper)| too_large(bytes, Some((name, lower, upper)));
                Some(lookup(&thresholds).map_err(too_large)?)
            }
        };
        axes.push(lookup.map(|lookup| AxisIndex { stride, intervals, lookup }));
        // An offset is then a shift, and the whole table is padded to a power of two anyway.
        stride *= intervals.next_power_of_two();
    }
    axes.reverse();
    Ok(axes)
}

/// Returns the lookup for some thresholds, or the bytes it would take and the two thresholds that require them.
fn lookup(thresholds: &[u64]) -> Result<IntervalLookup, (u128, u64, u64)> {
    if thresholds.len() <= MAX_COMPARISONS {
        return Ok(IntervalLookup::Comparisons(thresholds.to_vec()));
    }
    let slots = slots(thresholds);
    if slots.is_some_and(|slots| slots <= MAX_SLOTS) {
        return Ok(all_sizes(thresholds));
    }
    let buckets = Buckets::new(thresholds.to_vec(), MAX_BYTES);
    let bytes = buckets.as_ref().map_or_else(|(bytes, ..)| *bytes, |buckets| buckets.bytes().into());
    match slots {
        Some(slots) if slots <= bytes.min(MAX_BYTES.into()) => Ok(all_sizes(thresholds)),
        _ => buckets.map(IntervalLookup::Exponent),
    }
}

/// Returns the length of a list of all sizes up to the last threshold, if a byte can hold every number.
fn slots(thresholds: &[u64]) -> Option<u128> {
    u8::try_from(thresholds.len()).is_ok().then(|| u128::from(thresholds[thresholds.len() - 1]) + 1)
}

fn all_sizes(thresholds: &[u64]) -> IntervalLookup {
    let last = thresholds[thresholds.len() - 1];
    let number = |size| thresholds.partition_point(|&threshold| threshold <= size) as u8;
    IntervalLookup::Size { first: thresholds[0], numbers: (0..=last).map(number).collect() }
}

/// Returns the bytes of a table with this many cells and answers.
fn bytes(axes: &[Option<AxisIndex>], cells: u128, answers: usize) -> u128 {
    let entry = if answers <= 1 << 8 { 1 } else { 2 };
    let indexes = axes.iter().flatten().map(|axis| match &axis.lookup {
        IntervalLookup::Label(_) | IntervalLookup::Comparisons(_) => 0,
        IntervalLookup::Size { numbers, .. } => numbers.len() as u128,
        IntervalLookup::Exponent(buckets) => u128::from(buckets.bytes()),
    });
    cells.next_power_of_two() * entry + indexes.sum::<u128>()
}
