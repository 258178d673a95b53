//! Round-optimal schedules on circulant graphs.
//!
//! Sources: J. L. Träff, "Round-optimal n-Block Broadcast Schedules in Logarithmic Time", arXiv 2312.11236, and
//! "(Poly)logarithmic Time Construction of Round-optimal n-Block Broadcast Schedules for Broadcast and irregular
//! Allgather in MPI", arXiv 2205.10072; for reduce-scatter and allreduce arXiv 2410.14234.
//!
//! In round k modulo q = ⌈log2 p⌉ rank r sends to r + skip(k) and receives from r − skip(k), modulo p. The skips are p
//! halved q times, rounded up, down to 1.

use super::group::Group;
use super::partial::{Partial, Side};
use super::{Builder, Part, Span, TooLarge};

#[derive(Clone, Debug)]
pub(super) struct Circulant {
    size: u32,
    /// skip(0) = 1 up to skip(q) = p.
    skips: Vec<u32>,
}

/// The actions of a rank in one round of a broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Round {
    pub(super) send: Option<Transfer>,
    pub(super) receive: Option<Transfer>,
}

/// A segment sent to or received from another rank. Both are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Transfer {
    pub(super) peer: u32,
    pub(super) segment: u64,
}

impl Circulant {
    pub(super) fn new(size: u32) -> Self {
        let mut skips = vec![size];
        let mut skip = size;
        while skip > 1 {
            skip = skip.div_ceil(2);
            skips.push(skip);
        }
        skips.reverse();
        Self { size, skips }
    }

    /// Returns q, the number of rounds in which one segment reaches every rank.
    pub(super) fn rounds(&self) -> usize {
        self.skips.len() - 1
    }

    fn ahead(&self, number: u32, k: usize) -> u32 {
        (number + self.skips[k]) % self.size
    }

    fn behind(&self, number: u32, k: usize) -> u32 {
        (number + self.size - self.skips[k]) % self.size
    }

    /// Returns the first segment, below q, that a number receives; q for number 0.
    ///
    /// It is the least skip in the greedy sum of skips that gives the number.
    fn base(&self, number: u32) -> usize {
        let mut left = number;
        for k in (0..self.rounds()).rev() {
            if self.skips[k] == left {
                return k;
            }
            if self.skips[k] < left {
                left -= self.skips[k];
            }
        }
        self.rounds()
    }

    /// Returns the segments that a number receives in the rounds 0..q of a phase. The segments of a phase are counted from q to 2q − 1
    /// and those of the previous phase from 0 to q − 1 (the paper counts the former from 0 and the latter from −q).
    ///
    /// A number receives one segment of the phase, `base`, and those of the previous phase that it lacks.
    pub(super) fn receive_schedule(&self, number: u32) -> Vec<u64> {
        let q = self.rounds();
        let base = self.base(number);
        let mut search = Search::new(self, number);
        search.remove(base);
        search.run(0, 2 * u64::from(self.size), q, 0);
        search.found.iter().map(|&skip| if skip == q { q + base } else { skip } as u64).collect()
    }

    /// Returns the n − 1 + q rounds of a broadcast of n segments from number 0, from the view of one number.
    pub(super) fn broadcast(&self, number: u32, segments: u64) -> Vec<Round> {
        let q = self.rounds() as u64;
        if q == 0 || segments == 0 {
            return Vec::new();
        }
        // Whole phases of q rounds end with the last segment; surplus rounds of the first phase are omitted.
        let skipped = (q - (segments - 1 + q) % q) % q;
        let phases = Phases { q, skipped, segments };
        let own = self.receive_schedule(number);
        let own_last = phases.last_arrival(&own);
        let receivers: Vec<_> = (0..self.rounds())
            .map(|k| {
                let schedule = self.receive_schedule(self.ahead(number, k));
                (schedule[k], phases.last_arrival(&schedule))
            })
            .collect();
        phases
            .rounds()
            .map(|round| {
                let k = (round % q) as usize;
                let transfer = |peer, value, last| {
                    phases.segment(round, value, last).map(|segment| Transfer { peer, segment })
                };
                let (value, last) = receivers[k];
                let ahead = self.ahead(number, k);
                Round {
                    send: transfer(ahead, value, last).filter(|_| ahead != 0),
                    receive: transfer(self.behind(number, k), own[k], own_last).filter(|_| number != 0),
                }
            })
            .collect()
    }

    /// Leaves every rank with its block combined over all ranks, in q rounds. `block` returns the place of consecutive blocks.
    pub(super) fn reduce_scatter(
        &self,
        group: &Group<'_>,
        block: impl Fn(u32, u32) -> Span,
        partial: &mut Partial,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        for k in (0..self.rounds()).rev() {
            let (skip, count) = (self.skips[k], self.skips[k + 1] - self.skips[k]);
            let spans = |first| group.ranges(first, count).map(|(from, to)| block(from, to));
            let sent: Vec<Part> = spans(group.ahead(skip)).flat_map(|span| partial.parts(span)).collect();
            let slot = ops.scratch(spans(group.me).map(|span| span.bytes).sum());
            ops.send(group.rank(group.ahead(skip)), sent)?;
            ops.receive(group.rank(group.behind(skip)), slot)?;
            let mut at = 0;
            for span in spans(group.me) {
                partial.absorb(span, slot.slice(at, span.bytes), Side::Right, ops)?;
                at += span.bytes;
            }
        }
        Ok(())
    }

    pub(super) fn allgather(
        &self,
        group: &Group<'_>,
        block: impl Fn(u32, u32) -> Vec<Part>,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        for k in 0..self.rounds() {
            let (skip, count) = (self.skips[k], self.skips[k + 1] - self.skips[k]);
            ops.send(group.rank(group.behind(skip)), group.around(group.me, count, &block))?;
            ops.receive(group.rank(group.ahead(skip)), group.around(group.ahead(skip), count, &block))?;
        }
        Ok(())
    }
}

/// The distribution of n segments over phases of q rounds.
struct Phases {
    q: u64,
    skipped: u64,
    segments: u64,
}

impl Phases {
    fn rounds(&self) -> std::ops::Range<u64> {
        self.skipped..self.segments - 1 + self.q + self.skipped
    }

    /// Returns the segment, not bounded by n, that the value of a schedule stands for in a round.
    fn unbounded(&self, round: u64, value: u64) -> Option<u64> {
        (value + round / self.q * self.q).checked_sub(self.q + self.skipped)
    }

    /// Returns the round in which the last segment arrives at a rank with this schedule.
    ///
    /// All segments from n on stand for the last one; later arrivals are omitted.
    fn last_arrival(&self, schedule: &[u64]) -> u64 {
        let from = (self.segments + self.skipped).saturating_sub(self.q).max(self.skipped);
        let arrives = |&round: &u64| {
            self.unbounded(round, schedule[(round % self.q) as usize]) >= Some(self.segments - 1)
        };
        (from..self.rounds().end).find(arrives).unwrap_or(self.rounds().end)
    }

    fn segment(&self, round: u64, value: u64, last_arrival: u64) -> Option<u64> {
        let segment = self.unbounded(round, value)?;
        (segment < self.segments - 1 || round == last_arrival).then(|| segment.min(self.segments - 1))
    }
}

/// The depth-first search for the skips along which a number gets the segments of a phase (algorithm 5 of arXiv
/// 2312.11236). Every skip is used once, so it is removed from a list.
struct Search<'c> {
    skips: &'c [u32],
    q: usize,
    /// The number, plus p so that no sum of skips is negative.
    target: u64,
    /// The next smaller remaining skip, by skip; index 0 stands before the largest one.
    next: Vec<usize>,
    previous: Vec<usize>,
    /// The last skip on the path of each round's segment.
    found: Vec<usize>,
}

/// The end of the list of remaining skips.
const END: usize = 0;

impl<'c> Search<'c> {
    fn new(graph: &'c Circulant, number: u32) -> Self {
        let q = graph.rounds();
        // The list q, q − 1, …, 0 with each index moved up by one; END stands at both ends.
        let next = (0..=q + 1).map(|at| if at == END { q + 1 } else { at - 1 }).collect();
        let previous = (0..=q + 1).map(|at| if at == q + 1 { END } else { at + 1 }).collect();
        let target = u64::from(graph.size) + u64::from(number);
        Self { skips: &graph.skips, q, target, next, previous, found: Vec::with_capacity(q) }
    }

    fn remove(&mut self, skip: usize) {
        let (next, previous) = (self.next[skip + 1], self.previous[skip + 1]);
        self.next[previous] = next;
        self.previous[next] = previous;
    }

    /// Extends the sum `reached` by skips from `skip` on, largest first, until round `k` has its segment. Sums must stay
    /// below `bound`, that of the previous round. Returns the next round.
    fn run(&mut self, reached: u64, mut bound: u64, skip: usize, mut k: usize) -> usize {
        let mut at = skip + 1;
        while at != END && k < self.q {
            let skip = at - 1;
            let sum = reached + u64::from(self.skips[skip]);
            if sum <= self.target - u64::from(self.skips[k]) && sum < bound {
                if sum <= self.target - u64::from(self.skips[k + 1]) {
                    k = self.run(sum, bound, skip, k);
                }
                if k >= self.q || reached > self.target - u64::from(self.skips[k + 1]) {
                    return k;
                }
                bound = sum;
                self.found.push(skip);
                k += 1;
                self.remove(skip);
            }
            at = self.next[at];
        }
        k
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the conditions under which a broadcast is correct for every number of segments (arXiv 2312.11236,
    /// section 2.1). The first of them, that every rank receives what its sender sends, holds by construction.
    #[test]
    fn conditions() {
        for size in 2..=1100 {
            let graph = Circulant::new(size);
            let q = graph.rounds();
            assert_eq!(q as u32, size.next_power_of_two().trailing_zeros(), "rounds for {size} ranks");
            let received: Vec<_> = (0..size).map(|number| graph.receive_schedule(number)).collect();
            for number in 0..size {
                let own = &received[number as usize];
                let sent: Vec<_> = (0..q).map(|k| received[graph.ahead(number, k) as usize][k]).collect();
                let base = graph.base(number) as u64;
                let phase = q as u64;
                // The second: one segment of this phase, and all others of the previous phase.
                let mut segments = own.clone();
                segments.sort_unstable();
                let known = (0..phase).filter(|&segment| segment != base);
                let new = (number > 0).then_some(phase + base);
                assert!(segments.iter().copied().eq(known.chain(new)), "{number} of {size} receives {own:?}");
                if number == 0 {
                    // The fourth: the root sends the segments in order.
                    assert!(sent.iter().copied().eq(phase..2 * phase), "the root of {size} sends {sent:?}");
                    continue;
                }
                // The third: every sent segment was received before, in this phase or as the new one of the previous phase.
                for (k, segment) in sent.iter().enumerate() {
                    let is_known = *segment == base || own[..k].contains(segment);
                    assert!(is_known, "{number} of {size} sends {segment} in round {k}, receives {own:?}");
                }
            }
        }
    }

    /// The schedule of a single rank has n − 1 + q rounds, and neighbours agree about them.
    #[test]
    fn one_rank_of_many() {
        let (size, segments) = (100_000, 40);
        let graph = Circulant::new(size);
        for number in [0, 1, 2, 49_999, 50_000, 77_777, 99_999] {
            let rounds = graph.broadcast(number, segments);
            assert_eq!(rounds.len() as u64, segments - 1 + 17);
            for (index, round) in rounds.iter().enumerate() {
                let Some(Transfer { peer, segment }) = round.send else { continue };
                let theirs = graph.broadcast(peer, segments)[index].receive;
                assert_eq!(theirs, Some(Transfer { peer: number, segment }));
            }
        }
    }
}
