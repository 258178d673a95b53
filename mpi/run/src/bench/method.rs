//! What is measured: the library's choice, its algorithms, and our own schedules.

use std::collections::BTreeSet;
use std::str::FromStr;

use qtdec_mpi_library::catalogue::{Algorithm, Library, Need, is_by_nodes};
use qtdec_mpi_schedule::{Clusters, Collective, Named, Request, RequestError, TwoLevel, Variant, accept};

use super::layout::{Layout, element_size};
use crate::abilities::{FORCED, SWITCHED, switches};
use crate::own::{self, PREFIX};
use crate::placement::Placement;
use qtdec_mpi_library::choice;

/// A way to carry out a collective.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Method {
    /// The library's own choice, as it is set up, under one of the names for that.
    Default(&'static str),
    /// An algorithm of the library, which is forced.
    Library {
        name: String,
        /// The bytes of a segment, or 0 for no cuts.
        segment: u32,
        /// Whether variables of the environment force it, rather than the benchmark.
        is_set_up: bool,
    },
    /// A schedule of `qtdec-mpi`.
    Own {
        name: String,
        /// The sites or nodes among which the ranks are divided, for an algorithm that knows them. A composition without them is one of the
        /// nodes on which the ranks run.
        clusters: Option<Clusters>,
        /// The bytes of a segment, or 0 for no cuts.
        segment: u32,
    },
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(own) = own_choice(text) {
            return Ok(own);
        }
        let (own, text) = text.strip_prefix("own:").map_or((false, text), |text| (true, text));
        let (is_set_up, text) = text.strip_prefix(FORCED).map_or((false, text), |text| (true, text));
        let (name, segment) = match text.split_once('/') {
            // The levels of a composition have segments of their own.
            Some((name, segment)) if !(own && is_composed(text)) => (name, size(segment)?),
            _ => (text, 0),
        };
        let segment = u32::try_from(segment).map_err(|_| "a segment has less than 4G".to_owned())?;
        if name.len() < text.len() && segment == 0 {
            return Err("a segment has at least one byte".to_owned());
        }
        if !own {
            return Ok(Self::Library { name: name.to_owned(), segment, is_set_up });
        }
        let (name, clusters) = match name.split_once('@') {
            None => (name, None),
            Some((name, clusters)) => {
                (name, Some(clusters.parse::<Clusters>().map_err(|error| error.to_string())?))
            }
        };
        Ok(Self::Own { name: name.to_owned(), clusters, segment })
    }
}

impl Method {
    /// Returns the method with a [name](Self::name) and the bytes of a segment, or 0.
    pub(crate) fn named(name: &str, segment: u32) -> Self {
        match own::parts(name) {
            Some((name, clusters)) => Self::Own { name: name.to_owned(), clusters, segment },
            None => own_choice(name).unwrap_or_else(|| Self::Library {
                name: name.to_owned(),
                segment,
                is_set_up: false,
            }),
        }
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Self::Default(name) => (*name).to_owned(),
            Self::Library { name, .. } => name.clone(),
            Self::Own { name, clusters: None, .. } => format!("{PREFIX}{name}"),
            Self::Own { name, clusters: Some(clusters), .. } => format!("{PREFIX}{name}_{clusters}"),
        }
    }

    /// Returns the size of the segments, or 0.
    pub(crate) fn segment(&self) -> u32 {
        match self {
            Self::Default(_) => 0,
            Self::Library { segment, .. } | Self::Own { segment, .. } => *segment,
        }
    }

    pub(crate) fn label(&self) -> String {
        if self.segment() == 0 { self.name() } else { format!("{}/{}", self.name(), self.segment()) }
    }

    /// Returns whether the library runs as the environment sets it up.
    pub(crate) fn is_as_set_up(&self) -> bool {
        matches!(self, Self::Default(_) | Self::Library { is_set_up: true, .. })
    }

    /// Returns whether the library's settings must be changed.
    pub(crate) fn is_switched(&self) -> bool {
        matches!(self, Self::Library { is_set_up: false, .. })
    }

    /// Returns the algorithm of our own for elements of a size, and its request. `None` if the method is none of ours.
    pub(crate) fn request(
        &self,
        collective: Collective,
        (ranks, placement): (u32, Placement),
        (elements, size): (u64, u64),
        root: u32,
    ) -> Option<Result<(Named, Request), RequestError>> {
        let Self::Own { name, clusters, segment } = self else { return None };
        let nodes = || placement.nodes(ranks).filter(|_| is_composed(name));
        let clusters = clusters.clone().or_else(nodes);
        let segment = Some(u64::from(*segment)).filter(|segment| *segment > 0);
        let request = Request::new(ranks, elements)
            .and_then(|request| request.element_size(size))
            .and_then(|request| request.segment(segment))
            .and_then(|request| request.variant(Variant { clusters, ..Variant::default() }))
            .and_then(|request| if collective.is_rooted() { request.root(root) } else { Ok(request) });
        Some(request.and_then(|request| {
            let named = Named::find(collective, name)?;
            accept(named.algorithm(), &request)?;
            Ok((named, request))
        }))
    }

    /// Returns whether the nodes of the ranks decide what the method does.
    pub(crate) fn needs_nodes(&self) -> bool {
        matches!(self, Self::Own { name, clusters: None, .. } if is_composed(name)) || self.is_by_nodes()
    }

    /// Returns whether the method is an algorithm of the library that divides the ranks among the nodes.
    fn is_by_nodes(&self) -> bool {
        matches!(self, Self::Library { name, .. } if is_by_nodes(name))
    }

    /// Returns whether the method can divide the ranks as it needs to: unless several nodes have several ranks each, all of them as many,
    /// another one would run in place of an algorithm by nodes.
    pub(crate) fn divides(&self, placement: Placement, ranks: u32) -> bool {
        let has_levels = |nodes: Clusters| {
            let sizes: BTreeSet<usize> = nodes.members().map(|members| members.len()).collect();
            nodes.count() > 1 && sizes.len() == 1 && !sizes.contains(&1)
        };
        !self.is_by_nodes() || placement.nodes(ranks).is_some_and(has_levels)
    }

    fn algorithm(&self, library: Library, collective: Collective) -> Option<&'static Algorithm> {
        let Self::Library { name, .. } = self else { return None };
        library.find(collective.name(), limited(name).0)
    }

    /// Returns the most requests that a rank of the library has open at once, or 0 for no limit.
    pub(crate) fn requests(&self) -> u32 {
        match self {
            Self::Library { name, .. } => limited(name).1,
            Self::Default(_) | Self::Own { .. } => 0,
        }
    }

    /// Returns the number by which the library is told an algorithm that the benchmark forces.
    pub(crate) fn number(&self, collective: Collective) -> Option<u32> {
        let algorithm = self.algorithm(SWITCHED, collective).filter(|_| self.is_switched())?;
        algorithm.number.and_then(|number| u32::try_from(number).ok())
    }

    pub(crate) fn check(&self, collective: Collective) -> Result<(), String> {
        match self {
            Self::Own { name, .. } => {
                Named::find(collective, name).map(|_| ()).map_err(|error| error.to_string())
            }
            Self::Library { name, is_set_up: false, .. } if self.is_by_nodes() => Err(format!(
                "the library knows when a program starts how it divides ranks among nodes: measure `{FORCED}{name}` where variables of the \
                 environment say it"
            )),
            Self::Library { name, is_set_up: false, .. } if !switches(SWITCHED, collective.name()) => {
                Err(format!(
                    "{} does not let programs force algorithms of {collective}: measure `{FORCED}{name}` where variables of the \
                     environment force it",
                    SWITCHED.name()
                ))
            }
            Self::Library { name, is_set_up: false, .. } if self.number(collective).is_none() => {
                let known = SWITCHED.algorithms(collective.name());
                let known: Vec<&str> =
                    known.iter().filter(|known| known.number.is_some()).map(|known| known.name).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                Err(format!(
                    "{} has no {collective} algorithm `{name}` that can be forced, but {known}",
                    SWITCHED.name()
                ))
            }
            Self::Library { is_set_up: false, .. } if self.ignores_requests(collective) => Err(format!(
                "{} ignores the number of requests of `{}` for {collective}",
                SWITCHED.name(),
                self.label()
            )),
            Self::Library { .. } | Self::Default(_) => Ok(()),
        }
    }

    fn ignores_requests(&self, collective: Collective) -> bool {
        let algorithm = self.algorithm(SWITCHED, collective);
        self.requests() > 0
            && algorithm.is_none_or(|algorithm| !algorithm.limits_requests(self.segment() > 0))
    }

    /// Returns whether the method is another one than the same algorithm without cuts or limits, and whether the library, if it is known, runs it rather
    /// than another algorithm in its place.
    pub(crate) fn runs(&self, library: Option<Library>, layout: Layout) -> bool {
        let Layout { collective, ranks, bytes, .. } = layout;
        let (ranks, segment) = (u64::from(ranks), u64::from(self.segment()));
        let holds = |need: &Need| need.holds(ranks) && (*need != Need::EqualBlocks || layout.is_equal());
        let algorithm = library.and_then(|library| self.algorithm(library, collective));
        let is_kept = algorithm.is_none_or(|algorithm| {
            let least = algorithm.bytes_per_rank(element_size(collective), segment).saturating_mul(ranks);
            algorithm.needs.iter().all(holds) && bytes >= least
        });
        // So many requests does a rank open without a limit: one for each other rank, or for each segment.
        let opened = if segment == 0 { ranks.saturating_sub(1) } else { bytes.div_ceil(segment) };
        let is_limited = self.requests() == 0 || u64::from(self.requests()) < opened;
        is_kept && is_limited && (segment == 0 || segment < bytes)
    }
}

fn is_composed(name: &str) -> bool {
    name.starts_with(TwoLevel::PREFIX)
}

/// Reads a number of bytes such as `8K`.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let (number, shift) = match text.as_bytes().last() {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number = number.parse::<u64>().ok().filter(|number| *number < 1 << 30);
    number.map(|number| number << shift).ok_or_else(|| "not a number of bytes, such as 1000 or 8K".to_owned())
}

/// Splits the number of requests off a name, as in `linear_sync:reqs=16`; 0 for none.
fn limited(name: &str) -> (&str, u32) {
    let parts = name.rsplit_once(":reqs=").and_then(|(plain, number)| Some((plain, number.parse().ok()?)));
    parts.unwrap_or((name, 0))
}

/// Returns the library's own choice if this is a name of it.
fn own_choice(name: &str) -> Option<Method> {
    choice::ALL.into_iter().find(|known| *known == name).map(Method::Default)
}

#[cfg(test)]
mod tests {
    use qtdec_mpi_schedule::Collective::{
        Allgather, Allgatherv, Allreduce, Alltoall, Bcast, Reduce, ReduceScatter, ReduceScatterBlock,
    };

    use super::super::layout::Blocks;
    use super::{Layout, Library, Method, Placement, size};

    #[test]
    fn names_in_times_lead_back_to_methods() {
        for text in [
            "default",
            "default-han",
            "untouched",
            "pipeline/8K",
            "linear_sync:reqs=16",
            "chain:reqs=2/8K",
            "own:binomial",
            "own:scatter_allgather/1K",
            "own:multirail@2x4/1K",
            "own:two_level:inter=binomial/8192:intra=split_binary",
            "own:two_level:inter=split_binary:intra=linear@2x4",
            "own:two_level:inter=linear:intra=binary/1024@2x4:cyclic",
            "own:two_level:inter=linear:intra=two_level:inter=binary/1024:intra=linear@2x4:nodes=2",
        ] {
            let method: Method = text.parse().unwrap();
            assert_eq!(Method::named(&method.name(), method.segment()), method, "{text}");
        }
    }

    #[test]
    fn a_method_runs_where_the_library_does_not_replace_it() {
        let runs = |text: &str, collective, ranks, bytes| {
            let layout = Layout { collective, ranks, bytes, blocks: Blocks::EQUAL };
            text.parse::<Method>().unwrap().runs(Some(Library::OpenMpi), layout)
        };
        for (text, collective, ranks, bytes, expected) in [
            ("linear_sync:reqs=2", Alltoall, 3, 1, false),
            ("linear_sync:reqs=2", Alltoall, 4, 1, true),
            ("binary:reqs=2/1K", Reduce, 4, 2048, false),
            ("binary:reqs=2/1K", Reduce, 4, 2052, true),
            ("pipeline/8K", Bcast, 4, 8192, false),
            ("pipeline/8K", Bcast, 4, 16_384, true),
            ("scatter_allgather", Bcast, 4, 3, false),
            ("scatter_allgather", Bcast, 4, 4, true),
            ("ring", Allreduce, 4, 12, false),
            ("ring", Allreduce, 4, 16, true),
            ("segmented_ring/1K", Allreduce, 4, 2048, false),
            ("segmented_ring/1K", Allreduce, 4, 4096, true),
            ("recursive_doubling", Allgather, 6, 1, false),
            ("recursive_doubling", Allgather, 8, 1, true),
            ("two_proc", Allgather, 4, 1, false),
            ("default", Allgather, 3, 1, true),
            ("forced:recursive_doubling", Allgather, 6, 1, false),
            ("forced:new", Allgather, 6, 1, true),
        ] {
            assert_eq!(runs(text, collective, ranks, bytes), expected, "{text} {ranks} {bytes}");
        }
    }

    #[test]
    fn a_limit_of_requests_is_a_parameter_of_the_algorithms_that_have_one() {
        let checked = |text: &str, collective| {
            let method: Method = text.parse().unwrap();
            method.check(collective).map(|()| (method.number(collective), method.requests()))
        };
        assert_eq!(checked("linear_sync:reqs=16", Alltoall), Ok((Some(4), 16)));
        assert_eq!(checked("linear_sync", Alltoall), Ok((Some(4), 0)));
        assert_eq!(checked("chain:reqs=2/8K", Reduce), Ok((Some(2), 2)));
        for (text, collective) in
            [("pairwise:reqs=16", Alltoall), ("chain:reqs=2", Reduce), ("chain:reqs=2/8K", Bcast)]
        {
            let refused = checked(text, collective).unwrap_err();
            assert!(refused.starts_with("Open MPI ignores the number of requests"), "{refused}");
        }
        assert!(
            checked("linear_sync:reqs=many", Alltoall).unwrap_err().contains("has no alltoall algorithm")
        );
    }

    #[test]
    fn what_would_end_the_program_does_not_run() {
        let method: Method = "forced:noncommutative".parse().unwrap();
        let runs = |collective, bytes, blocks: &str| {
            let layout = Layout { collective, ranks: 4, bytes, blocks: blocks.parse().unwrap() };
            method.runs(Some(Library::Mpich), layout)
        };
        assert!(runs(ReduceScatter, 16, "equal") && runs(ReduceScatterBlock, 4, "equal"));
        assert!(!runs(ReduceScatter, 20, "equal") && !runs(ReduceScatter, 16, "skewed:2"));
    }

    #[test]
    fn an_algorithm_by_nodes_needs_several_of_several_ranks() {
        let method: Method = "forced:han:inter=adapt:intra=sm".parse().unwrap();
        assert!(method.needs_nodes());
        for (placement, ranks, expected) in [
            (Placement::Consecutive(2), 4, true),
            (Placement::Consecutive(2), 5, false),
            (Placement::Consecutive(2), 2, false),
            (Placement::Consecutive(1), 4, false),
            (Placement::InTurn(2), 4, true),
            (Placement::InTurn(2), 5, false),
            (Placement::InTurn(4), 6, false),
            (Placement::InTurn(4), 4, false),
            (Placement::Other, 4, false),
        ] {
            assert_eq!(method.divides(placement, ranks), expected, "{placement:?} {ranks}");
            assert!("forced:binomial".parse::<Method>().unwrap().divides(placement, ranks));
        }
    }

    #[test]
    fn variables_force_what_the_benchmark_cannot() {
        let check = |text: &str| text.parse::<Method>().unwrap().check(Allgatherv);
        assert!(check("ring").unwrap_err().contains("measure `forced:ring` where variables"));
        assert_eq!(check("forced:ring"), Ok(()));
        let refused = check("han:inter=adapt:intra=sm/64K").unwrap_err();
        assert!(refused.contains("measure `forced:han:inter=adapt:intra=sm` where variables"), "{refused}");
        assert_eq!(check("forced:han:inter=adapt:intra=sm/64K"), Ok(()));
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!((size("8K"), size("1M"), size("17")), (Ok(8192), Ok(1 << 20), Ok(17)));
        for text in ["", "K", "-1", "1.5K", "99999999999999999999G", "2000000000"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
