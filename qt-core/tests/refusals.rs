//! Every error about a file as users see it. Each invalid file of `refusals/` is next to its error;
//! `SNAPSHOTS=overwrite` rewrites the errors.

use std::fs;
use std::path::Path;

use annotate_snippets::Renderer;
use qtdec_core::{DecisionMap, Document, SourceFile, Syntax};
use snapbox::{Data, assert_data_eq};

fn refusal(name: &str, bytes: &[u8]) -> String {
    let source = SourceFile::read(name, bytes).unwrap();
    let problems = source.document().expect_err(name);
    let styled = source.reports(&problems, Syntax::Attribute, &Renderer::plain());
    // Lines are shortened in different ways.
    if bytes.split(|byte| *byte == b'\n').all(|line| line.len() <= 100) {
        assert_eq!(source.plain_reports(&problems, Syntax::Attribute), styled, "{name}");
    }
    styled.join("\n\n") + "\n"
}

/// Reads the map in a file.
fn map(text: &str) -> DecisionMap {
    Document::from_json(text.as_bytes()).unwrap().into_map().unwrap()
}

#[test]
fn invalid_files_are_reported_with_the_place_and_the_fault() {
    let mut files: Vec<_> =
        fs::read_dir("tests/refusals").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    assert!(files.len() > 50, "the folder is read");
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy();
        let said = refusal(&name, &fs::read(&path).unwrap());
        assert_data_eq!(said, Data::read_from(&path.with_extension("txt"), None).raw());
    }
}

#[test]
fn binary_files_are_rejected() {
    let said = refusal("map.json", b"{\n \"format\": \"\xFF\" }");
    assert_eq!(said, "the file is not UTF-8: byte 0xFF on line 2\n--> map.json\n = help: save it as UTF-8\n");
    // Some editors save UTF-16.
    assert!(refusal("map.json", b"\xFF\xFE{\0}\0").contains("not UTF-8"));
}

#[test]
fn a_byte_order_mark_is_left_out() {
    let marked = |text: &str| [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    let text = r#"{"format": "qtdec-map/1", "axes": [{"name": "m", "values": [1]}], "methods": [{"name": "a"}], "cells": [0]}"#;
    assert!(Document::from_json(&marked(text)).is_ok());
    let wrong = text.replace("[0]", "[7]");
    assert_eq!(refusal("map.json", &marked(&wrong)), refusal("map.json", wrong.as_bytes()));
}

#[test]
fn files_that_git_left_and_yaml_are_named() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    let conflict = "{\"format\": \"qtdec-map/1\",\n<<<<<<< HEAD\n\"axes\": []\n=======\n>>>>>>> other\n}";
    for (text, message, help) in [
        (pointer, "the file is a pointer of Git LFS, which stands for the file itself", "run `git lfs pull`"),
        (conflict, "the file has a conflict of a merge on line 2", "resolve it, or make the file again"),
        ("---\n# made\nformat: qtdec-map/1\naxes:\n", "the file is YAML, and not JSON", "convert it to JSON"),
    ] {
        assert_eq!(
            refusal("map.json", text.as_bytes()),
            format!("{message}\n--> map.json\n = help: {help}\n")
        );
    }
}

#[test]
fn a_file_of_a_hundred_megabytes_is_refused_before_it_is_read() {
    let said = refusal("map.json", &vec![b' '; 100 << 20]);
    assert!(said.starts_with("the file is larger than the maximum of 64 MiB"), "{said}");
}

#[test]
fn a_million_brackets_do_not_overflow_the_stack() {
    let open = "[".repeat(1_000_000);
    let deep = open.clone() + &"]".repeat(1_000_000);
    for text in [open.clone(), deep.clone()] {
        refusal("map.json", text.as_bytes());
        refusal("map.json", format!("{{\"format\": \"qtdec-map/1\", \"cells\": {text}}}").as_bytes());
        refusal("map.json", format!("{{\"format\": {text}}}").as_bytes());
        refusal("map.json", text.replace('[', "{\"a\":").replace(']', "}").as_bytes());
    }
    // Where any JSON is allowed, depth is not an error.
    let accepted = fs::read_to_string("tests/accepted/map.json").unwrap();
    let map = map(&accepted.replace("{ \"machine\": \"none\" }", &deep));
    assert_eq!(map.source(), Some(&*deep));
}

#[test]
fn a_tree_of_a_million_tests_does_not_overflow_the_stack() {
    let accepted = fs::read_to_string("tests/accepted/tree.json").unwrap();
    let (head, _) = accepted.split_once("\"tree\": [").unwrap();
    let spine = "[\"comm_size\", 4], ".repeat(1_000_000);
    let deep = format!("{head}\"tree\": [{spine}null]}}");
    assert!(refusal("tree.json", deep.as_bytes()).contains("deeper than 512 tests"));
}

#[test]
fn problems_by_the_thousand_are_counted() {
    let values: Vec<String> = (0..5000).map(|value| value.to_string()).collect();
    let rows = vec!["[9]"; 5000].join(",");
    let text = format!(
        r#"{{"format": "qtdec-map/1", "axes": [{{"name": "m", "values": [{}]}}, {{"name": "n", "values": [1]}}],
            "methods": [{{"name": "a"}}], "cells": [{rows}]}}"#,
        values.join(",")
    );
    let problems = Document::from_json(text.as_bytes()).unwrap_err();
    assert_eq!((problems.iter().count(), problems.further()), (20, 4980));
    assert!(refusal("map.json", text.as_bytes()).ends_with("`map.json` has 4980 more problems like these\n"));
}

#[test]
fn any_prefix_and_any_broken_byte_is_refused_without_a_panic() {
    for name in ["map", "tree"] {
        let text = fs::read(Path::new("tests/accepted").join(name).with_extension("json")).unwrap();
        let end = text.iter().rposition(|&byte| byte == b'}').unwrap();
        for cut in 0..end {
            refusal("cut.json", &text[..cut]);
        }
        for position in 0..text.len() {
            for byte in [0, b'"', b'[', b'}', b'-', b'9', b'e', 0xFF] {
                let mut broken = text.clone();
                broken[position] = byte;
                let source = SourceFile::read("broken.json", &broken[..]).unwrap();
                if let Err(problems) = source.document() {
                    let reports = source.reports(&problems, Syntax::Attribute, &Renderer::plain());
                    assert!(
                        !reports.is_empty() && reports.iter().all(|report| report.contains("broken.json")),
                        "{reports:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_written_file_is_read_back_unchanged() {
    let text = fs::read_to_string("tests/accepted/map.json").unwrap();
    let first = map(&text);
    let again = map(&first.to_json());
    assert_eq!((first.domain(), first.cells(), first.ties()), (again.domain(), again.cells(), again.ties()));
    assert_eq!(first.source(), again.source());
    assert_eq!(first.to_json(), again.to_json());

    let text = fs::read_to_string("tests/accepted/tree.json").unwrap();
    let read = |text: &str| Document::from_json(text.as_bytes()).unwrap().into_tree().unwrap();
    let tree = read(&text);
    assert_eq!(read(&tree.to_json()), tree);
}

/// Sums over cells and calls, means and ratios are finite for all valid costs.
#[test]
fn costs_near_the_largest_number_are_refused_with_their_place() {
    let text = |cost: &str| {
        format!(
            r#"{{ "format": "qtdec-map/1", "axes": [{{ "name": "p", "values": [1, 2] }}],
                 "methods": [{{ "name": "a" }}, {{ "name": "b" }}], "cells": [0, 0],
                 "calls": [1e18, 1e18], "costs": {{ "values": [[1e-100, 1], [1, {cost}]] }} }}"#
        )
    };
    for cost in ["1.7e308", "1.1e100", "9e-101", "5e-324"] {
        let said = refusal("map.json", text(cost).as_bytes());
        assert!(said.contains("is not between 1e-100 and 1e100") && said.contains("map.json:3:"), "{said}");
    }
    let map = map(&text("1e100"));
    let worst = map.domain().method_indexes().map(Some).nth(1).unwrap();
    let penalty = qtdec_core::Penalty::from_decisions(&[worst; 2], &map).unwrap();
    assert!(penalty.max > 1e101 && penalty.mean < f64::MAX && penalty.mean > 1e101, "{penalty:?}");
}
