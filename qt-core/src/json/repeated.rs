//! Keys that an object has more than once. JSON does not define which of their values counts.

use std::collections::HashMap;

use serde_json::value::RawValue;

use super::raw::{elements, members, string};

/// A key that its object already has. Places are byte offsets in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedKey {
    /// The key.
    pub name: String,
    /// The place of the key.
    pub at: usize,
    /// The place where the object has the same key before.
    pub earlier: usize,
}

/// Returns the keys that an object anywhere in the text repeats, in the order of the text. There are none in text that is not JSON.
pub fn repeated_keys(text: &str) -> Vec<RepeatedKey> {
    let mut found = Vec::new();
    let mut values: Vec<&RawValue> = serde_json::from_str(text).into_iter().collect();
    let offset = |raw: &RawValue| raw.get().as_ptr() as usize - text.as_ptr() as usize;
    while let Some(value) = values.pop() {
        let mut seen = HashMap::<String, &RawValue>::new();
        for (key, value) in members(value).into_iter().flatten() {
            values.push(value);
            let name = string(key).unwrap_or_default();
            if let Some(earlier) = seen.insert(name.clone(), key) {
                found.push(RepeatedKey { name, at: offset(key), earlier: offset(earlier) });
            }
        }
        values.extend(elements(value).into_iter().flatten());
    }
    found.sort_by_key(|repeated| repeated.at);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_repeated_in_their_objects() {
        let text = r#" { "a": { "b": 1, "c\"": [{ "b": 2 }, "b"] },
            "a:": "a", "\u0061": { "b": "}" },
            "x": [ { "b": 1, "b": 2, "b": [] }, { "b": 3 } ], "é": { "é": 1 } }"#;
        let at = |part: &str| text.find(part).expect("it is there");
        let repeated = |name: &str, at, earlier| RepeatedKey { name: name.to_owned(), at, earlier };
        let expected = [
            repeated("a", at(r#""\u0061""#), at(r#""a":"#)),
            repeated("b", at(r#""b": 2, "b""#), at(r#""b": 1, "b""#)),
            repeated("b", at(r#""b": []"#), at(r#""b": 2, "b""#)),
        ];
        assert_eq!(repeated_keys(text), expected);
        assert_eq!(repeated_keys("{"), []);
        // No recursion is as deep as the text.
        assert_eq!(repeated_keys(&["[".repeat(1000), "]".repeat(1000)].concat()), []);
    }
}
