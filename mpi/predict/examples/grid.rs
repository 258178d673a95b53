//! Predicts the times of broadcasts on large grids, and prints the number of predictions and the duration:
//! `cargo run --release -p qtdec-mpi --example grid -- grig|frodo|formulas|messages`.
//!
//! `grig` and `frodo`, with an optional number of threads, simulate the grids of the papers' machines; `messages` builds the
//! schedules of one of these grids without simulating them. `formulas` evaluates formulas on 64 × 64 cells with 8 segment sizes.
//! `cargo xtask numbers grids` runs all of them.

use std::num::NonZero;
use std::time::Instant;

use qtdec_mpi_predict::models::Form;
use qtdec_mpi_predict::network::{Network, shipped};
use qtdec_mpi_predict::predict::{Predictor, TimeSource, map};
use qtdec_mpi_predict::simulate::{Noise, Point, Simulator, times};
use qtdec_mpi_schedule::{Algorithm, algorithms};
use qtdec_mpi_schedule::{Collective, Request};

const ALGORITHMS: [&str; 5] = ["linear", "pipeline", "binary", "split_binary", "binomial"];

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["formulas"] => formulas(),
        ["messages", machine] => messages(machine),
        [machine] => simulate(machine, 1),
        [machine, threads] => simulate(machine, threads.parse()?),
        _ => Err("the argument is the machine `grig` or `frodo`, or `formulas`".into()),
    }
}

fn simulate(machine: &str, threads: usize) -> Outcome {
    let (network, points) = grid(machine)?;
    let start = Instant::now();
    let found = times(&network, &points, Noise::default(), NonZero::new(threads).ok_or("0 threads")?, || ());
    let took = start.elapsed();
    let found = found.into_iter().collect::<Result<Vec<_>, _>>()?;
    let sum: f64 = found.iter().map(|time| time.seconds()).sum();
    println!("{} times in {took:.2?} on {threads} threads; they add up to {sum} s", found.len());
    Ok(())
}

fn messages(machine: &str) -> Outcome {
    let (network, points) = grid(machine)?;
    let start = Instant::now();
    let mut simulator = Simulator::new(&network);
    let mut messages = 0;
    for point in &points {
        simulator.load(point)?;
        messages += simulator.messages();
    }
    println!("{messages} messages of {} points in {:.2?}", points.len(), start.elapsed());
    Ok(())
}

/// Returns the network of a machine, and the paper's methods at each of its sizes.
fn grid(machine: &str) -> Result<(Network, Vec<Point<'static>>), Box<dyn std::error::Error>> {
    let network = shipped(machine)?;
    let (ranks, sizes) = if machine == "frodo" { frodo() } else { grig() };
    let mut points = Vec::new();
    for entry in algorithms(Collective::Bcast).filter(|entry| ALGORITHMS.contains(&entry.name())) {
        // A linear broadcast gains nothing from segments.
        let segments = if entry.name() == "linear" { 0 } else { SEGMENTS.len() };
        for &comm_size in &ranks {
            for &bytes in &sizes {
                let segments = SEGMENTS[..segments]
                    .iter()
                    .filter(|segment| **segment < bytes)
                    .map(|&segment| Some(segment));
                for segment in segments.chain([None]) {
                    let request = Request::new(comm_size, bytes)?.segment(segment)?;
                    points.push(Point { algorithm: entry, request });
                }
            }
        }
    }
    Ok((network, points))
}

fn formulas() -> Outcome {
    let network = shipped("icluster-2")?;
    let predictor = Predictor::new(&network, Collective::Bcast, TimeSource::Formula(Form::Exact), &[])?;
    let (ranks, sizes): (Vec<u64>, Vec<u64>) =
        ((2..66).collect(), (0..64).map(|n| 1000 + 16_000 * n).collect());
    let segments = [256, 512, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15];
    let start = Instant::now();
    let map = map(&predictor, &ranks, &sizes, &segments, || ())?;
    let took = start.elapsed();
    let (cells, methods) = (map.cells().len(), map.domain().methods().len());
    println!("{} times in {took:.2?}: {cells} cells of {methods} methods", cells * methods);
    Ok(())
}

const SEGMENTS: [u64; 6] = [1 << 10, 1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 17];

/// Returns 2 to 28 ranks without 25 and 27, and 48 sizes from 1 byte to 384 KiB.
fn grig() -> (Vec<u32>, Vec<u64>) {
    let powers = (0..19).flat_map(|power| [1 << power, 3 << power >> 1]).filter(|&bytes| bytes < 400 << 10);
    let quarters = (10..15).flat_map(|power| [5 << power >> 2, 7 << power >> 2]);
    let mut sizes: Vec<u64> = powers.chain(quarters).collect();
    sizes.sort_unstable();
    sizes.dedup();
    ((2..=28).filter(|ranks| ![25, 27].contains(ranks)).collect(), sizes)
}

/// Returns 2 to 50 ranks, and 38 sizes from 4 bytes to 2 MiB.
fn frodo() -> (Vec<u32>, Vec<u64>) {
    let mut sizes: Vec<u64> =
        (0..=38).map(|half| 4 * 2.0_f64.powf(f64::from(half) / 2.0).round() as u64).collect();
    sizes.dedup();
    ((2..=50).collect(), sizes)
}
