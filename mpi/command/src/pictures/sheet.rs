//! Lines, dots and texts at pixel positions, drawn as SVG.

use dejavu::sans;
use plotters::backend::SVGBackend;
use plotters::drawing::IntoDrawingArea;
use plotters::element::{Circle, PathElement, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{BLACK, Color as _, FontStyle, IntoFont, TextStyle, WHITE, register_font};

use qtdec_core::visible;

use qtdec_report::picture::Color;

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
        for (style, font) in [(FontStyle::Normal, sans::regular()), (FontStyle::Bold, sans::bold())] {
            let _ = register_font("sans-serif", style, font);
        }
        let mut drawn = area.fill(&WHITE);
        for shape in &self.shapes {
            drawn = drawn.and_then(|()| match shape {
                Shape::Line { ends, width, color } => {
                    area.draw(&PathElement::new(*ends, color.stroke_width(*width)))
                }
                Shape::Dot { center, radius, color } => {
                    area.draw(&Circle::new(*center, *radius, color.filled()))
                }
                Shape::Label { at, text, size, anchor, bold, color } => {
                    area.draw(&Text::new(visible::line(text), *at, style(*size, *anchor, *bold, *color)))
                }
            });
        }
        drawn.and_then(|()| area.present()).expect("drawing to memory cannot fail");
        drop(area);
        text
    }
}

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
