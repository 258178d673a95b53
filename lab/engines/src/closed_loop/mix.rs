//! Mixes of calls as a program might make them.

use qtdec_mpi_predict::predict::Size;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::GRID;

/// The number of mixes, and the number of calls in each.
pub(super) const SEEDS: u64 = 20;
pub(super) const CALLS: usize = 300;

/// Returns the mixes of all seeds, counted from 1.
pub(super) fn all() -> Vec<Vec<Size>> {
    (1..=SEEDS).map(draw).collect()
}

/// Draws the calls of a seed: numbers of ranks uniformly from the grid's range, and message sizes log-uniformly from its
/// range. Most of these sizes are not in the map.
pub(super) fn draw(seed: u64) -> Vec<Size> {
    let mut chance = Pcg64::seed_from_u64(seed);
    let (most_ranks, longest) = range();
    let mut call = || {
        let comm_size = chance.random_range(2..=most_ranks as u32);
        let power = chance.random_range(0.0..libm::log2((longest + 1) as f64));
        Size { comm_size, msg_size: libm::exp2(power) as u64 }
    };
    (0..CALLS).map(|_| call()).collect()
}

/// Returns the greatest number of ranks and the longest message of the map.
fn range() -> (u64, u64) {
    let last = |sizes: Vec<u64>| sizes.last().copied().unwrap_or(2);
    (last(GRID.comm_sizes()), last(GRID.msg_sizes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_lie_in_the_range_of_the_map_and_mostly_between_its_sizes() {
        let calls = all().concat();
        assert_eq!(calls.len(), 6000);
        assert!(calls.iter().all(|call| (1..=range().1).contains(&call.msg_size)));
        let (ranks, sizes) = (GRID.comm_sizes(), GRID.msg_sizes());
        let is_in_map =
            |call: &&Size| ranks.contains(&u64::from(call.comm_size)) && sizes.contains(&call.msg_size);
        assert!(calls.iter().filter(is_in_map).count() < calls.len() / 3);
    }
}
