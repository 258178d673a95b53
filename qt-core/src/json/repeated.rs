//! Keys that an object has more than once. JSON does not define which of their values counts.

use std::collections::HashMap;

use super::raw::Raw;

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
    let mut values: Vec<Raw<'_>> = Raw::parse(text).into_iter().collect();
    let offset = |raw: Raw<'_>| raw.get().as_ptr() as usize - text.as_ptr() as usize;
    while let Some(value) = values.pop() {
        for Member { name, key, earlier, value, .. } in named_members(value).unwrap_or_default() {
            values.push(value);
            if let Some(earlier) = earlier {
                found.push(RepeatedKey { name, at: offset(key), earlier: offset(earlier) });
            }
        }
        values.extend(value.elements().into_iter().flatten());
    }
    found.sort_by_key(|repeated| repeated.at);
    found
}

/// A member of an object.
pub(super) struct Member<'t> {
    pub(super) name: String,
    /// The number of members before this one with the same name.
    pub(super) nth: usize,
    pub(super) key: Raw<'t>,
    /// The key of the last member before this one with the same name.
    pub(super) earlier: Option<Raw<'t>>,
    pub(super) value: Raw<'t>,
}

/// Returns the members of an object in file order; `None` if it is not an object.
pub(super) fn named_members(raw: Raw<'_>) -> Option<Vec<Member<'_>>> {
    let mut seen = HashMap::<String, usize>::new();
    let mut members: Vec<Member<'_>> = Vec::new();
    for (key, value) in raw.members()? {
        let name = key.string().unwrap_or_default();
        let before = seen.insert(name.clone(), members.len()).map(|before| &members[before]);
        let (nth, earlier) = before.map_or((0, None), |before| (before.nth + 1, Some(before.key)));
        members.push(Member { name, nth, key, earlier, value });
    }
    Some(members)
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
