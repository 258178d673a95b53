//! `qtdec-simgrid`: times of points in SimGrid.

mod times;

use std::fmt::Write;
use std::fs;
use std::process::ExitCode;

use clap::Parser;
use qtdec_mpi_predict::network::{Network, shipped};
use qtdec_mpi_schedule::Algorithm;
use qtdec_simgrid::points;

/// Simulate collectives in SimGrid
///
/// The input is CSV with a row for each point, and so is the output, with SimGrid's times.
#[derive(Debug, Parser)]
struct Arguments {
    /// Use this network: a file, or the name of a shipped network
    network: String,

    /// Read the points from this CSV file, with the columns `collective,algorithm,segment_size,comm_size,msg_size`;
    /// further columns are ignored
    points: String,
}

fn main() -> ExitCode {
    let Arguments { network, points } = Arguments::parse();
    match run(&network, &points) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(network: &str, file: &str) -> Result<String, String> {
    let network = match fs::read(network) {
        Ok(bytes) => Network::from_json(&bytes).map_err(|problems| format!("{network}: {problems}"))?,
        Err(error) => shipped(network).map_err(|unknown| format!("{network}: {error}; {unknown}"))?,
    };
    let text = fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let points = points::read(&text).map_err(|faults| format!("{file}: {faults}"))?;
    let times = times::times(&network, &points)?;
    let mut text = format!("{},time_us\n", points::COLUMNS.join(","));
    for (point, seconds) in points.iter().zip(times) {
        let request = &point.request;
        let segment = request.segment_size().map(|size| size.to_string()).unwrap_or_default();
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "{},{},{segment},{},{},{:.6}",
            point.algorithm.collective(),
            point.algorithm.name(),
            request.comm_size(),
            request.bytes(),
            seconds * 1e6
        );
    }
    Ok(text)
}
