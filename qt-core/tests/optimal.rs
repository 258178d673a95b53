//! The smallest trees, compared with an exhaustive search.

use std::collections::HashMap;
use std::ops::Range;

use proptest::prelude::*;
use qtdec_core::encode::{self, Budget, EncodeSettings, Objective, Optimal, Quadtree, SearchLimit};
use qtdec_core::map::Calls;
use qtdec_core::penalty::penalties;
use qtdec_core::tree::{Node, Subtree};
use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Domain, Method, MethodIndex, Requirement};
use qtdec_testkit::maps::{Pattern, Plan, hundredths, plans};
use qtdec_testkit::sample::one_in;

type Box = Vec<Range<usize>>;

/// An exhaustive search of all trees of a box, which only remembers the results for boxes.
struct Everything<'m> {
    map: &'m DecisionMap,
    lens: Vec<usize>,
}

impl<'m> Everything<'m> {
    fn new(map: &'m DecisionMap) -> Self {
        Self { map, lens: map.domain().shape() }
    }

    fn whole(&self) -> Box {
        self.lens.iter().map(|&len| 0..len).collect()
    }

    fn cells(&self, whole: &Box) -> Vec<usize> {
        whole.iter().zip(&self.lens).fold(vec![0], |cells, (range, len)| {
            cells.iter().flat_map(|cell| range.clone().map(move |sample| cell * len + sample)).collect()
        })
    }

    fn weight(&self, whole: &Box) -> f64 {
        self.cells(whole).into_iter().map(|cell| self.map.weight(cell)).sum()
    }

    fn runs(&self, method: MethodIndex, cells: &[usize]) -> bool {
        let domain = self.map.domain();
        cells.iter().all(|&cell| domain.may_run(method, &domain.sizes(cell)))
    }

    /// Returns the minimum number of mismatches of any decision for a box, with each cell weighted.
    fn mismatches(&self, whole: &Box, weight: impl Fn(usize) -> f64) -> Option<f64> {
        let cells = self.cells(whole);
        let measured: Vec<usize> =
            cells.iter().copied().filter(|&cell| self.map.cells()[cell].is_some()).collect();
        if measured.is_empty() {
            return Some(0.0);
        }
        let wrong = |method: MethodIndex| {
            let wrong = |cell: &usize| !self.map.acceptable_methods(*cell).contains(&method);
            measured.iter().copied().filter(wrong).map(&weight).sum::<f64>()
        };
        let runnable = self.map.candidates().into_iter().filter(|&method| self.runs(method, &cells));
        runnable.map(wrong).min_by(f64::total_cmp)
    }

    fn cuts(whole: &Box) -> Vec<(Box, Box)> {
        let cuts = whole
            .iter()
            .enumerate()
            .flat_map(|(axis, range)| (range.start + 1..range.end).map(move |at| (axis, at)));
        cuts.map(|(axis, at)| {
            let (mut below, mut from) = (whole.clone(), whole.clone());
            below[axis].end = at;
            from[axis].start = at;
            (below, from)
        })
        .collect()
    }

    /// Returns the minimum value of any tree, given the values of a leaf and of a test.
    fn least<V: Copy + PartialOrd>(
        whole: &Box,
        leaf: &dyn Fn(&Box) -> V,
        test: &dyn Fn([&Box; 2], V, V) -> V,
        known: &mut HashMap<Box, V>,
    ) -> V {
        if let Some(&value) = known.get(whole) {
            return value;
        }
        let mut least = leaf(whole);
        for (below, from) in Self::cuts(whole) {
            let sides = (Self::least(&below, leaf, test, known), Self::least(&from, leaf, test, known));
            let test = test([&below, &from], sides.0, sides.1);
            least = if test < least { test } else { least };
        }
        known.insert(whole.clone(), least);
        least
    }

    fn exact(&self, whole: &Box, leaf: f64) -> f64 {
        if self.mismatches(whole, |_| 1.0) == Some(0.0) { leaf } else { f64::INFINITY }
    }

    fn fewest_leaves(&self) -> u64 {
        let leaf = |whole: &Box| self.exact(whole, 1.0);
        Self::least(&self.whole(), &leaf, &|_, below, from| below + from, &mut HashMap::new()) as u64
    }

    fn least_depth(&self) -> u64 {
        let leaf = |whole: &Box| self.exact(whole, 0.0);
        Self::least(&self.whole(), &leaf, &|_, below, from| 1.0 + below.max(from), &mut HashMap::new()) as u64
    }

    /// Returns the minimum sum over all tests, given the cost of a test from the calls on its two sides.
    fn least_sum(&self, of_test: fn(f64, f64) -> f64) -> f64 {
        let leaf = |whole: &Box| self.exact(whole, 0.0);
        let test = |halves: [&Box; 2], below: f64, from: f64| {
            let [one, other] = halves.map(|half| self.weight(half));
            of_test(one, other) + below + from
        };
        Self::least(&self.whole(), &leaf, &test, &mut HashMap::new())
    }

    fn least_charge(&self, lambda: f64) -> i128 {
        let wrong = |whole: &Box| self.mismatches(whole, |cell| self.map.weight(cell));
        let leaf = |whole: &Box| wrong(whole).map_or(i128::MAX, |wrong| charge(1, wrong, lambda));
        Self::least(&self.whole(), &leaf, &|_, below, from| below.saturating_add(from), &mut HashMap::new())
    }

    /// Returns the minimum number of leaves of an exact tree with at most this depth, or infinity if there is none.
    fn fewest_leaves_within(&self, whole: &Box, depth: u64) -> f64 {
        let leaf = self.exact(whole, 1.0);
        if depth == 0 {
            return leaf;
        }
        let sides = Self::cuts(whole).into_iter().map(|(below, from)| {
            self.fewest_leaves_within(&below, depth - 1) + self.fewest_leaves_within(&from, depth - 1)
        });
        sides.fold(leaf, f64::min)
    }

    /// Returns the minimum sum of penalties of trees with one leaf, with at most two, and so on, in whole per cents.
    fn penalties_by_leaves(&self, max: f64) -> Vec<Option<u64>> {
        let mut known: HashMap<(Box, usize), Option<u64>> = HashMap::new();
        let cells: usize = self.lens.iter().product();
        (1..=cells).map(|leaves| self.penalty_within(&self.whole(), leaves, max, &mut known)).collect()
    }

    fn penalty_within(
        &self,
        whole: &Box,
        leaves: usize,
        max: f64,
        known: &mut HashMap<(Box, usize), Option<u64>>,
    ) -> Option<u64> {
        if let Some(&value) = known.get(&(whole.clone(), leaves)) {
            return value;
        }
        let cells = self.cells(whole);
        let candidates = self.map.candidates();
        let of = |method: &MethodIndex| {
            let decisions: Vec<_> = self.map.cells().iter().map(|_| Some(*method)).collect();
            let penalties = penalties(&decisions, self.map).unwrap();
            let within = penalties.iter().filter(|penalty| cells.contains(&penalty.cell));
            let percents = within.map(|penalty| {
                penalty.percent().filter(|percent| *percent <= max)?;
                assert_eq!(penalty.best, 1.0, "a penalty is a whole number of per cents");
                Some((hundredths(penalty.chosen?) - 100) * penalty.weight as u64)
            });
            percents.sum::<Option<u64>>()
        };
        let runnable = candidates.iter().filter(|&&method| self.runs(method, &cells));
        let empty = cells.iter().all(|&cell| self.map.cells()[cell].is_none());
        let mut least = if empty { Some(0) } else { runnable.filter_map(of).min() };
        for (below, from) in Self::cuts(whole) {
            for one in 1..leaves {
                let sides = self.penalty_within(&below, one, max, known).zip(self.penalty_within(
                    &from,
                    leaves - one,
                    max,
                    known,
                ));
                least = [least, sides.map(|(below, from)| below + from)].into_iter().flatten().min();
            }
        }
        known.insert((whole.clone(), leaves), least);
        least
    }
}

/// Returns leaves + λ × mismatches as a multiple of 2^-57, which every λ from 2^-5 on is.
fn charge(leaves: u64, mismatches: f64, lambda: f64) -> i128 {
    let whole = 1_i128 << 57;
    i128::from(leaves) * whole + mismatches as i128 * (lambda * whole as f64) as i128
}

fn encode(map: &DecisionMap, optimal: &Optimal) -> DecisionTree {
    encode::encode(map, optimal, Borders::Floor).expect("a small map")
}

/// Returns a map of these cells; the last method represents no decision.
fn map_of(shape: &[usize], cells: &[usize], methods: usize) -> DecisionMap {
    let axes = shape.iter().enumerate().map(|(axis, &len)| {
        Axis::new(["comm_size", "msg_size", "ppn"][axis], (1..=len as u64).collect::<Vec<_>>())
    });
    let names = (0..methods).map(|index| Method::new(format!("method {index}"))).collect();
    let domain = Domain::new(None, axes.collect(), names).unwrap();
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    let cells = cells.iter().map(|&cell| indexes.get(cell).copied()).collect();
    DecisionMap::new(domain, cells).unwrap()
}

fn depth(subtree: Subtree<'_>) -> u64 {
    match subtree.node() {
        Node::Leaf(_) => 0,
        Node::Test { below, at_or_above, .. } => 1 + depth(below).max(depth(at_or_above)),
    }
}

/// Returns a sum over all tests of a tree, given the cost of a test from the calls on its two sides.
fn sum(tree: &DecisionTree, map: &DecisionMap, of_test: fn(f64, f64) -> f64) -> f64 {
    /// Returns the sum and the calls.
    fn sum_of(
        subtree: Subtree<'_>,
        ranges: &mut Box,
        calls: &dyn Fn(&Box) -> f64,
        of_test: fn(f64, f64) -> f64,
    ) -> (f64, f64) {
        let Node::Test { axis, at, below, at_or_above } = subtree.node() else { return (0.0, calls(ranges)) };
        let whole = ranges[axis].clone();
        ranges[axis] = whole.start..at;
        let below = sum_of(below, ranges, calls, of_test);
        ranges[axis] = at..whole.end;
        let from = sum_of(at_or_above, ranges, calls, of_test);
        ranges[axis] = whole;
        (of_test(below.1, from.1) + below.0 + from.0, below.1 + from.1)
    }
    let everything = Everything::new(map);
    sum_of(tree.root(), &mut everything.whole(), &|whole| everything.weight(whole), of_test).0
}

/// Returns the cost of a test if all tests count.
fn a_test(below: f64, from: f64) -> f64 {
    below + from
}

/// Returns the cost of a test if mispredictions count.
fn mispredictions(below: f64, from: f64) -> f64 {
    below.min(from) + (below + from) / 8.0
}

/// Tries every map of up to nine cells with two methods and empty cells, and of up to six cells with three methods.
#[test]
fn no_small_map_has_a_smaller_tree() {
    let shapes: [(&[usize], usize); 7] =
        [(&[3, 3], 2), (&[2, 4], 2), (&[1, 6], 3), (&[2, 3], 3), (&[3, 2], 3), (&[2, 2, 2], 2), (&[7], 2)];
    for (shape, methods) in shapes {
        let cells: u32 = shape.iter().product::<usize>() as u32;
        // Of the largest family, only every 19th map is tried: neighbours in the enumeration differ in one cell.
        for number in (0..(methods + 1).pow(cells)).step_by(if cells == 9 { 19 } else { 1 }) {
            let digit = |place: u32| number / (methods + 1).pow(place) % (methods + 1);
            let map = map_of(shape, &(0..cells).map(digit).collect::<Vec<_>>(), methods);
            let tree = encode(&map, &Optimal::default());
            let statistics = tree.statistics();
            assert_eq!(statistics.regions, Everything::new(&map).fewest_leaves(), "{:?}", map.cells());
            assert_eq!(statistics.encoding.lower_bound, Some(statistics.regions));
            assert_eq!(statistics.encoding.quality.mismatches, 0, "{:?}", map.cells());
        }
    }
}

/// Two bands have the same decision and are called at different sizes: a test that only separates them avoids
/// mispredictions.
#[test]
fn equal_bands_may_be_separated_by_their_calls() {
    let shape = vec![2, 5];
    let bands =
        Plan { methods: 2, calls: true, ..Plan::new(&shape, Pattern::Bands, 5_075_180_408_201_558_612) };
    let map = bands.map();
    let tree = encode(&map, &Optimal { objective: Objective::Mispredictions, ..Optimal::default() });
    let least = Everything::new(&map).least_sum(mispredictions);
    assert!((sum(&tree, &map, mispredictions) - least).abs() < 1e-9);
}

/// The only method that may run everywhere is best nowhere: a leaf may take it all the same.
#[test]
fn a_method_that_is_best_nowhere_may_join_cells() {
    let axis = Axis::new("comm_size", [4_u64, 6, 8]);
    let powers = Method { requires: vec![Requirement::PowerOfTwo], ..Method::new("powers") };
    let domain = Domain::new(None, vec![axis], vec![Method::new("any"), powers]).unwrap();
    let [any, powers] = [0, 1].map(|index| domain.method_indexes().nth(index).unwrap());
    let map = DecisionMap::new(domain, vec![Some(powers), None, Some(powers)]).unwrap();
    let tree = encode(&map, &Optimal { lambda: Some(0.05), ..Optimal::default() });
    assert_eq!(tree.cells(), [Some(any); 3]);
    let tree = encode(&map, &Optimal { lambda: Some(2.0), ..Optimal::default() });
    assert_eq!(tree.cells(), [Some(powers), None, Some(powers)]);
}

/// Sums of hundredths are equal in any order, and equal to a budget: rounding makes 5.5 + 5.6 + 5.7 more than 16.8.
#[test]
fn a_sum_that_equals_the_budget_is_within_it() {
    let axes = vec![Axis::new("m", [1, 2, 3, 4])];
    let methods = vec![Method::new("first"), Method::new("last")];
    for order in [[0.055, 0.056, 0.057], [0.057, 0.056, 0.055], [0.056, 0.055, 0.057]] {
        let map = DecisionMap::from_costs(axes.clone(), methods.clone(), |point, method| {
            // The first method loses by the order's share at the first three sizes, the last by far at the fourth.
            match (point[0] as usize, method.get()) {
                (4, method) => 1.0 + 9.0 * method as f64,
                (_, 1) => 1.0,
                (size, _) => 1.0 + order[size - 1],
            }
        })
        .unwrap();
        for (mean, regions) in [(4.2, 1), (4.199_999, 2)] {
            let budget = Budget { mean: Some(mean), ..Budget::default() };
            let settings = EncodeSettings { budget, ..EncodeSettings::default() };
            let tree = encode::encode_with(&map, &Optimal::default(), &settings).unwrap();
            assert_eq!(tree.statistics().regions, regions, "{mean} % of {order:?}");
        }
    }
}

/// Ten mismatches of λ = 0.1 cost as much as a leaf, and of equal trees the one with fewer leaves is made.
#[test]
fn mismatches_that_cost_a_leaf_are_a_tie() {
    let cells: Vec<usize> = std::iter::repeat_n(0, 11).chain(std::iter::repeat_n(1, 10)).collect();
    let map = map_of(&[21], &cells, 2);
    let tree = encode(&map, &Optimal { lambda: Some(0.1), ..Optimal::default() });
    assert_eq!(tree.statistics().regions, 1);
    let tree = encode(&map, &Optimal { lambda: Some(0.100_000_1), ..Optimal::default() });
    assert_eq!(tree.statistics().regions, 2);
}

fn small_plans() -> impl Strategy<Value = Plan> {
    let shape = prop_oneof![
        (1..=5_usize, 1..=5_usize).prop_map(|(one, other)| vec![one, other]),
        prop::collection::vec(1..=3_usize, 3),
        (1..=9_usize).prop_map(|len| vec![len]),
    ];
    (shape, plans(2)).prop_map(|(shape, plan)| Plan { shape, methods: plan.methods.min(4), ..plan })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150 / one_in::<u32>(8), ..ProptestConfig::default() })]

    #[test]
    fn every_objective_is_met(plan in small_plans()) {
        let map = plan.map();
        let everything = Everything::new(&map);
        let fewest = encode(&map, &Optimal::default());
        prop_assert_eq!(fewest.statistics().regions, everything.fewest_leaves());
        let shallow = encode(&map, &Optimal { objective: Objective::Depth, ..Optimal::default() });
        prop_assert_eq!(depth(shallow.root()), everything.least_depth());
        let quick = encode(&map, &Optimal { objective: Objective::Tests, ..Optimal::default() });
        prop_assert_eq!(sum(&quick, &map, a_test), everything.least_sum(a_test));
        let predicted = encode(&map, &Optimal { objective: Objective::Mispredictions, ..Optimal::default() });
        let (found, least) = (sum(&predicted, &map, mispredictions), everything.least_sum(mispredictions));
        prop_assert!((found - least).abs() < 1e-9, "{} and not {}", found, least);
        for tree in [&fewest, &shallow, &quick, &predicted] {
            prop_assert_eq!(tree.statistics().encoding.quality.mismatches, 0);
        }
        let least = everything.least_depth();
        let leaves = everything.fewest_leaves_within(&everything.whole(), least);
        prop_assert_eq!(shallow.statistics().regions as f64, leaves);
        let deeper = encode(&map, &Optimal { max_depth: Some(least as u32 + 1), ..Optimal::default() });
        prop_assert!(depth(deeper.root()) <= least + 1);
        let leaves = everything.fewest_leaves_within(&everything.whole(), least + 1);
        prop_assert_eq!(deeper.statistics().regions as f64, leaves);
        if let Some(shallower) = (least as u32).checked_sub(1) {
            let limited = Optimal { max_depth: Some(shallower), ..Optimal::default() };
            let refused = encode::encode(&map, &limited, Borders::Floor).unwrap_err();
            prop_assert!(refused.message.to_string().ends_with(&format!("a depth of at least {least}")), "{}", refused);
        }
    }

    #[test]
    fn leaves_and_mismatches_together_are_least(plan in small_plans(), lambda in 0.05..3.0_f64) {
        let map = plan.map();
        let tree = encode(&map, &Optimal { lambda: Some(lambda), ..Optimal::default() });
        let decisions = tree.cells();
        let wrong = |cell: &usize| {
            map.cells()[*cell].is_some() && !decisions[*cell].is_some_and(|method| map.acceptable_methods(*cell).contains(&method))
        };
        let mismatches: f64 = (0..decisions.len()).filter(wrong).map(|cell| map.weight(cell)).sum();
        let charge = charge(tree.statistics().regions, mismatches, lambda);
        prop_assert_eq!(charge, Everything::new(&map).least_charge(lambda));
    }

    #[test]
    fn a_budget_takes_the_fewest_leaves_that_keep_it(plan in small_plans(), max in 0.0..600.0_f64, mean in 0.0..200.0_f64, both in 0..3) {
        let map = Plan { costs: true, shape: plan.shape.iter().map(|&len| len.min(4)).collect(), ..plan }.map();
        let budget = Budget { max: (both != 1).then_some(max), mean: (both != 0).then_some(mean), ..Budget::default() };
        let settings = EncodeSettings { budget, ..EncodeSettings::default() };
        let measured = (0..map.cells().len()).filter(|&cell| map.cells()[cell].is_some());
        let measured: f64 = measured.map(|cell| map.weight(cell)).sum();
        let most = budget.max.unwrap_or(f64::INFINITY);
        let everything = Everything::new(&map);
        let by_leaves = everything.penalties_by_leaves(most);
        let enough = |penalty: &Option<u64>| penalty.is_some_and(|penalty| budget.mean.is_none_or(|mean| penalty as f64 <= mean * measured));
        let fewest = by_leaves.iter().position(enough).map(|place| place + 1);
        match encode::encode_with(&map, &Optimal::default(), &settings) {
            Ok(tree) => {
                let statistics = tree.statistics();
                prop_assert_eq!(Some(statistics.regions as usize), fewest);
                prop_assert_eq!(statistics.encoding.lower_bound, Some(statistics.regions));
                if let Some(penalty) = &statistics.encoding.quality.penalty {
                    prop_assert!(penalty.max <= most && penalty.unpriced == 0, "{:?}", penalty);
                    prop_assert!(budget.mean.is_none_or(|mean| penalty.mean <= mean), "{:?}", penalty);
                }
            }
            Err(problem) => prop_assert_eq!(fewest, None, "{}", problem),
        }
    }

    #[test]
    fn it_is_never_larger_than_a_quadtree(plan in plans(24)) {
        let map = plan.map();
        let smallest = encode(&map, &Optimal::default()).statistics().regions;
        let quadtree = encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap();
        prop_assert!(smallest <= quadtree.statistics().regions);
    }
}

#[test]
fn a_checkerboard_needs_all_its_squares() {
    let map = Plan::new(&[8, 8], Pattern::Checkerboard, 1).map();
    let tree = encode(&map, &Optimal::default());
    assert_eq!((tree.statistics().regions, tree.statistics().encoding.depth.max), (64, 6));
}

/// If a profile has no calls in some cells, every exact tree costs the same there; the result must still be small.
#[test]
fn cells_that_are_never_called_are_decided_by_a_small_tree() {
    for seed in 0..10 {
        let map = Plan::new(&[9, 14], Pattern::Smooth, seed).map();
        let mut calls = vec![0.0; map.cells().len()];
        calls[9 * seed as usize] = 100.0;
        let map = map.with_calls(Calls::new(calls)).unwrap();
        let fewest = encode(&map, &Optimal::default()).statistics().regions;
        for objective in [Objective::Tests, Objective::Mispredictions] {
            let tree = encode(&map, &Optimal { objective, ..Optimal::default() });
            assert!(tree.statistics().regions <= fewest + fewest / 3, "{objective:?}, {seed}");
        }
    }
}

#[test]
fn one_axis_is_cut_at_once() {
    let map = Plan::new(&[1, 65_536], Pattern::Checkerboard, 1).map();
    for objective in [Objective::Leaves, Objective::Depth] {
        let statistics = encode(&map, &Optimal { objective, ..Optimal::default() }).statistics().clone();
        assert_eq!((statistics.regions, statistics.encoding.depth.max), (65_536, 16));
    }
}

/// A tree that allows errors must not be so shallow that it chooses a method where it may not run.
#[test]
fn limited_trees_place_no_method_where_it_may_not_run() {
    for seed in 0..40 {
        let plan = Plan { requires: true, nulls: 20, methods: 5, ..Plan::new(&[6, 7], Pattern::Noise, seed) };
        let map = plan.map();
        let domain = map.domain();
        for limit in 0..4 {
            let limited = Optimal { max_depth: Some(limit), lambda: Some(0.1), ..Optimal::default() };
            let Ok(tree) = encode::encode(&map, &limited, Borders::Floor) else { continue };
            for (cell, decision) in tree.cells().into_iter().enumerate() {
                assert!(decision.is_none_or(|method| domain.may_run(method, &domain.sizes(cell))));
            }
        }
    }
    // The only method of each half may not run in the other.
    let axes = vec![Axis::new("comm_size", [2, 3])];
    let requires =
        |name: &str, ranks: u64| Method { requires: vec![Requirement::CommSize(ranks)], ..Method::new(name) };
    let domain = Domain::new(None, axes, vec![requires("of two", 2), requires("of three", 3)]).unwrap();
    let indexes: Vec<Option<MethodIndex>> = domain.method_indexes().map(Some).collect();
    let map = DecisionMap::new(domain, indexes).unwrap();
    let limited = Optimal { max_depth: Some(0), lambda: Some(0.1), ..Optimal::default() };
    let refused = encode::encode(&map, &limited, Borders::Floor).unwrap_err().to_string();
    assert!(refused.contains("chooses some method where it may not run"), "{refused}");
}

#[test]
fn too_much_work_is_refused_with_what_to_do_instead() {
    let map = Plan::new(&[40, 40], Pattern::Noise, 1).map();
    let settings = EncodeSettings { search_limit: SearchLimit::BUILD, ..EncodeSettings::default() };
    let refused = encode::encode_with(&map, &Optimal::default(), &settings).unwrap_err().to_string();
    assert!(
        refused.contains("the smallest tree of 40 × 40") && refused.contains("`encoding = \"greedy\"`"),
        "{refused}"
    );
    assert!(refused.contains("`qtdec encode`"), "{refused}");
    let map = Plan::new(&[400, 400], Pattern::Noise, 1).map();
    assert!(encode::encode(&map, &Optimal::default(), Borders::Floor).is_err());
}

/// With a lower search limit, a mean budget is still kept, and the lower bound on the leaves is still correct.
#[test]
fn less_work_keeps_a_mean_budget_too() {
    for seed in 0..3 {
        let map = Plan { costs: true, methods: 4, ..Plan::new(&[12, 13], Pattern::Smooth, seed) }.map();
        for mean in [5.0, 20.0, 40.0] {
            let budget = Budget { mean: Some(mean), ..Budget::default() };
            let regions = |search_limit: SearchLimit| {
                let tree = encode::encode_with(
                    &map,
                    &Optimal::default(),
                    &EncodeSettings { budget, search_limit, ..EncodeSettings::default() },
                );
                let statistics = tree.unwrap().statistics().clone();
                assert!(statistics.encoding.quality.penalty.unwrap().mean <= mean);
                (statistics.regions, statistics.encoding.lower_bound.unwrap())
            };
            let (fewest, proved) = regions(SearchLimit::COMMAND);
            assert_eq!(fewest, proved);
            let (found, bound) = regions(SearchLimit::BUILD);
            assert!(bound <= fewest && fewest <= found, "{bound} {fewest} {found}");
        }
    }
}

/// Hundreds of leaves are proved to be the minimum, because the program over numbers of leaves visits few boxes.
#[test]
fn a_mean_budget_of_hundreds_of_leaves_is_proved() {
    let mut most = 0;
    for seed in 0..2 {
        let map = Plan { costs: true, methods: 12, ..Plan::new(&[20, 20], Pattern::Noise, seed) }.map();
        for mean in [2.0, 10.0] {
            let budget = Budget { mean: Some(mean), ..Budget::default() };
            let settings = EncodeSettings { budget, ..EncodeSettings::default() };
            let tree = encode::encode_with(&map, &Optimal::default(), &settings).unwrap();
            let statistics = tree.statistics();
            assert_eq!(statistics.encoding.lower_bound, Some(statistics.regions), "{seed}, mean {mean}%");
            most = most.max(statistics.regions);
        }
    }
    assert!(most > 200, "{most}");
}

/// A smooth map shrinks, because equal rows and columns are merged.
#[test]
fn large_maps_of_few_regions_are_fast() {
    let map = Plan::new(&[1000, 1000], Pattern::Corner, 1).map();
    assert_eq!(encode(&map, &Optimal::default()).statistics().regions, 3);
}
