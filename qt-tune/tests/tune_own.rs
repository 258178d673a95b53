//! `qtdec tune` on times in which our own schedules, the library's algorithms and its default are mixed.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use qtdec_core::{DecisionTree, Document};
use qtdec_tune::tuning::{Job, find_format};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn qtdec(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_qtdec")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the factor of a method's time over that of the default in a launch.
fn factor(collective: &str, method: &str, size: u64, run: usize) -> f64 {
    match (collective, method, size) {
        ("bcast", "binomial", 4096) | ("bcast", "own_pipeline", 65536) => 0.5,
        ("bcast", "binomial", 65536) => 0.8,
        ("allreduce", "own_ring", 4096..) => 0.6,
        (_, "default", _) => 1.0,
        ("reduce", ..) => [0.8, 0.8, 0.9, 1.15][run],
        _ => 1.5,
    }
}

/// Returns times of four launches, which differ by a few per cent: of `bcast` by all kinds of methods, and of others without algorithms of the
/// library, of which what `reduce` gains differs from launch to launch.
fn times() -> String {
    let mut text = "collective,run,comm_size,msg_size,method,segment_size,time_us\n".to_owned();
    let mut chance = Pcg64::seed_from_u64(5);
    let all = [
        ("bcast", &[("default", ""), ("binomial", ""), ("own_pipeline", "8192")][..]),
        ("allreduce", &[("default", ""), ("own_ring", "")]),
        ("reduce", &[("default", ""), ("own_binomial", "")]),
    ];
    for (collective, methods) in all {
        for run in 0..4 {
            for comm_size in [4, 8] {
                for size in [64, 4096, 65536] {
                    for (method, segment) in methods {
                        let noise: f64 = chance.random_range(0.98..1.02);
                        let time = noise * factor(collective, method, size, run) * (20 + size) as f64;
                        let _ =
                            writeln!(text, "{collective},{run},{comm_size},{size},{method},{segment},{time}");
                    }
                }
            }
        }
    }
    text
}

/// Returns the output of `tune` for a library, and the trees that it wrote.
fn tuned(library: &str, times: &str) -> (String, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.csv"), times).unwrap();
    let columns = ["--columns", "run=run", "--basis", "buffer"];
    let command = [&["tune", "t.csv", "--library", library, "-o", "tuned"], &columns[..]].concat();
    let output = qtdec(&command, folder.path());
    assert!(output.status.success(), "{}", text(&output.stderr));
    (text(&output.stdout), folder)
}

fn chosen(folder: &Path, collective: &str, sizes: [u64; 2]) -> String {
    let text = fs::read(folder.join(format!("tuned/{collective}.tree.json"))).unwrap();
    let tree: DecisionTree = Document::from_json(&text).unwrap().into_tree().unwrap();
    tree.domain().method(tree.decide(&sizes).unwrap()).label()
}

#[test]
fn trees_have_everything_and_the_tuning_file_what_the_library_can_do() {
    let (printed, folder) = tuned("open-mpi", &times());
    let chosen = |collective, size| chosen(folder.path(), collective, [8, size]);
    let bcast = [64, 4096, 65536].map(|size| chosen("bcast", size));
    assert_eq!(bcast, ["default", "binomial", "own_pipeline/8192"]);
    assert_eq!([64, 65536].map(|size| chosen("allreduce", size)), ["default", "own_ring"]);
    // No gain is shown, so that the interposer leaves it to the library.
    assert_eq!([64, 65536].map(|size| chosen("reduce", size)), ["default", "default"]);
    let rules = fs::read(folder.path().join("tuned/open-mpi.conf")).unwrap();
    let rules = find_format("open-mpi").unwrap().read(&rules, Job::default()).unwrap();
    let ruled = |collective, size| rules.decide(collective, 8, size).name;
    let binomial = Some("binomial".to_owned());
    assert_eq!([64, 4096, 65536].map(|size| ruled("bcast", size)), [None, binomial.clone(), binomial]);
    assert_eq!([ruled("allreduce", 65536), ruled("reduce", 65536)], [None, None]);
    for line in [
        "Only the interposer can run own_pipeline/8192 (2 cells of bcast); the gain of the tuning file alone is +",
        "Only the interposer can run own_ring (4 cells of allreduce); the tuning file has no rules for allreduce.",
        "tuned/reduce.tree.json keeps the default everywhere, as no gain is shown; the tuning file has no rules for reduce.",
        "with tuned/switches.sh, QTDEC_TREES=tuned and the preloaded libqtdec_mpi.so (see qtdec mpi-build)",
    ] {
        assert!(printed.contains(line), "{line}\n{printed}");
    }
}

/// A library that has no algorithms for a collective has no rules for it, and the interposer carries it out.
#[test]
fn collectives_that_the_library_does_not_tune_are_left_to_the_interposer() {
    let only = times();
    let only: Vec<&str> = only.lines().filter(|line| !line.starts_with("bcast")).collect();
    let (printed, folder) = tuned("nccl", &only.join("\n"));
    assert_eq!(chosen(folder.path(), "allreduce", [8, 65536]), "own_ring");
    assert!(printed.contains("the library needs no settings: tuned/nccl.conf"), "{printed}");
    assert!(printed.contains("Deploy allreduce with QTDEC_TREES=tuned and the preloaded"), "{printed}");
}
