//! The radix of a tree: for a d-ary tree the most children of a rank, for a k-nomial tree one more than those of a level.

/// The radix of a tree for which none is given: the default of Open MPI and MPICH for k-nomial trees.
pub const DEFAULT_RADIX: u32 = 4;

/// The parameter of a name that is the radix.
const RADIX: &str = "radix";

/// Returns the name of an algorithm with a radix, as in `knomial:radix=8`.
pub fn named(algorithm: &str, radix: Option<u32>) -> String {
    radix.map_or_else(|| algorithm.to_owned(), |radix| format!("{algorithm}:{RADIX}={radix}"))
}

/// Splits a name, as [`named`] writes it, into that of the algorithm and the radix.
pub fn split_radix(name: &str) -> (&str, Option<u32>) {
    let split = name.rsplit_once(':').and_then(|(algorithm, last)| {
        let radix = last.strip_prefix(RADIX)?.strip_prefix('=')?.parse().ok()?;
        Some((algorithm, Some(radix)))
    });
    split.unwrap_or((name, None))
}

/// Returns the radices that a search tries first, in increasing order: for every height, the least radix with which a d-ary tree and
/// the least with which a k-nomial tree of that height holds the ranks.
///
/// Barchet-Estefanel and Mounié (2004) describe the choice by the pairs of `d` and a height `h` with `d^0 + … + d^h ≥ P`: of the trees of
/// one height, the one with the fewest children per rank.
pub fn radices(ranks: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for height in 1..=ranks.max(2).ilog2() + 1 {
        let power = |radix: u64| radix.saturating_pow(height);
        let sum = |radix: u64| {
            (0..=height).fold(0_u64, |sum, level| sum.saturating_add(radix.saturating_pow(level)))
        };
        found.push(least(ranks, power));
        found.push(least(ranks, sum));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the least radix of at least 2 whose tree holds the ranks.
fn least(ranks: u32, held: impl Fn(u64) -> u64) -> u32 {
    let (mut below, mut enough) = (1, ranks.max(2));
    while enough - below > 1 {
        let middle = below + (enough - below) / 2;
        if held(u64::from(middle)) >= u64::from(ranks) {
            enough = middle;
        } else {
            below = middle;
        }
    }
    enough
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_height_has_its_least_radix() {
        // 16 ranks: heights of 1 to 5. 1 + 3 + 9 + 27 = 40, but 1 + 2 + 4 + 8 = 15.
        assert_eq!(radices(16), [2, 3, 4, 15, 16]);
        assert_eq!(radices(2), [2]);
        assert_eq!(radices(3), [2, 3]);
        for ranks in 2..300_u32 {
            for radix in 2..=ranks {
                let height = |held: &dyn Fn(u32) -> u64| {
                    (0..32).find(|&height| held(height) >= u64::from(ranks)).unwrap()
                };
                let power = |height| u64::from(radix).pow(height);
                let sum = |height| (0..=height).map(power).sum();
                // Some radix that is tried is no larger, and its tree no higher.
                for held in [&power as &dyn Fn(u32) -> u64, &sum] {
                    let limit = height(held);
                    let tried = radices(ranks).into_iter().filter(|&tried| tried <= radix);
                    assert!(tried.into_iter().any(|tried| {
                        let power = |height| u64::from(tried).pow(height);
                        power(limit) >= u64::from(ranks)
                            || (0..=limit).map(power).sum::<u64>() >= u64::from(ranks)
                    }));
                }
            }
        }
    }

    #[test]
    fn the_most_ranks_have_few_radices() {
        assert!(radices(u32::MAX).len() < 70);
    }
}
