//! The JSON of nccl-tests and the records of NCCL's inspector.
//!
//! The texts were written by hand after the format strings of nccl-tests 2.19.6 and NCCL 2.30.7: neither program was run.

use std::io::Cursor;

use qtdec_core::Basis;
use qtdec_study::measurements::{Measurements, Series, Statistic, TimeUnit};
use qtdec_study::readers::{self, Columns, ReadOptions};

/// Returns a record that the inspector writes for a call with a whole number of microseconds.
pub(crate) fn record(name: &str, rank: u64, ranks: u64, bytes: u64, time: f64) -> String {
    format!(
        "{{\"header\":{{\"id\":\"0x7f8c496ae9f661\",\"comm_name\":\"unknown\",\"rank\":{rank},\"n_ranks\":{ranks},\"nnodes\":1}},\
         \"metadata\":{{\"inspector_output_format_version\":\"v4.0\",\"git_rev\":\"\",\"rec_mechanism\":\"nccl_profiler_interface\",\
         \"dump_timestamp_us\":1748030377748202,\"hostname\":\"node\",\"pid\":1639453}},\"coll_perf\":{{\"coll\":\"{name}\",\
         \"coll_sn\":1407,\"coll_msg_size_bytes\":{bytes},\"coll_exec_time_us\":{time:.0},\"coll_timing_source\":\"kernel_gpu\",\
         \"coll_algobw_gbs\":277.210914,\"coll_busbw_gbs\":485.119099}}}}\n"
    )
}

/// Returns the JSON of a run of a program on two processes of two devices each.
fn run(program: &str, environment: &[&str], results: &str) -> String {
    let environment: Vec<String> = environment.iter().map(|variable| format!("\"{variable}\"")).collect();
    let device = |rank: u64| {
        format!(
            "{{\"rank\":{rank},\"group\":0,\"pid\":37300,\"hostname\":\"node\",\"device\":0,\"device_hex\":\"0000:05:00\",\
             \"device_info\":\"NVIDIA H100\"}}"
        )
    };
    format!(
        "{{\"version\":3,\"start_time\":\"2026-11-24 02:30:00\",\"args\":[\".\\/build\\/{program}\",\"-J\",\"out.json\"],\
         \"env\":[{}],\"nccl_version\":23007,\"config\":{{\"nthreads\":1,\"ngpus\":2,\"minimum_bytes\":8,\"maximum_bytes\":64,\
         \"step_factor\":2,\"warmup_iters\":1,\"iterations\":3,\"aggregated_iterations\":1,\"validation\":1,\"graph\":0,\
         \"blocking_collectives\":\"false\",\"per_iter_timing\":\"false\",\"per_iter_skip\":0,\"parallel_init\":\"false\",\
         \"devices\":[{},{}]}},\"results\":[{results}],\"out_of_bounds\":{{\"count\":0,\"okay\":\"true\"}},\
         \"average_bus_bandwidth\":{{\"bandwidth\":1.5,\"okay\":\"unchecked\"}},\"errors\":[],\"end_time\":\"2026-11-24 02:31:00\"}}",
        environment.join(","),
        device(0),
        device(2)
    )
}

/// Returns one result, with the times of both calls.
fn result(bytes: u64, apart: &str, in_place: &str) -> String {
    format!(
        "{{\"size\":{bytes},\"count\":{},\"type\":\"float\",\"redop\":\"sum\",\"root\":\"    -1\",\"out_of_place\":{apart},\
         \"in_place\":{in_place},\"actual_iterations\":3,\"experiment_name\":\"x\"}}",
        bytes / 4
    )
}

fn call(time: &str, wrong: &str) -> String {
    format!("{{\"time\":{time},\"alg_bw\":0.5,\"bus_bw\":0.75,\"nwrong\":{wrong}}}")
}

fn read(text: &str, options: &ReadOptions) -> Result<(Measurements, Vec<String>), String> {
    let read = readers::read_one("file", Cursor::new(text.as_bytes().to_vec()), options);
    read.map(|(read, notes)| (read, notes.lines().collect())).map_err(|failed| {
        let problems = failed.iter().flat_map(|failed| failed.problems.iter().map(ToString::to_string));
        problems.collect::<Vec<_>>().join("\n")
    })
}

/// Returns the sizes, the method and the times of every series, repeats in order.
fn found(read: &Measurements) -> Vec<(Vec<u64>, String, Vec<f64>)> {
    let methods: Vec<String> = read.labels().collect();
    let times = |series: &Series| match series {
        Series::Repeats(repeats) => repeats.iter().map(|repeat| repeat.time).collect(),
        Series::Statistics(given) => {
            assert!(given.iter().all(|(statistic, _)| *statistic == Statistic::Mean));
            given.iter().map(|(_, time)| *time).collect()
        }
    };
    read.all_series()
        .map(|(sizes, method, series)| (sizes.to_vec(), methods[method].clone(), times(series)))
        .collect()
}

const FORCED: [&str; 5] =
    ["HOME=\\/root", "NCCL_ALGO=Ring", "NCCL_PROTO=LL128", "NCCL_MIN_NCHANNELS=8", "NCCL_MAX_CTAS=8"];

#[test]
fn json_of_the_tests() {
    let results = [
        result(32, &call("12.5", "0.0"), &call("11.5", "null")),
        result(64, &call("14.25", "3.0"), &call("13.25", "0.0")),
    ];
    let text = run("all_gather_perf_mpi", &FORCED, &results.join(","));
    let (all, _) = read(&text, &ReadOptions::default()).unwrap();
    assert_eq!((all.collective.as_deref(), all.unit), (Some("allgather"), Some(TimeUnit::Microseconds)));
    let axis = all.axes().iter().find(|axis| axis.name == "msg_size").unwrap();
    assert_eq!(axis.basis, Some(Basis::Block));
    // Four devices, of which the file lists each process's first; totals become blocks; a wrong result has no time.
    let method = "ring_ll128:channels=8".to_owned();
    assert_eq!(found(&all), [(vec![4, 8], method.clone(), vec![12.5])]);
    let columns = |time: &str| Columns { time: Some(time.to_owned()), ..Columns::default() };
    let options = ReadOptions { columns: columns("in-place"), ..ReadOptions::default() };
    let (all, _) = read(&text, &options).unwrap();
    assert_eq!(found(&all), [(vec![4, 8], method.clone(), vec![11.5]), (vec![4, 16], method, vec![13.25])]);
}

/// Two bounds that differ fix no number of channels, and several algorithms force none.
#[test]
fn what_the_environment_does_not_fix_is_no_method() {
    let one = result(32, &call("12.5", "0.0"), "null");
    let with =
        |environment: &[&str]| read(&run("all_reduce_perf", environment, &one), &ReadOptions::default());
    for (environment, method) in [
        (&["NCCL_ALGO=tree", "NCCL_MIN_CTAS=4", "NCCL_MAX_CTAS=8"][..], "tree"),
        (&["NCCL_ALGO=Tree", "NCCL_PROTO=Simple", "NCCL_MIN_CTAS=4"], "tree_simple"),
    ] {
        let (all, _) = with(environment).unwrap();
        assert_eq!(found(&all), [(vec![4, 32], method.to_owned(), vec![12.5])]);
    }
    for environment in [&["NCCL_ALGO=Tree,Ring"][..], &["NCCL_ALGO=^Tree"], &["NCCL_PROTO=LL"], &[]] {
        assert!(with(environment).unwrap_err().contains("does not name the method"), "{environment:?}");
    }
}

#[test]
fn the_report_of_each_iteration_holds_repeats() {
    let report = "\"out_of_place_per_iter\":{\"skipped_iterations\":1,\"min_us\":11.0,\"times_us\":[90.0,12.0,11.0],\
                  \"per_process_max_times_us\":[[90.0,12.0,9.0],[80.0,10.0,11.0]]},\"in_place\"";
    let one = result(32, &call("12.5", "0.0"), &call("11.5", "0.0")).replace("\"in_place\"", report);
    let (all, _) = read(&run("all_reduce_perf", &FORCED, &one), &ReadOptions::default()).unwrap();
    assert_eq!(found(&all), [(vec![4, 32], "ring_ll128:channels=8".to_owned(), vec![12.0, 11.0])]);
}

#[test]
fn runs_that_measured_something_else_are_refused() {
    let one = result(32, &call("12.5", "0.0"), "null");
    let text = run("all_reduce_perf", &FORCED, &one);
    for (text, fault) in [
        (text.replace("\"rank\":2", "\"rank\":0"), "two processes are rank 0"),
        (text.replace("\"rank\":2,\"group\":0", "\"rank\":2,\"group\":1"), "several groups of ranks"),
        (text.replace("\"time\"", "\"cpu_time\""), "those of the processor"),
        (text[..text.len() - 9].to_owned(), "the file is not JSON"),
        (text.replace("\"results\"", "\"result\""), "the file has no results"),
        (text.replace("\"devices\"", "\"device\""), "does not list the ranks"),
    ] {
        let refused = read(&text, &ReadOptions::default()).unwrap_err();
        assert!(refused.contains(fault), "{refused}");
    }
}

/// A report of each iteration adds columns to the text.
#[test]
fn text_with_a_report_of_each_iteration() {
    let text = "# Collective test starting: all_reduce_perf\n# Writing JSON output to out.json\n\
        # nThread 1 nGpus 2 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 1 iters: 3 agg iters: 1 validation: 1 graph: 0 unalign: 0\n\
        #  Rank  0 Group  0 Pid  1 on node device  0 [0000:05:00] NVIDIA H100\n\
        #  Rank  1 Group  0 Pid  1 on node device  1 [0000:06:00] NVIDIA H100\n\
        node:1:1 [0] NCCL INFO NCCL_ALGO set by environment to Tree\n\
        node:1:1 [0] NCCL INFO NCCL_MIN_CTAS set by environment to 16.\nnode:1:1 [0] NCCL INFO NCCL_MAX_CTAS set by environment to 16.\n\
        #       size         count      type   redop    root     time   algbw   busbw  #wrong    i_min    i_max    i_p99    i_cv%     time   algbw   busbw  #wrong    i_min    i_max    i_p99    i_cv% \n\
        #        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)     (us)     (us)      (%)     (us)  (GB/s)  (GB/s)             (us)     (us)     (us)      (%) \n\
        \x20          8             2     float     sum      -1    12.10    0.00    0.00       0    11.00    13.00    13.00     5.00    11.90    0.00    0.00       0    11.10    12.90    12.90     4.00\n";
    let (all, notes) = read(text, &ReadOptions::default()).unwrap();
    assert_eq!(found(&all), [(vec![2, 8], "tree:channels=16".to_owned(), vec![12.1])]);
    assert!(notes.iter().any(|note| note.contains("in the JSON output `out.json` too")), "{notes:?}");
}

#[test]
fn records_of_the_inspector() {
    let with = |options: ReadOptions| ReadOptions {
        fixed: [("method".to_owned(), "ring_ll".to_owned())].into(),
        ..options
    };
    let p2p = record("AllReduce", 0, 4, 65536, 9.0).replace("coll_perf", "p2p_perf");
    let launch = record("AllReduce", 0, 4, 65536, 2.0).replace("kernel_gpu", "collective_cpu");
    let text = [
        record("AllReduce", 0, 4, 65536, 31.0),
        record("AllReduce", 1, 4, 65536, 99.0),
        record("AllReduce", 0, 4, 65536, 33.0),
        record("AllReduce", 0, 2, 65536, 21.0),
        record("SendRecv", 0, 4, 65536, 8.0),
        p2p,
        launch,
    ];
    let (all, notes) = read(&text.concat(), &with(ReadOptions::default())).unwrap();
    assert_eq!(all.unit, Some(TimeUnit::Microseconds));
    let mut points = found(&all);
    points.sort_by_key(|(sizes, ..)| sizes.clone());
    let expected = [(vec![2, 65536], vec![21.0]), (vec![4, 65536], vec![31.0, 33.0])];
    assert_eq!(points, expected.map(|(sizes, times)| (sizes, "ring_ll".to_owned(), times)));
    for noted in ["other ranks than 0", "not of a collective", "time on the device"] {
        assert!(notes.iter().any(|note| note.contains(noted)), "{noted}: {notes:?}");
    }
    let (all, _) = read(&record("ReduceScatter", 0, 4, 8192, 7.0), &with(ReadOptions::default())).unwrap();
    assert_eq!(all.collective.as_deref(), Some("reduce_scatter_block"));
    assert_eq!(found(&all), [(vec![4, 8192], "ring_ll".to_owned(), vec![7.0])]);

    let cut = format!("{}{}", text[0], &text[0][..200]);
    let refused = read(&cut, &with(ReadOptions::default())).unwrap_err();
    assert!(refused.contains("not a record of NCCL's inspector"), "{refused}");
    let nameless = read(&text[0], &ReadOptions::default()).unwrap_err();
    assert!(nameless.contains("the file does not name the method"), "{nameless}");
}
