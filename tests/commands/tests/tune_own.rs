//! `qtdec-mpi tune` on times in which our own schedules, the library's algorithms and its default are mixed.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use qtdec_core::{DecisionTree, Document};
use qtdec_mpi_library::tuning::{Job, find_format};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn qtdec(arguments: &[&str], folder: &Path) -> Output {
    Command::new(qtdec_commands::qtdec()).args(arguments).current_dir(folder).output().unwrap()
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
    let read = ["read", "t.csv", "-o", "times.csv", "--columns", "run=run", "--basis", "buffer"];
    let output = qtdec(&read, folder.path());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let output =
        qtdec(&["mpi", "tune", "times.csv", "--library", library, "-o", "tuned", "--verbose"], folder.path());
    assert!(output.status.success(), "{}", text(&output.stderr));
    (text(&output.stdout), folder)
}

fn chosen(folder: &Path, collective: &str, sizes: [u64; 2]) -> String {
    let text = fs::read(folder.join(format!("tuned/{collective}.tree.json"))).unwrap();
    let tree: DecisionTree = Document::from_json(&text).unwrap().into_tree().unwrap();
    tree.domain().method(tree.decide(&sizes).unwrap()).label()
}

/// Returns the algorithm that the tuning file has for a call, or `None` if it leaves the call to the library.
fn ruled(folder: &Path, collective: &str, sizes: [u64; 2]) -> Option<String> {
    let rules = fs::read(folder.join("tuned/open-mpi.conf")).unwrap();
    let rules = find_format("open-mpi").unwrap().read(&rules, Job::default()).unwrap();
    rules.decide(collective, sizes[0], sizes[1]).name
}

#[test]
fn trees_have_everything_and_the_tuning_file_what_of_it_the_library_can_do() {
    let (printed, folder) = tuned("open-mpi", &times());
    let chosen = |collective, size| chosen(folder.path(), collective, [8, size]);
    let bcast = [64, 4096, 65536].map(|size| chosen("bcast", size));
    assert_eq!(bcast, ["default", "binomial", "own_pipeline/8192"]);
    assert_eq!([64, 65536].map(|size| chosen("allreduce", size)), ["default", "own_ring"]);
    // No gain is shown, so that the interposer leaves it to the library.
    assert_eq!([64, 65536].map(|size| chosen("reduce", size)), ["default", "default"]);
    let ruled = |collective, size| ruled(folder.path(), collective, [8, size]);
    assert_eq!([64, 4096, 65536].map(|size| ruled("bcast", size)), [None, Some("binomial".to_owned()), None]);
    assert_eq!([ruled("allreduce", 65536), ruled("reduce", 65536)], [None, None]);
    for line in [
        "Only the interposer can run own_pipeline/8192 (2 cells of bcast); the gain is that of both, and of the tuning file alone it is +",
        "Only the interposer can run own_ring (4 cells of allreduce); the tuning file has no rules for allreduce.",
        "tuned/reduce.tree.json keeps the default everywhere and the tuning file has no rules for reduce, as no gain is shown; \
         without the schedules of qtdec (--exclude 'own_*') there may be one.",
        "with tuned/switches.sh, QTDEC_TREES=tuned and the preloaded libqtdec_mpi.so (see qtdec-mpi build)",
    ] {
        assert!(printed.contains(line), "{line}\n{printed}");
    }
}

/// A library that has no algorithms for a collective has no rules for it, and the interposer carries it out.
#[test]
fn collectives_that_the_library_does_not_tune_are_left_to_the_interposer() {
    let only = times();
    let only: Vec<&str> = only.lines().filter(|line| !line.starts_with("bcast")).collect();
    let (printed, folder) = tuned("intel-mpi", &only.join("\n"));
    assert_eq!(chosen(folder.path(), "allreduce", [8, 65536]), "own_ring");
    assert!(printed.contains("The library needs no settings: tuned/intel-mpi.sh"), "{printed}");
    assert!(printed.contains("Deploy allreduce with QTDEC_TREES=tuned and the preloaded"), "{printed}");
}

/// What is priced is what runs: our schedules by the interposer, the library's algorithms by the tuning file, and the default elsewhere. In these
/// times the library's algorithm gains little, and not in every launch, so that no gain of the tuning file alone is shown.
#[test]
fn the_tuning_file_and_the_interposer_carry_out_what_was_priced() {
    let mut times = "collective,run,comm_size,msg_size,method,segment_size,time_us\n".to_owned();
    let mut chance = Pcg64::seed_from_u64(24);
    for run in 0..4 {
        for comm_size in [4, 8] {
            for size in [4, 72, 4096, 65536] {
                let of_the_library = [1.2, 0.7, 0.95, 0.7][run];
                for (method, factor) in [
                    ("default", 1.0),
                    ("basic_linear", if size < 100 { of_the_library } else { 1.5 }),
                    ("own_binomial", if size < 100 { 1.5 } else { 0.5 }),
                ] {
                    let time = chance.random_range(0.98..1.02) * factor * f64::from(20 + size);
                    let _ = writeln!(times, "bcast,{run},{comm_size},{size},{method},,{time}");
                }
            }
        }
    }
    let (printed, folder) = tuned("open-mpi", &times);
    assert!(printed.contains("Deploy bcast with tuned/switches.sh, QTDEC_TREES=tuned"), "{printed}");
    assert!(printed.contains("and of the tuning file alone it is "), "{printed}");
    let mut parts = [0; 3];
    for comm_size in [4, 8] {
        for size in [4, 72, 4096, 65536] {
            let sizes = [comm_size, size];
            let decided = chosen(folder.path(), "bcast", sizes);
            let rule = ruled(folder.path(), "bcast", sizes);
            let runs = match &rule {
                _ if decided.starts_with("own_") => decided.clone(),
                Some(rule) => rule.clone(),
                None => "default".to_owned(),
            };
            assert_eq!(runs, decided, "{sizes:?}\n{printed}");
            parts[usize::from(rule.is_some()) + 2 * usize::from(decided.starts_with("own_"))] += 1;
        }
    }
    assert_eq!(parts, [0, 4, 4], "{printed}");
}
