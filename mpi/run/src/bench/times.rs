//! Canonical times, the form `qtdec-times/1`: the file is complete after each cell.

use std::borrow::Cow;
use std::fmt::Display;
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
    /// Starts a file, which exists after the first cell.
    pub(crate) fn new(path: &Path, about: About, run: Run) -> Result<Self, String> {
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
        Ok(Self { path: path.to_owned(), run, header, all: None, cell })
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

    fn times_of(path: &Path, collective: Collective, job: Option<Job>) -> Times {
        let mut about = About::default();
        about.add(canonical::LIBRARY, "Open MPI 4.1.4").unwrap();
        let launch = "night".to_owned();
        let run = Run { collective, basis: Basis::Buffer, launch, job, process: 2 };
        Times::new(path, about, run).unwrap()
    }

    #[test]
    fn the_file_has_whole_cells() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("times.csv");
        let start = "2026-11-24T20:00:00Z".to_owned();
        let job = Job { name: "71".to_owned(), nodes: "n[1,3]".to_owned(), start };
        let method: Method = "own:pipeline/1K".parse().unwrap();
        let mut times = times_of(&path, Collective::Bcast, Some(job));
        for (size, time) in [(1024, 12_345.6), (2048, 20_000.0)] {
            times.add((4, size), &method, 1, time).unwrap();
            times.finish_cell().unwrap();
        }
        // The program ends within the third cell.
        times.add((4, 4096), &method, 1, 20_000.0).unwrap();
        drop(times);
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "# qtdec-times/1\n# library: Open MPI 4.1.4\n# axis comm_size: ranks\n# axis msg_size: bytes\n\
             # parameter segment_size: bytes\n\
             # job: 71,\"n[1,3]\",2026-11-24T20:00:00Z\n\
             comm_size,msg_size,method,segment_size,collective,basis,job,launch,process,repeat,time_us\n\
             4,1024,own_pipeline,1024,bcast,buffer,71,71/night,2,1,12.35\n\
             4,2048,own_pipeline,1024,bcast,buffer,71,71/night,2,1,20\n"
        );
    }

    #[test]
    fn a_barrier_has_no_sizes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("times.csv");
        let mut times = times_of(&path, Collective::Barrier, None);
        times.add((4, 0), &"tree".parse().unwrap(), 1, 12_345.6).unwrap();
        times.finish_cell().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("\ncomm_size,method,") && !text.contains("msg_size"), "{text}");
        assert!(text.ends_with("\n4,tree,,barrier,buffer,night,2,1,12.35\n"), "{text}");
    }
}
