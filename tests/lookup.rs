//! Functions in memory: proved equal to their trees, and safe from bytes that nobody wrote.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use qtdec::lookup::{Error, Table, Tree, checksum};
use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Borders, DecisionTree, Document, Options, lookup};
use qtdec_testkit::{maps, proof};

const TABLE: Table<'static, 2> = match Table::load(include_bytes!("golden/lookup/bcast-table.qtl")) {
    Ok(table) => table,
    Err(_) => panic!("the table is damaged"),
};

const TREE: Tree<'static, 2> = match Tree::load(include_bytes!("golden/lookup/bcast-tree.qtl")) {
    Ok(tree) => tree,
    Err(_) => panic!("the tree is damaged"),
};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn tree_of(name: &str) -> DecisionTree {
    let document = Document::from_json(&fs::read(golden(name)).unwrap()).unwrap();
    Options::parse::<&str>(&[]).unwrap().tree(document).unwrap()
}

/// Proves both forms equal to the tree for all sizes.
fn prove<const AXES: usize>(tree: &DecisionTree) {
    let queries = proof::queries_of_tables(tree, &[proof::of_tree(tree)], u64::MAX);
    let queries: Vec<[u64; AXES]> = queries.into_iter().map(|query| query.try_into().unwrap()).collect();
    let decided = |query: &[u64]| tree.decide(query).map(|method| u16::try_from(method.get()).unwrap());
    let bytes = lookup::tree(tree).unwrap();
    let line = Tree::<AXES>::load(&bytes).unwrap();
    for &query in &queries {
        assert_eq!(line.decide(query), decided(&query), "{query:?}");
    }
    if let Ok(bytes) = lookup::table(tree) {
        let table = Table::<AXES>::load(&bytes).unwrap();
        for &query in &queries {
            assert_eq!(table.decide(query), decided(&query), "{query:?}");
        }
    }
}

fn prove_any(tree: &DecisionTree) {
    match tree.domain().axes().len() {
        1 => prove::<1>(tree),
        2 => prove::<2>(tree),
        _ => prove::<3>(tree),
    }
}

#[test]
fn every_form_of_every_golden_map_is_its_tree() {
    let mut maps: Vec<_> = fs::read_dir(golden("")).unwrap().map(|entry| entry.unwrap().path()).collect();
    maps.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    assert!(maps.len() > 10);
    for map in maps {
        prove_any(&tree_of(map.file_name().unwrap().to_str().unwrap()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_form_of_random_maps_is_its_tree(plan in maps::plans(16), borders in 0..3_usize) {
        let (_, borders) = Borders::ALL[borders];
        prove_any(&encode::encode(&plan.map(), &Quadtree::default(), borders).unwrap());
    }

    #[test]
    fn bytes_that_nobody_wrote_are_refused_or_decide(
        map in 0..3_usize,
        at in any::<prop::sample::Index>(),
        value in any::<u8>(),
        sizes in any::<[u64; 2]>(),
    ) {
        let tree = tree_of(["bcast.json", "partial.json", "polaris.json"][map]);
        for mut bytes in [lookup::tree(&tree).unwrap(), lookup::table(&tree).unwrap()] {
            let at = 16 + at.index(bytes.len() - 16);
            let changed = bytes[at] != value;
            bytes[at] = value;
            let error = Tree::<2>::load(&bytes).err().or(Table::<2>::load(&bytes).err());
            prop_assert!(!changed || error.is_some());
            // One who knows how bytes are sealed can do no harm either.
            let sealed = checksum(&bytes[16..]).to_le_bytes();
            bytes[8..16].copy_from_slice(&sealed);
            if let Ok(tree) = Tree::<2>::load(&bytes) {
                let method = tree.decide(sizes);
                prop_assert!(method.is_none_or(|method| usize::from(method) < tree.names().methods().count()));
            }
            if let Ok(table) = Table::<2>::load(&bytes) {
                let method = table.decide(sizes);
                prop_assert!(method.is_none_or(|method| usize::from(method) < table.names().methods().count()));
            }
        }
    }
}

#[test]
fn a_constant_of_the_program() {
    const PIPELINE: Option<u16> = TABLE.decide([8, 65_536]);

    let tree = tree_of("bcast.json");
    for (name, bytes) in [("tree", lookup::tree(&tree).unwrap()), ("table", lookup::table(&tree).unwrap())] {
        let path = golden(&format!("lookup/bcast-{name}.qtl"));
        if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
            fs::write(&path, &bytes).unwrap();
        }
        assert!(fs::read(path).unwrap() == bytes, "write them anew with SNAPSHOTS=overwrite");
    }
    assert_eq!((PIPELINE, TREE.decide([8, 65_536])), (Some(2), Some(2)));
    let method = TABLE.names().methods().nth(2).unwrap();
    assert_eq!((method.id, method.label), (3, "pipeline/8192"));
    assert_eq!(TREE.names().axes().collect::<Vec<_>>(), ["comm_size", "msg_size"]);
    assert_eq!(TREE.bytes(), 4 * TREE.nodes() + 8 * 6);
}

#[test]
fn what_is_refused() {
    let tree = tree_of("bcast.json");
    let (line, table) = (lookup::tree(&tree).unwrap(), lookup::table(&tree).unwrap());
    let load = |bytes: &[u8]| Table::<2>::load(bytes).err();
    assert_eq!(load(&line), Some(Error::NotThisForm));
    assert_eq!(Tree::<2>::load(&table).err(), Some(Error::NotThisForm));
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
    assert_eq!(Error::Axes(3).to_string(), "the function has 3 axes, another number than the type says");
}
