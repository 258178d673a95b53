//! Algorithms of reductions that give operations parts of their operands: programs have operations that assume the whole count.

use std::fs;
use std::path::Path;
use std::process::Command;

use qtdec_core::encode::{self, Greedy};
use qtdec_core::{Axis, Borders, DecisionMap, Domain, Method};
use qtdec_mpi_library::tuning::{LibraryRules, RuleOptions, find_format};

/// Returns what the rules of one algorithm say of operands.
fn said(format: &str, collective: &str, method: &str, segment_size: Option<u64>) -> Option<String> {
    let format = find_format(format).unwrap();
    let methods = vec![Method { segment_size, ..Method::new(method) }];
    let domain =
        Domain::new(Some(collective.to_owned()), vec![Axis::new("comm_size", [4, 8])], methods).unwrap();
    let cells = vec![domain.method_indexes().next(); 2];
    let tree = encode::encode(&DecisionMap::new(domain, cells).unwrap(), &Greedy, Borders::Floor).unwrap();
    let unit = format.unit(collective);
    let rules = LibraryRules::new(&tree, format.library, collective, unit, &RuleOptions::default()).unwrap();
    assert_eq!(rules.cut.is_some(), rules.notes.iter().any(|note| rules.cut.as_ref() == Some(note)));
    rules.cut
}

#[test]
fn rules_name_what_cuts_the_operands() {
    for (format, collective, method, segment, is_cut) in [
        ("open-mpi", "allreduce", "ring", None, true),
        ("open-mpi", "allreduce", "segmented_ring", Some(8192), true),
        ("open-mpi-json", "allreduce", "rabenseifner", None, true),
        ("open-mpi", "allreduce", "recursive_doubling", None, false),
        ("open-mpi", "reduce", "binomial", None, false),
        ("open-mpi", "reduce", "binomial", Some(1024), true),
        ("open-mpi", "reduce", "rabenseifner", None, true),
        ("open-mpi", "reduce_scatter", "butterfly", None, true),
        ("open-mpi", "reduce_scatter", "non-overlapping", None, false),
        ("open-mpi", "bcast", "pipeline", Some(1024), false),
        ("intel-mpi", "allreduce", "rabenseifner", None, true),
        // Its rules for these collectives are for predefined operations.
        ("mpich", "allreduce", "reduce_scatter_allgather", None, false),
        // There is no other algorithm.
        ("mpich", "reduce_scatter_block", "pairwise", None, false),
    ] {
        let said = said(format, collective, method, segment);
        assert_eq!(said.is_some(), is_cut, "{format} {collective} {method}: {said:?}");
        if let Some(said) = said {
            assert!(
                said.starts_with(&format!("{collective}: `{method}`")) && said.contains("--exclude"),
                "{said}"
            );
        }
    }
}

fn qtdec(arguments: &[&str], folder: &Path) -> (Option<i32>, String) {
    let output = Command::new(qtdec_commands::qtdec()).args(arguments).current_dir(folder).output().unwrap();
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[test]
fn check_and_tune_name_what_cuts_the_operands() {
    let folder = tempfile::tempdir().unwrap();
    let file =
        "2 # collectives\n2 # allreduce\n1\n0\n2\n0 3 0 0\n4096 4 0 0\n11 # reduce\n1\n0\n1\n0 5 0 1024\n";
    fs::write(folder.path().join("rules.conf"), file).unwrap();
    let (code, printed) = qtdec(&["mpi", "check", "rules.conf", "--format", "open-mpi"], folder.path());
    assert_eq!(code, Some(0), "{printed}");
    for said in [
        "note: allreduce: `ring` gives an operation parts",
        "note: reduce: `binomial` with segments gives an operation parts",
    ] {
        assert!(printed.contains(said), "{printed}");
    }

    let mut times = "comm_size,msg_size,method,run,time_us\n".to_owned();
    for (run, noise) in [(1, 0.0), (2, 0.02), (3, 0.01)] {
        for (method, time) in [("default", 10.0), ("rabenseifner", 5.0 + noise), ("recursive_doubling", 8.0)]
        {
            times.extend([4, 8].map(|ranks| format!("{ranks},1024,{method},{run},{time}\n")));
        }
    }
    fs::write(folder.path().join("t.csv"), times).unwrap();
    let read = ["read", "t.csv", "-o", "times.csv", "--collective", "allreduce", "--columns", "run=run"];
    assert_eq!(qtdec(&read, folder.path()).0, Some(0));
    let tune = |more: &[&str]| {
        let tune = ["mpi", "tune", "times.csv", "--library", "open-mpi", "-o", "tuned", "--verbose"];
        qtdec(&[&tune, more].concat(), folder.path())
    };
    let (code, printed) = tune(&[]);
    assert_eq!(code, Some(0), "{printed}");
    let said = "llreduce: `rabenseifner` gives an operation parts of its operands";
    assert!(printed.contains(said), "{printed}");
    for name in ["open-mpi.conf", "report.html"] {
        assert!(fs::read_to_string(folder.path().join("tuned").join(name)).unwrap().contains(said), "{name}");
    }
    let (code, printed) = tune(&["--exclude", "rabenseifner"]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(!printed.contains("parts of its operands"), "{printed}");
}
