//! Trees with the placement of ranks as axes: tuning files that test it, and libraries that cannot.

use std::fs;

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Basis, Borders, DecisionMap, DecisionTree, Domain, Method};
use qtdec_mpi_library::catalogue::{Library, Need, Placement};
use qtdec_mpi_library::tuning::{Job, LibraryRules, RuleOptions, Severity, find_format};

const MSG_SIZES: [u64; 3] = [1, 1000, 30_000];

/// Returns up to three algorithms that run on every number of ranks.
fn anywhere(library: Library, collective: &str) -> Vec<&'static str> {
    let known = library.algorithms(collective).iter().filter(|known| {
        known.needs.iter().all(|need| *need == Need::OutOfPlace) && known.lifetime.since.is_none()
    });
    known.map(|known| known.name).take(3).collect()
}

/// Returns the exact tree of a map on two axes and `msg_size`; `choose` has the number of the method of a cell.
fn tree(
    library: Library,
    (collective, basis): (&str, Basis),
    axes: [(&str, &[u64]); 2],
    choose: impl Fn([u64; 3]) -> usize,
) -> DecisionTree {
    let methods = anywhere(library, collective).into_iter().map(Method::new).collect();
    let [one, other] = axes.map(|(name, values)| Axis::new(name, values.to_vec()));
    let msg_size = Axis { basis: Some(basis), ..Axis::new("msg_size", MSG_SIZES) };
    let domain =
        Domain::new(Some(collective.to_owned()), vec![one, other, msg_size], methods).expect("it is sound");
    let methods: Vec<_> = domain.method_indexes().collect();
    let cells = (0..domain.cells()).map(|cell| {
        let sizes = domain.sizes(cell);
        Some(methods[choose([sizes[0], sizes[1], sizes[2]]) % methods.len()])
    });
    let cells = cells.collect();
    let map = DecisionMap::new(domain, cells).expect("it is sound");
    encode::encode(&map, &Quadtree::default(), Borders::Floor).expect("a quadtree needs nothing")
}

/// A choice that depends on every axis.
fn scattered([one, other, bytes]: [u64; 3]) -> usize {
    (one * 7 + other * 3 + u64::from(bytes.ilog2()) * (one + 2 * other)) as usize
}

fn rules(tree: &DecisionTree, target: &str) -> Result<LibraryRules, String> {
    let format = find_format(target).expect("it is one of them");
    let collective = tree.domain().collective().expect("it has one");
    let options = RuleOptions { placement: Some(format.placement()), ..RuleOptions::default() };
    LibraryRules::new(tree, format.library, collective, format.unit(collective), &options)
        .map_err(|problems| problems.to_string())
}

/// Checks that a file decides like its tree with every number of ranks on each of every number of full nodes.
fn follows(target: &str, tree: &DecisionTree, into: Option<&[u8]>, has_nodes: bool) {
    let format = find_format(target).expect("it is one of them");
    let rules = rules(tree, target).expect("the library knows nodes");
    let written = format.write(std::slice::from_ref(&rules), into).expect("all can be written");
    let text = written.text;
    // The rest of the file is of the oldest release.
    let findings = format.check(text.as_bytes(), format.releases.first().copied());
    assert!(findings.iter().all(|finding| finding.severity == Severity::Note), "{findings:?}\n{text}");
    let collective = tree.domain().collective().expect("it has one");
    for ranks_per_node in 1..=4 {
        let selection =
            format.read(text.as_bytes(), Job { ranks_per_node }).expect("what is written is accepted");
        for nodes in (1..=8).filter(|nodes| nodes * ranks_per_node > 1) {
            let ranks = nodes * ranks_per_node;
            for bytes in MSG_SIZES.into_iter().flat_map(|size| [size, size + 1, 2 * size]) {
                let sizes = [if has_nodes { nodes } else { ranks }, ranks_per_node, bytes];
                let expected = tree.decide(&sizes).expect("the map has no gaps");
                let expected = &*tree.domain().method(expected).name;
                let decision = selection.decide(collective, ranks, bytes);
                assert_eq!(
                    decision.name.as_deref(),
                    Some(expected),
                    "{target}: {nodes} nodes of {ranks_per_node}, {bytes} bytes\n{text}"
                );
            }
        }
    }
}

const BY_NODES: [(&str, &[u64]); 2] = [("nodes", &[1, 2, 4, 8]), ("ppn", &[1, 2, 4])];
const BY_RANKS: [(&str, &[u64]); 2] = [("comm_size", &[2, 4, 8, 16, 32]), ("ppn", &[1, 2, 4])];

#[test]
fn mpich_compares_ranks_per_node() {
    let whole = fs::read("tests/commands.in/whole.json").expect("it is there");
    for (axes, has_nodes) in [(BY_NODES, true), (BY_RANKS, false)] {
        let tree = tree(Library::Mpich, ("bcast", Basis::Buffer), axes, scattered);
        follows("mpich", &tree, Some(&whole), has_nodes);
    }
}

#[test]
fn others_have_rules_where_only_the_number_of_ranks_counts() {
    for target in ["open-mpi", "open-mpi-json", "intel-mpi"] {
        let format = find_format(target).expect("it is one of them");
        let library = format.library;
        let of =
            |choose: fn([u64; 3]) -> usize| tree(library, ("allreduce", Basis::Buffer), BY_NODES, choose);
        let same = rules(&of(|[nodes, ppn, bytes]| (nodes * ppn / 4 + bytes / 1000) as usize), target);
        let same = same.expect("the product alone decides");
        assert!(same.notes.iter().any(|note| note.contains("hold for all placements")), "{:?}", same.notes);
        for (ranks, bytes, number) in [(2, 1, 0), (4, 1, 1), (8, 1000, 3), (16, 30_000, 34), (32, 1, 8)] {
            let known = anywhere(library, "allreduce");
            let expected = known[number % known.len()];
            let forced = same.bands.get(ranks, bytes).algorithm.map(|algorithm| algorithm.name);
            assert_eq!(forced, Some(expected), "{target}: {ranks} ranks, {bytes} bytes");
        }
        if format.placement() == Placement::Distribution {
            continue;
        }
        let refused = rules(&of(|[nodes, ..]| nodes as usize), target).unwrap_err();
        assert!(
            refused.contains("cannot tell nodes apart: ")
                && refused.contains("2 ranks and 0 bytes have")
                && refused.contains("qtdec-mpi tune --each ppn=1,2"),
            "{refused}"
        );
    }
}

/// Rules of Open MPI 6 know one rank on each node, one node, and the rest.
#[test]
fn open_mpi_json_tells_distributions_apart() {
    let bytes = |[_, _, bytes]: [u64; 3]| (bytes / 1000) as usize;
    let by_distribution: [fn([u64; 3]) -> usize; 3] = [
        |[nodes, ppn, _]| if nodes == 1 { 0 } else { 1 + usize::from(ppn == 1) },
        |[nodes, ..]| usize::from(nodes > 1),
        |[_, ppn, _]| usize::from(ppn > 1),
    ];
    for choose in by_distribution {
        let choose = |sizes| choose(sizes) + bytes(sizes);
        let tree = tree(Library::OpenMpi, ("allreduce", Basis::Buffer), BY_NODES, choose);
        follows("open-mpi-json", &tree, None, true);
    }
    let one_and_more = |[ranks, ppn, bytes]: [u64; 3]| {
        (if ppn == 1 { ranks } else { 2 * ranks + 1 }).ilog2() as usize + (bytes / 1000) as usize
    };
    let tree = tree(Library::OpenMpi, ("allreduce", Basis::Buffer), BY_RANKS, one_and_more);
    follows("open-mpi-json", &tree, None, false);
}

#[test]
fn open_mpi_json_refuses_what_depends_on_more_than_the_distribution() {
    let format = find_format("open-mpi-json").expect("it is one of them");
    let of =
        |axes, choose: fn([u64; 3]) -> usize| tree(Library::OpenMpi, ("bcast", Basis::Buffer), axes, choose);
    for (tree, ranks, on_a_node) in [
        (of(BY_NODES, |[nodes, ..]| (nodes / 4) as usize), 7, 3),
        (of(BY_NODES, |[_, ppn, _]| (ppn / 4) as usize), 2, 2),
    ] {
        let rules = rules(&tree, "open-mpi-json").expect("the levels are known");
        let refused = format.write(&[rules], None).map(|written| written.text).unwrap_err().to_string();
        let expected = format!("the rules for {ranks} ranks with {on_a_node} on each node differ");
        assert!(refused.contains(&expected) && refused.contains("qtdec-mpi tune --each ppn=…"), "{refused}");
    }
}

#[test]
fn one_number_of_ranks_per_node_needs_no_condition() {
    let axes: [(&str, &[u64]); 2] = [("nodes", &[1, 2, 4]), ("ranks_per_node", &[4])];
    let tree = tree(Library::OpenMpi, ("bcast", Basis::Buffer), axes, |[nodes, _, _]| nodes as usize);
    let rules = rules(&tree, "open-mpi").expect("the number of ranks follows from that of nodes");
    assert!(
        rules.notes.iter().any(|note| note.contains("jobs with 4 ranks on each node")),
        "{:?}",
        rules.notes
    );
    let known = anywhere(Library::OpenMpi, "bcast");
    for (ranks, nodes) in [(4, 1), (5, 2), (8, 2), (12, 2), (13, 4), (16, 4)] {
        let forced = rules.bands.get(ranks, 1).algorithm.map(|algorithm| algorithm.name);
        assert_eq!(forced, Some(known[nodes % 3]), "{ranks} ranks");
    }
}

#[test]
fn axes_that_do_not_say_the_number_of_ranks_are_refused() {
    let alone: [(&str, &[u64]); 2] = [("nodes", &[1, 2]), ("radix", &[2, 4])];
    let both: [(&str, &[u64]); 2] = [("nodes", &[1, 2]), ("comm_size", &[2, 4])];
    for (axes, said) in
        [(alone, "tuning files have no axis `radix`"), (both, "`nodes` and `comm_size` are both axes")]
    {
        let tree = tree(Library::Mpich, ("bcast", Basis::Buffer), axes, scattered);
        let refused = rules(&tree, "mpich").unwrap_err();
        assert!(refused.contains(said), "{refused}");
    }
}

/// An average that is not whole: five ranks on two nodes of four.
#[test]
fn mpich_compares_the_average_of_nodes_filled_in_part() {
    let whole = fs::read_to_string("tests/commands.in/whole.json").expect("it is there");
    let mut file: serde_json::Value = serde_json::from_str(&whole).expect("it is JSON");
    file["collective=bcast"] = serde_json::json!({
        "comm_avg_ppn<=2": { "algorithm=MPIR_Bcast_intra_binomial": {} },
        "comm_avg_ppn<=3": { "algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {} },
        "comm_size=any": { "algorithm=MPIR_Bcast_intra_scatter_recursive_doubling_allgather": {} },
    });
    let format = find_format("mpich").expect("it is one of them");
    let selection =
        format.read(file.to_string().as_bytes(), Job { ranks_per_node: 4 }).expect("it is accepted");
    let map =
        qtdec_mpi_library::tuning::selection::map_of(&*selection, "bcast").expect("all algorithms are known");
    let average = |ranks: u64| ranks as f64 / ranks.div_ceil(4) as f64;
    for ranks in 1..40 {
        let expected = match average(ranks) {
            average if average <= 2.0 => "binomial",
            average if average <= 3.0 => "scatter_ring_allgather",
            _ => "scatter_recursive_doubling_allgather",
        };
        assert_eq!(selection.decide("bcast", ranks, 9).name.as_deref(), Some(expected), "{ranks} ranks");
        let method = map.decide(&[ranks, 9], Borders::Floor).expect("the map has no gaps");
        assert_eq!(map.domain().method(method).name, expected, "{ranks} ranks");
    }
}
