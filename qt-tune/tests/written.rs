//! What `qtdec tune` writes can be deployed: for the release that the times name, and only if there is something to deploy.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use qtdec_mpi::catalogue::Release;
use qtdec_tune::tuning::find_format;

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
    let output =
        Command::new(env!("CARGO_BIN_EXE_qtdec")).args(arguments).current_dir(folder).output().unwrap();
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
    let releases = find_format("mpich").unwrap().releases();
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
                let tune = ["tune", "times.csv", "--library", "mpich", "--into", "whole.json", "-o", "tuned"];
                let (code, told) = qtdec(folder.path(), &[&tune, named].concat());
                if measured == of_file {
                    assert_eq!(code, Some(0), "{told}");
                    let check = ["check", "tuned/mpich.json", "--release", &release];
                    assert_eq!(qtdec(folder.path(), &check).0, Some(0));
                    let next = format!("qtdec plan --library mpich --release {release} --collective bcast");
                    assert!(told.contains(&next), "{told}");
                } else {
                    let expected = format!("error: MPICH {release} has no `MPIR_Barrier_intra_");
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
        qtdec(folder.path(), &[&["tune", "-o", "tuned", "--force"], files, library, more].concat())
    };
    for (files, more, expected, words) in [
        (&["old.csv", "new.csv"][..], &[][..], 1, &["--where 'library=Open MPI 4.1.4'"][..]),
        (&["old.csv"], &[], 0, &["--library open-mpi --release 4.1 "]),
        (&["new.csv"], &[], 0, &["--library open-mpi --release 5.0 "]),
        (
            &["old.csv"],
            &["--release", "5.0"],
            0,
            &["the times are of Open MPI 4.1.4, and --release 5.0 names another release", "--release 5.0 "],
        ),
        (&["newest.csv"], &[], 2, &["the times are of Open MPI 6.0.0", "--library open-mpi-json"]),
        (&["newest.csv"], &["--library", "open-mpi-json"], 0, &[]),
        (&["unknown.csv"], &[], 0, &["the times are of Open MPI 4.0.7", "the file is for 4.1"]),
    ] {
        let (code, told) = tune(files, more);
        assert_eq!(code, Some(expected), "{files:?} {more:?}: {told}");
        assert!(words.iter().all(|word| told.contains(word)), "{files:?} {more:?}: {told}");
    }
}
