//! Where the costs of a map come from, in the words of titles.

use qtdec_core::DecisionMap;
use serde_json::Value;

/// Returns what was done to the costs of a map, if its source states it: `measured`, `predicted` or `simulated`.
pub(super) fn of_map(map: &DecisionMap) -> Option<&'static str> {
    map.costs().and_then(|_| of_source(&serde_json::from_str(map.source()?).ok()?))
}

/// Returns what was done to costs, if their source states it.
pub fn of_source(source: &Value) -> Option<&'static str> {
    // Predicted maps state their form, and canonical times also the command that made them.
    let tool = source["times"]["tool"].as_str().unwrap_or_default();
    let is_predicted = tool.starts_with("qtdec-mpi predict ");
    let form = if is_predicted { &source["times"]["form"] } else { &source["form"] };
    if form == "simulated" {
        Some("simulated")
    } else if is_predicted || form.is_string() {
        Some("predicted")
    } else if source.get("files").is_some() || source.get("rounds").is_some() {
        Some("measured")
    } else {
        None
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
            (json!({ "files": ["t.csv"], "made_by": "qtdec 0.1.0" }), Some("measured")),
            (json!({ "made_by": "qtdec-measure 0.1.0", "rounds": 3 }), Some("measured")),
            (times("qtdec-bench 0.1.0", "simulated"), Some("measured")),
            (times("qtdec-mpi predict 0.1.0", "simulated"), Some("simulated")),
            (times("qtdec-mpi predict 0.1.0", "exact"), Some("predicted")),
            (json!({ "form": "simulated", "network": {} }), Some("simulated")),
            (json!({ "form": "printed", "network": {} }), Some("predicted")),
            (json!({ "machine": "none" }), None),
            (json!("by hand"), None),
        ] {
            let map = map.clone().with_source(source.to_string()).unwrap();
            assert_eq!(of_map(&map), origin, "{source}");
        }
        let bare = DecisionMap::new(map.domain().clone(), map.cells().to_vec()).unwrap();
        let bare = bare.with_source(r#"{ "files": ["rules.conf"] }"#).unwrap();
        assert_eq!(of_map(&bare), None);
    }
}
