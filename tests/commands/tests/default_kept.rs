//! The library's own choice in tuning files: where a map keeps it, the file leaves the choice to the library.

use qtdec_core::encode::{self, Empty, EncodeSettings, Optimal};
use qtdec_core::{Axis, Basis, DecisionMap, DecisionTree, Domain, Method};
use qtdec_mpi_library::tuning::{Format, Job, LibraryRules, RuleOptions, find_format};

/// Returns a tree that chooses an algorithm, except for fewer than 8 ranks and at least 64 KiB: there it chooses the default, or nothing
/// if nothing was measured.
fn tree(format: &Format, is_measured: bool) -> DecisionTree {
    let axes = vec![
        Axis::new("comm_size", [4, 8, 16]),
        Axis { basis: Some(Basis::Buffer), ..Axis::new("msg_size", [8, 1024, 65536]) },
    ];
    let algorithm = format.library.algorithms("allreduce")[0].name;
    let methods = vec![Method { baseline: true, ..Method::new("fabric default") }, Method::new(algorithm)];
    let domain = Domain::new(Some("allreduce".to_owned()), axes, methods).unwrap();
    let [default, algorithm] = [0, 1].map(|at| domain.method_indexes().nth(at));
    let default = default.filter(|_| is_measured);
    let cells = [default, default, default, algorithm, algorithm, default, algorithm, algorithm, default];
    let map = DecisionMap::new(domain, cells.to_vec()).unwrap();
    let settings = EncodeSettings { empty: Empty::Strict, ..EncodeSettings::default() };
    encode::encode_with(&map, &Optimal::default(), &settings).unwrap()
}

#[test]
fn where_the_default_is_best_the_choice_is_left_to_the_library() {
    check_left_to_library(true);
}

#[test]
fn where_nothing_was_measured_the_choice_is_left_to_the_library_if_asked() {
    check_left_to_library(false);
}

fn check_left_to_library(is_measured: bool) {
    for name in ["open-mpi", "open-mpi-json", "intel-mpi"] {
        let format = find_format(name).unwrap();
        let (tree, unit) = (tree(format, is_measured), format.unit("allreduce"));
        let options = RuleOptions { max_comm_size: Some(40), ..RuleOptions::default() };
        let plan = LibraryRules::new(&tree, format.library, "allreduce", unit, &options).unwrap();
        let written = format.write(&[plan], None).unwrap();
        assert!(!written.text.contains("fabric"), "{name} is not told of it: {}", written.text);
        let selection = format.read(written.text.as_bytes(), Job::default()).unwrap();
        for ranks in [2, 7, 8, 16, 40] {
            for bytes in [0, 1024, 65_535, 65_536, 1 << 30] {
                let is_default = ranks < 8 || bytes >= 65_536;
                let decision = selection.decide("allreduce", ranks, bytes);
                assert_eq!(decision.is_library(), is_default, "{name}: {ranks} ranks, {bytes} bytes");
            }
        }
    }
}

/// MPICH's file cannot leave the choice to the library, so the previous choice in the file is kept: that is the
/// library's own.
#[test]
fn mpich_keeps_the_choice_of_its_own_file() {
    const OWN: &[u8] = include_bytes!("commands.in/whole.json");
    let format = find_format("mpich").unwrap();
    let (tree, unit) = (tree(format, true), format.unit("allreduce"));
    let plan = LibraryRules::new(&tree, format.library, "allreduce", unit, &RuleOptions::default()).unwrap();
    let written = format.write(&[plan], Some(OWN)).unwrap();
    let [before, after] =
        [OWN, written.text.as_bytes()].map(|text| format.read(text, Job::default()).unwrap());
    for (ranks, bytes) in [(4, 8), (4, 65_536), (8, 65_536), (16, 1 << 20)] {
        let [before, after] = [&before, &after].map(|selection| selection.decide("allreduce", ranks, bytes));
        assert_eq!(before, after, "{ranks} ranks, {bytes} bytes");
    }
}
