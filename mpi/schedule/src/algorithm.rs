//! What an algorithm is. Each of them is an [`Entry`] in the file or the folder of its collective, and the list of all stands in `algorithms.rs`.

use super::{Buffer, Builder, RankSchedule, Request, RequestError, ScheduleError, Symmetry, TooLarge};
use crate::Collective;
use crate::slots::{self, Shape};
use crate::tree::{self, Place};

/// An algorithm of a collective: a pure function of one rank.
///
/// Other crates can implement the trait. [`Schedule::verify`](super::Schedule::verify) proves what such an algorithm does.
pub trait Algorithm {
    /// Returns the collective.
    fn collective(&self) -> Collective;

    /// Returns the name of the algorithm, unique within the collective.
    fn name(&self) -> &str;

    /// Returns whether the algorithm cuts messages into segments. Otherwise the segment size is ignored.
    fn cuts(&self) -> bool;

    /// Returns a number of messages that a schedule has at least, so that one that is far too large is refused before it is
    /// built. By default, all ranks but one send or receive one, if there is something to send.
    fn least_messages(&self, request: &Request) -> u64 {
        let sends = request.bytes() > 0 || self.collective() == Collective::Barrier;
        if sends { u64::from(request.comm_size()) - 1 } else { 0 }
    }

    /// Returns a number of steps that each rank takes at least to build, beyond those of its messages, so that what would take very long is
    /// refused at once. By default, there are none.
    #[doc(hidden)]
    fn least_steps(&self, request: &Request) -> u64 {
        let _ = request;
        0
    }

    /// Returns moves of the ranks after which the schedule is the same, so that a few ranks stand for all. By default, there are none.
    #[doc(hidden)]
    fn symmetry(&self, request: &Request) -> Option<Symmetry> {
        let _ = request;
        None
    }

    /// Checks whether the algorithm serves `request`.
    ///
    /// Whether a reduction keeps rank order is not asked here:
    /// [`Schedule::verify`](super::Schedule::verify) finds out, for the ranks and the root of the request.
    ///
    /// # Errors
    ///
    /// Returns the reason if it does not. [`Schedule::build`](super::Schedule::build) adds the algorithms that do.
    fn accept(&self, request: &Request) -> Result<(), RequestError>;

    /// Returns the function that produces the operations of a rank, for an accepted request.
    ///
    /// Whatever all ranks have in common is computed here, once.
    fn plan(&self, request: &Request) -> Plan;

    /// Builds the schedule of one rank without looking at the others.
    ///
    /// # Errors
    ///
    /// Fails if the algorithm does not serve the request, `rank` is not a rank, or the schedule is too large. The algorithms of
    /// this crate also fail for an operation that does not commute unless they always keep rank order, which a single rank
    /// cannot show.
    fn rank(&self, request: &Request, rank: u32) -> Result<RankSchedule, ScheduleError> {
        build_rank(self, request, rank, true)
    }
}

/// Builds the schedule of one rank, which does not show whether rank order is kept unless the algorithm always does.
pub(super) fn build_rank<A: Algorithm + ?Sized>(
    algorithm: &A,
    request: &Request,
    rank: u32,
    keeps_order: bool,
) -> Result<RankSchedule, ScheduleError> {
    if algorithm.collective().is_reduction() && !request.is_commutative() && !keeps_order {
        let message = format!(
            "a single rank of algorithm `{}` does not show whether operands are combined in rank order, which an operation that \
             does not commute requires; build and verify the schedule of all ranks",
            algorithm.name()
        );
        return Err(RequestError::new(message).into());
    }
    algorithm.accept(request)?;
    if rank >= request.comm_size() {
        let (ranks, last) = (request.comm_size(), request.comm_size() - 1);
        let message = format!("{rank} is not a rank; with {ranks} ranks, it must be in 0..={last}");
        return Err(RequestError::new(message).into());
    }
    let mut ops = Builder::new();
    algorithm.plan(request)(rank, &mut ops)?;
    Ok(ops.finish(rank))
}

/// A function that adds the operations of a rank to a builder, and fails if there are too many.
pub type Plan = Box<dyn Fn(u32, &mut Builder) -> Result<(), TooLarge>>;

/// The way in which an algorithm of the list is built.
#[derive(Debug)]
pub(super) enum Build {
    /// From a rank alone.
    Local(fn(&Request, u32, &mut Builder) -> Result<(), TooLarge>),
    /// Down a tree, from the place of each number counted from the root.
    Tree(fn(&Request, u32) -> Place),
    /// From blocks that travel through a tree, whose subtrees each hold consecutive numbers.
    Subtrees(Shape),
    From(&'static Entry, fn(&Entry, &Request) -> Plan),
    /// From data that all ranks share and whose computation takes time in proportion to their number.
    Planned(fn(&Request) -> Plan),
}

/// A parameter that only some algorithms have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    Radix,
    Chains,
    Clusters,
}

impl Parameter {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Radix => "radix",
            Self::Chains => "number of chains",
            Self::Clusters => "form for clusters",
        }
    }
}

/// An algorithm of the list, described as data.
#[derive(Debug)]
pub struct Entry {
    pub(super) collective: Collective,
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    pub(super) segmented: bool,
    /// Whether operands are combined in rank order whatever the number of ranks and the root.
    pub(super) ordered: bool,
    pub(super) parameters: &'static [Parameter],
    pub(super) symmetry: fn(&Request) -> Option<Symmetry>,
    pub(super) build: Build,
}

impl Entry {
    /// Creates an algorithm without segments and parameters, which may leave the order of the ranks. `summary` is a noun phrase.
    pub(super) const fn new(
        collective: Collective,
        name: &'static str,
        summary: &'static str,
        build: Build,
    ) -> Self {
        let (parameters, symmetry): (&[_], fn(&Request) -> _) = (&[], |_| None);
        Self { collective, name, summary, segmented: false, ordered: false, parameters, symmetry, build }
    }

    /// Creates an algorithm of another collective with the name and the parameters of one with segments.
    pub(super) const fn from(
        other: &'static Self,
        collective: Collective,
        summary: &'static str,
        plan: fn(&Self, &Request) -> Plan,
    ) -> Self {
        let build = Build::From(other, plan);
        Self::new(collective, other.name, summary, build).in_segments().with(other.parameters)
    }

    /// Adds that the segment size makes a difference.
    pub(super) const fn in_segments(mut self) -> Self {
        self.segmented = true;
        self
    }

    /// Adds that operands are combined in rank order whatever the number of ranks and the root.
    pub(super) const fn in_rank_order(mut self) -> Self {
        self.ordered = true;
        self
    }

    pub(super) const fn alike(mut self, symmetry: fn(&Request) -> Option<Symmetry>) -> Self {
        self.symmetry = symmetry;
        self
    }

    pub(super) const fn with(mut self, parameters: &'static [Parameter]) -> Self {
        self.parameters = parameters;
        self
    }

    /// Returns a description of the algorithm, as a noun phrase.
    pub const fn summary(&self) -> &'static str {
        self.summary
    }

    /// Returns whether the segment size makes a difference. Otherwise it is ignored.
    pub const fn is_segmented(&self) -> bool {
        self.segmented
    }

    /// Returns whether the algorithm has a form for ranks in clusters; see [`Variant::clusters`](super::Variant::clusters).
    pub fn knows_clusters(&self) -> bool {
        self.parameters.contains(&Parameter::Clusters)
    }

    /// Returns whether the algorithm has a radix; see [`Variant::radix`](super::Variant::radix).
    pub fn has_radix(&self) -> bool {
        self.parameters.contains(&Parameter::Radix)
    }

    /// Returns whether the algorithm has a number of chains; see [`Variant::chains`](super::Variant::chains).
    pub fn has_chains(&self) -> bool {
        self.parameters.contains(&Parameter::Chains)
    }

    /// Returns whether a reduction always keeps the order of the ranks, as required by an operation that does not commute. Others
    /// may keep it for some numbers of ranks and roots; [`Schedule::verify`](super::Schedule::verify) decides.
    pub const fn keeps_order(&self) -> bool {
        self.ordered
    }
}

impl Algorithm for Entry {
    fn collective(&self) -> Collective {
        self.collective
    }

    fn name(&self) -> &str {
        self.name
    }

    fn cuts(&self) -> bool {
        self.segmented
    }

    fn least_messages(&self, request: &Request) -> u64 {
        let others = u64::from(request.comm_size()) - 1;
        match self.collective {
            Collective::Barrier => others,
            // Each of the others sends or receives all bytes, and at least half of them in messages of at most a segment.
            Collective::Bcast | Collective::Reduce | Collective::Allreduce if self.segmented => {
                others * request.segments(request.message()).remaining().div_ceil(2)
            }
            _ if request.bytes() > 0 => others,
            _ => 0,
        }
    }

    fn symmetry(&self, request: &Request) -> Option<Symmetry> {
        (self.symmetry)(request)
    }

    fn accept(&self, request: &Request) -> Result<(), RequestError> {
        let variant = request.chosen_variant();
        let given = [
            (Parameter::Radix, variant.radix.is_some()),
            (Parameter::Chains, variant.chains.is_some()),
            (Parameter::Clusters, variant.clusters.is_some()),
        ];
        for (parameter, given) in given {
            if given && !self.parameters.contains(&parameter) {
                return Err(RequestError::lacks(self.name, parameter.name()));
            }
        }
        let refused = |why: &str| Err(RequestError::new(format!("algorithm `{}` {why}", self.name)));
        match &variant.clusters {
            Some(clusters) if clusters.is_cyclic() => refused(&format!(
                "needs clusters of consecutive ranks, but {clusters} take them in turn; omit :cyclic"
            )),
            Some(clusters) if clusters.per_node().is_some() => {
                refused(&format!("does not know the nodes in the clusters {clusters}; omit :nodes"))
            }
            _ => Ok(()),
        }
    }

    fn rank(&self, request: &Request, rank: u32) -> Result<RankSchedule, ScheduleError> {
        build_rank(self, request, rank, self.ordered)
    }

    /// A rank alone has the result of a reduction.
    fn plan(&self, request: &Request) -> Plan {
        if self.collective.is_reduction() && request.comm_size() == 1 {
            let [from, into] =
                [Buffer::Send, Buffer::Receive].map(|buffer| request.message().within_buffer(buffer));
            return Box::new(move |_, ops| ops.copy(from, into));
        }
        let own = request.clone();
        match self.build {
            Build::Local(build) => Box::new(move |rank, ops| build(&own, rank, ops)),
            Build::Tree(place) => {
                Box::new(move |rank, ops| tree::bcast(&own, &place(&own, own.from_root(rank)), ops))
            }
            Build::Subtrees(shape) if self.collective == Collective::Gather => {
                Box::new(move |rank, ops| slots::gather(shape, &own, rank, ops))
            }
            Build::Subtrees(shape) => Box::new(move |rank, ops| slots::scatter(shape, &own, rank, ops)),
            Build::From(other, plan) => plan(other, request),
            Build::Planned(plan) => plan(request),
        }
    }
}
