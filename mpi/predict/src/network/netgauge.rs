//! Files of Netgauge's LogGP pattern (Hoefler et al.), as written by `netgauge -x loggp -o`; times are in microseconds.
//!
//! `PRTT(n, d, s)` is the time of `n` messages of `s` bytes with a delay of `d` between them and one answer. The gap of a
//! size is `(PRTT(n,0,s) − PRTT(1,0,s)) / (n − 1)`, and the latency is `PRTT(1,0,s) / 2 − g(s)` at the smallest size. The
//! column `L` of the file is half a round trip including overheads, and is not used.

use qtdec_core::{Diagnostics, Place, Problem, Problems};

use super::format::{Format, Import};
use super::measured::{self, MeasuredPoint};
use super::{Point, Unit};

pub(super) const FORMAT: Format = Format {
    name: "Netgauge",
    is: |text| {
        let mut comments = text.lines().take_while(|line| line.trim_start().starts_with('#'));
        comments.any(|line| line.contains("PRTT(1,0,s)"))
    },
    read,
};

/// The number of columns that are used: `size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r`.
const COLUMNS: usize = 8;

fn read(text: &str) -> Result<Import, Problems> {
    let mut check = Diagnostics::default();
    let mut rows = Vec::new();
    let mut round_trips = Vec::new();
    for fields in measured::data(text, COLUMNS, &mut check) {
        let bytes = fields.number(0, "the size", &mut check);
        let count: Option<u64> = fields.number(1, "the number of messages", &mut check);
        let single: Option<f64> = fields.number(2, "PRTT(1,0,s)", &mut check);
        let train: Option<f64> = fields.number(3, "PRTT(n,0,s)", &mut check);
        let send = fields.number(6, "o_s", &mut check);
        let receive = fields.number(7, "o_r", &mut check);
        if let Some(count @ 0..2) = count {
            check.add_with(|| {
                let message = format!("a train of {count} messages does not determine the gap");
                Problem::new(Place::Line(fields.line), message).help("measure with -n 10")
            });
        }
        if let (Some(bytes), Some(count), Some(single), Some(train), Some(send), Some(receive)) =
            (bytes, count, single, train, send, receive)
        {
            let gap = (train - single) / (count as f64 - 1.0);
            rows.push(MeasuredPoint { line: fields.line, point: Point { bytes, gap, send, receive } });
            round_trips.push((fields.line, single));
        }
    }
    check.finish(Some(()))?;
    let mut notes = Vec::new();
    let rows = measured::usable(rows, &mut notes);
    let latency = rows.first().map_or(0.0, |first| {
        let single =
            round_trips.iter().find(|(line, _)| *line == first.line).map_or(0.0, |(_, single)| *single);
        single / 2.0 - first.point.gap
    });
    if latency < 0.0 {
        notes.push(
            Problem::new(Place::File, format!("the computed latency is {latency:.3} µs, which is replaced \
                 by 0"))
                .help("half of the smallest round trip is below the gap; predictions are then too high by the difference"),
        );
    }
    measured::network(Unit::Microseconds, latency.max(0.0), &rows, "Netgauge", notes)
}
