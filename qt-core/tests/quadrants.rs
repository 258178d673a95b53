//! The blocks of quadtrees as the papers print them: they decide as their trees do, and are named as in the papers.

use std::ops::Range;

use proptest::prelude::*;
use qtdec_core::code::{QuadrantBranch, Quartered};
use qtdec_core::encode::{self, Empty, EncodeSettings, Fill, Greedy, Quadtree};
use qtdec_core::tree::Bound;
use qtdec_core::{Borders, DecisionMap, DecisionTree, MethodIndex};
use qtdec_testkit::maps::{Pattern, Plan, plans};
use qtdec_testkit::proof;

/// Returns the decision of a block; exactly one branch must hold.
fn decide(tree: &DecisionTree, block: &Quartered, sizes: &[u64]) -> Option<MethodIndex> {
    let branches = match block {
        Quartered::Answer(method) => return *method,
        Quartered::Part(_) => unreachable!("only code is divided into parts"),
        Quartered::Divided(branches) => branches,
    };
    let is_met = |Bound { axis, at, below }: &Bound| (sizes[*axis] < tree.threshold(*axis, *at)) == *below;
    let holds = |branch: &&QuadrantBranch| branch.when.iter().any(|bounds| bounds.iter().all(is_met));
    let mut met = branches.iter().filter(holds);
    let branch = met.next().unwrap_or_else(|| panic!("no quadrant has {sizes:?}: {branches:?}"));
    assert_eq!(met.next(), None, "two quadrants have {sizes:?}");
    decide(tree, &branch.then, sizes)
}

/// Checks that no two branches of a block are equal, that each cut separates some of them, and that none is decided by `above`: on each
/// axis, the samples that are left.
fn check_needed(block: &Quartered, above: &[Range<usize>]) {
    let Quartered::Divided(branches) = block else { return };
    for (place, branch) in branches.iter().enumerate() {
        assert!(branches[..place].iter().all(|other| other.then != branch.then), "{branches:?}");
        let bounds = branch.when.iter().flatten();
        for Bound { axis, at, .. } in bounds {
            assert!(
                above[*axis].start < *at && *at < above[*axis].end,
                "{at} is decided: {above:?}, {branches:?}"
            );
        }
        let mut within = above.to_vec();
        if let [bounds] = &branch.when[..] {
            for &Bound { axis, at, below } in bounds {
                within[axis] = if below { within[axis].start..at } else { at..within[axis].end };
            }
        }
        check_needed(&branch.then, &within);
    }
}

fn quartered(tree: &DecisionTree) -> Quartered {
    Quartered::from_tree(tree, usize::MAX).unwrap()
}

/// Checks that the blocks of a map's tree decide as the tree and its branches do, on both sides of every border between samples.
fn check(map: &DecisionMap, quadtree: &Quadtree, empty: Empty, borders: Borders) {
    let settings = EncodeSettings { borders, empty, ..EncodeSettings::default() };
    let tree = encode::encode_with(map, quadtree, &settings).unwrap();
    let block = quartered(&tree);
    let whole: Vec<Range<usize>> = tree.domain().shape().into_iter().map(|len| 0..len).collect();
    check_needed(&block, &whole);
    assert!(block.leaves() <= tree.root().leaves());
    for sizes in proof::queries(tree.domain(), &[proof::of_map(map, borders)], u64::MAX) {
        let decided = decide(&tree, &block, &sizes);
        assert_eq!(decided, tree.tested(&sizes), "{sizes:?}");
        assert_eq!(decided, proof::walk(&tree, tree.block(), &sizes), "{sizes:?}");
    }
}

proptest! {
    #[test]
    fn quadrants_decide_as_branches_do(
        plan in plans(20),
        max_depth in prop::option::of(0..5_u32),
        threshold in prop::sample::select(vec![100.0, 80.0, 51.0]),
        fill in prop::sample::select(vec![Fill::Stretch, Fill::Last]),
        strict in any::<bool>(),
        borders in prop::sample::select(vec![Borders::Floor, Borders::Geometric]),
    ) {
        let quadtree = Quadtree { max_depth, threshold, fill, ..Quadtree::default() };
        // Only an exact tree separates all empty cells.
        let is_exact = max_depth.is_none() && threshold == 100.0;
        let empty = if strict && is_exact { Empty::Strict } else { Empty::Filled };
        check(&plan.map(), &quadtree, empty, borders);
    }
}

/// Returns the names of the branches of a block, one block after the other.
fn names(block: &Quartered) -> Vec<String> {
    let Quartered::Divided(branches) = block else { return Vec::new() };
    let own = branches.iter().map(|branch| branch.names.join(", ")).collect::<Vec<_>>().join(" | ");
    std::iter::once(own).chain(branches.iter().flat_map(|branch| names(&branch.then))).collect()
}

/// Returns the names of the exact quadtree of a grid, given the number of the method of each cell.
fn names_of(shape: &[usize], cells: &[usize]) -> Vec<String> {
    let plain = Plan { methods: 9, ..Plan::new(shape, Pattern::Equal, 1) }.map();
    let methods: Vec<MethodIndex> = plain.domain().method_indexes().collect();
    let cells = cells.iter().map(|&cell| Some(methods[cell])).collect();
    let map = DecisionMap::new(plain.domain().clone(), cells).unwrap();
    names(&quartered(&encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap()))
}

#[test]
fn the_first_axis_grows_to_the_south_and_the_second_to_the_east() {
    assert_eq!(names_of(&[2, 2], &[0, 1, 2, 3]), ["NW | NE | SW | SE"]);
}

#[test]
fn equal_leaves_share_a_branch() {
    assert_eq!(names_of(&[2, 2], &[0, 1, 1, 0]), ["NW, SE | NE, SW"]);
    assert_eq!(names_of(&[2, 2], &[0, 0, 1, 0]), ["NW, NE, SE | SW"]);
    assert_eq!(names_of(&[2, 2], &[0, 1, 0, 2]), ["NW, SW | NE | SE"]);
}

#[test]
fn equal_blocks_share_a_branch() {
    // Two layers of the third axis are compared where the first and second are both low or both high, and others elsewhere.
    let (one, other) = ([0, 1, 1, 1], [2, 2, 2, 3]);
    assert_eq!(
        names_of(&[2, 2, 4], &[one, other, other, one].concat()),
        ["NW, SE | NE, SW", "low | high", "low | high"]
    );
    assert_eq!(
        names_of(&[2, 2, 4], &[one, one, other, one].concat()),
        ["NW, NE, SE | SW", "low | high", "low | high"]
    );
}

/// Half of a block that depends on one axis alone is one comparison, although the other half is divided on both.
#[test]
fn a_half_with_a_block_of_its_own_is_one_branch() {
    assert_eq!(names_of(&[2, 4], &[0, 0, 2, 3, 1, 1, 2, 3]), ["W | E", "N | S", "W | E"]);
    assert_eq!(names_of(&[4, 2], &[0, 1, 0, 1, 2, 2, 3, 3]), ["N | S", "W | E", "N | S"]);
}

#[test]
fn no_cut_is_made_between_equal_decisions() {
    // The middle of the first axis lies in a band of one decision.
    assert_eq!(names_of(&[4, 1], &[0, 1, 1, 2]), ["N | S", "N | S"]);
    assert_eq!(names_of(&[8, 1], &[0, 1, 1, 1, 1, 1, 1, 1]), ["N | S"]);
    assert_eq!(names_of(&[4, 4], &[0, 1, 1, 1, 2, 3, 3, 3, 2, 3, 3, 3, 2, 3, 3, 3]), ["NW | NE | SW | SE"]);
}

#[test]
fn one_axis_has_halves_and_three_have_octants() {
    assert_eq!(names_of(&[2], &[0, 1]), ["low | high"]);
    assert_eq!(
        names_of(&[2, 2, 2], &[0, 1, 2, 3, 4, 5, 6, 7]),
        ["NW low | NW high | NE low | NE high | SW low | SW high | SE low | SE high"]
    );
}

#[test]
fn where_one_axis_is_exhausted_the_halves_of_the_other_remain() {
    assert_eq!(names_of(&[2, 4], &[0, 1, 2, 3, 4, 4, 4, 4]), ["NW | NE | SW, SE", "W | E", "W | E"]);
    assert_eq!(names_of(&[4, 1], &[0, 1, 2, 3]), ["N | S", "N | S", "N | S"]);
}

/// A half is one comparison, and what is left of a block are two.
#[test]
fn conditions_compare_no_more_than_they_need() {
    let bounds = |cells: &[usize]| {
        let map = Plan { methods: 9, ..Plan::new(&[2, 2], Pattern::Equal, 1) }.map();
        let methods: Vec<MethodIndex> = map.domain().method_indexes().collect();
        let cells = cells.iter().map(|&cell| Some(methods[cell])).collect();
        let map = DecisionMap::new(map.domain().clone(), cells).unwrap();
        let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap();
        let Quartered::Divided(branches) = quartered(&tree) else { panic!("there are several colours") };
        branches.iter().map(|branch| branch.when.iter().map(Vec::len).collect()).collect::<Vec<Vec<usize>>>()
    };
    assert_eq!(bounds(&[0, 1, 0, 2]), [vec![1], vec![2], vec![2]]);
    assert_eq!(bounds(&[0, 0, 0, 1]), [vec![1, 1], vec![2]]);
    assert_eq!(bounds(&[0, 1, 1, 0]), [vec![2, 2], vec![2, 2]]);
}

#[test]
fn trees_of_other_encodings_are_refused() {
    let map = Plan::new(&[4, 4], Pattern::Bands, 1).map();
    let tree = encode::encode(&map, &Greedy, Borders::Floor).unwrap();
    let refused = Quartered::from_tree(&tree, usize::MAX).unwrap_err().to_string();
    assert_eq!(
        refused,
        "`layout = \"quadrants\"` writes quadtrees, and the tree has the encoding `greedy` (use `encoding = \
         \"quadtree\"`, or choose `branches`, `table`, `select` or `auto`, which write every tree)"
    );
}

#[test]
fn a_block_of_too_many_leaves_is_refused() {
    let map = Plan::new(&[8, 8], Pattern::Different, 1).map();
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap();
    assert_eq!(quartered(&tree).leaves(), 64);
    assert!(Quartered::from_tree(&tree, 64).is_ok());
    let refused = Quartered::from_tree(&tree, 63).unwrap_err().to_string();
    assert!(
        refused.starts_with("code of 64 regions is too large for a compiler: the maximum is 63"),
        "{refused}"
    );
}
