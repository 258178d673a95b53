//! Recommended trees, as commands ask for them and show them.

use qtdec_core::DecisionMap;

use super::Failure;
use super::measure::reported;
use crate::measure::measurements::Measurements;
use crate::study::recommend::surviving_regions;

/// The number of random halves that are held out if there is only one run.
pub(super) const SPLITS: u64 = 5;

/// The tolerance that borders of single samples are tried with, in per cent.
const TOLERANCE: f64 = 5.0;

/// Returns the warning for a map of single samples: its borders are noise where methods are equally good.
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
            "every time is a single sample, so borders between methods of similar speed are noise: of {all} regions {left} \
             survive a tie of {TOLERANCE} %; measure three times or more"
        )
    }))
}
