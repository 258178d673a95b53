//! Conversion of a table's rows to points and times.

use std::collections::{HashMap, HashSet};

use csv::ByteRecord;
use qtdec_core::domain::MAX_AXES;
use qtdec_core::{Diagnostics, Place, Problem};

use super::TableSpec;
use super::column::{Column, Header, Heading, Wanted};
use super::names::{self, SEGMENT_SIZE, usual_key};
use crate::measurements::{Statistic, TimeUnit};
use crate::readers::advice;
use crate::readers::advice::NamedColumns;
use crate::readers::axis_name::SIZES;
use crate::readers::columns::{Columns, key_of_axis};
use crate::readers::options::ReadOptions;
use crate::readers::sink::{Cell, FileRow, FileSink, MachineColumn, Measured, machine_column};

/// The columns of a file, and what its rows have revealed.
pub(super) struct TableReader<'t, 'f> {
    table: &'t TableSpec<'f>,
    axes: Vec<(String, Column)>,
    /// The columns of the method; none if the method is fixed.
    method: Vec<Column>,
    segment_size: Option<Column>,
    times: Times,
    /// The number of calls in a time.
    calls: Option<Column>,
    collective: Option<Column>,
    filters: Vec<(Column, String)>,
    valid: Option<Column>,
    run: Option<Column>,
    ranks_per_node: Option<Column>,
    /// The unnamed columns, each with its number.
    unnamed: Vec<(usize, usize)>,
    /// The unnamed columns that tell machines apart.
    machines: Vec<(usize, String, MachineColumn)>,
    /// The columns that are named, to which messages add one.
    offer: NamedColumns,
    /// The number of bytes in one of the message sizes' units.
    bytes_of_size: Option<u64>,
    /// What is known of the collective of the last row, and of the others, by their numbers.
    last_collective: Last<String>,
    last_machines: Vec<Last<()>>,
    part: usize,
    of_part: OfPart,
    of_others: HashMap<usize, OfPart>,
    /// The key of the current row, kept to avoid allocations.
    key: Vec<u8>,
    sizes: Vec<u64>,
}

/// What a table has revealed of one collective.
#[derive(Default)]
struct OfPart {
    began: SinkState,
    /// Methods by the bytes of their columns.
    methods: HashMap<Vec<u8>, usize>,
    fixed_method: Option<usize>,
    last_method: Last<usize>,
    last_run: Last<u16>,
}

/// What the last text of a column meant, if there was one.
struct Last<T> {
    text: Vec<u8>,
    value: Option<T>,
    is_set: bool,
}

impl<T> Default for Last<T> {
    fn default() -> Self {
        Self { text: Vec::new(), value: None, is_set: false }
    }
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

/// The location of the times.
enum Times {
    Repeat(Column),
    Rank { time: Column, repeat: Column, rank: Column },
    Statistics(Vec<(Statistic, Column)>),
}

impl Times {
    /// Returns the columns that hold them.
    fn columns(&self) -> Vec<&Column> {
        match self {
            Self::Repeat(time) => vec![time],
            Self::Rank { time, repeat, rank } => vec![time, repeat, rank],
            Self::Statistics(statistics) => statistics.iter().map(|(_, column)| column).collect(),
        }
    }
}

/// The state of the sink, which may need a row's collective before it can begin.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum SinkState {
    #[default]
    NotYet,
    Yes,
    Refused,
}

/// Returns whether a table has a column for an axis that the user does not name, and the column is not used otherwise.
fn has_axis(header: &Header<'_>, options: &ReadOptions, column: &str) -> bool {
    let Some(found) = header.find(column).filter(|_| options.columns.axes.len() < MAX_AXES) else {
        return false;
    };
    let pairs = options.columns.pairs();
    let named = pairs.iter().flat_map(|(_, columns)| columns.split('+'));
    let named = named.chain(options.filters.iter().map(|(column, _)| &**column));
    let mut named = named.chain(options.repeats.iter().map(String::as_str));
    options.columns.axes.is_empty()
        || !named.any(|name| header.find(name).is_some_and(|other| other.index == found.index))
}

/// Returns the columns with a meaning, for advice on the others.
fn named_columns(
    axes: &[(String, Column)],
    method: &[Column],
    requested: Vec<(String, String)>,
) -> NamedColumns {
    NamedColumns {
        axes: axes.iter().map(|(axis, column)| (key_of_axis(axis), column.name.clone())).collect(),
        method: method.iter().map(|column| column.name.clone()).collect(),
        requested,
    }
}

impl<'t, 'f> TableReader<'t, 'f> {
    pub(super) fn new(
        heading: &Heading<'_>,
        table: &'t TableSpec<'f>,
        sink: &mut FileSink<'_, '_>,
    ) -> Option<Self> {
        let header = Header::new(heading);
        let options = sink.options();
        let (ours, theirs) = (&options.columns, &table.columns);
        let columns = ours.clone().or(theirs.clone());
        let mut check = Diagnostics::default();

        let is_asked = |axis: &str| ours.axes.iter().any(|(name, _)| name == axis);
        let fixed = |axis: &str| sink.known().size(axis).is_some() && !is_asked(axis);
        let replaced = table.replaceable_axes && (!ours.axes.is_empty() || sink.names_axes());
        let axes = columns.axes.iter().filter(|(name, _)| !fixed(name));
        let (axes, dropped): (Vec<&(String, String)>, Vec<_>) = axes
            .partition(|(name, column)| !replaced || is_asked(name) || has_axis(&header, options, column));
        let mut keys: Vec<String> = axes.iter().map(|(name, _)| key_of_axis(name)).collect();
        // Where the path names one axis of MPI, the table is likely to hold the other.
        let of_mpi = SIZES.iter().any(|axis| sink.known().size(axis).is_some());
        let optional: Vec<String> =
            dropped.iter().filter(|_| of_mpi).map(|(name, _)| key_of_axis(name)).collect();
        let axes = axes.into_iter();
        let axes: Vec<Option<(String, Column)>> =
            axes.map(|(name, column)| Some((name.clone(), header.require(column, &mut check)?))).collect();
        let method: Vec<Option<Column>> = if sink.known().method.is_some() && ours.method.is_empty() {
            Vec::new()
        } else {
            columns.method.iter().map(|column| header.require(column, &mut check)).collect()
        };
        if sink.known().method.is_none() {
            keys.push("method".to_owned());
        }
        keys.push("time".to_owned());
        let times = times(&header, &columns, table, &mut check);
        let segment_size =
            header.optional(ours.segment_size.as_ref(), theirs.segment_size.as_ref(), &mut check);
        let collective = header.optional(ours.collective.as_ref(), theirs.collective.as_ref(), &mut check);
        let run = header.optional(ours.run.as_ref(), theirs.run.as_ref(), &mut check);
        let filter =
            |(column, value): &(String, String)| Some((header.require(column, &mut check)?, value.clone()));
        let filters: Vec<Option<(Column, String)>> = options.filters.iter().map(filter).collect();
        let repeats: Vec<Option<Column>> =
            options.repeats.iter().map(|column| header.require(column, &mut check)).collect();
        let ranks_per_node = table.ranks_per_node.and_then(|column| header.find(column));
        let valid = table.valid.and_then(|(column, _)| header.find(column));
        let calls = table.calls.and_then(|column| header.require(column, &mut check));
        if table.in_elements && options.element_size.is_none() {
            // The rows are read nevertheless, for their own faults.
            sink.faults.add(
                Problem::new(Place::File, "the message sizes count elements").help(advice::element_size()),
            );
        }
        let wanted = Wanted { keys: &keys, optional: &optional, options };
        if let Some(missing) = header.missing(&wanted, sink.file()) {
            check.add(missing);
            sink.foreign = header.is_foreign();
        }
        if let Err(problems) = check.finish(Some(())) {
            sink.faults.note(&problems);
            return None;
        }
        let method: Vec<Column> = method.into_iter().flatten().collect();
        let times = times?;
        let axes: Vec<(String, Column)> = axes.into_iter().flatten().collect();
        let filters: Vec<(Column, String)> = filters.into_iter().flatten().collect();
        let optional = [&segment_size, &collective, &run, &ranks_per_node, &valid, &calls];
        let repeat = ours.repeat.as_ref().and_then(|repeat| header.find(repeat));
        let named = axes.iter().map(|(_, column)| column).chain(&method).chain(times.columns());
        let named = named.chain(filters.iter().map(|(column, _)| column));
        let named =
            named.chain(optional.into_iter().flatten()).chain(repeats.iter().flatten()).chain(&repeat);
        let named: HashSet<usize> = named.map(|column| column.index).collect();
        let others = Others::new(heading, &named);
        // A point has statistics only once, so nothing is pooled.
        let unnamed = match &times {
            Times::Statistics(_) => Vec::new(),
            _ => others.unnamed(segment_size.is_none(), sink),
        };
        let offer = named_columns(&axes, &method, ours.pairs());
        let msg_size = axes.iter().find(|(axis, _)| axis == "msg_size");
        let unit = msg_size.and_then(|(_, column)| names::bytes(&column.name)).unwrap_or(1);
        let bytes_of_size = options.element_size.unwrap_or(1).checked_mul(unit);
        Some(Self {
            table,
            axes,
            method,
            segment_size,
            times,
            calls,
            collective,
            filters,
            valid,
            run,
            ranks_per_node,
            unnamed,
            offer,
            bytes_of_size,
            last_collective: Last::default(),
            last_machines: others.machines.iter().map(|_| Last::default()).collect(),
            machines: others.machines,
            part: 0,
            of_part: OfPart::default(),
            of_others: HashMap::new(),
            key: Vec::new(),
            sizes: Vec::new(),
        })
    }

    /// Reads a row. Returns `None` if it does not count or has a fault.
    pub(super) fn row(&mut self, row: &ByteRecord, sink: &mut FileSink<'_, '_>) -> Option<()> {
        let line = row.position().map_or(0, csv::Position::line);
        let mut fits = true;
        for (at, (column, value)) in self.filters.iter().enumerate() {
            let matches = &row[column.index] == value.as_bytes();
            sink.filtered(at, &row[column.index], matches);
            fits &= matches;
        }
        if !fits {
            return None;
        }
        if let (Some(column), Some((_, value))) = (&self.valid, self.table.valid)
            && &row[column.index] != value.as_bytes()
        {
            sink.note(format!("a row whose `{}` is not {value} was dropped", column.name));
            return None;
        }
        match &self.collective {
            // Rows of one collective often follow each other.
            Some(column) if self.last_collective.is(&row[column.index]) => {
                self.last_collective.value.as_ref()?;
            }
            Some(column) => {
                let text = column.text(row, line, &mut sink.faults)?;
                let name = self.table.dialect.collective(text);
                let name = sink.selects(&name).then_some(name);
                self.last_collective.set(&row[column.index], name);
                self.last_collective.value.as_ref()?;
            }
            None => self.last_collective.value = self.collective_of_method(row, sink).map(str::to_owned),
        }
        let part = sink.part();
        if part != self.part {
            let of_part = self.of_others.remove(&part).unwrap_or_default();
            let last = std::mem::replace(&mut self.of_part, of_part);
            self.of_others.insert(std::mem::replace(&mut self.part, part), last);
        }
        if self.of_part.began == SinkState::NotYet {
            let collective = self.last_collective.value.clone();
            self.begin(collective.as_deref(), row, sink);
        }
        if self.of_part.began == SinkState::Refused {
            return None;
        }
        let sound = self.read_sizes(row, line, sink);
        let method = self.read_method(row, line, sink);
        let run = match &self.run {
            Some(column) if self.of_part.last_run.is(&row[column.index]) => self.of_part.last_run.value,
            Some(column) => {
                let run = sink.run(&String::from_utf8_lossy(&row[column.index]));
                self.of_part.last_run.set(&row[column.index], Some(run));
                Some(run)
            }
            None => None,
        };
        let mut given = Vec::new();
        let measured = match &self.times {
            Times::Repeat(time) => {
                let time = time.time(row, line, sink)?;
                let calls = match &self.calls {
                    Some(calls) => calls.time(row, line, sink)?,
                    None => 1.0,
                };
                Measured::Repeat(time / calls)
            }
            Times::Rank { time, repeat, .. } => Measured::Rank {
                repeat: repeat.size(row, line, &mut sink.faults)?,
                time: time.time(row, line, sink)?,
            },
            Times::Statistics(columns) => {
                for (statistic, column) in columns {
                    given.push((*statistic, column.time(row, line, sink)?));
                }
                Measured::Statistics(&given)
            }
        };
        if sound {
            for ((index, name, kind), last) in self.machines.iter().zip(&mut self.last_machines) {
                if last.is(&row[*index]) {
                    continue;
                }
                last.set(&row[*index], Some(()));
                sink.machine_in_column(name, *kind, &String::from_utf8_lossy(&row[*index]));
            }
            let unnamed = self.unnamed.iter().map(|&(index, column)| Cell { column, value: &row[index] });
            let row_of_file = FileRow { line, sizes: &self.sizes, method: method?, run, measured };
            sink.row_of_table(&row_of_file, unnamed, &self.offer);
        }
        Some(())
    }

    /// Returns whether no further row can count.
    pub(super) fn is_refused(&self) -> bool {
        self.of_part.began == SinkState::Refused && self.collective.is_none()
    }

    /// Returns the columns of a row that name the method.
    fn names<'r>(&self, row: &'r ByteRecord) -> Vec<&'r str> {
        self.method.iter().map(|column| str::from_utf8(&row[column.index]).unwrap_or_default()).collect()
    }

    /// Returns the collective that the names of methods tell, where neither the user nor the path names it.
    fn collective_of_method(&self, row: &ByteRecord, sink: &mut FileSink<'_, '_>) -> Option<&'static str> {
        if sink.known().collective.is_some() || sink.options().collective.is_some() {
            return None;
        }
        let collective = self.table.dialect.collective_of(&self.names(row))?;
        sink.selects(collective);
        Some(collective)
    }

    fn begin(&mut self, collective: Option<&str>, row: &ByteRecord, sink: &mut FileSink<'_, '_>) {
        let requested = sink.options().collective.as_deref();
        let fixed = sink.known().collective.clone();
        let names = self.names(row);
        let counted = self.table.dialect.counted(
            &sink.options().vocabulary,
            collective.or(fixed.as_deref()).or(requested),
            &names,
        );
        let axes: Vec<&str> = self.axes.iter().map(|(name, _)| &**name).collect();
        let ranks = match &self.times {
            Times::Rank { .. } => Some(sink.options().ranks.name()),
            _ => self.table.ranks,
        };
        let unit = self.table.unit.or_else(|| self.unit(sink));
        let began = sink.begin(&axes, counted, unit, ranks);
        let is_named = !self.method.is_empty();
        let method =
            began.and_then(|()| if is_named { Some(None) } else { sink.fixed_method(None).map(Some) });
        self.of_part.began = if method.is_some() { SinkState::Yes } else { SinkState::Refused };
        self.of_part.fixed_method = method.flatten();
    }

    /// Returns the unit in the names of the times' columns, unless the user specifies one.
    fn unit(&self, sink: &mut FileSink<'_, '_>) -> Option<TimeUnit> {
        let column = self.times.columns().first().map(|column| column.name.clone())?;
        let named = names::time_unit(&column)?;
        match sink.options().time_unit {
            Some(requested) if requested != named => {
                let (requested, named) = (requested.name(), named.name());
                sink.note(advice::other_unit(&column, named, requested));
                None
            }
            _ => Some(named),
        }
    }

    fn read_sizes(&mut self, row: &ByteRecord, line: u64, sink: &mut FileSink<'_, '_>) -> bool {
        self.sizes.clear();
        for (axis, column) in &self.axes {
            let text = std::str::from_utf8(&row[column.index]).unwrap_or_default();
            let size = self.table.dialect.size(axis, text);
            let scale = match (axis.as_str(), &self.ranks_per_node) {
                ("msg_size", _) => self.bytes_of_size,
                ("comm_size", Some(column)) => column.size(row, line, &mut sink.faults),
                _ => Some(1),
            };
            let size = size.and_then(|size| size.checked_mul(scale?));
            match size {
                Some(0) if axis == "comm_size" => {
                    column.refuse(row, line, "a number of ranks", &mut sink.faults);
                }
                Some(size) => self.sizes.push(size),
                None => column.refuse(row, line, "a whole number", &mut sink.faults),
            }
        }
        self.sizes.len() == self.axes.len()
    }

    fn read_method(&mut self, row: &ByteRecord, line: u64, sink: &mut FileSink<'_, '_>) -> Option<usize> {
        if let Some(method) = self.of_part.fixed_method {
            return Some(method);
        }
        self.key.clear();
        for column in self.method.iter().chain(&self.segment_size) {
            self.key.extend_from_slice(&row[column.index]);
            self.key.push(0);
        }
        if self.of_part.last_method.is(&self.key) {
            return self.of_part.last_method.value;
        }
        if let Some(&known) = self.of_part.methods.get(&self.key) {
            self.of_part.last_method.set(&self.key, Some(known));
            return Some(known);
        }
        let name = |column: &Column| str::from_utf8(&row[column.index]).ok();
        let names: Option<Vec<&str>> = self.method.iter().map(name).collect();
        let is_name = |names: &Vec<&str>| {
            let length: usize = names.iter().map(|name| name.len()).sum();
            (1..=LONGEST_NAME).contains(&length)
        };
        let Some(names) = names.filter(is_name) else {
            let expected = format!("the name of a method, in UTF-8 and at most {LONGEST_NAME} bytes long");
            self.method[0].refuse(row, line, &expected, &mut sink.faults);
            return None;
        };
        let mut method = self.table.dialect.method(&names);
        if let Some(column) = self.segment_size.as_ref().filter(|column| !row[column.index].is_empty()) {
            method.segment_size = Some(column.size(row, line, &mut sink.faults)?);
        }
        method.segment_size = method.segment_size.filter(|&size| size > 0);
        let number = sink.method(method);
        self.of_part.methods.insert(self.key.clone(), number);
        Some(number)
    }
}

/// The columns without a meaning.
struct Others {
    columns: Vec<(usize, String)>,
    /// Those that tell machines apart.
    machines: Vec<(usize, String, MachineColumn)>,
}

impl Others {
    /// Returns all columns but those with these numbers.
    fn new(heading: &Heading<'_>, named: &HashSet<usize>) -> Self {
        let others = heading.names.iter().enumerate().filter(|(index, _)| !named.contains(index));
        let columns: Vec<(usize, String)> =
            others.map(|(index, name)| (index, String::from_utf8_lossy(name).into_owned())).collect();
        let machines =
            columns.iter().filter_map(|(index, name)| Some((*index, name.clone(), machine_column(name)?)));
        Self { machines: machines.collect(), columns }
    }

    /// Returns those that may be conditions, each with its number. Machines are never pooled, so their columns are none.
    fn unnamed(&self, may_be_segments: bool, sink: &mut FileSink<'_, '_>) -> Vec<(usize, usize)> {
        let is_machine = |index: usize| {
            self.machines.iter().any(|(known, _, kind)| *known == index && *kind == MachineColumn::Machine)
        };
        let conditions = self.columns.iter().filter(|(index, _)| !is_machine(*index));
        conditions.map(|(index, name)| (*index, unnamed_column(name, may_be_segments, sink))).collect()
    }
}

/// Returns the number of an unnamed column. If it seems to hold segments, says how to use it.
fn unnamed_column(name: &str, may_be_segments: bool, sink: &mut FileSink<'_, '_>) -> usize {
    if may_be_segments && usual_key(name) == Some(SEGMENT_SIZE) {
        sink.note(advice::column_of_segments(name));
    }
    sink.unnamed_column(name)
}

/// Returns the columns of the times: the user's or the format's, otherwise statistics.
fn times(
    header: &Header<'_>,
    columns: &Columns,
    table: &TableSpec<'_>,
    check: &mut Diagnostics,
) -> Option<Times> {
    if let Some(time) = &columns.time {
        let time = header.require(time, check).filter(|time| header.holds_times(time, check));
        if columns.rank.is_none() {
            return Some(Times::Repeat(time?));
        }
        let rank = columns.rank.as_ref().and_then(|rank| header.require(rank, check));
        let repeat = columns.repeat.as_ref().and_then(|repeat| header.require(repeat, check));
        return Some(Times::Rank { time: time?, repeat: repeat?, rank: rank? });
    }
    let found =
        table.statistics.iter().filter_map(|(statistic, name)| Some((*statistic, header.find(name)?)));
    let found: Vec<(Statistic, Column)> = found.collect();
    if found.is_empty() {
        header.require("time", check);
        return None;
    }
    Some(Times::Statistics(found))
}
