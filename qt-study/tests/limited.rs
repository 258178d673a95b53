//! Endless valid rows, as a compressed file of a megabyte can hold: they are rejected within a gigabyte of memory.

mod endless_rows;

use std::fs;

use endless_rows::EndlessRows;
use qtdec_study::readers::{self, ReadOptions};

/// The maximum memory of the whole process.
const MAX_KIB: u64 = 1 << 20;

#[test]
fn rows_without_an_end_are_refused() {
    // With a new method at a new point in every row, each point needs memory for every method.
    let header = "comm_size,msg_size,method,time\n";
    let rows = EndlessRows::new(header, |size| format!("2,{size},m{size},1\n"));
    let failed = readers::read_one("rows.csv", rows, &ReadOptions::default()).unwrap_err();
    let said = failed[0].problems.to_string();
    assert!(
        said.contains("the times take more than the maximum of 512 MiB of memory")
            && said.contains("--where"),
        "{said}"
    );
    assert!(peak_kib().is_none_or(|peak| peak < MAX_KIB), "{:?} KiB", peak_kib());
}

fn peak_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
