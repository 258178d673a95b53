//! Open MPI's component HAN: its algorithms of two levels, and the components that carry out each level.
//!
//! A method such as `han:inter=adapt:intra=sm` names the components between nodes and within them. HAN has two algorithms for it. The
//! simple one calls each level once, on whole messages, and a file of HAN names the components. The other one overlaps the levels: it cuts
//! messages into segments, and knows its components and the size of the segments from variables alone, which hold for all calls of a
//! collective. `coll_han_component.c`, `coll_han_dynamic.c` and `coll_han_bcast.c` of 5.0.9 and their neighbours. 4.1 has both, but its
//! files have no names of components, and cannot choose the simple algorithm.

use super::HAN_RULES_SINCE;
use crate::catalogue::Need::Commutative;
use crate::catalogue::Segments::Optional;
use crate::catalogue::algorithm::HAN;
use crate::catalogue::{Algorithm, Lifetime, When};

/// The components of HAN's levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// The component between nodes.
    pub inter: &'static str,
    /// The component within nodes.
    pub intra: &'static str,
}

impl Levels {
    /// The components of every collective unless rules or variables name others.
    pub const DEFAULT: Self = Self { inter: "tuned", intra: "tuned" };

    /// Returns the levels of an algorithm, or `None` if it is not one of HAN.
    pub fn of(algorithm: &Algorithm) -> Option<Self> {
        let (inter, intra) = algorithm.name.strip_prefix(HAN)?.strip_prefix(INTER)?.split_once(INTRA)?;
        Some(Self { inter, intra })
    }

    /// Returns the name of the method.
    pub fn name(self) -> String {
        format!("{HAN}{INTER}{}{INTRA}{}", self.inter, self.intra)
    }

    /// Returns whether a file of HAN can choose the levels for a collective, with or without segments. The simple reduction knows its
    /// components from the same variables as the other one.
    pub fn are_in_files(self, collective: &str, has_segments: bool) -> bool {
        let is_simple = self.inter == Self::DEFAULT.inter || (collective == "bcast" && self.inter == "adapt");
        is_simple && !has_segments
    }

    /// Returns the parameters of Open MPI, as `NAME=VALUE`, with which HAN carries out every call of a collective so, with segments of so
    /// many bytes, 0 for none. It reads them when it starts, so that they are those of a launch.
    pub fn parameters(self, collective: &str, segment: u64) -> Vec<String> {
        let (inter, intra) = (self.inter, self.intra);
        if self.are_in_files(collective, segment > 0) {
            let level =
                |level: &str, component| format!("coll_han_{collective}_dynamic_{level}_module={component}");
            let algorithm = format!("coll_han_use_{collective}_algorithm=simple");
            let levels = [("inter_node", inter), ("intra_node", intra)]
                .map(|(name, component)| level(name, component_number(component)));
            let priorities = self.priorities().map(|(name, value)| format!("{name}={value}"));
            return [algorithm].into_iter().chain(levels).chain(priorities).collect();
        }
        self.variables(collective, segment)
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect()
    }

    /// Returns the parameters without which the components serve no level that a file or a variable gives them.
    ///
    /// `adapt` and `sm` disable themselves where no component with a lower priority has the functions that they fall back on, and have the
    /// lowest priority themselves: 5.0.11 then calls `tuned`. With one between those of `basic` and of `tuned`, they serve levels, and no
    /// other blocking collective; but `adapt` also serves `MPI_Ibcast` and `MPI_Ireduce`.
    pub fn priorities(self) -> impl Iterator<Item = (String, u64)> {
        let named = [self.inter, self.intra].into_iter().filter(|name| needs_priority(name));
        named.map(|name| (format!("coll_{name}_priority"), PRIORITY))
    }

    /// Returns the parameters of the algorithm that overlaps the levels, which is that of a collective unless a file or a variable chooses
    /// the simple one.
    ///
    /// The components have numbers of their own: a name would be taken for the number of a component, beyond the two that there are.
    pub fn variables(self, collective: &str, segment: u64) -> [(String, u64); 3] {
        let variable = |name: &str, value| (format!("coll_han_{collective}_{name}"), value);
        [
            variable("up_module", u64::from(self.inter == "adapt")),
            variable("low_module", u64::from(self.intra == "sm")),
            variable("segsize", segment),
        ]
    }
}

/// The components that HAN knows by name, in the order of their numbers.
pub const COMPONENTS: [&str; 7] = ["self", "basic", "libnbc", "tuned", "sm", "adapt", "han"];

/// Returns whether a component needs another [priority](Levels::priorities) than its own.
pub fn needs_priority(component: &str) -> bool {
    ["adapt", "sm"].contains(&component)
}

/// A priority between those of `basic`, 10, and `tuned`, 30.
pub const PRIORITY: u64 = 20;

fn component_number(name: &str) -> usize {
    COMPONENTS
        .iter()
        .position(|known| *known == name)
        .expect("the levels of algorithms have components that are known")
}

const INTER: &str = "inter=";
const INTRA: &str = ":intra=";

/// Returns the algorithms of HAN for a collective. What HAN does by itself is among them where no variable is needed for it: gathers are
/// the simple ones, and have no other components.
pub fn algorithms(collective: &str) -> &'static [Algorithm] {
    match collective {
        "bcast" => BCAST,
        "reduce" | "allreduce" => REDUCTION,
        "allgather" | "scatter" => SIMPLE,
        "barrier" => BARRIER,
        _ => &[],
    }
}

const fn of_han(name: &'static str) -> Algorithm {
    Algorithm { lifetime: Lifetime::since(HAN_RULES_SINCE), ..Algorithm::new(name, &[]) }
}

/// Returns an algorithm of a reduction, which HAN leaves to other components if its operation does not commute.
const fn reduction(name: &'static str) -> Algorithm {
    of_han(name).cuts(When::WithSegments).needs(&[Commutative])
}

// Components without a function for a collective are not listed: HAN would call others in their place.
const BCAST: &[Algorithm] = &[
    of_han("han:inter=tuned:intra=tuned"),
    of_han("han:inter=tuned:intra=sm"),
    of_han("han:inter=adapt:intra=tuned").segments(Optional),
    of_han("han:inter=adapt:intra=sm").segments(Optional),
    of_han("han:inter=libnbc:intra=tuned").segments(Optional),
    of_han("han:inter=libnbc:intra=sm").segments(Optional),
];

const REDUCTION: &[Algorithm] = &[
    reduction("han:inter=tuned:intra=tuned"),
    reduction("han:inter=adapt:intra=tuned").segments(Optional),
    reduction("han:inter=adapt:intra=sm").segments(Optional),
    reduction("han:inter=libnbc:intra=tuned").segments(Optional),
    reduction("han:inter=libnbc:intra=sm").segments(Optional),
];

const SIMPLE: &[Algorithm] = &[of_han("han:inter=tuned:intra=tuned")];

// HAN's only algorithm for barriers is the simple one.
const BARRIER: &[Algorithm] = &[of_han("han:inter=tuned:intra=sm")];

#[cfg(test)]
mod tests {
    use super::{Levels, algorithms};
    use crate::catalogue::{Lack, Library, Release};

    fn levels(collective: &str, name: &str) -> Levels {
        Levels::of(Library::OpenMpi.find(collective, name).expect("it is known")).expect("it is of HAN")
    }

    #[test]
    fn a_name_says_the_components_of_both_levels() {
        for collective in Library::OpenMpi.collectives() {
            for algorithm in algorithms(collective.name) {
                let levels = levels(collective.name, algorithm.name);
                assert_eq!(levels.name(), algorithm.name);
                assert_eq!(algorithm.lack(Some(Release::new(4, 1))), Some(Lack::Before(Release::new(5, 0))));
                assert!(algorithm.is_in(Some(Release::new(5, 0))));
            }
        }
        let other = Library::OpenMpi.find("bcast", "binomial").unwrap();
        assert_eq!(Levels::of(other), None);
        for name in ["han:inter=sm:intra=tuned", "han:inter=adapt", "han", "han:intra=sm:inter=adapt"] {
            assert_eq!(Library::OpenMpi.find("bcast", name), None, "{name}");
            assert_eq!(Library::Mpich.find("bcast", name), None, "{name}");
        }
        assert_eq!(Library::OpenMpi.find("gather", "han:inter=tuned:intra=tuned"), None);
    }

    #[test]
    fn variables_choose_what_a_name_says() {
        let parameters =
            |collective: &str, name: &str, segment| levels(collective, name).parameters(collective, segment);
        assert_eq!(
            parameters("bcast", "han:inter=adapt:intra=sm", 0),
            [
                "coll_han_use_bcast_algorithm=simple",
                "coll_han_bcast_dynamic_inter_node_module=5",
                "coll_han_bcast_dynamic_intra_node_module=4",
                "coll_adapt_priority=20",
                "coll_sm_priority=20",
            ]
        );
        assert_eq!(
            parameters("bcast", "han:inter=adapt:intra=sm", 65536),
            ["coll_han_bcast_up_module=1", "coll_han_bcast_low_module=1", "coll_han_bcast_segsize=65536",]
        );
        assert_eq!(
            parameters("reduce", "han:inter=libnbc:intra=tuned", 0),
            ["coll_han_reduce_up_module=0", "coll_han_reduce_low_module=0", "coll_han_reduce_segsize=0",]
        );
    }

    #[test]
    fn files_choose_the_simple_algorithm_alone() {
        let in_files = |collective: &str, name: &str, has_segments| {
            levels(collective, name).are_in_files(collective, has_segments)
        };
        assert!(in_files("bcast", "han:inter=adapt:intra=sm", false));
        assert!(in_files("barrier", "han:inter=tuned:intra=sm", false));
        assert!(in_files("allreduce", "han:inter=tuned:intra=tuned", false));
        assert!(!in_files("bcast", "han:inter=adapt:intra=sm", true));
        assert!(!in_files("bcast", "han:inter=libnbc:intra=sm", false));
        assert!(!in_files("reduce", "han:inter=adapt:intra=tuned", false));
    }
}
