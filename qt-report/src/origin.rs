//! Where the costs of a map come from, in the words of titles.

use qtdec_core::DecisionMap;
use serde_json::Value;

/// Where the costs of a map come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Programs ran.
    Measured,
    /// Formulas of a model gave them.
    Predicted,
    /// A simulator gave them.
    Simulated,
    /// The map does not say it, or has no costs.
    Unknown,
}

impl Origin {
    /// Returns the origin that the source of a map states.
    pub(super) fn of_map(map: &DecisionMap) -> Self {
        let source = map.source().and_then(|source| serde_json::from_str::<Value>(source).ok());
        source.filter(|_| map.costs().is_some()).map_or(Self::Unknown, |source| Self::of_source(&source))
    }

    /// Returns the origin that a source states.
    pub fn of_source(source: &Value) -> Self {
        // Predicted maps state their form, and canonical times also the command that made them.
        let tool = source["times"]["tool"].as_str().unwrap_or_default();
        let is_predicted = tool.starts_with("qtdec-mpi predict ");
        let form = if is_predicted { &source["times"]["form"] } else { &source["form"] };
        if form == "simulated" {
            Self::Simulated
        } else if is_predicted || form.is_string() {
            Self::Predicted
        } else if source.get("files").is_some() || source.get("rounds").is_some() {
            Self::Measured
        } else {
            Self::Unknown
        }
    }

    /// Returns what was done to the costs, such as `measured`.
    pub(super) fn done(self) -> Option<&'static str> {
        match self {
            Self::Measured => Some("measured"),
            Self::Predicted => Some("predicted"),
            Self::Simulated => Some("simulated"),
            Self::Unknown => None,
        }
    }

    /// Returns the title of the map in a picture.
    pub(super) fn title(self) -> &'static str {
        self.done().unwrap_or("map")
    }
}

#[cfg(test)]
mod tests {
    use qtdec_core::{Axis, Method};
    use serde_json::json;

    use super::*;

    #[test]
    fn the_source_tells_the_origin() {
        let methods = vec![Method::new("a"), Method::new("b")];
        let map = DecisionMap::from_costs(vec![Axis::new("n", [1, 2])], methods, |_, _| 1.0).unwrap();
        let times =
            |tool: &str, form: &str| json!({ "files": ["t.csv"], "times": { "tool": tool, "form": form } });
        for (source, origin) in [
            (json!({ "files": ["t.csv"], "made_by": "qtdec 0.1.0" }), Origin::Measured),
            (json!({ "made_by": "qtdec-measure 0.1.0", "rounds": 3 }), Origin::Measured),
            (times("qtdec-bench 0.1.0", "simulated"), Origin::Measured),
            (times("qtdec-mpi predict 0.1.0", "simulated"), Origin::Simulated),
            (times("qtdec-mpi predict 0.1.0", "exact"), Origin::Predicted),
            (json!({ "form": "simulated", "network": {} }), Origin::Simulated),
            (json!({ "form": "printed", "network": {} }), Origin::Predicted),
            (json!({ "machine": "none" }), Origin::Unknown),
            (json!("by hand"), Origin::Unknown),
        ] {
            let map = map.clone().with_source(source.to_string()).unwrap();
            assert_eq!(Origin::of_map(&map), origin, "{source}");
        }
        let bare = DecisionMap::new(map.domain().clone(), map.cells().to_vec()).unwrap();
        let bare = bare.with_source(r#"{ "files": ["rules.conf"] }"#).unwrap();
        assert_eq!(Origin::of_map(&bare), Origin::Unknown);
    }
}
