//! The reader of canonical times.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, Read};
use std::str::from_utf8;

use memchr::memchr;
use qtdec_core::listing::shortened;
use qtdec_core::{Diagnostics, Place, Problem, Problems};

use crate::about::About;
use crate::builder::Builder;
use crate::columns::Columns;
use crate::faults::Faults;
use crate::header::{FORMAT, Header, Named};
use crate::jobs::Job;
use crate::raw::{RawHeader, size_fault};
use crate::rows::RowParser;
use crate::text::name_fault;
use crate::times::{Method, Times};

/// The maximum length of a line in bytes.
const LONGEST: u64 = 1 << 20;

/// Returns whether a file that begins like this holds canonical times, of this or another version.
pub fn is_canonical(head: &str) -> bool {
    head.strip_prefix("# qtdec-times/").is_some()
}

/// Reads a file. `watch` receives the approximate memory use from time to time; the input ends the reading by an error.
///
/// # Errors
///
/// Returns all faults of the declarations, or otherwise of the rows, each with its line, its column and a remedy. Reading ends after
/// [`MAX_FAULTS`](crate::faults::MAX_FAULTS) faulty rows.
pub fn read(input: &mut dyn BufRead, mut watch: impl FnMut(usize)) -> Result<Times, Problems> {
    let mut lines = Lines { input, number: 0, bytes: Vec::new() };
    let raw = raw_header(&mut lines)?;
    let (columns, mut builder) = begin(&raw)?;
    builder.begin_at(raw.line + 1);
    let mut rows = RowParser::new(columns, &raw, builder);
    let mut faults = Faults::default();
    let read = lines.each(|line| {
        if let Err(problem) = rows.row(line) {
            faults.add(problem);
        }
        if rows.line.is_multiple_of(1 << 10) {
            watch(rows.builder.bytes());
        }
        faults.count().check()
    });
    if let Err(problem) = read {
        faults.add(problem);
    }
    faults.finish()?;
    watch(rows.builder.bytes());
    rows.builder.finish()
}

/// The lines of a file.
struct Lines<'i> {
    input: &'i mut dyn BufRead,
    number: u64,
    bytes: Vec<u8>,
}

impl Lines<'_> {
    /// Returns the next line without its end, or `None` at the end of the file.
    fn next(&mut self) -> Result<Option<&[u8]>, Problem> {
        self.number += 1;
        self.bytes.clear();
        let fault = |message: String| Problem::new(Place::Line(self.number), message);
        let length = (&mut *self.input)
            .take(LONGEST)
            .read_until(b'\n', &mut self.bytes)
            .map_err(|error| fault(format!("cannot be read: {error}")))?;
        if length as u64 == LONGEST {
            return Err(fault(format!("the line is longer than {LONGEST} bytes"))
                .help("is a line end missing, or is the file something else?"));
        }
        if self.bytes.last() == Some(&b'\n') {
            self.bytes.pop();
            if self.bytes.last() == Some(&b'\r') {
                self.bytes.pop();
            }
        }
        Ok((length > 0).then_some(&self.bytes))
    }
}

impl Lines<'_> {
    /// Calls a function with every further line without its end, until it returns an error. Lines are not copied where they are whole in
    /// the input's buffer.
    fn each(&mut self, mut line: impl FnMut(&[u8]) -> Result<(), String>) -> Result<(), Problem> {
        let mut part = std::mem::take(&mut self.bytes);
        part.clear();
        loop {
            let next = self.number + 1;
            let fault = |message: String| Problem::new(Place::Line(next), message);
            let bytes = self.input.fill_buf().map_err(|error| fault(format!("cannot be read: {error}")))?;
            if bytes.is_empty() {
                break;
            }
            let mut rest = bytes;
            while let Some(end) = memchr(b'\n', rest) {
                self.number += 1;
                let read = if part.is_empty() {
                    line(without_return(&rest[..end]))
                } else {
                    part.extend_from_slice(&rest[..end]);
                    let read = line(without_return(&part));
                    part.clear();
                    read
                };
                read.map_err(|message| Problem::new(Place::Line(self.number), message))?;
                rest = &rest[end + 1..];
            }
            part.extend_from_slice(rest);
            if part.len() as u64 >= LONGEST {
                let next = self.number + 1;
                return Err(Problem::new(
                    Place::Line(next),
                    format!("the line is longer than {LONGEST} bytes"),
                )
                .help("is a line end missing, or is the file something else?"));
            }
            let length = bytes.len();
            self.input.consume(length);
        }
        if part.is_empty() {
            Ok(())
        } else {
            line(&part).map_err(|message| Problem::new(Place::Line(self.number + 1), message))
        }
    }
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Reads the lines up to the names of the columns.
fn raw_header(lines: &mut Lines<'_>) -> Result<RawHeader, Problems> {
    let mut texts: Vec<String> = Vec::new();
    let mut bytes = 0;
    loop {
        let number = lines.number + 1;
        let Some(line) = lines.next()? else { break };
        let Ok(text) = from_utf8(line) else {
            return Err(Problem::new(Place::Line(number), "the line is not UTF-8")
                .help("save the file as UTF-8")
                .into());
        };
        texts.push(text.to_owned());
        bytes += text.len();
        if !line.starts_with(b"#") {
            break;
        }
        if let Some(problem) = size_fault(texts.len(), bytes) {
            return Err(Problem { place: Place::Line(number), ..problem }.into());
        }
    }
    RawHeader::split(texts.iter().map(String::as_str))
}

/// Checks the declarations.
fn begin(raw: &RawHeader) -> Result<(Columns, Builder), Problems> {
    if raw.format != FORMAT {
        let message = format!("unknown format `{}` (this version reads `{FORMAT}`)", shortened(&raw.format));
        return Err(Problem::new(Place::Line(1), message)
            .help("use the version of qtdec that wrote the file")
            .into());
    }
    let mut check = Diagnostics::default();
    let mut about = About::default();
    for (line, key, value) in &raw.about {
        if let Err(problem) = about.add(key, value) {
            check.add(Problem { place: Place::Line(*line), ..problem });
        }
    }
    let names = |all: &[(u64, String, Option<String>)]| -> Vec<String> {
        all.iter().map(|(_, name, _)| name.clone()).collect()
    };
    // The order of the columns is that of the axes and parameters.
    let mut places = HashMap::new();
    for (place, column) in raw.columns.iter().enumerate() {
        places.entry(&**column).or_insert(place);
    }
    let ordered = |all: &[(u64, String, Option<String>)]| -> Vec<Named> {
        let mut all: Vec<&(u64, String, Option<String>)> = all.iter().collect();
        all.sort_by_key(|(_, name, _)| places.get(&**name));
        all.into_iter().map(|(_, name, unit)| Named { name: name.clone(), unit: unit.clone() }).collect()
    };
    let mut labels: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, axis, label) in &raw.labels {
        labels.entry(axis.clone()).or_default().push(label.clone());
    }
    let mut header =
        Header { about, axes: ordered(&raw.axes), labels, parameters: ordered(&raw.parameters), unit: None };
    let declared = raw.axes.iter().chain(&raw.parameters).map(|(line, name, _)| (line, name));
    let mut lines: HashMap<&str, u64> = HashMap::new();
    for (line, name) in declared.chain(raw.labels.iter().map(|(line, name, _)| (line, name))) {
        lines.entry(name).or_insert(*line);
    }
    let line_of = |name: Option<&str>| {
        let line = name.and_then(|name| lines.get(name));
        Place::Line(line.copied().unwrap_or(raw.line))
    };
    if check.note(header.check_at(line_of)).is_none() {
        return Err(refused(check));
    }
    let columns =
        check.note(Columns::new(&raw.columns, &names(&raw.axes), &names(&raw.parameters), raw.line));
    header.unit = columns.and_then(|columns| columns.unit);
    let Some(mut builder) = check.note(Builder::new(header)) else { return Err(refused(check)) };
    let parameters = names(&raw.parameters);
    for (line, fields) in &raw.methods {
        if let Err(problem) = listed(fields, parameters.len(), &mut builder) {
            check.add(Problem { place: Place::Line(*line), ..problem });
        }
    }
    for (line, launch) in &raw.launches {
        if let Err(problem) = builder.launch(launch) {
            check.add(Problem { place: Place::Line(*line), ..problem });
        }
    }
    for (line, fields) in &raw.jobs {
        if let Err(problem) = described(fields).and_then(|job| builder.describe_job(&job)) {
            check.add(Problem { place: Place::Line(*line), ..problem });
        }
    }
    builder.keep_order();
    for (line, fields) in &raw.orders {
        let [collective, method @ ..] = &fields[..] else { continue };
        let collective = Some(&**collective).filter(|name| !name.is_empty());
        let listed = match collective.and_then(name_fault) {
            Some(why) => {
                let message = format!("the name of a collective {why}");
                Err(Problem::new(Place::File, message)
                    .help("write MPI's name in small letters, such as `bcast`"))
            }
            None => listed(method, parameters.len(), &mut builder),
        };
        match listed {
            Ok(method) => builder.order(collective, method),
            Err(problem) => check.add(Problem { place: Place::Line(*line), ..problem }),
        }
    }
    let begun = columns.map(|columns| (columns, builder));
    check.finish(begun)
}

/// Returns the number of a method that is listed before the rows.
fn listed(fields: &[String], parameters: usize, builder: &mut Builder) -> Result<u32, Problem> {
    let values = fields.get(1..).unwrap_or_default();
    if fields.is_empty() || values.len() != parameters {
        let message = format!("the method has {} values for {parameters} parameters", values.len());
        return Err(Problem::new(Place::File, message).help("write one after each comma, or nothing"));
    }
    builder.method(Method { name: fields[0].clone(), values: values.to_vec() })
}

/// Returns a job that is described before the rows.
fn described(fields: &[String]) -> Result<Job, Problem> {
    let field = |number: usize| fields.get(number).cloned().unwrap_or_default();
    if fields.len() > 3 {
        let message = format!("the job has {} fields, where at most 3 are possible", fields.len());
        return Err(Problem::new(Place::File, message)
            .help("write its name, its nodes and its start, and put one with a comma into quotation marks"));
    }
    Ok(Job { name: field(0), nodes: field(1), start: field(2) })
}

fn refused(check: Diagnostics) -> Problems {
    match check.finish(None::<()>) {
        Err(problems) => problems,
        Ok(()) => Problem::new(Place::File, "the declarations are not valid").into(),
    }
}
