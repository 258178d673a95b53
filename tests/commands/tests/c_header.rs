//! The C header, compiled and evaluated on both sides of every threshold of every axis.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use qtdec_core::code::{MAX_SELECTED, Quartered};
use qtdec_core::encode::{self, Empty, EncodeSettings, Quadtree};
use qtdec_core::{Borders, DecisionMap, DecisionTree, Document, Domain};
use qtdec_terminal::c_header::{Shape, header};
use qtdec_testkit::maps::{Pattern, Plan};
use qtdec_testkit::sample::one_in;
use snapbox::{Data, assert_data_eq};

/// Returns a program that reads sizes, and prints the decision with its name and segment size. The words of MPI are there for its maps
/// alone.
fn program(domain: &Domain, name: &str) -> String {
    let axes = domain.axes().len();
    let sizes: Vec<String> = (0..axes).map(|axis| format!("size[{axis}]")).collect();
    let scan = "%\" SCNu64 \" ".repeat(axes);
    let addresses: Vec<String> = sizes.iter().map(|size| format!("&{size}")).collect();
    let of_collective = domain.collective().is_some();
    let named = if of_collective { "algorithm" } else { "name" };
    let has_segments = of_collective || domain.methods().iter().any(|method| method.segment_size.is_some());
    let segment_size =
        if has_segments { format!("{name}_segment_size(method)") } else { "UINT64_C(0)".to_owned() };
    format!(
        "#include <inttypes.h>\n#include <stdio.h>\n#include \"decision.h\"\n#include \"decision.h\"\n\
         int main(void) {{\n    uint64_t size[{axes}];\n    while (scanf(\"{scan}\", {}) == {axes}) {{\n\
         enum {name}_method method = {name}_decide({});\n\
         printf(\"%d %\" PRIu64 \" %s\\n\", (int) method, {segment_size}, {name}_{named}(method));\n\
         }}\n    return 0;\n}}\n",
        addresses.join(", "),
        sizes.join(", ")
    )
}

fn prove(tree: &DecisionTree, name: &str) {
    prove_shape(tree, name, Shape::Branches);
    if tree.statistics().encoding.name == "quadtree" {
        prove_shape(tree, name, Shape::Quadrants { error: None });
        prove_shape(tree, name, Shape::Quadrants { error: Some("no \"quadrant\" %s") });
    }
    if tree.root().leaves() <= MAX_SELECTED {
        prove_shape(tree, name, Shape::Select);
    }
}

fn prove_shape(tree: &DecisionTree, name: &str, shape: Shape<'_>) {
    let cuts = match shape {
        Shape::Quadrants { .. } => Quartered::from_tree(tree, usize::MAX).expect("it is a quadtree").cuts(),
        _ => tree.root().cuts().collect(),
    };
    let around = |axis: usize| {
        let labels = tree.domain().axes()[axis].values().is_none();
        let cuts = cuts.iter().filter(|(cut, _)| *cut == axis).map(|&(axis, at)| tree.threshold(axis, at));
        let mut sizes: Vec<u64> =
            cuts.flat_map(|size| [size - 1, size, size.saturating_add(1)]).chain([0]).collect();
        if !tree.guards().is_empty() {
            let powers = [1, 2, 3, 4, 10, 32, 63].map(|exponent| 1_u64 << exponent);
            sizes.extend(powers.into_iter().flat_map(|size| [size - 1, size, size + 1]));
        }
        sizes.extend((!labels).then_some(u64::MAX));
        sizes.retain(|size| !labels || (*size as usize) < tree.domain().axes()[axis].len());
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    };
    let points = (0..tree.domain().axes().len()).fold(vec![Vec::new()], |points: Vec<Vec<u64>>, axis| {
        let extended = |point: &Vec<u64>| {
            around(axis).into_iter().map(|size| [&point[..], &[size]].concat()).collect::<Vec<_>>()
        };
        points.iter().flat_map(extended).collect()
    });
    prove_points(tree, name, shape, &points);
}

fn prove_points(tree: &DecisionTree, name: &str, shape: Shape<'_>, points: &[Vec<u64>]) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let write =
        |file: &str, text: &str| std::fs::write(folder.path().join(file), text).expect("it is writable");
    let text = header(tree, name, "a map.json", shape);
    write("decision.h", &text);
    write("main.c", &program(tree.domain(), name));
    let built = Command::new("cc")
        .args(["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o", "ask", "main.c"])
        .current_dir(folder.path())
        .output()
        .expect("there is a compiler");
    assert!(built.status.success(), "{}\n{text}", String::from_utf8_lossy(&built.stderr));

    let (mut questions, mut expected) = (String::new(), String::new());
    for point in points {
        let sizes: Vec<String> = point.iter().map(ToString::to_string).collect();
        let _ = writeln!(questions, "{}", sizes.join(" "));
        let method = tree.decide(point);
        let described = method.map(|method| tree.domain().method(method));
        let _ = writeln!(
            expected,
            "{} {} {}",
            method.map_or(-1, |method| i64::from(method.get() as u32)),
            described.and_then(|method| method.segment_size).unwrap_or(0),
            described.map_or("", |method| &method.name)
        );
    }
    let mut child = Command::new(folder.path().join("ask"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it was built");
    let mut stdin = child.stdin.take().expect("it is piped");
    let writer = std::thread::spawn(move || stdin.write_all(questions.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("it does not panic").expect("it reads all");
    let answers = String::from_utf8(output.stdout).expect("names are UTF-8");
    assert!(answers == expected, "the header does not decide as its tree does\n{text}");
}

fn is_there_a_compiler() -> bool {
    let found = Command::new("cc")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !found {
        eprintln!("skipped: there is no C compiler");
    }
    found
}

/// The golden maps.
const GOLDEN: [&str; 16] = [
    "bcast",
    "barrier",
    "constant",
    "diagonal",
    "edges",
    "flag_and_size",
    "flags",
    "guarded",
    "half_diagonal",
    "labels",
    "many_guarded",
    "only_guarded",
    "partial",
    "polaris",
    "three_axes",
    "words",
];

/// Returns the tree of a golden map.
fn golden(name: &str) -> DecisionTree {
    let file = std::fs::read(format!("../golden/{name}.json")).expect("it is in the repository");
    match Document::from_json(&file).expect("it is sound") {
        Document::Map(map) => {
            encode::encode(&map, &Quadtree::default(), Borders::Arithmetic).expect("a quadtree needs nothing")
        }
        Document::Tree(tree) => tree,
    }
}

/// One, two and three axes, a rectangular grid, equal colours, a guard, and the papers' last `else`.
#[test]
fn headers_in_the_papers_form_are_the_recorded_ones() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/quadrants");
    for (name, error) in [
        ("barrier", None),
        ("bcast", Some("no quadrant")),
        ("diagonal", None),
        ("only_guarded", None),
        ("polaris", None),
        ("three_axes", None),
    ] {
        let text = header(&golden(name), name, &format!("{name}.json"), Shape::Quadrants { error });
        assert_data_eq!(text, Data::read_from(&folder.join(name).with_extension("h"), None).raw());
    }
}

#[test]
fn headers_of_golden_maps_decide_as_their_trees_do() {
    if !is_there_a_compiler() {
        return;
    }
    for name in GOLDEN {
        prove(&golden(name), name);
    }
}

#[test]
fn headers_have_no_decision_where_nothing_was_measured_if_asked() {
    if !is_there_a_compiler() {
        return;
    }
    prove(&strict(), "partial");
}

/// Returns a tree without a decision where nothing was measured.
fn strict() -> DecisionTree {
    let file = std::fs::read("../golden/partial.json").expect("it is in the repository");
    let map = Document::from_json(&file).expect("it is sound").into_map().expect("it is a map");
    let settings = EncodeSettings { empty: Empty::Strict, ..EncodeSettings::default() };
    let tree = encode::encode_with(&map, &Quadtree::default(), &settings).expect("a quadtree needs nothing");
    assert_eq!(tree.cells(), map.cells(), "the tree leaves empty cells empty");
    tree
}

#[test]
fn headers_of_random_maps_decide_as_their_trees_do() {
    if !is_there_a_compiler() {
        return;
    }
    let shapes: [&[usize]; 4] = [&[7, 9], &[30], &[4, 5, 6], &[24, 24]];
    for (seed, shape) in shapes.into_iter().enumerate() {
        let patterns = [Pattern::Noise, Pattern::Smooth, Pattern::Checkerboard];
        for pattern in patterns.into_iter().skip(seed % one_in::<usize>(3)).step_by(one_in(3)) {
            let map = Plan { nulls: 5, ..Plan::new(shape, pattern, seed as u64) }.map();
            let tree = encode::encode(&map, &Quadtree::default(), Borders::Geometric)
                .expect("a quadtree needs nothing");
            prove(&tree, "decide");
        }
    }
}

#[test]
fn names_of_any_kind_become_identifiers() {
    if !is_there_a_compiler() {
        return;
    }
    let file = r#"{ "format": "qtdec-map/1", "collective": "*/ bcast",
        "axes": [{ "name": "int", "values": [1, 2, 3, 18446744073709551615] }],
        "methods": [{ "name": "a-b" }, { "name": "a b" }, { "name": "none" }, { "name": "größe\"??/\\" }],
        "cells": [0, 1, 2, 3] }"#;
    let Ok(Document::Map(map)) = Document::from_json(file.as_bytes()) else { panic!("it is a map") };
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).expect("a quadtree needs nothing");
    prove(&tree, "size_2");
}

#[test]
fn axes_called_like_what_is_in_a_header() {
    if !is_there_a_compiler() {
        return;
    }
    for names in [["DECIDE_METHOD_0", "decide_select"], ["uint64_t", "int"], ["int", "int_"]] {
        let map = Plan::new(&[4, 5], Pattern::Noise, 3).map();
        let mut axes = map.domain().axes().to_vec();
        for (axis, name) in axes.iter_mut().zip(names) {
            name.clone_into(&mut axis.name);
        }
        let domain = Domain::new(None, axes, map.domain().methods().to_vec()).expect("the names differ");
        let map = DecisionMap::new(domain, map.cells().to_vec()).expect("the cells are those of a map");
        prove(&encode::encode(&map, &Quadtree::default(), Borders::Floor).expect("a quadtree"), "decide");
    }
}
