//! `qtdec-mpi tune`: its files decide like its trees, and leave the choice to the library where the default is best.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use qtdec_core::{DecisionMap, DecisionTree, Document};
use qtdec_mpi_library::tuning::{Job, find_format};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn qtdec(arguments: &[&str], folder: &Path) -> Output {
    Command::new(qtdec_commands::qtdec()).args(arguments).current_dir(folder).output().unwrap()
}

fn reported(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn map_of(text: &str) -> DecisionMap {
    Document::from_json(text.as_bytes()).unwrap().into_map().expect("a map was written")
}

fn tree_of(text: &str) -> DecisionTree {
    Document::from_json(text.as_bytes()).unwrap().into_tree().expect("a tree was written")
}

/// Returns times of two collectives whose default is best for small messages: four repeats in two runs.
fn times() -> String {
    let mut text = "collective,run,comm_size,msg_size,algorithm,time\n".to_owned();
    for collective in ["bcast", "allreduce"] {
        for (run, repeat) in [(1, 0), (1, 1), (2, 2), (2, 3)] {
            for comm_size in [4, 8, 16] {
                for msg_size in [64, 4096, 65536] {
                    let noise = f64::from((repeat * 7 + comm_size) % 5) / 1000.0;
                    let size = f64::from(msg_size);
                    let methods = match collective {
                        "bcast" => [("default", 20.0 + size / 100.0), ("binomial", 25.0 + size / 400.0)],
                        _ => [("default", 30.0 + size / 100.0), ("ring", 90.0 + size / 500.0)],
                    };
                    for (method, time) in methods {
                        let time = time * (1.0 + noise);
                        let _ = writeln!(text, "{collective},{run},{comm_size},{msg_size},{method},{time}");
                    }
                }
            }
        }
    }
    text
}

const READING: [&str; 5] = ["--columns", "method=algorithm,run=run", "--time-unit", "us", "--basis=buffer"];

/// Makes canonical times of a file, and tunes Open MPI with them.
fn tune(file: &str, more: &[&str], folder: &Path) -> Output {
    reported(&qtdec(&[&["read", file, "-o", "canonical.csv"], &READING[..]].concat(), folder));
    let tune = ["mpi", "tune", "canonical.csv", "--library", "open-mpi", "-o", "tuned", "--verbose"];
    qtdec(&[&tune, more].concat(), folder)
}

#[test]
fn one_tuning_file_for_all_collectives() {
    let folder = tempfile::tempdir().unwrap();
    let times = times();
    fs::write(folder.path().join("times.csv"), &times).unwrap();
    let printed = reported(&tune("times.csv", &[], folder.path()));
    assert!(printed.contains("each launch was held out in turn from those that decide"), "{printed}");
    // The noise of a launch is the same for both methods.
    assert!(printed.contains("bcast: gain over `default` unknown: it is exactly +"), "{printed}");
    assert!(
        printed.contains("Try allreduce, bcast with tuned/switches.sh: this is not a recommendation, because the gain is unknown.\n"),
        "{printed}"
    );
    let tuned = |name: &str| fs::read_to_string(folder.path().join("tuned").join(name)).unwrap();
    let selection = find_format("open-mpi").unwrap().read(tuned("open-mpi.conf").as_bytes(), Job::default());
    let selection = selection.unwrap();
    assert_eq!(selection.collectives(), ["allreduce", "bcast"]);
    for collective in ["bcast", "allreduce"] {
        let map = map_of(&tuned(&format!("{collective}.map.json")));
        let tree = tree_of(&tuned(&format!("{collective}.tree.json")));
        let mut defaults = 0;
        for cell in 0..map.cells().len() {
            let sizes = map.domain().sizes(cell);
            let method = tree.domain().method(tree.decide(&sizes).unwrap());
            let decision = selection.decide(collective, sizes[0], sizes[1]);
            assert_eq!(decision.is_library(), method.baseline, "{collective} {sizes:?}");
            assert!(method.baseline || decision.name.as_deref() == Some(&method.name));
            defaults += usize::from(method.baseline);
        }
        // The default wins the smallest of three message sizes for both, and another one where the ring needs larger
        // messages.
        assert_eq!(defaults, if collective == "bcast" { 3 } else { 6 });
        assert_eq!(tuned(&format!("{collective}.kept.csv")).lines().count(), 1 + defaults);
        assert!(tuned(&format!("{collective}.rs")).contains(&format!("fn {collective}(")));
        assert!(tuned(&format!("{collective}.h")).contains(&format!("{collective}_decide(")));
        assert!(tuned(&format!("{collective}.html")).contains("\"recommended\""));
        assert!(tuned("report.html").contains(&format!("{collective}.html")));
    }
    assert!(tuned("switches.sh").contains("coll_tuned_dynamic_rules_filename="));
}

#[test]
fn methods_that_a_library_cannot_use_are_excluded() {
    let folder = tempfile::tempdir().unwrap();
    let text = times().replace(",ring,", ",bine:k=4,");
    fs::write(folder.path().join("times.csv"), text).unwrap();
    let output = tune("times.csv", &[], folder.path());
    reported(&output);
    let warned = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(warned.contains("allreduce is left to the library: "), "{warned}");
    let written = fs::read_to_string(folder.path().join("tuned/open-mpi.conf")).unwrap();
    assert!(written.contains("bcast") && !written.contains("allreduce"), "{written}");

    // MPICH needs a complete file, and reports that before anything is written.
    let command = ["mpi", "tune", "canonical.csv", "--library", "mpich", "-o", "no"];
    let output = qtdec(&command, folder.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--into"));
    assert!(!folder.path().join("no").exists());
}

/// Open MPI's numbers, of which 0 is its own choice, and PICO's names, which end in `_ompi`.
#[test]
fn methods_as_benchmarks_of_open_mpi_call_them() {
    let folder = tempfile::tempdir().unwrap();
    let named = times().replace(",ring,", ",ring_ompi,").replace(",binomial,", ",6,");
    let text = named.replace(",default,", ",default_ompi,");
    fs::write(folder.path().join("pico.csv"), &text).unwrap();
    let of_bcast = |line: &&str| line.starts_with("bcast") || line.starts_with("collective");
    let numbers: Vec<&str> = text.lines().filter(of_bcast).collect();
    fs::write(folder.path().join("numbers.csv"), numbers.join("\n").replace("default_ompi", "0")).unwrap();
    for (file, own) in [("pico.csv", "default_ompi"), ("numbers.csv", "0")] {
        let output = tune(file, &[], folder.path());
        let warned = reported(&output);
        assert!(warned.contains(&format!("`{own}` is assumed to be the library's own choice")), "{warned}");
        let written = fs::read_to_string(folder.path().join("tuned/open-mpi.conf")).unwrap();
        let selection = find_format("open-mpi").unwrap().read(written.as_bytes(), Job::default()).unwrap();
        let decision = |collective: &str, size| selection.decide(collective, 8, size).name;
        assert_eq!([64, 65536].map(|size| decision("bcast", size)), [None, Some("binomial".to_owned())]);
        if file == "pico.csv" {
            assert_eq!([64, 65536].map(|size| decision("allreduce", size)), [None, Some("ring".to_owned())]);
        }
    }
}

/// A tuning file that needs block or total sizes is refused if nothing specifies which of them the files count.
#[test]
fn sizes_that_may_be_blocks_or_totals_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = times().replace("bcast,", "allgather,").replace(",binomial,", ",bruck,");
    let of_allgather = |line: &&str| !line.starts_with("allreduce");
    let text: Vec<&str> = text.lines().filter(of_allgather).collect();
    fs::write(folder.path().join("times.csv"), text.join("\n")).unwrap();
    let read = [&["read", "times.csv", "-o", "canonical.csv"], &READING[..4]].concat();
    reported(&qtdec(&read, folder.path()));
    let command = ["mpi", "tune", "canonical.csv", "--library", "open-mpi", "-o", "tuned"];
    let refused = qtdec(&command, folder.path());
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{error}");
    assert!(error.contains("nothing specifies which bytes") && error.contains("--basis-in block"), "{error}");
    assert!(!folder.path().join("tuned").exists());
    reported(&qtdec(&[&read[..], &["--basis-in", "block"]].concat(), folder.path()));
    reported(&qtdec(&command, folder.path()));
}

/// The basis depends on the collective alone, whether the user names it or the names of the methods tell it.
#[test]
fn the_basis_depends_on_the_collective_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (mut csv, mut chiara) = (
        "comm_size,msg_size,method,time\n".to_owned(),
        "algorithm_name,k,b,nprocs,send_count,time,is_correct\n".to_owned(),
    );
    for repeat in 0..4 {
        for ranks in [4, 8] {
            for block in [8, 64] {
                let time = f64::from(repeat + block);
                let bytes = ranks * block;
                let _ = writeln!(
                    csv,
                    "{ranks},{bytes},MPI_Reduce_scatter_block,{time}\n{ranks},{bytes},butterfly,{}",
                    time / 2.0
                );
                let _ = writeln!(chiara, "MPI_Reduce_scatter_block,0,0,{ranks},{},{time},1", bytes / 8);
                let _ =
                    writeln!(chiara, "MPICH_reduce_scatter_radix,0,0,{ranks},{},{},1", bytes / 8, time / 2.0);
            }
        }
    }
    fs::write(folder.path().join("t.csv"), csv).unwrap();
    fs::write(folder.path().join("chiara.csv"), chiara).unwrap();
    let tuned = |reading: &[&str], more: &[&str]| {
        reported(&qtdec(&[&["read", "-o", "canonical.csv"], reading, more].concat(), folder.path()));
        let method = ["--method", "MPICH_reduce_scatter_radix=butterfly"];
        let method = if reading.contains(&"chiara.csv") { &method[..] } else { &[] };
        let command = ["mpi", "tune", "canonical.csv", "--library", "open-mpi", "-o", "tuned"];
        reported(&qtdec(&[&command, method].concat(), folder.path()));
        fs::read_to_string(folder.path().join("tuned/reduce_scatter_block.map.json")).unwrap()
    };
    let named = ["--collective", "reduce_scatter_block"];
    let csv = ["t.csv", "--basis-in", "total", "--time-unit", "us", "--collective", "reduce_scatter_block"];
    let elements = ["chiara.csv", "--element-size", "8"];
    for reading in [&csv[..], &elements[..]] {
        let map = tuned(reading, &[]);
        assert!(map.contains("\"basis\": \"block\", \"values\": [8, 64]"), "{map}");
        if !reading.contains(&named[0]) {
            assert_eq!(map, tuned(reading, &named));
        }
        let total = tuned(reading, &["--basis", "total"]);
        assert!(total.contains("\"basis\": \"total\""), "{total}");
    }
}

/// `--method` can be limited to one collective. A method that was not measured is an error.
#[test]
fn algorithms_are_given_by_collective() {
    let folder = tempfile::tempdir().unwrap();
    let text = times().replace(",ring,", ",best,").replace(",binomial,", ",best,");
    fs::write(folder.path().join("times.csv"), text).unwrap();
    let methods = ["--method", "bcast:best=binomial", "--method", "best=ring"];
    reported(&tune("times.csv", &methods, folder.path()));
    let written = fs::read_to_string(folder.path().join("tuned/open-mpi.conf")).unwrap();
    let selection = find_format("open-mpi").unwrap().read(written.as_bytes(), Job::default()).unwrap();
    for (collective, expected) in [("bcast", "binomial"), ("allreduce", "ring")] {
        assert_eq!(selection.decide(collective, 8, 65536).name.as_deref(), Some(expected));
    }
    for unknown in ["bset=ring", "reduce:best=ring"] {
        let output = tune("times.csv", &["--method", unknown], folder.path());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(
            error.contains("there is no method `") && error.contains("he methods are default, best"),
            "{error}"
        );
    }
}

#[test]
fn a_single_repeat_and_a_missing_default_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let lines = times();
    let first = |line: &&str| {
        line.starts_with("collective") || line.starts_with("bcast,1,") && !line.contains("default")
    };
    let mut seen = std::collections::HashSet::new();
    let once = |line: &&str| seen.insert(line.rsplit_once(',').map(|(point, _)| point.to_owned()));
    let text: Vec<&str> = lines.lines().filter(first).filter(once).collect();
    fs::write(folder.path().join("times.csv"), text.join("\n")).unwrap();
    let output = tune("times.csv", &[], folder.path());
    let printed = reported(&output);
    assert!(printed.contains("nothing could be held out: there are too few repeats"), "{printed}");
    assert!(printed.contains("every time is a single sample"), "{printed}");
    assert!(printed.contains("no method is known to be the library's own choice"), "{printed}");
}

/// Returns the times of two collectives: `ring` takes less time than the default for `allreduce` only. Times vary by a few per cent,
/// differently in every launch.
fn launches(number: u32) -> String {
    let mut text = "collective,run,comm_size,msg_size,algorithm,time\n".to_owned();
    let mut chance = Pcg64::seed_from_u64(11);
    for (collective, factor) in [("allreduce", 0.7), ("bcast", 1.0)] {
        for run in 1..=number {
            for comm_size in [4, 8, 16] {
                for msg_size in [64, 4096, 65536] {
                    for (method, factor) in [("default", 1.0), ("ring", factor)] {
                        let method =
                            if collective == "bcast" && method == "ring" { "binomial" } else { method };
                        let time = 20.0 * factor * (1.0 + chance.random_range(0.0..0.2));
                        let _ = writeln!(text, "{collective},{run},{comm_size},{msg_size},{method},{time}");
                    }
                }
            }
        }
    }
    text
}

/// Tunes these times, and returns the exit code, the output, and what the tuning file decides for the largest size.
fn tuned(times: &str, more: &[&str]) -> (Option<i32>, String, [Option<String>; 2], String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("times.csv"), times).unwrap();
    let output = tune("times.csv", more, folder.path());
    let read = |name: &str| fs::read_to_string(folder.path().join("tuned").join(name)).unwrap();
    let selection = find_format("open-mpi").unwrap().read(read("open-mpi.conf").as_bytes(), Job::default());
    let selection = selection.unwrap();
    let decided = ["allreduce", "bcast"].map(|collective| selection.decide(collective, 8, 65536).name);
    let measured = fs::read_to_string(folder.path().join("tuned/measured.json")).unwrap_or_default();
    let printed = format!("{}{measured}", String::from_utf8_lossy(&output.stdout));
    (output.status.code(), printed, decided, read("switches.sh"))
}

/// The binomial tree is faster in some cells by chance, and not on launches that were held out.
#[test]
fn only_collectives_with_a_held_out_gain_get_rules() {
    let (code, printed, decided, switches) = tuned(&launches(6), &["--fail-if-nothing"]);
    assert_eq!(code, Some(0), "{printed}");
    assert_eq!(decided, [Some("ring".to_owned()), None], "{printed}");
    for line in [
        "allreduce: gain over `default` on held-out launches +",
        "bcast: no gain over `default` is shown on held-out launches: ",
        "half of it is in ",
        "Deploy allreduce with tuned/switches.sh; bcast is left to the library, without rules.\n",
        "Expect this gain over the default, as the mean over campaigns and the geometric mean of the measured sizes, provisionally until the \
         files themselves are measured: allreduce +",
        "; 9 cells, 6 launches)",
        "This could go wrong: ",
    ] {
        assert!(printed.contains(line), "{line}: {printed}");
    }
    assert!(switches.contains("\n# allreduce: gain over the default on held-out launches +"), "{switches}");
    // Only the collective with rules is measured again.
    assert!(printed.contains("qtdec-mpi measure --verify tuned -o final.sh"), "{printed}");
    assert!(printed.contains(r#""--collective","allreduce","--np""#), "{printed}");
}

/// Tunes the times of six launches, each of the job that is given by its number.
fn tuned_in_jobs(job: impl Fn(u32) -> u32, more: &[&str]) -> (Output, Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    let times = launches(6);
    let (header, rows) = times.split_once('\n').unwrap();
    for launch in 1..=6 {
        let of_job = folder.path().join(format!("job{}", job(launch)));
        fs::create_dir_all(&of_job).unwrap();
        let own = rows.lines().filter(|row| row.split(',').nth(1) == Some(&launch.to_string()));
        let own: String = own.flat_map(|row| [row, "\n"]).collect();
        fs::write(of_job.join(format!("{launch}.csv")), format!("{header}\n{own}")).unwrap();
    }
    let read = ["read", ".", "--path", "{job}/*.csv", "-o", "canonical.csv"];
    reported(&qtdec(&[&read, &READING[..]].concat(), folder.path()));
    let tune = [
        "mpi",
        "tune",
        "canonical.csv",
        "--library",
        "open-mpi",
        "-o",
        "tuned",
        "--fail-if-nothing",
        "--verbose",
    ];
    let output = qtdec(&[&tune, more].concat(), folder.path());
    let file = fs::read(folder.path().join("tuned/open-mpi.conf")).unwrap();
    let selection = find_format("open-mpi").unwrap().read(&file, Job::default()).unwrap();
    (output, selection.decide("allreduce", 8, 65536).name)
}

/// The same gain is that of the next job if it stands on several, and of one job alone if all launches were of one.
#[test]
fn the_job_is_the_unit_of_claims() {
    for (jobs, of) in [(6, "6 jobs"), (3, "3 jobs")] {
        let (output, decided) = tuned_in_jobs(|launch| launch % jobs, &[]);
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!((output.status.code(), decided.as_deref()), (Some(0), Some("ring")), "{printed}");
        for line in [
            "allreduce: gain over `default` on held-out jobs +",
            "each job was held out in turn from those that decide\n",
            &format!("; 9 cells, {of})"),
            "Deploy allreduce with tuned/switches.sh; ",
        ] {
            assert!(printed.contains(line), "{line}: {printed}");
        }
        assert!(!printed.contains("launches)"), "{printed}");
    }
    let (output, decided) = tuned_in_jobs(|_| 1, &[]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!((output.status.code(), decided.as_deref()), (Some(3), Some("ring")), "{printed}");
    for line in [
        "allreduce: gain over `default` for this job, provisional: +",
        "Try allreduce with tuned/switches.sh: this is not a recommendation, because all launches were of one job; bcast is left",
        "In this job, the gain over the default was, provisionally: allreduce +",
        "; 9 cells, 6 launches of one job); another job may have none.\n",
    ] {
        assert!(printed.contains(line), "{line}: {printed}");
    }
}

/// Times that do not record jobs are asked about once, and the answer is one of two words.
#[test]
fn which_launches_shared_a_job_is_asked_once() {
    let answered = |more: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("times.csv"), launches(6)).unwrap();
        let output = tune("times.csv", &[&["--fail-if-nothing"], more].concat(), folder.path());
        let asked = String::from_utf8_lossy(&output.stderr).matches("--jobs launch").count();
        (
            output.status.code(),
            asked,
            String::from_utf8_lossy(&output.stdout).contains("for this job, provisional: +"),
        )
    };
    assert_eq!(answered(&[]), (Some(0), 1, false));
    assert_eq!(answered(&["--jobs", "launch"]), (Some(0), 0, false));
    assert_eq!(answered(&["--jobs", "one"]), (Some(3), 0, true));
}

/// Returns times of a broadcast in six launches with eight repeats each: `binomial` takes a quarter less time than the default in each of
/// four cells, and in the first few of them, each fourth of its calls takes six times as long.
fn slow_calls(cells: u64) -> String {
    let mut text = "collective,run,comm_size,msg_size,algorithm,time\n".to_owned();
    let mut chance = Pcg64::seed_from_u64(5);
    for (run, repeat) in (1..=6).flat_map(|run| (0..8).map(move |repeat| (run, repeat))) {
        for (cell, msg_size) in (0..).zip([64, 512, 4096, 65536]) {
            for (method, factor) in [("default", 1.0), ("binomial", 0.75)] {
                let is_slow = method == "binomial" && cell < cells && repeat % 4 == 3;
                let slow = if is_slow { 6.0 } else { 1.0 };
                let time = 20.0 * factor * slow * (1.0 + chance.random_range(0.0..0.02));
                let _ = writeln!(text, "bcast,{run},8,{msg_size},{method},{time}");
            }
        }
    }
    text
}

/// The mean time grows by two thirds where each fourth call takes six times as long; the median does not know these calls. One such cell
/// is enough, although the mean over all cells gains.
#[test]
fn a_method_with_slow_calls_is_not_recommended() {
    let (code, printed, decided, switches) = tuned(&slow_calls(0), &["--fail-if-nothing"]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(decided[1].is_some() && printed.contains("Deploy bcast with "), "{printed}");
    assert!(switches.contains("export"), "{switches}");
    for (cells, by_mean) in [(4, "count, -4"), (1, "count, +")] {
        let (code, printed, decided, switches) = tuned(&slow_calls(cells), &["--fail-if-nothing"]);
        assert_eq!((code, decided[1].as_ref()), (Some(3), None), "{printed}");
        assert!(!switches.contains("export"), "{switches}");
        for line in [
            "bcast: no gain over `default` is claimed: by the median it is +",
            by_mean,
            &format!(" and slower than the default in {cells} of 4 cells: comm_size=8 msg_size="),
            "with --statistic geomean or mean\n",
            "slow calls of bcast take more time than the others save.\n",
        ] {
            assert!(printed.contains(line), "{line}: {printed}");
        }
    }
    // The advice leads to decisions that avoid them.
    let (code, printed, decided, _) = tuned(&slow_calls(1), &["--fail-if-nothing", "--statistic", "geomean"]);
    assert_eq!((code, decided[1].is_some()), (Some(0), true), "{printed}");
    assert!(printed.contains("the default is kept in 1 cell: "), "{printed}");
}

#[test]
fn methods_that_differ_from_launch_to_launch_are_told() {
    let slower_in_every_other_launch = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        match (fields[4], fields[1].parse::<u32>()) {
            ("ring", Ok(run)) if run % 2 == 0 => {
                format!("{},{}\n", fields[..5].join(","), 1.3 * fields[5].parse::<f64>().unwrap())
            }
            _ => format!("{line}\n"),
        }
    };
    let uneven: String = launches(6).lines().map(slower_in_every_other_launch).collect();
    for (times, is_told) in [(launches(6), false), (uneven, true)] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("times.csv"), times).unwrap();
        let warned = reported(&tune("times.csv", &[], folder.path()));
        let told = "from launch to launch, each method differs by itself, at all sizes together";
        assert_eq!(warned.contains(&format!("allreduce: {told}")), is_told, "{warned}");
        assert!(!warned.contains(&format!("bcast: {told}")), "{warned}");
    }
}

/// The times of two cells in three launches, in which `binomial` takes less than the default: launch, size, default, binomial.
const CALLED: [(u32, u64, f64, f64); 6] = [
    (1, 64, 10.0, 9.1),
    (1, 65536, 400.0, 210.0),
    (2, 64, 11.0, 9.2),
    (2, 65536, 380.0, 205.0),
    (3, 64, 10.4, 9.6),
    (3, 65536, 420.0, 200.0),
];

/// Writes these times and a profile, and tunes with both.
fn tuned_with(profile: &str, times: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("times.csv"), times).unwrap();
    fs::write(folder.path().join("calls.csv"), profile).unwrap();
    tune("times.csv", &["--profile", "calls.csv"], folder.path())
}

fn called() -> String {
    let rows = CALLED.iter().flat_map(|(run, size, default, binomial)| {
        [("default", default), ("binomial", binomial)]
            .map(|(method, time)| format!("bcast,{run},4,{size},{method},{time}\n"))
    });
    rows.fold("collective,run,comm_size,msg_size,algorithm,time\n".to_owned(), |text, row| text + &row)
}

/// The gain is computed a second time from the rows: in each launch, the time of all calls under the default over that with `binomial`.
/// Calls of 100 bytes are of the cell with 64.
#[test]
fn a_profile_gives_the_gain_in_the_time_of_its_calls() {
    let profile = "collective,comm_size,msg_size,count\nbcast,4,64,500\nreduce,8,1048576,9\nMPI_Bcast,4,100,400\nbcast,4,65536,2\n";
    let printed = reported(&tuned_with(profile, &called()));
    let calls = |size: u64| if size == 64 { 900.0 } else { 2.0 };
    let logs = [1, 2, 3].map(|launch| {
        let rows = CALLED.iter().filter(|(run, ..)| *run == launch);
        let sums = rows.fold([0.0, 0.0], |[own, chosen], (_, size, default, binomial)| {
            [own + calls(*size) * default, chosen + calls(*size) * binomial]
        });
        f64::ln(sums[0] / sums[1])
    });
    let mean = logs.iter().sum::<f64>() / 3.0;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / 2.0;
    // The quantile of Student's t with two degrees of freedom.
    let half = 4.302_652_730 * (variance * (1.0 / 3.0 + 1.0 / 2.0)).sqrt();
    let [gain, low, high] = [mean, mean - half, mean + half].map(|log| 100.0 * log.exp_m1());
    let shown = format!("{gain:+.2} % (95 %: {low:+.2} to {high:+.2} %; 3 launches)");
    let line =
        format!("\ntime-weighted speed-up, for the calls of the profile: {shown}; 2 of 2 cells are called\n");
    assert!(printed.contains(&line), "{line}{printed}");
    assert!(printed.contains(&format!(", and {shown} in the time of the profile's calls.\n")), "{printed}");
    // The geometric gain is another one: it does not know the calls.
    let logs = CALLED.iter().map(|(.., default, binomial)| (default / binomial).ln());
    let expected = 100.0 * (logs.sum::<f64>() / 6.0).exp_m1();
    assert!(printed.contains(&format!("held-out launches {expected:+.2} % (95 %")), "{expected} {printed}");
    assert!(expected > gain + 10.0, "{expected} {gain}");
    // The decisions do not depend on the profile.
    let other = reported(&tuned_with("comm_size,msg_size,count\n4,65536,1\n", &called()));
    let table =
        |printed: &str| printed.split_once("\n tree ").unwrap().1.split_once("\n\n").unwrap().0.to_owned();
    assert_eq!(table(&printed), table(&other));
}

#[test]
fn a_profile_without_calls_of_a_collective_weighs_nothing() {
    let output = tuned_with("collective,comm_size,msg_size,count\nreduce,4,64,500\n", &called());
    let printed = reported(&output);
    assert!(!printed.contains("time-weighted"), "{printed}");
    let note = ". bcast: the profile has no calls of this collective\n";
    assert!(printed.contains(note), "{printed}");
}

#[test]
fn calls_beyond_the_measured_sizes_are_counted_at_the_ends() {
    let output = tuned_with("comm_size,msg_size,count\n4,64,3\n4,1048576,2\n", &called());
    let warned = reported(&output);
    let said = "bcast: 40.0 % of the calls in the profile are above the last msg_size that was measured, 65536, and count there";
    assert!(warned.contains(said), "{warned}");
}

#[test]
fn faults_of_a_profile_are_named_with_their_place() {
    let unread = tuned_with("comm_size,msg_size,count\n4,64,3\nfour,64,2\n", &called());
    let several = tuned_with("comm_size,msg_size,count\n4,64,3\n", &launches(3));
    let at = ["calls.csv:3", "calls.csv:1"];
    let what = [
        "`comm_size` is `four`, not a whole number",
        "there is no column `collective`, and the times are of several",
    ];
    for ((output, at), what) in [unread, several].iter().zip(at).zip(what) {
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(what) && error.contains(&format!("--> {at}")), "{error}");
    }
}

#[test]
fn where_nothing_is_gained_there_are_no_switches() {
    let times: String = launches(6)
        .lines()
        .filter(|line| !line.starts_with("allreduce"))
        .fold(String::new(), |text, line| text + line + "\n");
    for (more, expected) in [(&[][..], 0), (&["--fail-if-nothing"][..], 3)] {
        let (code, printed, decided, switches) = tuned(&times, more);
        assert_eq!(code, Some(expected), "{printed}");
        assert_eq!(decided, [None, None]);
        assert!(!switches.contains("export"), "{switches}");
        assert!(
            printed.contains("Deploy nothing: no collective gained over the library's default"),
            "{printed}"
        );
    }
}

/// Repeats of one launch give no interval, so that its files are marked.
#[test]
fn with_one_launch_the_gain_is_unknown() {
    let times = launches(6);
    let rows = times.lines().skip(1).map(|line| {
        let mut columns: Vec<&str> = line.split(',').collect();
        columns[1] = "1";
        columns.join(",")
    });
    let times = std::iter::once("collective,run,comm_size,msg_size,algorithm,time".to_owned()).chain(rows);
    let times = times.collect::<Vec<_>>().join("\n");
    for (more, expected) in [(&[][..], 0), (&["--fail-if-nothing"][..], 3)] {
        let (code, printed, decided, switches) = tuned(&times, more);
        assert_eq!(code, Some(expected), "{printed}");
        assert_eq!(decided[0].as_deref(), Some("ring"));
        let marks = ["allreduce", "bcast"].map(|name| format!("\n# {name}: gain unknown\n"));
        assert!(marks.iter().all(|mark| switches.contains(mark)), "{switches}");
        assert!(switches.contains("export"), "{switches}");
        assert!(printed.contains("allreduce: gain over `default` unknown: one launch"), "{printed}");
        assert!(printed.contains("because the gain is unknown.\n"), "{printed}");
    }
}

/// Returns the data of a page.
fn data_of(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("a page has data");
    let (data, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(data).unwrap()
}

/// The comments change nothing: the tuning file and the sources without them decide the same.
#[test]
fn generated_files_say_what_they_are_true_of() {
    let folder = tempfile::tempdir().unwrap();
    let header = "# qtdec-times/1\n# machine: grig\n# library: Open MPI 5.0.7\n# measured: 2026-03-01\n# axis comm_size: ranks\n\
                  # axis msg_size: bytes\ncomm_size,msg_size,method,collective,basis,launch,repeat,time_us\n";
    let mut times = header.to_owned();
    for (launch, noise) in [(1, 0.0), (2, 0.03), (3, 0.01)] {
        for size in [64, 1024] {
            let own = [("default", 10.0 + noise), ("binomial", 5.0 - noise)];
            times.extend(
                own.map(|(method, time)| format!("4,{size},{method},bcast,buffer,{launch},1,{time}\n")),
            );
        }
    }
    fs::write(folder.path().join("times.csv"), times).unwrap();
    let tune = ["mpi", "tune", "times.csv", "--library", "open-mpi", "-o", "tuned", "--baseline", "default"];
    reported(&qtdec(&tune, folder.path()));
    let read = |name: &str| fs::read_to_string(folder.path().join("tuned").join(name)).unwrap();
    let about = "# machine: grig\n# library: Open MPI 5.0.7\n# measured: 2026-03-01\n# statistic: median\n# times: times.csv\n\
                 # bcast: gain over the default on held-out launches +";
    let sizes = "launches)\n# bcast: measured at comm_size 4 to 4, msg_size 64 to 1024\n";
    let extent =
        "# The rules of bcast end at 4 ranks, the most that were measured (--extend continues them); ";
    for name in ["open-mpi.conf", "switches.sh"] {
        let text = read(name);
        assert!(text.starts_with(about) && text.contains(sizes) && text.contains(extent), "{text}");
    }
    let rust = about.replace("# ", "// ");
    assert!(read("bcast.rs").split_once('\n').unwrap().1.starts_with(&rust), "{}", read("bcast.rs"));
    for line in about.lines().chain(sizes.lines().skip(1)) {
        let line = format!("/* {}", line.strip_prefix("# ").unwrap());
        assert!(read("bcast.h").contains(&line), "{line} {}", read("bcast.h"));
    }

    let rules = read("open-mpi.conf");
    let plain: Vec<&str> = rules.lines().filter(|line| !line.starts_with('#')).collect();
    fs::write(folder.path().join("plain.conf"), plain.join("\n") + "\n").unwrap();
    let import = |file: &str| {
        reported(&qtdec(
            &["mpi", "import", file, "--format", "open-mpi", "--collective", "bcast"],
            folder.path(),
        ))
    };
    assert_eq!(
        import("tuned/open-mpi.conf").replace("tuned/open-mpi.conf", "F"),
        import("plain.conf").replace("plain.conf", "F")
    );

    let check = |release: &str| {
        let output = qtdec(&["mpi", "check", "tuned/open-mpi.conf", "--release", release], folder.path());
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(check("4.1").contains("was made from times of Open MPI 5.0.7, and is checked for Open MPI 4.1"));
    assert!(!check("5.0").contains("warning: "));
}

#[test]
fn reports_hold_the_tuning_file_and_the_repeats() {
    let folder = tempfile::tempdir().unwrap();
    let times = times();
    fs::write(folder.path().join("times.csv"), &times).unwrap();
    let printed = reported(&tune("times.csv", &[], folder.path()));
    // The printed command is complete.
    let next: Vec<&str> = printed
        .lines()
        .filter_map(|line| line.split_once("qtdec-mpi measure ")?.1.split("  #").next())
        .collect();
    let [next] = next[..] else { panic!("{printed}") };
    let words = shlex::split(&format!("mpi measure {next}")).unwrap();
    reported(&qtdec(&words.iter().map(String::as_str).collect::<Vec<_>>(), folder.path()));
    let script = fs::read_to_string(folder.path().join("final.sh")).unwrap();
    for collective in ["allreduce", "bcast"] {
        assert!(script.contains(&format!(" --deployed tuned/{collective}.tree.json ||")), "{script}");
    }
    // The page about all opens with the notes about all, and with the switches.
    let about_all = ["Try ", "No rule", "On the next run, ", "This could go wrong: "];
    let last = about_all.map(|beginning| {
        let line = printed
            .lines()
            .find(|line| line.split_once(". ").is_some_and(|(_, note)| note.starts_with(beginning)));
        line.map_or_else(
            || printed.lines().find(|line| line.starts_with(beginning)).unwrap(),
            |line| line.split_once(". ").unwrap().1,
        )
    });
    let page = fs::read_to_string(folder.path().join("tuned/report.html")).unwrap();
    let (opening, _) = page.split_once("<ul>").unwrap();
    for sentence in &last {
        assert!(opening.contains(&format!("<p>{sentence}</p>")), "{sentence} {opening}");
    }
    assert_eq!(
        last[1],
        "No rule in open-mpi.conf reaches MPI_Gatherv, MPI_Scatterv, MPI_Alltoallw, the neighborhood collectives or any nonblocking \
         or persistent collective (MPI_Ibcast, MPI_Bcast_init, …)."
    );
    let switches = fs::read_to_string(folder.path().join("tuned/switches.sh")).unwrap();
    assert!(opening.contains(&switches), "{opening}");
    let read = |name: &str| fs::read_to_string(folder.path().join("tuned").join(name)).unwrap();
    for page in ["bcast.html", "allreduce.html"] {
        let data = data_of(&read(page));
        for (at, name) in ["open-mpi.conf", "switches.sh"].iter().enumerate() {
            assert_eq!(data["deployed"][at]["name"], *name);
            assert_eq!(data["deployed"][at]["text"], read(name));
        }
        let in_us = |text: &str| {
            let (number, unit) = text.rsplit_once(' ').unwrap();
            number.parse::<f64>().unwrap() * if unit == "ms" { 1000.0 } else { 1.0 }
        };
        for cell in data["cells"].as_array().unwrap() {
            for texts in cell["methods"].as_object().unwrap().values() {
                let cost = in_us(texts[0].as_str().unwrap().rsplit_once(", ").unwrap().1);
                let repeats = texts[1].as_str().unwrap();
                let middle = repeats.strip_prefix("4, the middle half from ").unwrap();
                let (low, high) = middle.split_once(" to ").unwrap();
                assert!(in_us(low) <= cost && cost <= in_us(high) && in_us(low) < in_us(high), "{texts}");
            }
        }
    }
}

/// The default takes 9, 10 and 11 % longer than the untouched library in the launches: the cube root of their product is 1.1.
#[test]
fn what_the_switches_cost_is_said_and_the_untouched_library_is_no_method() {
    let mut text = "collective,run,comm_size,msg_size,algorithm,time\n".to_owned();
    for (run, factor) in [(1, 1.09), (2, 1.10), (3, 1.11)] {
        for (comm_size, msg_size) in [(4, 64), (4, 4096), (8, 64), (8, 4096)] {
            let untouched = 10.0 + f64::from(comm_size * run);
            let methods = [
                ("default", factor * untouched),
                ("untouched", untouched),
                ("binomial", 40.0 / f64::from(comm_size)),
            ];
            for (method, time) in methods {
                let _ = writeln!(text, "bcast,{run},{comm_size},{msg_size},{method},{time}");
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("times.csv"), &text).unwrap();
    let output = tune("times.csv", &[], folder.path());
    let told = reported(&output);
    assert!(
        told.contains(
            "the switches of the deployment alone change the time of `default` by +10.0 % (95 %: +"
        ) && told.contains(", 3 launches) against the untouched library"),
        "{told}"
    );
    let map = map_of(&fs::read_to_string(folder.path().join("tuned/bcast.map.json")).unwrap());
    assert!(map.domain().methods().iter().all(|method| method.label() != "untouched"));
}

/// Returns times of three launches. With HAN, the default takes 9 µs more than the binomial tree on 4 ranks, and is the fastest on 8.
fn times_with_han() -> String {
    let mut text = "collective,run,comm_size,msg_size,algorithm,time\n".to_owned();
    for run in 1..=3 {
        for (comm_size, msg_size) in [(4, 64), (4, 4096), (8, 64), (8, 4096)] {
            let noise = f64::from(run) / 10.0;
            let binomial = if comm_size == 4 { 10.0 } else { 30.0 };
            let methods = [("default", 100.0), ("default-han", 19.0 + noise), ("binomial", binomial - noise)];
            for (method, time) in methods {
                let _ = writeln!(text, "bcast,{run},{comm_size},{msg_size},{method},{time}");
            }
        }
    }
    text
}

/// Tunes these times, and returns the folder and the output.
fn tuned_with_han(text: &str, options: &[&str]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("times.csv"), text).unwrap();
    let output = tune("times.csv", options, folder.path());
    (folder, reported(&output))
}

#[test]
fn han_keeps_the_calls_without_rules_where_the_default_was_measured_with_it() {
    let text = times_with_han();
    let (folder, out) = tuned_with_han(&text, &["--release", "5.0"]);
    // On two nodes with four ranks each, HAN's own broadcasts among four ranks have rules.
    assert!(out.contains("the rules also serve those on 4 ranks and more"), "{out}");
    let read = |name: &str| fs::read_to_string(folder.path().join("tuned").join(name));
    let switches = read("switches.sh").unwrap();
    for (setting, is_set) in [
        ("OMPI_MCA_coll_han_use_dynamic_file_rules=1", true),
        ("/tuned/open-mpi-han.conf", true),
        ("/tuned/open-mpi.conf", true),
        ("OMPI_MCA_coll_han_priority", false),
    ] {
        assert_eq!(switches.contains(setting), is_set, "{setting}: {switches}");
    }
    let routes = read("open-mpi-han.conf").unwrap();
    let expected = "1 # ranks and more\n1 # message sizes\n0 han\n4 # ranks and more\n1 # message sizes\n0 tuned\n\
                    7 # ranks and more\n1 # message sizes\n0 han\n";
    assert!(routes.ends_with(expected), "{routes}");
    let map = map_of(&read("bcast.map.json").unwrap());
    let labels: Vec<String> = map.domain().methods().iter().map(qtdec_core::Method::label).collect();
    assert_eq!(labels, ["default-han", "binomial"], "{out}");
    let planned = r#"["--library","open-mpi","--release","5.0","--collective","bcast","--np","4,8","--msg-size","64..4096","#;
    assert!(read("measured.json").unwrap().contains(planned), "{out}");
    assert!(out.contains("bcast: gain over `default-han` on held-out launches +"), "{out}");
    assert!(!out.contains("cannot be configured"), "{out}");

    // Rules for 4.1 switch HAN off, which has the priority 0 there.
    let (folder, out) = tuned_with_han(&text, &[]);
    assert!(out.contains("with --release 5.0, HAN keeps the calls without rules"), "{out}");
    assert!(!folder.path().join("tuned/open-mpi-han.conf").exists());
    let map = map_of(&fs::read_to_string(folder.path().join("tuned/bcast.map.json")).unwrap());
    assert!(map.domain().methods().iter().all(|method| method.label() != "default-han"), "{out}");

    let without: Vec<&str> = text.lines().filter(|line| !line.contains("default-han")).collect();
    let without = without.join("\n");
    let (_, out) = tuned_with_han(&without, &["--release", "5.0"]);
    assert!(
        out.contains("HAN is switched off for all calls") && out.contains("measure `default-han`"),
        "{out}"
    );
}

/// Components of HAN's levels are candidates where HAN keeps its calls and a file can say them.
#[test]
fn the_components_of_levels_are_candidates_where_a_file_says_them() {
    let simple = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let row = |method: &str, time: f64| {
            let sizes = fields[..4].join(",");
            let noise = 0.01 * fields[1].parse::<f64>().unwrap();
            format!("{line}\n{sizes},{method},{}", time + noise)
        };
        match fields[4] {
            "default" => row("han:inter=adapt:intra=sm", 5.0),
            "default-han" => row("han:inter=libnbc:intra=sm", 1.0),
            _ => line.to_owned(),
        }
    };
    let text: Vec<String> = times_with_han().lines().map(simple).collect();
    let text = text.join("\n");
    let (folder, out) = tuned_with_han(&text, &["--release", "5.0"]);
    assert!(
        out.contains("han:inter=libnbc:intra=sm is excluded: variables alone choose such an algorithm"),
        "{out}"
    );
    let read = |name: &str| fs::read_to_string(folder.path().join("tuned").join(name)).unwrap();
    let routes = read("open-mpi-han.conf");
    assert!(routes.contains("4 # ranks and more\n1 # message sizes\n0 han @simple\n"), "{routes}");
    assert!(
        routes.contains("inter_node\n") && routes.contains("0 adapt\n") && routes.contains("0 sm\n"),
        "{routes}"
    );
    assert!(read("switches.sh").contains("/tuned/open-mpi-han.conf"), "{}", read("switches.sh"));
    let map = map_of(&read("bcast.map.json"));
    let mut labels: Vec<String> = map.domain().methods().iter().map(qtdec_core::Method::label).collect();
    labels.sort_unstable();
    assert_eq!(labels, ["binomial", "default-han", "han:inter=adapt:intra=sm"]);

    let (_, out) = tuned_with_han(&text, &["--release", "4.1"]);
    assert!(out.contains("excluded: HAN is switched off, or no file is written for it"), "{out}");
}

#[test]
fn what_is_promised_with_han_and_what_is_verified_are_of_one_pair() {
    let text = times_with_han();
    let (folder, _) = tuned_with_han(&text, &["--release", "5.0"]);
    // Binomial takes 9.8 µs where the default takes 19.2.
    let is_after = |line: &&str| line.starts_with("collective") || line.contains("default-han");
    let after: Vec<&str> = text.lines().filter(is_after).collect();
    fs::write(folder.path().join("again.csv"), after.join("\n")).unwrap();
    for (times, canonical) in [("times.csv", "before.csv"), ("again.csv", "after.csv")] {
        reported(&qtdec(&[&["read", times, "-o", canonical], &READING[..4]].concat(), folder.path()));
    }
    let verify = ["verify", "before.csv", "after.csv", "--deployed", "tuned/bcast.tree.json"];
    let out = String::from_utf8(qtdec(&verify, folder.path()).stdout).unwrap();
    assert!(out.contains("promised    -48.96 % "), "{out}");
    let named = |own: &str| qtdec(&[&verify[..], &["--baseline", own]].concat(), folder.path());
    let other = named("default");
    assert_eq!(other.status.code(), Some(2));
    let told = String::from_utf8(other.stderr).unwrap();
    assert!(
        told.contains("the deployed tree replaces `default-han`, and --baseline names `default`"),
        "{told}"
    );
    assert_eq!(String::from_utf8(named("default-han").stdout).unwrap(), out);
    // A script of turns that was written before the tree calls the library's own choice `default`.
    let by_turns = |side: &str, times: [f64; 2]| {
        let mut text = "collective,run,comm_size,msg_size,algorithm,time\n".to_owned();
        for (pair, noise) in [("pair1", 0.0), ("pair2", 0.1), ("pair3", 0.2)] {
            for (comm_size, time) in [(4, times[0]), (8, times[1])] {
                for msg_size in [64, 4096] {
                    let _ = writeln!(text, "bcast,{pair},{comm_size},{msg_size},default,{}", time + noise);
                }
            }
        }
        fs::write(folder.path().join("raw.csv"), text).unwrap();
        reported(&qtdec(&[&["read", "raw.csv", "-o", side], &READING[..4]].concat(), folder.path()));
    };
    by_turns("without.csv", [19.2, 19.2]);
    by_turns("with.csv", [9.8, 19.2]);
    let verify = ["verify", "before.csv", "without.csv", "with.csv", "--deployed", "tuned/bcast.tree.json"];
    let followed = reported(&qtdec(&verify, folder.path()));
    assert!(
        followed.contains("3 pairs of launches by turns") && followed.contains("answer      follows"),
        "{followed}"
    );
    assert!(followed.contains("promised    -48.96 % "), "{followed}");
}

#[test]
fn a_baseline_that_the_deployment_does_not_replace_is_refused() {
    let text = times_with_han();
    // Whoever names the other default is told what the files replace, and how HAN is switched off instead.
    for (more, baseline, replaced) in [
        (&["--release", "5.0"][..], "default", "it replaces `default-han`: leave out --baseline"),
        (&["--release", "4.1"], "default-han", "it replaces `default`"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("times.csv"), &text).unwrap();
        let output = tune("times.csv", &[more, &["--baseline", baseline]].concat(), folder.path());
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains(replaced), "{err}");
        assert!(!folder.path().join("tuned").exists());
    }
    let off = ["--release", "5.0", "--exclude", "default-han", "--baseline", "default"];
    let (folder, out) = tuned_with_han(&text, &off);
    assert!(out.contains("bcast: gain over `default` on held-out launches +"), "{out}");
    assert!(!out.contains("cannot be configured") && !out.contains("HAN is switched off"), "{out}");
    let switches = fs::read_to_string(folder.path().join("tuned/switches.sh")).unwrap();
    assert!(
        switches.contains("OMPI_MCA_coll_han_priority=0") && !switches.contains("han.conf"),
        "{switches}"
    );
}
