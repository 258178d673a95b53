//! A table of the recommended tree and the others, for the terminal and the page.

use super::table::{Cell, Column, Table};
use qtdec_study::study::assess::Assessment;
use qtdec_study::study::gain::Gain;
use qtdec_study::study::recommend::{Rated, Recommendation};

/// Returns a row for each tree: its size, its cost, and its cost on held-out times.
pub fn rated_trees(rated: &Recommendation) -> Table {
    let columns: [Column<'_, &Rated>; 10] = [
        ("tree", "name", |rated| Cell::Text(rated.choice.name.clone())),
        ("leaves", "leaves", |rated| Cell::Whole(rated.choice.tree.statistics().regions)),
        ("penalty: mean", "penalty_mean", |rated| Cell::percent(own(rated).map(|own| own.penalty.mean))),
        ("penalty: max", "penalty_max", |rated| Cell::percent(own(rated).map(|own| own.penalty.max))),
        ("over cells", "priced", |rated| Cell::whole(own(rated).map(|own| own.penalty.cells))),
        ("slower than default", "slower", |rated| {
            let compared = own(rated).and_then(|own| own.over_default.as_ref());
            Cell::whole(compared.map(|compared| compared.slower.len() as u64))
        }),
        ("held out: mean", "held_out_mean", |rated| {
            Cell::percent(rated.held_out.spread(|judged| judged.penalty.mean).map(|spread| spread.mean))
        }),
        ("held out: gain", "held_out_gain", |rated| Cell::percent(rated.held_out.gain().map(Gain::percent))),
        ("vs exact tree", "to_exact", |rated| {
            Cell::number(rated.held_out.to_exact().map(|interval| interval.mean))
        }),
        ("95 %", "to_exact_interval", |rated| Cell::interval(rated.held_out.to_exact())),
    ];
    Table::of(&columns, rated.trees()).without_empty_columns()
}

/// Returns what a tree costs at the points from which it was made, if that is known.
fn own(rated: &Rated) -> Option<&Assessment> {
    rated.own.as_ref()
}
