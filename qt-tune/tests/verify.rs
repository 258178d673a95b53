//! `qtdec verify`: whether a deployment paid, on times whose change is known.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Times by size of so many launches; `factor` is by how much each size is slower than before.
fn times(launches: u32, seed: u64, factor: impl Fn(u64) -> f64) -> String {
    let mut chance = Pcg64::seed_from_u64(seed);
    let mut text = "run,comm_size,msg_size,method,time\n".to_owned();
    for launch in 0..launches {
        // A launch is slow or fast as a whole.
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

fn verify(folder: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qtdec"));
    command
        .args(["verify", "before.csv", "after.csv", "--columns", "run=run", "--time-unit", "us"])
        .args(more);
    command.current_dir(folder).output().unwrap()
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

/// The change in per cent and its interval in the line that begins so.
fn change(text: &str, line: &str) -> [f64; 3] {
    let line =
        text.lines().find(|found| found.starts_with(line)).unwrap_or_else(|| panic!("{line} in {text}"));
    let numbers: Vec<f64> = line
        .split(|char: char| !(char.is_ascii_digit() || "+-.".contains(char)))
        .filter_map(|word| word.parse().ok())
        .collect();
    // 95 stands before the interval.
    [numbers[0], numbers[2], numbers[3]]
}

/// The machine became 5 % slower between the two, and what was changed 20 % faster.
#[test]
fn drift_is_told_apart_from_the_gain() {
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
    within("drift", 5.0, 2.0);
    within("changed", -16.0, 2.0);
    within("time", 100.0 * (1.05 * 0.8_f64.sqrt() - 1.0), 2.0);
    // Half of the sizes are controls; the drift is found in each of them.
    assert!(text.contains("8 that keep the default") && text.contains("slower      8 points"), "{text}");
    let net: f64 = text.split("; ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!((net + 20.0).abs() < 1.0, "{net}");
}

/// One size of eight became twice as slow: it is found, and it alone, and the exit code says so where it is asked for.
#[test]
fn what_became_slower_is_listed() {
    let slow = |size: u64| if size == 64 { 2.0 } else { 1.0 };
    let folder = folder(&times(1, 3, |_| 1.0), &times(1, 3, slow));
    let output = verify(folder.path(), &["--fail-if-slower", "5"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    let [mean, low, high] = change(&text, "time");
    let expected = 100.0 * (2.0_f64.powf(1.0 / 8.0) - 1.0);
    assert!((mean - expected).abs() < 0.01 && low < mean && mean < high, "{text}");
    assert!(text.contains("slower      2 points, beyond noise"), "{text}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("not several launches"));
    assert_eq!(verify(folder.path(), &["--fail-if-slower", "10"]).status.code(), Some(0));

    // Holm's correction: of 16 tests the two least p-values are multiplied by 16 and 15, the others stay at 1.
    let output = verify(folder.path(), &["--json"]);
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rows.len(), 16);
    for row in &rows {
        let p = row["p"].as_f64().unwrap();
        // scipy.stats.mannwhitneyu(range(12), range(12, 24), method="asymptotic").pvalue is 3.6585e-05
        let is_found = row["msg_size"] == 64;
        assert!(if is_found { (p - 16.0 * 3.6585e-05).abs() < 1e-7 } else { p == 1.0 }, "{row}");
    }
}

#[test]
fn times_that_do_not_compare_are_refused() {
    let before = times(2, 5, |_| 1.0);
    let refused = |after: &str, what: &str| {
        let folder = folder(&before, after);
        let output = verify(folder.path(), &[]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains(what), "{told}");
    };
    refused(
        &before.replace(",8,", ",32,").replace(",16,", ",64,"),
        "no point was measured both before and after",
    );
    refused(&before.replacen(",bcast,", ",other,", 3), "the times after are of 2 methods");
    refused(&before.replace("msg_size", "count"), "there is no column `msg_size`");
    // Other grids that overlap are compared where they do.
    let folder = folder(&before, &before.replace(",16,", ",64,"));
    let output = verify(folder.path(), &[]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("points were measured before alone") && output.status.success(), "{told}");
}
