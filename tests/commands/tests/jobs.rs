//! The jobs of a script: one launch each, in an order that differs, until all are there.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const LAUNCHER: &str = "#!/bin/sh\n[ \"$1\" = -np ] || exit 1\nexport RANKS=$2\nshift 2\nexec \"$@\"\n";

/// A stub for OSU's benchmark. It keeps a list of its calls, fails for the ring, and ends the script where there is a file `kill`.
const OSU: &str = r##"#!/bin/sh
for argument in "$@"; do range=$argument; done
algorithm=${OMPI_MCA_coll_tuned_allgather_algorithm:-0}
echo "$RANKS $algorithm $range" >> calls
if [ "$algorithm" = 4 ]; then exit 1; fi
if [ -e kill ] && [ "$algorithm" = 3 ]; then kill -KILL "$PPID"; exit 1; fi
echo "# OSU MPI Allgather Latency Test v7.5"
echo "# Datatype: MPI_CHAR."
echo "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations"
echo "8  0.5  0.1  1$algorithm.0  1000"
"##;

/// Returns a folder with the stubs and a script of three launches.
fn planned(options: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("bin")).unwrap();
    for (name, text) in [("mpirun", LAUNCHER), ("osu_allgather", OSU)] {
        let program = folder.path().join("bin").join(name);
        fs::write(&program, text).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let fixed = ["--library", "open-mpi", "--collective", "allgather", "--launcher", "mpirun"];
    let sizes = ["--np", "2,4", "--msg-size", "8..16", "-o", "plan.sh"];
    let mut command = command(folder.path(), qtdec_commands::qtdec());
    let output = command.arg("mpi").args(options).args(fixed).args(sizes).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

fn command(folder: &Path, program: &str) -> Command {
    let own = Path::new(qtdec_commands::qtdec()).parent().unwrap();
    let path =
        format!("{}:{}:{}", folder.join("bin").display(), own.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(program);
    command.current_dir(folder).env("PATH", path).stdin(Stdio::null());
    for variable in ["SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_JOB_ID", "QTDEC_LAUNCHES"] {
        command.env_remove(variable);
    }
    command
}

fn start(folder: &TempDir, variables: &[(&str, &str)]) -> Output {
    command(folder.path(), "bash").arg("plan.sh").envs(variables.iter().copied()).output().unwrap()
}

/// Starts the script as a job, and returns the launch and the methods of every benchmark at two ranks that it tells of, in their order.
fn job(folder: &TempDir, variables: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let output = start(folder, variables);
    let reported = String::from_utf8(output.stderr).unwrap();
    let files = reported.lines().filter(|line| line.starts_with("qtdec-results") && line.contains("_np2_"));
    let (mut launches, mut methods) = (Vec::new(), Vec::new());
    for file in files {
        let (method, rest) = file.rsplit('/').next().unwrap().split_once("_seg0_np2_run").unwrap();
        let launch = rest.split('_').next().unwrap().to_owned();
        if launches.last() != Some(&launch) {
            launches.push(launch);
        }
        methods.push(method.to_owned());
    }
    (launches, methods)
}

/// Returns the names of the jobs that measured something.
fn jobs(folder: &TempDir) -> Vec<String> {
    let list = fs::read_to_string(folder.path().join("qtdec-results-jobs.txt")).unwrap();
    let fields = list.lines().map(|line| line.splitn(3, ' ').collect::<Vec<_>>());
    fields
        .map(|fields| {
            assert!(fields.len() == 3 && fields[1].ends_with('Z') && !fields[2].is_empty(), "{list}");
            fields[0].to_owned()
        })
        .collect()
}

/// Returns the job and the launch of each time of a method at two ranks, as they are read.
fn read(folder: &TempDir, method: &str) -> Vec<(String, String)> {
    let pattern = "{collective}/{method}_seg{segment_size}_np{comm_size}_run{run}_job{job}.txt";
    let mut command = command(folder.path(), qtdec_commands::qtdec());
    let output = command.args(["read", "qtdec-results", "--path", pattern, "-o", "-"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let times = String::from_utf8(output.stdout).unwrap();
    let mut rows = times.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(','));
    let names: Vec<&str> = rows.next().unwrap().collect();
    let at = |name: &str| names.iter().position(|known| *known == name).unwrap_or_else(|| panic!("{times}"));
    let rows = rows.map(Iterator::collect::<Vec<_>>);
    let found = rows.filter(|row| row[at("method")] == method && row[at("comm_size")] == "2");
    found.map(|row| (row[at("job")].to_owned(), row[at("launch")].to_owned())).collect()
}

fn texts(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(job, launch)| ((*job).to_owned(), (*launch).to_owned())).collect()
}

const METHODS: [&str; 9] = [
    "default",
    "default-han",
    "untouched",
    "linear",
    "bruck",
    "recursive_doubling",
    "ring",
    "neighbor",
    "two_proc",
];

/// Returns the methods in the order that begins with one of them.
fn from(place: usize) -> Vec<&'static str> {
    let mut methods = METHODS.to_vec();
    methods.rotate_left(place);
    methods
}

#[test]
fn every_start_measures_the_next_launch_in_another_order() {
    let folder = planned(&["measure", "--repeats", "3"]);
    for (launch, place) in [("1", 0), ("2", 3), ("3", 6)] {
        let (launches, methods) = job(&folder, &[("SLURM_JOB_ID", &format!("10{launch}"))]);
        assert_eq!(launches, [launch], "although a benchmark of the launch before failed");
        assert_eq!(methods, from(place));
    }
    assert_eq!(jobs(&folder), ["101", "102", "103"]);
    assert_eq!(read(&folder, "default"), texts(&[("101", "101/1"), ("102", "102/2"), ("103", "103/3")]));
    // Only what failed is tried again, in one job.
    let (launches, methods) = job(&folder, &[("PBS_JOBID", "104[1].server")]);
    assert_eq!((launches, methods), (vec!["1".into(), "2".into(), "3".into()], vec!["ring".into(); 3]));
    assert_eq!(jobs(&folder).last().unwrap(), "104-1-.server");
}

/// The nodes of a number of ranks are warm before their first benchmark, and so is the first method.
#[test]
fn the_first_benchmark_of_a_job_does_not_count() {
    let folder = planned(&["measure", "--repeats", "3"]);
    for launch in ["2", "3"] {
        let array = [("SLURM_ARRAY_JOB_ID", "77"), ("SLURM_ARRAY_TASK_ID", launch)];
        assert_eq!(job(&folder, &array).0, [launch], "an array names the launch");
    }
    assert_eq!(jobs(&folder), ["77-2", "77-3"]);
    let calls = fs::read_to_string(folder.path().join("calls")).unwrap();
    let calls: Vec<&str> = calls.lines().collect();
    assert_eq!(calls.len(), 2 * (9 + 8 + 2), "two_proc is for two ranks alone");
    // The second launch begins with `linear`, which is the first algorithm.
    assert_eq!(calls[..2], ["2 1 8:8", "2 1 8:16"]);
    assert_eq!(calls[10..12], ["4 1 8:8", "4 1 8:16"]);
    assert_eq!(job(&folder, &[("SLURM_ARRAY_JOB_ID", "77"), ("SLURM_ARRAY_TASK_ID", "4")]).1, [""; 0]);
}

#[test]
fn one_job_measures_all_launches_if_told_so() {
    let folder = planned(&["measure", "--repeats", "3"]);
    let (launches, methods) = job(&folder, &[("QTDEC_LAUNCHES", "all"), ("SLURM_JOB_ID", "5")]);
    assert_eq!(launches, ["1", "2", "3"]);
    assert_eq!(methods, [from(0), from(3), from(6)].concat());
    assert_eq!(jobs(&folder), ["5"]);
    assert_eq!(read(&folder, "default"), texts(&[("5", "5/1"), ("5", "5/2"), ("5", "5/3")]));
    let wrong = start(&folder, &[("QTDEC_LAUNCHES", "3")]);
    let told = String::from_utf8(wrong.stderr).unwrap();
    assert_eq!(
        (wrong.status.code(), told),
        (Some(1), "QTDEC_LAUNCHES=3: set it to all, or not at all\n".into())
    );
}

#[test]
fn a_job_that_was_killed_is_continued_by_the_next() {
    let folder = planned(&["measure", "--repeats", "2"]);
    fs::write(folder.path().join("kill"), "").unwrap();
    let (launches, methods) = job(&folder, &[("LSB_JOBID", "8")]);
    assert_eq!((launches, &methods[..]), (vec!["1".into()], &METHODS.map(str::to_owned)[..6]));
    fs::remove_file(folder.path().join("kill")).unwrap();
    let (launches, methods) = job(&folder, &[("LSB_JOBID", "9"), ("LSB_JOBINDEX", "0")]);
    assert_eq!((launches, &methods[..]), (vec!["1".into()], &METHODS.map(str::to_owned)[5..]));
    assert_eq!(read(&folder, "default"), texts(&[("8-0", "8-0/1")]), "it is not measured again");
    assert_eq!(read(&folder, "neighbor"), texts(&[("9-0", "9-0/1")]));
    assert_eq!(job(&folder, &[]).0, ["2"]);
    let jobs = jobs(&folder);
    assert_eq!(jobs[..2], ["8-0", "9-0"]);
    let (host, second) = jobs[2].rsplit_once('-').unwrap();
    assert!(!host.is_empty() && second.len() >= 10, "the host and the second of the start: {jobs:?}");
}

#[test]
fn a_pair_is_measured_in_one_job() {
    let folder = planned(&["measure", "--repeats", "2", "--verify", "tuned"]);
    fs::create_dir(folder.path().join("tuned")).unwrap();
    fs::write(folder.path().join("tuned/switches.sh"), "").unwrap();
    let sides = |job: &str| {
        let told = String::from_utf8(start(&folder, &[("SLURM_JOB_ID", job)]).stderr).unwrap();
        told.lines().map(|line| line.split('/').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let [without, with] = ["qtdec-results-without", "qtdec-results-with"];
    assert_eq!(sides("1"), [without, with, without, with]);
    assert_eq!(sides("2"), [with, without, with, without]);
    assert_eq!(jobs(&folder), ["1", "2"]);
}
