//! A map, or measurements to make one of.

use std::fs::File;
use std::io::Read;

use clap::Args;
use qtdec_core::{DecisionMap, Document};

use super::Failure;
use super::input::Input;
use super::measure::MeasureArguments;
use crate::measurements::Measurements;

/// A map, or measurements and how they become one.
#[derive(Debug, Args)]
pub(super) struct SubjectArguments {
    /// A map, or files, folders and archives with times
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
            [input] if input == "-" || begins_like_json(input) => Input::open(input).map(Some),
            _ => Ok(None),
        }
    }

    /// The map of a part of the measurements, without a word about what is already known of the whole.
    pub(super) fn quiet_map_of(&self, measurements: &Measurements) -> Result<DecisionMap, Failure> {
        self.measure.quiet_map(measurements, &self.name())
    }

    /// What people know the subject by.
    pub(super) fn name(&self) -> String {
        self.inputs.join(", ")
    }
}

fn begins_like_json(path: &str) -> bool {
    let mut start = [0; 64];
    let read = File::open(path).and_then(|mut file| file.read(&mut start));
    let text = read.map(|length| String::from_utf8_lossy(&start[..length]).into_owned()).unwrap_or_default();
    text.trim_start().starts_with('{')
}
