//! The table of all values of the slider.

use qtdec_core::{DecisionMap, DecisionTree};
use serde_json::Value;

use crate::table::{Cell, Table};
use qtdec_study::study::over_default::OverDefault;

pub(super) fn table(option: &str, trees: &[(String, DecisionTree)], map: &DecisionMap) -> Value {
    let mut table = Table::new(&[
        (option.trim_end_matches(" %"), "value"),
        ("regions", "regions"),
        ("greatest depth", "depth"),
        ("conditions", "conditions"),
        ("mean penalty", "mean"),
        ("greatest penalty", "max"),
        ("over cells", "cells"),
        ("cells slower than the default", "slower"),
    ]);
    for (value, tree) in trees {
        let statistics = tree.statistics();
        let penalty = statistics.encoding.quality.penalty.as_ref();
        let compared = OverDefault::everywhere(&tree.cells(), map);
        table.row([
            Cell::Text(with_unit(option, value)),
            Cell::Whole(statistics.regions),
            Cell::Whole(statistics.encoding.depth.max),
            Cell::Whole(statistics.conditions),
            penalty.map_or(Cell::Missing, |penalty| Cell::Percent(penalty.mean)),
            penalty.map_or(Cell::Missing, |penalty| Cell::Percent(penalty.max)),
            penalty.map_or(Cell::Missing, |known| Cell::Of(known.cells, known.cells + known.unpriced)),
            compared.map_or(Cell::Missing, |compared| {
                Cell::Text(format!("{} of {}", compared.slower.len(), compared.cells))
            }),
        ]);
    }
    table.without_empty_columns().shown()
}

pub(super) fn with_unit(option: &str, value: &str) -> String {
    let is_percent = option == "threshold" || option.ends_with(" %");
    if is_percent { format!("{value} %") } else { value.to_owned() }
}
