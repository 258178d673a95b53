//! The compiled form of Open MPI 4.1's own table for bcast, imported and emitted again, agrees everywhere with the
//! hand-written function.
//!
//! ```text
//!  rules file of the table ─► import ─► map ─► tree ─► emit ─► import ─► map
//!                                        └──► rules/open-mpi-4.1-bcast.json ─► code of every layout
//! ```
//!
//! The rules file was transcribed from the library's source apart from the function. The attribute reads the map that
//! stands in `rules/`; the tests hold that map against what import makes, and write it anew with `SNAPSHOTS=overwrite`.

use std::path::Path;

use qtdec::decision_map;
use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Basis, Borders, DecisionMap, DecisionTree};
use qtdec_mpi_library::rules::{Call, Choice, RuleSet};
use qtdec_mpi_library::tuning::selection::map_of;
use qtdec_mpi_library::tuning::{Format, Job, LibraryRules, RuleOptions, find_format};
use qtdec_testkit::proof;
use snapbox::{Data, assert_data_eq};

/// The algorithms of the table.
#[decision_map("tests/rules/open-mpi-4.1-bcast.json")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bcast {}

#[decision_map("tests/rules/open-mpi-4.1-bcast.json", layout = "branches")]
const fn branches(comm_size: u64, msg_size: u64) -> Bcast;

#[decision_map("tests/rules/open-mpi-4.1-bcast.json", layout = "table")]
const fn table(comm_size: u64, msg_size: u64) -> Bcast;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Imports a file.
fn import(format: &Format, text: &[u8]) -> DecisionMap {
    let selection = format.read(text, Job::default()).expect("the library takes the file");
    map_of(&*selection, "bcast").expect("its algorithms are all known")
}

/// The map of the table.
fn imported() -> DecisionMap {
    let text = std::fs::read(root().join("tests/commands/tests/commands.in/open-mpi-4.1-bcast.conf"));
    import(find_format("open-mpi").expect("it is one of them"), &text.expect("it is in the repository"))
}

fn tree(map: &DecisionMap) -> DecisionTree {
    encode::encode(map, &Quadtree::default(), Borders::Floor).expect("a quadtree needs nothing")
}

/// Returns the maps that `import` reads from the files of `emit`, for each format of Open MPI.
fn emitted_again(map: &DecisionMap) -> Vec<(&'static str, DecisionMap)> {
    let again = |name| {
        let format = find_format(name).expect("it is one of them");
        // The table has no end.
        let options = RuleOptions { extend: true, ..RuleOptions::default() };
        let plan = LibraryRules::new(&tree(map), format.library, "bcast", format.unit("bcast"), &options);
        let written = format.write(&[plan.expect("all is known")], None).expect("all can be written");
        (name, import(format, written.text.as_bytes()))
    };
    ["open-mpi", "open-mpi-json"].map(again).into()
}

/// The hand-written function.
fn by_hand() -> impl Fn(u64, u64) -> Choice {
    let rule = RuleSet::find("open-mpi-4.1").and_then(|rules| rules.rule("bcast"));
    let rule = rule.expect("it is one of them");
    move |comm_size, msg_size| rule(&Call::new(comm_size, msg_size, Basis::Buffer))
}

/// Returns the name of a choice as it is imported.
fn named(Choice { algorithm, fan_out, .. }: Choice) -> String {
    fan_out.map_or(algorithm.to_owned(), |children| format!("{algorithm}:fanout={children}"))
}

/// Sizes beyond every threshold of the function.
const MOST: [u64; 2] = [1 << 13, 1 << 21];

/// Finds the thresholds of the function by evaluating it for one size after the other: first the communicator sizes
/// whose choice differs from that for one rank less, at powers of two of bytes and one below; then, for one
/// communicator of each kind, the message sizes.
fn thresholds_by_hand() -> proof::Thresholds {
    let by_hand = by_hand();
    let bytes: Vec<u64> = (0..=21).flat_map(|exponent| [(1 << exponent) - 1, 1 << exponent]).collect();
    let is_start = |comm_size: &u64| {
        bytes.iter().any(|&msg_size| by_hand(*comm_size, msg_size) != by_hand(*comm_size - 1, msg_size))
    };
    let comm_sizes: Vec<u64> = (2..=MOST[0]).filter(is_start).collect();
    let mut msg_sizes = Vec::new();
    for comm_size in comm_sizes.iter().copied().chain([1]) {
        let mut last = by_hand(comm_size, 0);
        for msg_size in 1..=MOST[1] {
            let next = by_hand(comm_size, msg_size);
            if next != last {
                msg_sizes.push(msg_size);
            }
            last = next;
        }
    }
    msg_sizes.sort_unstable();
    msg_sizes.dedup();
    vec![comm_sizes, msg_sizes]
}

#[test]
fn the_map_that_is_compiled_is_the_imported_one() {
    let stored = Data::read_from(&root().join("tests/rules/open-mpi-4.1-bcast.json"), None).raw();
    assert_data_eq!(imported().to_json(), stored);
}

#[test]
fn what_is_emitted_again_is_imported_as_the_same_map() {
    let map = imported();
    for (form, again) in emitted_again(&map) {
        let sides = [proof::of_map(&map, Borders::Floor), proof::of_map(&again, Borders::Floor)];
        for query in proof::queries(map.domain(), &sides, u64::MAX) {
            let name = |map: &DecisionMap| {
                let method = map.decide(&query, Borders::Floor).expect("the map has no gaps");
                map.domain().method(method).label()
            };
            assert_eq!(name(&again), name(&map), "{form} at {query:?}");
        }
    }
}

#[test]
fn the_compiled_table_agrees_everywhere_with_the_hand_written_function() {
    let map = imported();
    let tree = tree(&map);
    let by_function = thresholds_by_hand();
    assert_eq!(by_function, proof::of_map(&map, Borders::Floor), "the thresholds of the two tables");
    let mut sides = vec![by_function, proof::of_map(&map, Borders::Floor), proof::of_tree(&tree)];
    sides.extend(emitted_again(&map).iter().map(|(_, again)| proof::of_map(again, Borders::Floor)));
    let queries = proof::queries_of_tables(&tree, &sides, u64::MAX);
    let by_hand = by_hand();
    for query in queries.iter().filter(|query| query[0] > 0) {
        let (comm_size, msg_size) = (query[0], query[1]);
        let expected = named(by_hand(comm_size, msg_size));
        for (layout, decided) in
            [("branches", branches(comm_size, msg_size)), ("table", table(comm_size, msg_size))]
        {
            assert_eq!(decided.name(), expected, "{layout}: {msg_size} bytes to {comm_size} ranks");
        }
    }
}
