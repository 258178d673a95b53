//! The table of a decision function: its shape in any language.
//!
//! Between two neighbouring thresholds of an axis all sizes are decided alike. An [`AxisIndex`] turns a size into the number of
//! its interval without a branch; the numbers of all axes name one entry of a flat table.

use super::DecisionTree;
use crate::domain::{Axis, MethodIndex, Samples};
use crate::message::Suggestion;
use crate::problem::{Place, Problem, Problems};

mod buckets;

pub use buckets::{Bucket, Buckets};

/// The most bytes a table may take, the indexes of its axes included.
pub const MAX_BYTES: u64 = 1 << 22;

/// The most thresholds that are each compared with.
const MAX_COMPARISONS: usize = 4;

/// Up to this many sizes (one page) an axis uses a direct lookup array; beyond, only where that is shorter than the list of
/// exponents.
const MAX_SLOTS: u128 = 1 << 12;

/// A decision function as a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The index of each axis, in the order of the domain; `None` for one that decides nothing.
    pub axes: Vec<Option<AxisIndex>>,
    /// What the tree may decide, no decision last.
    pub answers: Vec<Option<MethodIndex>>,
    /// For every box of intervals, row-major, the position of its answer. Rows are filled up to powers of two with what the
    /// last interval holds.
    pub entries: Vec<u16>,
}

/// How a size becomes the number of its interval, and that a step through the entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisIndex {
    /// How far apart two entries are that are neighbours on this axis.
    pub stride: usize,
    /// The number of intervals, one more than there are thresholds.
    pub intervals: usize,
    /// How the number is found.
    pub lookup: IntervalLookup,
}

/// Lookup of the interval that a size lies in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntervalLookup {
    /// By the position of a label: the first label of every interval but the first.
    Label(Vec<usize>),
    /// By as many comparisons as there are thresholds, which are few.
    Comparisons(Vec<u64>),
    /// In a list of all sizes up to the last threshold, which holds for all above.
    Size {
        /// The least threshold.
        first: u64,
        /// The number for every size.
        numbers: Vec<u8>,
    },
    /// By the exponent of the size, and one comparison.
    Exponent(Buckets),
}

/// Why a tree has no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The bytes it would take.
    pub bytes: u128,
    /// The most that it may take.
    pub most: u64,
    /// The name of the axis and two thresholds on it that lie so close that they ask for most of it, if that is the reason.
    pub close: Option<(String, u64, u64)>,
}

impl From<TooLarge> for Problems {
    fn from(too_large: TooLarge) -> Self {
        Problem::from(too_large).into()
    }
}

impl From<TooLarge> for Problem {
    fn from(TooLarge { bytes, most, close }: TooLarge) -> Self {
        let because = match close {
            Some((axis, lower, upper)) => {
                format!(
                    "the borders {lower} and {upper} of `{axis}` are so close that it would take {bytes} bytes"
                )
            }
            None => format!("it would take {bytes} bytes"),
        };
        Self::new(Place::File, format!("no table: {because}, and the most are {most}"))
            .help(Suggestion::set("layout", "branches"))
            .help("leave out samples that decide little")
    }
}

impl Table {
    /// The table of a tree.
    ///
    /// # Errors
    ///
    /// A table that would take more than [`MAX_BYTES`].
    pub fn of(tree: &DecisionTree) -> Result<Self, TooLarge> {
        let Plan { cuts, axes, answers, .. } = Plan::of(tree)?;
        let shape = shape(&cuts);
        let number = |axis: usize, at: usize| cuts[axis].partition_point(|&cut| cut <= at);
        let position = |answer: &Option<MethodIndex>| {
            answers.binary_search_by_key(&(answer.is_none(), *answer), |known| (known.is_none(), *known))
        };
        let cells = tree.root().with_cuts(number).cells(&shape);
        let entries = cells.iter().map(|answer| position(answer).unwrap_or_default() as u16).collect();
        Ok(Self { axes, answers, entries })
    }

    /// The bytes of the table of a tree and of the indexes of its axes, with what fills them up to powers of two.
    ///
    /// # Errors
    ///
    /// More than [`MAX_BYTES`].
    pub fn bytes(tree: &DecisionTree) -> Result<u64, TooLarge> {
        Plan::of(tree).map(|plan| plan.bytes)
    }
}

/// A table but for its entries.
struct Plan {
    /// The first samples of the upper sides of all cuts on each axis, in order.
    cuts: Vec<Vec<usize>>,
    axes: Vec<Option<AxisIndex>>,
    answers: Vec<Option<MethodIndex>>,
    bytes: u64,
}

impl Plan {
    fn of(tree: &DecisionTree) -> Result<Self, TooLarge> {
        let cuts = cuts(tree);
        let axes = axes(&cuts, tree)?;
        let answers = tree.root().answers();
        let cells = shape(&cuts).into_iter().map(|len| len as u128).product::<u128>();
        let bytes = bytes(&axes, cells, answers.len());
        match u64::try_from(bytes) {
            Ok(bytes) if bytes <= MAX_BYTES => Ok(Self { cuts, axes, answers, bytes }),
            _ => Err(TooLarge { bytes, most: MAX_BYTES, close: None }),
        }
    }
}

/// The first samples of the upper sides of all cuts on each axis, in order.
pub(crate) fn cuts(tree: &DecisionTree) -> Vec<Vec<usize>> {
    let mut is_cut: Vec<Vec<bool>> = tree.domain().shape().into_iter().map(|len| vec![false; len]).collect();
    for (axis, at) in tree.root().cuts() {
        is_cut[axis][at] = true;
    }
    let cuts = |is_cut: Vec<bool>| (0..is_cut.len()).filter(|&at| is_cut[at]).collect();
    is_cut.into_iter().map(cuts).collect()
}

/// The number of entries along each axis: of all but the first a power of two.
fn shape(cuts: &[Vec<usize>]) -> Vec<usize> {
    let lens = cuts.iter().map(|cuts| cuts.len() + 1).enumerate();
    lens.map(|(axis, len)| if axis == 0 { len } else { len.next_power_of_two() }).collect()
}

fn axes(cuts: &[Vec<usize>], tree: &DecisionTree) -> Result<Vec<Option<AxisIndex>>, TooLarge> {
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
                Some(lookup(&thresholds).map_err(|(bytes, lower, upper)| TooLarge {
                    bytes,
                    most: MAX_BYTES,
                    close: Some((name.clone(), lower, upper)),
                })?)
            }
        };
        axes.push(lookup.map(|lookup| AxisIndex { stride, intervals, lookup }));
        // A step is then a shift, and the whole is filled up to a power of two all the same.
        stride *= intervals.next_power_of_two();
    }
    axes.reverse();
    Ok(axes)
}

/// The index over some thresholds, or the bytes it would take and the two thresholds that ask for them.
fn lookup(thresholds: &[u64]) -> Result<IntervalLookup, (u128, u64, u64)> {
    if thresholds.len() <= MAX_COMPARISONS {
        return Ok(IntervalLookup::Comparisons(thresholds.to_vec()));
    }
    let slots = slots(thresholds);
    if slots.is_some_and(|slots| slots <= MAX_SLOTS) {
        return Ok(all_sizes(thresholds));
    }
    let buckets = Buckets::of(thresholds.to_vec(), MAX_BYTES);
    let bytes = buckets.as_ref().map_or_else(|(bytes, ..)| *bytes, |buckets| buckets.bytes().into());
    match slots {
        Some(slots) if slots <= bytes.min(MAX_BYTES.into()) => Ok(all_sizes(thresholds)),
        _ => buckets.map(IntervalLookup::Exponent),
    }
}

/// The slots of a list of all sizes up to the last threshold, where a byte holds every number.
fn slots(thresholds: &[u64]) -> Option<u128> {
    u8::try_from(thresholds.len()).is_ok().then(|| u128::from(thresholds[thresholds.len() - 1]) + 1)
}

fn all_sizes(thresholds: &[u64]) -> IntervalLookup {
    let last = thresholds[thresholds.len() - 1];
    let number = |size| thresholds.partition_point(|&threshold| threshold <= size) as u8;
    IntervalLookup::Size { first: thresholds[0], numbers: (0..=last).map(number).collect() }
}

/// The bytes of a table of so many cells and answers.
fn bytes(axes: &[Option<AxisIndex>], cells: u128, answers: usize) -> u128 {
    let entry = if answers <= 1 << 8 { 1 } else { 2 };
    let indexes = axes.iter().flatten().map(|axis| match &axis.lookup {
        IntervalLookup::Label(_) | IntervalLookup::Comparisons(_) => 0,
        IntervalLookup::Size { numbers, .. } => numbers.len() as u128,
        IntervalLookup::Exponent(buckets) => u128::from(buckets.bytes()),
    });
    cells.next_power_of_two() * entry + indexes.sum::<u128>()
}
