//! The scanner compared with `serde_json`: the same texts, values and faults.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::value::RawValue;

use crate::json::PlacedValue;
use crate::json::grid::Entry;
use crate::json::raw::Raw;
use crate::problem::{Diagnostics, Place};

/// Text that is nearly JSON: parts of it in any order.
fn nearly_json() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"a\":",
        "\"\\u00e9\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "\"\\",
        "\"",
        "é",
        "null",
        "true",
        "false",
        "nul",
        "1",
        "-",
        "0",
        "01",
        "1.5",
        "1.",
        ".5",
        "1e9",
        "1e",
        "1e+",
        "1e400",
        "18446744073709551616",
        " ",
        "\n",
        "\t",
        "\r\n",
        "\u{1}",
        "x",
        "\\n",
        "\\x",
        "\\u12",
        "NaN",
    ]);
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

/// Valid JSON, of which one byte may be missing.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "null",
        "true",
        "1",
        "-0",
        "0.25e-3",
        "\"\"",
        "\"a\\\"b\\\\\"",
        "\"\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\"",
        "\"é:\"",
    ])
    .prop_map(str::to_owned);
    let value = leaf.prop_recursive(4, 24, 4, |inner| {
        let list = prop::collection::vec(inner, 0..4);
        let blank = prop::sample::select(vec!["", " ", "\n\t"]);
        (list, blank, any::<bool>()).prop_map(|(list, blank, is_array)| {
            if is_array {
                return format!("[{blank}{}{blank}]", list.join(&format!("{blank},{blank}")));
            }
            let members: Vec<String> = list
                .iter()
                .enumerate()
                .map(|(key, value)| format!("\"k{key}\"{blank}:{blank}{value}"))
                .collect();
            format!("{{{blank}{}{blank}}}", members.join(&format!(",{blank}")))
        })
    });
    (value, prop::option::of(any::<prop::sample::Index>())).prop_map(|(mut text, cut)| {
        let chars: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        if let Some(cut) = cut {
            text.remove(chars[cut.index(chars.len())]);
        }
        text
    })
}

/// Compares the scanner with `serde_json`.
fn compare(text: &str) {
    let theirs: Result<&RawValue, serde_json::Error> = serde_json::from_str(text);
    match (Raw::parse(text), theirs) {
        (Ok(ours), Ok(theirs)) => {
            assert_eq!(ours.get(), theirs.get());
            compare_parts(ours);
        }
        (Err(ours), Err(theirs)) => {
            let message = format!("{} at line ", ours.message);
            assert!(theirs.to_string().starts_with(&message), "{text:?}: {ours:?}, {theirs}");
            let before = &text.as_bytes()[..ours.end];
            let line = before.split(|byte| *byte == b'\n').count();
            let column = before.iter().rev().take_while(|byte| **byte != b'\n').count();
            assert_eq!((line, column), (theirs.line(), theirs.column()), "{text:?}");
            assert_eq!(ours.is_cut_off, theirs.is_eof(), "{text:?}");
            let place = PlacedValue::parse(text).unwrap_err().place;
            assert!(matches!(place, Place::Offset(offset) if offset <= text.len()));
        }
        (ours, theirs) => panic!("{text:?}: {ours:?}, {theirs:?}"),
    }
}

fn compare_parts(ours: Raw<'_>) {
    let text = ours.get();
    let elements: Option<Vec<&RawValue>> = serde_json::from_str(text).ok();
    let own = ours.elements().map(|elements| elements.map(Raw::get).collect::<Vec<_>>());
    assert_eq!(own, elements.map(|elements| elements.into_iter().map(RawValue::get).collect()));
    assert_eq!(ours.string(), serde_json::from_str::<String>(text).ok(), "{text}");
    assert_eq!(
        f64::from_raw(ours).map(f64::to_bits),
        serde_json::from_str::<f64>(text).ok().map(f64::to_bits)
    );
    assert_eq!(u64::from_raw(ours), serde_json::from_str(text).ok(), "{text}");
    assert_eq!(Vec::<Option<u64>>::from_raw(ours), serde_json::from_str(text).ok(), "{text}");
    ours.elements().into_iter().flatten().for_each(compare_parts);
    // The text of a string in a member need not be that of characters.
    let theirs: Option<BTreeMap<String, &RawValue>> = serde_json::from_str(text).ok();
    assert_eq!(ours.members().is_some(), theirs.is_some());
    for (key, value) in ours.members().into_iter().flatten() {
        let key = key.string().unwrap();
        assert!(theirs.as_ref().unwrap().contains_key(&key), "{text}: {key}");
        compare_parts(value);
    }
}

proptest! {
    #[test]
    fn what_is_nearly_json_has_the_faults_that_serde_json_finds(text in nearly_json()) {
        compare(&text);
    }

    #[test]
    fn json_has_the_parts_that_serde_json_finds(text in json()) {
        compare(&text);
    }
}

#[test]
fn no_depth_is_too_deep() {
    let depth = 1 << 20;
    let text = ["[".repeat(depth), "]".repeat(depth)].concat();
    assert!(PlacedValue::parse(&text).unwrap().is_array());
    assert!(PlacedValue::parse(&text[1..]).is_err());
    let objects = ["{\"a\":".repeat(depth), "1".to_owned(), "}".repeat(depth)].concat();
    assert!(PlacedValue::parse(&objects).unwrap().object(&["a"], &mut Diagnostics::default()).is_some());
}
