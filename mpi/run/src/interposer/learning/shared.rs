//! What all communicators of a process have together: the settings, what earlier runs found, and what this one found.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use qtdec_mpi_schedule::Collective;
use qtdec_times::Job;

use super::beginnings::{Beginnings, NAME};
use super::file::{self, Run};
use super::learner::{Learner, Step, Summary, Takeover};
use super::window::Values;
use crate::bench::{Method, job, library, machine};
use crate::interposer::agreement;
use crate::interposer::call::Call;
use crate::interposer::environment::ToLearn;
use crate::replace::replace;

/// The maximum number of pairs that are kept of communicators that were freed.
const PAIRS: usize = 1 << 14;

/// The variables in which systems that queue programs name a job.
const JOBS: [&str; 4] = ["SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PJM_JOBID"];

/// What is learned on a communicator, by whichever of its threads calls.
#[derive(Debug)]
pub(in super::super) struct OfCommunicator(Mutex<Learner>);

impl OfCommunicator {
    fn learner(&self) -> MutexGuard<'_, Learner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in super::super) fn is_unable(&self) {
        self.learner().is_unable();
    }

    pub(in super::super) fn note(&self, began: u64, ended: u64) {
        self.learner().note(began, ended);
    }

    pub(in super::super) fn own(&self) -> Values {
        self.learner().own()
    }

    pub(in super::super) fn agree(&self, values: &Values, took: u64) -> Option<Takeover> {
        self.learner().agree(values, took)
    }
}

/// Learning in a process.
#[derive(Debug)]
pub(in super::super) struct Learning {
    folder: PathBuf,
    except: Vec<Collective>,
    beginnings: Beginnings,
    /// A number that differs where folders, their files or exceptions do.
    pub(in super::super) hash: u64,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    live: Vec<Arc<OfCommunicator>>,
    ended: Vec<Summary>,
    pairs: usize,
    has_written: bool,
}

impl Learning {
    /// Reads what earlier runs found.
    pub(in super::super) fn open(wanted: &ToLearn) -> Result<Self, String> {
        let ToLearn { folder, except } = wanted.clone();
        let beginnings = Beginnings::read(&folder).map_err(|error| format!("QTDEC_LEARN: {error}"))?;
        let hash = agreement::number((&folder, &except, &beginnings.lines));
        Ok(Self { folder, except, beginnings, hash, found: Mutex::default() })
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins on a communicator whose number is larger than those of all earlier ones of its ranks.
    pub(in super::super) fn begin(&self, ranks: u32, number: u64) -> Arc<OfCommunicator> {
        let learner = Arc::new(OfCommunicator(Mutex::new(Learner::new(ranks, number))));
        self.found().live.push(Arc::clone(&learner));
        learner
    }

    /// Decides what is done with a call, which this method of ours carries out as trees say, or the library if there is none.
    pub(in super::super) fn step(
        &self,
        learner: &OfCommunicator,
        call: &Call,
        default: Option<&Method>,
    ) -> Step {
        let is_excepted = call.collective().is_none_or(|collective| self.except.contains(&collective));
        if is_excepted { Step::Default } else { learner.learner().step(call, default, &self.beginnings) }
    }

    /// Keeps what was learned on a communicator that is freed.
    pub(in super::super) fn end(&self, learner: &Arc<OfCommunicator>) {
        let mut found = self.found();
        found.live.retain(|known| !Arc::ptr_eq(known, learner));
        for summary in learner.learner().summaries() {
            let pairs = found.pairs + summary.pairs.len();
            if pairs <= PAIRS && !summary.pairs.is_empty() {
                found.pairs = pairs;
                found.ended.push(summary);
            }
        }
    }

    /// Writes what was learned in this process, once. Returns what went wrong.
    pub(in super::super) fn write(&self, version: &str) -> Result<(), String> {
        let mut found = self.found();
        if std::mem::replace(&mut found.has_written, true) {
            return Ok(());
        }
        // What was learned last is believed where communicators of one size differ.
        let mut all: Vec<Summary> =
            found.live.iter().flat_map(|learner| learner.learner().summaries()).collect();
        all.extend(std::mem::take(&mut found.ended).into_iter().rev());
        let run = run(version);
        for (of_barriers, ending) in [(false, ""), (true, "-barrier")] {
            let times = file::times(&run, of_barriers, &all).map_err(|problems| problems.to_string())?;
            let Some(times) = times else { continue };
            let path = self.folder.join(format!("{}{}{ending}{}", NAME.0, run.launch, NAME.1));
            let written =
                fs::create_dir_all(&self.folder).and_then(|()| replace(&path, |out| times.write(out)));
            written.map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }
}

/// Returns what is known of this run.
fn run(version: &str) -> Run {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned();
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let of_system = || {
        let name =
            JOBS.iter().find_map(|name| std::env::var(name).ok().filter(|job| !job.trim().is_empty()))?;
        Some(Job { name: name.trim().to_owned(), ..Job::default() })
    };
    Run {
        machine: machine(&BTreeSet::from([host.clone()])),
        library: library(version),
        launch: format!("{}-{host}-{}", date.replace(':', ""), std::process::id()),
        date,
        job: job().or_else(of_system),
    }
}
