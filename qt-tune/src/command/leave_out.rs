//! Cells that do not count: what `stats` and `sweep` take alike.

use clap::Args;
use qtdec_core::DecisionMap;

use super::Failure;
use super::measure::pair;
use super::sizes;
use crate::assess::LeaveOut;

/// Which cells do not count.
#[derive(Debug, Args)]
pub(super) struct LeaveOutArguments {
    /// Leave out the cells of this size, such as that of a spike: msg_size=1448
    #[arg(long, value_name = "AXIS=SIZE", value_parser = pair)]
    without: Vec<(String, String)>,

    /// Leave out so many cells of the greatest penalty
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    without_dearest: usize,
}

impl LeaveOutArguments {
    /// Whether all cells count.
    pub(super) fn is_empty(&self) -> bool {
        self.without.is_empty() && self.without_dearest == 0
    }

    /// The cells of this map that do not count.
    pub(super) fn of(&self, map: &DecisionMap) -> Result<LeaveOut, Failure> {
        let position = |(name, text): &(String, String)| {
            let position = sizes::axis(map.domain(), name)?;
            let axis = &map.domain().axes()[position];
            let size = sizes::size_on(axis, text)?;
            if axis.values().is_some_and(|values| !values.contains(&size)) {
                let samples =
                    (0..axis.len()).map(|sample| axis.sample(sample)).collect::<Vec<_>>().join(", ");
                return Err(Failure::Usage(format!(
                    "nothing was measured at {name}={text}: there are {samples}"
                )));
            }
            Ok((position, size))
        };
        let sizes = self.without.iter().map(position).collect::<Result<_, _>>()?;
        Ok(LeaveOut { sizes, dearest: self.without_dearest })
    }
}
