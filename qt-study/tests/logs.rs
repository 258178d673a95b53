//! Output of benchmarks as logs and documents have it.

use std::fs;

use qtdec_study::measurements::Statistic;
use qtdec_study::readers::{self, PathPattern, ReadOptions};

/// The times of a file that is called so, as lines of sizes, method and time, and the notes.
fn read_as(
    name: &str,
    text: &str,
    options: &ReadOptions,
    statistic: Statistic,
) -> Result<(String, String), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let paths = [path.to_str().unwrap().to_owned()];
    let (measurements, notes) = readers::read(&paths, options, &mut |_, input| input).map_err(|failed| {
        let texts = failed.iter().flat_map(|failed| failed.problems.iter());
        texts.map(ToString::to_string).collect::<Vec<_>>().join("\n")
    })?;
    let mut lines: Vec<String> = measurements
        .sorted(statistic)
        .flat_map(|(sizes, times)| {
            let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            let sizes = sizes.join(" ");
            times.into_iter().map(move |(method, time)| format!("{sizes} {} {time}", method.label()))
        })
        .collect();
    lines.sort();
    Ok((lines.join("\n"), notes.lines().collect::<Vec<_>>().join("\n")))
}

fn fixed(pairs: &[(&str, &str)]) -> ReadOptions {
    let fixed = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    ReadOptions { fixed, ..ReadOptions::default() }
}

fn means(text: &str, options: &ReadOptions) -> Result<(String, String), String> {
    read_as("log.txt", text, options, Statistic::Mean)
}

/// Puts a prefix, in which `@` is the number of the line, before each line.
fn prefixed(prefix: &str, text: &str) -> String {
    let number = |at: usize| prefix.replace('@', &at.to_string());
    let lines = text.lines().enumerate().map(|(at, line)| number(at % 10) + line + "\n");
    lines.collect()
}

const OSU: &str = "
# OSU MPI Allreduce Latency Test v7.2
# Size       Avg Latency(us)
4                      11.69
8                      15.34
16                     11.50
";

const OSU_TIMES: &str = "2 16 m 11.5\n2 4 m 11.69\n2 8 m 15.34";

#[test]
fn what_lines_have_in_common_up_to_numbers_is_left_out() {
    let options = fixed(&[("comm_size", "2"), ("method", "m")]);
    let osu = OSU.to_owned();
    for prefix in [
        "[1,0]<stdout>:",
        "[1,0]<stdout>: ",
        "[prterun-n1-4711@1,0]<stdout>: ",
        "[0] ",
        "0: ",
        "n01: ",
        "Fri Nov 29 14:03:5@ 2026<stdout>:",
        "Fri Nov 29 14:03:5@ 2026[1,0]<stdout>:",
        "2026-03-05T12:00:0@.1234567Z ",
        "[2026-03-05 12:00:0@] [1,0]<stdout>:",
        "2026-03-05 12:00:0@,250 INFO ",
        "Nov  9 12:00:0@ n01 job[123]: ",
        "[pod/launcher-x7z/launcher] ",
        "worker-1  | ",
        "\u{1b}[32m[1,0]<stdout>:\u{1b}[0m",
    ] {
        let (times, notes) = means(&prefixed(prefix, &osu), &options).unwrap();
        assert_eq!((&*times, &*notes), (OSU_TIMES, ""), "{prefix}");
        // Windows' line ends.
        let text = prefixed(prefix, &osu).replace('\n', "\r\n");
        assert_eq!(means(&text, &options).unwrap().0, OSU_TIMES, "{prefix}");
    }
}

#[test]
fn lines_of_others_are_no_rows() {
    let options = fixed(&[("comm_size", "2"), ("method", "m")]);
    let padded = prefixed(" 0: ", OSU).replace(" 0: 8 ", "12: node 7 is slow\n 0: 8 ");
    let tagged =
        prefixed("[1,0]<stdout>:", OSU).replace("[1,0]<stdout>:8", "[1,1]<stderr>:slow\n[1,0]<stdout>:8");
    let job = format!("srun: job 12 queued\n{}slurmstepd: error: done\n", prefixed("[1,0]<stdout>:", OSU));
    for text in [&padded, &tagged, &job] {
        let (times, notes) = means(text, &options).unwrap();
        assert_eq!(times, OSU_TIMES, "{text}");
        assert!(notes.contains("is no row of the table around it") && !notes.contains('\n'), "{notes}");
    }
}

#[test]
fn tables_of_several_processes_are_refused() {
    let options = fixed(&[("comm_size", "2"), ("method", "m")]);
    let both: String =
        OSU.lines().flat_map(|line| [0, 1].map(|rank| format!("[1,{rank}]<stdout>:{line}\n"))).collect();
    let fault = means(&both, &options).unwrap_err();
    assert!(fault.contains("`[1,0]<stdout>:` and `[1,1]<stdout>:`"), "{fault}");
    // Two runs at different moments are no two processes.
    let twice = format!("{OSU}{OSU}");
    let (times, _) = means(&prefixed("2026-03-05T12:00:0@.5Z ", &twice), &options).unwrap();
    assert_eq!(times, OSU_TIMES);
}

#[test]
fn every_format_is_read_behind_a_prefix() {
    let nccl = include_str!("data/nccl-tests/2.18.txt");
    let options = fixed(&[("method", "m")]);
    assert_eq!(means(&prefixed("[1,0]<stdout>:", nccl), &options), means(nccl, &options));
    let imb = include_str!("data/imb/binomial.txt");
    let options = ReadOptions { collective: Some("bcast".to_owned()), ..options };
    assert_eq!(means(&prefixed("0: ", imb), &options), means(imb, &options));
    let divan = include_str!("data/divan/sorts.txt");
    let options = ReadOptions::default();
    let (times, _) = means(divan, &options).unwrap();
    assert!(!times.is_empty());
    assert_eq!(means(&prefixed("2026-03-05T12:00:00Z ", divan), &options).unwrap().0, times);
    let names =
        "test sort::merge_8 ... bench: 5 ns/iter (+/- 1)\ntest sort::merge_16 ... bench: 7 ns/iter (+/- 1)\n";
    for text in [names.to_owned(), prefixed("0: ", names)] {
        let (times, _) = read_as("log.txt", &text, &options, Statistic::Median).unwrap();
        assert_eq!(times, "16 sort::merge 7\n8 sort::merge 5");
    }
    let table = "n,method,time_us\n8,a,1.5\n8,b,2.5\n16,a,3.5\n16,b,3\n";
    let rows = "16 a 3.5\n16 b 3\n8 a 1.5\n8 b 2.5";
    for text in
        [table.to_owned(), prefixed("[1,0]<stdout>:", table), prefixed("0: ", &table.replace(',', " "))]
    {
        assert_eq!(means(&text, &options).unwrap().0, rows, "{text}");
    }
}

#[test]
fn columns_before_a_table_are_no_prefix() {
    // The first column is the same up to numbers, and belongs to the rows.
    let text =
        "at;method;n;time_us\n12:00:01;a;8;1.5\n12:00:02;b;8;2.5\n12:00:03;a;16;3.5\n12:00:04;b;16;3\n";
    let (times, _) = means(text, &ReadOptions::default()).unwrap();
    assert_eq!(times, "16 a 3.5\n16 b 3\n8 a 1.5\n8 b 2.5");
}

#[test]
fn messages_between_rows_are_skipped_with_a_note() {
    let message = "[1618311111.123456] [n1:123:0]  sock.c:325 UCX  WARN unable to read somaxconn\n\n-----\nWARNING: slow\n";
    let options = fixed(&[("comm_size", "2"), ("method", "m")]);
    let (times, notes) = means(&OSU.replace("8  ", &format!("{message}8  ")), &options).unwrap();
    assert_eq!(times, OSU_TIMES);
    assert!(notes.contains("line 5 of") && notes.contains("UCX  WARN") && !notes.contains('\n'), "{notes}");
    let imb = "# Benchmarking Bcast\n# #processes = 4\n #bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n 8 1000 1.5 2.5 2.0\n";
    let text = format!("{imb}{message} 16 1000 1.5 3.5 2.0\n");
    let (times, notes) = means(&text, &fixed(&[("method", "m")])).unwrap();
    assert_eq!(times, "4 16 m 3.5\n4 8 m 2.5");
    assert!(notes.contains("UCX  WARN"), "{notes}");
    let died = OSU.split("4  ").next().unwrap().to_owned() + "mpirun noticed that a process died\n";
    let fault = means(&died, &options).unwrap_err();
    assert!(fault.contains("no rows, but a message: `mpirun noticed"), "{fault}");
    // A row that a message broke is a fault.
    let broken = means(&OSU.replace("15.34", "WARNING: slow"), &options).unwrap_err();
    assert!(broken.contains("the row has 3 entries"), "{broken}");
}

#[test]
fn several_benchmarks_in_a_log_are_read_or_named() {
    let imb = "#----\n# Benchmarking Bcast\n# #processes = 4\n#----\n #bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n 8 1000 1.5 2.5 2.0\n";
    let options = fixed(&[("comm_size", "2"), ("method", "m")]);
    let fault = means(&format!("{OSU}{imb}"), &options).unwrap_err();
    assert!(fault.contains("output of `osu`, and has that of `imb` too"), "{fault}");
    let imb_alone = ReadOptions { format: Some("imb".to_owned()), ..fixed(&[("method", "m")]) };
    assert_eq!(means(&format!("{OSU}{imb}"), &imb_alone).unwrap().0, "4 8 m 2.5");
    let bcast = OSU.replace("Allreduce", "Broadcast").replace("11.69", "1.25");
    let options = ReadOptions { collective: Some("bcast".to_owned()), ..options };
    let (times, _) = means(&prefixed("0: ", &format!("{OSU}{bcast}")), &options).unwrap();
    assert_eq!(times, OSU_TIMES.replace("11.69", "1.25"));
}

#[test]
fn tables_of_markdown_are_read() {
    let options = ReadOptions::default();
    let expected = "1024 a 3.5\n1024 b 3\n8 a 1.5\n8 b 2.5";
    let bars = "# Results\n\nOn 2 nodes, fast:\n\n| n | method | time_us |\n|---:|:---|---:|\n| 8 | `a` | **1.5** |\n| 8 | b | 2.5 |\n| 1Ki | a | 3.5 |\n| 2^10 | b | 3 |\n\nDone.\n";
    let bare =
        "n | method | time_us\n--- | --- | ---\n8 | a | 1.5\n8 | b | 2.5\n1.0K | a | 3.5\n1024 | b | 3\n";
    for text in [bars, bare] {
        assert_eq!(means(text, &options).unwrap().0, expected, "{text}");
    }
    let fault = means(&bars.replace("2.5", "fast"), &options).unwrap_err();
    assert!(fault.contains("`time_us` is `fast`"), "{fault}");
}

#[test]
fn benchmarks_without_sizes_are_left_out_with_a_note() {
    let options = ReadOptions::default();
    let divan = "render fastest │ slowest │ median │ mean │ samples │ iters
├─ large  │ │ │ │ │
│  ├─ 10  1 µs │ 4 µs │ 2 µs │ 3 µs │ 100 │ 100
│  ╰─ 100  10 µs │ 40 µs │ 20 µs │ 30 µs │ 100 │ 100
├─ by_kind  │ │ │ │ │
│  ╰─ \"delete\"  1 µs │ 4 µs │ 2 µs │ 3 µs │ 100 │ 100
├─ by_share  │ │ │ │ │
│  ╰─ 0.5  1 µs │ 4 µs │ 2 µs │ 3 µs │ 100 │ 100
╰─ single  1 µs │ 4 µs │ 2 µs │ 3 µs │ 100 │ 100
";
    let (times, notes) = read_as("log.txt", divan, &options, Statistic::Median).unwrap();
    assert_eq!(times, "10 large 2000\n100 large 20000");
    for name in ["`by_kind::\"delete\"`", "`by_share::0.5`", "`single`"] {
        assert!(notes.contains(name), "{notes}");
    }
    let without: String = divan.split_inclusive('\n').filter(|line| !line.contains("─ 10")).collect();
    let fault = read_as("log.txt", &without, &options, Statistic::Median).unwrap_err();
    assert!(fault.contains("`by_kind::\"delete\"` has no argument that is a size"), "{fault}");
}

#[test]
fn benchmarks_with_other_arguments_can_be_excluded() {
    let text = "test sort_8 ... bench: 5 ns/iter (+/- 1)\ntest sort_16 ... bench: 7 ns/iter (+/- 1)\ntest gemm_8x9 ... bench: 9 ns/iter (+/- 1)\ntest setup ... bench: 9 ns/iter (+/- 1)\n";
    let read = |exclude: &[&str]| {
        let exclude = exclude.iter().map(ToString::to_string).collect();
        let options = ReadOptions { exclude, ..ReadOptions::default() };
        read_as("log.txt", text, &options, Statistic::Median)
    };
    let fault = read(&[]).unwrap_err();
    assert!(fault.contains("`sort` has the arguments value, and `gemm` has value_1, value_2"), "{fault}");
    let (times, notes) = read(&["gemm", "set*"]).unwrap();
    assert_eq!((&*times, notes.contains("left out")), ("16 sort 7\n8 sort 5", false));
    let (times, _) = read(&["sort"]).unwrap();
    assert_eq!(times, "8 9 gemm 9");
}

#[test]
fn a_folder_of_criterion_may_have_benchmarks_without_sizes() {
    let folder = tempfile::tempdir().unwrap();
    for (group, time) in [("gemm-6×2304×768", 20), ("gemm-6×768×768", 10), ("setup", 30)] {
        let new = folder.path().join("criterion").join(group).join("new");
        fs::create_dir_all(&new).unwrap();
        let names = format!("{{\"group_id\":\"{group}\",\"function_id\":null,\"value_str\":null}}");
        fs::write(new.join("benchmark.json"), names).unwrap();
        let sample =
            format!("{{\"sampling_mode\":\"Flat\",\"iters\":[1.0,1.0],\"times\":[{time}.0,{time}.0]}}");
        fs::write(new.join("sample.json"), sample).unwrap();
    }
    let paths = [folder.path().to_str().unwrap().to_owned()];
    let (measurements, notes) =
        readers::read(&paths, &ReadOptions::default(), &mut |_, input| input).unwrap();
    let times: Vec<_> =
        measurements.sorted(Statistic::Median).map(|(sizes, times)| (sizes.to_vec(), times[0].1)).collect();
    assert_eq!(times, [(vec![6, 2304, 768], 20.0), (vec![6, 768, 768], 10.0)]);
    assert!(notes.lines().any(|note| note.contains("`setup` has no argument that is a size")));
}

#[test]
fn sizes_outside_of_names_are_given_by_files_of_the_same_kind() {
    let text = "test norm ... bench: 1,525 ns/iter (+/- 29)\n";
    let fault = read_as("out.txt", text, &ReadOptions::default(), Statistic::Median).unwrap_err();
    assert!(fault.contains("--path 'n{n}.txt'"), "{fault}");
    let path = Some(PathPattern::parse("n{n}.txt").unwrap());
    let options = ReadOptions { path, ..ReadOptions::default() };
    assert_eq!(read_as("n2000.txt", text, &options, Statistic::Median).unwrap().0, "2000 norm 1525");
}

#[test]
fn lines_of_json_are_named_as_such() {
    let read =
        |text: &str| read_as("allreduce.json", text, &ReadOptions::default(), Statistic::Mean).unwrap_err();
    let row = r##"{"#wrong":"0","algBw":0.05,"busBw":0.08,"gpus":4,"inPlace":0,"name":"AllReduce","size":1024,"time":19.18}"##;
    let fault = read(&format!("{row}\n{row}\n"));
    assert!(
        fault.contains("each line") && fault.contains("-Z json") && fault.contains("the table"),
        "{fault}"
    );
    let fault = read("{\"a\":1}\n{\"a\":2}\n");
    assert!(fault.contains("each line") && fault.contains("CSV"), "{fault}");
    // Only what is cut off was interrupted.
    let whole = r#"{"context":{},"benchmarks":[{"name":"sort/8","real_time":1.5,"time_unit":"ns"}]}"#;
    let cut = read(&whole[..whole.len() - 5]);
    assert!(cut.contains("interrupted"), "{cut}");
    for text in [whole.replace("benchmarks\":[", "benchmarks\":1,\"x\":["), format!("{whole} {whole}")] {
        let fault = read(&text);
        assert!(!fault.contains("interrupted") && !fault.contains('\n'), "{fault}");
    }
}
