//! Rates and durations, as options say them.

use std::fmt;
use std::str::FromStr;

/// A rate in bits a second, such as `20Mbit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rate(f64);

/// A duration, such as `500us`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Duration(f64);

const RATES: [(&str, f64); 4] = [("Gbit", 1e9), ("Mbit", 1e6), ("kbit", 1e3), ("bit", 1.0)];
const DURATIONS: [(&str, f64); 4] = [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0)];

impl Rate {
    /// Returns how long a frame takes, in nanoseconds.
    pub(crate) fn nanoseconds(self, bytes: usize) -> u64 {
        (bytes as f64 * 8e9 / self.0) as u64
    }

    /// Returns the rate of so many together.
    pub(crate) fn times(self, number: u8) -> Self {
        Self(self.0 * f64::from(number))
    }
}

impl Duration {
    /// Returns the duration in nanoseconds.
    pub(crate) fn nanoseconds(self) -> u64 {
        (self.0 * 1e9).round() as u64
    }
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rate = parse(text, &RATES)?;
        if (1e3..=1e12).contains(&rate) {
            Ok(Self(rate))
        } else {
            Err("not between 1kbit and 1000Gbit".to_owned())
        }
    }
}

impl FromStr for Duration {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let duration = parse(text, &DURATIONS)?;
        if duration <= 10.0 { Ok(Self(duration)) } else { Err("longer than 10s".to_owned()) }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.0, &RATES)
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let microseconds = self.0 * 1e6;
        write!(f, "{}us", (microseconds * 1e3).round() / 1e3)
    }
}

fn parse(text: &str, units: &[(&str, f64)]) -> Result<f64, String> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = units.iter().find(|(unit, _)| *unit == &text[number.len()..]);
    match (number.parse::<f64>(), factor) {
        (Ok(number), Some((_, factor))) if number.is_finite() && number >= 0.0 => Ok(number * factor),
        _ => {
            let units: Vec<&str> = units.iter().map(|(unit, _)| *unit).collect();
            Err(format!("not a number with one of the units {}", units.join(", ")))
        }
    }
}

fn write(f: &mut fmt::Formatter<'_>, value: f64, units: &[(&str, f64)]) -> fmt::Result {
    let (unit, factor) = units.iter().find(|(_, factor)| value >= *factor).unwrap_or(&units[units.len() - 1]);
    write!(f, "{}{unit}", value / factor)
}

#[cfg(test)]
mod tests {
    use super::{Duration, Rate};

    #[test]
    fn rates_and_durations_are_written_as_they_are_read() {
        for text in ["20Mbit", "4Mbit", "1.5Gbit", "100kbit"] {
            assert_eq!(text.parse::<Rate>().unwrap().to_string(), text);
        }
        assert_eq!("20Mbit".parse::<Rate>().unwrap().nanoseconds(1500), 600_000);
        assert_eq!("500us".parse::<Duration>().unwrap().nanoseconds(), 500_000);
        assert_eq!("5ms".parse::<Duration>().unwrap().to_string(), "5000us");
        for text in ["20", "Mbit", "20mb", "-1Mbit", "NaNMbit", "0Mbit", "2000Gbit", ""] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
        for text in ["5", "11s", "-1us", "us"] {
            assert!(text.parse::<Duration>().is_err(), "{text}");
        }
    }
}
