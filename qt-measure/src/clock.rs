//! The clocks of a batch of calls: the wall clock, and what the system knows of the calling thread.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

/// The clock that times are measured with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Clock {
    /// The wall clock: everything that a call waits for counts.
    #[default]
    Wall,
    /// The processor time of the calling thread. What other programs take on a busy machine does not count, but neither does what a call
    /// waits for: other threads, files and devices.
    Processor,
}

/// Clocks that were read at one moment, each from a beginning of its own.
pub(crate) trait Clocks {
    fn wall(&self) -> Duration;

    /// Returns the processor time of the calling thread, if the system has a clock for it.
    fn processor(&self) -> Option<Duration>;

    /// Returns for how long the calling thread was ready to run and had no processor, if the system counts it.
    fn without_processor(&self) -> Option<Duration>;
}

pub(crate) struct System(Instant);

impl System {
    pub(crate) fn new() -> Self {
        Self(Instant::now())
    }
}

impl Clocks for System {
    fn wall(&self) -> Duration {
        self.0.elapsed()
    }

    #[cfg(any(target_os = "linux", target_os = "macos", target_os = "freebsd"))]
    fn processor(&self) -> Option<Duration> {
        use rustix::time::{ClockId, clock_gettime};

        let time = clock_gettime(ClockId::ThreadCPUTime);
        Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
    }

    #[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "freebsd")))]
    fn processor(&self) -> Option<Duration> {
        None
    }

    /// Reads the second number of Linux's statistics of scheduling, which is in nanoseconds.
    fn without_processor(&self) -> Option<Duration> {
        let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        statistics.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
    }
}

/// The times of a batch of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lap {
    pub(crate) wall: Duration,
    /// The processor time, if the clocks are those of the calling thread and have one.
    processor: Option<Duration>,
    /// The time that the thread lacked a processor, if the system counts it.
    without_processor: Option<Duration>,
}

impl Lap {
    /// Returns a time that was measured elsewhere, of which no more is known.
    pub(crate) fn of(wall: Duration) -> Self {
        Self { wall, ..Self::default() }
    }

    /// Measures a batch. Each clock is read the closer to the calls, the less it takes to read it.
    pub(crate) fn measure(clocks: &impl Clocks, calls: impl FnOnce()) -> Self {
        let without = clocks.without_processor();
        let processor = clocks.processor();
        let wall = clocks.wall();
        calls();
        Self {
            wall: clocks.wall().saturating_sub(wall),
            processor: since(clocks.processor(), processor),
            without_processor: since(clocks.without_processor(), without),
        }
    }

    /// Returns the time by a clock. Times that were measured elsewhere have one clock.
    pub(crate) fn by(&self, clock: Clock) -> Duration {
        match clock {
            Clock::Wall => self.wall,
            Clock::Processor => self.processor.unwrap_or(self.wall),
        }
    }

    /// Returns the share of the wall clock's time in which the thread lacked a processor: others had it. Where the system does not count
    /// that, it is all time that the thread did not run.
    pub(crate) fn share_without_processor(&self) -> f64 {
        let Some(processor) = self.processor.filter(|_| !self.wall.is_zero()) else { return 0.0 };
        let idle = self.wall.saturating_sub(processor);
        let without = self.without_processor.map_or(idle, |without| without.min(idle));
        without.as_secs_f64() / self.wall.as_secs_f64()
    }
}

impl AddAssign for Lap {
    fn add_assign(&mut self, other: Self) {
        self.wall += other.wall;
        self.processor = sum(self.processor, other.processor);
        self.without_processor = sum(self.without_processor, other.without_processor);
    }
}

fn since(end: Option<Duration>, start: Option<Duration>) -> Option<Duration> {
    Some(end?.saturating_sub(start?))
}

/// Returns the sum of what is known.
fn sum(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one + other),
        (one, other) => one.or(other),
    }
}

/// Clocks that show what a test says.
#[cfg(test)]
pub(crate) mod known {
    use std::cell::Cell;

    use super::*;

    /// Clocks that move only when they are told to.
    #[derive(Default)]
    pub(crate) struct Known {
        now: Cell<Lap>,
    }

    impl Known {
        /// Lets the clocks go on by milliseconds of the wall clock, of the processor, and without a processor.
        pub(crate) fn pass(&self, wall: u64, processor: u64, without_processor: Option<u64>) {
            let mut now = self.now.get();
            now += Lap {
                wall: Duration::from_millis(wall),
                processor: Some(Duration::from_millis(processor)),
                without_processor: without_processor.map(Duration::from_millis),
            };
            self.now.set(now);
        }
    }

    impl Clocks for &Known {
        fn wall(&self) -> Duration {
            self.now.get().wall
        }

        fn processor(&self) -> Option<Duration> {
            Some(self.now.get().processor.unwrap_or_default())
        }

        fn without_processor(&self) -> Option<Duration> {
            self.now.get().without_processor
        }
    }
}

#[cfg(test)]
mod tests {
    use super::known::Known;
    use super::*;

    #[test]
    fn a_thread_that_others_keep_from_running_is_told_from_one_that_waits() {
        let clocks = &Known::default();
        clocks.pass(0, 0, Some(0));
        let measured = |wall, processor, without| {
            let lap = Lap::measure(&clocks, || clocks.pass(wall, processor, without));
            (
                lap.by(Clock::Wall).as_millis(),
                lap.by(Clock::Processor).as_millis(),
                lap.share_without_processor(),
            )
        };
        assert_eq!(measured(10, 10, Some(0)), (10, 10, 0.0), "it ran");
        assert_eq!(measured(10, 4, Some(6)), (10, 4, 0.6), "others ran");
        assert_eq!(measured(10, 4, Some(0)), (10, 4, 0.0), "it slept");
        assert_eq!(measured(10, 4, Some(1)), (10, 4, 0.1), "it slept, and then others ran");
        assert_eq!(measured(10, 9, Some(40)), (10, 9, 0.1), "others ran before and after the calls");
        assert_eq!(measured(0, 0, Some(0)), (0, 0, 0.0));
    }

    #[test]
    fn where_the_system_counts_less_all_time_without_running_counts() {
        let clocks = &Known::default();
        let lap = Lap::measure(&clocks, || clocks.pass(10, 4, None));
        assert_eq!(lap.share_without_processor(), 0.6);
        let elsewhere = Lap::of(Duration::from_secs(1));
        assert_eq!((elsewhere.by(Clock::Processor).as_secs(), elsewhere.share_without_processor()), (1, 0.0));
    }

    #[test]
    fn batches_add_up() {
        let clocks = &Known::default();
        clocks.pass(0, 0, Some(0));
        let mut all = Lap::default();
        for (wall, processor, without) in [(10, 10, 0), (30, 10, 20)] {
            all += Lap::measure(&clocks, || clocks.pass(wall, processor, Some(without)));
        }
        assert_eq!((all.wall.as_millis(), all.share_without_processor()), (40, 0.5));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_clocks_of_the_system_go_on() {
        let mut sum = 0_u64;
        let clocks = System::new();
        let lap = Lap::measure(&clocks, || {
            while clocks.processor() < Some(Duration::from_millis(1)) {
                sum = std::hint::black_box(sum + 1);
            }
        });
        assert!(lap.wall > Duration::ZERO && lap.processor.is_some_and(|time| time > Duration::ZERO));
        assert!((0.0..=1.0).contains(&lap.share_without_processor()));
    }
}
