//! Space-time diagrams of schedules: ranks from top to bottom, steps from left to right, a line for each message.

#![expect(clippy::cast_possible_wrap, reason = "pixels of a screen")]

use dejavu::sans;
use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{BLACK, Color as _, FontStyle, IntoFont, WHITE, register_font};
use qtdec_mpi::schedule::{Action, Passage, Verified};

use super::palette::{LINES, NOTHING};
use super::{Color, Entry};

/// The most lines that a diagram may have: more cannot be told apart.
const MOST_MESSAGES: usize = 20_000;

/// Pixels of a step and of a rank.
const STEP: i32 = 40;
const RANK: i32 = 18;

/// What stands around the lines.
const LEFT: i32 = 56;
const TOP: i32 = 44;
const BELOW: i32 = 48;
const LEGEND_ROW: i32 = 20;

/// How much more pixels a PNG has each way.
const SHARPNESS: i32 = 2;

/// A diagram of who sends to whom in which step of the single-port model.
#[derive(Clone, Debug)]
pub struct SpaceTime {
    title: String,
    ranks: u32,
    steps: u64,
    /// The messages, each with its colour.
    pub messages: Vec<(Passage, Color)>,
    /// What the colours mean: rails, or where in the buffer a message begins.
    pub legend: Vec<Entry>,
}

/// The error of a diagram with too many messages to be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany(pub usize);

impl SpaceTime {
    /// Returns the diagram of a schedule.
    ///
    /// # Errors
    ///
    /// The schedule has more messages than can be told apart.
    pub fn of(verified: &Verified<'_>) -> Result<Self, TooMany> {
        let schedule = verified.schedule();
        let passages = verified.passages();
        if passages.len() > MOST_MESSAGES || schedule.request.comm_size() > 1024 {
            return Err(TooMany(passages.len()));
        }
        let rails = passages.iter().map(|passage| passage.rail + 1).max().unwrap_or(1);
        let start = |passage: &Passage| {
            let operations = &schedule.ranks[passage.from as usize].operations;
            match &operations[passage.operation].action {
                Action::Send { parts, .. } => parts.first().map_or(0, |part| part.offset),
                _ => 0,
            }
        };
        let mut starts: Vec<u64> = passages.iter().map(start).collect();
        starts.sort_unstable();
        starts.dedup();
        // Neighbours share a colour where there are more beginnings than colours.
        let shared = starts.len().div_ceil(LINES.len()).max(1);
        let kind = |passage: &Passage| match rails {
            1 => starts.partition_point(|&known| known < start(passage)) / shared,
            _ => passage.rail as usize,
        };
        let kinds: Vec<String> = match rails {
            1 => starts.chunks(shared).map(|chunk| format!("from byte {}", chunk[0])).collect(),
            _ => (0..rails).map(|rail| format!("rail {rail}")).collect(),
        };
        let color = |kind: usize| LINES[kind % LINES.len()];
        let entries = kinds.into_iter().enumerate();
        let legend = entries.map(|(kind, text)| Entry { color: color(kind), mark: None, text });
        Ok(Self {
            title: format!("{} {}", schedule.collective, schedule.algorithm),
            ranks: schedule.request.comm_size(),
            steps: passages.last().map_or(0, |last| last.step + 1),
            legend: legend.collect(),
            messages: passages.iter().map(|passage| (*passage, color(kind(passage)))).collect(),
        })
    }

    /// Returns the diagram as SVG.
    pub fn svg(&self) -> String {
        let mut text = String::new();
        let (width, height) = self.size();
        self.draw(1, &SVGBackend::with_string(&mut text, (width as u32, height as u32)).into_drawing_area());
        text
    }

    /// Returns the diagram as PNG.
    #[expect(clippy::missing_panics_doc, reason = "it does not: a vector takes whatever is written to it")]
    pub fn png(&self) -> Vec<u8> {
        let (width, height) = self.size();
        let (width, height) = ((width * SHARPNESS) as u32, (height * SHARPNESS) as u32);
        let mut pixels = vec![0; (width * height * 3) as usize];
        self.draw(SHARPNESS, &BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area());
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder
            .write_header()
            .and_then(|mut image| image.write_image_data(&pixels))
            .expect("a vector takes as many pixels as there are");
        bytes
    }

    /// Returns the pixels of a step: few steps are drawn wide enough for their legend and title.
    fn step(&self) -> i32 {
        (360 / self.steps.clamp(1, 100) as i32).clamp(STEP, 3 * STEP)
    }

    fn size(&self) -> (i32, i32) {
        let steps = self.steps.min(400) as i32;
        let width = LEFT + steps.max(1) * self.step() + 170;
        let height =
            (TOP + self.ranks as i32 * RANK + BELOW).max(TOP + (self.legend.len() as i32 + 2) * LEGEND_ROW);
        (width, height)
    }

    fn draw<DB: DrawingBackend>(&self, scale: i32, area: &DrawingArea<DB, Shift>) {
        for (style, font) in [(FontStyle::Normal, sans::regular()), (FontStyle::Bold, sans::bold())] {
            let _ = register_font("sans-serif", style, font);
        }
        self.draw_on(scale, area).expect("memory takes whatever is drawn");
    }

    fn draw_on<DB: DrawingBackend>(
        &self,
        scale: i32,
        area: &DrawingArea<DB, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
        area.fill(&WHITE)?;
        let step = self.step();
        let shown = self.steps.min(400) as i32;
        let x = |at: i32| scale * (LEFT + at * step);
        let y = |rank: u32| scale * (TOP + RANK / 2 + rank as i32 * RANK);
        let text = |size: i32| ("sans-serif", size * scale).into_font().color(&BLACK);
        let right = text(11).pos(Pos::new(HPos::Right, VPos::Center));
        let middle = text(11).pos(Pos::new(HPos::Center, VPos::Top));
        let title = ("sans-serif", 14 * scale).into_font().style(FontStyle::Bold).color(&BLACK);
        area.draw(&Text::new(self.title.clone(), (scale * LEFT, scale * 8), title))?;
        for rank in 0..self.ranks {
            area.draw(&PathElement::new([(x(0), y(rank)), (x(shown.max(1)), y(rank))], NOTHING))?;
            area.draw(&Text::new(rank.to_string(), (x(0) - 8 * scale, y(rank)), right.clone()))?;
        }
        let bottom = scale * (TOP + self.ranks as i32 * RANK);
        for at in 0..=shown {
            area.draw(&PathElement::new([(x(at), scale * TOP), (x(at), bottom)], NOTHING))?;
            if at < shown {
                let place = (i32::midpoint(x(at), x(at + 1)), bottom + 4 * scale);
                area.draw(&Text::new((at + 1).to_string(), place, middle.clone()))?;
            }
        }
        let axis = (i32::midpoint(x(0), x(shown.max(1))), bottom + 22 * scale);
        area.draw(&Text::new("step (one port, both ways at once)", axis, middle.clone()))?;
        let label = text(11).pos(Pos::new(HPos::Right, VPos::Bottom));
        area.draw(&Text::new("rank", (x(0) - 8 * scale, scale * (TOP - 4)), label))?;
        for (passage, color) in self.messages.iter().filter(|(passage, _)| passage.step < shown as u64) {
            let at = passage.step as i32;
            let ends = [(x(at) + 2 * scale, y(passage.from)), (x(at + 1) - 3 * scale, y(passage.to))];
            area.draw(&PathElement::new(ends, color.stroke_width(2 * scale as u32)))?;
            area.draw(&Circle::new(ends[1], 3 * scale, color.filled()))?;
        }
        let left = x(shown.max(1)) + 24 * scale;
        let beside = text(12).pos(Pos::new(HPos::Left, VPos::Center));
        for (row, entry) in (0..).zip(&self.legend) {
            let at = scale * (TOP + RANK / 2 + row * LEGEND_ROW);
            area.draw(&PathElement::new(
                [(left, at), (left + 18 * scale, at)],
                entry.color.stroke_width(2 * scale as u32),
            ))?;
            area.draw(&Text::new(entry.text.clone(), (left + 26 * scale, at), beside.clone()))?;
        }
        Ok(())
    }
}
