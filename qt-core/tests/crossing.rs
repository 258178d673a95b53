//! Borders where the methods of a tree cross.

use std::fs;

use proptest::prelude::*;
use qtdec_core::encode::{self, Encoder, Greedy, Optimal, Quadtree, Rle, encoders};
use qtdec_core::tree::{Bound, Node, Subtree};
use qtdec_core::{
    Axis, Borders, Costs, DecisionMap, DecisionTree, Document, Domain, Method, MethodIndex, Options,
    Requirement,
};
use qtdec_testkit::maps::{Plan, plans};
use qtdec_testkit::sample::one_in;

fn crossing(map: &DecisionMap, encoder: &dyn Encoder) -> DecisionTree {
    encode::encode(map, encoder, Borders::Crossing).unwrap()
}

/// Returns the map of the fastest methods, from the times of each cell.
fn of_times<const N: usize>(axes: Vec<Axis>, times: &[[Option<f64>; N]]) -> DecisionMap {
    let methods = ["flat", "steep", "third"].into_iter().take(N).map(Method::new).collect();
    let domain = Domain::new(None, axes, methods).unwrap();
    let costs = Costs::new(N, times.iter().flatten().copied());
    let cells = (0..domain.cells()).map(|cell| costs.cheapest(cell, domain.method_indexes())).collect();
    DecisionMap::new(domain, cells).unwrap().with_costs(costs).unwrap()
}

/// Returns the map of methods along one axis, with their times at each size.
fn along<const N: usize>(sizes: &[u64], times: &[[Option<f64>; N]]) -> DecisionMap {
    of_times(vec![Axis::new("msg_size", sizes)], times)
}

fn known<const N: usize>(times: &[[f64; N]]) -> Vec<[Option<f64>; N]> {
    times.iter().map(|times| times.map(Some)).collect()
}

/// Returns the only border of a map along one axis.
fn border(map: &DecisionMap) -> u64 {
    let tree = crossing(map, &Quadtree::default());
    let cuts: Vec<_> = tree.root().cuts().collect();
    assert_eq!(cuts.len(), 1);
    tree.threshold(cuts[0].0, cuts[0].1)
}

/// A row that a test divides: the axis, the upper cell, and the answers below and above.
type Row = (usize, usize, [Option<MethodIndex>; 2]);

/// Visits the rows that the tests of a tree divide, test by test, with the answers next to the cut, each of which comes from a leaf of
/// one of its sides.
fn rows(tree: &DecisionTree, subtree: Subtree<'_>, above: &mut Vec<Bound>, row: &mut impl FnMut(usize, Row)) {
    let Node::Test { axis, at, below, at_or_above } = subtree.node() else { return };
    let shape = tree.domain().shape();
    let strides: Vec<usize> = (0..shape.len()).map(|axis| shape[axis + 1..].iter().product()).collect();
    let sample = |cell: usize, axis: usize| cell / strides[axis] % shape[axis];
    for upper in 0..tree.domain().cells() {
        let holds = |bound: &Bound| (sample(upper, bound.axis) < bound.at) == bound.below;
        if sample(upper, axis) != at || !above.iter().all(holds) {
            continue;
        }
        let answer = |mut subtree: Subtree<'_>, cell: usize| {
            let mut answer = None;
            while let Node::Test { axis, at, below, at_or_above } = subtree.node() {
                subtree = if sample(cell, axis) < at { below } else { at_or_above };
            }
            if let Node::Leaf(method) = subtree.node() {
                answer = method;
            }
            answer
        };
        let answers = [answer(below, upper - strides[axis]), answer(at_or_above, upper)];
        row(at, (axis, upper, answers));
    }
    for (side, is_below) in [(below, true), (at_or_above, false)] {
        above.push(Bound { axis, at, below: is_below });
        rows(tree, side, above, row);
        above.pop();
    }
}

/// Returns the logarithmic excess of the answer below over the one above at a size between two samples; `None` without all times.
fn excess(map: &DecisionMap, (axis, upper, answers): Row, share: f64) -> Option<f64> {
    let stride: usize = map.domain().shape()[axis + 1..].iter().product();
    let [one, other] = [answers[0]?, answers[1]?];
    let log = |cell: usize, method| Some(map.costs()?.get(cell, method)?.ln());
    let at = |cell: usize| Some(log(cell, one)? - log(cell, other)?);
    let (below, above) = (at(upper - stride)?, at(upper)?);
    Some((1.0 - share) * below + share * above)
}

/// Checks every border of a tree against its definition, from the tests and from every whole size of the gap.
fn check(map: &DecisionMap, tree: &DecisionTree) {
    let mut cuts: Vec<(usize, usize)> = tree.root().cuts().collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut divided: Vec<(usize, Row)> = Vec::new();
    rows(tree, tree.root(), &mut Vec::new(), &mut |at, row| divided.push((at, row)));
    for (axis, at) in cuts {
        let Some(sizes) = map.domain().axes()[axis].values() else { continue };
        let (lower, upper) = (sizes[at - 1], sizes[at]);
        let differ = |(cut, row): &&(usize, Row)| *cut == at && row.0 == axis && row.2[0] != row.2[1];
        let of_cut: Vec<Row> = divided.iter().filter(differ).map(|(_, row)| *row).collect();
        let sum = |share: f64| of_cut.iter().filter_map(|row| excess(map, *row, share)).sum::<f64>();
        let has_rows = of_cut.iter().any(|row| excess(map, *row, 0.0).is_some());
        let border = tree.threshold(axis, at);
        if !has_rows || lower == 0 {
            assert_eq!(
                border,
                Borders::Geometric.between(lower, upper),
                "no times on axis {axis} at {upper}"
            );
            continue;
        }
        let (first, last) = (sum(0.0), sum(1.0));
        // Sums next to 0 depend on the last digits of logarithms.
        if first.abs() < 1e-9 || last.abs() < 1e-9 || (first + last).abs() < 1e-9 {
            continue;
        }
        if first < 0.0 && last > 0.0 {
            let at_size =
                |size: u64| sum((size as f64 / lower as f64).ln() / (upper as f64 / lower as f64).ln());
            let least = (lower + 1..=upper).find(|size| at_size(*size) >= -1e-12);
            assert_eq!(Some(border), least, "axis {axis} at {upper}: {first} {last}");
        } else {
            let end = if first + last > 0.0 { lower + 1 } else { upper };
            assert_eq!(border, end, "axis {axis} at {upper}: {first} {last}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120 / one_in::<u32>(8), ..ProptestConfig::default() })]

    #[test]
    fn every_border_is_where_the_methods_of_the_tests_cross(plan in plans(14)) {
        let map = Plan { costs: true, ..plan }.map();
        for encoder in encoders() {
            check(&map, &crossing(&map, &*encoder));
        }
    }

    #[test]
    fn only_the_borders_of_a_tree_depend_on_their_rule(plan in plans(14)) {
        let map = Plan { costs: true, ..plan }.map();
        for encoder in encoders() {
            let (floor, tree) = (encode::encode(&map, &*encoder, Borders::Floor).unwrap(), crossing(&map, &*encoder));
            prop_assert_eq!(tree.root(), floor.root());
            prop_assert_eq!(tree.statistics(), floor.statistics());
            prop_assert_eq!(tree.cells(), floor.cells());
            for cell in 0..map.domain().cells() {
                let sizes = map.domain().sizes(cell);
                prop_assert_eq!(tree.decide(&sizes), floor.decide(&sizes), "at {:?}", sizes);
            }
        }
    }

    #[test]
    fn a_written_tree_is_read_with_its_borders(plan in plans(14)) {
        let map = Plan { costs: true, ..plan }.map();
        let tree = crossing(&map, &Quadtree::default());
        let text = tree.to_file().unwrap();
        let Ok(Document::Tree(again)) = Document::from_json(text.as_bytes()) else { panic!("no tree:\n{text}") };
        prop_assert_eq!(&again, &tree);
        prop_assert_eq!(again.to_file().unwrap(), text);
    }
}

/// Trees with the same decisions have the same borders, however their tests are arranged.
#[test]
fn the_borders_are_those_of_the_decisions() {
    let encoders: [&dyn Encoder; 4] = [&Quadtree::default(), &Optimal::default(), &Greedy, &Rle];
    let text = fs::read("../tests/golden/polaris.json").unwrap();
    let Ok(Document::Map(map)) = Document::from_json(&text) else { panic!("it is a map") };
    let mut trees = encoders.map(|encoder| crossing(&map, encoder)).into_iter();
    let first = trees.next().unwrap();
    for tree in trees {
        for (axis, at) in tree.root().cuts() {
            assert_eq!(tree.threshold(axis, at), first.threshold(axis, at));
        }
    }
}

#[test]
fn a_border_is_where_the_times_cross() {
    // `flat` takes 8 and `steep` takes as long as the size: interpolated in logarithms, they meet at 8.
    let map = along(&[1, 64], &known(&[[8.0, 1.0], [8.0, 64.0]]));
    assert_eq!(border(&map), 8);
    let map = along(&[1, 2, 64, 128], &known(&[[9.0, 1.0], [9.0, 2.0], [9.0, 64.0], [9.0, 128.0]]));
    assert_eq!(border(&map), 9);
}

#[test]
fn rows_with_a_missing_time_do_not_count() {
    let some = |first: f64, second: f64| [Some(first), Some(second)];
    let map = along(&[1, 64], &[some(8.0, 1.0), [Some(8.0), None]]);
    assert_eq!(border(&map), Borders::Geometric.between(1, 64));
    let map = along(&[1, 4, 64], &[some(8.0, 1.0), some(8.0, 4.0), some(8.0, 64.0)]);
    assert_eq!(border(&map), 8);
}

#[test]
fn a_sample_of_zero_has_geometric_borders() {
    let map = along(&[0, 64], &known(&[[8.0, 1.0], [8.0, 64.0]]));
    assert_eq!(border(&map), Borders::Geometric.between(0, 64));
}

#[test]
fn without_times_samples_are_borders() {
    let whole = along(&[1, 64], &known(&[[8.0, 1.0], [8.0, 64.0]]));
    let map = DecisionMap::new(whole.domain().clone(), whole.cells().to_vec()).unwrap();
    let tree = crossing(&map, &Quadtree::default());
    assert_eq!(tree.borders(), Borders::Floor);
    assert_eq!(tree.threshold(0, 1), 64);
}

#[test]
fn fitted_times_step_at_samples() {
    let map =
        along(&[1, 64], &known(&[[8.0, 1.0], [8.0, 64.0]])).with_recipe(r#"{"terms": "1 + n"}"#).unwrap();
    assert_eq!(border(&map), 64);
}

/// Two rows: the crossing of the one is at 2 and that of the other at 32; together they cross at 8.
#[test]
fn a_gap_has_one_border_for_all_rows() {
    let axes = vec![Axis::new("comm_size", [2, 4]), Axis::new("msg_size", [1, 64])];
    let times = [[2.0, 1.0], [2.0, 64.0], [32.0, 1.0], [32.0, 64.0]];
    let map = of_times(axes, &known(&times));
    assert_eq!(border(&map), 8);
}

/// Words have no sizes between them: the cut of a labelled axis is at a label, and its rows are rows like others.
#[test]
fn labels_have_no_crossings() {
    let axes = vec![Axis::labelled("order", ["random", "sorted"]), Axis::new("size", [1, 64])];
    let times = [[8.0, 1.0, 99.0], [8.0, 64.0, 99.0], [9.0, 9.0, 0.5], [9.0, 9.0, 0.5]];
    let map = of_times(axes, &known(&times));
    let tree = crossing(&map, &Quadtree::default());
    assert_eq!((tree.threshold(0, 1), tree.threshold(1, 1)), (1, 8));
    assert!(tree.to_json().contains("\"cuts\": [[\"size\", 64, 8]]"), "{}", tree.to_json());
}

/// A method that may not run somewhere has times there all the same; the fallback answers off the grid.
#[test]
fn requirements_do_not_move_borders() {
    let free = along(&[1, 64], &known(&[[8.0, 1.0], [8.0, 64.0]]));
    let mut methods = free.domain().methods().to_vec();
    methods[1].requires = vec![Requirement::PowerOfTwo];
    let axes = vec![Axis::new("comm_size", [1, 64])];
    let domain = Domain::new(None, axes, methods).unwrap();
    let costs = Costs::new(2, [8.0, 1.0, 8.0, 64.0].map(Some));
    let map = DecisionMap::new(domain, free.cells().to_vec()).unwrap().with_costs(costs).unwrap();
    let tree = crossing(&map, &Quadtree::default());
    assert_eq!(tree.threshold(0, 1), 8);
    let label = |size: u64| tree.domain().method(tree.decide(&[size]).unwrap()).label();
    assert_eq!([4, 5, 7, 8].map(label), ["steep", "flat", "flat", "flat"]);
}

/// A file without `borders` means what it always meant.
#[test]
fn a_file_without_borders_has_floor() {
    let text = fs::read_to_string("tests/accepted/tree.json").unwrap();
    let without = text.replace("  \"borders\": \"floor\",\n", "");
    assert_ne!(text, without);
    let Ok(Document::Tree(tree)) = Document::from_json(without.as_bytes()) else { panic!("it is a tree") };
    assert_eq!(tree.borders(), Borders::Floor);
}

#[test]
fn the_option_has_the_name() {
    let map = along(&[1, 64], &known(&[[8.0, 1.0], [8.0, 64.0]]));
    let options = Options::parse(&[("borders", "crossing")]).unwrap();
    assert_eq!(options.tree(Document::Map(map)).unwrap().threshold(0, 1), 8);
}
