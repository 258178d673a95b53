//! Conversion of a table's rows to points and times.

use std::collections::HashMap;

use csv::ByteRecord;

use super::column::{Column, Header, line};
use super::found::{FoundColumns, Times};
use super::names::{self, SEGMENT_SIZE, usual_key};
use super::units::Units;
use super::{TableSpec, joined};
use crate::measurements::TimeUnit;
use crate::readers::advice;
use crate::readers::collective_name;
use crate::readers::sink::{
    Cell, FileRow, FileSink, MachineColumn, Measured, MethodOf, PartNumber, Rows, Section, machine_column,
};
use crate::size::size;

/// The columns of a file, and what its rows have revealed.
pub(super) struct TableReader<'t, 'f> {
    table: &'t TableSpec<'f>,
    columns: FoundColumns,
    units: Units,
    /// The unnamed columns, each with its number.
    unnamed: Vec<(usize, usize)>,
    /// The unnamed columns that tell machines apart.
    machines: Machines,
    /// The number of bytes in one of the message sizes' units.
    bytes_of_size: Option<u64>,
    /// The collective of the last row, and what is known of it and of the others.
    last_collective: Last<(String, PartNumber)>,
    last_machines: Vec<Last<()>>,
    part: Option<PartNumber>,
    of_part: OfPart,
    of_others: HashMap<PartNumber, OfPart>,
    /// The key of the current row, kept to avoid allocations.
    key: Vec<u8>,
    sizes: Vec<u64>,
}

/// The columns that tell machines apart, with their names.
type Machines = Vec<(usize, String, MachineColumn)>;

/// What a table has revealed of one collective.
#[derive(Default)]
struct OfPart {
    rows: Begun,
    methods: HashMap<Vec<u8>, usize>,
    fixed_method: Option<usize>,
    last_method: Last<usize>,
    last_run: Last<u16>,
}

/// What the last text of a column meant, if there was one.
#[derive(Default)]
struct Last<T> {
    text: Vec<u8>,
    value: Option<T>,
    is_set: bool,
}

impl<T> Last<T> {
    fn is(&self, text: &[u8]) -> bool {
        self.is_set && self.text == text
    }

    fn set(&mut self, text: &[u8], value: Option<T>) {
        self.text.clear();
        self.text.extend_from_slice(text);
        (self.value, self.is_set) = (value, true);
    }
}

/// The maximum length of a method's name in bytes.
const LONGEST_NAME: usize = 256;

/// The rows of a collective, which begin with the first of them.
#[derive(Default)]
enum Begun {
    #[default]
    NotYet,
    Rows(Rows),
    Refused,
}

impl<'t, 'f> TableReader<'t, 'f> {
    /// Creates the reader of a table, or reports the columns that it lacks.
    pub(super) fn new(
        header: &Header<'_>,
        table: &'t TableSpec<'f>,
        sink: &mut FileSink<'_, '_>,
    ) -> Option<Self> {
        let columns = FoundColumns::find(header, table, sink)?;
        let known = table.unit.or_else(|| unit(&columns, sink)).or(sink.options.time_unit);
        let units = Units::new(header, &columns.times.columns(), known);
        let units = units.map_err(|problem| sink.faults.add(problem)).ok()?;
        let (mut unnamed, machines) = others(header, &columns, sink);
        unnamed.retain(|(index, _)| !units.columns.values().any(|of_units| of_units == index));
        Some(Self {
            table,
            unnamed,
            bytes_of_size: columns.bytes_of_size(sink.options),
            columns,
            units,
            last_collective: Last::default(),
            last_machines: machines.iter().map(|_| Last::default()).collect(),
            machines,
            part: None,
            of_part: OfPart::default(),
            of_others: HashMap::new(),
            key: Vec::new(),
            sizes: Vec::new(),
        })
    }

    /// Reads a row. Returns `None` if it does not count or has a fault.
    pub(super) fn row(&mut self, row: &ByteRecord, sink: &mut FileSink<'_, '_>) -> Option<()> {
        let mut fits = true;
        for (at, (column, value)) in self.columns.filters.iter().enumerate() {
            let matches = &row[column.index] == value.as_bytes();
            sink.builder.selectors.filtered(at, &row[column.index], matches);
            fits &= matches;
        }
        if !fits {
            return None;
        }
        if let (Some(column), Some((_, value))) = (&self.columns.valid, self.table.valid)
            && &row[column.index] != value.as_bytes()
        {
            sink.note(format!("a row whose `{}` is not {value} was dropped", column.name));
            return None;
        }
        if let (Some(column), Some((_, is_left_out))) = (&self.columns.left_out, self.table.left_out)
            && str::from_utf8(&row[column.index]).is_ok_and(is_left_out)
        {
            sink.note(format!(
                "a row of another result than the times, by its `{}`, was left out",
                column.name
            ));
            return None;
        }
        let part = self.read_part(row, sink)?;
        if let Some(last) = self.part.replace(part).filter(|last| *last != part) {
            let of_part = self.of_others.remove(&part).unwrap_or_default();
            self.of_others.insert(last, std::mem::replace(&mut self.of_part, of_part));
        }
        if matches!(self.of_part.rows, Begun::NotYet) {
            self.begin(part, row, sink);
        }
        if matches!(self.of_part.rows, Begun::Refused) {
            return None;
        }
        let sound = self.read_sizes(row, sink);
        // A method is known from its first row on, even if that lacks the time.
        let method = if self.columns.has_methods() { None } else { self.read_method(part, row, None, sink) };
        let run = match &self.columns.run {
            Some(column) if self.of_part.last_run.is(&row[column.index]) => self.of_part.last_run.value,
            Some(column) => {
                let run = sink.run(part, &String::from_utf8_lossy(&row[column.index]));
                self.of_part.last_run.set(&row[column.index], Some(run));
                Some(run)
            }
            None => None,
        };
        let mut given = Vec::new();
        let measured = match &self.columns.times {
            Times::Repeat(time) => {
                let time = self.units.time(time, row, sink)?;
                let calls = match &self.columns.calls {
                    Some(calls) => calls.number(row, sink)?.0,
                    None => 1.0,
                };
                Measured::Repeat(time / calls)
            }
            Times::Methods(columns) => {
                let times: Vec<Option<f64>> =
                    columns.iter().map(|(_, column)| self.units.time(column, row, sink)).collect();
                for (column, time) in times.into_iter().enumerate() {
                    let method = self.read_method(part, row, Some(column), sink);
                    if sound && let (Some(method), Some(time)) = (method, time) {
                        self.record(row, run, method, Measured::Repeat(time), sink);
                    }
                }
                return Some(());
            }
            Times::Rank { time, repeat, .. } => Measured::Rank {
                repeat: repeat.size(row, &mut sink.faults)?,
                time: self.units.time(time, row, sink)?,
            },
            Times::Statistics(columns) => {
                for (statistic, column) in columns {
                    given.push((*statistic, self.units.time(column, row, sink)?));
                }
                Measured::Statistics(&given)
            }
        };
        if sound && let Some(method) = method {
            self.record(row, run, method, measured, sink);
        }
        Some(())
    }

    /// Records times at the sizes that were read last.
    fn record(
        &mut self,
        row: &ByteRecord,
        run: Option<u16>,
        method: usize,
        measured: Measured<'_>,
        sink: &mut FileSink<'_, '_>,
    ) {
        for ((index, name, kind), last) in self.machines.iter().zip(&mut self.last_machines) {
            if last.is(&row[*index]) {
                continue;
            }
            last.set(&row[*index], Some(()));
            sink.machine_in_column(name, *kind, &String::from_utf8_lossy(&row[*index]));
        }
        let Begun::Rows(rows) = &mut self.of_part.rows else { return };
        for (name, column) in &self.columns.constants {
            if let Some(value) = column.size(row, &mut sink.faults) {
                sink.constant(rows.part, line(row), method, name, value);
            }
        }
        let unnamed = self.unnamed.iter().map(|&(index, column)| Cell { column, value: &row[index] });
        let row_of_file =
            FileRow { method: Some(method), run, ..FileRow::new(line(row), &self.sizes, measured) };
        sink.row_of_table(rows, &row_of_file, unnamed);
    }

    /// Returns whether no further row can count.
    pub(super) fn is_refused(&self) -> bool {
        matches!(self.of_part.rows, Begun::Refused) && self.columns.collective.is_none()
    }

    fn names<'r>(&self, row: &'r ByteRecord) -> Vec<&'r str> {
        self.columns
            .method
            .iter()
            .map(|column| str::from_utf8(&row[column.index]).unwrap_or_default())
            .collect()
    }

    /// Returns the part of the row's collective, if that is read.
    fn read_part(&mut self, row: &ByteRecord, sink: &mut FileSink<'_, '_>) -> Option<PartNumber> {
        let Some(column) = &self.columns.collective else {
            // The names of methods tell it where neither the user nor the path names it.
            let is_named = sink.known.collective.is_some() || sink.options.collective.is_some();
            let collective_of = self.table.collective_of.filter(|_| !is_named);
            let named = collective_of.and_then(|collective_of| collective_of(&self.names(row)));
            let part = sink.part(named)?;
            self.last_collective.value = named.map(|name| (name.to_owned(), part));
            return Some(part);
        };
        // Rows of one collective often follow each other.
        if !self.last_collective.is(&row[column.index]) {
            let name = collective_name(column.text(row, &mut sink.faults)?);
            let part = sink.part(Some(&name));
            self.last_collective.set(&row[column.index], part.map(|part| (name, part)));
        }
        self.last_collective.value.as_ref().map(|(_, part)| *part)
    }

    fn begin(&mut self, part: PartNumber, row: &ByteRecord, sink: &mut FileSink<'_, '_>) {
        let collective = self.last_collective.value.as_ref().map(|(name, _)| name.as_str());
        let requested = sink.options.collective.as_deref();
        let fixed = sink.known.collective.clone();
        let names = self.names(row);
        let collective = collective.or(fixed.as_deref()).or(requested);
        let counted = self.table.counted.and_then(|counted| counted(collective, &names));
        let axes: Vec<&str> = self.columns.axes.iter().map(|(name, _)| &**name).collect();
        let labelled = axes.iter().zip(&self.columns.labelled).filter(|(_, labelled)| **labelled);
        let labelled: Vec<String> = labelled.map(|(name, _)| (*name).to_owned()).collect();
        let ranks = match &self.columns.times {
            Times::Rank { .. } => Some(sink.options.ranks.name()),
            _ => self.table.ranks,
        };
        let is_named = !self.columns.method.is_empty() || self.columns.has_methods();
        let section = Section {
            axes: &axes,
            labelled: &labelled,
            counted,
            unit: self.units.recorded,
            ranks,
            method: if is_named { MethodOf::Row } else { MethodOf::Path(None) },
            ..Section::default()
        };
        let rows = sink.begin(part, section);
        self.of_part.fixed_method = rows.as_ref().and_then(|rows| rows.method);
        self.of_part.rows = rows.map_or(Begun::Refused, Begun::Rows);
    }

    fn read_sizes(&mut self, row: &ByteRecord, sink: &mut FileSink<'_, '_>) -> bool {
        self.sizes.clear();
        let Begun::Rows(rows) = &self.of_part.rows else { return false };
        for ((axis, column), is_labelled) in self.columns.axes.iter().zip(&self.columns.labelled) {
            if *is_labelled {
                let label = column.text(row, &mut sink.faults).map(str::to_owned);
                self.sizes.extend(label.and_then(|label| sink.label(rows, axis, &label)));
                continue;
            }
            let text = std::str::from_utf8(&row[column.index]).unwrap_or_default();
            let size = self.table.size.map_or_else(|| size(text), |size| size(axis, text));
            let scale = match (axis.as_str(), &self.columns.ranks_per_node) {
                ("msg_size", _) => self.bytes_of_size,
                ("comm_size", Some(column)) => column.size(row, &mut sink.faults),
                _ => Some(1),
            };
            let size = size.and_then(|size| size.checked_mul(scale?));
            match size {
                Some(0) if axis == "comm_size" => {
                    column.refuse(row, "a number of ranks", &mut sink.faults);
                }
                Some(size) => self.sizes.push(size),
                None => column.refuse(row, "a whole number", &mut sink.faults),
            }
        }
        self.sizes.len() == self.columns.axes.len()
    }

    fn read_method(
        &mut self,
        part: PartNumber,
        row: &ByteRecord,
        of_column: Option<usize>,
        sink: &mut FileSink<'_, '_>,
    ) -> Option<usize> {
        if let Some(method) = self.of_part.fixed_method {
            return Some(method);
        }
        self.key.clear();
        for column in self.columns.method.iter().chain(&self.columns.segment_size) {
            self.key.extend_from_slice(&row[column.index]);
            self.key.push(0);
        }
        self.key.extend(of_column.map(usize::to_ne_bytes).into_iter().flatten());
        if self.of_part.last_method.is(&self.key) {
            return self.of_part.last_method.value;
        }
        if let Some(&known) = self.of_part.methods.get(&self.key) {
            self.of_part.last_method.set(&self.key, Some(known));
            return Some(known);
        }
        let name = |column: &Column| str::from_utf8(&row[column.index]).ok();
        let called = match (&self.columns.times, of_column) {
            (Times::Methods(columns), Some(at)) => Some(Some(&*columns[at].0)),
            _ => None,
        };
        let names: Option<Vec<&str>> = self.columns.method.iter().map(name).chain(called).collect();
        let length = |names: &Vec<&str>| names.iter().map(|name| name.len()).sum::<usize>();
        let Some(names) = names.filter(|names| (1..=LONGEST_NAME).contains(&length(names))) else {
            let expected = format!("the name of a method, in UTF-8 and at most {LONGEST_NAME} bytes long");
            if let Some(column) = self.columns.method.first() {
                column.refuse(row, &expected, &mut sink.faults);
            }
            return None;
        };
        let mut method = self.table.method.unwrap_or(joined)(&names);
        if let Some(column) =
            self.columns.segment_size.as_ref().filter(|column| !row[column.index].is_empty())
        {
            method.segment_size = Some(column.size(row, &mut sink.faults)?);
        }
        method.segment_size = method.segment_size.filter(|&size| size > 0);
        let number = sink.method(part, method);
        self.of_part.methods.insert(self.key.clone(), number);
        Some(number)
    }
}

/// Returns the unit in the names of the times' columns, unless the user specifies one.
fn unit(columns: &FoundColumns, sink: &mut FileSink<'_, '_>) -> Option<TimeUnit> {
    let column = columns.times.columns().first().map(|column| column.name.clone())?;
    let named = names::time_unit(&column)?;
    match sink.options.time_unit {
        Some(requested) if requested != named => {
            let (requested, named) = (requested.name(), named.name());
            sink.note(advice::other_unit(&column, named, requested));
            None
        }
        _ => Some(named),
    }
}

/// Returns the columns without a meaning that may be conditions, each with its number, and those that tell machines apart. Machines are
/// never pooled, so that their columns are no conditions.
fn others(
    header: &Header<'_>,
    columns: &FoundColumns,
    sink: &mut FileSink<'_, '_>,
) -> (Vec<(usize, usize)>, Machines) {
    let named = columns.positions();
    let (mut unnamed, mut machines) = (Vec::new(), Vec::new());
    for (index, name) in header.names.iter().enumerate().filter(|(index, _)| !named.contains(index)) {
        let name = String::from_utf8_lossy(name).into_owned();
        let kind = machine_column(&name);
        // A point has statistics only once, so nothing is pooled.
        if kind != Some(MachineColumn::Machine) && !matches!(columns.times, Times::Statistics(_)) {
            if columns.segment_size.is_none() && usual_key(&name) == Some(SEGMENT_SIZE) {
                sink.note(advice::column_of_segments(&name));
            }
            unnamed.push((index, sink.builder.unnamed.column(&name)));
        }
        machines.extend(kind.map(|kind| (index, name, kind)));
    }
    (unnamed, machines)
}
