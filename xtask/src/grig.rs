//! The grid on which the papers measured broadcasts on Grig, as far as it is known: 25 × 48 sizes.
//!
//! The papers state the ranges and the counts: 2 to 28 ranks, 1 byte to 384 KiB. Taken are all numbers of ranks but 25 and 27;
//! the powers of two and those times three, and the quarters between them from 1 to 32 KiB.

/// The broadcasts of the papers.
pub(crate) const ALGORITHMS: [&str; 5] = ["linear", "pipeline", "binary", "split_binary", "binomial"];

/// The segment sizes of the 2007 paper.
pub(crate) const SEGMENTS: [u64; 6] = [1 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10];

/// The most ranks.
pub(crate) const MOST_RANKS: u64 = 28;

/// The longest message.
pub(crate) const LONGEST: u64 = 384 << 10;

pub(crate) fn comm_sizes() -> Vec<u64> {
    (2..=MOST_RANKS).filter(|ranks| ![25, 27].contains(ranks)).collect()
}

pub(crate) fn msg_sizes() -> Vec<u64> {
    let powers = (0..19).flat_map(|power| [1 << power, 3 << power]).filter(|&bytes| bytes <= LONGEST);
    let quarters = (8..13).flat_map(|power| [5 << power, 7 << power]);
    let mut sizes: Vec<u64> = powers.chain(quarters).chain([40 << 10]).collect();
    sizes.sort_unstable();
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_has_as_many_sizes_as_the_papers() {
        assert_eq!(comm_sizes().len(), 25);
        let sizes = msg_sizes();
        assert_eq!((sizes.len(), sizes[0], sizes[47]), (48, 1, LONGEST));
        assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
