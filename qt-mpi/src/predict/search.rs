//! The best segment size of each algorithm for a call.

use super::{Method, Prediction, Predictor, Size, TimeSource, sorted};
use crate::models;

/// The least bytes of a simulated segment. The first multiple of an element that has so many is also the step of the search. Smaller
/// segments are mostly header, and take long to simulate.
const MIN_SIMULATED: u64 = 64;

impl Predictor<'_> {
    /// Returns, for one call, the time of every algorithm without segments and with the best segment that a scan and a climb find,
    /// the fastest first.
    pub fn search(&self, size: Size) -> Vec<Prediction> {
        let least = if self.time_source == TimeSource::Simulated { MIN_SIMULATED } else { 1 };
        let element = self.element.get().saturating_mul(least.div_ceil(self.element.get()));
        let mut found = Vec::new();
        for candidate in &self.algorithms {
            let time = |segment_size: Option<u64>| {
                let method = Method { algorithm: candidate.name, segment_size };
                self.times(&[(&method, size)], || ()).pop().flatten()
            };
            let prediction = |segment_size, seconds| Prediction {
                method: Method { algorithm: candidate.name, segment_size },
                seconds,
            };
            found.extend(time(None).map(|seconds| prediction(None, seconds)));
            if candidate.segmented {
                let best = models::search(size.msg_size, element, |segment| {
                    time(Some(segment)).unwrap_or(f64::INFINITY)
                });
                let best = best.filter(|best| best.seconds.is_finite());
                found.extend(best.map(|best| prediction(Some(best.segment), best.seconds)));
            }
        }
        sorted(found)
    }

    /// Returns the position of an algorithm among those that are predicted.
    pub(super) fn place(&self, algorithm: &str) -> Option<usize> {
        self.algorithms.iter().position(|candidate| candidate.name == algorithm)
    }
}
