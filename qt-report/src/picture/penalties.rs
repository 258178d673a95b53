//! Penalty maps (2006 and 2007 papers, Figure 3), and maps of other differences in per cent.

use plotters::style::RGBColor;
use qtdec_core::penalty::penalties as of_cells;
use qtdec_core::{DecisionMap, MethodIndex};

use super::maps::colored;
use super::palette::NOTHING;
use super::{Color, Entry, Panel, Plane};

/// A colour scheme for per cent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bands {
    /// Eight steps from 0 to 100 %, each darker than the previous one.
    Fine,
    /// The scheme of the 2006 paper: white below 25 %, yellow up to 75 %.
    Paper2006,
    /// The scheme of the 2007 paper: white below 5 %, yellow from 10 to 25 %, red from 50 % on.
    Paper2007,
    /// The scheme of distances to the lower bound: the colours of the fine one, white where tuning is pointless.
    Bound,
}

const WHITE: Color = RGBColor(0xFF, 0xFF, 0xFF);
const YELLOW: Color = RGBColor(0xFF, 0xEB, 0x3B);
const RED: Color = RGBColor(0xD3, 0x2F, 0x2F);

/// The distance to the lower bound within which nothing is left to gain, in per cent.
pub const NEAR: f64 = 4.0;

/// Colours from white to dark red, each darker than the previous one.
const SEQUENCE: [Color; 8] = [
    WHITE,
    RGBColor(0xFF, 0xFF, 0xCC),
    RGBColor(0xFF, 0xED, 0xA0),
    RGBColor(0xFE, 0xD9, 0x76),
    RGBColor(0xFE, 0xB2, 0x4C),
    RGBColor(0xFD, 0x8D, 0x3C),
    RGBColor(0xE3, 0x1A, 0x1C),
    RGBColor(0x80, 0x00, 0x26),
];

/// Returns bands that begin at these per cent, in the colours of [`SEQUENCE`].
const fn in_sequence(starts: [f64; SEQUENCE.len()]) -> [(f64, Color); SEQUENCE.len()] {
    let mut steps = [(0.0, WHITE); SEQUENCE.len()];
    let mut step = 0;
    while step < steps.len() {
        steps[step] = (starts[step], SEQUENCE[step]);
        step += 1;
    }
    steps
}

impl Bands {
    /// Every scheme for penalties and its name in options.
    pub const ALL: [(&'static str, Self); 3] =
        [("fine", Self::Fine), ("2006", Self::Paper2006), ("2007", Self::Paper2007)];

    /// Returns the start of each band in per cent, with its colour.
    ///
    /// The colours of the fine scheme and of distances are the sequential scheme `YlOrRd` of <https://colorbrewer2.org>, which can be
    /// printed and is safe for colour-blind readers.
    pub fn steps(self) -> &'static [(f64, Color)] {
        match self {
            Self::Fine => const { &in_sequence([0.0, 1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0]) },
            Self::Bound => const { &in_sequence([0.0, NEAR, 10.0, 25.0, 50.0, 100.0, 200.0, 400.0]) },
            Self::Paper2006 => &[(0.0, WHITE), (25.0, YELLOW), (75.0, RED)],
            Self::Paper2007 => &[
                (0.0, WHITE),
                (5.0, RGBColor(0xFF, 0xF9, 0xC4)),
                (10.0, YELLOW),
                (25.0, RGBColor(0xFB, 0x8C, 0x00)),
                (50.0, RED),
            ],
        }
    }

    fn color(self, percent: f64) -> Color {
        self.steps()[self.entry(Some(percent))].1
    }

    /// Returns the position in the legend of a penalty in per cent; `None` stands for an unknown one.
    fn entry(self, percent: Option<f64>) -> usize {
        let steps = self.steps();
        match percent {
            Some(percent) => steps.iter().rposition(|(from, _)| percent >= *from).unwrap_or(0),
            None => steps.len(),
        }
    }

    /// Returns the meaning of the colours; the last entry is for unknown penalties.
    pub fn legend(self) -> Vec<Entry> {
        let steps = self.steps();
        let entries = steps.iter().enumerate().map(|(step, &(from, color))| {
            let text = match steps.get(step + 1) {
                Some((to, _)) if step == 0 => format!("below {to} %"),
                Some((to, _)) => format!("{from} to {to} %"),
                None => format!("{from} % and more"),
            };
            Entry::new(color, text)
        });
        entries.chain([Entry::new(NOTHING, "no time")]).collect()
    }
}

/// Returns the penalty of decisions, one for each cell of the map, or `None` if the map has no costs.
pub fn penalties(
    decisions: &[Option<MethodIndex>],
    map: &DecisionMap,
    plane: &Plane,
    bands: Bands,
    title: &str,
) -> Option<Panel> {
    let mut colors = vec![NOTHING; decisions.len()];
    for cell in of_cells(decisions, map)? {
        colors[cell.cell] = cell.percent().map_or(NOTHING, |percent| bands.color(percent));
    }
    Some(colored(plane, title, |cell| (colors[cell], None)))
}

/// Returns the distance of each cell's best method to the lower bound, in per cent, where it is known.
pub(super) fn distances(of_cells: &[Option<f64>], plane: &Plane, title: &str) -> Panel {
    let color = |cell: usize| of_cells[cell].map_or(NOTHING, |percent| Bands::Bound.color(percent));
    colored(plane, title, |cell| (color(cell), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_those_of_the_papers() {
        assert_eq!(
            [24.9, 25.0, 74.9, 75.0].map(|percent| Bands::Paper2006.color(percent)),
            [WHITE, YELLOW, YELLOW, RED]
        );
        assert_eq!(
            [0.0, 4.9, 10.0, 24.9, 50.0, 1e9].map(|percent| Bands::Paper2007.color(percent)),
            [WHITE, WHITE, YELLOW, YELLOW, RED, RED]
        );
        for bands in Bands::ALL.map(|(_, bands)| bands).into_iter().chain([Bands::Bound]) {
            assert!(bands.steps().is_sorted_by(|(a, _), (b, _)| a < b));
        }
        let legend: Vec<String> = Bands::Bound.legend().into_iter().map(|entry| entry.text).collect();
        assert_eq!(legend[..2], ["below 4 %", "4 to 10 %"]);
    }
}
