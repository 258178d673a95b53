//! The attribute on stored trees compared with the one on maps: the same tokens for the same trees.

use std::fs;

use proptest::prelude::*;
use qtdec_core::{Document, Options};

use super::options::NAMES;
use crate::front::tests::expanded;

/// Expands the attribute on stored trees.
fn stored(arguments: &str, item: &str) -> String {
    expanded(arguments, item, &super::WAY)
}

/// Expands the attribute on every file, without the checks that give an alias of a type a single error.
fn whole(arguments: &str, item: &str) -> String {
    let mut text = expanded(arguments, item, &crate::maps::WAY);
    while let Some(start) = text.find("# [allow (dead_code , non_upper_case_globals)] trait NotAnEnum") {
        let constant = start + text[start..].find("const _ :").unwrap();
        let end = |from: usize| from + text[from..].find(';').unwrap() + 1;
        // The type of the variants' array has a `;` of its own.
        let of_array = text[constant..].starts_with("const _ : [");
        let end = if of_array { end(end(constant)) } else { end(constant) };
        text.replace_range(start..end, "");
    }
    text
}

/// Compares both expansions, of which a refused one may have another message.
fn compare_one(arguments: &str, item: &str) {
    let [ours, theirs] = [stored(arguments, item), whole(arguments, item)]
        .map(|code| code.split_whitespace().collect::<Vec<_>>().join(" "));
    if theirs.contains("compile_error") {
        assert!(
            ours.contains("compile_error") && !ours.contains("feature `maps`"),
            "{item}: {ours}\n{theirs}"
        );
        assert_eq!(ours.contains("unimplemented"), theirs.contains("unimplemented"));
    } else {
        assert_eq!(ours, theirs, "{arguments}\n{item}");
    }
}

/// Writes the tree of a map to a file.
fn tree_file(map: &str, options: &[(&str, &str)], path: &std::path::Path) -> bool {
    let document = Document::from_json(map.as_bytes()).unwrap();
    let Ok(tree) = Options::parse(options).unwrap().tree(document) else { return false };
    fs::write(path, tree.to_file().unwrap()).unwrap();
    true
}

/// The signatures with which trees of the axes `comm_size` and `msg_size` are compared.
const SIGNATURES: [(&str, &str); 12] = [
    ("", "pub const fn f(comm_size: usize, msg_size: usize) -> &'static str;"),
    ("", "fn f(comm_size: u8, msg_size: core::num::NonZero<u16>) -> Option<u8>;"),
    ("", "#[doc = \" Docs.\"] fn f(comm_size: i32, msg_size: core::ffi::c_int) -> Option<super::Bcast>;"),
    ("", "fn f(comm_size: NonZeroU8, msg_size: u32) -> Option<Bcast> { None }"),
    (
        "msg_size = len",
        "fn f<T: Into<Vec<u8>>>(&self, len: T::Len, comm_size: u64) -> Result<u32, E> where T: X { Err(E) }",
    ),
    (
        "msg_size = data.len() * size_of::<[u8; 4]>(), comm_size = 4",
        "fn f(data: &[u8]) -> Option<::a::Bcast>;",
    ),
    ("axis(comm_size = RANKS, msg_size = 0x10)", "fn f() -> u64 { return 7 }"),
    (
        "msg_size = if a < b { 1 } else { f(|x, y| x) }",
        "fn f((a, b): (u32, u32), comm_size: u16) -> Option<Vec<u8>::Out>;",
    ),
    (
        "layout = \"branches\"",
        "async unsafe fn f(mut comm_size: u64, msg_size: u8, _: &str) -> Option<&'a str>;",
    ),
    ("", "fn f(comm_size: f64, msg_size: Option<usize>) -> String;"),
    ("", "fn f(comm_size: usize) -> Option<u32>;"),
    ("comm_size = ranks, msg_size = ranks", "fn f(ranks: usize) -> Option<u32>;"),
];

/// Compares both expansions of the tree in a file, with every signature.
fn compare(file: &str) {
    for (arguments, item) in SIGNATURES {
        let arguments = format!("concat!(\"\", {file:?}), {arguments}");
        compare_one(&arguments, item);
    }
    for arguments in ["", ", display, from_str, index"] {
        let arguments = format!("concat!(\"\", {file:?}){arguments}");
        let item = "#[derive(Debug)] pub(crate) enum Bcast {}";
        compare_one(&arguments, item);
    }
}

fn map() -> impl Strategy<Value = String> {
    (1_usize..7, 1_usize..7, 1_usize..5).prop_flat_map(|(rows, columns, methods)| {
        let cell = prop_oneof![9 => (0..methods).prop_map(|method| method.to_string()), 1 => Just("null".to_owned())];
        let ids = prop::collection::vec(prop::option::of(0_u64..300), methods);
        (Just((rows, columns)), prop::collection::vec(cell, rows * columns), ids, any::<bool>()).prop_map(
            |((rows, columns), cells, ids, is_collective)| {
                let axis = |name: &str, len: usize, factor: u64| {
                    let values: Vec<String> = (0..len).map(|at| (factor.pow(at as u32) + at as u64).to_string()).collect();
                    format!("{{ \"name\": \"{name}\", \"values\": [{}] }}", values.join(", "))
                };
                let method = |(index, id): (usize, &Option<u64>)| {
                    let id = id.map_or_else(String::new, |id| format!(", \"id\": {id}"));
                    let segment = if index % 2 == 1 { format!(", \"segment_size\": {}", 1000 << (index * 7)) } else { String::new() };
                    format!("{{ \"name\": \"way-{}\"{id}{segment} }}", index / 2)
                };
                let methods: Vec<String> = ids.iter().enumerate().map(method).collect();
                let cells: Vec<String> = cells.chunks(columns).map(|row| format!("[{}]", row.join(", "))).collect();
                let collective = if is_collective { "\"collective\": \"bcast\"," } else { "" };
                format!(
                    "{{ \"format\": \"qtdec-map/1\", {collective} \"axes\": [{}, {}], \"methods\": [{}], \"cells\": [{}] }}",
                    axis("comm_size", rows, 3),
                    axis("msg_size", columns, 50),
                    methods.join(", "),
                    cells.join(", ")
                )
            },
        )
    })
}

proptest! {
    #[test]
    fn a_stored_tree_becomes_the_same_tokens(
        map in map(),
        encoding in prop::sample::select(vec!["quadtree", "c45", "rle", "greedy"]),
        borders in prop::sample::select(vec!["crossing", "geometric", "arithmetic", "floor", "ceiling"]),
        empty in prop::sample::select(vec!["strict", "filled"]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tree.json");
        let options = [("encoding", encoding), ("borders", borders), ("empty", empty)];
        if tree_file(&map, &options, &path) {
            compare(path.to_str().unwrap());
        }
    }
}

/// Signatures for the labelled axes of maps in `golden/`.
const LABELLED: [(&str, &str, &str); 12] = [
    ("labels", "", "fn f(collective: Collective, commutative: bool, msg_size: usize) -> &'static str;"),
    ("labels", "", "fn f(collective: &a::Collective, commutative: Order, msg_size: u8) -> Option<Bcast>;"),
    ("labels", "collective = \"reduce\", commutative = true", "fn f(msg_size: i16) -> &'static str;"),
    (
        "labels",
        "axis(collective = \"bcast\", commutative = a > b)",
        "fn f(a: u8, b: u8, msg_size: u64) -> Enum;",
    ),
    ("labels", "collective = \"scatter\"", "fn f(commutative: bool, msg_size: u64) -> Enum;"),
    ("labels", "", "fn f(collective: bool, commutative: bool, msg_size: u64) -> Enum;"),
    ("words", "", "fn f(in_place: bool, contiguous: bool, größe: usize) -> Wort;"),
    ("words", "true_label = \"strided\"", "fn f(in_place: bool, contiguous: bool, größe: usize) -> Wort;"),
    ("words", "true_label = \"large\"", "fn f(in_place: bool, contiguous: bool, größe: usize) -> Wort;"),
    ("flags", "", "fn f(in_place: bool, commutative: bool) -> &'static str;"),
    ("flag_and_size", "", "fn f(in_place: bool, msgSize: NonZero<u128>) -> Option<&'static str>;"),
    (
        "three_axes",
        "answers(ring = |x| x, recursive_doubling = a::B::<u8, u16>, \"two-level\" = C)",
        "fn f(comm_size: u8, msg_size: u8, ppn: u8) -> Option<fn() -> u8>;",
    ),
];

#[test]
fn labels_become_the_same_tokens() {
    let folder = tempfile::tempdir().unwrap();
    for (map, arguments, item) in LABELLED {
        let path = folder.path().join(format!("{map}.json"));
        let file = fs::read_to_string(format!("../tests/golden/{map}.json")).unwrap();
        assert!(tree_file(&file, &[], &path));
        compare_one(&format!("concat!(\"\", {:?}), {arguments}", path.to_str().unwrap()), item);
    }
}

#[test]
fn the_options_are_those_of_maps() {
    assert_eq!(NAMES.split_whitespace().collect::<Vec<_>>(), Options::names());
}

/// Expands the attribute on a tree with this text.
fn expanded_text(text: &str, expand: fn(&str, &str) -> String) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tree.json");
    fs::write(&path, text).unwrap();
    let item = "fn f(comm_size: u64, msg_size: u64) -> Option<&'static str>;";
    let path = path.to_str().unwrap();
    let code = expand(&format!("concat!(\"\", {path:?})"), item);
    code.replace(path, "").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn golden_tree(map: &str) -> String {
    let map = fs::read_to_string(format!("../tests/golden/{map}.json")).unwrap();
    Options::parse::<&str>(&[])
        .unwrap()
        .tree(Document::from_json(map.as_bytes()).unwrap())
        .unwrap()
        .to_file()
        .unwrap()
}

proptest! {
    /// What the whole attribute reads, this one reads as well, and neither panics.
    #[test]
    fn a_changed_file_is_read_alike(
        at in any::<prop::sample::Index>(),
        by in prop::sample::select(vec!["", "0", "1", "\"", ",", "[", "}", "\\", "é", "null", " "]),
    ) {
        let mut text = golden_tree("bcast");
        let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
        let place = places[at.index(places.len())];
        text.replace_range(place..=place, by);
        let (ours, theirs) = (expanded_text(&text, stored), expanded_text(&text, whole));
        if !theirs.contains("compile_error") {
            assert_eq!(ours, theirs);
        }
    }
}

#[test]
fn a_wrong_file_is_refused_with_its_place() {
    let text = golden_tree("bcast");
    let faults = [
        ("\"comm_size\", 4]", "\"comm_sise\", 4]", "there is no axis `comm_sise`"),
        ("\"binomial\", \"id\": 6", "\"binomial\", \"id\": -6", "`-6` is not written as a whole number"),
        ("\"binomial\", \"id\": 6", "\"linear\", \"id\": 6", "two methods are `linear`"),
        ("\"format\"", "\"formal\"", "the key `format` is missing"),
        ("\"borders\"", "\"border\"", "unknown or repeated key `border`"),
        ("qtdec-tree/1", "qtdec-tree/2", "unknown format `qtdec-tree/2`"),
        ("qtdec-tree/1", "qtdec-map/1", "without the feature `maps` of qtdec"),
        ("\"name\": \"msg_size\"", "\"name\": \"fn\"", "`fn` cannot be the name of a parameter"),
        (
            "\"name\": \"msg_size\"",
            "\"name\": \"comm_size\"",
            "`comm_size` cannot be the name of a parameter",
        ),
        ("\"values\": [2, 4", "\"values\": [4, 2", "values must increase"),
        ("\"tree\": [", "\"tree\": [null, ", "the tree was complete before this entry"),
        ("\"tree\": [", "\"tree\": [[\"comm_size\", 4], ", "1 tests lack a subtree"),
        ("\"tree\": [", "\"tree\": [[\"comm_size\", 2], ", "is not a sample of `comm_size` after the first"),
        (
            "\"tree\"",
            "\"split\": [], \"tree\"",
            "a tree that begins with a predicate needs the feature `maps`",
        ),
        (
            "\"binomial\", \"id\": 6",
            "\"binomial\", \"requires\": [\"power_of_two\"], \"id\": 6",
            "needs the feature `maps`",
        ),
        ("\"encoding\": {", "\"encoding\": {,", "not JSON: key must be a string"),
    ];
    for (part, other, message) in faults {
        assert!(text.contains(part), "{part}\n{text}");
        let expanded = expanded_text(&text.replacen(part, other, 1), stored);
        assert!(expanded.contains(message), "{message}: {expanded}");
        assert!(expanded.contains("--> "), "{expanded}");
    }
}
