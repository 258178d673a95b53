//! Calls and algorithms in recorded outputs of `data/observed/`, whose README says where they are from.

use std::fs;
use std::path::Path;

use qtdec_core::{DecisionTree, Document, Options};
use qtdec_study::observed::{Kind, Observed, Verdict, followed};

fn recorded(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/observed").join(name)).unwrap()
}

fn observed(texts: &[&str]) -> Observed {
    let mut observed = Observed::default();
    for text in texts {
        observed.read(text.as_bytes()).unwrap();
    }
    observed.joined()
}

/// Returns the calls as text, with `-` for what is not known.
fn calls(observed: &Observed) -> Vec<String> {
    let shown = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
    let line = |(Kind { collective, comm_size, msg_size, method }, count): (&Kind, Option<u64>)| {
        let method = method.as_deref().unwrap_or("-");
        format!("{collective} {} {} {method} {}", shown(*comm_size), shown(*msg_size), shown(count))
    };
    observed.calls().map(line).collect()
}

fn has_note(observed: &Observed, text: &str) -> bool {
    observed.notes.lines().any(|note| note.contains(text))
}

#[test]
fn the_interposer_names_algorithms_and_the_profiler_counts() {
    let (trace, profile) = (recorded("interposer.txt"), recorded("profile.csv"));
    let named = observed(&[&trace]);
    assert_eq!(
        calls(&named)[1..3],
        ["allreduce 4 16 own_recursive_doubling -", "allreduce 4 65536 own_ring -"]
    );
    assert!(has_note(&named, "says each decision once"));
    let counted = observed(&[&profile]);
    assert_eq!(calls(&counted)[1..3], ["allreduce 4 16 - 4", "allreduce 4 65536 - 1"]);
    let expected = [
        "allgather 4 64 library 1",
        "allreduce 4 16 own_recursive_doubling 4",
        "allreduce 4 65536 own_ring 1",
        "barrier 4 - library 1",
        "bcast 4 1024 library 3",
        "bcast 4 1048576 library 2",
    ];
    let both = observed(&[&profile, &trace]);
    assert_eq!(calls(&both), expected);
    assert_eq!(calls(&observed(&[&trace, &profile])), expected);
    // What is written is read again.
    let csv = both.to_csv();
    assert!(
        csv.starts_with("collective,comm_size,msg_size,method,count\nallgather,4,64,library,1\n"),
        "{csv}"
    );
    assert_eq!(calls(&observed(&[&csv])), expected);
    // Two algorithms at the same sizes: how often each ran is not known.
    let other = "libqtdec_mpi.so: allreduce of 16 bytes on 4 ranks: own_ring\n";
    let unclear = calls(&observed(&[&profile, &trace, other]));
    let at_16: Vec<&String> = unclear.iter().filter(|call| call.starts_with("allreduce 4 16")).collect();
    assert_eq!(
        at_16,
        ["allreduce 4 16 - 4", "allreduce 4 16 own_recursive_doubling -", "allreduce 4 16 own_ring -"]
    );
}

#[test]
fn reports_of_mpip_count_calls_of_rank_0() {
    let report = observed(&[&recorded("mpip.txt")]);
    // Sizes have four digits: 65536 and 1048576 were called.
    let expected = [
        "allgather 4 64 - 1",
        "allreduce 4 16 - 4",
        "allreduce 4 65540 - 1",
        "barrier 4 - - 1",
        "bcast 4 1024 - 3",
        "bcast 4 1049000 - 2",
    ];
    assert_eq!(calls(&report), expected);
    assert!(has_note(&report, "no communicators and no algorithms"));
}

#[test]
fn open_mpi_prints_components_only() {
    let log = observed(&[&recorded("open-mpi-5.0.11.txt")]);
    assert_eq!(calls(&log), Vec::<String>::new());
    for note in [
        "MPI_COMM_WORLD has the components tuned, libnbc, basic",
        "MPI_COMM_SELF has the components self, libnbc, basic",
        "prints components only",
    ] {
        assert!(has_note(&log, note), "{note}: {:?}", log.notes.lines().collect::<Vec<_>>());
    }
}

/// A log of NCCL on one communicator, and on two.
const NCCL: &str = "node:37:42 [0] NCCL INFO NCCL version 2.30.7+cuda13.0\n\
    node:37:42 [0] NCCL INFO comm 0x5581 rank 0 nRanks 4 nNodes 1 localRanks 4 localRank 0 MNNVL 0\n\
    node:37:42 [0] NCCL INFO ncclCommInitRank comm 0x5581 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 1000 commId 0x7 - Init COMPLETE\n\
    node:37:42 [0] NCCL INFO AllReduce: 65536 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}\n\
    node:37:42 [0] NCCL INFO AllReduce: 65536 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}\n\
    node:37:42 [0] NCCL INFO AllGather: 8192 Bytes -> Algo COLLNET_DIRECT proto SIMPLE channel{Lo..Hi}={2..9}\n\
    node:37:42 [0] NCCL INFO AllReduce [Symmetric]: 1024 Bytes -> Kernel AllReduce_AGxLL_R nchannels 8 nthreads 512 nWorks 1\n";

#[test]
fn the_log_of_nccl_names_algorithms() {
    let log = observed(&[NCCL]);
    let expected = [
        "allgather 4 8192 collnet_direct_simple:channels=8 1",
        "allreduce 4 1024 symmetric 1",
        "allreduce 4 65536 ring_ll:channels=2 2",
    ];
    assert_eq!(calls(&log), expected);
    let second =
        "node:37:42 [0] NCCL INFO comm 0x5582 rank 0 nRanks 2 nNodes 1 localRanks 2 localRank 0 MNNVL 0\n";
    let two = observed(&[&format!("{NCCL}{second}")]);
    assert_eq!(calls(&two)[2], "allreduce - 65536 ring_ll:channels=2 2");
    assert!(has_note(&two, "communicators of several sizes"));
    let old = "node:37:42 [0] NCCL INFO AllReduce: 65536 Bytes -> Algo 1 proto 2 time 12.5\n";
    assert!(has_note(&observed(&[old]), "before 2.24.3"));
}

#[test]
fn records_of_the_inspector_count_calls() {
    let record = |rank| crate::nccl::record("ReduceScatter", rank, 4, 8192, 7.0);
    let log = observed(&[&[record(0), record(1), record(0)].concat()]);
    assert_eq!(calls(&log), ["reduce_scatter_block 4 8192 - 2"]);
    assert!(has_note(&log, "name no algorithm"));
}

fn tree(methods: [&str; 2], baseline: bool) -> DecisionTree {
    let mark = if baseline { ", \"baseline\": true" } else { "" };
    let map = format!(
        "{{ \"format\": \"qtdec-map/1\", \"collective\": \"allreduce\", \"axes\": [\n\
         {{ \"name\": \"comm_size\", \"values\": [4] }}, {{ \"name\": \"msg_size\", \"basis\": \"buffer\", \"values\": [1, 1024] }} ],\n\
         \"methods\": [{{ \"name\": \"{}\" }}, {{ \"name\": \"{}\"{mark} }}], \"cells\": [[0, 1]] }}",
        methods[0], methods[1]
    );
    Options::parse::<&str>(&[]).unwrap().tree(Document::from_json(map.as_bytes()).unwrap()).unwrap()
}

#[test]
fn observed_algorithms_are_compared_with_a_tree() {
    use Verdict::{Left, Obeyed, Other, Unknown};
    let (trace, profile) = (recorded("interposer.txt"), recorded("profile.csv"));
    let verdicts = |observed: &Observed, tree: &DecisionTree| -> Vec<Verdict> {
        followed(observed, tree).unwrap().iter().map(|row| row.verdict).collect()
    };
    let own = observed(&[&trace, &profile]);
    assert_eq!(verdicts(&own, &tree(["own_recursive_doubling", "own_ring"], false)), [Obeyed, Obeyed]);
    assert_eq!(verdicts(&own, &tree(["own_ring", "own_recursive_doubling"], false)), [Other, Other]);
    assert_eq!(verdicts(&own, &tree(["own_recursive_doubling", "default"], true)), [Obeyed, Left]);
    let counted = observed(&[&profile]);
    assert_eq!(verdicts(&counted, &tree(["own_ring", "ring"], false)), [Unknown, Unknown]);
    // A method without parameters is obeyed with any; another number of channels is another method.
    let log = observed(&[NCCL]);
    assert_eq!(verdicts(&log, &tree(["tree_ll", "ring_ll"], false)), [Other, Obeyed]);
    assert_eq!(verdicts(&log, &tree(["tree_ll", "ring_ll:channels=4"], false)), [Other, Other]);
}

#[test]
fn other_files_are_refused() {
    let refused = Observed::default().read("1 2 3\n".as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("names no calls of collectives"), "{refused}");
    let broken = "collective,comm_size,msg_size,count\nbcast,four,8,2\nbcast,4,8,many\n";
    let refused = Observed::default().read(broken.as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("`comm_size` is `four`") && refused.contains("`count` is `many`"), "{refused}");
}
