//! Where a method may run at all.

use super::{Axis, Basis, Samples};

/// A condition on the call without which a method must not be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// How the requirements are written in a file.
    pub const FORMS: [&'static str; 4] = ["power_of_two", "commutative", "count>=comm_size", "comm_size=2"];

    /// Whether a call of these sizes meets it, as far as they tell: what no axis gives, the caller must know.
    ///
    /// An element has a byte at least: where a message counts bytes, a count is at most as large.
    pub(super) fn holds(self, axes: &[Axis], sizes: &[u64]) -> bool {
        let axis = |name: &str| axes.iter().zip(sizes).find(|(axis, _)| axis.name == name);
        let comm_size = axis("comm_size").filter(|(axis, _)| axis.values().is_some()).map(|(_, size)| *size);
        match (self, comm_size) {
            (Self::PowerOfTwo, Some(ranks)) => ranks.is_power_of_two(),
            (Self::CommSize(only), Some(ranks)) => ranks == only,
            (Self::CountAtLeastCommSize, Some(ranks)) => axis("msg_size").is_none_or(|(axis, size)| {
                let total = if axis.basis == Some(Basis::Block) { size.saturating_mul(ranks) } else { *size };
                total >= ranks
            }),
            (Self::Commutative, _) => axis("commutative").is_none_or(|(axis, size)| match &axis.samples {
                Samples::Labels(labels) => !["false", "no"].contains(&&*labels[*size as usize]),
                Samples::Values(_) => *size > 0,
            }),
            (_, None) => true,
        }
    }

    /// The requirement that `text` writes down.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "power_of_two" => Some(Self::PowerOfTwo),
            "commutative" => Some(Self::Commutative),
            "count>=comm_size" => Some(Self::CountAtLeastCommSize),
            _ => text.strip_prefix("comm_size=")?.parse().ok().map(Self::CommSize),
        }
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
