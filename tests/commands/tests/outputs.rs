//! Outputs: none of them is an input, and however the command ends, a file has either its old or its new content.
#![cfg(unix)]

#[path = "outputs/entries.rs"]
mod entries;
#[path = "outputs/folders.rs"]
mod folders;

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use tempfile::TempDir;

static QTDEC: LazyLock<&str> = LazyLock::new(qtdec_commands::qtdec);
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/commands.in");

/// The number of times that a command is stopped at a random moment.
const STOPS: usize = 24;

/// Returns a folder with a table of times.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.csv"), TIMES).unwrap();
    folder
}

const TIMES: &str = "comm_size,msg_size,method,time\n2,8,ring,1\n2,16,ring,2\n2,8,linear,2\n2,16,linear,1\n";

fn qtdec(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(*QTDEC);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    qtdec(folder, arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The commands, with `IN` for an input and `OUT` for an output.
const COMMANDS: [&str; 15] = [
    "map IN -o OUT",
    "map other.csv IN -o OUT",
    "map IN -o o.json --hold-out repeats --held-out OUT",
    "encode IN -o OUT",
    "mpi import IN --format open-mpi -o OUT",
    "combine other.json IN -o OUT",
    "weigh IN profile.csv -o OUT",
    "weigh map.json IN -o OUT",
    "emit IN --target rust -o OUT",
    "emit IN --target lookup-table -o OUT",
    "mpi emit map.json --target open-mpi --into IN -o OUT",
    "plot IN -o OUT",
    "report IN -o OUT",
    "sweep IN --over trade-off --picture OUT",
    "mpi compare map.json --rules IN --picture OUT",
];

#[test]
fn no_command_overwrites_its_input() {
    // No reader accepts this content: the command must fail before it reads it.
    const CONTENT: &[u8] = b"\0 neither times nor a map";
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("in.svg"), CONTENT).unwrap();
    fs::hard_link(path("in.svg"), path("hard.svg")).unwrap();
    symlink("in.svg", path("soft.svg")).unwrap();
    symlink(".", path("here")).unwrap();
    let names = ["in.svg", "./in.svg", "hard.svg", "soft.svg", "here/in.svg"];
    for command in COMMANDS {
        let pairs = names.iter().flat_map(|input| names.map(|output| (*input, output)));
        for (input, output) in pairs.filter(|(input, output)| [*input, *output].contains(&"in.svg")) {
            let command = command.replace("IN", input).replace("OUT", output);
            let output = run(folder.path(), &command.split(' ').collect::<Vec<_>>());
            assert_eq!(output.status.code(), Some(2), "{command}: {}", said(&output));
            assert!(said(&output).contains("whose content would be lost"), "{command}: {}", said(&output));
            assert_eq!(fs::read(path("in.svg")).unwrap(), CONTENT, "{command}");
            assert!(path("soft.svg").is_symlink() && !path("o.json").exists());
        }
    }
}

#[test]
fn standard_streams_are_inputs_and_outputs_too() {
    let folder = folder();
    let times = folder.path().join("t.csv");
    let output = qtdec(folder.path(), &["map", "-", "-o", "t.csv"])
        .stdin(File::open(&times).unwrap())
        .output()
        .unwrap();
    assert!(said(&output).contains("the output `t.csv` is the input standard input"), "{}", said(&output));
    let output = qtdec(folder.path(), &["map", "t.csv"])
        .stdout(OpenOptions::new().append(true).open(&times).unwrap())
        .output()
        .unwrap();
    assert!(said(&output).contains("the output standard output is the input `t.csv`"), "{}", said(&output));
    assert_eq!(fs::read_to_string(&times).unwrap(), TIMES);
}

#[test]
fn two_outputs_are_two_files() {
    let folder = folder();
    symlink("a.json", folder.path().join("link.json")).unwrap();
    for (output, held_out) in
        [("a.json", "a.json"), ("a.json", "./a.json"), ("link.json", "a.json"), ("-", "-")]
    {
        let hold_out = ["map", "t.csv", "--hold-out", "repeats", "-o", output, "--held-out", held_out];
        let output = run(folder.path(), &hold_out);
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains("two outputs go to"), "{}", said(&output));
    }
    assert_eq!(names(folder.path()), ["link.json", "t.csv"]);
}

#[test]
fn a_file_that_would_be_read_from_a_folder_is_no_output() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("runs/deep")).unwrap();
    fs::rename(path("t.csv"), path("runs/deep/t.csv")).unwrap();
    fs::hard_link(path("runs/deep/t.csv"), path("hard.csv")).unwrap();
    symlink("../hard.csv", path("runs/soft.csv")).unwrap();
    for output in ["runs/deep/t.csv", "runs/../runs/deep/t.csv", "hard.csv", "runs/soft.csv"] {
        let output = run(folder.path(), &["map", "runs", "-o", output]);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("whose content would be lost"), "{}", said(&output));
    }
    let held_out = ["map", "runs", "--hold-out", "repeats", "-o", "o.json", "--held-out", "hard.csv"];
    assert_eq!(run(folder.path(), &held_out).status.code(), Some(2));
    assert_eq!(fs::read_to_string(path("hard.csv")).unwrap(), TIMES);
    // A map among the times is not read as times, and can be overwritten.
    for _ in 0..2 {
        let output = run(folder.path(), &["map", "runs/deep", "-o", "runs/deep/map.json"]);
        assert!(output.status.success(), "{}", said(&output));
    }
}

#[test]
fn every_part_of_a_split_map_is_checked_before_the_first_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let times = "comm_size,ppn,method,time\n2,1,ring,1\n4,1,ring,1\n2,8,ring,1\n4,8,ring,1\n";
    fs::write(folder.path().join("m.ppn-8.csv"), times).unwrap();
    let split = [
        "map",
        "m.ppn-8.csv",
        "--columns",
        "comm_size=comm_size,ppn=ppn",
        "--split-by",
        "ppn",
        "-o",
        "m.csv",
    ];
    let output = run(folder.path(), &split);
    assert!(said(&output).contains("the output `m.ppn-8.csv` is the input"), "{}", said(&output));
    assert_eq!(names(folder.path()), ["m.ppn-8.csv"]);
}

/// A pipe in a folder is skipped, because nobody may ever write to it.
#[test]
fn pipes_in_folders_are_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("times")).unwrap();
    fs::write(folder.path().join("times/t.csv"), TIMES).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path().join("times/pipe")).status().unwrap().success());
    let output = run(folder.path(), &["map", "times"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("skipped: `times/pipe`"), "{}", said(&output));
}

/// Help that cannot be written to a full disk is an error; a program name that is not UTF-8 is not.
#[cfg(target_os = "linux")]
#[test]
fn help_on_a_full_disk_and_program_names_that_are_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::process::CommandExt;

    let output = Command::new("sh").args(["-c", "\"$0\" --help > /dev/full", *QTDEC]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("cannot write the help"), "{}", said(&output));
    let mut odd = Command::new(*QTDEC);
    odd.arg0(OsStr::from_bytes(b"\xff")).args(["decide", "nothing", "x"]);
    let output = odd.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

#[test]
fn pipes_and_links_stay_what_they_are() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let whole = run(folder.path(), &["map", "t.csv"]).stdout;

    assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    let mut writer =
        qtdec(folder.path(), &["map", "t.csv", "-o", "pipe"]).stderr(Stdio::null()).spawn().unwrap();
    assert_eq!(fs::read(path("pipe")).unwrap(), whole);
    assert!(writer.wait().unwrap().success());
    assert!(fs::symlink_metadata(path("pipe")).unwrap().file_type().is_fifo());

    fs::create_dir(path("far")).unwrap();
    symlink("far/map.json", path("link")).unwrap();
    for _ in ["a new file", "an old one"] {
        assert!(run(folder.path(), &["map", "t.csv", "-o", "link"]).status.success());
        assert_eq!(fs::read(path("far/map.json")).unwrap(), whole);
        assert!(path("link").is_symlink());
        fs::write(path("far/map.json"), "old").unwrap();
    }

    // A file that the shell has opened is written to, not replaced.
    let opened = File::create(path("opened")).unwrap();
    let inode = opened.metadata().unwrap().ino();
    let streamed = qtdec(folder.path(), &["map", "t.csv", "-o", "/dev/stdout"]).stdout(opened).status();
    assert!(streamed.unwrap().success());
    assert_eq!(fs::read(path("opened")).unwrap(), whole);
    assert_eq!(fs::metadata(path("opened")).unwrap().ino(), inode);
    assert_eq!(names(folder.path()), ["far", "link", "opened", "pipe", "t.csv"]);
}

#[test]
fn permissions_are_those_of_the_old_file_or_of_any_new_one() {
    let folder = folder();
    let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o7777;
    let shell = |script: &str| {
        let run =
            Command::new("sh").args(["-c", script, *QTDEC]).current_dir(folder.path()).output().unwrap();
        assert!(run.status.success(), "{}", said(&run));
    };
    for mask in ["022", "077", "007"] {
        shell(&format!("umask {mask}; rm -f new any; \"$0\" map t.csv -o new; : > any"));
        assert_eq!(mode("new"), mode("any"), "{mask}");
    }
    for old in [0o600, 0o664, 0o755] {
        fs::set_permissions(folder.path().join("new"), fs::Permissions::from_mode(old)).unwrap();
        shell("umask 022; \"$0\" map t.csv -o new");
        assert_eq!(mode("new"), old);
    }
}

#[test]
fn a_full_disk_leaves_the_old_file_unchanged() {
    // A signal that is ignored makes a write beyond the limit fail as on a full disk; one that is not ends the process.
    for (trap, code) in [("trap '' XFSZ; ", Some(1)), ("", None)] {
        for existing in [Some("old"), None] {
            let folder = folder();
            let target = folder.path().join("map.json");
            if let Some(old) = existing {
                fs::write(&target, old).unwrap();
            }
            let script = format!("{trap}ulimit -c 0; ulimit -f 0; exec \"$0\" map t.csv -o map.json");
            let mut shell = Command::new("bash");
            let output = shell.args(["-c", &script, *QTDEC]).current_dir(folder.path()).output().unwrap();
            assert_eq!(output.status.code(), code, "{}", said(&output));
            assert_eq!(fs::read_to_string(&target).ok().as_deref(), existing);
            if code.is_some() {
                assert!(said(&output).contains("cannot write `map.json`: "), "{}", said(&output));
                assert_eq!(names(folder.path()).len(), 1 + usize::from(existing.is_some()));
            }
        }
    }
}

#[test]
fn a_command_that_is_stopped_leaves_the_old_file_or_the_new() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::copy(format!("{FIXTURES}/polaris.json"), path("map.json")).unwrap();
    let encode = ["encode", "map.json", "-o", "tree.json"];
    let began = Instant::now();
    assert!(run(folder.path(), &encode).status.success());
    let whole_time = began.elapsed();
    let new = fs::read(path("tree.json")).unwrap();
    let mut random = Pcg64::seed_from_u64(1);
    for signal in ["INT", "TERM", "HUP", "KILL"].into_iter().cycle().take(STOPS) {
        fs::write(path("tree.json"), "old").unwrap();
        let mut child = qtdec(folder.path(), &encode).stderr(Stdio::null()).spawn().unwrap();
        sleep(whole_time.mul_f64(random.random_range(0.0..1.2)).min(Duration::from_secs(5)));
        // Until it is waited for, a process keeps its number even where it has ended.
        let number = child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{signal}"), &number]).status().unwrap().success());
        child.wait().unwrap();
        let left = fs::read(path("tree.json")).unwrap();
        assert!(left == b"old" || left == new, "{signal}: {}", String::from_utf8_lossy(&left));
    }
    let mut names = names(folder.path());
    names.retain(|name| !(name.starts_with(".qtdec-") && name.strip_suffix(".tmp").is_some()));
    assert_eq!(names, ["map.json", "tree.json"]);
}

#[test]
fn results_of_plans_are_written_where_they_are_told() {
    let folder = folder();
    let path = folder.path();
    let campaign = ["--library", "open-mpi", "--collective", "barrier", "--np", "2", "--launcher", "srun"];
    // A folder whose name begins with a dash would be an option of the commands in the script.
    let refused =
        run(path, &[&["mpi", "measure"], &campaign[..], &["--results=-rf", "-o", "job.sh"]].concat());
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("write --results ./-rf"), "{}", said(&refused));
    assert!(!path.join("job.sh").exists());
    assert!(
        run(path, &[&["mpi", "measure"], &campaign[..], &["--results=./-rf", "-o", "job.sh"]].concat())
            .status
            .success()
    );
}

#[test]
fn simulated_times_are_read_again_and_only_compared_with_their_collective() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let grid = ["--comm-size", "2,4", "--msg-size", "1K,64K", "--segment-size", "8K"];
    for collective in ["bcast", "reduce"] {
        let csv = format!("{collective}.csv");
        let simulated =
            [&["mpi", "predict", "grig", "--collective", collective, "-o", &csv][..], &grid].concat();
        assert!(run(path, &simulated).status.success());
        assert!(run(path, &["map", &csv, "-o", &format!("{collective}.json")]).status.success());
    }
    let map = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    let modelled = [
        &["mpi", "predict", "grig", "--collective", "bcast", "--form", "simulated", "-o", "model.json"][..],
        &grid,
    ]
    .concat();
    assert!(run(path, &modelled).status.success());
    let cells =
        |text: &str| text.split("\"cells\"").nth(1).unwrap().split("\"costs\"").next().unwrap().to_owned();
    assert_eq!(cells(&map("bcast.json")), cells(&map("model.json")));
    for arguments in [
        &["mpi", "predict", "grig", "--collective", "bcast", "--against", "reduce.json"][..],
        &["mpi", "network", "fit", "grig", "reduce.json"],
    ] {
        let refused = run(path, arguments);
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
        assert!(said(&refused).contains("times are of reduce") || said(&refused).contains("times of reduce"));
    }
    assert!(
        run(path, &["mpi", "predict", "grig", "--collective", "bcast", "--against", "bcast.json"])
            .status
            .success()
    );
}

#[test]
fn a_page_of_predicted_times_says_how_far_they_are_from_the_bound() {
    let folder = tempfile::tempdir().unwrap();
    let grid = ["--comm-size", "2,8", "--msg-size", "1,1M"];
    let sentence = "of 4 cells the best is within 4 % of the lower bound of any algorithm";
    for (noise, is_said) in [("0", true), ("0.1", false)] {
        let model = ["mpi", "predict", "grig", "--collective", "bcast", "--noise", noise, "-o", "model.json"];
        let made = run(folder.path(), &[&model[..], &grid].concat());
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let page = run(folder.path(), &["report", "model.json", "-o", "-"]);
        let page = String::from_utf8(page.stdout).unwrap();
        assert_eq!(page.contains(sentence), is_said, "noise {noise}");
    }
}

/// The best rule of one map is a threshold of a product; on the other map, a tree is better than any line.
#[test]
fn a_rule_of_one_line_is_printed_where_it_is_as_good_as_the_tree() {
    let folder = tempfile::tempdir().unwrap();
    let is_inside = |size: u64| (16..256).contains(&size);
    let product: fn(u64, u64) -> bool = |m, n| m * n < 1024;
    let box_of_sizes = |m, n| is_inside(m) && is_inside(n);
    fs::write(folder.path().join("product.csv"), table_of_sizes(product)).unwrap();
    fs::write(folder.path().join("box.csv"), table_of_sizes(box_of_sizes)).unwrap();
    for (name, line) in
        [("product", Some("if m.saturating_mul(n) < 1024 { few } else { many }")), ("box", None)]
    {
        let (table, map) = (format!("{name}.csv"), format!("{name}.json"));
        let made = run(folder.path(), &["map", &table, "-o", &map]);
        assert!(made.status.success(), "{}", said(&made));
        let [stats, page] = [&["stats", &map][..], &["report", &map, "-o", "-"]]
            .map(|arguments| String::from_utf8(run(folder.path(), arguments).stdout).unwrap());
        assert_eq!(stats.contains("\none line    takes "), line.is_some(), "{stats}");
        assert_eq!(page.contains("<p id=\"one-line\">A rule of one line takes "), line.is_some());
        if let Some(line) = line {
            assert!(stats.contains(&format!(" less time than this tree at the sizes left out, and can be written instead:\n    {line}\n")), "{stats}");
            assert!(page.contains(&format!("<pre>{}\n</pre>", line.replace('<', "&lt;"))), "{page}");
        }
    }
}

/// Returns a table in which `few` takes half the time of `many` where this is true, and twice the time elsewhere.
fn table_of_sizes(is_few: impl Fn(u64, u64) -> bool) -> String {
    let points = (0..12).flat_map(|m| (0..12).map(move |n| (1_u64 << m, 1_u64 << n)));
    let rows = points.map(|(m, n)| {
        let [few, many] = if is_few(m, n) { [1, 2] } else { [2, 1] };
        format!("{m},{n},few,{few}\n{m},{n},many,{many}\n")
    });
    "m,n,method,time\n".to_owned() + &rows.collect::<String>()
}

/// The baseline of a map is the method that the times name as it, unless an option names another one.
#[test]
fn canonical_times_name_the_baseline_of_maps() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "1,a,,1,2\n2,a,,1,1\n1,b,,1,1\n2,b,,1,2\n";
    let times = format!("# qtdec-times/1\n# baseline: b\n# axis n\nn,method,launch,repeat,time_ns\n{rows}");
    fs::write(folder.path().join("times.csv"), times).unwrap();
    for (options, expected) in
        [(&[][..], Some("b")), (&["--baseline", "a"], Some("a")), (&["--exclude", "b"], None)]
    {
        let made = run(folder.path(), &[&["map", "times.csv", "-o", "map.json"], options].concat());
        assert!(made.status.success(), "{}", said(&made));
        let stats = String::from_utf8(run(folder.path(), &["stats", "map.json"]).stdout).unwrap();
        assert_eq!(stats.contains("\nbaseline    kept in 1 of 2 cells"), expected.is_some(), "{stats}");
        let map = fs::read_to_string(folder.path().join("map.json")).unwrap();
        let map: serde_json::Value = serde_json::from_str(&map).unwrap();
        let mut methods = map["methods"].as_array().unwrap().iter();
        let baseline = methods.find(|method| method["baseline"] == true);
        assert_eq!(baseline.and_then(|method| method["name"].as_str()), expected, "{map}");
    }
}
