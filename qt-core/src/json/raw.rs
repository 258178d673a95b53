//! The parts of JSON values, each as its text.
//!
//! No value is a `serde_json::Value`, whose order of keys and form of numbers change with the features that other crates enable.

use std::fmt;

use serde_core::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Returns the elements of an array; `None` if it is not an array.
pub(super) fn elements(raw: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(starting_with(raw, '[')?).ok()
}

/// Returns the members of an object in file order, with their keys still quoted; `None` if it is not an object.
pub(super) fn members(raw: &RawValue) -> Option<Vec<(&RawValue, &RawValue)>> {
    serde_json::Deserializer::from_str(starting_with(raw, '{')?).deserialize_map(Members).ok()
}

/// Returns the text of a value that has this kind of bracket. An error of `serde_json` instead takes a microsecond for each number.
fn starting_with(raw: &RawValue, open: char) -> Option<&str> {
    Some(raw.get()).filter(|text| text.starts_with(open))
}

struct Members;

impl<'t> Visitor<'t> for Members {
    type Value = Vec<(&'t RawValue, &'t RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = access.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

/// Returns the value of a string; `None` if it is not a string, or one of its escapes is not a character.
pub(super) fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// Returns the value of a number; `None` if it is not a number, or beyond all finite ones.
pub(super) fn number(raw: &RawValue) -> Option<f64> {
    raw.get().parse().ok().filter(|number: &f64| number.is_finite())
}

pub(super) fn is_number(raw: &RawValue) -> bool {
    raw.get().starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> &RawValue {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn members_are_in_file_order_whatever_their_keys_are() {
        let all = members(raw(r#" { "b" : [1, 2], "\ud83d":{}, "b":-0.5 } "#)).unwrap();
        let texts: Vec<_> = all.iter().map(|(key, value)| (key.get(), value.get())).collect();
        assert_eq!(texts, [(r#""b""#, "[1, 2]"), (r#""\ud83d""#, "{}"), (r#""b""#, "-0.5")]);
        assert_eq!(all.iter().map(|(key, _)| string(key)).collect::<Vec<_>>()[1], None);
        assert!(members(raw("[]")).is_none() && elements(raw("{}")).is_none());
    }

    #[test]
    fn numbers_are_finite() {
        let texts = ["1.5", "-0", "1e400", "null", "\"1\"", "[]"];
        assert_eq!(texts.map(|text| number(raw(text))), [Some(1.5), Some(-0.0), None, None, None, None]);
    }

    #[test]
    fn no_depth_is_too_deep() {
        let depth = 1 << 20;
        let arrays = ["[".repeat(depth), "]".repeat(depth)].concat();
        assert_eq!(elements(raw(&arrays)).unwrap().len(), 1);
        assert!(serde_json::from_str::<&RawValue>(&arrays[1..]).is_err());
        let objects = ["{\"a\":".repeat(depth), "1".to_owned(), "}".repeat(depth)].concat();
        assert_eq!(members(raw(&objects)).unwrap().len(), 1);
    }
}
