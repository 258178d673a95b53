//! Pictures as SVG, drawn by plotters with an embedded font.

#![expect(clippy::cast_possible_wrap, reason = "pixels of a screen")]

use std::borrow::Cow;
use std::collections::BTreeMap;

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, EmptyElement, PathElement, Rectangle, Text};
use plotters::series::LineSeries;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    BLACK, Color as _, FontDesc, FontStyle, IntoFont, RGBColor, ShapeStyle, TextStyle, WHITE, register_font,
};

use qtdec_core::visible;

use super::palette::{NOTHING, ink};
use super::{Content, Entry, Line, Panel, Patch, Picture, Scale};

/// The maximum number of boxes; more could not be seen, and few programs would open the file.
const MAX_BOXES: usize = 1 << 17;

/// The width and height of a panel and the width of a letter of the legend, in pixels of an SVG.
const PANEL: (u32, u32) = (420, 320);
const LETTER: u32 = 8;
const LEGEND_ROW: u32 = 22;
const MAX_COLUMNS: usize = 3;

/// The height of the picture's title.
const HEADLINE: u32 = 30;

/// The maximum number of boxes for which all letters have a plate. A box that is too thin for a full-size letter has a small one on
/// a plate of its own. Plates of more boxes would hide them: then only the largest box of a method without any other letter has one.
const MAX_PLATES: usize = 256;

/// The space next to the plane for sizes and the name of their axis.
const MARGIN_OF_MAPS: i32 = 62;
const MARGIN_OF_CURVES: i32 = 44;

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
        let picture = Picture { title: String::new(), panels: vec![self], legend: Vec::new() }.shown();
        let (width, height) = picture.size();
        let mut svg = String::new();
        let planes = picture.draw(&SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area());
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
    /// Returns the picture as SVG.
    ///
    /// # Errors
    ///
    /// Fails if there are too many boxes.
    pub fn svg(&self) -> Result<String, String> {
        self.check_size()?;
        let mut text = String::new();
        let picture = self.shown();
        picture.draw(&SVGBackend::with_string(&mut text, picture.size()).into_drawing_area());
        Ok(text)
    }

    /// Returns the picture with all texts made safe for display; otherwise an SVG may not be valid XML.
    fn shown(&self) -> Self {
        let mut picture = self.clone();
        let Self { title, panels, legend } = &mut picture;
        let ticks = |scale: &mut Scale| scale.ticks.iter_mut().for_each(|(_, text)| show(text));
        for Panel { title, x, y, .. } in panels {
            [title, &mut x.title, &mut y.title].into_iter().for_each(show);
            [x, y].into_iter().for_each(ticks);
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
}

/// Returns which boxes have a letter on a plate: all without room for one, or, of too many, the largest of each method that has no
/// letter otherwise.
fn plates_of(boxes: &[Patch], roomy: &[bool], pixels: &[(i32, i32)]) -> Vec<bool> {
    if boxes.len() <= MAX_PLATES {
        return roomy.iter().map(|roomy| !roomy).collect();
    }
    let mut largest: BTreeMap<char, usize> = BTreeMap::new();
    for (number, patch) in boxes.iter().enumerate() {
        let Some(mark) = patch.mark else { continue };
        let size = |number: usize| (roomy[number], pixels[number].0 * pixels[number].1);
        let known = largest.entry(mark).or_insert(number);
        *known = if size(number) > size(*known) { number } else { *known };
    }
    let mut plated = vec![false; boxes.len()];
    for number in largest.into_values() {
        plated[number] = !roomy[number];
    }
    plated
}

/// Returns the number beside a line of the mesh. Sums of steps such as 0.2 are off in the last digit.
fn label(value: f64) -> String {
    ((value * 1e9).round() / 1e9).to_string()
}

fn show(text: &mut String) {
    if let Cow::Owned(shown) = visible::line(text) {
        *text = shown;
    }
}

/// Returns the width of the labels next to a panel.
fn label_area(y: &Scale, content: &Content) -> i32 {
    let longest = y.ticks.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0) as i32;
    match content {
        Content::Lines(_) if y.ticks.is_empty() => MARGIN_OF_CURVES,
        Content::Boxes { .. } if y.title.is_empty() => 14 + 7 * longest,
        Content::Boxes { .. } | Content::Lines(_) => MARGIN_OF_MAPS,
    }
}

fn plain(size: i32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&BLACK)
}

impl Picture {
    fn columns(&self) -> usize {
        self.panels.len().clamp(1, MAX_COLUMNS)
    }

    fn rows(&self) -> usize {
        self.panels.len().div_ceil(self.columns()).max(1)
    }

    fn legend_width(&self) -> u32 {
        let longest = self.legend.iter().map(|entry| entry.text.chars().count()).max();
        longest.map_or(0, |letters| 50 + LETTER * letters as u32)
    }

    fn size(&self) -> (u32, u32) {
        let panels = self.rows() as u32 * PANEL.1;
        let legend = (self.legend.len() as u32 + 2) * LEGEND_ROW;
        let width = self.columns() as u32 * PANEL.0 + self.legend_width();
        (width, panels.max(legend) + self.headline())
    }

    fn headline(&self) -> u32 {
        if self.title.is_empty() { 0 } else { HEADLINE }
    }

    /// Draws the picture, and returns the lower left and the upper right corner of each panel's plane.
    fn draw<DB: DrawingBackend>(&self, area: &Area<'_, DB>) -> Vec<[Point; 2]> {
        // Register the two styles that are used; registering a font again has no effect.
        for (style, font) in
            [(FontStyle::Normal, dejavu::sans::regular()), (FontStyle::Bold, dejavu::sans::bold())]
        {
            let _ = register_font("sans-serif", style, font);
        }
        self.draw_on(area).expect("drawing to memory cannot fail")
    }

    fn draw_on<DB: DrawingBackend>(&self, area: &Area<'_, DB>) -> Drawn<DB, Vec<[Point; 2]>> {
        area.fill(&WHITE)?;
        let (width, _) = area.dim_in_pixel();
        let (headline, area) = area.split_vertically(self.headline());
        if !self.title.is_empty() {
            let font = fitted(&self.title, 16, width);
            headline.draw(&Text::new(self.title.as_str(), (10, 8), font))?;
        }
        let (panels, legend) = area.split_horizontally(width - self.legend_width());
        let rooms = panels.split_evenly((self.rows(), self.columns()));
        let panels = self.panels.iter().zip(&rooms);
        let planes = panels.map(|(panel, room)| self::panel(panel, room)).collect::<Result<_, _>>()?;
        for (row, shown) in self.legend.iter().enumerate() {
            entry(shown, row as i32, &legend)?;
        }
        area.present()?;
        Ok(planes)
    }
}

/// Draws a panel, and returns the lower left and the upper right corner of its plane.
fn panel<DB: DrawingBackend>(panel: &Panel, room: &Area<'_, DB>) -> Drawn<DB, [Point; 2]> {
    let Panel { title, x, y, content } = panel;
    let (width, _) = room.dim_in_pixel();
    let title_font = fitted(title, 14, width);
    let mut builder = ChartBuilder::on(room);
    if !title.is_empty() {
        builder.caption(title, title_font);
    }
    let mut chart = builder
        .margin(10)
        .x_label_area_size(42)
        .y_label_area_size(label_area(y, content))
        .build_cartesian_2d(x.from..x.to, y.from..y.to)?;
    match content {
        Content::Boxes { boxes, outlined } => {
            chart.plotting_area().fill(&NOTHING)?;
            let boxes_drawn = boxes
                .iter()
                .map(|Patch { x, y, color, .. }| Rectangle::new([(x.0, y.0), (x.1, y.1)], color.filled()));
            chart.draw_series(boxes_drawn)?;
            if *outlined {
                outlines(boxes, &mut chart)?;
            }
            marks(boxes, &mut chart)?;
            ticks(x, y, &chart, room)?;
        }
        Content::Lines(lines) => {
            if x.ticks.is_empty() {
                chart
                    .configure_mesh()
                    .x_desc(&x.title)
                    .y_desc(&y.title)
                    .x_label_formatter(&|value| label(*value))
                    .y_label_formatter(&|value| label(*value))
                    .label_style(plain(11))
                    .axis_desc_style(plain(12))
                    .light_line_style(WHITE)
                    .draw()?;
            } else {
                ticks(x, y, &chart, room)?;
            }
            for Line { color, points } in lines {
                let style = ShapeStyle { color: color.to_rgba(), filled: false, stroke_width: 2 };
                chart.draw_series(LineSeries::new(points.iter().copied(), style))?;
                let dots = points.iter().map(|point| Circle::new(*point, 3, color.filled()));
                chart.draw_series(dots)?;
            }
        }
    }
    Ok([(x.from, y.from), (x.to, y.to)].map(|corner| chart.backend_coord(&corner)))
}

/// Returns a bold font of a size in pixels, or smaller if the text would not fit into the width.
fn fitted(text: &str, size: i32, width: u32) -> FontDesc<'static> {
    let of = |size: f64| ("sans-serif", size, FontStyle::Bold).into_font();
    let size = f64::from(size);
    let needed = of(size).box_size(text).map_or(0, |(width, _)| width).max(1);
    let room = width.saturating_sub(20);
    of((size * f64::from(room) / f64::from(needed)).min(size))
}

fn outlines<DB: DrawingBackend>(boxes: &[Patch], chart: &mut Chart<'_, '_, DB>) -> Drawn<DB> {
    let style = ShapeStyle { color: BLACK.mix(0.6), filled: false, stroke_width: 1 };
    let outlines = boxes.iter().map(|Patch { x, y, .. }| Rectangle::new([(x.0, y.0), (x.1, y.1)], style));
    chart.draw_series(outlines).map(drop)
}

/// Draws the letter of each box, inside it or on a plate if the box is too thin.
fn marks<DB: DrawingBackend>(boxes: &[Patch], chart: &mut Chart<'_, '_, DB>) -> Drawn<DB> {
    let center = Pos::new(HPos::Center, VPos::Center);
    let mut plates: Vec<Point> = Vec::new();
    let (width, height) = (9, 10);
    let pixels = boxes.iter().map(|Patch { x, y, .. }| {
        let (left, bottom) = chart.backend_coord(&(x.0, y.0));
        let (right, top) = chart.backend_coord(&(x.1, y.1));
        (right - left, bottom - top)
    });
    let pixels: Vec<(i32, i32)> = pixels.collect();
    let roomy: Vec<bool> = pixels.iter().map(|(width, height)| *width >= 12 && *height >= 13).collect();
    let is_plated = plates_of(boxes, &roomy, &pixels);
    for (number, Patch { x, y, color, mark }) in boxes.iter().enumerate() {
        let Some(mark) = mark else { continue };
        let at = |share: f64| (x.0 + share * (x.1 - x.0), y.0 + share * (y.1 - y.0));
        let style = |size: i32| plain(size).pos(center).color(ink(*color));
        if roomy[number] {
            chart.draw_series([Text::new(mark.to_string(), at(0.5), style(11))])?;
            continue;
        }
        if !is_plated[number] {
            continue;
        }
        // Use the first place along the box that no other plate occupies.
        let shares = [0.5, 0.25, 0.75, 0.375, 0.625, 0.125, 0.875];
        let is_free = |share: &f64| {
            let (x, y) = chart.backend_coord(&at(*share));
            plates.iter().all(|(a, b)| (a - x).abs() >= width || (b - y).abs() >= height)
        };
        let place = at(shares.into_iter().find(is_free).unwrap_or(0.5));
        plates.push(chart.backend_coord(&place));
        let corners = |grown: i32| {
            let (w, h) = (width / 2 + grown, height / 2 + grown);
            [(-w, -h), (w, h)]
        };
        let edge = ShapeStyle { color: BLACK.mix(0.5), filled: false, stroke_width: 1 };
        chart.draw_series([EmptyElement::at(place)
            + Rectangle::new(corners(0), color.filled())
            + Rectangle::new(corners(0), edge)
            + Text::new(mark.to_string(), (0, 0), style(8))])?;
    }
    Ok(())
}

/// Draws the samples along both axes; plotters would choose round positions, which are not samples.
fn ticks<DB: DrawingBackend>(
    x: &Scale,
    y: &Scale,
    chart: &Chart<'_, '_, DB>,
    room: &Area<'_, DB>,
) -> Drawn<DB> {
    let (origin_x, origin_y) = room.get_base_pixel();
    // Draw outside the plane, in pixels of the drawing area.
    let pixel = |x: f64, y: f64| {
        let (left, top) = chart.backend_coord(&(x, y));
        (left - origin_x, top - origin_y)
    };
    let (left, bottom) = pixel(x.from, y.from);
    let (right, top) = pixel(x.to, y.to);
    let line = ShapeStyle { color: BLACK.to_rgba(), filled: false, stroke_width: 1 };
    room.draw(&Rectangle::new([(left, top), (right, bottom)], line))?;
    let below = Pos::new(HPos::Center, VPos::Top);
    for (position, text) in &x.ticks {
        let (at, _) = pixel(*position, y.from);
        room.draw(&PathElement::new([(at, bottom), (at, bottom + 4)], line))?;
        room.draw(&Text::new(text.as_str(), (at, bottom + 6), plain(11).pos(below)))?;
    }
    let anchor = Pos::new(HPos::Right, VPos::Center);
    for (position, text) in &y.ticks {
        let (_, at) = pixel(x.from, *position);
        room.draw(&PathElement::new([(left - 4, at), (left, at)], line))?;
        room.draw(&Text::new(text.as_str(), (left - 6, at), plain(11).pos(anchor)))?;
    }
    let middle = (i32::midpoint(left, right), bottom + 22);
    room.draw(&Text::new(x.title.as_str(), middle, plain(12).pos(below)))?;
    let upward =
        TextStyle::from(("sans-serif", 12).into_font().transform(plotters::style::FontTransform::Rotate270));
    let center = Pos::new(HPos::Center, VPos::Center);
    let middle = (left - (MARGIN_OF_MAPS - LETTER as i32), i32::midpoint(top, bottom));
    room.draw(&Text::new(y.title.as_str(), middle, upward.pos(center)))
}

fn entry<DB: DrawingBackend>(entry: &Entry, row: i32, legend: &Area<'_, DB>) -> Drawn<DB> {
    let Entry { color, mark, text } = entry;
    let top = 20 + row * LEGEND_ROW as i32;
    let (left, side) = (10, 16);
    let corners = [(left, top), (left + side, top + side)];
    legend.draw(&Rectangle::new(corners, color.filled()))?;
    legend.draw(&Rectangle::new(corners, RGBColor(0x80, 0x80, 0x80)))?;
    let middle = (left + side / 2, top + side / 2);
    if let Some(mark) = mark {
        let center = Pos::new(HPos::Center, VPos::Center);
        let style = plain(11).pos(center).color(ink(*color));
        legend.draw(&Text::new(mark.to_string(), middle, style))?;
    }
    let style = plain(12).pos(Pos::new(HPos::Left, VPos::Center));
    legend.draw(&Text::new(text.as_str(), (left + side + 6, middle.1), style))
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn labels_have_no_digits_of_rounding() {
        assert_eq!([0.2 + 0.4, 0.1 + 0.7, 35.0, -0.000_25].map(label), ["0.6", "0.8", "35", "-0.00025"]);
    }
}
