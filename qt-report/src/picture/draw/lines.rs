//! Lines through points, which differ by colour, dashes and the shape of their points, and have their names at their ends.

use std::ops::Range;

use plotters::backend::DrawingBackend;
use plotters::element::{Circle, EmptyElement, Polygon, Rectangle, Text};
use plotters::series::{DashedLineSeries, LineSeries};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, IntoFont, RGBColor, ShapeStyle};

use super::{Area, Chart, Drawn, Point, TEXT, plain};
use crate::picture::Line;
use crate::picture::palette::FAINT;
use crate::picture::vision::luminance;

/// The lengths of dashes and of the gaps between them, in pixels; the first line has no gaps.
const DASHES: [(i32, i32); 5] = [(0, 0), (8, 4), (3, 3), (14, 4), (6, 8)];

/// The colour behind a line that is too light for white paper.
const CASING: RGBColor = RGBColor(0x60, 0x60, 0x60);

/// Returns the width of the names at the ends of lines.
pub(super) fn width_of_labels(lines: &[Line]) -> i32 {
    let width = |line: &Line| {
        let font = ("sans-serif", TEXT).into_font();
        font.box_size(&line.label).map_or(0, |(width, _)| width as i32)
    };
    match lines.iter().map(width).max().unwrap_or(0) {
        0 => 0,
        widest => widest + 8,
    }
}

/// Draws lines, those with names over those that are there for comparison.
pub(super) fn draw<DB: DrawingBackend>(
    lines: &[Line],
    chart: &mut Chart<'_, '_, DB>,
    room: &Area<'_, DB>,
) -> Drawn<DB> {
    let (faint, named): (Vec<&Line>, Vec<&Line>) = lines.iter().partition(|line| line.color == FAINT);
    for line in faint {
        stroke(line, 0, line.color.stroke_width(1), chart)?;
    }
    for (number, line) in named.into_iter().enumerate() {
        if luminance(line.color) > 0.3 {
            stroke(line, number, CASING.stroke_width(4), chart)?;
        }
        stroke(line, number, line.color.stroke_width(2), chart)?;
        points(line, number, chart)?;
    }
    labels(lines, chart, room)
}

fn stroke<DB: DrawingBackend>(
    line: &Line,
    number: usize,
    style: ShapeStyle,
    chart: &mut Chart<'_, '_, DB>,
) -> Drawn<DB> {
    let points = line.points.iter().copied();
    match DASHES[number % DASHES.len()] {
        (_, 0) => chart.draw_series(LineSeries::new(points, style)).map(drop),
        (dash, gap) => chart.draw_series(DashedLineSeries::new(points, dash, gap, style)).map(drop),
    }
}

/// Draws the points of a line as circles, squares, triangles or diamonds.
fn points<DB: DrawingBackend>(line: &Line, number: usize, chart: &mut Chart<'_, '_, DB>) -> Drawn<DB> {
    let fill = line.color.filled();
    let corners: &[Point] = match number % 4 {
        0 => {
            return chart.draw_series(line.points.iter().map(|point| Circle::new(*point, 3, fill))).map(drop);
        }
        1 => {
            let square =
                |point: &(f64, f64)| EmptyElement::at(*point) + Rectangle::new([(-3, -3), (3, 3)], fill);
            return chart.draw_series(line.points.iter().map(square)).map(drop);
        }
        2 => &[(0, -4), (4, 3), (-4, 3)],
        _ => &[(0, -4), (4, 0), (0, 4), (-4, 0)],
    };
    let polygon = |point: &(f64, f64)| EmptyElement::at(*point) + Polygon::new(corners.to_vec(), fill);
    chart.draw_series(line.points.iter().map(polygon)).map(drop)
}

/// Draws the names of lines at their right ends, further down or up where another name is.
fn labels<DB: DrawingBackend>(lines: &[Line], chart: &Chart<'_, '_, DB>, room: &Area<'_, DB>) -> Drawn<DB> {
    let (origin_x, origin_y) = room.get_base_pixel();
    let ends = lines.iter().filter(|line| !line.label.is_empty()).filter_map(|line| {
        let end = line.points.iter().max_by(|(one, _), (other, _)| one.total_cmp(other))?;
        Some((chart.backend_coord(end), line.label.as_str()))
    });
    let mut ends: Vec<(Point, &str)> = ends.collect();
    ends.sort_by_key(|((_, y), _)| *y);
    let (_, rows) = chart.plotting_area().get_pixel_range();
    let places = apart(&ends.iter().map(|(end, _)| *end).collect::<Vec<_>>(), rows);
    for (place, (_, label)) in places.into_iter().zip(ends) {
        let Some((x, y)) = place else { continue };
        let style = plain(TEXT).pos(Pos::new(HPos::Left, VPos::Center));
        room.draw(&Text::new(label, (x - origin_x + 6, y - origin_y), style))?;
    }
    Ok(())
}

/// Returns these places, from the highest to the lowest, moved so far up or down that texts there do not touch, or `None` for those without
/// room in the `rows` of the plane.
fn apart(places: &[Point], rows: Range<i32>) -> Vec<Option<Point>> {
    let mut taken: Vec<Point> = Vec::new();
    let moved = places.iter().map(|&(x, y)| {
        let is_free = |at: &i32| {
            taken.iter().all(|(other, known)| (other - x).abs() > 2 * TEXT || (known - at).abs() >= TEXT)
        };
        let shifts = (0..rows.end - rows.start).flat_map(|shift| [y - shift, y + shift]);
        let place = (x, shifts.filter(|at| rows.contains(at) || *at == y).find(is_free)?);
        taken.push(place);
        Some(place)
    });
    moved.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_at_one_place_are_moved_apart() {
        let moved = apart(&[(100, 50), (100, 52), (104, 52), (300, 50)], 0..70);
        assert_eq!(moved[3], Some((300, 50)));
        let near: Vec<i32> = moved[..3].iter().flatten().map(|place| place.1).collect();
        for (number, one) in near.iter().enumerate() {
            assert!(near[..number].iter().all(|other| (one - other).abs() >= TEXT), "{moved:?}");
        }
        let crowd = apart(&[(100, 50); 20], 0..70);
        assert!(crowd.iter().flatten().count() < 7, "{crowd:?}");
    }
}
