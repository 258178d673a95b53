//! The file of HAN sends to `tuned` the calls that rules are for, and no other.

use std::fs;
use std::process::Command;

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Basis, Borders, DecisionMap, DecisionTree, Domain, Method, MethodIndex};
use qtdec_mpi_library::catalogue::Library;
use qtdec_mpi_library::tuning::Severity::{self, Dropped, Note, Wrong};
use qtdec_mpi_library::tuning::open_mpi_han::{HAN_FILE, beside};
use qtdec_mpi_library::tuning::{Format, Job, LibraryRules, RuleOptions, find_format};

/// Returns a tree whose choice is the library's own in every second cell.
fn tree(collective: &str) -> DecisionTree {
    let basis = if collective == "bcast" { Basis::Buffer } else { Basis::Block };
    let axes = vec![
        Axis::new("comm_size", vec![8, 16]),
        Axis { basis: Some(basis), ..Axis::new("msg_size", vec![1, 100, 5000]) },
    ];
    let methods = vec![Method { baseline: true, ..Method::new("default") }, Method::new("linear")];
    let domain = Domain::new(Some(collective.to_owned()), axes, methods).unwrap();
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    let cells = [0, 1, 0, 1, 0, 1].map(|cell: usize| Some(indexes[cell])).to_vec();
    let map = DecisionMap::new(domain, cells).unwrap();
    encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap()
}

fn rules(format: &Format, collective: &str) -> LibraryRules {
    let options = RuleOptions { guard: true, ..RuleOptions::default() };
    let unit = format.unit(collective);
    LibraryRules::new(&tree(collective), Library::OpenMpi, collective, unit, &options).unwrap()
}

#[test]
fn both_files_agree_on_which_calls_are_for_tuned() {
    let classic = find_format("open-mpi").unwrap();
    let mut compared = 0;
    for collective in ["bcast", "allgather"] {
        let rules_of_classic = rules(classic, collective);
        let own = beside(&rules_of_classic, rules(&HAN_FILE, collective));
        let text = HAN_FILE.write(&[own], None).unwrap().text;
        let routes = HAN_FILE.read(text.as_bytes(), Job::default()).unwrap();
        let file = classic.write(&[rules_of_classic], None).unwrap().text;
        let file = classic.read(file.as_bytes(), Job::default()).unwrap();
        for ranks in [1, 2, 7, 8, 9, 15, 16, 17, 100] {
            for bytes in [0, 1, 99, 100, 4999, 5000, 100_000] {
                // Open MPI compares the bytes of all ranks in the classic file, and those of a block in the other.
                let total = if collective == "bcast" { bytes } else { bytes * ranks };
                let is_ruled = !file.decide(collective, ranks, total).is_library();
                let component = routes.decide(collective, ranks, bytes).name;
                let expected = is_ruled.then_some("tuned");
                assert_eq!(
                    component.as_deref(),
                    expected,
                    "{collective}, {ranks} ranks, {bytes} bytes\n{text}"
                );
                compared += usize::from(is_ruled);
            }
        }
    }
    assert!(compared > 20, "{compared}");
}

/// A file that HAN accepts.
pub(crate) const FILE: &str = "2 # collectives\nbcast\n1\nglobal_communicator\n2\n1\n1\n0 han\n8\n2\n0 han\n4096 tuned\n\
                    barrier\n1\nglobal_communicator\n1\n1\n1\n0 tuned\n";

/// Returns the findings in a file, as severities and the beginnings of messages.
fn found(text: &str) -> Vec<(Severity, String)> {
    let found = HAN_FILE.check(text.as_bytes(), None).into_iter();
    found.map(|finding| (finding.severity, finding.problem.message.to_string())).collect()
}

/// Files for broadcasts, as `coll_han_dynamic_file.c` of 5.0.9 reads them. `{}` in a case stands for the usual rules.
#[test]
fn a_check_tells_what_han_keeps_to_itself() {
    const RULES: &str = "2\n1\n1\n0 han\n8\n2\n0 han\n4096 tuned\n";
    const OF_OTHERS: &str =
        "serves no bcast on communicators on several nodes: the next component does, `tuned` by default";
    const OF_PARTS: &str =
        "serves no bcast on communicators of HAN's: the next component does, `tuned` by default";
    assert_eq!(found(FILE), []);
    let octal =
        |read: &str, text: &str| format!("HAN reads {read} from `{text}`, and goes on after its digits");
    let cases: Vec<(&str, Vec<(Severity, String)>)> = vec![
        // Collectives and levels by name and by number.
        ("1\nbcast\n1\nglobal_communicator\n{}", vec![]),
        ("1\n7\n1\nglobal_communicator\n{}", vec![]),
        ("1\n07\n1\nglobal_communicator\n{}", vec![]),
        ("1\nbcast\n1\n2\n{}", vec![]),
        ("1\n7\n1\n02\n{}", vec![]),
        ("1\n22\n1\n2\n{}", vec![(Dropped, "`22` is not a collective: HAN ignores the file".into())]),
        ("1\n-1\n1\n2\n{}", vec![(Dropped, "`-1` is not a collective: HAN ignores the file".into())]),
        ("1\n7x\n1\n2\n{}", vec![(Dropped, "`7x` is not a collective: HAN ignores the file".into())]),
        ("1\nbroadcast\n1\n2\n{}", vec![(Dropped, "`broadcast` is not a collective: HAN ignores the file".into())]),
        ("1\nbcast\n1\n3\n{}", vec![(Dropped, "`3` is not a level: HAN ignores the file".into())]),
        ("1\nbcast\n1\nglobal\n{}", vec![(Dropped, "`global` is not a level: HAN ignores the file".into())]),
        // Collectives that HAN does not serve.
        ("1\nalltoall\n1\n2\n{}", vec![(Wrong, "HAN has no rules for alltoall: these are not used".into())]),
        ("1\ngatherv\n1\n2\n{}", vec![(Wrong, "HAN has no rules for gatherv: these are not used".into())]),
        ("1\n21\n1\n2\n{}", vec![(Wrong, "HAN has no rules for neighbor_alltoallw: these are not used".into())]),
        ("1\nallgatherv\n1\n2\n{}", vec![(Wrong, "HAN has no rules for allgatherv: these are not used".into())]),
        ("1\nallgatherv\n1\n0\n1\n1\n1\n0 tuned\n", vec![]),
        // Components, which have no numbers.
        ("1\nbcast\n1\n2\n1\n1\n1\n0 basic\n", vec![]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 sm\n", vec![(Wrong, format!("`sm` {OF_OTHERS}"))]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 adapt\n", vec![(Wrong, format!("`adapt` {OF_OTHERS}"))]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 libnbc\n", vec![(Wrong, format!("`libnbc` {OF_OTHERS}"))]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 self\n", vec![(Wrong, format!("`self` {OF_OTHERS}"))]),
        ("1\nbcast\n1\nintra_node\n1\n1\n1\n0 sm\n", vec![]),
        ("1\nbcast\n1\ninter_node\n1\n1\n1\n0 sm\n", vec![(Wrong, format!("`sm` {OF_PARTS}"))]),
        ("1\nbcast\n1\nintra_node\n1\n1\n1\n0 han\n", vec![(Wrong, format!("`han` {OF_PARTS}"))]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 6\n", vec![(Dropped, "`6` is not a component: HAN ignores the file".into())]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 fast\n", vec![(Dropped, "`fast` is not a component: HAN ignores the file".into())]),
        // Algorithms of HAN, and segments.
        ("1\nbcast\n1\n2\n1\n1\n1\n0 han@simple\n", vec![(Dropped, "`han@simple` is not a component: HAN ignores the file".into())]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 han @simple\n", vec![]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 han @2\n", vec![]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 han @reproducible\n", vec![(Dropped, "`reproducible` is not an algorithm of HAN: HAN ignores the file".into())]),
        ("1\nbcast\n1\n0\n1\n1\n1\n0 tuned [1024 2048]\n", vec![]),
        // Names that are given again.
        ("2\nbcast\n1\n2\n{}7\n1\n2\n{}", vec![(Wrong, "bcast is named again further on: HAN uses the last rules for it, and not these".into())]),
        ("1\nbcast\n2\n2\n{}global_communicator\n{}", vec![(Wrong, "global_communicator is named again further on: HAN uses the last rules for it, and not these".into())]),
        // Counts.
        ("2\nbcast\n1\n2\n{}", vec![(Dropped, "the file ends where a collective is expected".into())]),
        ("1\nbcast\n1\n2\n{}barrier\n", vec![(Wrong, "HAN does not read what follows the rules that are counted".into())]),
        ("0\n", vec![(Dropped, "the number of collectives is 0, and HAN ignores the file unless it is 1 or more".into())]),
        ("-1\nbcast\n", vec![
            (Wrong, octal("-1", "-1")),
            (Dropped, "the number of collectives is -1, and HAN ignores the file unless it is 1 or more".into()),
        ]),
        ("1\nbcast\n0\n", vec![(Note, "the number of levels is 0: HAN has no rules here, and chooses by itself".into())]),
        ("1\nbcast\n1\n2\n1\n1\n0\n", vec![(Note, "the number of message sizes is 0: HAN has no rules here, and chooses by itself".into())]),
        ("", vec![(Dropped, "the file ends where the number of collectives is expected".into())]),
        ("1\nbcast\n1\n2\n2\n1\n1\n0 han\n8\n2\n0 han\n4096", vec![(Dropped, "the file ends where a component is expected".into())]),
        // Sizes.
        ("1\nbcast\n1\n2\n1\n2\n1\n0 han\n", vec![(Dropped, "the first of its kind, a communicator size, is 2: HAN ignores the file unless it is 1 or less".into())]),
        ("1\nbcast\n1\n2\n1\n1\n1\n64 han\n", vec![(Dropped, "the first of its kind, a message size, is 64: HAN ignores the file unless it is 1 or less".into())]),
        ("1\nbcast\n1\n2\n1\n0\n1\n0 han\n", vec![(Dropped, "a communicator size is 0, and HAN ignores the file unless it is 1 or more".into())]),
        ("1\nbcast\n1\n2\n1\n1\n2\n0 han\n0 tuned\n", vec![(Wrong, "sizes must increase: this rule hides those before it that begin later".into())]),
        ("1\nbcast\n1\n2\n2\n1\n1\n0 han\n4294967300\n1\n0 tuned\n", vec![(Wrong, "HAN stores the communicator size 4294967300 as 4".into())]),
        // Numbers that are read as C's.
        ("1\nbcast\n1\n2\n2\n1\n1\n0 han\n010\n1\n0 tuned\n", vec![(Wrong, octal("8", "010"))]),
        ("1\nbcast\n1\n2\n2\n1\n1\n0 han\n0x10\n1\n0 tuned\n", vec![(Wrong, octal("16", "0x10"))]),
        ("1\nbcast\n1\n2\n1\n01\n2\n00 han\n0100 tuned\n", vec![]),
        ("1\nbcast\n1\n2\n1\n1\n2\n0 han\n4k tuned\n", vec![
            (Wrong, octal("4", "4k")),
            (Dropped, "`k` is not a component: HAN ignores the file".into()),
        ]),
        ("collectives 1\nbcast\n1\n2\n{}", vec![(Wrong, "HAN skips `collectives`, as it expects a number".into())]),
        ("1 # one\nbcast # comment\n1# level\n2\n{}# end\n", vec![]),
    ];
    assert!(cases.len() >= 36);
    for (text, expected) in cases {
        let text = text.replace("{}", RULES);
        assert_eq!(found(&text), expected, "{text}");
        let is_dropped = expected.iter().any(|(severity, _)| *severity == Dropped);
        assert_eq!(HAN_FILE.read(text.as_bytes(), Job::default()).is_err(), is_dropped, "{text}");
    }
}

/// What is decided is what runs: numbers as names, the last of several rules, and another component for one without the function.
#[test]
fn a_file_decides_as_han_reads_it() {
    for (text, expected) in [
        ("1\n07\n1\n2\n2\n1\n1\n0 han\n010\n1\n0 tuned\n", [None, Some("tuned")]),
        ("1\nbcast\n1\n2\n2\n1\n1\n0 basic\n8\n1\n0 sm\n", [Some("basic"), Some("tuned")]),
        ("2\nbcast\n1\n2\n1\n1\n1\n0 tuned\n7\n1\n2\n1\n1\n1\n0 han\n", [None, None]),
        ("1\nbcast\n2\nglobal_communicator\n1\n1\n1\n0 tuned\n2\n1\n1\n1\n0 basic\n", [Some("basic"); 2]),
    ] {
        let rules = HAN_FILE.read(text.as_bytes(), Job::default()).unwrap();
        let decided = [7, 8].map(|ranks| rules.decide("bcast", ranks, 64).name);
        assert_eq!(decided.each_ref().map(Option::as_deref), expected, "{text}");
    }
}

#[test]
fn emit_writes_both_files_and_leaves_han_its_priority() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bcast.tree.json"), tree("bcast").to_json()).unwrap();
    let emit = |options: &[&str]| {
        let mut command = Command::new(qtdec_commands::qtdec());
        command.args([
            "mpi",
            "emit",
            "bcast.tree.json",
            "-o",
            "rules.conf",
            "--han",
            "han.conf",
            "--target",
            "open-mpi",
        ]);
        let output = command.args(options).current_dir(folder.path()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, refused) = emit(&[]);
    assert_eq!(code, Some(2), "{refused}");
    assert!(refused.contains("--han needs --target open-mpi --release 5.0"), "{refused}");
    assert!(!folder.path().join("han.conf").exists());

    let (code, told) = emit(&["--release", "5.0"]);
    assert_eq!(code, Some(0), "{told}");
    for (setting, is_told) in [
        ("OMPI_MCA_coll_han_use_dynamic_file_rules=1", true),
        ("han.conf", true),
        ("rules.conf", true),
        ("OMPI_MCA_coll_han_priority", false),
    ] {
        assert_eq!(told.contains(setting), is_told, "{setting}: {told}");
    }
    let written = fs::read_to_string(folder.path().join("han.conf")).unwrap();
    let rules = "bcast\n1 # level\nglobal_communicator\n4 # communicator sizes\n\
                 1 # ranks and more\n1 # message sizes\n0 han\n\
                 8 # ranks and more\n3 # message sizes\n0 han\n100 tuned\n5000 han\n\
                 16 # ranks and more\n3 # message sizes\n0 tuned\n100 han\n5000 tuned\n\
                 17 # ranks and more\n1 # message sizes\n0 han\n";
    assert!(written.ends_with(rules), "{written}");
}
