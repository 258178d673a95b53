//! The columns of a table that mean something: those that the user or the format names.

use std::collections::HashSet;

use qtdec_core::domain::MAX_AXES;
use qtdec_core::{Diagnostics, Place, Problem};

use super::TableSpec;
use super::column::{Column, Header, Heading, Wanted};
use super::names::bytes;
use crate::measurements::Statistic;
use crate::readers::advice;
use crate::readers::advice::NamedColumns;
use crate::readers::axis_name::SIZES;
use crate::readers::columns::{Columns, key_of_axis};
use crate::readers::options::ReadOptions;
use crate::readers::sink::FileSink;

/// The columns of a file with a meaning.
pub(super) struct FoundColumns {
    pub(super) axes: Vec<(String, Column)>,
    /// The columns of the method; none if the method is fixed.
    pub(super) method: Vec<Column>,
    pub(super) times: Times,
    pub(super) segment_size: Option<Column>,
    pub(super) collective: Option<Column>,
    pub(super) run: Option<Column>,
    /// Columns and the values that they have in rows which count.
    pub(super) filters: Vec<(Column, String)>,
    /// Columns that tell repeats apart, which are not read.
    repeats: Vec<Column>,
    repeat: Option<Column>,
    /// The number of calls in a time.
    pub(super) calls: Option<Column>,
    pub(super) valid: Option<Column>,
    pub(super) ranks_per_node: Option<Column>,
}

/// The location of the times.
pub(super) enum Times {
    Repeat(Column),
    Rank { time: Column, repeat: Column, rank: Column },
    Statistics(Vec<(Statistic, Column)>),
}

impl FoundColumns {
    /// Returns the columns of a file, or reports those that are missing or do not fit.
    pub(super) fn find(
        heading: &Heading<'_>,
        table: &TableSpec<'_>,
        sink: &mut FileSink<'_, '_>,
    ) -> Option<Self> {
        let (header, options) = (Header::new(heading), sink.options());
        let mut check = Diagnostics::default();
        let mut columns = options.columns.clone().or(table.columns.clone());
        let axes = AxesOfTable::new(&columns.axes, &header, table, sink);
        columns.axes.clone_from(&axes.read);
        let found = Self::look_up(&columns, &header, table, sink, &mut check);
        if table.in_elements && options.element_size.is_none() {
            // The rows are read nevertheless, for their own faults.
            sink.faults.add(
                Problem::new(Place::File, "the message sizes count elements").help(advice::element_size()),
            );
        }
        let method = sink.known().method.is_none().then(|| "method".to_owned());
        let keys = axes.read.iter().map(|(name, _)| key_of_axis(name)).chain(method);
        let keys: Vec<String> = keys.chain(["time".to_owned()]).collect();
        let wanted = Wanted { keys: &keys, optional: &axes.optional, options };
        if let Some(missing) = header.missing(&wanted, sink.file()) {
            check.add(missing);
            sink.foreign = header.is_foreign();
        }
        if let Err(problems) = check.finish(Some(())) {
            sink.faults.note(&problems);
            return None;
        }
        found
    }

    /// Looks all columns up, so that all that are missing are reported together.
    fn look_up(
        columns: &Columns,
        header: &Header<'_>,
        table: &TableSpec<'_>,
        sink: &FileSink<'_, '_>,
        check: &mut Diagnostics,
    ) -> Option<Self> {
        let options = sink.options();
        let (ours, theirs) = (&options.columns, &table.columns);
        let axes = columns
            .axes
            .iter()
            .filter_map(|(name, column)| Some((name.clone(), header.require(column, check)?)))
            .collect();
        let is_fixed = sink.known().method.is_some() && ours.method.is_empty();
        let method = columns.method.iter().filter(|_| !is_fixed);
        let method = method.filter_map(|column| header.require(column, check)).collect();
        let times = times(header, columns, table, check);
        let segment_size = header.optional(ours.segment_size.as_ref(), theirs.segment_size.as_ref(), check);
        let collective = header.optional(ours.collective.as_ref(), theirs.collective.as_ref(), check);
        let run = header.optional(ours.run.as_ref(), theirs.run.as_ref(), check);
        let filters = options
            .filters
            .iter()
            .filter_map(|(column, value)| Some((header.require(column, check)?, value.clone())))
            .collect();
        let repeats = options.repeats.iter().filter_map(|column| header.require(column, check)).collect();
        let calls = table.calls.and_then(|column| header.require(column, check));
        Some(Self {
            axes,
            method,
            times: times?,
            segment_size,
            collective,
            run,
            filters,
            repeats,
            repeat: ours.repeat.as_ref().and_then(|repeat| header.find(repeat)),
            calls,
            valid: table.valid.and_then(|(column, _)| header.find(column)),
            ranks_per_node: table.ranks_per_node.and_then(|column| header.find(column)),
        })
    }

    /// Returns the positions of the columns.
    pub(super) fn positions(&self) -> HashSet<usize> {
        let Self { segment_size, collective, run, repeat, calls, valid, ranks_per_node, .. } = self;
        let single = [segment_size, collective, run, repeat, calls, valid, ranks_per_node];
        let all = self.axes.iter().map(|(_, column)| column).chain(&self.method).chain(self.times.columns());
        let all = all.chain(self.filters.iter().map(|(column, _)| column)).chain(&self.repeats);
        all.chain(single.into_iter().flatten()).map(|column| column.index).collect()
    }

    /// Returns the columns that advice names, to which it may add one; `requested` are those that the user names.
    pub(super) fn named(&self, requested: Vec<(String, String)>) -> NamedColumns {
        NamedColumns {
            axes: self.axes.iter().map(|(axis, column)| (key_of_axis(axis), column.name.clone())).collect(),
            method: self.method.iter().map(|column| column.name.clone()).collect(),
            requested,
        }
    }

    /// Returns the number of bytes in one of the message sizes' units, if it is below 2^64.
    pub(super) fn bytes_of_size(&self, options: &ReadOptions) -> Option<u64> {
        let msg_size = self.axes.iter().find(|(axis, _)| axis == "msg_size");
        let unit = msg_size.and_then(|(_, column)| bytes(&column.name)).unwrap_or(1);
        options.element_size.unwrap_or(1).checked_mul(unit)
    }
}

/// The axes of a table, each with the name of its column.
struct AxesOfTable {
    /// Those that the table must have.
    read: Vec<(String, String)>,
    /// The keys of those that it may have, although the path or the user gives other axes.
    optional: Vec<String>,
}

impl AxesOfTable {
    /// Chooses among the axes that the user or the format names.
    fn new(
        named: &[(String, String)],
        header: &Header<'_>,
        table: &TableSpec<'_>,
        sink: &FileSink<'_, '_>,
    ) -> Self {
        let options = sink.options();
        let ours = &options.columns.axes;
        let is_asked = |axis: &str| ours.iter().any(|(name, _)| name == axis);
        let is_fixed = |axis: &str| sink.known().size(axis).is_some() && !is_asked(axis);
        let is_replaced = table.replaceable_axes && (!ours.is_empty() || sink.names_axes());
        let axes = named.iter().filter(|(name, _)| !is_fixed(name)).cloned();
        let (read, dropped): (Vec<(String, String)>, Vec<_>) = axes
            .partition(|(name, column)| !is_replaced || is_asked(name) || has_axis(header, options, column));
        // Where the path names one axis of MPI, the table is likely to hold the other.
        let is_of_mpi = SIZES.iter().any(|axis| sink.known().size(axis).is_some());
        let optional = dropped.iter().filter(|_| is_of_mpi).map(|(name, _)| key_of_axis(name)).collect();
        Self { read, optional }
    }
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

impl Times {
    /// Returns the columns that hold them.
    pub(super) fn columns(&self) -> Vec<&Column> {
        match self {
            Self::Repeat(time) => vec![time],
            Self::Rank { time, repeat, rank } => vec![time, repeat, rank],
            Self::Statistics(statistics) => statistics.iter().map(|(_, column)| column).collect(),
        }
    }
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
