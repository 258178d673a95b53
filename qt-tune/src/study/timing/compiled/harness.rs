//! Asks decision functions, which stand below, for one round at a time: a line of input gives the numbers of a function and
//! of a file of queries, a line of output the nanoseconds for a decision and the sum of all of them.

use std::ffi::OsString;
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::time::Instant;

fn main() {
    let asked: Vec<Vec<[u64; AXES]>> = std::env::args_os().skip(1).map(queries).collect();
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let (function, file) = line.split_once(' ').unwrap();
        let function = black_box(FUNCTIONS[function.parse::<usize>().unwrap()]);
        let queries = &asked[file.parse::<usize>().unwrap()];
        let start = Instant::now();
        let sum = black_box(function(queries));
        let nanoseconds = start.elapsed().as_nanos() as f64 / queries.len() as f64;
        writeln!(out, "{nanoseconds} {sum}").unwrap();
        out.flush().unwrap();
    }
}

fn queries(file: OsString) -> Vec<[u64; AXES]> {
    let bytes = std::fs::read(file).unwrap();
    let sizes: Vec<u64> = bytes.chunks_exact(8).map(|size| u64::from_ne_bytes(size.try_into().unwrap())).collect();
    sizes.chunks_exact(AXES).map(|query| query.try_into().unwrap()).collect()
}

fn sum(asked: &[[u64; AXES]], decide: impl Fn(&[u64; AXES]) -> Option<u64>) -> u64 {
    asked.iter().fold(0, |sum, query| sum.wrapping_add(decide(query).unwrap_or(0)))
}

