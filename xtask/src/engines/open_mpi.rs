//! Open MPI's own reader and look-ups, called through `dlopen`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Basis, Borders, DecisionMap, DecisionTree, Document, Domain, Method, MethodIndex};
use qtdec_testkit::maps::{Chance, Pattern, Plan as Coloured};
use qtdec_tune::libraries::open_mpi::{COLLECTIVES, Collective};
use qtdec_tune::libraries::{Library, Unit};
use qtdec_tune::tuning::open_mpi::{Rejected, check, read, write};
use qtdec_tune::tuning::{Plan, PlanOptions, Severity};

use super::observed::{Broadcasts, launcher};
use crate::outcome::Outcome;
use crate::packages;
use crate::run::root;

/// The component that holds the reader.
const COMPONENT: &str = "openmpi/lib/openmpi3/mca_coll_tuned.so";

/// Files that are mutated, and how often.
const MUTATIONS: u64 = 10_000;

pub(super) fn prove() -> Result<Outcome, String> {
    let found = packages::library(COMPONENT, &["openmpi-bin", "libopenmpi3"])
        .and_then(|component| packages::command("python3", &["python3"]).map(|()| component));
    let component = match found {
        Ok(component) => component,
        Err(reason) => return Ok(Outcome::Skipped(reason)),
    };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut script = Script::new(folder.path());
    let (exported, texts) = exported(&mut script)?;
    let points = script.expected.len() as u64 - exported;
    mutated(&mut script, &texts)?;
    let mutated_points = script.expected.len() as u64 - exported - points - MUTATIONS;
    script.run(&component)?;
    Ok(Outcome::Held(format!(
        "{exported} exported files agree at {points} points, and {MUTATIONS} mutated files are accepted or dropped as \
         foretold and agree at {mutated_points} more"
    )))
}

/// A whole run: eight ranks broadcast under an exported file, and the algorithms that are called are looked at.
pub(super) fn observe() -> Result<Outcome, String> {
    for (command, package) in
        [("mpirun.openmpi", "openmpi-bin"), ("mpicc.openmpi", "libopenmpi-dev"), ("cc", "gcc")]
    {
        if let Err(reason) = packages::command(command, &[package]) {
            return Ok(Outcome::Skipped(reason));
        }
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (tree, known) = trees()?.swap_remove(0);
    let plan = Plan::new(&tree, Library::OpenMpi, known.name, known.unit, &PlanOptions::default());
    let written = write(&[plan.map_err(|problems| problems.to_string())?], None);
    let file = folder.path().join("rules.conf");
    fs::write(&file, written.map_err(|problem| problem.to_string())?.text)
        .map_err(|error| error.to_string())?;
    let broadcasts = Broadcasts::build(folder.path(), "mpicc.openmpi", "open_mpi_spy.c")?;
    let msg_axis = tree.domain().find_axis("msg_size");
    let cuts = tree.root().cuts().filter(|(axis, _)| Some(*axis) == msg_axis);
    let mut sizes: Vec<u64> =
        cuts.flat_map(|(axis, at)| [tree.threshold(axis, at) - 1, tree.threshold(axis, at)]).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.retain(|size| *size > 0);
    let mut observed = 0;
    for ranks in [3_u64, 8] {
        let mut command = launcher("mpirun.openmpi");
        command
            .args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"])
            .args(["--mca", "btl", "self,vader", "--mca", "pml", "ob1", "--mca", "mpi_yield_when_idle", "1"])
            .args([
                "--mca",
                "coll_tuned_use_dynamic_rules",
                "1",
                "--mca",
                "coll_tuned_dynamic_rules_filename",
            ])
            .arg(&file)
            .args(["-x", &format!("LD_PRELOAD={}", broadcasts.spy().display())])
            .args(["-np", &ranks.to_string()]);
        let seen = broadcasts.run(&mut command, &sizes)?;
        for (size, seen) in sizes.iter().zip(seen) {
            let (id, _, segment) = expected(&tree, known, ranks, tree.decide(&[ranks, *size]));
            let name = known.algorithm(id).map_or("", |algorithm| algorithm.name);
            if seen != format!("{name}/{segment}") {
                return Err(format!("{size} bytes to {ranks} ranks: {seen} ran, not {name}/{segment}"));
            }
            observed += 1;
        }
    }
    Ok(Outcome::Held(format!(
        "{observed} broadcasts, at every threshold, ran the algorithm of the exported file"
    )))
}

/// What the engine is asked, and what it is to answer.
struct Script<'f> {
    folder: &'f Path,
    commands: String,
    expected: Vec<String>,
    files: usize,
}

impl<'f> Script<'f> {
    fn new(folder: &'f Path) -> Self {
        Self { folder, commands: String::new(), expected: Vec::new(), files: 0 }
    }

    fn file(&mut self, bytes: &[u8], accepted: bool) -> Result<(), String> {
        let path = self.folder.join(self.files.to_string());
        fs::write(&path, bytes).map_err(|error| error.to_string())?;
        let _ = writeln!(self.commands, "file {}", path.display());
        self.expected.push(u8::from(accepted).to_string());
        self.files += 1;
        Ok(())
    }

    fn ask(&mut self, collective: u8, ranks: u64, size: u64, expected: (u64, u64, u64)) {
        self.expect(collective, ranks, size, &format!("{} {} {}", expected.0, expected.1, expected.2));
    }

    fn expect(&mut self, collective: u8, ranks: u64, size: u64, answer: &str) {
        let _ = writeln!(self.commands, "ask {collective} {ranks} {size}");
        self.expected.push(answer.to_owned());
    }

    fn run(self, component: &Path) -> Result<(), String> {
        let mut child = Command::new("timeout")
            .args(["300", "python3"])
            .arg(root().join("xtask/src/engines/open_mpi.py"))
            .arg(component)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut stdin = child.stdin.take().expect("it is piped");
        let commands = self.commands.clone();
        let writer = std::thread::spawn(move || stdin.write_all(commands.as_bytes()));
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        let written = writer.join();
        if !output.status.success() || !matches!(written, Ok(Ok(()))) {
            return Err(format!("the probe ended with {}", output.status));
        }
        let answers = String::from_utf8_lossy(&output.stdout);
        let answers: Vec<&str> = answers.lines().collect();
        if answers.len() != self.expected.len() {
            return Err(format!("{} answers to {} questions", answers.len(), self.expected.len()));
        }
        let mut file = String::new();
        for ((command, expected), answer) in self.commands.lines().zip(&self.expected).zip(answers) {
            if command.starts_with("file") {
                command.clone_into(&mut file);
            }
            if expected != answer {
                let kept = root().join("target/engine-disagrees.conf");
                let _ = fs::copy(file.trim_start_matches("file "), &kept);
                return Err(format!(
                    "{command}: the engine says {answer}, not {expected} (the file is kept as {})",
                    kept.display()
                ));
            }
        }
        Ok(())
    }
}

/// Asks for every exported file what it decides around every threshold on both axes. Gives the number of files, and
/// their texts.
fn exported(script: &mut Script<'_>) -> Result<(u64, Vec<String>), String> {
    let mut texts = Vec::new();
    for (tree, known) in trees()? {
        let options = PlanOptions { max_comm_size: Some(70), ..PlanOptions::default() };
        let plan = Plan::new(&tree, Library::OpenMpi, known.name, known.unit, &options)
            .map_err(|problems| problems.to_string())?;
        let text = write(&[plan], None).map_err(|problem| problem.to_string())?.text;
        if check(text.as_bytes()).iter().any(|finding| finding.severity != Severity::Note) {
            return Err(format!("what was written for {} does not pass the check:\n{text}", known.name));
        }
        script.file(text.as_bytes(), true)?;
        breakpoints(script, &tree, known);
        texts.push(text);
    }
    Ok((texts.len() as u64, texts))
}

fn breakpoints(script: &mut Script<'_>, tree: &DecisionTree, known: &Collective) {
    let axis = |name: &str| tree.domain().find_axis(name);
    let (comm_axis, msg_axis) = (axis("comm_size"), axis("msg_size"));
    let around = |axis: Option<usize>, more: &[u64]| {
        let cuts = tree.root().cuts().filter(|(cut, _)| Some(*cut) == axis);
        let thresholds = cuts.map(|(axis, at)| tree.threshold(axis, at));
        let mut sizes: Vec<u64> = thresholds
            .flat_map(|size| [size.saturating_sub(1), size, size + 1])
            .chain(more.iter().copied())
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    };
    let basis = msg_axis.and_then(|axis| tree.domain().axes()[axis].basis);
    let multiplied = matches!(known.unit, Unit::TimesRanks | Unit::Total) && basis == Some(Basis::Block);
    // Every communicator size where each has rules of its own, those around thresholds where not.
    let every: Vec<u64> = (1..=70).collect();
    let ranks = around(comm_axis, if multiplied { &every } else { &[1, 2, 3, 1 << 20] });
    let largest = if multiplied { 70 } else { u64::from(i32::MAX as u32) };
    for ranks in ranks.into_iter().filter(|ranks| (1..=largest).contains(ranks)) {
        for size in around(msg_axis, &[0, 1, 1 << 40]) {
            let mut sizes = vec![0; tree.domain().axes().len()];
            for (axis, size) in [(comm_axis, ranks), (msg_axis, size)] {
                if let Some(axis) = axis {
                    sizes[axis] = size;
                }
            }
            let expected = expected(tree, known, ranks, tree.decide(&sizes));
            script.ask(known.id, ranks, if multiplied { size * ranks } else { size }, expected);
        }
    }
}

fn expected(
    tree: &DecisionTree,
    known: &Collective,
    ranks: u64,
    method: Option<MethodIndex>,
) -> (u64, u64, u64) {
    let Some(method) = method.map(|method| tree.domain().method(method)) else { return (0, 0, 0) };
    let Some(algorithm) = Library::OpenMpi.find(known.name, &method.name) else { return (0, 0, 0) };
    if algorithm.name == "two_proc" && ranks != 2 {
        return (0, 0, 0);
    }
    let segment = method.segment_size.filter(|_| algorithm.segmented).unwrap_or(0);
    (known.id_of(algorithm), 0, segment)
}

/// The maps of the repository that Open MPI knows the methods of, and random ones for every collective.
fn trees() -> Result<Vec<(DecisionTree, &'static Collective)>, String> {
    let mut trees = Vec::new();
    for path in
        ["examples/maps/bcast.json", "tests/golden/bcast.json", "qt-tune/tests/commands.in/bcast.json"]
    {
        let bytes = fs::read(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
        let document = Document::from_json(&bytes).map_err(|problems| problems.to_string())?;
        let Document::Map(map) = document else { return Err(format!("{path} is no map")) };
        for borders in Borders::ALL {
            let known = COLLECTIVES.iter().find(|known| Some(known.name) == map.domain().collective());
            trees.push((tree(&map, borders.1)?, known.ok_or_else(|| format!("{path}: no collective"))?));
        }
    }
    let mut seed = 1;
    for known in &COLLECTIVES {
        for basis in [Basis::Block, Basis::Buffer, Basis::Total] {
            let fits = match known.unit {
                Unit::Buffer | Unit::Nothing => basis == Basis::Buffer,
                Unit::PerRank => basis == Basis::Block,
                Unit::TimesRanks | Unit::Total => true,
            };
            for pattern in [Pattern::Noise, Pattern::Smooth, Pattern::Stripes] {
                seed += 1;
                if fits && !(["scan", "exscan"].contains(&known.name) && basis == Basis::Buffer) {
                    let shape: &[usize] = if known.unit == Unit::Nothing { &[9] } else { &[9, 12] };
                    let map =
                        random(&Coloured { nulls: 10, ..Coloured::new(shape, pattern, seed) }, known, basis)?;
                    trees.push((tree(&map, Borders::ALL[seed as usize % 3].1)?, known));
                }
            }
        }
    }
    Ok(trees)
}

fn tree(map: &DecisionMap, borders: Borders) -> Result<DecisionTree, String> {
    encode::encode(map, &Quadtree::default(), borders).map_err(|problem| problem.to_string())
}

/// A coloured grid whose colours are algorithms of a collective, some with segments.
fn random(plan: &Coloured, known: &Collective, basis: Basis) -> Result<DecisionMap, String> {
    let algorithms: Vec<_> =
        known.algorithms().iter().filter(|algorithm| algorithm.since.is_none()).collect();
    let coloured = Coloured { methods: 7, ..plan.clone() }.map();
    let mut chance = Chance(plan.seed);
    let methods = (0..coloured.domain().methods().len() as u64).map(|index| {
        let algorithm = algorithms[index as usize % algorithms.len()];
        // Different numbers, so that no two methods are alike.
        let segment_size = Some(index * 100_000 + 1 + chance.below(90_000));
        Method { segment_size, ..Method::new(algorithm.name) }
    });
    let methods: Vec<Method> = methods.collect();
    let axes = coloured.domain().axes().iter().map(|axis| {
        // Communicators small enough for rules of their own.
        let values = axis.values().unwrap_or(&[]);
        let is_comm = axis.name == "comm_size";
        let shrunk = values
            .iter()
            .enumerate()
            .map(|(index, value)| if is_comm { 2 + 7 * index as u64 } else { *value });
        Axis {
            basis: (!is_comm).then_some(basis),
            ..Axis::new(axis.name.clone(), shrunk.collect::<Vec<u64>>())
        }
    });
    let domain = Domain::new(Some(known.name.to_owned()), axes.collect(), methods);
    let domain = domain.map_err(|problems| problems.to_string())?;
    DecisionMap::new(domain, coloured.cells().to_vec()).map_err(|problems| problems.to_string())
}

/// Spoils files in many ways: the check must know which of them are accepted, and what those then decide.
fn mutated(script: &mut Script<'_>, texts: &[String]) -> Result<(), String> {
    let mut chance = Chance(42);
    let short: Vec<&String> = texts.iter().filter(|text| text.len() < 4000).collect();
    for _ in 0..MUTATIONS {
        let text = short[chance.below(short.len() as u64) as usize];
        let mut bytes = spoilt(text.as_bytes(), &mut chance);
        // Here the engine writes beyond its memory, and what comes of that is chance: it may not be asked.
        while matches!(read(&bytes), Err(Rejected::TooManyRules(_))) {
            bytes = spoilt(text.as_bytes(), &mut chance);
        }
        let findings = check(&bytes);
        let accepted = findings.iter().all(|finding| finding.severity != Severity::Dropped);
        script.file(&bytes, accepted)?;
        let Ok(rules) = read(&bytes) else { continue };
        for _ in 0..4 {
            let known = &COLLECTIVES[chance.below(COLLECTIVES.len() as u64) as usize];
            let (ranks, size) = (chance.below(80), chance.below(12_000));
            let rule = rules.look_up(known.name, ranks, size);
            let (algorithm, fan_out, segment) = rule.map_or((0, 0, 0), |(_, message)| message.setting());
            script.expect(known.id, ranks, size, &format!("{algorithm} {fan_out} {segment}"));
        }
    }
    Ok(())
}

fn spoilt(text: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=chance.below(3) {
        let at = chance.below(bytes.len() as u64) as usize;
        match chance.below(8) {
            0 => bytes[at] = chance.below(256) as u8,
            1 => bytes.insert(at, b"0123456789"[chance.below(10) as usize]),
            2 => bytes.insert(at, b" -+x#,.\n"[chance.below(8) as usize]),
            3 => drop(bytes.remove(at)),
            4 => bytes.truncate(at.max(1)),
            5 => {
                let piece = bytes[at..(at + 12).min(bytes.len())].to_vec();
                let to = chance.below(bytes.len() as u64) as usize;
                bytes.splice(to..to, piece);
            }
            6 => drop(bytes.splice(at..at, *b" 99999999999999999999 ")),
            _ => drop(bytes.splice(at..at, *b" 4294967298 ")),
        }
        if bytes.is_empty() {
            bytes.push(b'\n');
        }
    }
    bytes
}
