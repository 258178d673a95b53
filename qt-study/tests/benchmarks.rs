//! The output of benchmark programs that need no option, as they write it.

use std::fs;
use std::path::Path;

use qtdec_core::{DecisionMap, Samples};
use qtdec_study::measurements::{Measurements, Statistic, TimeUnit};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, PathPattern, ReadOptions};
use qtdec_study::selection::{Gaps, Recipe};

/// Reads a file or folder without options; the notes are part of the result.
fn read(path: &Path) -> Result<(Measurements, Vec<String>), String> {
    let files = [path.to_str().unwrap().to_owned()];
    let read = readers::read(&files, &ReadOptions::default(), &mut |_, input| input);
    read.map(|(measurements, notes)| (measurements, notes.lines().collect())).map_err(|failed| {
        let texts = failed.iter().flat_map(|failed| failed.problems.iter().map(ToString::to_string));
        texts.collect::<Vec<_>>().join("\n")
    })
}

/// Writes one file and reads it.
fn read_text(text: &str) -> Result<(Measurements, Vec<String>), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("times");
    fs::write(&path, text).unwrap();
    read(&path)
}

/// The sizes, the method and the time of a point.
type Point = (Vec<u64>, String, f64);

/// Returns the axes, and each time with its sizes and method.
fn shown(measurements: &Measurements, statistic: Statistic) -> (Vec<String>, Vec<Point>) {
    let axes = measurements.axes().iter().map(|axis| axis.name.clone()).collect();
    let mut times: Vec<Point> = measurements
        .sorted(statistic)
        .flat_map(|(sizes, times)| {
            let sizes = sizes.to_vec();
            times.into_iter().map(move |(method, time)| (sizes.clone(), method.label(), time))
        })
        .collect();
    times.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    (axes, times)
}

fn expected<const N: usize>(times: [(&[u64], &str, f64); N]) -> Vec<Point> {
    times.map(|(sizes, method, time)| (sizes.to_vec(), method.to_owned(), time)).into()
}

/// Writes what criterion writes for one benchmark.
fn criterion(folder: &Path, group: &str, function: Option<&str>, value: Option<&str>, times: [f64; 3]) {
    let parts = [Some(group), function, value].into_iter().flatten().map(|part| part.replace('/', "_"));
    let place = parts.fold(folder.to_owned(), |path, part| path.join(part));
    let quoted = |text: Option<&str>| text.map_or("null".to_owned(), |text| format!("\"{text}\""));
    let benchmark = format!(
        r#"{{"group_id":"{group}","function_id":{},"value_str":{},"throughput":null,"full_id":"x","directory_name":"x","title":"x"}}"#,
        quoted(function),
        quoted(value)
    );
    let sample = |factor: f64| {
        let [one, two, three] = times.map(|time| time * factor);
        format!(
            r#"{{"sampling_mode":"Linear","iters":[10.0,20.0,30.0],"times":[{},{},{}]}}"#,
            10.0 * one,
            20.0 * two,
            30.0 * three
        )
    };
    for (name, factor) in [("new", 1.0), ("base", 7.0)] {
        let run = place.join(name);
        fs::create_dir_all(&run).unwrap();
        fs::write(run.join("benchmark.json"), &benchmark).unwrap();
        fs::write(run.join("sample.json"), sample(factor)).unwrap();
        fs::write(run.join("estimates.json"), r#"{"mean":{"point_estimate":1.0}}"#).unwrap();
        fs::write(run.join("tukey.json"), "[1.0,2.0,3.0,4.0]").unwrap();
    }
    fs::create_dir_all(place.join("report")).unwrap();
    fs::write(place.join("report/index.html"), "<html>").unwrap();
}

/// Criterion replaces the results of the benchmarks that it runs, and leaves those of an earlier grid.
#[test]
fn results_of_an_earlier_grid_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let dated = |function: &str, value: &str, seconds: u64| {
        criterion(folder.path(), "sort", Some(function), Some(value), [1.0; 3]);
        let new = folder.path().join("sort").join(function).join(value).join("new");
        let file = fs::File::options().append(true).open(new.join("sample.json")).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000 + seconds))
            .unwrap();
    };
    for (at, value) in ["64", "256", "1024"].iter().enumerate() {
        dated("merge", value, 10 * at as u64);
        dated("radix", value, 10 * at as u64 + 5);
    }
    let read = |pattern: Option<&str>| {
        let path = pattern.map(|pattern| PathPattern::parse(pattern).unwrap());
        let options = ReadOptions { path, ..ReadOptions::default() };
        let paths = [folder.path().join("sort").to_str().unwrap().to_owned()];
        readers::read(&paths, &options, &mut |_, input| input).map_err(|failed| format!("{failed:?}"))
    };
    assert!(read(None).is_ok(), "one run");
    // A day later, one method alone on the same grid, and then both on another one.
    for (at, value) in ["64", "256", "1024"].iter().enumerate() {
        dated("merge", value, 86_400 + 5 * at as u64);
    }
    assert!(read(None).is_ok(), "the points are the same");
    for (at, value) in ["64", "100", "1000"].iter().enumerate() {
        dated("merge", value, 90_000 + 10 * at as u64);
        dated("radix", value, 90_000 + 10 * at as u64 + 5);
    }
    let refused = read(None).unwrap_err();
    assert!(
        refused.contains(
            "4 benchmarks are of a run before the last one, which measured nothing at their 2 points, such as value=1024"
        ) && refused.contains("--path '**/sample.json'"),
        "{refused}"
    );
    assert_eq!(read(Some("**/sample.json")).unwrap().0.all_series().count(), 10);
}

#[test]
fn the_folder_of_criterion() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("criterion");
    criterion(&root, "sort", Some("merge"), Some("64"), [1.0, 2.0, 9.0]);
    criterion(&root, "sort", Some("radix"), Some("64"), [3.0, 3.0, 3.0]);
    criterion(&root, "sort", Some("merge"), Some("4K"), [5.0, 4.0, 6.0]);
    criterion(&root, "sort", Some("radix"), Some("4K"), [2.5, 2.5, 2.5]);
    let (measurements, notes) = read(&root.join("sort")).unwrap();
    assert_eq!((notes, measurements.unit), (Vec::new(), Some(TimeUnit::Nanoseconds)));
    let times = expected([
        (&[64], "merge", 2.0),
        (&[64], "radix", 3.0),
        (&[4096], "merge", 5.0),
        (&[4096], "radix", 2.5),
    ]);
    assert_eq!(shown(&measurements, Statistic::Median), (vec!["value".to_owned()], times));
    // Other groups decide something else.
    criterion(&root, "search", Some("linear"), Some("64"), [1.0; 3]);
    let refused = read(&root).unwrap_err();
    let groups = |groups: &str| {
        format!("the times are of {groups} (give the folder of one group: each decides something else)")
    };
    assert_eq!(refused, groups("two groups of benchmarks: `search` and `sort`"));
    criterion(&root, "tiles", Some("blocked"), Some("8x8"), [1.0; 3]);
    let refused = read(&root).unwrap_err();
    assert_eq!(refused, groups("3 groups of benchmarks: `search`, `sort` and `tiles`"));
}

#[test]
fn a_group_for_each_size() {
    let folder = tempfile::tempdir().unwrap();
    for (size, time) in [("64", 1.0), ("4K", 2.0)] {
        criterion(folder.path(), &format!("sort/{size}"), Some("merge"), None, [time; 3]);
    }
    let (measurements, _) = read(folder.path()).unwrap();
    let times = expected([(&[64], "merge", 1.0), (&[4096], "merge", 2.0)]);
    assert_eq!(shown(&measurements, Statistic::Median), (vec!["value".to_owned()], times));
}

#[test]
fn labels_in_the_names_of_benchmarks() {
    let folder = tempfile::tempdir().unwrap();
    for (value, time) in [("len=64,order=random", 1.0), ("len=64,order=sorted", 2.0)] {
        criterion(folder.path(), "sort", Some("merge"), Some(value), [time; 3]);
    }
    let (measurements, _) = read(folder.path()).unwrap();
    let labels = ["random".to_owned(), "sorted".to_owned()];
    assert_eq!(measurements.axes()[1].labels.as_deref(), Some(&labels[..]));
    let times = expected([(&[64, 0], "merge", 1.0), (&[64, 1], "merge", 2.0)]);
    assert_eq!(shown(&measurements, Statistic::Median).1, times);

    criterion(folder.path(), "sort", Some("merge"), Some("len=64,order=4"), [1.0; 3]);
    let refused = read(folder.path()).unwrap_err();
    assert!(refused.contains("`order` has labels here, and sizes in the files before"), "{refused}");
    let line = |label: &str| format!("test merge::n=4::order={label} ... bench: 12 ns/iter (+/- 1)\n");
    let refused = read_text(&(line("random") + &line("4"))).unwrap_err();
    assert_eq!(
        refused,
        "`order` is `4` in some benchmarks and `random` in others (an axis has either sizes or labels)"
    );
}

#[test]
fn labels_in_paths() {
    let folder = tempfile::tempdir().unwrap();
    for (order, time) in [("random", 1), ("sorted", 2)] {
        fs::create_dir(folder.path().join(order)).unwrap();
        let text = format!("test merge::n=64 ... bench: {time} ns/iter (+/- 0)\n");
        fs::write(folder.path().join(order).join("times.txt"), text).unwrap();
    }
    let path = Some(PathPattern::parse("{order}/times.txt").unwrap());
    let options = ReadOptions { path, ..ReadOptions::default() };
    let files = [folder.path().to_str().unwrap().to_owned()];
    let (measurements, _) = readers::read(&files, &options, &mut |_, input| input).map_err(|_| ()).unwrap();
    let axes = measurements.axes().iter().map(|axis| (&*axis.name, axis.labels.is_some()));
    assert_eq!(axes.collect::<Vec<_>>(), [("n", false), ("order", true)]);
    let times = expected([(&[64, 0], "merge", 1.0), (&[64, 1], "merge", 2.0)]);
    assert_eq!(shown(&measurements, Statistic::Median).1, times);
}

#[test]
fn sizes_in_the_names_of_criterion() {
    for (group, function, value, method, axes, sizes) in [
        ("matmul", Some("dot"), Some("128x256"), "dot", ["value_1", "value_2"], [128, 256]),
        ("sort", Some("merge"), Some("len=128,range=256"), "merge", ["len", "range"], [128, 256]),
        ("sort", Some("merge"), Some("(1, 4K)"), "merge", ["value_1", "value_2"], [1, 4096]),
        ("sort", Some("merge/128/256"), None, "merge", ["value_1", "value_2"], [128, 256]),
        ("merge", None, Some("128x256"), "merge", ["value_1", "value_2"], [128, 256]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        criterion(folder.path(), group, function, value, [1.0, 1.0, 1.0]);
        let (measurements, _) = read(folder.path()).unwrap();
        let found = shown(&measurements, Statistic::Median);
        assert_eq!(found, (axes.map(str::to_owned).into(), expected([(&sizes, method, 1.0)])), "{value:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    criterion(folder.path(), "sort", Some("merge"), None, [1.0; 3]);
    let refused = read(folder.path()).unwrap_err();
    assert!(refused.contains("`merge` has no argument that is a size"), "{refused}");
}

#[test]
fn google_benchmark() {
    let benchmark = |name: &str, time: f64, unit: &str| {
        format!(
            r#"{{"name":"{name}","run_name":"{name}","run_type":"iteration","repetition_index":0,"iterations":9,"real_time":{time},"cpu_time":{time},"time_unit":"{unit}"}}"#
        )
    };
    let all = [
        benchmark("BM_merge/n:64/real_time", 2.0, "us"),
        benchmark("BM_merge/n:64/real_time", 4.0, "us"),
        benchmark("BM_merge/n:128/real_time", 5000.0, "ns"),
        benchmark("BM_radix/n:64/real_time", 1.0, "us"),
        r#"{"name":"BM_merge/n:64/real_time_mean","run_name":"BM_merge/n:64/real_time","run_type":"aggregate","aggregate_name":"mean","real_time":9.0,"time_unit":"us"}"#.to_owned(),
    ];
    let text = |all: &[String]| {
        format!(
            "{{\n  \"context\": {{\"date\": \"2026-11-22\"}},\n  \"benchmarks\": [{}]\n}}\n",
            all.join(",")
        )
    };
    let (measurements, notes) = read_text(&text(&all)).unwrap();
    assert_eq!(notes, [""; 0]);
    let times =
        expected([(&[64], "BM_merge", 3000.0), (&[64], "BM_radix", 1000.0), (&[128], "BM_merge", 5000.0)]);
    assert_eq!(shown(&measurements, Statistic::Median), (vec!["n".to_owned()], times));
    let refused = read_text(&text(&[benchmark("BM_merge/64", 1.0, "ticks")])).unwrap_err();
    assert!(refused.contains("times in `ticks`"), "{refused}");
    let refused =
        read_text(&text(&[benchmark("a/64", 1.0, "ns"), benchmark("b/64/2", 1.0, "ns")])).unwrap_err();
    assert!(refused.contains("`a` has the arguments value, and `b` has value_1, value_2"), "{refused}");
}

#[test]
fn hyperfine() {
    let text = r#"{
  "results": [
    {"command": "./sort --with merge -n 64", "mean": 0.2, "median": 0.2, "times": [0.1, 0.2, 0.6], "parameters": {"n": "64", "how": "merge"}},
    {"command": "./sort --with radix -n 64", "mean": 0.3, "median": 0.3, "times": [0.3], "parameters": {"n": "64", "how": "radix"}}
  ]
}
"#;
    let (measurements, _) = read_text(text).unwrap();
    let times = expected([(&[64], "merge", 0.2), (&[64], "radix", 0.3)]);
    assert_eq!(shown(&measurements, Statistic::Median), (vec!["n".to_owned()], times));
    assert_eq!(measurements.unit, Some(TimeUnit::Seconds));
    let command =
        r#"{"results": [{"command": "merge --n=64 in.txt", "mean": 0.5, "parameters": {"n": "64"}}]}"#;
    let (measurements, _) = read_text(command).unwrap();
    assert_eq!(shown(&measurements, Statistic::Mean).1, expected([(&[64], "merge --n={n} in.txt", 0.5)]));
    let refused = read_text(r#"{"results": [{"command": "merge 64", "mean": null}]}"#).unwrap_err();
    assert!(refused.contains("no times of `merge 64`"), "{refused}");
}

#[test]
fn libtest() {
    let text = "
running 3 tests
test sorts::merge_64   ... bench:       1,234.50 ns/iter (+/- 56.78)
test sorts::merge_4096 ... bench:      98,765.00 ns/iter (+/- 1,000.00)
test sorts::radix_64   ... bench:         999 ns/iter (+/- 5)

test result: ok. 0 passed; 0 failed; 0 ignored; 3 measured; 0 filtered out; finished in 2.00s
";
    let (measurements, _) = read_text(text).unwrap();
    let times = expected([
        (&[64], "sorts::merge", 1234.5),
        (&[64], "sorts::radix", 999.0),
        (&[4096], "sorts::merge", 98_765.0),
    ]);
    assert_eq!(shown(&measurements, Statistic::Median), (vec!["value".to_owned()], times));
}

/// A table of somebody who has never heard of this project: labels, sizes, the method and its time.
#[test]
fn a_table_of_labels_and_sizes() {
    let table = "order,len,method,time_ns
random,64,quick,1200
random,64,quick,1300
sorted,64,quick,700
random,4K,merge,90000
sorted,64,merge,650
";
    let (measurements, notes) = read_text(table).unwrap();
    let shown_as = "the columns were recognised: --columns 'order=order,len=len,method=method,time=time_ns'";
    assert_eq!(notes, [shown_as]);
    assert_eq!(measurements.unit, Some(TimeUnit::Nanoseconds));
    assert_eq!(measurements.axes()[0].labels.as_deref().unwrap(), ["random", "sorted"]);
    let times = expected([
        (&[0, 64], "quick", 1250.0),
        (&[0, 4096], "merge", 90_000.0),
        (&[1, 64], "merge", 650.0),
        (&[1, 64], "quick", 700.0),
    ]);
    let axes = vec!["order".to_owned(), "len".to_owned()];
    assert_eq!(shown(&measurements, Statistic::Median), (axes, times));
    let map = Recipe::default().map(&measurements, &mut Notes::default()).unwrap();
    let order = &map.domain().axes()[0];
    assert_eq!(order.samples, Samples::Labels(vec!["random".to_owned(), "sorted".to_owned()]));
    let chosen = |cell: usize| map.cells()[cell].map(|method| map.domain().method(method).label());
    assert_eq!(
        [0, 1, 2, 3].map(chosen),
        [Some("quick".to_owned()), Some("merge".to_owned()), Some("merge".to_owned()), None]
    );
    // The gaps of a label are filled from its own sizes alone.
    let recipe = Recipe { gaps: Gaps::Nearest, ..Recipe::default() };
    let filled = recipe.map(&measurements, &mut Notes::default()).unwrap();
    assert_eq!(filled.cells()[3], map.cells()[2]);

    let refused = read_text("order,len,method,ns\nrandom,64,a,1\n7,64,a,1\n").unwrap_err();
    assert!(refused.contains("`order` holds neither sizes nor labels"), "{refused}");
    assert!(refused.contains("order (random), len (64), method (a), ns (1)"), "{refused}");
    let late = "x\n".repeat(40).replace('x', "sorted,64,a,1") + ",64,a,1\n";
    let refused = read_text(&format!("order,len,method,ns\n{late}")).unwrap_err();
    assert!(refused.contains("`order` is ``, not a name"), "{refused}");
}

#[test]
fn a_table_with_a_column_for_each_method() {
    let table = "m,n,quick,merge,radix
64,4,1200,1500,1800
64,8,2400,2600,2300
128,4,2500,2400,1900
128,8,5000,4100,
";
    let (measurements, notes) = read_text(table).unwrap();
    let columns = "--columns 'm=m,n=n,time=quick+merge+radix'";
    assert_eq!(notes[0], format!("the columns were recognised: {columns}"));
    assert_eq!(measurements.labels().collect::<Vec<_>>(), ["quick", "merge", "radix"]);
    let (axes, times) = shown(&measurements, Statistic::Median);
    assert_eq!((axes, times.len()), (vec!["m".to_owned(), "n".to_owned()], 11));
    assert_eq!(times[0], (vec![64, 4], "merge".to_owned(), 1500.0));
    // Units in the names of all columns are no parts of the methods.
    let (with_units, _) = read_text("n;quick_us;merge (us)\n8;1,5;2,5\n16;3;4\n").unwrap();
    assert_eq!(with_units.unit, Some(TimeUnit::Microseconds));
    let times =
        expected([(&[8], "merge", 2.5), (&[8], "quick", 1.5), (&[16], "merge", 4.0), (&[16], "quick", 3.0)]);
    assert_eq!(shown(&with_units, Statistic::Median).1, times);
    let mixed = read_text("n,quick_us,merge_ns\n8,1.5,2.5\n16,3,4\n").unwrap_err();
    assert!(mixed.contains("`quick_us` and `merge_ns` have times in different units"), "{mixed}");
    // A second axis, or a method whose times are whole?
    let doubtful = read_text("n,depth,quick,merge\n8,3,1.5,2.5\n16,4,3.5,4.5\n").unwrap_err();
    assert!(doubtful.contains("which columns are sizes and which are times of methods"), "{doubtful}");
    assert!(doubtful.contains("n (8), depth (3), quick (1.5), merge (2.5)"), "{doubtful}");
}

/// A program's own benchmark writes canonical times, of which the map is that which it writes itself.
#[test]
fn the_times_of_a_programs_own_benchmark() {
    let cost = |quick: &'static str| {
        move |point: &qtdec_measure::Point| {
            let factor = if point.label("kind") == quick { 1 } else { 3 };
            let call = std::time::Duration::from_micros(100 * point["n"] * factor);
            move |calls: u64| call * calls as u32
        }
    };
    let measured = qtdec_measure::Benchmark::new()
        .labels("kind", ["odd", "even"])
        .axis("n", [1, 4])
        .timed_method("of even", cost("even"))
        .timed_method("of odd", cost("odd"))
        .rounds(3)
        .warm_up(std::time::Duration::ZERO)
        .quiet()
        .measure()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("times/kinds.csv");
    measured.write_times(&path).unwrap();
    let (read, notes) = read(&path).unwrap();
    assert_eq!(notes, [""; 0]);
    let map = Recipe::default().map(&read, &mut Notes::default()).unwrap();
    let own = measured.map().unwrap();
    assert_eq!((map.domain(), map.cells()), (own.domain(), own.cells()));
    let costs = |map: &DecisionMap| -> Vec<Option<f64>> {
        let all = |cell| map.domain().method_indexes().map(move |method| (cell, method));
        let cells = (0..map.cells().len()).flat_map(all);
        cells.map(|(cell, method)| map.costs().unwrap().get(cell, method)).collect()
    };
    assert_eq!(costs(&map), costs(&own));
    assert!(read.about.has_key("measured") && read.about.has_key("tool"));
}

#[test]
fn cut_off_files_are_refused() {
    for text in [
        r#"{"sampling_mode":"Linear","iters":[10.0,20.0"#,
        r#"{"sampling_mode":"Linear","iters":[10.0],"times":[0.0]}"#,
        r#"{"sampling_mode":"Linear","iters":[],"times":[]}"#,
        r#"{"context": {}, "benchmarks": ["#,
        r#"{"context": {}, "benchmarks": []}"#,
        r#"{"results": [{"command": "a", "times": [1"#,
    ] {
        assert!(read_text(text).is_err(), "{text}");
    }
}

/// Roots count together: 40 calls in 2.5 seconds.
#[test]
fn a_profile_has_the_mean_time_of_the_calls_of_a_run() {
    let header = "# Calls of collectives\ncollective,comm_size,msg_size,root,count,seconds,skew_seconds\n";
    let rows = "bcast,4,8,0,10,1,\nbcast,4,8,1,30,1.5,\nbcast,4,16,0,1,0.25,\n";
    let (measurements, _) = read_text(&[header, rows].concat()).unwrap();
    let (axes, times) = shown(&measurements, Statistic::Mean);
    assert_eq!(axes, ["comm_size", "msg_size"]);
    assert_eq!(times, expected([(&[4, 8], "observed", 0.0625), (&[4, 16], "observed", 0.25)]));
    let refused = read_text(&[header, "bcast,4,8,0,ten,1,\n"].concat()).unwrap_err();
    assert!(refused.contains("ten"), "{refused}");
    let many = format!("bcast,4,8,0,{0},1,\nbcast,4,8,1,{0},1,\n", u64::MAX);
    assert!(read_text(&[header, &many].concat()).is_ok(), "counts do not overflow");
}
