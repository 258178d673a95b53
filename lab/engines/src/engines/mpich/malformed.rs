//! Malformed selection files, and the way in which the reader of MPICH 4.0 handles them.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use qtdec_mpi_library::catalogue::{Library, Release, SizeUnit, mpich};
use qtdec_mpi_library::tuning::{Format, Job, Severity, find_format};
use qtdec_testkit::maps::TestRng;

use crate::engines::probe::answers;
use crate::engines::started::succeed;
use xtask::files;
use xtask::run::{root, target};

/// The number of files.
const MUTATIONS: usize = 5_000;

/// The release in Debian.
const RELEASE: Release = Release::new(4, 0);

/// The queries for the probe, and the expected answers.
#[derive(Default)]
struct Questions {
    commands: String,
    expected: Vec<Expected>,
}

enum Expected {
    /// A file: whether it is accepted, and whether it is text that only MPICH accepts as JSON.
    Loads { accepted: bool, is_json: bool },
    /// A call: the function, if the rules lead to one.
    Runs(Option<String>),
    /// The number of a function.
    Number(String),
}

/// Compares the check with the reader for malformed files, and returns a summary.
pub(super) fn compare(folder: &Path) -> Result<String, String> {
    let probe = folder.join("probe");
    let source = root().join("lab/engines/src/engines/mpich_probe.c");
    succeed(Command::new("cc").args(["-O1", "-o"]).arg(&probe).arg(source).arg("-l:libmpich.a"))?;
    let format = find_format("mpich").ok_or("there is no such form")?;
    let mut questions = Questions::default();
    for collective in Library::Mpich.collectives() {
        for algorithm in collective.algorithms.iter().filter(|algorithm| algorithm.is_in(Some(RELEASE))) {
            questions.name(mpich::function(collective.name, algorithm.name));
        }
    }
    let texts = sources()?;
    let mut chance = TestRng(7);
    for number in 0..MUTATIONS {
        let text = &texts[chance.below(texts.len() as u64) as usize];
        let mut bytes =
            if number < texts.len() { texts[number].clone() } else { mutated_bytes(text, &mut chance) };
        // Here the library writes outside its memory with undefined results, so it must not be called.
        let is_chance = |bytes: &[u8]| {
            let findings = format.check(bytes, Some(RELEASE));
            findings
                .iter()
                .any(|finding| finding.problem.message.to_string().contains("writes outside of its memory"))
        };
        while is_chance(&bytes) {
            bytes = mutated_bytes(text, &mut chance);
        }
        let path = folder.join(format!("malformed-{number}.json"));
        files::write(&path, &bytes)?;
        questions.file(&path, &bytes, format, &mut chance);
    }
    questions.ask(&probe)
}

/// Returns the files to modify: a complete one, and one with every kind of condition.
fn sources() -> Result<Vec<Vec<u8>>, String> {
    let whole = fs::read(root().join("tests/commands/tests/commands.in/whole.json"));
    let conditions = fs::read(root().join("lab/engines/src/engines/mpich/conditions.json"));
    [whole, conditions].into_iter().map(|text| text.map_err(|error| error.to_string())).collect()
}

impl Questions {
    fn name(&mut self, function: String) {
        writeln!(self.commands, "name {function}").expect("writing to a string cannot fail");
        self.expected.push(Expected::Number(function));
    }

    fn file(&mut self, path: &Path, bytes: &[u8], format: &Format, chance: &mut TestRng) {
        let findings = format.check(bytes, Some(RELEASE));
        let accepted = findings.iter().all(|finding| finding.severity != Severity::Dropped);
        let is_json = serde_json::from_slice::<serde_json::Value>(bytes).is_ok();
        writeln!(self.commands, "file {}", path.display()).expect("writing to a string cannot fail");
        self.expected.push(Expected::Loads { accepted, is_json });
        if !accepted {
            return;
        }
        for _ in 0..6 {
            let known = &Library::Mpich.collectives()[chance.below(12) as usize];
            let ranks_per_node = [1, 4][chance.below(2) as usize];
            // The last node may be filled in part.
            let most_ranks = [4, 40, 40][chance.below(3) as usize];
            let ranks = 1 + chance.below(most_ranks);
            let most = [40, 40_000][chance.below(2) as usize];
            let count = chance.below(most);
            // Files with repeated keys are not read, and some have limits that no map has.
            let Ok(selection) = format.read(bytes, Job { ranks_per_node }) else { continue };
            // The program has no arguments for it.
            if known.name == "alltoallv" {
                continue;
            }
            let size = match known.unit {
                SizeUnit::TimesRanks | SizeUnit::Total => count * ranks,
                _ => count,
            };
            let name = selection.decide(known.name, ranks, size).name;
            let function = name.map(|name| {
                let name = name.split(':').next().unwrap_or_default();
                if name.starts_with("MPIR_") { name.to_owned() } else { mpich::function(known.name, name) }
            });
            writeln!(self.commands, "ask {} {ranks} {ranks_per_node} {count}", known.name)
                .expect("writing to a string cannot fail");
            self.expected.push(Expected::Runs(function));
        }
    }

    fn ask(self, probe: &Path) -> Result<String, String> {
        let mut command = Command::new("timeout");
        // Memory that the reader fails to initialise must not be zero by chance.
        command.arg("300").arg(probe).env("MALLOC_PERTURB_", "165");
        let answers = answers(&mut command, &self.commands, self.expected.len())?;
        let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
        self.judge(&answers)
    }

    fn judge(&self, answers: &[&str]) -> Result<String, String> {
        let mut numbers: HashMap<&str, &str> = HashMap::new();
        let mut file = "";
        let (mut accepted_files, mut refused, mut lenient, mut decisions) = (0, 0, 0, 0);
        for ((command, expected), answer) in self.commands.lines().zip(&self.expected).zip(answers) {
            let disagree = |expected: String| {
                let kept = target().join("engine-disagrees.json");
                let _ = fs::copy(file.trim_start_matches("file "), &kept);
                format!(
                    "{command}: MPICH says {answer}, not {expected} (the file is kept as {})",
                    kept.display()
                )
            };
            match expected {
                Expected::Number(function) => {
                    numbers.insert(function, answer);
                }
                Expected::Loads { accepted, is_json } => {
                    file = command;
                    let disagree = |accepted: bool| {
                        let kept = target().join("engine-disagrees.json");
                        let _ = fs::copy(file.trim_start_matches("file "), &kept);
                        format!("{command}: MPICH says {answer}, not {accepted} ({})", kept.display())
                    };
                    match (*accepted, *answer == "1") {
                        (true, true) => accepted_files += 1,
                        (false, false) => refused += 1,
                        (false, true) if !is_json => lenient += 1,
                        (accepted, _) => return Err(disagree(accepted)),
                    }
                }
                Expected::Runs(function) => {
                    decisions += 1;
                    let number = function.as_deref().map(|function| numbers.get(function).copied());
                    let is_right = match number {
                        // If the rules lead to nothing, MPICH finds no function or aborts.
                        None => ["-1", "dies"].contains(answer),
                        Some(Some(number)) => number == *answer,
                        // The functions for intercommunicators and of other collectives have no number here.
                        Some(None) => *answer != "-1" && *answer != "dies",
                    };
                    if !is_right {
                        return Err(disagree(format!("{function:?}")));
                    }
                }
            }
        }
        Ok(format!(
            "of {MUTATIONS} mutated files, {accepted_files} are accepted and {refused} refused as predicted, with {decisions} \
             equal decisions; {lenient} more are not JSON but are accepted by MPICH"
        ))
    }
}

fn mutated_bytes(text: &[u8], chance: &mut TestRng) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=chance.below(2) {
        let at = chance.below(bytes.len() as u64) as usize;
        let quoted: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'"').collect();
        let key = |turn: u64| {
            let from = *quoted.get(turn as usize & !1)?;
            Some(from..quoted.get((turn as usize & !1) + 1)? + 1)
        };
        let keys = quoted.len().max(2) as u64;
        match chance.below(12) {
            0 => bytes[at] = chance.below(256) as u8,
            1 => bytes.insert(at, b"0123456789"[chance.below(10) as usize]),
            2 => drop(bytes.remove(at)),
            3 => bytes.truncate(at.max(1)),
            4 => bytes.insert(at, b" {}<=,:\""[chance.below(8) as usize]),
            // Replace a key by another.
            5..=7 => {
                let (Some(from), Some(to)) = (key(chance.below(keys)), key(chance.below(keys))) else {
                    continue;
                };
                let piece = bytes[from].to_vec();
                drop(bytes.splice(to, piece));
            }
            // Change a letter of a key.
            8 => {
                let Some(range) = key(chance.below(keys)) else { continue };
                let at = range.start + chance.below(range.len() as u64) as usize;
                bytes[at] = b"aeinoprstx_=<0123 "[chance.below(18) as usize];
            }
            // Replace an object by an empty one, or by a value that is not an object.
            9 => {
                let opened = bytes.iter().skip(at).position(|byte| *byte == b'{').map(|more| at + more);
                let Some(from) = opened else { continue };
                let mut depth = 0_usize;
                let closed = bytes.iter().skip(from).position(|byte| {
                    match byte {
                        b'{' => depth += 1,
                        b'}' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    depth == 0
                });
                let Some(length) = closed else { continue };
                let value: &[u8] = [&b"{}"[..], b"3", b"[]", b"null", b"\"x\""][chance.below(5) as usize];
                drop(bytes.splice(from..=from + length, value.iter().copied()));
            }
            10 => {
                let digits = bytes.iter().skip(at).position(u8::is_ascii_digit).map(|more| at + more);
                let Some(at) = digits else { continue };
                let number: &[u8] =
                    [&b"99999999999999999999"[..], b"4294967298", b"-", b"x", b""][chance.below(5) as usize];
                drop(bytes.splice(at..=at, number.iter().copied()));
            }
            _ => {
                let piece = bytes[at..(at + 12).min(bytes.len())].to_vec();
                let to = chance.below(bytes.len() as u64) as usize;
                bytes.splice(to..to, piece);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'\n');
        }
    }
    bytes
}
