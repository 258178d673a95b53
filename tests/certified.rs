//! The proofs in generated files, compiled and run: they hold for the generated files, and fail for changed copies.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use qtdec_build::{EnumItem, ItemOptions};
use qtdec_core::code::{LayoutChoice, layouts};
use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Borders, DecisionMap, DecisionTree, Document, Domain, Method, Options};
use qtdec_testkit::maps::{Pattern, Plan};

/// Returns the trees of the maps in `golden/`, with their names.
fn trees() -> Vec<(String, DecisionTree)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut maps: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    maps.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    maps.sort();
    let tree = |path: &Path| {
        let document = Document::from_json(&fs::read(path).unwrap()).unwrap();
        Options::parse::<&str>(&[]).unwrap().tree(document).unwrap()
    };
    let named =
        maps.iter().map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), tree(path)));
    // Nor have trees with methods that may not run everywhere.
    named.filter(|(_, tree)| tree.guards().is_empty()).collect()
}

fn options(name: &str, tree: &DecisionTree, layout: LayoutChoice) -> ItemOptions {
    ItemOptions { optional: !tree.is_total(), layout, certify: true, ..ItemOptions::named(name) }
}

/// Compiles modules as tests, runs them, and returns which of their proofs held.
fn proofs(modules: &[String]) -> Vec<(usize, bool)> {
    let folder = tempfile::tempdir().unwrap();
    let (source, tests) = (folder.path().join("proofs.rs"), folder.path().join("proofs"));
    let modules = modules.iter().enumerate();
    let modules: Vec<String> =
        modules.map(|(number, text)| format!("pub mod m{number} {{\n{text}\n}}\n")).collect();
    let text = modules.concat();
    fs::write(&source, format!("#![deny(warnings, missing_docs)]\n#![allow(missing_docs)]\n{text}")).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled =
        Command::new(rustc).args(["--test", "--edition", "2024", "-o"]).args([&tests, &source]).output();
    let compiled = compiled.unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&tests).output().unwrap();
    let said = String::from_utf8(run.stdout).unwrap();
    let proof = |line: &str| {
        let (number, rest) = line.strip_prefix("test m")?.split_once("::")?;
        let (_, outcome) = rest.split_once(" ... ")?;
        Some((number.parse().unwrap(), outcome == "ok"))
    };
    let mut proofs: Vec<(usize, bool)> = said.lines().filter_map(proof).collect();
    proofs.sort_unstable();
    proofs
}

fn layout_of(name: &str) -> LayoutChoice {
    LayoutChoice::parse(name).unwrap()
}

#[test]
fn every_file_carries_a_proof_that_holds() {
    let mut modules = Vec::new();
    for (name, tree) in trees() {
        for &layout in layouts() {
            modules.extend(options(&name, &tree, LayoutChoice::Fixed(layout)).file(&tree, &name));
        }
        // The papers' last `else` is a panic, which the proof would reach.
        let error = Some("no \"quadrant\" has {}".to_owned());
        let with_error = ItemOptions { error, ..options(&name, &tree, LayoutChoice::QUADRANTS) };
        modules.extend(with_error.file(&tree, &name));
        let typed = [("u128", "i64", "table"), ("i32", "&'static str", "branches")];
        for (parameter_type, returns, layout) in typed {
            let (parameter_type, returns) = (parameter_type.to_owned(), Some(returns.to_owned()));
            let returns = returns.map(|ty| if tree.is_total() { ty } else { format!("Option<{ty}>") });
            let style = ItemOptions { parameter_type, returns, ..options(&name, &tree, layout_of(layout)) };
            modules.extend(style.file(&tree, &name));
        }
    }
    assert!(modules.len() > 60, "{}", modules.len());
    let held: Vec<(usize, bool)> = (0..modules.len()).map(|module| (module, true)).collect();
    assert_eq!(proofs(&modules), held);
}

/// Returns the tree of a map of sizes, an order and these methods, of which the last is chosen from 16 elements on.
fn of_device(methods: &str, cells: &str) -> DecisionTree {
    let map = format!(
        r#"{{ "format": "qtdec-map/1", "axes": [
            {{ "name": "len", "values": [1, 16] }}, {{ "name": "order", "labels": ["random", "nearly", "ascending"] }} ],
            "methods": {methods}, "cells": {cells} }}"#
    );
    let borders = Options::parse(&[("borders", "ceiling")]).unwrap();
    borders.tree(Document::from_json(map.as_bytes()).unwrap()).unwrap()
}

#[test]
fn a_function_of_devices_decides_by_the_tree_of_each_and_leaves_others_to_the_caller() {
    let own = of_device(r#"[{ "name": "insertion" }, { "name": "radix" }]"#, "[[0, 0, 0], [1, 0, 1]]");
    let partial = of_device(r#"[{ "name": "radix" }, { "name": "merge" }]"#, "[[0, 0, 0], [1, null, 1]]");
    let devices = [("x86_64", "x86_64.json", &own), ("EPYC 9", "EPYC 9.json", &partial)];
    let options = ItemOptions { certify: true, ..ItemOptions::named("sort") };
    let file = options.file_by_device(&devices).unwrap();
    let calls = r#"
        #[test]
        fn calls() {
            let at_16 = |device| [Order::Random, Order::Nearly].map(|order| sort(device, 16, order));
            assert_eq!(at_16("x86_64"), [Some(Sort::Radix), Some(Sort::Insertion)]);
            assert_eq!(at_16("EPYC 9"), [Some(Sort::Merge), None]);
            assert_eq!(at_16("riscv64"), [None, None]);
        }"#;
    let of_own_type = ItemOptions { returns: Some("&'static str".to_owned()), ..options.clone() };
    let (others, partial) = ([devices[0], ("b", "b.json", &own)], [devices[1]]);
    let of_text = of_own_type.file_by_device(&others).unwrap();
    assert_eq!(proofs(&[file + calls, of_text]), [(0, true), (0, true), (0, true), (1, true), (1, true)]);

    let refused = |options: &ItemOptions, devices: &[(&str, &str, &DecisionTree)]| {
        options.file_by_device(devices).unwrap_err().to_string()
    };
    assert!(
        refused(&of_own_type, &partial).starts_with("nothing was measured where 2 <= len, order is nearly")
    );
    let of_result = ItemOptions { returns: Some("Result<u8, Error>".to_owned()), ..options.clone() };
    assert!(refused(&of_result, &devices).starts_with("a function of a device returns `None` on other"));
    assert!(refused(&options, &[]).starts_with("a function of a device needs a tree"));
    let same = [("a-b", "a-b.json", &own), ("a_b", "a_b.json", &own)];
    assert_eq!(
        refused(&options, &same),
        "`a-b` and `a_b` would both be the function `sort_a_b` (rename one of the files)"
    );
    let other = trees().remove(0).1;
    let differing = [devices[0], ("other", "other.json", &other)];
    assert!(refused(&options, &differing).starts_with("`other.json` has other axes than `x86_64.json`"));
}

#[test]
fn a_file_is_the_same_before_its_proof() {
    for (name, tree) in trees() {
        let certified = options(&name, &tree, LayoutChoice::default());
        let plain = ItemOptions { certify: false, ..certified.clone() };
        let (certified, plain) = (certified.file(&tree, &name).unwrap(), plain.file(&tree, &name).unwrap());
        let (code, proof) = certified.split_once("\n/// Calls `").unwrap();
        assert_eq!(code, plain);
        assert!(proof.contains("#[cfg(test)]\n#[test]\n"), "{proof}");
        assert!(certified.find("#[test]") > certified.find("pub const fn"));
    }
}

/// Returns every change of one word in the branches that changes an answer.
fn tampered(file: &str, function: &str, answers: [&str; 2]) -> Vec<String> {
    let start = file.find(&format!("const fn {function}(")).unwrap();
    let start = start + file[start..].find("    if ").unwrap();
    let end = start + file[start..].find("\n}\n").unwrap();
    let body = &file[start..end];
    let mut changed = Vec::new();
    let mut change = |at: usize, old: &str, new: &str| {
        let at = start + at;
        changed.push([&file[..at], new, &file[at + old.len()..]].concat());
    };
    for (old, new) in [(" < ", " >= "), (" >= ", " < "), (" < ", " <= "), (" >= ", " > "), (" && ", " || ")] {
        body.match_indices(old).for_each(|(at, old)| change(at, old, new));
    }
    for (old, new) in [(answers[0], answers[1]), (answers[1], answers[0])] {
        body.match_indices(old).for_each(|(at, old)| change(at, old, new));
    }
    let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    let bytes = body.as_bytes();
    for at in 1..bytes.len() {
        if bytes[at].is_ascii_digit() && bytes[at - 1] == b' ' {
            let old: String = body[at..].bytes().take_while(|byte| is_digit(*byte)).map(char::from).collect();
            let value: u64 = old.replace('_', "").parse().unwrap();
            for new in [value - 1, value + 1, value * 10, value / 2] {
                change(at, &old, &new.to_string());
            }
        }
    }
    changed
}

#[test]
fn whatever_is_changed_in_a_function_is_found() {
    let (name, tree) = trees().into_iter().find(|(name, _)| name == "bcast").unwrap();
    let file = options(&name, &tree, LayoutChoice::default()).file(&tree, &name).unwrap();
    let modules = tampered(&file, &name, ["Bcast::Binomial", "Bcast::Linear"]);
    assert!(modules.len() > 40, "{}", modules.len());
    let held: Vec<String> = proofs(&modules)
        .into_iter()
        .filter(|(_, held)| *held)
        .map(|(module, _)| modules[module].clone())
        .collect();
    assert!(held.is_empty(), "{held:?}");
    assert_eq!(proofs(&[file]), [(0, true)]);
}

/// Answers of every length, and those with braces and quotes, in branches of every shape.
#[test]
fn rustfmt_leaves_answers_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rustfmt.toml"), "").unwrap();
    let mut files = Vec::new();
    for (seed, pattern) in (0..24).flat_map(|seed| [(seed, Pattern::Noise), (seed, Pattern::Smooth)]) {
        let shape = [2 + seed as usize % 5, 2 + seed as usize / 5];
        let map = Plan { methods: 2 + seed as usize % 7, ..Plan::new(&shape, pattern, seed) }.map();
        let renamed = |(index, method): (usize, &Method)| Method {
            id: Some(7 * index as u64),
            ..Method::new(
                ["{", "\"}\" else { \\", "if x { y } else { z }"]
                    .get(index)
                    .map_or(method.name.clone(), |name| (*name).to_owned()),
            )
        };
        let domain = map.domain();
        let methods = domain.methods().iter().enumerate().map(renamed).collect();
        let named = Domain::new(None, domain.axes().to_vec(), methods).unwrap();
        let map = DecisionMap::new(named, map.cells().to_vec()).unwrap();
        for depth in [1, 2, 3, 8] {
            let encoder = Quadtree { max_depth: Some(depth), collapse: true, ..Quadtree::default() };
            let tree = encode::encode(&map, &encoder, Borders::Floor).unwrap();
            for returns in ["u8", "i64", "&'static str", "Option<u8>"] {
                let name = format!("f{}", files.len());
                let style = ItemOptions { returns: Some(returns.to_owned()), ..ItemOptions::named(&name) };
                files.push(folder.path().join(format!("{name}.rs")));
                fs::write(&files[files.len() - 1], style.file(&tree, &name).unwrap()).unwrap();
            }
        }
    }
    let output =
        Command::new("rustfmt").args(["--edition", "2024", "--check"]).args(&files).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

/// Checks that rustfmt leaves enums and branches unchanged in its default style, and every file in any style if its module says so.
#[test]
fn rustfmt_leaves_files_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    // Without a file of their own, the settings of a folder above would count.
    fs::write(folder.path().join("rustfmt.toml"), "").unwrap();
    let (mut branches, mut modules) = (Vec::new(), String::new());
    for (name, tree) in trees() {
        for &layout in layouts() {
            let module = format!("{name}_{}", layout.name());
            let Ok(text) = options(&name, &tree, LayoutChoice::Fixed(layout)).file(&tree, &name) else {
                continue;
            };
            fs::write(folder.path().join(format!("{module}.rs")), text).unwrap();
            let _ = writeln!(modules, "#[rustfmt::skip]\nmod {module};");
        }
        // The error of `FromStr` lists all methods, on a line of any length.
        let enum_items = EnumItem::ALL.map(|(_, item)| item).into_iter();
        let enum_items = enum_items.filter(|item| *item != EnumItem::FromStr).collect();
        let all =
            ItemOptions { enum_items, certify: false, ..options(&name, &tree, LayoutChoice::default()) };
        branches.push(folder.path().join(format!("{name}.rs")));
        fs::write(&branches[branches.len() - 1], all.file(&tree, &name).unwrap()).unwrap();
    }
    let root = folder.path().join("lib.rs");
    fs::write(&root, modules).unwrap();
    let rustfmt = |settings: &[&str], files: &[PathBuf]| {
        let output = Command::new("rustfmt").args(settings).arg("--check").args(files).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success(), format!("{settings:?}: {text}{}", String::from_utf8_lossy(&output.stderr)))
    };
    let (unchanged, report) = rustfmt(&["--edition", "2024"], &branches);
    assert!(unchanged, "{report}");
    let narrow = ["--edition", "2024", "--config", "max_width=60,hard_tabs=true"];
    assert!(!rustfmt(&narrow, &branches).0, "the style must matter");
    let settings: [&[&str]; 4] = [&[], &["--edition", "2021"], &["--edition", "2024"], &narrow];
    for settings in settings {
        let (unchanged, report) = rustfmt(settings, std::slice::from_ref(&root));
        assert!(unchanged, "{report}");
    }
}
