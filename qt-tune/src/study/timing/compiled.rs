//! Decision functions that are compiled: into a program of their own, which is asked for one round at a time.

mod fault;
mod source;

use std::cell::RefCell;
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use qtdec_core::DecisionTree;
use qtdec_core::code::Layout;
use tempfile::TempDir;

use super::turns::Round;
pub use fault::Fault;
use source::Source;

/// A program of decision functions, which runs.
#[derive(Debug)]
pub struct Compiled {
    child: Child,
    /// Open until the end.
    asks: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// What the decisions of each function add up to, for each set of queries.
    sums: Vec<Vec<u64>>,
    /// Its files, which go when it has ended.
    _folder: TempDir,
}

impl Compiled {
    /// Compiles a function for each tree and layout, and starts the program. All trees are of one domain, whose axes are
    /// sizes; every set of queries is of that domain too.
    ///
    /// Which of the functions there are is told: no table is made where it would be too large.
    ///
    /// # Errors
    ///
    /// A compiler that cannot be run or that fails, and what cannot be written as a function.
    pub fn build(
        rustc: &OsStr,
        functions: &[(&DecisionTree, Layout)],
        asked: &[&[Vec<u64>]],
    ) -> Result<(Self, Vec<bool>), Fault> {
        let folder = tempfile::tempdir().map_err(Fault::Files)?;
        let Source { text, sums, written } = Source::of(functions, asked)?;
        let (source, binary) =
            (folder.path().join("program.rs"), folder.path().join(format!("program{EXE_SUFFIX}")));
        fs::write(&source, text).map_err(Fault::Files)?;
        compile(rustc, &source, &binary)?;
        let mut command = Command::new(&binary);
        for (number, queries) in asked.iter().enumerate() {
            let file = folder.path().join(number.to_string());
            let bytes: Vec<u8> = queries.iter().flatten().flat_map(|size| size.to_ne_bytes()).collect();
            fs::write(&file, bytes).map_err(Fault::Files)?;
            command.arg(file);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(Fault::Files)?;
        let no_pipe = || Fault::Files(io::Error::other("its answers cannot be read"));
        let answers = BufReader::new(child.stdout.take().ok_or_else(no_pipe)?);
        let asks = child.stdin.take();
        Ok((Self { child, asks, answers, sums, _folder: folder }, written))
    }

    /// One round of a function on a set of queries, in the order of those that were written.
    ///
    /// # Errors
    ///
    /// A program that does not answer, or decides otherwise than the tree.
    fn round(&mut self, function: usize, asked: usize) -> Result<f64, String> {
        let mut answer = String::new();
        let told = |error: io::Error| format!("the compiled program does not answer: {error}");
        if let Some(asks) = &mut self.asks {
            writeln!(asks, "{function} {asked}").map_err(told)?;
        }
        self.answers.read_line(&mut answer).map_err(told)?;
        let read = || {
            let (nanoseconds, sum) = answer.trim().split_once(' ')?;
            Some((nanoseconds.parse::<f64>().ok()?, sum.parse::<u64>().ok()?))
        };
        let (nanoseconds, sum) = read().ok_or_else(|| "the compiled program has ended".to_owned())?;
        if sum != self.sums[function][asked] {
            return Err("a compiled function decides otherwise than its tree".to_owned());
        }
        Ok(nanoseconds)
    }
}

/// One function of a program on one set of queries, again and again.
pub fn round(program: &RefCell<Compiled>, function: usize, asked: usize) -> Round<'_> {
    Box::new(move || program.borrow_mut().round(function, asked))
}

impl Drop for Compiled {
    fn drop(&mut self) {
        // Without input it ends by itself.
        drop(self.asks.take());
        let _ = self.child.wait();
    }
}

fn compile(rustc: &OsStr, source: &Path, binary: &Path) -> Result<(), Fault> {
    let mut command = Command::new(rustc);
    command
        .args(["--edition=2024", "-Copt-level=3", "-Ccodegen-units=1", "--cap-lints=allow", "-o"])
        .arg(binary)
        .arg(source)
        .stdin(Stdio::null());
    let output = command.output().map_err(|error| Fault::NoCompiler(rustc.to_owned(), error))?;
    if output.status.success() {
        return Ok(());
    }
    Err(Fault::NotCompiled(String::from_utf8_lossy(&output.stderr).into_owned()))
}
