//! Many simulations at once.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::{Engine, Noise, Program, SimulateError, Time};
use crate::network::Network;
use crate::schedule::{Algorithm, Request};

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
        Self { network, program: Program::default(), engine: Engine::default() }
    }

    /// Returns the time of a point.
    ///
    /// # Errors
    ///
    /// Fails if the algorithm does not serve the request, or its schedule cannot be simulated.
    pub fn time(&mut self, point: &Point<'_>, noise: Noise) -> Result<Time, SimulateError> {
        self.load(point)?;
        self.engine.run(&self.program, self.network, noise, &mut ())
    }

    /// Builds the schedule of a point.
    ///
    /// # Errors
    ///
    /// Fails if the algorithm does not serve the request, or its schedule cannot be simulated.
    pub fn load(&mut self, point: &Point<'_>) -> Result<(), SimulateError> {
        self.program.load(point.algorithm, &point.request)
    }

    /// Returns the number of messages of the last point.
    pub fn messages(&self) -> usize {
        self.program.messages()
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
    let next = AtomicUsize::new(0);
    let work = || {
        let mut simulator = Simulator::new(network);
        let mut times = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(point) = points.get(index) else { return times };
            let noise = if noise.is_none() { noise } else { noise.of_run(index as u64) };
            times.push((index, simulator.time(point, noise)));
            done();
        }
    };
    let mut times: Vec<_> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.get().min(points.len())).map(|_| scope.spawn(work)).collect();
        let own = work();
        let joined = others.into_iter().map(|thread| match thread.join() {
            Ok(times) => times,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        own.into_iter().chain(joined.flatten()).collect()
    });
    times.sort_unstable_by_key(|(index, _)| *index);
    times.into_iter().map(|(_, time)| time).collect()
}
