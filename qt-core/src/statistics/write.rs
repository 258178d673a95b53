//! The writer of statistics, as JSON objects on one line.

use super::{Depth, Encoding, Quality, Statistics};
use crate::json::{PlacedValue, object, quoted};
use crate::penalty::Penalty;

impl Statistics {
    /// Returns the statistics and the size of the tree as a table in bytes, as a JSON object on one line.
    pub fn to_json(&self, table_bytes: Option<u64>) -> String {
        let Encoding { name, options, leaves, nodes, depth, lower_bound, quality } = &self.encoding;
        let Quality { cells, mismatches, penalty } = quality;
        object([
            ("encoding", Some(quoted(name))),
            ("options", Some(options_to_json(options))),
            ("leaves", Some(leaves.to_string())),
            ("nodes", Some(nodes.to_string())),
            ("regions", Some(self.regions.to_string())),
            ("lower_bound", lower_bound.map(|bound| bound.to_string())),
            ("conditions", Some(self.conditions.to_string())),
            ("table_bytes", Some(table_bytes.map_or("null".to_owned(), |bytes| bytes.to_string()))),
            ("depth", Some(depth.to_json())),
            ("cells", Some(cells.to_string())),
            ("mismatches", Some(mismatches.to_string())),
            ("penalty", Some(penalty_to_json(penalty.as_ref()))),
        ])
    }
}

impl Encoding {
    /// Returns the record as it is stored in a tree file.
    pub(crate) fn to_json(&self) -> String {
        object([
            ("name", Some(quoted(&self.name))),
            ("options", Some(options_to_json(&self.options))),
            ("leaves", Some(self.leaves.to_string())),
            ("nodes", Some(self.nodes.to_string())),
            ("depth", Some(self.depth.to_json())),
            ("lower_bound", self.lower_bound.map(|bound| bound.to_string())),
            ("cells", Some(self.quality.cells.to_string())),
            ("mismatches", Some(self.quality.mismatches.to_string())),
            ("penalty", Some(penalty_to_json(self.quality.penalty.as_ref()))),
        ])
    }
}

impl Depth {
    fn to_json(self) -> String {
        object([
            ("min", Some(self.min.to_string())),
            ("mean", Some(self.mean.to_string())),
            ("max", Some(self.max.to_string())),
        ])
    }
}

fn penalty_to_json(penalty: Option<&Penalty>) -> String {
    penalty.map_or("null".to_owned(), Penalty::to_json)
}

/// Returns options as JSON. Numbers and booleans are not quoted.
fn options_to_json(options: &[(String, String)]) -> String {
    let bare = |value: &str| {
        let is_word = |value: &str| value == "null" || value.starts_with(['"', '[', '{']);
        PlacedValue::parse(value).is_ok_and(|parsed| !is_word(parsed.raw().get()))
    };
    let member = |(key, value): &(String, String)| {
        format!("{}: {}", quoted(key), if bare(value) { value.clone() } else { quoted(value) })
    };
    let members: Vec<String> = options.iter().map(member).collect();
    if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join(", ")) }
}
