//! Whether reductions combine whole operands: an operation of a program may count on that.

use super::{Action, Algorithm, Entry, Request, ScheduleError};

/// A call that is small, in which every algorithm that ever cuts operands does so if there are as many elements.
const RANKS: u32 = 4;
const COUNT: u64 = 8;

impl Entry {
    /// Returns whether a reduction combines exactly the elements of MPI's count at a time, neither a part of them nor several
    /// blocks. It may return `false` for small numbers of ranks or elements although the reduction does.
    pub fn keeps_whole(&self, request: &Request) -> bool {
        if !self.collective.is_reduction() {
            return true;
        }
        let is_in_segments = self.segmented && request.segments(request.message()).remaining() > 1;
        !is_in_segments && self.keeps_small_whole(request).unwrap_or(false)
    }

    fn keeps_small_whole(&self, request: &Request) -> Result<bool, ScheduleError> {
        let small = Request::new(RANKS, request.count().min(COUNT))?.commutative(request.is_commutative());
        for rank in 0..RANKS {
            let operations = self.rank(&small, rank)?.operations;
            if !operations.iter().all(|operation| is_whole(&operation.action, small.bytes())) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns whether an action combines this many bytes, or none.
fn is_whole(action: &Action, bytes: u64) -> bool {
    !matches!(action, Action::Reduce { into, .. } if into.bytes != bytes && into.bytes != 0)
}

#[cfg(test)]
mod tests {
    use super::super::{Clusters, Collective, Named, Variant, algorithms, all};
    use super::*;

    /// Checks that the actions of all ranks combine whole operands.
    fn check(algorithm: &dyn Algorithm, request: &Request) {
        for rank in 0..request.comm_size() {
            let operations = algorithm.rank(request, rank).unwrap().operations;
            let is_right = operations.iter().all(|operation| is_whole(&operation.action, request.bytes()));
            assert!(is_right, "{} {}: {request:?}", algorithm.collective(), algorithm.name());
        }
    }

    #[test]
    fn schedules_that_are_said_to_combine_whole_operands_do() {
        for entry in all().filter(|entry| entry.collective().is_reduction()) {
            for ranks in (2..=9).chain([16, 17, 24]) {
                for (count, segment, commutes) in [
                    (1, None, true),
                    (2, None, true),
                    (7, Some(2), true),
                    (64, None, true),
                    (64, None, false),
                ] {
                    let request = Request::new(ranks, count).and_then(|request| request.segment(segment));
                    let request = request.unwrap().commutative(commutes);
                    if entry.keeps_whole(&request) {
                        check(entry, &request);
                    }
                }
            }
        }
    }

    #[test]
    fn compositions_of_algorithms_that_combine_whole_operands_do() {
        let mut checked = 0;
        for collective in [Collective::Reduce, Collective::Allreduce] {
            let names = || algorithms(collective).map(Algorithm::name);
            for (inter, intra) in names().flat_map(|inter| names().map(move |intra| (inter, intra))) {
                let composed = Named::find(collective, &format!("two_level:inter={inter}:intra={intra}"));
                let composed = composed.unwrap();
                for clusters in [[(3, 4)], [(4, 3)]] {
                    let clusters = Some(Clusters::new(clusters).unwrap());
                    let variant = Variant { clusters, ..Variant::default() };
                    let request = Request::new(12, 64).and_then(|request| request.variant(variant)).unwrap();
                    if composed.algorithm().accept(&request).is_ok() && composed.keeps_whole(&request) {
                        check(composed.algorithm(), &request);
                        checked += 1;
                    }
                }
            }
        }
        assert!(checked > 100, "{checked}");
    }

    #[test]
    fn some_algorithms_cut_operands_and_others_only_in_segments() {
        let cut = |count, segment| {
            let request = Request::new(8, count).and_then(|request| request.segment(segment)).unwrap();
            let cut = all().filter(|entry| !entry.keeps_whole(&request));
            cut.map(|entry| format!("{} {}", entry.collective(), entry.name())).collect::<Vec<_>>()
        };
        let expected = [
            "reduce scatter_gather",
            "reduce multirail",
            "reduce two_tree",
            "allreduce ring",
            "allreduce segmented_ring",
            "allreduce rabenseifner",
            "allreduce circulant",
            "allreduce multirail",
            "reduce_scatter_block recursive_halving",
        ];
        assert_eq!(cut(64, None), expected);
        assert_eq!(cut(64, Some(64)), expected);
        let in_segments = cut(64, Some(63));
        assert!(in_segments.iter().any(|name| name == "reduce binomial"));
        assert!(!in_segments.iter().any(|name| name == "allreduce recursive_doubling"));
        assert_eq!(cut(1, None), ["reduce_scatter_block recursive_halving"]);
    }
}
