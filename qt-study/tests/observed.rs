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
    // A method without parameters is obeyed with any; another parameter is another method.
    let with_radix = observed(&[&trace.replace("own_ring", "own_ring:radix=4")]);
    let methods = |last| ["own_recursive_doubling", last];
    assert_eq!(verdicts(&with_radix, &tree(methods("own_ring"), false)), [Obeyed, Obeyed]);
    assert_eq!(verdicts(&with_radix, &tree(methods("own_ring:radix=2"), false)), [Obeyed, Other]);
    let counted = observed(&[&profile]);
    assert_eq!(verdicts(&counted, &tree(["own_ring", "ring"], false)), [Unknown, Unknown]);
}

#[test]
fn other_files_are_refused() {
    let refused = Observed::default().read("1 2 3\n".as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("names no calls of collectives"), "{refused}");
    let broken = "collective,comm_size,msg_size,count\nbcast,four,8,2\nbcast,4,8,many\n";
    let refused = Observed::default().read(broken.as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("`comm_size` is `four`") && refused.contains("`count` is `many`"), "{refused}");
}

#[test]
fn the_collectives_that_take_most_of_the_time_come_first() {
    let header = "collective,comm_size,msg_size,root,count,seconds,skew_seconds\n";
    let rows = "barrier,4,,,5,0.5,\nbcast,4,8,0,10,1,\nbcast,4,8,1,30,1.5,\nallreduce,4,8,,1,7,\n";
    let spent = observed(&[&[header, rows].concat()]).spent();
    let shown: Vec<_> = spent.iter().map(|of| (&*of.collective, of.calls, of.seconds, of.share)).collect();
    assert_eq!(shown, [("allreduce", 1, 7.0, 70.0), ("bcast", 40, 2.5, 25.0), ("barrier", 5, 0.5, 5.0)]);
    assert!(
        observed(&["collective,comm_size,msg_size,method,count\nbcast,4,8,binomial,10\n"]).spent().is_empty()
    );
}
