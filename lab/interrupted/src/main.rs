//! Commands that are killed while they write, or whose disk is full: a file must have either its old or its new content.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use qtdec_testkit::maps::{Pattern, Plan, TestRng};

use xtask::files;
use xtask::outcome::{Outcome, report};
use xtask::run::{build, target};

/// Kill commands while they write, and let them run out of disk space
#[derive(Clone, Copy, Debug, Parser)]
#[command(name = "cargo xtask interrupted")]
struct Arguments {
    /// Kill this many commands
    #[arg(long, default_value_t = 1000)]
    kills: u64,

    /// Run this many commands out of disk space
    #[arg(long, default_value_t = 100)]
    full_disks: u64,
}

/// Commands that write `out` from a map in the same folder.
const COMMANDS: [&[&str]; 4] = [
    &["encode", "map.json", "-o", "out"],
    &["emit", "map.json", "--target", "rust", "-o", "out"],
    &["emit", "map.json", "--target", "lookup-table", "-o", "out"],
    &["emit", "map.json", "--target", "c", "-o", "out"],
];

/// The previous content of the file.
const OLD: &[u8] = b"what stood here before";

fn main() -> ExitCode {
    xtask::outcome::end_with_the_reader();
    report(interrupted(Arguments::parse()))
}

/// Interrupts commands, and checks the files that they leave.
fn interrupted(arguments: Arguments) -> Result<Outcome, String> {
    let built = build(&["--bin", "qtdec"]).status();
    if !built.is_ok_and(|status| status.success()) {
        return Err("the command cannot be built".to_owned());
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let map = Plan { costs: true, ..Plan::new(&[24, 24], Pattern::Noise, 1) }.map();
    files::write(folder.path().join("map.json"), map.to_json())?;
    let mut rng = TestRng(arguments.kills);
    let written = COMMANDS.map(|command| Written::new(folder.path(), command));
    let written = written.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (mut old, mut new) = (0, 0);
    for number in 0..arguments.kills {
        let written = &written[number as usize % written.len()];
        let is_new = written.killed(&mut rng)?;
        *(if is_new { &mut new } else { &mut old }) += 1;
    }
    for number in 0..arguments.full_disks {
        written[number as usize % written.len()].without_room(&mut rng)?;
    }
    Ok(Outcome::Held(format!(
        "{} kills left the old content {old} times and the new {new} times; {} commands without room left the old",
        arguments.kills, arguments.full_disks
    )))
}

/// The output of an uninterrupted command.
struct Written {
    folder: PathBuf,
    command: &'static [&'static str],
    new: Vec<u8>,
    duration: Duration,
}

impl Written {
    fn new(folder: &Path, command: &'static [&'static str]) -> Result<Self, String> {
        let began = Instant::now();
        let status = qtdec(folder, command).status().map_err(|error| error.to_string())?;
        let duration = began.elapsed();
        let new = files::bytes(folder.join("out"))?;
        if !status.success() {
            return Err(format!("qtdec {} does not run", command.join(" ")));
        }
        Ok(Self { folder: folder.to_owned(), command, new, duration })
    }

    /// Kills the command at a random moment, usually near its end, when it writes. Returns whether the content is
    /// the new one.
    fn killed(&self, rng: &mut TestRng) -> Result<bool, String> {
        self.reset()?;
        let mut child = qtdec(&self.folder, self.command).spawn().map_err(|error| error.to_string())?;
        let whole = self.duration.as_micros() as u64;
        let moment = if rng.below(3) == 0 { rng.below(whole) } else { whole - rng.below(whole / 4) };
        thread::sleep(Duration::from_micros(moment));
        let _ = child.kill();
        child.wait().map_err(|error| error.to_string())?;
        match fs::read(self.folder.join("out")) {
            Ok(found) if found == OLD => Ok(false),
            Ok(found) if found == self.new => Ok(true),
            other => Err(self.damaged(&format!("killed after {moment} µs"), other.ok())),
        }
    }

    /// Runs the command with a file size limit below the size of its output.
    fn without_room(&self, rng: &mut TestRng) -> Result<(), String> {
        self.reset()?;
        let blocks = rng.below((self.new.len() as u64 - 1) / 512 + 1);
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut run = Command::new("sh");
        run.args(["-c", &script]).arg(program()).args(self.command).current_dir(&self.folder);
        let status = run.stderr(Stdio::null()).status().map_err(|error| error.to_string())?;
        let found = fs::read(self.folder.join("out")).ok();
        let left = fs::read_dir(&self.folder).map_err(|error| error.to_string())?.flatten();
        let is_temporary = |name: &str| name.starts_with(".qtdec-");
        let left = left.filter(|entry| is_temporary(&entry.file_name().to_string_lossy())).count();
        if status.code() != Some(1) || found.as_deref() != Some(OLD) || left > 0 {
            return Err(
                self.damaged(&format!("with room for {blocks} blocks, {status}, {left} left over"), found)
            );
        }
        let mut full = qtdec(&self.folder, &self.command[..self.command.len() - 1]);
        let status = full.arg("/dev/full").status().map_err(|error| error.to_string())?;
        if status.code() == Some(1) { Ok(()) } else { Err(self.damaged("at /dev/full", None)) }
    }

    /// Restores the old content, and removes what killed commands left.
    fn reset(&self) -> Result<(), String> {
        for entry in fs::read_dir(&self.folder).map_err(|error| error.to_string())?.flatten() {
            if entry.file_name() != "map.json" {
                fs::remove_file(entry.path()).map_err(|error| error.to_string())?;
            }
        }
        files::write(self.folder.join("out"), OLD)
    }

    fn damaged(&self, how: &str, found: Option<Vec<u8>>) -> String {
        let found = found.map_or_else(|| "no file".to_owned(), |found| format!("{} bytes", found.len()));
        format!(
            "qtdec {} {how}: {found}, where the new content has {}",
            self.command.join(" "),
            self.new.len()
        )
    }
}

fn program() -> PathBuf {
    target().join("debug/qtdec")
}

fn qtdec(folder: &Path, command: &[&str]) -> Command {
    let mut run = Command::new(program());
    run.args(command).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    run
}
