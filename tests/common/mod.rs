//! Code that the tests of compiled functions share.

use std::fs;
use std::path::Path;

use qtdec_core::{Borders, Document, Options};
use qtdec_testkit::proof::{self, Thresholds};

/// Proves for all inputs that `function` returns the label that the tree of `tests/golden/NAME.json` chooses.
pub(crate) fn prove<'a>(name: &str, function: impl Fn(&[u64]) -> Option<&'a str>) {
    prove_up_to(name, &[], u64::MAX, function);
}

/// Proves like [`prove`], for a map that `options` turn into a tree, and for parameters that hold at most `most`.
pub(crate) fn prove_up_to<'a>(
    name: &str,
    options: &[(&str, &str)],
    most: u64,
    function: impl Fn(&[u64]) -> Option<&'a str>,
) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name).with_extension("json");
    let document = Document::from_json(&fs::read(path).unwrap()).unwrap();
    let tree = Options::parse(options).unwrap().tree(document.clone()).unwrap();
    let mut sides: Vec<Thresholds> = vec![proof::of_tree(&tree)];
    if let Document::Map(map) = &document {
        sides.push(proof::of_map(map, Borders::Floor));
    }
    let queries = proof::queries_of_tables(&tree, &sides, most);
    assert!(!queries.is_empty());
    for query in queries {
        let decided = tree.decide(&query).map(|method| tree.domain().method(method).label());
        assert_eq!(function(&query), decided.as_deref(), "{name} at {query:?}");
    }
}
