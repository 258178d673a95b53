//! Compositions of an algorithm within nodes and another between them.

mod blocks;
mod level;
mod levels;
mod nodes;
mod whole;

pub use level::{Level, Named};

use std::fmt;

use super::algorithm::{Algorithm, Parameter, Plan, build_rank};
use super::allgather;
use super::{Clusters, Collective, RankSchedule, Request, RequestError, ScheduleError, Symmetry};
use level::INTRA;
use levels::Levels;

const MOST: u32 = 3;

const COMPOSED: [Collective; 8] = [
    Collective::Bcast,
    Collective::Reduce,
    Collective::Allreduce,
    Collective::Gather,
    Collective::Scatter,
    Collective::Allgather,
    Collective::Alltoall,
    Collective::Barrier,
];

/// Two algorithms of a collective, one between nodes, one within them. Each has its own segment size.
///
/// The name is that of both, as in `two_level:inter=binomial/8192:intra=linear`. The nodes are the
/// [clusters](super::Variant::clusters) of the request. The leader of a node is its first rank, that of the root's node the root.
///
/// - **bcast**: between the leaders of the nodes, then within each node. Segments flow through both levels at once.
/// - **reduce**, **gather**: within each node to its leader, then between the leaders. **scatter**: the reverse.
/// - **allreduce**: within each node, then between the nodes in as many groups as the largest node has ranks: the j-th ranks of all
///   nodes form one group, for one part of the message. If a node has fewer ranks than another, its ranks take the places of
///   the missing ones in turn. At last, the ranks of a node send each other their parts directly.
/// - **allgather**, **alltoall**: between the nodes in as many groups, then within each node. A rank of a smaller node is in several groups
///   that follow each other, and has blocks of its own in the first one.
/// - **barrier**: within each node, between the leaders, and within each node again.
///
/// One level may be a composition itself: three levels, as in `two_level:inter=ring:intra=two_level:inter=binomial:intra=linear` for
/// sites, the nodes in them and their ranks. The clusters of the request are then sites that consist of nodes, as in `2x8:nodes=2`.
///
/// Nodes may have different numbers of ranks. Operands are combined in rank order if both algorithms keep it and the nodes have
/// consecutive ranks.
#[derive(Clone, Debug)]
pub struct TwoLevel {
    inter: Level,
    intra: Level,
    name: String,
}

impl TwoLevel {
    /// The beginning of the names of compositions.
    pub const PREFIX: &'static str = "two_level";

    /// Returns the composition of `inter` between nodes and `intra` within them.
    ///
    /// # Errors
    ///
    /// Fails if the two serve different collectives, or one that cannot be composed.
    pub fn new(inter: Level, intra: Level) -> Result<Self, RequestError> {
        let [one, other] = [&inter, &intra].map(|level| level.algorithm().collective());
        if one != other {
            return Err(RequestError::new(format!(
                "`{one} {inter}` and `{other} {intra}` cannot be composed; use two algorithms of one collective"
            )));
        }
        if !COMPOSED.contains(&one) {
            return Err(RequestError::new(format!(
                "{one} has no composition of two levels; use one of its algorithms alone"
            )));
        }
        if inter.count() + intra.count() > MOST {
            return Err(RequestError::new(
                "a composition has at most three levels; use an algorithm alone at one of them",
            ));
        }
        let name = format!("{}:inter={inter}:intra={intra}", Self::PREFIX);
        Ok(Self { inter, intra, name })
    }

    /// Returns the composition with a name, or `None` if the name is not that of a composition.
    ///
    /// # Errors
    ///
    /// Fails if the name does not state two levels, or one that the collective does not have.
    pub fn named(collective: Collective, name: &str) -> Result<Option<Self>, RequestError> {
        if !name.starts_with(Self::PREFIX) {
            return Ok(None);
        }
        let composed = Self::read(collective, name, false).and_then(|(composed, rest)| match rest {
            "" => Ok(Some(composed)),
            _ => Err(not_levels()),
        });
        composed.map_err(|error| RequestError::new(format!("`{name}`: {error}")))
    }

    /// Returns the composition whose name begins a text, and the rest of the text. Only one that is not nested has others at its levels.
    fn read(collective: Collective, text: &str, is_nested: bool) -> Result<(Self, &str), RequestError> {
        let levels = text.strip_prefix(Self::PREFIX).and_then(|levels| levels.strip_prefix(":inter="));
        let (inter, rest) = Level::read(collective, levels.ok_or_else(not_levels)?, is_nested)?;
        let (intra, rest) =
            Level::read(collective, rest.strip_prefix(INTRA).ok_or_else(not_levels)?, is_nested)?;
        Ok((Self::new(inter, intra)?, rest))
    }

    /// Returns the number of levels, two or three.
    pub fn count(&self) -> u32 {
        self.inter.count() + self.intra.count()
    }

    /// Returns whether a reduction always keeps the order of the ranks: all levels do, and the ranks of a node follow each other.
    fn keeps_order(&self, request: &Request) -> bool {
        [&self.inter, &self.intra].iter().all(|level| level.named.keeps_order(request))
            && !request.chosen_variant().clusters.as_ref().is_some_and(Clusters::is_cyclic)
    }

    /// Returns whether a reduction combines whole operands at both levels, as [`Entry::keeps_whole`](crate::Entry::keeps_whole).
    fn keeps_whole(&self, request: &Request) -> bool {
        self.levels(request).is_some_and(|levels| {
            let within = levels.request_within(levels.nodes.largest);
            levels.last_column() == 0
                && self.intra.named.keeps_whole(&within)
                && self.inter.named.keeps_whole(&levels.request_between(0))
        })
    }

    /// Returns the number of segments of a message at all levels together.
    fn segments(&self, request: &Request) -> u64 {
        let Some(levels) = self.levels(request) else { return 0 };
        let within = self.intra.segments(&levels.request_within(levels.nodes.largest));
        within.saturating_add(self.inter.segments(&levels.request_between(0)))
    }

    fn levels(&self, request: &Request) -> Option<Levels> {
        let clusters = request.chosen_variant().clusters.as_ref()?;
        Some(Levels::new(self, request, clusters))
    }
}

/// Returns the error of a name that does not state two levels.
fn not_levels() -> RequestError {
    RequestError::new(format!(
        "this does not state two levels; write {}:inter=ALGORITHM:intra=ALGORITHM, where a segment size follows its algorithm, as in binomial/8192",
        TwoLevel::PREFIX
    ))
}

impl fmt::Display for TwoLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Compositions are equal if their collectives and names are.
impl PartialEq for TwoLevel {
    fn eq(&self, other: &Self) -> bool {
        (self.collective(), &self.name) == (other.collective(), &other.name)
    }
}

impl Eq for TwoLevel {}

impl Algorithm for TwoLevel {
    fn collective(&self) -> Collective {
        self.inter.algorithm().collective()
    }

    fn name(&self) -> &str {
        &self.name
    }

    /// The levels have segments of their own.
    fn cuts(&self) -> bool {
        false
    }

    /// In an allgather, the blocks that come from each other rank of the node are scattered.
    fn least_steps(&self, request: &Request) -> u64 {
        let is_scattered = self.collective() == Collective::Allgather && request.bytes() > 0;
        let levels = self.levels(request).filter(|_| is_scattered);
        levels.map_or(0, |levels| u64::from(request.comm_size() - levels.nodes.count()))
    }

    /// Nodes of the same number of consecutive ranks move as the algorithm between them does, if what a rank sends within its node waits for
    /// the same rounds between nodes on all of them: not in an alltoall, and not if either algorithm cuts what it combines, or the blocks of
    /// nodes.
    fn symmetry(&self, request: &Request) -> Option<Symmetry> {
        let levels =
            self.levels(request).filter(|levels| levels.nodes.are_equal() && !levels.nodes.are_cyclic())?;
        let (Named::Listed(inter), Named::Listed(intra)) = (&*self.inter.named, &*self.intra.named) else {
            return None;
        };
        let is_cut = std::ptr::eq(*intra, &raw const allgather::MULTIRAIL);
        if is_cut || self.collective() == Collective::Alltoall {
            return None;
        }
        let of_column = |column| {
            let between = levels.request_between(column);
            inter.symmetry(&between).filter(|_| inter.keeps_whole(&between))
        };
        let symmetry = of_column(0).filter(|_| of_column(levels.last_column()).is_some())?;
        Some(symmetry.of_blocks(levels.nodes.most()))
    }

    fn accept(&self, request: &Request) -> Result<(), RequestError> {
        let refused = |what: &str| Err(RequestError::new(format!("a composition {what}")));
        let variant = request.chosen_variant();
        if variant.radix.is_some() {
            return refused("has a radix at its levels; write it there, as in inter=knomial:radix=8");
        }
        if variant.chains.is_some() {
            return Err(RequestError::lacks(&self.name, Parameter::Chains.name()));
        }
        if request.segment_size().is_some() {
            return refused("has segments at its levels; write their sizes there, as in inter=binomial/8192");
        }
        let Some(levels) = self.levels(request) else {
            return refused("needs the nodes of the ranks; state the number of ranks per node, or clusters");
        };
        match (self.count(), levels.clusters_of_nodes()) {
            (MOST, false) => {
                return refused("of three levels needs clusters that consist of nodes, as in 2x8:nodes=2");
            }
            (2, true) => {
                return refused(
                    "of two levels has clusters or nodes; omit :nodes, or nest a composition at a level",
                );
            }
            _ => {}
        }
        self.intra.algorithm().accept(&levels.request_within(levels.nodes.largest).checked()?)?;
        let columns = [0, levels.last_column()];
        columns
            .into_iter()
            .try_for_each(|column| self.inter.algorithm().accept(&levels.request_between(column).checked()?))
    }

    fn rank(&self, request: &Request, rank: u32) -> Result<RankSchedule, ScheduleError> {
        build_rank(self, request, rank, self.keeps_order(request))
    }

    fn plan(&self, request: &Request) -> Plan {
        let collective = self.collective();
        // Accepted requests have nodes.
        let Some(levels) = self.levels(request) else { return Box::new(|_, _| Ok(())) };
        Box::new(move |rank, ops| match collective {
            Collective::Bcast => levels.bcast(rank, ops),
            Collective::Reduce => levels.reduce(rank, ops),
            Collective::Allreduce => levels.allreduce(rank, ops),
            Collective::Gather => levels.gather(rank, ops),
            Collective::Scatter => levels.scatter(rank, ops),
            Collective::Allgather => levels.allgather(rank, ops),
            Collective::Alltoall => levels.alltoall(rank, ops),
            _ => levels.barrier(rank, ops),
        })
    }
}
