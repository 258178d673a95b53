//! A clock that all ranks share, by measured offsets and drifts, and waiting for a time of it.

use std::time::Duration;

use qtdec_core::median;
use rustix::time::{ClockId, clock_gettime};

use super::arguments;
use crate::mpi::{CONTROL, Mpi};

/// The number of exchanges by which an offset is measured; the fastest one counts.
const EXCHANGES: usize = 20;

/// The last nanoseconds before a start, in which a rank does not sleep: it would wake up late.
const AWAKE: f64 = 100_000.0;

/// Drifts are measured over at least this time.
const DRIFT_OVER: f64 = 5e9;

const TAG: u32 = 77;

/// The clock of the first rank, as this rank knows it. Times are in nanoseconds.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    kind: arguments::Clock,
    /// This rank's time at the last measurement, and how far the first rank's clock was ahead then.
    offset: (f64, f64),
    first: Option<(f64, f64)>,
    /// The nanoseconds that the first rank's clock gains in a nanosecond.
    drift: f64,
    /// Half the time of the fastest exchange, which bounds the error.
    pub(crate) bound: f64,
}

/// Returns this rank's own time.
pub(crate) fn local() -> f64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}

impl Clock {
    /// Creates a clock, and measures its offset if it has one.
    pub(crate) fn new(mpi: Mpi<'_>, kind: arguments::Clock) -> Result<Self, String> {
        let mut clock = Self { kind, offset: (local(), 0.0), first: None, drift: 0.0, bound: 0.0 };
        clock.synchronise(mpi)?;
        Ok(clock)
    }

    /// Measures the offset; all ranks call this.
    pub(crate) fn synchronise(&mut self, mpi: Mpi<'_>) -> Result<(), String> {
        if self.kind != arguments::Clock::Synchronised {
            return Ok(());
        }
        let mut bytes = [0; 8];
        for other in 1..mpi.size {
            let mut best: Option<(f64, f64, f64)> = None;
            for _ in 0..EXCHANGES {
                if mpi.is_first() {
                    mpi.receive(CONTROL, &mut bytes, other, TAG)?;
                    mpi.send(CONTROL, &local().to_ne_bytes(), other, TAG)?;
                } else if mpi.rank == other {
                    let sent = local();
                    mpi.send(CONTROL, &bytes, 0, TAG)?;
                    mpi.receive(CONTROL, &mut bytes, 0, TAG)?;
                    let back = local();
                    let middle = f64::midpoint(sent, back);
                    if best.is_none_or(|(took, ..)| back - sent < took) {
                        best = Some((back - sent, middle, f64::from_ne_bytes(bytes) - middle));
                    }
                }
            }
            if let Some((took, at, ahead)) = best {
                self.bound = took / 2.0;
                self.offset = (at, ahead);
                let (first_at, first_ahead) = *self.first.get_or_insert((at, ahead));
                if at - first_at > DRIFT_OVER {
                    self.drift = (ahead - first_ahead) / (at - first_at);
                }
            }
        }
        Ok(())
    }

    /// Returns the first rank's time now.
    pub(crate) fn now(&self) -> f64 {
        let local = local();
        let (at, ahead) = self.offset;
        local + ahead + self.drift * (local - at)
    }

    /// Waits for a time of the first rank. Returns whether it was still to come.
    pub(crate) fn wait_until(&self, time: f64) -> bool {
        let left = time - self.now();
        if left > AWAKE {
            std::thread::sleep(Duration::from_nanos((left - AWAKE) as u64));
        }
        // Ranks that share a core wait for the same time: none may keep it from the others.
        while self.now() < time {
            std::thread::yield_now();
        }
        left > 0.0
    }

    /// Returns how the clock works, for people.
    pub(crate) fn describe(&self, bounds: &[f64]) -> String {
        match self.kind {
            arguments::Clock::Shared => "one clock of one machine".to_owned(),
            arguments::Clock::Barrier => "a barrier, and each rank's own clock".to_owned(),
            arguments::Clock::Synchronised => match median(bounds) {
                None => "one rank".to_owned(),
                Some(bound) => format!("clocks synchronised within {:.1} us", bound / 1e3),
            },
        }
    }
}
