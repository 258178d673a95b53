//! The texts about the cells of a map: times and repeats with their units.

use std::collections::BTreeSet;

use qtdec_core::{DecisionMap, MethodIndex};
use serde_json::{Map, Value, json};

use super::units::{percent, time};
use crate::picture::{Plane, described};
use qtdec_study::study::repeats::{Repeats, RepeatsOfCells};

/// Describes each cell of the plane, row by row: the number of the best method, the texts about this method and about those that
/// any of the `decisions` choose there, and the rows about other methods.
pub(super) fn cells(map: &DecisionMap, plane: &Plane, decisions: &[Vec<Option<MethodIndex>>]) -> Value {
    plane.cells().map(|cell| described_cell(map, decisions, cell)).collect()
}

fn described_cell(map: &DecisionMap, decisions: &[Vec<Option<MethodIndex>>], cell: usize) -> Value {
    let best = map.cells()[cell];
    let chosen = decisions.iter().filter_map(|decisions| decisions[cell]);
    let shown: BTreeSet<MethodIndex> = chosen.chain(best).collect();
    let methods =
        shown.into_iter().map(|method| (method.get().to_string(), json!([text(map, cell, method)])));
    json!({
        "best": best.map(MethodIndex::get),
        "methods": methods.collect::<Map<_, _>>(),
        "others": others(map, cell),
    })
}

/// The maximum number of times of a page; more would be too much for a browser.
const MAX_TIMES: usize = 1 << 17;

/// Returns the times of all methods in each cell of the plane with four digits, or nothing if the map has none or too many.
pub(super) fn times(map: &DecisionMap, plane: &Plane) -> Value {
    let methods = map.domain().methods().len();
    let (columns, rows) = plane.size();
    let Some(costs) = map.costs().filter(|_| columns * rows * methods <= MAX_TIMES) else {
        return Value::Null;
    };
    let rounded = |time: f64| format!("{time:.3e}").parse::<f64>().ok();
    let times = plane.cells().map(|cell| {
        let times = map.domain().method_indexes().map(|method| costs.get(cell, method).and_then(rounded));
        times.collect::<Value>()
    });
    times.collect()
}

/// Adds texts about the repeats behind the times to [`cells`].
pub(super) fn add_repeats(cells: &mut Value, repeats: &RepeatsOfCells<'_>, plane: &Plane) {
    let unit = repeats.unit();
    for (shown, cell) in cells.as_array_mut().into_iter().flatten().zip(plane.cells()) {
        for method in repeats.methods() {
            let Some(texts) = shown["methods"].get_mut(method.get().to_string()) else { continue };
            let Some(Repeats { count, middle: [low, high] }) = repeats.get(cell, method) else { continue };
            let text = match count {
                1 => "1".to_owned(),
                _ => format!("{count}, the middle half from {} to {}", time(low, unit), time(high, unit)),
            };
            if let Some(texts) = texts.as_array_mut() {
                texts.push(text.into());
            }
        }
    }
}

/// Returns the name of a method with its time.
fn text(map: &DecisionMap, cell: usize, method: MethodIndex) -> String {
    let name = described(map.domain().method(method));
    match map.costs().and_then(|costs| costs.get(cell, method)) {
        Some(cost) => format!("{name}, {}", time(cost, unit(map))),
        None => name,
    }
}

/// Returns the rows about the fastest of the other methods, and about baselines.
fn others(map: &DecisionMap, cell: usize) -> Value {
    let Some((costs, best)) = map.costs().zip(map.cells()[cell]) else { return json!([]) };
    let cost = |method: MethodIndex| costs.get(cell, method);
    let is_default = |method: &MethodIndex| map.domain().method(*method).baseline;
    let others: Vec<MethodIndex> =
        map.domain().method_indexes().filter(|method| *method != best && cost(*method).is_some()).collect();
    let second = others
        .iter()
        .filter(|method| !is_default(method))
        .min_by(|one, other| cost(**one).unwrap_or_default().total_cmp(&cost(**other).unwrap_or_default()));
    let runner_up = second.map(|&second| {
        let slower = cost(best).zip(cost(second)).map(|(best, second)| 100.0 * (second / best - 1.0));
        let slower = slower.map_or_else(String::new, |slower| format!(", {} slower", percent(slower)));
        json!(["runner-up", text(map, cell, second) + &slower, "runner-up"])
    });
    let defaults = others.iter().filter(|method| is_default(method));
    let defaults = defaults.map(|&method| json!(["baseline", text(map, cell, method), "baseline"]));
    runner_up.into_iter().chain(defaults).collect()
}

fn unit(map: &DecisionMap) -> Option<&str> {
    map.costs().and_then(|costs| costs.unit.as_deref())
}
