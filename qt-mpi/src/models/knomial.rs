//! A k-nomial tree of radix 4.

use super::{Formula, at_most};
use crate::collective::Collective;

/// The default radix of MPICH and Open MPI.
const RADIX: u64 = 4;

/// A bound of our own, in the manner of Table 1: `⌈log_d P⌉ ((d−1) k g(s) + L)`.
pub(super) const BCAST: Formula = Formula {
    collective: Collective::Bcast,
    algorithm: "knomial",
    segmented: true,
    source: "in the manner of Barchet-Estefanel and Mounié 2004, Table 1, radix 4",
    two_levels: false,
    printed: None,
    exact: Some(|call| {
        let cuts = call.cuts();
        let levels = ceil_log(call.ranks(), RADIX);
        let gaps = (cuts.count - 1.0) * call.gap(cuts.full) + call.gap(cuts.last);
        let latency = call.latency(cuts.full).max(call.latency(cuts.last));
        Ok(at_most(f64::from(levels) * ((RADIX - 1) as f64 * gaps + latency)))
    }),
};

/// Returns `⌈log_radix n⌉`.
fn ceil_log(number: u64, radix: u64) -> u32 {
    (number - 1).checked_ilog(radix).map_or(0, |log| log + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_rounded_up() {
        let of = |number| ceil_log(number, 4);
        assert_eq!([1, 2, 4, 5, 16, 17, 64, 65].map(of), [0, 1, 1, 2, 2, 3, 3, 4]);
    }
}
