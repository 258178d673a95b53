//! Written files can be read again, or are rejected before they are written.

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Borders, DecisionMap, DecisionTree, Document, Domain, Method};
use qtdec_testkit::maps::{Pattern, Plan};

fn tree(map: &DecisionMap) -> DecisionTree {
    encode::encode(map, &Quadtree::default(), Borders::Floor).unwrap()
}

/// Once, every node of a deep tree was preceded by half a kilobyte of spaces.
#[test]
fn a_large_tree_is_written_without_indentation() {
    let small = tree(&Plan::new(&[16, 16], Pattern::Noise, 1).map()).to_file().unwrap();
    assert!(small.contains("\n      [\"msg_size\""), "{small}");
    let large = tree(&Plan::new(&[320, 320], Pattern::Noise, 1).map());
    let text = large.to_file().unwrap();
    let nodes = 2 * large.root().leaves() - 1;
    assert!(!text.contains("\n     ") && text.len() < 30 * nodes, "{} bytes, {nodes} nodes", text.len());
    let Ok(Document::Tree(again)) = Document::from_json(text.as_bytes()) else { panic!("it is a tree") };
    assert_eq!(again.to_file(), Ok(text));
}

/// Covers a map of a megabyte whose tree names a method of three kilobytes in every leaf.
#[test]
fn a_tree_larger_than_what_is_read_is_refused() {
    let map = Plan::new(&[200, 200], Pattern::Noise, 1).map();
    let long = |method: &Method| Method { name: method.name.repeat(1000), ..method.clone() };
    let methods = map.domain().methods().iter().map(long).collect();
    let domain = Domain::new(None, map.domain().axes().to_vec(), methods).unwrap();
    let map = DecisionMap::new(domain, map.cells().to_vec()).unwrap();
    assert!(map.to_file().unwrap().len() < 1 << 20);
    let said = tree(&map).to_file().unwrap_err().to_string();
    assert_eq!(
        said,
        "the tree needs a file larger than 64 MiB (67108864 bytes), which could not be read again (use \
             `budget = \"mean 1%\"`, or measure at fewer sizes, or use the map, which is smaller)"
    );
}
