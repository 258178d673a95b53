//! The table of all values of the slider.

use qtdec_core::{DecisionMap, DecisionTree};
use serde_json::Value;

use crate::table::{Cell, Table};
use qtdec_study::study::gain::Gain;
use qtdec_study::study::over_default::OverDefault;
use qtdec_study::study::simple_rules::SimpleRules;

/// Returns a table of the values of an option, with the trees that they make.
pub(super) fn table(option: &str, trees: &[(String, DecisionTree)], map: &DecisionMap) -> Value {
    let mut table = Table::new(&[
        (option.trim_end_matches(" %"), "value"),
        ("regions", "regions"),
        ("greatest depth", "depth"),
        ("conditions", "conditions"),
        ("mean penalty", "mean"),
        ("greatest penalty", "max"),
        ("over cells", "cells"),
        ("in-sample gain over the default", "gain"),
        ("cells slower than it", "slower"),
        ("in-sample gain over one method", "over_method"),
        ("over one threshold", "over_threshold"),
    ]);
    for (value, tree) in trees {
        let statistics = tree.statistics();
        let penalty = statistics.encoding.quality.penalty.as_ref();
        let decisions = tree.cells();
        let compared = OverDefault::everywhere(&decisions, map);
        let rules = SimpleRules::everywhere(&decisions, map);
        let of_rules = |of: fn(&SimpleRules) -> Gain| {
            rules.as_ref().map_or(Cell::Missing, |rules| Cell::Percent(of(rules).percent()))
        };
        let over_default = |cell: fn(&OverDefault) -> Cell| compared.as_ref().map_or(Cell::Missing, cell);
        table.row([
            Cell::Text(with_unit(option, value)),
            Cell::Whole(statistics.regions),
            Cell::Whole(statistics.encoding.depth.max),
            Cell::Whole(statistics.conditions),
            penalty.map_or(Cell::Missing, |penalty| Cell::Percent(penalty.mean)),
            penalty.map_or(Cell::Missing, |penalty| Cell::Percent(penalty.max)),
            penalty.map_or(Cell::Missing, |known| Cell::Of(known.cells, known.cells + known.unpriced)),
            over_default(|compared| Cell::Percent(compared.gain.percent())),
            over_default(|compared| Cell::Text(format!("{} of {}", compared.slower.len(), compared.cells))),
            of_rules(|rules| rules.over_method),
            of_rules(|rules| rules.over_threshold),
        ]);
    }
    table.without_empty_columns().shown()
}

/// Returns the value of an option with its unit.
pub(super) fn with_unit(option: &str, value: &str) -> String {
    let is_percent = option == "threshold" || option.ends_with(" %");
    if is_percent { format!("{value} %") } else { value.to_owned() }
}
