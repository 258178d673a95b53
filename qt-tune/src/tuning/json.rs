//! JSON in tuning files.

use std::collections::HashMap;

use qtdec_core::json::syntax_problem;
use qtdec_core::{Diagnostics, Place, Problem, Problems};
use serde_json::Value;

/// Parses a file, keeping the order of keys.
///
/// # Errors
///
/// Fails if the text is not JSON, with the position of the fault.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, Problem> {
    serde_json::from_slice(bytes).map_err(|error| syntax_problem(bytes, &error))
}

/// Parses a file in which no object repeats a key.
///
/// # Errors
///
/// Fails if the text is not JSON, and returns every repeated key.
pub(super) fn parse_once(bytes: &[u8]) -> Result<Value, Problems> {
    let value = parse(bytes)?;
    let mut check = Diagnostics::default();
    for problem in duplicate_keys(bytes) {
        check.add(problem);
    }
    check.finish(Some(value))
}

/// The maximum number of repeated keys that are reported.
const MAX_REPORTED: usize = 1000;

/// Returns the repeated keys of a file's objects. JSON does not define which of two values counts, and neither do the libraries.
///
/// The bytes must be valid JSON, otherwise the result is meaningless.
pub(super) fn duplicate_keys(bytes: &[u8]) -> Vec<Problem> {
    let mut problems = Vec::new();
    // The keys of each open object, with their lines; arrays have none.
    let mut open: Vec<Option<HashMap<String, usize>>> = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(byte) = bytes.get(at).filter(|_| problems.len() < MAX_REPORTED) {
        match byte {
            b'\n' => line += 1,
            b'{' => open.push(Some(HashMap::new())),
            b'[' => open.push(None),
            b'}' | b']' => drop(open.pop()),
            b'"' => {
                let end = end_of_string(bytes, at);
                let is_key = bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
                if is_key
                    && let Some(Some(keys)) = open.last_mut()
                    && let Ok(key) = serde_json::from_slice::<String>(&bytes[at..end])
                    && let Some(first) = keys.insert(key.clone(), line)
                {
                    let message = format!(
                        "`{key}` is also set on line {first}, and it is unspecified which of the two counts"
                    );
                    problems.push(Problem::new(Place::Offset(at), message).help("leave one of them"));
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    problems
}

/// Returns the end of a string that begins at a quote.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The maximum width of a value that is written on one line.
const WIDTH: usize = 100;

/// Returns the value, formatted for people.
pub(super) fn lay_out(value: &Value) -> String {
    let mut text = String::new();
    put(value, 0, &mut text);
    text.push('\n');
    text
}

fn put(value: &Value, indent: usize, text: &mut String) {
    let line = on_one_line(value);
    if 2 * indent + line.len() <= WIDTH && depth(value) <= 2 {
        text.push_str(&line);
        return;
    }
    let inner = "  ".repeat(indent + 1);
    let mut first = true;
    let mut member = |key: Option<&str>, value: &Value, text: &mut String| {
        text.push_str(if first { "\n" } else { ",\n" });
        first = false;
        text.push_str(&inner);
        if let Some(key) = key {
            text.push_str(&Value::from(key).to_string());
            text.push_str(": ");
        }
        put(value, indent + 1, text);
    };
    let (open, close) = if value.is_object() { ('{', '}') } else { ('[', ']') };
    text.push(open);
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| member(Some(key), value, text)),
        Value::Array(elements) => elements.iter().for_each(|value| member(None, value, text)),
        _ => {}
    }
    text.push('\n');
    text.push_str(&"  ".repeat(indent));
    text.push(close);
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        Value::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn on_one_line(value: &Value) -> String {
    match value {
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members: Vec<String> = (members.iter())
                .map(|(key, value)| format!("{}: {}", Value::from(&**key), on_one_line(value)))
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(on_one_line).collect();
            format!("[{}]", elements.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicate_keys_are_found_in_their_objects() {
        let text = r#"{ "a": { "b": 1, "c\"": [{ "b": 2 }, "b"] },
            "a:": "a", "\u0061": { "b": "}" },
            "x": [ { "b": 1, "b": 2 }, { "b": 3 } ] }"#;
        let found: Vec<(Place, String)> = duplicate_keys(text.as_bytes())
            .into_iter()
            .map(|problem| (problem.place, problem.message.to_string()))
            .collect();
        let expected = [(r"\u0061", "a", 1), ("b\": 2 }, { \"b\": 3", "b", 3)].map(|(place, key, line)| {
            let message =
                format!("`{key}` is also set on line {line}, and it is unspecified which of the two counts");
            (Place::Offset(text.find(place).unwrap() - 1), message)
        });
        assert_eq!(found, expected);
    }
}
