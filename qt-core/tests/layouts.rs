//! Layouts that are rejected for some trees.

use proc_macro2::{Ident, Span, TokenStream};
use qtdec_core::code::{AUTO_REGIONS, Function, LayoutChoice, Parameter, QuadrantStyle, ReturnKind, Wrapper};
use qtdec_core::{DecisionTree, Document, Options};

/// Returns the error of a layout for a map or tree.
fn refusal(text: &str, layout: &str) -> String {
    let document = Document::from_json(text.as_bytes()).unwrap();
    let tree: DecisionTree = Options::parse::<&str>(&[]).unwrap().tree(document).unwrap();
    let parameter = |name: &str| Parameter {
        name: Ident::new(name, Span::call_site()),
        ty: syn::parse_quote!(u64),
        nameable: true,
    };
    let function = Function {
        tree: &tree,
        parameters: tree.domain().axes().iter().map(|axis| parameter(&axis.name)).collect(),
        returns: ReturnKind::Label,
        wrapper: Wrapper::Bare,
        nameable: true,
        variants_at: Span::call_site(),
        in_scope: TokenStream::new(),
        true_labels: Vec::new(),
        quadrants: QuadrantStyle::default(),
        fallback: None,
    };
    assert!(layout != "table" || tree.table_bytes().is_none());
    function.body(LayoutChoice::parse(layout).unwrap()).unwrap_err().to_string()
}

/// Returns a map in which all neighbours differ.
fn alternating(sizes: &[u64]) -> String {
    let cells: Vec<usize> = (0..sizes.len()).map(|cell| cell % 2).collect();
    format!(
        r#"{{ "format": "qtdec-map/1", "axes": [{{ "name": "size", "values": {sizes:?} }}],
             "methods": [{{ "name": "ring" }}, {{ "name": "linear" }}], "cells": {cells:?} }}"#
    )
}

#[test]
fn borders_too_close_for_a_table() {
    assert_eq!(
        refusal(&alternating(&[1, 2, 10, 1_000_000_000, 2_000_000_000, 2_000_000_001]), "table"),
        "the table is too large: the borders 2000000000 and 2000000001 of `size` are so close that it would \
             take 266287972352 \
         bytes, and the maximum is 4194304 (use `layout = \"branches\"`, or remove samples that affect few \
              decisions)"
    );
    let even: Vec<u64> = (0..1 << 16).map(|sample| sample * 1000).collect();
    assert_eq!(
        refusal(&alternating(&even), "table"),
        "the table is too large: the borders 33578000 and 33579000 of `size` are so close that it would \
             take 8912896 bytes, and the maximum is 4194304 (use `layout = \"branches\"`, or remove samples \
                  that affect few decisions)"
    );
}

#[test]
fn a_table_of_too_many_entries() {
    let values: Vec<u64> = (0..170).collect();
    let axes = ["x", "y", "z"].map(|name| format!(r#"{{ "name": "{name}", "values": {values:?} }}"#));
    // The tests follow each other on all three axes.
    let tests = ["x", "y", "z"].into_iter().flat_map(|axis| (1..170).map(move |at| (axis, at)));
    let nodes =
        tests.map(|(axis, at)| format!(r#"["{axis}", {at}], "{}", "#, if at % 2 == 0 { "a" } else { "b" }));
    let tree = format!(
        r#"{{ "format": "qtdec-tree/1", "axes": [{}], "methods": [{{ "name": "a" }}, {{ "name": "b" }}, {{ "name": "c" }}],
             "encoding": {{ "name": "by hand", "options": {{}}, "leaves": 508, "nodes": 1015,
                            "depth": {{ "min": 1, "mean": 254, "max": 507 }}, "cells": 0, "mismatches": 0, "penalty": null }},
             "tree": [{}"c"] }}"#,
        axes.join(", "),
        nodes.collect::<String>()
    );
    assert_eq!(
        refusal(&tree, "table"),
        "the table is too large: it would take 16777726 bytes, and the maximum is 4194304 (use `layout = \
             \"branches\"`, or remove samples that affect few decisions)"
    );
}

#[test]
fn too_many_selections() {
    let sizes: Vec<u64> = (1..=65).collect();
    assert_eq!(
        refusal(&alternating(&sizes), "select"),
        "65 regions are too many for selections: the maximum is 64 (use `layout = \"table\"`, or set a \
             budget, which makes the tree smaller)"
    );
}

#[test]
fn the_layout_is_chosen_by_the_regions() {
    let chosen = |sizes: &[u64]| {
        let document = Document::from_json(alternating(sizes).as_bytes()).unwrap();
        LayoutChoice::Auto.choose(&Options::parse::<&str>(&[]).unwrap().tree(document).unwrap()).name()
    };
    let sizes: Vec<u64> = (1..=AUTO_REGIONS as u64 + 1).collect();
    assert_eq!(chosen(&sizes[1..]), "select");
    assert_eq!(chosen(&sizes), "table");
    let close = (1..=AUTO_REGIONS as u64).map(|at| at * 1_000_000_007_001);
    let close: Vec<u64> = close.flat_map(|size| [size, size + 1]).collect();
    assert_eq!(chosen(&close), "branches");
}
