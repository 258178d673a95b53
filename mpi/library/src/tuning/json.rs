//! JSON in tuning files.

use qtdec_core::json::{RepeatedKey, repeated_keys, syntax_problem};
use qtdec_core::{Diagnostics, Place, Problem, Problems};
use serde_json::Value;

/// Parses a file, keeping the order of keys. If the text is not JSON, the error has the position of the fault.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, Problem> {
    serde_json::from_slice(bytes).map_err(|error| syntax_problem(bytes, &error))
}

/// Parses a file in which no object repeats a key. The errors have every repeated key.
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

/// Returns the repeated keys of a file's objects. The libraries do not define either which of two values counts.
pub(super) fn duplicate_keys(bytes: &[u8]) -> Vec<Problem> {
    let text = str::from_utf8(bytes).unwrap_or_default();
    let mut problems = Vec::new();
    for RepeatedKey { name, at, earlier } in repeated_keys(text).into_iter().take(MAX_REPORTED) {
        let line = text[..earlier].split('\n').count();
        let message =
            format!("`{name}` is also set on line {line}, and it is unspecified which of the two counts");
        problems.push(Problem::new(Place::Offset(at), message).help("leave one of them"));
    }
    problems
}

/// The maximum width of a value that is written on one line.
const WIDTH: usize = 100;

/// Returns the value, formatted for people.
pub(super) fn lay_out(value: &Value) -> String {
    laid_out(value, 0, true) + "\n"
}

/// Returns a value on one line or, if it may be on several, with a line for each member where it is wide or deep.
fn laid_out(value: &Value, indent: usize, may_wrap: bool) -> String {
    let (open, close, members): (_, _, Vec<(Option<&String>, &Value)>) = match value {
        Value::Object(members) => ('{', '}', members.iter().map(|(key, value)| (Some(key), value)).collect()),
        Value::Array(elements) => ('[', ']', elements.iter().map(|value| (None, value)).collect()),
        scalar => return scalar.to_string(),
    };
    let members = |may_wrap: bool| -> Vec<String> {
        let key = |key: &String| format!("{}: ", Value::from(&**key));
        let text = |&(name, value): &(Option<&String>, &Value)| {
            name.map(key).unwrap_or_default() + &laid_out(value, indent + 1, may_wrap)
        };
        members.iter().map(text).collect()
    };
    let line = match members(false).join(", ") {
        line if value.is_object() && !line.is_empty() => format!("{{ {line} }}"),
        line => format!("{open}{line}{close}"),
    };
    if !may_wrap || (2 * indent + line.len() <= WIDTH && depth(value) <= 2) {
        return line;
    }
    let start = "  ".repeat(indent);
    format!("{open}\n  {start}{}\n{start}{close}", members(true).join(&format!(",\n  {start}")))
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        Value::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_fills_no_line_is_kept() {
        let value = serde_json::json!({ "name": "x".repeat(2 * WIDTH), "list": [] });
        assert_eq!(parse(lay_out(&value).as_bytes()).unwrap(), value);
    }
}
