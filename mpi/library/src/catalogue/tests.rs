//! Names, numbers and needs of algorithms.

use qtdec_core::{Axis, Domain, Method};

use super::*;

#[test]
fn an_algorithm_is_found_by_each_of_its_names() {
    let cases = [
        (Library::OpenMpi, "bcast", "linear", Some("basic_linear")),
        (Library::OpenMpi, "bcast", "splitBinary", Some("split_binary_tree")),
        (Library::OpenMpi, "bcast", "ompi_coll_base_bcast_intra_pipeline", Some("pipeline")),
        (Library::OpenMpi, "reduce", "in-order binary", Some("in-order_binary")),
        (
            Library::OpenMpi,
            "bcast",
            "MPIR_Bcast_intra_scatter_ring_allgather",
            Some("scatter_allgather_ring"),
        ),
        (Library::Mpich, "bcast", "scatter_allgather_ring", Some("scatter_ring_allgather")),
        (Library::Mpich, "reduce_scatter_block", "MPICH_reduce_scatter_block_pairwise", Some("pairwise")),
        (Library::Mpich, "reduce_scatter_block", "MPICH_reduce_scatter_pairwise", Some("pairwise")),
        (Library::OpenMpi, "bcast", "ring", None),
        (Library::OpenMpi, "pingpong", "linear", None),
        (Library::IntelMpi, "allreduce", "nonoverlapping", Some("reduce_bcast")),
        (Library::IntelMpi, "allreduce", "preset_27", Some("preset_27")),
        (Library::IntelMpi, "allreduce", "preset_3", Some("reduce_bcast")),
        (Library::IntelMpi, "allreduce", "preset_65", None),
        (Library::IntelMpi, "pingpong", "preset_27", None),
    ];
    for (library, collective, name, expected) in cases {
        assert_eq!(library.find(collective, name).map(|found| found.name), expected, "{name}");
    }
}

#[test]
fn the_numbers_of_open_mpi_are_those_of_its_names() {
    for collective in open_mpi::COLLECTIVES {
        let number = collective.number.expect("each has one");
        assert_eq!(open_mpi::NAMES[usize::from(number)], collective.name);
    }
}

#[test]
fn an_algorithm_is_found_by_its_number() {
    let name = |library: Library, number| library.numbered("bcast", number).map(|found| found.name);
    assert_eq!(
        [0, 1, 14, 15, 64, 65].map(|number| name(Library::IntelMpi, number)),
        [None, Some("binomial"), Some("numa_shm_avx512"), Some("preset_15"), Some("preset_64"), None]
    );
    assert_eq!((name(Library::OpenMpi, 6), name(Library::Mpich, 1)), (Some("binomial"), None));
    for number in 1..=64 {
        let found = Library::IntelMpi.numbered("bcast", number).expect("all are named");
        assert_eq!(found.number, Some(number));
    }
}

#[test]
fn methods_are_matched_as_benchmarks_of_open_mpi_call_them() {
    let methods = ["7", "ring_ompi", "ring", "default_ompi", "99", "_ompi"].map(Method::new).to_vec();
    let axes = vec![Axis::new("msg_size", vec![1, 2])];
    let domain = Domain::new(Some("allgather".to_owned()), axes, methods).expect("the domain is valid");
    let matched = |library: Library| {
        let matching = Matching::new(&domain, library, "allgather", &[]).expect("nothing was given");
        domain.method_indexes().map(|method| matching.get(method).map(|found| found.name)).collect::<Vec<_>>()
    };
    assert_eq!(matched(Library::OpenMpi), [Some("sparbit"), Some("ring"), Some("ring"), None, None, None]);
    assert_eq!(matched(Library::Mpich), [None, None, Some("ring"), None, None, None]);
}

#[test]
fn an_algorithm_is_given_with_its_parameters() {
    let methods = ["chain", "ring_ll:reqs=4", "torus"].map(Method::new).to_vec();
    let axes = vec![Axis::new("msg_size", vec![1, 2])];
    let domain = Domain::new(Some("bcast".to_owned()), axes, methods).expect("the domain is valid");
    let given = |pairs: &[(&str, &str)]| {
        let pairs: Vec<_> =
            pairs.iter().map(|(method, algorithm)| ((*method).to_owned(), (*algorithm).to_owned())).collect();
        Matching::new(&domain, Library::OpenMpi, "bcast", &pairs)
    };
    let pairs = [("chain", "chain:fanout=4"), ("ring_ll:reqs=4", "2:reqs=8:fanout=2")];
    let matching = given(&pairs).expect("there are such algorithms");
    let matched: Vec<_> = (domain.method_indexes())
        .map(|method| {
            let parameters = ["fanout", "reqs"].map(|key| matching.parameter(&domain, method, key));
            (matching.get(method).map(|found| found.name), matching.is_guessed(method), parameters)
        })
        .collect();
    let expected = [
        (Some("chain"), false, [Some(4), None]),
        (Some("chain"), false, [Some(2), Some(8)]),
        (None, true, [None, None]),
    ];
    assert_eq!(matched, expected);
    let by_name = given(&[]).expect("nothing was given");
    let number = |key| by_name.parameter(&domain, domain.method_indexes().nth(1).expect("it exists"), key);
    assert_eq!([number("reqs"), number("fanout")], [Some(4), None]);
    let refused = given(&[("chain", "chain:fan=4")]).expect_err("there is no such parameter");
    assert!(refused.starts_with("Open MPI has no algorithm `chain:fan=4` for bcast"), "{refused}");
}

#[test]
fn only_known_parameters_at_the_end_are_parameters() {
    for (text, expected) in [
        ("chain=chain:fanout=4", "chain=chain"),
        ("a=ring:reqs=2:fanout=4", "a=ring"),
        ("a=linear_sync:reqs=16", "a=linear_sync"),
        ("ring_ll:reqs=4=bruck", "ring_ll:reqs=4=bruck"),
        ("radix:k=2", "radix:k=2"),
        ("chain:fanout=four", "chain:fanout=four"),
        ("fanout=4", "fanout=4"),
    ] {
        assert_eq!(without_parameters(text), expected);
    }
}

/// The number is an argument of these functions in `coll_tuned_<collective>_decision.c`; `reduce_generic` looks at it for several segments.
#[test]
fn algorithms_of_alltoall_and_reductions_limit_requests() {
    let limited = |with_segments: bool| -> Vec<String> {
        let limits = all().filter(|(.., algorithm)| algorithm.limits_requests(with_segments));
        limits.map(|(_, collective, algorithm)| format!("{} {}", collective.name, algorithm.name)).collect()
    };
    assert_eq!(limited(false), ["alltoall linear_sync"]);
    let reductions = ["chain", "pipeline", "binary", "binomial", "in-order_binary", "knomial"];
    let expected = reductions.map(|name| format!("reduce {name}"));
    assert_eq!(limited(true)[1..], expected);
    let linear_sync = Library::OpenMpi.find("alltoall", "linear_sync").expect("it is one of them");
    let open = |requests| linear_sync.open_requests(requests, None);
    assert_eq!([open(None), open(Some(0)), open(Some(4))], [None, None, Some(4)]);
}

/// Returns every algorithm with its library and collective.
fn all() -> impl Iterator<Item = (Library, &'static TunedCollective, &'static Algorithm)> {
    let collectives = Library::ALL
        .into_iter()
        .flat_map(|library| library.collectives().iter().map(move |collective| (library, collective)));
    collectives.flat_map(|(library, collective)| {
        collective.algorithms.iter().map(move |algorithm| (library, collective, algorithm))
    })
}

#[test]
fn names_of_algorithms_are_unique_within_a_collective() {
    let mut seen = std::collections::HashSet::new();
    for (library, collective, algorithm) in all() {
        let own = qtdec_core::naming::snake(algorithm.name);
        for name in algorithm.aliases.iter().map(ToString::to_string).chain([own]) {
            assert!(
                seen.insert((library.name(), collective.name, name.clone())),
                "{}: {name}",
                collective.name
            );
        }
    }
}

#[test]
fn an_algorithm_is_found_by_its_name_its_number_and_the_name_it_is_measured_by() {
    for (library, collective, algorithm) in all() {
        let what = format!("{} {} {}", library.name(), collective.name, algorithm.name);
        assert_eq!(library.find(collective.name, algorithm.name), Some(algorithm), "{what}");
        if let Some(name) = algorithm.measured_name() {
            assert_eq!(library.find(collective.name, name), Some(algorithm), "{what}");
        }
        if let Some(number) = algorithm.number {
            assert_eq!(library.numbered(collective.name, number), Some(algorithm), "{what}");
        }
    }
}

#[test]
fn numbers_follow_each_other() {
    for library in Library::ALL {
        for collective in library.collectives() {
            let numbers: Vec<u64> =
                collective.algorithms.iter().filter_map(|algorithm| algorithm.number).collect();
            let expected: Vec<u64> = (1..).take(numbers.len()).collect();
            assert_eq!(numbers, expected, "{} {}", library.name(), collective.name);
            let is_numbered = numbers.len() == collective.algorithms.len();
            assert_eq!(is_numbered, library != Library::Mpich);
        }
    }
}

#[test]
fn a_collective_has_one_name_and_one_word() {
    for library in Library::ALL {
        for collective in library.collectives() {
            let by_name = library.collective(collective.name).expect("it is one of them");
            let by_word = library.collective_by_word(collective.word).expect("it is one of them");
            assert_eq!((by_name.name, by_word.name), (collective.name, collective.name));
            assert!(natural_basis(collective.name).is_some() || collective.name == "barrier");
        }
    }
    for collective in open_mpi::COLLECTIVES {
        let found = open_mpi::collective_by_number(collective.number.expect("all have one"));
        assert_eq!(found.map(|found| found.name), Some(collective.name));
    }
}

#[test]
fn what_is_not_measured_has_a_reason_and_what_fails_a_requirement_or_a_caution() {
    for (_, collective, algorithm) in all() {
        if let Measured::No(reason) = algorithm.measured {
            assert!(!reason.is_empty(), "{} {}", collective.name, algorithm.name);
        }
        if algorithm.fails_unmet {
            let expressed = algorithm.requires().count();
            assert!(expressed == algorithm.needs.len() || algorithm.caution.is_some(), "{}", algorithm.name);
            assert!(!algorithm.needs.is_empty(), "{}", algorithm.name);
        }
    }
}

#[test]
fn a_release_has_what_came_before_it_and_was_not_dropped() {
    let [dissemination, k_dissemination] = ["dissemination", "k_dissemination"]
        .map(|name| Library::Mpich.find("barrier", name).expect("it is one of them"));
    let releases = [None, Some(Release::new(4, 0)), Some(Release::new(5, 0)), Some(Release::new(5, 1))];
    assert_eq!(releases.map(|release| dissemination.is_in(release)), [true, true, false, false]);
    assert_eq!(releases.map(|release| k_dissemination.is_in(release)), [true, false, true, true]);
    let lack = k_dissemination.lack(releases[1]).expect("4.0 lacks it").to_string();
    assert_eq!(lack, "5.0 is the first release that has it");
}
