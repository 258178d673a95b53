//! Lower bounds for the time of any algorithm in the model that is simulated.
//!
//! Three bounds hold at the same time, so the largest does:
//!
//! - **latency**: what a rank has must reach every other one. A rank that has it passes it on once per smallest gap and rail; the
//!   optimal tree of the postal model is that of Bar-Noy and Kipnis, "Designing Broadcasting Algorithms in the Postal Model for
//!   Message-Passing Systems" (SPAA 1992), and of Karp, Sahay, Santos and Schauser, "Optimal Broadcast and Summation in the `LogP`
//!   Model" (SPAA 1993). The last rank that something reaches begins to receive it no earlier, so the bytes that depend on one rank
//!   alone follow the smallest messages of the tree. If the ranks are in several clusters, they follow the latency between two.
//! - **bandwidth**: the bytes that some rank must send or receive, at the best rate of any message size. The bytes are those of Chan,
//!   Heimlich, Purkayastha and van de Geijn, "Collective communication: theory, practice, and experience" (Concurrency and
//!   Computation 19, 2007), Table 1, and for allreduce of Patarasuk and Yuan (JPDC 69, 2009).
//! - **computation**: every byte of a result is combined at least once, by some rank, after a message has arrived there; what one rank
//!   combines for another needs a further message. The bound of Chan et al., `(p - 1) / p` of the bytes, does not hold here: they count
//!   operations of two operands, and an operation of a schedule combines any number at the cost of one. If each of `p` ranks receives its
//!   part of all others' inputs and combines all `p` at once, one part in `p` is enough. A test has this schedule for four ranks.
//!
//! Handshakes, overheads, queues and late ranks only add to these, and no call ends before the last rank has arrived, which is the bound
//! if it is later. Times are rounded to picoseconds in simulations, which the bounds allow for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Predictor, Size};
use crate::network::{Description, Level, Network};
use qtdec_mpi_schedule::collective::Collective;

/// The ranks beyond which the bound of the latency no longer grows: a tree of these is a part of any larger one.
const MAX_TREE: u32 = 1 << 16;

/// Half a picosecond, by which a simulated cost may be below that of the network.
const ROUNDING: f64 = 0.5e-12;

/// The term of a bound that is the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Term {
    /// Latencies and gaps of the smallest messages, along a tree.
    Latency,
    /// The bytes of the busiest rank.
    Bandwidth,
    /// The bytes to combine.
    Computation,
    /// The arrival of the last rank.
    Arrival,
}

impl Term {
    /// Returns the name of the term.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Latency => "latency",
            Self::Bandwidth => "bandwidth",
            Self::Computation => "computation",
            Self::Arrival => "arrival",
        }
    }
}

/// A lower bound of the time of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The time in seconds.
    pub seconds: f64,
    /// The term that gives it.
    pub term: Term,
}

impl Predictor<'_> {
    /// Returns a lower bound for the time of any algorithm for a call.
    pub fn bound(&self, size: Size) -> Bound {
        let least = bound(self.network, self.collective, size);
        let skew = self.arrivals.at(size.comm_size, size.msg_size);
        let last = Bound { seconds: skew.last(size.comm_size) / 1e6, term: Term::Arrival };
        if last.seconds > least.seconds { last } else { least }
    }
}

/// Returns a lower bound for the time of any algorithm on a network.
pub fn bound(network: &Network, collective: Collective, size: Size) -> Bound {
    let has_bytes = size.msg_size > 0;
    if size.comm_size < 2 || !has_bytes && collective != Collective::Barrier {
        return Bound { seconds: 0.0, term: Term::Latency };
    }
    let limits = Limits::of(network);
    let reached = limits.tree(size.comm_size);
    let transfer = |bytes: f64| bytes * limits.per_byte / limits.ports;
    let terms = [
        (Term::Latency, reached),
        (Term::Bandwidth, limits.latency + transfer(bytes(collective, size))),
        (Term::Bandwidth, reached - limits.gap + transfer(of_one_rank(collective, size))),
        (Term::Latency, limits.crossing(size.comm_size) + limits.gap),
        (Term::Bandwidth, limits.crossing(size.comm_size) + transfer(of_one_rank(collective, size))),
        (Term::Computation, combined(network, &limits, collective, size)),
    ];
    let none = Bound { seconds: 0.0, term: Term::Latency };
    let bounds = terms.into_iter().map(|(term, seconds)| Bound { seconds, term });
    bounds.fold(none, |most, bound| if bound.seconds > most.seconds { bound } else { most })
}

/// Returns the bytes that some rank must send, or receive.
fn bytes(collective: Collective, Size { comm_size, msg_size }: Size) -> f64 {
    let others = f64::from(comm_size - 1) * msg_size as f64;
    match collective {
        Collective::Bcast | Collective::Reduce => msg_size as f64,
        Collective::Allreduce => (2.0 * others / f64::from(comm_size)).floor(),
        Collective::Scatter
        | Collective::Gather
        | Collective::Allgather
        | Collective::Alltoall
        | Collective::ReduceScatterBlock => others,
        _ => 0.0,
    }
}

/// Returns the bytes that every other rank receives, and each of which depends on the same rank; for a reduction, those that each rank
/// sends and on which one rank depends.
fn of_one_rank(collective: Collective, Size { msg_size, .. }: Size) -> f64 {
    match collective {
        Collective::Bcast | Collective::Reduce | Collective::Allreduce | Collective::Allgather => {
            msg_size as f64
        }
        _ => 0.0,
    }
}

/// Returns the time in which the bytes of the results can be combined, and be where they belong.
fn combined(
    network: &Network,
    limits: &Limits,
    collective: Collective,
    Size { comm_size, msg_size }: Size,
) -> f64 {
    let all = msg_size as f64 * (network.reduce(1) - ROUNDING).max(0.0);
    if all == 0.0 {
        return 0.0;
    }
    let (message, ranks) = (limits.latency + limits.gap, f64::from(comm_size));
    match collective {
        // A rank that needs the result combines some bytes itself, and the busiest of the others at least its share of the rest, which
        // then takes a message. Both end at the same time if that is possible.
        Collective::Reduce | Collective::Allreduce => {
            let divided = message + all / ranks + message * (ranks - 1.0) / ranks;
            divided.min(message + all)
        }
        Collective::ReduceScatterBlock => message + all,
        _ => 0.0,
    }
}

/// The best that any message can do.
struct Limits {
    latency: f64,
    gap: f64,
    per_byte: f64,
    /// The ports through which a rank sends at the same time, and receives.
    ports: f64,
    /// The ranks of the first cluster and the latency between two, if the network has clusters.
    clusters: Option<(u64, f64)>,
}

impl Limits {
    fn of(network: &Network) -> Self {
        let description = network.description();
        let mut limits = Self {
            latency: f64::INFINITY,
            gap: f64::INFINITY,
            per_byte: f64::INFINITY,
            ports: f64::from(description.rails) + if description.ranks_per_node > 1 { 1.0 } else { 0.0 },
            clusters: description.between.as_ref().map(|between| (between.cluster_sizes[0], f64::INFINITY)),
        };
        let sizes = corners(description);
        for (level, _) in description.levels() {
            for &bytes in &sizes {
                let cost = network.cost(level, bytes);
                let gap = (cost.gap - ROUNDING).max(0.0);
                let latency = (cost.latency - ROUNDING).max(0.0);
                limits.latency = limits.latency.min(latency);
                if let (Level::Between, Some((_, least))) = (level, &mut limits.clusters) {
                    *least = least.min(latency);
                }
                limits.gap = limits.gap.min(gap);
                if bytes > 0 {
                    limits.per_byte = limits.per_byte.min(gap / bytes as f64);
                }
            }
            // Beyond the last corner the gap is a line, so the cost of a byte tends to its slope.
            let last = sizes.iter().copied().max().unwrap_or(1);
            let slope = (network.cost(level, last.saturating_mul(4)).gap
                - network.cost(level, last.saturating_mul(2)).gap)
                / (last.saturating_mul(2)) as f64;
            limits.per_byte = limits.per_byte.min(slope.max(0.0) * (1.0 - 1e-9));
        }
        limits
    }

    /// Returns the latency that what one rank has takes to another cluster, if the ranks are in several.
    fn crossing(&self, ranks: u32) -> f64 {
        self.clusters.filter(|(size, _)| u64::from(ranks) > *size).map_or(0.0, |(_, latency)| latency)
    }

    /// Returns the time in which all ranks can know something, if each that does tells another one per gap and port.
    fn tree(&self, ranks: u32) -> f64 {
        let ports = self.ports as u32;
        // The times at which ranks can send, as bits, which sort like the numbers, because these are not negative.
        let mut next = BinaryHeap::from([Reverse(0.0_f64.to_bits())]);
        let mut informed = 1;
        loop {
            let Some(Reverse(begin)) = next.pop() else { return 0.0 };
            let begin = f64::from_bits(begin);
            let arrival = begin + self.latency + self.gap;
            next.push(Reverse((begin + self.gap).to_bits()));
            for _ in 0..ports {
                informed += 1;
                if informed >= ranks.min(MAX_TREE) {
                    return arrival;
                }
                next.push(Reverse(arrival.to_bits()));
            }
        }
    }
}

/// Returns the sizes between which the gap is a line: the cost of a byte is the least at one of them, or beyond all.
fn corners(description: &Description) -> Vec<u64> {
    let header = description.header_bytes;
    let points = description.levels().flat_map(|(_, points)| points);
    let points = points.map(|point| point.bytes.saturating_sub(header));
    let factors = description.size_factors.iter().map(|factor| factor.bytes);
    let around =
        points.chain(factors).flat_map(|bytes| [bytes.saturating_sub(1), bytes, bytes.saturating_add(1)]);
    [0, 1].into_iter().chain(around).collect()
}
