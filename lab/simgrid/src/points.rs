//! Points of a grid, which `qtdec-simgrid` reads and writes.

use std::str::FromStr;

use qtdec_mpi_schedule::{Collective, Request};
use qtdec_mpi_schedule::{Entry, MAX_COMM_SIZE, accept, find};

/// The columns of a file of points; further columns, such as a time, are ignored.
pub const COLUMNS: [&str; 5] = ["collective", "algorithm", "segment_size", "comm_size", "msg_size"];

/// A call of a collective by an algorithm.
#[derive(Clone, Debug)]
pub struct Point {
    /// The algorithm.
    pub algorithm: &'static Entry,
    /// The algorithm's request.
    pub request: Request,
}

/// Reads a file of points: CSV whose first columns are [`COLUMNS`].
///
/// # Errors
///
/// Fails if the text is not such a file, or returns every row, by line, that is not a call that its algorithm serves.
pub fn read(text: &[u8]) -> Result<Vec<Point>, String> {
    let mut reader = csv::Reader::from_reader(text);
    let mut faults = Vec::new();
    match reader.headers() {
        Ok(header) if header.iter().map(str::trim).take(COLUMNS.len()).eq(COLUMNS) => {}
        Ok(_) => faults.push((1, format!("the first columns must be {}", COLUMNS.join(",")))),
        Err(error) => faults.push((1, error.to_string())),
    }
    let mut points = Vec::new();
    if faults.is_empty() {
        for record in reader.records() {
            match record {
                Ok(record) => match point(&record) {
                    Ok(point) => points.push(point),
                    Err(fault) => faults.push((record.position().map_or(0, csv::Position::line), fault)),
                },
                Err(error) => {
                    faults.push((error.position().map_or(0, csv::Position::line), error.to_string()));
                }
            }
        }
    }
    if faults.is_empty() { Ok(points) } else { Err(described(&faults)) }
}

fn point(record: &csv::StringRecord) -> Result<Point, String> {
    let text = |column: usize| record.get(column).unwrap_or_default().trim();
    let collective = Collective::from_str(text(0)).map_err(|error| error.to_string())?;
    let algorithm = find(collective, text(1)).map_err(|error| error.to_string())?;
    let number = |column: usize| {
        let text = text(column);
        text.parse::<u64>().map_err(|_| format!("{} is not a number: `{text}`", COLUMNS[column]))
    };
    let segment = if text(2).is_empty() { None } else { Some(number(2)?) };
    // The request rejects more ranks than the maximum.
    let comm_size = u32::try_from(number(3)?).unwrap_or(MAX_COMM_SIZE + 1);
    let request = Request::new(comm_size, number(4)?).and_then(|request| request.segment(segment));
    let request = request.map_err(|error| error.to_string())?;
    accept(algorithm, &request).map_err(|error| error.to_string())?;
    Ok(Point { algorithm, request })
}

/// The maximum number of faults that are reported.
const MAX_FAULTS: usize = 20;

/// Describes invalid rows by their lines, with reasons.
fn described(faults: &[(u64, String)]) -> String {
    let lines = faults.iter().take(MAX_FAULTS).map(|(line, fault)| format!("line {line}: {fault}"));
    let more = faults.len().saturating_sub(MAX_FAULTS);
    let more = (more > 0).then(|| format!("and {more} more such lines"));
    lines.chain(more).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_simulate_writes_is_read() {
        let points = read(
            b"collective,algorithm,segment_size,comm_size,msg_size,time_us\nbcast,linear,,3,64,1.0\nbcast,pipeline,1024,16,65536,2\n",
        );
        let points = points.unwrap();
        assert_eq!(points.len(), 2);
        assert_eq!(points[0].request, Request::new(3, 64).unwrap());
        assert_eq!(points[1].request.segment_size(), Some(1024));
    }

    #[test]
    fn every_row_that_is_no_point_is_named_by_its_line() {
        let refused = read(
            b"collective,algorithm,segment_size,comm_size,msg_size\nbcast,linear,,x,64\nbcast,linear,,4,64\nbcast,linea,,4,64\nbcast,pipeline,0,4,64\n",
        );
        let text = refused.unwrap_err();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert_eq!(lines[0], "line 2: comm_size is not a number: `x`");
        assert!(
            lines[1].starts_with("line 4: bcast has no algorithm `linea`; did you mean `linear`?"),
            "{text}"
        );
        assert!(lines[2].starts_with("line 5: "), "{text}");
        let refused = read(b"p,m\n1,2\n").unwrap_err();
        assert_eq!(
            refused,
            "line 1: the first columns must be collective,algorithm,segment_size,comm_size,msg_size"
        );
    }
}
