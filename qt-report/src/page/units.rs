//! Numbers with their units, as the page shows them.

use crate::table;

pub(super) fn percent(value: f64) -> String {
    format!("{value:.2} %")
}

/// The units of time: the name in files, the name on the page, and how many are a second.
const UNITS: [(&str, &str, f64); 4] =
    [("s", "s", 1.0), ("ms", "ms", 1e3), ("us", "µs", 1e6), ("ns", "ns", 1e9)];

/// Returns a time of this unit with four digits, in the unit that fits; in the same unit if it is not known.
pub(super) fn time(value: f64, unit: Option<&str>) -> String {
    let Some((_, _, per_second)) = UNITS.iter().find(|(name, ..)| Some(*name) == unit) else {
        return format!("{} {}", four_digits(value), unit.unwrap_or_default()).trim_end().to_owned();
    };
    let written = UNITS.map(|(_, name, own)| (name, four_digits(value / per_second * own)));
    let fits = |(_, text): &&(&str, String)| text.parse::<f64>().is_ok_and(|number| number >= 1.0);
    let (name, text) = written.iter().find(fits).unwrap_or(&written[written.len() - 1]);
    format!("{text} {name}")
}

pub(super) fn written(unit: &str) -> &str {
    UNITS.iter().find(|(name, ..)| *name == unit).map_or(unit, |(_, written, _)| written)
}

/// Returns a number with four significant digits, without zeros at the end. Whole numbers keep all their digits.
fn four_digits(value: f64) -> String {
    let text = table::four_digits(value);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times_have_the_unit_that_fits() {
        for (value, unit, expected) in [
            (7279.4, Some("ns"), "7.279 µs"),
            (1_250_000.0, Some("ns"), "1.25 ms"),
            (999.96, Some("us"), "1 ms"),
            (999.94, Some("us"), "999.9 µs"),
            (0.25, Some("ns"), "0.25 ns"),
            (90.0, Some("s"), "90 s"),
            (7279.4, Some("cycles"), "7279 cycles"),
            (1_250_000.0, Some("cycles"), "1250000 cycles"),
            (0.001_234_56, None, "0.001235"),
        ] {
            assert_eq!(time(value, unit), expected, "{value} {unit:?}");
        }
    }
}
