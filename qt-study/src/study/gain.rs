//! The one figure that outputs call *gain*.

use std::fmt;

use super::spread::mean;

/// The gain of decisions over a baseline: `exp(mean ln(t_baseline / t_decision)) − 1` over cells, launches, or both.
///
/// Outputs call nothing else a gain, and show it as its `Display` does, such as `+12.34 %`; tables show its [per cent](Self::percent). Times
/// from which the decisions were made give no gain. Penalties and other means of per cents have other names.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Gain(
    /// The ratio minus 1.
    pub f64,
);

impl Gain {
    /// Returns the gain of the mean of the logarithms ln(t\[baseline\] / t\[decision\]), or `None` without any.
    pub fn of_logs(logs: &[f64]) -> Option<Self> {
        (!logs.is_empty()).then(|| Self(mean(logs).exp_m1()))
    }

    /// Returns the geometric mean of gains, or `None` without any.
    pub fn mean(gains: impl IntoIterator<Item = Self>) -> Option<Self> {
        Self::of_logs(&gains.into_iter().map(|gain| gain.0.ln_1p()).collect::<Vec<_>>())
    }

    /// Returns the gain in per cent.
    pub fn percent(self) -> f64 {
        100.0 * self.0
    }
}

impl fmt::Display for Gain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:+.2} %", self.percent())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half the time and twice the time cancel out; the mean of their per cents is +25 %.
    #[test]
    fn a_gain_is_a_geometric_mean() {
        let gain = Gain::of_logs(&[2.0_f64.ln(), 0.5_f64.ln()]).unwrap();
        assert!(gain.0.abs() < 1e-12);
        let mean = Gain::mean([Gain(1.0), Gain(-0.5), Gain(0.0), Gain(0.0)]).unwrap();
        assert!(mean.0.abs() < 1e-12);
        assert_eq!(Gain::mean([]), None);
        assert_eq!([Gain(0.123_44), Gain(-0.5)].map(|gain| gain.to_string()), ["+12.34 %", "-50.00 %"]);
    }
}
