//! The destination of all readers: the one place that selects, converts and records data.

mod collectives;
mod convert;
mod machines;
mod unnamed;

use std::collections::{BTreeMap, HashMap};

use qtdec_core::domain::MAX_AXES;
use qtdec_core::{Basis, Diagnostics, Message, Place, Problem, Problems};

use super::advice::{NamedColumns, condition};
use super::axis_name::SIZES;
use super::counted::{Counted, Scaling};
use super::lines::{Time, time, unexpected};
use super::missing_runs::missing_runs;
use super::options::ReadOptions;
use super::over_ranks::OverRanks;
use super::path::PathPattern;
use super::room::Room;
use super::selectors::Selectors;
use super::{COLLECTIVES, collective_name, natural_basis};
use crate::measure::canonical::{About, Times};
use crate::measure::faults::Faults;
use crate::measure::measurements::{
    MeasuredAxis, MeasuredMethod, Measurements, RankStatistic, Repeat, Series, Statistic, TimeUnit,
};
use crate::measure::notes::Notes;
use crate::measure::size::size;

use collectives::{Collectives, FileCollectives};
use convert::{Convert, Rebase, Size};
use machines::{FileFolders, Machines};
pub(super) use machines::{MachineColumn, machine_column};
pub(super) use unnamed::Cell;
use unnamed::{Change, Unnamed};

/// Measurements under construction.
pub(super) struct MeasurementBuilder<'a> {
    pub(super) options: &'a ReadOptions,
    measurements: Measurements,
    notes: Notes,
    collectives: Collectives<'a>,
    /// Repeats that are given rank by rank: their position in the series, and the number of ranks so far.
    ranks: HashMap<OfRanks, (usize, u32)>,
    over_ranks: OverRanks,
    unnamed: Unnamed,
    machines: Machines,
    pub(super) selectors: Selectors,
    pub(super) room: Room,
    /// The number of files begun.
    files: u32,
    /// What is done with files of canonical times.
    pub(super) canonical: CanonicalFiles,
    /// Whether times remain as they are, so that there may be no others.
    pub(super) has_kept: bool,
}

/// What is done with files of canonical times.
#[derive(Debug, Default)]
pub(super) enum CanonicalFiles {
    /// Their times become measurements.
    #[default]
    Converted,
    /// Their times remain as they are, all together.
    Kept(Option<Box<Times>>),
    /// They were read before.
    Skipped,
}

/// The names of values from the path or the user that are not sizes on an axis.
const NO_AXES: [&str; 4] = ["collective", "method", "segment_size", "run"];

/// The memory use of a repeat that is given rank by rank.
const BYTES_OF_RANKS: usize = size_of::<(OfRanks, (usize, u32))>() + 80;

/// The repeat of a rank: its point, method, run and number.
type OfRanks = (Vec<u64>, usize, u16, u64);

/// The reader's view of one file.
pub(super) struct FileSink<'a, 'c> {
    builder: &'c mut MeasurementBuilder<'a>,
    name: String,
    /// The values from the path, and those that are the same for all rows.
    known: BTreeMap<String, String>,
    collectives: FileCollectives,
    folders: FileFolders,
    pub(super) faults: Faults,
    /// The names of the sizes in a row.
    axes_of_rows: Vec<String>,
    /// Whether the file is a table of something else.
    pub(super) foreign: bool,
    /// The run of rows that name none, once there are such rows.
    run: Option<u16>,
    /// The number of the program that wrote the repeats, and that of the first one in the file.
    file: u32,
    first_file: u32,
    /// The units of axes, if the file determines them and its sizes are not converted by default.
    units: Option<BTreeMap<String, Option<String>>>,
    convert: Convert,
    /// The statistic over the ranks of the rows that follow, until the first of them is read.
    over_ranks: Option<Option<String>>,
}

/// One row of a file.
pub(super) struct Row<'r> {
    pub(super) line: u64,
    /// The size on each axis that the reader declared.
    pub(super) sizes: &'r [u64],
    pub(super) method: usize,
    pub(super) run: Option<u16>,
    pub(super) measured: Measured<'r>,
}

/// The times of a row.
pub(super) enum Measured<'r> {
    /// The time of one repeat.
    Repeat(f64),
    /// The times of several repeats.
    Repeats(&'r [f64]),
    /// The time of one rank in a numbered repeat.
    Rank { repeat: u64, time: f64 },
    /// Statistics of repeats that are not available.
    Statistics(&'r [(Statistic, f64)]),
}

impl<'a> MeasurementBuilder<'a> {
    pub(super) fn new(options: &'a ReadOptions) -> Self {
        Self {
            options,
            measurements: Measurements::default(),
            notes: Notes::default(),
            collectives: Collectives::new(options.collective.as_deref()),
            ranks: HashMap::new(),
            over_ranks: OverRanks::default(),
            unnamed: Unnamed::default(),
            machines: Machines::default(),
            selectors: Selectors::default(),
            room: Room::default(),
            files: 0,
            canonical: CanonicalFiles::default(),
            has_kept: false,
        }
    }

    pub(super) fn notes(&mut self) -> &mut Notes {
        &mut self.notes
    }

    /// Returns the collectives of the times that were read.
    pub(super) fn collectives(&self) -> Vec<String> {
        self.collectives.known()
    }

    /// Returns whether no time was read.
    pub(super) fn is_empty(&self) -> bool {
        self.measurements.is_empty()
    }

    /// Returns the fault that times of several collectives were read and the user has not chosen one.
    pub(super) fn mixed(&self) -> Option<Problem> {
        self.collectives.mixed()
    }

    /// Returns the faults that times of several machines were read and the user has not chosen one.
    pub(super) fn several_machines(&self) -> Vec<Problem> {
        self.machines.several(&self.options.repeats, self.options.path.as_ref())
    }

    pub(super) fn finish(mut self) -> Result<(Measurements, Notes), Problems> {
        let pattern = self.options.path.as_ref().map(PathPattern::as_str);
        if let Some(problem) =
            self.collectives.missing().or_else(|| self.collectives.in_several_folders(pattern))
        {
            return Err(problem.into());
        }
        let mut check = Diagnostics::default();
        self.selectors
            .faults(self.options, self.measurements.is_empty() && !self.has_kept)
            .into_iter()
            .for_each(|fault| check.add(fault));
        check.finish(Some(()))?;
        if self.has_kept && self.measurements.is_empty() {
            return Ok((self.measurements, self.notes));
        }
        if self.measurements.is_empty() {
            return Err(Problem::new(Place::File, "no times were found")
                .help(
                    "the files are empty, are not measurements, or contain nothing that matches the options",
                )
                .into());
        }
        let has_msg_size = self.measurements.axes().iter().any(|axis| axis.name == "msg_size");
        if (self.options.basis.is_some() || self.options.basis_in.is_some()) && !has_msg_size {
            self.notes.add("there is no axis `msg_size`, to which --basis and --basis-in apply");
        }
        if let Some(missing) = missing_runs(&self.measurements) {
            self.notes.add(missing);
        }
        if let Some(mixed) = self.over_ranks.mixed() {
            self.notes.add(mixed);
        }
        self.measurements.ranks = self.over_ranks.name();
        let collective = self.collectives.finish(&mut self.notes);
        self.measurements.collective = collective.map(|name| name.to_lowercase());
        Ok((self.measurements, self.notes))
    }
}

impl<'a, 'c> FileSink<'a, 'c> {
    /// Begins a file. Returns `None` if its path names a collective that is not requested.
    pub(super) fn new(
        builder: &'c mut MeasurementBuilder<'a>,
        name: &str,
        mut known: BTreeMap<String, String>,
    ) -> Option<Self> {
        if let Some(name) = known.get_mut("collective") {
            *name = collective_name(name);
        }
        let folder = folder_of_collective(name, known.get("method"));
        let collectives = builder.collectives.begin(known.get("collective").cloned(), folder)?;
        let folders = FileFolders::new(name, &known);
        let file = builder.files;
        builder.files = builder.files.saturating_add(1);
        Some(Self {
            builder,
            name: name.to_owned(),
            known,
            collectives,
            folders,
            faults: Faults::default(),
            axes_of_rows: Vec::new(),
            foreign: false,
            run: None,
            file,
            first_file: file,
            units: None,
            convert: Convert::default(),
            over_ranks: None,
        })
    }

    /// Ends the file and returns all its faults.
    pub(super) fn finish(mut self) -> Result<(), Problems> {
        let MeasurementBuilder { collectives, notes, .. } = &mut *self.builder;
        if let Err(problem) = collectives.end(self.collectives, notes) {
            self.faults.add(problem);
        }
        self.faults.finish()
    }

    pub(super) fn options(&self) -> &'a ReadOptions {
        self.builder.options
    }

    pub(super) fn note(&mut self, what: impl Into<String>) {
        self.builder.notes.add(what);
    }

    /// Records the fault of a row; the following rows are read nevertheless.
    pub(super) fn note_fault(&mut self, row: Result<(), Problem>) {
        if let Err(problem) = row {
            self.faults.add(problem);
        }
    }

    /// Parses a time. A missing time is noted; anything else is a fault.
    pub(super) fn time(&mut self, line: u64, word: &str, expected: &str) -> Option<f64> {
        match time(word) {
            Time::Above(time) => return Some(time),
            Time::Missing => self.missing_time(),
            Time::No => self.faults.add(unexpected(line, word, expected)),
        }
        None
    }

    pub(super) fn missing_time(&mut self) {
        self.note("a time that is blank, 0, NaN, NA or - was treated as missing");
    }

    /// Returns whether the rows of a collective that the file names are read.
    pub(super) fn selects(&mut self, collective: &str) -> bool {
        self.builder.collectives.selects_in(&mut self.collectives, collective)
    }

    /// Returns the value of a name from the path or the user.
    pub(super) fn fixed(&self, name: &str) -> Option<&str> {
        self.known.get(name).map(String::as_str)
    }

    /// Returns the name of the file.
    pub(super) fn file(&self) -> &str {
        &self.name
    }

    /// Returns whether the path or the user fix sizes of axes.
    pub(super) fn names_axes(&self) -> bool {
        self.known.keys().any(|name| !NO_AXES.contains(&&**name))
    }

    /// Returns a number from the path or the user.
    pub(super) fn fixed_size(&mut self, name: &str) -> Option<u64> {
        let text = self.fixed(name)?;
        let size = size(text);
        if size.is_none() {
            let problem = Problem::new(Place::File, format!("`{name}` is `{text}`, not a whole number"));
            self.faults.add(problem);
        }
        size
    }

    /// Returns the method of a file that does not name it, from its path or the user.
    pub(super) fn fixed_method(&mut self, default: Option<&str>) -> Option<usize> {
        let name = self.fixed("method").or(default).map(str::to_owned);
        let segment_size = self.fixed_size("segment_size").filter(|&size| size > 0);
        let Some(name) = name else {
            self.faults.add(
                Problem::new(Place::File, "the file does not name the method").help(
                    "specify it with --path '…{method}…', a pattern of the paths, or --fixed method=NAME",
                ),
            );
            return None;
        };
        self.builder.selectors.used("method");
        self.builder.selectors.used("segment_size");
        Some(self.builder.measurements.method(MeasuredMethod { name, segment_size }))
    }

    /// Returns the number of a method that the file names.
    pub(super) fn method(&mut self, method: MeasuredMethod) -> usize {
        let segment_size = method.segment_size.unwrap_or_default();
        self.agree("method", |fixed| fixed == method.name);
        self.agree("segment_size", |fixed| size(fixed) == Some(segment_size));
        self.builder.measurements.method(method)
    }

    /// Records that the file gives a name itself, if its value is not the one that the user fixed.
    fn agree(&mut self, name: &str, is_fixed: impl Fn(&str) -> bool) {
        if self.options().fixed.get(name).is_some_and(|fixed| !is_fixed(fixed)) {
            self.builder.selectors.given(name);
        }
    }

    /// Records a value in the column of a filter, by its position.
    pub(super) fn filtered(&mut self, filter: usize, value: &[u8], matches: bool) {
        self.builder.selectors.filtered(filter, value, matches);
    }

    /// Returns the user's names for the arguments of benchmarks, which may be called by name or by number.
    ///
    /// # Errors
    ///
    /// Fails if `--columns` names anything else.
    pub(super) fn renamed(&self, arguments: &[String]) -> Result<Vec<String>, Problem> {
        let position = |column: &str| {
            let number = || column.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < arguments.len());
            arguments.iter().position(|name| name == column).or_else(number)
        };
        let mut renamed = arguments.to_vec();
        for (key, column) in self.options().columns.pairs() {
            let axis = self
                .options()
                .columns
                .axes
                .iter()
                .find(|(_, known)| *known == column && position(known).is_some());
            match (axis, position(&column)) {
                (Some((axis, _)), Some(at)) => renamed[at].clone_from(axis),
                _ => {
                    let known = match arguments {
                        [] => "the benchmarks have no arguments".to_owned(),
                        arguments => format!("the arguments of the benchmarks are {}", arguments.join(", ")),
                    };
                    let help = "--columns AXIS=ARGUMENT names the axes of a file without columns";
                    let message = format!("--columns {key}={column} has no effect: {known}");
                    return Err(Problem::new(Place::File, message).help(help));
                }
            }
        }
        Ok(renamed)
    }

    pub(super) fn run(&mut self, name: &str) -> u16 {
        self.agree("run", |fixed| fixed == name);
        self.builder.measurements.run(name)
    }

    fn run_of_file(&mut self) -> u16 {
        self.builder.selectors.used("run");
        let name = self.known.get("run").map_or("", String::as_str);
        *self.run.get_or_insert_with(|| self.builder.measurements.run(name))
    }

    /// Sets the number of the program that wrote the following repeats, among those of the file.
    pub(super) fn set_process(&mut self, number: u32) {
        self.file = self.first_file.saturating_add(number);
        self.builder.files = self.builder.files.max(self.file.saturating_add(1));
    }

    /// Declares that message sizes are only converted on request, and sets the units of the axes.
    pub(super) fn keep_sizes(&mut self, units: BTreeMap<String, Option<String>>) {
        self.units = Some(units);
    }

    /// Records the memory that the file takes before its times are recorded.
    pub(super) fn takes(&mut self, bytes: usize) {
        self.builder.room.set(self.builder.measurements.bytes() + bytes);
    }

    /// Adds what a file says of all its times.
    pub(super) fn about(&mut self, about: &About) {
        if let Err(problem) = self.builder.measurements.about.merge(about) {
            self.faults.add(problem);
        }
    }

    /// Keeps canonical times as they are, or returns those that are to be converted.
    pub(super) fn keep(&mut self, times: Times) -> Option<Times> {
        let ReadOptions { collective, basis, basis_in, .. } = self.builder.options;
        let is_changed = basis.is_some() || basis_in.is_some() || !self.known.is_empty();
        if let CanonicalFiles::Skipped = &self.builder.canonical {
            return is_changed.then_some(times);
        }
        let CanonicalFiles::Kept(kept) = &mut self.builder.canonical else { return Some(times) };
        if is_changed {
            return Some(times);
        }
        let times = match collective {
            Some(collective) => times.of_collective(collective),
            None => Ok(Some(times)),
        };
        let merged = times.and_then(|times| match (kept.take(), times) {
            (Some(kept), Some(times)) => kept.merge(times).map(Some),
            (kept, times) => Ok(kept.map(|kept| *kept).or(times)),
        });
        match merged {
            Ok(times) => *kept = times.map(Box::new),
            Err(problems) => self.faults.note(&problems),
        }
        None
    }

    /// Begins a part of the file whose rows have these axes; those that the path or the user fix are added. Returns `None`
    /// if it is not compatible with what was read before.
    ///
    /// `counted` is what the file's message sizes count, `unit` that of its times, `ranks` the statistic over its ranks.
    pub(super) fn begin(
        &mut self,
        axes: &[&str],
        counted: Option<Counted>,
        unit: Option<TimeUnit>,
        ranks: Option<&str>,
    ) -> Option<()> {
        let axes = self.place(axes)?;
        let from = self.options().basis_in.or(counted);
        let natural = || if self.units.is_none() { self.natural_basis(&axes, from?) } else { None };
        let to = self.options().basis.or_else(natural);
        let described = axes.iter().map(|name| {
            let basis = (name == "msg_size").then(|| to.or_else(|| from?.basis())).flatten();
            let axis = MeasuredAxis { basis, ..MeasuredAxis::named(name) };
            match self.units.as_ref().and_then(|units| units.get(name)) {
                Some(unit) => MeasuredAxis { unit: unit.clone(), ..axis },
                None => axis,
            }
        });
        let described: Vec<MeasuredAxis> = described.collect();
        self.convert.basis = match (from, to) {
            (Some(from), Some(to)) => self.rebase(&axes, from, to)?,
            _ => None,
        };
        let axes = described;
        let unit = unit.or(self.options().time_unit);
        let measurements = &mut self.builder.measurements;
        if measurements.is_empty() {
            measurements.set_axes(axes);
            measurements.unit = unit;
        } else if measurements.axes() != axes {
            // If there are several collectives to choose from, their axes may differ.
            if self.builder.collectives.are_mixed() {
                return None;
            }
            let names = |axes: &[MeasuredAxis]| axes.iter().map(|axis| axis.name.clone()).collect::<Vec<_>>();
            let only_the_basis_differs = names(measurements.axes()) == names(&axes);
            let (ours, theirs) = (listed(measurements.axes()), listed(&axes));
            let message = format!("the axes here are {theirs}, and {ours} in the files before");
            let mut problem = Problem::new(Place::File, message);
            if only_the_basis_differs {
                let help = "all message sizes of a map must count the same bytes: choose these with --basis, and use \
                            --basis-in for files that do not specify what they count";
                // Each collective has a basis of its own.
                let several = "; if the files are of several collectives, read their names with --path '…{collective}…'";
                let is_known = self.fixed("collective").is_some() || self.options().collective.is_some();
                problem = problem.help(format!("{help}{}", if is_known { "" } else { several }));
            }
            self.faults.add(problem);
            return None;
        }
        self.convert.time = match (unit, self.builder.measurements.unit) {
            (Some(unit), Some(ours)) => unit.in_units_of(ours),
            (None, None) => 1.0,
            _ => {
                let message = "the unit of the times is known for some files and unknown for others";
                self.faults.add(Problem::new(Place::File, message).help("specify it with --time-unit"));
                return None;
            }
        };
        self.over_ranks = Some(ranks.map(str::to_owned));
        Some(())
    }

    /// Returns the names of all axes, those of the papers first, and sets the source of each size.
    fn place(&mut self, of_rows: &[&str]) -> Option<Vec<String>> {
        let of_file =
            self.known.keys().filter(|name| !NO_AXES.contains(&&***name) && !of_rows.contains(&&***name));
        let mut names: Vec<String> =
            of_rows.iter().map(|name| (*name).to_owned()).chain(of_file.cloned()).collect();
        names.sort_by_key(|name| SIZES.iter().position(|first| first == name).unwrap_or(2));
        if names.len() > MAX_AXES {
            return self.refuse(format!(
                "{} axes: {}; the maximum is {MAX_AXES}",
                names.len(),
                names.join(", ")
            ));
        }
        names
            .iter()
            .filter(|name| !of_rows.contains(&&***name))
            .for_each(|name| self.builder.selectors.used(name));
        self.axes_of_rows = of_rows.iter().map(|name| (*name).to_owned()).collect();
        let place = |name: &String| match of_rows.iter().position(|row| row == name) {
            Some(position) => Some(Size::OfRow(position)),
            None => Some(Size::Fixed(self.fixed_size(name)?)),
        };
        let places = names.iter().map(place).collect::<Option<Vec<_>>>()?;
        self.convert = Convert::new(places, &names);
        Some(names)
    }

    /// Returns the basis to which the sizes of this file are converted by default, if they can be.
    fn natural_basis(&self, axes: &[String], from: Counted) -> Option<Basis> {
        let named = self.fixed("collective").or(self.options().collective.as_deref());
        let collective = named.map(collective_name).or_else(|| self.builder.collectives.only());
        let natural = from.natural(collective.and_then(|name| natural_basis(&name)))?;
        let has = |name: &&str| axes.iter().any(|axis| axis == name);
        // Shares must be converted, and it is an error if they cannot be.
        let is_possible = SIZES.iter().all(has) || from == Counted::Share && has(&"msg_size");
        is_possible.then_some(natural)
    }

    /// Returns the conversion of message sizes, if there is any.
    fn rebase(&mut self, axes: &[String], from: Counted, to: Basis) -> Option<Option<Rebase>> {
        let Some(scaling) = from.to(to) else {
            let message = format!(
                "the message sizes count the bytes by {}, and cannot be converted to {}",
                from.name(),
                to.name()
            );
            let help = "only blocks and totals can be converted into each other, and shares into all others";
            self.faults.add(Problem::new(Place::File, message).help(help));
            return None;
        };
        if scaling == Scaling::AsIs {
            return Some(None);
        }
        let position = |name: &str| axes.iter().position(|axis| axis == name);
        match (position("comm_size"), position("msg_size")) {
            (Some(comm_size), Some(msg_size)) => {
                let requested = self.options().basis.is_some();
                Some(Some(Rebase { comm_size, msg_size, from, scaling, requested }))
            }
            _ => self.refuse("the basis can only change if comm_size and msg_size are axes"),
        }
    }

    /// Records the machine of the rows that a column names.
    pub(super) fn machine_in_column(&mut self, column: &str, kind: MachineColumn, value: &str) {
        self.builder.machines.in_column(column, kind, value);
    }

    /// Records the machine that a header names.
    pub(super) fn machine(&mut self, value: &str) {
        self.builder.machines.in_header("machine", value);
    }

    /// Returns the number of an unnamed column.
    pub(super) fn unnamed_column(&mut self, name: &str) -> usize {
        self.builder.unnamed.column(name)
    }

    /// Records a row of a table with unnamed columns. `offer` are those that are named.
    ///
    /// A column whose value changes among the repeats of a method at a point is reported once for all files: it is not known
    /// which rows are repeats of each other.
    pub(super) fn row_of_table(&mut self, row: &Row<'_>, unnamed: &[Cell<'_>], offer: &NamedColumns) {
        // The times of several collectives are not repeats of each other, and one must be chosen first.
        if !unnamed.is_empty() && !self.builder.collectives.are_mixed() {
            let mut sizes = [0; MAX_AXES];
            if let Ok(sizes) = self.convert.sizes(row.sizes, &mut sizes) {
                for cell in unnamed {
                    self.compare(sizes, row, cell, offer);
                }
            }
        }
        self.row(row);
    }

    fn compare(&mut self, sizes: &[u64], row: &Row<'_>, cell: &Cell<'_>, offer: &NamedColumns) {
        let MeasurementBuilder { unnamed, measurements, notes, .. } = &mut *self.builder;
        match unnamed.change(sizes, row.method, cell) {
            None => {}
            Some(Change::Repeats(content)) => {
                if let Some(what) = content.note() {
                    notes.add(format!(
                        "the column `{}` {what}: rows of one point and method that differ in it count as repeats",
                        unnamed.name(cell.column)
                    ));
                }
            }
            Some(Change::Condition) => {
                let at =
                    measurements.axes().iter().zip(sizes).map(|(axis, size)| format!("{}={size}", axis.name));
                let label = measurements.methods().nth(row.method).map(|method| method.label());
                let at = format!("{} of `{}`", at.collect::<Vec<_>>().join(" "), label.unwrap_or_default());
                let problem = condition(row.line, unnamed.name(cell.column), cell.value, &at, offer);
                self.faults.note(&problem.into());
            }
        }
    }

    fn refuse<T>(&mut self, message: impl Into<Message>) -> Option<T> {
        self.faults.add(Problem::new(Place::File, message));
        None
    }

    /// Records a row.
    pub(super) fn row(&mut self, row: &Row<'_>) {
        if !self.options().fixed.is_empty() {
            for (at, own) in row.sizes.iter().enumerate() {
                let name = self.axes_of_rows[at].clone();
                self.agree(&name, |fixed| size(fixed) == Some(*own));
            }
        }
        let mut sizes = [0; MAX_AXES];
        let sizes = match self.convert.sizes(row.sizes, &mut sizes) {
            Ok(sizes) => sizes,
            Err(misfit) => return self.faults.add(misfit.problem(row.line)),
        };
        self.builder.collectives.read_from(&self.collectives);
        self.builder.machines.add_times(&mut self.folders, row.method);
        if let Some(ranks) = self.over_ranks.take() {
            self.builder.over_ranks.add(ranks, &self.name);
        }
        let run = row.run.unwrap_or_else(|| self.run_of_file());
        let file = self.file;
        match row.measured {
            Measured::Repeat(time) => {
                self.repeat(sizes, row.method, Repeat { time: time * self.convert.time, run, file });
            }
            Measured::Repeats(times) => {
                let scale = self.convert.time;
                let repeats = times.iter().map(|time| Repeat { time: time * scale, run, file });
                if self.builder.measurements.record_all(sizes, row.method, repeats) {
                    self.note("a method has both statistics and repeats at a point: the repeats are used");
                }
            }
            Measured::Rank { repeat, time } => {
                self.rank(sizes, row.method, run, repeat, time * self.convert.time);
            }
            // A benchmark's mean over a named run is one repeat: that of this run.
            Measured::Statistics(&[(Statistic::Mean, time)]) if self.known.contains_key("run") => {
                self.repeat(sizes, row.method, Repeat { time: time * self.convert.time, run, file });
            }
            Measured::Statistics(given) => self.statistics(sizes, row.method, given),
        }
        let MeasurementBuilder { measurements, ranks, unnamed, room, .. } = &mut *self.builder;
        room.set(measurements.bytes() + ranks.len() * BYTES_OF_RANKS + unnamed.bytes());
    }

    fn repeat(&mut self, sizes: &[u64], method: usize, repeat: Repeat) {
        if self.builder.measurements.record(sizes, method, repeat) {
            self.note("a method has both statistics and repeats at a point: the repeats are used");
        }
    }

    fn rank(&mut self, sizes: &[u64], method: usize, run: u16, repeat: u64, time: f64) {
        let statistic = self.options().ranks;
        let MeasurementBuilder { ranks, measurements, .. } = &mut *self.builder;
        let Series::Repeats(repeats) = measurements.series_mut(sizes, method) else {
            return self
                .note("a method has both statistics and times of ranks at a point: the statistics are used");
        };
        let (position, count) = *ranks
            .entry((sizes.to_vec(), method, run, repeat))
            .and_modify(|(_, count)| *count += 1)
            .or_insert((repeats.len(), 1));
        match repeats.get_mut(position) {
            None => repeats.push(Repeat { time, run, file: self.file }),
            Some(known) => {
                known.time = match statistic {
                    RankStatistic::Max => known.time.max(time),
                    RankStatistic::Min => known.time.min(time),
                    RankStatistic::Mean => known.time + (time - known.time) / f64::from(count),
                }
            }
        }
        if self.convert.comm_size.is_some_and(|axis| u64::from(count) > sizes[axis]) {
            self.note("a repeat has times of more ranks than the communicator: are there several runs (--columns run=COLUMN)?");
        }
    }

    fn statistics(&mut self, sizes: &[u64], method: usize, given: &[(Statistic, f64)]) {
        let factor = self.convert.time;
        let scaled = given.iter().map(|(statistic, time)| (*statistic, time * factor)).collect();
        let series = self.builder.measurements.series_mut(sizes, method);
        match series {
            series if series.is_empty() => *series = Series::Statistics(scaled),
            Series::Repeats(_) => {
                self.note("a method has both statistics and repeats at a point: the repeats are used");
            }
            Series::Statistics(_) => self.note(
                "a method has statistics twice at a point: the first ones are used (distinguish several \
                     runs with --path '…{run}…')",
            ),
        }
    }
}

/// Returns the collective after which the innermost of a file's folders is called, unless this is the name of its method, and the
/// number of names after it.
fn folder_of_collective(path: &str, method: Option<&String>) -> Option<(String, usize)> {
    let mut names = path.rsplit(['/', '\\']).enumerate().skip(1);
    names.find_map(|(depth, folder)| {
        let collective = collective_name(folder);
        let is_one = COLLECTIVES.contains(&&*collective) && method.is_none_or(|method| method != folder);
        is_one.then_some((collective, depth))
    })
}

fn listed(axes: &[MeasuredAxis]) -> String {
    let described = axes.iter().map(|axis| match axis.basis {
        Some(basis) => format!("{} ({})", axis.name, basis.name()),
        None => axis.name.clone(),
    });
    described.collect::<Vec<_>>().join(", ")
}
