//! Schedules and simulations keep within a gigabyte and refuse the rest at once.
#![cfg(target_os = "linux")]

use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Runs the command with at most 1 GiB of address space, which includes its code and stacks.
fn bounded(arguments: &str) -> Output {
    let command = format!("ulimit -v 1048576; exec \"$QTDEC\" {arguments}");
    Command::new("sh")
        .args(["-c", &command])
        .env("QTDEC", env!("CARGO_BIN_EXE_qtdec"))
        .output()
        .expect("a shell")
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

#[test]
fn schedules_that_are_too_large_are_refused() {
    let ranks = "a schedule of so many ranks does not fit into memory; use at most ";
    refused("schedule allreduce ring --comm-size 1000000 --msg-size 1", ranks);
    refused("schedule bcast binomial --comm-size 16777216 --msg-size 0", ranks);
    let steps = "steps to build, empty blocks included; use fewer ranks";
    refused("schedule allreduce ring --comm-size 20000 --msg-size 1", steps);
    refused("schedule barrier dissemination --comm-size 65000 --msg-size 0", steps);
    let memory = "the schedule takes more than 900 MiB of memory; use fewer ranks or larger segments";
    refused("schedule bcast pipeline --comm-size 100000 --msg-size 1G --segment-size 1K", memory);
    refused("schedule alltoall linear --comm-size 5000 --msg-size 1", memory);
    refused("schedule alltoall bruck --comm-size 5000 --msg-size 1", memory);
    refused("schedule allgather bruck --comm-size 4000 --msg-size 1", memory);
}

#[test]
fn pictures_that_are_too_large_are_refused_before_the_schedule_is_built() {
    let text = "a diagram of more than 20000 messages or 1024 ranks would be unreadable";
    refused("schedule bcast binomial --comm-size 100000 --msg-size 1 --plot no.svg", text);
    refused("schedule alltoall linear --comm-size 1000 --msg-size 1 --plot no.svg", text);
    let text = "a tree of 100000 ranks would be unreadable: use at most 128";
    refused("schedule bcast binomial --comm-size 100000 --msg-size 1 --plot no.svg --figure tree", text);
}

#[test]
fn simulations_that_are_too_large_are_refused() {
    let one = "simulate grig --collective bcast --comm-sizes 1000000 --msg-sizes 1";
    refused(one, "a schedule of so many ranks does not fit into memory; use at most ");
    let times = "simulate grig --collective bcast --comm-sizes 2..1100 --msg-sizes 1..1100";
    refused(times, "times exceed the maximum of 1048576: use fewer sizes or segments");
    let map = "model grig --form simulated --collective bcast --comm-sizes 1000000 --msg-sizes 1 -o -";
    refused(map, "a schedule of so many ranks does not fit into memory");
}

#[test]
fn methods_that_are_too_large_are_left_out_of_a_simulation() {
    let output = bounded(
        "simulate grig --collective bcast --algorithms pipeline,linear --comm-sizes 1024 --msg-sizes 1G --segment-sizes 1K --threads 64",
    );
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let missing = "2 times are missing, such as that of pipeline at comm_size=1024 msg_size=1073741824: the schedule takes more \
                   than 640 MiB of memory";
    assert!(error.contains(missing), "{error}");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(stdout.lines().filter(|line| !line.starts_with('#')).count(), 3, "{stdout}");
}

#[test]
fn the_largest_schedules_fit() {
    let output = bounded("schedule bcast binomial --comm-size 480000 --msg-size 1 --goal");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let ranks = output.stdout.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"rank ")).count();
    assert_eq!(ranks, 480_000);
}
