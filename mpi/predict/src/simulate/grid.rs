//! Many simulations at once.

use std::iter;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::memory;
use super::ties::Ties;
use super::{Engine, Noise, Program, SimulateError, Skew, Time};
use crate::network::Network;
use qtdec_mpi_schedule::{Algorithm, Request, ScheduleError, Symmetry};

/// A point of a grid: an algorithm and a request.
#[derive(Clone)]
pub struct Point<'a> {
    /// The algorithm.
    pub algorithm: &'a (dyn Algorithm + Sync),
    /// The algorithm's request.
    pub request: Request,
}

/// A simulator of single points that reuses its memory.
#[derive(Debug)]
pub struct Simulator<'n> {
    network: &'n Network,
    program: Program,
    engine: Engine,
}

impl<'n> Simulator<'n> {
    /// Creates a simulator of a network.
    pub fn new(network: &'n Network) -> Self {
        Self::with_skew(network, Skew::default())
    }

    /// Creates a simulator of calls at which ranks arrive in a pattern.
    pub fn with_skew(network: &'n Network, skew: Skew) -> Self {
        Self { network, program: Program::default(), engine: Engine::with_skew(skew) }
    }

    /// Returns the time of a point.
    ///
    /// # Errors
    ///
    /// Fails if the algorithm does not serve the request, or its schedule cannot be simulated or would be too large.
    pub fn time(&mut self, point: &Point<'_>, noise: Noise) -> Result<Time, SimulateError> {
        self.time_within(memory::ONE, point, noise)
    }

    /// Builds the schedule of a point.
    ///
    /// # Errors
    ///
    /// Fails if the algorithm does not serve the request, or its schedule cannot be simulated or would be too large.
    pub fn load(&mut self, point: &Point<'_>) -> Result<(), SimulateError> {
        self.load_within(memory::ONE, point, None)
    }

    fn time_within(&mut self, limit: u64, point: &Point<'_>, noise: Noise) -> Result<Time, SimulateError> {
        let stand_ins = self.symmetry(point).filter(|_| noise.messages == 0.0);
        if let Some(symmetry) = stand_ins {
            self.load_within(limit, point, Some(symmetry))?;
            let mut ties = Ties::new(symmetry);
            let time = self.engine.run(&self.program, self.network, noise, &mut ties)?;
            if !ties.found() {
                return Ok(time);
            }
        }
        self.load_within(limit, point, None)?;
        self.engine.run(&self.program, self.network, noise, &mut ())
    }

    /// Returns the symmetry of a schedule on the network, whose nodes and clusters move as a whole, if all ranks arrive at once and those of a
    /// node follow each other.
    fn symmetry(&self, point: &Point<'_>) -> Option<Symmetry> {
        let comm_size = point.request.comm_size();
        let network = self.network.description();
        if network.is_cyclic() || !self.engine.is_punctual() {
            return None;
        }
        let symmetry =
            point.algorithm.symmetry(&point.request)?.keeping(network.ranks_per_node, comm_size)?;
        match self.network.clusters(u64::from(comm_size))[..] {
            [(1, _)] => Some(symmetry),
            [(_, size)] => symmetry.keeping(size, comm_size),
            _ => None,
        }
    }

    fn load_within(
        &mut self,
        limit: u64,
        point: &Point<'_>,
        symmetry: Option<Symmetry>,
    ) -> Result<(), SimulateError> {
        let budget = memory::budget(limit, memory::of_rank(self.network.description()));
        self.program.load_within(point.algorithm, &point.request, symmetry, budget)
    }
}

/// Simulates all points on a number of threads, and returns their times in the order of the points.
///
/// A point's time depends only on the point, the network and the noise, which is that of run `i` for point `i`, so it
/// is the same for any number of threads. `done` is called from all threads, once for each point.
pub fn times(
    network: &Network,
    points: &[Point<'_>],
    noise: Noise,
    threads: NonZero<usize>,
    done: impl Fn() + Sync,
) -> Vec<Result<Time, SimulateError>> {
    let punctual = Skew::default();
    in_parallel(network, points.len(), noise, threads, |worker, index| {
        let time = worker.time(index, &points[index], &punctual);
        done();
        time
    })
}

const MAX_THREADS: usize = 64;

/// One of several threads that simulate. Together they take no more memory than a process may.
pub(crate) struct Worker<'n, 'm> {
    simulator: Simulator<'n>,
    noise: Noise,
    /// The memory that each thread may take for itself.
    share: u64,
    /// Held by the thread that simulates a point for which its share is not enough.
    large: &'m Mutex<()>,
}

impl Worker<'_, '_> {
    /// Returns the time of the point with an index, with the noise of that run, at which ranks arrive in a pattern.
    pub(crate) fn time(
        &mut self,
        index: usize,
        point: &Point<'_>,
        skew: &Skew,
    ) -> Result<Time, SimulateError> {
        let noise = if self.noise.is_none() { self.noise } else { self.noise.of_run(index as u64) };
        self.simulator.engine.set_skew(skew);
        match self.simulator.time_within(self.share, point, noise) {
            Err(SimulateError::Schedule(ScheduleError::TooLarge(_))) => {
                let _large = self.large.lock().unwrap_or_else(PoisonError::into_inner);
                Simulator::with_skew(self.simulator.network, skew.clone()).time(point, noise)
            }
            time => time,
        }
    }
}

/// Returns the results for the indexes below `count`, in order, each from one of a number of threads.
pub(crate) fn in_parallel<T: Send>(
    network: &Network,
    count: usize,
    noise: Noise,
    threads: NonZero<usize>,
    result: impl Fn(&mut Worker<'_, '_>, usize) -> T + Sync,
) -> Vec<T> {
    let threads = threads.get().min(MAX_THREADS).min(count).max(1);
    let (next, large) = (AtomicUsize::new(0), Mutex::new(()));
    let share = (memory::ALL - memory::ONE) / threads as u64;
    let next = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < count);
    let work = || {
        let mut worker = Worker { simulator: Simulator::new(network), noise, share, large: &large };
        iter::from_fn(next).map(|index| (index, result(&mut worker, index))).collect::<Vec<_>>()
    };
    let mut results: Vec<_> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let joined = others.into_iter().map(|thread| match thread.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        own.into_iter().chain(joined.flatten()).collect()
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
