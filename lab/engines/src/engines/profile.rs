//! Programs in C and Fortran under real MPI libraries: the profiler counts every call that they make, and nothing else.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

use xtask::files;

use super::preloaded::{LIBRARIES, Library, Program, program};

const PROGRAMS: [Program; 3] = [
    ("calls.c", "mpicc", &["-O1"]),
    ("calls.f", "mpif90", &["-fallow-argument-mismatch"]),
    ("calls.f90", "mpif90", &[]),
];

pub(super) fn prove() -> Result<String, String> {
    let mut rows = 0;
    for library in &LIBRARIES {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let place = Place { library, folder: folder.path().to_owned() };
        library.build(&place.folder, "profile", &PROGRAMS)?;
        rows += place.counted("calls.c", &in_c(library.large))?;
        for program in ["calls.f", "calls.f90"] {
            rows += place.counted(program, IN_FORTRAN)?;
        }
        place.skew()?;
        place.signal()?;
        place.survives()?;
        place.dies()?;
    }
    Ok(format!(
        "{rows} kinds of calls of programs in C, mpif.h and mpi_f08 were counted right under Open MPI and MPICH"
    ))
}

/// A folder with the profiler and the programs of a library.
struct Place<'l> {
    library: &'l Library,
    folder: PathBuf,
}

impl Place<'_> {
    /// Runs a program on four ranks, with these settings. The launcher too has the profiler preloaded.
    fn run(&self, source: &str, arguments: &[&str], settings: &[(&str, &str)]) -> Result<Output, String> {
        let output = self.ended(source, arguments, settings)?;
        if output.status.success() {
            return Ok(output);
        }
        Err(format!("{source} ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr)))
    }

    /// Runs a program, however it ends.
    fn ended(&self, source: &str, arguments: &[&str], settings: &[(&str, &str)]) -> Result<Output, String> {
        let mut command = self.library.run(4, &self.folder.join(program(source)), "");
        command.args(arguments);
        command.env("LD_PRELOAD", self.folder.join("libqtdec_profile.so")).envs(settings.iter().copied());
        command.current_dir(&self.folder).output().map_err(|error| error.to_string())
    }

    fn profile(&self, name: &str) -> Result<String, String> {
        let path = self.folder.join(name);
        let text = files::read(&path)?;
        fs::remove_file(&path).map_err(|error| error.to_string())?;
        Ok(text)
    }

    /// Checks the profile of a program, and returns its number of rows.
    fn counted(&self, source: &str, expected: &str) -> Result<usize, String> {
        self.run(source, &[], &[])?;
        let seen = without_times(&self.profile("profile.csv")?);
        if seen == expected {
            return Ok(expected.lines().count() - 1);
        }
        Err(format!("{source} under {}: expected\n{expected}\nbut found\n{seen}", self.library.ending))
    }

    /// Checks that the skew of a program whose first rank is late is about its delay.
    fn skew(&self) -> Result<(), String> {
        self.run("calls.c", &["late"], &[("QTDEC_PROFILE_SKEW", "1")])?;
        let text = self.profile("profile.csv")?;
        let row = text.lines().find_map(|line| line.strip_prefix("scan,4,20,,3,"));
        let skew = row.and_then(|row| row.split_once(',')?.1.parse::<f64>().ok());
        // The program's last rank is late by 0.1 s at each of three calls.
        if skew.is_some_and(|skew| (0.25..5.0).contains(&skew)) {
            return Ok(());
        }
        Err(format!("the last rank was late by 0.3 s in all, but the skew is {skew:?}\n{text}"))
    }

    /// Checks that the first rank writes what it has counted when it gets a signal.
    fn signal(&self) -> Result<(), String> {
        self.run(
            "calls.c",
            &["signal"],
            &[("QTDEC_PROFILE_SIGNAL", "USR1"), ("QTDEC_PROFILE", "calls.csv")],
        )?;
        let (part, all) =
            (without_times(&self.profile("calls.csv.0")?), without_times(&self.profile("calls.csv")?));
        let has = |text: &str| (text.contains("allgather,4,20,,3\n"), text.contains("allgather,2,20,,"));
        if (has(&part), has(&all)) == ((true, false), (true, true)) {
            return Ok(());
        }
        Err(format!("at the signal\n{part}\nwas written, and at the end\n{all}"))
    }

    /// Checks that a program ends well, with a line about it, when its profile cannot be written, and that wrong settings are said.
    fn survives(&self) -> Result<(), String> {
        let said = |settings: &[(&str, &str)]| {
            let output = self.run("calls.c", &[], settings)?;
            Ok::<_, String>(String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let lost =
            "libqtdec_profile.so: the profile is lost: /dev/full: No space left on device (os error 28)\n";
        let wrong = "libqtdec_profile.so: QTDEC_PROFILE_SIGNAL is `HUP`: write USR1 or USR2\n";
        let cases: [(&[(&str, &str)], &str); 2] =
            [(&[("QTDEC_PROFILE", "/dev/full")], lost), (&[("QTDEC_PROFILE_SIGNAL", "HUP")], wrong)];
        for (settings, expected) in cases {
            let said = said(settings)?;
            if said.matches("libqtdec_profile.so").count() != 1 || !said.contains(expected) {
                return Err(format!("expected {expected}but found {said}"));
            }
        }
        Ok(())
    }

    /// Checks that all ranks end when one does, and that no file is left.
    fn dies(&self) -> Result<(), String> {
        let output = self.ended("calls.c", &["dies"], &[("QTDEC_PROFILE", "dies.csv")])?;
        // The command `timeout` ends with 124.
        let code = output.status.code();
        if code == Some(0) || code == Some(124) || self.folder.join("dies.csv").exists() {
            return Err(format!("a rank died, and the program ended with {}", output.status));
        }
        Ok(())
    }
}

/// Returns the rows of a profile without times, and what is out of reach.
fn without_times(profile: &str) -> String {
    let mut text = String::new();
    for line in profile.lines() {
        let unreached = line.strip_prefix("# out of reach of tuning files: ");
        let row = (!line.starts_with('#')).then(|| line.splitn(6, ',').take(5).collect::<Vec<_>>().join(","));
        if let Some(line) = unreached.map(str::to_owned).or(row) {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// The size of a message by the number of ranks.
type Size<'s> = &'s dyn Fn(u64) -> u64;

/// Returns what `profile/calls.c` calls on four ranks: everything three times with roots 0, 1, 2 on all, and on both halves with
/// roots 0, 1, 0; and much once between groups.
fn in_c(large: bool) -> String {
    let between = [
        "allgatherv",
        "allreduce",
        "alltoallv",
        "bcast",
        "gather",
        "gatherv",
        "reduce",
        "scatter",
        "scatterv",
    ];
    let between =
        between.map(|name| format!("2 calls of {name}, on communicators between groups, counted in both\n"));
    let nonblocking =
        ["iallreduce", "ibarrier"].map(|name| format!("9 calls of {name}, which is nonblocking\n"));
    let (before, after) = between.split_at(6);
    let mut text = [before, &nonblocking, after].concat().concat();
    text += "collective,comm_size,msg_size,root,count\n";
    let int = 4;
    let five = 5 * int;
    // The mean of 1 to p integers, rounded down, and their sum.
    let mean = |ranks: u64| (ranks * (ranks + 1) / 2) / ranks * int;
    let sum = |ranks: u64| ranks * (ranks + 1) / 2 * int;
    let unrooted: [(&str, Option<Size>); 10] = [
        ("allgather", Some(&|_| five)),
        ("allgatherv", Some(&mean)),
        ("allreduce", Some(&|_| five)),
        ("alltoall", Some(&|_| five)),
        ("alltoallv", Some(&|_| five)),
        ("barrier", None),
        ("exscan", Some(&|_| five)),
        ("reduce_scatter", Some(&sum)),
        ("reduce_scatter_block", Some(&|_| five)),
        ("scan", Some(&|_| five)),
    ];
    let mut rows = Vec::new();
    for (name, size) in unrooted {
        for (ranks, count) in [(2, 6), (4, 3)] {
            rows.push((name, ranks, size.map(|size| size(ranks)), None, count));
        }
    }
    for name in ["bcast", "reduce", "gather", "scatter", "gatherv", "scatterv"] {
        let factor = if large && name == "bcast" { 2 } else { 1 };
        for (ranks, root, count) in [(2, 0, 4), (2, 1, 2), (4, 0, 1), (4, 1, 1), (4, 2, 1)] {
            let size = match name {
                "bcast" => 2 * five,
                // Rank 0 knows all sizes if it is the root, and otherwise its own.
                "gatherv" | "scatterv" if root == 0 => mean(ranks),
                "gatherv" | "scatterv" => int,
                _ => five,
            };
            rows.push((name, ranks, Some(size), Some(root), factor * count));
        }
    }
    rows.sort_by_key(|(name, ranks, size, root, _)| (*name, *ranks, *size, *root));
    for (name, ranks, size, root, count) in rows {
        let shown = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
        let _ = writeln!(text, "{name},{ranks},{},{},{count}", shown(size), shown(root));
    }
    text
}

/// What the programs in Fortran call on four ranks, and on both halves.
const IN_FORTRAN: &str = "\
3 calls of ibcast, which is nonblocking
collective,comm_size,msg_size,root,count
allreduce,2,20,,12
barrier,4,,,3
bcast,4,56,0,1
bcast,4,56,1,1
bcast,4,56,2,1
gatherv,4,4,1,1
gatherv,4,4,2,1
gatherv,4,8,0,1
";
