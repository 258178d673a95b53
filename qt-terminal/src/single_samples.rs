//! The warning for maps of single samples.

use qtdec_core::DecisionMap;

use crate::{Failure, reported};
use qtdec_study::measurements::Measurements;
use qtdec_study::study::recommend::surviving_regions;

/// The tolerance in per cent with which the borders of single samples are tested.
const TOLERANCE: f64 = 5.0;

/// Returns the warning for a map of single samples: borders between equally good methods are noise.
pub fn warning(
    map: &DecisionMap,
    measurements: &Measurements,
    files: &str,
) -> Result<Option<String>, Failure> {
    if !measurements.has_single_samples() {
        return Ok(None);
    }
    let survivors = reported(files, surviving_regions(map, TOLERANCE))?;
    Ok(survivors.map(|(all, left)| {
        format!(
            "every time is a single sample, so borders between methods of similar speed are noise: with \
                 ties of {TOLERANCE} %, {left} of {all} regions remain; measure at least three times"
        )
    }))
}
