//! The methods that are tried for calls of a class: our own schedules, the most promising first.

use qtdec_mpi_schedule::Collective;

use crate::bench::Method;
use crate::compositions::{self, SMALL, segment};
use crate::interposer::call::Call;
use crate::interposer::plans::accepted;
use crate::own::PREFIX;

/// The maximum number of candidates without a prior.
const MOST: usize = 6;

/// How many of the best of a prior are candidates although they are not by themselves.
const OTHERS: usize = 2;

fn names(collective: Collective, is_small: bool) -> &'static [&'static str] {
    match (collective, is_small) {
        (Collective::Bcast, true) => &["binomial", "knomial", "binary", "linear", "scatter_allgather"],
        (Collective::Bcast, false) => {
            &["scatter_allgather", "circulant", "pipeline", "two_tree", "split_binary", "binomial"]
        }
        (Collective::Reduce, true) => &["binomial", "knomial", "binary", "linear"],
        (Collective::Reduce, false) => &["scatter_gather", "pipeline", "circulant", "two_tree", "binomial"],
        (Collective::Allreduce, true) => &["recursive_doubling", "reduce_bcast", "rabenseifner", "circulant"],
        (Collective::Allreduce, false) => {
            &["rabenseifner", "ring", "segmented_ring", "circulant", "recursive_doubling", "reduce_bcast"]
        }
        (Collective::Scatter | Collective::Gather, true) => &["binomial", "linear", "chain"],
        (Collective::Scatter | Collective::Gather, false) => &["linear", "binomial", "chain"],
        (Collective::Allgather, true) => &["recursive_doubling", "bruck", "neighbor_exchange", "ring"],
        (Collective::Allgather, false) => &["ring", "neighbor_exchange", "recursive_doubling", "bruck"],
        (Collective::Alltoall, true) => &["bruck", "linear", "rotated", "pairwise"],
        (Collective::Alltoall, false) => &["pairwise", "rotated", "linear", "bruck"],
        (Collective::ReduceScatterBlock, _) => &["recursive_halving", "pairwise", "ring"],
        (Collective::Barrier, _) => &["dissemination", "recursive_doubling", "tree", "linear"],
        _ => &[],
    }
}

/// Returns the methods for calls like this one, those of the prior first. All ranks return the same.
pub(super) fn candidates(collective: Collective, call: &Call, prior: &[Method]) -> Vec<Method> {
    let bytes = call.bytes;
    let size = (call.ranks, bytes);
    let of_name = |name: &&str| Method::named(&format!("{PREFIX}{name}"), segment(collective, name, size));
    let of_levels = |name: String| Method::named(&format!("{PREFIX}{name}"), 0);
    let is_accepted = |method: &Method| accepted(method, false, call).is_ok();
    let has_levels = (2..call.ranks).contains(&call.ranks_per_node());
    let composed = compositions::of_size(collective, size).filter(|_| has_levels).map(of_levels);
    let methods = names(collective, bytes < SMALL).iter().map(of_name).filter(is_accepted);
    let own: Vec<Method> = composed.filter(is_accepted).take(1).chain(methods).take(MOST).collect();
    let with_name =
        |methods: &[Method], name: &str| methods.iter().find(|method| method.name() == name).cloned();
    let mut all = Vec::new();
    for (place, method) in prior.iter().filter(|method| is_accepted(method)).enumerate() {
        let known = with_name(&own, &method.name());
        if place < OTHERS || known.is_some() {
            // Times without segments do not say that none are better.
            all.push(known.filter(|_| method.segment() == 0).unwrap_or_else(|| method.clone()));
        }
    }
    let rest: Vec<Method> =
        own.into_iter().filter(|method| with_name(&all, &method.name()).is_none()).collect();
    all.extend(rest);
    all
}

#[cfg(test)]
mod tests {
    use qtdec_mpi_schedule::{Schedule, find};

    use super::*;

    #[test]
    fn every_name_is_an_algorithm_and_every_collective_has_some() {
        for collective in Collective::ALL {
            for bytes in [64, 1 << 22] {
                let call = Call::new(collective, (8, 1, 0), bytes);
                assert!(candidates(collective, &call, &[]).len() >= 3, "{collective} {bytes}");
            }
            for name in [true, false].into_iter().flat_map(|is_small| names(collective, is_small)) {
                assert!(find(collective, name).is_ok(), "{collective} {name}");
            }
        }
    }

    #[test]
    fn segments_are_those_of_the_size() {
        let labels = |bytes| {
            let call = Call::new(Collective::Bcast, (8, 1, 0), bytes);
            candidates(Collective::Bcast, &call, &[]).iter().map(Method::label).collect::<Vec<_>>()
        };
        assert_eq!(labels(100)[..2], ["own_binomial", "own_knomial"]);
        let large = |[circulant, pipeline, two_tree, others]: [u32; 4]| {
            let segmented = [
                ("circulant", circulant),
                ("pipeline", pipeline),
                ("two_tree", two_tree),
                ("split_binary", others),
                ("binomial", others),
            ];
            let segmented =
                segmented.map(|(name, segment)| Method::named(&format!("own_{name}"), segment).label());
            [vec!["own_scatter_allgather".to_owned()], segmented.to_vec()].concat()
        };
        assert_eq!(labels(1 << 13), large([2048, 2048, 1024, 0]));
        assert_eq!(labels(100_000), large([2048, 2048, 1024, 8192]));
        assert_eq!(labels(4 << 20), large([8192, 8192, 8192, 65536]));
        assert_eq!(labels(8 << 20), large([65536; 4]));
    }

    #[test]
    fn a_prior_says_the_order_and_leaves_nothing_out() {
        let call = Call::new(Collective::Bcast, (8, 1, 0), 100_000);
        let of = |prior: &[Method]| candidates(Collective::Bcast, &call, prior);
        let prior = [
            ("own_chain", 1024),
            ("own_linear", 0),
            ("own_dary", 0),
            ("own_pipeline", 4096),
            ("own_binomial", 512),
            ("own_split_binary", 0),
        ];
        let ordered: Vec<String> = of(&prior.map(|(name, segment)| Method::named(name, segment)))
            .iter()
            .map(Method::label)
            .collect();
        let expected = [
            "own_chain/1024",
            "own_linear",
            "own_pipeline/4096",
            "own_binomial/512",
            "own_split_binary/8192",
        ];
        assert_eq!(ordered[..5], expected);
        let without = of(&[]);
        assert_eq!(ordered.len(), without.len() + 2);
        for method in without {
            assert!(
                ordered.iter().any(|label| label.split('/').next() == Some(&method.name())),
                "{ordered:?}"
            );
        }
    }

    #[test]
    fn nodes_of_several_ranks_have_a_composition_that_is_right() {
        for collective in Collective::ALL {
            for (ranks, per_node) in
                [(8, 0), (8, 1), (8, 8), (8, 2), (8, 4), (6, 2), (6, 3), (9, 3), (1000, 50)]
            {
                for bytes in [24, 12_000, 96_000, 2_400_000] {
                    let call = Call::new(collective, (ranks, 1, 0), bytes).on_nodes_of(per_node);
                    let all = candidates(collective, &call, &[]);
                    let composed: Vec<&Method> = all.iter().filter(|method| method.needs_nodes()).collect();
                    let has_levels = per_node > 1
                        && (per_node as u32) < ranks
                        && collective != Collective::ReduceScatterBlock;
                    assert_eq!(composed.len(), usize::from(has_levels), "{call} {per_node}");
                    assert!(all.len() <= MOST);
                    if let (Some(method), true) = (composed.first(), ranks < 10 && bytes < 100_000) {
                        let (own, request) = accepted(method, false, &call).unwrap();
                        let schedule = Schedule::build(own.algorithm(), &request).unwrap();
                        assert!(schedule.verify().is_ok(), "{call} by {} {per_node}", method.label());
                    }
                }
            }
        }
    }
}
