//! `smoke.sh` of `qtdec-mpi tune`, with a script in place of the launcher and the benchmark, and what `qtdec verify` says of its result.

#![cfg(unix)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Writes what it is told as the result, where the option before the last word's says, prints the rest, and ends with a code.
const LAUNCH: &str = r#"#!/bin/sh
for word; do last=$word; done
case $MODE in
right) echo 'accepted, 12 calls right' > "$last" ;;
wrong) echo 'failed: bcast of 8192 bytes on 4 ranks, root 1: the result is wrong' > "$last"; exit 1 ;;
dies) echo 'bcast of 8192 bytes on 4 ranks, root 1' > "$last"; echo 'a line'; echo 'Fatal error in PMPI_Bcast' >&2; exit 3 ;;
never) exit 5 ;;
words) echo "failed: $*" > "$last" ;;
esac
"#;

fn run(folder: &Path, program: &str, words: &[&str], mode: &str) -> Output {
    let mut command = Command::new(program);
    command.args(words).env("MODE", mode).current_dir(folder).output().unwrap()
}

/// Tunes Open MPI by times in which two algorithms take so long on many ranks, and the default half of its usual time on few.
fn tuned(folder: &Path, collective: &str, methods: [&str; 2], fast: f64, name: &str) {
    let mut times = "# qtdec-times/1\n# axis comm_size: ranks\n# axis msg_size: bytes\n\
         comm_size,msg_size,method,collective,basis,launch,repeat,time_us\n"
        .to_owned();
    for (launch, noise) in [(1, 0.0), (2, 0.03), (3, 0.01)] {
        for (ranks, size, best) in
            [(2, 64, "default"), (2, 4096, "default"), (8, 64, methods[0]), (8, 4096, methods[1])]
        {
            for method in ["default"].into_iter().chain(methods) {
                let time = noise
                    + if method != best {
                        10.0
                    } else if ranks == 2 {
                        5.0
                    } else {
                        fast
                    };
                let _ = writeln!(times, "{ranks},{size},{method},{collective},buffer,{launch},1,{time}");
            }
        }
    }
    fs::write(folder.join("times.csv"), times).unwrap();
    let tune = ["mpi", "tune", "times.csv", "--library", "open-mpi", "-o", name, "--jobs", "launch"];
    let output = run(folder, qtdec_commands::qtdec(), &tune, "");
    assert!(output.status.success(), "{output:?}");
}

/// Returns the line that the script prints, and whether it succeeds.
fn line(folder: &Path, mode: &str) -> (String, bool) {
    let output = run(folder, "sh", &["it's tuned/smoke.sh", "sh", "launch"], mode);
    assert!(output.stderr.is_empty(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    (said.trim_end().to_owned(), output.status.success())
}

#[test]
fn a_smoke_test_is_one_line_and_verify_knows_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    tuned(folder, "bcast", ["binomial", "chain"], 5.0, "it's tuned");
    fs::write(folder.join("launch"), LAUNCH).unwrap();
    let times = fs::read_to_string(folder.join("times.csv")).unwrap();
    let of_default: Vec<&str> =
        times.lines().filter(|line| !line.contains(",binomial,") && !line.contains(",chain,")).collect();
    fs::write(folder.join("after.csv"), of_default.join("\n")).unwrap();
    let of_test = || {
        let verify =
            ["verify", "after.csv", "after.csv", "--collective", "bcast", "--deployed", "it's tuned"];
        let told = run(folder, qtdec_commands::qtdec(), &verify, "").stderr;
        let told = String::from_utf8(told).unwrap();
        told.lines().find_map(|line| {
            Some(line.split_once("the smoke test of the files in `it's tuned` ")?.1.to_owned())
        })
    };
    let again = ": sh \"it's tuned/smoke.sh\" LAUNCHER qtdec-bench";
    assert_eq!(of_test(), Some(format!("has not run{again}")));
    assert_eq!(line(folder, "right"), ("accepted, 12 calls right".to_owned(), true));
    assert_eq!(of_test(), None);
    let place = "failed: bcast of 8192 bytes on 4 ranks, root 1: ";
    assert_eq!(line(folder, "wrong"), (format!("{place}the result is wrong"), false));
    assert_eq!(of_test(), Some(format!("{place}the result is wrong{again}")));
    assert_eq!(line(folder, "dies"), (format!("{place}Fatal error in PMPI_Bcast"), false));
    let (never, _) = line(folder, "never");
    assert_eq!(never, "failed: the start of MPI: the launch ended with the code 5");
    let (words, _) = line(folder, "words");
    let least =
        words.split_once(" --ruled bcast:").unwrap().1.split_once(' ').unwrap().0.parse::<u32>().unwrap();
    assert!((3..=8).contains(&least), "{words}");
    assert!(words.contains("--smoke ") && words.contains("/it's tuned/open-mpi.conf --ruled "), "{words}");
    fs::write(folder.join("it's tuned/switches.sh"), "export A='\n").unwrap();
    assert!(line(folder, "right").0.starts_with("failed: switches.sh: "));
    let usage = run(folder, "sh", &["it's tuned/smoke.sh"], "");
    assert_eq!((usage.status.code(), usage.stdout.len()), (Some(2), 0));
    if Command::new("shellcheck").arg("--version").output().is_ok() {
        assert!(run(folder, "shellcheck", &["it's tuned/smoke.sh"], "").status.success());
    }
}

#[test]
fn what_is_not_deployed_has_nothing_to_test() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    tuned(folder, "bcast", ["binomial", "chain"], 11.0, "slow");
    let switches = fs::read_to_string(folder.join("slow/switches.sh")).unwrap();
    assert!(!switches.contains("open-mpi.conf"), "{switches}");
    let said = run(&folder.join("slow"), "sh", &["smoke.sh", "mpirun"], "");
    let text = String::from_utf8_lossy(&said.stdout);
    assert!(said.status.success() && text.starts_with("nothing to test: "), "{text}");
}
