//! Tests of the rules at the points that the releases' sources single out.

use crate::catalogue::{Library, natural_basis_or_buffer};
use qtdec_core::Basis;

use super::*;

fn chosen_by(rules: &str, collective: &str, comm_size: u64, msg_size: u64) -> String {
    shown(rules, collective, &Call::new(comm_size, msg_size, natural_basis_or_buffer(collective)))
}

fn shown(rules: &str, collective: &str, call: &Call) -> String {
    let rule = RuleSet::find(rules).and_then(|rules| rules.rule(collective)).expect("there is such a rule");
    let Choice { algorithm, segment_size, fan_out, .. } = rule(call);
    let segments = segment_size.map(|size| format!("/{size}")).unwrap_or_default();
    let children = fan_out.map(|children| format!(" of {children}")).unwrap_or_default();
    format!("{algorithm}{segments}{children}")
}

#[test]
fn the_rules_of_2005_as_intended_and_as_shipped() {
    for (p, m, expected) in [
        (3, 1 << 30, "basic_linear"),
        (4, 524_287, "binary_tree"),
        (4, 524_288, "binary_tree/16384"),
        (5, 4095, "basic_linear"),
        (8, 4096, "binary_tree"),
        (9, 4095, "binary_tree"),
        (9, 32_768, "binary_tree/16384"),
        (8, 32_768, "binary_tree"),
        (5, 524_288, "pipeline/16384"),
    ] {
        assert_eq!(chosen_by("ft-mpi", "bcast", p, m), expected, "{m} bytes to {p} ranks");
    }
    assert_eq!(chosen_by("open-mpi-1.1", "bcast", 4, 524_288), "binary_tree");
    for (p, m, expected) in [
        (64, 4096, "linear"),
        (64, 4097, "chain/32768 of 8"),
        (64, 65_537, "chain/1024 of 32"),
        (12, 65_537, "chain/1024 of 6"),
        (64, 524_288, "pipeline/1024"),
    ] {
        assert_eq!(chosen_by("ft-mpi", "reduce", p, m), expected, "{m} bytes from {p} ranks");
        assert_eq!(chosen_by("open-mpi-1.1", "reduce", p, m), "linear");
    }
    assert_eq!(chosen_by("ft-mpi", "alltoall", 12, 64), "modified_bruck");
    assert_eq!(chosen_by("ft-mpi", "alltoall", 12, 65), "linear");
    assert_eq!(chosen_by("ft-mpi", "alltoall", 2, 1 << 20), "two_proc");
}

#[test]
fn the_rules_of_the_trunk_have_the_names_of_their_commits() {
    for (p, m, expected) in [
        (11, 1024, "basic_linear"),
        (12, 1024, "binary_tree"),
        (34, 1024, "binary_tree/1024"),
        (33, 1024, "binary_tree"),
        (12, 35_000, "binary_tree/8192"),
        (13, 35_000, "split_binary_tree/1024"),
        (12, 35_001, "split_binary_tree/8192"),
        (12, 1 << 20, "pipeline/8192"),
        (4, 1 << 20, "pipeline/65536"),
    ] {
        assert_eq!(chosen_by("open-mpi-ba3c247f2a", "bcast", p, m), expected, "{m} bytes to {p} ranks");
    }
    for (p, m, expected) in [
        (7, 511, "linear"),
        (8, 511, "binary"),
        (7, 20_479, "binomial"),
        (16, 100 << 10, "pipeline/1024"),
        (30, 600 << 10, "pipeline/32768"),
        (16, 1 << 20, "pipeline/32768"),
        (2, 1 << 20, "pipeline/65536"),
    ] {
        assert_eq!(chosen_by("open-mpi-b52dc9e427", "reduce", p, m), expected, "{m} bytes from {p} ranks");
    }
    assert_eq!(chosen_by("open-mpi-b52dc9e427+6a9514ee08", "reduce", 30, 600 << 10), "binary/32768");
}

#[test]
fn the_rules_of_2007_have_sloped_borders() {
    for (p, m, expected) in [
        (64, 2047, "binomial"),
        (64, 2048, "split_binary_tree/1024"),
        (12, 370_728, "split_binary_tree/8192"),
        (13, 370_728, "pipeline/8192"),
        (13, 2 << 20, "pipeline/16384"),
        (13, 6_000_000, "pipeline/65536"),
        (13, 36 << 20, "pipeline/131072"),
    ] {
        assert_eq!(chosen_by("open-mpi-1.2", "bcast", p, m), expected, "{m} bytes to {p} ranks");
    }
    for (p, m, expected) in [
        (19, 511, "linear"),
        (20, 511, "binary"),
        (7, 20_479, "binomial"),
        (64, 4096, "binary/1024"),
        (16, 1 << 20, "pipeline/32768"),
        (2, 1 << 20, "pipeline/65536"),
    ] {
        assert_eq!(chosen_by("open-mpi-1.2", "reduce", p, m), expected, "{m} bytes from {p} ranks");
    }
    let in_order = Call { commutative: false, ..Call::new(64, 1 << 20, Basis::Buffer) };
    assert_eq!(shown("open-mpi-1.2", "reduce", &in_order), "linear");
    assert_eq!(shown("open-mpi-1.2", "allreduce", &in_order), "nonoverlapping");
    assert_eq!(shown("open-mpi-1.3", "reduce", &in_order), "in-order_binary");
}

#[test]
fn what_was_corrected_after_1_4() {
    // Between the second line and the third.
    let (p, m) = (32, 600 << 10);
    assert_eq!(chosen_by("open-mpi-1.3", "reduce", p, m), "pipeline/32768");
    assert_eq!(chosen_by("open-mpi-1.8", "reduce", p, m), "binary/32768");
    assert_eq!(chosen_by("open-mpi-1.3", "alltoallv", p, m), "basic_linear");
    assert_eq!(chosen_by("open-mpi-1.8", "alltoallv", p, m), "pairwise");
}

#[test]
fn mpich_rules_test_for_powers_of_two() {
    for (p, m, expected) in [
        (7, 1 << 30, "binomial"),
        (8, 12_288, "binomial"),
        (8, 12_289, "scatter_recursive_doubling_allgather"),
        (9, 12_289, "scatter_ring_allgather"),
        (8, 524_289, "scatter_ring_allgather"),
    ] {
        assert_eq!(chosen_by("mpich-4.0", "bcast", p, m), expected, "{m} bytes to {p} ranks");
    }
    assert_eq!(chosen_by("mpich-4.0", "alltoall", 8, 256), "scattered");
    assert_eq!(chosen_by("mpich-4.0", "alltoall", 9, 256), "brucks");
    let doubles = Call { element_size: 8, ..Call::new(512, 4096, Basis::Buffer) };
    assert_eq!(shown("mpich-4.0", "reduce", &doubles), "reduce_scatter_gather");
    assert_eq!(shown("mpich-4.0", "reduce", &Call { comm_size: 1024, ..doubles }), "binomial");
}

#[test]
fn a_substitute_runs_where_the_choice_cannot() {
    let rules = RuleSet::find("open-mpi-4.1").expect("it is one of them");
    let runs = |collective: &str, call: &Call| {
        let choice = rules.rule(collective).expect("there is a rule")(call);
        (choice.algorithm, rules.runs(collective, choice, call).algorithm)
    };
    // One block in each row: allgather by recursive doubling needs a power of two.
    assert_eq!(runs("allgather", &Call::new(6, 8, Basis::Block)), ("recursive_doubling", "bruck"));
    assert_eq!(
        runs("allgather", &Call::new(8, 8, Basis::Block)),
        ("recursive_doubling", "recursive_doubling")
    );
    // 8 doubles on 512 ranks.
    let scarce = Call { element_size: 8, ..Call::new(512, 2048 * 8, Basis::Buffer) };
    assert_eq!(runs("allreduce", &scarce), ("rabenseifner", "rabenseifner"));
    let scarce = Call { element_size: 64, ..scarce };
    assert_eq!(runs("allreduce", &scarce), ("rabenseifner", "basic_linear"));
}

#[test]
fn every_rule_answers_everywhere_with_an_algorithm_of_its_library() {
    fn sizes(exponents: std::ops::Range<u32>) -> Vec<u64> {
        let around = |exponent: u32| [(1_u64 << exponent) - 1, 1_u64 << exponent, (1_u64 << exponent) + 1];
        exponents.flat_map(around).chain([0, u64::MAX]).collect()
    }
    for rules in ALL {
        for (collective, rule) in rules.rules {
            for comm_size in sizes(0..20) {
                for msg_size in sizes(0..40) {
                    for (element_size, commutative) in [(1, true), (8, false), (0, true)] {
                        let basis = natural_basis_or_buffer(collective);
                        let call = Call { comm_size, msg_size, basis, element_size, commutative };
                        for choice in [rule(&call), rules.runs(collective, rule(&call), &call)] {
                            let known = rules.library.algorithms(collective);
                            assert!(
                                known.iter().any(|algorithm| algorithm.name == choice.algorithm),
                                "{}: {} is no algorithm of {} for {collective}",
                                rules.name,
                                choice.algorithm,
                                Library::name(rules.library),
                            );
                        }
                    }
                }
            }
        }
    }
}
