//! Lines, dots and texts at pixel positions, drawn as SVG or PNG.

#![expect(clippy::cast_possible_wrap, reason = "pixels of a screen")]

use dejavu::sans;
use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{BLACK, Color as _, FontStyle, IntoFont, TextStyle, WHITE, register_font};

use qtdec_core::visible;

use qtdec_report::picture::Color;

/// The scale factor of a PNG in each direction.
const SHARPNESS: u32 = 2;

/// The oversampling factor of a PNG in each direction. Its pixels are averaged, because plotters draws slanted lines without
/// anti-aliasing.
const SAMPLES: u32 = 2;

/// The maximum number of pixels of an anti-aliased picture; larger ones cannot be viewed at once.
const MAX_SOFT_PIXELS: u32 = 1 << 22;

/// A point: pixels from the left and from the top.
pub(super) type Point = (i32, i32);

/// The position of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// The text begins at the point, vertically centred.
    Left,
    /// The text ends at the point, vertically centred.
    Right,
    /// The text is centred at the point.
    Center,
    /// The middle of the text's upper edge is at the point.
    Below,
}

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Line { ends: [Point; 2], width: u32, color: Color },
    Dot { center: Point, radius: i32, color: Color },
    Label { at: Point, text: String, size: i32, anchor: Anchor, bold: bool, color: Color },
}

impl Shape {
    pub(super) fn text(at: Point, text: &str, size: i32, anchor: Anchor) -> Self {
        Self::Label { at, text: text.to_owned(), size, anchor, bold: false, color: BLACK }
    }

    pub(super) fn title(at: Point, text: &str) -> Self {
        Self::Label { at, text: text.to_owned(), size: 14, anchor: Anchor::Left, bold: true, color: BLACK }
    }
}

/// Shapes on white; later ones are drawn over earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sheet {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) shapes: Vec<Shape>,
}

impl Sheet {
    /// Returns the sheet as SVG.
    pub(super) fn svg(&self) -> String {
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, (self.width, self.height)).into_drawing_area();
        self.draw(
            &area,
            1,
            |_| 0,
            |area, [from, to], width, color| {
                area.draw(&PathElement::new([from, to], color.stroke_width(width)))
            },
        );
        drop(area);
        text
    }

    /// Returns the sheet as PNG.
    pub(super) fn png(&self) -> Vec<u8> {
        let soft = self.width.saturating_mul(self.height) <= MAX_SOFT_PIXELS;
        let (sharpness, samples) = if soft { (SHARPNESS, SAMPLES) } else { (1, 1) };
        let scale = sharpness * samples;
        let (width, height) = (self.width * scale, self.height * scale);
        let mut pixels = vec![0; width as usize * height as usize * 3];
        let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        // Shift by half of the difference between the free space below and above a font's letters, which plotters includes in the height.
        let sink = |size: i32| size * 7 / 50;
        self.draw(&area, scale as i32, sink, |area, ends, width, color| {
            area.draw(&Polygon::new(stroke(ends, width), color.filled()))
        });
        drop(area);
        let pixels = averaged(&pixels, width as usize, samples as usize);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width / samples, height / samples);
        encoder.set_color(png::ColorType::Rgb);
        encoder
            .write_header()
            .and_then(|mut image| image.write_image_data(&pixels))
            .expect("the buffer has the size of the picture");
        bytes
    }

    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        scale: i32,
        sink: impl Fn(i32) -> i32,
        line: impl Fn(&DrawingArea<DB, Shift>, [Point; 2], u32, Color) -> Drawn<DB>,
    ) {
        for (style, font) in [(FontStyle::Normal, sans::regular()), (FontStyle::Bold, sans::bold())] {
            let _ = register_font("sans-serif", style, font);
        }
        let scaled = |(x, y): Point| (x * scale, y * scale);
        let draw = |shape: &Shape| match shape {
            Shape::Line { ends, width, color } => {
                line(area, ends.map(scaled), width * scale.unsigned_abs(), *color)
            }
            Shape::Dot { center, radius, color } => {
                area.draw(&Circle::new(scaled(*center), radius * scale, color.filled()))
            }
            Shape::Label { at: (x, y), text, size, anchor, bold, color } => {
                let at =
                    (x * scale, y * scale + if *anchor == Anchor::Below { 0 } else { sink(size * scale) });
                let font = style(size * scale, *anchor, *bold, *color);
                area.draw(&Text::new(visible::line(text), at, font))
            }
        };
        area.fill(&WHITE)
            .and_then(|()| self.shapes.iter().try_for_each(draw))
            .and_then(|()| area.present())
            .expect("drawing to memory cannot fail");
    }
}

type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

fn style(size: i32, anchor: Anchor, bold: bool, color: Color) -> TextStyle<'static> {
    let weight = if bold { FontStyle::Bold } else { FontStyle::Normal };
    let position = match anchor {
        Anchor::Left => Pos::new(HPos::Left, VPos::Center),
        Anchor::Right => Pos::new(HPos::Right, VPos::Center),
        Anchor::Center => Pos::new(HPos::Center, VPos::Center),
        Anchor::Below => Pos::new(HPos::Center, VPos::Top),
    };
    ("sans-serif", size).into_font().style(weight).color(&color).pos(position)
}

/// Returns the corners of a line. plotters itself would round them towards the middle and draw the line too thin.
fn stroke([from, to]: [Point; 2], width: u32) -> Vec<Point> {
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let half = f64::from(width) / 2.0 / dx.hypot(dy).max(1.0);
    let corner = |(x, y): Point, side: f64| {
        let (x, y) = (f64::from(x) - side * dy * half, f64::from(y) + side * dx * half);
        (x.round() as i32, y.round() as i32)
    };
    vec![corner(from, 1.0), corner(to, 1.0), corner(to, -1.0), corner(from, -1.0)]
}

/// Returns an RGB picture of `width` pixels per row in which squares of `samples` by `samples` pixels are averaged.
fn averaged(pixels: &[u8], width: usize, samples: usize) -> Vec<u8> {
    let rows = pixels.chunks_exact(width * 3 * samples);
    let mut small = Vec::with_capacity(pixels.len() / samples / samples);
    for row in rows {
        for column in 0..width / samples {
            for channel in 0..3 {
                let at = |down: usize, right: usize| {
                    usize::from(row[(down * width + column * samples + right) * 3 + channel])
                };
                let sum: usize =
                    (0..samples * samples).map(|place| at(place / samples, place % samples)).sum();
                small.push((sum / (samples * samples)) as u8);
            }
        }
    }
    small
}
