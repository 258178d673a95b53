//! The rule by which filters copy. A maintainer would need [`decided`] alone; the others are for measuring.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use arrow_array::BooleanArray;

use crate::filter::FILTER_SLICES_SELECTIVITY_THRESHOLD;

/// What filters do: one of the constants below.
pub static RULE: AtomicU8 = AtomicU8::new(DECIDED);

/// The decision.
pub const DECIDED: u8 = 0;
/// The rule of the published crate.
pub const PRESENT: u8 = 1;
/// Copy each value by itself.
pub const VALUES: u8 = 2;
/// Copy each run of values at once.
pub const SLICES: u8 = 3;

/// Returns whether to copy runs of values at once. The filter selects some of its rows, but not all.
pub(crate) fn is_by_slices(filter: &BooleanArray, selected: usize) -> bool {
    match RULE.load(Relaxed) {
        DECIDED => decided(filter, selected),
        PRESENT => selected as f64 / filter.len() as f64 > FILTER_SLICES_SELECTIVITY_THRESHOLD,
        rule => rule == SLICES,
    }
}

fn decided(filter: &BooleanArray, selected: usize) -> bool {
    let runs = runs(filter);
    crate::choice::is_by_slices(filter.len(), selected / runs, (filter.len() - selected) / runs)
}

/// Returns the number of runs of selected rows.
fn runs(filter: &BooleanArray) -> usize {
    let mut last = 0;
    let begun = filter.values().bit_chunks().iter_padded().map(|rows| {
        let before = rows << 1 | last;
        last = rows >> 63;
        (rows & !before).count_ones() as usize
    });
    begun.sum()
}
