//! Rankings and maps of predicted times.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use qtdec_core::Document;
use qtdec_core::map::DecisionMap;
use qtdec_mpi_predict::models::{self, Form};
use qtdec_mpi_predict::network::{Between, Description, Network, Placement, Point, Unit, shipped};
use qtdec_mpi_predict::predict::{
    MapError, Method, Predictor, Size, TimeSource, map, map_searched, measured, paired, rows,
};
use qtdec_mpi_predict::simulate::{self, Noise, Simulator};
use qtdec_mpi_predict::trust;
use qtdec_mpi_schedule::{Collective, Request};
use qtdec_mpi_schedule::{Variant, find};
use qtdec_testkit::sample::one_in;

fn network() -> Network {
    shipped("icluster-2").unwrap()
}

fn predictor(network: &Network, time_source: TimeSource) -> Predictor<'_> {
    let names = ["linear", "pipeline", "binary", "binomial"].map(str::to_owned);
    Predictor::new(network, Collective::Bcast, time_source, &names).unwrap()
}

const TIME_SOURCES: [TimeSource; 3] =
    [TimeSource::Formula(Form::Printed), TimeSource::Formula(Form::Exact), TimeSource::Simulated];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn rankings_are_in_order_and_whole(comm_size in 2..20_u32, msg_size in 0..200_000_u64, segment in 1000..300_000_u64) {
        let network = network();
        for time_source in TIME_SOURCES {
            let found = predictor(&network, time_source).ranking(Size { comm_size, msg_size }, &[segment]);
            prop_assert!(found.is_sorted_by(|one, other| one.seconds <= other.seconds));
            let cut = found.iter().filter(|prediction| prediction.method.segment_size.is_some()).count();
            // The paper has no formula for a segmented binary tree.
            let segmented = if time_source == TIME_SOURCES[0] { 3 } else { 4 };
            // A message that is nearly empty has no schedule to cut, and one that fits into a segment is not cut.
            prop_assert_eq!(cut, if segment < msg_size { segmented } else { 0 });
            prop_assert_eq!(found.len() - cut, 4);
        }
    }

    #[test]
    fn a_search_is_no_worse_than_any_power_of_two(comm_size in 2..40_u32, msg_size in 64..2_000_000_u64) {
        let network = network();
        let predictor = predictor(&network, TimeSource::Formula(Form::Exact));
        let size = Size { comm_size, msg_size };
        let best = predictor.search(size)[0].seconds;
        let halves: Vec<u64> = (0..21).map(|halvings| msg_size >> halvings).filter(|&segment| segment > 0).collect();
        prop_assert!(best <= predictor.ranking(size, &halves)[0].seconds);
    }
}

#[test]
fn maps_hold_the_times_of_rankings_and_their_winners() {
    let network = network();
    for time_source in TIME_SOURCES {
        let mut predictor = predictor(&network, time_source);
        predictor.threads = NonZero::new(3).unwrap();
        let done = AtomicUsize::new(0);
        let (ranks, bytes, segments) = ([2, 7, 16], [1, 1000, 65_536], [512, 8192]);
        let map = map(&predictor, &ranks, &bytes, &segments, || {
            done.fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
        assert!(done.into_inner() > 0);
        for (cell, method) in map.cells().iter().enumerate() {
            let size = Size { comm_size: ranks[cell / 3] as u32, msg_size: bytes[cell % 3] };
            let best = &predictor.ranking(size, &segments)[0];
            let method = method.unwrap();
            let found = map.domain().method(method);
            assert_eq!((&*found.name, found.segment_size), (best.method.algorithm, best.method.segment_size));
            let cost = map.costs().unwrap().get(cell, method).unwrap();
            assert!((cost - best.seconds * 1e6).abs() < 1e-6);
        }
        // Every other part of the project can read the written map.
        let again = read(&map.to_json());
        assert_eq!(again.cells(), map.cells());
        assert!(again.source().unwrap().contains("icluster-2"));
    }
}

#[test]
fn predictions_agree_with_themselves() {
    let network = network();
    let predictor = predictor(&network, TimeSource::Formula(Form::Exact));
    let map = map(&predictor, &[2, 4, 8, 16], &[1, 100, 10_000, 1_000_000], &[1024], || ()).unwrap();
    let pair = paired(&predictor, &map, &BTreeMap::new()).unwrap();
    assert!(pair.unknown.is_empty());
    let found = trust::compare(&pair.predicted, &pair.measured);
    assert_eq!((found.points, found.agree), (16, 16));
    assert!(found.errors.unwrap().percentile_90 < 1e-9);
    assert_eq!(rows(&map).unwrap().len(), pair.measured.times.iter().flatten().count());
    // This map has methods without formulas.
    let simulated =
        Predictor::new(&network, Collective::Bcast, TimeSource::Simulated, &["two_tree".to_owned()]).unwrap();
    let foreign = of_four_cells(&simulated);
    assert_eq!(paired(&predictor, &foreign, &BTreeMap::new()).unwrap().unknown, [0]);
}

/// A composition is a method of a map like any other: by its name, and compared with itself.
#[test]
fn compositions_are_methods() {
    let network = shipped("grid-2x16").unwrap();
    let predictor = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        Predictor::new(&network, Collective::Bcast, TimeSource::Simulated, &names)
    };
    let name = "two_level:inter=binomial/8192:intra=pipeline/4096";
    let composed = predictor(&["binomial", name]).unwrap();
    let map = map(&composed, &[8, 32], &[1000, 1 << 20], &[8192], || ()).unwrap();
    let labels: Vec<String> = map.domain().methods().iter().map(qtdec_core::Method::label).collect();
    assert_eq!(labels, ["binomial", "binomial/8192", name]);
    let best = map.cells()[3].map(|method| map.domain().method(method).label());
    assert_eq!(best.as_deref(), Some(name));
    // A single cluster has no levels.
    assert_eq!(map.costs().unwrap().get(0, map.domain().find_method(name).unwrap()), None);
    let pair = paired(&predictor(&["binomial"]).unwrap(), &map, &BTreeMap::new()).unwrap();
    assert!(pair.unknown.is_empty());
    assert_eq!(trust::compare(&pair.predicted, &pair.measured).agree, 4);
    let said = predictor(&["two_level:inter=binomial/8K:intra=linear"]).unwrap_err();
    assert!(said.contains("`8K` is not a number of bytes"), "{said}");
    let exact =
        Predictor::new(&network, Collective::Bcast, TimeSource::Formula(Form::Exact), &[name.to_owned()]);
    assert!(exact.unwrap_err().ends_with("try --form simulated"));
    // The map of a search names the compositions that are the best somewhere.
    let all = predictor(&[]).unwrap();
    let searched = map_searched(&all, &[32], &[65_536], || ()).unwrap();
    let best = all.search(Size { comm_size: 32, msg_size: 65_536 }).swap_remove(0).method;
    assert!(best.levels.is_some(), "{best:?}");
    let chosen = searched.cells()[0].map(|method| searched.domain().method(method).name.clone());
    assert_eq!(chosen, Some(best.name()));
}

/// Nodes that have the ranks in turn exchange the messages of a composition in the same time as nodes of consecutive ranks, those of other
/// algorithms not.
#[test]
fn nodes_have_ranks_in_turn() {
    let within = Description::new(
        Unit::Microseconds,
        1.0,
        [(1, 1.0), (1 << 20, 300.0)]
            .map(|(bytes, gap)| Point { bytes, gap, send: 0.0, receive: 0.0 })
            .to_vec(),
    );
    let points = within.points.iter().map(|point| Point { gap: 10.0 * point.gap, ..*point }).collect();
    let between = Some(Between { cluster_sizes: vec![4], latency: 30.0, points });
    let consecutive = Description { ranks_per_node: 4, between, ..within };
    let cyclic = Description { placement: Placement::Cyclic, ..consecutive.clone() };
    let names = ["binomial", "pipeline", "multirail", "two_level:inter=binomial:intra=pipeline/1024"];
    let times = |description| {
        let network = Network::new(description).unwrap();
        let names = names.map(str::to_owned);
        let predictor = Predictor::new(&network, Collective::Bcast, TimeSource::Simulated, &names).unwrap();
        let methods = predictor.methods(&[]);
        // With 14 ranks, the last node is not full, and a node in turn has three or four.
        let calls: Vec<(&Method, Size)> = [16, 14]
            .into_iter()
            .flat_map(|comm_size| {
                methods.iter().map(move |method| (method, Size { comm_size, msg_size: 9000 }))
            })
            .collect();
        let times = predictor.times(&calls, || ());
        times.into_iter().collect::<Option<Vec<f64>>>().unwrap()
    };
    let (consecutive, cyclic) = (times(consecutive), times(cyclic));
    assert_eq!(consecutive[3], cyclic[3]);
    assert!(consecutive[..2].iter().zip(&cyclic).all(|(near, far)| near < far), "{consecutive:?} {cyclic:?}");
}

/// Clusters of nodes of several ranks have three levels: of the segments of a broadcast, one of each enters a cluster and a node.
#[test]
fn compositions_have_three_levels() {
    let mut description = shipped("grid-2x16").unwrap().description().clone();
    let name = "two_level:inter=linear:intra=two_level:inter=pipeline/1024:intra=pipeline/1024".to_owned();
    let times = |description: &Description| {
        let network = Network::new(description.clone()).unwrap();
        let names = [name.clone(), "two_level:inter=linear:intra=pipeline/1024".to_owned()];
        let predictor = Predictor::new(&network, Collective::Bcast, TimeSource::Simulated, &names).unwrap();
        let methods = predictor.methods(&[]);
        let size = Size { comm_size: 32, msg_size: 16_384 };
        predictor.times(&[(&methods[0], size), (&methods[1], size)], || ())
    };
    // Nodes of one rank: nothing is sent within them, and the two levels that are left are those of the other composition.
    let [three, two] = times(&description)[..] else { panic!("two methods") };
    assert!(three.is_some() && three == two, "{three:?} {two:?}");
    description.ranks_per_node = 4;
    let [three, two] = times(&description)[..] else { panic!("two methods") };
    assert!(three.is_some() && two.is_some() && three != two, "{three:?} {two:?}");
    // A single cluster has no three levels.
    description.between = None;
    assert_eq!(times(&description)[0], None);
}

/// Above the eager limit, Open MPI waits for a handshake after each segment; our own pipeline does not.
#[test]
fn what_a_library_waits_for_is_simulated_for_its_times() {
    let mut network = network().description().clone();
    network.eager_limit = Some(100);
    let network = Network::new(network).unwrap();
    let names = ["pipeline".to_owned()];
    let predictor = Predictor::new(&network, Collective::Bcast, TimeSource::Simulated, &names).unwrap();
    let own = map(&predictor, &[2], &[65_536], &[8192], || ()).unwrap();
    let of = |library: &str| {
        let source = format!("{{ \"times\": {{ \"library\": \"{library}\" }} }}");
        let map = own.clone().with_source(source).unwrap();
        paired(&predictor, &map, &BTreeMap::new()).unwrap().predicted.times
    };
    let (unnamed, mpich, open_mpi) = (of("other 1"), of("MPICH 4.0.2"), of("Open MPI 4.1.4"));
    assert_eq!(unnamed, mpich);
    // The message without segments takes as long; each of the eight segments waits for a request and a reply.
    assert_eq!(unnamed[0], open_mpi[0]);
    let [Some(own), Some(open_mpi)] = [unnamed[1], open_mpi[1]] else { panic!("both are simulated") };
    let latency = network.description().latency * network.description().unit.seconds();
    assert!(open_mpi > own + 7.0 * 2.0 * latency, "{open_mpi} and {own}");
}

fn read(text: &str) -> DecisionMap {
    Document::from_json(text.as_bytes()).unwrap().into_map().unwrap()
}

fn of_four_cells(predictor: &Predictor<'_>) -> DecisionMap {
    map(predictor, &[2, 4], &[8, 100], &[], || ()).unwrap()
}

#[test]
fn what_cannot_be_predicted_is_refused() {
    let network = network();
    let exact = predictor(&network, TimeSource::Formula(Form::Exact));
    let refused = |ranks: &[u64], bytes: &[u64]| match map(&exact, ranks, bytes, &[], || ()) {
        Err(MapError::Map(problems)) => problems.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        refused(&[1, 2], &[1]),
        "a collective of fewer than 2 ranks takes no time; start with 2 ranks"
    );
    let many: Vec<u64> = (2..60_000).collect();
    assert!(refused(&many, &many).contains(" exceed the maximum of 1048576 times"));
    assert!(refused(&[4, 2], &[1]).starts_with("axes[0].values"), "{}", refused(&[4, 2], &[1]));
    let direct = Predictor::new(
        &network,
        Collective::Alltoall,
        TimeSource::Formula(Form::Exact),
        &["direct".to_owned()],
    );
    assert!(matches!(map(&direct.unwrap(), &[2], &[1], &[], || ()), Err(MapError::NoTimes)));
    let text = r#"{ "format": "qtdec-map/1", "axes": [{ "name": "x", "values": [1] }], "methods": [{ "name": "a" }], "cells": [0] }"#;
    assert!(says(measured(&read(text)), "the map has no costs"));
    let simulated = predictor(&network, TimeSource::Simulated);
    // With more ranks than a schedule may have, there is no time and no panic.
    let size = Size { comm_size: u32::MAX, msg_size: 8 };
    assert_eq!(simulated.ranking(size, &[]), []);
}

fn says<T>(result: Result<T, String>, expected: &str) -> bool {
    result.is_err_and(|error| error.contains(expected))
}

#[test]
fn measurements_of_another_collective_are_not_compared() {
    let network = network();
    let exact = predictor(&network, TimeSource::Formula(Form::Exact));
    let text = of_four_cells(&exact).to_json();
    let collective = "\"collective\": \"bcast\",";
    assert!(text.contains(collective));
    let of = |other: &str| read(&text.replace(collective, other));
    let reduce = paired(&exact, &of("\"collective\": \"reduce\","), &BTreeMap::new());
    assert!(says(reduce, "the times are of reduce, but predictions are for bcast"));
    // A map that does not name its collective can be of any.
    assert!(paired(&exact, &of(""), &BTreeMap::new()).is_ok());
}

#[test]
fn nothing_to_send_takes_no_time_in_any_way() {
    let network = network();
    for collective in [Collective::Bcast, Collective::Reduce, Collective::Scatter, Collective::Gather] {
        for time_source in TIME_SOURCES
            .into_iter()
            .filter(|time_source| *time_source != TIME_SOURCES[0] || collective != Collective::Reduce)
        {
            let predictor = Predictor::new(&network, collective, time_source, &[]).unwrap();
            for size in [Size { comm_size: 6, msg_size: 0 }, Size { comm_size: 1, msg_size: 4096 }] {
                let found = predictor.ranking(size, &[]);
                assert!(!found.is_empty());
                assert!(
                    found.iter().all(|found| found.seconds == 0.0),
                    "{collective} {time_source:?} {size:?}"
                );
            }
            let empty = map(&predictor, &[2, 4], &[0], &[], || ());
            assert!(matches!(empty, Err(MapError::NoTimes)));
        }
    }
}

#[test]
fn times_that_no_map_can_hold_are_refused() {
    let network = |unit: &str| {
        let text = format!(
            r#"{{ "format": "qtdec-network/1", "unit": "{unit}", "latency": 1e80, "contention": 1e10,
            "points": [{{ "bytes": 1, "gap": 1e-100 }}, {{ "bytes": 2, "gap": 1e80 }}] }}"#
        );
        Network::from_json(text.as_bytes()).unwrap()
    };
    let large = Size { comm_size: u32::MAX, msg_size: u64::MAX };
    let small = Size { comm_size: 8, msg_size: 2 };
    for (time_source, reason) in [
        (TIME_SOURCES[0], "above 1e100 microseconds"),
        (TIME_SOURCES[1], "above 1e100"),
        (TIME_SOURCES[2], "longer than"),
    ] {
        let network = network("s");
        let predictor = predictor(&network, time_source);
        let size = if time_source == TimeSource::Simulated { small } else { large };
        assert_eq!(predictor.ranking(size, &[]), []);
        let found = predictor.refusal(&predictor.methods(&[])[0], size).unwrap();
        assert!(found.contains(reason), "{found}");
    }
    for time_source in TIME_SOURCES.into_iter().filter(|source| *source != TimeSource::Simulated) {
        let network = network("us");
        let predictor = predictor(&network, time_source);
        assert!(!predictor.ranking(small, &[1]).is_empty());
        let map = map(&predictor, &[2, 8], &[2, 1000], &[], || ()).unwrap();
        assert!(map.costs().unwrap().get(0, map.domain().method_indexes().next().unwrap()).unwrap() <= 1e100);
    }
}

#[test]
fn a_searched_map_has_the_best_segment_of_every_cell() {
    let network = network();
    let predictor = predictor(&network, TimeSource::Formula(Form::Exact));
    let (ranks, bytes) = ([4, 16], [1000, 65_536]);
    let map = map_searched(&predictor, &ranks, &bytes, || ()).unwrap();
    for (cell, method) in map.cells().iter().enumerate() {
        let size = Size { comm_size: ranks[cell / 2] as u32, msg_size: bytes[cell % 2] };
        let best = predictor.search(size)[0].seconds;
        let cost = map.costs().unwrap().get(cell, method.unwrap()).unwrap();
        assert!(cost <= best * 1e6 + 1e-6, "{cost} {best}");
    }
}

#[test]
fn methods_may_go_by_other_names_and_sizes_must_be_of_one_kind() {
    let network = network();
    let exact = predictor(&network, TimeSource::Formula(Form::Exact));
    let text = of_four_cells(&exact).to_json().replace("\"pipeline\"", "\"chain-of-ranks\"");
    let renamed = read(&text);
    assert_eq!(paired(&exact, &renamed, &BTreeMap::new()).unwrap().unknown.len(), 1);
    let names = |name: &str| BTreeMap::from([(name.to_owned(), "pipeline".to_owned())]);
    assert!(paired(&exact, &renamed, &names("chain-of-ranks")).unwrap().unknown.is_empty());
    assert!(says(
        paired(&exact, &renamed, &names("chain")),
        "the map has no method `chain`; its methods are "
    ));
    let open_mpi = read(&of_four_cells(&exact).to_json().replace("\"linear\"", "\"basic_linear\""));
    assert!(open_mpi.to_json().contains("basic_linear"));
    let (found, same) = (
        paired(&exact, &open_mpi, &BTreeMap::new()),
        paired(&exact, &of_four_cells(&exact), &BTreeMap::new()),
    );
    assert_eq!(found, same);
    let other = read(&text.replace("\"buffer\"", "\"total\""));
    let basis = "the basis total, but predictions need the basis buffer";
    assert!(says(paired(&exact, &other, &BTreeMap::new()), basis));
}

/// The best multiple of the search's step, and whole messages.
fn exhaustive(predictor: &Predictor<'_>, size: Size, step: u64) -> f64 {
    let all: Vec<u64> = (1..size.msg_size.div_ceil(step)).map(|count| count * step).collect();
    predictor
        .ranking(size, &all)
        .into_iter()
        .filter(|found| found.method.segment_size.is_some())
        .map(|found| found.seconds)
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn searches_find_the_best_segment_or_a_local_minimum_close_to_it() {
    for (time_source, step) in [(TimeSource::Formula(Form::Exact), 1), (TimeSource::Simulated, 64)] {
        let (mut cases, mut best, mut worst) = (0, 0, 1.0_f64);
        for name in ["icluster-2", "grig"] {
            let network = shipped(name).unwrap();
            for algorithm in ["pipeline", "binary", "split_binary", "binomial"] {
                let predictor =
                    Predictor::new(&network, Collective::Bcast, time_source, &[algorithm.to_owned()])
                        .unwrap();
                for comm_size in [3, 13] {
                    for msg_size in [1000, 4096, 6000] {
                        let size = Size { comm_size, msg_size };
                        let found = predictor.search(size);
                        let found = found.iter().find(|found| found.method.segment_size.is_some()).unwrap();
                        let segment = found.method.segment_size.unwrap();
                        let near: Vec<u64> = [segment - step, segment + step]
                            .into_iter()
                            .filter(|&near| near > 0 && near < msg_size)
                            .collect();
                        let neighbours = predictor
                            .ranking(size, &near)
                            .into_iter()
                            .filter(|near| near.method.segment_size.is_some());
                        assert!(
                            neighbours.into_iter().all(|near| near.seconds >= found.seconds),
                            "{name} {algorithm} {size:?}"
                        );
                        let ratio = found.seconds / exhaustive(&predictor, size, step);
                        cases += 1;
                        best += u32::from(ratio <= 1.0);
                        worst = worst.max(ratio);
                    }
                }
            }
        }
        // The time is not convex in the size: some climbs end in a local minimum.
        assert!(best * 2 > cases && worst < 1.05, "{time_source:?}: {best} of {cases}, {worst}");
    }
}

/// Every radix is tried where that is possible, and the best one found is the best or close to it.
#[test]
fn searches_find_the_best_radix_or_one_close_to_it() {
    let (mut cases, mut best, mut worst, mut radices) = (0, 0, 1.0_f64, BTreeSet::new());
    let networks = ["icluster-2", "grig", "frodo"].map(|name| shipped(name).unwrap());
    for network in networks.into_iter().step_by(one_in(2)) {
        for time_source in [TimeSource::Formula(Form::Exact), TimeSource::Simulated] {
            for algorithm in ["knomial", "dary"] {
                let names = [algorithm.to_owned()];
                let predictor = Predictor::new(&network, Collective::Bcast, time_source, &names).unwrap();
                for comm_size in [2, 3, 13, 40, 64] {
                    for msg_size in [1, 6000] {
                        let size = Size { comm_size, msg_size };
                        let time = |method: &Method| {
                            predictor.times(&[(method, size)], || ())[0].unwrap_or(f64::INFINITY)
                        };
                        let segments: Vec<Option<u64>> =
                            [None].into_iter().chain((6..13).map(|power| Some(1 << power))).collect();
                        let of_radix = |radix| {
                            let with = |&segment_size: &Option<u64>| {
                                time(&Method { radix: Some(radix), ..Method::new(algorithm, segment_size) })
                            };
                            segments.iter().map(with).fold(f64::INFINITY, f64::min)
                        };
                        let least = (2..=comm_size).map(of_radix).fold(f64::INFINITY, f64::min);
                        let found = &predictor.search(size)[0];
                        assert_eq!(found.seconds, time(&found.method));
                        let ratio = found.seconds / least;
                        cases += 1;
                        best += u32::from(ratio <= 1.0);
                        worst = worst.max(ratio);
                        radices.insert(found.method.radix.unwrap());
                    }
                }
            }
        }
    }
    assert!(best * 10 > cases * 9 && worst < 1.02, "{best} of {cases}, {worst}");
    assert!(radices.len() > 4, "{radices:?}");
}

#[test]
fn a_searched_map_names_the_radix_and_its_names_are_understood() {
    let network = network();
    for time_source in [TimeSource::Formula(Form::Exact), TimeSource::Simulated] {
        let names = ["linear", "knomial", "dary"].map(str::to_owned);
        let predictor = Predictor::new(&network, Collective::Bcast, time_source, &names).unwrap();
        let (ranks, bytes) = ([4, 48], [1, 65_536]);
        let map = map_searched(&predictor, &ranks, &bytes, || ()).unwrap();
        let mut of_radix = 0;
        for (cell, method) in map.cells().iter().enumerate() {
            let size = Size { comm_size: ranks[cell / 2] as u32, msg_size: bytes[cell % 2] };
            let best = predictor.search(size).remove(0);
            let chosen = map.domain().method(method.unwrap());
            let cost = map.costs().unwrap().get(cell, method.unwrap()).unwrap();
            assert!(cost <= best.seconds * 1e6 + 1e-6, "{cost} {best:?}");
            of_radix += usize::from(chosen.name.contains(":radix="));
        }
        assert!(of_radix > 1, "{of_radix}");
        let known = |method: &qtdec_core::Method| !["knomial", "dary"].contains(&&*method.name);
        assert!(map.domain().methods().iter().all(known), "every radix is named");
        let pair = paired(&predictor, &map, &BTreeMap::new()).unwrap();
        assert!(pair.unknown.is_empty());
        for (predicted, measured) in pair.predicted.times.iter().zip(&pair.measured.times) {
            assert_eq!(predicted.is_some(), measured.is_some());
            let near = |(one, other): (&f64, &f64)| (one / other - 1.0).abs() < 1e-9;
            assert!(predicted.iter().zip(measured).all(near), "{predicted:?} {measured:?}");
        }
    }
}

/// Segments of whole elements, the best of all such sizes where the times have one minimum.
#[test]
fn searches_keep_elements_whole() {
    let network = network();
    let size = Size { comm_size: 12, msg_size: 100_000 };
    for time_source in TIME_SOURCES {
        for element in [8, 24, 1000] {
            let mut predictor = predictor(&network, time_source);
            predictor.element_size = NonZero::new(element).unwrap();
            let segments: Vec<u64> =
                predictor.search(size).into_iter().filter_map(|found| found.method.segment_size).collect();
            assert!(!segments.is_empty());
            assert!(segments.iter().all(|segment| segment.is_multiple_of(element)), "{element} {segments:?}");
        }
    }
    let mut predictor = predictor(&network, TimeSource::Simulated);
    predictor.element_size = NonZero::new(1000).unwrap();
    let map = map_searched(&predictor, &[12], &[100_000], || ()).unwrap();
    assert!(map.source().unwrap().contains("\"element_size\": 1000"), "{:?}", map.source());
}

/// Barchet-Estefanel and Mounié, Table 3, by hand: three peers, g = 5 + 0.01 m, os and or, and the latency.
#[test]
fn an_all_to_all_has_printed_bounds() {
    let point = |bytes: u64, gap| Point { bytes, gap, send: 2.0, receive: 3.0 };
    let description = Description::new(Unit::Microseconds, 50.0, vec![point(1, 5.01), point(1001, 15.01)]);
    let network = Network::new(description).unwrap();
    let size = Size { comm_size: 4, msg_size: 501 };
    let of = |collective, time_source| {
        Predictor::new(&network, collective, time_source, &[]).unwrap().printed_bounds(size)
    };
    let (lower, upper) = of(Collective::Alltoall, TimeSource::Formula(Form::Printed)).unwrap();
    assert!((lower * 1e6 - (3.0 * 2.0 + 3.0 * 3.0 + 50.0)).abs() < 1e-9, "{lower}");
    assert!((upper * 1e6 - (3.0 * 10.01 + 3.0 * 3.0 + 50.0)).abs() < 1e-9, "{upper}");
    assert_eq!(of(Collective::Alltoall, TimeSource::Simulated), None);
    assert_eq!(of(Collective::Bcast, TimeSource::Formula(Form::Printed)), None);
}

/// A network with clusters says so: multirail crosses between them once, also if they are of different sizes.
#[test]
fn multirail_knows_the_clusters_of_the_network() {
    let network = shipped("grid-2x16").unwrap();
    let names = ["multirail".to_owned()];
    let mut description = network.description().clone();
    description.between.as_mut().unwrap().cluster_sizes = vec![8, 16, 4];
    let unequal = Network::new(description).unwrap();
    let (segment, bytes) = (64 << 10, 16 << 20);
    let predicted = |network: &Network, comm_size| {
        let predictor = Predictor::new(network, Collective::Bcast, TimeSource::Simulated, &names).unwrap();
        let found = predictor.ranking(Size { comm_size, msg_size: bytes }, &[segment]);
        found.into_iter().find(|found| found.method.segment_size == Some(segment)).unwrap().seconds
    };
    let simulated = |network: &Network, comm_size, clusters: Option<&str>| {
        let clusters = clusters.map(|clusters| clusters.parse().unwrap());
        let request = Request::new(comm_size, bytes)
            .and_then(|request| request.segment(Some(segment)))
            .and_then(|request| request.variant(Variant { clusters, ..Variant::default() }));
        let algorithm = find(Collective::Bcast, "multirail").unwrap();
        let point = simulate::Point { algorithm, request: request.unwrap() };
        Simulator::new(network).time(&point, Noise::default()).unwrap().seconds()
    };
    let two = predicted(&network, 32);
    assert_ne!(two, simulated(&network, 32, None));
    let of_two = [(16, None), (31, Some("16+15")), (32, Some("2x16")), (40, Some("2x16+8"))];
    let of_three =
        [(8, None), (9, Some("8+1")), (24, Some("8+16")), (28, Some("8+16+4")), (33, Some("8+16+2x4+1"))];
    for (network, cases) in [(&network, &of_two[..]), (&unequal, &of_three)] {
        for &(comm_size, clusters) in cases {
            assert_eq!(predicted(network, comm_size), simulated(network, comm_size, clusters), "{comm_size}");
        }
    }
    // The paper's M/b + L, with b = 250 MB/s and L = 10 ms.
    let formula = bytes as f64 / 250e6 + 0.01;
    assert!((1.0..1.1).contains(&(two / formula)), "{two} {formula}");
}

#[test]
fn multirail_uses_both_rails() {
    let network = shipped("multirail-32").unwrap();
    let time = |collective, bytes, segment: Option<u64>| {
        let predictor =
            Predictor::new(&network, collective, TimeSource::Simulated, &["multirail".to_owned()]).unwrap();
        let found = predictor.ranking(Size { comm_size: 8, msg_size: bytes }, segment.as_slice());
        found.into_iter().find(|found| found.method.segment_size == segment).unwrap().seconds
    };
    // Seven steps of half a MiB on each card of 125 MB/s, each after 50 µs.
    let allgather = 7.0 * (f64::from(1 << 19) / 125e6 + 50e-6);
    assert!((time(Collective::Allgather, 1 << 20, None) / allgather - 1.0).abs() < 1e-6);
    // Up and down at the rate of both cards: 2 M/b, as a large message hides the latencies.
    let both_ways = 2.0 * f64::from(16 << 20) / 250e6;
    let found = time(Collective::Allreduce, 16 << 20, Some(64 << 10)) / both_ways;
    assert!((1.0..1.2).contains(&found), "{found}");
}

#[test]
fn a_search_computes_few_times_whatever_the_times_are() {
    // The scan finds a small segment, from which the times fall up to the whole message: millions of steps.
    let bytes = (1 << 40) + 0xf_ffff;
    let scanned: Vec<u64> = (0..41).map(|halvings| bytes >> halvings).collect();
    let mut computed = 0;
    let mut time = |size| {
        computed += 1;
        match scanned.iter().position(|&scanned| scanned == size) {
            Some(20) => 2e12,
            Some(_) => 3e12,
            None => 1.5e12 - size as f64,
        }
    };
    let best = models::scan(bytes, 1, &mut time).unwrap();
    assert!(models::climb(best, bytes, 1, time).segment > scanned[20]);
    assert!(computed <= 41 + 256 + 1, "{computed}");
}

#[test]
fn the_largest_message_counts_joined_blocks() {
    let network = network();
    let largest = |collective, name: &str, comm_size| {
        let predictor =
            Predictor::new(&network, collective, TimeSource::Simulated, &[name.to_owned()]).unwrap();
        predictor.largest_message(Size { comm_size, msg_size: 100 })
    };
    assert_eq!(largest(Collective::Bcast, "binomial", 16), 100);
    assert_eq!(largest(Collective::Scatter, "linear", 16), 100);
    assert_eq!(largest(Collective::Scatter, "chain", 16), 1500);
    assert_eq!(largest(Collective::Scatter, "binomial", 16), 800);
    assert_eq!(largest(Collective::Scatter, "binomial", 4096), 204_800);
    assert_eq!(largest(Collective::Allgather, "neighbor_exchange", 4096), 200);
}

#[test]
fn refusals_give_the_reason() {
    let network = network();
    let refusal = |time_source, name: &str, comm_size| {
        let predictor =
            Predictor::new(&network, Collective::Alltoall, time_source, &[name.to_owned()]).unwrap();
        let method = predictor.methods(&[]).pop().unwrap();
        predictor.refusal(&method, Size { comm_size, msg_size: 100 })
    };
    assert_eq!(refusal(TimeSource::Simulated, "pairwise", 16), None);
    let said = refusal(TimeSource::Simulated, "pairwise", u32::MAX).unwrap();
    assert_eq!(said, "4294967295 ranks exceed the maximum of 16777216; use fewer ranks");
    let said = refusal(TimeSource::Formula(Form::Exact), "direct", 16);
    assert_eq!(said.as_deref(), Some("no exact formula is known for it"));
    let refused =
        map(&predictor(&network, TIME_SOURCES[1]), &[2, 5_000_000_000], &[8], &[], || ()).unwrap_err();
    assert_eq!(refused.to_string(), "5000000000 ranks exceed the maximum of 4294967295; use fewer ranks");
}

/// Bounds stand beside predictions and are no methods: a map has none.
#[test]
fn a_bound_is_no_method_of_a_map() {
    let network = network();
    let form = TimeSource::Formula(Form::Printed);
    let predictor = Predictor::new(&network, Collective::Alltoall, form, &[]).unwrap();
    let (lower, upper) = predictor.printed_bounds(Size { comm_size: 8, msg_size: 64 }).unwrap();
    assert!(0.0 < lower && lower < upper);
    let found = map(&predictor, &[8], &[64], &[], || ()).unwrap();
    let costs = found.costs().unwrap();
    let priced: Vec<String> = found
        .domain()
        .method_indexes()
        .filter(|&method| costs.get(0, method).is_some())
        .map(|method| found.domain().methods()[method.get()].label())
        .collect();
    assert_eq!(priced, ["direct"]);
}

/// The tree of a named radix is that of its schedule, and a search keeps the radix.
#[test]
fn names_of_algorithms_may_set_the_radix() {
    let (network, size) = (network(), Size { comm_size: 16, msg_size: 1 << 16 });
    let named =
        |name: &str| Predictor::new(&network, Collective::Bcast, TimeSource::Simulated, &[name.to_owned()]);
    let ternary = named("dary:radix=3").unwrap();
    let request = Request::new(16, 1 << 16).unwrap();
    let request = request.variant(Variant { radix: Some(3), ..Variant::default() }).unwrap();
    let point = simulate::Point { algorithm: find(Collective::Bcast, "dary").unwrap(), request };
    let simulated = Simulator::new(&network).time(&point, Noise::default()).unwrap();
    assert_eq!(ternary.ranking(size, &[])[0].seconds, simulated.seconds());
    assert!(ternary.search(size).iter().all(|found| found.method.radix == Some(3)));
    for refused in ["dary:radix=1", "linear:radix=3", "dary:radix=many"] {
        let error = named(refused).unwrap_err();
        assert!(error.starts_with(&format!("bcast has no schedule for `{refused}`")), "{error}");
    }
}

/// What describes a network or a protocol is listed, and no program can choose it.
#[test]
fn maps_have_no_models() {
    let network = network();
    for (collective, model) in
        [(Collective::Alltoall, "shared_medium"), (Collective::Bcast, "binomial_rendezvous")]
    {
        let predictor = Predictor::new(&network, collective, TIME_SOURCES[0], &[]).unwrap();
        let listed = predictor.ranking(Size { comm_size: 16, msg_size: 1 << 16 }, &[]);
        assert!(listed.iter().any(|found| found.method.name() == model), "{listed:?}");
        let (ranks, sizes) = (&[4, 16][..], &[1024, 1 << 16][..]);
        for map in [
            map(&predictor, ranks, sizes, &[], || ()).unwrap(),
            map_searched(&predictor, ranks, sizes, || ()).unwrap(),
        ] {
            let labels: Vec<String> = map.domain().methods().iter().map(qtdec_core::Method::label).collect();
            assert!(!labels.is_empty() && !labels.iter().any(|label| label == model), "{labels:?}");
        }
    }
}
