//! A function of the number of clusters, from broadcasts that were simulated on nodes with two network cards, in one
//! cluster and in two clusters 10 ms apart (`cargo xtask papers multirail`).

#![allow(missing_docs)]

use qtdec::decision_map;
use qtdec_core::{DecisionMap, Document};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clusters {
    One,
    Two,
}

/// The broadcasts. Those that take the clusters into account have names that begin with `clusters_`.
#[decision_map("tests/clusters.json")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broadcast {}

#[decision_map("tests/clusters.json", layout = "select")]
const fn select(clusters: Clusters, comm_size: u32, msg_size: u64) -> Broadcast;

const ALL: [Clusters; 2] = [Clusters::One, Clusters::Two];

fn is_aware(broadcast: Broadcast) -> bool {
    broadcast.name().starts_with("clusters_")
}

fn map() -> DecisionMap {
    match Document::from_json(include_bytes!("clusters.json")) {
        Ok(Document::Map(map)) => map,
        other => panic!("not a map: {other:?}"),
    }
}

#[test]
fn cluster_aware_broadcasts_are_chosen_only_for_two_clusters() {
    const ACROSS: Broadcast = select(Clusters::Two, 32, 1 << 20);
    assert!(is_aware(ACROSS), "{}", ACROSS.name());
    for comm_size in 1..=64 {
        for msg_size in (0..=26).map(|power| 1 << power) {
            for clusters in ALL {
                let chosen = select(clusters, comm_size, msg_size);
                let reported = format!("{clusters:?} {comm_size} {msg_size}: {}", chosen.name());
                assert_eq!(is_aware(chosen), clusters == Clusters::Two, "{reported}");
            }
        }
    }
}

/// The variants are the methods of the map, and each choice is the fastest of all methods.
#[test]
fn every_choice_is_the_fastest_of_the_map() {
    let map = map();
    let (domain, costs) = (map.domain(), map.costs().unwrap());
    for cell in 0..domain.cells() {
        let sizes = domain.sizes(cell);
        let chosen = select(ALL[sizes[0] as usize], sizes[1] as u32, sizes[2]).name();
        let costs: Vec<(f64, String)> = domain
            .method_indexes()
            .map(|method| (costs.get(cell, method).unwrap(), domain.method(method).label()))
            .collect();
        assert_eq!(costs.len(), 12);
        let least = costs.iter().map(|(cost, _)| *cost).fold(f64::INFINITY, f64::min);
        assert!(costs.contains(&(least, chosen.to_owned())), "{sizes:?}: {chosen}");
    }
}
