//! Files of `logp_mpi` (Kielmann, Bal and Verstoep), as written by `logp_test -o`: three lines of comments, then one line
//! for each size, with all times in seconds.
//!
//! Columns are found by the names in the third line, because their order differs between versions, and the tool's own reader
//! confuses minimum and confidence interval.

use qtdec_core::{Diagnostics, Place, Problem, Problems};

use super::format::{Format, Import};
use super::measured::{self, MeasuredPoint};
use super::{Point, Unit};

pub(super) const FORMAT: Format =
    Format { name: "logp_mpi", is: |text| text.trim_start().starts_with("# LogP"), read };

/// The columns of version 1.4, for files whose third line is missing.
const COLUMNS: [&str; 9] = ["time", "bytes", "os", "os_min", "os_cnfint", "or", "or_min", "or_cnfint", "g"];

/// The shortest gap, in seconds, that seven decimals show to about 2 %.
const RESOLVED: f64 = 5e-6;

fn read(text: &str) -> Result<Import, Problems> {
    let mut check = Diagnostics::default();
    let comments = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| line.starts_with('#'));
    let mut latency = None;
    let mut columns: Vec<&str> = COLUMNS.to_vec();
    for (line, comment) in comments {
        let words: Vec<&str> = comment.trim_start_matches('#').split_whitespace().collect();
        if let ["Latency", "=", value] = words[..] {
            latency = Some((line, value));
        } else if words.contains(&"bytes") {
            columns = words;
        }
    }
    let latency = read_latency(latency, &mut check);
    let places = ["bytes", "g", "os", "or"].map(|name| place(&columns, name, &mut check));
    let [Some(bytes), Some(gap), Some(send), Some(receive)] = places else {
        return check.finish(None);
    };
    let mut rows = Vec::new();
    for fields in measured::data(text, columns.len(), &mut check) {
        let point = (
            fields.number(bytes, "bytes", &mut check),
            fields.number(gap, "g", &mut check),
            fields.number(send, "os", &mut check),
            fields.number(receive, "or", &mut check),
        );
        if let (Some(bytes), Some(gap), Some(send), Some(receive)) = point {
            rows.push(MeasuredPoint { line: fields.line, point: Point { bytes, gap, send, receive } });
        }
    }
    let latency = check.finish(latency)?;
    let mut notes = Vec::new();
    let rows = measured::usable(rows, &mut notes);
    if latency == 0.0 {
        notes.push(
            Problem::new(Place::File, "the latency is 0")
                .help("the tool writes 0 where half of the round trip is below the gap of empty messages"),
        );
    }
    if let Some(row) = rows.iter().find(|row| row.point.gap < RESOLVED) {
        let message = format!("a gap of {} s is only accurate to 0.1 µs", row.point.gap);
        notes.push(Problem::new(Place::Line(row.line), message).help(
            "the tool writes seven decimals; small messages of a fast network need a finer measurement",
        ));
    }
    measured::network(Unit::Seconds, latency, &rows, "logp_mpi", notes)
}

fn place(columns: &[&str], name: &str, check: &mut Diagnostics) -> Option<usize> {
    let place = columns.iter().position(|column| *column == name);
    place.or_else(|| {
        let message = format!("the third line has no column `{name}`");
        let help = format!("a file of version 1.4 has {}", COLUMNS.join(" "));
        check.refuse(Problem::new(Place::File, message).help(help))
    })
}

fn read_latency(found: Option<(u64, &str)>, check: &mut Diagnostics) -> Option<f64> {
    let Some((line, text)) = found else {
        check.add(Problem::new(Place::File, "the line `# Latency = …` is missing"));
        return None;
    };
    match text.parse::<f64>() {
        Ok(latency) if (0.0..=1.0).contains(&latency) => Some(latency),
        Ok(latency) if latency > 1.0 => {
            let message = format!("a latency of {latency} s is longer than that of any network");
            check.add(
                Problem::new(Place::Line(line), message)
                    .help("logp_mpi before 1.4 did not write seconds: convert the line by hand"),
            );
            None
        }
        _ => {
            check.add(Problem::new(Place::Line(line), format!("`{text}` is not a latency in seconds")));
            None
        }
    }
}
