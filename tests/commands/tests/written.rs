//! What `qtdec-mpi tune` writes can be deployed: for the release that the times name, and only if there is something to deploy.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use qtdec_mpi_library::catalogue::{Need, Release};
use qtdec_mpi_library::tuning::{Format, find_format, formats};

/// A complete file of MPICH 4.0.
const WHOLE: &str = include_str!("commands.in/whole.json");

/// Returns canonical times of `allreduce`: the default takes 20 µs, and the other method `time`.
fn times(library: &str, collective: &str, method: &str, time: f64) -> String {
    let mut text = format!(
        "# qtdec-times/1\n# library: {library}\n# axis comm_size: ranks\n# axis msg_size: bytes\n\
         comm_size,msg_size,method,collective,basis,launch,repeat,time_us\n"
    );
    for launch in 1..=4_u32 {
        for (ranks, bytes) in [(4, 64), (4, 4096), (8, 64), (8, 4096)] {
            for (name, time) in [("default", 20.0), (method, time)] {
                let time = time + f64::from(launch) / 10.0;
                let _ = writeln!(text, "{ranks},{bytes},{name},{collective},buffer,{launch},1,{time}");
            }
        }
    }
    text
}

/// Returns the exit code and all output.
fn qtdec(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(qtdec_commands::qtdec()).args(arguments).current_dir(folder).output().unwrap();
    let told = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    (output.status.code(), told)
}

/// Returns a complete file of a release of MPICH.
fn whole(release: Release) -> String {
    if release < Release::new(5, 0) {
        return WHOLE.to_owned();
    }
    let dissemination = "\"algorithm=MPIR_Barrier_intra_dissemination\": {}";
    let newer = "\"algorithm=MPIR_Barrier_intra_k_dissemination\": {\"k=2\": {}}";
    assert!(WHOLE.contains(dissemination));
    WHOLE.replace(dissemination, newer)
}

#[test]
fn a_file_is_written_only_if_the_release_of_the_times_runs_with_it() {
    let releases = find_format("mpich").unwrap().releases;
    let mut refused = 0;
    for &measured in releases {
        for &of_file in releases {
            for named in [None, Some(measured)] {
                let folder = tempfile::tempdir().unwrap();
                let library = format!("MPICH {measured}.2");
                fs::write(folder.path().join("times.csv"), times(&library, "bcast", "binomial", 9.0))
                    .unwrap();
                fs::write(folder.path().join("whole.json"), whole(of_file)).unwrap();
                let release = measured.to_string();
                let named: &[&str] = if named.is_some() { &["--release", &release] } else { &[] };
                let tune =
                    ["mpi", "tune", "times.csv", "--library", "mpich", "--into", "whole.json", "-o", "tuned"];
                let (code, told) = qtdec(folder.path(), &[&tune, named].concat());
                if measured == of_file {
                    assert_eq!(code, Some(0), "{told}");
                    let check = ["mpi", "check", "tuned/mpich.json", "--release", &release];
                    assert_eq!(qtdec(folder.path(), &check).0, Some(0));
                    let measured = fs::read_to_string(folder.path().join("tuned/measured.json")).unwrap();
                    let named =
                        format!(r#""--library","mpich","--release","{release}","--collective","bcast""#);
                    assert!(measured.contains(&named), "{measured}");
                } else {
                    let expected = format!("error: MPICH {release}.2 has no `MPIR_Barrier_intra_");
                    assert_eq!(code, Some(1), "{told}");
                    assert!(told.contains(&expected) && told.contains("whole.json"), "{told}");
                    assert!(told.contains("name the release that `whole.json` is of"), "{told}");
                    assert!(!folder.path().join("tuned").exists());
                    refused += 1;
                }
            }
        }
    }
    assert_eq!(refused, 4);
}

#[test]
fn releases_are_not_mixed_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, library: &str, collective: &str, method: &str| {
        fs::write(folder.path().join(name), times(library, collective, method, 9.0)).unwrap();
    };
    write("old.csv", "Open MPI 4.1.4", "bcast", "binomial");
    write("new.csv", "openmpi-5.0.3", "allreduce", "ring");
    write("newest.csv", "Open MPI 6.0.0", "allreduce", "ring");
    write("unknown.csv", "Open MPI 4.0.7", "bcast", "binomial");
    let tune = |files: &[&str], more: &[&str]| {
        let library = if more.contains(&"--library") { &[][..] } else { &["--library", "open-mpi"] };
        qtdec(folder.path(), &[&["mpi", "tune", "-o", "tuned", "--force"], files, library, more].concat())
    };
    for (files, more, expected, words) in [
        (&["old.csv", "new.csv"][..], &[][..], 1, &["--where 'library=Open MPI 4.1.4'"][..]),
        (&["old.csv"], &[], 0, &[r#""--release","4.1","#]),
        (&["new.csv"], &[], 0, &[r#""--release","5.0","#]),
        (
            &["old.csv"],
            &["--release", "5.0"],
            0,
            &[
                "the times are of Open MPI 4.1.4, and --release 5.0 names another release",
                r#""--release","5.0","#,
            ],
        ),
        (&["newest.csv"], &[], 2, &["the times are of Open MPI 6.0.0", "--library open-mpi-json"]),
        (&["newest.csv"], &["--library", "open-mpi-json"], 0, &[]),
        (&["unknown.csv"], &[], 0, &["the times are of Open MPI 4.0.7", "the file is for 4.1"]),
    ] {
        let (code, told) = tune(files, more);
        let told = told + &fs::read_to_string(folder.path().join("tuned/measured.json")).unwrap_or_default();
        assert_eq!(code, Some(expected), "{files:?} {more:?}: {told}");
        assert!(words.iter().all(|word| told.contains(word)), "{files:?} {more:?}: {told}");
    }
}

/// Returns a method of `allreduce` that runs everywhere, and the files that a tuning file of this format needs.
fn method(format: &Format) -> (&'static str, &'static [&'static str]) {
    let known = format.library.algorithms("allreduce").iter();
    let first = known
        .filter(|known| {
            known.needs.iter().all(|need| *need == Need::OutOfPlace) && known.lifetime.since.is_none()
        })
        .map(|known| known.name);
    let into: &[&str] = if format.lacks_whole_file.is_some() { &["--into", "whole.json"] } else { &[] };
    (first.into_iter().next().expect("a library has an algorithm without needs"), into)
}

#[test]
fn nothing_is_set_where_nothing_is_recommended() {
    for format in formats().iter().copied().filter(|format| format.is_written) {
        let (method, into) = method(format);
        for (time, is_deployed) in [(30.0, false), (20.0, false), (9.0, true)] {
            let folder = tempfile::tempdir().unwrap();
            let library =
                format.releases.first().map(|release| format!("{} {release}.0", format.library.name()));
            let library = library.unwrap_or_else(|| format.library.name().to_owned());
            fs::write(folder.path().join("times.csv"), times(&library, "allreduce", method, time)).unwrap();
            fs::write(folder.path().join("whole.json"), WHOLE).unwrap();
            let tune = ["mpi", "tune", "times.csv", "--library", format.name, "-o", "tuned", "--verbose"];
            let (code, told) = qtdec(folder.path(), &[&tune, into].concat());
            assert_eq!(code, Some(0), "{}: {told}", format.name);
            let script = fs::read_to_string(folder.path().join("tuned/switches.sh")).unwrap();
            let sets = script.lines().any(|line| !line.is_empty() && !line.starts_with('#'));
            assert_eq!(sets, is_deployed, "{} {time}: {script}", format.name);
            assert_eq!(told.contains("Deploy nothing"), !is_deployed, "{}: {told}", format.name);
            assert_eq!(told.contains("switches.sh sets nothing"), !is_deployed, "{}: {told}", format.name);
        }
    }
}

#[test]
fn a_file_that_forces_nothing_needs_no_setting() {
    let map = r#"{ "format": "qtdec-map/1", "collective": "allreduce",
        "axes": [{ "name": "comm_size", "values": [2, 8] }, { "name": "msg_size", "values": [64], "basis": "buffer" }],
        "methods": [{ "name": "default", "baseline": true }, { "name": "OTHER" }], "cells": [[CELL], [CELL]] }"#;
    for format in formats().iter().copied().filter(|format| format.is_written) {
        let (method, into) = method(format);
        for (cell, is_set) in [("0", false), ("1", true)] {
            let folder = tempfile::tempdir().unwrap();
            let map = map.replace("OTHER", method).replace("CELL", cell);
            fs::write(folder.path().join("map.json"), map).unwrap();
            fs::write(folder.path().join("whole.json"), WHOLE).unwrap();
            let emit = ["mpi", "emit", "map.json", "--target", format.name, "-o", "rules"];
            let (code, told) = qtdec(folder.path(), &[&emit, into].concat());
            assert_eq!(code, Some(0), "{}: {told}", format.name);
            let sets = told.lines().any(|line| line.starts_with("export ") || line.starts_with(". "));
            assert_eq!(sets, is_set, "{} {cell}: {told}", format.name);
        }
    }
}

/// Only the collectives that rules force are taken from MPICH's device.
#[test]
fn a_collective_without_rules_stays_with_the_device() {
    let folder = tempfile::tempdir().unwrap();
    let slow = times("MPICH 4.0.2", "bcast", "binomial", 30.0);
    fs::write(folder.path().join("bcast.csv"), slow).unwrap();
    let fast = times("MPICH 4.0.2", "allreduce", "recursive_doubling", 9.0);
    fs::write(folder.path().join("allreduce.csv"), fast).unwrap();
    fs::write(folder.path().join("whole.json"), WHOLE).unwrap();
    let tune = [
        "mpi",
        "tune",
        "bcast.csv",
        "allreduce.csv",
        "--library",
        "mpich",
        "--into",
        "whole.json",
        "-o",
        "t",
    ];
    let (code, told) = qtdec(folder.path(), &tune);
    assert_eq!(code, Some(0), "{told}");
    let script = fs::read_to_string(folder.path().join("t/switches.sh")).unwrap();
    assert!(script.contains("MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE=0"), "{script}");
    assert!(!script.contains("BCAST"), "{script}");
}

/// A rules file of another collective is kept, and the settings of its deployment are not made again.
#[test]
fn a_file_without_new_rules_sets_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("fast.csv"), times("Open MPI 4.1.4", "allreduce", "ring", 9.0)).unwrap();
    fs::write(folder.path().join("slow.csv"), times("Open MPI 4.1.4", "bcast", "binomial", 30.0)).unwrap();
    let (code, told) =
        qtdec(folder.path(), &["mpi", "tune", "fast.csv", "--library", "open-mpi", "-o", "first"]);
    assert_eq!(code, Some(0), "{told}");
    let tune = [
        "mpi",
        "tune",
        "slow.csv",
        "--library",
        "open-mpi",
        "--into",
        "first/open-mpi.conf",
        "-o",
        "second",
        "--verbose",
    ];
    let (code, told) = qtdec(folder.path(), &tune);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("adds no rule to first/open-mpi.conf"), "{told}");
    let script = fs::read_to_string(folder.path().join("second/switches.sh")).unwrap();
    assert!(!script.contains("export"), "{script}");
}
