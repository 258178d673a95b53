//! A map, or measurements to make one of.

use std::fs::File;
use std::io::{self, BufRead, Read};

use clap::Args;
use qtdec_core::{DecisionMap, Document};

use super::Failure;
use super::destination::Outputs;
use super::input::Input;
use super::measure::MeasureArguments;
use crate::measure::measurements::Measurements;

/// A map, or measurements and how they become one.
#[derive(Debug, Args)]
pub(super) struct SubjectArguments {
    /// A map, or files, folders and archives with times; - is standard input, which may hold either
    #[arg(required = true, value_name = "MAP|FILE")]
    inputs: Vec<String>,

    #[command(flatten)]
    measure: MeasureArguments,
}

/// A map, and the measurements it was made of, if it was made here.
pub(super) struct Subject {
    pub(super) map: DecisionMap,
    pub(super) measurements: Option<Measurements>,
    /// What was warned about on the way.
    pub(super) warnings: Vec<String>,
}

impl SubjectArguments {
    pub(super) fn load(&self) -> Result<Subject, Failure> {
        if let Some(input) = self.file()? {
            return Ok(Subject { map: input.map()?, measurements: None, warnings: Vec::new() });
        }
        let (measurements, of_files) = self.measure.read(&self.inputs)?;
        let (map, of_map) = self.measure.map(&measurements, &self.name())?;
        let warnings = of_files.lines().chain(of_map.lines()).collect();
        Ok(Subject { map, measurements: Some(measurements), warnings })
    }

    /// The map or the tree, where either will do.
    pub(super) fn document(&self) -> Result<Document, Failure> {
        match self.file()? {
            Some(input) => input.document(),
            None => Ok(Document::Map(self.load()?.map)),
        }
    }

    /// The file, if it is no measurements but made by this command or in its way.
    fn file(&self) -> Result<Option<Input>, Failure> {
        match &self.inputs[..] {
            [input] if begins_like_json(input) => Input::open(input).map(Some),
            _ => Ok(None),
        }
    }

    /// The map of a part of the measurements, without a word about what is already known of the whole.
    pub(super) fn quiet_map_of(&self, measurements: &Measurements) -> Result<DecisionMap, Failure> {
        self.measure.quiet_map(measurements, &self.name())
    }

    /// Returns the outputs of a command with this subject.
    pub(super) fn outputs(&self) -> Outputs {
        self.measure.outputs(&self.inputs)
    }

    /// What people know the subject by.
    pub(super) fn name(&self) -> String {
        self.inputs.join(", ")
    }
}

fn begins_like_json(path: &str) -> bool {
    let start = if path == "-" { start_of_standard_input() } else { start_of(path) };
    let start = start.unwrap_or_default();
    start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&start).trim_ascii_start().starts_with(b"{")
}

fn start_of(path: &str) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)?.take(64).read_to_end(&mut start)?;
    Ok(start)
}

/// What is looked at stays for whoever reads it.
fn start_of_standard_input() -> io::Result<Vec<u8>> {
    Ok(io::stdin().lock().fill_buf()?.to_vec())
}
