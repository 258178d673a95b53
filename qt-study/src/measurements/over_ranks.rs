//! Statistics over the ranks of one repeat.

/// A statistic of the times of all ranks in one repeat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RankStatistic {
    /// The slowest rank, which determines when the collective is complete.
    #[default]
    Max,
    /// The mean over the ranks.
    Mean,
    /// The fastest rank.
    Min,
}

impl RankStatistic {
    /// Every statistic and its name in options and files.
    pub const ALL: [(&'static str, Self); 3] = [("max", Self::Max), ("mean", Self::Mean), ("min", Self::Min)];

    /// Returns the name in options and files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, statistic)| *statistic == self).map_or("", |(name, _)| name)
    }
}
