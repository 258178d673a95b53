//! Compression of outputs by the ending of their names.

use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Returns what `write` writes, compressed if the name ends in `.xz`, `.zst` or `.gz`, and whether it is.
///
/// # Errors
///
/// Returns the errors of `write` and of the compression.
pub(super) fn packed(
    name: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<(Vec<u8>, bool)> {
    let ending = name.rsplit('.').next().filter(|ending| ending.len() < name.len()).unwrap_or_default();
    match ending {
        "xz" => {
            let mut out = XzWriter::new(Vec::new(), XzOptions::default())?;
            write(&mut out)?;
            Ok((out.finish()?, true))
        }
        "gz" => {
            let mut out = GzEncoder::new(Vec::new(), Compression::default());
            write(&mut out)?;
            Ok((out.finish()?, true))
        }
        "zst" => {
            let mut text = Vec::new();
            write(&mut text)?;
            Ok((compress_to_vec(&text[..], CompressionLevel::Fastest), true))
        }
        _ => {
            let mut text = Vec::new();
            write(&mut text)?;
            Ok((text, false))
        }
    }
}

/// Returns whether a name is that of a CSV file, which may be compressed.
pub(super) fn is_csv(name: &str) -> bool {
    let name = ["xz", "zst", "gz"]
        .iter()
        .find_map(|ending| name.strip_suffix(&format!(".{ending}")))
        .unwrap_or(name);
    Path::new(name).extension().is_some_and(|extension| extension == "csv")
}
