//! Recommended trees, as commands ask for them and show them.

use qtdec_core::DecisionMap;

use super::Failure;
use super::measure::reported;
use crate::measure::measurements::Measurements;
use crate::report::table::{Cell, Table};
use crate::study::assess::Assessment;
use crate::study::recommend::{Rated, surviving_regions};
use crate::study::sweep::Spread;

/// So many random halves are held out where there is one run.
pub(super) const SPLITS: u64 = 5;

/// The tolerance that borders of single samples are tried with, in per cent.
const TOLERANCE: f64 = 5.0;

/// What to say of a map of single samples: its borders are noise where methods are as good as each other.
pub(super) fn of_single_samples(
    map: &DecisionMap,
    measurements: &Measurements,
    files: &str,
) -> Result<Option<String>, Failure> {
    if !measurements.is_of_single_samples() {
        return Ok(None);
    }
    let survivors = reported(files, surviving_regions(map, TOLERANCE))?;
    Ok(survivors.map(|(all, left)| {
        format!(
            "every time is a single sample, so that borders between methods of like speed are noise: of {all} regions {left} \
             survive a tie of {TOLERANCE} %; measure three times or more"
        )
    }))
}

/// The recommended tree and the others in a table.
pub(super) fn table(rated: &[Rated]) -> Table {
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
        ("to the exact tree", "to_exact"),
        ("95 %", "to_exact_interval"),
    ]);
    for Rated { choice, own, held_out } in rated {
        let own = own.as_ref();
        let gain = own.and_then(|own| own.gain.as_ref());
        let mean = |of: fn(&Assessment) -> f64| Cell::number(held_out.spread(of).map(|spread| spread.mean));
        let gains = held_out.judged.iter().filter_map(|judged| Some(judged.gain.as_ref()?.mean));
        let gains: Vec<f64> = gains.collect();
        let to_exact = held_out.to_exact();
        table.row([
            Cell::Text(choice.name.clone()),
            Cell::Whole(choice.tree.statistics().regions),
            Cell::number(own.map(|own| own.penalty.mean)),
            Cell::number(own.map(|own| own.penalty.max)),
            own.map_or(Cell::Missing, |own| Cell::Whole(own.penalty.cells)),
            Cell::number(gain.map(|gain| gain.mean)),
            gain.map_or(Cell::Missing, |gain| Cell::Whole(gain.slower.len() as u64)),
            mean(|judged| judged.penalty.mean),
            Cell::number(Spread::of(&gains).map(|spread| spread.mean)),
            Cell::number(to_exact.map(|interval| interval.mean)),
            to_exact.map_or(Cell::Missing, |interval| {
                Cell::Text(format!("{:+.2} … {:+.2}", interval.low, interval.high))
            }),
        ]);
    }
    table.without_empty_columns()
}
