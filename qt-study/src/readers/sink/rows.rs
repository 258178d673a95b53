//! The rows of a file, which become times of their collective.

use qtdec_core::domain::MAX_AXES;

use super::part::OfRank;
use super::unnamed::{Cell, Change};
use super::{FileRow, FileSink, Measured, MeasurementBuilder};
use crate::measurements::{Repeat, Statistic};
use crate::readers::advice::{NamedColumns, condition};
use crate::size::size;
use qtdec_times::faults::Faults;

impl FileSink<'_, '_> {
    /// Records a row of a table with unnamed columns. `offer` are those that are named.
    ///
    /// A column whose value changes among the repeats of a method at a point is reported once for all files: it is not known
    /// which rows are repeats of each other.
    pub(in crate::readers) fn row_of_table<'r>(
        &mut self,
        row: &FileRow<'_>,
        unnamed: impl ExactSizeIterator<Item = Cell<'r>>,
        offer: &NamedColumns,
    ) {
        let part = self.part();
        // Where one collective must be chosen first, the times of several are not repeats of each other.
        let is_one = self.builder.each || !self.builder.collectives.are_mixed();
        if unnamed.len() > 0
            && is_one
            && let Some(begun) = self.begun.get(&part)
        {
            let mut sizes = [0; MAX_AXES];
            if let Ok(sizes) = begun.convert.sizes(row.sizes, &mut sizes) {
                for cell in unnamed {
                    self.builder.compare(part, sizes, row, &cell, offer, &mut self.faults);
                }
            }
        }
        self.row(row);
    }

    /// Records a row.
    pub(in crate::readers) fn row(&mut self, row: &FileRow<'_>) {
        let part = self.part();
        let Self {
            builder,
            known,
            collectives,
            folders,
            faults,
            name,
            file,
            first_file,
            names_machine,
            dated,
            begun,
            ..
        } = self;
        let Some(begun) = begun.get_mut(&part) else { return };
        let MeasurementBuilder {
            options,
            parts,
            notes,
            selectors,
            machines,
            names,
            unnamed,
            room,
            collectives: all,
            ..
        } = &mut **builder;
        if !options.fixed.is_empty() {
            for (axis, own) in begun.axes_of_rows.iter().zip(row.sizes) {
                if options.fixed.get(axis).is_some_and(|fixed| size(fixed) != Some(*own)) {
                    selectors.given(axis);
                }
            }
        }
        let mut sizes = [0; MAX_AXES];
        let sizes: &[u64] = match begun.convert.sizes(row.sizes, &mut sizes) {
            Ok(sizes) => sizes,
            Err(misfit) => return faults.add(misfit.problem(row.line)),
        };
        all.read_from(collectives, name);
        machines.add_times(folders, row.method);
        names.add_row(*first_file, name, known, *names_machine, *dated);
        let times = parts.get(part);
        if !begun.has_rows {
            begun.has_rows = true;
            times.over_ranks.add(begun.ranks.clone(), name);
        }
        let run = row.run.or(begun.run).unwrap_or_else(|| {
            selectors.used("run");
            let run = times.measurements.run(known.run.as_deref().unwrap_or_default());
            *begun.run.insert(run)
        });
        let (method, file, scale) = (row.method, *file, begun.convert.time);
        let repeat = |time: f64| Repeat { time: time * scale, run, file };
        match row.measured {
            Measured::Repeat(time) => times.repeat(sizes, method, repeat(time), notes),
            Measured::Repeats(all) => {
                times.repeats(sizes, method, all.iter().map(|time| repeat(*time)), notes);
            }
            Measured::Rank { repeat, time } => {
                let comm_size = begun.convert.comm_size.map(|axis| sizes[axis]);
                let (time, statistic) = (time * scale, options.ranks);
                times.rank(sizes, method, &OfRank { run, file, repeat, time, comm_size, statistic }, notes);
            }
            // A benchmark's mean over a named run is one repeat: that of this run.
            Measured::Statistics(&[(Statistic::Mean, time)]) if known.run.is_some() => {
                times.repeat(sizes, method, repeat(time), notes);
            }
            Measured::Statistics(given) => {
                let scaled = given.iter().map(|(statistic, time)| (*statistic, time * scale)).collect();
                times.statistics(sizes, method, file, scaled, notes);
            }
        }
        room.set(parts.bytes_after(part) + unnamed.bytes() + names.bytes());
    }
}

impl MeasurementBuilder<'_> {
    /// Reports an unnamed column whose value is another one than before at the same point of a method.
    fn compare(
        &mut self,
        part: usize,
        sizes: &[u64],
        row: &FileRow<'_>,
        cell: &Cell<'_>,
        offer: &NamedColumns,
        faults: &mut Faults,
    ) {
        let Self { unnamed, parts, notes, .. } = self;
        match unnamed.change(part, sizes, row.method, cell) {
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
                let measurements = &parts.get(part).measurements;
                let at = measurements.axes().iter().zip(sizes).map(|(axis, size)| axis.at(*size));
                let label = measurements.methods().nth(row.method).map(|method| method.label());
                let at = format!("{} of `{}`", at.collect::<Vec<_>>().join(" "), label.unwrap_or_default());
                let name = unnamed.name(cell.column);
                let problem = condition(row.line, name, cell.value, &at, offer);
                faults.note(&problem.into());
            }
        }
    }
}
