//! The table of all values of the slider.

use qtdec_core::{DecisionMap, DecisionTree, Penalty};
use serde_json::Value;

use crate::table::{Cell, Column, Table};
use qtdec_study::study::over_default::OverDefault;

/// A value of the slider, its tree, and how that compares with the default.
type Step<'t> = (String, &'t DecisionTree, Option<OverDefault>);

pub(super) fn table(option: &str, trees: &[(String, DecisionTree)], map: &DecisionMap) -> Value {
    let columns: [Column<'_, Step<'_>>; 8] = [
        (option.trim_end_matches(" %"), "value", |(value, ..)| Cell::Text(value.clone())),
        ("regions", "regions", |(_, tree, _)| Cell::Whole(tree.statistics().regions)),
        ("greatest depth", "depth", |(_, tree, _)| Cell::Whole(tree.statistics().encoding.depth.max)),
        ("conditions", "conditions", |(_, tree, _)| Cell::Whole(tree.statistics().conditions)),
        ("mean penalty", "mean", |step| Cell::percent(penalty(step).map(|penalty| penalty.mean))),
        ("greatest penalty", "max", |step| Cell::percent(penalty(step).map(|penalty| penalty.max))),
        ("over cells", "cells", |step| {
            penalty(step).map_or(Cell::Missing, |known| Cell::Of(known.cells, known.cells + known.unpriced))
        }),
        ("cells slower than the default", "slower", |(.., compared)| {
            let compared = compared.as_ref();
            Cell::text(compared.map(|compared| format!("{} of {}", compared.slower.len(), compared.cells)))
        }),
    ];
    let steps = trees
        .iter()
        .map(|(value, tree)| (with_unit(option, value), tree, OverDefault::everywhere(&tree.cells(), map)));
    Table::of(&columns, steps).without_empty_columns().shown()
}

fn penalty<'t>((_, tree, _): &Step<'t>) -> Option<&'t Penalty> {
    tree.statistics().encoding.quality.penalty.as_ref()
}

pub(super) fn with_unit(option: &str, value: &str) -> String {
    let is_percent = option == "threshold" || option.ends_with(" %");
    if is_percent { format!("{value} %") } else { value.to_owned() }
}
