//! Combined maps decide like the maps they were made from.

use proptest::prelude::*;
use qtdec_core::encode::{
    self, Budget, C45, EncodeSettings, Encoder, Fill, LeafRule, Optimal, Quadtree, encoders,
};
use qtdec_core::map::combine::combine;
use qtdec_core::{Axis, Basis, Borders, Calls, DecisionMap, Domain, Method, MethodIndex};
use qtdec_testkit::maps::{Pattern, Plan};
use qtdec_testkit::proof;

/// Returns the map as that of a collective.
fn renamed(collective: Option<&str>, map: &DecisionMap) -> DecisionMap {
    let domain = map.domain();
    let collective = collective.map(str::to_owned);
    in_domain(map, Domain::new(collective, domain.axes().to_vec(), domain.methods().to_vec()).unwrap())
}

/// Returns the cells of a map in another domain of the same shape.
fn in_domain(map: &DecisionMap, domain: Domain) -> DecisionMap {
    let mut renamed = DecisionMap::new(domain, map.cells().to_vec()).unwrap();
    if let Some(costs) = map.costs() {
        renamed = renamed.with_costs(costs.clone()).unwrap();
    }
    if let Some(ties) = map.ties() {
        renamed = renamed.with_ties(ties.clone()).unwrap();
    }
    renamed
}

fn plan(shape: &[usize], seed: u64) -> Plan {
    Plan { costs: true, methods: 3, ..Plan::new(shape, Pattern::Smooth, seed) }
}

/// Returns the map as that of a collective, with other names for all methods but the first.
fn with_own_methods(collective: &str, map: &DecisionMap) -> DecisionMap {
    let domain = map.domain();
    let own = (1..domain.methods().len()).map(|index| Method::new(format!("own {index}")));
    let methods = domain.methods()[..1].iter().cloned().chain(own).collect();
    in_domain(map, Domain::new(Some(collective.to_owned()), domain.axes().to_vec(), methods).unwrap())
}

/// Returns encoders that allow errors, which put a method into cells where it is not the best.
fn inexact(weight: u32) -> Vec<Box<dyn Encoder>> {
    let quadtree = Quadtree::default();
    let trees = [
        Quadtree { max_depth: Some(0), ..quadtree },
        Quadtree { max_depth: Some(1), leaf: LeafRule::Cheapest, ..quadtree },
        Quadtree { threshold: 30.0, ..quadtree },
        Quadtree { threshold: 60.0, fill: Fill::Last, collapse: true, ..quadtree },
    ];
    let c45 = [2, weight, 1000].map(|weight| C45 { weight, confidence: 1.0, ..C45::default() });
    let mean = Optimal { lambda: Some(0.1), ..Optimal::default() };
    let boxed = trees.into_iter().map(|tree| Box::new(tree) as Box<dyn Encoder>);
    boxed.chain(c45.map(|c45| Box::new(c45) as _)).chain([Box::new(mean) as _]).chain(encoders()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn no_collective_gets_a_method_of_another(
        shapes in [(1..9_usize, 1..9_usize), (1..9_usize, 1..9_usize)],
        seeds in any::<[u64; 2]>(),
        [ties, costs] in any::<[bool; 2]>(),
        nulls in prop_oneof![Just(0_u64), 1..60_u64],
        weight in 2..60_u32,
    ) {
        let shapes = shapes.map(|(rows, columns)| [rows, columns]);
        let [bcast, reduce] = [0, 1].map(|index| Plan { ties, costs, nulls, ..plan(&shapes[index], seeds[index]) }.map());
        let maps = [renamed(Some("bcast"), &bcast), with_own_methods("reduce", &reduce)];
        let combined = combine(&maps).unwrap();
        let known: Vec<Vec<String>> = maps.iter().map(|map| map.domain().methods().iter().map(Method::label).collect()).collect();
        for encoder in inexact(weight) {
            for budget in [Budget::default(), Budget { max: Some(50.0), ..Budget::default() }, Budget { mean: Some(20.0), ..Budget::default() }] {
                let settings = EncodeSettings { budget, ..EncodeSettings::default() };
                // Costs are missing, or errors exceed the budget.
                let Ok(tree) = encode::encode_with(&combined, &*encoder, &settings) else { continue };
                for (cell, decision) in tree.cells().into_iter().enumerate() {
                    let label = combined.domain().sizes(cell)[0] as usize;
                    let Some(method) = decision else {
                        prop_assert!(combined.cells()[cell].is_none(), "{:?}", encoder);
                        continue;
                    };
                    // Nothing is known of a collective without cells.
                    let is_known = maps[label].cells().iter().all(Option::is_none) || known[label].contains(&combined.domain().method(method).label());
                    prop_assert!(is_known, "{:?} gives {} the method {}", encoder, label, combined.domain().method(method).label());
                }
                if let Some(penalty) = &tree.statistics().encoding.quality.penalty {
                    prop_assert_eq!(penalty.unpriced, 0, "{:?}", encoder);
                }
            }
        }
    }

    #[test]
    fn each_collective_is_decided_as_before(
        shapes in [(1..9_usize, 1..9_usize), (1..9_usize, 1..9_usize)],
        seeds in any::<[u64; 2]>(),
        ties in any::<bool>(),
    ) {
        let shapes = shapes.map(|(rows, columns)| [rows, columns]);
        let [bcast, reduce] = [0, 1].map(|index| Plan { ties, ..plan(&shapes[index], seeds[index]) }.map());
        let maps = [renamed(Some("bcast"), &bcast), renamed(Some("reduce"), &reduce)];
        let combined = combine(&maps).unwrap();
        for encoder in encoders().into_iter().filter(|encoder| encoder.name() != "c45") {
            let tree = encode::encode(&combined, &*encoder, Borders::Floor).unwrap();
            prop_assert_eq!(tree.statistics().encoding.quality.mismatches, 0, "{:?}", encoder);
            for (label, map) in maps.iter().enumerate() {
                for query in proof::queries(map.domain(), &[proof::of_map(map, Borders::Floor)], u64::MAX) {
                    let sizes = [&[label as u64], &query[..]].concat();
                    let decision = tree.decide(&sizes).map(|method| combined.domain().method(method).label());
                    let samples: Vec<usize> = map.domain().axes().iter().zip(&query).map(|(axis, &size)| axis.sample_of(size, Borders::Floor)).collect();
                    let right = map.acceptable_methods(samples[0] * map.domain().axes()[1].len() + samples[1]);
                    let right: Vec<String> = right.iter().map(|&method| map.domain().method(method).label()).collect();
                    prop_assert!(decision.is_some_and(|decision| right.contains(&decision)), "{:?} at {:?}", encoder, sizes);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn a_barrier_is_decided_as_before_at_every_message_size(
        (rows, columns, ranks) in (1..9_usize, 1..9_usize, 1..9_usize),
        seeds in any::<[u64; 2]>(),
        [ties, is_first] in any::<[bool; 2]>(),
    ) {
        let bcast = renamed(Some("bcast"), &Plan { ties, ..plan(&[rows, columns], seeds[0]) }.map());
        let barrier = renamed(Some("barrier"), &Plan { ties, ..plan(&[ranks], seeds[1]) }.map());
        let maps = if is_first { [barrier.clone(), bcast] } else { [bcast, barrier.clone()] };
        let combined = combine(&maps).unwrap();
        let label = u64::from(!is_first);
        for encoder in encoders().into_iter().filter(|encoder| encoder.name() != "c45") {
            let tree = encode::encode(&combined, &*encoder, Borders::Floor).unwrap();
            for query in proof::queries(combined.domain(), &[proof::of_map(&combined, Borders::Floor)], u64::MAX) {
                if query[0] != label {
                    continue;
                }
                let decision = tree.decide(&query).map(|method| combined.domain().method(method).label());
                let cell = barrier.domain().axes()[0].sample_of(query[1], Borders::Floor);
                let mut right = barrier.acceptable_methods(cell).iter().map(|&method| barrier.domain().method(method).label());
                prop_assert!(right.any(|right| decision.as_ref() == Some(&right)), "{:?} at {:?}", encoder, query);
            }
        }
    }
}

/// The penalty over all calls equals that of the separate functions, however often the common grid repeats a cell.
#[test]
fn copies_of_cells_do_not_change_penalties() {
    let maps =
        [renamed(Some("bcast"), &plan(&[3, 7], 1).map()), renamed(Some("reduce"), &plan(&[5, 4], 2).map())];
    let combined = combine(&maps).unwrap();
    assert!(combined.domain().cells() > 21 + 20);
    let weight: f64 = (0..combined.domain().cells()).map(|cell| combined.weight(cell)).sum();
    assert_eq!(weight, 21.0 + 20.0);
    let first = combined.domain().method_indexes().next();
    let of_all = |map: &DecisionMap| {
        let decisions: Vec<Option<MethodIndex>> = map.cells().iter().map(|_| first).collect();
        qtdec_core::Penalty::from_decisions(&decisions, map).unwrap().mean
    };
    let apart = (21.0 * of_all(&maps[0]) + 20.0 * of_all(&maps[1])) / 41.0;
    assert!((of_all(&combined) - apart).abs() < 1e-9);
}

/// The calls of a barrier are divided among the message sizes, so that its decisions count at each of them and weigh what they did.
#[test]
fn a_barrier_weighs_the_same_at_every_message_size() {
    let barrier = renamed(Some("barrier"), &plan(&[3], 1).map()).with_calls(Calls::new([1.0, 2.0, 5.0]));
    let bcast = renamed(Some("bcast"), &plan(&[3, 4], 2).map()).with_calls(Calls::new([3.0; 12]));
    let combined = combine(&[bcast.unwrap(), barrier.unwrap()]).unwrap();
    let ranks = combined.domain().axes()[1].len();
    let weights: Vec<f64> = (0..combined.domain().cells()).map(|cell| combined.weight(cell)).collect();
    let (bcast, barrier) = weights.split_at(4 * ranks);
    assert_eq!(bcast.iter().sum::<f64>(), 36.0);
    for sizes in barrier.chunks(4) {
        assert!(sizes.iter().all(|&weight| weight == sizes[0]), "{sizes:?}");
    }
    let nonzero: Vec<f64> = barrier.iter().step_by(4).copied().filter(|&weight| weight > 0.0).collect();
    assert_eq!(nonzero, [0.25, 0.5, 1.25]);
}

/// Two collectives with the same decisions need no test of the collective.
#[test]
fn equal_collectives_are_not_distinguished() {
    let map = plan(&[6, 6], 3).map();
    let [bcast, reduce] = [renamed(Some("bcast"), &map), renamed(Some("reduce"), &map)];
    let combined = combine(&[bcast.clone(), reduce]).unwrap();
    assert!(combined.calls().is_none());
    let regions = |map: &DecisionMap| {
        encode::encode(map, &Optimal::default(), Borders::Floor).unwrap().statistics().regions
    };
    assert_eq!(regions(&combined), regions(&bcast));
}

fn refusal(maps: &[DecisionMap]) -> String {
    combine(maps).unwrap_err().to_string()
}

#[test]
fn incompatible_maps_are_rejected() {
    let map = plan(&[3, 3], 4).map();
    let bcast = renamed(Some("bcast"), &map);
    assert!(refusal(std::slice::from_ref(&bcast)).contains("nothing to combine"));
    assert!(refusal(&[bcast.clone(), bcast.clone()]).contains("two of the maps are of `bcast`"));
    assert!(refusal(&[bcast.clone(), renamed(None, &map)]).contains("map 2 does not name its collective"));
    let cube = renamed(Some("reduce"), &plan(&[2, 2, 2], 5).map());
    let refused = refusal(&[bcast.clone(), cube]);
    assert!(refused.contains("map 2 has 3 axes"), "{refused}");

    let other = |change: &dyn Fn(&mut Vec<Axis>, &mut Vec<Method>)| {
        let (mut axes, mut methods) = (map.domain().axes().to_vec(), map.domain().methods().to_vec());
        change(&mut axes, &mut methods);
        let domain = Domain::new(Some("reduce".to_owned()), axes, methods).unwrap();
        DecisionMap::new(domain, map.cells().to_vec()).unwrap()
    };
    let without_costs = other(&|_, _| ());
    assert!(refusal(&[bcast.clone(), without_costs]).contains("`bcast` has `costs`, unlike `reduce`"));
    let of_blocks = other(&|axes, _| axes[1].basis = Some(Basis::Block));
    assert!(refusal(&[bcast.clone(), of_blocks]).contains("differ"));
    let reversed = other(&|axes, _| axes.reverse());
    assert!(refusal(&[bcast.clone(), reversed]).contains("the axes of `bcast` and `reduce` differ"));
    let of_sizes = plan(&[1, 3], 6).map();
    let axes = of_sizes.domain().axes()[1..].to_vec();
    let domain = Domain::new(Some("reduce".to_owned()), axes, of_sizes.domain().methods().to_vec()).unwrap();
    let of_sizes = DecisionMap::new(domain, of_sizes.cells().to_vec()).unwrap();
    let of_ranks = renamed(Some("barrier"), &plan(&[3], 6).map());
    // No map has both axes.
    assert!(refusal(&[of_sizes, of_ranks]).contains("the axes of `reduce` and `barrier` differ"));
    let renumbered = other(&|_, methods| methods[0].id = Some(7));
    assert!(
        refusal(&[bcast.clone(), renumbered])
            .contains("`method 0` has a different `id` in `reduce` than in `bcast`")
    );
    let called = renamed(Some("reduce"), &map).with_calls(Calls::new([1.0; 9])).unwrap();
    assert!(refusal(&[bcast, called]).contains("`reduce` has `calls`, unlike `bcast`"));
}

/// Returns the map of a collective without costs, whose methods have these letters as names.
fn of_letters(collective: &str, axes: Vec<Axis>, letter: impl Fn(usize) -> usize) -> DecisionMap {
    let domain =
        Domain::new(Some(collective.to_owned()), axes, ["x", "a", "b"].map(Method::new).to_vec()).unwrap();
    let methods: Vec<MethodIndex> = domain.method_indexes().collect();
    let cells = (0..domain.cells()).map(|cell| Some(methods[letter(cell)])).collect();
    DecisionMap::new(domain, cells).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn c45_weighs_a_barrier_as_one_case(letters in prop::collection::vec(1..3_usize, 12..30)) {
        let ranks = Axis::new("comm_size", (1..=letters.len() as u64).collect::<Vec<_>>());
        let barrier = of_letters("barrier", vec![ranks.clone()], |cell| letters[cell]);
        let bcast = of_letters("bcast", vec![ranks, Axis::new("msg_size", [1, 2, 3, 4, 5, 6])], |_| 0);
        let both = combine(&[bcast, barrier.clone()]).unwrap();
        let c45 = C45::default();
        let leaves = |map: &DecisionMap| encode::encode(map, &c45, Borders::Floor).unwrap().statistics().encoding.leaves;
        prop_assert_eq!(leaves(&both), leaves(&barrier) + 1);
    }

    #[test]
    fn c45_answers_a_barrier_by_its_ranks_alone(
        seeds in any::<[u64; 2]>(),
        (rows, columns) in (4..12_usize, 2..9_usize),
        [costs, is_first] in any::<[bool; 2]>(),
    ) {
        let bcast = renamed(Some("bcast"), &Plan { costs, ..plan(&[rows, columns], seeds[0]) }.map());
        let barrier = renamed(Some("barrier"), &Plan { costs, ..plan(&[rows], seeds[1]) }.map());
        let combined = combine(&if is_first { [barrier, bcast] } else { [bcast, barrier] }).unwrap();
        for weight in [1, 2, 5] {
            let c45 = C45 { weight, ..C45::default() };
            let cells = encode::encode(&combined, &c45, Borders::Floor).unwrap().cells();
            let half = cells.len() / 2;
            let of_barrier = if is_first { &cells[..half] } else { &cells[half..] };
            for answers in of_barrier.chunks(combined.domain().axes()[2].len()) {
                prop_assert!(answers.iter().all(|answer| *answer == answers[0]), "{:?}", answers);
            }
        }
    }
}
