//! Proof that two decision functions are equal for all inputs.
//!
//! Code that only compares its inputs with constants gives the same answer everywhere between two neighbouring
//! constants. Therefore, it suffices to test every threshold of both sides, and one below and above it. Requirements
//! of methods are tested at powers of two and next to them, and at the sizes that they name.

use qtdec_core::tree::table::{AxisIndex, IntervalLookup};
use qtdec_core::tree::{Arm, Block, Bound, Condition, DecisionTable};
use qtdec_core::{Borders, DecisionMap, DecisionTree, Domain, MethodIndex, Requirement, Samples};

/// The thresholds of one side on each axis.
pub type Thresholds = Vec<Vec<u64>>;

/// Returns the thresholds of a tree.
pub fn of_tree(tree: &DecisionTree) -> Thresholds {
    let mut thresholds = vec![Vec::new(); tree.domain().axes().len()];
    for (axis, at) in tree.root().cuts() {
        thresholds[axis].push(tree.threshold(axis, at));
    }
    thresholds
}

/// Returns the thresholds of a map.
pub fn of_map(map: &DecisionMap, borders: Borders) -> Thresholds {
    map.domain()
        .axes()
        .iter()
        .map(|axis| (1..axis.len()).map(|at| axis.threshold(at, borders)).collect())
        .collect()
}

/// Returns the sizes at which the upper samples of all gaps begin in a tree, tested or not.
pub fn of_gaps(tree: &DecisionTree) -> Thresholds {
    let axes = tree.domain().axes().iter().enumerate();
    axes.map(|(axis, samples)| (1..samples.len()).map(|at| tree.threshold(axis, at)).collect()).collect()
}

/// Returns the decision of a map with the borders of a tree, found without its tests.
pub fn by_map(map: &DecisionMap, tree: &DecisionTree, sizes: &[u64]) -> Option<MethodIndex> {
    let gaps = of_gaps(tree);
    let samples = gaps.iter().zip(sizes).map(|(gaps, size)| gaps.partition_point(|gap| gap <= size));
    let cell = samples.zip(map.domain().shape()).fold(0, |cell, (sample, len)| cell * len + sample);
    let method = map.cells()[cell]?;
    if map.domain().may_run(method, sizes) { Some(method) } else { map.fallback() }
}

/// Returns the sizes on each axis at which the entry of a table may change.
fn of_table(tree: &DecisionTree) -> Thresholds {
    // From this size on, sizes are rounded.
    let mut steps: Thresholds = tree.domain().axes().iter().map(|_| vec![1 << 53]).collect();
    if let Ok(table) = DecisionTable::from_tree(tree) {
        for (steps, index) in steps.iter_mut().zip(&table.axes) {
            if let Some(AxisIndex { lookup: IntervalLookup::Exponent(buckets), .. }) = index {
                steps.extend(buckets.edges());
            }
        }
    }
    for (steps, axis) in steps.iter_mut().zip(tree.domain().axes()) {
        if axis.values().is_none() {
            steps.clear();
        }
    }
    steps
}

/// Returns queries that are certain to distinguish two different functions with these thresholds; none is above
/// `most` on its axis.
pub fn queries(domain: &Domain, sides: &[Thresholds], most: u64) -> Vec<Vec<u64>> {
    let axes = domain.axes().iter().enumerate();
    let points = axes.map(|(index, axis)| match &axis.samples {
        Samples::Labels(labels) => (0..labels.len() as u64).collect(),
        Samples::Values(_) => {
            let around =
                |&threshold: &u64| [threshold.saturating_sub(1), threshold, threshold.saturating_add(1)];
            let mut points: Vec<u64> = sides.iter().flat_map(|side| &side[index]).flat_map(around).collect();
            points.extend([0, 1, most]);
            points.extend(of_requirements(domain));
            points.retain(|&point| point <= most);
            points.sort_unstable();
            points.dedup();
            points
        }
    });
    product(&points.collect::<Vec<_>>())
}

/// Returns the sizes at which a requirement may start or stop holding: powers of two, sizes that requirements name,
/// and one below and above each.
fn of_requirements(domain: &Domain) -> Vec<u64> {
    let requirements: Vec<Requirement> =
        domain.methods().iter().flat_map(|method| method.requires.iter().copied()).collect();
    if requirements.is_empty() {
        return Vec::new();
    }
    let named = requirements.into_iter().filter_map(|requirement| match requirement {
        Requirement::CommSize(only) => Some(only),
        _ => None,
    });
    let powers = [0, 1, 2, 3, 4, 5, 7, 10, 31, 32, 53, 63].map(|exponent| 1_u64 << exponent);
    named.chain(powers).flat_map(|size| [size - 1, size, size + 1]).collect()
}

/// Returns the queries like [`queries`], with those that could distinguish a table from its tree.
///
/// The index of each axis is found independently, so it suffices to combine its steps with one size of every interval
/// of the other axes.
pub fn queries_of_tables(tree: &DecisionTree, sides: &[Thresholds], most: u64) -> Vec<Vec<u64>> {
    let mut all = queries(tree.domain(), sides, most);
    for (axis, steps) in of_table(tree).into_iter().enumerate() {
        let mut points = of_tree(tree);
        points[axis] = steps.iter().flat_map(|&step| [step - 1, step, step.saturating_add(1)]).collect();
        for (index, points) in points.iter_mut().enumerate() {
            if index != axis {
                points.push(0);
            }
            points.retain(|&point| point <= most);
            points.sort_unstable();
            points.dedup();
        }
        all.extend(product(&points));
    }
    all
}

/// Returns every combination of these points on the axes.
fn product(points: &[Vec<u64>]) -> Vec<Vec<u64>> {
    points.iter().fold(vec![Vec::new()], |queries, points| {
        queries
            .iter()
            .flat_map(|query| points.iter().map(move |&point| [&query[..], &[point]].concat()))
            .collect()
    })
}

/// Returns the decision of a tree's branches, which is that of code with the same branches.
///
/// # Panics
///
/// Panics if the tree was divided into parts.
pub fn walk(tree: &DecisionTree, block: &Block, sizes: &[u64]) -> Option<MethodIndex> {
    let holds = |bound: Bound| (sizes[bound.axis] < tree.threshold(bound.axis, bound.at)) == bound.below;
    match block {
        Block::Answer(method) => *method,
        Block::Part(number) => panic!("part {number} of a tree that was not cut up"),
        Block::Branches { arms, otherwise } => {
            let taken = arms.iter().find(|Arm { when, .. }| match *when {
                Condition::Side(bound) => holds(bound),
                Condition::Corner(first, second) => holds(first) && holds(second),
                Condition::Diagonal(first, second) => holds(first) == holds(second),
            });
            walk(tree, taken.map_or(otherwise, |arm| &arm.then), sizes)
        }
    }
}
