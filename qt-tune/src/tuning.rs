//! Tuning files of MPI libraries: written from trees, read, and checked.
//!
//! ```text
//!  DecisionTree ──► Bands ──► LibraryRules (units, algorithms) ──► text of a format
//!                                       └──► rectangles ──► variables of the environment
//!  text ──► the rules as the library reads them ──► Selection ──► DecisionMap
//! ```
//!
//! One file for each format, and one line in [`formats`]. What goes wrong in silence in the real libraries is told here.

pub mod bands;
pub mod diff;
mod environment;
pub mod finding;
pub mod intel_mpi;
mod json;
pub mod library_rules;
pub mod mpich;
pub mod nccl;
pub mod open_mpi;
pub mod open_mpi_json;
pub mod rectangles;
mod rule_set;
pub mod selection;
pub mod switches;
pub mod ucc;

pub use bands::Bands;
pub use finding::{Finding, Severity};
pub use library_rules::{LibraryRules, RuleOptions, Setting};
pub use selection::{Decision, Selection};
pub use switches::{Switch, SwitchKind, SwitchValue, Switches};

use qtdec_core::{MAX_BYTES, Place, Problem, Problems};
use qtdec_mpi::catalogue::{Algorithm, Library, Release, SizeUnit};

/// A form of tuning files.
pub trait Format: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Which files these are.
    fn about(&self) -> &'static str;

    /// Whose algorithms it names.
    fn library(&self) -> Library;

    /// What it compares with message sizes.
    fn unit(&self, collective: &str) -> SizeUnit {
        self.library().unit(collective)
    }

    /// The releases that files of this form are for, the oldest first; none where nothing that is known depends on them.
    fn releases(&self) -> &'static [Release] {
        &[]
    }

    /// Whether files of this form are written here, or read alone.
    fn is_written(&self) -> bool {
        true
    }

    /// Whether a file that begins so is of this form; by default none is.
    fn recognises(&self, _beginning: &Beginning<'_>) -> bool {
        false
    }

    /// The rules of several collectives as one file. `into` is a file whose other collectives are kept.
    ///
    /// # Errors
    ///
    /// What the library cannot take, or a file to keep that it does not take.
    fn write(&self, all_rules: &[LibraryRules], into: Option<&[u8]>) -> Result<Written, Problems>;

    /// A file as the library looks things up in it.
    ///
    /// # Errors
    ///
    /// Why the library does not take it.
    fn read(&self, bytes: &[u8], job: Job) -> Result<Box<dyn Selection>, Problems>;

    /// All that is the matter with a file for a release, in its order; `None` stands for one that has every algorithm.
    fn check(&self, bytes: &[u8], release: Option<Release>) -> Vec<Finding>;
}

/// Writes the rules of several collectives as one file that can be read again; `into` is a file whose other collectives are
/// kept.
///
/// # Errors
///
/// As for [`Format::write`], and a file larger than those that are read.
pub fn write(format: &dyn Format, rules: &[LibraryRules], into: Option<&[u8]>) -> Result<Written, Problems> {
    let written = format.write(rules, into)?;
    if written.text.len() > MAX_BYTES {
        let message = format!(
            "the file would have {} MiB, and no file of more than {} MiB is read",
            written.text.len() >> 20,
            MAX_BYTES >> 20
        );
        return Err(Problem::new(Place::File, message)
            .help("`qtdec emit` makes fewer rules of it with --approximate, or --max-comm-size")
            .into());
    }
    Ok(written)
}

/// What rules may ask of a job beside the sizes of a call.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The ranks on each node, which are all full.
    pub ranks_per_node: u64,
}

impl Default for Job {
    fn default() -> Self {
        Self { ranks_per_node: 1 }
    }
}

/// All forms that there are.
pub fn formats() -> &'static [&'static dyn Format] {
    &[
        &open_mpi::Classic,
        &open_mpi_json::Json,
        &mpich::Mpich,
        &mpich::Mvapich,
        &nccl::Nccl,
        &intel_mpi::IntelMpi,
        &ucc::Ucc,
    ]
}

/// The form of this name.
pub fn find_format(name: &str) -> Option<&'static dyn Format> {
    formats().iter().copied().find(|format| format.name() == name)
}

/// The form, and the oldest release that it is for, in which a library has an algorithm.
pub fn form_with(library: Library, algorithm: &Algorithm) -> Option<(&'static dyn Format, Release)> {
    formats().iter().copied().filter(|format| format.library() == library && format.is_written()).find_map(
        |format| {
            let release = format.releases().iter().find(|release| algorithm.is_in(Some(**release)))?;
            Some((format, *release))
        },
    )
}

/// The form that a file is of, to judge by how it begins; `None` for a map or a tree.
pub fn detect(bytes: &[u8]) -> Option<&'static dyn Format> {
    let beginning = Beginning::of(bytes);
    let found = formats().iter().copied().find(|format| format.recognises(&beginning));
    // Rules files are numbers without a mark of their own.
    found.or_else(|| (!beginning.is_json()).then_some(&open_mpi::Classic))
}

/// How a file begins, and what a form may be recognised by.
#[derive(Clone, Copy, Debug)]
pub struct Beginning<'b> {
    start: &'b [u8],
    whole: &'b [u8],
}

impl<'b> Beginning<'b> {
    fn of(whole: &'b [u8]) -> Self {
        let start = whole.trim_ascii_start();
        Self { start: &start[..start.len().min(4096)], whole }
    }

    /// Whether the file is an object of JSON.
    pub fn is_json(&self) -> bool {
        self.start.starts_with(b"{")
    }

    /// Whether a text is among the first bytes.
    pub fn holds(&self, text: &str) -> bool {
        contains(self.start, text)
    }

    /// Whether a text is anywhere in the file.
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

/// What was written, and what its reader should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub text: String,
    /// What was lost or is not exact, and how many rules there are.
    pub notes: Vec<String>,
    /// The settings that make the library look at the file at all.
    pub switches: Switches,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A form whose files have as many bytes as the list of rules is long.
    struct Long(usize);

    impl Format for Long {
        fn name(&self) -> &'static str {
            "long"
        }

        fn about(&self) -> &'static str {
            "files of any length"
        }

        fn library(&self) -> Library {
            Library::Ucc
        }

        fn write(&self, _: &[LibraryRules], _: Option<&[u8]>) -> Result<Written, Problems> {
            Ok(Written {
                text: " ".repeat(self.0),
                notes: Vec::new(),
                switches: Switches { is_script: false, settings: Vec::new(), remarks: Vec::new() },
            })
        }

        fn read(&self, bytes: &[u8], job: Job) -> Result<Box<dyn Selection>, Problems> {
            ucc::Ucc.read(bytes, job)
        }

        fn check(&self, _: &[u8], _: Option<Release>) -> Vec<Finding> {
            Vec::new()
        }
    }

    #[test]
    fn what_is_too_large_to_be_read_is_not_written() {
        assert!(write(&Long(MAX_BYTES), &[], None).is_ok());
        let said = write(&Long(MAX_BYTES + (1 << 20)), &[], None).unwrap_err().to_string();
        assert!(said.starts_with("the file would have 65 MiB") && said.contains("--max-comm-size"), "{said}");
    }
}
