//! The sizes at which the answer of a rule changes.

/// The number of sizes that are tried in each octave. Smaller sizes are tried one by one.
const SAMPLES: u64 = 256;

/// Returns the size from which each answer holds, in increasing order from 0, with the answer, for sizes up to the greatest. A change and its
/// reverse between two neighbouring samples are not seen; every band of the built-in rules is wider.
pub fn borders<T: PartialEq>(greatest: u64, answer: impl Fn(u64) -> T) -> Vec<(u64, T)> {
    let mut bands = vec![(0, answer(0))];
    let mut before = 0;
    while before < greatest {
        let step = (before + 1).next_power_of_two() / SAMPLES / 2;
        let next = (before + step.max(1)).min(greatest);
        let is_next = answer(next);
        if bands.last().is_some_and(|(_, last)| *last != is_next) {
            let (mut low, mut high) = (before, next);
            while high - low > 1 {
                let middle = low.midpoint(high);
                if answer(middle) == is_next { high = middle } else { low = middle }
            }
            bands.push((high, is_next));
        }
        before = next;
    }
    bands
}

#[cfg(test)]
mod tests {
    use super::super::{ALL, Call};
    use super::*;
    use crate::catalogue::natural_basis_or_buffer;

    #[test]
    fn borders_are_where_a_scan_of_all_sizes_finds_them() {
        const GREATEST: u64 = 1 << 17;
        let mut changes = 0;
        for rules in ALL {
            for (collective, rule) in rules.rules {
                for (ranks, element_size) in [(2, 1), (13, 4), (64, 8), (1000, 1)] {
                    let basis = natural_basis_or_buffer(collective);
                    let answer = |bytes| rule(&Call { element_size, ..Call::new(ranks, bytes, basis) });
                    let mut scanned = vec![(0, answer(0))];
                    for bytes in 1..=GREATEST {
                        let next = answer(bytes);
                        if scanned.last().is_none_or(|(_, last)| *last != next) {
                            scanned.push((bytes, next));
                        }
                    }
                    let found = borders(GREATEST, answer);
                    assert_eq!(found, scanned, "{} {collective} on {ranks} ranks", rules.name);
                    changes += found.len() - 1;
                }
            }
        }
        assert!(changes > 100, "{changes}");
    }
}
