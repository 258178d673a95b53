//! The text of nccl-tests: what the environment forces, and reports of each iteration.
//!
//! The texts were written by hand after the format strings of nccl-tests 2.19.6 and NCCL 2.30.7: neither program was run.

use std::io::Cursor;

use qtdec_study::measurements::{Measurements, Series};
use qtdec_study::readers::{self, ReadOptions};

/// Returns the output of a run on two devices, with the settings that NCCL logs and with further columns of each of the two calls.
fn run(settings: &[&str], titles: &str, columns: &str) -> String {
    let set = |setting: &&str| {
        let (name, value) = setting.split_once('=').expect("a setting has a value");
        format!("node:1:1 [0] NCCL INFO {name} set by environment to {value}\n")
    };
    format!(
        "# Collective test starting: all_reduce_perf\n\
         # nThread 1 nGpus 2 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 1 iters: 3 agg iters: 1 validation: 1 graph: 0 unalign: 0\n\
         #  Rank  0 Group  0 Pid  1 on node device  0 [0000:05:00] NVIDIA H100\n\
         #  Rank  1 Group  0 Pid  1 on node device  1 [0000:06:00] NVIDIA H100\n\
         {}\
         #  size  count  type  redop  root  time  algbw  busbw  #wrong{titles}  time  algbw  busbw  #wrong{titles}\n\
         \x20  8  2  float  sum  -1  12.10  0.00  0.00  0{columns}  11.90  0.00  0.00  0{columns}\n",
        settings.iter().map(set).collect::<String>()
    )
}

fn read(text: &str) -> Result<Measurements, String> {
    let read = readers::read_one("file", Cursor::new(text.as_bytes().to_vec()), &ReadOptions::default());
    read.map(|(read, _)| read).map_err(|failed| {
        let problems = failed.iter().flat_map(|failed| failed.problems.iter().map(ToString::to_string));
        problems.collect::<Vec<_>>().join("\n")
    })
}

/// Returns the sizes, the method and the mean of the only series.
fn found(read: &Measurements) -> (Vec<u64>, String, f64) {
    let methods: Vec<String> = read.labels().collect();
    let mut all = read.all_series();
    let (sizes, method, series) = all.next().expect("there is one");
    assert!(all.next().is_none());
    let Series::Statistics(given) = series else { panic!("{series:?}") };
    (sizes.to_vec(), methods[method].clone(), given[0].1)
}

/// Two bounds that differ fix no number of channels, and several algorithms force none.
#[test]
fn what_the_environment_does_not_fix_is_no_method() {
    for (environment, method) in [
        (
            &["NCCL_ALGO=Ring", "NCCL_PROTO=LL128", "NCCL_MIN_NCHANNELS=8", "NCCL_MAX_CTAS=8"][..],
            "ring_ll128:channels=8",
        ),
        (&["NCCL_ALGO=tree", "NCCL_MIN_CTAS=4", "NCCL_MAX_CTAS=8"], "tree"),
        (&["NCCL_ALGO=Tree", "NCCL_PROTO=Simple.", "NCCL_MIN_CTAS=4"], "tree_simple"),
    ] {
        let all = read(&run(environment, "", "")).unwrap();
        assert_eq!(found(&all), (vec![2, 8], method.to_owned(), 12.1));
    }
    for environment in [&["NCCL_ALGO=Tree,Ring"][..], &["NCCL_ALGO=^Tree"], &["NCCL_PROTO=LL"], &[]] {
        let refused = read(&run(environment, "", "")).unwrap_err();
        assert!(refused.contains("does not name the method"), "{environment:?}: {refused}");
    }
}

/// A report of each iteration adds columns to the text.
#[test]
fn text_with_a_report_of_each_iteration() {
    let settings = ["NCCL_ALGO=Tree", "NCCL_MIN_CTAS=16.", "NCCL_MAX_CTAS=16."];
    let text = run(&settings, "  i_min  i_max  i_p99  i_cv%", "  11.00  13.00  13.00  5.00");
    assert_eq!(found(&read(&text).unwrap()), (vec![2, 8], "tree:channels=16".to_owned(), 12.1));
}
