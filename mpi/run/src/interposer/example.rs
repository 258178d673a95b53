//! Trees for tests.

use qtdec_mpi_schedule::Collective;

/// Returns the file of a tree, from its axes, methods and nodes in JSON.
pub(super) fn text(collective: Collective, axes: &str, methods: &str, nodes: &str) -> String {
    format!(
        r#"{{"format": "qtdec-tree/1", "collective": "{collective}", "axes": [{axes}], "methods": [{methods}],
        "encoding": {{"name": "quadtree", "options": {{}}, "leaves": 1, "nodes": 1, "depth": {{"min": 0, "mean": 0, "max": 0}},
        "cells": 2, "mismatches": 0, "penalty": null}}, "tree": [{nodes}]}}"#
    )
}

/// Returns the file of a tree with one method, by its name and segment size.
pub(super) fn constant(collective: Collective, name: &str, segment: Option<u64>) -> String {
    let (cut, label) = match segment {
        Some(size) => (format!(r#", "segment_size": {size}"#), format!("{name}/{size}")),
        None => (String::new(), name.to_owned()),
    };
    let method = format!(r#"{{"name": "{name}"{cut}}}"#);
    text(collective, r#"{"name": "msg_size", "values": [1, 8]}"#, &method, &format!(r#""{label}""#))
}
