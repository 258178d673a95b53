//! Files from users' own programs: one command, or the command that a message suggests, turns raw times into a tuning file or
//! Rust.
//!
//! All MPI files contain the same times in different formats. The best methods are computed here from these times alone.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use qtdec_mpi_library::tuning::{Job, find_format};
use tempfile::TempDir;

const COMM_SIZES: [u64; 3] = [2, 8, 32];
const MSG_SIZES: [u64; 4] = [64, 4096, 65536, 1_048_576];
const METHODS: [&str; 4] = ["basic_linear", "binomial", "pipeline", "scatter_allgather"];
const REPEATS: u64 = 3;

/// A time in microseconds.
struct Time {
    comm_size: u64,
    msg_size: u64,
    method: &'static str,
    repeat: u64,
    us: f64,
}

fn times() -> Vec<Time> {
    let mut times = Vec::new();
    for comm_size in COMM_SIZES {
        for msg_size in MSG_SIZES {
            for (number, method) in (0_u64..).zip(METHODS) {
                for repeat in 0..REPEATS {
                    let (ranks, size) = (comm_size as f64, msg_size as f64);
                    let us = match method {
                        "basic_linear" => 1.0 + ranks * (1.0 + size / 2000.0),
                        "binomial" => 2.0 + ranks.log2() * (1.5 + size / 1000.0),
                        "pipeline" => 20.0 + ranks * 6.0 + size / 900.0,
                        _ => 12.0 + ranks * 4.0 + size / 750.0,
                    };
                    let noise = (number * 7 + repeat * 5 + comm_size + msg_size) % 11;
                    // Of three repeats, the last one is disturbed.
                    let disturbed = if repeat == 2 { 9.0 } else { 1.0 };
                    let us = (us * (1.0 + noise as f64 / 1000.0) * disturbed * 1000.0).round() / 1000.0;
                    times.push(Time { comm_size, msg_size, method, repeat, us });
                }
            }
        }
    }
    times
}

/// Returns the method with the lowest median.
fn best(times: &[Time], comm_size: u64, msg_size: u64, methods: &[&str]) -> &'static str {
    let median = |method: &str| {
        let at = |time: &&Time| (time.comm_size, time.msg_size, time.method) == (comm_size, msg_size, method);
        let mut series: Vec<f64> = times.iter().filter(at).map(|time| time.us).collect();
        series.sort_by(f64::total_cmp);
        series[series.len() / 2]
    };
    let among = METHODS.into_iter().filter(|method| methods.contains(method));
    among.min_by(|one, other| median(one).total_cmp(&median(other))).expect("there are methods")
}

fn qtdec(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(qtdec_commands::qtdec()).args(arguments).current_dir(folder).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Returns a folder with a file for each time, of one row each.
fn table(name: &str, header: &str, row: impl Fn(&Time) -> String) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = times().iter().map(row).collect();
    write(folder.path(), name, &format!("{header}{rows}"));
    folder
}

/// Checks that a tuning file chooses the best of these methods at every point that was measured.
fn check_decisions(folder: &Path, case: &str, methods: &[&str]) {
    let text = fs::read(folder.join("rules.conf")).unwrap();
    let selection = find_format("open-mpi").unwrap().read(&text, Job::default()).unwrap();
    let times = times();
    let mut winners = std::collections::BTreeSet::new();
    for comm_size in COMM_SIZES {
        for msg_size in MSG_SIZES {
            let expected = best(&times, comm_size, msg_size, methods);
            let found = selection.decide("bcast", comm_size, msg_size).name;
            assert_eq!(found.as_deref(), Some(expected), "{case}: {comm_size} ranks, {msg_size} bytes");
            winners.insert(expected);
        }
    }
    assert!(winners.len() >= 2, "{case}");
}

const MAP: [&str; 4] = ["--collective", "bcast", "-o", "bcast.map.json"];

/// Makes a map, and a tuning file of it; the options from `--method` on are those of the tuning file.
fn tuning_file(folder: &TempDir, arguments: &[&str]) -> Output {
    let at = arguments.iter().position(|word| *word == "--method").unwrap_or(arguments.len());
    let (reading, rules) = arguments.split_at(at);
    let map = qtdec(folder.path(), &[&["map"], reading, &MAP[..]].concat());
    if !map.status.success() {
        return map;
    }
    let emit = ["mpi", "emit", "bcast.map.json", "--target", "open-mpi", "-o", "rules.conf"];
    qtdec(folder.path(), &[&emit[..], rules].concat())
}

/// Checks that times become the right tuning file.
fn assert_one_command(case: &str, folder: &TempDir, arguments: &[&str], methods: &[&str]) {
    let output = tuning_file(folder, arguments);
    assert!(output.status.success(), "{case}: {}", stderr(&output));
    check_decisions(folder.path(), case, methods);
}

/// Checks that a table is refused with one message that shows its columns, and that these columns make the right tuning file.
fn assert_named(case: &str, folder: &TempDir, arguments: &[&str], shown: &str, columns: &str) {
    let output = qtdec(folder.path(), &[&["map"], arguments, &MAP[..]].concat());
    let error = stderr(&output);
    assert_eq!((output.status.code(), error.matches("= help: ").count()), (Some(1), 1), "{case}: {error}");
    assert!(error.contains(shown) && !error.contains("perhaps"), "{case}: {error}");
    assert_one_command(case, folder, &[arguments, &["--columns", columns]].concat(), &METHODS);
}

#[test]
fn tables_with_other_names_or_none() {
    let by_blanks = |time: &Time| {
        let Time { comm_size, msg_size, method, repeat, us } = time;
        format!("{method:20} {comm_size:4} {msg_size:8} {repeat} {us}\n")
    };
    let folder = table("t.txt", "algo nprocs bytes rep Avg_Latency(us)\n", by_blanks);
    let (shown, named) =
        ("nprocs (2), bytes (64), rep (0)", "comm_size=nprocs,msg_size=bytes,method=algo,time=Avg_Latency");
    assert_named("names and units of others", &folder, &["t.txt"], shown, named);
    let no_repeat = |time: &Time| {
        let Time { comm_size, msg_size, method, us, .. } = time;
        format!("{comm_size} {msg_size} {us} {method}\n")
    };
    let folder = table("t.dat", "", no_repeat);
    assert_named(
        "no names",
        &folder,
        &["t.dat"],
        "1 (2), 2 (64), 3 (",
        "comm_size=1,msg_size=2,method=4,time=3",
    );
    let folder = table("t.dat", "# algo nprocs bytes rep Avg_Latency(us)\n", by_blanks);
    assert_named("names in a comment", &folder, &["t.dat"], shown, named);
    // A column of collectives is not that of the methods.
    let of_collective = |time: &Time| {
        let Time { comm_size, msg_size, method, us, .. } = time;
        format!("MPI_Bcast {method} {comm_size} {msg_size} {us}\n")
    };
    let folder = table("t.dat", "", of_collective);
    let columns = "collective=1,method=2,comm_size=3,msg_size=4,time=5";
    assert_named("no names, and a collective", &folder, &["t.dat"], "1 (MPI_Bcast), 2 (", columns);
    let folder = tempfile::tempdir().unwrap();
    for method in METHODS {
        for comm_size in COMM_SIZES {
            let of_file =
                |time: &&Time| time.method == method && time.comm_size == comm_size && time.repeat < 2;
            let mut text = String::new();
            for Time { msg_size, us, .. } in times().iter().filter(of_file) {
                let _ = writeln!(text, "{msg_size}\t{us}");
            }
            write(folder.path(), &format!("all/{method}.{comm_size}.dat"), &text);
        }
    }
    let arguments = ["all", "--path", "{method}.{comm_size}.dat"];
    let output = qtdec(folder.path(), &[&["map"], &arguments[..], &MAP[..]].concat());
    assert!(stderr(&output).contains("1 (64), 2 ("), "{}", stderr(&output));
    let named = [&arguments[..], &["--columns", "msg_size=1,time=2"]].concat();
    assert_one_command("sizes and times alone", &folder, &named, &METHODS);
}

/// The pair that a message suggests for a misspelled name leads to the right tuning file, and to the same one by `tune`.
#[test]
fn misspelled_methods() {
    let folder = table("t.csv", "comm_size,msg_size,method,time_us\n", |time| {
        let Time { comm_size, msg_size, method, us, .. } = time;
        let method = if *method == "binomial" { "binomail" } else { method };
        format!("{comm_size},{msg_size},{method},{us}\n")
    });
    let error = stderr(&tuning_file(&folder, &["t.csv"]));
    assert!(error.contains("did you mean `binomial`?") && error.contains("--> bcast.map.json"), "{error}");
    let (_, option) = error.split_once("with --method ").unwrap_or_else(|| panic!("{error}"));
    let pair = shlex::split(option.split_once(": ").unwrap().0).unwrap().remove(0);
    assert_one_command("the suggested pair", &folder, &["t.csv", "--method", &pair], &METHODS);
    let read = qtdec(folder.path(), &["read", "t.csv", "--collective", "bcast", "-o", "times.csv"]);
    assert!(read.status.success(), "{}", stderr(&read));
    let tune = ["mpi", "tune", "times.csv", "--library", "open-mpi", "-o", "tuned", "--verbose"];
    let warned = String::from_utf8(qtdec(folder.path(), &tune).stdout).unwrap();
    assert!(warned.contains(&format!("(perhaps {pair})")), "{warned}");
    let error = stderr(&qtdec(folder.path(), &[&tune[..], &["--method", "binomial=binomial"]].concat()));
    assert!(error.contains("there is no method `binomial`: did you mean `binomail`?"), "{error}");
}

/// The rule that a program has today is measured with its methods: as a column of times, or as a benchmark of this name. Here it is right
/// but for one size, or everywhere.
#[test]
fn the_baseline_is_a_rival() {
    let folder = tempfile::tempdir().unwrap();
    let stats = |border: u64| {
        let mut text = "len,small,large,baseline\n".to_owned();
        for (number, len) in (0..8).map(|power| (power, 16_u64 << power)) {
            // The noise of one per cent makes the rule the fastest at half of the sizes.
            let [small, large] = [len as f64, 100.0 + len as f64 / 2.0];
            let rule = if len < border { small } else { large };
            let _ = writeln!(text, "{len},{small},{large},{}", rule * [0.99, 1.01][number % 2]);
        }
        write(folder.path(), "times.csv", &text);
        let map = qtdec(
            folder.path(),
            &[
                "map",
                "times.csv",
                "--columns",
                "time=small+large+baseline,len=len",
                "--time-unit",
                "ns",
                "-o",
                "map.json",
            ],
        );
        assert!(map.status.success(), "{}", stderr(&map));
        let tree = qtdec(folder.path(), &["encode", "map.json", "--max-depth", "1", "-o", "tree.json"]);
        assert!(tree.status.success(), "{}", stderr(&tree));
        let code = qtdec(
            folder.path(),
            &[
                "emit",
                "tree.json",
                "--target",
                "rust",
                "--returns",
                "bool",
                "--answers",
                "small = false, large = true",
            ],
        );
        assert!(code.status.success(), "the rule needs no answer: {}", stderr(&code));
        for target in ["rust", "c"] {
            let code = qtdec(folder.path(), &["emit", "tree.json", "--target", target]);
            let code = String::from_utf8(code.stdout).unwrap().to_lowercase();
            assert!(code.contains("large") && !code.contains("baseline"), "it has no variant: {code}");
        }
        let again = qtdec(folder.path(), &["stats", "map.json", "--json"]);
        let text = qtdec(folder.path(), &["stats", "map.json"]);
        let json: serde_json::Value = serde_json::from_slice(&again.stdout).unwrap();
        (String::from_utf8(text.stdout).unwrap(), json)
    };
    let (text, json) = stats(256);
    assert!(
        text.contains("held out    gain ") && text.contains("; nothing is gained: keep the baseline\n"),
        "{text}"
    );
    assert!(text.contains("\nbaseline    kept in 0 of "), "{text}");
    assert!(text.contains("; the tree is slower than it in 4, by up to 1.0 % (len=16)\n"), "{text}");
    assert_eq!(json.get("gain"), None, "nothing is held out of all cells");

    let (text, json) = stats(1 << 20);
    assert!(
        text.contains(" over `baseline` at the sizes left out; 95 %: +")
            && !text.contains("keep the baseline"),
        "{text}"
    );
    let gain = &json["unmeasured"]["gain"];
    assert!(gain["low"].as_f64().unwrap() > 0.0 && gain["mean"].as_f64().unwrap() > 10.0, "{gain}");
}

/// A further axis joins those whose columns have their usual names, unless these are used otherwise.
#[test]
fn axes_that_are_added() {
    let folder = table("t.csv", "comm_size,msg_size,ppn,method,time_us\n", |time| {
        let Time { comm_size, msg_size, method, us, .. } = time;
        format!("{comm_size},{msg_size},1,{method},{us}\n{comm_size},{msg_size},2,{method},{us}\n")
    });
    let axes = |options: &[&str]| {
        let output = qtdec(folder.path(), &[&["map", "t.csv", "--columns"], options].concat());
        assert!(output.status.success(), "{options:?}: {}", stderr(&output));
        let map: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let names =
            map["axes"].as_array().unwrap().iter().map(|axis| axis["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(axes(&["ppn=ppn"]), ["comm_size", "msg_size", "ppn"]);
    assert_eq!(axes(&["ppn=ppn,size=msg_size"]), ["comm_size", "ppn", "size"]);
    assert_eq!(axes(&["ppn=ppn", "--where", "comm_size=2"]), ["msg_size", "ppn"]);
    assert_eq!(axes(&["ppn=ppn", "--repeat", "comm_size"]), ["msg_size", "ppn"]);
}

/// Files in the folders of several collectives are not pooled.
#[test]
fn folders_of_several_collectives() {
    let folder = tempfile::tempdir().unwrap();
    for (collective, factor) in [("bcast", 1.0), ("MPI_Allgather", 3.0)] {
        for method in METHODS {
            let mut text = "comm_size,msg_size,time_us\n".to_owned();
            for Time { comm_size, msg_size, us, .. } in times().iter().filter(|time| time.method == method) {
                let _ = writeln!(text, "{comm_size},{msg_size},{}", us * factor);
            }
            write(folder.path(), &format!("all/{collective}/new/{method}.csv"), &text);
        }
    }
    let path = ["--path", "{method}.csv"];
    let output = qtdec(folder.path(), &[&["map", "all"], &path[..], &MAP[..]].concat());
    let error = stderr(&output);
    assert_eq!((output.status.code(), error.matches("error: ").count()), (Some(1), 1), "{error}");
    assert!(error.contains("`allgather`, `bcast`") && error.contains("with --path "), "{error}");
    assert_one_command("one folder", &folder, &[&["all/bcast"], &path[..]].concat(), &METHODS);
    let (_, offered) = error.split_once("with --path ").unwrap();
    let offered = shlex::split(offered.split_once(", or").unwrap().0).unwrap().remove(0);
    assert_eq!(offered, "{collective}/*/{method}.csv");
    assert_one_command("the offered pattern", &folder, &["all", "--path", &offered], &METHODS);
    // Folders called after methods are none of collectives.
    for method in ["gather", "scatter"] {
        write(folder.path(), &format!("methods/{method}/np4.csv"), "msg_size,time_us\n8,1.5\n16,2.5\n");
    }
    let output = qtdec(folder.path(), &["map", "methods", "--path", "{method}/np{comm_size}.csv"]);
    assert!(output.status.success(), "{}", stderr(&output));
}

/// The segment is not lost without a word.
#[test]
fn tables_with_segments_and_repeats() {
    let header = "algo,seg,nprocs,bytes,lat_us,rep\n";
    let folder = table("t.csv", header, |time| {
        let Time { comm_size, msg_size, method, repeat, us } = time;
        let segment = if *method == "pipeline" { "8192" } else { "" };
        format!("{method},{segment},{comm_size},{msg_size},{us},{repeat}\n")
    });
    let all = "comm_size=nprocs,msg_size=bytes,method=algo,time=lat_us,segment_size=seg";
    let shown = "nprocs (2), bytes (64), lat_us (";
    assert_named("segments and repeats", &folder, &["t.csv"], shown, all);
    let named = ["map", "t.csv", "--collective", "bcast", "--columns"];
    let map = |columns: &str| qtdec(folder.path(), &[&named[..], &[columns]].concat());
    let with = map(all);
    assert!(
        String::from_utf8_lossy(&with.stdout).contains("{ \"name\": \"pipeline\", \"segment_size\": 8192 }")
    );
    assert!(!stderr(&with).contains("`seg`"), "{}", stderr(&with));
    let without = stderr(&map(all.strip_suffix(",segment_size=seg").unwrap()));
    let note = "the column `seg` is not used: --columns segment_size=seg adds it to the methods";
    assert!(without.contains(note), "{without}");
}

/// Sizes that are not those of MPI are axes under their own names.
#[test]
fn tables_of_other_choices() {
    for (header, axes) in [("algo,len,time", 1), ("method,rows,cols,time", 2)] {
        let folder = tempfile::tempdir().unwrap();
        let mut text = format!("{header}\n");
        for size in [8, 64, 512] {
            let sizes = vec![size.to_string(); axes].join(",");
            let _ = writeln!(text, "simple,{sizes},{size}.5\nblocked,{sizes},60.5");
        }
        write(folder.path(), "t.csv", &text);
        let output = qtdec(folder.path(), &["map", "t.csv", "-o", "map.json"]);
        assert!(output.status.success(), "{header}: {}", stderr(&output));
        let output = qtdec(folder.path(), &["emit", "map.json", "--target", "rust", "--function", "t"]);
        let code = String::from_utf8_lossy(&output.stdout).into_owned();
        let parameter = if axes == 1 { "len: usize" } else { "rows: usize" };
        assert!(code.contains(parameter) && code.contains("Blocked"), "{code}");
    }
}

#[test]
fn tables_with_the_usual_names() {
    let folder = table("t.csv", "comm_size,msg_size,method,time_us\n", |time| {
        let Time { comm_size, msg_size, method, repeat, us } = time;
        let missing = ["", "0", "0.0", "NaN", "N/A", "NA", "-"][(comm_size + msg_size) as usize % 7];
        let more =
            if *repeat == 0 { format!("{comm_size},{msg_size},{method},{missing}\n") } else { String::new() };
        format!("{comm_size},{msg_size},{method},{us}\n{more}")
    });
    assert_one_command("missing times", &folder, &["t.csv"], &METHODS);
    let output = qtdec(folder.path(), &["map", "t.csv", "--collective", "bcast"]);
    assert!(stderr(&output).contains("was treated as missing (48 times)"), "{}", stderr(&output));

    let folder = table("t.csv", "comm_size,msg_size,method,time_us\n", |time| {
        let Time { comm_size, msg_size, method, us, .. } = time;
        format!("{comm_size},{msg_size},{method}_ompi,{us}\n")
    });
    assert_one_command("PICO's names", &folder, &["t.csv"], &METHODS);
    let without = ["t.csv", "--exclude", "scatter*", "--exclude", "b*l_ompi"];
    assert_one_command("patterns", &folder, &without, &["basic_linear", "pipeline"]);

    let folder = table("t.csv", "comm_size,msg_size,method,time_us\n", |time| {
        let Time { comm_size, msg_size, method, us, .. } = time;
        let numbers = [1, 6, 3, 8];
        let number = numbers[METHODS.iter().position(|known| known == method).unwrap()];
        format!("{comm_size},{msg_size},{number},{us}\n")
    });
    assert_one_command("Open MPI's numbers", &folder, &["t.csv"], &METHODS);

    let header = "date,ts,host,comm_size,msg_size,method,rep_id,remarks,time_us\n";
    let folder = table("t.csv", header, |time| {
        let Time { comm_size, msg_size, method, repeat, us } = time;
        let at = format!("2025-03-0{}T12:00:00,170000000{repeat},n{repeat}", repeat + 1);
        format!("{at},{comm_size},{msg_size},{method},{repeat},\"warm, {repeat}\",{us}\n")
    });
    assert_one_command("stamps, hosts, notes", &folder, &["t.csv"], &METHODS);
    let warned = stderr(&qtdec(folder.path(), &["map", "t.csv", "--collective", "bcast"]));
    for column in ["date", "ts", "host", "remarks"] {
        assert!(warned.contains(&format!("the column `{column}` ")), "{column}: {warned}");
    }
}

/// The user did not name a condition: each remedy in the message leads to the right tuning file.
#[test]
fn conditions_that_nobody_named() {
    let folder = table("t.csv", "comm_size,msg_size,algorithm,ppn,time_us\n", |time| {
        let Time { comm_size, msg_size, method, us, .. } = time;
        // Under the other condition, the methods have a different order.
        let others = [2.0, 30.0, 1.0, 50.0][METHODS.iter().position(|known| known == method).unwrap()];
        format!("{comm_size},{msg_size},{method},1,{us}\n{comm_size},{msg_size},{method},8,{others}\n")
    });
    let columns = ["t.csv", "--columns", "method=algorithm"];
    let output = qtdec(folder.path(), &[&["map"], &columns[..], &MAP[..]].concat());
    let error = stderr(&output);
    assert_eq!((output.status.code(), error.matches("error: ").count()), (Some(1), 1), "{error}");
    assert!(error.contains("`ppn` changes among the times"), "{error}");
    let offered = |option: &str| {
        let (_, rest) =
            error.split_once(&format!("{option} ")).unwrap_or_else(|| panic!("{option}: {error}"));
        shlex::split(rest.lines().next().unwrap()).unwrap()[0].trim_end_matches(',').to_owned()
    };
    assert_eq!(offered("--where"), "ppn=8");
    let chosen = [&columns[..], &["--where", "ppn=1"]].concat();
    assert_one_command("--where", &folder, &chosen, &METHODS);
    let column = offered("--repeat");
    let pooled = [&columns[..], &["--repeat", &column]].concat();
    assert!(tuning_file(&folder, &pooled).status.success());
    assert!(error.contains("name it in --columns as an axis"), "{error}");
    for (ppn, expected) in [("ppn=1", best(&times(), 8, 64, &METHODS)), ("ppn=8", "pipeline")] {
        let sizes = ["comm_size=8", "msg_size=64", ppn];
        let requested = ["t.csv", "--columns", "method=algorithm,ppn=ppn", "--collective", "bcast"];
        assert_eq!(decided(&folder, &[&requested[..], &sizes[..]].concat()), expected, "{ppn}");
    }
}

#[test]
fn folders_of_files() {
    // PICO's raw times, in nanoseconds; sizes count elements of four bytes.
    let folder = tempfile::tempdir().unwrap();
    for method in METHODS {
        for comm_size in COMM_SIZES {
            for msg_size in MSG_SIZES {
                let ranks: Vec<String> = (0..comm_size).map(|rank| format!(",rank{rank}")).collect();
                let ranks = ranks.concat();
                let mut text = format!("highest{ranks}\n");
                let at = |time: &&Time| {
                    (time.comm_size, time.msg_size, time.method) == (comm_size, msg_size, method)
                };
                for Time { us, .. } in times().iter().filter(at) {
                    let _ = writeln!(text, "{}{}", us * 1000.0, ",1".repeat(comm_size as usize));
                }
                write(
                    folder.path(),
                    &format!("pico/n{comm_size}/{}_{method}_ompi_int32.csv", msg_size / 4),
                    &text,
                );
            }
        }
    }
    assert_one_command("PICO's raw times", &folder, &["pico"], &METHODS);

    // OSU's output; the pattern excludes a file that does not belong there.
    let folder = tempfile::tempdir().unwrap();
    for method in METHODS {
        for comm_size in COMM_SIZES {
            for repeat in 0..REPEATS {
                let mut text =
                    "# OSU MPI Broadcast Latency Test v7.4\n# Size       Avg Latency(us)\n".to_owned();
                let at =
                    |time: &&Time| (time.comm_size, time.repeat, time.method) == (comm_size, repeat, method);
                for Time { msg_size, us, .. } in times().iter().filter(at) {
                    let _ = writeln!(text, "{msg_size:<20}{us:>12}");
                }
                write(folder.path(), &format!("osu/{method}_np{comm_size}_run{repeat}.txt"), &text);
            }
        }
    }
    let text = "# OSU MPI Broadcast Latency Test v7.4\n# Size       Avg Latency(us)\n64 0.01\n";
    write(folder.path(), "osu/binomial_np2_warmup.txt", text);
    let pattern = ["osu", "--path", "{method}_np{comm_size}_run{run}.txt"];
    assert_one_command("a pattern as filter", &folder, &pattern, &METHODS);
}

/// CHiArA's rows count elements of each block, of a rank's share of the buffer, or of all blocks, depending on collective and
/// program. The times cross at 64^x times the smaller size, with x = ln 2 / (ln 2 + ln(5/3)).
#[test]
fn sizes_of_chiara_by_collective() {
    let folder = tempfile::tempdir().unwrap();
    let header = "algorithm_name,k,b,nprocs,send_count,time,is_correct\n";
    for (collective, fast, slow, all_blocks, sizes) in [
        ("allgather", "allgather_radix_batch", "allgather_standard", false, [64, 701, 702]),
        ("allreduce", "all_reduce_radix_batch", "MPICH_allreduce", false, [1024, 1040, 65536]),
        (
            "reduce_scatter_block",
            "MPICH_reduce_scatter_radix",
            "MPI_Reduce_scatter_block",
            true,
            [64, 701, 702],
        ),
    ] {
        let mut text = header.to_owned();
        for ranks in [4, 16] {
            for (block, times) in [(8, [1.0, 2.0]), (512, [5.0, 3.0])] {
                let count = if all_blocks { block * ranks } else { block };
                for (method, time) in [fast, slow].into_iter().zip(times) {
                    let _ = writeln!(text, "{method},0,0,{ranks},{count},{time},1");
                }
            }
        }
        write(folder.path(), &format!("{collective}.csv"), &text);
        let file = format!("{collective}.csv");
        for (size, expected) in sizes.into_iter().zip([fast, fast, slow]) {
            let reading = ["--collective", collective, "--element-size", "8"];
            let sizes = ["comm_size=16", &format!("msg_size={size}")];
            let found = decided(&folder, &[&[&*file], &reading[..], &sizes[..]].concat());
            assert_eq!(found, expected, "{collective} {size}");
        }
    }
    // The names of the algorithms tell the collectives apart.
    let refused = stderr(&qtdec(folder.path(), &["map", ".", "--element-size", "8"]));
    assert!(refused.contains("choose one: --collective allgather, --collective allreduce"), "{refused}");
}

/// Returns the method that `qtdec decide` answers for the sizes after the options that make a map.
fn decided(folder: &TempDir, arguments: &[&str]) -> String {
    let is_size = |at: &usize| {
        let is_value = arguments[at.saturating_sub(1)].starts_with("--");
        arguments[*at].contains('=') && !is_value
    };
    let (reading, sizes) = arguments.split_at((1..arguments.len()).find(is_size).unwrap());
    let map = qtdec(folder.path(), &[&["map"], reading, &["-o", "decided.map.json"]].concat());
    assert!(map.status.success(), "{arguments:?}: {}", stderr(&map));
    let output = qtdec(folder.path(), &[&["decide", "--json", "decided.map.json"], sizes].concat());
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    answer["method"].as_str().unwrap().to_owned()
}

/// Checks the branches of the Rust source of a map, of a function `sort`.
fn assert_source(folder: &TempDir, arguments: &[&str], branch: &str) {
    let map = qtdec(folder.path(), &[&["map"], arguments, &["-o", "sort.map.json"]].concat());
    assert!(map.status.success(), "{arguments:?}: {}", stderr(&map));
    let emit = [
        "emit",
        "sort.map.json",
        "--function",
        "sort",
        "--target",
        "rust",
        "--layout",
        "branches",
        "-o",
        "f.rs",
    ];
    let output = qtdec(folder.path(), &emit);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    let source = fs::read_to_string(folder.path().join("f.rs")).unwrap();
    assert!(source.contains(branch), "{branch}: {source}");
}

#[test]
fn benchmarks_of_rust() {
    let folder = tempfile::tempdir().unwrap();
    let header =
        "group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count\n";
    for (function, start, each) in [("merge", 100.0, 1.0), ("radix", 1000.0, 0.5)] {
        for n in [64, 1000, 9000] {
            for threads in [1, 4] {
                let mut text = header.to_owned();
                let time = start * f64::from(threads * threads) + each * f64::from(n);
                for calls in 1..=3 {
                    let _ = writeln!(
                        text,
                        "sort,{function},{n}x{threads},,,{},ns,{calls}",
                        time * f64::from(calls)
                    );
                }
                for saved in ["new", "base"] {
                    write(
                        folder.path(),
                        &format!("criterion/sort/{function}/{n}x{threads}/{saved}/raw.csv"),
                        &text,
                    );
                }
            }
        }
    }
    // 100 + n < 1000 + n / 2 up to 1800, and with four threads 1600 + n < 16000 + n / 2 up to 28800.
    let path = ["criterion", "--path", "{method}/{n}x{threads}/new/raw.csv"];
    assert_source(&folder, &path, "pub const fn sort(n: usize, threads: usize)");
    for (n, threads, expected) in
        [(64, 1, "merge"), (1000, 4, "merge"), (9000, 1, "radix"), (9000, 4, "merge")]
    {
        let sizes = [format!("n={n}"), format!("threads={threads}")];
        assert_eq!(decided(&folder, &[&path[..], &sizes.each_ref().map(String::as_str)].concat()), expected);
    }

    let printed = "\
sorts          fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ merge                     │               │               │               │         │
│  ├─ 64       9 ns          │ 12 ns         │ 10 ns         │ 10.5 ns       │ 100     │ 100
│  ╰─ 1024     0.8 µs        │ 1.2 µs        │ 0.9 µs        │ 1 µs          │ 100     │ 100
╰─ radix                     │               │               │               │         │
   ├─ 64       29 ns         │ 42 ns         │ 30 ns         │ 31 ns         │ 100     │ 100
   ╰─ 1024     490 ns        │ 620 ns        │ 500 ns        │ 1.02 ms       │ 100     │ 100
";
    write(folder.path(), "divan.txt", printed);
    // The medians cross at 64 · 16^x with x = ln(30/10) / (ln(30/10) + ln(900/500)).
    assert_source(
        &folder,
        &["divan.txt"],
        "    if value < 390 {\n        Sort::Merge\n    } else {\n        Sort::Radix\n    }\n",
    );
}

/// A message has only a few short lines, no matter how many rows, files or names are at fault.
#[test]
fn messages_are_short() {
    let folder = tempfile::tempdir().unwrap();
    let header = "comm_size,msg_size,method,time\n";
    let rows = |row: &dyn Fn(usize) -> String| -> String { (0..3000).map(row).collect() };
    let long = "x".repeat(56_000);
    write(folder.path(), "rows.csv", &format!("{header}{}", rows(&|row| format!("2,x{row},m,t{row}\n"))));
    write(folder.path(), "methods.csv", &format!("{header}{}", rows(&|row| format!("2,8,method_{row},1\n"))));
    write(folder.path(), "columns.csv", &format!("{}\n1\n", rows(&|row| format!("column_{row},"))));
    write(folder.path(), "name.csv", &format!("{header}2,8,{long},1\n"));
    write(folder.path(), "time.csv", &format!("{header}2,8,m,{long}\n"));
    write(folder.path(), "header.csv", &format!("{long},b,c\n1,2,3\n"));
    for file in 0..300 {
        write(folder.path(), &format!("many/{file}.csv"), &format!("{header}2,8,m,t{file}\n2,8,m,\n"));
    }
    for arguments in [
        &["rows.csv"][..],
        &["methods.csv", "--baseline", "default"],
        &["methods.csv", "--exclude", "default"],
        &["columns.csv"],
        &["name.csv"],
        &["time.csv"],
        &["header.csv"],
        &["many"],
    ] {
        let output = qtdec(folder.path(), &[&["map", "--collective", "bcast"], arguments].concat());
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
        assert!(error.lines().count() <= 8, "{arguments:?}: {error}");
        let longest = error.lines().map(str::len).max().unwrap_or(0);
        assert!(longest <= 2500, "{arguments:?}: a line of {longest} bytes");
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_a_folder_is_read_as_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("measured")).unwrap();
    fs::write(folder.path().join("measured/t.csv"), "comm_size,msg_size,method,time\n2,8,ring,1\n").unwrap();
    std::os::unix::fs::symlink("measured", folder.path().join("link")).unwrap();
    let map = |name: &str| qtdec(folder.path(), &["map", name, "--time-unit", "us", "-o", "-"]);
    let (direct, linked) = (map("measured"), map("link"));
    assert!(linked.status.success());
    assert_eq!(stderr(&linked), stderr(&direct));
}
