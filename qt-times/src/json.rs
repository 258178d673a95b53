//! The lines before the rows as JSON, which `schema/qtdec-times-1.schema.json` describes.

use serde_json::{Map, Value, json};

use crate::header::Named;
use crate::raw::RawHeader;

impl RawHeader {
    /// Returns the declarations as JSON.
    pub fn to_json(&self) -> Value {
        let labels = grouped(&self.labels);
        let mut header = json!({
            "format": self.format,
            "about": grouped(&self.about),
            "axes": self.axes.iter().map(named).collect::<Value>(),
            "parameters": self.parameters.iter().map(named).collect::<Value>(),
            "methods": self.methods.iter().map(|(_, fields)| fields.clone()).collect::<Value>(),
            "orders": self.orders.iter().map(|(_, fields)| fields.clone()).collect::<Value>(),
            "launches": self.launches.iter().map(|(_, launch)| launch.clone()).collect::<Value>(),
            "columns": self.columns,
        });
        if !self.jobs.is_empty() {
            header["jobs"] = self.jobs.iter().map(|(_, fields)| fields.clone()).collect();
        }
        if !labels.is_empty() {
            header["labels"] = labels.into();
        }
        header
    }
}

/// Returns the values of each key.
fn grouped(pairs: &[(u64, String, String)]) -> Map<String, Value> {
    let mut groups = Map::new();
    for (_, key, value) in pairs {
        if let Value::Array(values) = groups.entry(key.clone()).or_insert_with(|| json!([])) {
            values.push(value.clone().into());
        }
    }
    groups
}

fn named((_, Named { name, unit }): &(u64, Named)) -> Value {
    match unit {
        Some(unit) => json!({ "name": name, "unit": unit }),
        None => json!({ "name": name }),
    }
}
