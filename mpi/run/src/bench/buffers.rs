//! The buffers of a call: what the standard asks for, and what must be in them afterwards.

use qtdec_mpi_schedule::Collective;

use crate::mpi::{Storage, lengths};

/// Returns whether a collective adds, in 32-bit integers. The others move bytes.
pub(crate) fn adds(collective: Collective) -> bool {
    matches!(collective, Collective::Reduce | Collective::Allreduce | Collective::ReduceScatterBlock)
}

/// Returns the bytes of an element.
pub(crate) fn element_size(collective: Collective) -> u64 {
    if adds(collective) { 4 } else { 1 }
}

/// A call of a collective as one rank sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) collective: Collective,
    pub(crate) ranks: u32,
    pub(crate) rank: u32,
    pub(crate) root: u32,
    /// The bytes that MPI's `count` stands for.
    pub(crate) bytes: usize,
    /// Distinguishes the contents of calls.
    pub(crate) seed: u32,
}

/// A multiplier that mixes the bits of a number.
const MIX: u32 = 0x9E37_79B1;

impl Call {
    /// Fills the buffers before the call. What the call must write differs from what it must leave there.
    pub(crate) fn fill(self, storage: &mut Storage) {
        let is_root = self.rank == self.root;
        let (send, receive, data) = lengths(self.collective, self.ranks, self.bytes, is_root);
        storage.send.resize(send, 0);
        storage.receive.clear();
        storage.receive.resize(receive, !0);
        storage.data.resize(data, 0);
        if self.rank == self.root {
            self.input(self.root, 0, &mut storage.data);
        } else {
            storage.data.fill(!0);
        }
        self.input(self.rank, 0, &mut storage.send);
    }

    /// Returns whether the buffers are right after the call.
    pub(crate) fn is_right(self, storage: &Storage) -> bool {
        let mut expected = vec![0; storage.receive.len().max(storage.data.len())];
        let (bytes, rank) = (self.bytes, self.rank as usize);
        match self.collective {
            Collective::Bcast => {
                self.input(self.root, 0, &mut expected);
                return storage.data == expected;
            }
            Collective::Reduce | Collective::Allreduce => self.sum(0, &mut expected),
            Collective::ReduceScatterBlock => self.sum(rank * bytes, &mut expected),
            Collective::Scatter => self.input(self.root, rank * bytes, &mut expected),
            Collective::Gather | Collective::Allgather | Collective::Alltoall if bytes > 0 => {
                let from = if self.collective == Collective::Alltoall { rank * bytes } else { 0 };
                for (other, block) in (0..).zip(expected.chunks_mut(bytes)) {
                    self.input(other, from, block);
                }
            }
            _ => {}
        }
        storage.receive == expected
    }

    /// Writes what a rank sends, from a byte on.
    fn input(self, rank: u32, from: usize, into: &mut [u8]) {
        if adds(self.collective) {
            for (index, element) in into.chunks_exact_mut(4).enumerate() {
                element.copy_from_slice(&((rank + 1) * self.element(from / 4 + index)).to_ne_bytes());
            }
            return;
        }
        let start = (rank.wrapping_mul(MIX) ^ self.seed.wrapping_mul(MIX)) >> 8;
        for (index, byte) in into.iter_mut().enumerate() {
            // No byte is what `fill` leaves.
            *byte = ((start as usize + (from + index) * 31 + (from + index) / 251) % 251) as u8;
        }
    }

    /// Writes the sum of what all ranks send, from a byte on.
    fn sum(self, from: usize, into: &mut [u8]) {
        let ranks = self.ranks * (self.ranks + 1) / 2;
        for (index, element) in into.chunks_exact_mut(4).enumerate() {
            element.copy_from_slice(&(ranks * self.element(from / 4 + index)).to_ne_bytes());
        }
    }

    /// Returns an element of the first rank: small, so that no sum of up to 1000 ranks overflows.
    fn element(self, index: usize) -> u32 {
        1 + (index as u32).wrapping_add(self.seed) % 1000
    }
}

#[cfg(test)]
mod tests {
    use qtdec_mpi_schedule::Collective;
    use qtdec_mpi_schedule::{Algorithm, RankSchedule, Request, all};

    use super::{Call, Storage, adds};
    use crate::memory::{Buffers, run};

    /// Runs each algorithm in memory, with these buffers: the transport's results are judged as the standard's oracle does.
    #[test]
    fn results_of_every_algorithm_are_right_and_no_other_ones() {
        let add = |left: &mut [u8], right: &[u8]| {
            for (left, right) in left.chunks_exact_mut(4).zip(right.chunks_exact(4)) {
                let value = |bytes: &[u8]| u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                left.copy_from_slice(&(value(left) + value(right)).to_ne_bytes());
            }
        };
        for entry in all() {
            let collective = entry.collective();
            let size: u64 = if adds(collective) { 4 } else { 1 };
            let request = Request::new(5, 24 / size).unwrap().element_size(size).unwrap();
            let request = if collective.is_rooted() { request.root(2).unwrap() } else { request };
            if entry.accept(&request).is_err() {
                continue;
            }
            let schedules: Vec<RankSchedule> =
                (0..5).map(|rank| entry.rank(&request, rank).unwrap()).collect();
            let call =
                |rank| Call { collective, ranks: 5, rank, root: request.root_rank(), bytes: 24, seed: 7 };
            let before = (0..5).map(|rank| {
                let mut storage = Storage::default();
                call(rank).fill(&mut storage);
                Buffers { send: storage.send, receive: storage.receive, data: storage.data }
            });
            let after = run(&schedules, before.collect(), &add, |moves| moves - 1).unwrap();
            for (rank, buffers) in (0..).zip(after) {
                let Buffers { send, receive, data } = buffers;
                let mut storage = Storage { send, receive, data, scratch: Vec::new() };
                assert!(call(rank).is_right(&storage), "{collective} {} rank {rank}", entry.name());
                let other = Call { seed: 8, ..call(rank) };
                let has_result = !storage.receive.is_empty() || !storage.data.is_empty();
                assert_eq!(!other.is_right(&storage), has_result, "{collective}: an earlier call's result");
                for byte in [storage.receive.last_mut(), storage.data.last_mut()].into_iter().flatten() {
                    *byte ^= 1;
                }
                assert_eq!(!call(rank).is_right(&storage), has_result, "{collective}: one bit");
            }
        }
        assert!(Collective::ALL.iter().any(|collective| adds(*collective)));
    }
}
