//! Tests of the expansion as tokens. Its behaviour when compiled and its messages are tested in the directory `tests/`.

use std::fs;
use std::path::Path;

use qtdec_build::ItemOptions;
use qtdec_core::{Options, SourceFile};
use quote::ToTokens;
use syn::{Item, ItemFn, Stmt};

const GOLDEN: &str = "../tests/golden";

/// Expands the attribute on an item.
fn expanded(arguments: &str, item: &str) -> String {
    super::expand(arguments.parse().unwrap(), &item.parse().unwrap()).to_string()
}

/// Returns the function that a build script generates and the one that the attribute makes from its signature.
fn both(name: &str) -> (ItemFn, ItemFn) {
    let file = format!("{GOLDEN}/{name}.json");
    let source = SourceFile::read(&file, fs::File::open(&file).unwrap()).unwrap();
    let tree = Options::parse::<&str>(&[]).unwrap().tree(source.document().unwrap()).unwrap();
    let style = ItemOptions { optional: !tree.is_total(), ..ItemOptions::named(name) };
    let generated: syn::File = syn::parse_str(&style.file(&tree, &file).unwrap()).unwrap();
    let function = generated.items.into_iter().find_map(|item| match item {
        Item::Fn(function) => Some(function),
        _ => None,
    });
    let generated = function.unwrap();
    let (vis, sig) = (generated.vis.to_token_stream(), generated.sig.to_token_stream());
    let expanded = syn::parse_str(&expanded(&format!("{file:?}"), &format!("{vis} {sig};"))).unwrap();
    (generated, expanded)
}

#[test]
fn the_attribute_and_the_builder_make_the_same_tokens() {
    let maps = fs::read_dir(GOLDEN).unwrap().map(|entry| entry.unwrap().path());
    let names: Vec<String> = maps
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    assert!(names.len() > 10);
    for name in names {
        let (generated, mut expanded) = both(&name);
        // The attribute also adds an item that makes Cargo rebuild the crate when the file changes.
        let tracker = expanded.block.stmts.remove(0);
        assert!(
            matches!(&tracker, Stmt::Item(Item::Const(item)) if item.expr.to_token_stream().to_string().contains("include_str"))
        );
        let text = |statements: &[Stmt]| {
            statements.iter().map(|statement| statement.to_token_stream().to_string()).collect::<Vec<_>>()
        };
        // So are those that cause a single error for a type alias.
        let is_of_alias = |statement: &Stmt| {
            let item = statement.to_token_stream().to_string();
            item.contains("NotAnEnum") || item.starts_with("const _ :")
        };
        let aliases = expanded.block.stmts.len() - generated.block.stmts.len();
        assert!(expanded.block.stmts.drain(..aliases).all(|statement| is_of_alias(&statement)), "{name}");
        assert_eq!(text(&generated.block.stmts), text(&expanded.block.stmts), "{name}");
    }
}

/// Expands the attribute on an item and prints the result.
fn printed(arguments: &str, item: &str) -> String {
    prettyplease::unparse(&syn::parse_str(&expanded(arguments, item)).unwrap())
}

#[test]
fn docs_and_attributes_of_the_user_stay_first() {
    let file = format!("{GOLDEN}/bcast.json");
    let item = "#[doc = \" Mine.\"] #[must_use]
        pub(crate) const fn select(comm_size: usize, msg_size: usize) -> u32;";
    let printed = printed(&format!("{file:?}"), item);
    let head = "\
/// Mine.
#[must_use]
///
/// Decided by `../tests/golden/bcast.json`: 10 regions, depth 2.
pub(crate) const fn select(comm_size: usize, msg_size: usize) -> u32 {
    const _: fn() = || {";
    assert!(printed.starts_with(head), "{printed}");
}

#[test]
fn an_item_that_is_refused_is_still_there() {
    let item = "pub fn select(comm_size: usize) -> u32;";
    let expanded = printed(r#""no-such-file.json""#, item);
    assert!(expanded.contains("compile_error!"), "{expanded}");
    // The error stands in the body: whatever calls the function, in a constant too, finds it there.
    let (head, body) = expanded.split_once("pub fn select(comm_size: usize) -> u32 {\n").unwrap();
    assert!(!head.contains("compile_error!") && body.contains("compile_error!"), "{expanded}");
    assert!(body.ends_with("    ::core::unimplemented!()\n}\n"), "{expanded}");
    let item = "fn select(comm_size: usize) -> u32 { body(comm_size) }";
    assert!(printed(r#""no-such-file.json""#, item).contains("body(comm_size)"));
}

#[test]
fn a_file_that_a_build_script_wrote_may_be_absolute() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(GOLDEN);
    let (folder, name) = (folder.to_str().unwrap(), "/bcast.json");
    let item = "fn select(comm_size: usize, msg_size: usize) -> u32;";
    assert!(!printed(&format!("concat!({folder:?}, {name:?})"), item).contains("compile_error"));
    let absolute = format!("{folder}{name}");
    assert!(printed(&format!("{absolute:?}"), item).contains("absolute path"));
}

#[test]
fn what_is_no_map_is_told_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("times.csv"), "# qtdec-times/1\nsize,method,launch,repeat,time_us\n")
        .unwrap();
    let folder = folder.path().to_str().unwrap();
    let item = "fn select(comm_size: usize) -> u32;";
    let times = printed(&format!(r#"concat!({folder:?}, "/times.csv")"#), item);
    assert!(times.contains("these are times") && times.contains("qtdec map"), "{times}");
    let missing = printed(&format!(r#"concat!({folder:?}, "/none.json")"#), item);
    assert!(missing.contains("qtdec map --placeholder --methods"), "{missing}");
}

/// The compiler would wait for the writer of a pipe.
#[test]
#[cfg(unix)]
fn a_pipe_or_a_device_is_no_map() {
    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status();
    assert!(made.unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero")).unwrap();
    let folder = folder.path().to_str().unwrap();
    let item = "fn select(comm_size: usize) -> u32;";
    for name in ["/pipe", "/zero"] {
        let refused = printed(&format!("concat!({folder:?}, {name:?})"), item);
        assert!(refused.contains("it is not a regular file"), "{refused}");
    }
}

/// A number for a name that is both an option and an axis is the option's, unless it is in `axis(…)`.
#[test]
fn axes_may_have_the_names_of_options() {
    let folder = tempfile::tempdir().unwrap();
    let map = r#"{ "format": "qtdec-map/1", "axes": [{ "name": "weight", "values": [1, 8] }, { "name": "fill", "values": [1, 8] }],
        "methods": [{ "name": "a" }, { "name": "b" }], "cells": [[0, 0], [0, 1]] }"#;
    fs::write(folder.path().join("map.json"), map).unwrap();
    let folder = folder.path().to_str().unwrap();
    let item = "fn select(level: usize) -> u32;";
    let expanded =
        printed(&format!(r#"concat!({folder:?}, "/map.json"), axis(weight = level, fill = 9)"#), item);
    assert!(!expanded.contains("compile_error"), "{expanded}");
    assert!(expanded.contains("level >= 8") || expanded.contains("level < 8"), "{expanded}");
    // A number is the option's, so that no parameter gives the axis.
    let refused = printed(&format!(r#"concat!({folder:?}, "/map.json"), weight = 9, axis(fill = 9)"#), item);
    assert!(refused.contains("compile_error"), "{refused}");
}

/// The compiler waits for the attribute, so long searches are left to the command.
#[test]
fn a_long_search_is_refused() {
    let side = 40;
    let values: Vec<String> = (0..side).map(|value| value.to_string()).collect();
    let values = values.join(", ");
    // No two rows or columns are equal.
    let row = |row: u32| {
        let cells: Vec<String> = (0..side).map(|column| (row * column / 3 % 2).to_string()).collect();
        format!("[{}]", cells.join(", "))
    };
    let map = format!(
        r#"{{ "format": "qtdec-map/1", "cells": [{}], "methods": [{{ "name": "a" }}, {{ "name": "b" }}],
        "axes": [{{ "name": "comm_size", "values": [{values}] }}, {{ "name": "msg_size", "values": [{values}] }}] }}"#,
        (0..side).map(row).collect::<Vec<_>>().join(", ")
    );
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("map.json"), map).unwrap();
    let folder = folder.path().to_str().unwrap();
    let item = "fn select(comm_size: usize, msg_size: usize) -> u32;";
    let expanded = printed(&format!(r#"concat!({folder:?}, "/map.json"), encoding = "optimal""#), item);
    assert!(expanded.contains("compile_error") && expanded.contains("run `qtdec encode` once"), "{expanded}");
    assert!(
        !printed(&format!(r#"concat!({folder:?}, "/map.json"), encoding = "greedy""#), item)
            .contains("compile_error")
    );
}
