//! Files, folders and archives, compressed or not.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use filetime::FileTime;
use qtdec_core::{Place, Problem, Problems};
use qtdec_times::faults::Faults;
use walkdir::WalkDir;

use super::advice;
use super::campaign::Campaign;
use super::columns::Columns;
use super::consoles;
use super::csv;
use super::limits::LimitedReader;
use super::lines::unreadable;
use super::options::ReadOptions;
use super::own_output::{failed_launches, is_own};
use super::path::PathPattern;
use super::plain::Added;
use super::sink::{self, FileSink, Known, MeasurementBuilder};
use super::unpack::{Unpacking, buffered, unpacked};
use super::{FORMATS, Format};
use crate::canonical::{Times, from_measurements};
use crate::measurements::Measurements;
use crate::notes::Notes;

/// A file that cannot be read or has faults.
#[derive(Debug)]
pub struct Failed {
    /// The name of the file, and of the entry if it is an archive.
    pub file: String,
    /// The faults.
    pub problems: Problems,
}

impl Failed {
    fn new(file: &str, problems: impl Into<Problems>) -> Self {
        Self { file: file.to_owned(), problems: problems.into() }
    }
}

/// A function that receives each opened file and returns what to read instead, for example to show progress.
pub type Watch<'w> = dyn FnMut(&str, Box<dyn Read>) -> Box<dyn Read> + 'w;

/// The number of bytes from which the format is recognised.
const HEAD: usize = 1 << 14;

const MAX_NAMED: usize = 5;

/// The maximum nesting of archives, which guards against archives that contain themselves.
const DEEPEST: usize = 3;

/// Reads files and folders; `-` is standard input.
///
/// # Errors
///
/// Returns the faults of all files.
pub fn read(
    paths: &[String],
    options: &ReadOptions,
    watch: &mut Watch<'_>,
) -> Result<(Measurements, Notes), Vec<Failed>> {
    let options = described(paths, options);
    let mut reading = Reading::new(&options, false);
    reading.paths(paths, watch);
    reading.finish(&some_of(paths)).map(one)
}

/// Reads files and folders, of all their collectives or of the requested one. Every file is opened once.
///
/// # Errors
///
/// Returns the faults of all files.
pub fn read_each(
    paths: &[String],
    options: &ReadOptions,
    watch: &mut Watch<'_>,
) -> Result<(Vec<Measurements>, Notes), Vec<Failed>> {
    let options = described(paths, options);
    let mut reading = Reading::new(&options, true);
    reading.paths(paths, watch);
    reading.finish(&some_of(paths)).map(|(_, all, notes)| (all, notes))
}

/// Returns the options, with the pattern of the paths that a job script describes beside its results unless there is another.
fn described<'o>(paths: &[String], options: &'o ReadOptions) -> Cow<'o, ReadOptions> {
    let path =
        if options.path.is_none() { Campaign::of(paths).and_then(|campaign| campaign.path()) } else { None };
    match path {
        Some(path) => Cow::Owned(ReadOptions { path: Some(path), ..options.clone() }),
        None => Cow::Borrowed(options),
    }
}

fn one((_, all, notes): sink::Read) -> (Measurements, Notes) {
    (all.into_iter().next().unwrap_or_default(), notes)
}

/// Reads files and folders as canonical times, of all their collectives or of the requested one. Files of canonical times keep the
/// numbers of their repeats and the parameters of their methods.
///
/// # Errors
///
/// Returns the faults of all files.
pub fn times(
    paths: &[String],
    options: &ReadOptions,
    watch: &mut Watch<'_>,
) -> Result<(Times, Notes), Vec<Failed>> {
    let names = some_of(paths);
    let options = described(paths, options);
    let mut reading = Reading::new(&options, true);
    reading.builder.keeps = true;
    reading.paths(paths, watch);
    let (kept, all, notes) = reading.finish(&names)?;
    let failed = |problems: Problems| vec![Failed::new(&names, problems)];
    let read = if all.is_empty() { None } else { Some(from_measurements(&all).map_err(failed)?) };
    let times = match (kept, read) {
        (Some(kept), Some(read)) => kept.merge(read).map_err(failed)?,
        (Some(times), None) | (None, Some(times)) => times,
        (None, None) => return Err(failed(Problem::new(Place::File, "no times were found").into())),
    };
    Ok((times, notes))
}

/// Reads one opened file, which may be compressed.
///
/// # Errors
///
/// Returns all its faults.
pub fn read_one(
    name: &str,
    input: impl Read + 'static,
    options: &ReadOptions,
) -> Result<(Measurements, Notes), Vec<Failed>> {
    let mut reading = Reading::new(options, false);
    reading.file(name, Box::new(input), Container::None);
    reading.finish(name).map(one)
}

/// Returns whether a file in a folder would be read for times, judging by its first bytes.
pub fn is_read_in_folders(path: &Path, options: &ReadOptions) -> bool {
    let first = File::open(path).and_then(|file| {
        let mut input = unpacked(Box::new(file))?;
        head(&mut input)
    });
    first.is_ok_and(|first| {
        is_archive(&first) || !is_own(&first) && matches!(format(&first, options), Ok(Some(_)))
    })
}

/// Returns whether a file that begins like this has a known format.
pub fn is_known(head: &[u8]) -> bool {
    matches!(format(head, &ReadOptions::default()), Ok(Some(_)))
}

/// Returns whether the first two lines are values of JSON each.
fn is_json_lines(head: &[u8]) -> bool {
    let lines: Vec<&[u8]> = head.split(|byte| *byte == b'\n').take(2).collect();
    lines.len() == 2 && lines.iter().all(|line| serde_json::from_slice::<serde_json::Value>(line).is_ok())
}

fn is_archive(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar")
}

#[derive(Clone, Copy, PartialEq)]
enum Container {
    /// None: the file was named itself.
    None,
    /// A folder.
    Folder,
    /// An archive, nested in this number of archives.
    Archive(usize),
}

struct Reading<'a> {
    builder: MeasurementBuilder<'a>,
    failed: Vec<Failed>,
    skipped: Skipped,
    /// The places of files without links.
    seen: HashSet<PathBuf>,
    unpacking: Unpacking,
    read: usize,
}

/// The files that are not read.
#[derive(Default)]
struct Skipped {
    /// Those of an unknown format, in a folder or archive.
    unknown: Vec<String>,
    /// Files in a folder or archive that hold something else than times by size, which are skipped unless there is nothing else.
    foreign: Vec<Failed>,
    /// Those whose paths do not match the pattern.
    unfit: Vec<String>,
    /// Those that repeat the times of others.
    copies: Vec<String>,
    /// Those that were named already.
    again: Vec<String>,
    /// Records of launches that failed.
    launches: Vec<String>,
    /// The number of those that qtdec wrote, in a folder or archive.
    own: usize,
}

impl<'a> Reading<'a> {
    fn new(options: &'a ReadOptions, each: bool) -> Self {
        Self {
            builder: MeasurementBuilder::new(options, each),
            failed: Vec::new(),
            skipped: Skipped::default(),
            seen: HashSet::new(),
            unpacking: Unpacking::default(),
            read: 0,
        }
    }

    fn finish(self, files: &str) -> Result<sink::Read, Vec<Failed>> {
        let Self { mut builder, mut failed, skipped: all, read, .. } = self;
        let Skipped { unknown, foreign, unfit, copies, again, launches, own } = all;
        if builder.is_empty() {
            failed.extend(foreign);
        } else if !foreign.is_empty() {
            let columns = foreign[0].problems.iter().next().map(|problem| problem.message.to_string());
            let names: Vec<String> = foreign.into_iter().map(|failed| failed.file).collect();
            let tables = ["a file of something else", "files of something else"];
            builder.notes.add(skipped(tables, &format!(" ({})", columns.unwrap_or_default()), &names));
        }
        if read == 0 && failed.is_empty() && unfit.is_empty() {
            if !unknown.is_empty() {
                let message = format!("the format of {} is not known", some_of(&unknown));
                failed.push(Failed::new(files, unknown_format(message)));
            } else if own > 0 {
                let message = "every file was written by qtdec, and contains no times";
                failed.push(Failed::new(files, Problem::new(Place::File, message)));
            }
        }
        if !launches.is_empty() {
            let message = failed_launches(launches.len(), &some_of(&launches));
            if read == 0 && failed.is_empty() {
                failed.push(Failed::new(files, Problem::new(Place::File, message)));
            } else {
                builder.notes.add(message);
            }
        }
        if let Some(pattern) = builder.options.path.as_ref().filter(|_| !unfit.is_empty()) {
            if read == 0 {
                failed.push(Failed::new(&some_of(&unfit), misfit(pattern)));
            } else {
                let files = ["a file whose path does", "files whose paths do"];
                let files = files.map(|files| format!("{files} not fit `{}`", pattern.as_str()));
                builder.notes.add(skipped(files.each_ref().map(String::as_str), "", &unfit));
            }
        }
        if !unknown.is_empty() {
            let files = ["a file of no known format", "files of no known format"];
            builder.notes.add(skipped(files, "", &unknown));
        }
        if !copies.is_empty() {
            builder.notes.add(advice::earlier_runs(&some_of(&copies)));
        }
        if !again.is_empty() {
            builder.notes.add(format!("files that were named twice are read once: {}", some_of(&again)));
        }
        failed.extend(builder.choices().into_iter().map(|problem| Failed::new(files, problem)));
        if !failed.is_empty() {
            return Err(failed);
        }
        builder.finish().map_err(|problems| vec![Failed::new(files, problems)])
    }

    fn paths(&mut self, paths: &[String], watch: &mut Watch<'_>) {
        for path in paths {
            self.path(path, watch);
        }
    }

    fn path(&mut self, path: &str, watch: &mut Watch<'_>) {
        if path == "-" {
            let name = "standard input";
            return self.file(name, watch(name, Box::new(io::stdin())), Container::None);
        }
        let container = if Path::new(path).is_dir() { Container::Folder } else { Container::None };
        let mut is_empty = true;
        for entry in WalkDir::new(path).sort_by_file_name() {
            match entry {
                // A link to a folder that was named itself is followed, but is not a folder here.
                Ok(entry) if entry.file_type().is_dir() || (entry.depth() == 0 && entry.path().is_dir()) => {}
                Ok(entry) => {
                    is_empty = false;
                    let name = entry.path().to_string_lossy().into_owned();
                    // Opening a pipe waits for its writer, which is only right for a pipe that was named itself.
                    let found = fs::metadata(entry.path());
                    let written = found.as_ref().map(FileTime::from_last_modification_time);
                    self.builder.written = written.ok().map(|time| time.unix_seconds());
                    let is_other = found.is_ok_and(|found| !found.is_file());
                    if container == Container::Folder && is_other {
                        self.skipped.unknown.push(name);
                        continue;
                    }
                    if fs::canonicalize(entry.path()).is_ok_and(|place| !self.seen.insert(place)) && !is_other
                    {
                        self.skipped.again.push(name);
                        continue;
                    }
                    match File::open(entry.path()) {
                        Ok(file) => self.file(&name, watch(&name, Box::new(file)), container),
                        Err(error) => self.fail(&name, unreadable(error)),
                    }
                }
                Err(error) => {
                    is_empty = false;
                    let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    self.fail(path, unreadable(reason));
                }
            }
        }
        if is_empty {
            self.fail(path, Problem::new(Place::File, "the folder is empty"));
        }
    }

    fn fail(&mut self, file: &str, problems: impl Into<Problems>) {
        self.failed.push(Failed::new(file, problems));
    }

    /// Reads a file, or the files in it if it is an archive. Among others, a file of unknown format is skipped.
    fn file<'r>(&mut self, name: &str, input: Box<dyn Read + 'r>, container: Container) {
        let path = name.replace('\\', "/");
        if container != Container::None && FORMATS.iter().any(|format| (format.is_companion)(&path)) {
            return;
        }
        // `measure.sh` of `qtdec-mpi measure` names the record of a failed launch so.
        if container != Container::None && path.ends_with(".failed") {
            return self.skipped.launches.push(name.to_owned());
        }
        let input = match container {
            Container::None | Container::Folder => Box::new(self.unpacking.file(input)),
            Container::Archive(_) => input,
        };
        let mut input = match self.unpacking.unpacked(input) {
            Ok(input) => input,
            Err(error) => return self.fail(name, unreadable(error)),
        };
        let head = match head(&mut input) {
            Ok(head) => head,
            Err(error) => return self.fail(name, unreadable(error)),
        };
        if is_archive(&head) {
            let depth = if let Container::Archive(depth) = container { depth + 1 } else { 1 };
            return self.archive(name, input, depth);
        }
        let is_json = head.trim_ascii_start().starts_with(b"{");
        if is_own(&head)
            && (container != Container::None || self.builder.options.format.is_none() && !is_json)
        {
            if container != Container::None {
                self.skipped.own += 1;
                return;
            }
            return self.fail(name, no_times("the file was written by qtdec, and contains no times"));
        }
        let options = self.builder.options;
        let found = format(&head, options);
        let is_guess = match &found {
            Ok(Some((format, _))) => {
                let is_chosen = options.format.is_some() || options.columns != Columns::default();
                format.name == csv::FORMAT.name && !is_chosen
            }
            Ok(None) => true,
            Err(_) => false,
        };
        if is_guess && let Some(fault) = consoles::fault(&String::from_utf8_lossy(&head)) {
            if container != Container::None {
                return self.skipped.unknown.push(name.to_owned());
            }
            return self.fail(name, fault);
        }
        match found {
            Ok(Some((format, _)))
                if container != Container::None
                    && self.builder.options.path.is_none()
                    && (format.is_copy)(&path) =>
            {
                self.skipped.copies.push(name.to_owned());
            }
            Ok(Some((format, added))) => {
                let text = added.without(&String::from_utf8_lossy(&head));
                let is_other = |other: &&Format| {
                    let is_log = other.has_lines && !other.has_columns;
                    is_log && other.name != format.name && (other.recognises)(&text)
                };
                let others: Vec<&str> = FORMATS.iter().filter(is_other).map(|other| other.name).collect();
                let failed = self.failed.len();
                self.text(name, added.removed(input), format, container);
                if !others.is_empty() && self.builder.options.format.is_none() {
                    let message = advice::other_output(format.name, &others);
                    if self.failed.len() > failed {
                        self.fail(name, Problem::new(Place::File, message));
                    } else {
                        self.builder.notes.add(format!("`{name}`: {message}"));
                    }
                }
            }
            Ok(None) | Err(_) if container != Container::None => self.skipped.unknown.push(name.to_owned()),
            Ok(None) if head.is_empty() => self.fail(name, Problem::new(Place::File, "the file is empty")),
            Ok(None) if is_json && is_json_lines(&head) => {
                self.fail(name, advice::json_lines(&String::from_utf8_lossy(&head)));
            }
            Ok(None) if is_json => {
                self.fail(name, no_times("the file is JSON, like maps and trees, and contains no times"));
            }
            Ok(None) => self.fail(name, unknown_format("the format of the file is not known".to_owned())),
            Err(problem) => self.fail(name, problem),
        }
    }

    fn archive<'r>(&mut self, name: &str, input: Box<dyn BufRead + 'r>, depth: usize) {
        if depth > DEEPEST {
            let message = format!("archives that are nested more than {DEEPEST} deep are not read");
            return self.fail(name, Problem::new(Place::File, message));
        }
        let mut archive = tar::Archive::new(input);
        let broken = |error: io::Error| Problem::new(Place::File, format!("the archive is broken: {error}"));
        // Use raw entries, because the library stores the whole name of the next entry, however long it claims to be.
        let entries = match archive.entries() {
            Ok(entries) => entries.raw(true),
            Err(error) => return self.fail(name, broken(error)),
        };
        let mut long_name = None;
        for entry in entries {
            let mut entry = match entry {
                Ok(entry) => entry,
                Err(error) => return self.fail(name, broken(error)),
            };
            match entry.header().entry_type() {
                kind if kind.is_file() => {
                    let path = long_name.take().unwrap_or_else(|| entry.path_bytes().into_owned());
                    let inner = format!("{name}/{}", String::from_utf8_lossy(&path));
                    self.builder.written =
                        entry.header().mtime().ok().and_then(|seconds| seconds.try_into().ok());
                    self.file(&inner, Box::new(entry), Container::Archive(depth));
                }
                kind if kind.is_gnu_longname() || kind.is_pax_local_extensions() => {
                    match extended_name(&mut entry, kind) {
                        Ok(found) => long_name = found.or(long_name),
                        Err(error) => return self.fail(name, broken(error)),
                    }
                }
                kind if kind.is_gnu_longlink() || kind.is_pax_global_extensions() => {}
                _ => long_name = None,
            }
        }
    }

    fn text<'r>(&mut self, name: &str, input: Box<dyn BufRead + 'r>, format: &Format, container: Container) {
        let options = self.builder.options;
        let mut known: Vec<(String, String)> = options.fixed.clone().into_iter().collect();
        if let Some(pattern) = &options.path {
            let Some(found) = pattern.read(&name.replace('\\', "/")) else {
                return self.skipped.unfit.push(name.to_owned());
            };
            known.extend(found);
        }
        if !format.has_columns {
            for (number, (column, wanted)) in options.filters.iter().enumerate() {
                let Some((_, value)) = known.iter().find(|(name, _)| name == column) else {
                    return self.fail(name, advice::no_columns_to_choose_by(format.name));
                };
                let is_wanted = value == wanted;
                self.builder.selectors.filtered(number, value.as_bytes(), is_wanted);
                if !is_wanted {
                    return;
                }
            }
        }
        self.builder.selectors.format(format.name, format.has_columns || format.uses_columns);
        let faults = Faults::default();
        let (taken, count) = (self.builder.taken.clone(), faults.count());
        let mut input = LimitedReader { input, taken, faults: count, last: b'\n' };
        self.read += 1;
        let known = Known::new(known);
        let Some(mut sink) = FileSink::new(&mut self.builder, name, known, faults) else { return };
        match (format.read)(&mut input, &mut sink) {
            Err(problem) => sink.faults.add(problem),
            Ok(()) if format.has_lines && input.last != b'\n' => {
                sink.note(format!(
                    "`{name}` ends in the middle of a line: the file and its last number may be cut off"
                ));
            }
            Ok(()) => {}
        }
        let is_foreign = sink.foreign && container != Container::None;
        match sink.finish() {
            Ok(()) => {}
            Err(problems) if is_foreign => self.skipped.foreign.push(Failed::new(name, problems)),
            Err(problems) => self.fail(name, problems),
        }
    }
}

fn no_times(message: &str) -> Problem {
    Problem::new(Place::File, message).help("give a single map, or files with times")
}

/// The maximum size of the name and other headers before an archive's entry.
const MAX_NAME_BYTES: u64 = 1 << 20;

/// Returns the name of the next entry from the header before it.
fn extended_name(entry: &mut impl Read, kind: tar::EntryType) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    entry.take(MAX_NAME_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_NAME_BYTES {
        return Err(io::Error::other(format!("the name of an entry is longer than {MAX_NAME_BYTES} bytes")));
    }
    if kind.is_gnu_longname() {
        bytes.truncate(bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()));
        return Ok(Some(bytes));
    }
    let mut name = None;
    for extension in tar::PaxExtensions::new(&bytes) {
        let extension = extension?;
        match extension.key_bytes() {
            b"path" => name = Some(extension.value_bytes().to_vec()),
            b"size" => return Err(io::Error::other("an entry of 8 GiB or more is not read")),
            _ => {}
        }
    }
    Ok(name)
}

/// Returns the fault that no path matches the pattern.
fn misfit(pattern: &PathPattern) -> Problem {
    let problem = Problem::new(Place::File, format!("no path matches `{}`", pattern.as_str()));
    problem.help(
        "the pattern must match the end of a path; names other than `{collective}`, `{method}`, `{job}` and \
             `{run}` stand for numbers",
    )
}

/// Returns at most [`HEAD`] bytes of a reader's content without consuming them.
fn head<'r>(input: &mut Box<dyn BufRead + 'r>) -> io::Result<Vec<u8>> {
    // A decoder may return few bytes at a time. What it returned is put back before the rest.
    let mut bytes = Vec::new();
    (&mut **input).take(HEAD as u64).read_to_end(&mut bytes)?;
    let rest = std::mem::replace(input, Box::new(io::empty()));
    *input = Box::new(buffered(io::Cursor::new(bytes.clone()).chain(rest)));
    Ok(bytes)
}

/// Returns the requested format, or the one recognised from the head of the file, and what is added to the lines of the file.
fn format(head: &[u8], options: &ReadOptions) -> Result<Option<(&'static Format, Added)>, Problem> {
    if options.format.is_none() && head.contains(&0) {
        return Err(Problem::new(Place::File, "the file is not text").help("save it as UTF-8"));
    }
    let head = String::from_utf8_lossy(head);
    let requested = |format: &&Format| options.format.as_ref().is_none_or(|name| format.name == *name);
    let formats: Vec<&Format> = FORMATS.iter().filter(requested).collect();
    let recognises = |is_csv: bool, text: &str| {
        formats.iter().any(|format| (format.name == csv::FORMAT.name) == is_csv && (format.recognises)(text))
    };
    let added = Added::to(&head, |text| recognises(false, text), |text| recognises(true, text))?;
    let text = added.without(&head);
    let is_found = |format: &&Format| options.format.is_some() || (format.recognises)(&text);
    Ok(formats.into_iter().find(is_found).map(|format| (format, added)))
}

/// Describes skipped files, called so for one and for several. A failed run often leaves a file without times, which the user must notice.
fn skipped([one, several]: [&str; 2], why: &str, names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (files, were) = if names.len() == 1 { (one, "was") } else { (several, "were") };
    format!("{files} {were} skipped{why}: {}", some_of(&quoted))
}

/// Returns the names as listed in a message: the first few, and the number of the others.
pub fn some_of(names: &[String]) -> String {
    match names.len().saturating_sub(MAX_NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names[..MAX_NAMED].join(", ")),
    }
}

fn unknown_format(message: String) -> Problem {
    Problem::new(Place::File, message).help(advice::format(&super::format_names()))
}
