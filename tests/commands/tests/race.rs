//! Races: their script is run with stubs for the launcher and the benchmark.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const LAUNCHER: &str = "#!/bin/sh\n[ \"$1\" = -np ] || exit 1\nexport RANKS=$2\nshift 2\nexec \"$@\"\n";

/// A stub for OSU's benchmarks: the default takes 20, algorithm number n takes 10 n + 5, and number 7 fails.
const OSU: &str = r##"#!/bin/sh
algorithm=$(printenv OMPI_MCA_coll_tuned_bcast_algorithm || echo 0)
if [ "$algorithm" = 7 ]; then exit 1; fi
if [ "$algorithm" = 0 ]; then time=20; else time=$((10 * algorithm + 5)); fi
echo "# OSU MPI Broadcast Latency Test v7.5"
echo "# Datatype: MPI_CHAR."
echo "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations"
for argument in "$@"; do range=$argument; done
size=${range%:*}
while [ "$size" -le "${range#*:}" ]; do
  echo "$size  0.5  0.1  $time.0  1000"
  size=$((2 * size))
done
"##;

const PLAN: [&str; 14] = [
    "mpi",
    "race",
    "--library",
    "open-mpi",
    "--collective",
    "bcast",
    "--np",
    "4",
    "--launcher",
    "mpirun",
    "--msg-size",
    "8..32",
    "--segments",
    "0",
];

fn machine() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("bin")).unwrap();
    for (name, text) in [("mpirun", LAUNCHER), ("osu_bcast", OSU)] {
        let program = folder.path().join("bin").join(name);
        fs::write(&program, text).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Output {
    let own = Path::new(qtdec_commands::qtdec()).parent().unwrap();
    let path =
        format!("{}:{}:{}", folder.join("bin").display(), own.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    command.env("QTDEC_LAUNCHES", "all").env("SLURM_JOB_ID", "7").env_remove("SLURM_ARRAY_JOB_ID");
    command.output().unwrap()
}

fn qtdec(folder: &Path, more: &[&str]) -> Output {
    run(folder, qtdec_commands::qtdec(), &[&PLAN[..], more].concat())
}

fn succeed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the number of runs of each method.
fn runs(folder: &Path) -> BTreeMap<String, usize> {
    let mut runs = BTreeMap::new();
    for entry in fs::read_dir(folder.join("qtdec-results/bcast")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.contains("warm-up"), "the warm-up is nobody's time");
        if name.ends_with(".failed") {
            assert_eq!(name, "knomial_seg0_np4_run1.failed");
            continue;
        }
        *runs.entry(name.split("_seg").next().unwrap().to_owned()).or_default() += 1;
    }
    runs
}

/// Returns the expected numbers: the fastest method and the default are run ten times, as are the default with HAN and the untouched
/// library, which take no part; one within twice the time twice, all others once.
fn expected() -> BTreeMap<String, usize> {
    let once = [
        "pipeline",
        "split_binary_tree",
        "binary_tree",
        "binomial",
        "scatter_allgather",
        "scatter_allgather_ring",
    ];
    let often = [("basic_linear", 10), ("default", 10), ("default-han", 10), ("untouched", 10), ("chain", 2)];
    let runs = often.into_iter().chain(once.into_iter().map(|name| (name, 1)));
    runs.map(|(name, runs)| (name.to_owned(), runs)).collect()
}

#[test]
fn a_race_ends_by_itself_and_continues_after_interruption() {
    let machine = machine();
    let folder = machine.path();
    succeed(&qtdec(folder, &["-o", "race.sh"]));
    succeed(&run(folder, "bash", &["-n", "race.sh"]));
    if Command::new("shellcheck").arg("--version").output().is_ok() {
        succeed(&run(folder, "shellcheck", &["race.sh"]));
    }
    succeed(&run(folder, "bash", &["race.sh"]));
    assert_eq!(runs(folder), expected());
    assert_eq!(fs::read_to_string(folder.join("qtdec-results/failed")).unwrap(), "bcast knomial 0 4\n");
    // The race stays over, however often the next round is requested.
    assert_eq!(succeed(&qtdec(folder, &["--next", "qtdec-results"])), "");
    assert_eq!(succeed(&run(folder, "bash", &["race.sh"])), "");
    assert_eq!(runs(folder), expected());

    // After truncation at any point, exactly the missing benchmarks are measured.
    for lost in [
        "basic_linear_seg0_np4_run10_job7.txt",
        "default_seg0_np4_run10_job7.txt",
        "binomial_seg0_np4_run1_job7.txt",
    ] {
        fs::remove_file(folder.join("qtdec-results/bcast").join(lost)).unwrap();
    }
    let next = succeed(&qtdec(folder, &["--next", "qtdec-results"]));
    assert!(
        next.starts_with("bcast binomial 0 4 1 8 32 ") && next.lines().count() == 1,
        "the round before: {next}"
    );
    succeed(&run(folder, "bash", &["race.sh"]));
    assert_eq!(runs(folder), expected());
}

/// The simulated benchmark takes the time of the algorithm that the switches force. Without switches, the library does not follow
/// the tuning file.
#[test]
fn a_deployment_made_from_a_race_is_verified_by_turns() {
    let machine = machine();
    let folder = machine.path();
    succeed(&qtdec(folder, &["-o", "race.sh"]));
    succeed(&run(folder, "bash", &["race.sh"]));
    let command = |script: &str, what: &str| {
        let script = fs::read_to_string(folder.join(script)).unwrap();
        let mut lines = script.lines().filter_map(|line| line.strip_prefix("#   "));
        lines.find(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}: {script}")).to_owned()
    };
    succeed(&run(folder, "sh", &["-c", &command("race.sh", "qtdec map")]));
    fs::create_dir(folder.join("tuned")).unwrap();
    succeed(&run(folder, "qtdec", &["encode", "bcast.json", "-o", "tuned/bcast.tree.json"]));
    let before = runs(folder);
    let campaign = &PLAN[2..];
    let plan =
        [&["mpi", "plan"], campaign, &["--verify", "tuned", "--repeats", "2", "-o", "turns.sh"]].concat();
    succeed(&run(folder, qtdec_commands::qtdec(), &plan));
    for (switches, obeys) in [("export OMPI_MCA_coll_tuned_bcast_algorithm=1\n", true), ("", false)] {
        fs::write(folder.join("tuned/switches.sh"), switches).unwrap();
        for side in ["without", "with"] {
            let _ = fs::remove_dir_all(folder.join(format!("qtdec-results-{side}")));
        }
        succeed(&run(folder, "bash", &["turns.sh"]));
        assert_eq!(runs(folder), before);
        let output = run(folder, "sh", &["-c", &command("turns.sh", "qtdec verify")]);
        let [out, err] =
            [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        assert_eq!(output.status.code(), Some(if obeys { 0 } else { 3 }), "{out}{err}");
        let expected = if obeys { "answer      follows: " } else { "answer      does-not-follow: " };
        assert!(out.contains(expected) && out.contains("over 3 changed points"), "{out}{err}");
        assert_eq!(err.contains("the library does not follow the tuning file"), !obeys, "{err}");
    }
}

#[test]
fn no_benchmark_is_started_when_the_time_is_over() {
    let machine = machine();
    let folder = machine.path();
    succeed(&qtdec(folder, &["--hours", "0.0001", "-o", "race.sh"]));
    let output = run(folder, "bash", &["race.sh"]);
    succeed(&output);
    assert!(String::from_utf8_lossy(&output.stderr).contains(
        "the time limit is reached: start the script again \
             to continue"
    ));
    assert!(!folder.join("qtdec-results/bcast").exists());
    // With more time, it continues.
    succeed(&qtdec(folder, &["-o", "race.sh"]));
    succeed(&run(folder, "bash", &["race.sh"]));
    assert_eq!(runs(folder), expected());
}

#[test]
fn results_of_another_plan_are_refused() {
    let machine = machine();
    let folder = machine.path();
    // Without results, the first round is listed: three choices of the library's own and nine algorithms.
    assert_eq!(succeed(&qtdec(folder, &["--next", "nowhere"])).lines().count(), 12);
    fs::create_dir_all(folder.join("other/bcast")).unwrap();
    let table = "# OSU MPI Broadcast Latency Test v7.5\n# Size       Avg Latency(us)\n8   1.0\n";
    fs::write(folder.join("other/bcast/bine_seg0_np4_run1_job7.txt"), table).unwrap();
    let refused = |what: &str| {
        let output = qtdec(folder, &["--next", "other"]);
        let reported = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{reported}");
        assert!(
            reported.contains(what) && reported.contains("which the plan does not measure"),
            "{reported}"
        );
    };
    refused("`bine` of bcast");
    fs::rename(
        folder.join("other/bcast/bine_seg0_np4_run1_job7.txt"),
        folder.join("other/bcast/binomial_seg0_np8_run1_job7.txt"),
    )
    .unwrap();
    refused("bcast among 8 ranks");
    fs::write(folder.join("other/failed"), "bcast binomial\n").unwrap();
    fs::remove_file(folder.join("other/bcast/binomial_seg0_np8_run1_job7.txt")).unwrap();
    let output = qtdec(folder, &["--next", "other"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 1 of `other/failed`"));
}
