//! Trees for maps that are made here, and the rules of a library for them.

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Domain, Method, MethodIndex};
use qtdec_mpi_library::catalogue::{Library, TunedCollective};
use qtdec_mpi_library::tuning::{LibraryRules, RuleOptions};

/// Returns the tree of a map without gaps, whose cells are numbers of methods.
pub(super) fn tree(
    collective: &str,
    axes: Vec<Axis>,
    methods: Vec<Method>,
    cells: impl IntoIterator<Item = usize>,
) -> Result<DecisionTree, String> {
    let domain = Domain::new(Some(collective.to_owned()), axes, methods);
    let domain = domain.map_err(|problems| problems.to_string())?;
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    let cells = cells.into_iter().map(|cell| Some(indexes[cell])).collect();
    encoded(&DecisionMap::new(domain, cells).map_err(|problems| problems.to_string())?, Borders::Floor)
}

/// Returns the quadtree of a map.
pub(super) fn encoded(map: &DecisionMap, borders: Borders) -> Result<DecisionTree, String> {
    encode::encode(map, &Quadtree::default(), borders).map_err(|problem| problem.to_string())
}

/// Returns the rules of a library for a tree, in the library's unit of the collective.
pub(super) fn rules(
    library: Library,
    known: &TunedCollective,
    tree: &DecisionTree,
    options: &RuleOptions,
) -> Result<LibraryRules, String> {
    LibraryRules::new(tree, library, known.name, known.unit, options)
        .map_err(|problems| format!("{}: {problems}", known.name))
}

/// Returns the algorithms whose messages were seen in a call, where each was forced in a turn.
pub(super) fn senders<'a>(
    algorithms: &[&'a str],
    forced: &[Vec<Vec<String>>],
    call: usize,
    seen: &[String],
) -> Vec<&'a str> {
    algorithms.iter().zip(forced).filter(|(_, turn)| turn[call] == seen).map(|(name, _)| *name).collect()
}
