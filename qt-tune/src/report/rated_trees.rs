//! A table of the recommended tree and the others, for the terminal and the page.

use super::table::{Cell, Table};
use qtdec_measure::study::assess::Assessment;
use qtdec_measure::study::recommend::Rated;
use qtdec_measure::study::sweep::Spread;

/// Returns a row for each tree: its size, its cost, and its cost on held-out times.
pub(crate) fn rated_trees(rated: &[Rated]) -> Table {
    let mut table = Table::new(&[
        ("tree", "name"),
        ("leaves", "leaves"),
        ("penalty: mean", "penalty_mean"),
        ("penalty: max", "penalty_max"),
        ("over cells", "priced"),
        ("gain: mean", "gain_mean"),
        ("slower than default", "slower"),
        ("held out: mean", "held_out_mean"),
        ("held out: gain", "held_out_gain_mean"),
        ("vs exact tree", "to_exact"),
        ("95 %", "to_exact_interval"),
    ]);
    for Rated { choice, own, held_out } in rated {
        let own = own.as_ref();
        let gain = own.and_then(|own| own.gain.as_ref());
        let mean = |of: fn(&Assessment) -> f64| Cell::percent(held_out.spread(of).map(|spread| spread.mean));
        let gains = held_out.judged.iter().filter_map(|judged| Some(judged.gain.as_ref()?.mean));
        let gains: Vec<f64> = gains.collect();
        let to_exact = held_out.to_exact();
        table.row([
            Cell::Text(choice.name.clone()),
            Cell::Whole(choice.tree.statistics().regions),
            Cell::percent(own.map(|own| own.penalty.mean)),
            Cell::percent(own.map(|own| own.penalty.max)),
            own.map_or(Cell::Missing, |own| Cell::Whole(own.penalty.cells)),
            Cell::percent(gain.map(|gain| gain.mean)),
            gain.map_or(Cell::Missing, |gain| Cell::Whole(gain.slower.len() as u64)),
            mean(|judged| judged.penalty.mean),
            Cell::percent(Spread::new(&gains).map(|spread| spread.mean)),
            Cell::number(to_exact.map(|interval| interval.mean)),
            to_exact.map_or(Cell::Missing, |interval| {
                Cell::Text(format!("{:+.2} … {:+.2}", interval.low, interval.high))
            }),
        ]);
    }
    table.without_empty_columns()
}
