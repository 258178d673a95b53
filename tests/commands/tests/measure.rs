//! The script of `qtdec-mpi measure`, run with stubs for the launcher and the benchmark; its results are read without options.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use qtdec_core::{DecisionMap, Document, SourceFile};

/// A stub for any launcher, which only passes on the number of ranks.
const LAUNCHER: &str = r#"#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    -np) RANKS=$2; shift 2 ;;
    --ntasks=*) RANKS=${1#*=}; shift ;;
    --nodes=* | --ntasks-per-node=*) shift ;;
    --map-by | -ppn) shift 2 ;;
    *) break ;;
  esac
done
export RANKS
exec "$@"
"#;

/// A stub for OSU's benchmarks. The time is ten thousand for each number of the algorithm and one for each byte of a
/// segment and for each of the most requests, with the number of ranks after the decimal point. Fails for the chain of two ranks.
const OSU: &str = r##"#!/bin/sh
name=$(basename "$0" | sed 's/^osu_//')
algorithm=$(printenv "OMPI_MCA_coll_tuned_${name}_algorithm" || echo 0)
segment=$(printenv "OMPI_MCA_coll_tuned_${name}_algorithm_segmentsize" || echo 0)
if [ "$algorithm" != 0 ] && [ "$OMPI_MCA_coll_han_priority" != 0 ]; then exit 1; fi
if [ "$name" = bcast ] && [ "$algorithm" = 2 ] && [ "$RANKS" = 2 ]; then echo "# OSU MPI"; exit 1; fi
requests=$(printenv "OMPI_MCA_coll_tuned_${name}_algorithm_max_requests" || echo 0)
time=$((10000 * algorithm + segment + requests + 1)).$(printf '%04d' "$RANKS")
case $name in
  bcast) title=Broadcast ;;
  allgather) title=Allgather ;;
  alltoall) title=All-to-All ;;
  barrier) title=Barrier ;;
  allreduce) title=Allreduce ;;
esac
echo
echo "# OSU MPI $title Latency Test v7.5"
if [ "$name" = barrier ]; then
  echo "# Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations"
  echo "  0.5  0.1  $time 1000"
  exit
fi
echo "# Datatype: MPI_CHAR."
echo "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations"
for argument in "$@"; do range=$argument; done
size=${range%:*}
while [ "$size" -le "${range#*:}" ]; do
  echo "$size  0.5  0.1  $time  1000"
  size=$((2 * size))
done
"##;

/// The pattern of the paths of results.
const PATH: &str = "{collective}/{method}_seg{segment_size}_np{comm_size}_run{run}_job{job}.txt";

/// Returns a folder with the stubs, and a path that includes it.
fn machine(programs: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("bin")).unwrap();
    for (name, text) in programs {
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
    // Tests in `jobs.rs` measure a launch a job.
    command.env("QTDEC_LAUNCHES", "all").env("SLURM_JOB_ID", "7").env_remove("SLURM_ARRAY_JOB_ID");
    command.output().unwrap()
}

fn succeed(folder: &Path, program: &str, arguments: &[&str]) -> (String, String) {
    let output = run(folder, program, arguments);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{program} {arguments:?}\n{out}\n{err}");
    (out, err)
}

/// Writes and checks a script; returns how often it starts a benchmark, the commands that make the maps of its results, and the one that it
/// names for all.
fn plan(folder: &Path, options: &[&str]) -> (usize, Vec<String>) {
    let arguments = [&["mpi", "measure", "-o", "plan.sh"], options].concat();
    let (_, reported) = succeed(folder, qtdec_commands::qtdec(), &arguments);
    assert!(reported.lines().count() <= 6, "{reported}");
    succeed(folder, "bash", &["-n", "plan.sh"]);
    let script = fs::read_to_string(folder.join("plan.sh")).unwrap();
    assert!(!script.contains("#@"), "every mark of the template has a value: {script}");
    let is_named = |start: &str| {
        let line = reported
            .lines()
            .find_map(|line| line.find(start).map(|at| line[at..].split("  #").next().unwrap()));
        line.map(|line| line.trim_end().to_owned())
    };
    let is_by_turns = options.contains(&"--verify");
    let named = is_named(if is_by_turns { "bash plan.sh compare" } else { "qtdec-mpi tune" });
    let named = named.unwrap_or_else(|| panic!("{reported}"));
    assert!(is_by_turns || script.contains(&format!("#   {named}\n")), "{reported}");
    let given = |name: &str| options.iter().position(|option| *option == name).map(|at| options[at + 1]);
    let results = given("--results").unwrap_or("qtdec-results");
    let maps = given("--collective").unwrap().split(',');
    let maps = maps.map(|collective| format!("qtdec map '{results}/{collective}' -o {collective}.json"));
    let commands = if is_by_turns { vec![named] } else { maps.chain([named]).collect() };
    let starts = reported.split_once(" runs of ").unwrap().0.rsplit(' ').next().unwrap();
    (starts.parse().unwrap(), commands)
}

fn map(folder: &Path, command: &str) -> DecisionMap {
    succeed(folder, "sh", &["-c", command]);
    let file = folder.join(command.rsplit(' ').next().unwrap());
    let source = SourceFile::read("map", fs::File::open(file).unwrap()).unwrap();
    match source.document().unwrap() {
        Document::Map(map) => map,
        Document::Tree(_) => panic!("a map was written"),
    }
}

/// Returns the measured sizes and times of each method.
fn measured(map: &DecisionMap) -> BTreeMap<String, Vec<(Vec<u64>, f64)>> {
    let costs = map.costs().unwrap();
    let of = |method| {
        let cell = |cell| Some((map.domain().sizes(cell), costs.get(cell, method)?));
        (0..map.cells().len()).filter_map(cell).collect()
    };
    map.domain().method_indexes().map(|method| (map.domain().method(method).label(), of(method))).collect()
}

fn open_mpi() -> tempfile::TempDir {
    let names = ["osu_bcast", "osu_allgather", "osu_alltoall", "osu_barrier", "osu_allreduce"];
    let programs = names.map(|name| (name, OSU));
    machine(&[&[("mpirun", LAUNCHER), ("srun", LAUNCHER)][..], &programs].concat())
}

#[test]
fn what_a_script_measures_is_read_again() {
    let folder = open_mpi();
    let (starts, commands) = plan(
        folder.path(),
        &[
            "--library",
            "open-mpi",
            "--launcher",
            "mpirun",
            "--collective",
            "bcast,allgather,barrier,allreduce",
            "--np",
            "2..4,3,6",
            "--msg-size",
            "2..32",
            "--segments",
            "0,4",
            "--repeats",
            "2",
        ],
    );
    let output = run(folder.path(), "bash", &["plan.sh"]);
    let reported = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{reported}");
    assert_eq!(reported.lines().filter(|line| line.starts_with("qtdec-results/")).count(), starts);
    assert!(
        reported.contains("4 benchmarks failed"),
        "two segment sizes and two runs of one method: {reported}"
    );
    assert!(reported.contains("  qtdec-results/bcast/chain_seg4_np2_run2.failed\n"), "{reported}");

    let at_once = commands.last().unwrap();
    let (told, reported) = succeed(folder.path(), "sh", &["-c", at_once]);
    assert!(told.contains("left to Open MPI"), "{told}");
    assert!(reported.contains("warning: 4 launches failed, and have no times: "), "{reported}");
    assert!(reported.contains("qtdec-results/bcast/chain_seg4_np2_run2.failed"), "{reported}");
    let record = folder.path().join("qtdec-results/bcast/chain_seg4_np2_run2.failed");
    let record = fs::read_to_string(record).unwrap();
    assert!(record.starts_with("# failed with status 1: ") && record.ends_with("\n# OSU MPI\n"), "{record}");

    let bcast = measured(&map(folder.path(), &commands[0]));
    assert_eq!(bcast.len(), 1 + 3 + 6 * 2, "the default, three without and six with two segment sizes");
    for (method, points) in &bcast {
        let (algorithm, segment) = match &**method {
            "default" => (0, 0),
            "basic_linear" => (1, 0),
            "chain/4" => (2, 4),
            "binomial" => (6, 0),
            "scatter_allgather_ring" => (9, 0),
            _ => continue,
        };
        let least = |ranks: u64| if algorithm < 8 { 2 } else { ranks };
        let ranks: &[u64] = if algorithm == 2 { &[3, 4, 6] } else { &[2, 3, 4, 6] };
        let time = |ranks: u64| f64::from(10_000 * algorithm + segment + 1) + ranks as f64 / 10_000.0;
        let sizes = |ranks: u64| (1..=5).map(|power| 1 << power).filter(move |&size| size >= least(ranks));
        let expected: Vec<(Vec<u64>, f64)> = ranks
            .iter()
            .flat_map(|&ranks| sizes(ranks).map(move |size| (vec![ranks, size], time(ranks))))
            .collect();
        assert_eq!(*points, expected, "{method}");
    }

    let allgather = map(folder.path(), &commands[1]);
    let where_measured = |method: &str| {
        let ranks = measured(&allgather)[method].iter().map(|(sizes, _)| sizes[0]).collect::<Vec<_>>();
        ranks.chunk_by(|a, b| a == b).map(|chunk| chunk[0]).collect::<Vec<_>>()
    };
    assert_eq!(where_measured("bruck"), [2, 3, 4, 6]);
    assert_eq!(where_measured("recursive_doubling"), [2, 4], "another runs in its place elsewhere");
    assert_eq!(where_measured("neighbor"), [2, 4, 6]);
    assert_eq!(where_measured("two_proc"), [2]);
    let requires = |method: &str| {
        let found = allgather.domain().find_method(method).unwrap();
        allgather.domain().method(found).requires.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        (requires("recursive_doubling"), requires("two_proc")),
        (vec!["power_of_two".to_owned()], vec!["comm_size=2".to_owned()])
    );
    let default = allgather.domain().find_method("default").unwrap();
    assert!(allgather.domain().method(default).baseline);
    assert!(
        allgather.cells().iter().all(|best| *best == Some(default)),
        "the stub is fastest unless it is forced"
    );

    let barrier = map(folder.path(), &commands[2]);
    assert_eq!((barrier.domain().axes().len(), barrier.domain().methods().len()), (1, 7));

    // The segmented ring needs a segment for each rank, and the ring an element of four bytes.
    let allreduce = measured(&map(folder.path(), &commands[3]));
    let points = |method: &str| allreduce[method].iter().map(|(sizes, _)| sizes.clone()).collect::<Vec<_>>();
    assert_eq!(points("segmented_ring/4"), points("ring"));
    assert_eq!(points("ring"), [[2, 8], [2, 16], [2, 32], [3, 16], [3, 32], [4, 16], [4, 32], [6, 32]]);
    assert_eq!(points("basic_linear").iter().map(|sizes| sizes[1]).min(), Some(4));
}

/// A script that was stopped continues where it was, and two numbers of ranks per node become an axis.
#[test]
fn a_stopped_script_continues() {
    let folder = open_mpi();
    let (starts, commands) = plan(
        folder.path(),
        &[
            "--library",
            "open-mpi",
            "--launcher",
            "srun",
            "--collective",
            "allgather",
            "--np",
            "2,4",
            "--msg-size",
            "8..16",
            "--repeats",
            "1",
            "--ppn",
            "1,2",
            "--results",
            "my results",
        ],
    );
    let script = fs::read_to_string(folder.path().join("plan.sh")).unwrap();
    assert!(
        script.starts_with("#!/usr/bin/env bash\n#SBATCH --job-name=qtdec\n#SBATCH --nodes=4\n"),
        "{script}"
    );
    let (_, reported) = succeed(folder.path(), "bash", &["plan.sh"]);
    assert_eq!(reported.lines().count(), 2 * (9 + 8), "two_proc is for two ranks alone: {reported}");
    assert_eq!(starts, 2 * (9 + 8));
    let again = succeed(folder.path(), "bash", &["plan.sh"]).1;
    assert_eq!(again, "");
    fs::remove_file(folder.path().join("my results/allgather/ring_seg0_ppn2_np4_run1_job7.txt")).unwrap();
    let again = succeed(folder.path(), "bash", &["plan.sh"]).1;
    assert_eq!(again, "my results/allgather/ring_seg0_ppn2_np4_run1_job7.txt (33 of 34)\n");
    let map = map(folder.path(), &commands[0]);
    let axes: Vec<&str> = map.domain().axes().iter().map(|axis| &*axis.name).collect();
    assert_eq!((axes, map.domain().shape()), (vec!["comm_size", "msg_size", "ppn"], vec![2, 2, 2]));
}

/// Covers IMB and MPICH: every algorithm is forced by its name.
#[test]
fn mpich_and_intels_benchmarks() {
    const IMB: &str = r##"#!/bin/sh
[ "$1" = -npmin ] && [ "$2" = "$RANKS" ] && [ "$3" = -msglog ] || exit 1
# The device's own collectives take longer, and no algorithm is forced on them.
tenths=5
if [ "$MPIR_CVAR_DEVICE_COLLECTIVES $MPIR_CVAR_BCAST_DEVICE_COLLECTIVE" != "percoll 0" ]; then
  [ -z "$MPIR_CVAR_BCAST_INTRA_ALGORITHM" ] || exit 1
  tenths=7
fi
echo "# Benchmarking $5"
echo "# #processes = $RANKS"
echo "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]"
echo "0 1000 0.01 0.01 0.01"
exponent=${4%:*} size=1
for i in $(seq "$exponent"); do size=$((2 * size)); done
while [ "$exponent" -le "${4#*:}" ]; do
  echo "$size 1000 0.1 $(printf %s "$MPIR_CVAR_BCAST_INTRA_ALGORITHM" | wc -c).$tenths 0.2"
  exponent=$((exponent + 1)) size=$((2 * size))
done
echo
"##;
    let folder = machine(&[("mpirun", LAUNCHER), ("IMB-MPI1", IMB)]);
    let options = ["--library", "mpich", "--launcher", "mpirun", "--benchmark", "imb", "--ppn", "2"];
    let sizes = ["--collective", "bcast", "--np", "3,4", "--msg-size", "4..8", "--repeats", "1"];
    let (starts, commands) = plan(folder.path(), &[&options[..], &sizes].concat());
    let (_, reported) = succeed(folder.path(), "bash", &["plan.sh"]);
    assert_eq!(reported.lines().count(), starts);
    let bcast = measured(&map(folder.path(), &commands[0]));
    assert_eq!(bcast.len(), 4);
    let at = |points: &[[u64; 2]], time: f64| -> Vec<(Vec<u64>, f64)> {
        points.iter().map(|sizes| (sizes.to_vec(), time)).collect()
    };
    let everywhere = [[3, 4], [3, 8], [4, 4], [4, 8]];
    assert_eq!(bcast["default"], at(&everywhere, 0.5));
    assert_eq!(bcast["binomial"], at(&everywhere, 8.5));
    assert_eq!(bcast["scatter_recursive_doubling_allgather"], at(&everywhere, 36.5));
}

/// Covers Intel MPI: every preset is forced by its number, the default has the number 0, and a preset that the library ignores has no
/// times.
#[test]
fn intels_presets() {
    const IMB: &str = r##"#!/bin/sh
preset=${I_MPI_ADJUST_BCAST-99}
if [ "$preset" = 22 ]; then echo "MPI startup(): Incorrect algorithm: BCAST=22, will be ignored"; fi
echo "# Benchmarking $5"
echo "# #processes = $RANKS"
echo "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]"
echo "4 1000 0.1 $preset.5 0.2"
echo
"##;
    let folder = machine(&[("mpirun", LAUNCHER), ("IMB-MPI1", IMB)]);
    let options = ["--library", "intel-mpi", "--launcher", "mpirun", "--benchmark", "imb", "--ppn", "2"];
    let sizes = ["--collective", "bcast", "--np", "2", "--msg-size", "4..4", "--repeats", "1"];
    let (starts, commands) = plan(folder.path(), &[&options[..], &sizes].concat());
    assert_eq!(starts, 2 + 22);
    let output = run(folder.path(), "bash", &["plan.sh"]);
    let reported = String::from_utf8(output.stderr).unwrap();
    assert!(reported.contains("1 benchmarks failed") && reported.contains("/preset_22_seg0_np2_run1.failed"));
    let own = qtdec_commands::qtdec();
    succeed(folder.path(), own, &["read", "qtdec-results", "--path", PATH, "-o", "times.csv"]);
    let untouched = fs::read_to_string(folder.path().join("times.csv")).unwrap();
    assert!(untouched.lines().any(|line| line.contains("untouched") && line.contains("99.5")), "{untouched}");
    let bcast = measured(&map(folder.path(), &commands[0]));
    let time = |method: &str| bcast.get(method).map(|points| points[0].1);
    assert_eq!(bcast.len(), 1 + 21);
    assert_eq!(["default", "binomial", "preset_21"].map(time), [Some(0.5), Some(1.5), Some(21.5)]);
}

#[test]
fn directives_contain_the_requested_options() {
    let folder = open_mpi();
    let options = ["--library", "open-mpi", "--collective", "bcast", "--np", "4", "--msg-size", "2..4"];
    let requested = ["--account", "p12", "--partition", "gpu,cpu", "--time", "1-12:00:00"];
    for launcher in ["srun", "mpirun"] {
        let arguments = [
            &options[..],
            &requested,
            &["--launcher", launcher, "--launcher-args", "--mpi=pmix 'a b' --cpu-bind=cores"],
        ];
        plan(folder.path(), &arguments.concat());
        let script = fs::read_to_string(folder.path().join("plan.sh")).unwrap();
        let expected = "#!/usr/bin/env bash\n#SBATCH --job-name=qtdec\n#SBATCH --array=1-3%1\n#SBATCH --ntasks=4\n#SBATCH --account=p12\n\
                        #SBATCH --partition=gpu,cpu\n#SBATCH --time=1-12:00:00\n#\n";
        assert!(script.starts_with(expected), "{script}");
        assert!(
            script.contains("\"$ranks\" '--mpi=pmix' 'a b' '--cpu-bind=cores' \"${command[@]}\""),
            "{script}"
        );
    }
    for (option, value) in [("--time", "1h"), ("--account", "a\n#SBATCH --x"), ("--launcher-args", "'")] {
        let arguments = [&["mpi", "measure", "--launcher", "srun", option, value], &options[..]].concat();
        let output = run(folder.path(), qtdec_commands::qtdec(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{option}");
    }
}

/// The stub is as slow as the algorithm that the switches force, so the library either follows them or does not.
/// The order is without, with, with, without. The stub forgets nothing: what it is started with is in a file.
#[test]
fn pairs_are_measured_by_turns_and_compared() {
    let folder = open_mpi();
    let own = qtdec_commands::qtdec();
    let options = ["--library", "open-mpi", "--launcher", "mpirun", "--collective", "bcast", "--np", "2,4"];
    let sizes = ["--msg-size", "4..16"];
    plan(folder.path(), &[&options[..], &sizes, &["--repeats", "2"]].concat());
    run(folder.path(), "bash", &["plan.sh"]);
    let map = ["map", "qtdec-results/bcast", "--no-default", "-o", "bcast.json", "--path", PATH];
    succeed(
        folder.path(),
        own,
        &[&map[..], &["--baseline", "default", "--exclude", "untouched", "--exclude", "default-han"]]
            .concat(),
    );
    fs::create_dir(folder.path().join("it's tuned")).unwrap();
    succeed(folder.path(), own, &["encode", "bcast.json", "-o", "it's tuned/bcast.tree.json"]);
    let switches = folder.path().join("it's tuned/switches.sh");
    let number = "export OMPI_MCA_coll_han_priority=0 OMPI_MCA_coll_tuned_bcast_algorithm=1\n";
    for (text, obeys) in [(number, true), ("", false)] {
        fs::write(&switches, text).unwrap();
        let _ = fs::remove_dir_all(folder.path().join("qtdec-results-with"));
        let _ = fs::remove_dir_all(folder.path().join("qtdec-results-without"));
        let verify = ["--verify", "it's tuned", "--repeats", "2"];
        let (starts, commands) = plan(folder.path(), &[&options[..], &sizes, &verify].concat());
        let (_, reported) = succeed(folder.path(), "bash", &["plan.sh"]);
        let file = |side: &str, ranks: u64, pair: u64| {
            format!("qtdec-results-{side}/bcast/default_seg0_np{ranks}_runpair{pair}_job7.txt")
        };
        let expected: Vec<String> = [(1, ["without", "with"]), (2, ["with", "without"])]
            .into_iter()
            .flat_map(|(pair, sides)| [2, 4].map(|ranks| sides.map(|side| file(side, ranks, pair))))
            .flatten()
            .collect();
        let files = reported.lines().map(|line| line.split(" (").next().unwrap());
        assert_eq!((files.collect::<Vec<_>>(), starts), (expected.iter().map(|file| &**file).collect(), 8));
        assert!(reported.lines().last().unwrap().contains(" (8 of 8, about 0:00:0"), "{reported}");
        assert_eq!(succeed(folder.path(), "bash", &["plan.sh"]).1, "", "nothing is measured twice");
        let output = run(folder.path(), "sh", &["-c", &commands[0]]);
        let [out, err] =
            [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        assert_eq!(output.status.code(), Some(if obeys { 0 } else { 3 }), "{out}{err}");
        let expected = if obeys { "answer      follows: " } else { "answer      does-not-follow: " };
        assert!(out.contains(expected) && out.contains("2 pairs of launches by turns"), "{out}{err}");
    }
    fs::remove_file(&switches).unwrap();
    let output = run(folder.path(), "bash", &["plan.sh"]);
    let reported = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), reported.contains("it's tuned/switches.sh cannot be read")),
        (Some(1), true)
    );
}

/// A stub for `qtdec-bench`. The time is 10 for each place of a method in the list, or 15, 16 and 17 for the library's own choices, which
/// need their settings, with the number of ranks after the decimal point. The second launch fails where there is a file `broken`.
const QTDEC_BENCH: &str = r##"#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    --race) shift ;;
    --*) eval "$(echo "${1#--}" | tr - _)=\$2"; shift 2 ;;
  esac
done
if [ -e broken ] && [ "$launch $process" = "2 4" ]; then echo "no network" >&2; exit 3; fi
started=${comm_sizes##*,}
if [ -e ppn ]; then read -r ppn < ppn; started=$(((started + ppn - 1) / ppn * ppn)); fi
[ "$started" = "$RANKS" ] || exit 1
settings=$OMPI_MCA_coll_han_priority$OMPI_MCA_coll_hcoll_enable
{
  echo "# qtdec-times/1"
  echo "# tool: qtdec-bench 0.1.0"
  echo "# axis comm_size: ranks"
  echo "# axis msg_size: bytes"
  echo "# parameter segment_size: bytes"
  echo "comm_size,msg_size,method,segment_size,collective,job,launch,process,repeat,time_us"
  place=0
  for method in $(echo "$methods" | tr , ' '); do
    place=$((place + 10)) name=${method#forced:} segment=
    case "$method" in
      default) time=15; [ "$settings" = 00 ] || [ "$MPIR_CVAR_DEVICE_COLLECTIVES" ] || time=18 ;;
      default-han) time=16; [ "$settings" = 0 ] || exit 1 ;;
      untouched) time=17; [ "$settings" = "" ] || exit 1 ;;
      forced:han:*) time=40; [ "$OMPI_MCA_coll_han_priority$OMPI_MCA_coll_han_use_bcast_algorithm" = 35simple ] || exit 1
        time=$time$OMPI_MCA_coll_han_bcast_dynamic_inter_node_module$OMPI_MCA_coll_han_bcast_dynamic_intra_node_module ;;
      forced:*) time=$(printf %s "$MPIR_CVAR_BCAST_INTRA_ALGORITHM" | wc -c) ;;
      own:*) time=$place name=own_${method#own:} ;;
      *) time=$place name=${method%/*}; [ "$name" = "$method" ] || segment=${method#*/} ;;
    esac
    [ -z "$OMPI_MCA_coll_tuned_bcast_algorithm" ] || time=1
    for ranks in $(echo "$comm_sizes" | tr , ' '); do
      for size in $(echo "$msg_sizes" | tr , ' '); do
        for repeat in 1 2; do
          echo "$ranks,$size,$name,$segment,$collective,$QTDEC_JOB,$QTDEC_JOB/$launch,$process,$repeat,$time.$ranks"
        done
      done
    done
  done
} > "$output"
"##;

const GRID: [&str; 12] = [
    "--benchmark",
    "qtdec-bench",
    "--launcher",
    "mpirun",
    "--collective",
    "bcast",
    "--np",
    "2,3,4",
    "--msg-size",
    "4..16",
    "--segments",
    "0,8",
];

fn grids() -> tempfile::TempDir {
    machine(&[("mpirun", LAUNCHER), ("qtdec-bench", QTDEC_BENCH)])
}

/// The benchmark of this project measures all numbers of ranks in one launch, and on Open MPI all forced methods too.
#[test]
fn a_launch_measures_a_grid() {
    let folder = grids();
    let open_mpi = [&GRID[..], &["--library", "open-mpi", "--repeats", "2"]].concat();
    let (starts, commands) = plan(folder.path(), &open_mpi);
    assert_eq!(starts, 2 * 4, "three choices of the library's own, and the forced methods");
    fs::write(folder.path().join("broken"), "").unwrap();
    let output = run(folder.path(), "bash", &["plan.sh"]);
    let reported = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{reported}");
    assert!(reported.contains("1 benchmarks failed") && !reported.contains("no network"), "{reported}");
    let record = fs::read_to_string(folder.path().join("qtdec-results/bcast/forced_run2.failed")).unwrap();
    assert!(record.starts_with("# failed with status 3: ") && record.ends_with("\nno network\n"), "{record}");
    let tune = commands.last().unwrap();
    let (_, warned) = succeed(folder.path(), "sh", &["-c", tune]);
    assert!(warned.contains("warning: 1 launch failed, and has no times: "), "{warned}");
    assert!(warned.contains("qtdec-results/bcast/forced_run2.failed"), "{warned}");

    fs::remove_file(folder.path().join("broken")).unwrap();
    let again = succeed(folder.path(), "bash", &["plan.sh"]).1;
    assert_eq!(again, "qtdec-results/bcast/forced_run2.csv (6 of 8)\n");
    let mut files: Vec<String> = fs::read_dir(folder.path().join("qtdec-results/bcast"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort_unstable();
    let expected = ["default-han", "default", "forced", "untouched"];
    let expected: Vec<String> =
        expected.iter().flat_map(|name| [1, 2].map(|run| format!("{name}_run{run}.csv"))).collect();
    assert_eq!(files, expected);
    let bcast = measured(&map(folder.path(), &commands[0]));
    assert_eq!(bcast.len(), 1 + 3 + 6 * 2, "the default, three without and six with two segment sizes");
    let everywhere = |time: f64| -> Vec<(Vec<u64>, f64)> {
        let ranks = [2_u64, 3, 4].into_iter();
        ranks
            .flat_map(|ranks| [4, 8, 16].map(|size| (vec![ranks, size], time + ranks as f64 / 10.0)))
            .collect()
    };
    assert_eq!(bcast["default"], everywhere(15.0));
    assert_eq!((&bcast["chain"], &bcast["chain/8"]), (&everywhere(20.0), &everywhere(30.0)));
    let (printed, _) = succeed(folder.path(), "sh", &["-c", tune]);
    assert!(printed.contains("qtdec-mpi measure --verify tuned -o final.sh"), "{printed}");
    // As the campaign was measured.
    let own = qtdec_commands::qtdec();
    succeed(folder.path(), own, &["mpi", "measure", "--verify", "tuned", "-o", "final.sh"]);
    let script = fs::read_to_string(folder.path().join("final.sh")).unwrap();
    assert!(script.contains("mpirun -np") && script.contains("qtdec-bench --collective"), "{script}");
}

/// A campaign on nodes of two ranks, of which the last is not full with all numbers of ranks but the first.
const NODES: [&str; 8] = ["--np", "2,3,5,7", "--ppn", "2", "--library", "open-mpi", "--repeats", "2"];

/// Returns the labels of the compositions in a map.
fn composed(measured: &BTreeMap<String, Vec<(Vec<u64>, f64)>>) -> Vec<&str> {
    measured.keys().map(String::as_str).filter(|label| label.starts_with("own_two_level:")).collect()
}

/// Where several ranks share a node, a further launch measures compositions of two levels on several nodes, all of which are full.
#[test]
fn a_launch_measures_compositions() {
    let folder = grids();
    fs::write(folder.path().join("ppn"), "2\n").unwrap();
    let (_, commands) = plan(folder.path(), &[&GRID[..6], &NODES[..], &["--msg-size", "4K..64K"]].concat());
    let output = run(folder.path(), "bash", &["plan.sh"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bcast = measured(&map(folder.path(), &commands[0]));
    let expected = [
        "own_two_level:inter=binomial:intra=binomial",
        "own_two_level:inter=pipeline/2048:intra=binary",
        "own_two_level:inter=pipeline/2048:intra=binary/8192",
    ];
    assert_eq!(composed(&bcast), expected);
    let ranks: Vec<u64> = bcast[expected[0]].iter().map(|(sizes, _)| sizes[0]).collect();
    assert_eq!(ranks, [3, 5, 7].map(|ranks| [ranks; 5]).concat());
    succeed(folder.path(), "sh", &["-c", commands.last().unwrap()]);
    let warned = fs::read_to_string(folder.path().join("tuned/notes.md")).unwrap();
    assert!(warned.contains("5 of 20 cells lack the times of some methods"), "{warned}");
}

/// With a network, the compositions are those that a search finds on it, at most four.
#[test]
fn a_network_chooses_the_compositions() {
    let folder = grids();
    fs::write(folder.path().join("ppn"), "2\n").unwrap();
    let sizes = ["--msg-size", "1..64K", "--network", "polaris"];
    let options = [&GRID[..4], &["--collective", "bcast,allreduce"], &NODES[..], &sizes].concat();
    let (_, commands) = plan(folder.path(), &options);
    succeed(folder.path(), "bash", &["plan.sh"]);
    for (collective, command) in ["bcast", "allreduce"].iter().zip(&commands) {
        let times = measured(&map(folder.path(), command));
        let found = composed(&times);
        assert!((1..=4).contains(&found.len()), "{collective}: {found:?}");
        let usual = ["own_two_level:inter=binomial:intra=binomial"];
        assert!(!found.contains(&usual[0]), "{collective}: {found:?}");
        let search = ["mpi", "predict", "nodes.json", "--collective", collective, "--comm-size", "7"];
        // A search looks at the nodes of the network's file, which has 32 ranks on each.
        let network = fs::read_to_string(NETWORK).unwrap();
        let network = network.replace("\"ranks_per_node\": 32", "\"ranks_per_node\": 2");
        let network = network.replace("\"cluster_size\": 32", "\"cluster_size\": 2");
        fs::write(folder.path().join("nodes.json"), network).unwrap();
        let search = [&search[..], &["--msg-size", "1", "--search"]].concat();
        let (printed, _) = succeed(folder.path(), qtdec_commands::qtdec(), &search);
        let best = printed.split_whitespace().find(|word| word.starts_with("two_level:")).unwrap();
        assert!(found.contains(&&*format!("own_{best}")), "{collective}: {best} is not in {found:?}");
    }
}

/// The file of the shipped network.
const NETWORK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../mpi/predict/networks/polaris.json");

#[test]
fn a_network_without_use_is_refused() {
    let folder = grids();
    let fixed = ["mpi", "measure", "--library", "open-mpi", "--launcher", "mpirun", "--collective", "bcast"];
    let bench = ["--benchmark", "qtdec-bench"];
    let refused = |options: &[&str]| {
        let output = run(folder.path(), qtdec_commands::qtdec(), &[&fixed[..], options].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let polaris = ["--network", "polaris"];
    for options in [
        &["--np", "4,8", "--ppn", "2"][..],
        &[&bench[..], &["--np", "4,8"]].concat(),
        &[&bench[..], &["--np", "4,8", "--ppn", "1"]].concat(),
        &[&bench[..], &["--np", "4,8", "--ppn", "8"]].concat(),
    ] {
        assert!(refused(&[options, &polaris].concat()).contains("--network has no effect"), "{options:?}");
    }
    let sites = [&bench[..], &["--np", "4,128", "--ppn", "4", "--network", "grid-2x16"]].concat();
    assert!(refused(&sites).contains("the clusters of the network have several nodes"));
    let verify = [&bench[..], &["--np", "4,8", "--ppn", "2", "--verify", "tuned"], &polaris].concat();
    assert!(refused(&verify).contains("cannot be used with"));
}

/// Where several ranks share a node, and the release is known to have HAN's choices, each is a launch of its own.
#[test]
fn launches_measure_the_components_of_levels() {
    let folder = grids();
    let options = [
        &GRID[..6],
        &["--np", "2,4,5,8", "--msg-size", "4K..64K", "--library", "open-mpi", "--repeats", "2"],
    ];
    let release = ["--ppn", "2", "--release", "5.0"];
    let (_, commands) = plan(folder.path(), &[&options.concat()[..], &release].concat());
    let output = run(folder.path(), "bash", &["plan.sh"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let described = fs::read_to_string(folder.path().join("qtdec-results/qtdec-campaign.json")).unwrap();
    assert!(described.contains("\"han:inter=adapt:intra=sm\""), "{described}");
    let command = "qtdec map qtdec-results/bcast --baseline default-han --exclude default --exclude untouched -o bcast.json";
    let bcast = measured(&map(folder.path(), command));
    let expected = [
        ("han:inter=adapt:intra=sm", 4054.4),
        ("han:inter=adapt:intra=tuned", 4053.4),
        ("han:inter=tuned:intra=sm", 4034.4),
        ("han:inter=tuned:intra=tuned", 4033.4),
    ];
    let of_han: Vec<&str> =
        bcast.keys().map(String::as_str).filter(|label| label.starts_with("han:")).collect();
    assert_eq!(of_han, expected.map(|(label, _)| label));
    for (label, time) in expected {
        let times = &bcast[label];
        let ranks: Vec<u64> = times.iter().map(|(sizes, _)| sizes[0]).collect();
        assert_eq!(ranks, [4, 8].map(|ranks| [ranks; 5]).concat(), "{label}");
        assert_eq!(times[0].1, time, "{label}");
    }
    succeed(folder.path(), "sh", &["-c", commands.last().unwrap()]);
    for without in [&release[..2], &release[2..], &["--ppn", "2", "--release", "4.1"]] {
        plan(folder.path(), &[&options.concat()[..], without].concat());
        let script = fs::read_to_string(folder.path().join("plan.sh")).unwrap();
        assert!(!script.contains("han:"), "{script}");
    }
}

/// What is printed for a release and what is deployed speak of the same default: with HAN where that is kept, and without where the release
/// reads no file for it.
#[test]
fn the_printed_commands_are_for_the_release_of_the_script() {
    for (release, own) in [("5.0", "default-han"), ("4.1", "default")] {
        let folder = grids();
        let options =
            [&GRID[..], &["--library", "open-mpi", "--repeats", "3", "--release", release]].concat();
        let (_, commands) = plan(folder.path(), &options);
        let script = fs::read_to_string(folder.path().join("plan.sh")).unwrap();
        assert!(script.contains(&format!("every algorithm of Open MPI {release}, ")), "{script}");
        succeed(folder.path(), "bash", &["plan.sh"]);
        let tune = commands.last().unwrap();
        assert!(tune.contains(&format!(" --release {release}")) && !tune.contains("--baseline"), "{tune}");
        let (printed, warned) = succeed(folder.path(), "sh", &["-c", tune]);
        // The stub's times have no noise, so that the gain has no interval.
        assert!(printed.contains("bcast  gain unknown: no noise "), "{printed}");
        let notes = fs::read_to_string(folder.path().join("tuned/notes.md")).unwrap();
        assert!(notes.contains(&format!("bcast: gain over `{own}` unknown: it is exactly +")), "{notes}");
        let warned = warned + &notes;
        assert!(!warned.contains("cannot be configured") && !warned.contains("is assumed to be"), "{warned}");
        let measured = fs::read_to_string(folder.path().join("tuned/measured.json")).unwrap();
        let release = format!(r#""--library","open-mpi","--release","{release}","--collective","bcast""#);
        assert!(measured.contains(&release), "{measured}");
        let has_file = folder.path().join("tuned/open-mpi-han.conf").exists();
        assert_eq!(has_file, own == "default-han");
    }
}

#[test]
fn a_script_is_for_releases_that_are_known() {
    let folder = grids();
    let refused = |library: &str, release: &str| {
        let arguments = [&["mpi", "measure", "--library", library, "--release", release], &GRID[..]].concat();
        let output = run(folder.path(), qtdec_commands::qtdec(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{library} {release}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("mpich", "3.4").contains("are for MPICH 4.0 and 5.0"));
    assert!(refused("intel-mpi", "2021.18").contains("--release 2021.18 has no effect"));
    let options = ["--library", "mpich", "--release", "5.0.2", "--launcher", "mpirun", "--np", "4"];
    let (_, commands) = plan(folder.path(), &[&options[..], &["--collective", "allreduce"]].concat());
    let script = fs::read_to_string(folder.path().join("plan.sh")).unwrap();
    for algorithm in ["recursive_multiplying", "tree", "recexch", "ring", "k_reduce_scatter_allgather"] {
        assert!(
            script.contains(&format!("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM={algorithm} ;;\n")),
            "{script}"
        );
    }
    assert!(script.contains("MPIR_CVAR_ALLREDUCE_TREE_PIPELINE_CHUNK_SIZE=8192"), "{script}");
    assert!(commands.last().unwrap().contains("--library mpich --release 5.0.2 --into libmpich.so"));
}

/// A limit as great as the number of other ranks is none.
#[test]
fn limits_of_requests_are_measured_where_rules_can_have_them() {
    let folder = open_mpi();
    let of = |release: &'static str| {
        let options = ["--library", "open-mpi", "--release", release, "--launcher", "mpirun"];
        [&options[..], &["--collective", "alltoall", "--np", "5,8", "--msg-size", "4..8"]].concat()
    };
    let (_, commands) = plan(folder.path(), &of("5.0.11"));
    succeed(folder.path(), "bash", &["plan.sh"]);
    let times = measured(&map(folder.path(), &commands[0]));
    let names: Vec<&str> = times.keys().map(String::as_str).filter(|name| name.contains("sync")).collect();
    assert_eq!(names, ["linear_sync", "linear_sync:reqs=4"]);
    let limited: Vec<_> = [4, 8].map(|bytes| (vec![8, bytes], 40005.0008)).to_vec();
    assert_eq!(times["linear_sync:reqs=4"], limited);
    assert_eq!(times["linear_sync"][0], (vec![5, 4], 40001.0005));
    plan(
        folder.path(),
        &[&of("5.0.11")[..], &["--benchmark", "qtdec-bench", "--requests", "0,2,3"]].concat(),
    );
    let script = fs::read_to_string(folder.path().join("plan.sh")).unwrap();
    assert!(script.contains(",linear_sync,linear_sync:reqs=2,linear_sync:reqs=3 "), "{script}");
    for release in ["4.1", "5.0", "5.0.6"] {
        let arguments = [&["mpi", "measure"], &of(release)[..], &["--requests", "4"]].concat();
        let output = run(folder.path(), qtdec_commands::qtdec(), &arguments);
        let reported = String::from_utf8(output.stderr).unwrap();
        assert!(
            reported.contains("--requests has no effect") && reported.contains("--release 5.0.7"),
            "{reported}"
        );
    }
}

/// Variables of the environment force the algorithms of other libraries, each in a launch of its own.
#[test]
fn a_launch_measures_one_forced_method_on_all_ranks_where_it_runs() {
    let folder = grids();
    let (starts, commands) =
        plan(folder.path(), &[&GRID[..10], &["--library", "mpich", "--repeats", "1"]].concat());
    assert_eq!(starts, 2 + 3);
    let (_, reported) = succeed(folder.path(), "bash", &["plan.sh"]);
    assert_eq!(reported.lines().count(), starts);
    let bcast = measured(&map(folder.path(), &commands[0]));
    let ranks = |method: &str| bcast[method].iter().map(|(sizes, _)| sizes[0]).collect::<Vec<_>>();
    assert_eq!(bcast["binomial"][0].1, 8.2, "the length of the name");
    assert_eq!(ranks("scatter_recursive_doubling_allgather"), [2, 2, 2, 3, 3, 3, 4, 4, 4]);
    assert_eq!(ranks("default").len(), 9);
    assert!(commands[1].ends_with(" --library mpich --into libmpich.so -o tuned"), "{commands:?}");
}

/// Intel MPI has a tuning file for each number of ranks, without rules that test it.
#[test]
fn a_number_of_ranks_is_tuned_by_itself() {
    const IMB: &str = r##"#!/bin/sh
echo "# Benchmarking $5"
echo "# #processes = $RANKS"
echo "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]"
for size in 4 8 16; do echo "$size 1000 0.1 $(((${I_MPI_ADJUST_BCAST:-0} + 98) % 99 + 2)).5 0.2"; done
echo
"##;
    tuned_by_itself("qtdec-bench", QTDEC_BENCH);
    tuned_by_itself("imb", IMB);
}

fn tuned_by_itself(benchmark: &str, stub: &str) {
    let program = if benchmark == "imb" { "IMB-MPI1" } else { benchmark };
    let folder = machine(&[("mpirun", LAUNCHER), (program, stub)]);
    let grid = &GRID[2..10];
    let intel_mpi = ["--benchmark", benchmark, "--library", "intel-mpi", "--repeats", "2", "-o", "plan.sh"];
    let intel_mpi = [grid, &intel_mpi].concat();
    let (_, reported) =
        succeed(folder.path(), qtdec_commands::qtdec(), &[&["mpi", "measure"], &intel_mpi[..]].concat());
    let tune = reported.lines().find(|line| line.contains(" --each comm_size=2,3,4 -o tuned")).unwrap();
    let tune = &tune[tune.find("qtdec-mpi").unwrap()..];
    succeed(folder.path(), "bash", &["plan.sh"]);
    succeed(folder.path(), "bash", &["-c", tune]);
    let job = |ranks: &str| {
        format!("SLURM_NTASKS={ranks}; . tuned/switches.sh; echo \"${{I_MPI_ADJUST_BCAST:-}}\"")
    };
    for ranks in [2, 3, 4] {
        let (value, _) = succeed(folder.path(), "bash", &["-c", &job(&ranks.to_string())]);
        let expected = format!("1:@1-{ranks};0:@{}-2147483647\n", ranks + 1);
        assert_eq!(value, expected, "the first preset, at all sizes");
    }
    for ranks in ["", "5"] {
        let (value, said) = succeed(folder.path(), "bash", &["-c", &job(ranks)]);
        assert_eq!((&*value, said.contains("the library stays as it is")), ("\n", true), "{said}");
    }
}

#[test]
fn grids_are_measured_by_turns() {
    let folder = grids();
    let own = qtdec_commands::qtdec();
    let open_mpi = [&GRID[..], &["--library", "open-mpi", "--repeats", "2"]].concat();
    let (_, commands) = plan(folder.path(), &open_mpi);
    succeed(folder.path(), "bash", &["plan.sh"]);
    succeed(
        folder.path(),
        "sh",
        &[
            "-c",
            &format!(
                "{} --baseline default --no-default --exclude default-han --exclude untouched",
                commands[0]
            ),
        ],
    );
    fs::create_dir(folder.path().join("tuned")).unwrap();
    succeed(folder.path(), own, &["encode", "bcast.json", "-o", "tuned/bcast.tree.json"]);
    let number = "export OMPI_MCA_coll_tuned_bcast_algorithm=1\n";
    fs::write(folder.path().join("tuned/switches.sh"), number).unwrap();
    let (starts, commands) = plan(folder.path(), &[&open_mpi[..], &["--verify", "tuned"]].concat());
    let (_, reported) = succeed(folder.path(), "bash", &["plan.sh"]);
    assert_eq!(starts, 4);
    let sides: Vec<&str> = reported.lines().map(|line| line.split('/').next().unwrap()).collect();
    assert_eq!(sides, ["without", "with", "with", "without"].map(|side| format!("qtdec-results-{side}")));
    let (out, _) = succeed(folder.path(), "sh", &["-c", &commands[0]]);
    assert!(out.contains("2 pairs of launches by turns"), "{out}");
}

/// Open MPI's control variable of allgatherv is constant: each algorithm has a launch, in which a variable forces it.
#[test]
fn what_the_benchmark_cannot_force_variables_do() {
    let folder = grids();
    for (collective, forced) in [
        ("allgatherv", "OMPI_MCA_coll_tuned_allgatherv_algorithm=3"),
        ("reduce_scatter", "non-overlapping,recursive_halving,ring,butterfly"),
        ("exscan", "linear,recursive_doubling"),
    ] {
        let fixed =
            [&GRID[..4], &GRID[6..10], &["--library", "open-mpi", "--collective", collective]].concat();
        plan(folder.path(), &fixed);
        let script = fs::read_to_string(folder.path().join("plan.sh")).unwrap();
        assert_eq!(script.contains("forced:ring"), collective == "allgatherv", "{script}");
        assert!(script.contains(forced), "{script}");
    }
}

#[test]
fn what_a_grid_cannot_measure_is_refused() {
    let folder = grids();
    for (options, fault) in [
        (&["mpi", "measure", "--library", "open-mpi", "--ppn", "1,2"][..], "write one script for each --ppn"),
        (
            &["mpi", "measure", "--library", "open-mpi", "--benchmark", "osu", "--collective", "scan"],
            "osu does not measure `scan`, but barrier, ",
        ),
    ] {
        let fixed = if options.contains(&"--collective") {
            [&GRID[2..4], &GRID[6..10]].concat()
        } else {
            GRID[..10].to_vec()
        };
        let output = run(folder.path(), qtdec_commands::qtdec(), &[options, &fixed].concat());
        let reported = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), reported.contains(fault)), (Some(2), true), "{reported}");
    }
}

/// Checks the templates as they are, and the scripts of every library, launcher and benchmark: full measurements and turns,
/// for no, one and two numbers of ranks per node.
#[test]
#[ignore = "needs shellcheck: the step `job scripts` of cargo xtask ci"]
fn shellcheck_accepts_every_script() {
    let templates =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mpi/command/src/campaign/measure/script");
    let templates: Vec<_> = fs::read_dir(templates).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(templates.len() >= 12, "{templates:?}");
    // One part assigns what another uses.
    let parts: Vec<&str> = templates.iter().map(|file| file.to_str().unwrap()).collect();
    let options = ["--shell=bash", "--exclude=SC2154,SC2034"];
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), "shellcheck", &[&options[..], &parts].concat());

    let ways: [&[&str]; 2] = [&["mpi", "measure"], &["mpi", "measure", "--verify", "it's tuned"]];
    let mut names = Vec::new();
    for library in ["open-mpi", "mpich", "intel-mpi"] {
        for launcher in ["srun", "mpirun"] {
            for benchmark in ["osu", "imb", "qtdec-bench"] {
                for (way, ppn) in ways.iter().flat_map(|way| [(*way, ""), (*way, "2"), (*way, "1,2")]) {
                    let is_grid = benchmark == "qtdec-bench";
                    if is_grid && ppn == "1,2" {
                        continue;
                    }
                    let name = format!("{}.sh", names.len());
                    let fixed = ["--collective", "bcast,allgather,barrier", "--np", "2,3,8"];
                    let sizes = ["--msg-size", "4..1M", "--results", "my results", "-o", &name];
                    let machine = ["--library", library, "--launcher", launcher, "--benchmark", benchmark];
                    let ppn: &[&str] = if ppn.is_empty() { &[] } else { &["--ppn", ppn] };
                    let arguments = [way, &fixed[..], &sizes, &machine, ppn].concat();
                    succeed(folder.path(), qtdec_commands::qtdec(), &arguments);
                    names.push(name);
                }
            }
        }
    }
    assert_eq!(names.len(), 12 * 6 + 6 * 4);
    let scripts: Vec<&str> = names.iter().map(String::as_str).collect();
    succeed(folder.path(), "shellcheck", &scripts);
}
