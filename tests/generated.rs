//! Generated files: the function of several devices, compiled and run, and what rustfmt makes of all files.

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
    maps.iter().map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), tree(path))).collect()
}

fn options(name: &str, tree: &DecisionTree, layout: LayoutChoice) -> ItemOptions {
    ItemOptions { optional: !tree.is_total(), layout, ..ItemOptions::named(name) }
}

/// Compiles files as one test, and runs it.
fn run(files: &[String]) {
    let folder = tempfile::tempdir().unwrap();
    let (source, tests) = (folder.path().join("files.rs"), folder.path().join("files"));
    let files = files.iter().enumerate();
    let modules: Vec<String> =
        files.map(|(number, text)| format!("pub mod m{number} {{\n{text}\n}}\n")).collect();
    let text = modules.concat();
    fs::write(&source, format!("#![deny(warnings)]\n{text}")).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    for command in [
        Command::new(rustc).args(["--test", "--edition", "2024", "-o"]).args([&tests, &source]),
        &mut Command::new(&tests),
    ] {
        let output = command.output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(output.status.success(), "{out}{err}");
    }
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
    let options = ItemOptions::named("sort");
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
    run(&[file + calls, of_text]);

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
        let all = ItemOptions { enum_items, ..options(&name, &tree, LayoutChoice::default()) };
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
