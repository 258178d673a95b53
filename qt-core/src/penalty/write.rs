//! The writer of penalties.

use super::Penalty;
use crate::json::object;

impl Penalty {
    /// Returns the penalty as a JSON object on one line.
    pub fn to_json(&self) -> String {
        object([
            ("min", Some(self.min.to_string())),
            ("mean", Some(self.mean.to_string())),
            ("median", Some(self.median.to_string())),
            ("max", Some(self.max.to_string())),
            ("cells", Some(self.cells.to_string())),
            ("unpriced", Some(self.unpriced.to_string())),
        ])
    }
}
