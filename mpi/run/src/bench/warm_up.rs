//! The calls of a cell that do not count.

use crate::abilities::WARM_UP;

/// The number of buffers that calls use in turn, so that none finds its message in a cache by luck.
pub(super) const BUFFERS: usize = WARM_UP as usize;

/// Returns the methods to call before any time counts, each with the number of its turn, which chooses the root. Each method is called
/// once, and where its ranks never met before, once with each of `roots`, so that no call that counts opens a connection. Few methods take
/// more turns, until every buffer was used.
pub(super) fn calls(runs: &[bool], roots: usize, is_first: bool) -> Vec<(usize, usize)> {
    let running: Vec<usize> = (0..runs.len()).filter(|&method| runs[method]).collect();
    let of_buffers = BUFFERS.div_ceil(running.len().max(1));
    let turns = if is_first { roots.max(of_buffers) } else { of_buffers };
    (0..turns).flat_map(|turn| running.iter().map(move |&method| (method, turn))).collect()
}

#[cfg(test)]
mod tests {
    use super::{BUFFERS, calls};

    #[test]
    fn nothing_that_counts_is_the_first_of_its_kind() {
        assert_eq!(calls(&[true], 1, false), [(0, 0), (0, 1), (0, 2), (0, 3)], "every buffer");
        assert_eq!(calls(&[false, true, true], 3, false), [(1, 0), (2, 0), (1, 1), (2, 1)]);
        assert_eq!(calls(&[true; 5], 1, false).len(), 5, "the usual call of many methods");
        let met = calls(&[true; 5], 3, true);
        assert_eq!((met.len(), met[5], met.last()), (15, (0, 1), Some(&(4, 2))), "every root");
        assert_eq!(calls(&[false; 3], 3, true), []);
        assert!((1..9).all(|methods| calls(&vec![true; methods], 3, true).len() >= BUFFERS));
    }
}
