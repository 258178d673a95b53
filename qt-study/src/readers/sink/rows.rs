//! The rows of a file, which become times of their collective.

use qtdec_core::domain::MAX_AXES;

use super::unnamed::Cell;
use super::{FileSink, MeasurementBuilder, Rows};
use crate::measurements::{Repeat, Statistic};
use crate::readers::advice::{MORE_RANKS, condition};
use crate::size::size;

pub(in crate::readers) struct FileRow<'r> {
    pub(in crate::readers) line: u64,
    /// The size on each axis that the reader declared.
    pub(in crate::readers) sizes: &'r [u64],
    /// The number of the row's method, or `None` for that of all rows.
    pub(in crate::readers) method: Option<usize>,
    pub(in crate::readers) run: Option<u16>,
    /// The number of the program that wrote the row, among those of the file.
    pub(in crate::readers) process: u32,
    pub(in crate::readers) measured: Measured<'r>,
}

pub(in crate::readers) enum Measured<'r> {
    /// The time of one repeat.
    Repeat(f64),
    /// The times of several repeats.
    Repeats(&'r [f64]),
    /// The time of one rank in a numbered repeat.
    Rank { repeat: u64, time: f64 },
    /// The mean of repeats that are not available.
    Mean(f64),
    /// Statistics of repeats that are not available.
    Statistics(&'r [(Statistic, f64)]),
}

impl<'r> FileRow<'r> {
    /// Returns a row with the method and the run of all rows.
    pub(in crate::readers) fn new(line: u64, sizes: &'r [u64], measured: Measured<'r>) -> Self {
        Self { line, sizes, method: None, run: None, process: 0, measured }
    }
}

impl FileSink<'_, '_> {
    /// Records a row of a table with unnamed columns.
    ///
    /// A column whose value changes among the repeats of a method at a point is reported once for all files: it is not known
    /// which rows are repeats of each other.
    pub(in crate::readers) fn row_of_table<'r>(
        &mut self,
        rows: &mut Rows,
        row: &FileRow<'_>,
        unnamed: impl ExactSizeIterator<Item = Cell<'r>>,
    ) {
        self.compare(rows, row, unnamed);
        self.row(rows, row);
    }

    /// Reports unnamed columns whose values are others than before at the same point of a method.
    fn compare<'r>(
        &mut self,
        rows: &Rows,
        row: &FileRow<'_>,
        unnamed: impl ExactSizeIterator<Item = Cell<'r>>,
    ) {
        // Where one collective must be chosen first, the times of several are not repeats of each other.
        let is_one = self.builder.each || !self.builder.collectives.are_mixed();
        let method = row.method.or(rows.method).filter(|_| is_one && unnamed.len() > 0);
        let Some(method) = method else { return };
        let mut sizes = [0; MAX_AXES];
        let Ok(sizes) = rows.convert.sizes(row.line, row.sizes, &mut sizes) else { return };
        let MeasurementBuilder { unnamed: columns, parts, notes, .. } = &mut *self.builder;
        for cell in unnamed {
            let content = columns.change(rows.part.0, sizes, method, &cell);
            let name = columns.name(cell.column);
            match content {
                None => {}
                Some(Some(content)) => {
                    if let Some(what) = content.note() {
                        notes.add(format!(
                            "the column `{name}` {what}: rows of one point and method that differ in it count as repeats"
                        ));
                    }
                }
                Some(None) => {
                    let measurements = &parts.get(rows.part.0).measurements;
                    let label = measurements.labels().nth(method).unwrap_or_default();
                    let at = format!("{} of `{label}`", measurements.place(sizes));
                    self.faults.note(&condition(row.line, name, cell.value, &at).into());
                }
            }
        }
    }

    pub(in crate::readers) fn row(&mut self, rows: &mut Rows, row: &FileRow<'_>) {
        let Some(method) = row.method.or(rows.method) else { return };
        let builder = &mut *self.builder;
        let (name, known, part) = (&self.name, &self.known, rows.part.0);
        if !builder.options.fixed.is_empty() {
            for (axis, own) in rows.axes.iter().zip(row.sizes) {
                if builder.options.fixed.get(axis).is_some_and(|fixed| size(fixed) != Some(*own)) {
                    builder.selectors.given(axis);
                }
            }
        }
        let mut sizes = [0; MAX_AXES];
        let sizes: &[u64] = match rows.convert.sizes(row.line, row.sizes, &mut sizes) {
            Ok(sizes) => sizes,
            Err(problem) => return self.faults.add(problem),
        };
        builder.collectives.read_from(&self.collectives, name);
        builder.machines.add_times(&mut self.folders, method);
        let is_canonical = self.is_canonical;
        builder.names.add_row(self.first_process, name, known, self.names_machine, is_canonical, self.dated);
        let times = builder.parts.get(part);
        let notes = &mut builder.notes;
        if std::mem::take(&mut rows.are_empty) {
            times.over_ranks.add(rows.ranks.clone(), name);
        }
        let run = match row.run.or(rows.run) {
            Some(run) => run,
            None => {
                builder.selectors.used("job");
                builder.selectors.used("run");
                match times.measurements.run_of_job(&known.launch(""), known.job.as_deref()) {
                    Ok(run) => *rows.run.insert(run),
                    Err(problem) => return self.faults.add(problem),
                }
            }
        };
        let file = self.first_process.saturating_add(row.process);
        builder.files = builder.files.max(file.saturating_add(1));
        let scale = rows.convert.time;
        let repeat = |time: f64| Repeat { time: time * scale, run, file };
        match row.measured {
            Measured::Repeat(time) => times.repeats(sizes, method, [repeat(time)], notes),
            Measured::Repeats(all) => {
                times.repeats(sizes, method, all.iter().map(|time| repeat(*time)), notes);
            }
            Measured::Rank { repeat: number, time } => {
                let count = times.rank(sizes, method, number, repeat(time), builder.options.ranks, notes);
                if rows.convert.comm_size.is_some_and(|axis| u64::from(count) > sizes[axis]) {
                    notes.add(MORE_RANKS);
                }
            }
            // A benchmark's mean over a named run is one repeat: that of this run.
            Measured::Mean(time) | Measured::Statistics(&[(Statistic::Mean, time)])
                if known.names_launch() =>
            {
                times.repeats(sizes, method, [repeat(time)], notes);
            }
            Measured::Mean(time) => {
                times.statistics(sizes, method, file, vec![(Statistic::Mean, time * scale)], notes);
            }
            Measured::Statistics(given) => {
                let scaled = given.iter().map(|(statistic, time)| (*statistic, time * scale));
                times.statistics(sizes, method, file, scaled.collect(), notes);
            }
        }
        builder.taken.set(builder.parts.bytes_after(part) + builder.unnamed.bytes() + builder.names.bytes);
    }
}
