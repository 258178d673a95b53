//! A barrier sends no data: it has ranks, and no message size.

use std::fs;
use std::path::Path;
use std::process::Command;

use qtdec_core::{Document, SourceFile};

/// Returns what a command prints, and what it says.
fn run(folder: &Path, arguments: &[&str]) -> (Vec<u8>, String) {
    let mut command = Command::new(qtdec_commands::qtdec());
    let output = command.current_dir(folder).args(arguments).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {said}");
    (output.stdout, said)
}

/// Returns the names of the axes of a map.
fn axes(map: &[u8]) -> Vec<String> {
    let Document::Map(map) = SourceFile::read("map", map).unwrap().document().unwrap() else {
        panic!("this is no map")
    };
    map.domain().axes().iter().map(|axis| axis.name.clone()).collect()
}

const BARRIER: [&str; 2] = ["--collective", "barrier"];

#[test]
fn tables_of_barriers_have_ranks_alone() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let rows = "2,ring,1\n2,tree,2\n4,ring,3\n4,tree,2\n";
    fs::write(folder.join("alone.csv"), format!("comm_size,method,time_us\n{rows}")).unwrap();
    let sized =
        rows.replace("2,r", "2,0,r").replace("2,t", "2,0,t").replace("4,r", "4,0,r").replace("4,t", "4,0,t");
    fs::write(folder.join("sized.csv"), format!("comm_size,msg_size,method,time_us\n{sized}")).unwrap();
    let (alone, said) = run(folder, &[&["map", "alone.csv"], &BARRIER[..]].concat());
    assert_eq!(axes(&alone), ["comm_size"]);
    assert!(!said.contains("message size"), "{said}");
    let (map, said) = run(folder, &[&["map", "sized.csv"], &BARRIER[..]].concat());
    assert_eq!(axes(&map), ["comm_size"]);
    assert!(said.contains("a barrier has no message size: the column `msg_size` is ignored"), "{said}");
    let named =
        ["map", "sized.csv", "--columns", "comm_size=comm_size,msg_size=msg_size,method=method,time=time_us"];
    assert_eq!(axes(&run(folder, &[&named, &BARRIER[..]].concat()).0), ["comm_size"]);
    // A broadcast has one.
    assert_eq!(
        axes(&run(folder, &["map", "sized.csv", "--collective", "bcast"]).0),
        ["comm_size", "msg_size"]
    );
    run(folder, &[&["read", "sized.csv", "-o", "times.csv"], &BARRIER[..]].concat());
    assert!(!fs::read_to_string(folder.join("times.csv")).unwrap().contains("msg_size"));
}

#[test]
fn predictions_and_schedules_of_barriers_need_no_size() {
    const IGNORED: &str = "a barrier has no message size: --msg-size is ignored";
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let grid = [&["mpi", "predict", "grig", "--comm-size", "2..8*2"], &BARRIER[..]].concat();
    run(folder, &[&grid[..], &["-o", "map.json"]].concat());
    assert_eq!(axes(&fs::read(folder.join("map.json")).unwrap()), ["comm_size"]);
    run(folder, &[&grid[..], &["-o", "times.csv"]].concat());
    assert!(!fs::read_to_string(folder.join("times.csv")).unwrap().contains("msg_size"));
    assert_eq!(axes(&run(folder, &["map", "times.csv"]).0), ["comm_size"]);
    run(folder, &[&["mpi", "predict", "grig", "--against", "map.json"], &BARRIER[..]].concat());
    let one = ["mpi", "predict", "grig", "--comm-size", "8", "--collective", "barrier"];
    let schedule = ["mpi", "schedule", "barrier", "dissemination", "--comm-size", "8"];
    let decide = ["mpi", "decide", "--rules", "mpich-4.0", "--collective", "barrier", "--comm-size", "8"];
    for arguments in [&one[..], &schedule, &decide] {
        let (plain, said) = run(folder, arguments);
        assert!(!said.contains(IGNORED), "{said}");
        let (sized, said) = run(folder, &[arguments, &["--msg-size", "8"]].concat());
        assert_eq!(sized, plain);
        assert_eq!(said.matches(IGNORED).count(), 1, "{said}");
    }
    let mut command = Command::new(qtdec_commands::qtdec());
    let bcast = command.args(["mpi", "schedule", "bcast", "binomial", "--comm-size", "8"]).output().unwrap();
    assert_eq!(bcast.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&bcast.stderr).contains("add --msg-size SIZE"));
}
