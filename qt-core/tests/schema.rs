//! The published schemas agree with the readers: accepted files are valid, and rejected files are invalid, except for
//! faults that no schema can express.

use std::fs;
use std::path::PathBuf;

use jsonschema::{Registry, Resource, Validator};
use qtdec_core::Borders;
use qtdec_core::Document;
use qtdec_core::encode::{self, Quadtree};
use qtdec_testkit::maps::{Pattern, Plan};
use serde_json::Value;

/// Rejected files whose faults only show when parts of the file are compared.
const BEYOND_SCHEMAS: [&str; 32] = [
    "axes-called-alike",
    "axis-not-increasing",
    "calls-of-another-shape",
    "calls-where-nothing-was-measured",
    "costs-of-another-shape",
    "grid-beyond-what-a-file-holds",
    "index-out-of-range",
    "in-one-line",
    "method-that-may-not-run",
    "methods-alike",
    "methods-that-look-alike",
    "row-not-an-array",
    "row-too-long",
    "row-too-short",
    "tie-out-of-range",
    "tie-without-the-best",
    "split-of-a-labelled-axis",
    "split-with-a-cut-of-the-other-side",
    "split-without-one-side",
    "ties-where-nothing-was-measured",
    "too-few-rows",
    "too-many-rows",
    "tree-cut-at-no-sample",
    "tree-cut-at-the-first-sample",
    "tree-of-an-unknown-axis",
    "tree-of-crossings-with-a-cut-missing",
    "tree-of-crossings-with-odd-cuts",
    "tree-of-an-unknown-method",
    "tree-with-an-unknown-fallback",
    "tree-that-ends-early",
    "tree-that-goes-on",
    // A JSON parser uses the last of two members with the same key.
    "key-twice",
];

struct Schemas {
    map: Validator,
    tree: Validator,
}

impl Schemas {
    fn published() -> Self {
        let read =
            |name: &str| -> Value { serde_json::from_str(&fs::read_to_string(name).unwrap()).unwrap() };
        let (map, tree) = (read("schema/qtdec-map-1.schema.json"), read("schema/qtdec-tree-1.schema.json"));
        assert!(jsonschema::meta::is_valid(&map) && jsonschema::meta::is_valid(&tree));
        let resource = Resource::from_contents(map.clone());
        let registry = Registry::new()
            .add("json-schema:///qtdec-map-1.schema.json", resource)
            .unwrap()
            .prepare()
            .unwrap();
        let options = jsonschema::options().with_registry(&registry).with_base_uri("json-schema:///");
        Self { map: options.build(&map).unwrap(), tree: options.build(&tree).unwrap() }
    }

    /// Returns whether the schema of the file's format accepts it.
    fn take(&self, text: &str) -> bool {
        let Ok(value) = serde_json::from_str::<Value>(text) else { return false };
        if value["format"] == "qtdec-tree/1" { self.tree.is_valid(&value) } else { self.map.is_valid(&value) }
    }
}

fn files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    assert!(!files.is_empty());
    files
}

#[test]
fn what_the_readers_take_is_valid() {
    let schemas = Schemas::published();
    for path in files("tests/accepted") {
        let text = fs::read_to_string(&path).unwrap();
        assert!(Document::from_json(text.as_bytes()).is_ok() && schemas.take(&text), "{}", path.display());
    }
    for shape in [&[5][..], &[4, 7], &[2, 3, 4]] {
        let plan = Plan { costs: true, ties: true, nulls: 20, ..Plan::new(shape, Pattern::Noise, 7) };
        let map = plan.map();
        assert!(schemas.take(&map.to_json()));
        let quadtree = Quadtree { max_depth: Some(2), ..Quadtree::default() };
        for (name, borders) in Borders::ALL {
            assert!(schemas.take(&encode::encode(&map, &quadtree, borders).unwrap().to_json()), "{name}");
        }
    }
}

#[test]
fn what_the_readers_refuse_is_not_valid() {
    let schemas = Schemas::published();
    for path in files("tests/refusals") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let taken = schemas.take(&fs::read_to_string(&path).unwrap());
        assert_eq!(taken, BEYOND_SCHEMAS.contains(&&*name), "{name}");
    }
}
