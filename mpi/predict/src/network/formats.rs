//! The formats of network files, and the one of a file.

use qtdec_core::{Place, Problem, Problems, json};

use super::format::{Format, Import};
use super::{FORMAT, Network, logp_mpi, netgauge};

/// Every format, in the order in which they are tried.
const FORMATS: &[Format] = &[
    Format { name: FORMAT, is: |text| text.trim_start().starts_with('{'), read: own },
    logp_mpi::FORMAT,
    netgauge::FORMAT,
];

/// Reads a network in any format.
///
/// # Errors
///
/// Returns all faults, or a fault that says that the format is unknown.
pub fn import(bytes: &[u8]) -> Result<Import, Problems> {
    let text = json::text(bytes)?;
    match FORMATS.iter().find(|format| (format.is)(text)) {
        Some(format) => {
            let mut import = (format.read)(text)?;
            // The tools end every line. The last number of a file that was cut off may lack digits.
            if format.name != FORMAT && !text.ends_with('\n') {
                import.notes.push(
                    Problem::new(Place::File, "the last line does not end with a line break")
                        .help("was the file cut off?"),
                );
            }
            import.notes.extend(import.network.warnings());
            Ok(import)
        }
        None => {
            let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
            let help =
                format!("the known formats are {}; each must begin as its tool writes it", names.join(", "));
            Err(Problem::new(Place::File, "the file has no known format").help(help).into())
        }
    }
}

fn own(text: &str) -> Result<Import, Problems> {
    Ok(Import { network: Network::from_json(text.as_bytes())?, notes: Vec::new() })
}
