//! The bytes that the message sizes of files count.

use qtdec_core::Basis;

/// The bytes that the message sizes of a file count.
///
/// The variants are complete: a size counts what a map's sizes count, or a share of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Those of a basis, which a map may also have.
    Of(Basis),
    /// Those of one rank's share: of the buffer of a bcast, reduce, allreduce or scan, which then has as many shares as there are
    /// ranks, or the block of another collective. Maps never count shares.
    Share,
}

impl Counted {
    /// The name of [`Share`](Self::Share) in options.
    pub const SHARE: &'static str = "share";

    /// Parses the name of a basis, or `share`.
    pub fn parse(text: &str) -> Option<Self> {
        let basis = Basis::ALL.iter().find(|(name, _)| *name == text);
        basis.map(|(_, basis)| Self::Of(*basis)).or_else(|| (text == Self::SHARE).then_some(Self::Share))
    }

    /// Returns the name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Of(basis) => basis.name(),
            Self::Share => Self::SHARE,
        }
    }

    /// Returns the basis of unconverted sizes, or `None` if no map counts these bytes.
    pub fn basis(self) -> Option<Basis> {
        match self {
            Self::Of(basis) => Some(basis),
            Self::Share => None,
        }
    }

    /// Returns the basis to which sizes are converted by default, given that of the collective's own signature if it is known.
    ///
    /// Shares always become the argument of the call. Between blocks and totals, the collective decides. A buffer is never converted.
    pub(super) fn natural(self, of_collective: Option<Basis>) -> Option<Basis> {
        match self {
            Self::Share => Some(of_collective.unwrap_or(Basis::Buffer)),
            Self::Of(Basis::Buffer) => None,
            Self::Of(_) => of_collective.filter(|basis| *basis != Basis::Buffer),
        }
    }

    pub(crate) fn to(self, basis: Basis) -> Option<Scaling> {
        match (self, basis) {
            (Self::Of(from), to) if from == to => Some(Scaling::AsIs),
            (Self::Share, Basis::Block) => Some(Scaling::AsIs),
            (Self::Share, Basis::Buffer | Basis::Total) | (Self::Of(Basis::Block), Basis::Total) => {
                Some(Scaling::TimesRanks)
            }
            (Self::Of(Basis::Total), Basis::Block) => Some(Scaling::PerRank),
            (Self::Of(_), _) => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scaling {
    AsIs,
    TimesRanks,
    PerRank,
}

impl Scaling {
    /// Returns a message size after the conversion, or `None` if it would not be a whole number, or would be too large.
    pub(crate) fn apply(self, size: u64, comm_size: u64) -> Option<u64> {
        match self {
            Self::AsIs => Some(size),
            Self::TimesRanks => size.checked_mul(comm_size),
            Self::PerRank => (comm_size > 0 && size.is_multiple_of(comm_size)).then(|| size / comm_size),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_become_the_argument_of_the_call() {
        let converted = |of_collective| {
            let basis = Counted::Share.natural(of_collective).unwrap();
            (basis, Counted::Share.to(basis).unwrap().apply(8, 4).unwrap())
        };
        assert_eq!(converted(Some(Basis::Buffer)), (Basis::Buffer, 32));
        assert_eq!(converted(None), (Basis::Buffer, 32));
        assert_eq!(converted(Some(Basis::Total)), (Basis::Total, 32));
        assert_eq!(converted(Some(Basis::Block)), (Basis::Block, 8));
        assert_eq!(Counted::Of(Basis::Block).to(Basis::Buffer), None);
    }
}
