//! Endless valid rows, as a compressed file of a megabyte can hold: they are rejected within a gigabyte of memory.

use std::fs;
use std::io::{self, Read};

use qtdec_measure::readers::{self, ReadOptions};
use qtdec_measure::vocabulary::Vocabulary;

/// The maximum memory of the whole process.
const MAX_KIB: u64 = 1 << 20;

/// A table with a new method at a new point in every row, so that each point needs memory for every method.
struct Rows {
    text: Vec<u8>,
    read: usize,
    next: u64,
}

impl Read for Rows {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.text.len() {
            let rows = (self.next..self.next + 1000).map(|size| format!("2,{size},m{size},1\n"));
            (self.text, self.read) = (rows.collect::<String>().into_bytes(), 0);
            self.next += 1000;
        }
        let length = buffer.len().min(self.text.len() - self.read);
        buffer[..length].copy_from_slice(&self.text[self.read..][..length]);
        self.read += length;
        Ok(length)
    }
}

#[test]
fn rows_without_an_end_are_refused() {
    let rows = Rows { text: b"comm_size,msg_size,method,time\n".to_vec(), read: 0, next: 0 };
    let failed = readers::read_one("rows.csv", rows, &ReadOptions::new(Vocabulary::default())).unwrap_err();
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
