//! What maps cost the crates that use them: the figures of the README, measured on this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use qtdec_core::code::Layout;
use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Borders, DecisionMap};
use qtdec_testkit::maps::{Pattern, Plan};
use wait4::Wait4;

use crate::run::{cargo, root};

pub(crate) fn numbers() -> Result<(), String> {
    let folder = root().join("target/numbers");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let consumer = Consumer::new(&folder)?;
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(["what", "measured", "goal"]);

    let (time, _) = consumer.clean_build()?;
    table.add_row([
        "clean build of a crate that uses the attribute".to_owned(),
        seconds(time),
        "6 s on two cores".to_owned(),
    ]);
    for (name, map, expansion_goal, total_goal) in maps() {
        let leaves = leaves(&map)?;
        consumer.write_map(&map, "branches")?;
        let Compiled { expansion, total, memory, .. } = consumer.compile()?;
        let name = format!("{name}, {leaves} leaves");
        table.add_row([
            format!("{name}: expansion, macro unoptimised"),
            seconds(expansion),
            expansion_goal.to_owned(),
        ]);
        table.add_row([format!("{name}: rustc in all, opt-level 3"), seconds(total), total_goal.to_owned()]);
        table.add_row([
            format!("{name}: peak memory of rustc"),
            format!("{} MB", memory >> 20),
            "1 GB".to_owned(),
        ]);
    }
    smallest_trees(&folder, &mut table)?;
    println!("{table}");
    println!("{}", by_layout(&consumer)?);
    Ok(())
}

/// What the command takes to find the smallest trees of maps in which all is chance, the worst there are.
fn smallest_trees(folder: &Path, table: &mut Table) -> Result<(), String> {
    timed(&mut cargo(["build", "--quiet", "--release", "--package", "qtdec-tune"]))?;
    let (map, tree) = (folder.join("random.json"), folder.join("random-tree.json"));
    for (side, goal) in [(64, "0.4 s"), (128, "256 MB")] {
        let plan = Plan { methods: 4, ..Plan::new(&[side, side], Pattern::Noise, 1) };
        fs::write(&map, plan.map().to_json()).map_err(|error| error.to_string())?;
        let mut command = Command::new(root().join("target/release/qtdec"));
        command.args(["encode", "--encoding", "optimal"]).arg(&map).arg("--output").arg(&tree);
        let (time, memory) = timed(&mut command)?;
        let name = format!("{side} × {side} random: the smallest tree, by the command");
        table.add_row([name, format!("{}, {} MB", seconds(time), memory >> 20), goal.to_owned()]);
    }
    Ok(())
}

/// What random maps of 1024 to 65 536 cells cost in every layout.
fn by_layout(consumer: &Consumer) -> Result<Table, String> {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header([
        "map",
        "leaves",
        "layout",
        "expansion",
        "processor time",
        "memory",
    ]);
    for side in [32, 64, 128, 256] {
        let map = Plan { methods: 10, ..Plan::new(&[side, side], Pattern::Noise, 1) }.map();
        let leaves = leaves(&map)?;
        for (layout, _) in Layout::ALL {
            consumer.write_map(&map, layout)?;
            let Compiled { expansion, processor, memory, .. } = consumer.compile()?;
            table.add_row([
                format!("{side} × {side} random"),
                leaves.to_string(),
                layout.to_owned(),
                seconds(expansion),
                seconds(processor),
                format!("{} MB", memory >> 20),
            ]);
        }
    }
    Ok(table)
}

fn leaves(map: &DecisionMap) -> Result<u64, String> {
    let tree = encode::encode(map, &Quadtree::default(), Borders::Floor);
    tree.map(|tree| tree.statistics().encoding.leaves).map_err(|problem| problem.to_string())
}

fn maps() -> Vec<(&'static str, DecisionMap, &'static str, &'static str)> {
    let noisy = Plan { methods: 12, costs: true, ..Plan::new(&[64, 64], Pattern::Smooth, 1) };
    let random = Plan { methods: 10, ..Plan::new(&[128, 128], Pattern::Noise, 1) };
    let smooth = Plan { methods: 12, ..Plan::new(&[4096, 4096], Pattern::Bands, 1) };
    vec![
        ("64 × 64 noisy", noisy.map(), "0.3 s", "0.5 s"),
        ("128 × 128 random", random.map(), "3 s", "3 s"),
        ("1 × 65 536 alternating", Plan::new(&[1, 65_536], Pattern::Checkerboard, 1).map(), "–", "–"),
        ("4096 × 4096 smooth", smooth.map(), "–", "–"),
    ]
}

/// A crate that uses the attribute and nothing else.
struct Consumer {
    folder: PathBuf,
}

/// What a compilation cost.
struct Compiled {
    expansion: Duration,
    total: Duration,
    /// Of all processors.
    processor: Duration,
    /// In bytes.
    memory: u64,
}

impl Consumer {
    fn new(folder: &Path) -> Result<Self, String> {
        let folder = folder.join("consumer");
        let root = root();
        let manifest = format!(
            "[package]\nname = \"consumer\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nqtdec = {{ path = \"{}\" }}\n\n[workspace]\n",
            root.display()
        );
        let write = || {
            fs::create_dir_all(folder.join("src"))?;
            fs::write(folder.join("Cargo.toml"), manifest)?;
            fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).map(drop)
        };
        write().map_err(|error| error.to_string())?;
        Ok(Self { folder })
    }

    fn write_map(&self, map: &DecisionMap, layout: &str) -> Result<(), String> {
        let source = format!(
            "#[qtdec::decision_map(\"map.json\", layout = \"{layout}\")]\n\
             pub fn select(comm_size: usize, msg_size: usize) -> u16;\n"
        );
        let write = || {
            fs::write(self.folder.join("src/lib.rs"), source)?;
            fs::write(self.folder.join("map.json"), map.to_json())
        };
        write().map_err(|error| error.to_string())
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = cargo(arguments);
        command.current_dir(&self.folder).arg("--offline").stdout(Stdio::null()).stderr(Stdio::inherit());
        command
    }

    fn clean_build(&self) -> Result<(Duration, u64), String> {
        self.write_map(&Plan::new(&[2, 2], Pattern::Corner, 1).map(), "branches")?;
        let clean = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut command = self.cargo(&["build", "--quiet"]);
        command.arg("--target-dir").arg(clean.path());
        timed(&mut command)
    }

    /// Compiles the crate with its map in release, which leaves the macro as Cargo builds macros.
    fn compile(&self) -> Result<Compiled, String> {
        // Once for the dependencies and once more to be measured.
        timed(&mut self.cargo(&["build", "--quiet", "--release"]))?;
        let source = self.folder.join("src/lib.rs");
        let text = fs::read_to_string(&source).map_err(|error| error.to_string())?;
        fs::write(&source, text).map_err(|error| error.to_string())?;
        let mut command = cargo(["rustc", "--quiet", "--release", "--offline", "--", "-Ztime-passes"]);
        command
            .current_dir(&self.folder)
            .env("RUSTC_BOOTSTRAP", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let mut passes = String::new();
        let mut stderr = child.stderr.take().expect("it is piped");
        std::io::Read::read_to_string(&mut stderr, &mut passes).map_err(|error| error.to_string())?;
        let used = child.wait4().map_err(|error| error.to_string())?;
        let pass = |name: &str| {
            let line = passes.lines().find(|line| line.trim_end().ends_with(name));
            let seconds = line.and_then(|line| {
                line.trim_start().strip_prefix("time:")?.split(';').next()?.trim().parse().ok()
            });
            seconds
                .map(Duration::from_secs_f64)
                .ok_or_else(|| format!("rustc told no time of {name}: {passes}"))
        };
        Ok(Compiled {
            expansion: pass("macro_expand_crate")?,
            total: pass("total")?,
            processor: used.rusage.utime + used.rusage.stime,
            memory: used.rusage.maxrss,
        })
    }
}

/// How long a command takes, and the memory of its largest process.
fn timed(command: &mut Command) -> Result<(Duration, u64), String> {
    let start = Instant::now();
    let used = command.spawn().and_then(|mut child| child.wait4()).map_err(|error| error.to_string())?;
    if used.status.success() {
        Ok((start.elapsed(), used.rusage.maxrss))
    } else {
        Err(format!("{command:?} failed"))
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
