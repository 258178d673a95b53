//! The conditions under which a method may run.

use super::truth::is_negative;
use super::{Axis, Basis, Samples};

/// A condition on a call; without it, the method must not be chosen.
///
/// The variants are complete: code that makes decisions must check each of them, so a new variant would be a breaking change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Requirement {
    /// The communicator size is a power of two.
    PowerOfTwo,
    /// The operation is commutative.
    Commutative,
    /// There are at least as many elements as ranks.
    CountAtLeastCommSize,
    /// The communicator has exactly this size.
    CommSize(u64),
}

impl Requirement {
    /// The forms of the requirements in a file.
    pub const FORMS: [&'static str; 4] = ["power_of_two", "commutative", "count>=comm_size", "comm_size=2"];

    /// Returns whether a call of these sizes meets the requirement, as far as they determine it. The caller must know everything that no
    /// axis gives.
    ///
    /// An element has at least one byte, so a message size in bytes is an upper bound on the count.
    pub(crate) fn holds(self, axes: &[Axis], sizes: &[u64]) -> bool {
        let axis = |name: &str| axes.iter().zip(sizes).find(|(axis, _)| axis.name == name);
        let comm_size = axis("comm_size").filter(|(axis, _)| axis.values().is_some()).map(|(_, size)| *size);
        match (self, comm_size) {
            (Self::PowerOfTwo, Some(ranks)) => ranks.is_power_of_two(),
            (Self::CommSize(only), Some(ranks)) => ranks == only,
            (Self::CountAtLeastCommSize, Some(ranks)) => axis("msg_size").is_none_or(|(axis, size)| {
                if axis.basis == Some(Basis::Block) { *size > 0 } else { *size >= ranks }
            }),
            (Self::Commutative, _) => axis("commutative").is_none_or(|(axis, size)| match &axis.samples {
                Samples::Labels(labels) => match axis.true_label() {
                    Some(truth) => *size == truth as u64,
                    None => !is_negative(&labels[*size as usize]),
                },
                Samples::Values(_) => *size > 0,
            }),
            (_, None) => true,
        }
    }

    /// Returns whether a call meets the requirement, like [`holds`](Self::holds), but ignores labels, which encoders handle.
    pub(crate) fn runs_at(self, axes: &[Axis], sizes: &[u64]) -> bool {
        let of_labels = |axis: &Axis| axis.name == "commutative" && axis.values().is_none();
        (self == Self::Commutative && axes.iter().any(of_labels)) || self.holds(axes, sizes)
    }

    /// Returns whether the requirement fails for some sizes between a minimum and an exclusive maximum on each axis.
    ///
    /// Labelled axes have nothing between the samples, so encoders have handled them already.
    pub(crate) fn can_fail(self, axes: &[Axis], bounds: &[(Option<u64>, Option<u64>)]) -> bool {
        let range = |name: &str| {
            let (axis, (from, below)) = axes.iter().zip(bounds).find(|(axis, _)| axis.name == name)?;
            axis.values().map(|_| (axis, from.unwrap_or(0), *below))
        };
        match (self, range("comm_size")) {
            (Self::PowerOfTwo, Some((_, from, below))) => {
                // No more than two consecutive integers are powers of two.
                !below.is_some_and(|below| below - from <= 2 && (from..below).all(u64::is_power_of_two))
            }
            (Self::CommSize(only), Some((_, from, below))) => (from, below) != (only, only.checked_add(1)),
            (Self::CountAtLeastCommSize, Some((.., ranks_below))) => {
                range("msg_size").is_some_and(|(axis, from, _)| match axis.basis {
                    Some(Basis::Block) => from == 0,
                    _ => ranks_below.is_none_or(|below| from < below - 1),
                })
            }
            (Self::Commutative, _) => range("commutative").is_some_and(|(_, from, _)| from == 0),
            (_, None) => false,
        }
    }

    /// Parses a requirement in the form that files use.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "power_of_two" => Some(Self::PowerOfTwo),
            "commutative" => Some(Self::Commutative),
            "count>=comm_size" => Some(Self::CountAtLeastCommSize),
            _ => text.strip_prefix("comm_size=")?.parse().ok().map(Self::CommSize),
        }
    }

    /// Parses `METHOD=REQUIREMENT`; both may contain a `=` themselves.
    pub fn of_method(text: &str) -> Option<(String, Self)> {
        let split = |(at, _): (usize, &str)| Some((text[..at].to_owned(), Self::parse(&text[at + 1..])?));
        text.match_indices('=').filter(|(at, _)| *at > 0).find_map(split)
    }
}

impl std::fmt::Display for Requirement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::PowerOfTwo => f.write_str("power_of_two"),
            Self::Commutative => f.write_str("commutative"),
            Self::CountAtLeastCommSize => f.write_str("count>=comm_size"),
            Self::CommSize(size) => write!(f, "comm_size={size}"),
        }
    }
}
