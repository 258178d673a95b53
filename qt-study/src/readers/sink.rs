//! The destination of all readers: the one place that selects, converts and records data.

mod begin;
mod collectives;
mod convert;
mod earlier;
mod known;
mod layout;
mod machines;
mod names;
mod part;
mod rows;
mod telling;
mod unnamed;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use qtdec_core::{Diagnostics, Place, Problem, Problems};

use super::advice;
use super::argument::{self, Sample};
use super::collective_name;
use super::lines::{Time, time, unexpected};
use super::missing_runs::missing_runs;
use super::options::ReadOptions;
use super::path::PathPattern;
use super::room::Room;
use super::selectors::Selectors;
use crate::canonical::Times;
use crate::measurements::{MeasuredMethod, Measurements, Statistic};
use crate::notes::Notes;
use crate::size::size;
use qtdec_times::about::{About, GROUP, MACHINE};
use qtdec_times::faults::Faults;

use collectives::{Collectives, FileCollectives, folder_of_collective};
use convert::Convert;
pub(super) use known::Known;
use machines::{FileFolders, Machines};
pub(super) use machines::{MachineColumn, machine_column};
use names::{Dated, FileNames};
use part::{CollectiveTimes, Parts};
pub(super) use unnamed::Cell;
use unnamed::Unnamed;

/// Measurements under construction.
pub(super) struct MeasurementBuilder<'a> {
    pub(super) options: &'a ReadOptions,
    parts: Parts<'a>,
    /// What files say of all their times.
    about: About,
    notes: Notes,
    collectives: Collectives<'a>,
    unnamed: Unnamed,
    machines: Machines,
    names: FileNames,
    /// Groups of benchmarks after the first, whose times are left out.
    other_groups: BTreeSet<String>,
    pub(super) selectors: Selectors,
    pub(super) room: Room,
    /// When the file that is read was written, in seconds since a fixed date.
    pub(super) written: Option<i64>,
    /// The number of files begun.
    files: u32,
    /// Whether times of several collectives are wanted.
    each: bool,
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
}

/// The reader's view of one file.
pub(super) struct FileSink<'a, 'c> {
    builder: &'c mut MeasurementBuilder<'a>,
    name: String,
    known: Known,
    collectives: FileCollectives,
    folders: FileFolders,
    pub(super) faults: Faults,
    /// Whether the file is a table of something else.
    pub(super) foreign: bool,
    /// The number of the program that wrote the repeats, and that of the first one in the file.
    file: u32,
    first_file: u32,
    /// Whether the file names the machine of its times.
    names_machine: bool,
    /// The date of the file, if it has the times of one benchmark.
    dated: Option<Dated>,
    /// The units of axes, if the file determines them and its sizes are not converted by default.
    units: Option<BTreeMap<String, Option<String>>>,
    /// The axes that have labels.
    labelled: Vec<String>,
    /// The collective of the rows that follow, by the number of its part.
    part: Option<usize>,
    /// What the file's rows of each collective are.
    begun: HashMap<usize, Begun>,
}

/// What the rows of a collective are in a file.
#[derive(Default)]
struct Begun {
    /// The names of the sizes in a row.
    axes_of_rows: Vec<String>,
    convert: Convert,
    /// The run of rows that name none, once there are such rows.
    run: Option<u16>,
    /// The statistic over the ranks, if it is known.
    ranks: Option<String>,
    has_rows: bool,
}

/// One row of a file.
pub(super) struct FileRow<'r> {
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
    /// Creates a builder; `each` is whether times of several collectives are wanted, instead of a fault.
    pub(super) fn new(options: &'a ReadOptions, each: bool) -> Self {
        let requested = options.collective.as_deref();
        Self {
            options,
            parts: Parts::new(requested),
            about: About::default(),
            notes: Notes::default(),
            collectives: Collectives::new(requested),
            unnamed: Unnamed::default(),
            machines: Machines::default(),
            names: FileNames::default(),
            other_groups: BTreeSet::new(),
            selectors: Selectors::default(),
            room: Room::default(),
            written: None,
            files: 0,
            each,
            canonical: CanonicalFiles::default(),
            has_kept: false,
        }
    }

    pub(super) fn notes(&mut self) -> &mut Notes {
        &mut self.notes
    }

    /// Returns whether no time was read.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.are_empty()
    }

    /// Returns the fault that times of several collectives were read and the user has not chosen one, or not said of which some are.
    pub(super) fn mixed(&self) -> Option<Problem> {
        if self.each { self.collectives.unnamed_among_several() } else { self.collectives.mixed() }
    }

    /// Returns the fault that there are benchmarks of several groups.
    pub(super) fn several_groups(&self) -> Option<Problem> {
        let others = self.other_groups.iter().map(String::as_str);
        let groups: Vec<&str> = self.about.get(GROUP).into_iter().chain(others).collect();
        (groups.len() > 1).then(|| advice::several_groups(groups))
    }

    /// Returns the faults that times of several machines were read and the user has not chosen one.
    pub(super) fn several_machines(&self) -> Vec<Problem> {
        let ReadOptions { repeats, path, .. } = self.options;
        let mut several = self.machines.several(repeats, path.as_ref());
        if !repeats.iter().any(|column| machine_column(column).is_some()) {
            several.extend(self.names.apart(self.parts.iter(), path.as_ref()));
        }
        several
    }

    /// Returns the fault that results of an earlier run are among those of the last one, and the user has not chosen by paths.
    pub(super) fn earlier_points(&self) -> Option<Problem> {
        self.options.path.is_none().then(|| earlier::earlier_points(&self.names, self.parts.iter()))?
    }

    /// Returns the measurements of each collective.
    pub(super) fn finish(mut self) -> Result<(Vec<Measurements>, Notes), Problems> {
        let pattern = self.options.path.as_ref().map(PathPattern::as_str);
        if let Some(problem) =
            self.collectives.missing().or_else(|| self.collectives.in_several_folders(pattern))
        {
            return Err(problem.into());
        }
        let is_empty = self.parts.are_empty();
        let mut check = Diagnostics::default();
        self.selectors
            .faults(self.options, is_empty && !self.has_kept)
            .into_iter()
            .for_each(|fault| check.add(fault));
        check.finish(Some(()))?;
        if self.has_kept && is_empty {
            return Ok((Vec::new(), self.notes));
        }
        if is_empty {
            return Err(Problem::new(Place::File, "no times were found")
                .help(
                    "the files are empty, are not measurements, or contain nothing that matches the options",
                )
                .into());
        }
        let has_msg_size =
            |part: &CollectiveTimes| part.measurements.axes().iter().any(|axis| axis.name == "msg_size");
        if (self.options.basis.is_some() || self.options.basis_in.is_some())
            && !self.parts.iter().any(has_msg_size)
        {
            self.notes.add(advice::no_use_of_bases());
        }
        if let Some(machine) = self.machines.only()
            && self.options.machine.is_none()
            && !self.about.has_key(MACHINE)
        {
            self.about.add(MACHINE, &machine)?;
        }
        let only = self.collectives.finish(&mut self.notes);
        let mut all = Vec::new();
        for part in self.parts.into_sorted() {
            let CollectiveTimes { collective, mut measurements, over_ranks, .. } = part;
            if measurements.is_empty() {
                continue;
            }
            if let Some(missing) = missing_runs(&measurements) {
                self.notes.add(missing);
            }
            let names: Vec<&str> = measurements.axes().iter().map(|axis| &*axis.name).collect();
            if let Some(unnamed) = argument::unnamed(&names) {
                self.notes.add(unnamed);
            }
            if let Some(mixed) = over_ranks.mixed() {
                self.notes.add(mixed);
            }
            measurements.ranks = over_ranks.name();
            measurements.about = self.about.clone();
            measurements.collective = collective.or_else(|| only.clone()).map(|name| name.to_lowercase());
            all.push(measurements);
        }
        Ok((all, self.notes))
    }
}

impl<'a, 'c> FileSink<'a, 'c> {
    /// Begins a file. Returns `None` if its path names a collective that is not requested.
    pub(super) fn new(
        builder: &'c mut MeasurementBuilder<'a>,
        name: &str,
        known: Known,
        faults: Faults,
    ) -> Option<Self> {
        let folder = folder_of_collective(name, known.method.as_deref());
        let folders = FileFolders::new(name, &known);
        let collectives = builder.collectives.begin(known.collective.clone(), folder)?;
        let file = builder.files;
        builder.files = builder.files.saturating_add(1);
        Some(Self {
            builder,
            name: name.to_owned(),
            known,
            collectives,
            folders,
            faults,
            foreign: false,
            file,
            first_file: file,
            names_machine: false,
            dated: None,
            units: None,
            labelled: Vec::new(),
            part: None,
            begun: HashMap::new(),
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

    /// Returns whether the rows of a collective that the file names are read; the rows that follow are of this one.
    pub(super) fn selects(&mut self, collective: &str) -> bool {
        let is_selected = self.builder.collectives.selects_in(&mut self.collectives, collective);
        if is_selected {
            self.part = Some(self.builder.parts.number(Some(collective)));
        }
        is_selected
    }

    /// Declares that the rows that follow name no collective.
    pub(super) fn names_none(&mut self) {
        self.part = None;
    }

    /// Returns the number of the collective of the rows that follow.
    pub(super) fn part(&mut self) -> usize {
        let Self { builder, known, part, .. } = self;
        *part.get_or_insert_with(|| builder.parts.number(known.collective.as_deref()))
    }

    /// Returns what is known of all rows from the path or the user.
    pub(super) fn known(&self) -> &Known {
        &self.known
    }

    /// Returns the collective of all rows, if the path or the user names it.
    pub(super) fn collective(&self) -> Option<String> {
        let requested = || self.options().collective.as_deref().map(collective_name);
        self.known.collective.clone().or_else(requested)
    }

    /// Returns the name of the file.
    pub(super) fn file(&self) -> &str {
        &self.name
    }

    /// Returns whether the path or the user fix sizes of axes.
    pub(super) fn names_axes(&self) -> bool {
        !self.known.sizes().is_empty()
    }

    fn whole(&mut self, name: &str, text: &str) -> Option<u64> {
        let size = size(text);
        if size.is_none() {
            let problem = Problem::new(Place::File, format!("`{name}` is `{text}`, not a whole number"));
            self.faults.add(problem);
        }
        size
    }

    /// Returns the method of a file that does not name it, from its path or the user.
    pub(super) fn fixed_method(&mut self, default: Option<&str>) -> Option<usize> {
        let Known { method, segment_size, .. } = self.known.clone();
        let name = method.or_else(|| default.map(str::to_owned));
        let segment_size = segment_size.and_then(|text| self.whole("segment_size", &text));
        let segment_size = segment_size.filter(|&size| size > 0);
        let Some(name) = name else {
            self.faults
                .add(Problem::new(Place::File, "the file does not name the method").help(advice::method()));
            return None;
        };
        self.builder.selectors.used("method");
        self.builder.selectors.used("segment_size");
        Some(self.measurements().method(MeasuredMethod { name, segment_size }))
    }

    fn measurements(&mut self) -> &mut Measurements {
        let part = self.part();
        &mut self.builder.parts.get(part).measurements
    }

    /// Returns the number of a method that the file names, among those of the collective.
    pub(super) fn method(&mut self, method: MeasuredMethod) -> usize {
        let segment_size = method.segment_size.unwrap_or_default();
        self.agree("method", |fixed| fixed == method.name);
        self.agree("segment_size", |fixed| size(fixed) == Some(segment_size));
        self.measurements().method(method)
    }

    /// Records a constant of a method.
    pub(super) fn constant(&mut self, line: u64, method: usize, name: &str, value: u64) {
        if let Some(known) = self.measurements().set_constant(method, name, value) {
            let label = self.measurements().methods().nth(method).map(|method| method.label());
            self.faults.add(advice::several_constants(line, name, &label.unwrap_or_default(), known, value));
        }
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
                    return Err(advice::no_argument(&key, &column, &known));
                }
            }
        }
        Ok(renamed)
    }

    /// Returns the number of a run that a row names, among those of the collective.
    pub(super) fn run(&mut self, name: &str) -> u16 {
        self.agree("run", |fixed| fixed == name);
        self.measurements().run(name)
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

    /// Declares the axes that have labels instead of sizes.
    pub(super) fn has_labels(&mut self, axes: Vec<String>) {
        self.labelled = axes;
    }

    /// Returns the size that stands for a label on an axis that has labels, once the rows of the file have begun.
    pub(super) fn label(&mut self, axis: &str, label: &str) -> Option<u64> {
        let measurements = self.measurements();
        let position = measurements.axes().iter().position(|known| known.name == axis)?;
        Some(measurements.label(position, label))
    }

    /// Returns the size of each sample of a row, once the rows of the file have begun.
    pub(super) fn sizes(&mut self, axes: &[&str], samples: &[(String, Sample)]) -> Vec<u64> {
        let size = |(axis, (_, sample)): (&&str, &(String, Sample))| match sample {
            Sample::Size(size) => Some(*size),
            Sample::Label(label) => self.label(axis, label),
        };
        axes.iter().zip(samples).filter_map(size).collect()
    }

    /// Records the memory that the file takes before its times are recorded.
    pub(super) fn takes(&mut self, bytes: usize) {
        let part = self.part();
        self.builder.room.set(self.builder.parts.bytes_after(part) + bytes);
    }

    /// Adds what a file says of all its times.
    pub(super) fn about(&mut self, about: &About) {
        self.names_machine |= about.has_key(MACHINE);
        if let Err(problem) = self.builder.about.merge(about) {
            self.faults.add(problem);
        }
    }

    /// Returns whether the benchmarks of this group are read: those of the first one are.
    ///
    /// # Errors
    ///
    /// Fails if the name is none that canonical times can hold.
    pub(super) fn is_of_group(&mut self, group: &str) -> Result<bool, Problem> {
        let MeasurementBuilder { about, other_groups, .. } = &mut *self.builder;
        match about.get(GROUP) {
            Some(first) if first != group => {
                other_groups.insert(group.to_owned());
                Ok(false)
            }
            Some(_) => Ok(true),
            None => about.add(GROUP, group).map(|()| true),
        }
    }

    /// Declares that folders are named after arguments of benchmarks, not after machines.
    pub(super) fn has_folders_of_arguments(&mut self) {
        self.folders.without_arguments();
    }

    /// Declares that the file has the times of one benchmark, which was measured for this number of seconds.
    pub(super) fn lasted(&mut self, lasted: f64) {
        self.dated = self.builder.written.map(|written| Dated { written, lasted });
    }

    /// Keeps canonical times as they are, or returns those that are to be converted.
    pub(super) fn keep(&mut self, times: Times) -> Option<Times> {
        let ReadOptions { collective, basis, basis_in, .. } = self.builder.options;
        let is_changed = basis.is_some() || basis_in.is_some() || !self.known.is_empty();
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

    /// Records the machine of the rows that a column names.
    pub(super) fn machine_in_column(&mut self, column: &str, kind: MachineColumn, value: &str) {
        self.names_machine |= kind == MachineColumn::Machine;
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
}
