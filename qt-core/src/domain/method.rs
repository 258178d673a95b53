//! One method: an algorithm with its segment size.

use std::num::NonZero;

use super::Requirement;
use crate::problem::{Diagnostics, Path, Problem};

/// A method: an algorithm and, if it cuts messages up, its segment size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The name of the algorithm.
    pub name: String,
    /// The segment size in bytes, if the algorithm cuts messages up.
    pub segment_size: Option<u64>,
    /// The number that integer functions return and tuning files know the method by; its index where it has none.
    pub id: Option<u64>,
    /// The variant's identifier, where the one made from the name and segment size will not do.
    pub ident: Option<String>,
    /// Whether this is the library's own choice: priced everywhere, and chosen only if a cell of the map chooses it.
    pub baseline: bool,
    /// Where the method may run at all.
    pub requires: Vec<Requirement>,
}

impl Method {
    /// A method of this name and nothing else.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            segment_size: None,
            id: None,
            ident: None,
            baseline: false,
            requires: Vec::new(),
        }
    }

    /// What people, and functions that return a `&str`, call the method: `pipeline/8192`.
    pub fn label(&self) -> String {
        match self.segment_size {
            Some(size) => format!("{}/{size}", self.name),
            None => self.name.clone(),
        }
    }

    pub(super) fn check(&self, path: &Path, check: &mut Diagnostics) {
        if self.name.is_empty() {
            check.add(Problem::new(path.key("name"), "the method has an empty name"));
        }
        if self.name.contains(char::is_control) {
            let problem =
                Problem::new(path.key("name"), "the name holds a control character, such as a line break");
            check.add(problem.help("write letters, digits and punctuation"));
        }
        if self.segment_size == Some(0) {
            check.add(
                Problem::new(path.key("segment_size"), "a segment cannot have 0 bytes")
                    .help("leave `segment_size` out where messages are not cut up"),
            );
        }
        if let Some(ident) = &self.ident
            && !crate::naming::is_identifier(ident)
        {
            check.add(
                Problem::new(path.key("ident"), format!("`{ident}` is not an identifier"))
                    .help("write letters, digits and `_`, with a letter first, and no Rust keyword"),
            );
        }
    }
}

/// The index of a method in its [`Domain`](super::Domain).
///
/// An `Option` of it takes two bytes, so that a map of sixteen million cells takes thirty-two megabytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodIndex(NonZero<u16>);

impl MethodIndex {
    /// The most methods a domain may have.
    pub const MAX_METHODS: usize = u16::MAX as usize;

    /// Only for an index that is known to be below [`MAX_METHODS`](Self::MAX_METHODS).
    pub(crate) fn new(index: usize) -> Self {
        debug_assert!(index < Self::MAX_METHODS);
        Self(NonZero::<u16>::MIN.saturating_add(index as u16))
    }

    /// The index, counted from 0.
    pub fn get(self) -> usize {
        usize::from(self.0.get()) - 1
    }
}

impl std::fmt::Debug for MethodIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}
