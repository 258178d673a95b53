//! Boxes with outlines and letters.

use std::collections::BTreeMap;

use plotters::backend::DrawingBackend;
use plotters::element::{EmptyElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{BLACK, Color as _, ShapeStyle};

use super::{Chart, Drawn, MARK, Point, plain};
use crate::picture::Patch;
use crate::picture::palette::ink;

/// The maximum number of boxes for which all letters have a plate. A box that is too thin for a letter has one on a plate. Plates of
/// more boxes would hide them: then only the largest box of a method without any other letter has one.
const MAX_PLATES: usize = 128;

pub(super) fn draw<DB: DrawingBackend>(
    boxes: &[Patch],
    outlined: bool,
    chart: &mut Chart<'_, '_, DB>,
) -> Drawn<DB> {
    let filled = boxes
        .iter()
        .map(|Patch { x, y, color, .. }| Rectangle::new([(x.0, y.0), (x.1, y.1)], color.filled()));
    chart.draw_series(filled)?;
    if outlined {
        let style = ShapeStyle { color: BLACK.mix(0.6), filled: false, stroke_width: 1 };
        let outlines = boxes.iter().map(|Patch { x, y, .. }| Rectangle::new([(x.0, y.0), (x.1, y.1)], style));
        chart.draw_series(outlines)?;
    }
    marks(boxes, chart)
}

/// Draws the letter of each box, inside it or on a plate if the box is too thin.
fn marks<DB: DrawingBackend>(boxes: &[Patch], chart: &mut Chart<'_, '_, DB>) -> Drawn<DB> {
    let center = Pos::new(HPos::Center, VPos::Center);
    let mut plates: Vec<Point> = Vec::new();
    let (width, height) = (MARK - 1, MARK + 1);
    let pixels = boxes.iter().map(|Patch { x, y, .. }| {
        let (left, bottom) = chart.backend_coord(&(x.0, y.0));
        let (right, top) = chart.backend_coord(&(x.1, y.1));
        (right - left, bottom - top)
    });
    let pixels: Vec<(i32, i32)> = pixels.collect();
    let roomy: Vec<bool> = pixels.iter().map(|(width, height)| *width >= MARK && *height > MARK).collect();
    let is_plated = plates_of(boxes, &roomy, &pixels);
    for (number, Patch { x, y, color, mark }) in boxes.iter().enumerate() {
        let Some(mark) = mark else { continue };
        let at = |share: f64| (x.0 + share * (x.1 - x.0), y.0 + share * (y.1 - y.0));
        let style = || plain(MARK).pos(center).color(ink(*color));
        if roomy[number] {
            chart.draw_series([Text::new(mark.to_string(), at(0.5), style())])?;
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
            + Text::new(mark.to_string(), (0, 0), style())])?;
    }
    Ok(())
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
