//! How long a decision takes in memory.
//!
//! This is what `measure_in_memory_decision_time` did in the papers' prototype (2006 paper, Table 4; 2007 paper, Table 3).

use std::hint::black_box;
use std::time::Instant;

use qtdec_core::{DecisionTree, Domain, lookup};
use qtdec_lookup::{Table, Tree};
use rand::RngExt;
use rand::SeedableRng;
use rand_pcg::Pcg64;

/// How many decisions are timed together.
const DECISIONS: usize = 1 << 14;

/// Over how many such rounds a median is taken.
const ROUNDS: usize = 15;

/// What decisions are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The points of the map's own grid, each as often as any other.
    Grid,
    /// As in the papers: 2 to 64 ranks, and 1 byte to 16 MB with every octave as often as any other.
    Papers,
}

/// How a form of a decision function does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Median nanoseconds for a decision, of decisions that do not wait for each other.
    pub nanoseconds: f64,
    /// The bytes of the loaded form: what decisions read, and the names of axes and methods.
    pub loaded_bytes: u64,
    /// The bytes that decisions read.
    pub read_bytes: u64,
}

/// The forms, with the name of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A tree of one or two levels, in as few bytes as it allows.
    Tree,
    /// A table.
    Table,
}

impl Form {
    /// All of them.
    pub const ALL: [(&'static str, Self); 2] = [("tree", Self::Tree), ("table", Self::Table)];
}

/// The queries; a seed is all the chance there is. `None` where the map's axes are not those of the papers.
pub fn queries(domain: &Domain, asked: Asked, seed: u64) -> Option<Vec<Vec<u64>>> {
    let mut chance = Pcg64::seed_from_u64(seed);
    let names: Vec<&str> = domain.axes().iter().map(|axis| &*axis.name).collect();
    match asked {
        Asked::Grid => {
            let cells = domain.cells();
            Some((0..DECISIONS).map(|_| domain.sizes(chance.random_range(0..cells))).collect())
        }
        Asked::Papers if names == ["comm_size", "msg_size"] => {
            let query = |_| {
                let octave: u32 = chance.random_range(0..24);
                vec![chance.random_range(2..=64), chance.random_range(1 << octave..=2_u64 << octave)]
            };
            Some((0..DECISIONS).map(query).collect())
        }
        Asked::Papers => None,
    }
}

/// Times a form of a tree; `None` where the tree has no such form.
pub fn time(tree: &DecisionTree, form: Form, queries: &[Vec<u64>]) -> Option<Timing> {
    match tree.domain().axes().len() {
        1 => time_of::<1>(tree, form, queries),
        2 => time_of::<2>(tree, form, queries),
        _ => time_of::<3>(tree, form, queries),
    }
}

fn time_of<const AXES: usize>(tree: &DecisionTree, form: Form, queries: &[Vec<u64>]) -> Option<Timing> {
    let queries: Vec<[u64; AXES]> = queries.iter().filter_map(|query| query[..].try_into().ok()).collect();
    let (bytes, nanoseconds, read) = match form {
        Form::Tree => {
            let bytes = lookup::tree(tree)?;
            let loaded = Tree::<AXES>::load(&bytes).ok()?;
            let nanoseconds = median(&queries, |sizes| loaded.decide(sizes));
            (bytes.len(), nanoseconds, loaded.bytes())
        }
        Form::Table => {
            let bytes = lookup::table(tree).ok()?;
            let loaded = Table::<AXES>::load(&bytes).ok()?;
            let nanoseconds = median(&queries, |sizes| loaded.decide(sizes));
            (bytes.len(), nanoseconds, loaded.bytes())
        }
    };
    Some(Timing { nanoseconds, loaded_bytes: bytes as u64, read_bytes: read as u64 })
}

fn median<const AXES: usize>(queries: &[[u64; AXES]], decide: impl Fn([u64; AXES]) -> Option<u16>) -> f64 {
    let round = |_| {
        let start = Instant::now();
        let sum = queries.iter().fold(0_u64, |sum, sizes| sum + u64::from(decide(*sizes).unwrap_or(0)));
        black_box(sum);
        start.elapsed().as_nanos() as f64 / queries.len() as f64
    };
    let mut rounds: Vec<f64> = (0..ROUNDS).map(round).collect();
    rounds.sort_by(f64::total_cmp);
    rounds[ROUNDS / 2]
}
