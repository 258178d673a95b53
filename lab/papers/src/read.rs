//! Maps from files.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use qtdec_core::{DecisionMap, Document};
use qtdec_study::readers::unpacked;

/// Reads the map in a file, packed or not.
///
/// # Errors
///
/// Fails if the file cannot be read or holds no map.
pub fn map(path: &Path) -> Result<DecisionMap, String> {
    let named = |reason: &dyn std::fmt::Display| format!("{}: {reason}", path.display());
    let mut text = Vec::new();
    let file = File::open(path).map_err(|error| named(&error))?;
    let read = unpacked(Box::new(file)).and_then(|mut reader| reader.read_to_end(&mut text));
    read.map_err(|error| named(&error))?;
    match Document::from_json(&text) {
        Ok(Document::Map(map)) => Ok(map),
        Ok(_) => Err(named(&"it holds a tree, and not the map that it was made from")),
        Err(problems) => Err(named(&problems)),
    }
}
