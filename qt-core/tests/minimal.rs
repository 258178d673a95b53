//! Generated branches, compared with all branches of the same form that have fewer comparisons.

use std::collections::HashSet;

use qtdec_core::encode::{self, Encoder, Objective, Optimal, Quadtree};
use qtdec_core::tree::{Arm, Block, Bound, Condition, Node, Subtree};
use qtdec_core::{Borders, DecisionMap, DecisionTree, MethodIndex};
use qtdec_testkit::maps::{Pattern, Plan, TestRng};
use qtdec_testkit::sample::one_in;

/// Branches in which comparisons can be replaced: a condition contains their positions in a list.
enum Code {
    Answer(Option<MethodIndex>),
    Branches { arms: Vec<(When, Code)>, otherwise: Box<Code> },
}

struct When {
    comparisons: Vec<usize>,
    is_diagonal: bool,
}

/// A comparison, or the constant in its place.
#[derive(Clone, Copy, Debug)]
enum Comparison {
    Of(Bound),
    Always(bool),
}

impl Code {
    /// Returns the branches, and appends their comparisons.
    fn from_block(block: &Block, comparisons: &mut Vec<Comparison>) -> Self {
        let (arms, otherwise) = match block {
            Block::Answer(method) => return Self::Answer(*method),
            Block::Part(_) => unreachable!("a tree has no parts"),
            Block::Branches { arms, otherwise } => (arms, otherwise),
        };
        let mut arm = |Arm { when, then }: &Arm| {
            let (bounds, is_diagonal) = match *when {
                Condition::Side(bound) => (vec![bound], false),
                Condition::Corner(first, second) => (vec![first, second], false),
                Condition::Diagonal(first, second) => (vec![first, second], true),
            };
            let from = comparisons.len();
            comparisons.extend(bounds.into_iter().map(Comparison::Of));
            let when = When { comparisons: (from..comparisons.len()).collect(), is_diagonal };
            (when, Self::from_block(then, comparisons))
        };
        let arms = arms.iter().map(&mut arm).collect();
        Self::Branches { arms, otherwise: Box::new(Self::from_block(otherwise, comparisons)) }
    }

    /// Returns the answer for samples, and the number of different comparisons on the way to it.
    fn decide(&self, comparisons: &[Comparison], samples: &[usize]) -> (Option<MethodIndex>, usize) {
        let mut known: Vec<(usize, usize)> = Vec::new();
        let mut code = self;
        loop {
            let (arms, otherwise) = match code {
                Self::Answer(method) => return (*method, known.len()),
                Self::Branches { arms, otherwise } => (arms, otherwise),
            };
            let mut holds = |comparison: usize| match comparisons[comparison] {
                Comparison::Always(holds) => holds,
                Comparison::Of(Bound { axis, at, below }) => {
                    if !known.contains(&(axis, at)) {
                        known.push((axis, at));
                    }
                    (samples[axis] < at) == below
                }
            };
            let mut is_taken = |when: &When| match when.comparisons[..] {
                [first, second] if when.is_diagonal => holds(first) == holds(second),
                _ => when.comparisons.iter().all(|&comparison| holds(comparison)),
            };
            code = arms.iter().find(|(when, _)| is_taken(when)).map_or(otherwise, |(_, then)| then);
        }
    }
}

/// Returns the number of tests of a tree for samples.
fn tests(subtree: Subtree<'_>, samples: &[usize]) -> usize {
    match subtree.node() {
        Node::Leaf(_) => 0,
        Node::Test { axis, at, below, at_or_above } => {
            1 + tests(if samples[axis] < at { below } else { at_or_above }, samples)
        }
    }
}

/// The maximum number of comparisons for which all ways are tried.
const TRIED: usize = 5;

/// Returns the number of comparisons in the branches of a tree. If there are only a few, tries to replace each by every other border and
/// by both constants.
///
/// # Panics
///
/// Panics if the branches take more comparisons for a cell than the tree, or if fewer comparisons make the same decisions without more
/// comparisons for any cell.
fn comparisons(tree: &DecisionTree) -> usize {
    let shape: Vec<usize> = tree.domain().axes().iter().map(qtdec_core::Axis::len).collect();
    let mut comparisons = Vec::new();
    let code = Code::from_block(tree.block(), &mut comparisons);
    let samples = |cell: usize| -> Vec<usize> {
        let stride = |axis: usize| shape[axis + 1..].iter().product::<usize>();
        (0..shape.len()).map(|axis| cell / stride(axis) % shape[axis]).collect()
    };
    let cells: Vec<Vec<usize>> = (0..tree.domain().cells()).map(samples).collect();
    let decided: Vec<_> = cells.iter().map(|samples| code.decide(&comparisons, samples)).collect();
    assert!(tree.cells().into_iter().eq(decided.iter().map(|(method, _)| *method)));
    for (samples, (_, made)) in cells.iter().zip(&decided) {
        assert!(*made <= tests(tree.root(), samples), "{:?} at {samples:?}", tree.block());
    }
    if comparisons.len() > TRIED {
        return comparisons.len();
    }
    let choices = |comparison: &Comparison| -> Vec<Comparison> {
        let Comparison::Of(Bound { axis, below, .. }) = *comparison else { unreachable!("none is replaced") };
        let cuts = (1..shape[axis]).map(|at| Comparison::Of(Bound { axis, at, below }));
        cuts.chain([true, false].map(Comparison::Always)).collect()
    };
    let choices: Vec<Vec<Comparison>> = comparisons.iter().map(choices).collect();
    for way in 0..choices.iter().map(Vec::len).product() {
        let mut way: usize = way;
        let mut choice = |choices: &Vec<Comparison>| {
            let choice = choices[way % choices.len()];
            way /= choices.len();
            choice
        };
        let tried: Vec<Comparison> = choices.iter().map(&mut choice).collect();
        let is_fewer = tried.iter().any(|tried| matches!(tried, Comparison::Always(_)));
        let is_as_good = |(samples, (method, made)): (&Vec<usize>, &(Option<MethodIndex>, usize))| {
            let (other, makes) = code.decide(&tried, samples);
            other == *method && makes <= *made
        };
        let is_needless = is_fewer && cells.iter().zip(&decided).all(is_as_good);
        assert!(!is_needless, "{:?} is {:?} with {tried:?}", tree.cells(), tree.block());
    }
    comparisons.len()
}

fn map(shape: &[usize], cells: &[usize]) -> DecisionMap {
    let methods = cells.iter().max().map_or(1, |most| most + 1);
    let blank = Plan { methods, ..Plan::new(shape, Pattern::Equal, 1) }.map();
    let indexes: Vec<MethodIndex> = blank.domain().method_indexes().collect();
    DecisionMap::new(blank.domain().clone(), cells.iter().map(|&cell| Some(indexes[cell])).collect()).unwrap()
}

fn quadtree(shape: &[usize], cells: &[usize]) -> DecisionTree {
    encode::encode(&map(shape, cells), &Quadtree::default(), Borders::Floor).unwrap()
}

/// Checks the trees of every encoder for these maps.
fn check_all(shape: &[usize], maps: impl IntoIterator<Item = Vec<usize>>) {
    let objectives = [Objective::Tests, Objective::Depth];
    let others =
        objectives.map(|objective| Box::new(Optimal { objective, ..Optimal::default() }) as Box<dyn Encoder>);
    let encoders: Vec<Box<dyn Encoder>> = encode::encoders().into_iter().chain(others).collect();
    let mut checked = HashSet::new();
    for cells in maps {
        let map = map(shape, &cells);
        for encoder in &encoders {
            let tree = encode::encode(&map, &**encoder, Borders::Floor).unwrap();
            if checked.insert(format!("{:?}", tree.block())) {
                comparisons(&tree);
            }
        }
    }
}

/// Returns all maps with these numbers of cells and methods, except those that differ only in the order of the methods.
fn colourings(cells: usize, methods: usize) -> Vec<Vec<usize>> {
    (0..cells).fold(vec![Vec::new()], |all, _| {
        let next = |colouring: Vec<usize>| {
            let known = colouring.iter().max().map_or(0, |most| most + 1);
            (0..=known.min(methods - 1)).map(move |method| [&colouring[..], &[method]].concat())
        };
        all.into_iter().flat_map(next).collect()
    })
}

#[test]
fn no_comparison_of_one_axis_can_be_left_out() {
    check_all(&[7], colourings(7, 3).into_iter().step_by(one_in(7)));
}

#[test]
fn no_comparison_of_a_small_grid_can_be_left_out() {
    check_all(&[3, 3], colourings(9, 3).into_iter().step_by(37 * one_in::<usize>(8)));
    check_all(&[2, 2, 2], colourings(8, 2).into_iter().step_by(one_in(7)));
}

/// Grids in which two boxes have different methods.
#[test]
fn no_comparison_of_a_grid_can_be_left_out() {
    let mut random = TestRng(1);
    let mut below = |end: usize| random.below(end as u64) as usize;
    for (shape, maps) in [([4, 4], 150), ([6, 5], 80)] {
        let mut cells = || {
            let mut cells = vec![0; shape[0] * shape[1]];
            for _ in 0..2 {
                let (from, method) = (shape.map(&mut below), below(4));
                let to = [0, 1].map(|axis| shape[axis].min(from[axis] + 1 + below(shape[axis])));
                for row in from[0]..to[0] {
                    cells[row * shape[1] + from[1]..row * shape[1] + to[1]].fill(method);
                }
            }
            cells
        };
        check_all(&shape, (0..maps / one_in::<u32>(8)).map(|_| cells()).collect::<Vec<_>>());
    }
}

/// A form in which quadtrees compare one axis twice: `if n < 2 && m >= 1 { if n < 1 { … } else { … } } else { … }`.
#[test]
fn borders_move_to_where_they_matter() {
    let size = |shape: &[usize], cells: &[usize]| {
        let tree = quadtree(shape, cells);
        (comparisons(&tree), tree.block().conditions())
    };
    assert_eq!(size(&[4, 2], &[0, 1, 0, 0, 0, 0, 0, 0]), (2, 1), "a corner");
    assert_eq!(size(&[4, 2], &[0, 1, 0, 0, 0, 0, 2, 0]), (3, 3), "two opposite corners");
    assert_eq!(size(&[4], &[0, 1, 1, 2]), (2, 2), "a band across the middle");
    assert_eq!(size(&[4, 2], &[3, 1, 1, 1, 0, 2, 0, 2]), (4, 3), "a corner in the first of four quadrants");
}
