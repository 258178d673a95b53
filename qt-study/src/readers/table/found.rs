//! The columns of a table that mean something: those that the user or the format names.

use std::collections::HashSet;

use qtdec_core::domain::MAX_AXES;
use qtdec_core::{Diagnostics, Place, Problem};

use super::TableSpec;
use super::column::{Column, Header};
use super::names::{self, bytes};
use super::recognise::{are_sizes, recognise, seen};
use super::shape::Names;
use crate::measurements::Statistic;
use crate::readers::advice;
use crate::readers::columns::Columns;
use crate::readers::options::ReadOptions;
use crate::readers::sink::FileSink;
use qtdec_times::collective::BARRIER;

/// The axis that a barrier does not have.
const MSG_SIZE: &str = "msg_size";

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
    pub(super) left_out: Option<Column>,
    pub(super) ranks_per_node: Option<Column>,
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
        let of_mpi = header.is_of_mpi(options);
        let recognised = if of_mpi { None } else { recognised(header, &theirs, table, sink) };
        let (ours, doubt) = match recognised {
            Some(Ok(columns)) => {
                sink.note(advice::recognised(&columns.pairs()));
                (columns, None)
            }
            Some(Err(doubt)) => (options.columns.clone(), Some(doubt)),
            None => (options.columns.clone(), None),
        };
        let mut check = Diagnostics::default();
        let mut columns = ours.clone().or(theirs.clone());
        columns.axes = axes_of_table(&ours, &columns.axes, header, table, sink);
        if sink.collective().as_deref() == Some(BARRIER) {
            drop_sizes(&mut columns, header, sink);
        }
        let found = Self::look_up([&ours, &theirs, &columns], header, table, sink, &mut check);
        if table.in_elements && options.element_size.is_none() {
            // The rows are read nevertheless, for their own faults.
            sink.faults.add(
                Problem::new(Place::File, "the message sizes count elements").help(advice::ELEMENT_SIZE),
            );
        }
        if let Some(found) = &found {
            check_methods(header, found, &mut check);
        }
        if let Some(missing) = header.missing(doubt.as_deref(), of_mpi) {
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
            left_out: table.left_out.and_then(|(column, _)| header.find(column)),
            valid: table.valid.and_then(|(column, _)| header.find(column)),
            ranks_per_node: table.ranks_per_node.and_then(|column| header.find(column)),
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

    /// Returns the number of bytes in one of the message sizes' units, if it is below 2^64.
    pub(super) fn bytes_of_size(&self, options: &ReadOptions) -> Option<u64> {
        let msg_size = self.axes.iter().find(|(axis, _)| axis == "msg_size");
        let unit = msg_size.and_then(|(_, column)| bytes(&column.name)).unwrap_or(1);
        options.element_size.unwrap_or(1).checked_mul(unit)
    }
}

/// Chooses among the axes that the user or the format names: returns those that the table must have, each with the name of its column.
fn axes_of_table(
    ours: &Columns,
    named: &[(String, String)],
    header: &Header<'_>,
    table: &TableSpec<'_>,
    sink: &FileSink<'_, '_>,
) -> Vec<(String, String)> {
    let is_asked = |axis: &str| ours.axes.iter().any(|(name, _)| name == axis);
    let is_fixed = |axis: &str| sink.known.size(axis).is_some() && !is_asked(axis);
    let is_replaced = table.replaceable_axes && (!ours.axes.is_empty() || !sink.known.sizes.is_empty());
    let axes = named.iter().filter(|(name, column)| {
        !is_fixed(name) && (!is_replaced || is_asked(name) || has_axis(header, ours, sink.options, column))
    });
    axes.cloned().collect()
}

/// Leaves out the message sizes of a barrier, which has none.
fn drop_sizes(columns: &mut Columns, header: &Header<'_>, sink: &mut FileSink<'_, '_>) {
    let Some(at) = columns.axes.iter().position(|(axis, _)| axis == MSG_SIZE) else { return };
    let (_, column) = columns.axes.remove(at);
    if header.find(&column).is_some() {
        sink.note(format!("a barrier has no message size: the column `{column}` is ignored"));
    }
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

/// Returns the columns of a table with names of its own if they can be nothing else, or why they may be something else; `None` if the user
/// or the format names them.
fn recognised(
    header: &Header<'_>,
    theirs: &Columns,
    table: &TableSpec<'_>,
    sink: &FileSink<'_, '_>,
) -> Option<Result<Columns, String>> {
    let options = sink.options;
    let lacks =
        |(axis, column): &(String, String)| sink.known.size(axis).is_none() && header.find(column).is_none();
    let is_own = table.has_own_names
        && theirs.axes.iter().any(lacks)
        && options.columns == Columns::default()
        && options.format.is_none()
        && sink.known.sizes.is_empty()
        && header.shape.names == Names::FirstRow;
    if !is_own || header.shape.rows.is_empty() {
        return None;
    }
    let names: Option<Vec<String>> =
        header.names.iter().map(|name| str::from_utf8(name).ok().map(str::to_owned)).collect();
    let names = names?;
    let is_chosen = |name: &String| {
        options.filters.iter().map(|(column, _)| column).chain(&options.repeats).any(|column| column == name)
    };
    let units = header.unit_columns();
    let kept: Vec<usize> =
        (0..names.len()).filter(|at| !is_chosen(&names[*at]) && !units.contains(at)).collect();
    let kept_of =
        |row: &Vec<String>| kept.iter().filter_map(|at| row.get(*at).cloned()).collect::<Vec<String>>();
    let values_of = |row: &Vec<String>| {
        let decimal = |text: String| if header.decimal_comma { text.replacen(',', ".", 1) } else { text };
        kept_of(row).into_iter().map(decimal).collect()
    };
    let rows: Vec<Vec<String>> =
        header.shape.rows.iter().filter(|row| row.len() == names.len()).map(values_of).collect();
    Some(recognise(seen(&kept_of(&names), &rows), sink.known.method.is_some()))
}

/// Reports a column of sizes that the user names as that of the methods.
fn check_methods(header: &Header<'_>, columns: &FoundColumns, check: &mut Diagnostics) {
    let names: Vec<String> =
        header.names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let seen = seen(&names, &header.shape.rows);
    let axes: Vec<_> = columns.axes.iter().map(|(_, column)| &seen[column.index]).collect();
    if let [method] = &columns.method[..]
        && are_sizes(&seen[method.index], &axes)
    {
        let message =
            format!("`{}` is another number in each row, as sizes are and methods are not", method.name);
        check.add(header.fault(message).help(advice::method_of_sizes(&method.name)));
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
