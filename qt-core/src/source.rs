//! A source file, kept for its value and for reports about it.

use std::io::{self, Read};

#[cfg(feature = "tools")]
use annotate_snippets::Renderer;

use crate::document::Document;
use crate::domain::{Domain, Method};
use crate::json::{self, Locator, MAX_BYTES, PlacedValue};
use crate::message::Syntax;
use crate::problem::{Diagnostics, Problem, Problems};

/// Returns what can be done about a map that cannot be opened because there is none yet.
pub fn help_if_missing(name: &str, error: &io::Error) -> Option<String> {
    (error.kind() == io::ErrorKind::NotFound).then(|| {
        format!("before the first measurement, make it with qtdec map --placeholder --methods NAME,… --axes NAME,… -o {name}")
    })
}

/// The contents of a file and its display name.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    bytes: Vec<u8>,
}

impl SourceFile {
    /// Creates a file of these contents.
    #[cfg(feature = "tools")]
    pub fn new(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { name: name.into(), bytes }
    }

    /// Reads all that `reader` returns, but stops when the file is known to be too large.
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader.
    pub fn read(name: impl Into<String>, reader: impl Read) -> io::Result<Self> {
        let mut bytes = Vec::new();
        reader.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        Ok(Self { name: name.into(), bytes })
    }

    /// Returns the display name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the contents of the file; one byte more than [`MAX_BYTES`] if it is too large.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the map or tree in the file.
    ///
    /// # Errors
    ///
    /// Returns everything that is wrong with the file.
    pub fn document(&self) -> Result<Document, Problems> {
        Document::from_json(&self.bytes)
    }

    /// Returns the valid methods of the file, whatever else is wrong with it, so that code that refers to them causes no further
    /// errors.
    pub fn sound_methods(&self) -> Vec<Method> {
        let mut check = Diagnostics::default();
        let file = json::text(&self.bytes).ok().and_then(|text| PlacedValue::parse(text).ok());
        file.and_then(|file| Domain::read_methods(&file, &mut check)).unwrap_or_default()
    }

    /// Formats each of the problems for people as plain text, with its place in the file.
    pub fn plain_reports(&self, problems: &Problems, syntax: Syntax) -> Vec<String> {
        self.each(problems, |problem, locator| problem.plain_report(&self.name, locator, syntax))
    }

    /// Formats each of the problems for people, with its place in the file.
    #[cfg(feature = "tools")]
    pub fn reports(&self, problems: &Problems, syntax: Syntax, renderer: &Renderer) -> Vec<String> {
        self.each(problems, |problem, locator| problem.report_in(&self.name, locator, syntax, renderer))
    }

    fn each(
        &self,
        problems: &Problems,
        report: impl Fn(&Problem, Option<&Locator<'_>>) -> String,
    ) -> Vec<String> {
        let locator = json::text(&self.bytes).ok().map(Locator::new);
        let mut reports: Vec<String> =
            problems.iter().map(|problem| report(problem, locator.as_ref())).collect();
        if problems.further() > 0 {
            reports.push(format!("`{}` has {} more problems like these", self.name, problems.further()));
        }
        reports
    }
}
