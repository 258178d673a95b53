//! Programs that learn while they run: results stay right, a bad default is replaced, the next run begins with what was found, and whatever
//! is wrong is one line.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::super::preloaded::LIBRARIES;
use super::super::started::succeed;
use super::{NAME, Place};
use xtask::files;
use xtask::run::target;

/// The calls of a run of `learns.c`.
const CALLS: u32 = 20_000;

/// A broadcast that takes many times as long as others: Open MPI's pipeline in segments of 64 bytes.
const BAD: [(&str, &str); 3] = [
    ("OMPI_MCA_coll_tuned_use_dynamic_rules", "1"),
    ("OMPI_MCA_coll_tuned_bcast_algorithm", "3"),
    ("OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize", "64"),
];

pub(in super::super) fn prove() -> Result<String, String> {
    for library in &LIBRARIES {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        Place::new(library, folder.path())?.learns()?;
    }
    Ok(format!(
        "{CALLS} calls were right in each run under Open MPI and MPICH, and what was wrong was one line"
    ))
}

impl Place<'_> {
    fn learns(&self) -> Result<(), String> {
        let is_open_mpi = self.library.ending == "openmpi";
        // MPICH's ranks wait without letting others run.
        let ranks = if is_open_mpi { 4 } else { 2 };
        let files = self.right_while_learning(ranks, &[("QTDEC_LEARN", "learned")])?;
        let again = self.right_while_learning(ranks, &[("QTDEC_LEARN", "learned")])?;
        if again.len() <= files.len() {
            return Err(format!("a second run wrote nothing beside {files:?}"));
        }
        self.right_while_learning(ranks, &[("QTDEC_LEARN", "learned"), ("QTDEC_TREES", "learned/trees")])?;
        self.right_while_learning(2, &[("QTDEC_LEARN", "checked"), ("QTDEC_CHECK", "1")])?;
        let trees = self.trees(0).display().to_string();
        self.right_while_learning(ranks, &[("QTDEC_LEARN", "with-trees"), ("QTDEC_TREES", &trees)])?;
        // MPICH's file must have all collectives that the library decides about.
        if is_open_mpi {
            // Refused arguments, jumps out of calls, threads, and communicators that are freed while they are used.
            let full = "256 communicators have collectives of ours";
            self.one_line(("edges.c", 3, &[]), "", &[("QTDEC_LEARN", "edges")], full)?;
            self.tuned(&again)?;
            self.takes_over()?;
        }
        self.except()?;
        self.told()
    }

    /// Makes random calls while learning, and returns the files that are in the folder then.
    fn right_while_learning(&self, ranks: u32, settings: &[(&str, &str)]) -> Result<Vec<PathBuf>, String> {
        let arguments = [CALLS.to_string(), "1".to_owned()];
        let (said, told) = self.said(("learns.c", ranks, &arguments), "", settings)?;
        if said != format!("{CALLS} calls were right\n") || told.contains(NAME) {
            return Err(format!("learns.c with {settings:?} said `{said}`: {told}"));
        }
        let files = self.files(settings[0].1)?;
        let has = |ending: &str| files.iter().any(|path| path.to_string_lossy().ends_with(ending));
        if has("-barrier.csv") && !has(".part") { Ok(files) } else { Err(format!("the files are {files:?}")) }
    }

    /// Returns the files of a folder, without the folder of trees in it.
    fn files(&self, folder: &str) -> Result<Vec<PathBuf>, String> {
        let entries = fs::read_dir(self.folder.join(folder)).map_err(|error| format!("{folder}: {error}"))?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let mut paths = paths.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
        paths.retain(|path| !path.is_dir());
        paths.sort();
        Ok(paths)
    }

    /// Checks that `qtdec-mpi tune` makes files of what was learned in several runs.
    fn tuned(&self, learned: &[PathBuf]) -> Result<(), String> {
        let output = self.folder.join("from-learned");
        let mut command = Command::new(target().join("debug/qtdec-mpi"));
        command.arg("tune").args(learned).args(["--library", "open-mpi", "--output"]).arg(&output);
        succeed(&mut command)?;
        let tree = output.join("bcast.tree.json");
        if tree.exists() { Ok(()) } else { Err(format!("{command:?} wrote no tree")) }
    }

    /// Checks that something takes the place of a bad default, and that the next run begins with it, as does one with the trees alone.
    fn takes_over(&self) -> Result<(), String> {
        let calls = |calls: &str, variable| {
            let settings = [BAD.as_slice(), &[variable, ("QTDEC_TRACE", "1")]].concat();
            self.said(("repeats.c", 2, &[calls.to_owned()]), "", &settings)
        };
        let learn = ("QTDEC_LEARN", "better");
        calls("400", learn)?;
        let path = self.files("better")?.pop().ok_or("nothing was learned")?;
        let text = files::read(&path)?;
        let taken = text.lines().find_map(|line| line.strip_prefix("# taken: bcast 2 262144 own_"));
        let taken = taken.ok_or_else(|| format!("nothing took over from a bad default: {text}"))?;
        let name = taken.split(' ').next().unwrap_or_default().to_owned();
        for variable in [learn, ("QTDEC_TREES", "better/trees")] {
            let (_, told) = calls("1", variable)?;
            let first = told.lines().find(|line| line.contains(": own_")).unwrap_or_default();
            if !first.contains(&format!("bcast of 262144 bytes on 2 ranks from root 0: own_{name}")) {
                return Err(format!(
                    "own_{name} was found, and a run with {variable:?} begins with `{first}`"
                ));
            }
        }
        Ok(())
    }

    /// Checks that nothing is tried for a collective that is left out.
    fn except(&self) -> Result<(), String> {
        let settings =
            [("QTDEC_LEARN", "except"), ("QTDEC_LEARN_EXCEPT", "allreduce,barrier"), ("QTDEC_TRACE", "1")];
        let (_, told) = self.said(("learns.c", 2, &["2000".to_owned()]), "", &settings)?;
        let of = |name: &str| {
            told.lines().any(|line| {
                line.contains(NAME) && line.contains(&format!("{name} ")) && line.contains(": own_")
            })
        };
        match (of(": bcast"), of(": allreduce")) {
            (true, false) => Ok(()),
            _ => Err(format!("allreduce was to be left out, and bcast not: {told}")),
        }
    }

    /// Checks that what is wrong is one line, and that the program is unharmed.
    fn told(&self) -> Result<(), String> {
        let few = ("few.c", 3, &[][..]);
        let rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}";
        let differs =
            "the ranks have different QTDEC_LEARN, or different files in its folder; nothing is learned";
        let some = format!("if [ {rank} = 1 ]; then export QTDEC_LEARN=one; fi; exec \"$0\" \"$@\"");
        self.one_line(few, &some, &[], differs)?;
        let trees = self.trees(0).display().to_string();
        self.one_line(few, &some, &[("QTDEC_TREES", &trees)], differs)?;
        let other = format!("QTDEC_LEARN=learned-$(({rank} % 2)) exec \"$0\" \"$@\"");
        self.one_line(few, &other, &[], differs)?;
        self.one_line(
            few,
            "",
            &[("QTDEC_LEARN", "/dev/null")],
            "/dev/null: Not a directory (os error 20); nothing is learned",
        )?;
        let wrong = [("QTDEC_LEARN", "x"), ("QTDEC_LEARN_EXCEPT", "bcst")];
        self.one_line(few, "", &wrong, "QTDEC_LEARN_EXCEPT has `bcst`; did you mean `bcast`?")?;
        let foreign = self.folder.join("foreign");
        files::folder(&foreign)?;
        files::write(foreign.join("learned-1.csv"), "a,b\n")?;
        let expected = "learned-1.csv: its first line is not `# qtdec-times/1`: remove the file";
        self.one_line(few, "", &[("QTDEC_LEARN", "foreign")], expected)?;
        let lost = "what was learned is lost: /proc/learned/";
        self.one_line(("repeats.c", 2, &["100".to_owned()]), "", &[("QTDEC_LEARN", "/proc/learned")], lost)?;
        let dies = self.run(("few.c", 3, &["dies".to_owned()]), "", &[("QTDEC_LEARN", "dies")])?;
        // The command `timeout` ends with 124.
        if dies.status.success() || dies.status.code() == Some(124) {
            return Err(format!("a rank died while learning, and the program ended with {}", dies.status));
        }
        Ok(())
    }
}
