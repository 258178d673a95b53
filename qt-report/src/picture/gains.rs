//! Colours for the gain of decisions over the library's own choice.

use plotters::style::RGBColor;

use super::maps::colored;
use super::palette::NOTHING;
use super::{Color, Entry, Panel, Plane};

/// The start of each band in per cent, with its colour: red where a decision is slower, blue where it is faster.
///
/// This is the diverging scheme `RdBu` of <https://colorbrewer2.org>, which is safe for colour-blind readers.
const STEPS: [(f64, Color); 8] = [
    (f64::NEG_INFINITY, RGBColor(0xB2, 0x18, 0x2B)),
    (-10.0, RGBColor(0xEF, 0x8A, 0x62)),
    (-1.0, RGBColor(0xFF, 0xFF, 0xFF)),
    (1.0, RGBColor(0xD1, 0xE5, 0xF0)),
    (10.0, RGBColor(0x92, 0xC5, 0xDE)),
    (25.0, RGBColor(0x43, 0x93, 0xC3)),
    (50.0, RGBColor(0x21, 0x66, 0xAC)),
    (100.0, RGBColor(0x05, 0x30, 0x61)),
];

/// Returns the position in the legend of a gain in per cent; `None` stands for an unknown one.
fn band(percent: Option<f64>) -> usize {
    let position = |percent: f64| STEPS.iter().rposition(|(from, _)| percent >= *from).unwrap_or(0);
    percent.map_or(STEPS.len(), position)
}

/// Returns the gain in each cell of the map.
pub(crate) fn gains(of_cells: &[Option<f64>], plane: &Plane) -> Panel {
    let colors: Vec<Color> = legend().into_iter().map(|entry| entry.color).collect();
    colored(plane, "", |cell| (colors[band(of_cells[cell])], None))
}

/// Returns the meaning of the colours; the last entry is for unknown gains.
pub(crate) fn legend() -> Vec<Entry> {
    let entry = |(step, &(from, color)): (usize, &(f64, Color))| {
        let text = match STEPS.get(step + 1) {
            Some((to, _)) if step == 0 => format!("below {to} %"),
            Some((to, _)) => format!("{from} to {to} %"),
            None => format!("{from} % and more"),
        };
        Entry { color, mark: None, text: text.replace('-', "−") }
    };
    let unknown = Entry { color: NOTHING, mark: None, text: "no time".to_owned() };
    STEPS.iter().enumerate().map(entry).chain([unknown]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_is_that_of_its_entry() {
        let legend = legend();
        for (gain, text) in [
            (Some(-50.0), "below −10 %"),
            (Some(-10.0), "−10 to −1 %"),
            (Some(-0.5), "−1 to 1 %"),
            (Some(0.0), "−1 to 1 %"),
            (Some(49.9), "25 to 50 %"),
            (Some(1e9), "100 % and more"),
            (None, "no time"),
        ] {
            assert_eq!(legend[band(gain)].text, text, "{gain:?}");
        }
    }
}
