//! Files, folders and archives, packed or not.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use qtdec_core::{Place, Problem, Problems};
use ruzstd::decoding::StreamingDecoder;
use walkdir::WalkDir;

use super::asked::Asked;
use super::sink::{Collection, Sink};
use super::{FORMATS, Format};
use crate::measurements::Measurements;
use crate::notes::Notes;

/// A file that cannot be read, or whose content is at fault.
#[derive(Debug)]
pub struct Failed {
    /// The name of the file, with that of its entry where it is an archive.
    pub file: String,
    /// What is wrong with it.
    pub problems: Problems,
}

/// Is given each file as it is opened, and gives back what to read instead, so that it can show how far it has come.
pub type Watch<'w> = dyn FnMut(&str, Box<dyn Read>) -> Box<dyn Read> + 'w;

/// How much of a file tells its format.
const HEAD: usize = 1 << 14;

/// Reads files and folders, `-` being standard input.
///
/// # Errors
///
/// Everything that is wrong with any of the files.
pub fn read(
    paths: &[String],
    asked: &Asked,
    watch: &mut Watch<'_>,
) -> Result<(Measurements, Notes), Vec<Failed>> {
    let mut reading =
        Reading { collection: Collection::new(asked), failed: Vec::new(), unknown: Vec::new(), read: 0 };
    for path in paths {
        reading.path(path, watch);
    }
    reading.finish(&paths.join(", "))
}

/// Reads one file that is at hand, perhaps packed.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_one(
    name: &str,
    input: impl Read + 'static,
    asked: &Asked,
) -> Result<(Measurements, Notes), Vec<Failed>> {
    let mut reading =
        Reading { collection: Collection::new(asked), failed: Vec::new(), unknown: Vec::new(), read: 0 };
    reading.file(name, Box::new(input), false);
    reading.finish(name)
}

struct Reading<'a> {
    collection: Collection<'a>,
    failed: Vec<Failed>,
    /// Files of a folder or archive whose format is not known.
    unknown: Vec<String>,
    read: usize,
}

impl Reading<'_> {
    fn finish(self, files: &str) -> Result<(Measurements, Notes), Vec<Failed>> {
        let Self { mut collection, mut failed, unknown, read } = self;
        if read == 0 && failed.is_empty() && !unknown.is_empty() {
            let message = format!("the format of {} is not known", unknown.join(", "));
            failed.push(Failed { file: files.to_owned(), problems: unknown_format(message).into() });
        }
        collection.notes().add_times("a file of no known format was passed over", unknown.len() as u64);
        if !failed.is_empty() {
            return Err(failed);
        }
        collection.finish().map_err(|problems| vec![Failed { file: files.to_owned(), problems }])
    }

    fn path(&mut self, path: &str, watch: &mut Watch<'_>) {
        if path == "-" {
            return self.file("standard input", watch("standard input", Box::new(io::stdin())), false);
        }
        let in_folder = Path::new(path).is_dir();
        for entry in WalkDir::new(path).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => {
                    let name = entry.path().to_string_lossy().into_owned();
                    match File::open(entry.path()) {
                        Ok(file) => self.file(&name, watch(&name, Box::new(file)), in_folder),
                        Err(error) => {
                            self.fail(&name, Problem::new(Place::File, format!("cannot be read: {error}")));
                        }
                    }
                }
                Err(error) => {
                    let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    self.fail(path, Problem::new(Place::File, format!("cannot be read: {reason}")));
                }
            }
        }
    }

    fn fail(&mut self, file: &str, problems: impl Into<Problems>) {
        self.failed.push(Failed { file: file.to_owned(), problems: problems.into() });
    }

    /// Reads a file, or the files in it if it is an archive. One of no known format is passed over among others.
    fn file(&mut self, name: &str, input: Box<dyn Read>, among_others: bool) {
        let mut input = match unpacked(input) {
            Ok(input) => input,
            Err(error) => {
                return self.fail(name, Problem::new(Place::File, format!("cannot be read: {error}")));
            }
        };
        let head = match head(&mut input) {
            Ok(head) => head,
            Err(error) => {
                return self.fail(name, Problem::new(Place::File, format!("cannot be unpacked: {error}")));
            }
        };
        if head.get(257..262) == Some(b"ustar") {
            return self.archive(name, input);
        }
        match format(&head, self.collection.asked) {
            Ok(Some(format)) => self.text(name, input, format),
            Ok(None) if among_others => self.unknown.push(name.to_owned()),
            Ok(None) if head.is_empty() => self.fail(name, Problem::new(Place::File, "the file is empty")),
            Ok(None) => self.fail(name, unknown_format("the format of the file is not known".to_owned())),
            Err(problem) => self.fail(name, problem),
        }
    }

    fn archive(&mut self, name: &str, input: Box<dyn BufRead>) {
        let mut archive = tar::Archive::new(input);
        let broken = |error: io::Error| Problem::new(Place::File, format!("the archive is broken: {error}"));
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return self.fail(name, broken(error)),
        };
        for entry in entries {
            let mut entry = match entry {
                Ok(entry) if entry.header().entry_type().is_file() => entry,
                Ok(_) => continue,
                Err(error) => return self.fail(name, broken(error)),
            };
            let inner = format!(
                "{name}/{}",
                entry.path().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
            );
            // An entry borrows the archive, and a packed one is read through several layers: it is taken whole.
            let mut bytes = Vec::new();
            match entry.read_to_end(&mut bytes) {
                Ok(_) => self.file(&inner, Box::new(io::Cursor::new(bytes)), true),
                Err(error) => return self.fail(&inner, broken(error)),
            }
        }
    }

    fn text(&mut self, name: &str, mut input: Box<dyn BufRead>, format: &dyn Format) {
        let asked = self.collection.asked;
        let mut known: BTreeMap<String, String> = asked.fixed.clone();
        if let Some(pattern) = &asked.path {
            let Some(found) = pattern.read(&name.replace('\\', "/")) else {
                let problem =
                    Problem::new(Place::File, format!("the path does not fit `{}`", pattern.as_str()));
                return self.fail(name, problem.help("the pattern must fit the end of every path"));
            };
            known.extend(found);
        }
        let mut sink = Sink::new(&mut self.collection, known);
        let ended = format.read(&mut *input, &mut sink);
        let mut check = std::mem::take(&mut sink.check);
        if let Err(problem) = ended {
            check.add(problem);
        }
        self.read += 1;
        if let Err(problems) = check.finish(Some(())) {
            self.fail(name, problems);
        }
    }
}

/// The text of a file that may be packed with gzip, xz or zstd.
fn unpacked(input: Box<dyn Read>) -> io::Result<Box<dyn BufRead>> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    Ok(match input.fill_buf()? {
        [0x1F, 0x8B, ..] => Box::new(buffered(MultiGzDecoder::new(input))),
        [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Box::new(buffered(XzReader::new(input, true))),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => {
            let decoder =
                StreamingDecoder::new(input).map_err(|error| io::Error::other(error.to_string()))?;
            Box::new(buffered(decoder))
        }
        _ => Box::new(input),
    })
}

fn buffered<R: Read>(input: R) -> BufReader<R> {
    BufReader::with_capacity(1 << 16, input)
}

/// What can be seen of a reader's content without taking it; at most [`HEAD`] bytes.
fn head(input: &mut Box<dyn BufRead>) -> io::Result<Vec<u8>> {
    // A decoder gives what it has, which may be little: what it gave is put before the rest again.
    let mut bytes = Vec::new();
    (&mut **input).take(HEAD as u64).read_to_end(&mut bytes)?;
    let rest = std::mem::replace(input, Box::new(io::empty()));
    *input = Box::new(buffered(io::Cursor::new(bytes.clone()).chain(rest)));
    Ok(bytes)
}

/// The format asked for, or that which the head of the file is recognised by.
fn format(head: &[u8], asked: &Asked) -> Result<Option<&'static dyn Format>, Problem> {
    if let Some(name) = &asked.format {
        return Ok(FORMATS.iter().copied().find(|format| format.name() == *name));
    }
    if head.starts_with(b"\xEF\xBB\xBF") || head.contains(&0) {
        let message =
            if head.contains(&0) { "the file is not text" } else { "the file begins with a byte-order mark" };
        return Err(Problem::new(Place::File, message).help("save it as UTF-8 without a byte-order mark"));
    }
    let head = String::from_utf8_lossy(head);
    Ok(FORMATS.iter().copied().find(|format| format.recognises(&head)))
}

fn unknown_format(message: String) -> Problem {
    Problem::new(Place::File, message)
        .help(format!("say what it is with --format: {}", super::format_names().join(", ")))
}
