//! Lines, dots and texts at pixel positions, drawn as SVG.

use dejavu::sans;
use plotters::backend::SVGBackend;
use plotters::drawing::IntoDrawingArea;
use plotters::element::{Circle, PathElement, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{BLACK, Color as _, FontStyle, IntoFont, WHITE, register_font};

use qtdec_core::visible;

use qtdec_report::picture::Color;

/// A point: pixels from the left and from the top.
pub(super) type Point = (i32, i32);

/// The position of a text relative to its point: it begins there, ends there, or is centred, or the middle of its upper edge is there.
pub(super) const LEFT: Pos = Pos { h_pos: HPos::Left, v_pos: VPos::Center };
pub(super) const RIGHT: Pos = Pos { h_pos: HPos::Right, v_pos: VPos::Center };
pub(super) const CENTER: Pos = Pos { h_pos: HPos::Center, v_pos: VPos::Center };
pub(super) const BELOW: Pos = Pos { h_pos: HPos::Center, v_pos: VPos::Top };

/// A shape.
pub(super) enum Shape {
    Line { ends: [Point; 2], width: u32, color: Color },
    Dot { center: Point, radius: i32, color: Color },
    Label { at: Point, text: String, size: i32, weight: FontStyle, color: Color, position: Pos },
}

impl Shape {
    pub(super) fn text(at: Point, text: &str, size: i32, color: Color, position: Pos) -> Self {
        Self::Label { at, text: text.to_owned(), size, weight: FontStyle::Normal, color, position }
    }

    pub(super) fn title(at: Point, text: &str) -> Self {
        let (text, weight) = (text.to_owned(), FontStyle::Bold);
        Self::Label { at, text, size: 14, weight, color: BLACK, position: LEFT }
    }
}

/// Shapes on white; later ones are drawn over earlier ones.
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
                Shape::Label { at, text, size, weight, color, position } => {
                    let font = ("sans-serif", *size).into_font().style(*weight);
                    area.draw(&Text::new(visible::line(text), *at, font.color(color).pos(*position)))
                }
            });
        }
        drawn.and_then(|()| area.present()).expect("drawing to memory cannot fail");
        drop(area);
        text
    }
}
