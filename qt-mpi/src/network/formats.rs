//! The forms that files of networks have.

use qtdec_core::{Place, Problem, Problems, json};

use super::{FORMAT, Network, logp_mpi, netgauge};

/// A network that was read, and what its reader has to say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The network.
    pub network: Network,
    /// What was left out or changed, and what is doubtful.
    pub notes: Vec<Problem>,
}

/// A form that files of networks have.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The form's name.
    pub name: &'static str,
    /// Returns whether a text is of this form, from its beginning.
    pub is: fn(&str) -> bool,
    /// Reads a text of this form.
    pub read: fn(&str) -> Result<Import, Problems>,
}

/// Every form, in the order in which they are tried.
pub const FORMATS: &[Format] = &[
    Format { name: FORMAT, is: |text| text.trim_start().starts_with('{'), read: own },
    logp_mpi::FORMAT,
    netgauge::FORMAT,
];

/// Reads a network of any form.
///
/// # Errors
///
/// All that is wrong with it, or that its form is not known.
pub fn import(bytes: &[u8]) -> Result<Import, Problems> {
    let text = json::text(bytes)?;
    match FORMATS.iter().find(|format| (format.is)(text)) {
        Some(format) => {
            let mut import = (format.read)(text)?;
            import.notes.extend(import.network.warnings());
            Ok(import)
        }
        None => {
            let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
            let help = format!("known are {}: each begins as its tool writes it", names.join(", "));
            Err(Problem::new(Place::File, "the file is of no known form").help(help).into())
        }
    }
}

fn own(text: &str) -> Result<Import, Problems> {
    Ok(Import { network: Network::from_json(text.as_bytes())?, notes: Vec::new() })
}
