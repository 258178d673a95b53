//! `qtdec tune`: what it writes decides as its trees do, and leaves the choice to the library where the default is best.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use qtdec_core::{DecisionMap, DecisionTree, Document};
use qtdec_tune::tuning::{Job, find_format};

fn qtdec(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_qtdec")).args(arguments).current_dir(folder).output().unwrap()
}

fn told(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn map_of(text: &str) -> DecisionMap {
    Document::from_json(text.as_bytes()).unwrap().into_map().expect("a map was written")
}

fn tree_of(text: &str) -> DecisionTree {
    Document::from_json(text.as_bytes()).unwrap().into_tree().expect("a tree was written")
}

/// Two collectives, of which the default is best for small messages; four repeats in two runs.
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

#[test]
fn one_tuning_file_for_all_collectives() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("times.csv"), times()).unwrap();
    let command = [&["tune", "times.csv", "--library", "open-mpi", "-o", "tuned"], &READING[..]].concat();
    let printed = told(&qtdec(&command, folder.path()));
    assert!(printed.contains("held out was the later half of the runs"), "{printed}");
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
        // Of three message sizes, the smallest for both, and another one where the ring needs longer to pay.
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
fn what_a_library_cannot_be_told_of_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let text = times().replace(",ring,", ",bine:k=4,");
    fs::write(folder.path().join("times.csv"), text).unwrap();
    let command = [&["tune", "times.csv", "--library", "open-mpi", "-o", "tuned"], &READING[..]].concat();
    let output = qtdec(&command, folder.path());
    told(&output);
    let warned = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(warned.contains("allreduce is left to the library: "), "{warned}");
    let written = fs::read_to_string(folder.path().join("tuned/open-mpi.conf")).unwrap();
    assert!(written.contains("bcast") && !written.contains("allreduce"), "{written}");

    // MPICH needs a whole file, and says so before anything is written.
    let command = [&["tune", "times.csv", "--library", "mpich", "-o", "no"], &READING[..]].concat();
    let output = qtdec(&command, folder.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--into"));
    assert!(!folder.path().join("no").exists());
}

#[test]
fn one_repeat_and_no_default_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let lines = times();
    let first = |line: &&str| {
        line.starts_with("collective") || line.starts_with("bcast,1,") && !line.contains("default")
    };
    let mut seen = std::collections::HashSet::new();
    let once = |line: &&str| seen.insert(line.rsplit_once(',').map(|(point, _)| point.to_owned()));
    let text: Vec<&str> = lines.lines().filter(first).filter(once).collect();
    fs::write(folder.path().join("times.csv"), text.join("\n")).unwrap();
    let command = [&["tune", "times.csv", "--library", "open-mpi", "-o", "tuned"], &READING[..]].concat();
    let output = qtdec(&command, folder.path());
    let printed = told(&output);
    assert!(printed.contains("nothing could be held out: the files hold too few repeats"), "{printed}");
    let warned = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(warned.contains("every time is a single sample"), "{warned}");
    assert!(warned.contains("no method is known to be the library's own choice"), "{warned}");
}

/// The values that a page shows.
fn data_of(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("a page has data");
    let (data, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(data).unwrap()
}

#[test]
fn reports_hold_the_tuning_file_and_the_repeats() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("times.csv"), times()).unwrap();
    let command = [&["tune", "times.csv", "--library", "open-mpi", "-o", "tuned"], &READING[..]].concat();
    let printed = told(&qtdec(&command, folder.path()));
    assert!(printed.contains("qtdec verify BEFORE AFTER --baseline DEFAULT --deployed tuned/"), "{printed}");
    let read = |name: &str| fs::read_to_string(folder.path().join("tuned").join(name)).unwrap();
    for page in ["bcast.html", "allreduce.html"] {
        let data = data_of(&read(page));
        for (at, name) in ["open-mpi.conf", "switches.sh"].iter().enumerate() {
            assert_eq!(data["deployed"][at]["name"], *name);
            assert_eq!(data["deployed"][at]["text"], read(name));
        }
        for cell in data["cells"].as_array().unwrap() {
            for row in cell["costs"].as_array().unwrap() {
                let [cost, low, high] = [1, 3, 4].map(|at| row[at].as_f64().unwrap());
                assert!(row[2] == 4 && low <= cost && cost <= high && low < high, "{row}");
            }
        }
    }
}
