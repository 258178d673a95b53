//! Pictures as SVG, drawn by plotters with an embedded font.

#![expect(clippy::cast_possible_wrap, reason = "pixels of a screen")]

mod axes;
mod boxes;
mod layout;
mod lines;

use std::borrow::Cow;

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, FontStyle, IntoFont, RGBColor, TextStyle, WHITE};

use qtdec_core::visible;

use self::layout::Layout;
pub use self::layout::{Print, fonts};
use super::palette::{INK, NOTHING, ink};
use super::{Content, Entry, Panel, Picture, Scale};

/// The maximum number of boxes; more could not be seen, and few programs would open the file.
const MAX_BOXES: usize = 1 << 17;

/// The sizes of texts and of letters in boxes, the smallest of all, in pixels from the highest to the lowest point of a line.
const TEXT: i32 = 13;
const MARK: i32 = 12;

/// The height of a line as a multiple of the size of its font, as plotters assumes.
const LINE: f64 = 1.24;

const LEGEND_ROW: u32 = 22;

/// The space next to the plane for sizes and the name of their axis.
const MARGIN: i32 = 62;

type Area<'b, DB> = DrawingArea<DB, Shift>;
type Chart<'a, 'b, DB> = ChartContext<'a, DB, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn<DB, T = ()> = Result<T, DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// A point: pixels from the left and from the top.
type Point = (i32, i32);

/// A picture of one panel that is part of a page.
#[derive(Clone, Debug)]
pub(crate) struct Embedded {
    /// The picture.
    pub svg: String,
    /// The left and the right end of the x axis, in shares of the width.
    pub(crate) x: [f64; 2],
    /// The lower and the upper end of the y axis, in shares of the height from the top.
    pub(crate) y: [f64; 2],
}

impl Panel {
    /// Returns the panel as a picture of its own, without a legend. The caller limits the number of boxes.
    pub(crate) fn embedded(self) -> Embedded {
        let picture = Picture { title: String::new(), panels: vec![self], legend: Vec::new() };
        let ((width, height), svg, planes) = picture.drawn(None);
        let [(left, bottom), (right, top)] = planes.first().copied().unwrap_or_default();
        let share = |pixel: i32, of: u32| f64::from(pixel) / f64::from(of);
        Embedded {
            svg,
            x: [left, right].map(|pixel| share(pixel, width)),
            y: [bottom, top].map(|pixel| share(pixel, height)),
        }
    }
}

impl Picture {
    /// Returns the picture as SVG for the screen.
    ///
    /// # Errors
    ///
    /// Fails if there are too many boxes.
    pub fn svg(&self) -> Result<String, String> {
        self.check_size()?;
        Ok(self.drawn(None).1)
    }

    /// Returns the picture as SVG of a size on paper, with the legend below.
    ///
    /// # Errors
    ///
    /// Fails if there are too many boxes.
    pub fn print(&self, print: Print) -> Result<String, String> {
        self.check_size()?;
        let ((width, height), svg, _) = self.drawn(Some(print));
        let millimetres = print.width / f64::from(width) * f64::from(height);
        let pixels = format!("width=\"{width}\" height=\"{height}\"");
        let size = format!("width=\"{}mm\" height=\"{millimetres:.2}mm\"", print.width);
        Ok(svg.replacen(&pixels, &size, 1))
    }

    /// Returns the picture with all texts made safe for display; otherwise an SVG may not be valid XML.
    fn shown(&self) -> Self {
        let mut picture = self.clone();
        let Self { title, panels, legend } = &mut picture;
        let ticks = |scale: &mut Scale| scale.ticks.iter_mut().for_each(|(_, text)| show(text));
        for Panel { title, x, y, content } in panels {
            [title, &mut x.title, &mut y.title].into_iter().for_each(show);
            [x, y].into_iter().for_each(ticks);
            if let Content::Lines(lines) = content {
                for line in lines {
                    show(&mut line.label);
                }
            }
        }
        for entry in legend {
            show(&mut entry.text);
        }
        show(title);
        picture
    }

    fn check_size(&self) -> Result<(), String> {
        let boxes = self.panels.iter().map(|panel| match &panel.content {
            Content::Boxes { boxes, .. } => boxes.len(),
            Content::Lines(_) => 0,
        });
        let boxes: usize = boxes.sum();
        if boxes > MAX_BOXES {
            return Err(format!(
                "a picture of {boxes} boxes is too large to draw: the maximum is {MAX_BOXES}"
            ));
        }
        Ok(())
    }

    /// Returns the size in pixels, the SVG, and the lower left and the upper right corner of each panel's plane.
    fn drawn(&self, print: Option<Print>) -> ((u32, u32), String, Vec<[Point; 2]>) {
        let picture = self.shown();
        let layout = Layout::new(&picture, print);
        let mut svg = String::new();
        let planes = {
            let area = SVGBackend::with_string(&mut svg, layout.size()).into_drawing_area();
            picture.draw_on(&area, &layout).expect("drawing to memory cannot fail")
        };
        (layout.size(), svg, planes)
    }

    fn draw_on<DB: DrawingBackend>(
        &self,
        area: &Area<'_, DB>,
        layout: &Layout,
    ) -> Drawn<DB, Vec<[Point; 2]>> {
        area.fill(&WHITE)?;
        let (headline, area) = area.split_vertically(layout.headline_height());
        lines_of_text(&layout.headline, layout::HEADLINE, &headline)?;
        let (panels, legend) = match layout.legend_columns {
            None => area.split_horizontally(layout.panels_width()),
            Some(_) => area.split_vertically(layout.panels_height()),
        };
        let rooms = panels.split_evenly((layout.rows, layout.columns));
        let mut planes = Vec::new();
        for ((panel, title), room) in self.panels.iter().zip(&layout.titles).zip(&rooms) {
            let (above, room) = room.split_vertically(layout.title_height);
            lines_of_text(title, layout::TITLE, &above)?;
            planes.push(self::panel(panel, &room)?);
        }
        let (columns, top) = layout.legend_columns.map_or((1, 20), |columns| (columns, 6));
        for (number, shown) in self.legend.iter().enumerate() {
            let left = 10 + (number % columns * layout.width as usize / columns) as i32;
            entry(shown, (left, top + (number / columns) as i32 * LEGEND_ROW as i32), &legend)?;
        }
        area.present()?;
        Ok(planes)
    }
}

/// Draws lines of text in bold below each other.
fn lines_of_text<DB: DrawingBackend>(lines: &[String], size: i32, area: &Area<'_, DB>) -> Drawn<DB> {
    let font = ("sans-serif", size).into_font().style(FontStyle::Bold).color(&INK);
    for (number, line) in lines.iter().enumerate() {
        let top = 8 + number as i32 * layout::height_of_line(size) as i32;
        area.draw(&Text::new(line.as_str(), (10, top), font.clone()))?;
    }
    Ok(())
}

/// Draws a panel without its title, and returns the lower left and the upper right corner of its plane.
fn panel<DB: DrawingBackend>(panel: &Panel, room: &Area<'_, DB>) -> Drawn<DB, [Point; 2]> {
    let Panel { x, y, content, .. } = panel;
    let labels = match content {
        Content::Boxes { .. } => 0,
        Content::Lines(lines) => lines::width_of_labels(lines),
    };
    let mut chart = ChartBuilder::on(room)
        .margin(10)
        .margin_right(10 + labels)
        .x_label_area_size(42)
        .y_label_area_size(label_area(y))
        .build_cartesian_2d(x.from..x.to, y.from..y.to)?;
    match content {
        Content::Boxes { boxes, outlined } => {
            chart.plotting_area().fill(&NOTHING)?;
            boxes::draw(boxes, *outlined, &mut chart)?;
            axes::draw(x, y, false, &chart, room)?;
        }
        Content::Lines(lines) => {
            axes::draw(x, y, true, &chart, room)?;
            lines::draw(lines, &mut chart, room)?;
        }
    }
    Ok([(x.from, y.from), (x.to, y.to)].map(|corner| chart.backend_coord(&corner)))
}

/// Returns the width of the labels next to a panel.
fn label_area(y: &Scale) -> i32 {
    let longest = y.ticks.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0) as i32;
    if y.title.is_empty() { 14 + 7 * longest } else { MARGIN }
}

fn show(text: &mut String) {
    if let Cow::Owned(shown) = visible::line(text) {
        *text = shown;
    }
}

fn plain(size: i32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

fn entry<DB: DrawingBackend>(entry: &Entry, (left, top): Point, legend: &Area<'_, DB>) -> Drawn<DB> {
    let Entry { color, mark, text } = entry;
    let side = 16;
    let corners = [(left, top), (left + side, top + side)];
    legend.draw(&Rectangle::new(corners, color.filled()))?;
    legend.draw(&Rectangle::new(corners, RGBColor(0x80, 0x80, 0x80)))?;
    let middle = (left + side / 2, top + side / 2);
    if let Some(mark) = mark {
        let center = Pos::new(HPos::Center, VPos::Center);
        let style = plain(MARK).pos(center).color(ink(*color));
        legend.draw(&Text::new(mark.to_string(), middle, style))?;
    }
    let style = plain(TEXT).pos(Pos::new(HPos::Left, VPos::Center));
    legend.draw(&Text::new(text.as_str(), (left + side + 6, middle.1), style))
}
