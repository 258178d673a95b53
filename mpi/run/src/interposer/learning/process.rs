//! What all communicators of a process have together: the settings, what earlier runs found, and what this one found.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use qtdec_mpi_schedule::Collective;
use qtdec_times::Job;

use super::beginnings::{Beginnings, Kind, NAME, Subject};
use super::file::{self, Run};
use super::learner::{Learner, Step, Summary};
use super::prior::Prior;
use super::trees::learned;
use crate::bench::{Method, job, library, machine};
use crate::ffi::locked;
use crate::interposer::agreement;
use crate::interposer::call::Call;
use crate::interposer::environment::ToLearn;
use crate::interposer::trees::Trees;
use crate::replace::replace;

/// The maximum number of pairs that are kept of communicators that were freed.
const PAIRS: usize = 1 << 14;

/// The folder of maps and trees, in that of what was learned.
const TREES: &str = "trees";

/// The variables in which systems that queue programs name a job.
const JOBS: [&str; 4] = ["SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PJM_JOBID"];

/// What is learned on a communicator, by whichever of its threads calls.
pub(in super::super) type OfCommunicator = Mutex<Learner>;

#[derive(Debug)]
pub(in super::super) struct Learning {
    folder: PathBuf,
    except: Vec<Collective>,
    beginnings: Beginnings,
    prior: Prior,
    /// A number that differs where folders, their files, the prior or exceptions do.
    pub(in super::super) hash: u64,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    live: Vec<Arc<OfCommunicator>>,
    ended: Vec<Summary>,
    pairs: usize,
    has_written: bool,
}

impl Learning {
    /// Reads what earlier runs found, and what is expected.
    pub(in super::super) fn open(wanted: &ToLearn) -> Result<Self, String> {
        let ToLearn { folder, except, prior } = wanted.clone();
        let beginnings = Beginnings::read(&folder).map_err(|error| format!("QTDEC_LEARN: {error}"))?;
        let prior = prior.map_or(Ok(Prior::default()), |path| Prior::read(&path));
        let prior = prior.map_err(|error| format!("QTDEC_LEARN_PRIOR: {error}"))?;
        let hash = agreement::number((&folder, &except, &beginnings.lines, &prior));
        Ok(Self { folder, except, beginnings, prior, hash, found: Mutex::default() })
    }

    /// Begins on a communicator whose number is larger than those of all earlier ones of its ranks.
    pub(in super::super) fn begin(&self, ranks: u32, number: u64) -> Arc<OfCommunicator> {
        let learner = Arc::new(Mutex::new(Learner::new(ranks, number, self.hash)));
        locked(&self.found).live.push(Arc::clone(&learner));
        learner
    }

    /// Decides what is done with a call, which this method of ours carries out as trees say, or the library if there is none.
    pub(in super::super) fn step(
        &self,
        learner: &OfCommunicator,
        call: &Call,
        default: Option<&Method>,
    ) -> Step {
        let is_excepted = call.collective().is_none_or(|collective| self.except.contains(&collective));
        let expected = (&self.beginnings, &self.prior);
        if is_excepted { Step::Default } else { locked(learner).step(call, default, expected) }
    }

    /// Keeps what was learned on a communicator that is freed.
    pub(in super::super) fn end(&self, learner: &Arc<OfCommunicator>) {
        let mut found = locked(&self.found);
        found.live.retain(|known| !Arc::ptr_eq(known, learner));
        for summary in locked(learner).summaries() {
            let pairs = found.pairs + summary.pairs.len().max(1);
            if pairs <= PAIRS && !summary.findings.is_empty() {
                found.pairs = pairs;
                found.ended.push(summary);
            }
        }
    }

    /// Writes what was learned in this process, where these trees decided, once. Returns what went wrong.
    pub(in super::super) fn write(&self, version: &str, before: &Trees) -> Result<(), String> {
        let mut found = locked(&self.found);
        if std::mem::replace(&mut found.has_written, true) {
            return Ok(());
        }
        // What was learned last is believed where communicators of one size differ.
        let mut all: Vec<Summary> =
            found.live.iter().flat_map(|learner| locked(learner).summaries()).collect();
        all.extend(std::mem::take(&mut found.ended).into_iter().rev());
        let run = run(version);
        let files =
            self.write_times(&run, &all).map_err(|error| format!("what was learned is lost: {error}"))?;
        let written = self.write_trees(&run, files, &all, before);
        written.map_err(|error| format!("the trees of what was learned are not written: {error}"))
    }

    /// Writes times, and returns the names of the files.
    fn write_times(&self, run: &Run, all: &[Summary]) -> Result<Vec<String>, String> {
        let mut files = Vec::new();
        for (of_barriers, ending) in [(false, ""), (true, "-barrier")] {
            let times = file::times(run, of_barriers, all).map_err(|problems| problems.to_string())?;
            let Some(times) = times else { continue };
            let name = format!("{}{}{ending}{}", NAME.0, run.launch, NAME.1);
            write_file(&self.folder, &name, |out| times.write(out))?;
            files.push(name);
        }
        Ok(files)
    }

    /// Writes a map and a tree for each collective of which something is known from this run or the files of earlier ones.
    fn write_trees(
        &self,
        run: &Run,
        files: Vec<String>,
        all: &[Summary],
        before: &Trees,
    ) -> Result<(), String> {
        let subjects: BTreeSet<Subject> =
            all.iter().map(|summary| &summary.subject).chain(self.beginnings.subjects()).cloned().collect();
        let in_use = |subject: &Subject, default: &Method| self.in_use(all, subject, default);
        let source = run.source(&[self.beginnings.files.clone(), files].concat());
        let folder = self.folder.join(TREES);
        for collective in Collective::ALL {
            let learned = learned(collective, &subjects, in_use, before.of(collective), &source);
            let Some((map, tree)) = learned.map_err(|problems| problems.to_string())? else { continue };
            for (ending, text) in [("map", map.to_file()), ("tree", tree.to_file())] {
                let text = text.map_err(|problem| format!("{collective}: {problem}"))?;
                write_file(&folder, &format!("{collective}.{ending}.json"), |out| {
                    out.write_all(text.as_bytes())
                })?;
            }
        }
        Ok(())
    }

    fn in_use(&self, all: &[Summary], subject: &Subject, default: &Method) -> Option<Method> {
        let now = all.iter().find(|known| known.subject == *subject && known.methods[0] == *default);
        let mut earlier = self.beginnings.of(subject, default).into_iter();
        let taken = || earlier.find(|(_, kind)| *kind == Kind::Taken).map(|(method, _)| method);
        now.map(Summary::in_use).or_else(taken).cloned()
    }
}

/// Replaces a file of a folder, which is made if there is none.
fn write_file(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), String> {
    let path = folder.join(name);
    let written = fs::create_dir_all(folder).and_then(|()| replace(&path, write));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

fn run(version: &str) -> Run {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned();
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let mut names = JOBS.iter().filter_map(|name| Some(std::env::var(name).ok()?.trim().to_owned()));
    let of_system = names.find(|name| !name.is_empty()).map(|name| Job { name, ..Job::default() });
    Run {
        machine: machine(&BTreeSet::from([host.clone()])),
        library: library(version),
        launch: format!("{}-{host}-{}", date.replace(':', ""), std::process::id()),
        date,
        job: job().or(of_system),
    }
}

#[cfg(test)]
mod tests {
    use super::super::window::VALUES;
    use super::*;
    use crate::interposer::plans::of_trees;

    /// Makes broadcasts on four ranks, of which those by a method take less time than others, and returns what the last one was.
    fn calls(learning: &Learning, default: Option<&Method>, faster: &str, calls: usize) -> Step {
        calls_of(learning, 1024, default, faster, calls)
    }

    fn calls_of(
        learning: &Learning,
        bytes: u64,
        default: Option<&Method>,
        faster: &str,
        calls: usize,
    ) -> Step {
        let learner = learning.begin(4, 1);
        let call = Call::new(Collective::Bcast, (4, 0, 0), bytes);
        let (mut last, mut agreed) = (Step::Default, [0; VALUES]);
        for _ in 0..calls {
            let mut step = learning.step(&learner, &call, default);
            while matches!(step, Step::Begin | Step::End) {
                if step == Step::Begin {
                    (agreed, _) = locked(&learner).begin_agreement();
                } else {
                    locked(&learner).agree(&agreed, 10);
                }
                step = learning.step(&learner, &call, default);
            }
            let own = default.map_or("default".to_owned(), Method::label);
            let ran = if let Step::Method { other: Some(other), .. } = &step { other.label() } else { own };
            locked(&learner).note(0, if ran == faster { 1000 } else { 1500 });
            last = step;
        }
        last
    }

    #[test]
    fn the_third_run_needs_nothing_but_the_trees() {
        let folder = tempfile::tempdir().unwrap();
        let to_learn = ToLearn { folder: folder.path().join("learned"), except: Vec::new(), prior: None };
        let open = || Learning::open(&to_learn).unwrap();
        let none = Trees::default();
        let first = open();
        calls(&first, None, "own_binary", 2000);
        first.write("Open MPI v4.1.4", &none).unwrap();
        let trees = || Trees::read(&to_learn.folder.join(TREES)).unwrap();
        let chosen =
            |bytes| of_trees(&trees(), &Call::new(Collective::Bcast, (4, 2, 0), bytes)).unwrap().label();
        assert_eq!([1023, 1024, 2047, 2048].map(chosen), ["default", "own_binary", "own_binary", "default"]);
        // With the trees, nothing is tried again that was slower, and they stay as they are.
        let third = open();
        let own = Method::named("own_binary", 0);
        let tree = trees();
        assert_eq!(calls(&third, Some(&own), "own_binary", 60), Step::Default);
        third.write("Open MPI v4.1.4", &tree).unwrap();
        assert_eq!([1023, 1024, 2047, 2048].map(chosen), ["default", "own_binary", "own_binary", "default"]);
    }

    #[test]
    fn tests_of_few_calls_go_on_in_the_next_run() {
        let folder = tempfile::tempdir().unwrap();
        let to_learn = ToLearn { folder: folder.path().to_owned(), except: Vec::new(), prior: None };
        let taken = (0..40).find(|run| {
            let learning = Learning::open(&to_learn).unwrap();
            calls(&learning, None, "own_binary", 12);
            calls_of(&learning, 1 << 16, None, "own_circulant/2048", 3);
            learning.write("Open MPI v4.1.4", &Trees::default()).unwrap();
            let written = newest(folder.path(), *run);
            written.contains("\n# taken: bcast 4 65536 own_circulant 2048 over default 0\n")
        });
        assert!(taken.is_some_and(|runs| (15..30).contains(&runs)), "{taken:?}");
    }

    /// Reads the file of the last run, and gives it a name by which it is the newest.
    fn newest(folder: &Path, run: u32) -> String {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let path = entries
            .filter(|path| path.extension().is_some_and(|ending| ending == "csv"))
            .find(|path| !path.to_string_lossy().contains("learned-0"))
            .unwrap();
        let text = fs::read_to_string(&path).unwrap();
        fs::rename(path, folder.join(format!("learned-0{run:03}.csv"))).unwrap();
        text
    }

    #[test]
    fn the_best_of_a_prior_is_tried_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("times.csv");
        let to_learn =
            ToLearn { folder: folder.path().join("learned"), except: Vec::new(), prior: Some(path.clone()) };
        assert!(Learning::open(&to_learn).unwrap_err().starts_with("QTDEC_LEARN_PRIOR: "));
        let first = |best: &str| {
            let text = format!(
                "# qtdec-times/1\n# axis comm_size: ranks\n# axis msg_size: bytes\n\
                 comm_size,msg_size,method,collective,launch,repeat,time_us\n8,64,{best},bcast,,1,1\n"
            );
            fs::write(&path, text).unwrap();
            let learning = Learning::open(&to_learn).unwrap();
            let learner = learning.begin(4, 1);
            let call = Call::new(Collective::Bcast, (4, 0, 0), 1024);
            let tried = (0..100).find_map(|_| match learning.step(&learner, &call, None) {
                Step::Method { other, .. } => other,
                _ => None,
            });
            tried.unwrap().label()
        };
        assert_eq!(["linear", "dary"].map(first), ["own_linear", "own_dary"]);
    }

    #[test]
    fn an_agreement_ends_whichever_class_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let to_learn = ToLearn { folder: folder.path().to_owned(), except: Vec::new(), prior: None };
        let learning = Learning::open(&to_learn).unwrap();
        let learner = learning.begin(4, 1);
        let [one, other] = [1024, 1 << 16].map(|bytes| Call::new(Collective::Bcast, (4, 0, 0), bytes));
        while learning.step(&learner, &one, None) != Step::Begin {
            locked(&learner).note(0, 1000);
        }
        let (values, sent) = locked(&learner).begin_agreement();
        assert!(sent < VALUES && values[sent..].iter().all(|value| *value == 0));
        assert_eq!(
            [&one, &other, &other].map(|call| learning.step(&learner, call, None)),
            [const { Step::Default }; 3]
        );
        assert_eq!(learning.step(&learner, &other, None), Step::End);
        locked(&learner).agree(&values, 10);
        assert_eq!(
            [&other, &one].map(|call| learning.step(&learner, call, None)),
            [const { Step::Default }; 2]
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_cannot_be_written_is_told_and_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let to_learn = ToLearn { folder: folder.path().to_owned(), except: Vec::new(), prior: None };
        let lost = |calls_made: usize| {
            let learning = Learning::open(&to_learn).unwrap();
            calls(&learning, None, "own_binary", calls_made);
            learning.write("Open MPI v4.1.4", &Trees::default()).unwrap_err()
        };
        let trees = folder.path().join(TREES);
        fs::write(&trees, "in the way").unwrap();
        let told = lost(2000);
        assert!(
            told.starts_with("the trees of what was learned are not written: ") && told.lines().count() == 1,
            "{told}"
        );
        fs::remove_file(&trees).unwrap();
        fs::create_dir(&trees).unwrap();
        fs::write(trees.join("bcast.tree.json"), "before").unwrap();
        // A full disk.
        std::os::unix::fs::symlink("/dev/full", trees.join("bcast.tree.json.part")).unwrap();
        assert!(lost(2000).ends_with("bcast.tree.json: No space left on device (os error 28)"));
        assert_eq!(fs::read(trees.join("bcast.tree.json")).unwrap(), b"before");
        assert!(!trees.join("bcast.tree.json.part").is_symlink());
    }
}
