//! Where the costs of a map come from, in the words of titles.

use qtdec_core::DecisionMap;
use serde_json::Value;

/// Returns what was done to the costs of a map, if its source states it: `measured`, `predicted` or `simulated`.
pub(super) fn of_map(map: &DecisionMap) -> Option<&'static str> {
    map.costs().and_then(|_| of_source(&serde_json::from_str(map.source()?).ok()?))
}

/// Returns what was done and for which machine, such as `simulated for grig` or `measured on Polaris`, as far as the source of a map
/// states it.
pub(super) fn described(source: Option<&str>) -> Option<String> {
    let source: Value = serde_json::from_str(source?).ok()?;
    let done = of_source(&source)?;
    let [times, network] = [&source["times"], &source["network"]];
    let names = [&network["name"], &times["machine"], &source["machine"], &times["cpu"], &source["cpu"]];
    let machine = names.into_iter().find_map(|name| name.as_str().filter(|name| !name.is_empty()));
    let preposition = if done == "measured" { "on" } else { "for" };
    Some(machine.map_or_else(|| done.to_owned(), |machine| format!("{done} {preposition} {machine}")))
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
    fn a_title_names_the_machine() {
        for (source, expected) in [
            (json!({ "files": ["t.csv"], "times": { "machine": "fugaku" } }), Some("measured on fugaku")),
            (json!({ "rounds": 3, "cpu": "A 1" }), Some("measured on A 1")),
            (json!({ "form": "simulated", "network": { "name": "grig" } }), Some("simulated for grig")),
            (json!({ "files": ["t.csv"] }), Some("measured")),
            (json!("by hand"), None),
        ] {
            assert_eq!(described(Some(&source.to_string())).as_deref(), expected);
        }
        assert_eq!(described(None), None);
    }

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
