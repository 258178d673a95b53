//! Profiles: the number of calls that a program makes, by size.

use std::io::Read;

use qtdec_core::{Axis, Borders, Calls, DecisionMap, Place, Problem, Problems, Samples};

use crate::readers::{RowReader, collective_name};
use crate::size::size;
use qtdec_times::faults::Faults;

const COLLECTIVE: &str = "collective";

/// Columns of a profile of several collectives that do not have to be axes of the map: a barrier has no size. The method is what ran.
const OTHERS: [&str; 5] = ["msg_size", "root", "method", "seconds", "skew_seconds"];

/// Reads a profile: CSV with a column for every axis of the map and one called `count`. Rows with the same sizes are added up, and
/// a cell gets the calls of all sizes that belong to it. If there is a column `collective` and the map is of one, the rows of others
/// do not count, and there may be the columns that the profiler `libqtdec_profile.so` and [`Observed::to_csv`](crate::observed::Observed::to_csv) write beside these.
///
/// With `clamp`, calls beyond the samples of the map count at its edges.
///
/// # Errors
///
/// Fails if a column is missing or unknown, a size or count is not a number, or sizes lie beyond the samples of the map.
pub fn read(input: impl Read, map: &DecisionMap, clamp: bool) -> Result<Profile, Problems> {
    let input =
        RowReader { input, left: LONGEST, ended: false, too_long: "a row is longer than 1048576 bytes" };
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(input);
    let columns = Columns::from_header(reader.headers().map_err(unreadable)?, map)?;
    let mut calls = vec![0.0; map.cells().len()];
    let mut beyond = vec![[0.0; 2]; map.domain().axes().len()];
    let mut faults = Faults::default();
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(unreadable)? {
        reader.get_mut().left = LONGEST;
        if !columns.is_of(&record, map) {
            continue;
        }
        let line = record.position().map_or(0, csv::Position::line);
        let fault = |message: String, help: &str| Problem::new(Place::Line(line), message).help(help);
        match columns.row(&record, map, clamp) {
            Ok(Row { cell, count, ends }) => {
                calls[cell] += count;
                for (axis, end) in ends {
                    beyond[axis][end] += count;
                }
            }
            Err((message, help)) => faults.add(fault(message, help)),
        }
    }
    faults.finish()?;
    Ok(Profile { all: calls.iter().sum(), calls: Calls::new(calls), beyond })
}

/// The calls of a profile.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The calls of each cell of the map.
    pub calls: Calls,
    all: f64,
    /// For each axis, the calls below its first and above its last sample.
    beyond: Vec<[f64; 2]>,
}

impl Profile {
    /// Returns sentences about the calls beyond the ends of the axes, with their shares.
    pub fn beyond(&self, map: &DecisionMap) -> Vec<String> {
        let mut said = Vec::new();
        for (axis, counts) in map.domain().axes().iter().zip(&self.beyond) {
            let Some([first, .., last]) = axis.values() else { continue };
            for (count, side, end) in
                [(counts[0], "below the first", first), (counts[1], "above the last", last)]
            {
                if count > 0.0 {
                    let share = 100.0 * count / self.all;
                    said.push(format!(
                        "{share:.1} % of the calls in the profile are {side} {} that was measured, {end}, and count there",
                        axis.name
                    ));
                }
            }
        }
        said
    }
}

/// A row: the cell of its calls, their number, and the ends of axes beyond which they lie, 0 below the first sample and 1 above the last.
struct Row {
    cell: usize,
    count: f64,
    ends: Vec<(usize, usize)>,
}

/// Returns whether a profile says which collective each row is of.
pub fn names_collectives(profile: &[u8]) -> bool {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(profile);
    reader.headers().is_ok_and(|header| header.iter().any(|column| column == COLLECTIVE))
}

/// The maximum size of a row in bytes. Of an endless row, only this and a buffer are kept in memory.
const LONGEST: u64 = 1 << 20;

struct Columns {
    axes: Vec<usize>,
    count: usize,
    /// The column of the collective, unless it is an axis or the map is of none.
    collective: Option<usize>,
}

impl Columns {
    fn from_header(header: &csv::StringRecord, map: &DecisionMap) -> Result<Self, Problem> {
        let find = |name: &str| header.iter().position(|column| column == name);
        let missing = |name: &str| {
            let help = "a profile has a column for every axis of the map, and one named `count`";
            Problem::new(Place::Line(1), format!("there is no column `{name}`")).help(help)
        };
        let axes = map.domain().axes().iter().map(|axis| find(&axis.name).ok_or_else(|| missing(&axis.name)));
        let axes: Vec<usize> = axes.collect::<Result<_, _>>()?;
        let count = find("count").ok_or_else(|| missing("count"))?;
        let collective = map.domain().collective().and_then(|_| find(COLLECTIVE));
        let collective = collective.filter(|place| !axes.contains(place));
        let unknown = (0..header.len()).find(|place| {
            let is_other = collective.is_some() && OTHERS.contains(&&header[*place]);
            !is_other && !axes.contains(place) && *place != count && Some(*place) != collective
        });
        if let Some(unknown) = unknown {
            let message = format!("the map has no axis `{}`", &header[unknown]);
            return Err(Problem::new(Place::Line(1), message).help("remove the column, and add up its rows"));
        }
        Ok(Self { axes, count, collective })
    }

    fn is_of(&self, record: &csv::StringRecord, map: &DecisionMap) -> bool {
        let Some(collective) = self.collective else { return true };
        map.domain().collective() == Some(&*collective_name(&record[collective]))
    }

    fn row(
        &self,
        record: &csv::StringRecord,
        map: &DecisionMap,
        clamp: bool,
    ) -> Result<Row, (String, &'static str)> {
        let (mut cell, mut ends) = (0, Vec::new());
        for (at, (axis, &column)) in map.domain().axes().iter().zip(&self.axes).enumerate() {
            let (sample, end) = sample(axis, &record[column], clamp)?;
            cell = cell * axis.len() + sample;
            ends.extend(end.map(|end| (at, end)));
        }
        let count = &record[self.count];
        let calls = count.parse().ok().filter(|calls: &f64| *calls >= 0.0 && calls.is_finite());
        let calls = calls
            .ok_or_else(|| (format!("`count` is `{count}`, not a number of calls"), "write 0 or more"))?;
        Ok(Row { cell, count: calls, ends })
    }
}

/// Returns the sample of a size, and the end of the axis beyond which it lies.
fn sample(axis: &Axis, text: &str, clamp: bool) -> Result<(usize, Option<usize>), (String, &'static str)> {
    let values = match &axis.samples {
        Samples::Labels(labels) => {
            let unknown = || format!("`{}` is `{text}`, which is not one of its labels", axis.name);
            let place = labels.iter().position(|label| label == text);
            return place.map(|place| (place, None)).ok_or_else(|| (unknown(), "write one of them"));
        }
        Samples::Values(values) => values,
    };
    let size = size(text).ok_or_else(|| {
        (format!("`{}` is `{text}`, not a whole number", axis.name), "write a size such as 4096 or 4K")
    })?;
    let (first, last) = (values[0], values[values.len() - 1]);
    let end = if size < first { Some(0) } else { (size > last).then_some(1) };
    if !clamp && end.is_some() {
        let message =
            format!("{} {size} is outside the map, which was measured from {first} to {last}", axis.name);
        return Err((message, "measure there, remove the row, or count it at the edge with --clamp"));
    }
    Ok((axis.sample_of(size, Borders::Floor), end))
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes it by value")]
pub(crate) fn unreadable(error: csv::Error) -> Problem {
    let line = error.position().map(csv::Position::line);
    Problem::new(line.map_or(Place::File, Place::Line), format!("not CSV: {error}"))
}
