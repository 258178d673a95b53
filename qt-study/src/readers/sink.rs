//! The destination of all readers: the one place that selects, converts and records data.
//!
//! A reader asks for a part of the file ([`FileSink::part`]), says what its rows have in common ([`FileSink::begin`]) and gives them
//! ([`FileSink::row`]): each step takes the value that the one before returned.

mod collectives;
mod earlier;
mod known;
mod layout;
mod machines;
mod names;
mod part;
mod rows;
mod section;
mod telling;
mod unnamed;

use std::collections::BTreeSet;

use qtdec_core::listing::{in_backticks, shortened};
use qtdec_core::{Diagnostics, Method, Place, Problem, Problems};

use super::advice;
use super::argument;
use super::collective_name;
use super::limits::TakenMemory;
use super::lines::{Time, time, unexpected};
use super::missing_runs::missing_runs;
use super::options::ReadOptions;
use super::selectors::Selectors;
use crate::canonical::{Jobs, Times};
use crate::measurements::Measurements;
use crate::notes::Notes;
use crate::size::size;
use qtdec_times::about::{About, GROUP, MACHINE};
use qtdec_times::faults::Faults;

use collectives::{Collectives, FileCollectives, folder_of_collective};
pub(super) use known::Known;
use machines::{FileFolders, Machines};
pub(super) use machines::{MachineColumn, machine_column};
use names::{Dated, FileNames};
use part::{CollectiveTimes, Parts};
pub(super) use rows::{FileRow, Measured};
pub(super) use section::{MethodOf, Rows, Section};
pub(super) use unnamed::Cell;
use unnamed::Unnamed;

pub(super) struct MeasurementBuilder<'a> {
    pub(super) options: &'a ReadOptions,
    parts: Parts<'a>,
    /// What files say of all their times.
    about: About,
    pub(super) notes: Notes,
    collectives: Collectives<'a>,
    pub(super) unnamed: Unnamed,
    machines: Machines,
    names: FileNames,
    /// Groups of benchmarks after the first, whose times are left out.
    other_groups: BTreeSet<String>,
    pub(super) selectors: Selectors,
    pub(super) taken: TakenMemory,
    /// When the file that is read was written, in seconds since a fixed date.
    pub(super) written: Option<i64>,
    /// The number of files begun.
    files: u32,
    /// Whether times of several collectives are wanted.
    each: bool,
    /// Whether canonical times remain as they are, all together, instead of becoming measurements.
    pub(super) keeps: bool,
    kept: Option<Times>,
}

/// What was read: canonical times as they are, and the measurements of each collective.
pub(super) type Read = (Option<Times>, Vec<Measurements>, Notes);

/// The reader's view of one file.
pub(super) struct FileSink<'a, 'c> {
    pub(super) builder: &'c mut MeasurementBuilder<'a>,
    pub(super) name: String,
    /// The values that the path or the user gives all rows.
    pub(super) known: Known,
    pub(super) options: &'a ReadOptions,
    collectives: FileCollectives,
    folders: FileFolders,
    pub(super) faults: Faults,
    /// Whether the file holds something else than times by size.
    pub(super) foreign: bool,
    /// The first line that was skipped because it is no row of the table around it.
    skipped: Option<(u64, String)>,
    /// The number of the first program in the file.
    first_process: u32,
    /// Whether the file names the machine of its times.
    names_machine: bool,
    /// Whether these are canonical times.
    is_canonical: bool,
    /// The date of the file, if it has the times of one benchmark.
    dated: Option<Dated>,
}

/// The rows of a file that are of one collective, by the number of its times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct PartNumber(usize);

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
            taken: TakenMemory::default(),
            written: None,
            files: 0,
            each,
            keeps: false,
            kept: None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.are_empty()
    }

    /// Returns the faults that the user has to choose among the times that were read: of several collectives, of which one may be unnamed, of
    /// several groups of benchmarks, of several machines, or of an earlier run and the last one.
    pub(super) fn choices(&self) -> Vec<Problem> {
        let ReadOptions { repeats, path, .. } = self.options;
        let mixed =
            if self.each { self.collectives.unnamed_among_several() } else { self.collectives.mixed() };
        let mut faults: Vec<Problem> = mixed.into_iter().collect();
        let others = self.other_groups.iter().map(String::as_str);
        let mut groups: Vec<&str> = self.about.get(GROUP).into_iter().chain(others).collect();
        if groups.len() > 1 {
            groups.sort_unstable();
            let count = if groups.len() == 2 { "two".to_owned() } else { groups.len().to_string() };
            let message = format!("the times are of {count} groups of benchmarks: {}", in_backticks(&groups));
            let help = "give the folder of one group: each decides something else";
            faults.push(Problem::new(Place::File, message).help(help));
        }
        faults.extend(self.machines.several(repeats, path.as_ref()));
        if !repeats.iter().any(|column| machine_column(column).is_some()) {
            faults.extend(self.names.apart(self.parts.iter(), path.as_ref()));
        }
        if path.is_none() {
            faults.extend(earlier::earlier_points(&self.names, self.parts.iter()));
        }
        faults
    }

    pub(super) fn finish(mut self) -> Result<Read, Problems> {
        let pattern = self.options.path.as_ref();
        if let Some(problem) =
            self.collectives.missing().or_else(|| self.collectives.in_several_folders(pattern))
        {
            return Err(problem.into());
        }
        let is_empty = self.parts.are_empty();
        let mut check = Diagnostics::default();
        for fault in self.selectors.faults(self.options, is_empty && self.kept.is_none()) {
            check.add(fault);
        }
        check.finish(Some(()))?;
        if self.kept.is_some() && is_empty {
            return Ok((self.kept, Vec::new(), self.notes));
        }
        if is_empty {
            let help =
                "the files are empty, are not measurements, or contain nothing that matches the options";
            return Err(Problem::new(Place::File, "no times were found").help(help).into());
        }
        let has_msg_size =
            |part: &CollectiveTimes| part.measurements.axes().iter().any(|axis| axis.name == "msg_size");
        if (self.options.basis.is_some() || self.options.basis_in.is_some())
            && !self.parts.iter().any(has_msg_size)
        {
            self.notes.add(advice::NO_USE_OF_BASES);
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
        Ok((self.kept, all, self.notes))
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
        let options = builder.options;
        Some(Self {
            builder,
            name: name.to_owned(),
            known,
            options,
            collectives,
            folders,
            faults,
            foreign: false,
            skipped: None,
            first_process: file,
            names_machine: false,
            is_canonical: false,
            dated: None,
        })
    }

    /// Ends the file and returns all its faults.
    pub(super) fn finish(mut self) -> Result<(), Problems> {
        let MeasurementBuilder { collectives, notes, .. } = &mut *self.builder;
        if let Err(problem) = collectives.end(self.collectives, notes) {
            self.faults.add(problem);
        }
        match self.skipped.take() {
            Some((line, text)) if self.builder.is_empty() => {
                let message = format!("the table has no rows, but a message: `{text}`");
                self.faults.add(Problem::new(Place::Line(line), message).help("did the benchmark fail?"));
            }
            Some((line, text)) => {
                let message = "is no row of the table around it, and was skipped like others of this kind";
                self.builder.notes.add(format!("line {line} of `{}` {message}: `{text}`", self.name));
            }
            None => {}
        }
        self.faults.finish()
    }

    /// Returns the collective of all rows, if the path or the user names it.
    pub(super) fn collective(&self) -> Option<String> {
        let requested = || self.options.collective.as_deref().map(collective_name);
        self.known.collective.clone().or_else(requested)
    }

    pub(super) fn note(&mut self, what: impl Into<String>) {
        self.builder.notes.add(what);
    }

    /// Records that a line was skipped because it is no row of the table around it.
    pub(super) fn skipped_line(&mut self, line: u64, text: &str) {
        self.skipped.get_or_insert_with(|| (line, shortened(text)));
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

    /// Returns the rows of a collective that the file names, or of a file that names none; `None` if they are not read.
    pub(super) fn part(&mut self, named: Option<&str>) -> Option<PartNumber> {
        let Self { builder, collectives, known, .. } = self;
        let is_selected = named.is_none_or(|named| builder.collectives.selects_in(collectives, named));
        let collective = named.or(known.collective.as_deref());
        is_selected.then(|| PartNumber(builder.parts.number(collective)))
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
    fn fixed_method(&mut self, part: PartNumber, default: Option<&str>) -> Option<usize> {
        let Known { method, segment_size, .. } = self.known.clone();
        let name = method.or_else(|| default.map(str::to_owned));
        let segment_size = segment_size.and_then(|text| self.whole("segment_size", &text));
        let segment_size = segment_size.filter(|&size| size > 0);
        let Some(name) = name else {
            self.faults
                .add(Problem::new(Place::File, "the file does not name the method").help(advice::METHOD));
            return None;
        };
        self.builder.selectors.used("method");
        self.builder.selectors.used("segment_size");
        Some(self.measurements(part).method(Method { segment_size, ..Method::new(name) }))
    }

    fn measurements(&mut self, PartNumber(number): PartNumber) -> &mut Measurements {
        &mut self.builder.parts.get(number).measurements
    }

    /// Returns the number of a method that the file names, among those of the collective.
    pub(super) fn method(&mut self, part: PartNumber, method: Method) -> usize {
        let segment_size = method.segment_size.unwrap_or_default();
        self.agree("method", |fixed| fixed == method.name);
        self.agree("segment_size", |fixed| size(fixed) == Some(segment_size));
        self.measurements(part).method(method)
    }

    pub(super) fn constant(&mut self, part: PartNumber, line: u64, method: usize, name: &str, value: u64) {
        let measurements = self.measurements(part);
        if let Some(known) = measurements.set_constant(method, name, value) {
            let label = measurements.labels().nth(method);
            self.faults.add(advice::several_constants(line, name, &label.unwrap_or_default(), known, value));
        }
    }

    /// Records that the file gives a name itself, if its value is not the one that the user fixed.
    fn agree(&mut self, name: &str, is_fixed: impl Fn(&str) -> bool) {
        if self.options.fixed.get(name).is_some_and(|fixed| !is_fixed(fixed)) {
            self.builder.selectors.given(name);
        }
    }

    /// Returns the number of a run that a row names, among those of the collective.
    pub(super) fn run(&mut self, part: PartNumber, name: &str) -> u16 {
        self.agree("run", |fixed| fixed == name);
        self.builder.selectors.used("job");
        let Known { job, .. } = &self.known;
        let launch = self.known.launch(name);
        let run = self.builder.parts.get(part.0).measurements.run_of_job(&launch, job.as_deref());
        self.numbered(run)
    }

    /// Returns the number of a launch with its job, both of which canonical times name.
    pub(super) fn launch_of_job(&mut self, part: PartNumber, name: &str, job: &str) -> u16 {
        self.agree("run", |fixed| fixed == name);
        self.agree("job", |fixed| fixed == job);
        let run = self.measurements(part).run_of_job(name, Some(job));
        self.numbered(run)
    }

    /// Adds what canonical times say of jobs.
    pub(super) fn describe_jobs(&mut self, part: PartNumber, jobs: &Jobs) {
        for job in jobs.described() {
            let described = self.measurements(part).jobs.describe(job);
            self.note_fault(described);
        }
    }

    fn numbered(&mut self, run: Result<u16, Problem>) -> u16 {
        run.unwrap_or_else(|problem| {
            self.faults.add(problem);
            0
        })
    }

    /// Records the memory that the file takes before its times are recorded.
    pub(super) fn takes(&mut self, bytes: usize) {
        let part = self.builder.parts.number(self.known.collective.as_deref());
        self.builder.taken.set(self.builder.parts.bytes_after(part) + bytes);
    }

    /// Adds what a file says of all its times.
    pub(super) fn about(&mut self, about: &About) {
        self.is_canonical = true;
        self.names_machine |= about.has_key(MACHINE);
        if let Err(problem) = self.builder.about.merge(about) {
            self.faults.add(problem);
        }
    }

    /// Returns whether the benchmarks of this group are read: those of the first one are.
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

    /// Declares that the file has the times of one benchmark, which was measured for this number of seconds, and that its folders are
    /// named after arguments, not after machines.
    pub(super) fn is_of_one_benchmark(&mut self, lasted: f64) {
        self.folders.without_arguments();
        self.dated = self.builder.written.map(|written| Dated { written, lasted });
    }

    /// Keeps canonical times as they are, or returns those that are to be converted.
    pub(super) fn keep(&mut self, times: Times) -> Option<Times> {
        let ReadOptions { collective, basis, basis_in, .. } = self.builder.options;
        let is_changed = basis.is_some() || basis_in.is_some() || !self.known.is_empty();
        if is_changed || !self.builder.keeps {
            return Some(times);
        }
        let times = match collective {
            Some(collective) => times.of_collective(collective),
            None => Ok(Some(times)),
        };
        let merged = times.and_then(|times| match (self.builder.kept.take(), times) {
            (Some(kept), Some(times)) => kept.merge(times).map(Some),
            (kept, times) => Ok(kept.or(times)),
        });
        match merged {
            Ok(times) => self.builder.kept = times,
            Err(problems) => self.faults.note(&problems),
        }
        None
    }

    /// Records the machine of the rows that a column names.
    pub(super) fn machine_in_column(&mut self, column: &str, kind: MachineColumn, value: &str) {
        self.names_machine |= kind == MachineColumn::Machine;
        self.builder.machines.in_column(column, kind, value);
    }
}
