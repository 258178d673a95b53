//! What earlier runs found out, as the heads of their files say it: `# taken: bcast 8 1024 own_pipeline 8192 over default 0`, or what one left
//! open.

use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use qtdec_mpi_schedule::Collective;
use qtdec_times::FORMAT;

use super::class::Run;
use super::evidence::{MOST_PAIRS, Shown, Tally};
use crate::bench::Method;

/// What the names of the files begin and end with. The date comes next, so that the last of them is the newest.
pub(super) const NAME: (&str, &str) = ("learned-", ".csv");

/// The maximum number of files that are read: the newest.
const FILES: usize = 256;

/// The maximum length of a head.
const HEAD: u64 = 1 << 22;

/// The calls of a class, on communicators of one size. Of sizes of messages, it has the largest power of two that is not larger.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Subject {
    pub(super) collective: Collective,
    pub(super) ranks: u32,
    pub(super) bytes: u64,
}

impl Subject {
    /// Returns the class of calls with so many bytes. Only barriers have one without any.
    pub(super) fn of(collective: Collective, ranks: u32, bytes: u64) -> Option<Self> {
        let bytes = if collective == Collective::Barrier { 0 } else { 1 << bytes.checked_ilog2()? };
        Some(Self { collective, ranks, bytes })
    }
}

const WORDS: usize = 8;

/// A method found to be better or worse than that which trees or the library choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) subject: Subject,
    pub(super) method: Method,
    pub(super) default: Method,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject: Subject { collective, ranks, bytes }, method, default } = self;
        let of = |method: &Method| format!("{} {}", method.name(), method.segment());
        write!(f, "{collective} {ranks} {bytes} {} over {}", of(method), of(default))
    }
}

impl Finding {
    /// Reads the words that [`Display`](fmt::Display) writes.
    fn parse(words: [&str; WORDS]) -> Option<Self> {
        let [collective, ranks, bytes, name, segment, "over", default, of_default] = words else {
            return None;
        };
        let collective = Collective::ALL.into_iter().find(|known| known.name() == collective)?;
        let method = Method::named(name, segment.parse().ok()?);
        let default = Method::named(default, of_default.parse().ok()?);
        if method != default {
            method.check(collective).ok()?;
        }
        let subject = Subject { collective, ranks: ranks.parse().ok()?, bytes: bytes.parse().ok()? };
        Some(Self { subject, method, default })
    }
}

/// What was found of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// It took the place of the default.
    Taken,
    Dropped,
    /// It was dropped after its first calls.
    Cut,
    /// It was in use while others were not decided.
    Undecided(Run),
    /// It was not decided.
    Open(Shown),
}

impl Kind {
    const KEYS: [&str; 5] = ["taken", "dropped", "cut", "undecided", "open"];

    /// Returns the line that says it of a finding.
    pub(super) fn line(&self, finding: &Finding) -> (&'static str, String) {
        match self {
            Self::Taken => ("taken", finding.to_string()),
            Self::Dropped => ("dropped", finding.to_string()),
            Self::Cut => ("cut", finding.to_string()),
            Self::Undecided(Run { calls, wait }) => ("undecided", format!("{finding} {calls} {wait}")),
            Self::Open(Shown { first, tally: Tally { faster, slower, equal, sum } }) => {
                ("open", format!("{finding} {first} {faster} {slower} {equal} {sum}"))
            }
        }
    }

    /// Reads it from one of the keys and the words after the finding.
    fn parse(key: &str, words: &[&str]) -> Option<Self> {
        match (key, words) {
            ("taken", []) => Some(Self::Taken),
            ("dropped", []) => Some(Self::Dropped),
            ("cut", []) => Some(Self::Cut),
            ("undecided", [calls, wait]) => {
                Some(Self::Undecided(Run { calls: calls.parse().ok()?, wait: wait.parse().ok()? }))
            }
            ("open", [first, tally @ ..]) => shown(first, tally).map(Self::Open),
            _ => None,
        }
    }

    fn is_decided(&self) -> bool {
        !matches!(self, Self::Undecided(_) | Self::Open(_))
    }
}

/// Reads what is known of a candidate whose test can go on.
fn shown(first: &str, tally: &[&str]) -> Option<Shown> {
    let real = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
    let [faster, slower, equal, sum] = *tally else { return None };
    let [faster, slower, equal] = [faster.parse().ok()?, slower.parse().ok()?, equal.parse().ok()?];
    let shown = Shown { first: real(first)?, tally: Tally { faster, slower, equal, sum: real(sum)? } };
    (shown.tally.pairs() < MOST_PAIRS).then_some(shown)
}

#[derive(Debug, Default)]
pub(super) struct Beginnings {
    /// Of each subject, those of the newest file that has it come last.
    findings: Vec<(Finding, Kind)>,
    /// The lines that were read, which ranks must have in common.
    pub(super) lines: Vec<String>,
    pub(super) files: Vec<String>,
}

impl Beginnings {
    /// Reads the heads of the newest files of a folder, which need not exist.
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let failed = |path: &Path, error: &dyn fmt::Display| format!("{}: {error}", path.display());
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            entries => entries.map_err(|error| failed(folder, &error))?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let name =
                entry.map_err(|error| failed(folder, &error))?.file_name().to_string_lossy().into_owned();
            if name.starts_with(NAME.0) && name.ends_with(NAME.1) {
                names.push(name);
            }
        }
        names.sort();
        let mut all = Self::default();
        for name in &names[names.len().saturating_sub(FILES)..] {
            let path = folder.join(name);
            all.add(&path).map_err(|error| {
                format!(
                    "{}: {error}: remove the file, which another run of the program did not write",
                    path.display()
                )
            })?;
        }
        all.files = names.split_off(names.len().saturating_sub(FILES));
        Ok(all)
    }

    fn add(&mut self, path: &Path) -> Result<(), String> {
        if !fs::metadata(path).map_err(|error| error.to_string())?.is_file() {
            return Err("it is not a regular file".to_owned());
        }
        let file = File::open(path).map_err(|error| error.to_string())?;
        let mut lines = BufReader::new(file.take(HEAD)).lines();
        let first = lines.next().transpose().map_err(|error| error.to_string())?;
        if first.as_deref() != Some(&format!("# {FORMAT}")) {
            return Err(format!("its first line is not `# {FORMAT}`"));
        }
        let mut findings = Vec::new();
        for line in lines {
            let line = line.map_err(|error| error.to_string())?;
            let Some(line) = line.strip_prefix("# ") else { break };
            let Some((key, text)) = line.split_once(": ") else { continue };
            if !Kind::KEYS.contains(&key) {
                continue;
            }
            let words: Vec<&str> = text.split(' ').collect();
            let read = words
                .split_first_chunk()
                .and_then(|(finding, words)| Some((Finding::parse(*finding)?, Kind::parse(key, words)?)));
            findings.push(read.ok_or_else(|| format!("`{line}` is not understood"))?);
            self.lines.push(line.to_owned());
        }
        let is_newer = |known: &Finding| findings.iter().any(|(new, _)| new.subject == known.subject);
        self.findings.retain(|(known, _)| !is_newer(known));
        self.findings.extend(findings);
        Ok(())
    }

    /// Returns the classes of which something was found.
    pub(super) fn subjects(&self) -> impl Iterator<Item = &Subject> {
        self.findings.iter().map(|(finding, _)| &finding.subject)
    }

    /// Returns what was found of methods for a subject. What is decided counts for another default too, such as a tree made of it, if that was compared.
    pub(super) fn of(&self, subject: &Subject, default: &Method) -> Vec<(&Method, Kind)> {
        let of_subject = || self.findings.iter().filter(|(known, _)| known.subject == *subject);
        let has_default = |(known, _): &&(Finding, Kind)| known.default == *default;
        let compared = |(known, kind): &&(Finding, Kind)| known.method == *default && kind.is_decided();
        let Some((first, _)) = of_subject().find(has_default).or_else(|| of_subject().find(compared)) else {
            return Vec::new();
        };
        let group = of_subject().filter(|(known, _)| known.default == first.default);
        let mut found: Vec<_> = group.map(|(known, kind)| (&known.method, *kind)).collect();
        if first.default != *default {
            let is_in_use = found.iter().all(|(_, kind)| *kind != Kind::Taken);
            found.push((&first.default, if is_in_use { Kind::Taken } else { Kind::Dropped }));
            found.retain(|(method, kind)| *method != default && kind.is_decided());
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: &str = "default";

    fn subject() -> Subject {
        Subject { collective: Collective::Bcast, ranks: 8, bytes: 1024 }
    }

    #[test]
    fn the_newest_file_of_a_subject_counts() {
        let folder = tempfile::tempdir().unwrap();
        let read = || Beginnings::read(folder.path());
        let default = Method::named(DEFAULT, 0);
        assert!(Beginnings::read(&folder.path().join("none")).unwrap().lines.is_empty());
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let old = "# qtdec-times/1\n# taken: bcast 8 1024 own_linear 0 over default 0\n\
                   # taken: bcast 16 1024 own_linear 0 over default 0\ncomm_size\n";
        write("learned-2026-01-01-a.csv", old);
        write(
            "learned-2026-01-02-b.csv",
            "# qtdec-times/1\n# machine: m\n# taken: bcast 8 1024 own_pipeline 8192 over default 0\n\
             # cut: bcast 8 1024 own_linear 0 over default 0\n",
        );
        write("other.csv", "anything");
        let all = read().unwrap();
        let found = all.of(&subject(), &default);
        let expected = [("own_pipeline/8192", Kind::Taken), ("own_linear", Kind::Cut)];
        assert_eq!(
            found.iter().map(|(method, kind)| (method.label(), *kind)).collect::<Vec<_>>(),
            expected.map(|(label, kind)| (label.to_owned(), kind))
        );
        assert_eq!(all.of(&subject(), &Method::named("own_binary", 0)), []);
        assert_eq!(all.of(&Subject { ranks: 16, ..subject() }, &default).len(), 1);
        assert_eq!(all.lines.len(), 4);
        assert_eq!(all.files, ["learned-2026-01-01-a.csv", "learned-2026-01-02-b.csv"]);
        // A tree made of it chooses what had taken over, or what was slower.
        let [pipeline, linear] = [Method::named("own_pipeline", 8192), Method::named("own_linear", 0)];
        assert_eq!(all.of(&subject(), &pipeline), [(&linear, Kind::Cut), (&default, Kind::Dropped)]);
        assert_eq!(all.of(&subject(), &linear), [(&pipeline, Kind::Taken), (&default, Kind::Dropped)]);
    }

    #[test]
    fn one_of_two_runs_that_began_with_the_same_is_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let default = Method::named(DEFAULT, 0);
        let write = |name: &str, faster: u32| {
            let text = format!(
                "# qtdec-times/1\n# open: bcast 8 1024 own_linear 0 over default 0 0.5 {faster} 1 0 0.5\n\
                 # undecided: bcast 8 1024 default 0 over default 0 3 0\n"
            );
            fs::write(folder.path().join(name), text).unwrap();
        };
        for (name, faster) in [("learned-1.csv", 3), ("learned-2-a.csv", 5), ("learned-2-b.csv", 4)] {
            write(name, faster);
        }
        let all = Beginnings::read(folder.path()).unwrap();
        let tally = Tally { faster: 4, slower: 1, equal: 0, sum: 0.5 };
        let [linear, run] = [Method::named("own_linear", 0), default.clone()];
        let left = Kind::Open(Shown { first: 0.5, tally });
        let of_run = Kind::Undecided(Run { calls: 3, wait: 0 });
        assert_eq!(all.of(&subject(), &default), [(&linear, left), (&run, of_run)]);
        // Nothing was found for a tree that chooses what was being compared.
        assert_eq!(all.of(&subject(), &linear), []);
    }

    #[test]
    fn files_of_others_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("learned-1.csv");
        for (text, expected) in [
            ("comm_size,time\n", "learned-1.csv: its first line is not `# qtdec-times/1`: remove the file"),
            (
                "# qtdec-times/1\n# taken: bcast 8 1024 own_pipline 0 over default 0\n",
                "`taken: bcast 8 1024 own_pipline 0 over default 0` is not understood",
            ),
            (
                "# qtdec-times/1\n# open: bcast 8 1024 own_linear 0 over default 0 inf 0 0 0 0\n",
                "`open: bcast 8 1024 own_linear 0 over default 0 inf 0 0 0 0` is not understood",
            ),
            (
                "# qtdec-times/1\n# open: bcast 8 1024 own_linear 0 over default 0 0 4294967295 0 0 0\n",
                "4294967295 0 0 0` is not understood",
            ),
        ] {
            fs::write(&path, text).unwrap();
            let refused = Beginnings::read(folder.path()).unwrap_err();
            assert!(refused.contains(expected), "{refused}");
        }
        assert!(Beginnings::read(&path).unwrap_err().contains("Not a directory"));
    }

    #[test]
    fn findings_are_read_as_they_are_written() {
        let finding = Finding {
            subject: subject(),
            method: Method::named("own_pipeline", 8192),
            default: Method::named("own_two_level:inter=binomial/8192:intra=linear", 0),
        };
        let tally = Tally { faster: 3, slower: 1, equal: 0, sum: 0.1 + 0.2 };
        let kinds = [
            Kind::Taken,
            Kind::Dropped,
            Kind::Cut,
            Kind::Undecided(Run { calls: 3, wait: 1 }),
            Kind::Open(Shown { first: -0.125, tally }),
        ];
        let folder = tempfile::tempdir().unwrap();
        let lines = kinds.map(|kind| {
            let (key, line) = kind.line(&finding);
            format!("# {key}: {line}\n")
        });
        fs::write(folder.path().join("learned-1.csv"), format!("# {FORMAT}\n{}", lines.concat())).unwrap();
        let read = Beginnings::read(folder.path()).unwrap();
        assert_eq!(read.findings, kinds.map(|kind| (finding.clone(), kind)));
    }
}
