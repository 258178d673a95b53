//! Properties of every encoder.

use proptest::prelude::*;
use qtdec_core::encode::{
    self, Budget, C45, EncodeSettings, Encoder, Fill, Greedy, LeafRule, Optimal, Quadtree, Rle, SearchLimit,
    encoders,
};
use qtdec_core::tree::Node;
use qtdec_core::{Axis, Borders, DecisionMap, Document, Domain, Method, MethodIndex};
use qtdec_testkit::maps::{Pattern, Plan, plans};
use qtdec_testkit::proof;
use qtdec_testkit::sample::one_in;

/// The encoders that are exact by default.
const EXACT: [&str; 4] = ["quadtree", "rle", "optimal", "greedy"];

fn exact() -> Vec<Box<dyn Encoder>> {
    let last = Box::new(Quadtree { fill: Fill::Last, ..Quadtree::default() });
    encoders().into_iter().filter(|encoder| EXACT.contains(&encoder.name())).chain([last as _]).collect()
}

/// Returns all encoders with their default options, and quadtrees with each of their options.
fn varied() -> Vec<Box<dyn Encoder>> {
    let quadtree = Quadtree::default();
    let quadtrees = [
        Quadtree { max_depth: Some(2), ..quadtree },
        Quadtree { threshold: 60.0, ..quadtree },
        Quadtree { fill: Fill::Last, ..quadtree },
        Quadtree { max_depth: Some(2), leaf: LeafRule::Cheapest, ..quadtree },
        Quadtree { collapse: true, ..quadtree },
    ];
    encoders().into_iter().chain(quadtrees.map(|quadtree| Box::new(quadtree) as _)).collect()
}

fn regions(map: &DecisionMap, encoder: &dyn Encoder) -> u64 {
    encode::encode(map, encoder, Borders::Floor).unwrap().statistics().regions
}

fn map_of(shape: &[usize], cells: &[usize]) -> DecisionMap {
    let axes = shape.iter().enumerate().map(|(axis, &len)| {
        Axis::new(["comm_size", "msg_size", "ppn"][axis], (1..=len as u64).collect::<Vec<_>>())
    });
    let methods = (0..=*cells.iter().max().unwrap()).map(|index| Method::new(format!("method {index}")));
    let domain = Domain::new(None, axes.collect(), methods.collect()).unwrap();
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    DecisionMap::new(domain, cells.iter().map(|&cell| Some(indexes[cell])).collect()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120 / one_in::<u32>(8), ..ProptestConfig::default() })]

    #[test]
    fn an_exact_tree_is_its_map_for_all_inputs(plan in plans(20)) {
        let map = Plan { nulls: 0, ..plan }.map();
        for encoder in exact() {
            for (_, borders) in Borders::ALL {
                let tree = encode::encode(&map, &*encoder, borders).unwrap();
                prop_assert_eq!(tree.statistics().encoding.quality.mismatches, 0, "{:?}", encoder);
                let block = tree.block();
                for query in proof::queries(map.domain(), &[proof::of_tree(&tree), proof::of_gaps(&tree)], u64::MAX) {
                    let decision = tree.decide(&query);
                    if map.ties().is_none() {
                        prop_assert_eq!(decision, proof::by_map(&map, &tree, &query), "{:?} at {:?}", encoder, &query);
                        if borders != Borders::Crossing {
                            prop_assert_eq!(decision, map.decide(&query, borders), "{:?} at {:?}", encoder, &query);
                        }
                    }
                    prop_assert_eq!(tree.tested(&query), proof::walk(&tree, block, &query), "branches at {:?}", &query);
                }
            }
        }
    }

    #[test]
    fn mismatches_are_the_cells_decided_otherwise(plan in plans(16)) {
        let map = Plan { costs: true, ties: false, ..plan }.map();
        for encoder in varied() {
            let tree = encode::encode(&map, &*encoder, Borders::Floor).unwrap();
            let decided = (0..map.domain().cells()).map(|cell| tree.decide(&map.domain().sizes(cell)));
            let wrong = map.cells().iter().zip(decided).filter(|(best, decided)| best.is_some() && *best != decided);
            prop_assert_eq!(tree.statistics().encoding.quality.mismatches, wrong.count() as u64, "{:?}", encoder);
        }
    }

    #[test]
    fn no_method_is_placed_where_it_may_not_run(plan in plans(10), max in 0.0..300.0_f64) {
        let map = Plan { costs: true, requires: true, nulls: plan.nulls.max(30), ..plan }.map();
        let domain = map.domain();
        for budget in [Budget::default(), Budget { max: Some(max), ..Budget::default() }] {
            for encoder in varied() {
                let tree = encode::encode_with(&map, &*encoder, &EncodeSettings { budget, ..EncodeSettings::default() });
                // Encoders that allow errors are rejected if they exceed the budget.
                let Ok(tree) = tree else {
                    prop_assert!(["c45", "quadtree"].contains(&encoder.name()) && !budget.is_empty());
                    continue;
                };
                for (cell, decision) in tree.cells().into_iter().enumerate() {
                    prop_assert!(decision.is_none_or(|method| domain.may_run(method, &domain.sizes(cell))), "{:?}", encoder);
                    prop_assert!(decision.is_some() || map.cells()[cell].is_none(), "{:?}", encoder);
                }
            }
        }
    }

    #[test]
    fn a_budget_for_every_cell_is_kept_by_all_exact_encoders(plan in plans(14), max in 0.0..300.0_f64) {
        let map = Plan { costs: true, ..plan }.map();
        let budget = Budget { max: Some(max), ..Budget::default() };
        for encoder in exact() {
            let tree = encode::encode_with(&map, &*encoder, &EncodeSettings { budget, ..EncodeSettings::default() }).unwrap();
            if let Some(penalty) = &tree.statistics().encoding.quality.penalty {
                prop_assert!(penalty.max <= max && penalty.unpriced == 0, "{:?} {:?}", encoder, penalty);
            }
        }
    }

    #[test]
    fn a_budget_over_the_baseline_is_kept_in_every_cell(plan in plans(12), most in 0.0..50.0_f64) {
        let map = with_baseline(&Plan { costs: true, ..plan }.map());
        let baseline = map.domain().method_indexes().next().unwrap();
        let costs = map.costs().unwrap();
        let budget = Budget { max: Some(900.0), baseline: Some(most), ..Budget::default() };
        for encoder in encoders() {
            // Encoders that allow errors are rejected if they make any.
            let Ok(tree) = encode::encode_with(&map, &*encoder, &EncodeSettings { budget, ..EncodeSettings::default() }) else {
                prop_assert_eq!(encoder.name(), "c45");
                continue;
            };
            for (cell, decision) in tree.cells().into_iter().enumerate().filter(|(cell, _)| map.cells()[*cell].is_some()) {
                let [chosen, default] = [decision.unwrap(), baseline].map(|method| costs.get(cell, method).unwrap());
                prop_assert!(100.0 * (chosen / default - 1.0) <= most, "{:?}: {} {}", encoder, chosen, default);
            }
        }
    }

    #[test]
    fn other_encoders_count_their_regions_as_leaves(plan in plans(24)) {
        let map = plan.map();
        for encoder in encoders().into_iter().filter(|encoder| encoder.name() != "quadtree") {
            let statistics = encode::encode(&map, &*encoder, Borders::Floor).unwrap().statistics().clone();
            prop_assert_eq!(statistics.encoding.leaves, statistics.regions, "{:?}", encoder);
            prop_assert_eq!(statistics.encoding.nodes, 2 * statistics.regions - 1);
        }
    }

    #[test]
    fn a_written_tree_is_read_back_unchanged(plan in plans(12)) {
        let map = Plan { costs: true, ..plan }.map();
        for encoder in varied() {
            let tree = encode::encode(&map, &*encoder, Borders::Floor).unwrap();
            let again = Document::from_json(tree.to_json().as_bytes()).unwrap().into_tree();
            prop_assert_eq!(again.unwrap(), tree);
        }
    }
}

/// Returns the map with its first method as the baseline.
fn with_baseline(map: &DecisionMap) -> DecisionMap {
    let domain = map.domain();
    let methods = domain.method_indexes().map(|index| {
        let method = domain.method(index).clone();
        Method { baseline: index.get() == 0, ..method }
    });
    let domain = Domain::new(None, domain.axes().to_vec(), methods.collect()).unwrap();
    let costs = map.costs().unwrap().clone();
    DecisionMap::new(domain, map.cells().to_vec()).unwrap().with_costs(costs).unwrap()
}

/// Tests a thousand maps, small enough for the time limit of a test.
#[test]
fn optimal_is_never_larger_than_any_other_exact_tree() {
    let patterns = [Pattern::Noise, Pattern::Bands, Pattern::Smooth, Pattern::Corner, Pattern::Stripes];
    for seed in 0..1000 {
        let shape = [3 + seed as usize % 8, 3 + seed as usize / 8 % 9];
        let plan = Plan::new(&shape, patterns[seed as usize % patterns.len()], seed);
        let plan = Plan { methods: 2 + seed as usize % 5, ties: seed % 3 == 0, nulls: seed % 4 * 10, ..plan };
        let map = plan.map();
        let smallest = regions(&map, &Optimal::default());
        for encoder in exact() {
            assert!(smallest <= regions(&map, &*encoder), "{encoder:?} of {plan:?}");
        }
    }
}

/// Tries twenty prices of a mismatch, on a map in which nearly all cells differ from a neighbour, and on a smooth
/// one.
#[test]
fn no_tree_has_fewer_leaves_and_mismatches_together() {
    for (pattern, seed) in
        [(Pattern::Noise, 1), (Pattern::Smooth, 2), (Pattern::Bands, 3), (Pattern::Checkerboard, 4)]
    {
        let map = Plan { methods: 4, ..Plan::new(&[11, 13], pattern, seed) }.map();
        let charge = |encoder: &dyn Encoder, lambda: f64| {
            let statistics = encode::encode(&map, encoder, Borders::Floor).unwrap().statistics().clone();
            statistics.regions as f64 + lambda * statistics.encoding.quality.mismatches as f64
        };
        let depths = (0..5).map(|depth| Quadtree { max_depth: Some(depth), ..Quadtree::default() });
        let weights = [1, 2, 4, 8, 16].map(|weight| C45 { weight, ..C45::default() });
        let others: Vec<Box<dyn Encoder>> = encoders()
            .into_iter()
            .chain(depths.map(|quadtree| Box::new(quadtree) as Box<dyn Encoder>))
            .chain(weights.map(|c45| Box::new(c45) as Box<dyn Encoder>))
            .collect();
        for step in 1..=20 {
            let lambda = 1.2_f64.powi(step) / 20.0;
            let least = charge(&Optimal { lambda: Some(lambda), ..Optimal::default() }, lambda);
            for other in &others {
                let charge = charge(&**other, lambda);
                assert!(least <= charge + 1e-9, "{lambda}: {least} and {other:?} {charge}");
            }
        }
    }
}

/// Uses tables of a large system in production.
#[test]
fn all_tables_of_frontera_go_through_every_encoder() {
    let maps: Vec<DecisionMap> = include_str!("data/frontera.jsonl")
        .lines()
        .map(|line| Document::from_json(line.as_bytes()).unwrap().into_map().unwrap())
        .collect();
    assert_eq!(maps.len(), 54);
    let mut regions = vec![0; encoders().len()];
    for map in &maps {
        for (encoder, regions) in encoders().iter().zip(&mut regions) {
            let tree = encode::encode(map, &**encoder, Borders::Floor).unwrap();
            let statistics = tree.statistics();
            assert!(statistics.encoding.quality.mismatches == 0 || encoder.name() == "c45", "{encoder:?}");
            *regions += statistics.regions;
        }
    }
    let names: Vec<&str> = encoders().iter().map(|encoder| encoder.name()).collect();
    let of = |name: &str| regions[names.iter().position(|known| *known == name).unwrap()];
    // All of these are exact; C4.5 prunes, and decides some cells wrongly.
    assert_eq!(["optimal", "rle", "quadtree"].map(of), [2392, 2633, 3150]);
    assert!(of("greedy") < 2400 && of("c45") < of("optimal"));
}

/// Counts the rectangles that separate all methods, in an independent way: no tree has fewer leaves, and the smallest
/// has less than twice as many.
#[test]
fn the_smallest_trees_lie_between_proved_bounds() {
    for (seed, pattern) in
        (0..60).zip([Pattern::Noise, Pattern::Smooth, Pattern::Bands, Pattern::Corner].iter().cycle())
    {
        let shape = [2 + seed as usize % 13, 2 + seed as usize % 17];
        let map = Plan { methods: 3, ..Plan::new(&shape, *pattern, seed) }.map();
        let greedy = encode::encode(&map, &Greedy, Borders::Floor).unwrap();
        let bound = greedy.statistics().encoding.lower_bound.unwrap();
        let smallest = regions(&map, &Optimal::default());
        assert!(bound <= smallest && smallest < 2 * bound, "{bound} {smallest}");
        assert!(smallest <= greedy.statistics().regions);
    }
    let with_ties = Plan { ties: true, ..Plan::new(&[9, 9], Pattern::Noise, 1) }.map();
    let greedy = encode::encode(&with_ties, &Greedy, Borders::Floor).unwrap();
    assert_eq!(greedy.statistics().encoding.lower_bound, None);
}

/// A grid of 64 × 64 times with noise, of which the exact tree follows the noise.
#[test]
fn a_greedy_tree_keeps_a_mean_budget_within_the_limit_of_a_compiler() {
    let plan = Plan { costs: true, methods: 4, ..Plan::new(&[64, 64], Pattern::Smooth, 3) };
    let map = plan.map();
    let settings = |mean| EncodeSettings {
        budget: Budget { mean, ..Budget::default() },
        search_limit: SearchLimit::BUILD,
        ..EncodeSettings::default()
    };
    let refused = encode::encode_with(&map, &Optimal::default(), &settings(Some(1.0))).unwrap_err();
    assert!(refused.to_string().contains("`encoding = \"greedy\"`"), "{refused}");
    let mut last = u64::MAX;
    for mean in [0.0, 1.0, 5.0, 20.0, 1000.0] {
        let tree = encode::encode_with(&map, &Greedy, &settings(Some(mean))).unwrap();
        let quality = &tree.statistics().encoding.quality;
        assert!(quality.penalty.as_ref().unwrap().mean <= mean, "{mean}: {quality:?}");
        let regions = tree.statistics().regions;
        assert!(regions <= last, "{mean}: {regions} {last}");
        last = regions;
    }
    assert_eq!(last, 1);
}

/// Uses greedy cuts, with such small boxes that only those near the leaves are solved exactly.
#[test]
fn greedy_trees_are_not_much_larger_than_the_smallest() {
    let limited = EncodeSettings { search_limit: SearchLimit::BUILD, ..EncodeSettings::default() };
    for pattern in [Pattern::Noise, Pattern::Smooth, Pattern::Bands] {
        for seed in 0..4 {
            let map = Plan { methods: 4, ..Plan::new(&[22, 22], pattern, seed) }.map();
            let (smallest, greedy) = (
                regions(&map, &Optimal::default()),
                encode::encode_with(&map, &Greedy, &limited).unwrap().statistics().regions,
            );
            assert!(10 * greedy <= 13 * smallest, "{pattern:?}: {greedy} instead of {smallest}");
        }
    }
}

/// Twenty rows and columns alternate, and a rule file lists each of them.
/// A tie is left to the library: its rule would gain nothing.
#[test]
fn a_leaf_of_equal_methods_takes_the_baseline() {
    let methods = ["a", "b", "c"].map(|name| format!(r#"{{"name": "{name}", "baseline": {}}}"#, name == "b"));
    let map = |costs: &str| {
        let text = format!(
            r#"{{"format": "qtdec-map/1", "axes": [{{"name": "n", "values": [1, 2]}}], "methods": [{}],
                 "cells": [1, 2], "ties": [[0, 1, 2], [0, 1, 2]]{costs}}}"#,
            methods.join(", ")
        );
        let Ok(Document::Map(map)) = Document::from_json(text.as_bytes()) else { panic!("{text}") };
        map
    };
    let equal = r#", "costs": {"statistic": "median", "values": [[4, 3, 2], [2, 3, 4]]}"#;
    let slower = r#", "costs": {"statistic": "median", "values": [[4, 3.5, 2], [2, 3.5, 4]]}"#;
    let mean = Budget { mean: Some(100.0), ..Budget::default() };
    for (costs, budget, expected) in [
        ("", Budget::default(), 1),
        (equal, Budget::default(), 1),
        (slower, Budget::default(), 0),
        (equal, mean, 1),
    ] {
        let (map, settings) = (map(costs), EncodeSettings { budget, ..EncodeSettings::default() });
        let lossy = Optimal { lambda: Some(1.0), ..Optimal::default() };
        for encoder in exact().into_iter().chain([Box::new(lossy) as _]) {
            if budget.mean.is_some() && (!encoder.keeps_mean_budget() || !encoder.changed().is_empty()) {
                continue;
            }
            let tree = encode::encode_with(&map, &*encoder, &settings).unwrap();
            let chosen = tree.decide(&[1]).map(MethodIndex::get);
            assert_eq!((chosen, tree.statistics().regions), (Some(expected), 1), "{encoder:?} {costs}");
        }
    }
}

#[test]
fn run_lengths_follow_the_rows_of_a_rule_file() {
    let cells = [
        0, 0, 1, 1, //
        0, 0, 1, 1, //
        2, 1, 1, 1,
    ];
    let tree = encode::encode(&map_of(&[3, 4], &cells), &Rle, Borders::Floor).unwrap();
    let rules: Vec<String> = tree.regions().iter().map(|region| tree.rule(region)).collect();
    assert_eq!(
        rules,
        [
            "comm_size < 3, msg_size < 3",
            "comm_size < 3, 3 <= msg_size",
            "3 <= comm_size, msg_size < 2",
            "3 <= comm_size, 2 <= msg_size",
        ]
    );
    // Communicator sizes come first, whichever axis they are on.
    let axes = vec![Axis::new("msg_size", [1, 2]), Axis::new("comm_size", [1, 2])];
    let domain = Domain::new(None, axes, vec![Method::new("a"), Method::new("b")]).unwrap();
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    let map = DecisionMap::new(domain, [0, 0, 0, 1].map(|cell| Some(indexes[cell])).to_vec()).unwrap();
    let tree = encode::encode(&map, &Rle, Borders::Floor).unwrap();
    assert!(matches!(tree.root().node(), Node::Test { axis: 1, .. }));
}

#[test]
fn runs_are_separated_by_balanced_cuts() {
    let map = Plan::new(&[1, 1000], Pattern::Checkerboard, 1).map();
    let statistics = encode::encode(&map, &Rle, Borders::Floor).unwrap().statistics().clone();
    assert_eq!((statistics.regions, statistics.encoding.depth.max), (1000, 10));
}

/// A tree never exceeds its budget, whatever the other options are.
#[test]
fn encoders_that_allow_errors_keep_the_budget() {
    let map = Plan { costs: true, methods: 4, ..Plan::new(&[12, 12], Pattern::Smooth, 1) }.map();
    let settings = |max: f64| EncodeSettings {
        budget: Budget { max: Some(max), ..Budget::default() },
        ..EncodeSettings::default()
    };
    let erring: [Box<dyn Encoder>; 4] = [
        Box::new(Quadtree { max_depth: Some(1), ..Quadtree::default() }),
        Box::new(Quadtree { threshold: 50.0, ..Quadtree::default() }),
        Box::new(Optimal { lambda: Some(0.1), ..Optimal::default() }),
        Box::new(C45::default()),
    ];
    for encoder in erring {
        let refused = encode::encode_with(&map, &*encoder, &settings(10.0)).unwrap_err().to_string();
        assert!(refused.contains("% in a cell, and the budget is 10 %"), "{encoder:?}: {refused}");
        assert!(encode::encode_with(&map, &*encoder, &settings(1000.0)).is_ok(), "{encoder:?}");
    }
}

#[test]
fn a_budget_that_an_encoding_cannot_keep_is_refused() {
    let map = Plan { costs: true, ..Plan::new(&[4, 4], Pattern::Noise, 1) }.map();
    let mean = EncodeSettings {
        budget: Budget { mean: Some(5.0), ..Budget::default() },
        ..EncodeSettings::default()
    };
    for encoder in exact() {
        let made = encode::encode_with(&map, &*encoder, &mean);
        assert_eq!(made.is_ok(), ["optimal", "greedy"].contains(&encoder.name()), "{made:?}");
    }
    let without_costs = Plan::new(&[4, 4], Pattern::Noise, 1).map();
    let refused = encode::encode_with(&without_costs, &Optimal::default(), &mean).unwrap_err();
    assert_eq!(refused.message, "a budget needs the costs of the methods");
}
