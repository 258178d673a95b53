//! The raw output of the CHiArA benchmarks, as published for Polaris.
//!
//! It has one row per repeat, with times in seconds. `send_count` is the number of elements of one rank: of each block for the
//! allgather and the reduce-scatter, and of the buffer divided by the number of ranks for the allreduce. The first program for the
//! reduce-scatter, whose algorithms are called `MPICH_…` and `MPI_…`, multiplies it by the number of ranks
//! (<https://github.com/ValentinoGuerrini/Configurable-Hierarchical-Allreduce-Algorithms>, folder `testing`).

use std::io::BufRead;

use qtdec_core::{Basis, Method, Problem};

use super::Format;
use super::counted::Counted;
use super::sink::FileSink;
use super::table::{self, TableSpec};
use crate::measurements::TimeUnit;

pub(super) const FORMAT: Format = Format {
    has_columns: true,
    ..Format::new(
        "chiara",
        |head| head.lines().next().is_some_and(|header| header.trim_end() == HEADER),
        read,
    )
};

const HEADER: &str = "algorithm_name,k,b,nprocs,send_count,time,is_correct";

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let table = TableSpec {
        columns: "comm_size=nprocs,msg_size=send_count,method=algorithm_name+k+b,time=time",
        unit: Some(TimeUnit::Seconds),
        valid: Some(("is_correct", "1")),
        in_elements: true,
        collective_of: Some(|names| collective_of(names.first()?)),
        counted: Some(counted),
        method: Some(method),
        ..TableSpec::default()
    };
    table::read(input, &table, sink)
}

fn counted(collective: Option<&str>, names: &[&str]) -> Option<Counted> {
    let algorithm = names.first()?;
    let known = collective.or_else(|| collective_of(algorithm))?;
    match known {
        "reduce_scatter" | "reduce_scatter_block" if algorithm.starts_with("MPI") => {
            Some(Counted::Of(Basis::Total))
        }
        "allgather" | "reduce_scatter" | "reduce_scatter_block" => Some(Counted::Of(Basis::Block)),
        "allreduce" => Some(Counted::Share),
        // No program measures the others.
        _ => None,
    }
}

/// Returns the method of a row; parameters of 0 are those that the algorithm does not have.
fn method(names: &[&str]) -> Method {
    let parameters = ["k", "b"].iter().zip(names.iter().skip(1)).filter(|(_, value)| **value != "0");
    let parameters: Vec<String> = parameters.map(|(name, value)| format!(":{name}={value}")).collect();
    Method::new(names[0].to_owned() + &parameters.concat())
}

fn collective_of(algorithm: &str) -> Option<&'static str> {
    let name = algorithm.to_lowercase();
    let names = [
        ("reduce_scatter", "reduce_scatter_block"),
        ("allgather", "allgather"),
        ("allreduce", "allreduce"),
        ("all_reduce", "allreduce"),
    ];
    names.into_iter().find(|(part, _)| name.contains(part)).map(|(_, collective)| collective)
}
