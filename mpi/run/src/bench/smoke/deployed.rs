//! The files of a deployment: whether the library that runs obeys them, as `qtdec-mpi check` knows, and whether it is told to read them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use qtdec_mpi_library::catalogue::{Library, Release};
use qtdec_mpi_library::tuning::finding::line;
use qtdec_mpi_library::tuning::provenance::release_in;
use qtdec_mpi_library::tuning::{self, Format, Job, Selection, Severity};

/// Returns the rules of the first file, after all of them were checked for a library, which is named with its release; or why the library would not obey a file.
pub(super) fn selection(files: &[PathBuf], version: &str) -> Result<Box<dyn Selection>, String> {
    let mut rules = None;
    for file in files {
        let (name, bytes) = (file.display(), fs::read(file));
        let bytes = bytes.map_err(|error| format!("{name} cannot be read where ranks run: {error}"))?;
        let format = format_of(file, &bytes).ok_or_else(|| format!("{name} is not a tuning file"))?;
        check(format, &bytes, version).map_err(|reason| format!("{name}: {reason}"))?;
        check_environment(file, format, &bytes)?;
        if rules.is_none() {
            rules =
                Some(format.read(&bytes, Job::default()).map_err(|problems| format!("{name}: {problems}"))?);
        }
    }
    rules.ok_or_else(|| "there is no tuning file".to_owned())
}

/// Returns the format of a file, which is its name where `qtdec-mpi tune` wrote it.
fn format_of(file: &Path, bytes: &[u8]) -> Option<&'static Format> {
    let named = file.file_stem().and_then(OsStr::to_str).and_then(tuning::find_format);
    named.or_else(|| tuning::detect(bytes))
}

/// Checks a file for the library that runs.
fn check(format: &Format, bytes: &[u8], version: &str) -> Result<(), String> {
    let name = format.library.name();
    if library_of(version).is_some_and(|library| library != format.library) {
        return Err(format!("it is for {name}, and the ranks run with {version}"));
    }
    let release = release_in(version);
    let series = release.map(Release::series);
    let of_release = series.filter(|release| !format.releases.contains(release)).and_then(|release| {
        let mut formats = tuning::formats().iter();
        formats.find(|other| other.library == format.library && other.releases.contains(&release))
    });
    if let Some(other) = of_release {
        return Err(format!(
            "it has the format {}, and {version} reads the format {}",
            format.name, other.name
        ));
    }
    let findings = format.check(bytes, release);
    let worst = findings
        .iter()
        .filter(|finding| finding.severity >= Severity::Wrong)
        .rev()
        .max_by_key(|finding| finding.severity);
    worst.map_or(Ok(()), |finding| {
        let line =
            line(&finding.problem.place, bytes).map_or_else(String::new, |line| format!("line {line}: "));
        Err(format!("{line}{} ({version})", finding.problem.message))
    })
}

fn library_of(version: &str) -> Option<Library> {
    let names = [("Open MPI", Library::OpenMpi), ("MPICH", Library::Mpich), ("Intel", Library::IntelMpi)];
    names.iter().find(|(name, _)| version.starts_with(name)).map(|(_, library)| *library)
}

/// Checks that the variables of this rank make the library read a file.
fn check_environment(file: &Path, format: &Format, bytes: &[u8]) -> Result<(), String> {
    let same = fs::canonicalize(file).ok();
    let names_it = |value: &str| value.starts_with('/') && fs::canonicalize(value).ok() == same;
    let is_set = if format.ending == "sh" {
        String::from_utf8_lossy(bytes)
            .lines()
            .filter_map(|line| line.strip_prefix("export ")?.split_once('='))
            .all(|(name, value)| std::env::var(name).is_ok_and(|set| value.contains(&set)))
    } else {
        std::env::vars_os().any(|(_, value)| value.to_str().is_some_and(names_it))
    };
    if is_set {
        return Ok(());
    }
    Err(format!(
        "{}: the library is not told to read it, because variables of switches.sh do not reach the ranks: does the launcher pass them on?",
        file.display()
    ))
}

#[cfg(test)]
mod tests {
    use qtdec_mpi_library::tuning::find_format;

    use super::{check, selection};

    #[test]
    fn a_file_is_read_if_a_variable_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let reason = |name: &str, text: &str, version: &str| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).unwrap();
            let Err(reason) = selection(&[file], version) else { panic!("{name}") };
            reason
        };
        let told = reason("open-mpi.conf", "1\n7\n1\n0\n1\n0 6 0 0\n", "Open MPI 4.1.4");
        assert!(told.contains("variables of switches.sh do not reach the ranks"), "{told}");
        let script = "export I_MPI_ADJUST_BCAST='1:0-9;3:10-2147483647'\n";
        let told = reason("intel-mpi.sh", script, "Intel(R) MPI Library 2021.18 for Linux* OS");
        assert!(told.contains("variables of switches.sh do not reach the ranks"), "{told}");
        let missing = selection(&[folder.path().join("missing.conf")], "Open MPI 4.1.4").err().unwrap();
        assert!(missing.contains("missing.conf cannot be read where ranks run: "), "{missing}");
    }

    #[test]
    fn a_file_is_for_the_library_that_runs() {
        let classic = find_format("open-mpi").unwrap();
        let good = "1\n7\n1\n0\n1\n0 6 0 0\n";
        let said = |text: &str, version: &str| check(classic, text.as_bytes(), version);
        for version in ["Open MPI 4.1.4", "Open MPI 5.0.11", "Open MPI 5.1.0", "an MPI"] {
            assert_eq!(said(good, version), Ok(()), "{version}");
        }
        let limited = "rule-file-version-2\n1\n3\n1\n0\n1\n0 4 0 0 16\n";
        assert_eq!(said(limited, "Open MPI 5.0.11"), Ok(()));
        assert_eq!(
            said(limited, "Open MPI 5.0.6").unwrap_err(),
            "line 1: a header of version 2: releases before 5.0.7 drop the whole file (Open MPI 5.0.6)"
        );
        assert_eq!(
            said(good, "MPICH 5.0.2").unwrap_err(),
            "it is for Open MPI, and the ranks run with MPICH 5.0.2"
        );
        assert_eq!(
            said(good, "Open MPI 6.0.0").unwrap_err(),
            "it has the format open-mpi, and Open MPI 6.0.0 reads the format open-mpi-json"
        );
        let unknown = said(&good.replace(" 6 ", " 17 "), "Open MPI 4.1.4").unwrap_err();
        assert!(unknown.starts_with("line 6: ") && unknown.ends_with(" (Open MPI 4.1.4)"), "{unknown}");
        assert!(said(&good[..10], "Open MPI 4.1.4").is_err());
    }
}
