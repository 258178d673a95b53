//! Mean and range of numbers.

/// The spread of an assessment over several splits of the same measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean over the splits.
    pub mean: f64,
    /// The minimum of the splits.
    pub min: f64,
    /// The maximum of the splits.
    pub max: f64,
}

impl Spread {
    /// Returns the spread of numbers, or `None` if there are none.
    pub fn new(numbers: &[f64]) -> Option<Self> {
        let (&first, _) = numbers.split_first()?;
        let min = numbers.iter().copied().fold(first, f64::min);
        let max = numbers.iter().copied().fold(first, f64::max);
        Some(Self { mean: mean(numbers), min, max })
    }
}

/// Returns the mean of numbers, of which there is one at least.
pub(super) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}
