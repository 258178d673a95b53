//! A table of the recommended tree and the others, for the terminal and the page.

use super::table::{Cell, Table};
use qtdec_study::study::assess::Assessment;
use qtdec_study::study::gain::Gain;
use qtdec_study::study::recommend::{Rated, Recommendation};

/// Returns a row for each tree: its size, its cost, and its cost on held-out times.
pub fn rated_trees(rated: &Recommendation) -> Table {
    let mut table = Table::new(&[
        ("tree", "name"),
        ("leaves", "leaves"),
        ("penalty: mean", "penalty_mean"),
        ("penalty: max", "penalty_max"),
        ("over cells", "priced"),
        ("slower than default", "slower"),
        ("held out: mean", "held_out_mean"),
        ("held out: gain", "held_out_gain"),
        ("vs exact tree", "to_exact"),
        ("95 %", "to_exact_interval"),
    ]);
    for Rated { choice, own, held_out } in rated.trees() {
        let own = own.as_ref();
        let compared = own.and_then(|own| own.over_default.as_ref());
        let mean = |of: fn(&Assessment) -> f64| Cell::percent(held_out.spread(of).map(|spread| spread.mean));
        let to_exact = held_out.to_exact();
        table.row([
            Cell::Text(choice.name.clone()),
            Cell::Whole(choice.tree.statistics().regions),
            Cell::percent(own.map(|own| own.penalty.mean)),
            Cell::percent(own.map(|own| own.penalty.max)),
            own.map_or(Cell::Missing, |own| Cell::Whole(own.penalty.cells)),
            compared.map_or(Cell::Missing, |compared| Cell::Whole(compared.slower.len() as u64)),
            mean(|judged| judged.penalty.mean),
            Cell::percent(held_out.gain().map(Gain::percent)),
            Cell::number(to_exact.map(|interval| interval.mean)),
            to_exact.map_or(Cell::Missing, |interval| {
                Cell::Text(format!("{:+.2} … {:+.2}", interval.low, interval.high))
            }),
        ]);
    }
    table.without_empty_columns()
}
