//! The time of a whole program, pw.x of Quantum ESPRESSO: without tuning, with what `tune` deploys, and while it learns, in runs that
//! alternate.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::Instant;

use qtdec_mpi_schedule::Collective;
use xtask::files;
use xtask::machine;
use xtask::outcome::Outcome;

use super::campaign::{self, Calls};
use super::chain::Chain;
use super::prepared::{self, Measurement, Options};
use super::programs::{qtdec, succeed};
use super::table::table;
use crate::topology::Topology;

const NODES: u8 = 8;

/// The number of runs of each side.
const RUNS: u8 = 8;

/// The number of runs before these that learn, each from those before it: about a minute.
const LEARNING: u8 = 5;

/// What is compared: the names of files, what the table says, and settings.
const SIDES: [(&str, &str, &str); 3] = [
    ("without", "without tuning", ""),
    ("with", "with tuning", ". ./with.sh;"),
    ("learned", "learning, after these", ". ./learn.sh;"),
];

/// The calls of the program, as the profiler counts them: sizes, the library's algorithms, and the default with ours. Its other
/// collectives are barriers, for which `tune` takes no sizes, and `alltoallv`, which no schedule of ours carries out.
const CALLS: [Calls; 3] = [
    Calls {
        collective: Collective::Alltoall,
        msg_sizes: &[1600, 6400],
        forced: "linear,pairwise,modified_bruck",
        others: "default,own:linear,own:pairwise,own:rotated,own:bruck",
    },
    Calls {
        collective: Collective::Allreduce,
        msg_sizes: &[8, 64, 4096, 8192],
        forced: "recursive_doubling,ring,rabenseifner",
        others: "default,own:recursive_doubling,own:rabenseifner,own:circulant",
    },
    Calls {
        collective: Collective::Bcast,
        msg_sizes: &[8, 1024, 32768],
        forced: "basic_linear,binomial,pipeline/1K,split_binary_tree/1K",
        others: "default,own:linear,own:binomial,own:multirail/1K,own:circulant/1K",
    },
];

/// A molecule of hydrogen, and where Debian's package has its atom.
const MOLECULE: &str = include_str!("../../../engines/src/engines/interposer/h2.in");
const ATOM: &str = "/usr/share/doc/quantum-espresso/examples/CPV/EXX-wf-example/H_HSCV_PBE-1.0.UPF.gz";

/// The lines of its output that both sides must have in common.
const RESULTS: &str = "total energy";

/// What its line with the time of all iterations begins with, and what that time ends with.
const ITERATIONS: (&str, &str) = ("electrons ", "s WALL");

/// Measures on eight nodes with the default ports.
pub(crate) fn run(options: &Options) -> Result<Outcome, String> {
    if let Err(reason) = machine::command("pw.x") {
        return Ok(Outcome::Skipped(reason));
    }
    let topology = Topology { nodes: NODES, ..Topology::default() };
    prepared::run(options, Measurement::new("solution", topology), steps)
}

/// Tunes, and runs the program, on the head node.
fn steps(chain: &Chain) -> Result<(), String> {
    campaign::measure(chain, &CALLS, &[u32::from(NODES)])?;
    chain.tune(&["times"], "tuned", &["--baseline", "default"])?;
    let program = Program::new(chain)?;
    let found = program.run("", "warm-up")?.found;
    let own = program.run("export QTDEC_TRACE=1; . ./with.sh;", "traced")?.found;
    if own != found {
        return Err(format!("without tuning {found:?} was found, and with tuning {own:?}"));
    }
    let run = |settings: &str, name: String| {
        let ran = program.run(settings, &name)?;
        if ran.found == found { Ok(ran) } else { Err(format!("{name} found {:?}, not {found:?}", ran.found)) }
    };
    let learning: Vec<Ran> = (1..=LEARNING)
        .map(|number| run(". ./learn.sh;", format!("learning-{number}")))
        .collect::<Result<_, String>>()?;
    let mut sides = SIDES.map(|side| (side, Vec::new()));
    for number in 1..=RUNS {
        for ((name, _, settings), runs) in &mut sides {
            runs.push(run(settings, format!("{name}-{number}"))?);
        }
        sides.reverse();
    }
    let mut table = table(["", "runs", "median, s", "least, s", "greatest, s", "iterations: median, s"], 1);
    table.add_row(row("learning, first runs", &learning));
    for ((name, title, _), runs) in &sides {
        write(chain, name, runs)?;
        table.add_row(row(title, runs));
    }
    let [tuned, learned] =
        [("without", "with"), ("with", "learned")].map(|(before, after)| change(chain, before, after));
    chain.results(&format!(
        "{table}\n\n`verify` finds a change of the time of {} with tuning, and from there of {} with what was learned. {}",
        tuned?,
        learned?,
        program.decisions()?
    ))
}

/// Returns a row of the table.
fn row(title: &str, runs: &[Ran]) -> Vec<String> {
    let sorted = |time: fn(&Ran) -> f64| {
        let mut times: Vec<f64> = runs.iter().map(time).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let median = |times: &[f64]| qtdec_core::median(times).unwrap_or(f64::NAN);
    let (seconds, iterations) = (sorted(|ran| ran.seconds), sorted(|ran| ran.iterations));
    let mut row = vec![title.to_owned(), runs.len().to_string()];
    let shown = [median(&seconds), seconds[0], seconds[seconds.len() - 1], median(&iterations)];
    row.extend(shown.map(|time| format!("{time:.2}")));
    row
}

/// Writes the times of a side as canonical times.
fn write(chain: &Chain, name: &str, runs: &[Ran]) -> Result<(), String> {
    let row = |(run, ran): (usize, &Ran)| format!("{NODES},{},pair{run}\n", ran.seconds);
    let rows: String = runs.iter().enumerate().map(row).collect();
    fs::write(chain.folder.join(format!("{name}.csv")), format!("comm_size,time,run\n{rows}"))
        .map_err(|error| format!("{name}.csv: {error}"))?;
    let mut read = qtdec();
    read.args(["read", &format!("{name}.csv"), "--time-unit", "s", "--fixed", "method=program"]);
    read.args(["--columns", "comm_size=comm_size,run=run", "-o", &format!("{name}.times.csv")]);
    succeed(read.current_dir(&chain.folder))
}

/// Returns the change of the time from one side to another in per cent, with its interval.
fn change(chain: &Chain, before: &str, after: &str) -> Result<String, String> {
    let [before, after] = [before, after].map(|name| format!("{name}.times.csv"));
    let verified = chain.json(&["verify", &before, &after])?;
    let [change, low, high] = ["change", "low", "high"]
        .map(|key| verified["time"][key].as_f64().map_or(f64::NAN, |ratio| 100.0 * (ratio - 1.0)));
    Ok(format!("{change:+.2} % (95 %: {low:+.2} to {high:+.2} %)"))
}

/// What a run found, and how many seconds the command and the iterations took.
struct Ran {
    found: Vec<String>,
    seconds: f64,
    iterations: f64,
}

struct Program<'c> {
    chain: &'c Chain,
}

impl<'c> Program<'c> {
    /// Writes what the program reads, and the settings with which it is tuned.
    fn new(chain: &'c Chain) -> Result<Self, String> {
        let path = |name: &str| chain.folder.join(name);
        files::write(path("h2.in"), MOLECULE)?;
        let switches = path("tuned/switches.sh");
        let switches =
            if switches.exists() { format!(". '{}'\n", switches.display()) } else { String::new() };
        let [trees, library] = ["tuned", "bench/libqtdec_mpi.so"].map(path);
        let ours = format!("export QTDEC_TREES='{}' LD_PRELOAD='{}'\n", trees.display(), library.display());
        files::write(path("with.sh"), switches + &ours)?;
        let learns = format!(
            "export QTDEC_LEARN='{}' LD_PRELOAD='{}'\n",
            path("learned").display(),
            library.display()
        );
        files::write(path("learn.sh"), learns)?;
        let mut unpack = Command::new("sh");
        succeed(unpack.args(["-c", &format!("zcat {ATOM} > H.UPF")]).current_dir(&chain.folder))?;
        Ok(Self { chain })
    }

    /// Runs the program under settings.
    fn run(&self, settings: &str, name: &str) -> Result<Ran, String> {
        let folder = &self.chain.folder;
        let path = |ending: &str| folder.join(format!("{name}.{ending}"));
        let create = |ending| File::create(path(ending)).map_err(|error| format!("{name}.{ending}: {error}"));
        let mut command = Command::new("timeout");
        command.args(["--kill-after=5", "120", "sh", "-c", &format!("{settings} exec \"$@\""), "sh"]);
        command.arg(&self.chain.mpirun).args([
            "-np",
            &NODES.to_string(),
            "pw.x",
            "-ndiag",
            "1",
            "-in",
            "h2.in",
        ]);
        command.env("OMP_NUM_THREADS", "1").current_dir(folder).stdin(Stdio::null());
        command.stdout(create("out")?).stderr(create("err")?);
        let began = Instant::now();
        succeed(&mut command)?;
        let seconds = began.elapsed().as_secs_f64();
        println!("pw.x {name}: {seconds:.2} s");
        let said = fs::read_to_string(path("out")).map_err(|error| format!("{name}.out: {error}"))?;
        let found: Vec<String> =
            said.lines().filter(|line| line.contains(RESULTS)).map(str::to_owned).collect();
        if found.is_empty() {
            return Err(format!("{name}.out has no {RESULTS}"));
        }
        let line = said.lines().find(|line| line.trim_start().starts_with(ITERATIONS.0));
        let time = line.and_then(|line| line.split_once(ITERATIONS.1)?.0.split_whitespace().last());
        let iterations = time.and_then(|time| time.parse().ok());
        let iterations = iterations.ok_or_else(|| format!("{name}.out has no time of the iterations"))?;
        Ok(Ran { found, seconds, iterations })
    }

    /// Describes what decided in the run that was traced.
    fn decisions(&self) -> Result<String, String> {
        let path = self.chain.folder.join("traced.err");
        let text = files::read(&path)?;
        let all = text.lines().filter(|line| line.contains("libqtdec_mpi.so: ")).count();
        let ours = text.lines().filter(|line| line.contains("libqtdec_mpi.so: ") && line.contains(": own_"));
        Ok(format!("Of {all} different calls, {} were carried out by our schedules.", ours.count()))
    }
}
