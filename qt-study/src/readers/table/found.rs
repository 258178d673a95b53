//! The columns of a table that mean something: those that the user or the format names.

use std::collections::HashSet;

use qtdec_core::domain::MAX_AXES;
use qtdec_core::{Diagnostics, Place, Problem};

use super::TableSpec;
use super::column::{Column, Header, Wanted};
use super::names::{self, bytes};
use super::recognise::{Recognised, recognise};
use super::shape::Names;
use crate::measurements::Statistic;
use crate::readers::advice;
use crate::readers::advice::NamedColumns;
use crate::readers::columns::{Columns, SIZES, key_of_axis};
use crate::readers::options::ReadOptions;
use crate::readers::sink::FileSink;

/// The columns of a file with a meaning.
pub(super) struct FoundColumns {
    pub(super) axes: Vec<(String, Column)>,
    pub(super) constants: Vec<(String, Column)>,
    /// Whether each axis has labels instead of sizes.
    pub(super) labelled: Vec<bool>,
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
    /// The columns that the user named, or that were recognised.
    ours: Columns,
}

/// The location of the times.
pub(super) enum Times {
    Repeat(Column),
    /// A column for each method, with its name.
    Methods(Vec<(String, Column)>),
    Rank {
        time: Column,
        repeat: Column,
        rank: Column,
    },
    Statistics(Vec<(Statistic, Column)>),
}

impl FoundColumns {
    /// Returns the columns of a file, or reports those that are missing or do not fit.
    pub(super) fn find(
        header: &Header<'_>,
        table: &TableSpec<'_>,
        sink: &mut FileSink<'_, '_>,
    ) -> Option<Self> {
        let options = sink.options;
        let theirs = Columns::parse(table.columns).expect("a format names its columns as a user does");
        let recognised = recognised(header, &theirs, table, sink);
        let (ours, offered) = match recognised {
            Some(Recognised { columns, doubt: None }) => {
                sink.note(advice::recognised(&columns.pairs()));
                (columns, None)
            }
            other => (options.columns.clone(), other),
        };
        let mut check = Diagnostics::default();
        let mut columns = ours.clone().or(theirs.clone());
        let (axes, optional) = axes_of_table(&ours, &columns.axes, header, table, sink);
        columns.axes.clone_from(&axes);
        let found = Self::look_up([&ours, &theirs, &columns], header, table, sink, &mut check);
        if table.in_elements && options.element_size.is_none() {
            // The rows are read nevertheless, for their own faults.
            sink.faults.add(
                Problem::new(Place::File, "the message sizes count elements").help(advice::ELEMENT_SIZE),
            );
        }
        let has_method = sink.known.method.is_some() || matches!(&found, Some(found) if found.has_methods());
        let method = (!has_method).then(|| "method".to_owned());
        let keys = axes.iter().map(|(name, _)| key_of_axis(name)).chain(method);
        let keys: Vec<String> = keys.chain(["time".to_owned()]).collect();
        let wanted = Wanted { keys: &keys, optional: &optional, options, offered: offered.as_ref() };
        if let Some(missing) = header.missing(&wanted, &sink.name) {
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
        [ours, theirs, columns]: [&Columns; 3],
        header: &Header<'_>,
        table: &TableSpec<'_>,
        sink: &FileSink<'_, '_>,
        check: &mut Diagnostics,
    ) -> Option<Self> {
        let options = sink.options;
        let axes: Vec<(String, Column)> = columns
            .axes
            .iter()
            .filter_map(|(name, column)| Some((name.clone(), header.require(column, check)?)))
            .collect();
        let labelled = axes.iter().map(|(name, column)| header.has_labels(name, column, check)).collect();
        let constants = columns.constants.iter();
        let constants = constants
            .filter_map(|(name, column)| Some((name.clone(), header.require(column, check)?)))
            .collect();
        let is_fixed = sink.known.method.is_some() && ours.method.is_empty();
        // Columns of times that name the methods need no column that does.
        let are_methods =
            columns.time.as_ref().is_some_and(|time| are_several(time, header)) && ours.method.is_empty();
        let method = columns.method.iter().filter(|_| !is_fixed && !are_methods);
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
            constants,
            labelled,
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
            ours: ours.clone(),
        })
    }

    pub(super) fn positions(&self) -> HashSet<usize> {
        let Self { segment_size, collective, run, repeat, calls, valid, ranks_per_node, .. } = self;
        let single = [segment_size, collective, run, repeat, calls, valid, ranks_per_node];
        let all = self.axes.iter().map(|(_, column)| column).chain(&self.method).chain(self.times.columns());
        let all = all.chain(self.constants.iter().map(|(_, column)| column));
        let all = all.chain(self.filters.iter().map(|(column, _)| column)).chain(&self.repeats);
        all.chain(single.into_iter().flatten()).map(|column| column.index).collect()
    }

    pub(super) fn has_methods(&self) -> bool {
        matches!(self.times, Times::Methods(_))
    }

    /// Returns the columns that advice names, to which it may add one.
    pub(super) fn named(&self) -> NamedColumns {
        NamedColumns {
            axes: self.axes.iter().map(|(axis, column)| (key_of_axis(axis), column.name.clone())).collect(),
            method: self.method.iter().map(|column| column.name.clone()).collect(),
            requested: self.ours.pairs(),
        }
    }

    /// Returns the number of bytes in one of the message sizes' units, if it is below 2^64.
    pub(super) fn bytes_of_size(&self, options: &ReadOptions) -> Option<u64> {
        let msg_size = self.axes.iter().find(|(axis, _)| axis == "msg_size");
        let unit = msg_size.and_then(|(_, column)| bytes(&column.name)).unwrap_or(1);
        options.element_size.unwrap_or(1).checked_mul(unit)
    }
}

/// Chooses among the axes that the user or the format names: returns those that the table must have, each with the name of its column,
/// and the keys of those that it may have, although the path or the user gives other axes.
fn axes_of_table(
    ours: &Columns,
    named: &[(String, String)],
    header: &Header<'_>,
    table: &TableSpec<'_>,
    sink: &FileSink<'_, '_>,
) -> (Vec<(String, String)>, Vec<String>) {
    let options = sink.options;
    let is_asked = |axis: &str| ours.axes.iter().any(|(name, _)| name == axis);
    let is_fixed = |axis: &str| sink.known.size(axis).is_some() && !is_asked(axis);
    let is_replaced = table.replaceable_axes && (!ours.axes.is_empty() || !sink.known.sizes.is_empty());
    let axes = named.iter().filter(|(name, _)| !is_fixed(name)).cloned();
    let (read, dropped): (Vec<(String, String)>, Vec<_>) = axes.partition(|(name, column)| {
        !is_replaced || is_asked(name) || has_axis(header, ours, options, column)
    });
    // Where the path names one axis of MPI, the table is likely to hold the other.
    let is_of_mpi = SIZES.iter().any(|axis| sink.known.size(axis).is_some());
    let optional = dropped.iter().filter(|_| is_of_mpi).map(|(name, _)| key_of_axis(name));
    (read, optional.collect())
}

/// Returns whether a table has a column for an axis that the user does not name, and the column is not used otherwise.
fn has_axis(header: &Header<'_>, ours: &Columns, options: &ReadOptions, column: &str) -> bool {
    let Some(found) = header.find(column).filter(|_| ours.axes.len() < MAX_AXES) else {
        return false;
    };
    let pairs = ours.pairs();
    let named = pairs.iter().flat_map(|(_, columns)| columns.split('+'));
    let named = named.chain(options.filters.iter().map(|(column, _)| &**column));
    let mut named = named.chain(options.repeats.iter().map(String::as_str));
    ours.axes.is_empty()
        || !named.any(|name| header.find(name).is_some_and(|other| other.index == found.index))
}

impl Times {
    pub(super) fn columns(&self) -> Vec<&Column> {
        match self {
            Self::Repeat(time) => vec![time],
            Self::Methods(times) => times.iter().map(|(_, column)| column).collect(),
            Self::Rank { time, repeat, rank } => vec![time, repeat, rank],
            Self::Statistics(statistics) => statistics.iter().map(|(_, column)| column).collect(),
        }
    }
}

fn are_several(time: &str, header: &Header<'_>) -> bool {
    time.contains('+') && header.find(time).is_none()
}

/// Returns the columns of times of a method each, which is called like its column; a unit that all of them have is left out.
fn times_of_methods(header: &Header<'_>, names: &str, check: &mut Diagnostics) -> Option<Times> {
    let columns: Vec<Column> = names.split('+').filter_map(|name| header.require(name, check)).collect();
    let columns: Vec<Column> =
        columns.into_iter().filter(|column| header.holds_times(column, check)).collect();
    if columns.len() < names.split('+').count() {
        return None;
    }
    let unit = names::time_unit(&columns[0].name);
    if let Some(other) = columns.iter().find(|column| names::time_unit(&column.name) != unit) {
        let message = format!("`{}` and `{}` have times in different units", columns[0].name, other.name);
        return check.refuse(
            header.fault(message).help("write all times in one unit, and the unit in all names or in none"),
        );
    }
    let methods = columns.into_iter().map(|column| {
        let name = if unit.is_some() { names::without_unit(&column.name) } else { column.name.clone() };
        (name, column)
    });
    Some(Times::Methods(methods.collect()))
}

/// Returns what the columns of a table with names of its own seem to be, if the user and the format name none that it has.
fn recognised(
    header: &Header<'_>,
    theirs: &Columns,
    table: &TableSpec<'_>,
    sink: &FileSink<'_, '_>,
) -> Option<Recognised> {
    let options = sink.options;
    let lacks_axes = theirs
        .axes
        .iter()
        .any(|(axis, column)| sink.known.size(axis).is_none() && header.find(column).is_none());
    let is_own = table.has_own_names
        && lacks_axes
        && options.columns == Columns::default()
        && options.format.is_none()
        && sink.known.sizes.is_empty()
        && matches!(header.shape.names, Names::FirstRow)
        && !header.is_of_mpi(options);
    if !is_own {
        return None;
    }
    let names: Option<Vec<String>> =
        header.names.iter().map(|name| str::from_utf8(name).ok().map(str::to_owned)).collect();
    let names = names?;
    let is_chosen = |name: &String| {
        options.filters.iter().map(|(column, _)| column).chain(&options.repeats).any(|column| column == name)
    };
    let kept: Vec<usize> = (0..names.len()).filter(|at| !is_chosen(&names[*at])).collect();
    let kept_of =
        |row: &Vec<String>| kept.iter().filter_map(|at| row.get(*at).cloned()).collect::<Vec<String>>();
    let values_of = |row: &Vec<String>| {
        let decimal = |text: String| if header.decimal_comma { text.replacen(',', ".", 1) } else { text };
        kept_of(row).into_iter().map(decimal).collect()
    };
    let rows: Vec<Vec<String>> =
        header.shape.rows.iter().filter(|row| row.len() == names.len()).map(values_of).collect();
    recognise(&kept_of(&names), &rows, sink.known.method.is_some())
}

/// Returns the columns of the times: the user's or the format's, otherwise statistics.
fn times(
    header: &Header<'_>,
    columns: &Columns,
    table: &TableSpec<'_>,
    check: &mut Diagnostics,
) -> Option<Times> {
    if let Some(time) = &columns.time {
        if are_several(time, header) {
            return times_of_methods(header, time, check);
        }
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
