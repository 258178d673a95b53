//! How long a campaign takes, as far as that can be known before it.

use super::scheme::Launch;
use super::{Campaign, Series};

/// The number of seconds that a launch is assumed to take before its first call.
pub const START: f64 = 2.0;

/// The time of a call in seconds, of a method by its label at a number of ranks and a message size.
pub type CallTime<'t> = dyn Fn(&str, &str, u64, u64) -> Option<f64> + 't;

impl Campaign {
    /// Returns the number of seconds that the script takes: of every launch in turn, or `by_turns`, of the default without and with a
    /// deployment. `time` is asked for each call, and a call without a time takes none. A size never takes longer than the benchmark
    /// permits.
    pub fn seconds(&self, by_turns: bool, time: &CallTime<'_>) -> f64 {
        let of = |launch: &Launch<'_>| {
            let series = launch.series.iter().map(|series| self.of_series(launch.collective, series, time));
            START + series.sum::<f64>()
        };
        let launches = self.launches();
        let once: f64 = launches.iter().filter(|launch| !by_turns || launch.is_default()).map(of).sum();
        let sides = if by_turns { 2.0 } else { 1.0 };
        sides * once * (self.repeats * self.ranks_per_node.len().max(1) as u64) as f64
    }

    fn of_series(&self, collective: &str, series: &Series, time: &CallTime<'_>) -> f64 {
        let Series { method, ranks, smallest } = series;
        let sizes = self.message_sizes().into_iter().filter(|size| size >= smallest);
        let calls = sizes.map(|size| {
            let call = time(collective, method, *ranks, size).unwrap_or(0.0) + self.benchmark.pause;
            let seconds = call * (self.benchmark.calls)(size) as f64;
            self.benchmark.most_seconds.map_or(seconds, |most| seconds.min(most))
        });
        calls.sum()
    }
}
