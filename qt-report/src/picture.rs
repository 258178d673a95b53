//! Pictures like the papers' figures, of any map.
//!
//! The content is first computed as boxes and lines in panels; [`Picture::svg`] draws it.

mod curves;
mod draw;
mod figures;
mod log_log;
mod maps;
mod palette;
mod penalties;
mod plane;
mod round;
mod terminal;
mod ticks;
mod vision;

pub use curves::{construction, curves, lines, mean_penalties, penalty_by_regions};
pub use draw::{Print, fonts};
pub use figures::{differences, distances_to_bound, map_and_trees, penalties_of_trees, tree};
pub use log_log::{times_along_axis, times_over_sizes};
pub(crate) use maps::unknown;
pub use maps::{measured, regions};
pub(crate) use palette::described;
pub use palette::{LINES, NOTHING, Palette, ink};
pub use penalties::NEAR;
pub use penalties::{Bands, penalties};
pub use plane::{Plane, PlaneFault};
pub use round::percent;
pub use terminal::in_terminal;
pub use vision::Color;

use qtdec_core::DecisionTree;

/// A picture: panels side by side, with a legend.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The title above all panels, or empty for none.
    pub title: String,
    /// The panels in reading order.
    pub panels: Vec<Panel>,
    /// The colours of all panels.
    pub legend: Vec<Entry>,
}

/// A colour and its meaning.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The colour.
    pub color: Color,
    /// The letter on the boxes of this colour.
    pub mark: Option<char>,
    /// The meaning.
    pub text: String,
}

impl Entry {
    /// Creates an entry without a letter.
    pub fn new(color: Color, text: impl Into<String>) -> Self {
        Self { color, mark: None, text: text.into() }
    }
}

/// A panel of a picture.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub x: Scale,
    /// The vertical axis.
    pub y: Scale,
    /// The content.
    pub content: Content,
}

/// The content of a panel.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Content {
    /// Boxes, optionally with outlines.
    Boxes {
        /// The boxes, which do not overlap.
        boxes: Vec<Patch>,
        /// Whether their borders are drawn.
        outlined: bool,
    },
    /// Lines through points.
    Lines(Vec<Line>),
}

/// A box of one colour.
#[derive(Clone, Debug)]
pub struct Patch {
    /// The range on the x axis, in positions on the scale.
    pub x: (f64, f64),
    /// The range on the y axis.
    pub y: (f64, f64),
    /// Its colour.
    pub color: Color,
    /// A letter that identifies the box without its colour.
    pub mark: Option<char>,
}

/// A line through points.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its colour.
    pub color: Color,
    /// The points, from left to right, in positions on the scales.
    pub points: Vec<(f64, f64)>,
    /// The text at its right end, or empty for none.
    pub label: String,
}

/// An axis of a panel.
#[derive(Clone, Debug)]
pub struct Scale {
    /// The axis title.
    pub title: String,
    /// The position of the axis's start.
    pub from: f64,
    /// The position of the axis's end.
    pub to: f64,
    /// Positions and labels of ticks.
    pub ticks: Vec<(f64, String)>,
}

/// The longest names that lines have at their ends, in letters; others have a letter there, and the legend its meaning.
const LONGEST_LABEL: usize = 10;

/// Returns lines and their legend, given the look, the meaning and the points of each.
fn named_lines(lines: impl IntoIterator<Item = (Color, String, Vec<(f64, f64)>)>) -> (Vec<Line>, Vec<Entry>) {
    let lines: Vec<_> = lines.into_iter().collect();
    let are_short = lines.iter().all(|(_, text, _)| text.chars().count() <= LONGEST_LABEL);
    let named = (0..).zip(lines).map(|(number, (color, text, points))| {
        let mark = if are_short { None } else { palette::letter(number) };
        let label = mark.map_or_else(|| text.clone(), String::from);
        (Line { color, points, label }, Entry { color, mark, text })
    });
    named.unzip()
}

/// Returns ` of 30 of 40 cells` or ` of 30 to 40 of 40 cells`: the number of cells in the mean penalties of trees, if any
/// tree has cells without costs. Such means are not comparable.
fn over_cells<'t>(trees: impl IntoIterator<Item = &'t DecisionTree>) -> String {
    let penalties = trees.into_iter().filter_map(|tree| tree.statistics().encoding.quality.penalty.clone());
    let priced: Vec<(u64, u64)> =
        penalties.map(|penalty| (penalty.cells, penalty.cells + penalty.unpriced)).collect();
    let least = priced.iter().map(|(priced, _)| *priced).min();
    let most = priced.iter().map(|(priced, _)| *priced).max();
    match (least, most, priced.first()) {
        (Some(least), Some(most), Some(&(_, cells))) if least < cells => {
            let priced = if least == most { least.to_string() } else { format!("{least} to {most}") };
            format!(" of {priced} of {cells} cells")
        }
        _ => String::new(),
    }
}
