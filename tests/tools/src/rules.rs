//! Rules for public items: enums and traits state whether they can grow or be implemented, and items have examples.

use serde_json::Value;

/// Returns every violated rule, one per line.
pub(super) fn broken(description: &Value, needs_examples: bool) -> Vec<String> {
    let items = description["index"].as_object().into_iter().flatten().map(|(_, item)| item);
    let mut broken: Vec<String> = items
        .filter(|item| item["crate_id"] == 0 && item["visibility"] == "public")
        .filter_map(|item| Some((item, item["inner"].as_object()?.keys().next()?)))
        .flat_map(|(item, kind)| faults(item, kind, needs_examples))
        .collect();
    broken.sort();
    broken
}

fn faults(item: &Value, kind: &str, needs_examples: bool) -> Vec<String> {
    let docs = item["docs"].as_str().unwrap_or_default();
    let mut faults = Vec::new();
    let mut fault = |what: &str| {
        let place = item["span"]["filename"].as_str().unwrap_or_default();
        let line = item["span"]["begin"][0].as_u64().unwrap_or_default();
        let name = item["name"].as_str().unwrap_or_default();
        faults.push(format!("{place}:{line}: the {kind} `{name}` {what}"));
    };
    let grows =
        item["attrs"].as_array().is_some_and(|attributes| attributes.contains(&"non_exhaustive".into()));
    if kind == "enum" && !grows && !docs.contains("The variants are complete") {
        fault("is not `#[non_exhaustive]`, and its docs do not say why \"The variants are complete\"");
    }
    if kind == "trait"
        && !docs.contains("The trait is sealed")
        && !docs.contains("Other crates can implement the trait")
    {
        fault("does not say \"The trait is sealed\" or \"Other crates can implement the trait\"");
    }
    let has_examples = ["struct", "enum", "trait", "function", "constant", "macro"].contains(&kind);
    if needs_examples && has_examples && !docs.contains("```") {
        fault("has no example");
    }
    faults
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::broken;

    fn item(kind: &str, docs: &str, attributes: &[&str]) -> Value {
        let span = json!({"filename": "lib.rs", "begin": [3, 1]});
        json!({"index": {"7": {"crate_id": 0, "name": "Kind", "visibility": "public", "docs": docs,
            "attrs": attributes, "span": span, "inner": {kind: {}}}}})
    }

    #[test]
    fn an_enum_grows_or_says_why_not() {
        let text = "lib.rs:3: the enum `Kind` is not `#[non_exhaustive]`, and its docs do not say why \"The variants are complete\"";
        assert_eq!(broken(&item("enum", "A kind.", &[]), false), [text]);
        assert_eq!(broken(&item("enum", "A kind.", &["non_exhaustive"]), false), [""; 0]);
        assert_eq!(broken(&item("enum", "The variants are complete: so it is.", &[]), false), [""; 0]);
    }

    #[test]
    fn a_trait_says_who_implements_it() {
        assert_eq!(broken(&item("trait", "A kind.", &[]), false).len(), 1);
        assert_eq!(broken(&item("trait", "The trait is sealed: why.", &[]), false), [""; 0]);
    }

    #[test]
    fn items_have_examples_where_they_must() {
        let text = "lib.rs:3: the struct `Kind` has no example";
        assert_eq!(broken(&item("struct", "A kind.", &[]), true), [text]);
        assert_eq!(broken(&item("struct", "```\n1 + 1;\n```", &[]), true), [""; 0]);
        assert_eq!(broken(&item("struct", "A kind.", &[]), false), [""; 0]);
    }
}
