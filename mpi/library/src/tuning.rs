//! Tuning files of MPI libraries: written from trees, read, and checked.
//!
//! ```text
//!  DecisionTree ──► Bands ──► LibraryRules (units, algorithms) ──► text of a format
//!                                       └──► rectangles ──► variables of the environment
//!  text ──► the rules as the library reads them ──► Selection ──► DecisionMap
//! ```
//!
//! There is one file for each format, and one line in [`formats`]. Faults that the real libraries ignore silently are reported
//! here.

pub mod bands;
mod by_placement;
pub mod companion;
pub mod diff;
mod environment;
pub mod finding;
pub mod intel_mpi;
mod json;
pub mod library_rules;
pub mod mpich;
pub mod open_mpi;
pub mod open_mpi_han;
pub mod open_mpi_json;
pub mod operands;
pub mod provenance;
pub mod rectangles;
mod rule_set;
pub mod selection;
pub mod switches;

pub use bands::Bands;
pub use companion::Companion;
pub use finding::{Finding, Severity};
pub use library_rules::{LibraryRules, RuleOptions, Setting, counted, own_method, without_collective};
pub use selection::{Decision, Selection};
pub use switches::{Switch, SwitchValue, Switches};

use crate::catalogue::{Algorithm, Library, Placement, Release, SizeUnit};
use qtdec_core::{MAX_BYTES, Place, Problem, Problems};

/// A format of tuning files.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The format's name on the command line.
    pub name: &'static str,
    /// A description of the files.
    pub about: &'static str,
    /// The library whose algorithms the files name.
    pub library: Library,
    /// Returns the quantity that the files compare with message sizes, from the one that the library compares.
    unit: fn(SizeUnit) -> SizeUnit,
    /// What the files can test of the placement of ranks, if that is not what the library can.
    placement: Option<Placement>,
    /// The releases that files of this format are for, the oldest first; empty if the release makes no known difference.
    pub releases: &'static [Release],
    /// Whether files of this format can be written by themselves, not only read, or written beside others.
    pub is_written: bool,
    /// The ending of the names of files that are written.
    pub ending: &'static str,
    /// The first bytes of a file that only releases from another one on read, of which a line must be the first of the file.
    header: Option<(&'static str, Release)>,
    /// Whether the library skips lines that begin with `#`.
    pub has_comments: bool,
    /// What the format was written from, such as the sources of a release, if no library was run with its files.
    pub unproven: Option<&'static str>,
    /// Returns whether a file with this beginning has this format.
    recognises: fn(&Beginning<'_>) -> bool,
    /// A lower bound for the number of bytes of each rule that forces an algorithm; 0 if rules may share bytes.
    pub least_bytes_of_rule: usize,
    /// Whether the library ships a file of this format, which is for the library's own release.
    pub is_shipped: bool,
    /// Returns the fault of rules without a file that they are inserted into, if the library needs a complete one.
    pub lacks_whole_file: Option<fn() -> Problem>,
    /// The file beside those of the format, if there is one.
    pub companion: Option<Companion>,
    /// Why files of the format choose no algorithm by nodes.
    pub why_not_by_nodes: &'static str,
    write: Write,
    read: Read,
    check: fn(&[u8], Option<Release>) -> Vec<Finding>,
}

type Write = fn(&[LibraryRules], Option<&[u8]>) -> Result<Written, Problems>;
type Read = fn(&[u8], Job) -> Result<Box<dyn Selection>, Problems>;

impl Format {
    /// Returns a format of which nothing is known but this.
    const fn new(
        (name, about): (&'static str, &'static str),
        library: Library,
        write: Write,
        read: Read,
        check: fn(&[u8], Option<Release>) -> Vec<Finding>,
    ) -> Self {
        Self {
            name,
            about,
            library,
            unit: |unit| unit,
            placement: None,
            releases: &[],
            is_written: true,
            ending: "conf",
            header: None,
            has_comments: false,
            unproven: None,
            recognises: |_| false,
            least_bytes_of_rule: 0,
            is_shipped: false,
            lacks_whole_file: None,
            companion: None,
            why_not_by_nodes: "",
            write,
            read,
            check,
        }
    }

    /// Returns the quantity that the files compare with message sizes.
    pub fn unit(&self, collective: &str) -> SizeUnit {
        (self.unit)(self.library.unit(collective))
    }

    /// Returns what the files can test of the placement of ranks.
    pub fn placement(&self) -> Placement {
        self.placement.unwrap_or(self.library.placement())
    }

    /// Writes the rules of several collectives as one file that can be read again. The other collectives of the file `into` are kept.
    ///
    /// # Errors
    ///
    /// Fails if the library cannot accept the rules, or does not accept `into`; also if the file is larger than the limit for reading.
    pub fn write(&self, rules: &[LibraryRules], into: Option<&[u8]>) -> Result<Written, Problems> {
        // Such a file is not built first.
        let forced: usize = rules.iter().map(LibraryRules::forced).sum();
        if forced.saturating_mul(self.least_bytes_of_rule) > MAX_BYTES {
            return Err(too_large(&format!("{forced} rules")).into());
        }
        let written = (self.write)(rules, into)?;
        match written.text.len() {
            bytes if bytes > MAX_BYTES => Err(too_large(&format!("{} MiB", bytes >> 20)).into()),
            _ => Ok(written),
        }
    }

    /// Reads a file for lookups as the library makes them.
    ///
    /// # Errors
    ///
    /// Returns the reasons why the library does not accept it.
    pub fn read(&self, bytes: &[u8], job: Job) -> Result<Box<dyn Selection>, Problems> {
        (self.read)(bytes, job)
    }

    /// Returns all findings in a file for a release, in file order. `None` stands for a release that has every algorithm.
    pub fn check(&self, bytes: &[u8], release: Option<Release>) -> Vec<Finding> {
        (self.check)(bytes, release)
    }

    /// Returns the oldest release that reads a file with this content.
    pub fn first_release(&self, bytes: &[u8]) -> Option<Release> {
        let of_header = self.header.filter(|(header, _)| bytes.starts_with(header.as_bytes()));
        of_header.map(|(_, since)| since).or(self.releases.first().copied())
    }

    /// Returns the text of a file with these comments at its beginning, or behind its header.
    pub fn commented(&self, comments: &str, text: &str) -> String {
        let has_header = self.header.is_some_and(|(header, _)| text.starts_with(header));
        let end = text.find('\n').filter(|_| has_header).map_or(0, |newline| newline + 1);
        format!("{}{comments}{}", &text[..end], &text[end..])
    }
}

fn too_large(size: &str) -> Problem {
    let limit = MAX_BYTES >> 20;
    let message = format!("the file would have {size}, but files of more than {limit} MiB cannot be read");
    Problem::new(Place::File, message)
        .help("reduce the rules with --approximate or --max-comm-size of `qtdec-mpi emit`")
}

/// The greatest number in C's `int`, as which libraries keep numbers of ranks, segment sizes and more.
const MAX_INT: u64 = i32::MAX as u64;

fn notes(all_rules: &[LibraryRules]) -> Vec<String> {
    all_rules.iter().flat_map(|rules| rules.notes.clone()).collect()
}

fn word(library: Library, rules: &LibraryRules) -> Result<&'static str, Problem> {
    let known = library.collective(&rules.collective).map(|known| known.word);
    known
        .ok_or_else(|| Problem::new(Place::File, format!("{} has no `{}`", library.name(), rules.collective)))
}

/// Properties of a job that rules may test in addition to the sizes of a call.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The number of ranks on each node; all nodes are full.
    pub ranks_per_node: u64,
}

impl Default for Job {
    fn default() -> Self {
        Self { ranks_per_node: 1 }
    }
}

/// Returns every format.
pub fn formats() -> &'static [&'static Format] {
    &[
        &open_mpi::CLASSIC,
        &open_mpi_json::JSON,
        &open_mpi_han::HAN_FILE,
        &mpich::MPICH,
        &mpich::MVAPICH,
        &intel_mpi::INTEL_MPI,
    ]
}

/// Returns the format with a name.
pub fn find_format(name: &str) -> Option<&'static Format> {
    formats().iter().copied().find(|format| format.name == name)
}

/// Returns the format, and its oldest release, in which a library has an algorithm.
pub fn format_with(library: Library, algorithm: &Algorithm) -> Option<(&'static Format, Release)> {
    formats().iter().copied().filter(|format| format.library == library && format.is_written).find_map(
        |format| {
            let release = format.releases.iter().find(|release| algorithm.is_in(Some(**release)))?;
            Some((format, *release))
        },
    )
}

/// Returns the format of a file, recognised by its beginning, or `None` for a map or a tree.
pub fn detect(bytes: &[u8]) -> Option<&'static Format> {
    // Rules files consist of numbers and have no mark of their own.
    recognise(bytes).or_else(|| (!Beginning::new(bytes).is_json()).then_some(&open_mpi::CLASSIC))
}

/// Returns the format of a file that has a mark of its own at its beginning.
pub fn recognise(bytes: &[u8]) -> Option<&'static Format> {
    let beginning = Beginning::new(bytes);
    formats().iter().copied().find(|format| (format.recognises)(&beginning))
}

/// Returns whether a file begins like a rules file of Open MPI: with whole numbers before any comment.
pub fn begins_like_rules(bytes: &[u8]) -> bool {
    let line = Beginning::new(bytes).first_line();
    let numbers = line.split(|byte| *byte == b'#').next().unwrap_or_default().trim_ascii();
    !numbers.is_empty() && numbers.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace())
}

/// The beginning of a file, from which formats are recognised.
#[derive(Clone, Copy, Debug)]
pub struct Beginning<'b> {
    start: &'b [u8],
    whole: &'b [u8],
}

impl<'b> Beginning<'b> {
    fn new(whole: &'b [u8]) -> Self {
        let mut start = whole.trim_ascii_start();
        // Comments say where a file comes from, in any number of lines and with the names of any files.
        while start.starts_with(b"#") {
            let line = start.iter().position(|byte| *byte == b'\n').unwrap_or(start.len());
            start = start[line..].trim_ascii_start();
        }
        Self { start: &start[..start.len().min(4096)], whole }
    }

    /// Returns whether the file is a JSON object.
    pub fn is_json(&self) -> bool {
        self.start.starts_with(b"{")
    }

    /// Returns whether the first bytes after leading comments contain a text.
    pub fn holds(&self, text: &str) -> bool {
        contains(self.start, text)
    }

    /// Returns whether the file contains a text anywhere.
    pub fn holds_anywhere(&self, text: &str) -> bool {
        contains(self.whole, text)
    }

    /// Returns the first line that is neither empty nor a comment.
    pub fn first_line(&self) -> &'b [u8] {
        let mut lines = self.start.split(|byte| *byte == b'\n');
        lines.find(|line| !line.is_empty() && line[0] != b'#').unwrap_or_default()
    }
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// A written file, with notes for its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub text: String,
    /// Notes about what was lost or is not exact, and the number of rules.
    pub notes: Vec<String>,
    /// The settings that make the library read the file.
    pub switches: Switches,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_to_be_read_is_not_written() {
        let blanks: Write = |rules, _| {
            let switches = Switches { is_script: false, settings: Vec::new(), remarks: Vec::new() };
            Ok(Written { text: " ".repeat(rules[0].largest as usize), notes: Vec::new(), switches })
        };
        let format = Format { write: blanks, ..intel_mpi::INTEL_MPI };
        let mut rules = LibraryRules::left_to_library("bcast");
        rules.largest = MAX_BYTES as u64;
        assert!(format.write(std::slice::from_ref(&rules), None).is_ok());
        rules.largest += 1 << 20;
        let said = format.write(&[rules], None).unwrap_err().to_string();
        assert!(said.starts_with("the file would have 65 MiB") && said.contains("--max-comm-size"), "{said}");
        // Such a file is not built.
        let format = Format { least_bytes_of_rule: MAX_BYTES + 1, ..intel_mpi::INTEL_MPI };
        let algorithm = Library::OpenMpi.numbered("bcast", 1);
        let bands = Bands::everywhere(Setting { algorithm, ..Setting::default() });
        let rules = LibraryRules { bands, ..LibraryRules::left_to_library("bcast") };
        let said = format.write(&[rules], None).unwrap_err().to_string();
        assert!(said.starts_with("the file would have 1 rules"), "{said}");
    }
}
