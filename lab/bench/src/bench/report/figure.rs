//! The figure of the benchmark: a panel for each map, a bar for each form and kind of call.

use qtdec_report::picture::{Color, Content, Entry, Panel, Patch, Picture, Scale};

use super::{FormCost, Kind, ratio};

/// The series: the kind of call, the distribution, the time and the colour (Okabe and Ito).
const SERIES: [(&str, &str, Kind, Color); 3] = [
    ("random calls", "uniform", |times| times.throughput, Color { 0: 0xD5, 1: 0x5E, 2: 0x00 }),
    ("repeated calls", "constant", |times| times.throughput, Color { 0: 0x00, 1: 0x72, 2: 0xB2 }),
    ("first call", "uniform", |times| times.cold, Color { 0: 0x00, 1: 0x9E, 2: 0x73 }),
];

/// Returns times as multiples of those of `table` in the same run. A bar to the right is slower than the table, one to the left
/// is faster; each step of the scale is a factor of two.
pub(in super::super) fn figure(rows: &[FormCost]) -> Picture {
    let mut maps: Vec<&str> = rows.iter().map(|row| row.map).collect();
    maps.dedup();
    let entry = |(text, _, _, color): &(&str, _, _, Color)| Entry {
        color: *color,
        mark: None,
        text: (*text).to_owned(),
    };
    Picture {
        title: String::new(),
        panels: maps.into_iter().map(|map| panel(rows, map)).collect(),
        legend: SERIES.iter().map(entry).collect(),
    }
}

fn panel(rows: &[FormCost], map: &str) -> Panel {
    let rows: Vec<&FormCost> = rows.iter().filter(|row| row.map == map).collect();
    let mut forms: Vec<&str> = rows.iter().map(|row| &*row.times.form).collect();
    forms.dedup();
    // The first form stands above.
    forms.reverse();
    let mut boxes = Vec::new();
    for (position, form) in forms.iter().enumerate() {
        for (number, (_, distribution, time, color)) in SERIES.iter().enumerate() {
            let octaves = ratio(&rows, form, distribution, *time).log2();
            let top = position as f64 + 0.85 - 0.25 * number as f64;
            let x = (octaves.min(0.0), octaves.max(0.0));
            boxes.push(Patch { x, y: (top - 0.2, top), color: *color, mark: None });
        }
    }
    let octaves = boxes.iter().flat_map(|patch| [patch.x.0, patch.x.1]);
    let (from, to) = octaves.fold((0.0, 0.0), |(from, to): (f64, f64), at| (from.min(at), to.max(at)));
    let (from, to) = (from.floor(), to.ceil());
    let power = |octave: i32| match octave {
        ..0 => format!("1/{}", 1_u64 << -octave),
        _ => (1_u64 << octave).to_string(),
    };
    let ticks = (from as i32..=to as i32).map(|octave| (f64::from(octave), power(octave))).collect();
    let names = forms.iter().enumerate().map(|(position, form)| (position as f64 + 0.5, (*form).to_owned()));
    Panel {
        title: rows.first().map_or_else(String::new, |row| row.title.clone()),
        x: Scale { title: "time, as a multiple of that of table".to_owned(), from, to, ticks },
        y: Scale { title: String::new(), from: 0.0, to: forms.len() as f64, ticks: names.collect() },
        content: Content::Boxes { boxes, outlined: false },
    }
}
