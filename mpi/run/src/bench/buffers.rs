//! The buffers of a call: what the standard asks for, and what must be in them afterwards.

use super::layout::Layout;
use crate::mpi::{Form, Made, Share, Storage, form, lengths};

/// A call of a collective as one rank sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) layout: Layout,
    pub(crate) rank: u32,
    pub(crate) root: u32,
    /// Distinguishes the contents of calls.
    pub(crate) seed: u32,
}

/// A multiplier that mixes the bits of a number.
const MIX: u32 = 0x9E37_79B1;

impl Call {
    /// Fills the buffers before the call. What the call must write differs from what it must leave there.
    pub(crate) fn fill(self, storage: &mut Storage) {
        let is_root = self.rank == self.root;
        let extent = self.layout.extent(self.rank);
        let (send, receive, data) = lengths(self.layout.collective, extent, is_root);
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

    pub(crate) fn is_right(self, storage: &Storage) -> bool {
        let result = if storage.data.is_empty() { &storage.receive } else { &storage.data };
        let mut expected = vec![0; result.len()];
        let Form { send, made, .. } = form(self.layout.collective);
        let own = self.layout.own(self.rank).start;
        match made {
            Made::Nothing => {}
            Made::OfRoot => self.input(self.root, own, &mut expected),
            Made::OfSum(inputs) => match inputs(self.rank, self.layout.ranks) {
                // The standard leaves the result open.
                0 => return true,
                inputs => self.sum(inputs, own, &mut expected),
            },
            Made::OfBlocks => {
                for other in 0..self.layout.ranks {
                    let from = if send == Share::All { self.layout.block(other, self.rank).start } else { 0 };
                    if let Some(block) = expected.get_mut(self.layout.block(self.rank, other)) {
                        self.input(other, from, block);
                    }
                }
            }
        }
        *result == expected
    }

    /// Writes what a rank sends, from a byte on.
    fn input(self, rank: u32, from: usize, into: &mut [u8]) {
        if self.layout.collective.is_reduction() {
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

    /// Writes the sum of what the first ranks send, from a byte on.
    fn sum(self, ranks: u32, from: usize, into: &mut [u8]) {
        let ranks = ranks * (ranks + 1) / 2;
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
    use qtdec_mpi_schedule::Collective::{
        self, Allgatherv, Alltoallv, Exscan, Gatherv, ReduceScatter, Scan, Scatterv,
    };
    use qtdec_mpi_schedule::{Algorithm, RankSchedule, Request, all};

    use super::super::layout::{Blocks, Layout, element_size};
    use super::{Call, Storage};
    use crate::bench::memory::{Buffers, run};
    use crate::mpi::Operands;

    fn value(bytes: &[u8]) -> u32 {
        u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    fn add(left: &mut [u8], right: &[u8]) {
        for (left, right) in left.chunks_exact_mut(4).zip(right.chunks_exact(4)) {
            left.copy_from_slice(&(value(left) + value(right)).to_ne_bytes());
        }
    }

    /// Runs each algorithm in memory, with these buffers: the transport's results are judged as the standard's oracle does.
    #[test]
    fn results_of_every_algorithm_are_right_and_no_other_ones() {
        for entry in all() {
            let collective = entry.collective();
            let size = element_size(collective);
            let request = Request::new(5, 24 / size).unwrap().element_size(size).unwrap();
            let request = if collective.is_rooted() { request.root(2).unwrap() } else { request };
            if entry.accept(&request).is_err() {
                continue;
            }
            let schedules: Vec<RankSchedule> =
                (0..5).map(|rank| entry.rank(&request, rank).unwrap()).collect();
            let layout = Layout { collective, ranks: 5, bytes: 24, blocks: Blocks::EQUAL };
            let call = |rank| Call { layout, rank, root: request.root_rank(), seed: 7 };
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
    }

    /// Returns a rank's block for another one, as its operands say.
    fn block(operands: &Operands, other: usize) -> std::ops::Range<usize> {
        let (counts, places) = operands.blocks.as_ref().unwrap();
        let bytes = |count: i32| count as usize * operands.element_size as usize;
        bytes(places[other])..bytes(places[other] + counts[other])
    }

    /// Does what MPI's standard says of a collective without schedules, from the operands of all ranks.
    fn carry_out(collective: Collective, operands: &[Operands], root: usize, all: &mut [Storage]) {
        let sent: Vec<Vec<u8>> = all.iter().map(|storage| storage.send.clone()).collect();
        let total = |ranks: usize| {
            let mut total = vec![0; sent[0].len()];
            sent[..ranks].iter().for_each(|sent| add(&mut total, sent));
            total
        };
        for rank in 0..all.len() {
            let receive = &mut all[rank].receive;
            match collective {
                Scatterv => receive.copy_from_slice(&sent[root][block(&operands[root], rank)]),
                ReduceScatter => receive.copy_from_slice(&total(sent.len())[block(&operands[rank], rank)]),
                Scan => receive.copy_from_slice(&total(rank + 1)),
                Exscan if rank > 0 => receive.copy_from_slice(&total(rank)),
                Exscan => {}
                Gatherv if rank != root => {}
                _ => {
                    for other in 0..sent.len() {
                        let from = &sent[other];
                        let from =
                            if collective == Alltoallv { &from[block(&operands[other], rank)] } else { from };
                        receive[block(&operands[rank], other)].copy_from_slice(from);
                    }
                }
            }
        }
    }

    #[test]
    fn results_are_right_where_blocks_have_counts_of_their_own_and_in_scans() {
        let cases = [(1, 24), (3, 0), (3, 20), (4, 4), (4, 1000)];
        for collective in [Scatterv, Gatherv, Allgatherv, Alltoallv, ReduceScatter, Scan, Exscan] {
            for ((ranks, bytes), blocks) in
                cases.iter().flat_map(|case| [(case, "equal"), (case, "skewed:5")])
            {
                let layout =
                    Layout { collective, ranks: *ranks, bytes: *bytes, blocks: blocks.parse().unwrap() };
                let call = |rank| Call { layout, rank, root: ranks / 2, seed: 7 };
                let operands: Vec<Operands> =
                    (0..*ranks).map(|rank| layout.operands(rank).unwrap()).collect();
                let mut all = vec![Storage::default(); *ranks as usize];
                (0..).zip(&mut all).for_each(|(rank, storage)| call(rank).fill(storage));
                let is_open = |rank, storage: &Storage| {
                    storage.receive.is_empty() || (collective == Exscan && rank == 0)
                };
                for (rank, storage) in (0..).zip(&all) {
                    assert_eq!(call(rank).is_right(storage), is_open(rank, storage), "{collective}: no call");
                }
                carry_out(collective, &operands, *ranks as usize / 2, &mut all);
                for (rank, mut storage) in (0..).zip(all) {
                    let case = format!("{collective} of {bytes} bytes, {blocks}, rank {rank} of {ranks}");
                    assert!(call(rank).is_right(&storage), "{case}");
                    assert_eq!(
                        Call { seed: 8, ..call(rank) }.is_right(&storage),
                        is_open(rank, &storage),
                        "{case}"
                    );
                    if let Some(byte) = storage.receive.last_mut() {
                        *byte ^= 1;
                    }
                    assert_eq!(call(rank).is_right(&storage), is_open(rank, &storage), "{case}");
                }
            }
        }
    }
}
