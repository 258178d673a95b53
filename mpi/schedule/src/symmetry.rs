//! Symmetries of schedules: moves of all ranks at once after which each rank does what the one before did in its place.
//!
//! A rank and the one in whose place it moves have the same operations, with the same bytes and dependencies, and their peers have moved
//! alike. So the ranks of one block stand for all others: [`Symmetry::unit`] of them are enough to know the schedule.

use super::Request;

/// The moves of blocks of consecutive ranks, which are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    moves: Moves,
    unit: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moves {
    /// Every block moves ahead in a circle, by any distance.
    Turns,
    /// The numbers of blocks are combined with any number by exclusive or.
    Exchanges,
}

impl Symmetry {
    /// The turns of all ranks in a circle.
    pub(super) const TURNS: Self = Self { moves: Moves::Turns, unit: 1 };

    /// Returns the exchanges of a power of two of ranks.
    pub(super) fn exchanges(request: &Request) -> Option<Self> {
        let symmetry = Self { moves: Moves::Exchanges, unit: 1 };
        request.comm_size().is_power_of_two().then_some(symmetry)
    }

    /// Returns the symmetry that another one becomes if all ranks have a block of the message, and the blocks have the same size.
    pub(super) fn of_equal_blocks(self, request: &Request) -> Option<Self> {
        request.count().is_multiple_of(u64::from(request.comm_size())).then_some(self)
    }

    /// Returns the symmetry of the ranks if this one is that of blocks of `ranks` ranks.
    #[must_use]
    pub(super) fn of_blocks(self, ranks: u32) -> Self {
        Self { unit: self.unit * ranks, ..self }
    }

    /// Returns the moves by which blocks of `size` ranks move as a whole, or `None` if there is none but that of all ranks.
    pub fn keeping(self, size: u64, comm_size: u32) -> Option<Self> {
        let unit = self.unit / gcd(u64::from(self.unit), size) as u32;
        let unit = u32::try_from(u64::from(unit).checked_mul(size)?).ok()?;
        let blocks = comm_size.checked_div(unit)?;
        let are_moved = match self.moves {
            Moves::Turns => true,
            Moves::Exchanges => (unit / self.unit).is_power_of_two() && blocks.is_power_of_two(),
        };
        (are_moved && blocks > 1 && comm_size.is_multiple_of(unit)).then_some(Self { unit, ..self })
    }

    /// Returns the number of ranks of a block.
    pub fn unit(self) -> u32 {
        self.unit
    }

    /// Moves two ranks so that the first is in the first block.
    pub fn bring(self, (first, second): (u32, u32), comm_size: u32) -> (u32, u32) {
        let Self { moves, unit } = self;
        let moved = match moves {
            Moves::Turns => {
                let start = first - first % unit;
                if second >= start { second - start } else { second + (comm_size - start) }
            }
            Moves::Exchanges => ((second / unit) ^ (first / unit)) * unit + second % unit,
        };
        (first % unit, moved)
    }
}

pub(super) fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::super::{
        Action, Algorithm, Clusters, Collective, Operation, RankSchedule, Schedule, TwoLevel, Variant,
        algorithms, all,
    };
    use super::*;
    use std::collections::BTreeSet;

    /// Returns what a rank does, with the places of its peers after the move that brings it into the first block.
    fn moved(
        schedule: &RankSchedule,
        symmetry: Symmetry,
        comm_size: u32,
    ) -> Vec<(char, u32, u32, u64, Vec<u32>)> {
        let of = |operation: &Operation| {
            let place = |peer: u32| symmetry.bring((schedule.rank, peer), comm_size).1;
            let (verb, peer, rail) = match operation.action {
                Action::Send { peer, rail, .. } => ('s', place(peer), rail),
                Action::Receive { peer, rail, .. } => ('r', place(peer), rail),
                Action::Reduce { .. } => ('+', 0, 0),
                Action::Copy { .. } => ('c', 0, 0),
            };
            (verb, peer, rail, operation.action.bytes(), operation.after.clone())
        };
        schedule.operations.iter().map(of).collect()
    }

    /// Checks every rank against the one of the first block that stands for it. Returns whether there is a symmetry.
    fn check(algorithm: &dyn Algorithm, request: &Request) -> bool {
        let ranks = request.comm_size();
        let symmetry = algorithm.symmetry(request).and_then(|symmetry| symmetry.keeping(1, ranks));
        let Some(symmetry) = symmetry.filter(|_| algorithm.accept(request).is_ok()) else { return false };
        let schedule = Schedule::build(algorithm, request).unwrap();
        for rank in &schedule.ranks {
            let stand_in = &schedule.ranks[(rank.rank % symmetry.unit()) as usize];
            let [one, other] = [rank, stand_in].map(|rank| moved(rank, symmetry, ranks));
            assert_eq!(one, other, "rank {} of {} {request:?}", rank.rank, algorithm.name());
        }
        true
    }

    fn request(ranks: u32, count: u64, segment: Option<u64>, clusters: Option<Clusters>) -> Request {
        let variant = Variant { clusters, ..Variant::default() };
        let request = Request::new(ranks, count).and_then(|request| request.segment(segment));
        request.and_then(|request| request.variant(variant)).unwrap()
    }

    #[test]
    fn ranks_of_a_block_stand_for_all() {
        let mut symmetric = BTreeSet::new();
        for entry in all() {
            for ranks in 2..=33 {
                let count = u64::from(ranks);
                for (count, segment) in
                    [(0, None), (1, None), (7, Some(2)), (count, None), (3 * count, Some(2))]
                {
                    if check(entry, &request(ranks, count, segment, None)) {
                        symmetric.insert(format!("{} {}", entry.collective(), entry.name()));
                    }
                }
            }
        }
        let rotated = algorithms(Collective::Alltoall).filter(|entry| entry.name() != "linear");
        assert!(
            rotated.map(|entry| format!("alltoall {}", entry.name())).all(|name| symmetric.contains(&name))
        );
        assert_eq!(symmetric.len(), 17, "{symmetric:?}");
    }

    #[test]
    fn nodes_of_a_composition_stand_for_all() {
        let mut symmetric = BTreeSet::new();
        for collective in
            [Collective::Allreduce, Collective::Allgather, Collective::Alltoall, Collective::Barrier]
        {
            let names = || algorithms(collective).map(Algorithm::name);
            for (inter, intra) in names().flat_map(|inter| names().map(move |intra| (inter, intra))) {
                let name = format!("two_level:inter={inter}:intra={intra}");
                let composed = TwoLevel::named(collective, &name).unwrap().unwrap();
                for (nodes, size) in [(2, 1), (3, 4), (4, 3), (6, 2), (8, 5)] {
                    for count in [0, 1, 7, u64::from(nodes * size) * 2] {
                        let clusters = Clusters::new([(nodes, size)]).unwrap();
                        let has_bytes = count > 0 || collective == Collective::Barrier;
                        if check(&composed, &request(nodes * size, count, None, Some(clusters))) && has_bytes
                        {
                            symmetric.insert(format!("{collective} {inter}"));
                        }
                    }
                }
            }
        }
        assert_eq!(symmetric.len(), 8, "{symmetric:?}");
    }

    #[test]
    fn larger_blocks_move_as_a_whole() {
        let [turns, exchanges] = [Moves::Turns, Moves::Exchanges].map(|moves| Symmetry { moves, unit: 2 });
        let unit = |symmetry: Symmetry, size, ranks| symmetry.keeping(size, ranks).map(Symmetry::unit);
        assert_eq!([unit(turns, 3, 24), unit(turns, 4, 24), unit(turns, 1, 24)], [Some(6), Some(4), Some(2)]);
        assert_eq!([unit(turns, 5, 24), unit(turns, 24, 24), unit(turns, 48, 24)], [None; 3]);
        assert_eq!(unit(turns, u64::MAX, 24), None);
        assert_eq!(
            [unit(exchanges, 4, 16), unit(exchanges, 3, 48), unit(exchanges, 4, 24)],
            [Some(4), None, None]
        );
        assert_eq!((turns.bring((5, 0), 8), turns.bring((5, 7), 8)), ((1, 4), (1, 3)));
        assert_eq!((exchanges.bring((5, 0), 8), exchanges.bring((5, 7), 8)), ((1, 4), (1, 3)));
        assert_eq!((exchanges.bring((3, 5), 8), exchanges.bring((2, 6), 8)), ((1, 7), (0, 4)));
    }
}
