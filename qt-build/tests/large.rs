//! Code that is too large for a compiler is refused before it is written, with the options that make it smaller.

use qtdec_build::{Axis, DecisionMap, ItemOptions, Method};
use qtdec_core::code::{LayoutChoice, MAX_REGIONS, MAX_TABLE_ANSWERS, MAX_VARIANTS};
use qtdec_core::{DecisionTree, Document, Domain, MethodIndex, Options};

/// Returns the tree of a map with these methods in its cells.
fn tree(sizes: &[u64], methods: usize, cell: impl FnMut(usize) -> usize) -> DecisionTree {
    let names = ["rows", "columns"];
    let axes = sizes.iter().zip(names).map(|(most, name)| Axis::new(name, (1..=*most).collect::<Vec<_>>()));
    let named = (0..methods).map(|number| Method::new(format!("m{number}"))).collect();
    let domain = Domain::new(None, axes.collect(), named).unwrap();
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    let cells = (0..domain.cells()).map(cell).map(|method| Some(indexes[method])).collect();
    let map = DecisionMap::new(domain, cells).unwrap();
    Options::parse::<&str>(&[]).unwrap().tree(Document::Map(map)).unwrap()
}

fn refused(tree: &DecisionTree, options: &ItemOptions) -> String {
    options.file(tree, "map.json").unwrap_err().to_string()
}

#[test]
fn branches_of_too_many_regions() {
    let mut random: u32 = 1;
    let tree = tree(&[512, 512], 2, |_| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 31) as usize
    });
    let regions = tree.root().leaves();
    assert!(regions > MAX_REGIONS, "{regions}");
    let expected =
        format!("code of {regions} regions is too large for a compiler: the maximum is {MAX_REGIONS}");
    let said = refused(&tree, &ItemOptions::named("large"));
    assert!(said.starts_with(&expected), "{said}");
    assert!(
        ["layout", "table", "set a budget or a maximum depth"].iter().all(|help| said.contains(help)),
        "{said}"
    );
}

#[test]
fn enums_of_too_many_methods() {
    let methods = MAX_VARIANTS + 1;
    let tree = tree(&[1 << 13], methods, |cell| cell % methods);
    let said = refused(&tree, &ItemOptions::named("large"));
    assert!(
        said.starts_with(
            "an enum of 4097 methods is too large for a compiler: the maximum is 4096 (return an integer"
        ),
        "{said}"
    );
    let ids = ItemOptions { returns: Some("u32".to_owned()), ..ItemOptions::named("large") };
    assert!(ids.file(&tree, "map.json").is_ok());
}

#[test]
fn tables_of_too_many_answers() {
    let methods = MAX_TABLE_ANSWERS + 1;
    let tree = tree(&[1 << 15], methods, |cell| cell % methods);
    let table = ItemOptions {
        returns: Some("u32".to_owned()),
        layout: LayoutChoice::TABLE,
        ..ItemOptions::named("large")
    };
    let said = refused(&tree, &table);
    assert!(
        said.starts_with("a table of 16385 answers is too large for a compiler: the maximum is 16384 ("),
        "{said}"
    );
}
