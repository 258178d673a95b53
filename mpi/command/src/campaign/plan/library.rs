//! MPI libraries whose algorithms a script can force.

use std::fmt;

use qtdec_mpi_library::catalogue::{Algorithm, Library, Release};

/// An MPI library whose algorithms a script measures.
///
/// Other crates can implement the trait.
pub trait MeasuredLibrary: fmt::Debug + Sync {
    /// Returns the name used as the value of an option.
    fn name(&self) -> &'static str;

    /// Returns the display name, with the releases on which a script runs that is for none in particular.
    fn title(&self) -> &'static str;

    /// Returns the library whose algorithms are measured.
    fn library(&self) -> Library;

    /// Returns the oldest release on which a script runs; one that is for no other release measures its algorithms.
    fn release(&self) -> Release;

    /// Returns the environment variables that keep other parts of the library from serving the call instead, as
    /// `NAME=VALUE`. The default is measured with them too, and the switches of a tuning file set them.
    fn switches(&self) -> &'static [&'static str];

    /// Returns the environment variable that does so for one collective, as `NAME=VALUE`; by default, none.
    fn switch_of(&self, _collective: &str) -> Option<String> {
        None
    }

    /// Returns the method that stands for the library's own choice under another deployment, and its variables, as
    /// `NAME=VALUE`, if a release knows such a deployment; by default, none. Without a release, that is unknown.
    fn other_default(&self, _release: Option<Release>) -> Option<(&'static str, &'static [&'static str])> {
        None
    }

    /// Returns the environment variables of rules that leave every call of a collective to the library, as `NAME=VALUE`: the default
    /// is measured with them and with the switches. By default, none.
    fn left(&self, _collective: &str) -> Vec<String> {
        Vec::new()
    }

    /// Returns the name of the file with the library's own choices, whose other collectives a tuning file needs; by default, none is needed.
    fn complete_file(&self) -> Option<&'static str> {
        None
    }

    /// Returns whether each number of ranks needs a tuning file of its own, because the library does not obey rules that test both the
    /// number of ranks and the size of a message; by default, one file serves all.
    fn is_tuned_by_ranks(&self) -> bool {
        false
    }

    /// Returns what the library writes to the standard output of a program that then runs another algorithm than the forced one; by
    /// default, nothing.
    fn replaced(&self) -> Option<&'static str> {
        None
    }

    /// Returns the options of the library's launcher that start `$ppn` ranks on each node.
    fn ranks_per_node(&self) -> &'static str {
        "--map-by \"ppr:$ppn:node\""
    }

    /// Returns the environment variables that force an algorithm, as `NAME=VALUE`.
    fn force(&self, collective: &str, algorithm: &Algorithm, segment: u64) -> Vec<String>;

    /// Returns the environment variable that limits the open requests of a forced algorithm, as `NAME=VALUE`; by default, none.
    fn limit(&self, _collective: &str, _requests: u64) -> Option<String> {
        None
    }

    /// Returns the measured algorithms that a release has of a collective, or none if the collective is not known.
    fn algorithms(&self, collective: &str, release: Release) -> Vec<MeasuredAlgorithm> {
        let measured = |algorithm: &'static Algorithm| {
            let name = algorithm.measured_name().filter(|_| algorithm.is_in(Some(release)))?;
            Some(MeasuredAlgorithm { name, algorithm })
        };
        self.library().algorithms(collective).iter().filter_map(measured).collect()
    }

    /// Returns the collectives of which a release has measured algorithms.
    fn collectives(&self, release: Release) -> Vec<&'static str> {
        let known = self.library().collectives().iter().map(|collective| collective.name);
        known.filter(|name| !self.algorithms(name, release).is_empty()).collect()
    }
}

/// An algorithm that is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredAlgorithm {
    /// The name of the method.
    pub name: &'static str,
    /// The algorithm.
    pub algorithm: &'static Algorithm,
}
