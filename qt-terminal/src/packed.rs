//! Compression of outputs by the ending of their names, while they are written.

use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};
use qtdec_study::canonical::Times;
use ruzstd::encoding::{CompressionLevel, compress};

use crate::{Failure, Output};

/// The number of bytes of a frame of Zstandard before its compression.
const FRAME: usize = 1 << 20;

fn is_packed(name: &str) -> bool {
    ["xz", "zst", "gz"].contains(&ending(name))
}

/// Writes times, compressed if the name of the file says so.
pub fn write_times(times: &Times, output: &Output) -> Result<(), Failure> {
    let name = output.name();
    output.write_with(is_packed(name), |mut out| packed(name, &mut out, |mut out| times.write(&mut out)))
}

/// Writes what `write` writes, compressed if the name says so.
fn packed(
    name: &str,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    match ending(name) {
        "xz" => {
            let mut out = XzWriter::new(out, XzOptions::default())?;
            write(&mut out)?;
            out.finish().map(|_| ())
        }
        "gz" => {
            let mut out = GzEncoder::new(out, Compression::default());
            write(&mut out)?;
            out.finish().map(|_| ())
        }
        "zst" => {
            let mut out = Frames { out, bytes: Vec::new(), is_begun: false };
            write(&mut out)?;
            out.finish()
        }
        _ => write(out),
    }
}

/// A file of Zstandard as consecutive frames, so that only one of them is in memory.
struct Frames<'o> {
    out: &'o mut dyn Write,
    bytes: Vec<u8>,
    is_begun: bool,
}

impl Frames<'_> {
    fn frame(&mut self) -> io::Result<()> {
        let mut frame = Vec::new();
        compress(&self.bytes[..], &mut frame, CompressionLevel::Fastest);
        self.bytes.clear();
        self.is_begun = true;
        self.out.write_all(&frame)
    }

    fn finish(mut self) -> io::Result<()> {
        if self.bytes.is_empty() && self.is_begun { Ok(()) } else { self.frame() }
    }
}

impl Write for Frames<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(FRAME - self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..taken]);
        if self.bytes.len() == FRAME {
            self.frame()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn ending(name: &str) -> &str {
    name.rsplit('.').next().filter(|ending| ending.len() < name.len()).unwrap_or_default()
}

/// Returns whether a name is that of a CSV file, which may be compressed.
pub fn is_csv(name: &str) -> bool {
    let name = ["xz", "zst", "gz"]
        .iter()
        .find_map(|ending| name.strip_suffix(&format!(".{ending}")))
        .unwrap_or(name);
    Path::new(name).extension().is_some_and(|extension| extension == "csv")
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use qtdec_study::readers::unpacked;

    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        for name in ["t.csv", "t.csv.xz", "t.csv.zst", "t.csv.gz"] {
            let lengths: &[usize] = if name.ends_with("zst") {
                &[0, 1, FRAME - 1, FRAME, FRAME + 1, 2 * FRAME + 7]
            } else {
                &[0, 1, 10_000]
            };
            for &length in lengths {
                let text: Vec<u8> = (0..length).map(|at| b"0123456789\n"[at * at % 11]).collect();
                let mut out = Vec::new();
                packed(name, &mut out, |out| text.chunks(100_000).try_for_each(|part| out.write_all(part)))
                    .unwrap();
                assert!(length < 1000 || is_packed(name) == (out.len() < length), "{name} {length}");
                let mut again = Vec::new();
                unpacked(Box::new(Cursor::new(out))).unwrap().read_to_end(&mut again).unwrap();
                assert!(again == text, "{name} {length}");
            }
        }
    }

    /// What is compressed leaves while it is written. (The library for xz keeps its window, which takes long to fill here.)
    #[test]
    fn compressed_outputs_are_not_collected() {
        for name in ["t.zst", "t.gz"] {
            let mut random = 1_u64;
            let mut part = || -> Vec<u8> {
                let next = |_| {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (random >> 56) as u8
                };
                (0..FRAME / 2).map(next).collect()
            };
            let mut out = Limited(Vec::new());
            let failed = packed(name, &mut out, |out| {
                (0..4).try_for_each(|_| out.write_all(&part()))?;
                panic!("{name} is full before the end");
            });
            assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull, "{name}");
        }
    }

    /// An output with room for half a frame.
    struct Limited(Vec<u8>);

    impl Write for Limited {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0.len() + bytes.len() > FRAME / 2 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn names_of_tables() {
        for name in ["a.csv", "a.csv.xz", "b/a.csv.zst", ".b/a.csv.gz"] {
            assert!(is_csv(name), "{name}");
        }
        for name in ["a.json", "csv", "a.xz", "a.csv.json", "-", "", "a.csv.zip"] {
            assert!(!is_csv(name), "{name}");
        }
    }
}
