//! The attribute without the feature `maps`: stored trees, and not one crate of others.

use std::fs;

use qtdec_core::{Document, Options};
use snapbox::{Data, assert_data_eq};

mod user;

use user::Package;

const STORED: &str = "[dependencies]\nqtdec = { path = \"ROOT\", default-features = false }\n";
const MAPS: &str = "[dependencies]\nqtdec = { path = \"ROOT\" }\n";

/// Creates a package with the trees of maps in `golden/`.
fn package(name: &'static str, dependencies: &str) -> Package {
    let package = Package::new(name, dependencies);
    for map in ["bcast", "guarded", "labels", "large", "partial", "words"] {
        let file = fs::read(format!("tests/golden/{map}.json")).unwrap();
        // The tree of `partial` keeps its gaps.
        let options: &[(&str, &str)] = if map == "partial" { &[("empty", "strict")] } else { &[] };
        let tree = Options::parse(options).unwrap().tree(Document::from_json(&file).unwrap()).unwrap();
        package.write(&format!("{map}.tree.json"), &tree.to_file().unwrap());
    }
    package
}

#[test]
fn cargo_compiles_packages_of_qtdec_alone() {
    let package = package("stored-crates", STORED);
    package.write("src/lib.rs", "");
    let (success, stdout, stderr) = package.cargo(&["tree", "--edges", "normal,build", "--prefix", "none"]);
    assert!(success, "{stderr}");
    let crates: Vec<&str> = stdout.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(crates, ["stored-crates", "qtdec", "qtdec-macro"]);
}

#[test]
fn functions_decide_as_their_trees() {
    let package = package("stored-functions", STORED);
    package.write("src/main.rs", include_str!("stored/functions.rs"));
    let file = fs::read("tests/golden/bcast.json").unwrap();
    let tree = Options::parse::<&str>(&[]).unwrap().tree(Document::from_json(&file).unwrap()).unwrap();
    let labels = tree.cells().into_iter().map(|method| tree.domain().method(method.unwrap()).label() + "\n");
    assert_eq!(package.run(), labels.collect::<String>());
}

/// Returns the code of the functions as the compiler prints it after it expanded the attributes.
fn expanded(name: &'static str, dependencies: &str) -> String {
    let package = package(name, dependencies);
    let source = include_str!("stored/functions.rs")
        .replace("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/bcast.tree.json\")", "\"bcast.tree.json\"");
    package.write("src/main.rs", &source);
    let (success, stdout, stderr) = package.nightly(&["rustc", "--quiet", "--", "-Zunpretty=expanded"]);
    assert!(success, "{stderr}");
    let folder = fs::canonicalize(package.path("")).unwrap();
    stdout
        .replace(folder.to_str().unwrap(), "")
        .replace(package.path("").to_str().unwrap().trim_end_matches('/'), "")
}

#[test]
fn a_tree_becomes_the_same_code_with_and_without_maps() {
    let stored = expanded("stored-expanded", STORED);
    assert!(stored.contains("Decided by `bcast.tree.json`: 10 regions, depth 2."), "{stored}");
    assert_eq!(stored, expanded("stored-whole", MAPS));
}

/// `SNAPSHOTS=overwrite` rewrites the recorded errors.
#[test]
fn errors_have_their_places_and_remedies() {
    let package = package("stored-mistakes", STORED);
    let map = fs::read_to_string("tests/golden/bcast.json").unwrap();
    let tree = fs::read_to_string(package.path("bcast.tree.json")).unwrap();
    package.write("map.json", &map);
    package.write("broken.json", &tree.replace("\"methods\": [", "\"methods\": [,"));
    package.write(
        "wrong.json",
        &tree.replace("\"comm_size\", 4]", "\"comm_sise\", 4]").replace("\"id\": 6", "\"id\": 6.5"),
    );
    package.write("src/lib.rs", include_str!("stored/mistakes.rs"));
    let (success, _, stderr) = package.cargo(&["check", "--quiet", "--message-format", "short"]);
    assert!(!success);
    assert_data_eq!(stderr, Data::read_from("tests/stored/mistakes.txt".as_ref(), None).raw());
}
