//! Searches, schedules and simulations keep within their limits of memory and refuse the rest at once.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use qtdec_testkit::maps::{Pattern, Plan};
use qtdec_testkit::sample::one_in;

/// Runs the command with at most 1 GiB of address space, which includes its code and stacks.
fn bounded(arguments: &str) -> Output {
    within(1 << 20, arguments)
}

/// Runs the command with this address space, in KiB.
fn within(kib: u32, arguments: &str) -> Output {
    let command = format!("ulimit -v {kib}; exec \"$QTDEC\" {arguments}");
    Command::new("sh").args(["-c", &command]).env("QTDEC", qtdec_commands::qtdec()).output().expect("a shell")
}

#[track_caller]
fn refused(arguments: &str, expected: &str) {
    let start = Instant::now();
    let output = bounded(arguments);
    let took = start.elapsed();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains(expected), "{arguments}: {error}");
    assert!([Some(1), Some(2)].contains(&output.status.code()), "{arguments}: {:?}", output.status);
    assert!(took < Duration::from_secs(60), "{arguments}: {took:?}");
}

/// Writes a map of random choices.
fn noise(folder: &Path, len: usize) -> PathBuf {
    let path = folder.join(format!("noise-{len}.json"));
    std::fs::write(&path, Plan::new(&[len, len], Pattern::Noise, 1).map().to_file().unwrap()).unwrap();
    path
}

/// The limit of a search is 384 MB, and a quarter of a gigabyte is left to the rest of the command.
#[test]
fn every_objective_keeps_within_the_limit_of_memory() {
    let folder = tempfile::tempdir().unwrap();
    let objectives = [
        "--lambda 0.5",
        "--lambda 0.5 --max-depth 3",
        "--objective tests",
        "--objective mispredictions",
        "--objective depth",
        "--max-depth 40",
        "--budget 'mean 5%'",
    ];
    for (len, succeeds) in [(96, Some(0)), (150, None), (256, None)] {
        let map = noise(folder.path(), len);
        for objective in objectives {
            let output =
                within(640 << 10, &format!("encode {} --encoding optimal {objective} -o -", map.display()));
            let error = String::from_utf8_lossy(&output.stderr);
            let is_refused =
                error.contains(" of memory to find, and the limits are ") || error.contains("budget");
            match (output.status.code(), succeeds) {
                (Some(0), _) => {}
                (Some(1 | 2), _) if is_refused => {}
                (code, _) => panic!("{len} × {len}, {objective}: {code:?}, {error}"),
            }
            let must_succeed = succeeds.is_some() && objective == objectives[0];
            assert!(!must_succeed || output.status.success(), "{len} × {len}, {objective}: {error}");
        }
    }
}

#[test]
fn schedules_that_are_too_large_are_refused() {
    let ranks = "a schedule of so many ranks does not fit into memory; use at most ";
    refused("mpi schedule allreduce ring --comm-size 1000000 --msg-size 1", ranks);
    refused("mpi schedule bcast binomial --comm-size 16777216 --msg-size 0", ranks);
    let steps = "steps to build, empty blocks included; use fewer ranks";
    refused("mpi schedule allreduce ring --comm-size 20000 --msg-size 1", steps);
    refused("mpi schedule barrier dissemination --comm-size 65000", steps);
    let memory = "the schedule takes more than 900 MiB of memory; use fewer ranks or larger segments";
    let too_large = [
        "bcast pipeline --comm-size 100000 --msg-size 1G --segment-size 1K",
        "alltoall linear --comm-size 5000 --msg-size 1",
        "alltoall bruck --comm-size 5000 --msg-size 1",
        "allgather bruck --comm-size 4000 --msg-size 1",
    ];
    for schedule in too_large.iter().step_by(one_in(4)) {
        refused(&format!("mpi schedule {schedule}"), memory);
    }
}

#[test]
fn pictures_that_are_too_large_are_refused_before_the_schedule_is_built() {
    let text = "a diagram of more than 20000 messages or 1024 ranks would be unreadable";
    refused("mpi schedule bcast binomial --comm-size 100000 --msg-size 1 --plot no.svg", text);
    refused("mpi schedule alltoall linear --comm-size 1000 --msg-size 1 --plot no.svg", text);
    let text = "a tree of 100000 ranks would be unreadable: use at most 128";
    refused("mpi schedule bcast binomial --comm-size 100000 --msg-size 1 --plot no.svg --figure tree", text);
}

#[test]
fn simulations_that_are_too_large_are_refused() {
    let one = "mpi predict grig --collective bcast --comm-size 1000000 --msg-size 1 -o no.csv";
    refused(one, "a schedule of so many ranks does not fit into memory; use at most ");
    let times = "mpi predict grig --collective bcast --comm-size 2..1100 --msg-size 1..1100 -o no.csv";
    refused(times, "times exceed the maximum of 1048576: use fewer sizes or segments");
    let map = "mpi predict grig --form simulated --collective bcast --comm-size 1000000 --msg-size 1 -o -";
    refused(map, "a schedule of so many ranks does not fit into memory");
}

#[test]
fn methods_that_are_too_large_are_left_out_of_a_simulation() {
    let folder = tempfile::tempdir().unwrap();
    let times = folder.path().join("times.csv");
    let grid = "--algorithms pipeline,linear --comm-size 1024 --msg-size 1G --segment-size 1K --threads 64";
    let output = bounded(&format!("mpi predict grig --collective bcast {grid} -o {}", times.display()));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let missing = "2 times are missing, such as that of pipeline at comm_size=1024 msg_size=1073741824: the schedule takes more \
                   than 640 MiB of memory";
    assert!(error.contains(missing), "{error}");
    let times = std::fs::read_to_string(times).unwrap();
    assert_eq!(times.lines().filter(|line| !line.starts_with('#')).count(), 3, "{times}");
}

#[test]
fn the_largest_schedules_fit() {
    let all = 480_000 / one_in::<usize>(8);
    let output = bounded(&format!("mpi schedule bcast binomial --comm-size {all} --msg-size 1 --goal"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let ranks = output.stdout.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"rank ")).count();
    assert_eq!(ranks, all);
}
