//! A collective for which a library chooses an algorithm.

use qtdec_core::naming::snake;

use super::{Algorithm, SizeUnit};

/// A collective for which a library chooses an algorithm.
#[derive(Debug)]
pub struct TunedCollective {
    /// MPI's name in lower case.
    pub name: &'static str,
    /// The name in the library's tuning files.
    pub word: &'static str,
    /// The number in the library's tuning files, if it has one.
    pub number: Option<u8>,
    /// The quantity that the library compares with message sizes.
    pub unit: SizeUnit,
    /// The algorithms, in the order of their numbers if they have numbers.
    pub algorithms: &'static [Algorithm],
    /// The greatest number of a preset, if the library has presets.
    pub(super) last_preset: Option<u64>,
}

impl TunedCollective {
    /// Returns the algorithm with a number.
    pub fn algorithm(&self, number: u64) -> Option<&'static Algorithm> {
        self.algorithms.iter().find(|algorithm| algorithm.number == Some(number))
    }

    /// Returns the algorithm called `name`: the library's name, an alias, or a function name such as
    /// `MPIR_Bcast_intra_binomial`.
    pub fn find(&self, name: &str) -> Option<&'static Algorithm> {
        let plain = plain(self.name, name);
        let goes_by =
            |algorithm: &&Algorithm| plain == snake(algorithm.name) || algorithm.aliases.contains(&&*plain);
        self.algorithms.iter().find(goes_by)
    }

    pub(super) const fn new(
        (name, word): (&'static str, &'static str),
        unit: SizeUnit,
        algorithms: &'static [Algorithm],
    ) -> Self {
        Self { name, word, number: None, unit, algorithms, last_preset: None }
    }
}

/// Prefixes of the algorithm's own name in names of functions.
const PREFIXES: [&str; 8] = ["mpir_", "mpich_", "mpi_", "ompi_", "coll_", "base_", "tuned_", "intra_"];

/// Returns the name in `snake_case`, without library and collective.
fn plain(collective: &str, name: &str) -> String {
    let snake = snake(name);
    let mut rest = &*snake;
    // MPICH's functions for the regular form carry the name of the irregular one.
    let names = [collective, collective.strip_suffix("_block").unwrap_or(collective)];
    loop {
        let collective =
            names.iter().find_map(|name| rest.strip_prefix(name).and_then(|rest| rest.strip_prefix('_')));
        let shorter = collective.or_else(|| PREFIXES.iter().find_map(|prefix| rest.strip_prefix(prefix)));
        match shorter {
            Some(shorter) if !shorter.is_empty() => rest = shorter,
            _ => return rest.to_owned(),
        }
    }
}
