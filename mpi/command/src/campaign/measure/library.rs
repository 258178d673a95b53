//! MPI libraries whose algorithms a script can force.

use qtdec_mpi_library::catalogue::open_mpi::han::Levels;
use qtdec_mpi_library::catalogue::{Algorithm, Library, Release};

/// An MPI library whose algorithms a script measures. Environment variables are written `NAME=VALUE`.
#[derive(Debug)]
pub struct MeasuredLibrary {
    /// The name used as the value of an option.
    pub name: &'static str,
    /// The display name, with the releases on which a script runs that is for none in particular.
    pub(super) title: &'static str,
    /// The library whose algorithms are measured.
    pub library: Library,
    /// The oldest release on which a script runs; one that is for no other release measures its algorithms.
    pub release: Release,
    /// The environment variables that keep other parts of the library from serving the call instead. The default is measured with them too,
    /// and the switches of a tuning file set them.
    pub switches: &'static [&'static str],
    /// Returns the environment variable that does so for one collective.
    pub switch_of: fn(&str) -> Option<String>,
    /// The method that stands for the library's own choice under another deployment, its variables, and the first release that knows such a
    /// deployment. Without a release, that is unknown, and the method is measured.
    pub(super) other_default: Option<(&'static str, &'static [&'static str], Release)>,
    /// Returns the environment variable of rules that leave every call of a collective to the library: the default is measured with it and
    /// with the switches.
    pub(super) left: fn(&str) -> Option<String>,
    /// The name of the file with the library's own choices, if a tuning file needs its other collectives.
    pub(super) complete_file: Option<&'static str>,
    /// Whether each number of ranks needs a tuning file of its own, because the library does not obey rules that test both the number of
    /// ranks and the size of a message.
    pub(super) is_tuned_by_ranks: bool,
    /// What the library writes to the standard output of a program that then runs another algorithm than the forced one, if anything.
    pub(super) replaced: Option<&'static str>,
    /// The options of the library's launcher that start `$ppn` ranks on each node.
    pub(super) ranks_per_node: &'static str,
    /// Returns the environment variables that force an algorithm with a segment size, 0 for none.
    pub force: fn(&str, &Algorithm, u64) -> Vec<String>,
    /// Returns the environment variable that limits the open requests of a forced algorithm.
    pub limit: fn(&str, u64) -> Option<String>,
    /// Returns the algorithms of a collective that can be forced, if some have no name of their own.
    pub(super) presets: Option<fn(&str) -> Vec<&'static Algorithm>>,
}

impl MeasuredLibrary {
    /// Returns a library without any of what only some have.
    pub(super) const fn new(
        (name, title): (&'static str, &'static str),
        library: Library,
        release: Release,
        force: fn(&str, &Algorithm, u64) -> Vec<String>,
    ) -> Self {
        Self {
            name,
            title,
            library,
            release,
            switches: &[],
            switch_of: |_| None,
            other_default: None,
            left: |_| None,
            complete_file: None,
            is_tuned_by_ranks: false,
            replaced: None,
            ranks_per_node: "--map-by \"ppr:$ppn:node\"",
            force,
            limit: |_, _| None,
            presets: None,
        }
    }

    /// Returns the measured algorithms that a release has of a collective, or none if the collective is not known.
    pub fn algorithms(&self, collective: &str, release: Release) -> Vec<MeasuredAlgorithm> {
        let measured = |algorithm: &'static Algorithm| {
            let name = algorithm.measured_name().filter(|_| algorithm.is_in(Some(release)))?;
            Some(MeasuredAlgorithm { name, algorithm })
        };
        match self.presets {
            Some(presets) => presets(collective).into_iter().filter_map(measured).collect(),
            None => self.library.algorithms(collective).iter().filter_map(measured).collect(),
        }
    }

    /// Returns the algorithms that a release has of a collective which divide the ranks among the nodes, and which a file can choose.
    pub(super) fn algorithms_by_nodes(&self, collective: &str, release: Release) -> Vec<MeasuredAlgorithm> {
        let is_in_files = |algorithm: &&Algorithm| {
            Levels::of(algorithm).is_none_or(|levels| levels.are_in_files(collective, false))
        };
        let known = self.library.algorithms_by_nodes(collective).iter().filter(is_in_files);
        let known = known.filter(|algorithm| algorithm.is_in(Some(release)));
        known.map(|algorithm| MeasuredAlgorithm { name: algorithm.name, algorithm }).collect()
    }

    /// Returns the collectives of which a release has measured algorithms.
    pub fn collectives(&self, release: Release) -> Vec<&'static str> {
        let known = self.library.collectives().iter().map(|collective| collective.name);
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
