//! JSON as tuning files hold it.

use qtdec_core::{Place, Problem};
use serde_json::Value;

/// The value in a file, with the order of its keys.
///
/// # Errors
///
/// Text that is not JSON, and where it ceases to be.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, Problem> {
    serde_json::from_slice(bytes).map_err(|error| {
        let message = error.to_string();
        let message = message.rfind(" at line ").map_or(&*message, |end| &message[..end]);
        let start: usize = bytes
            .split_inclusive(|byte| *byte == b'\n')
            .take(error.line().saturating_sub(1))
            .map(<[u8]>::len)
            .sum();
        let offset = (start + error.column().saturating_sub(1)).min(bytes.len());
        Problem::new(Place::Offset(offset), format!("not JSON: {message}"))
    })
}

/// What fits on a line stands on one.
const WIDTH: usize = 100;

/// The value as people write it.
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
