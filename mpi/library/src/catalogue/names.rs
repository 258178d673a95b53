//! Names of algorithms, extracted from names of functions.

use qtdec_core::naming::snake;

/// Prefixes of the algorithm's own name in names of functions.
const PREFIXES: [&str; 8] = ["mpir_", "mpich_", "mpi_", "ompi_", "coll_", "base_", "tuned_", "intra_"];

/// Returns the name in `snake_case`, without library and collective.
pub(super) fn plain(collective: &str, name: &str) -> String {
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
