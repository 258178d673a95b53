//! Programs in C and Fortran under real MPI libraries, in which our schedules carry out collectives: every result is right, and whatever
//! is wrong with trees is one line.

pub(super) mod chapter;
mod compiled;
mod edges;
mod foreign;
pub(super) mod learns;
pub(super) mod pairs;
pub(super) mod programs;
pub(super) mod soak;
mod whole;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Output;

use qtdec_core::{Axis, DecisionMap, Document, Domain, Method, Options};
use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{Algorithm, algorithms};
use xtask::files;

use super::preloaded::{LIBRARIES, Library, Program, program};

const PROGRAMS: [Program; 8] = [
    ("calls.c", "mpicc", &["-O1"]),
    ("few.c", "mpicc", &["-O1"]),
    ("edges.c", "mpicc", &["-O1", "-pthread"]),
    ("whole.c", "mpicc", &["-O1"]),
    ("learns.c", "mpicc", &["-O1"]),
    ("repeats.c", "mpicc", &["-O1"]),
    ("old.f", "mpif90", &["-fallow-argument-mismatch"]),
    ("new.f90", "mpif90", &[]),
];

/// The segment sizes with which sets of algorithms are run in turn.
const SEGMENTS: [Option<u64>; 3] = [None, Some(1024), Some(65536)];

/// The collectives that can be composed, and how the names of compositions begin.
const COMPOSED: [Collective; 8] = [
    Collective::Bcast,
    Collective::Reduce,
    Collective::Allreduce,
    Collective::Scatter,
    Collective::Gather,
    Collective::Allgather,
    Collective::Alltoall,
    Collective::Barrier,
];
const COMPOSITION: &str = "own_two_level";

/// Runs of `calls.c`: the set of algorithms, the number of ranks, and that each n-th call is made. MPICH's ranks wait without letting
/// others run, so that more of them than cores are slow.
fn runs(library: &Library, sets: usize) -> Vec<(usize, u32, usize)> {
    let (some, ranks, stride) = if library.ending == "openmpi" {
        (vec![(0, 2, 1), (1, 3, 1), (2, 4, 1), (3, 8, 60), (4, 16, 300)], 4, 24)
    } else {
        (vec![(0, 2, 3), (1, 3, 200), (2, 4, 400)], 2, 40)
    };
    some.into_iter().chain((0..sets).map(|set| (set, ranks, stride))).collect()
}

pub(super) fn prove() -> Result<String, String> {
    let (mut calls, mut shown) = (0, BTreeSet::new());
    for library in &LIBRARIES {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let place = Place::new(library, folder.path())?;
        for (set, ranks, stride) in runs(library, place.sets) {
            let (right, labels) = place.right(set, ranks, &[stride.to_string(), set.to_string()])?;
            calls += right;
            shown.extend(labels);
        }
        calls += place.composed()?;
        place.fortran()?;
        place.checked()?;
        place.unharmed()?;
        place.edges()?;
        place.whole()?;
        place.dies()?;
        place.compiled_in()?;
        place.foreign()?;
    }
    let known: Vec<_> = qtdec_mpi_schedule::all().collect();
    let missing = known.iter().find(|entry| {
        let label = (entry.collective().name().to_owned(), format!("own_{}", entry.name()));
        !shown.contains(&label)
    });
    match missing {
        Some(entry) => Err(format!("{} by own_{} was never carried out", entry.collective(), entry.name())),
        None => Ok(format!(
            "{calls} calls by {} algorithms were right under Open MPI and MPICH, and wrong trees were one line",
            known.len()
        )),
    }
}

/// A folder with the interposer, the programs of a library, and a folder of trees for each set of algorithms.
struct Place<'l> {
    library: &'l Library,
    folder: PathBuf,
    sets: usize,
}

impl<'l> Place<'l> {
    fn new(library: &'l Library, folder: &Path) -> Result<Self, String> {
        library.build(folder, "interposer", &PROGRAMS)?;
        let sets = Collective::ALL.map(|collective| algorithms(collective).count());
        let place = Self { library, folder: folder.to_owned(), sets: sets.into_iter().max().unwrap_or(0) };
        for set in 0..place.sets {
            for collective in Collective::ALL {
                let entries: Vec<_> = algorithms(collective).collect();
                let name = format!("own_{}", entries[set % entries.len()].name());
                place.write(
                    set,
                    collective,
                    &constant(collective, &name, SEGMENTS[set % SEGMENTS.len()])?,
                )?;
            }
        }
        Ok(place)
    }

    fn trees(&self, set: usize) -> PathBuf {
        self.folder.join(format!("trees-{set}"))
    }

    fn write(&self, set: usize, collective: Collective, tree: &str) -> Result<(), String> {
        let folder = self.trees(set);
        files::folder(&folder)?;
        files::write(folder.join(format!("{collective}.tree.json")), tree)
    }

    /// Runs a program, which `wrapper` may start, with the interposer and with settings.
    fn run(
        &self,
        (source, ranks, arguments): (&str, u32, &[String]),
        wrapper: &str,
        settings: &[(&str, &str)],
    ) -> Result<Output, String> {
        let mut command = self.library.run(ranks, &self.folder.join(program(source)), wrapper);
        command.args(arguments).current_dir(&self.folder);
        command.env("LD_PRELOAD", self.folder.join("libqtdec_mpi.so")).envs(settings.iter().copied());
        command.output().map_err(|error| error.to_string())
    }

    /// Runs a program that must end well, and returns what it said.
    fn said(
        &self,
        run: (&str, u32, &[String]),
        wrapper: &str,
        settings: &[(&str, &str)],
    ) -> Result<(String, String), String> {
        let output = self.run(run, wrapper, settings)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (said, told) = (text(&output.stdout), text(&output.stderr));
        if output.status.success() {
            return Ok((said, told));
        }
        let end: Vec<&str> = told.lines().rev().take(30).collect();
        let end = end.into_iter().rev().collect::<Vec<_>>().join("\n");
        Err(format!(
            "{} {:?} on {} ranks of {} with {settings:?} ended with {}: {end}",
            run.0, run.2, run.1, self.library.ending, output.status
        ))
    }

    /// Runs `calls.c` with a set of algorithms, and returns the number of calls and what was carried out.
    fn right(
        &self,
        set: usize,
        ranks: u32,
        arguments: &[String],
    ) -> Result<(u64, BTreeSet<(String, String)>), String> {
        let trees = self.trees(set).display().to_string();
        // Operations of the program take parts of operands, so that every algorithm has them.
        let settings = [("QTDEC_TREES", &*trees), ("QTDEC_TRACE", "1"), ("QTDEC_CUT_OPERANDS", "1")];
        let (said, told) = self.said(("calls.c", ranks, arguments), "", &settings)?;
        let calls = said.lines().find_map(|line| line.strip_suffix(" calls were right")?.parse().ok());
        let calls = calls.ok_or_else(|| format!("calls.c said `{said}`"))?;
        Ok((calls, told.lines().filter_map(carried_out).collect()))
    }

    /// Checks that compositions of two levels are carried out on two nodes of two ranks, and returns the number of calls.
    fn composed(&self) -> Result<u64, String> {
        for collective in COMPOSED {
            let names: Vec<_> = algorithms(collective).map(Algorithm::name).collect();
            let name = format!("{COMPOSITION}:inter={}:intra={}_2x2", names[0], names[names.len() - 1]);
            self.write(self.sets, collective, &constant(collective, &name, None)?)?;
        }
        let (calls, labels) = self.right(self.sets, 4, &["5".to_owned(), "0".to_owned()])?;
        let is_missing = |collective: &&Collective| {
            let ran =
                |(of, name): &(String, String)| of == collective.name() && name.starts_with(COMPOSITION);
            !labels.iter().any(ran)
        };
        match COMPOSED.iter().find(is_missing) {
            Some(collective) => {
                Err(format!("no composition of {collective} was carried out, but {labels:?}"))
            }
            None => Ok(calls),
        }
    }

    fn fortran(&self) -> Result<(), String> {
        for source in ["old.f", "new.f90"] {
            for set in 0..3 {
                let trees = self.trees(set).display().to_string();
                let settings = [("QTDEC_TREES", &*trees), ("QTDEC_TRACE", "1")];
                let (said, told) = self.said((source, 3, &[]), "", &settings)?;
                let own: BTreeSet<_> = told.lines().filter_map(carried_out).map(|(name, _)| name).collect();
                let expected = ["allgather", "allreduce", "barrier", "bcast"];
                if said != "all is well\n" || !expected.iter().all(|name| own.contains(*name)) {
                    return Err(format!("{source} said `{said}`, and {own:?} were carried out\n{told}"));
                }
            }
        }
        Ok(())
    }

    /// Checks that results are compared with the library's, which takes the place of different ones.
    fn checked(&self) -> Result<(), String> {
        let trees = self.trees(2).display().to_string();
        let settings = [("QTDEC_TREES", &*trees), ("QTDEC_CHECK", "1")];
        let stride = if self.library.ending == "openmpi" { "9" } else { "150" };
        let (_, told) = self.said(("calls.c", 3, &[stride.to_owned()]), "", &settings)?;
        if told.contains(NAME) {
            return Err(format!("a right result was found to be wrong: {told}"));
        }
        let ring = constant(Collective::Allreduce, "own_ring", None)?;
        self.write(2, Collective::Allreduce, &ring)?;
        let lies = ("few.c", 4, &["lies".to_owned()][..]);
        let wrong = "the result of allreduce of 4 bytes on 4 ranks by own_ring is not the library's, which takes its place";
        self.one_line(lies, "", &settings, wrong)
    }

    /// Checks that a program ends well and that the interposer says one line, which has this text.
    fn one_line(
        &self,
        run: (&str, u32, &[String]),
        wrapper: &str,
        settings: &[(&str, &str)],
        expected: &str,
    ) -> Result<(), String> {
        let (said, told) = self.said(run, wrapper, settings)?;
        let lines: Vec<&str> = told.lines().filter(|line| line.contains(NAME)).collect();
        if said == "all is well\n" && lines.len() == 1 && lines[0].contains(expected) {
            return Ok(());
        }
        Err(format!(
            "`{expected}` was expected once under {}, but it was said\n{said}{told}",
            self.library.ending
        ))
    }

    /// Checks that trees that are wrong, missing or different are one line and change nothing.
    fn unharmed(&self) -> Result<(), String> {
        let few = ("few.c", 3, &[][..]);
        let rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}";
        let differ = format!("QTDEC_TREES=trees-$(({rank} % 2)) exec \"$0\" \"$@\"");
        self.one_line(few, &differ, &[], "the ranks have different trees or settings")?;
        let some = format!("if [ {rank} = 1 ]; then export QTDEC_TREES=trees-0; fi; exec \"$0\" \"$@\"");
        self.one_line(few, &some, &[], "the ranks have different trees or settings")?;
        let bad = self.folder.join("bad");
        files::folder(&bad)?;
        let file = bad.join("bcast.tree.json");
        let tree = constant(Collective::Bcast, "own_binomial", None)?;
        let unknown = tree.replace("own_binomial", "own_binomail");
        let version = tree.replace("qtdec-tree/1", "qtdec-tree/2");
        let other = constant(Collective::Reduce, "own_binomial", None)?;
        let cases = [
            (&tree[..tree.len() / 2], "bcast.tree.json: "),
            (&unknown, "bcast has no algorithm `binomail`; did you mean `binomial`?"),
            (&version, "bcast.tree.json: "),
            (&other, "the tree is for reduce: rename the file, or take that of bcast"),
        ];
        for (text, expected) in cases {
            files::write(&file, text)?;
            self.one_line(few, "", &[("QTDEC_TREES", "bad")], expected)?;
        }
        let cases = [
            ("QTDEC_TREES", "none", "none: No such file or directory"),
            ("QTDEC_TREES", "bad/bcast.tree.json", "Not a directory"),
            ("QTDEC_TREES", "/dev", "/dev: there is no tree, such as bcast.tree.json"),
            ("QTDEC_CHECK", "yes", "QTDEC_CHECK is `yes`: write 1 or 0"),
        ];
        for (variable, value, expected) in cases {
            self.one_line(few, "", &[(variable, value)], expected)?;
        }
        // What cannot be said is lost, and the program goes on.
        let (said, _) = self.said(few, "exec \"$0\" \"$@\" 2> /dev/full", &[("QTDEC_TREES", "none")])?;
        let (alone, told) = self.said(few, "", &[])?;
        if (&*said, &*alone) == ("all is well\n", "all is well\n") && !told.contains(NAME) {
            return Ok(());
        }
        Err(format!("few.c said `{said}` on a full disk, and `{alone}` without trees: {told}"))
    }

    /// Checks that all ranks end when one does.
    fn dies(&self) -> Result<(), String> {
        let trees = self.trees(0).display().to_string();
        let output = self.run(("few.c", 3, &["dies".to_owned()]), "", &[("QTDEC_TREES", &*trees)])?;
        // The command `timeout` ends with 124.
        if output.status.success() || output.status.code() == Some(124) {
            return Err(format!("a rank died, and the program ended with {}", output.status));
        }
        Ok(())
    }
}

const NAME: &str = "libqtdec_mpi.so: ";

/// Returns the collective and our algorithm of a line of the trace.
fn carried_out(line: &str) -> Option<(String, String)> {
    let (call, label) = line.split_once(NAME)?.1.rsplit_once(": ")?;
    let name = label.split('/').next().filter(|name| name.starts_with("own_"))?;
    Some((call.split(' ').next()?.to_owned(), name.to_owned()))
}

/// Returns the file of a tree that has one method.
pub(super) fn constant(collective: Collective, name: &str, segment: Option<u64>) -> Result<String, String> {
    let axes = vec![Axis::new("comm_size", [2]), Axis::new("msg_size", [1])];
    let method = Method { segment_size: segment, ..Method::new(name) };
    let domain = Domain::new(Some(collective.name().to_owned()), axes, vec![method]);
    let domain = domain.map_err(|error| error.to_string())?;
    let chosen = domain.find_method(&domain.methods()[0].label());
    let options = Options::parse::<&str>(&[]).map_err(|faults| faults.to_string())?;
    let tree = DecisionMap::new(domain, vec![chosen])
        .map(Document::Map)
        .and_then(|map| options.tree(map))
        .map_err(|problems| problems.to_string())?;
    tree.to_file().map_err(|problem| problem.to_string())
}
