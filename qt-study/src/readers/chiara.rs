//! The raw output of the CHiArA benchmarks, as published for Polaris.
//!
//! It has one row per repeat, with times in seconds. `send_count` is the number of elements of one rank: of each block for the
//! allgather and the reduce-scatter, and of the buffer divided by the number of ranks for the allreduce. The first program for the
//! reduce-scatter, whose algorithms are called `MPICH_…` and `MPI_…`, multiplies it by the number of ranks
//! (<https://github.com/ValentinoGuerrini/Configurable-Hierarchical-Allreduce-Algorithms>, folder `testing`).

use std::io::BufRead;

use qtdec_core::{Basis, Problem};

use super::Format;
use super::columns::Columns;
use super::counted::Counted;
use super::sink::FileSink;
use super::table::{self, TableDialect, TableSpec};
use crate::measurements::{MeasuredMethod, TimeUnit};

pub(super) struct Chiara;

const HEADER: &str = "algorithm_name,k,b,nprocs,send_count,time,is_correct";

impl Format for Chiara {
    fn name(&self) -> &'static str {
        "chiara"
    }

    fn has_columns(&self) -> bool {
        true
    }

    fn recognises(&self, head: &str) -> bool {
        head.lines().next().is_some_and(|header| header.trim_end() == HEADER)
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
        let axis = |name: &str, column: &str| (name.to_owned(), column.to_owned());
        let table = TableSpec {
            columns: Columns {
                axes: vec![axis("comm_size", "nprocs"), axis("msg_size", "send_count")],
                method: ["algorithm_name", "k", "b"].map(str::to_owned).into(),
                time: Some("time".to_owned()),
                ..Columns::default()
            },
            unit: Some(TimeUnit::Seconds),
            valid: Some(("is_correct", "1")),
            in_elements: true,
            ..TableSpec::new(self)
        };
        table::read(input, &table, sink)
    }
}

impl TableDialect for Chiara {
    fn collective_of(&self, names: &[&str]) -> Option<&'static str> {
        collective_of(names.first()?)
    }

    fn counted(&self, collective: Option<&str>, names: &[&str]) -> Option<Counted> {
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
    fn method(&self, names: &[&str]) -> MeasuredMethod {
        let parameters = ["k", "b"].iter().zip(names.iter().skip(1)).filter(|(_, value)| **value != "0");
        let parameters: Vec<String> = parameters.map(|(name, value)| format!(":{name}={value}")).collect();
        MeasuredMethod { name: names[0].to_owned() + &parameters.concat(), segment_size: None }
    }
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
