//! The rows of a file of canonical times.

use std::borrow::Cow;
use std::collections::HashMap;
use std::str::from_utf8;

use qtdec_core::listing::{listed, shortened};
use qtdec_core::{Basis, Message, Place, Problem};

use crate::builder::{Builder, TIMES};
use crate::columns::Columns;
use crate::faults::ragged;
use crate::fields::fields;
use crate::raw::RawHeader;
use crate::statistic::Statistic;
use crate::times::{Method, Row, Sample, Series};

pub(crate) struct RowParser {
    columns: Columns,
    names: Vec<String>,
    axes: usize,
    parameters: usize,
    /// The position of each label, on each axis that has labels.
    labels: Vec<Option<HashMap<String, u64>>>,
    pub(crate) builder: Builder,
    /// The line of the last row.
    pub(crate) line: u64,
    /// The fields of the last row before that of the repeat, with the comma after them, and what they stand for: the numbers of the
    /// series, the launch and the process.
    last: Vec<u8>,
    place: (u32, u32, u32),
}

impl RowParser {
    pub(crate) fn new(columns: Columns, raw: &RawHeader, builder: Builder) -> Self {
        let header = builder.header();
        let labels = (0..header.axes.len())
            .map(|axis| header.labels_of(axis).map(|labels| labels.iter().cloned().zip(0..).collect()));
        Self {
            columns,
            labels: labels.collect(),
            names: raw.columns.clone(),
            axes: raw.axes.len(),
            parameters: raw.parameters.len(),
            builder,
            line: raw.line,
            last: Vec::new(),
            place: (0, 0, 0),
        }
    }

    pub(crate) fn row(&mut self, line: &[u8]) -> Result<(), Problem> {
        self.line += 1;
        let (sample, time) = match self.another_repeat(line) {
            Some(known) => known,
            None => self.full(line)?,
        };
        let (series, launch, process) = self.place;
        self.builder
            .row(Row { time, series, launch, process, sample })
            .map_err(|problem| self.at_line(problem))
    }

    /// Returns the number and the time of a further repeat, if all other fields are those of the row before, as in sorted files.
    fn another_repeat(&self, line: &[u8]) -> Option<(Sample, f64)> {
        if self.last.is_empty() {
            return None;
        }
        let rest = line.strip_prefix(&*self.last)?;
        let comma = rest.iter().position(|byte| *byte == b',').filter(|length| (1..10).contains(length))?;
        let mut number = 0;
        for digit in &rest[..comma] {
            number = 10 * number + u32::from(digit.checked_sub(b'0').filter(|digit| *digit < 10)?);
        }
        let rest = &rest[comma + 1..];
        let time = if self.columns.statistic { rest.strip_prefix(b",")? } else { rest };
        Some((Sample::Repeat(number), positive(from_utf8(time).ok()?)?))
    }

    /// Returns what a row is, and notes its series, launch and process.
    fn full(&mut self, line: &[u8]) -> Result<(Sample, f64), Problem> {
        self.last.clear();
        let fault = |message: &str, help: &str| self.at_line(Problem::new(Place::File, message).help(help));
        let text = from_utf8(line).map_err(|_| fault("the line is not UTF-8", "save the file as UTF-8"))?;
        if text.is_empty() {
            return Err(fault("the line is blank", "remove it"));
        }
        if text.starts_with('#') {
            return Err(fault("a comment stands between the rows", "move it above the names of the columns"));
        }
        let help = "write each one that belongs to a name twice";
        let all = fields(text).ok_or_else(|| fault("the quotation marks do not match", help))?;
        if all.len() != self.names.len() {
            let line = Place::Line(self.line);
            return Err(ragged(line, ["entry", "entries"], all.len(), self.names.len()));
        }
        let names = std::mem::take(&mut self.names);
        let mut fields = Fields { text, names: &names, all, line: self.line, next: 0 };
        let read = self.fields(&mut fields);
        self.names = names;
        read
    }

    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(Sample, f64), Problem> {
        let sizes = (0..self.axes).map(|axis| {
            let field = fields.next();
            match &self.labels[axis] {
                None => whole(&field).ok_or_else(|| fields.fault("a whole number, such as 1024")),
                Some(labels) => labels.get(&*field).copied().ok_or_else(|| {
                    let labels = listed(self.builder.header().labels_of(axis).unwrap_or_default());
                    fields.fault(&format!("one of the declared labels, which are {labels}"))
                }),
            }
        });
        let sizes = sizes.collect::<Result<Vec<u64>, Problem>>()?;
        let name = fields.next().into_owned();
        let values = (0..self.parameters).map(|_| fields.next().into_owned()).collect();
        let method = self.builder.method(Method { name, values }).map_err(|problem| self.at_line(problem))?;
        let collective = if self.columns.collective { Some(fields.next()) } else { None };
        let collective = collective.filter(|name| !name.is_empty()).map(Cow::into_owned);
        let basis = if self.columns.basis { Some(fields.next()) } else { None };
        let basis = match basis.filter(|name| !name.is_empty()) {
            None => None,
            Some(name) => {
                let known = Basis::ALL.into_iter().find(|(known, _)| *known == name);
                Some(known.ok_or_else(|| fields.fault("block, buffer or total"))?.1)
            }
        };
        let series = Series { collective, basis, sizes, method };
        let series = self.builder.series(series).map_err(|problem| self.at_line(problem))?;
        let job = if self.columns.job { fields.next() } else { Cow::Borrowed("") };
        let name = fields.next();
        let launch = self.builder.launch(&name).map_err(|problem| self.at_line(problem))?;
        self.builder.jobs.add(&name, &job).map_err(|problem| self.at_line(problem))?;
        let process = if self.columns.process { fields.next() } else { Cow::Borrowed("") };
        let process = match &*process {
            "" => 0,
            number => count(number)
                .filter(|number| *number > 0)
                .ok_or_else(|| fields.fault("the number of a program, from 1 on"))?,
        };
        let (before, place) = (fields.before_next(), fields.next);
        let repeat = fields.next();
        let number = if repeat.is_empty() {
            None
        } else {
            Some(count(&repeat).ok_or_else(|| fields.fault("the number of a repeat"))?)
        };
        let statistic = if self.columns.statistic { fields.next() } else { Cow::Borrowed("") };
        let sample = match (number, &*statistic) {
            (Some(number), "") => Sample::Repeat(number),
            (None, name) if !name.is_empty() => {
                let known = Statistic::parse(name).filter(|statistic| statistic.to_string() == *name);
                let expected = "median, mean, geomean, trimmed, min, max or a quantile such as p90";
                Sample::Statistic(known.ok_or_else(|| fields.fault(expected))?)
            }
            (Some(_), _) => {
                let problem = Problem::new(Place::File, "the row has both a repeat and a statistic");
                let help = "write a row for each; the `repeat` of a statistic is empty";
                return Err(self.at_line(problem.help(help)));
            }
            (None, _) => return Err(fields.fault_at(place, "the number of a repeat")),
        };
        let time = fields.next();
        let time = positive(&time).ok_or_else(|| fields.fault("a time above 0, such as 12.5 or 1.25e-6"))?;
        self.place = (series, launch, process);
        self.last.extend_from_slice(before.as_bytes());
        Ok((sample, time))
    }

    fn at_line(&self, problem: Problem) -> Problem {
        Problem { place: Place::Line(self.line), ..problem }
    }
}

struct Fields<'l> {
    text: &'l str,
    names: &'l [String],
    all: Vec<(usize, Cow<'l, str>)>,
    line: u64,
    /// The number of fields that were taken.
    next: usize,
}

impl<'l> Fields<'l> {
    fn next(&mut self) -> Cow<'l, str> {
        let field = self.all.get(self.next).map_or(Cow::Borrowed(""), |(_, field)| field.clone());
        self.next += 1;
        field
    }

    /// Returns the text of all fields that were taken, with the comma after them.
    fn before_next(&self) -> &'l str {
        self.all.get(self.next).map_or(self.text, |(place, _)| &self.text[..*place])
    }

    /// Returns the fault that the last field is not what is expected.
    fn fault(&self, expected: &str) -> Problem {
        self.fault_at(self.next - 1, expected)
    }

    fn fault_at(&self, number: usize, expected: &str) -> Problem {
        let (place, field) = &self.all[number];
        let column = 1 + self.text[..*place].chars().count();
        let message = Message::from(format!("`{}` is `", shortened(&self.names[number])));
        let message = message.value(shortened(field)).text("` in column ").value(column);
        Problem::new(Place::Line(self.line), message).help(format!("write {expected}"))
    }
}

/// Parses a whole number without a sign.
fn whole(text: &str) -> Option<u64> {
    text.parse().ok().filter(|_| text.as_bytes()[0].is_ascii_digit())
}

fn count(text: &str) -> Option<u32> {
    whole(text)?.try_into().ok()
}

/// Parses a time.
fn positive(text: &str) -> Option<f64> {
    let begins = text.as_bytes().first().is_some_and(u8::is_ascii_digit);
    text.parse().ok().filter(|time| begins && TIMES.contains(time))
}
