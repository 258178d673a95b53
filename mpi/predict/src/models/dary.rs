//! A d-ary tree.

use super::{Formula, at_most, exactly};

/// A d-ary tree numbered like a heap: the children of `v` are `d v + 1` to `d v + d`.
///
/// Barchet-Estefanel and Mounié name the tree and print no formula. Without segments: the time of the worst rank, whose
/// message left as the last of each rank above it. With segments, a bound of our own: the root needs `d` gaps for each segment
/// before the last.
pub(super) const BCAST: Formula =
    Formula::bcast("dary", "in the manner of Barchet-Estefanel and Mounié 2004, section 3.1")
        .segmented()
        .exact(|call| {
            let cuts = call.cuts();
            let gap = call.gap(cuts.full).max(call.gap(cuts.last));
            let latency = call.latency(cuts.full).max(call.latency(cuts.last));
            let whole = worst_rank(call.ranks, call.radix(), gap, latency);
            if cuts.count > 1.0 {
                let children = call.radix().min(call.ranks - 1);
                return Ok(at_most((cuts.count - 1.0) * children as f64 * gap + whole));
            }
            Ok(exactly(whole))
        });

/// Returns the time at which the last rank has the message.
///
/// A rank's number in bijective base `d`, with the digits 1 to `d`, is its path from the root: each digit is the place of a child.
/// Ranks above the last level are compared by their level, which is full. On the last level the worst is the last rank itself,
/// or one with a smaller digit and only digits `d` after it.
pub(super) fn worst_rank(ranks: u64, radix: u64, gap: f64, latency: f64) -> f64 {
    let mut digits = Vec::new();
    let mut rest = ranks - 1;
    while rest > 0 {
        let digit = (rest - 1) % radix + 1;
        digits.push(digit);
        rest = (rest - digit) / radix;
    }
    digits.reverse();
    let depth = digits.len() as u64;
    let time = |gaps: u64, depth: u64| gaps as f64 * gap + depth as f64 * latency;
    let full_level = time((depth - 1) * radix, depth - 1);
    let mut before = 0;
    let mut worst = full_level;
    for (place, &digit) in digits.iter().enumerate() {
        if digit > 1 {
            worst = worst.max(time(before + digit - 1 + (depth - 1 - place as u64) * radix, depth));
        }
        before += digit;
    }
    worst.max(time(before, depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_rank_is_that_of_all_ranks() {
        for radix in [2, 3, 4, 7, 50] {
            for ranks in 2..400_u64 {
                for (gap, latency) in [(1.0, 0.0), (1.0, 0.3), (1.0, 5.0), (0.0, 1.0)] {
                    let mut times = vec![0.0; ranks as usize];
                    for rank in 1..ranks {
                        let (parent, child) = ((rank - 1) / radix, (rank - 1) % radix + 1);
                        times[rank as usize] = times[parent as usize] + child as f64 * gap + latency;
                    }
                    let all = times.into_iter().fold(0.0, f64::max);
                    assert!((worst_rank(ranks, radix, gap, latency) - all).abs() < 1e-9, "{ranks} {radix}");
                }
            }
        }
    }
}
