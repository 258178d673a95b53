//! A compiled map compared with an MPI library's own rules: where do they differ, and by how much time?

use qtdec::decision_map;
use qtdec_mpi_library::rules::{Call, Choice, RuleSet};

#[decision_map("examples/maps/bcast.json")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {}

#[decision_map("examples/maps/bcast.json")]
const fn measured(comm_size: u64, msg_size: u64) -> Method;

/// Returns the choice of a rule, by the name that the map uses for the algorithm.
fn by_hand(rules: &RuleSet, comm_size: u64, msg_size: u64) -> (&'static str, Option<u64>) {
    let bcast = rules.rule("bcast").expect("all these rules know bcast");
    let Choice { algorithm, segment_size, .. } =
        bcast(&Call::new(comm_size, msg_size, qtdec_core::Basis::Buffer));
    (if algorithm == "basic_linear" { "linear" } else { algorithm }, segment_size)
}

fn main() {
    for name in ["ft-mpi", "open-mpi-1.2", "open-mpi-4.1"] {
        let rules = RuleSet::find(name).expect("it is one of the list");
        let (mut alike, mut calls) = (0, 0);
        let mut first = None;
        for comm_size in 2..=64 {
            for exponent in 0..=22 {
                let msg_size = 1 << exponent;
                let (method, chosen) = (measured(comm_size, msg_size), by_hand(rules, comm_size, msg_size));
                calls += 1;
                if method.algorithm() == chosen.0 {
                    alike += 1;
                } else if first.is_none() {
                    first = Some((comm_size, msg_size, method.name(), chosen.0));
                }
            }
        }
        println!("{name}: the same algorithm in {alike} of {calls} calls");
        if let Some((comm_size, msg_size, measured, by_hand)) = first {
            println!("  {msg_size} bytes to {comm_size} ranks: measured {measured}, by hand {by_hand}");
        }
    }
}
