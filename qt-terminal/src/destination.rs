//! The outputs of a command: none of them is one of its inputs, and none is left half written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;
use walkdir::WalkDir;

use crate::replace::replace;
use crate::{Failure, output};
use qtdec_study::readers::{self, ReadOptions};

/// The maximum number of symbolic links that are followed, the same as in Linux.
const LONGEST_CHAIN: usize = 40;

/// Folders whose entries are open files of a process, which no path outside of them leads to.
const OPEN_FILES: [&str; 2] = ["/proc", "/dev/fd"];

/// The inputs of a command, and the outputs added so far.
#[derive(Debug)]
pub struct Outputs {
    inputs: Vec<String>,
    options: ReadOptions,
    taken: Vec<Destination>,
}

/// An output that differs from all inputs.
#[derive(Debug)]
pub struct Output {
    name: String,
    destination: Destination,
}

/// The destination that an output's name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Destination {
    StandardOutput,
    /// A regular file, which may not exist yet, or an entry of a folder that becomes one, by its canonical name.
    File(PathBuf),
    /// A device, a pipe or an open file of a process.
    Through(PathBuf),
}

impl Outputs {
    /// Returns the outputs of a command that reads these files; `-` is standard input.
    pub fn new<'i>(inputs: impl IntoIterator<Item = &'i str>) -> Self {
        Self::with_options(inputs, ReadOptions::default())
    }

    /// Returns the outputs of a command that reads times from these files and folders.
    pub fn with_options<'i>(inputs: impl IntoIterator<Item = &'i str>, options: ReadOptions) -> Self {
        Self { inputs: inputs.into_iter().map(str::to_owned).collect(), options, taken: Vec::new() }
    }

    /// Adds an output, which is no input and no other output; `-` is standard output.
    pub fn add(&mut self, name: &str) -> Result<Output, Failure> {
        let destination = Destination::from_name(name).map_err(|error| write_failure(name, &error))?;
        self.add_destination(name, destination)
    }

    /// Adds an entry of a folder, and returns its path. A symbolic link is not followed, but replaced; anything else but a file is refused.
    pub fn add_entry(&mut self, path: &Path) -> Result<PathBuf, Failure> {
        let name = path.to_string_lossy();
        let destination = Destination::of_entry(path).map_err(|error| write_failure(&name, &error))?;
        match self.add_destination(&name, destination)?.destination {
            Destination::File(path) => Ok(path),
            Destination::StandardOutput | Destination::Through(_) => {
                Err(Failure::usage(format!("`{name}` is not a regular file: remove it")))
            }
        }
    }

    fn add_destination(&mut self, name: &str, destination: Destination) -> Result<Output, Failure> {
        if let Some(input) = self.input_at(&destination) {
            return Err(Failure::usage(format!(
                "the output {} is the input {}, whose content would be lost: choose another output",
                quoted(name, "standard output"),
                quoted(&input, "standard input")
            )));
        }
        if !matches!(destination, Destination::Through(_)) && self.taken.contains(&destination) {
            return Err(Failure::usage(format!(
                "two outputs go to {}: choose another file for one of them",
                quoted(name, "standard output")
            )));
        }
        self.taken.push(destination.clone());
        Ok(Output { name: name.to_owned(), destination })
    }

    /// Returns the input that is the same file as a destination.
    fn input_at(&self, destination: &Destination) -> Option<String> {
        let output = match destination {
            Destination::StandardOutput => regular(Handle::stdout())?,
            Destination::File(path) | Destination::Through(path) => handle(path)?,
        };
        self.inputs.iter().find_map(|input| match &**input {
            "-" => (regular(Handle::stdin())? == output).then(|| input.clone()),
            folder if Path::new(folder).is_dir() => self.entry_at(folder, destination, &output),
            file => (handle(Path::new(file))? == output).then(|| input.clone()),
        })
    }

    /// Returns the file in a folder that is the same as a destination, if its content would be read.
    fn entry_at(&self, folder: &str, destination: &Destination, output: &Handle) -> Option<String> {
        let Destination::File(path) = destination else { return None };
        if !readers::is_read_in_folders(path, &self.options) {
            return None;
        }
        let entries = WalkDir::new(folder).into_iter().filter_map(Result::ok);
        let same = |path: &Path| handle(path).is_some_and(|entry| entry == *output);
        let mut files = entries.filter(|entry| !entry.file_type().is_dir());
        files.find(|entry| same(entry.path())).map(|entry| entry.path().to_string_lossy().into_owned())
    }
}

impl Output {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes a text. If that fails, a regular file keeps its old content.
    pub fn write(&self, text: &str) -> Result<(), Failure> {
        self.write_with(false, |out| out.write_all(text.as_bytes()))
    }

    /// Writes binary data, but not to a terminal, which would execute parts of it as commands.
    pub fn write_bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.write_with(true, |out| out.write_all(bytes))
    }

    /// Writes what a function writes, while it does so.
    pub fn write_with(
        &self,
        is_binary: bool,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if is_binary && self.destination == Destination::StandardOutput && output::is_terminal() {
            return Err(Failure::usage(
                "the output is binary, and standard output is a terminal: name a file with -o, or use a pipe",
            ));
        }
        let written = match &self.destination {
            Destination::StandardOutput => return output::print_with(write),
            Destination::File(path) => replace(path, write),
            Destination::Through(path) => fs::File::create(path).and_then(|file| {
                let mut out = io::BufWriter::new(file);
                write(&mut out)?;
                out.flush()
            }),
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::Closed),
            written => written.map_err(|error| write_failure(&self.name, &error)),
        }
    }
}

impl Destination {
    fn from_name(name: &str) -> io::Result<Self> {
        if name == "-" { Ok(Self::StandardOutput) } else { Self::from_path(Path::new(name)) }
    }

    /// Follows symbolic links, whether or not they lead to an existing file.
    fn from_path(path: &Path) -> io::Result<Self> {
        let mut path = path.to_owned();
        for _ in 0..LONGEST_CHAIN {
            let kind = match fs::symlink_metadata(&path) {
                Ok(metadata) => metadata.file_type(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Self::file(&path),
                Err(error) => return Err(error),
            };
            if kind.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            } else if kind.is_file() {
                return Self::file(&path);
            } else if !kind.is_symlink() || is_open_file(&path) {
                return Ok(Self::Through(path));
            }
            path = folder(&path).join(fs::read_link(&path)?);
        }
        Err(io::Error::other("too many symbolic links"))
    }

    /// Does not follow the last symbolic link.
    fn of_entry(path: &Path) -> io::Result<Self> {
        match fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() && !found.is_symlink() => Ok(Self::Through(path.to_owned())),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Self::file(path),
        }
    }

    /// Returns a regular file by its canonical name, which is the same whichever folder it was named by.
    fn file(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        Ok(Self::File(canonical(folder(path))?.join(name)))
    }
}

/// Returns the canonical name of a folder. If it does not exist, it is created when the file is written.
fn canonical(path: &Path) -> io::Result<PathBuf> {
    match (path.canonicalize(), path.file_name()) {
        (Err(_), Some(name)) if is_absent(path) => Ok(canonical(folder(path))?.join(name)),
        (canonical, _) => canonical,
    }
}

fn is_absent(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

fn is_open_file(link: &Path) -> bool {
    folder(link)
        .canonicalize()
        .is_ok_and(|folder| OPEN_FILES.into_iter().any(|open| folder.starts_with(open)))
}

/// Returns the identity of a regular file. Nothing else is opened, because opening a pipe could block forever.
fn handle(path: &Path) -> Option<Handle> {
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    if is_file { Handle::from_path(path).ok() } else { None }
}

/// Returns the identity of a standard stream, if it is a regular file.
fn regular(stream: io::Result<Handle>) -> Option<Handle> {
    stream.ok().filter(|handle| handle.as_file().metadata().is_ok_and(|metadata| metadata.is_file()))
}

fn quoted(name: &str, stream: &str) -> String {
    if name == "-" { stream.to_owned() } else { format!("`{name}`") }
}

fn write_failure(name: &str, error: &io::Error) -> Failure {
    Failure::input(format!("cannot write `{name}`: {error}"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn destination(path: &Path) -> io::Result<Destination> {
        Destination::from_name(path.to_str().unwrap())
    }

    #[test]
    fn devices_and_open_files_are_written_through() {
        let through = |path: &str| Destination::Through(PathBuf::from(path));
        assert_eq!(destination(Path::new("/dev/null")).unwrap(), through("/dev/null"));
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        symlink("/dev/null", &link).unwrap();
        assert_eq!(destination(&link).unwrap(), through("/dev/null"));
        let opened = folder.path().join("opened");
        let file = fs::File::create(&opened).unwrap();
        let number = std::os::fd::AsRawFd::as_raw_fd(&file);
        for folder in ["/proc/self/fd", "/dev/fd"] {
            let path = format!("{folder}/{number}");
            assert!(matches!(destination(Path::new(&path)).unwrap(), Destination::Through(_)), "{path}");
        }
    }

    #[test]
    fn links_lead_to_their_target() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().canonicalize().unwrap().join(name);
        fs::create_dir(path("far")).unwrap();
        symlink(path("far"), path("folder")).unwrap();
        symlink("one", path("far/chain")).unwrap();
        symlink("folder/chain", path("link")).unwrap();
        // Whether the file is there yet or not.
        assert_eq!(destination(&path("link")).unwrap(), Destination::File(path("far/one")));
        fs::write(path("far/one"), "").unwrap();
        assert_eq!(destination(&path("link")).unwrap(), Destination::File(path("far/one")));
        symlink("circle", path("circle")).unwrap();
        assert!(destination(&path("circle")).is_err());
        assert_eq!(destination(&path("folder")).unwrap_err().kind(), io::ErrorKind::IsADirectory);
    }

    #[test]
    fn folders_that_are_missing_come_with_the_file() {
        let outer = tempfile::tempdir().unwrap();
        let path = |name: &str| outer.path().canonicalize().unwrap().join(name);
        let file = destination(&outer.path().join("new/./folder/file")).unwrap();
        assert_eq!(file, Destination::File(path("new/folder/file")));
        assert_eq!(destination(&path("new/../file")).unwrap_err().kind(), io::ErrorKind::NotFound);
        symlink("nowhere", path("link")).unwrap();
        assert_eq!(destination(&path("link/file")).unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::write(path("text"), "").unwrap();
        assert_eq!(destination(&path("text/file")).unwrap_err().kind(), io::ErrorKind::NotADirectory);
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 2, "a folder is created when it is needed");
    }
}
