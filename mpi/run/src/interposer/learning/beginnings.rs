//! What earlier runs found out, as the heads of their files say it: `# taken: bcast 8 1024 own_pipeline 8192 over default 0`.

use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use qtdec_mpi_schedule::Collective;
use qtdec_times::FORMAT;

use crate::bench::Method;

/// What the names of the files begin and end with. The date comes next, so that the last of them is the newest.
pub(super) const NAME: (&str, &str) = ("learned-", ".csv");

/// The maximum number of files that are read: the newest.
const FILES: usize = 256;

/// The maximum length of a head.
const HEAD: u64 = 1 << 22;

/// The keys of the lines.
pub(super) const TAKEN: &str = "taken";
pub(super) const DROPPED: &str = "dropped";
pub(super) const CUT: &str = "cut";

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
    /// Reads what [`Display`](fmt::Display) writes.
    fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split(' ').collect();
        let [collective, ranks, bytes, name, segment, "over", default, of_default] = words[..] else {
            return None;
        };
        let collective = Collective::ALL.into_iter().find(|known| known.name() == collective)?;
        let method = Method::named(name, segment.parse().ok()?);
        method.check(collective).ok()?;
        let default = Method::named(default, of_default.parse().ok()?);
        let subject = Subject { collective, ranks: ranks.parse().ok()?, bytes: bytes.parse().ok()? };
        Some(Self { subject, method, default })
    }
}

/// What was found of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It took the place of the default.
    Taken,
    Dropped,
    /// It was dropped after its first calls.
    Cut,
}

impl Kind {
    fn of_key(key: &str) -> Option<Self> {
        match key {
            TAKEN => Some(Self::Taken),
            DROPPED => Some(Self::Dropped),
            CUT => Some(Self::Cut),
            _ => None,
        }
    }
}

/// What a run begins with.
#[derive(Debug, Default)]
pub(super) struct Beginnings {
    /// Of each subject, those of the newest file that has it come last.
    findings: Vec<(Finding, Kind)>,
    /// The lines that were read, which ranks must have in common.
    pub(super) lines: Vec<String>,
    /// The names of the files.
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
            let Some((key, finding)) = line.split_once(": ") else { continue };
            let Some(kind) = Kind::of_key(key) else { continue };
            let finding = Finding::parse(finding).ok_or_else(|| format!("`{line}` is not understood"))?;
            findings.push((finding, kind));
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

    /// Returns what was found of methods for a subject. It counts for another default too, such as a tree made of it, if that was compared.
    pub(super) fn of(&self, subject: &Subject, default: &Method) -> Vec<(&Method, Kind)> {
        let of_subject = || self.findings.iter().filter(|(known, _)| known.subject == *subject);
        let has_default = |(known, _): &&(Finding, Kind)| known.default == *default;
        let compared = |(known, _): &&(Finding, Kind)| known.method == *default;
        let Some((first, _)) = of_subject().find(has_default).or_else(|| of_subject().find(compared)) else {
            return Vec::new();
        };
        let group = of_subject().filter(|(known, _)| known.default == first.default);
        let mut found: Vec<_> = group.map(|(known, kind)| (&known.method, *kind)).collect();
        if first.default != *default {
            let is_in_use = found.iter().all(|(_, kind)| *kind != Kind::Taken);
            found.push((&first.default, if is_in_use { Kind::Taken } else { Kind::Dropped }));
            found.retain(|(method, _)| *method != default);
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
    fn files_of_others_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("learned-1.csv");
        for (text, expected) in [
            ("comm_size,time\n", "learned-1.csv: its first line is not `# qtdec-times/1`: remove the file"),
            (
                "# qtdec-times/1\n# taken: bcast 8 1024 own_pipline 0 over default 0\n",
                "`taken: bcast 8 1024 own_pipline 0 over default 0` is not understood",
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
        assert_eq!(Finding::parse(&finding.to_string()), Some(finding));
    }
}
