//! Measurements whose message sizes count other bytes.

use qtdec_core::Basis;

use super::Measurements;
use crate::readers::counted::{Counted, Scaling};

impl Measurements {
    /// Returns the same times with message sizes that count the bytes of `basis`, or `None` if they cannot be converted: the present
    /// basis is not known or counts one buffer, the communicator size is not known, or a size would not be a whole number.
    #[must_use]
    pub fn in_basis(&self, basis: Basis) -> Option<Self> {
        let message = self.axes.iter().position(|axis| axis.name == "msg_size")?;
        let scaling = Counted::Of(self.axes[message].basis?).to(basis)?;
        let ranks = self.axes.iter().position(|axis| axis.name == "comm_size");
        let mut rebased = self.without_times();
        rebased.axes[message].basis = Some(basis);
        for (sizes, series) in &self.points {
            let mut sizes = sizes.clone();
            if scaling != Scaling::AsIs {
                sizes[message] = scaling.apply(sizes[message], sizes[ranks?])?;
            }
            rebased.points.insert(sizes, series.clone());
        }
        Some(rebased)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurements::{MeasuredAxis, Repeat};

    #[test]
    fn blocks_become_totals_and_blocks_again() {
        let mut axes = ["comm_size", "msg_size"].map(MeasuredAxis::named).to_vec();
        axes[1].basis = Some(Basis::Block);
        let mut blocks = Measurements::new(axes);
        let ring = blocks.method(qtdec_core::Method::new("ring"));
        blocks.record(&[3, 8], ring, Repeat { time: 1.0, run: 0, file: 0 });
        let totals = blocks.in_basis(Basis::Total).unwrap();
        let points =
            |times: &Measurements| times.all_series().map(|(at, ..)| at.to_vec()).collect::<Vec<_>>();
        assert_eq!((points(&totals), totals.axes()[1].basis), (vec![vec![3, 24]], Some(Basis::Total)));
        assert_eq!(points(&totals.in_basis(Basis::Block).unwrap()), points(&blocks));
        assert!(blocks.in_basis(Basis::Buffer).is_none());
        blocks.record(&[3, u64::MAX], ring, Repeat { time: 1.0, run: 0, file: 0 });
        assert!(blocks.in_basis(Basis::Total).is_none());
    }
}
