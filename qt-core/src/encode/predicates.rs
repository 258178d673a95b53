//! Predicates on one axis as the outermost test of a tree.

use super::{EncodeSettings, Encoder, encode_with};
use crate::domain::{Domain, MethodIndex};
use crate::map::{DecisionMap, percent};
use crate::problem::{Problem, Problems};
use crate::tree::{AnyTree, Predicate, SplitTree, TreeRef};

/// A tree, and what became of the predicates.
#[derive(Clone, Debug)]
pub struct Predicated {
    /// The tree, split if a predicate was taken.
    pub tree: AnyTree,
    /// Which predicate was taken, or why none was; `None` if none was requested.
    pub note: Option<String>,
}

/// Encodes a map as a tree whose outermost test is a predicate on one axis, if one is worth it, and as a tree of boxes otherwise.
///
/// Candidates are `power_of_two`, `even` and `multiple_of` 3 to 8 on every axis of sizes that has at least two samples on both sides. Each
/// side is encoded by itself, from its own samples. The candidate with the fewest regions on both sides together is taken, if
///
/// - it has fewer regions than the tree of boxes, and
/// - it answers no worse where it did not see the answers: each sample of the axis is left out in turn, both trees are made of the
///   others, and decide at the sample. Neither the penalties of the split tree nor, where times are unknown, its wrong answers may
///   be more, in sum over all cells.
///
/// If a candidate fails only the second condition, the one with the next fewest regions is tried.
///
/// # Errors
///
/// Returns the errors of [`encode_with`] for the tree of boxes. A candidate of which a side cannot be encoded is not taken.
pub fn encode_split(
    map: &DecisionMap,
    encoder: &dyn Encoder,
    settings: &EncodeSettings,
) -> Result<Predicated, Problem> {
    let boxes = encode_with(map, encoder, settings)?;
    let regions = boxes.statistics().regions;
    let boxes_of = |map: &DecisionMap| encode_with(map, encoder, settings).ok();
    let split_of = |map: &DecisionMap, (axis, predicate): (usize, Predicate)| {
        let side = |holds: bool| boxes_of(&samples(map, axis, |size| predicate.holds(size) == holds).ok()?);
        let source = map.source().map(str::to_owned);
        Some(SplitTree::new(map.domain().clone(), (axis, predicate), [side(true)?, side(false)?], source))
    };
    let mut smaller: Vec<SplitTree> = candidates(map.domain())
        .filter_map(|split| split_of(map, split))
        .filter(|tree| tree.regions() < regions)
        .collect();
    smaller.sort_by_key(SplitTree::regions);
    let mut refused = None;
    for tree in smaller {
        let (axis, predicate) = (tree.axis(), tree.predicate());
        let of_boxes = missed(map, axis, |rest| boxes_of(rest).map(AnyTree::Boxes));
        let of_split = missed(map, axis, |rest| split_of(rest, (axis, predicate)).map(AnyTree::Split));
        let counts = format!("{} instead of {regions} regions", tree.regions());
        match of_split.zip(of_boxes) {
            Some((split, boxes)) if split.is_no_worse_than(&boxes) => {
                let note = format!("split by `{}`: {counts}", tree.side(true));
                return Ok(Predicated { tree: AnyTree::Split(tree), note: Some(note) });
            }
            _ => {
                refused.get_or_insert_with(|| {
                    format!(
                        "not split: `{}` makes {counts}, but decides worse at sizes that are left out",
                        tree.side(true)
                    )
                });
            }
        }
    }
    let none = || format!("not split: no predicate makes the tree of {regions} regions smaller");
    Ok(Predicated { tree: AnyTree::Boxes(boxes), note: Some(refused.unwrap_or_else(none)) })
}

/// Returns the axes and predicates with at least two samples on both sides, so that a side keeps one if another is left out.
fn candidates(domain: &Domain) -> impl Iterator<Item = (usize, Predicate)> {
    let axes = domain.axes().iter().enumerate();
    axes.filter_map(|(index, axis)| Some((index, axis.values()?))).flat_map(|(index, values)| {
        let has_sides = |predicate: &Predicate| {
            let holding = values.iter().filter(|size| predicate.holds(**size)).count();
            holding >= 2 && values.len() - holding >= 2
        };
        Predicate::TRIED.into_iter().filter(has_sides).map(move |predicate| (index, predicate))
    })
}

/// Returns what the trees of all but one sample of an axis miss at that sample, in sum; `None` if there is no such tree.
fn missed(map: &DecisionMap, axis: usize, make: impl Fn(&DecisionMap) -> Option<AnyTree>) -> Option<Missed> {
    let candidates = map.candidates();
    let mut missed = Missed::default();
    for &left_out in map.domain().axes()[axis].values()? {
        let tree = make(&samples(map, axis, |size| size != left_out).ok()?)?;
        for cell in 0..map.cells().len() {
            let sizes = map.domain().sizes(cell);
            if sizes[axis] == left_out {
                missed.add(map, cell, TreeRef::from(&tree).decide(&sizes), &candidates);
            }
        }
    }
    Some(missed)
}

/// Returns the map at the samples of an axis with these sizes.
fn samples(map: &DecisionMap, axis: usize, keep: impl Fn(u64) -> bool) -> Result<DecisionMap, Problems> {
    let values = map.domain().axes()[axis].values().unwrap_or_default();
    let kept: Vec<usize> = (0..values.len()).filter(|&at| keep(values[at])).collect();
    let part = map.at_samples(axis, &kept)?;
    // The recipe says whether times were fitted, which decides about borders.
    match map.recipe() {
        Some(recipe) => part.with_recipe(recipe),
        None => Ok(part),
    }
}

/// What decisions cost at sizes that were left out.
#[derive(Debug, Default)]
struct Missed {
    /// The weight of the cells whose decision is wrong and has no known time.
    wrong: f64,
    /// The sum of the penalties of the other cells, by their weights.
    penalty: f64,
}

impl Missed {
    /// Adds the decision in a cell; cells in which nothing was measured count nothing.
    fn add(
        &mut self,
        map: &DecisionMap,
        cell: usize,
        decision: Option<MethodIndex>,
        candidates: &[MethodIndex],
    ) {
        if map.cells()[cell].is_none() {
            return;
        }
        let weight = map.weight(cell);
        let cost = map.costs().zip(decision).and_then(|(costs, method)| {
            Some(percent(costs.get(cell, method)?, costs.best(cell, candidates)?))
        });
        match cost {
            Some(penalty) => self.penalty += weight * penalty,
            None if decision.is_some_and(|method| map.acceptable_methods(cell).contains(&method)) => {}
            None => self.wrong += weight,
        }
    }

    fn is_no_worse_than(&self, other: &Self) -> bool {
        // Sums in another order differ in their last digits.
        let rounding = 1e-9 * other.penalty;
        self.wrong <= other.wrong && self.penalty <= other.penalty + rounding
    }
}
