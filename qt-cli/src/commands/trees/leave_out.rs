//! Options of `stats` and `sweep` that exclude cells, and that set the cost of decisions without a measured one.

use std::collections::BTreeSet;

use clap::Args;
use qtdec_core::DecisionMap;

use qtdec_study::study::assess::{LeaveOut, Unpriced};
use qtdec_terminal::{Failure, one_of, pair, sizes};

/// The cells to exclude.
#[derive(Debug, Args)]
pub(super) struct LeaveOutArguments {
    /// Exclude the cells of this size, such as a spike at len=1448
    #[arg(long, value_name = "AXIS=SIZE", value_parser = pair)]
    without: Vec<(String, String)>,

    /// Treat decisions without a measured cost this way: count their cells separately (apart), or use the cost of the slowest
    /// method there (worst)
    #[arg(long, value_name = "HOW", value_parser = one_of(&Unpriced::ALL), default_value = "apart", hide_default_value = true)]
    unpriced: Unpriced,
}

impl LeaveOutArguments {
    /// Returns whether all cells count.
    pub(super) fn is_empty(&self) -> bool {
        self.without.is_empty() && self.unpriced == Unpriced::Apart
    }

    /// Checks that each size was measured in at least one of the maps that trees are evaluated with.
    pub(super) fn check(&self, maps: &[&DecisionMap]) -> Result<(), Failure> {
        for (name, text) in &self.without {
            let mut known: BTreeSet<u64> = BTreeSet::new();
            let mut is_known = false;
            for map in maps {
                let axis = &map.domain().axes()[sizes::axis(map.domain(), name)?];
                let size = sizes::size_on(axis, text)?;
                is_known |= axis.values().is_none_or(|values| values.contains(&size));
                known.extend(axis.values().unwrap_or_default());
            }
            if !is_known {
                let known = known.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                return Err(Failure::usage(format!(
                    "nothing was measured at {name}={text}: the measured values are {known}"
                )));
            }
        }
        Ok(())
    }

    pub(super) fn resolve(&self, map: &DecisionMap) -> Result<LeaveOut, Failure> {
        let sizes = self.without.iter().map(|(name, text)| {
            let axis = sizes::axis(map.domain(), name)?;
            Ok((axis, sizes::size_on(&map.domain().axes()[axis], text)?))
        });
        let sizes = sizes.collect::<Result<_, _>>()?;
        Ok(LeaveOut { sizes, unpriced: self.unpriced })
    }
}
