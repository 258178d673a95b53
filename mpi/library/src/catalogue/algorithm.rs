//! Properties of one algorithm.

use qtdec_core::Requirement;

use super::{Lack, Lifetime, Release};

/// The beginning of the name of every algorithm of Open MPI's component HAN.
pub(super) const HAN: &str = "han:";

/// The beginning of the name of every composition of MPICH's device CH4.
pub(super) const CH4: &str = "ch4:";

/// Returns whether a method is called like an algorithm that divides the ranks among the nodes.
pub fn is_by_nodes(name: &str) -> bool {
    [HAN, CH4].iter().any(|prefix| name.starts_with(prefix))
}

/// An algorithm that a library has for one collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Algorithm {
    /// The library's name for the algorithm.
    pub name: &'static str,
    /// Names used elsewhere, in `snake_case`.
    pub aliases: &'static [&'static str],
    /// The number in files and parameters, if the library has numbers.
    pub number: Option<u64>,
    /// The use of segments.
    pub segments: Segments,
    /// The fan-out with which the algorithm runs if it is forced without one, or `None` if it has no fan-out.
    pub fan_out: Option<u64>,
    /// When a rank has at most as many requests open at once as the algorithm is given; it ignores the number otherwise.
    pub limited: When,
    /// When an operation is given parts of its operands, which MPI allows, and operations of programs may not expect.
    pub cut: When,
    /// The conditions under which the algorithm runs.
    pub needs: &'static [Need],
    /// Whether a call fails that does not meet the conditions. Otherwise another algorithm runs silently, or a guard in the rules can choose
    /// another.
    pub fails_unmet: bool,
    /// The releases that have the algorithm.
    pub lifetime: Lifetime,
    /// The way in which job scripts measure the algorithm.
    pub measured: Measured,
    /// A known fault, as a predicate such as `corrupts data if …`. Users who force the algorithm are warned of it.
    pub caution: Option<&'static str>,
    /// A known fault that occurs only if messages are cut into segments.
    pub segment_caution: Option<&'static str>,
}

/// The way in which an algorithm uses segments.
///
/// The variants are complete: code that measures algorithms must handle each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segments {
    /// Messages are never cut: the algorithm has no segment size, or ignores it.
    Ignored,
    /// Messages are cut if a segment size is given.
    Optional,
    /// Messages are always cut; the algorithm needs a segment for each rank.
    Needed,
}

/// The calls in which an algorithm does something.
///
/// The variants are complete: it depends on segments, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In no call.
    Never,
    /// If messages are cut into segments.
    WithSegments,
    /// In all calls.
    Always,
}

impl When {
    fn holds(self, with_segments: bool) -> bool {
        self == Self::Always || (self == Self::WithSegments && with_segments)
    }
}

/// A condition on a call.
///
/// The variants are complete: code that chooses algorithms must check each of them, so a new variant would be a breaking change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A number of ranks that is a power of two.
    PowerOfTwo,
    /// An even number of ranks.
    Even,
    /// Two ranks.
    TwoRanks,
    /// At least as many elements as ranks.
    CountAtLeastCommSize,
    /// At least as many elements as the greatest power of two that is not above the number of ranks.
    CountAtLeastPowerOfTwo,
    /// A commutative operation.
    Commutative,
    /// An operation that MPI defines. All of these are commutative.
    BuiltIn,
    /// Blocks of all ranks that are equally large.
    EqualBlocks,
    /// A buffer to send from, instead of `MPI_IN_PLACE`.
    OutOfPlace,
    /// `MPI_IN_PLACE` instead of a buffer to send from.
    InPlace,
    /// A communicator with communicators of its nodes: several ranks are on one node.
    Hierarchy,
    /// Ranks that are numbered node by node.
    ConsecutiveRanks,
    /// A communicator on one node.
    OneNode,
}

/// The way in which job scripts measure an algorithm.
///
/// The variants are complete: code that measures algorithms must handle each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// Measured under the library's name.
    ByName,
    /// Measured under another name, because the library's name means something else in a map.
    As(&'static str),
    /// Not measured, for this reason.
    No(&'static str),
}

impl Need {
    /// Returns whether a number of ranks meets the condition, as far as the number decides it.
    pub fn holds(self, ranks: u64) -> bool {
        match self {
            Self::PowerOfTwo => ranks.is_power_of_two(),
            Self::Even => ranks.is_multiple_of(2),
            Self::TwoRanks => ranks == 2,
            _ => true,
        }
    }

    /// Returns the condition as a requirement of a map, or `None` if a map cannot express it (an even number of ranks, equal
    /// blocks, nodes).
    pub fn requirement(self) -> Option<Requirement> {
        match self {
            Self::PowerOfTwo => Some(Requirement::PowerOfTwo),
            Self::TwoRanks => Some(Requirement::CommSize(2)),
            Self::CountAtLeastCommSize | Self::CountAtLeastPowerOfTwo => {
                Some(Requirement::CountAtLeastCommSize)
            }
            Self::Commutative | Self::BuiltIn => Some(Requirement::Commutative),
            _ => None,
        }
    }
}

impl Algorithm {
    /// Returns whether the algorithm respects a segment size.
    pub fn is_segmented(&self) -> bool {
        self.segments != Segments::Ignored
    }

    /// Returns whether the algorithm respects a number of requests, with or without segments.
    pub fn limits_requests(&self, with_segments: bool) -> bool {
        self.limited.holds(with_segments)
    }

    /// Returns the most requests that a rank has open under a rule with this number of them, or `None` for no limit.
    pub fn open_requests(&self, requests: Option<u64>, segment_size: Option<u64>) -> Option<u64> {
        let is_cut = segment_size.is_some_and(|bytes| bytes > 0);
        requests.filter(|requests| *requests > 0 && self.limits_requests(is_cut))
    }

    /// Returns the bytes of a message that the algorithm needs for each rank, with elements and segments of these sizes in bytes.
    pub fn bytes_per_rank(&self, element_size: u64, segment_size: u64) -> u64 {
        match self.segments {
            Segments::Needed => segment_size,
            _ if self.needs_elements() => element_size,
            _ => 0,
        }
    }

    /// Returns whether the algorithm needs a number of elements that grows with the ranks.
    pub fn needs_elements(&self) -> bool {
        let grows = |need: &Need| need.requirement() == Some(Requirement::CountAtLeastCommSize);
        self.needs.iter().any(grows)
    }

    /// Returns whether the algorithm divides the ranks among the nodes, as those of
    /// [`algorithms_by_nodes`](super::Library::algorithms_by_nodes) do.
    pub fn is_by_nodes(&self) -> bool {
        is_by_nodes(self.name)
    }

    /// Returns whether an operation is given parts of its operands, with or without segments.
    pub fn cuts_operands(&self, with_segments: bool) -> bool {
        self.cut.holds(with_segments)
    }

    /// Returns whether a release has the algorithm. `None` stands for a release that has every algorithm.
    pub fn is_in(&self, release: Option<Release>) -> bool {
        self.lack(release).is_none()
    }

    /// Returns why a release lacks the algorithm, or `None` if the release has it.
    pub fn lack(&self, release: Option<Release>) -> Option<Lack> {
        self.lifetime.lack(release)
    }

    /// Returns the known fault of the algorithm, with or without segments.
    pub fn fault(&self, with_segments: bool) -> Option<&'static str> {
        self.caution.or(self.segment_caution.filter(|_| with_segments))
    }

    /// Returns the requirements that a call must meet so as not to fail.
    pub fn requires(&self) -> impl Iterator<Item = Requirement> + use<> {
        let needs = if self.fails_unmet { self.needs } else { &[] };
        needs.iter().filter_map(|need| need.requirement())
    }

    /// Returns the name under which job scripts measure the algorithm, or `None` if they do not measure it.
    pub fn measured_name(&self) -> Option<&'static str> {
        match self.measured {
            Measured::ByName => Some(self.name),
            Measured::As(name) => Some(name),
            Measured::No(_) => None,
        }
    }
}

/// Builders for the libraries' lists.
impl Algorithm {
    pub(super) const fn new(name: &'static str, aliases: &'static [&'static str]) -> Self {
        Self {
            name,
            aliases,
            number: None,
            segments: Segments::Ignored,
            fan_out: None,
            limited: When::Never,
            cut: When::Never,
            needs: &[],
            fails_unmet: false,
            lifetime: Lifetime::ALL,
            measured: Measured::ByName,
            caution: None,
            segment_caution: None,
        }
    }

    pub(super) const fn segments(self, segments: Segments) -> Self {
        Self { segments, ..self }
    }

    pub(super) const fn fan_out(self, children: u64) -> Self {
        Self { fan_out: Some(children), ..self }
    }

    pub(super) const fn limits(self, limited: When) -> Self {
        Self { limited, ..self }
    }

    pub(super) const fn cuts(self, cut: When) -> Self {
        Self { cut, ..self }
    }

    pub(super) const fn needs(self, needs: &'static [Need]) -> Self {
        Self { needs, ..self }
    }

    pub(super) const fn fails_without(self, needs: &'static [Need]) -> Self {
        Self { needs, fails_unmet: true, ..self }
    }

    pub(super) const fn since(self, major: u16, minor: u16) -> Self {
        Self { lifetime: Lifetime::since(Release::new(major, minor)), ..self }
    }

    pub(super) const fn until(self, major: u16, minor: u16) -> Self {
        Self { lifetime: Lifetime::until(Release::new(major, minor)), ..self }
    }

    pub(super) const fn measured_as(self, name: &'static str) -> Self {
        Self { measured: Measured::As(name), ..self }
    }

    pub(super) const fn unmeasured(self, reason: &'static str) -> Self {
        Self { measured: Measured::No(reason), ..self }
    }

    pub(super) const fn caution(self, fault: &'static str) -> Self {
        Self { caution: Some(fault), ..self }
    }

    pub(super) const fn segment_caution(self, fault: &'static str) -> Self {
        Self { segment_caution: Some(fault), ..self }
    }
}

/// Returns an algorithm that has a number in files and parameters.
pub(super) const fn algorithm(
    number: u64,
    name: &'static str,
    aliases: &'static [&'static str],
) -> Algorithm {
    Algorithm { number: Some(number), ..Algorithm::new(name, aliases) }
}
