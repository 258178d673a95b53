//! What the benchmark `qtdec-bench` can do, for those who start it.

use qtdec_mpi_library::catalogue::Library;
use qtdec_mpi_schedule::Collective;

/// The library whose algorithms the benchmark forces itself, one after the other in one launch. Those of others are forced by variables of
/// the environment, one in each launch.
pub(crate) const SWITCHED: Library = Library::OpenMpi;

/// The collectives of that library whose control variables cannot be written: those of releases 4.1.4 and 5.0.11 are constant.
const FIXED: [&str; 1] = ["allgatherv"];

/// Returns whether the benchmark forces the algorithms of a library's collective itself.
pub fn switches(library: Library, collective: &str) -> bool {
    library == SWITCHED && !FIXED.contains(&collective)
}

/// What stands before the name of an algorithm that variables of the environment force.
pub const FORCED: &str = "forced:";

/// The number of times that a method is repeated, unless options say otherwise.
pub const REPEATS: u32 = 10;

/// The most calls of a method at a number of ranks and a size that do not count.
pub const WARM_UP: u32 = 4;

/// Returns the names of the collectives that the benchmark measures.
pub fn collectives() -> Vec<&'static str> {
    measured().map(Collective::name).collect()
}

/// Returns the collectives that the benchmark measures: those that a standard states.
pub(crate) fn measured() -> impl Iterator<Item = Collective> {
    Collective::known().filter(|known| *known != Collective::Custom)
}

#[cfg(test)]
mod tests {
    use super::{Library, collectives};

    #[test]
    fn every_collective_with_algorithms_to_choose_is_measured() {
        for library in [Library::OpenMpi, Library::Mpich, Library::IntelMpi] {
            for known in library.collectives() {
                assert!(collectives().contains(&known.name), "{} {}", library.name(), known.name);
            }
        }
    }
}
