//! The collectives chapter of the MPI standard as plain code: the buffers of every rank before and after a call.

use super::memory::Buffers;
use qtdec_mpi_schedule::Collective;

/// A call of a collective.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) collective: Collective,
    pub(crate) ranks: usize,
    pub(crate) root: usize,
    /// The bytes that MPI's argument `count` stands for.
    pub(crate) bytes: usize,
}

/// What bytes hold that the standard leaves open.
pub(crate) const OPEN: u8 = 0x3C;

/// Returns a byte of the input of a rank, from 1 to 250: an element of two of them is a function that can be inverted.
fn input(rank: usize, byte: usize) -> u8 {
    (1 + (rank * 7919 + byte * 104_729 + rank * byte * 31) % 250) as u8
}

impl Call {
    /// Returns the buffers of each rank before the call.
    pub(crate) fn before(&self) -> Vec<Buffers> {
        let Self { collective, ranks, root, bytes } = *self;
        let of_rank = |rank: usize| {
            let filled = |length: usize| (0..length).map(|byte| input(rank, byte)).collect::<Vec<_>>();
            let open = |length: usize| vec![OPEN; length];
            let (send, receive, data) = match collective {
                Collective::Bcast => (vec![], vec![], if rank == root { filled(bytes) } else { open(bytes) }),
                Collective::Reduce => {
                    (filled(bytes), if rank == root { open(bytes) } else { vec![] }, vec![])
                }
                Collective::Allreduce => (filled(bytes), open(bytes), vec![]),
                Collective::Scatter => {
                    (if rank == root { filled(bytes * ranks) } else { vec![] }, open(bytes), vec![])
                }
                Collective::Gather => {
                    (filled(bytes), if rank == root { open(bytes * ranks) } else { vec![] }, vec![])
                }
                Collective::Allgather => (filled(bytes), open(bytes * ranks), vec![]),
                Collective::Alltoall => (filled(bytes * ranks), open(bytes * ranks), vec![]),
                Collective::ReduceScatterBlock => (filled(bytes * ranks), open(bytes), vec![]),
                Collective::Barrier => (vec![], vec![], vec![]),
                other => panic!("the standard's {other} is missing here"),
            };
            Buffers { send, receive, data }
        };
        (0..ranks).map(of_rank).collect()
    }

    /// Returns the buffers of each rank after the call.
    pub(crate) fn after(&self, operator: impl Fn(&mut [u8], &[u8])) -> Vec<Buffers> {
        let Self { collective, ranks, root, bytes } = *self;
        let before = self.before();
        // Combines a range of the send buffers of all ranks, in the order of the ranks.
        let combined = |from: usize| {
            let mut result = before[0].send[from..from + bytes].to_vec();
            for other in &before[1..] {
                operator(&mut result, &other.send[from..from + bytes]);
            }
            result
        };
        let block = |of: usize, index: usize| before[of].send[index * bytes..(index + 1) * bytes].to_vec();
        let mut after = before.clone();
        for (rank, buffers) in after.iter_mut().enumerate() {
            match collective {
                Collective::Bcast => buffers.data.clone_from(&before[root].data),
                Collective::Reduce if rank == root => buffers.receive = combined(0),
                Collective::Allreduce => buffers.receive = combined(0),
                Collective::Scatter => buffers.receive = block(root, rank),
                Collective::Gather if rank != root => {}
                Collective::Gather | Collective::Allgather => {
                    buffers.receive = (0..ranks).flat_map(|from| block(from, 0)).collect();
                }
                Collective::Alltoall => {
                    buffers.receive = (0..ranks).flat_map(|from| block(from, rank)).collect();
                }
                Collective::ReduceScatterBlock => buffers.receive = combined(rank * bytes),
                Collective::Reduce | Collective::Barrier => {}
                other => panic!("the standard's {other} is missing here"),
            }
        }
        after
    }
}

/// Adds bytes. The order does not matter.
pub(crate) fn sum(left: &mut [u8], right: &[u8]) {
    for (left, right) in left.iter_mut().zip(right) {
        *left = left.wrapping_add(*right);
    }
}

/// Composes functions `x -> a x + b` modulo 251, one of two bytes each: the left one is applied first. The order matters.
pub(crate) fn compose(left: &mut [u8], right: &[u8]) {
    for (left, right) in left.chunks_exact_mut(2).zip(right.chunks_exact(2)) {
        let [a, b, c, d] = [left[0], left[1], right[0], right[1]].map(u32::from);
        left[0] = (a * c % 251) as u8;
        left[1] = ((b * c + d) % 251) as u8;
    }
}
