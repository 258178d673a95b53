//! `qtdec verify`: the effect of a deployment, for times with a known change.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Returns times by size for a number of launches; `factor` is the slowdown of each size.
fn times(launches: u32, seed: u64, factor: impl Fn(u64) -> f64) -> String {
    let mut chance = Pcg64::seed_from_u64(seed);
    let mut text = "run,comm_size,msg_size,method,time\n".to_owned();
    for launch in 0..launches {
        // A launch as a whole is slow or fast.
        let of_launch = 1.0 + chance.random_range(-0.02..0.02);
        for comm_size in [8, 16] {
            for exponent in 0..8_u32 {
                let msg_size = 1_u64 << (2 * exponent);
                for _ in 0..12 {
                    let noise = 1.0 + chance.random_range(0.0..0.01);
                    let time = (20.0 + msg_size as f64 / 10.0) * factor(msg_size) * of_launch * noise;
                    let _ = writeln!(text, "{launch},{comm_size},{msg_size},bcast,{time}");
                }
            }
        }
    }
    text
}

/// A tree that keeps the default below 256 bytes.
const DEPLOYED: &str = r#"{
  "format": "qtdec-map/1",
  "axes": [
    { "name": "comm_size", "values": [8, 16] },
    { "name": "msg_size", "values": [1, 256] }
  ],
  "methods": [{ "name": "default", "baseline": true }, { "name": "ring" }],
  "cells": [[0, 1], [0, 1]]
}"#;

/// Compares the times of launches of one job.
fn verify(folder: &Path, more: &[&str]) -> Output {
    compare(folder, &[&["--jobs", "one"], more].concat())
}

fn compare(folder: &Path, more: &[&str]) -> Output {
    for side in ["before", "after"] {
        let (raw, times) = (format!("{side}.csv"), format!("{side}.times.csv"));
        let read = qtdec(folder, &["read", &raw, "--columns", "run=run", "--time-unit", "us", "-o", &times]);
        assert!(read.status.success(), "{read:?}");
    }
    qtdec(folder, &[&["verify", "before.times.csv", "after.times.csv"], more].concat())
}

fn qtdec(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(qtdec_commands::qtdec()).args(arguments).current_dir(folder).output().unwrap()
}

fn folder(before: &str, after: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("before.csv", before), ("after.csv", after), ("deployed.json", DEPLOYED)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the change in per cent and its interval from the line with this beginning.
fn change(text: &str, line: &str) -> [f64; 3] {
    let line =
        text.lines().find(|found| found.starts_with(line)).unwrap_or_else(|| panic!("{line} in {text}"));
    let numbers: Vec<f64> = line
        .split(|char: char| !(char.is_ascii_digit() || "+-.".contains(char)))
        .filter_map(|word| word.parse().ok())
        .collect();
    // The text has 95 before the interval.
    [numbers[0], numbers[2], numbers[3]]
}

/// Covers a machine that became 5 % slower, while the changed points became 20 % faster. Neither is divided by the other.
#[test]
fn changed_and_kept_points_are_shown_as_they_are() {
    let factor = |size: u64| 1.05 * if size >= 256 { 0.8 } else { 1.0 };
    let folder = folder(&times(6, 1, |_| 1.0), &times(6, 2, factor));
    let output = verify(folder.path(), &["--deployed", "deployed.json", "--fail-if-slower", "0"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let within = |line: &str, expected: f64, by: f64| {
        let [mean, low, high] = change(&text, line);
        assert!((mean - expected).abs() < by, "{line} {mean} {expected}");
        assert!(low <= expected && expected <= high && low < mean && mean < high, "{line} {low} to {high}");
    };
    within("kept", 5.0, 2.0);
    within("changed", -16.0, 2.0);
    within("time", 100.0 * (1.05 * 0.8_f64.sqrt() - 1.0), 2.0);
    assert!(text.contains("over 16 points, 6 launches before and 6 after"), "{text}");
    assert!(text.contains("over 8 points that keep the default"), "{text}");
    let reported = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(reported.contains("where the default was kept: nothing was to change there"), "{reported}");
    // The times before are those of the default alone.
    assert!(text.contains("answer      cannot-tell: no point"), "{text}");
}

/// A change of the kept points does not excuse that of the others.
#[test]
fn the_gate_does_not_divide_by_kept_points() {
    let factor = |size: u64| if size >= 256 { 1.1 } else { 1.4 };
    let folder = folder(&times(6, 1, |_| 1.0), &times(6, 2, factor));
    let output = verify(folder.path(), &["--deployed", "deployed.json", "--fail-if-slower", "1"]);
    assert_eq!(output.status.code(), Some(3), "{}", printed(&output));
    let reported = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(reported.contains("% slower, at least ") && reported.contains("the limit is 1 %"), "{reported}");
}

/// One of eight sizes became twice as slow: only this one is listed, and the exit code is 3 on request, judging by the lower end.
#[test]
fn slower_points_are_listed() {
    let slow = |size: u64| if size == 64 { 2.0 } else { 1.0 };
    let folder = folder(&times(8, 3, |_| 1.0), &times(8, 3, slow));
    let output = verify(folder.path(), &["--fail-if-slower", "5"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    let [mean, low, high] = change(&text, "time");
    let expected = 100.0 * (2.0_f64.powf(1.0 / 8.0) - 1.0);
    assert!((mean - expected).abs() < 0.01 && low < mean && mean < high, "{text}");
    assert!(text.contains("slower      2 points beyond noise"), "{text}");
    let reported = String::from_utf8_lossy(&output.stderr).into_owned();
    // The test finds the points, and the launches are enough.
    assert!(
        !text.contains("suspected") && !reported.contains("suspected") && !reported.contains("too few"),
        "{text}{reported}"
    );
    let limit = format!("{}", f64::midpoint(low, mean));
    assert_eq!(verify(folder.path(), &["--fail-if-slower", &limit]).status.code(), Some(0), "{text}");

    // Holm's correction multiplies the two smallest of 16 p-values by 16 and 15; the others stay at 1.
    let output = verify(folder.path(), &["--json"]);
    let all: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(all.get("answer").is_none() && all.get("kept").is_none(), "{all}");
    assert!((all["time"]["change"].as_f64().unwrap() - 2.0_f64.powf(1.0 / 8.0)).abs() < 1e-4, "{all}");
    let ends = ["low", "high"].map(|end| 100.0 * (all["time"][end].as_f64().unwrap() - 1.0));
    assert!((ends[0] - low).abs() < 0.01 && (ends[1] - high).abs() < 0.01, "{all}");
    assert_eq!(all["time"]["launches"], serde_json::json!({ "before": 8, "after": 8 }));
    let rows = all["points"].as_array().unwrap();
    assert_eq!(rows.len(), 16);
    for row in rows {
        let p = row["p"].as_f64().unwrap();
        // scipy.stats.mannwhitneyu(range(8), range(8, 16), method="asymptotic").pvalue is 0.00093907
        let is_found = row["msg_size"] == 64;
        assert!(if is_found { (p - 16.0 * 0.000_939_07).abs() < 1e-6 } else { p == 1.0 }, "{row}");
    }
}

/// Fifty repeats of one launch say nothing about another launch.
#[test]
fn one_launch_has_no_interval_and_no_gate() {
    let folder = folder(&times(1, 3, |_| 1.0), &times(1, 3, |_| 2.0));
    let output = verify(folder.path(), &["--fail-if-slower", "5"]);
    let (text, reported) = (printed(&output), String::from_utf8_lossy(&output.stderr).into_owned());
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(
        text.contains("time        +100.00 % (no interval) over 16 points, 1 launch before and 1 after"),
        "{text}"
    );
    assert!(text.contains("suspected   16 points"), "{text}");
    for warning in ["only one launch before or after", "--fail-if-slower cannot judge one launch"] {
        assert!(reported.contains(warning), "{reported}");
    }
    let json = verify(folder.path(), &["--json"]);
    let all: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(all["time"]["low"].is_null() && all["time"]["high"].is_null(), "{all}");
}

/// Adds the times of a second method, which takes less time from 256 bytes on and more below.
fn with_ring(default: &str, factor: f64) -> String {
    let mut text = default.replace(",bcast,", ",default,");
    for row in default.lines().skip(1) {
        let (row, time) = row.rsplit_once(',').unwrap();
        let size: u64 = row.split(',').nth(2).unwrap().parse().unwrap();
        let factor = if size < 256 { 1.5 } else { factor };
        let time: f64 = time.parse::<f64>().unwrap() * factor;
        let _ = writeln!(text, "{},{time}", row.replace(",bcast", ",ring"));
    }
    text
}

/// The answer is by the times of the deployed method and the default, and only `does-not-follow` fails.
#[test]
fn a_library_follows_does_not_follow_or_nothing_can_be_told() {
    let answer = |promise: f64, now: f64, launches: u32| {
        let slower = |size: u64| if size < 256 { 1.0 } else { now };
        let before = with_ring(&times(launches, 1, |_| 1.0), promise);
        let folder = folder(&before, &times(launches, 2, slower));
        let output = verify(folder.path(), &["--deployed", "deployed.json", "--json"]);
        let all: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let code = output.status.code().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr).contains("does not follow"), code == 3);
        let text = printed(&verify(folder.path(), &["--deployed", "deployed.json"]));
        let answer = all["answer"].as_str().unwrap().to_owned();
        assert!(text.contains(&format!("answer      {answer}: ")), "{text}");
        if let Some(promised) = all["promised"]["change"].as_f64() {
            assert!((promised - promise).abs() < 0.01 && text.contains("promised    "), "{all}{text}");
        }
        (answer, code)
    };
    assert_eq!(answer(0.7, 0.7, 8), ("follows".to_owned(), 0));
    assert_eq!(answer(0.7, 1.0, 8), ("does-not-follow".to_owned(), 3));
    // A machine that became much slower shows neither.
    assert_eq!(answer(0.7, 1.3, 8), ("cannot-tell".to_owned(), 0));
    assert_eq!(answer(0.7, 0.8, 8), ("cannot-tell".to_owned(), 0));
    // One launch shows nothing.
    assert_eq!(answer(0.7, 1.0, 1), ("cannot-tell".to_owned(), 0));
}

/// Times that do not record their jobs show neither answer: not those of an obedient library on a machine that became a fifth slower or
/// faster, and not those of one that ignores the file.
#[test]
fn times_of_other_jobs_do_not_show_whether_a_file_is_followed() {
    let told = |promise: f64, now: f64, machine: f64, more: &[&str]| {
        let factor = |size: u64| machine * if size < 256 { 1.0 } else { now };
        let folder = folder(&with_ring(&times(8, 1, |_| 1.0), promise), &times(8, 2, factor));
        let output = compare(folder.path(), &[&["--deployed", "deployed.json"], more].concat());
        (output.status.code(), printed(&output))
    };
    for (now, machine) in [(0.7, 1.0), (0.7, 1.2), (0.7, 1.0 / 1.2), (1.0, 1.0), (1.0, 0.7)] {
        let (code, text) = told(0.7, now, machine, &["--fail-if-slower", "0"]);
        assert_eq!(code, Some(0), "{text}");
        assert!(
            text.contains("answer      cannot-tell: the times before and after are of different jobs, or"),
            "{text}"
        );
        assert!(
            text.contains("measure both by turns, with the script of qtdec-mpi measure --verify"),
            "{text}"
        );
        assert!(text.contains("jobs        not the same before and after, or not recorded"), "{text}");
        let [mean, low, high] = change(&text, "kept");
        // 1.96 times 0.1 for each side, besides what the launches show.
        assert!(low < mean - 12.0 && high > mean + 20.0, "{text}");
    }
    let (code, text) = told(0.7, 1.0, 2.0, &["--fail-if-slower", "0"]);
    assert_eq!(code, Some(3), "twice the time is no job: {text}");

    // Jobs are the units: their own variance is estimated.
    let (_, text) = told(0.7, 0.7, 1.0, &["--jobs", "launch"]);
    let [mean, low, high] = change(&text, "kept");
    assert!(!text.contains("\njobs  ") && low > mean - 5.0 && high < mean + 5.0, "{text}");
    assert!(text.contains("answer      cannot-tell: the times before and after"), "{text}");
}

/// A deployment that is much faster than the noise of jobs is told, whatever the answer is.
#[test]
fn a_much_faster_deployment_gets_a_plain_sentence() {
    let faster = |size: u64| if size < 256 { 1.0 } else { 0.4 };
    let folder = folder(&with_ring(&times(8, 1, |_| 1.0), 0.4), &times(8, 2, faster));
    let text = printed(&compare(folder.path(), &["--deployed", "deployed.json"]));
    let line = text.lines().find(|line| line.starts_with("faster by ")).unwrap_or_else(|| panic!("{text}"));
    assert!(line.ends_with(" %); that it is exactly the promised method is not shown"), "{line}");
    let numbers = change(&text, "faster by");
    assert!((numbers[0] - 60.0).abs() < 3.0 && numbers[1] < numbers[0] && numbers[0] < numbers[2], "{line}");
    assert!(!printed(&verify(folder.path(), &["--deployed", "deployed.json"])).contains("faster by"));
}

/// Launches with recorded jobs: one job of both sides answers as launches do, and several jobs are the units.
#[test]
fn recorded_jobs_are_the_units_of_a_comparison() {
    let in_jobs = |before: &str, after: &str, job: &dyn Fn(u32, &str) -> String| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("deployed.json"), DEPLOYED).unwrap();
        for (side, times) in [("before", before), ("after", after)] {
            let (header, rows) = times.split_once('\n').unwrap();
            for launch in 0..6_u32 {
                let own = rows.lines().filter(|row| row.split(',').next() == Some(&launch.to_string()));
                let text: String =
                    [header, "\n"].into_iter().chain(own.flat_map(|row| [row, "\n"])).collect();
                let of_job = folder.path().join(side).join(job(launch, side));
                fs::create_dir_all(&of_job).unwrap();
                fs::write(of_job.join(format!("{launch}.csv")), text).unwrap();
            }
            let canonical = format!("{side}.times.csv");
            let read = [
                "read",
                side,
                "--path",
                "{job}/*.csv",
                "--columns",
                "run=run",
                "--time-unit",
                "us",
                "-o",
                &canonical,
            ];
            let output = qtdec(folder.path(), &read);
            assert!(output.status.success(), "{output:?}");
        }
        let verify = ["verify", "before.times.csv", "after.times.csv", "--deployed", "deployed.json"];
        printed(&qtdec(folder.path(), &verify))
    };
    let faster = |size: u64| if size < 256 { 1.0 } else { 0.7 };
    let (before, after) = (with_ring(&times(6, 1, |_| 1.0), 0.7), times(6, 2, faster));
    let text = in_jobs(&before, &after, &|_, _| "4711".to_owned());
    assert!(text.contains("answer      follows: "), "{text}");
    assert!(
        text.contains("jobs        all launches are of one job, so this is true of that job\n"),
        "{text}"
    );
    let text = in_jobs(&before, &after, &|launch, side| format!("{side}{}", launch % 3));
    assert!(text.contains(", 3 jobs before and 3 after\n"), "{text}");
    assert!(
        text.contains("answer      cannot-tell: the times before and after are of different jobs"),
        "{text}"
    );
}

/// Returns one time per launch and point, for three launches and 84 points; `factor` is the slowdown of a launch and size.
fn three_launches(factor: impl Fn(u32, u64) -> f64) -> String {
    let mut text = "run,comm_size,msg_size,method,time\n".to_owned();
    for launch in 0..3_u32 {
        for exponent in 0..84 {
            let msg_size = 1 + 64 * exponent;
            let time = 11.19 * (1.0 + 0.01 * f64::from(launch)) * factor(launch, msg_size);
            let _ = writeln!(text, "{launch},8,{msg_size},bcast,{time}");
        }
    }
    text
}

/// Three times on each side cannot be told from noise by a test of 84 points, whatever the times are.
#[test]
fn large_slowdowns_are_suspected_where_no_test_can_find_them() {
    let after = |launch, size| match size {
        65 => 2.0,
        129 => 893.6,
        // The fastest time after is below 1.5 times the slowest before.
        193 => 1.5,
        257 if launch > 0 => 100.0,
        _ => 1.0,
    };
    let folder = folder(&three_launches(|_, _| 1.0), &three_launches(after));
    let output = verify(folder.path(), &["--fail-if-slower", "20"]);
    let (text, reported) = (printed(&output), String::from_utf8_lossy(&output.stderr).into_owned());
    // The geometric mean alone decides: of three launches, the lower end is far below the mean.
    assert_eq!(output.status.code(), Some(0), "{text}{reported}");
    // The least p-value times 84 is erfc(3.3082 / sqrt(2)) * 84 = 0.079 with 8 launches, and erfc(3.5321 / sqrt(2)) * 84 = 0.035 with 9.
    let too_few = "too few launches to test single points: 3 before and 3 after; with 84 points to test, at least 9 of each are needed";
    assert!(reported.contains(too_few), "{reported}");
    let suspected = "2 points are suspected of being slower, the worst at comm_size=8 msg_size=129, by a factor of 893.60";
    assert!(reported.contains(suspected), "{reported}");
    assert!(
        text.contains("slower      unknown: too few launches for a test\nsuspected   2 points where"),
        "{text}"
    );
    let listed: Vec<&str> = text.lines().filter(|line| line.ends_with(" no")).collect();
    let sizes: Vec<&str> = listed.iter().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(sizes, ["129", "65"], "{text}");
    assert_eq!(verify(folder.path(), &["--fail-if-slower", "1"]).status.code(), Some(3));
    let json = verify(folder.path(), &["--json"]);
    assert!(String::from_utf8_lossy(&json.stderr).contains(suspected));
}

/// Many suspected points are counted, and the ten worst are listed.
#[test]
fn ten_suspected_points_are_listed() {
    let slow = |_, size: u64| if size < 64 * 12 { 2.0 + size as f64 } else { 1.0 };
    let folder = folder(&three_launches(|_, _| 1.0), &three_launches(slow));
    let text = printed(&verify(folder.path(), &[]));
    assert!(text.contains("suspected   12 points where"), "{text}");
    assert_eq!(text.lines().filter(|line| line.ends_with(" no")).count(), 10, "{text}");
}

#[test]
fn times_that_do_not_compare_are_refused() {
    let before = times(2, 5, |_| 1.0);
    let refused = |after: &str, what: &str| {
        let folder = folder(&before, after);
        let output = verify(folder.path(), &[]);
        let reported = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{reported}");
        assert!(reported.contains(what), "{reported}");
    };
    refused(
        &before.replace(",8,", ",32,").replace(",16,", ",64,"),
        "no point was measured both before and after",
    );
    refused(&before.replacen(",bcast,", ",other,", 3), "the times after have 2 methods");
    let foreign = folder(&before, &before.replace("msg_size", "count"));
    let read =
        qtdec(foreign.path(), &["read", "after.csv", "--columns", "run=run", "--time-unit", "us", "-o", "-"]);
    assert_eq!(read.status.code(), Some(1));
    let reported = String::from_utf8_lossy(&read.stderr).into_owned();
    assert!(reported.contains("there is no column `msg_size`"), "{reported}");
    // Grids that differ are compared at their common points.
    let folder = folder(&before, &before.replace(",16,", ",64,"));
    let output = verify(folder.path(), &[]);
    let reported = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(reported.contains("points were measured only before") && output.status.success(), "{reported}");
}

/// The same times, but `-f` was given only after: the average and the maximum over the ranks are no comparison.
#[test]
fn averages_and_maxima_over_the_ranks_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let title = "# OSU MPI Broadcast Latency Test v7.3\n";
    for run in 1..=4 {
        let write = |side: &str, text: String| {
            fs::create_dir_all(folder.path().join(side)).unwrap();
            fs::write(folder.path().join(format!("{side}/np8_run{run}.txt")), text).unwrap();
        };
        write("before", format!("{title}# Size  Avg Latency(us)\n64  1{run}.00\n"));
        let full = "# Size  Avg Latency(us)  Min Latency(us)  Max Latency(us)  Iterations";
        write("after", format!("{title}{full}\n64  1{run}.00  9.00  2{run}.00  1000\n"));
    }
    let verify = |more: &[&str]| {
        for (side, times) in [("before", "before.csv"), ("after", "after.csv")] {
            let read = ["read", side, "--path", "np{comm_size}_run{run}.txt", "--fixed", "method=m"];
            let read = qtdec(folder.path(), &[&read[..], more, &["-o", times]].concat());
            assert!(read.status.success(), "{read:?}");
        }
        let output = qtdec(folder.path(), &["verify", "before.csv", "after.csv"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        (printed(&output), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (text, reported) = verify(&[]);
    let warning = "the times of `before.csv` are the mean over the ranks, those of `after.csv` the max, and cannot be compared: ";
    assert!(reported.contains(warning) && reported.contains("--ranks mean"), "{reported}");
    assert!(change(&text, "time")[0] > 50.0, "{text}");
    let (text, reported) = verify(&["--ranks", "mean"]);
    assert!(!reported.contains("over the ranks") && text.contains("time        +0.00 %"), "{text}{reported}");
}
