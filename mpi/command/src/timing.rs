//! The time of a decision.
//!
//! This corresponds to `measure_in_memory_decision_time` in the papers' prototype (2006 paper, Table 4; 2007 paper, Table 3).
//! Everything that is timed together takes turns on the same queries: only times of one run are comparable.

mod in_memory;
mod turns;

pub use in_memory::Loadable;
pub use turns::{Round, Spread, interleave};

use qtdec_core::Domain;
use rand::RngExt;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::compare::Calls;
use qtdec_mpi_library::rules::{Call, Rule};

/// The number of decisions that are timed together.
const DECISIONS: usize = 1 << 14;

/// The distribution of queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryPattern {
    /// The points of the map's own grid, all equally often.
    Grid,
    /// The papers' distribution: 2 to 64 ranks, and 1 byte to 16 MB with all octaves equally often.
    Papers,
}

impl QueryPattern {
    /// Every distribution and its name.
    pub const ALL: [(&'static str, Self); 2] = [("grid", Self::Grid), ("papers", Self::Papers)];
}

/// Returns the queries, which are determined by the seed, or `None` if the map's axes are not those of the papers.
pub fn queries(domain: &Domain, pattern: QueryPattern, seed: u64) -> Option<Vec<Vec<u64>>> {
    let mut chance = Pcg64::seed_from_u64(seed);
    let names: Vec<&str> = domain.axes().iter().map(|axis| &*axis.name).collect();
    match pattern {
        QueryPattern::Grid => {
            let cells = domain.cells();
            Some((0..DECISIONS).map(|_| domain.sizes(chance.random_range(0..cells))).collect())
        }
        QueryPattern::Papers if names == ["comm_size", "msg_size"] => {
            let query = |_| {
                let octave: u32 = chance.random_range(0..24);
                vec![chance.random_range(2..=64), chance.random_range(1 << octave..=2_u64 << octave)]
            };
            Some((0..DECISIONS).map(query).collect())
        }
        QueryPattern::Papers => None,
    }
}

/// Returns rounds of a hand-written rule, called through its pointer with its inputs; no name is looked up.
pub fn function<'r>(rule: Rule, domain: &Domain, calls: &Calls, queries: &[Vec<u64>]) -> Round<'r> {
    let requested: Vec<Call> = queries.iter().map(|sizes| calls.call(domain, sizes)).collect();
    Box::new(move || {
        turns::nanoseconds(&requested, |call| {
            let choice = rule(call);
            choice.algorithm.len() as u64 + choice.segment_size.unwrap_or(0)
        })
    })
}
