//! Colours that people with any sight can tell apart.

use plotters::style::colors::colormaps::{ColorMap, ViridisRGB};
use plotters::style::{BLACK, RGBColor, WHITE};
use qtdec_core::{Domain, Method, MethodIndex};

use super::Entry;

/// A colour.
pub type Color = RGBColor;

/// Where nothing was measured or nothing is known.
pub(super) const NOTHING: Color = RGBColor(0xE0, 0xE0, 0xE0);

/// What a map does not know.
pub(super) const UNKNOWN: Color = RGBColor(0x40, 0x40, 0x40);

/// Okabe and Ito, *Color universal design*, 2008: distinct with every kind of colour vision.
pub(super) const FEW: [Color; 7] = [
    RGBColor(0xE6, 0x9F, 0x00),
    RGBColor(0x56, 0xB4, 0xE9),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xF0, 0xE4, 0x42),
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0xCC, 0x79, 0xA7),
];

/// Colours of lines on white: of Okabe and Ito's those that stand out from it by 3 : 1 or more, as WCAG 2 asks of what is
/// drawn (success criterion 1.4.11), with their black.
pub(super) const LINES: [Color; 5] = [
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xCC, 0x79, 0xA7),
    BLACK,
];

/// (1 + √5) / 2.
const GOLDEN_RATIO: f64 = 1.618_033_988_749_895;

/// The colour and the letter of each method, the same in all panels.
///
/// More methods than there are distinct colours are steps of *viridis*, which grows lighter evenly for everybody. Methods
/// that stand beside each other in the map, and are often alike, are far apart in it; the letters tell all of them apart.
#[derive(Clone, Debug)]
pub struct Palette {
    methods: Vec<MethodIndex>,
}

impl Palette {
    /// Colours for these methods, in their order in the map.
    pub fn of(methods: impl IntoIterator<Item = MethodIndex>) -> Self {
        let mut methods: Vec<MethodIndex> = methods.into_iter().collect();
        methods.sort_unstable();
        methods.dedup();
        Self { methods }
    }

    /// The colour of a method; grey for none and for one that is not in the palette.
    pub fn color(&self, method: Option<MethodIndex>) -> Color {
        let position = method.and_then(|method| self.methods.binary_search(&method).ok());
        let Some(position) = position else { return NOTHING };
        match FEW.get(position) {
            Some(&color) if self.methods.len() <= FEW.len() => color,
            _ => ViridisRGB.get_color(self.step(position) as f64 / (self.methods.len() - 1) as f64),
        }
    }

    /// The rank of a position in the golden-ratio sequence, whose neighbours are never close.
    fn step(&self, position: usize) -> usize {
        let place = |position: usize| (position as f64 * GOLDEN_RATIO).fract();
        (0..self.methods.len()).filter(|&other| place(other) < place(position)).count()
    }

    /// The letter of a method: one that no other has, as long as there are letters.
    pub fn mark(&self, method: Option<MethodIndex>) -> Option<char> {
        let position = self.methods.binary_search(&method?).ok()?;
        ('A'..='Z').chain('a'..='z').nth(position)
    }

    /// What the colours mean: algorithms and their segment sizes; and grey, where there are `gaps`.
    pub fn legend(&self, domain: &Domain, gaps: bool) -> Vec<Entry> {
        let entry = |&method: &MethodIndex| Entry {
            color: self.color(Some(method)),
            mark: self.mark(Some(method)),
            text: described(domain.method(method)),
        };
        let gap = Entry { color: NOTHING, mark: None, text: "nothing measured".to_owned() };
        self.methods.iter().map(entry).chain(gaps.then_some(gap)).collect()
    }
}

/// A method in the words of every legend: `pipeline, segments of 8K`.
pub(crate) fn described(method: &Method) -> String {
    match method.segment_size {
        Some(size) => format!("{}, segments of {}", method.name, super::plane::bytes(size)),
        None => method.name.clone(),
    }
}

/// The relative luminance of WCAG 2, from 0 to 1.
fn luminance(color: Color) -> f64 {
    let linear = |channel: u8| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(color.0) + 0.7152 * linear(color.1) + 0.0722 * linear(color.2)
}

/// Black or white, whichever is read more easily on a colour.
pub(super) fn ink(on: Color) -> &'static Color {
    // The contrast with white, (1 + 0.05) / (l + 0.05), and with black, (l + 0.05) / 0.05, are equal at this luminance.
    if luminance(on) > 0.179 { &BLACK } else { &WHITE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stand_out_from_white_and_suffice_for_all_encodings() {
        for color in LINES {
            let contrast = 1.05 / (luminance(color) + 0.05);
            assert!(contrast >= 3.0, "{color:?}: {contrast}");
        }
        assert!(qtdec_core::encode::encoders().len() <= LINES.len());
    }
}
