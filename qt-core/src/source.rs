//! A file as it was read, for its value and for the reports about it.

use std::io::{self, Read};

use annotate_snippets::Renderer;

use crate::document::Document;
use crate::domain::{Domain, Method};
use crate::json::{self, Locator, MAX_BYTES, Value};
use crate::message::Syntax;
use crate::problem::{Diagnostics, Problem, Problems};

/// The bytes of a file and the name that people know it by.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    bytes: Vec<u8>,
}

impl SourceFile {
    /// Takes in all that `reader` gives, or as much of it as shows that the file is too large.
    ///
    /// # Errors
    ///
    /// Those of the reader.
    pub fn read(name: impl Into<String>, reader: impl Read) -> io::Result<Self> {
        let mut bytes = Vec::new();
        reader.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        Ok(Self { name: name.into(), bytes })
    }

    /// The name that people know the file by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the file holds; one byte more than [`MAX_BYTES`] where it is too large.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The map or tree in the file.
    ///
    /// # Errors
    ///
    /// All that is wrong with it.
    pub fn document(&self) -> Result<Document, Problems> {
        Document::from_json(&self.bytes)
    }

    /// Those methods of the file that are sound, whatever else is wrong with it: so that not everything that speaks of
    /// them is an error too.
    pub fn sound_methods(&self) -> Vec<Method> {
        let mut check = Diagnostics::default();
        let file = json::text(&self.bytes).ok().and_then(|text| Value::parse(text).ok());
        file.and_then(|file| Domain::read_methods(&file, &mut check)).unwrap_or_default()
    }

    /// Each of the problems as a person reads it, with its place in the file.
    pub fn reports(&self, problems: &Problems, syntax: Syntax, renderer: &Renderer) -> Vec<String> {
        let locator = std::str::from_utf8(&self.bytes).ok().map(Locator::new);
        let report = |problem: &Problem| problem.report_in(&self.name, locator.as_ref(), syntax, renderer);
        let mut reports: Vec<String> = problems.iter().map(report).collect();
        if problems.further() > 0 {
            reports.push(format!("`{}` has {} more problems like these", self.name, problems.further()));
        }
        reports
    }
}
