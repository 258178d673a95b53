//! The file of HAN sends to `tuned` the calls that rules are for, and no other.

use std::fs;
use std::process::Command;

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Basis, Borders, DecisionMap, DecisionTree, Domain, Method, MethodIndex};
use qtdec_mpi::catalogue::Library;
use qtdec_tune::tuning::Severity::{self, Dropped, Wrong};
use qtdec_tune::tuning::open_mpi_han::{Han, beside};
use qtdec_tune::tuning::{Format, Job, LibraryRules, RuleOptions, find_format};

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

fn rules(format: &dyn Format, collective: &str) -> LibraryRules {
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
        let own = beside(&rules_of_classic, rules(&Han, collective));
        let text = Han.write(&[own], None).unwrap().text;
        let routes = Han.read(text.as_bytes(), Job::default()).unwrap();
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

#[test]
fn a_check_tells_what_han_keeps_to_itself() {
    let found = |text: &str| -> Vec<(Severity, String)> {
        let found = Han.check(text.as_bytes(), None).into_iter();
        found.map(|finding| (finding.severity, finding.problem.message.to_string())).collect()
    };
    assert_eq!(found(FILE), []);
    for (from, to, severity, expected) in [
        ("4096 tuned", "4096 fast", Dropped, "`fast` is not a component: HAN ignores the file"),
        (
            "0 han\n4096",
            "0 han@simple\n4096",
            Dropped,
            "`han@simple` is not a component: HAN ignores the file",
        ),
        ("bcast\n", "broadcast\n", Dropped, "`broadcast` is not a collective: HAN ignores the file"),
        ("global", "whole", Dropped, "`whole_communicator` is not a level: HAN ignores the file"),
        (
            "2\n1\n1\n0",
            "2\n2\n1\n0",
            Dropped,
            "a communicator size is 2, and HAN ignores the file unless it is from 1 to 1",
        ),
        (
            "8\n2\n0 han",
            "8\n2\n64 han",
            Dropped,
            "a message size is 64, and HAN ignores the file unless it is from 0 to 1",
        ),
        ("4096", "4k", Dropped, "a message size is expected, and `4k` is no whole number"),
        ("2 # collectives", "3", Dropped, "the file ends where a collective is expected"),
        ("2 # collectives", "1", Wrong, "HAN does not read what follows the rules that are counted"),
        ("barrier", "alltoall", Wrong, "HAN has no rules for alltoall: these are not used"),
        (
            "4096 tuned",
            "0 tuned",
            Wrong,
            "sizes must increase: this rule hides those before it that begin later",
        ),
    ] {
        assert!(FILE.contains(from), "{from}");
        assert_eq!(found(&FILE.replacen(from, to, 1)), [(severity, expected.to_owned())], "{from}");
    }
}

#[test]
fn emit_writes_both_files_and_leaves_han_its_priority() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bcast.tree.json"), tree("bcast").to_json()).unwrap();
    let emit = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qtdec"));
        command.args([
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
