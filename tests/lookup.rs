//! Functions in memory: proved equal to their trees, and safe with arbitrary bytes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use qtdec::lookup::{Error, Names, Table, checksum};
use qtdec_core::encode::{self, Empty, EncodeSettings, Quadtree};
use qtdec_core::{
    Axis, Borders, DecisionMap, DecisionTree, Document, Domain, Method, MethodIndex, Options, lookup,
};
use qtdec_testkit::{maps, proof};

const TABLE: Table<'static, 2> = match Table::load(include_bytes!("../qt-lookup/examples/bcast.qtl")) {
    Ok(table) => table,
    Err(_) => panic!("the table is damaged"),
};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn document(name: &str) -> Document {
    Document::from_json(&fs::read(golden(name)).unwrap()).unwrap()
}

fn tree_of(name: &str) -> DecisionTree {
    Options::parse::<&str>(&[]).unwrap().tree(document(name)).unwrap()
}

/// Proves the table equal to the tree for all sizes: between two edges, the table uses the same entry.
fn prove<const AXES: usize>(tree: &DecisionTree) {
    let mut queries = proof::queries(tree.domain(), &[proof::of_tree(tree)], u64::MAX);
    for (axis, edges) in lookup::edges(tree).into_iter().enumerate() {
        let mut points = proof::of_tree(tree);
        points[axis] = edges.iter().flat_map(|&edge| [edge - 1, edge]).chain([u64::MAX]).collect();
        queries.extend(product(&points));
    }
    // A label is given by its position, and there is none after the last.
    for query in &mut queries {
        for (size, axis) in query.iter_mut().zip(tree.domain().axes()) {
            if axis.values().is_none() {
                *size = (*size).min(axis.len() as u64 - 1);
            }
        }
    }
    let queries: Vec<[u64; AXES]> = queries.into_iter().map(|query| query.try_into().unwrap()).collect();
    let decided = |query: &[u64]| tree.decide(query).map(|method| u16::try_from(method.get()).unwrap());
    if let Err(problem) = tree.guarded_sizes() {
        assert_eq!(lookup::table(tree), Err(problem));
        return;
    }
    let bytes = lookup::table(tree).unwrap();
    let table = Table::<AXES>::load(&bytes).unwrap();
    for &query in &queries {
        assert_eq!(table.decide(query), decided(&query), "{query:?}");
    }
}

/// Returns every combination of points and zero, each once on its axis.
fn product(points: &[Vec<u64>]) -> Vec<Vec<u64>> {
    points.iter().fold(vec![Vec::new()], |queries, points| {
        let points: BTreeSet<u64> = points.iter().copied().chain([0]).collect();
        let longer =
            queries.iter().flat_map(|query| points.iter().map(|&point| [&query[..], &[point]].concat()));
        longer.collect()
    })
}

/// Returns a tree over these message sizes and a few communicator sizes, with different decisions at neighbouring
/// samples.
fn tree_over(msg_sizes: &[u64]) -> DecisionTree {
    let axes = vec![Axis::new("comm_size", vec![2, 5, 5000]), Axis::new("msg_size", msg_sizes.to_vec())];
    let methods = ["linear", "binomial", "chain"].map(Method::new).to_vec();
    let domain = Domain::new(None, axes, methods).unwrap();
    let known: Vec<MethodIndex> = domain.method_indexes().collect();
    let cells = (0..domain.cells()).map(|cell| Some(known[(cell + cell / msg_sizes.len()) % 3])).collect();
    let map = DecisionMap::new(domain, cells).unwrap();
    encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap()
}

/// The tree of a square map.
fn tree_of_square(side: usize, pattern: maps::Pattern) -> DecisionTree {
    let map = maps::Plan::new(&[side, side], pattern, 1).map();
    encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap()
}

fn prove_any(tree: &DecisionTree) {
    match tree.domain().axes().len() {
        1 => prove::<1>(tree),
        2 => prove::<2>(tree),
        _ => prove::<3>(tree),
    }
}

#[test]
fn the_table_of_every_golden_map_is_its_tree() {
    let mut maps: Vec<_> = fs::read_dir(golden("")).unwrap().map(|entry| entry.unwrap().path()).collect();
    maps.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    assert!(maps.len() > 10);
    for map in maps {
        let name = map.file_name().unwrap().to_str().unwrap();
        prove_any(&tree_of(name));
    }
}

#[test]
fn a_table_has_no_decision_where_nothing_was_measured_if_asked() {
    let map = Document::from_json(&fs::read(golden("partial.json")).unwrap()).unwrap().into_map().unwrap();
    let settings = EncodeSettings { empty: Empty::Strict, ..EncodeSettings::default() };
    let tree = encode::encode_with(&map, &Quadtree::default(), &settings).unwrap();
    prove::<2>(&tree);
    let bytes = lookup::table(&tree).unwrap();
    let table = Table::<2>::load(&bytes).unwrap();
    assert!(map.cells().contains(&None));
    for (cell, method) in map.cells().iter().enumerate() {
        let sizes: [u64; 2] = map.domain().sizes(cell).try_into().unwrap();
        assert_eq!(table.decide(sizes).map(usize::from), method.map(MethodIndex::get), "{sizes:?}");
    }
}

#[test]
fn a_table_is_its_tree_where_sizes_are_large_or_close() {
    for msg_sizes in [
        &[1, 1_000_000_000, 1_000_000_001, 1_000_000_002][..],
        &[0, (1 << 53) + 1, (1 << 53) + 2, (1 << 63) - 1, 1 << 63, u64::MAX - 1, u64::MAX],
        &[0, 1, 2, 3, 4, 5, 6, 7, 1 << 20],
        &[u64::MAX],
        &[4095, 4096],
    ] {
        prove::<2>(&tree_over(msg_sizes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_tables_of_random_maps_are_their_trees(plan in maps::plans(16), borders in 0..Borders::ALL.len()) {
        let (_, borders) = Borders::ALL[borders];
        prove_any(&encode::encode(&plan.map(), &Quadtree::default(), borders).unwrap());
    }

    #[test]
    fn arbitrary_bytes_are_rejected_or_decide(
        map in 0..3_usize,
        at in any::<prop::sample::Index>(),
        value in any::<u8>(),
        sizes in any::<[u64; 2]>(),
    ) {
        let tree = tree_of(["bcast.json", "partial.json", "polaris.json"][map]);
        let mut bytes = lookup::table(&tree).unwrap();
        let at = 16 + at.index(bytes.len() - 16);
        let changed = bytes[at] != value;
        bytes[at] = value;
        prop_assert_eq!(Table::<2>::load(&bytes).err(), changed.then_some(Error::Checksum));
        // Bytes with a valid checksum must be harmless too.
        let sealed = checksum(&bytes[16..]).to_le_bytes();
        bytes[8..16].copy_from_slice(&sealed);
        if let Ok(table) = Table::<2>::load(&bytes) {
            known(table.decide(sizes), table.names());
        }
    }
}

#[test]
fn a_constant_of_the_program() {
    const PIPELINE: Option<u16> = TABLE.decide([8, 65_536]);

    let tree = tree_of("bcast.json");
    let (path, bytes) = (golden("../../qt-lookup/examples/bcast.qtl"), lookup::table(&tree).unwrap());
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        fs::write(&path, &bytes).unwrap();
    }
    assert!(fs::read(path).unwrap() == bytes, "write it anew with SNAPSHOTS=overwrite");
    assert_eq!(PIPELINE, Some(2));
    let method = TABLE.names().methods().nth(2).unwrap();
    assert_eq!((method.id, method.label), (3, "pipeline/8192"));
    assert_eq!(TABLE.names().axes().collect::<Vec<_>>(), ["comm_size", "msg_size"]);
    assert_eq!(TABLE.names().methods().count(), tree.domain().methods().len());
}

/// Loads a table from these bytes after correcting their checksum, and evaluates it; returns whether it was accepted.
fn ask(bytes: &mut [u8]) -> bool {
    let sealed = checksum(&bytes[16..]).to_le_bytes();
    bytes[8..16].copy_from_slice(&sealed);
    let sizes = [0, 1, 2, 100, 4096, 1 << 40, u64::MAX];
    let queries = sizes.iter().flat_map(|&comm_size| sizes.map(|msg_size| [comm_size, msg_size]));
    let Ok(table) = Table::<2>::load(bytes) else { return false };
    queries.for_each(|query| known(table.decide(query), table.names()));
    true
}

fn known(method: Option<u16>, names: Names<'_>) {
    assert!(method.is_none_or(|method| usize::from(method) < names.methods().count()));
}

#[test]
fn truncated_or_altered_bytes_with_a_valid_checksum_are_harmless() {
    let trees = [
        tree_of("partial.json"),
        tree_over(&[1, 1_000_000_000, 1_000_000_001]),
        tree_of_square(120, maps::Pattern::Bands),
    ];
    for tree in &trees {
        let bytes = lookup::table(tree).unwrap();
        assert!(ask(&mut bytes.clone()));
        for length in 16..bytes.len() {
            assert!(!ask(&mut bytes[..length].to_vec()), "{length} of {}", bytes.len());
        }
        assert!(!ask(&mut [&bytes[..], &[0]].concat()));
        // These are the names, the axes, and the first entries.
        for at in 16..bytes.len().min(800) {
            for value in [0, 0xFF, bytes[at] ^ 0x80, bytes[at].wrapping_add(1)] {
                let mut altered = bytes.clone();
                altered[at] = value;
                ask(&mut altered);
            }
        }
    }
}

#[test]
fn what_is_refused() {
    let tree = tree_of("bcast.json");
    let table = lookup::table(&tree).unwrap();
    let load = |bytes: &[u8]| Table::<2>::load(bytes).err();
    let of_form = |form: u8| load(&[&table[..7], &[form], &table[8..]].concat());
    assert_eq!((of_form(b'L'), of_form(b'M')), (Some(Error::NotThisForm), Some(Error::NotThisForm)));
    assert_eq!(Table::<3>::load(&table).err(), Some(Error::Axes(2)));
    assert_eq!(load(b"{ \"format\": \"qtdec-map/1\" }"), Some(Error::NotThisForm));
    let newer = [&table[..6], &[2], &table[7..]].concat();
    assert_eq!(load(&newer), Some(Error::Version(2)));
    for length in 0..table.len() {
        let error = if length < 16 { Error::Length } else { Error::Checksum };
        assert_eq!(load(&table[..length]), Some(error));
    }
    assert_eq!(load(&[&table[..], b"x"].concat()), Some(Error::Checksum));
    for at in 0..table.len() {
        let mut changed = table.clone();
        changed[at] ^= 0x40;
        assert!(load(&changed).is_some(), "byte {at}");
    }
    assert_eq!(Error::Axes(3).to_string(), "the function has 3 axes, not the number in the type `Table`");
}

/// A table includes the requirements of methods that concern a single size.
#[test]
fn methods_that_may_not_run_everywhere() {
    let tree = |requires: &str, cells: &str| {
        let map = format!(
            r#"{{ "format": "qtdec-map/1", "cells": {cells},
                "axes": [{{ "name": "comm_size", "values": [2, 4, 8] }}, {{ "name": "msg_size", "values": [8, 4096] }}],
                "methods": [{{ "name": "ring" }}, {{ "name": "halving", "requires": ["{requires}"] }}] }}"#
        );
        let document = Document::from_json(map.as_bytes()).unwrap();
        Options::parse::<&str>(&[]).unwrap().tree(document).unwrap()
    };
    let cases = [("power_of_two", "[[0, 1], [1, 1], [0, 1]]"), ("comm_size=4", "[[0, 0], [1, 1], [0, 0]]")];
    for (requires, cells) in cases {
        let tree = tree(requires, cells);
        prove::<2>(&tree);
        let bytes = lookup::table(&tree).unwrap();
        let table = Table::<2>::load(&bytes).unwrap();
        assert_eq!((table.decide([4, 5000]), table.decide([5, 5000])), (Some(1), Some(0)), "{requires}");
    }
    let two_sizes = tree("count>=comm_size", "[[1, 1], [1, 1], [1, 1]]");
    let refused = lookup::table(&two_sizes).unwrap_err().to_string();
    assert!(refused.contains("a table cannot check `count>=comm_size`"), "{refused}");
}
