//! The papers' measurements as experiments that can be simulated: the sizes and methods measured on each cluster.
//!
//! - Pješivac-Grbović, Fagg and Dongarra, "Using Quadtree Encoding for MPI Collective Algorithm Selection Process", 2006 (the 2006
//!   paper): Grig, 25 × 48 sizes, segments of 1, 8 and 16 KiB.
//! - Pješivac-Grbović, Bosilca, Fagg, Angskun and Dongarra, "MPI collective algorithm selection and quadtree encoding", Parallel
//!   Computing 33, 2007 (the 2007 paper): Grig and Frodo, 49 × 38 sizes, segments of 1 to 128 KiB.
//!
//! The papers state the ranges and the number of sizes, but not the sizes themselves; [`Cluster`] documents the sizes chosen here.

use std::num::NonZero;

use qtdec_core::DecisionMap;

use qtdec_mpi_predict::network::Network;
use qtdec_mpi_predict::predict::{self, MapError, Predictor, TimeSource};
use qtdec_mpi_schedule::collective::Collective;

/// The segment sizes of the 2006 paper, in bytes.
pub const SEGMENTS_2006: [u64; 3] = [1 << 10, 8 << 10, 16 << 10];

/// The segment sizes of the 2007 paper, in bytes.
pub const SEGMENTS_2007: [u64; 6] = [1 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10];

/// The algorithms of both papers in the order of the 2006 paper; ties go to the first.
const BROADCASTS: [&str; 5] = ["linear", "binomial", "binary", "split_binary", "pipeline"];
const REDUCTIONS: [&str; 4] = ["linear", "binomial", "binary", "pipeline"];

/// A cluster on which the papers measured broadcasts and reductions.
///
/// The variants are complete: the papers have no other clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cluster {
    /// Grig: 2 to 28 ranks and 1 byte to 384 KiB in 25 × 48 sizes. Chosen here: all numbers of ranks except 25 and 27; the powers
    /// of two and their multiples by three (37 sizes), and the quarter steps between them from 1 to 40 KiB (11).
    Grig,
    /// Frodo: 2 to 50 ranks and 4 bytes to 2 MiB in 49 × 38 sizes. Chosen here: all numbers of ranks; four times the powers of √2,
    /// rounded, which are 38 sizes and include the 1448 bytes that the 2007 paper mentions.
    Frodo,
}

impl Cluster {
    /// Every cluster.
    pub const ALL: [Self; 2] = [Self::Grig, Self::Frodo];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grig => "grig",
            Self::Frodo => "frodo",
        }
    }

    /// Returns the name of the shipped network that represents the cluster.
    pub const fn network(self) -> &'static str {
        match self {
            Self::Grig => "grig-fitted",
            Self::Frodo => "frodo",
        }
    }

    /// Returns the numbers of ranks.
    pub fn comm_sizes(self) -> Vec<u64> {
        match self {
            Self::Grig => (2..=28).filter(|ranks| ![25, 27].contains(ranks)).collect(),
            Self::Frodo => (2..=50).collect(),
        }
    }

    /// Returns the message sizes in bytes.
    pub fn msg_sizes(self) -> Vec<u64> {
        let mut sizes: Vec<u64> = match self {
            Self::Grig => {
                let powers = (0..=18).map(|power| 1 << power);
                let thirds = (0..=17).map(|power| 3 << power);
                let quarters = (8..=12).flat_map(|power| [5 << power, 7 << power]);
                powers.chain(thirds).chain(quarters).chain([40 << 10]).collect()
            }
            Self::Frodo => {
                (0..=38).map(|halves| 4 * libm::round(libm::exp2(f64::from(halves) / 2.0)) as u64).collect()
            }
        };
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }
}

/// Returns the names of the algorithms that the papers measured, which is none except for broadcasts and reductions.
pub fn algorithms(collective: Collective) -> &'static [&'static str] {
    match collective {
        Collective::Bcast => &BROADCASTS,
        Collective::Reduce => &REDUCTIONS,
        _ => &[],
    }
}

/// The number of significant digits of a simulated time.
pub const DIGITS: u32 = 4;

/// Simulates the measurements of a cluster with the segments of the 2007 paper, which include those of the 2006 paper, on a
/// network that represents it.
///
/// If a segment is not smaller than the message, a method takes as long as without segments. `done` is called once for each
/// simulated time.
///
/// # Errors
///
/// Fails if the papers did not measure the collective.
pub fn simulate(
    cluster: Cluster,
    collective: Collective,
    network: &Network,
    threads: NonZero<usize>,
    done: impl Fn() + Sync,
) -> Result<DecisionMap, MapError> {
    let names = algorithms(collective);
    if names.is_empty() {
        return Err(MapError::NoTimes);
    }
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut predictor =
        Predictor::new(network, collective, TimeSource::Simulated, &names).map_err(|_| MapError::NoTimes)?;
    predictor.threads = threads;
    predictor.every_segment = true;
    predictor.digits = Some(DIGITS);
    predict::map(&predictor, &cluster.comm_sizes(), &cluster.msg_sizes(), &SEGMENTS_2007, done)
}
