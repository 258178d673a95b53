//! Prints how the processor time to build and prove schedules grows with the number of ranks, as a Markdown table: multiples of
//! the time of 16 ranks in the same run, the least of five repeats each.
//!
//! `cargo xtask proofs` writes it into `lab/results/proofs.md`.

#![allow(clippy::disallowed_macros, clippy::disallowed_types)]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use qtdec_mpi_schedule::{Collective, Request, Schedule, find};

const RANKS: [u32; 6] = [16, 32, 64, 128, 256, 512];
const REPEATS: usize = 5;

const SCHEDULES: [(Collective, &str); 4] = [
    (Collective::Bcast, "binomial"),
    (Collective::Allreduce, "recursive_doubling"),
    (Collective::Allreduce, "ring"),
    (Collective::Alltoall, "pairwise"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let columns = RANKS.map(|ranks| format!("p = {ranks}")).join(" | ");
    println!("| schedule | {columns} | operations of 512 / of 16 | slope |");
    println!("|---|{}---|---|", "---|".repeat(RANKS.len()));
    for (collective, name) in SCHEDULES {
        let algorithm = find(collective, name)?;
        let mut points: Vec<(f64, f64, usize)> = Vec::new();
        for ranks in RANKS {
            let request = Request::new(ranks, 65_536)?;
            let mut least = f64::INFINITY;
            let mut operations = 0;
            for _ in 0..REPEATS {
                let start = Instant::now();
                let schedule = Schedule::build(algorithm, &request)?;
                black_box(schedule.verify()?);
                least = least.min(start.elapsed().as_secs_f64());
                operations = schedule.ranks.iter().map(|rank| rank.operations.len()).sum();
            }
            points.push((f64::from(ranks), least, operations));
        }
        let (first, last) = (points[0], points[points.len() - 1]);
        let times: Vec<String> = points.iter().map(|point| format!("{:.1}", point.1 / first.1)).collect();
        let slope = (last.1 / first.1).ln() / (last.0 / first.0).ln();
        let operations = last.2 as f64 / first.2 as f64;
        println!("| {collective} `{name}` | {} | {operations:.0} | {slope:.2} |", times.join(" | "));
    }
    Ok(())
}
