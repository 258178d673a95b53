//! Tables of the OSU micro-benchmarks between two ranks, `osu_latency` and `osu_bw`: comment lines, the last of which
//! names the columns, then a size and a value on each line.

use qtdec_core::{Diagnostics, Place, Problem, Problems, json};

use super::measured;

/// The content of a table, by size in bytes.
///
/// The variants are complete: a table holds times or rates.
#[derive(Clone, Debug, PartialEq)]
pub enum OsuTable {
    /// Half of the round-trip times, in seconds.
    Latencies(Vec<(u64, f64)>),
    /// The rates at which trains of messages are sent, in bytes per second.
    Bandwidths(Vec<(u64, f64)>),
}

/// Reads a table.
///
/// # Errors
///
/// Returns all faults: a missing line of column names, fields that are not numbers above 0, and sizes out of order.
pub fn osu_table(bytes: &[u8]) -> Result<OsuTable, Problems> {
    let text = json::text(bytes)?;
    let mut check = Diagnostics::default();
    let comments = || text.lines().filter(|line| line.trim_start().starts_with('#'));
    let names = |unit: &str| comments().any(|line| line.contains("Size") && line.contains(unit));
    let (latencies, bandwidths) = (names("Latency (us)"), names("Bandwidth (MB/s)"));
    if latencies == bandwidths {
        check.add(
            Problem::new(
                Place::File,
                "no line `# Size  Latency (us)` or `# Size  Bandwidth (MB/s)` names the columns",
            )
            .help("use the outputs of osu_latency and osu_bw, each in a separate file"),
        );
        return check.finish(None);
    }
    let mut rows: Vec<(u64, f64)> = Vec::new();
    for fields in measured::data(text, 2, &mut check) {
        let size: Option<u64> = fields.number(0, "the size", &mut check);
        let value: Option<f64> = fields.number(1, "the value", &mut check);
        let (Some(size), Some(value)) = (size, value) else { continue };
        let place = Place::Line(fields.line);
        if !(value > 0.0 && value.is_finite()) {
            check.add_with(|| {
                Problem::new(place.clone(), format!("{value} is not above 0")).help("remove the line")
            });
        }
        if let Some((last, _)) = rows.last().filter(|(last, _)| *last >= size) {
            check.add_with(|| Problem::new(place, format!("the size {size} comes after the size {last}")));
        }
        rows.push((size, value));
    }
    check.finish(Some(()))?;
    let scaled = |factor: f64| rows.iter().map(|(size, value)| (*size, value * factor)).collect();
    Ok(if latencies { OsuTable::Latencies(scaled(1e-6)) } else { OsuTable::Bandwidths(scaled(1e6)) })
}
