//! Where the parts of a picture are, on the screen and on paper.

use plotters::style::{FontDesc, FontStyle, IntoFont, register_font};

use super::{LEGEND_ROW, LINE, TEXT};
use crate::picture::{Entry, Picture};

/// The width and the height of a panel, without further lines of its title.
const PANEL: (u32, u32) = (420, 320);
const MAX_COLUMNS: usize = 3;

/// The least width of one of several panels side by side on paper, in which the letters of maps have room.
const LEAST_PANEL: u32 = 360;

/// The sizes of titles, and the height of their lines.
pub(super) const HEADLINE: i32 = 17;
pub(super) const TITLE: i32 = 15;
const LEADING: u32 = 6;

/// The width of a letter of the legend, and of what precedes its text.
const LETTER: u32 = 8;
const SWATCH: u32 = 42;

/// A size on paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Print {
    /// The width in millimetres.
    pub width: f64,
    /// The size of text in points; letters in boxes are a little smaller.
    pub font: f64,
}

/// The places of panels, titles and legend in pixels.
pub(super) struct Layout {
    pub(super) width: u32,
    pub(super) headline: Vec<String>,
    pub(super) panel: (u32, u32),
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// The lines of the title of each panel, and the height of the highest.
    pub(super) titles: Vec<Vec<String>>,
    pub(super) title_height: u32,
    /// The columns of the legend below the panels, or `None` if it is at their right.
    pub(super) legend_columns: Option<usize>,
    legend: (u32, u32),
}

impl Layout {
    pub(super) fn new(picture: &Picture, print: Option<Print>) -> Self {
        register_fonts();
        let Picture { title, panels, legend } = picture;
        let of_entry = |entry: &Entry| SWATCH + 8 + LETTER * entry.text.chars().count() as u32;
        let entry = legend.iter().map(of_entry).max().unwrap_or(0);
        let (columns, panel, width, legend_columns) = match print {
            None => {
                let columns = panels.len().clamp(1, MAX_COLUMNS);
                (columns, PANEL, columns as u32 * PANEL.0 + entry, None)
            }
            Some(print) => {
                let points = print.width / 25.4 * 72.0;
                let width = (points * f64::from(TEXT) / LINE / print.font).round() as u32;
                let columns = panels.len().clamp(1, (width / LEAST_PANEL).max(1) as usize);
                let panel = width / columns as u32;
                let legend_columns = (width / entry.max(1)).clamp(1, legend.len().max(1) as u32);
                (
                    columns,
                    (panel, panel.min(PANEL.0) * PANEL.1 / PANEL.0),
                    width,
                    Some(legend_columns as usize),
                )
            }
        };
        let titles: Vec<Vec<String>> =
            panels.iter().map(|shown| wrapped(&shown.title, TITLE, panel.0 - 20)).collect();
        let lines = titles.iter().map(Vec::len).max().unwrap_or(0) as u32;
        let further = lines.saturating_sub(1) * height_of_line(TITLE);
        let rows_of_legend = legend.len().div_ceil(legend_columns.unwrap_or(1)) as u32;
        Self {
            width,
            headline: wrapped(title, HEADLINE, width - 20),
            panel: (panel.0, panel.1 + further),
            columns,
            rows: panels.len().div_ceil(columns).max(1),
            title_height: if lines == 0 { 0 } else { lines * height_of_line(TITLE) + LEADING },
            titles,
            legend_columns,
            legend: if legend.is_empty() { (0, 0) } else { (entry, (rows_of_legend + 1) * LEGEND_ROW) },
        }
    }

    pub(super) fn headline_height(&self) -> u32 {
        if self.headline.is_empty() {
            0
        } else {
            self.headline.len() as u32 * height_of_line(HEADLINE) + LEADING
        }
    }

    /// Returns the width of the panels, or what is at the left of the legend.
    pub(super) fn panels_width(&self) -> u32 {
        self.panel.0 * self.columns as u32
    }

    /// Returns the height of the panels, or what is above the legend.
    pub(super) fn panels_height(&self) -> u32 {
        self.panel.1 * self.rows as u32
    }

    pub(super) fn size(&self) -> (u32, u32) {
        let (panels, legend) = (self.panels_height(), self.legend.1);
        let height =
            if self.legend_columns.is_some() { panels + legend } else { panels.max(legend + LEGEND_ROW) };
        (self.width, height + self.headline_height())
    }
}

/// Returns the height of a line of text of this size.
pub(super) fn height_of_line(size: i32) -> u32 {
    size as u32 + LEADING
}

fn bold(size: i32) -> FontDesc<'static> {
    ("sans-serif", size).into_font().style(FontStyle::Bold)
}

/// Returns a text in bold as lines, of which each is at most this wide if its words allow it.
fn wrapped(text: &str, size: i32, width: u32) -> Vec<String> {
    let is_within = |line: &str| bold(size).box_size(line).is_ok_and(|(needed, _)| needed <= width);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if is_within(&format!("{line} {word}")) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Registers the two styles that are used; registering a font again has no effect.
fn register_fonts() {
    for (style, font) in [FontStyle::Normal, FontStyle::Bold].into_iter().zip(fonts()) {
        let _ = register_font("sans-serif", style, font);
    }
}

/// Returns the fonts of pictures, in the TrueType format: the regular and the bold one.
pub fn fonts() -> [&'static [u8]; 2] {
    [dejavu::sans::regular(), dejavu::sans::bold()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_broken_between_words() {
        register_fonts();
        let text = "max depth 3: 29 regions, mean penalty 5.97 % of 40 of 50 cells";
        let lines = wrapped(text, TITLE, 230);
        assert!(lines.len() > 1);
        assert_eq!(lines.join(" "), text);
        assert!(lines.iter().all(|line| bold(TITLE).box_size(line).unwrap().0 <= 230), "{lines:?}");
        assert!(wrapped("", TITLE, 230).is_empty());
    }

    #[test]
    fn text_on_paper_has_the_size_that_was_asked_for() {
        let picture = Picture { title: "bcast".to_owned(), panels: Vec::new(), legend: Vec::new() };
        for (width, font) in [(90.0, 6.0), (90.0, 7.0), (180.0, 8.0), (60.0, 6.0)] {
            let layout = Layout::new(&picture, Some(Print { width, font }));
            let points_per_pixel = width / 25.4 * 72.0 / f64::from(layout.size().0);
            assert!((points_per_pixel * f64::from(TEXT) / LINE - font).abs() < 0.05, "{width} {font}");
        }
    }
}
