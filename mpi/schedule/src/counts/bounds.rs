//! Lower bounds for any schedule in the single-port full-duplex model.

use crate::Collective;
use crate::Request;

/// Lower bounds for any algorithm in the single-port full-duplex model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The minimum number of rounds. Data can reach at most twice as many ranks in each round, so at least ⌈log2 p⌉ are needed. A
    /// broadcast or a reduction whose messages hold at most an n-th of the bytes needs n − 1 more, because the root handles one
    /// per round.
    pub rounds: u64,
    /// The minimum number of bytes that the busiest rank sends.
    pub most_sent: u64,
    /// The minimum number of bytes that the busiest rank receives.
    pub most_received: u64,
}

impl Bounds {
    /// Returns the bounds of a call whose schedule has no messages of more than `longest` bytes.
    ///
    /// For an allreduce the bytes are 2 (p − 1)/p of the message, rounded down to whole bytes (Patarasuk and Yuan,
    /// "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69, 2009).
    pub fn new(collective: Collective, request: &Request, longest: u64) -> Self {
        let ranks = u64::from(request.comm_size());
        let one = request.bytes();
        let doublings = u64::from(request.comm_size().next_power_of_two().trailing_zeros());
        if ranks == 1 {
            return Self { rounds: 0, most_sent: 0, most_received: 0 };
        }
        let others = (ranks - 1) * one;
        let (most_sent, most_received) = match collective {
            Collective::Bcast | Collective::Reduce | Collective::Scan | Collective::Exscan => (one, one),
            Collective::Allreduce => {
                let both = (2 * u128::from(others) / u128::from(ranks)) as u64;
                (both, both)
            }
            Collective::Scatter => (others, one),
            Collective::Gather => (one, others),
            Collective::Allgather | Collective::Alltoall | Collective::ReduceScatterBlock => (others, others),
            // The sizes of blocks that differ, or of what a custom exchange moves, bound nothing that one formula states.
            _ => (0, 0),
        };
        let rounds = match collective {
            Collective::Bcast | Collective::Reduce if one > 0 => doublings + one.div_ceil(longest.max(1)) - 1,
            Collective::Barrier => doublings,
            Collective::Alltoallv
            | Collective::Custom
            | Collective::Gatherv
            | Collective::Scatterv
            | Collective::Exscan => 0,
            _ if one > 0 => doublings,
            _ => 0,
        };
        Self { rounds, most_sent, most_received }
    }
}
