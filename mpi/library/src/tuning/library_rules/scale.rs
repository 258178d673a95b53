//! Conversion of a map's message sizes to a library's.

use crate::catalogue::{SizeUnit, natural_basis_or_buffer};
use qtdec_core::{Basis, DecisionTree, Path, Problem};

use super::Setting;
use crate::tuning::Bands;

/// A conversion of a map's message sizes to a library's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    AsIs,
    TimesRanks,
    /// Divided by the ranks and rounded up.
    PerRank,
}

impl Scale {
    /// Returns the conversion of a tree's message sizes for `collective` to those of a library that compares `unit`.
    /// Fails if the library ignores message sizes, if they have no meaning there, or if the tree does not say whether they count blocks or
    /// totals.
    pub(super) fn new(
        tree: &DecisionTree,
        collective: &str,
        unit: SizeUnit,
        bands: &Bands<Setting>,
    ) -> Result<Self, Problem> {
        if !bands.use_message_sizes() {
            return Ok(Self::AsIs);
        }
        let axis = tree.domain().find_axis("msg_size").unwrap_or_default();
        let path = Path::root().key("axes").index(axis);
        let basis = match (tree.domain().axes()[axis].basis, natural_basis_or_buffer(collective)) {
            (Some(basis), _) => basis,
            (None, Basis::Buffer) => Basis::Buffer,
            (None, _) if unit == SizeUnit::Nothing => Basis::Buffer,
            (None, _) => {
                let message = format!(
                    "nothing specifies which bytes the message sizes of `{collective}` count, and a wrong guess would be wrong \
                     by a factor of the number of ranks"
                );
                let help =
                    "add --basis-in block for the bytes of one rank, or --basis-in total for those of all";
                return Err(Problem::new(path.key("basis"), message).help(help));
            }
        };
        match (unit, basis) {
            (SizeUnit::Nothing, _) => {
                let message = format!("the library ignores message sizes for `{collective}`");
                Err(Problem::new(path, message).help("make a map with only the axis comm_size"))
            }
            (SizeUnit::Buffer, Basis::Total) => {
                let message =
                    format!("every rank has the same buffer in `{collective}`, so a total makes no sense");
                Err(Problem::new(path.key("basis"), message).help("write \"buffer\""))
            }
            (SizeUnit::Buffer, _)
            | (SizeUnit::TimesRanks | SizeUnit::Total, Basis::Buffer | Basis::Total)
            | (SizeUnit::PerRank, Basis::Block) => Ok(Self::AsIs),
            (SizeUnit::TimesRanks | SizeUnit::Total, Basis::Block) => Ok(Self::TimesRanks),
            (SizeUnit::PerRank, Basis::Buffer | Basis::Total) => Ok(Self::PerRank),
        }
    }

    /// Returns the threshold in the library's unit, or `None` if no message reaches it.
    pub(super) fn apply(self, threshold: u64, ranks: u64) -> Option<u64> {
        match self {
            Self::AsIs => Some(threshold),
            Self::TimesRanks => threshold.checked_mul(ranks),
            Self::PerRank => Some(threshold.div_ceil(ranks.max(1))),
        }
    }

    /// Returns the bands of one communicator size in the library's unit.
    pub(super) fn messages(self, bands: &[(u64, Setting)], ranks: u64) -> Vec<(u64, Setting)> {
        let scaled = bands.iter().filter_map(|(from, held)| Some((self.apply(*from, ranks)?, *held)));
        let mut messages: Vec<(u64, Setting)> = scaled.collect();
        // If thresholds coincide, the value of the last one applies.
        messages.reverse();
        messages.dedup_by_key(|(from, _)| *from);
        messages.reverse();
        messages
    }
}
