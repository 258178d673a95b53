//! Units of times and directions of rates, value by value.

use std::fs;

use qtdec_study::measurements::{Measurements, Statistic, TimeUnit};
use qtdec_study::readers::{self, Columns, ReadOptions};

type Read = (Measurements, Vec<String>);

fn read_with(text: &str, options: &ReadOptions) -> Result<Read, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("times");
    fs::write(&path, text).unwrap();
    let read = readers::read(&[path.to_str().unwrap().to_owned()], options, &mut |_, input| input);
    read.map(|(measurements, notes)| (measurements, notes.lines().collect())).map_err(|failed| {
        let texts = failed.iter().flat_map(|failed| failed.problems.iter().map(ToString::to_string));
        texts.collect::<Vec<_>>().join("\n")
    })
}

fn read(text: &str) -> Result<Read, String> {
    read_with(text, &ReadOptions::default())
}

fn columns(columns: &str) -> ReadOptions {
    ReadOptions { columns: Columns::parse(columns).unwrap(), ..ReadOptions::default() }
}

/// Returns the sizes, methods and times, the times in microseconds to six digits.
fn shown(measurements: &Measurements) -> Vec<String> {
    let factor = measurements.unit.unwrap().in_units_of(TimeUnit::Microseconds);
    let mut shown: Vec<String> = Vec::new();
    for (sizes, times) in measurements.sorted(Statistic::Median) {
        let of_point = times.into_iter().map(|(method, time)| (method.label(), time * factor));
        shown.extend(of_point.map(|(label, time)| format!("{sizes:?} {label} {time:.6}")));
    }
    shown.sort();
    shown
}

#[test]
fn cells_with_units_are_read() {
    let (found, notes) = read(
        "scalars,sequential,rayon
1024,0.68 µs,52 µs
16384,13.9us,111 us
1048576,1.02 ms,410 µs
4194304,1.2s,0.02 min
",
    )
    .unwrap();
    assert_eq!(notes, ["the columns were recognised: --columns 'scalars=scalars,time=sequential+rayon'"]);
    assert_eq!(
        shown(&found),
        [
            "[1024] rayon 52.000000",
            "[1024] sequential 0.680000",
            "[1048576] rayon 410.000000",
            "[1048576] sequential 1020.000000",
            "[16384] rayon 111.000000",
            "[16384] sequential 13.900000",
            "[4194304] rayon 1200000.000000",
            "[4194304] sequential 1200000.000000",
        ]
    );
    // The unit of a name is that of cells without one.
    let (found, _) = read("n,method,time (ms)\n8,a,2\n8,b,1500 us\n").unwrap();
    assert_eq!(shown(&found), ["[8] a 2000.000000", "[8] b 1500.000000"]);
    let (found, _) = read("n;method;time\n8;a;1,5 ms\n8;b;900 µs ± 20 µs\n").unwrap();
    assert_eq!(shown(&found), ["[8] a 1500.000000", "[8] b 900.000000"]);
    let (found, _) = read("n quick merge\n8 1.5us 900ns\n16 3us 1us\n").unwrap();
    assert_eq!(shown(&found)[..2], ["[16] merge 1.000000", "[16] quick 3.000000"]);
    let refused = read("n,method,time\n8,a,1.5 ms\n8,b,900\n").unwrap_err();
    assert!(refused.contains("`time` is `900`, not a time with its unit"), "{refused}");
    let refused = read("n,method,time\n8,a,1.5 kB\n8,b,2 kB\n").unwrap_err();
    assert!(refused.contains("the unit is `kB`, which is not a unit of times"), "{refused}");
}

#[test]
fn a_column_of_units_is_obeyed_row_by_row() {
    let table = "n,method,time,unit\n8,a,1.02,ms\n8,b,410,us\n16,a,2,s\n16,b,3000,ms\n";
    let expected =
        ["[16] a 2000000.000000", "[16] b 3000000.000000", "[8] a 1020.000000", "[8] b 410.000000"];
    let (found, notes) = read(table).unwrap();
    assert_eq!(notes, ["the columns were recognised: --columns 'n=n,method=method,time=time'"]);
    assert_eq!(shown(&found), expected);
    for name in ["Unit", "time_unit", "TimeUnit", "uom"] {
        let (found, _) =
            read_with(&table.replace("unit", name), &columns("n=n,method=method,time=time")).unwrap();
        assert_eq!(shown(&found), expected, "{name}");
    }
    // Columns without names, each with its unit after it.
    let (found, _) = read_with("8 1.5 us 900 ns\n16 2 ms 1 us\n", &columns("n=1,time=2+4")).unwrap();
    assert_eq!(shown(&found), ["[16] 2 2000.000000", "[16] 4 1.000000", "[8] 2 1.500000", "[8] 4 0.900000"]);
    // Repeats may be in different units.
    let (found, _) = read("n,method,time,unit\n8,a,1,ms\n8,a,1000,us\n8,b,410,us\n").unwrap();
    assert_eq!(shown(&found), ["[8] a 1000.000000", "[8] b 410.000000"]);
    let refused = read("n,method,time,unit\n8,a,1,ms\n8,b,410,cycles\n").unwrap_err();
    assert!(refused.contains("the unit is `cycles`, which is not a unit of times"), "{refused}");
    let refused = read("n,method,time_ms,unit\n8,a,1,ms\n8,b,410,us\n").unwrap_err();
    assert!(refused.contains("the unit is `us`, but the name of the column has another one"), "{refused}");
    // The units of another column.
    let (found, _) = read_with(
        "n,method,time_us,bw,unit\n8,a,1,5,GB/s\n8,b,410,7,MB/s\n",
        &columns("n=n,method=method,time=time_us"),
    )
    .unwrap();
    assert_eq!(shown(&found), ["[8] a 1.000000", "[8] b 410.000000"]);
    let two = "n,method,time,x,a_unit,b_unit\n8,a,1,2,ms,s\n";
    let refused = read_with(two, &columns("n=n,method=method,time=time")).unwrap_err();
    assert!(refused.contains("several columns could name the unit of `time`"), "{refused}");
}

#[test]
fn rates_of_operations_are_turned_round_and_others_refused() {
    let table = "n,method,score,unit\n8,a,4,ops/ms\n8,b,200,us/op\n16,a,5,ops/s\n16,b,2,Mops/s\n";
    let (found, notes) = read_with(table, &columns("n=n,method=method,time=score")).unwrap();
    let expected = ["[16] a 200000.000000", "[16] b 0.500000", "[8] a 250.000000", "[8] b 200.000000"];
    assert_eq!(shown(&found), expected);
    assert_eq!(notes, ["`score` counts operations in a time: the time of one operation is read (3 times)"]);
    // What the cells say is said better than by the name.
    let (found, _) =
        read_with("n,method,rate\n8,a,4 it/s\n8,b,5 it/s\n", &columns("n=n,method=method,time=rate"))
            .unwrap();
    assert_eq!(shown(&found), ["[8] a 250000.000000", "[8] b 200000.000000"]);
    for unit in ["GB/s", "MB/s", "items/s"] {
        let text = format!("n,method,value,unit\n8,a,4,{unit}\n8,b,5,{unit}\n");
        let refused = read_with(&text, &columns("n=n,method=method,time=value")).unwrap_err();
        assert!(refused.contains(&format!("the unit is `{unit}`, a rate that does not tell")), "{refused}");
        let refused = read(&format!("n,a,b\n8,1.5 {unit},2 {unit}\n16,1.5 {unit},2 {unit}\n")).unwrap_err();
        assert!(refused.contains(&format!("the unit is `{unit}`, a rate that does not tell")), "{refused}");
    }
}

const JMH: &str = r#""Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit","Param: size","Param: target"
"#;

#[test]
fn jmh() {
    let rows = r#""b.Search.array","avgt",1,1,7.7,NaN,"ns/op",1000,0
"b.Search.linked","avgt",1,1,1.9,NaN,"us/op",1000,0
"b.Search.array","avgt",1,1,21.4,0.5,"ns/op",10000000,0
"b.Search.linked","avgt",1,1,1825.2,NaN,"ns/op",10000000,0
"#;
    let text = JMH.to_owned() + rows;
    let (found, notes) = read(&text).unwrap();
    assert_eq!(notes, [""; 0]);
    assert_eq!(found.axes().iter().map(|axis| &*axis.name).collect::<Vec<_>>(), ["size"]);
    let expected = [
        "[10000000] b.Search.array 0.021400",
        "[10000000] b.Search.linked 1.825200",
        "[1000] b.Search.array 0.007700",
        "[1000] b.Search.linked 1.900000",
    ];
    assert_eq!(shown(&found), expected);
    let named = columns("threads=Threads,len=Param: size,method=Benchmark,time=Score");
    assert_eq!(shown(&read_with(&text, &named).unwrap().0)[3], "[1, 1000] b.Search.linked 1.900000");

    // A percentile is no method, and a throughput no time.
    let rows = r#""b.S.sort","sample",1,1,8,NaN,"us/op",64,0
"b.S.sort:p0.00","sample",1,1,1,NaN,"us/op",64,0
"b.S.sort:gc.alloc.rate","sample",1,1,1,NaN,"MB/sec",64,0
"b.S.merge","thrpt",1,1,250,NaN,"ops/ms",64,0
"b.S.sort","sample",1,1,9,NaN,"us/op",128,0
"#;
    let (found, notes) = read(&(JMH.to_owned() + rows)).unwrap();
    assert_eq!(
        shown(&found),
        ["[128] b.S.sort 9.000000", "[64] b.S.merge 4.000000", "[64] b.S.sort 8.000000"]
    );
    assert_eq!(notes.len(), 2, "{notes:?}");
    // Two modes of one benchmark are no repeats.
    let rows = r#""b.S.sort","avgt",1,1,8,NaN,"us/op",64,0
"b.S.sort","ss",1,1,900,NaN,"us/op",64,0
"#;
    let text = JMH.to_owned() + rows;
    let refused = read(&text).unwrap_err();
    assert!(refused.contains("`Mode` changes among the times of one method"), "{refused}");
    let filters = vec![("Mode".to_owned(), "avgt".to_owned())];
    let (found, _) = read_with(&text, &ReadOptions { filters, ..ReadOptions::default() }).unwrap();
    assert_eq!(shown(&found), ["[64, 0] b.S.sort 8.000000"]);
}

fn pytest(name: &str, params: &str, seconds: &str) -> String {
    format!(
        r#"{{"group":null,"name":"{name}","fullname":"tests/test_sort.py::{name}","params":{params},"stats":{{"min":1e-6,"max":1.0,"mean":0.5,"median":{seconds},"rounds":3}}}}"#
    )
}

#[test]
fn pytest_benchmark() {
    let file = |benchmarks: &[String]| {
        format!(
            r#"{{"machine_info":{{"node":"n"}},"benchmarks":[{}],"version":"4.0.0"}}"#,
            benchmarks.join(",")
        )
    };
    let (found, notes) = read(&file(&[
        pytest("test_merge[64]", r#"{"n":64}"#, "0.002"),
        pytest("test_radix[64]", r#"{"n":64}"#, "0.001"),
        pytest("test_nothing", "null", "0.001"),
    ]))
    .unwrap();
    assert_eq!(shown(&found), ["[64] test_merge 2000.000000", "[64] test_radix 1000.000000"]);
    assert_eq!(notes, ["benchmarks without an argument that is a size are left out: `test_nothing`"]);
    // The labels of a single test are the methods, those of several an axis.
    let one = [
        pytest("test_sort[a-8]", r#"{"algo":"a","n":8}"#, "0.002"),
        pytest("test_sort[b-8]", r#"{"algo":"b","n":8}"#, "0.001"),
    ];
    assert_eq!(shown(&read(&file(&one)).unwrap().0), ["[8] a 2000.000000", "[8] b 1000.000000"]);
    let several = [
        pytest("test_a[up-8]", r#"{"n":8,"order":"up"}"#, "0.002"),
        pytest("test_b[up-8]", r#"{"n":8,"order":"up"}"#, "0.001"),
    ];
    assert_eq!(shown(&read(&file(&several)).unwrap().0)[0], "[8, 0] test_a 2000.000000");
}

#[test]
fn benchmarks_without_sizes_are_left_out() {
    let text = "Timer precision: 41 ns
bench           fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ build                      │               │               │               │         │
│  ├─ \"delete\"  16.93 ms      │ 18.92 ms      │ 17.57 ms      │ 17.61 ms      │ 100     │ 100
│  ╰─ large     17.15 ms      │ 18.05 ms      │ 17.73 ms      │ 17.72 ms      │ 100     │ 100
╰─ sort                       │               │               │               │         │
   ╰─ 1000      1.39 ms       │ 1.526 ms      │ 1.459 ms      │ 1.457 ms      │ 100     │ 100
";
    let (found, notes) = read(text).unwrap();
    assert_eq!(shown(&found), ["[1000] sort 1459.000000"]);
    assert_eq!(
        notes,
        [
            "benchmarks without an argument that is a size are left out: `build::\"delete\"` and `build::large`"
        ]
    );
}

#[test]
fn outputs_for_people_are_named_with_what_to_run_instead() {
    for (text, name, remedy) in [
        (
            "sort<A>/1000/manual_time_median   109 us   128 us   10\nsort<B>/1000   46.7 us   66.2 us   10\n",
            "Google Benchmark's output",
            "--benchmark_out_format=json",
        ),
        (
            "2021-01-07 10:11:12\nRunning ./Sort.exe\nRun on (160 X 3616 MHz CPU s)\n----\nBenchmark   Time   CPU   Iterations\n----\nBM_a/64   109 us   128 us   10\n",
            "Google Benchmark's output",
            "--benchmark_out_format=json",
        ),
        (
            "name,iterations,real_time,cpu_time,time_unit,bytes_per_second\n\"a/64\",10,1.5,1.5,us,\n\"a/128\",10,2.5,2.5,ms,\n",
            "Google Benchmark's CSV",
            "--benchmark_out_format=json",
        ),
        (
            "sort/merge/64           time:   [1.2010 µs 1.2100 µs 1.2200 µs]\nFound 3 outliers\n",
            "criterion's output",
            "target/criterion/GROUP",
        ),
        (
            "goos: linux\nBenchmarkSort/n=64-8   \t  1000\t      1520 ns/op\t     16 B/op\nPASS\n",
            "the output of `go test -bench`",
            "1520 ns/op",
        ),
        (
            "------ benchmark: 2 tests ------\nName (time in us)      Min      Max     Mean\n-------\ntest_a[64]   1.5 (1.0)   2.5 (1.0)   2.0 (1.0)\n",
            "pytest-benchmark's output",
            "--benchmark-json",
        ),
        (
            "name,param:n,min,max,mean,stddev,rounds,iterations\ntest_a,64,1,2,1.5,0.1,5,1\ntest_a,128,1,2,1.5,0.1,5,1\n",
            "pytest-benchmark's CSV",
            "--benchmark-json",
        ),
        (
            "BenchmarkTools.Trial: 10000 samples with 1 evaluation.\n Range (min … max):  1.2 μs … 1.5 ms\n",
            "the output of BenchmarkTools",
            "minimum(trial).time",
        ),
        (
            "Benchmark          (size)  Mode  Cnt   Score   Error  Units\nSort.merge           1000  avgt    5   7.700 ± 0.1  ns/op\n",
            "JMH's output",
            "-rf csv",
        ),
        ("[\n {\n  \"jmhVersion\" : \"1.37\",\n  \"benchmark\" : \"a\"\n }\n]\n", "JMH's JSON", "-rf csv"),
        (
            "Benchmark 1: ./sort 64\n  Time (mean ± σ):      20.1 ms ±   0.3 ms\n",
            "hyperfine's output",
            "--export-json",
        ),
    ] {
        let refused = read(text).unwrap_err();
        assert!(refused.contains(&format!("this is {name}")) && refused.contains(remedy), "{text}{refused}");
        assert_eq!(refused.lines().count(), 1, "{refused}");
    }
    // Columns that the user names are read, each row in its own unit.
    let table = "a 109 us 128 us 10\nb 1.5 ms 0.2 ms 10\n";
    let fixed = [("n".to_owned(), "8".to_owned())].into();
    let (found, _) = read_with(table, &ReadOptions { fixed, ..columns("method=1,time=2") }).unwrap();
    assert_eq!(shown(&found), ["[8] a 109.000000", "[8] b 1500.000000"]);
}
