//! Python modules, run on both sides of every threshold of every axis.

use std::fmt::Write as _;
use std::process::Command;

use qtdec_core::encode::{self, Optimal, Quadtree};
use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Document, Method, MethodIndex, Samples};
use qtdec_terminal::python::{by_device, module};
use qtdec_testkit::maps::{Pattern, Plan};
use qtdec_testkit::proof;
use qtdec_testkit::sample::one_in;

use super::c_header::{GOLDEN, golden, strict};

/// Returns whether this machine has Python.
fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: there is no python3");
    }
    found
}

/// Runs a program after a module, and returns what it prints.
fn run(module: &str, program: &str) -> String {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("decide.py");
    std::fs::write(&file, format!("{module}\n{program}")).expect("it is writable");
    let output = Command::new("python3").args(["-B", "-W", "error"]).arg(&file).output().expect("it starts");
    assert!(output.status.success(), "{}\n{module}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("labels are escaped")
}

/// Returns the arguments of a call: sizes, and labels as literals.
fn arguments(tree: &DecisionTree, point: &[u64]) -> String {
    let written = |(axis, size): (&Axis, &u64)| match &axis.samples {
        Samples::Values(_) => size.to_string(),
        Samples::Labels(labels) => serde_json::to_string(&labels[*size as usize]).expect("it is text"),
    };
    tree.domain().axes().iter().zip(point).map(written).collect::<Vec<_>>().join(", ")
}

fn label(tree: &DecisionTree, method: Option<MethodIndex>) -> String {
    method.map_or("None".to_owned(), |method| {
        let label = tree.domain().method(method).label();
        label
            .chars()
            .flat_map(|char| if char.is_ascii() { vec![char] } else { char.escape_unicode().collect() })
            .collect()
    })
}

/// Proves that a module decides as its tree does.
fn prove(tree: &DecisionTree) {
    let text = module(tree, "decide", "a map.json").expect("it is small");
    let (mut calls, mut expected) = (String::from("for call in [\n"), String::new());
    for point in proof::queries(tree.domain(), &[proof::of_tree(tree)], u64::MAX) {
        let _ = writeln!(calls, "    ({},),", arguments(tree, &point));
        let _ = writeln!(expected, "{}", label(tree, tree.decide(&point)));
    }
    // Labels that are not ASCII are compared as escapes, whatever the encoding of the output is.
    calls.push_str(
        "]:\n    label = decide(*call)\n    assert label is None or label in DECIDE_METHODS\n    \
         print(''.join(char if ord(char) < 128 else '\\\\u{%x}' % ord(char) for char in str(label)))\n",
    );
    assert!(run(&text, &calls) == expected, "the module does not decide as its tree does\n{text}");
}

#[test]
fn modules_of_golden_maps_decide_as_their_trees_do() {
    if !has_python() {
        return;
    }
    for name in GOLDEN {
        prove(&golden(name));
    }
    prove(&strict());
}

#[test]
fn modules_of_random_maps_decide_as_their_trees_do() {
    if !has_python() {
        return;
    }
    for (seed, shape) in [&[7, 9][..], &[30], &[4, 5, 6]].into_iter().enumerate() {
        let patterns = [Pattern::Noise, Pattern::Smooth, Pattern::Checkerboard];
        for pattern in patterns.into_iter().skip(seed % one_in::<usize>(3)).step_by(one_in(3)) {
            let map = Plan { nulls: 5, ..Plan::new(shape, pattern, seed as u64) }.map();
            prove(&encode::encode(&map, &Quadtree::default(), Borders::Geometric).expect("it needs nothing"));
            prove(&encode::encode(&map, &Optimal::default(), Borders::Geometric).expect("it is small"));
        }
    }
}

#[test]
fn names_and_labels_of_any_kind_stay_apart() {
    if !has_python() {
        return;
    }
    let file = r#"{ "format": "qtdec-map/1", "collective": "\"\"\" \\ bcast",
        "axes": [{ "name": "lambda", "values": [1, 2, 3, 18446744073709551615] },
                 { "name": "ValueError", "labels": ["größe", "\"\\"] }],
        "methods": [{ "name": "a-b" }, { "name": "a b" }, { "name": "None" }, { "name": "größe\"'\\" }],
        "cells": [[0, 1], [2, 3], [3, 2], [1, 0]] }"#;
    let Ok(Document::Map(map)) = Document::from_json(file.as_bytes()) else { panic!("it is a map") };
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).expect("a quadtree needs nothing");
    prove(&tree);
    let text = module(&tree, "decide", "\n'''\"\"\"").expect("it is small");
    let refused =
        "try:\n    decide(1, 'other')\nexcept Exception as error:\n    print(type(error).__name__, error)\n";
    assert_eq!(run(&text, refused), "ValueError unknown label 'other' of ValueError_\n");
}

/// A map of `m` × `n` with other winners on each device.
fn of_device(turn: usize, axes: [&str; 2]) -> DecisionTree {
    let axes = axes.map(|name| Axis::new(name, [1, 16])).to_vec();
    let methods = ["a", "b"].map(Method::new).to_vec();
    let cost = |point: &[u64], method: MethodIndex| {
        (point[0] as usize / 16 + method.get() + turn) as f64 % 2.0 + 1.0
    };
    let map = DecisionMap::from_costs(axes, methods, cost).expect("it is sound");
    encode::encode(&map, &Quadtree::default(), Borders::Floor).expect("a quadtree needs nothing")
}

#[test]
fn a_function_of_devices_decides_by_the_tree_of_each_and_asks_the_caller_otherwise() {
    if !has_python() {
        return;
    }
    let [epyc, xeon] = [0, 1].map(|turn| of_device(turn, ["m", "device"]));
    let text = by_device(&[("EPYC 7", "EPYC 7.json", &epyc), ("xeon", "xeon.json", &xeon)], "choose");
    let program = "for device in ['EPYC 7', 'xeon', 'other']:\n    \
                   print(*[choose(device, m, 1) for m in (1, 16)], choose(device, 1, 1, fallback='own'))\n";
    assert_eq!(run(&text.expect("both are small"), program), "a b a\nb a b\nNone None own\n");
    let other = of_device(0, ["m", "k"]);
    let refused = by_device(&[("a", "a.json", &epyc), ("b", "b.json", &other)], "choose").unwrap_err();
    assert_eq!(
        refused.message.to_string(),
        "`b.json` has other axes than `a.json`, and one function decides by both"
    );
}

/// Returns the tree of a chain of tests, each below the one before.
fn nested(levels: usize) -> DecisionTree {
    let values = listed(1..=levels + 1);
    let tests = listed((0..levels).map(|level| format!(r#"["n", {}]"#, levels + 1 - level)));
    let answers = listed((0..=levels).map(|level| if level % 2 == 0 { r#""a""# } else { r#""b""# }));
    let file = format!(
        r#"{{ "format": "qtdec-tree/1", "axes": [{{ "name": "n", "values": [{values}] }}],
            "methods": [{{ "name": "a" }}, {{ "name": "b" }}], "borders": "floor",
            "encoding": {{ "name": "greedy", "options": {{}}, "leaves": {leaves}, "nodes": {nodes}, "cells": {leaves},
                "depth": {{ "min": 1, "mean": 1, "max": {levels} }}, "mismatches": 0, "penalty": null }},
            "tree": [{tests}, {answers}] }}"#,
        leaves = levels + 1,
        nodes = 2 * levels + 1,
    );
    match Document::from_json(file.as_bytes()).expect("it is sound") {
        Document::Tree(tree) => tree,
        _ => panic!("it is a tree of boxes"),
    }
}

fn listed(items: impl IntoIterator<Item = impl ToString>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

#[test]
fn functions_deeper_than_python_reads_are_refused() {
    if !has_python() {
        return;
    }
    prove(&nested(94));
    let refused = module(&nested(95), "decide", "tree.json").unwrap_err();
    assert_eq!(refused.message.to_string(), "the function has 96 levels, and Python reads 95");
}
