//! How a script forces the algorithms of an MPI library.

use std::fmt;

use qtdec_mpi::catalogue::{Algorithm, Library, Release};

/// An MPI library whose algorithms a script measures.
pub trait MeasuredLibrary: fmt::Debug + Sync {
    /// Returns its name as the value of an option.
    fn name(&self) -> &'static str;

    /// Returns its name for people, with the releases that a script runs on.
    fn title(&self) -> &'static str;

    /// Returns the library whose algorithms are measured.
    fn library(&self) -> Library;

    /// Returns the oldest release that a script runs on: it measures what that has.
    fn release(&self) -> Release;

    /// Returns the variables of the environment that keep other parts of the library from serving the call instead,
    /// `NAME=VALUE`.
    fn switches(&self) -> &'static [&'static str];

    /// Returns the variables of the environment that force an algorithm, `NAME=VALUE`.
    fn force(&self, collective: &str, algorithm: &Algorithm, segment: u64) -> Vec<String>;

    /// Returns the algorithms of a collective that are measured; none for one that is not known.
    fn algorithms(&self, collective: &str) -> Vec<MeasuredAlgorithm> {
        let measured = |algorithm: &'static Algorithm| {
            let name = algorithm.measured_name().filter(|_| algorithm.is_in(Some(self.release())))?;
            Some(MeasuredAlgorithm { name, algorithm })
        };
        self.library().algorithms(collective).iter().filter_map(measured).collect()
    }

    /// Returns the collectives some of whose algorithms are measured.
    fn collectives(&self) -> Vec<&'static str> {
        let known = self.library().collectives().iter().map(|collective| collective.name);
        known.filter(|name| !self.algorithms(name).is_empty()).collect()
    }
}

/// An algorithm as it is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredAlgorithm {
    /// The name of the method.
    pub name: &'static str,
    /// The algorithm.
    pub algorithm: &'static Algorithm,
}
