//! How long a campaign takes, as far as that can be known before it.

use super::{Campaign, DEFAULT};

/// The number of seconds that a launch is assumed to take before its first call.
pub const START: f64 = 2.0;

/// The time of a call in seconds, of a method by its label at a number of ranks and a message size.
pub type CallTime<'t> = dyn Fn(&str, &str, u64, u64) -> Option<f64> + 't;

/// One launch of a campaign.
pub(super) struct Launch<'c> {
    collective: &'c str,
    method: String,
    ranks: u64,
    smallest: u64,
}

impl Campaign {
    /// Returns the number of seconds that the script takes: of every launch in turn, or `by_turns`, of the default without and with a
    /// deployment. `time` is asked for each call, and a call without a time takes none. A size never takes longer than the benchmark
    /// permits.
    pub fn seconds(&self, by_turns: bool, time: &CallTime<'_>) -> f64 {
        let of = |launch: &Launch<'_>| {
            let sizes = self.message_sizes().into_iter().filter(|size| *size >= launch.smallest);
            let calls = sizes.map(|size| {
                let call = time(launch.collective, &launch.method, launch.ranks, size).unwrap_or(0.0);
                let seconds = call * self.benchmark.calls(size) as f64;
                self.benchmark.most_seconds().map_or(seconds, |most| seconds.min(most))
            });
            START + calls.sum::<f64>()
        };
        let launches = self.launches();
        let once: f64 = launches.iter().filter(|launch| !by_turns || launch.method == DEFAULT).map(of).sum();
        let sides = if by_turns { 2.0 } else { 1.0 };
        sides * once * (self.repeats * self.ranks_per_node.len().max(1) as u64) as f64
    }

    /// Returns the launches of one run on one number of ranks per node.
    pub(super) fn launches(&self) -> Vec<Launch<'_>> {
        let mut launches = Vec::new();
        for collective in &self.collectives {
            for &ranks in &self.comm_sizes {
                let smallest = self.smallest_default(collective, ranks);
                let own = self.own_choices().map(|(name, _)| (name.to_owned(), smallest));
                let own = own.filter(|(_, smallest)| *smallest <= self.greatest);
                let forced = self.runs(collective).into_iter();
                let forced = forced
                    .filter_map(|run| Some((run.label(), self.smallest_forced(collective, run, ranks)?)));
                let all = own.chain(forced);
                launches.extend(all.map(|(method, smallest)| Launch { collective, method, ranks, smallest }));
            }
        }
        launches
    }
}
