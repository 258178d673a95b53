//! The list of all algorithms, and the algorithms by name.

use qtdec_core::similar::did_you_mean;

use super::algorithm::{Algorithm, Entry};
use super::{
    Request, RequestError, allgather, allreduce, alltoall, barrier, bcast, blocks, reduce,
    reduce_scatter_block,
};
use crate::Collective;

/// The algorithms of every collective, in display order.
static ALL: &[&[&Entry]] = &[
    bcast::ALL,
    reduce::ALL,
    allreduce::ALL,
    blocks::SCATTERS,
    blocks::GATHERS,
    allgather::ALL,
    alltoall::ALL,
    reduce_scatter_block::ALL,
    barrier::ALL,
];

/// Checks whether an algorithm serves a request, as [`Algorithm::accept`] does.
///
/// # Errors
///
/// Returns the reason if it does not, with the algorithms of the list that have the parameter in question.
pub fn accept(algorithm: &dyn Algorithm, request: &Request) -> Result<(), RequestError> {
    algorithm.accept(request).map_err(|error| {
        let Some(parameter) = error.lacking else { return error };
        let has = |entry: &&Entry| entry.parameters.iter().any(|known| known.name() == parameter);
        let others = algorithms(algorithm.collective()).filter(has).map(|entry| entry.name);
        error.others(", or use ", &others.collect::<Vec<_>>())
    })
}

/// Returns the algorithms of a collective that combine operands in rank order whatever the number of ranks and the root.
pub(super) fn in_rank_order(collective: Collective) -> Vec<&'static str> {
    algorithms(collective).filter(|entry| entry.ordered).map(|entry| entry.name).collect()
}

/// Returns every algorithm of every collective.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    ALL.iter().copied().flatten().copied()
}

/// Returns the algorithms of `collective`.
pub fn algorithms(collective: Collective) -> impl Iterator<Item = &'static Entry> {
    all().filter(move |entry| entry.collective == collective)
}

/// Returns the algorithm `name` of `collective`.
///
/// # Errors
///
/// Fails if no algorithm has this name; the error lists the known names.
pub fn find(collective: Collective, name: &str) -> Result<&'static Entry, RequestError> {
    algorithms(collective).find(|entry| entry.name == name).ok_or_else(|| {
        let known: Vec<&str> = algorithms(collective).map(|entry| entry.name).collect();
        let meant = did_you_mean(name, known.iter().copied());
        let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        let known = known.join(", ");
        RequestError::new(format!(
            "{collective} has no algorithm `{name}`{meant} (the algorithms are {known})"
        ))
    })
}
