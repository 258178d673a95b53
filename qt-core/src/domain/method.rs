//! A method: an algorithm with its segment size.

use std::num::NonZero;

use super::Requirement;
use crate::naming::is_identifier;
use crate::problem::{Diagnostics, Path, Problem};

/// A method: an algorithm and, if it divides messages, its segment size.
///
/// ```
/// use qtdec_core::Method;
///
/// let method = Method { segment_size: Some(8192), ..Method::new("pipeline") };
/// assert_eq!(method.label(), "pipeline/8192");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// The name of the algorithm.
    pub name: String,
    /// The segment size in bytes, if the algorithm divides messages.
    pub segment_size: Option<u64>,
    /// The number that integer functions return and that identifies the method in tuning files; its index if it has none.
    pub id: Option<u64>,
    /// The variant's identifier, if the default made from the name and segment size is unsuitable.
    pub ident: Option<String>,
    /// Whether this is the baseline: what is used without a decision, such as the library's own choice. It is priced everywhere, but chosen
    /// only if a cell of the map chooses it; the one that is [called `baseline`](Self::BASELINE) is never chosen.
    pub baseline: bool,
    /// The conditions under which the method may run.
    pub requires: Vec<Requirement>,
}

impl Method {
    /// The name of a baseline that is a whole rule: that by which the program decides today. Its times are for comparison only, because a
    /// decision that chose it would need the rule besides.
    pub const BASELINE: &str = "baseline";

    /// Creates a method with this name and no other properties.
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

    /// Returns the label that is displayed and that functions return as a `&str`: `pipeline/8192`.
    pub fn label(&self) -> String {
        match self.segment_size {
            Some(size) => format!("{}/{size}", self.name),
            None => self.name.clone(),
        }
    }

    /// Returns whether this is a baseline that is never chosen, which is [called `baseline`](Self::BASELINE).
    ///
    /// ```
    /// use qtdec_core::Method;
    ///
    /// assert!(Method { baseline: true, ..Method::new("baseline") }.is_never_chosen());
    /// assert!(!Method { baseline: true, ..Method::new("stable") }.is_never_chosen());
    /// ```
    pub fn is_never_chosen(&self) -> bool {
        self.baseline && self.label() == Self::BASELINE
    }

    pub(super) fn check(&self, path: &Path, check: &mut Diagnostics) {
        if self.name.is_empty() {
            check.add(Problem::new(path.key("name"), "the method has an empty name"));
        }
        if self.name.contains(char::is_control) {
            let problem =
                Problem::new(path.key("name"), "the name contains a control character, such as a line break");
            check.add(problem.help("use letters, digits and punctuation"));
        }
        if self.segment_size == Some(0) {
            check.add(
                Problem::new(path.key("segment_size"), "a segment cannot have 0 bytes")
                    .help("omit `segment_size` if messages are not cut"),
            );
        }
        if let Some(ident) = self.ident.as_ref().filter(|ident| !is_identifier(ident)) {
            check.add(
                Problem::new(path.key("ident"), format!("`{ident}` is not an identifier"))
                    .help("use letters, digits and `_`, begin with a letter, and avoid Rust keywords"),
            );
        }
    }
}

/// The index of a method in its [`Domain`](super::Domain).
///
/// An `Option` of it takes two bytes, so that a map of sixteen million cells takes thirty-two megabytes.
///
/// ```
/// use qtdec_core::{Axis, Domain, Method};
///
/// let methods = vec![Method::new("simple"), Method::new("blocked")];
/// let domain = Domain::new(None, vec![Axis::new("rows", [1])], methods)?;
/// let blocked = domain.find_method("blocked").unwrap();
/// assert_eq!((blocked.get(), &*domain.method(blocked).name), (1, "blocked"));
/// # Ok::<(), qtdec_core::Problems>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodIndex(NonZero<u16>);

impl MethodIndex {
    /// The maximum number of methods in a domain.
    pub const MAX_METHODS: usize = u16::MAX as usize;

    /// Creates an index, which must be below [`MAX_METHODS`](Self::MAX_METHODS).
    pub(crate) fn new(index: usize) -> Self {
        debug_assert!(index < Self::MAX_METHODS);
        Self(NonZero::<u16>::MIN.saturating_add(index as u16))
    }

    /// Returns the index, counted from 0.
    pub fn get(self) -> usize {
        usize::from(self.0.get()) - 1
    }
}

impl std::fmt::Debug for MethodIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}
