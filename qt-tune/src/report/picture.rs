//! Pictures: the papers' figures, of any map.
//!
//! What is to be seen is worked out first, as boxes and lines in panels; [`Picture::svg`] and [`Picture::png`] draw it.

mod curves;
mod draw;
mod figures;
mod log_log;
mod maps;
mod palette;
mod penalties;
mod plane;
mod schedule;
mod sheet;
mod terminal;
mod ticks;
mod trees;

pub use curves::{construction, curves, penalty_by_regions};
pub use draw::TooLarge;
pub use figures::{differences, map_and_trees, penalties_of_trees, tree};
pub use log_log::times_over_sizes;
pub use maps::{measured, regions};
pub use palette::{Color, Palette};
pub(crate) use palette::{described, ink};
pub use penalties::{Bands, penalties};
pub use plane::{Plane, PlaneFault};
pub use schedule::{SpaceTime, TooMany};
pub use terminal::in_terminal;
pub use trees::{NoTrees, TreeNode, TreePanel, Trees};

use qtdec_core::DecisionTree;

/// Panels beside each other, and what their colours mean.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What the picture is about, above all panels; empty for none.
    pub title: String,
    /// What is seen, in reading order.
    pub panels: Vec<Panel>,
    /// The colours of all panels.
    pub legend: Vec<Entry>,
}

/// A colour and what it means.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The colour.
    pub color: Color,
    /// The letter that stands on the boxes of this colour.
    pub mark: Option<char>,
    /// Its meaning.
    pub text: String,
}

/// One part of a picture.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What is seen here.
    pub title: String,
    /// What runs to the right.
    pub x: Scale,
    /// What runs upward.
    pub y: Scale,
    /// What is drawn.
    pub content: Content,
}

/// What is drawn in a panel.
#[derive(Clone, Debug)]
pub enum Content {
    /// Boxes, perhaps with their outlines.
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
    /// From where to where on the x axis, in the scale's positions.
    pub x: (f64, f64),
    /// From where to where on the y axis.
    pub y: (f64, f64),
    /// Its colour.
    pub color: Color,
    /// A letter to tell it by without its colour.
    pub mark: Option<char>,
}

/// A line through points.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its colour.
    pub color: Color,
    /// The points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// An axis of a panel.
#[derive(Clone, Debug)]
pub struct Scale {
    /// What it counts.
    pub title: String,
    /// The position at which it begins.
    pub from: f64,
    /// The position at which it ends.
    pub to: f64,
    /// Positions and what is written there; none where a drawing library chooses better.
    pub ticks: Vec<(f64, String)>,
}

/// ` of 30 of 40 cells`, or ` of 30 to 40 of 40 cells`: how many cells the mean penalties of trees are over, where any of
/// them leaves cells unpriced. Such means do not compare.
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
