//! Queries for the engine's own reader and lookups, and its answers.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::engines::probe::answers;
use xtask::files;
use xtask::run::{root, target};

/// The queries for the engine, and the expected answers.
pub(super) struct Script<'f> {
    folder: &'f Path,
    commands: String,
    expected: Vec<String>,
    files: usize,
}

impl<'f> Script<'f> {
    pub(super) fn new(folder: &'f Path) -> Self {
        Self { folder, commands: String::new(), expected: Vec::new(), files: 0 }
    }

    /// Returns the number of queries so far.
    pub(super) fn questions(&self) -> u64 {
        self.expected.len() as u64
    }

    pub(super) fn file(&mut self, bytes: &[u8], accepted: bool) -> Result<(), String> {
        let path = self.folder.join(self.files.to_string());
        files::write(&path, bytes)?;
        let _ = writeln!(self.commands, "file {}", path.display());
        self.expected.push(u8::from(accepted).to_string());
        self.files += 1;
        Ok(())
    }

    pub(super) fn ask(&mut self, collective: u8, ranks: u64, size: u64, expected: (u64, u64, u64)) {
        self.expect(collective, ranks, size, &format!("{} {} {}", expected.0, expected.1, expected.2));
    }

    pub(super) fn expect(&mut self, collective: u8, ranks: u64, size: u64, answer: &str) {
        let _ = writeln!(self.commands, "ask {collective} {ranks} {size}");
        self.expected.push(answer.to_owned());
    }

    pub(super) fn run(self, component: &Path) -> Result<(), String> {
        let mut probe = Command::new("timeout");
        probe.args(["300", "python3"]).arg(root().join("lab/engines/src/engines/open_mpi.py")).arg(component);
        let answers = answers(&mut probe, &self.commands, self.expected.len())?;
        let mut file = String::new();
        for ((command, expected), answer) in self.commands.lines().zip(&self.expected).zip(&answers) {
            if command.starts_with("file") {
                command.clone_into(&mut file);
            }
            if expected != answer {
                let kept = target().join("engine-disagrees.conf");
                let _ = fs::copy(file.trim_start_matches("file "), &kept);
                return Err(format!(
                    "{command}: the engine says {answer}, not {expected} (the file is kept as {})",
                    kept.display()
                ));
            }
        }
        Ok(())
    }
}
