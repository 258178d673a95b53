//! Job scripts that measure every algorithm of an MPI library, forced, at every communicator size.
//!
//! Results are stored under paths that [`PATH`] reads. An algorithm is measured only where it really runs:
//! libraries silently replace some algorithms (Open MPI's `allgather` by recursive doubling among 6 ranks is
//! Bruck's), and times under a wrong name are worse than none.

mod benchmark;
mod by_turns;
mod commands;
mod composed;
mod duration;
mod grids;
mod intel_mpi;
mod job;
mod launcher;
mod library;
mod lines;
mod mpich;
mod one_a_job;
mod open_mpi;
mod scheme;
mod script;
mod template;

pub use benchmark::{BENCHMARKS, Benchmark};
pub use by_turns::{Deployment, by_turns_script};
pub use commands::{listed, tune_command};
pub use duration::{CallTime, START};
pub use job::Job;
pub use launcher::Launcher;
pub use library::{MeasuredAlgorithm, MeasuredLibrary};
pub use one_a_job::{Unit, one_a_job};
pub use script::script;
pub use template::fill;

use std::collections::BTreeMap;

use qtdec_mpi_library::catalogue::open_mpi::REQUESTS_SINCE;
use qtdec_mpi_library::catalogue::{Algorithm, Release, Segments};

use qtdec_mpi_library::choice::UNTOUCHED;

/// Every library that can be measured.
pub const LIBRARIES: &[&MeasuredLibrary] = &[
    // One a line.
    &open_mpi::OPEN_MPI,
    &mpich::MPICH,
    &intel_mpi::INTEL_MPI,
];

/// The pattern of the paths, relative to the results folder.
pub const PATH: &str = "{collective}/{method}_seg{segment_size}_np{comm_size}_run{run}_job{job}.txt";

/// The pattern of the paths if there are several numbers of ranks per node.
pub const PATH_WITH_PPN: &str =
    "{collective}/{method}_seg{segment_size}_ppn{ppn}_np{comm_size}_run{run}_job{job}.txt";

pub use qtdec_mpi_library::choice::DEFAULT;

/// A set of benchmarks to be run: the methods, sizes and repeats.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The MPI library.
    pub library: &'static MeasuredLibrary,
    /// The release that the script is for, which the printed commands name, or `None` for none in particular.
    pub release: Option<Release>,
    /// The collectives, by MPI's names in lower case; the library knows all of them.
    pub collectives: Vec<String>,
    /// The communicator sizes, increasing.
    pub comm_sizes: Vec<u64>,
    /// The smallest message size in bytes, a power of two.
    pub least: u64,
    /// The largest message size in bytes.
    pub greatest: u64,
    /// The segment sizes in bytes, for algorithms that take one; 0 leaves messages whole.
    pub segments: Vec<u64>,
    /// The numbers of open requests for algorithms that limit them, 0 for no limit.
    pub requests: Vec<u64>,
    /// The number of runs of each benchmark.
    pub repeats: u64,
    /// The numbers of ranks per node; empty for the launcher's default.
    pub ranks_per_node: Vec<u64>,
    /// The launcher of the ranks.
    pub launcher: Launcher,
    /// Additional arguments of the launcher, such as `--mpi=pmix`.
    pub launcher_arguments: Vec<String>,
    /// The scheduler's options other than the ranks.
    pub job: Job,
    /// The benchmark.
    pub benchmark: &'static Benchmark,
    /// The results folder.
    pub results: String,
    /// The names of the compositions that are measured instead of usual ones, by their collectives.
    pub predicted: BTreeMap<String, Vec<String>>,
}

/// A method of a collective that is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// The algorithm.
    pub method: MeasuredAlgorithm,
    /// The segment size, 0 for none.
    pub segment: u64,
    /// The most requests that a rank has open at once, 0 for no limit.
    pub requests: u64,
}

impl Run {
    /// Returns the name of the method, with its parameters.
    pub(super) fn name(&self) -> String {
        match self.requests {
            0 => self.method.name.to_owned(),
            requests => format!("{}:reqs={requests}", self.method.name),
        }
    }

    pub(super) fn label(&self) -> String {
        match self.segment {
            0 => self.name(),
            segment => format!("{}/{segment}", self.name()),
        }
    }
}

impl Campaign {
    /// Returns the algorithms of a collective that are measured where they can run.
    pub fn algorithms(&self, collective: &str) -> Vec<MeasuredAlgorithm> {
        self.library.algorithms(collective, self.measured_release())
    }

    pub(super) fn measured_release(&self) -> Release {
        self.release.unwrap_or(self.library.release)
    }

    /// Returns whether the rules of the release can limit the open requests of an algorithm. Those that only limit them with segments are
    /// not measured with limits: there would be too many methods.
    pub fn limits_requests(&self, algorithm: &Algorithm) -> bool {
        algorithm.limits_requests(false) && self.measured_release() >= REQUESTS_SINCE
    }

    /// Returns whether any algorithm of the campaign cuts messages.
    pub fn has_segments(&self) -> bool {
        self.every_algorithm().any(|method| method.algorithm.is_segmented())
    }

    /// Returns whether the rules of the release can limit the open requests of any algorithm of the campaign.
    pub fn has_requests(&self) -> bool {
        self.every_algorithm().any(|method| self.limits_requests(method.algorithm))
    }

    fn every_algorithm(&self) -> impl Iterator<Item = MeasuredAlgorithm> {
        self.collectives.iter().flat_map(|collective| self.algorithms(collective))
    }

    /// Returns the display name of the library, with the releases on which the script runs.
    pub fn title(&self) -> String {
        match self.release {
            Some(release) => format!("{} {release}", self.library.library.name()),
            None => self.library.title.to_owned(),
        }
    }

    /// Returns the methods of a collective that can run at any of the communicator and message sizes.
    pub fn runs(&self, collective: &str) -> Vec<Run> {
        let mut runs = Vec::new();
        for method in self.algorithms(collective) {
            let segments = match method.algorithm.segments {
                Segments::Ignored => vec![0],
                Segments::Optional => self.segments.clone(),
                Segments::Needed => self.segments.iter().copied().filter(|&size| size > 0).collect(),
            };
            let limits = if self.limits_requests(method.algorithm) { &self.requests[..] } else { &[0] };
            for segment in segments {
                runs.extend(limits.iter().map(|&requests| Run { method, segment, requests }));
            }
        }
        // A segment as large as the message has no effect.
        runs.retain(|run| run.segment < self.greatest);
        runs.retain(|run| self.comm_sizes.iter().any(|&ranks| self.may_run(collective, *run, ranks)));
        runs
    }

    fn may_run(&self, collective: &str, run: Run, ranks: u64) -> bool {
        let is_met = run.method.algorithm.needs.iter().all(|need| need.holds(ranks));
        // A rank has no more requests open than there are other ranks.
        let is_limited = run.requests == 0 || run.requests.saturating_add(1) < ranks;
        is_met && is_limited && self.smallest(collective, run).at(ranks) <= self.greatest
    }

    /// Returns the environment variables that force a method, as `NAME=VALUE`.
    pub(super) fn forcing(&self, collective: &str, run: Run) -> Vec<String> {
        let mut variables = (self.library.force)(collective, run.method.algorithm, run.segment);
        variables.extend((self.library.limit)(collective, run.requests).filter(|_| run.requests > 0));
        variables
    }

    /// Returns the smallest message that the benchmark measures.
    fn smallest_of_all(&self, collective: &str) -> Smallest {
        let fixed = if is_reduction(collective) { 4 } else { 1 };
        Smallest {
            fixed,
            per_rank: if self.benchmark.divides_size_of.contains(&collective) { fixed } else { 0 },
        }
    }

    /// Returns the smallest message with which the method runs.
    fn smallest(&self, collective: &str, run: Run) -> Smallest {
        let smallest = self.smallest_of_all(collective);
        let needed = run.method.algorithm.bytes_per_rank(smallest.fixed, run.segment);
        let per_rank = needed.max(smallest.per_rank);
        Smallest { per_rank, ..smallest }
    }

    /// Returns the smallest message of the default for a number of ranks.
    pub(super) fn smallest_default(&self, collective: &str, ranks: u64) -> u64 {
        self.smallest_of_all(collective).at(ranks)
    }

    /// Returns the smallest message with which a method runs for a number of ranks, or `None` if it does not run.
    pub(super) fn smallest_forced(&self, collective: &str, run: Run, ranks: u64) -> Option<u64> {
        self.may_run(collective, run, ranks).then(|| self.smallest(collective, run).at(ranks))
    }

    /// Returns the message sizes, each twice the previous one.
    pub(super) fn message_sizes(&self) -> Vec<u64> {
        std::iter::successors(Some(self.least), |size| size.checked_mul(2))
            .take_while(|size| *size <= self.greatest)
            .collect()
    }

    /// Returns the number of times that a benchmark is started: for every method, or `by_turns` for the default alone, without and with a
    /// deployment.
    pub fn starts(&self, by_turns: bool) -> u64 {
        self.repeats * self.starts_of_launch(by_turns)
    }

    /// Returns the number of times that a benchmark is started for one method in one launch.
    pub fn starts_of_method(&self) -> usize {
        let of_ranks = if self.benchmark.measures_grids() { 1 } else { self.comm_sizes.len() };
        of_ranks * self.ranks_per_node.len().max(1)
    }

    pub(super) fn starts_of_launch(&self, by_turns: bool) -> u64 {
        let starts = self.launches().iter().filter(|launch| !by_turns || launch.is_default()).count();
        let sides = if by_turns { 2 } else { 1 };
        (sides * starts * self.ranks_per_node.len().max(1)) as u64
    }

    /// Returns the environment variables of a deployment for all collectives, as `NAME=VALUE`.
    pub(super) fn switches(&self) -> Vec<String> {
        let of_all = self.library.switches.iter().map(ToString::to_string);
        let of_each = self.collectives.iter().filter_map(|collective| (self.library.switch_of)(collective));
        of_all.chain(of_each).collect()
    }

    /// Returns the methods that stand for the library's own choice, with their variables: the default as it is after a deployment, which
    /// has the [`switches`](Self::switches), under another deployment, and untouched.
    pub(super) fn own_choices(&self) -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
        let is_known = |since: Release| self.release.is_none_or(|release| release >= since);
        let other = self.library.other_default.filter(|(.., since)| is_known(*since));
        let other = other.map(|(name, variables, _)| (name, variables));
        [(DEFAULT, &[][..])].into_iter().chain(other).chain([(UNTOUCHED, &[][..])])
    }

    /// Returns the variable with which one of them is measured for a collective, other than the switches.
    pub(super) fn own_variables(&self, name: &str, collective: &str) -> Option<String> {
        if name == UNTOUCHED { None } else { (self.library.left)(collective) }
    }

    /// Returns those of them that no tuning file can choose in place of the default.
    pub fn excluded(&self) -> Vec<&'static str> {
        self.own_choices().map(|(name, _)| name).filter(|name| *name != DEFAULT).collect()
    }

    /// Returns the number of points at which the default of a collective is measured.
    pub fn cells(&self, collective: &str) -> usize {
        let sizes = self.message_sizes();
        let at = |&ranks: &u64| {
            let smallest = self.smallest_default(collective, ranks);
            sizes.iter().filter(|size| **size >= smallest).count()
        };
        self.comm_sizes.iter().map(at).sum::<usize>() * self.ranks_per_node.len().max(1)
    }

    /// Returns the file with the jobs that measured something, with their starts and nodes.
    pub fn jobs_file(&self) -> String {
        format!("{}-jobs.txt", self.results)
    }

    /// Returns the folders of the times without and with a deployment.
    pub(super) fn sides(&self) -> [String; 2] {
        ["without", "with"].map(|side| format!("{}-{side}", self.results))
    }

    /// Returns the pattern of the paths, or `None` if the files say themselves what they have times of.
    pub fn path(&self) -> Option<&'static str> {
        let path = if self.ranks_per_node.len() > 1 { PATH_WITH_PPN } else { PATH };
        Some(path).filter(|_| !self.benchmark.measures_grids())
    }
}

/// A method, by its label, at a number of ranks, and the smallest message in bytes.
struct Series {
    method: String,
    ranks: u64,
    smallest: u64,
}

/// The smallest message for a number of ranks, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Smallest {
    fixed: u64,
    per_rank: u64,
}

impl Smallest {
    fn at(self, ranks: u64) -> u64 {
        self.fixed.max(self.per_rank.saturating_mul(ranks))
    }
}

fn is_reduction(collective: &str) -> bool {
    ["reduce", "scan"].iter().any(|part| collective.contains(part))
}
