//! Space-time diagrams of schedules: ranks from top to bottom, steps from left to right, one line per message.

#![expect(clippy::cast_possible_wrap, reason = "pixels of a screen")]

use plotters::style::BLACK;
use qtdec_mpi_schedule::{Action, Passage, Schedule, Verified};

use super::sheet::{self, Shape, Sheet};
use qtdec_report::picture::{Color, Entry};
use qtdec_report::picture::{LINES, NOTHING};

/// The maximum number of steps in a diagram.
const MAX_STEPS: u64 = 400;

/// The size of a step and of a rank in pixels.
const STEP: i32 = 40;
const RANK: i32 = 18;

/// The margins around the lines.
const LEFT: i32 = 56;
const TOP: i32 = 44;
const BELOW: i32 = 48;
const LEGEND_ROW: i32 = 20;

/// A diagram of the messages in each step of the single-port model.
#[derive(Clone, Debug)]
pub struct SpaceTime {
    title: String,
    ranks: u32,
    steps: u64,
    /// The messages, each with its colour.
    pub messages: Vec<(Passage, Color)>,
    /// The meaning of the colours: rails, or where in the buffer a message begins.
    pub legend: Vec<Entry>,
}

impl SpaceTime {
    /// The maximum number of lines in a diagram; more could not be distinguished.
    pub const MAX_MESSAGES: usize = 20_000;

    /// The maximum number of ranks in a diagram.
    pub const MAX_RANKS: u32 = 1024;

    /// Returns the diagram of a schedule.
    ///
    /// # Errors
    ///
    /// Fails if the schedule has too many messages to distinguish.
    pub fn from_schedule(verified: &Verified<'_>) -> Result<Self, String> {
        let schedule = verified.schedule();
        let passages = verified.passages();
        if passages.len() > Self::MAX_MESSAGES || schedule.request.comm_size() > Self::MAX_RANKS {
            return Err(Self::too_many_messages());
        }
        let rails = passages.iter().map(|passage| passage.rail + 1).max().unwrap_or(1);
        let mut starts: Vec<u64> = passages.iter().map(|passage| start(schedule, passage)).collect();
        starts.sort_unstable();
        starts.dedup();
        // Neighbours share a colour if there are more starting positions than colours.
        let shared = starts.len().div_ceil(LINES.len()).max(1);
        let kind = |passage: &Passage| match rails {
            1 => starts.partition_point(|&known| known < start(schedule, passage)) / shared,
            _ => passage.rail as usize,
        };
        let kinds: Vec<String> = match rails {
            1 => starts.chunks(shared).map(|chunk| format!("from byte {}", chunk[0])).collect(),
            _ => (0..rails).map(|rail| format!("rail {rail}")).collect(),
        };
        let color = |kind: usize| LINES[kind % LINES.len()];
        let entries = kinds.into_iter().enumerate();
        let legend = entries.map(|(kind, text)| Entry::new(color(kind), text));
        Ok(Self {
            title: format!("{} {}", schedule.collective, schedule.algorithm),
            ranks: schedule.request.comm_size(),
            steps: passages.last().map_or(0, |last| last.step + 1),
            legend: legend.collect(),
            messages: passages.iter().map(|passage| (*passage, color(kind(passage)))).collect(),
        })
    }

    /// Returns the error of more messages or ranks.
    pub fn too_many_messages() -> String {
        format!(
            "a diagram of more than {} messages or {} ranks would be unreadable: use fewer ranks or larger segments",
            Self::MAX_MESSAGES,
            Self::MAX_RANKS
        )
    }

    /// Returns the width of a step in pixels: a few steps are drawn wide enough for their legend and title.
    fn step(&self) -> i32 {
        (360 / self.steps.clamp(1, 100) as i32).clamp(STEP, 3 * STEP)
    }

    /// Returns the diagram as SVG.
    pub fn svg(&self) -> String {
        let step = self.step();
        let shown = self.steps.min(MAX_STEPS) as i32;
        let x = |at: i32| LEFT + at * step;
        let y = |rank: u32| TOP + RANK / 2 + rank as i32 * RANK;
        let (end, bottom) = (x(shown.max(1)), TOP + self.ranks as i32 * RANK);
        let label = |at, text: &str, anchor| Shape::text(at, text, 11, BLACK, anchor);
        let grid = |ends| Shape::Line { ends, width: 1, color: NOTHING };
        let mut shapes = vec![Shape::title((LEFT, 16), &self.title)];
        for rank in 0..self.ranks {
            shapes.push(grid([(x(0), y(rank)), (end, y(rank))]));
            shapes.push(label((x(0) - 8, y(rank)), &rank.to_string(), sheet::RIGHT));
        }
        for at in 0..=shown {
            shapes.push(grid([(x(at), TOP), (x(at), bottom)]));
            if at < shown {
                let place = (i32::midpoint(x(at), x(at + 1)), bottom + 4);
                shapes.push(label(place, &(at + 1).to_string(), sheet::BELOW));
            }
        }
        let axis = (i32::midpoint(x(0), end), bottom + 22);
        shapes.push(label(axis, "step (one port, both ways at once)", sheet::BELOW));
        shapes.push(label((x(0) - 8, TOP - 10), "rank", sheet::RIGHT));
        for &(passage, color) in self.messages.iter().filter(|(passage, _)| passage.step < shown as u64) {
            let at = passage.step as i32;
            let ends = [(x(at) + 2, y(passage.from)), (x(at + 1) - 3, y(passage.to))];
            shapes.push(Shape::Line { ends, width: 2, color });
            shapes.push(Shape::Dot { center: ends[1], radius: 3, color });
        }
        let left = end + 24;
        for (row, entry) in (0..).zip(&self.legend) {
            let at = TOP + RANK / 2 + row * LEGEND_ROW;
            shapes.push(Shape::Line { ends: [(left, at), (left + 18, at)], width: 2, color: entry.color });
            shapes.push(label((left + 26, at), &entry.text, sheet::LEFT));
        }
        let height = (bottom + BELOW).max(TOP + (self.legend.len() as i32 + 2) * LEGEND_ROW);
        Sheet { width: (end + 170) as u32, height: height as u32, shapes }.svg()
    }
}

/// Returns where in the buffer a message begins.
fn start(schedule: &Schedule, passage: &Passage) -> u64 {
    match &schedule.ranks[passage.from as usize].operations[passage.operation].action {
        Action::Send { parts, .. } => parts.first().map_or(0, |part| part.offset),
        _ => 0,
    }
}
