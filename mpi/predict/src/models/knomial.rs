//! A k-nomial tree that serves the farthest children first.

use super::{Formula, exactly};

/// A k-nomial tree: in base `d`, a parent's number is the child's without its lowest nonzero digit.
///
/// Exact: `(k−1) C g(s) + T(P)`, where the root has `C` children, the most of any rank, and `T` is the time of the last segment down the
/// tree. For a power of the radix, `C = (d−1) log_d P` and `T = log_d P ((d−1) g(r) + L)`.
pub(super) const BCAST: Formula =
    Formula::bcast("knomial", "in the manner of Barchet-Estefanel and Mounié 2004, Table 1")
        .segmented()
        .exact(|call| {
            let cuts = call.cuts();
            let tree =
                Tree { radix: call.radix(), gap: call.gap(cuts.last), latency: call.latency(cuts.last) };
            let first = (cuts.count - 1.0) * tree.children(call.ranks) as f64 * call.gap(cuts.full);
            Ok(exactly(first + tree.time(call.ranks)))
        });

/// One message down a tree.
struct Tree {
    radix: u64,
    gap: f64,
    latency: f64,
}

impl Tree {
    /// Returns the largest power of the radix below the ranks, and its exponent.
    fn top(&self, ranks: u64) -> (u64, u32) {
        let level = (ranks - 1).ilog(self.radix);
        (self.radix.pow(level), level)
    }

    /// Returns the number of the root's children.
    fn children(&self, ranks: u64) -> u64 {
        let (weight, level) = self.top(ranks);
        (ranks - 1) / weight + u64::from(level) * (self.radix - 1)
    }

    /// Returns the time at which the last of some ranks has the message.
    fn time(&self, ranks: u64) -> f64 {
        if ranks < 2 {
            return 0.0;
        }
        // The root sends to the ranks that are multiples of `weight`. Each of them has a whole tree of that many ranks but
        // the last, and the root itself has one afterwards.
        let (weight, level) = self.top(ranks);
        let children = (ranks - 1) / weight;
        let whole = f64::from(level) * ((self.radix - 1) as f64 * self.gap + self.latency);
        let sent = |count: u64| count as f64 * self.gap;
        let last = sent(children) + self.latency + self.time(ranks - children * weight);
        let before = if children > 1 { sent(children - 1) + self.latency + whole } else { 0.0 };
        let own = if level > 0 { sent(children) + whole } else { 0.0 };
        last.max(before).max(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the times of all ranks, and the most children of one.
    fn all(tree: &Tree, ranks: u64) -> (f64, u64) {
        let mut times = vec![0.0; ranks as usize];
        let mut most = 0;
        for rank in 0..ranks {
            let mut weight = 1;
            while weight < ranks && rank % (weight * tree.radix) == 0 {
                weight *= tree.radix;
            }
            let mut sent = 0;
            while weight > 1 {
                weight /= tree.radix;
                for child in (1..tree.radix).map(|digit| rank + digit * weight).filter(|&child| child < ranks)
                {
                    sent += 1;
                    times[child as usize] = times[rank as usize] + sent as f64 * tree.gap + tree.latency;
                }
            }
            most = most.max(sent);
        }
        (times.into_iter().fold(0.0, f64::max), most)
    }

    #[test]
    fn the_worst_rank_is_that_of_all_ranks() {
        for radix in [2, 3, 4, 7, 50] {
            for ranks in 2..400 {
                for (gap, latency) in [(1.0, 0.0), (1.0, 0.3), (1.0, 5.0), (0.0, 1.0)] {
                    let tree = Tree { radix, gap, latency };
                    let (time, most) = all(&tree, ranks);
                    assert!((tree.time(ranks) - time).abs() < 1e-9, "{ranks} {radix}");
                    assert_eq!(tree.children(ranks), most, "{ranks} {radix}");
                }
            }
        }
    }
}
