//! Environment variables, checked with an independent reader: they decide like the tree, in the units that each
//! library documents, and can be imported as an equal map.

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Basis, Borders, DecisionMap, DecisionTree, Domain, Method};
use qtdec_mpi_library::tuning::selection::map_of;
use qtdec_mpi_library::tuning::{Job, LibraryRules, RuleOptions, find_format};
use qtdec_testkit::maps::{Pattern, Plan as Coloured};

/// Returns a coloured grid with these names for its colours.
fn tree(collective: &str, basis: Basis, names: &[&str], plan: &Coloured) -> DecisionTree {
    let coloured = plan.map();
    let axis = |axis: &Axis| {
        let values = axis.values().expect("these are sizes").to_vec();
        match &*axis.name {
            "comm_size" => Axis::new(
                "comm_size",
                (0..values.len() as u64).map(|index| 3 + 5 * index).collect::<Vec<_>>(),
            ),
            _ => Axis { basis: Some(basis), ..Axis::new("msg_size", values) },
        }
    };
    let methods = (0..coloured.domain().methods().len()).map(|index| Method::new(names[index])).collect();
    let axes = coloured.domain().axes().iter().map(axis).collect();
    let domain = Domain::new(Some(collective.to_owned()), axes, methods).expect("it is sound");
    let map = DecisionMap::new(domain, coloured.cells().to_vec()).expect("it is sound");
    encode::encode(&map, &Quadtree::default(), Borders::Geometric).expect("a quadtree needs nothing")
}

/// The largest communicator that is checked if sizes are multiplied by the ranks.
const LARGEST: u64 = 30;

/// Writes trees for a collective, and compares them with the names that `read` finds for a call. `size` converts
/// ranks and bytes of the map to the size that the library compares.
fn agrees(
    format: &str,
    (collective, basis): (&str, Basis),
    names: &[&str],
    size: impl Fn(u64, u64) -> u64,
    read: impl Fn(&str, u64, u64) -> Vec<String>,
) {
    let format = find_format(format).expect("it is one of them");
    for (seed, pattern) in (2000..).zip([Pattern::Noise, Pattern::Smooth, Pattern::Stripes]) {
        let coloured = Coloured { nulls: 15, methods: names.len(), ..Coloured::new(&[5, 8], pattern, seed) };
        let tree = tree(collective, basis, names, &coloured);
        let options = RuleOptions { max_comm_size: Some(LARGEST), ..RuleOptions::default() };
        let plan = LibraryRules::new(&tree, format.library, collective, format.unit(collective), &options);
        let text = format.write(&[plan.expect("all is known")], None).expect("all can be written").text;
        let selection = format.read(text.as_bytes(), Job::default()).expect("it is accepted");
        let map = map_of(&*selection, collective).expect("its algorithms are all known");

        let thresholds =
            tree.root().cuts().filter(|(axis, _)| *axis == 1).map(|(axis, at)| tree.threshold(axis, at));
        // Sizes between two thresholds are covered by another test.
        let sizes: Vec<u64> =
            thresholds.flat_map(|at| [at - 1, at, at + 1]).filter(|size| *size > 1).collect();
        assert!(sizes.len() > 9, "{sizes:?}");
        for ranks in 1..=LARGEST {
            for &bytes in &sizes {
                let expected: Vec<String> = (tree.decide(&[ranks, bytes]).into_iter())
                    .map(|method| tree.domain().method(method).name.clone())
                    .collect();
                let requested = size(ranks, bytes);
                assert_eq!(read(&text, ranks, requested), expected, "{ranks} ranks, {bytes} bytes\n{text}");
                let method = map.decide(&[ranks, requested], Borders::Floor).expect("the map has no gaps");
                let name = &map.domain().method(method).name;
                assert_eq!(
                    name,
                    expected.first().map_or("library default", String::as_str),
                    "{ranks}, {bytes}\n{text}"
                );
            }
        }
    }
}

fn between(text: &str, size: u64) -> bool {
    let (from, upto) = text.split_once('-').expect("a range has two ends");
    let end = |text: &str| if text == "inf" { u64::MAX } else { text.parse().expect("an end is a number") };
    (end(from)..=end(upto)).contains(&size)
}

/// Returns all rules that match a call; they do not overlap, so there is at most one.
fn read_intel_mpi<'n>(names: &'n [&str]) -> impl Fn(&str, u64, u64) -> Vec<String> + 'n {
    move |text, ranks, bytes| {
        let value = text.split('\'').nth(1).unwrap_or_default();
        let rules = value.split(';').filter(|rule| !rule.is_empty());
        let taken = rules.flat_map(|rule| {
            let (number, conditions) = rule.split_once(':').unwrap_or((rule, "0-inf"));
            let takes = |condition: &&str| {
                let (messages, processes) = condition.split_once('@').unwrap_or((condition, "1-inf"));
                (messages.is_empty() || between(messages, bytes)) && between(processes, ranks)
            };
            let number: usize = number.parse().expect("an algorithm is a number");
            // 0 leaves the choice to the library.
            if number == 0 {
                return Vec::new();
            }
            vec![names[number - 1].to_owned(); conditions.split(',').filter(takes).count()]
        });
        taken.collect()
    }
}

#[test]
fn intel_mpi_reads_what_the_tree_decides() {
    // These are in the order of the reference's numbers.
    let bcast = ["binomial", "recursive_doubling", "ring", "topology_aware_binomial"];
    let gather = ["recursive_doubling", "bruck", "ring", "topology_aware_gatherv_bcast"];
    let alltoall = ["bruck", "isend_irecv_waitall", "pairwise", "plum"];
    let scatter = ["recursive_halving", "pairwise", "recursive_doubling", "reduce_scatterv"];
    let block = |_, bytes| bytes;
    agrees("intel-mpi", ("bcast", Basis::Buffer), &bcast, block, read_intel_mpi(&bcast));
    agrees("intel-mpi", ("allgather", Basis::Block), &gather, block, read_intel_mpi(&gather));
    agrees("intel-mpi", ("alltoall", Basis::Block), &alltoall, block, read_intel_mpi(&alltoall));
    agrees("intel-mpi", ("allgatherv", Basis::Block), &gather, block, read_intel_mpi(&gather));
    agrees("intel-mpi", ("reduce_scatter", Basis::Total), &scatter, block, read_intel_mpi(&scatter));
}

#[test]
fn unused_sizes_are_not_printed() {
    let format = find_format("intel-mpi").expect("it is one of them");
    let methods = vec![Method::new("dissemination"), Method::new("shm_flat")];
    let domain =
        Domain::new(Some("barrier".to_owned()), vec![Axis::new("comm_size", [2, 8])], methods).unwrap();
    let cells = domain.method_indexes().map(Some).collect();
    let map = DecisionMap::new(domain, cells).unwrap();
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap();
    let plan =
        LibraryRules::new(&tree, format.library, "barrier", format.unit("barrier"), &RuleOptions::default())
            .unwrap();
    let text = format.write(&[plan], None).unwrap().text;
    assert_eq!(text, "export I_MPI_ADJUST_BARRIER='1:@1-7;7:@8-8;0:@9-2147483647'\n");
    let selection = format.read(text.as_bytes(), Job::default()).unwrap();
    let name = |ranks| selection.decide("barrier", ranks, 0).name;
    assert_eq!([7, 8, 9].map(name), [Some("dissemination".to_owned()), Some("shm_flat".to_owned()), None]);
}

/// Release 2021.18.1 applies the next rule, or the last one, to sizes without a rule.
#[test]
fn variables_that_test_one_size_leave_no_gaps() {
    let format = find_format("intel-mpi").expect("it is one of them");
    let axes = vec![Axis { basis: Some(Basis::Buffer), ..Axis::new("msg_size", [1, 64, 512, 4096]) }];
    let own = Method { baseline: true, ..Method::new("default") };
    let methods = vec![own, Method::new("ring"), Method::new("binomial")];
    let domain = Domain::new(Some("bcast".to_owned()), axes, methods).unwrap();
    let indexes: Vec<_> = domain.method_indexes().collect();
    let cells = [0, 2, 0, 1].map(|method| Some(indexes[method])).to_vec();
    let map = DecisionMap::new(domain, cells).unwrap();
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap();
    let plan =
        LibraryRules::new(&tree, format.library, "bcast", format.unit("bcast"), &RuleOptions::default())
            .unwrap();
    let text = format.write(&[plan], None).unwrap().text;
    assert_eq!(text, "export I_MPI_ADJUST_BCAST='0:0-63;1:64-511;0:512-4095;3:4096-2147483647'\n");
    assert!(format.check(text.as_bytes(), None).is_empty());
}

#[test]
fn equal_settings_of_a_variable_share_a_rectangle() {
    let format = find_format("intel-mpi").expect("it is one of them");
    let axes = vec![Axis { basis: Some(Basis::Buffer), ..Axis::new("msg_size", [1, 64, 512]) }];
    let methods = ["ring:fanout=2", "ring:fanout=4", "binomial"].map(Method::new).to_vec();
    let domain = Domain::new(Some("bcast".to_owned()), axes, methods).unwrap();
    let cells = domain.method_indexes().map(Some).collect();
    let map = DecisionMap::new(domain, cells).unwrap();
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap();
    let plan =
        LibraryRules::new(&tree, format.library, "bcast", format.unit("bcast"), &RuleOptions::default())
            .unwrap();
    let text = format.write(&[plan], None).unwrap().text;
    assert_eq!(text, "export I_MPI_ADJUST_BCAST='3:0-511;1:512-2147483647'\n");
}

#[test]
fn too_long_variables_are_reported() {
    let names = ["binomial", "ring", "shumilin", "knomial"];
    let noise = Coloured { methods: 4, ..Coloured::new(&[120, 120], Pattern::Noise, 1) };
    let tree = tree("bcast", Basis::Buffer, &names, &noise);
    let format = find_format("intel-mpi").expect("it is one of them");
    let plan = |tree: &DecisionTree, options: &RuleOptions| {
        let collective = tree.domain().collective().expect("it is named").to_owned();
        LibraryRules::new(tree, format.library, &collective, format.unit(&collective), options)
            .expect("all is known")
    };
    let written = format.write(&[plan(&tree, &RuleOptions::default())], None).expect("it can be written");
    let reported = |note: &String| {
        note.contains(
            " bytes, which exceeds Linux's limit of 131071 bytes per variable: \
             use fewer",
        )
    };
    assert!(written.text.len() > 128 << 10, "{}", written.text.len());
    assert!(written.notes.iter().any(reported), "{:?}", written.notes);
    let refused =
        format.read(written.text.as_bytes(), Job::default()).map(|_| ()).expect_err("it is too long");
    assert!(
        refused.to_string().contains("which exceeds Linux's limit of 131071 bytes per variable"),
        "{refused}"
    );

    let names = ["recursive_halving", "pairwise", "recursive_doubling"];
    let few = Coloured { methods: 3, ..Coloured::new(&[2, 8], Pattern::Noise, 1) };
    let tree = self::tree("reduce_scatter", Basis::Block, &names, &few);
    let options = RuleOptions { max_comm_size: Some(4000), ..RuleOptions::default() };
    let refused = format.write(&[plan(&tree, &options)], None).expect_err("there are too many");
    assert!(
        refused.to_string().starts_with("the rules for reduce_scatter make more than 4194304 cells"),
        "{refused}"
    );
}
