//! The samples or round numbers along the sides of a plane.

use plotters::backend::DrawingBackend;
use plotters::element::{PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle};

use super::{Area, Chart, Drawn, MARGIN, TEXT, plain};
use crate::picture::Scale;
use crate::picture::palette::{GRID, INK};

/// Draws the frame of the plane, with labels and titles along both sides, and lines through the plane if it has a `grid`.
pub(super) fn draw<DB: DrawingBackend>(
    x: &Scale,
    y: &Scale,
    grid: bool,
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
    let style = |color: RGBColor| ShapeStyle { color: color.to_rgba(), filled: false, stroke_width: 1 };
    let line = style(INK);
    let width =
        |text: &str| ("sans-serif", TEXT).into_font().box_size(text).map_or(0, |(width, _)| width as i32);
    let columns = thinned(&x.ticks, |(position, text)| (pixel(*position, y.from).0, width(text)));
    let rows = thinned(&y.ticks, |(position, _)| (pixel(x.from, *position).1, TEXT));
    if grid {
        for (position, _) in &rows {
            let (_, at) = pixel(x.from, *position);
            room.draw(&PathElement::new([(left, at), (right, at)], style(GRID)))?;
        }
        for (position, _) in &columns {
            let (at, _) = pixel(*position, y.from);
            room.draw(&PathElement::new([(at, top), (at, bottom)], style(GRID)))?;
        }
    }
    room.draw(&Rectangle::new([(left, top), (right, bottom)], line))?;
    let below = Pos::new(HPos::Center, VPos::Top);
    for (position, text) in columns {
        let (at, _) = pixel(*position, y.from);
        room.draw(&PathElement::new([(at, bottom), (at, bottom + 4)], line))?;
        room.draw(&Text::new(text.as_str(), (at, bottom + 6), plain(TEXT).pos(below)))?;
    }
    let anchor = Pos::new(HPos::Right, VPos::Center);
    for (position, text) in rows {
        let (_, at) = pixel(x.from, *position);
        room.draw(&PathElement::new([(left - 4, at), (left, at)], line))?;
        room.draw(&Text::new(text.as_str(), (left - 6, at), plain(TEXT).pos(anchor)))?;
    }
    let middle = (i32::midpoint(left, right), bottom + 22);
    room.draw(&Text::new(x.title.as_str(), middle, plain(TEXT).pos(below)))?;
    let upward = TextStyle::from(("sans-serif", TEXT).into_font().transform(FontTransform::Rotate270));
    let center = Pos::new(HPos::Center, VPos::Center);
    let middle = (left - (MARGIN - 8), i32::midpoint(top, bottom));
    room.draw(&Text::new(y.title.as_str(), middle, upward.color(&INK).pos(center)))
}

/// Returns every label, or every second, every third and so on, so that none touches the next. `place` returns the middle of a label and
/// its extent.
fn thinned(ticks: &[(f64, String)], place: impl Fn(&(f64, String)) -> (i32, i32)) -> Vec<&(f64, String)> {
    let places: Vec<(i32, i32)> = ticks.iter().map(&place).collect();
    let is_free = |step: &usize| {
        let shown: Vec<&(i32, i32)> = places.iter().step_by(*step).collect();
        shown.windows(2).all(|pair| {
            let ((one, width), (other, next)) = (pair[0], pair[1]);
            2 * (one - other).abs() > width + next
        })
    };
    let step = (1..ticks.len().max(2)).find(is_free).unwrap_or(ticks.len().max(1));
    ticks.iter().step_by(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_would_touch_are_left_out_evenly() {
        let ticks: Vec<(f64, String)> = (0..=12).map(|at| (f64::from(at), at.to_string())).collect();
        let shown = |pixels: f64| -> Vec<&str> {
            let place = |(at, text): &(f64, String)| ((at * pixels) as i32, 7 * text.len() as i32);
            thinned(&ticks, place).into_iter().map(|(_, text)| text.as_str()).collect()
        };
        assert_eq!(shown(20.0).len(), 13);
        assert_eq!(shown(8.0), ["0", "2", "4", "6", "8", "10", "12"]);
        assert_eq!(shown(0.1), ["0"]);
    }
}
