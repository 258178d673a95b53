//! Our own schedules among the methods of times and trees.

use qtdec_mpi_schedule::{Clusters, Collective, Named, TwoLevel};

/// What the names of our own schedules begin with, in times and in trees made from them.
pub const PREFIX: &str = "own_";

/// The maximum number of ranks times segments of a schedule of ours. Any rank can build such a schedule, whichever its part in it is.
pub(crate) const MOST_SEGMENTS: u64 = 1 << 18;

/// Returns the algorithm of a method that is ours, and the sites among which it divides the ranks, if it knows them. Compositions are ours
/// without the prefix too, as predicted times have them.
pub(crate) fn parts(method: &str) -> Option<(&str, Option<Clusters>)> {
    let composed = Some(method).filter(|method| method.starts_with(TwoLevel::PREFIX));
    let name = method.strip_prefix(PREFIX).or(composed)?;
    let sites = name.rsplit_once('_').and_then(|(name, sites)| Some((name, sites.parse().ok()?)));
    Some(sites.map_or((name, None), |(name, sites)| (name, Some(sites))))
}

/// Returns whether the method of this name is a schedule of ours, which the interposer carries out and no MPI library has.
pub fn carries_out(collective: &str, method: &str) -> bool {
    let known = || Collective::ALL.into_iter().find(|known| known.name() == collective);
    parts(method).and_then(|(name, _)| Named::find(known()?, name).ok()).is_some()
}

#[cfg(test)]
mod tests {
    use super::carries_out;

    #[test]
    fn only_our_own_schedules_are_carried_out() {
        for (collective, method, is_ours) in [
            ("bcast", "own_binomial", true),
            ("bcast", "own_multirail_2x4", true),
            ("bcast", "binomial", false),
            ("bcast", "own_ring_of_fire", false),
            ("bcast", "two_level:inter=binomial/8192:intra=linear", true),
            ("bcast", "own_two_level:inter=binomial/8192:intra=linear_2x4", true),
            (
                "bcast",
                "own_two_level:inter=two_level:inter=linear:intra=binary/8:intra=linear_2x4:nodes=2",
                true,
            ),
            ("bcast", "two_level:inter=ring:intra=linear", false),
            ("allgatherv", "own_ring", false),
            ("no_collective", "own_ring", false),
        ] {
            assert_eq!(carries_out(collective, method), is_ours, "{collective} {method}");
        }
    }
}
