//! The regions in which two trees decide differently, on any axes.

use qtdec_core::tree::{Node, Subtree};
use qtdec_core::{Axis, Basis, DecisionTree, MethodIndex, Path, Place, Problem, Samples};

/// The sizes on each axis: the first, and the one after the last.
type Bounds = Vec<(u64, Option<u64>)>;

/// A region in which two trees decide differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The sizes on each axis of the first tree: the first, and the one after the last. A label counts by its position.
    pub bounds: Vec<(u64, Option<u64>)>,
    /// The two answers.
    pub answers: (String, String),
}

/// The maximum number of regions, which bounds memory and time.
const MAX_REGIONS: usize = 1 << 20;

/// Returns the regions in which two trees on the same axes decide differently. Regions that touch are joined where they can be.
///
/// # Errors
///
/// Fails if the axes differ in more than their sizes and order, or if there are very many regions.
pub fn differing(first: &DecisionTree, second: &DecisionTree) -> Result<Vec<Region>, Problem> {
    let order = same_axes(first.domain().axes(), second.domain().axes())?;
    let end = |axis: &Axis| labels(axis).map(|labels| labels.len() as u64);
    let whole: Bounds = first.domain().axes().iter().map(|axis| (0, end(axis))).collect();
    let mut found = Vec::new();
    let mut visited = 0_usize;
    let mut left: Vec<(Subtree<'_>, Subtree<'_>, Bounds)> = vec![(first.root(), second.root(), whole)];
    while let Some((one, other, bounds)) = left.pop() {
        visited += 1;
        if visited > 8 * MAX_REGIONS || found.len() > MAX_REGIONS {
            let message = format!("the two differ in more than {MAX_REGIONS} regions");
            return Err(Problem::new(Place::File, message).help("compare smaller trees: see --max-depth"));
        }
        match (one.node(), other.node()) {
            (Node::Test { axis, at, below, at_or_above }, _) => {
                let (low, high) = halves(bounds, axis, first.threshold(axis, at));
                left.extend(high.map(|bounds| (at_or_above, other, bounds)));
                left.extend(low.map(|bounds| (below, other, bounds)));
            }
            (_, Node::Test { axis, at, below, at_or_above }) => {
                let (low, high) = halves(bounds, order[axis], second.threshold(axis, at));
                left.extend(high.map(|bounds| (one, at_or_above, bounds)));
                left.extend(low.map(|bounds| (one, below, bounds)));
            }
            (Node::Leaf(one), Node::Leaf(other)) => {
                let answers = (answer(first, one), answer(second, other));
                if answers.0 != answers.1 {
                    found.push(Region { bounds, answers });
                }
            }
        }
    }
    (0..first.domain().axes().len()).rev().for_each(|axis| join(&mut found, axis));
    found.sort_by(|one, other| one.bounds.cmp(&other.bounds));
    Ok(found)
}

/// Returns the position of each axis of the second tree among those of the first.
fn same_axes(first: &[Axis], second: &[Axis]) -> Result<Vec<usize>, Problem> {
    let refuse = |message: String| Problem::new(Path::root().key("axes"), message);
    let names = |axes: &[Axis]| axes.iter().map(|axis| axis.name.clone()).collect::<Vec<_>>().join(", ");
    let position = |axis: &Axis| first.iter().position(|own| own.name == axis.name);
    let order: Option<Vec<usize>> = second.iter().map(position).collect();
    let Some(order) = order.filter(|order| order.len() == first.len()) else {
        let message = format!("the axes of one are {}, those of the other {}", names(first), names(second));
        return Err(refuse(message).help("only functions of the same sizes can be compared"));
    };
    for (axis, &at) in second.iter().zip(&order) {
        let own = &first[at];
        let contradict = |one: Option<&str>, other: Option<&str>| matches!((one, other), (Some(one), Some(other)) if one != other);
        let basis = |axis: &Axis| axis.basis.map(Basis::name);
        if labels(own) != labels(axis) {
            return Err(refuse(format!("the labels of `{}` differ", axis.name)));
        }
        if contradict(own.unit.as_deref(), axis.unit.as_deref()) || contradict(basis(own), basis(axis)) {
            return Err(refuse(format!("`{}` counts other units in one than in the other", axis.name)));
        }
    }
    Ok(order)
}

pub(super) fn labels(axis: &Axis) -> Option<&[String]> {
    match &axis.samples {
        Samples::Values(_) => None,
        Samples::Labels(labels) => Some(labels),
    }
}

/// Returns the parts of a box below a size on an axis and from it on, if there are any sizes in them.
fn halves(bounds: Bounds, axis: usize, at: u64) -> (Option<Bounds>, Option<Bounds>) {
    let (from, end) = bounds[axis];
    if at <= from {
        return (None, Some(bounds));
    }
    if end.is_some_and(|end| at >= end) {
        return (Some(bounds), None);
    }
    let (mut low, mut high) = (bounds.clone(), bounds);
    (low[axis].1, high[axis].0) = (Some(at), at);
    (Some(low), Some(high))
}

fn answer(tree: &DecisionTree, method: Option<MethodIndex>) -> String {
    method.map_or_else(|| "nothing measured".to_owned(), |method| tree.domain().method(method).label())
}

/// Joins regions that touch on an axis and are alike otherwise.
fn join(regions: &mut Vec<Region>, axis: usize) {
    let others = |region: &Region| {
        let mut bounds = region.bounds.clone();
        bounds.remove(axis);
        (bounds, region.answers.clone())
    };
    regions.sort_by_cached_key(|region| (others(region), region.bounds[axis].0));
    regions.dedup_by(|next, kept| {
        let touch = kept.bounds[axis].1 == Some(next.bounds[axis].0) && others(next) == others(kept);
        if touch {
            kept.bounds[axis].1 = next.bounds[axis].1;
        }
        touch
    });
}
