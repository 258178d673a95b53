//! The reader of canonical times.

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;
use std::str::from_utf8;

use memchr::memchr;
use qtdec_core::listing::shortened;
use qtdec_core::{Diagnostics, Place, Problem, Problems};

use crate::about::About;
use crate::builder::{Builder, collective_fault};
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
    let mut lines = Lines { input, number: 0 };
    let raw = raw_header(&mut lines)?;
    let (columns, mut builder) = begin(&raw)?;
    builder.begin_at(raw.line + 1);
    let mut rows = RowParser::new(columns, &raw, builder);
    let mut faults = Faults::default();
    let read = lines.each(|number, line| {
        if let Err(problem) = rows.row(line) {
            faults.add(problem);
        }
        if rows.line.is_multiple_of(1 << 10) {
            watch(rows.builder.bytes());
        }
        faults.count().check().map_err(|message| Problem::new(Place::Line(number), message)).map(|()| true)
    });
    if let Err(problem) = read {
        faults.add(problem);
    }
    faults.finish()?;
    watch(rows.builder.bytes());
    rows.builder.finish()
}

struct Lines<'i> {
    input: &'i mut dyn BufRead,
    number: u64,
}

impl Lines<'_> {
    /// Calls a function with the number and the text of every further line, without its end, until it returns `false` or an error. Lines are
    /// not copied where they are whole in the input's buffer.
    fn each(&mut self, mut read: impl FnMut(u64, &[u8]) -> Result<bool, Problem>) -> Result<(), Problem> {
        let mut part = Vec::new();
        loop {
            let next = Place::Line(self.number + 1);
            let bytes = match self.input.fill_buf() {
                Ok([]) => break,
                Ok(bytes) => bytes,
                Err(error) => return Err(Problem::new(next, format!("cannot be read: {error}"))),
            };
            let (mut rest, mut goes_on) = (bytes, true);
            while goes_on && let Some(end) = memchr(b'\n', rest) {
                self.number += 1;
                goes_on = if part.is_empty() {
                    read(self.number, without_return(&rest[..end]))?
                } else {
                    part.extend_from_slice(&rest[..end]);
                    let goes_on = read(self.number, without_return(&part))?;
                    part.clear();
                    goes_on
                };
                rest = &rest[end + 1..];
            }
            if !goes_on {
                let length = bytes.len() - rest.len();
                self.input.consume(length);
                return Ok(());
            }
            part.extend_from_slice(rest);
            if part.len() as u64 >= LONGEST {
                let message = format!("the line is longer than {LONGEST} bytes");
                return Err(Problem::new(Place::Line(self.number + 1), message)
                    .help("is a line end missing, or is the file something else?"));
            }
            let length = bytes.len();
            self.input.consume(length);
        }
        if part.is_empty() { Ok(()) } else { read(self.number + 1, &part).map(|_| ()) }
    }
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Reads the lines up to the names of the columns.
fn raw_header(lines: &mut Lines<'_>) -> Result<RawHeader, Problems> {
    let (mut texts, mut bytes): (Vec<String>, usize) = (Vec::new(), 0);
    lines.each(|number, line| {
        let not_text =
            |_| Problem::new(Place::Line(number), "the line is not UTF-8").help("save the file as UTF-8");
        let text = from_utf8(line).map_err(not_text)?;
        texts.push(text.to_owned());
        bytes += text.len();
        let is_comment = line.starts_with(b"#");
        match size_fault(texts.len(), bytes).filter(|_| is_comment) {
            Some(problem) => Err(Problem { place: Place::Line(number), ..problem }),
            None => Ok(is_comment),
        }
    })?;
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
    let at = |line: u64| move |problem: Problem| Problem { place: Place::Line(line), ..problem }.into();
    let mut check = Diagnostics::default();
    let mut about = About::default();
    for (line, key, value) in &raw.about {
        check.note(about.add(key, value).map_err(at(*line)));
    }
    let names = |all: &[(u64, Named)]| all.iter().map(|(_, named)| named.name.clone()).collect::<Vec<_>>();
    // The order of the columns is that of the axes and parameters.
    let mut places = HashMap::new();
    for (place, column) in raw.columns.iter().enumerate() {
        places.entry(&**column).or_insert(place);
    }
    let ordered = |all: &[(u64, Named)]| -> Vec<Named> {
        let mut all: Vec<Named> = all.iter().map(|(_, named)| named.clone()).collect();
        all.sort_by_key(|named| places.get(&*named.name));
        all
    };
    let mut labels: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, axis, label) in &raw.labels {
        labels.entry(axis.clone()).or_default().push(label.clone());
    }
    let mut header =
        Header { about, axes: ordered(&raw.axes), labels, parameters: ordered(&raw.parameters), unit: None };
    let declared = raw.axes.iter().chain(&raw.parameters).map(|(line, named)| (line, &named.name));
    let mut lines: HashMap<&str, u64> = HashMap::new();
    for (line, name) in declared.chain(raw.labels.iter().map(|(line, name, _)| (line, name))) {
        lines.entry(name).or_insert(*line);
    }
    let checked = header.check_at(|name| {
        let line = name.and_then(|name| lines.get(name));
        Place::Line(line.copied().unwrap_or(raw.line))
    });
    if check.note(checked).is_none() {
        return check.finish(None);
    }
    let columns =
        check.note(Columns::new(&raw.columns, &names(&raw.axes), &names(&raw.parameters), raw.line));
    header.unit = columns.and_then(|columns| columns.unit);
    let Some(mut builder) = check.note(Builder::new(header)) else { return check.finish(None) };
    for (line, fields) in &raw.methods {
        check.note(listed(fields, &mut builder).map_err(at(*line)));
    }
    for (line, launch) in &raw.launches {
        check.note(builder.launch(launch).map_err(at(*line)));
    }
    for (line, fields) in &raw.jobs {
        check.note(described(fields).and_then(|job| builder.jobs.describe(&job)).map_err(at(*line)));
    }
    builder.keep_order();
    for (line, fields) in &raw.orders {
        let [collective, method @ ..] = &fields[..] else { continue };
        let collective = Some(&**collective).filter(|name| !name.is_empty());
        let listed = match collective.and_then(name_fault) {
            Some(why) => Err(collective_fault(why)),
            None => listed(method, &mut builder),
        };
        if let Some(method) = check.note(listed.map_err(at(*line))) {
            builder.order(collective, method);
        }
    }
    let begun = columns.map(|columns| (columns, builder));
    check.finish(begun)
}

/// Returns the number of a method that is listed before the rows.
fn listed(fields: &[String], builder: &mut Builder) -> Result<u32, Problem> {
    let (values, parameters) = (fields.get(1..).unwrap_or_default(), builder.header().parameters.len());
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
