//! Problems in a file, with their places and suggestions.
//!
//! A check knows *which part* of a value is wrong ([`Place`]), but not where that part is in a text. The place is looked up only
//! when a problem is reported (`report.rs`), so a valid file pays nothing for line numbers, and a map built by a program gets the
//! same messages as one read from a file.

use std::fmt;

use crate::message::{Message, Syntax};

/// One problem, with suggestions.
///
/// `{}` and `{:?}` print the same line, so that a `main` that returns a problem prints a readable message.
#[derive(Clone, PartialEq, Eq)]
pub struct Problem {
    /// The part of the file that is wrong.
    pub place: Place,
    /// The message, in one line without a full stop.
    pub message: Message,
    /// Alternative suggestions.
    pub suggestions: Vec<Message>,
}

impl Problem {
    /// Creates a problem with the value at `place`.
    pub fn new(place: impl Into<Place>, message: impl Into<Message>) -> Self {
        Self { place: place.into(), message: message.into(), suggestions: Vec::new() }
    }

    /// Attaches a suggestion.
    #[must_use]
    pub fn help(mut self, suggestion: impl Into<Message>) -> Self {
        self.suggestions.push(suggestion.into());
        self
    }

    /// Returns the suggestions in one line, if there are any.
    pub fn help_text(&self, syntax: Syntax) -> Option<String> {
        let texts: Vec<String> =
            self.suggestions.iter().map(|suggestion| suggestion.render(syntax)).collect();
        (!texts.is_empty()).then(|| texts.join(", or "))
    }

    /// Returns the key that problems of the same kind share: message and suggestions without their values.
    pub fn kind(&self) -> String {
        let messages = std::iter::once(&self.message).chain(&self.suggestions);
        messages.map(Message::kind).collect::<Vec<_>>().join("\n")
    }

    /// Returns the problem on one line, with its place.
    pub fn render(&self, syntax: Syntax) -> String {
        let place = match &self.place {
            Place::At(path) | Place::Key(path) if *path != Path::root() => format!("{path}: "),
            _ => String::new(),
        };
        let help = self.help_text(syntax).map(|help| format!(" ({help})")).unwrap_or_default();
        [place, self.message.render(syntax), help].concat()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Syntax::default()))
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Problem {}

/// The part of a file that a problem is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The file as a whole.
    File,
    /// A byte offset, where the text is not JSON.
    Offset(usize),
    /// A line, counted from 1, of a file that is not kept in memory.
    Line(u64),
    /// The value at a path.
    At(Path),
    /// The last key of a path, rather than its value.
    Key(Path),
    /// An option, by its position among those given.
    Option {
        /// The position.
        index: usize,
        /// Whether its value is wrong, rather than its name.
        is_value: bool,
    },
}

impl From<Path> for Place {
    fn from(path: Path) -> Self {
        Self::At(path)
    }
}

/// The path from the root of a file to one of its values, such as `axes[1].values[3]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path(Vec<Step>);

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// The `nth` member with this name. `nth` is above 0 only in a file that repeats a key.
    Key { name: String, nth: usize },
    /// An element of an array.
    Index(usize),
}

impl Path {
    /// Creates the path of the root of the file.
    pub fn root() -> Self {
        Self::default()
    }

    /// Returns the path of the member `name` of this object.
    #[must_use]
    pub fn key(&self, name: &str) -> Self {
        self.nth_key(name, 0)
    }

    #[must_use]
    pub(crate) fn nth_key(&self, name: &str, nth: usize) -> Self {
        self.clone().step(Step::Key { name: name.to_owned(), nth })
    }

    /// Returns the path of the element `index` of this array.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.clone().step(Step::Index(index))
    }

    pub(crate) fn step(mut self, step: Step) -> Self {
        self.0.push(step);
        self
    }

    /// Returns the path of the element at `indices`, one for each level of nested arrays.
    #[must_use]
    pub fn indices(&self, indices: &[usize]) -> Self {
        let mut path = self.clone();
        path.0.extend(indices.iter().map(|&index| Step::Index(index)));
        path
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.0
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (depth, step) in self.0.iter().enumerate() {
            match step {
                Step::Key { name, .. } if depth == 0 => write!(f, "{name}")?,
                Step::Key { name, .. } => write!(f, ".{name}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// All problems with a value: at least one.
///
/// `{}` and `{:?}` print the same lines, one for each problem, so that a `main` that returns problems prints a readable message:
///
/// ```
/// use qtdec_core::{DecisionMap, Document, Options, Problems};
///
/// fn leaves(file: &[u8]) -> Result<usize, Problems> {
///     let tree = Options::parse(&[("max_depth", "3")])?.tree(Document::from_json(file)?)?;
///     Ok(tree.regions().len())
/// }
///
/// let problems = leaves(br#"{"format": "qtdec-map/1", "axes": []}"#).unwrap_err();
/// assert_eq!(format!("{problems:?}"), problems.to_string());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Problems {
    listed: Vec<Problem>,
    further: usize,
}

/// The maximum number of problems that are listed; the rest are counted.
const LISTED: usize = 20;

impl Problems {
    /// Returns the problems in the order in which they were found, at most 20.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.listed.iter()
    }

    /// Returns the problems, one per line, with options in the syntax of a front end.
    pub fn render(&self, syntax: Syntax) -> String {
        let mut lines: Vec<String> = self.listed.iter().map(|problem| problem.render(syntax)).collect();
        if self.further > 0 {
            lines.push(format!("and {} more like these", self.further));
        }
        lines.join("\n")
    }

    /// Returns whether options are wrong, and not a file.
    pub fn are_of_options(&self) -> bool {
        self.iter().any(|problem| matches!(problem.place, Place::Option { .. }))
    }

    /// Returns the number of problems beyond those listed.
    pub fn further(&self) -> usize {
        self.further
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self { listed: vec![problem], further: 0 }
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Syntax::default()))
    }
}

impl fmt::Debug for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Problems {}

/// A collector of problems, so that all of them are reported at once.
///
/// It keeps the first 20 and counts the others.
#[derive(Debug, Default)]
pub struct Diagnostics {
    listed: Vec<Problem>,
    further: usize,
}

impl Diagnostics {
    /// Adds a problem.
    pub fn add(&mut self, problem: Problem) {
        self.add_with(|| problem);
    }

    /// Adds the problem of something that has no value.
    pub fn refuse<T>(&mut self, problem: Problem) -> Option<T> {
        self.add(problem);
        None
    }

    /// Adds a problem like [`add`](Self::add), but creates it only if it is listed. This is for values with thousands of problems.
    pub fn add_with(&mut self, problem: impl FnOnce() -> Problem) {
        if self.listed.len() < LISTED {
            self.listed.push(problem());
        } else {
            self.further += 1;
        }
    }

    /// Counts further problems like those that were added; nothing if there are none.
    pub fn count(&mut self, further: usize) {
        self.further += further;
    }

    /// Adds the problems of a failed step, and continues without its value.
    ///
    /// Returns `None` if there were problems.
    pub fn note<T>(&mut self, result: Result<T, Problems>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(problems) => {
                problems.listed.into_iter().for_each(|problem| self.add(problem));
                self.further += problems.further;
                None
            }
        }
    }

    /// Returns the value, if there were no problems.
    ///
    /// # Errors
    ///
    /// Returns all problems that were added.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Problems> {
        debug_assert!(value.is_some() || !self.listed.is_empty(), "a missing value has no problem");
        match value {
            Some(value) if self.listed.is_empty() => Ok(value),
            _ => Err(Problems { listed: self.listed, further: self.further }),
        }
    }
}
