//! Canonical times, the form `qtdec-times/1`: the file is complete after each cell.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use qtdec_core::{Basis, Problems};
use qtdec_mpi_schedule::Collective;
use qtdec_times as canonical;
use qtdec_times::{About, Builder, Header, Job, Named, Row, SEGMENT_SIZE, Sample, Series, TimeUnit};

use super::method::Method;
use crate::replace::replace;

/// What all times of a run have in common.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) collective: Collective,
    pub(crate) basis: Basis,
    pub(crate) launch: String,
    /// The job of the launch, if it is known.
    pub(crate) job: Option<Job>,
    pub(crate) process: u32,
}

impl Run {
    /// Returns the name of the launch in the times: launches of different jobs are different.
    fn name(&self) -> Cow<'_, str> {
        match &self.job {
            Some(job) => format!("{}/{}", job.name, self.launch).into(),
            None => (&*self.launch).into(),
        }
    }

    /// Returns whether a launch in the times is this one, in whatever job it was begun.
    fn is_named(&self, name: &str) -> bool {
        name.strip_suffix(&*self.launch).is_some_and(|job| job.is_empty() || job.ends_with('/'))
    }
}

/// A file of times that grows cell by cell.
#[derive(Debug)]
pub(crate) struct Times {
    path: PathBuf,
    run: Run,
    header: Header,
    /// The cells that are in the file.
    all: Option<canonical::Times>,
    cell: Builder,
}

impl Times {
    /// Starts a file, or goes on with one if it exists and `resume` is set.
    pub(crate) fn new(path: &Path, about: About, run: Run, resume: bool) -> Result<Self, String> {
        let named = |name: &str, unit: &str| Named { name: name.to_owned(), unit: Some(unit.to_owned()) };
        let mut axes = vec![named("comm_size", "ranks")];
        if run.collective != Collective::Barrier {
            axes.push(named("msg_size", "bytes"));
        }
        let header = Header {
            about,
            axes,
            parameters: vec![named(SEGMENT_SIZE, "bytes")],
            unit: Some(TimeUnit::Microseconds),
            ..Header::default()
        };
        let cell = Builder::new(header.clone()).map_err(|problems| failed(path, &problems))?;
        let mut all = None;
        if resume && path.exists() {
            let file = File::open(path).map_err(|error| failed(path, &error))?;
            let known = canonical::read(&mut BufReader::new(file), |_| ());
            let known = known.map_err(|problems| failed(path, &problems))?;
            // It must be possible to add to it: the same axes, machine and library.
            let mut about = known.header().about.clone();
            about.merge(&header.about).map_err(|problem| failed(path, &problem))?;
            all = Some(known);
        }
        Ok(Self { path: path.to_owned(), run, header, all, cell })
    }

    /// Returns the cells of this run that are in the file: ranks and bytes.
    pub(crate) fn cells(&self) -> HashSet<(u64, u64)> {
        let Some(all) = &self.all else { return HashSet::new() };
        let series: Vec<&Series> = all.series().collect();
        let launches: Vec<&str> = all.launches().collect();
        let of_run = |row: &&Row| {
            row.process == self.run.process
                && self.run.is_named(launches[row.launch as usize])
                && series[row.series as usize].collective.as_deref() == Some(self.run.collective.name())
        };
        let rows = all.rows().iter().filter(of_run);
        rows.filter_map(|row| match series[row.series as usize].sizes[..] {
            [ranks, bytes] => Some((ranks, bytes)),
            [ranks] => Some((ranks, 0)),
            _ => None,
        })
        .collect()
    }

    /// Adds a time, in nanoseconds.
    pub(crate) fn add(
        &mut self,
        (ranks, bytes): (u32, u64),
        method: &Method,
        repeat: usize,
        time: f64,
    ) -> Result<(), String> {
        let Self { path, run, cell, .. } = self;
        let failed = |problem| failed(path, &problem);
        let segment = if method.segment() == 0 { String::new() } else { method.segment().to_string() };
        let method = canonical::Method { name: method.name(), values: vec![segment] };
        let method = cell.method(method).map_err(failed)?;
        let name = run.name();
        let launch = cell.launch(&name).map_err(failed)?;
        if let Some(job) = &run.job {
            cell.jobs.add(&name, &job.name).map_err(failed)?;
            cell.jobs.describe(job).map_err(failed)?;
        }
        let collective = Some(run.collective.name().to_owned());
        let mut sizes = vec![u64::from(ranks), bytes];
        sizes.truncate(self.header.axes.len());
        let series = Series { collective, basis: Some(run.basis), sizes, method };
        let series = cell.series(series).map_err(failed)?;
        let time = (time / 10.0).round().max(1.0) / 100.0;
        let sample = Sample::Repeat(repeat as u32);
        cell.row(Row { time, series, launch, process: run.process, sample }).map_err(failed)
    }

    /// Ends a cell: writes the file with its times, so that they stay if the program ends.
    pub(crate) fn finish_cell(&mut self) -> Result<(), String> {
        let failed = |problems: Problems| failed(&self.path, &problems);
        let cell = Builder::new(self.header.clone()).map_err(failed)?;
        let times = std::mem::replace(&mut self.cell, cell).finish().map_err(failed)?;
        let times = match self.all.take() {
            None => times,
            Some(all) => all.merge(times).map_err(failed)?,
        };
        let written = replace(&self.path, |out| times.write(out));
        self.all = Some(times);
        written.map_err(|error| self::failed(&self.path, &error))
    }
}

fn failed(path: &Path, error: &dyn Display) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn times(path: &Path, process: u32, library: &str) -> Result<Times, String> {
        times_of(path, process, library, None)
    }

    fn times_of(path: &Path, process: u32, library: &str, job: Option<Job>) -> Result<Times, String> {
        let mut about = About::default();
        about.add(canonical::LIBRARY, library).unwrap();
        let run = Run {
            collective: Collective::Bcast,
            basis: Basis::Buffer,
            launch: "night".to_owned(),
            job,
            process,
        };
        Times::new(path, about, run, true)
    }

    #[test]
    fn a_run_goes_on_after_the_last_whole_cell() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("times.csv");
        let method: Method = "own:pipeline/1K".parse().unwrap();
        let mut first = times(&path, 2, "Open MPI 4.1.4").unwrap();
        first.add((4, 1024), &method, 1, 12_345.6).unwrap();
        first.finish_cell().unwrap();
        // The program ends within the second cell.
        first.add((4, 2048), &method, 1, 20_000.0).unwrap();
        drop(first);
        let mut second = times(&path, 2, "Open MPI 4.1.4").unwrap();
        assert_eq!(second.cells(), HashSet::from([(4, 1024)]));
        assert_eq!(times(&path, 1, "Open MPI 4.1.4").unwrap().cells(), HashSet::new());
        second.add((4, 2048), &method, 1, 20_000.0).unwrap();
        second.finish_cell().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(
            text,
            "# qtdec-times/1\n# library: Open MPI 4.1.4\n# axis comm_size: ranks\n# axis msg_size: bytes\n\
             # parameter segment_size: bytes\n\
             comm_size,msg_size,method,segment_size,collective,basis,launch,process,repeat,time_us\n\
             4,1024,own_pipeline,1024,bcast,buffer,night,2,1,12.35\n\
             4,2048,own_pipeline,1024,bcast,buffer,night,2,1,20\n"
        );
        let other = times(&path, 2, "MPICH 4.0").unwrap_err();
        assert!(other.contains("two libraries"), "{other}");
    }

    #[test]
    fn another_job_goes_on_with_the_launch() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("times.csv");
        let job = |name: &str| {
            let start = "2026-11-24T20:00:00Z".to_owned();
            Some(Job { name: name.to_owned(), nodes: "n[1,3]".to_owned(), start })
        };
        for (name, size) in [("71", 1024), ("72", 2048)] {
            let mut times = times_of(&path, 1, "Open MPI 4.1.4", job(name)).unwrap();
            times.add((4, size), &"default".parse().unwrap(), 1, 20_000.0).unwrap();
            times.finish_cell().unwrap();
        }
        let text = fs::read_to_string(&path).unwrap();
        let expected = "# job: 71,\"n[1,3]\",2026-11-24T20:00:00Z\n# job: 72,\"n[1,3]\",2026-11-24T20:00:00Z\n\
                        comm_size,msg_size,method,segment_size,collective,basis,job,launch,process,repeat,time_us\n\
                        4,1024,default,,bcast,buffer,71,71/night,1,1,20\n\
                        4,2048,default,,bcast,buffer,72,72/night,1,1,20\n";
        assert!(text.ends_with(expected), "{text}");
        let third = times_of(&path, 1, "Open MPI 4.1.4", job("73")).unwrap();
        assert_eq!(third.cells(), HashSet::from([(4, 1024), (4, 2048)]));
    }

    #[test]
    fn a_barrier_has_no_sizes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("times.csv");
        let run = || Run {
            collective: Collective::Barrier,
            basis: Basis::Buffer,
            launch: "1".to_owned(),
            job: None,
            process: 1,
        };
        let mut times = Times::new(&path, About::default(), run(), false).unwrap();
        times.add((4, 0), &"tree".parse().unwrap(), 1, 12_345.6).unwrap();
        times.finish_cell().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("\ncomm_size,method,") && !text.contains("msg_size"), "{text}");
        let again = Times::new(&path, About::default(), run(), true).unwrap();
        assert_eq!(again.cells(), HashSet::from([(4, 0)]));
    }
}
