//! The benchmark: every form of one decision, in one program, with the same queries.
//!
//! Times are medians over rounds in which all forms take turns. They are meaningful only relative to each other: as ratios within
//! one run. Instructions and branches are counted by valgrind's callgrind, and are the same on every machine of one kind.

mod callgrind;
mod compiler;
mod counted_depths;
mod depths;
mod forms;
mod gate;
mod maps;
mod measured;
mod peers;
mod program;
mod quadrants;
mod queries;
mod report;
mod trees;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) use counted_depths::counted_depths;
pub(crate) use gate::gate;
pub(crate) use quadrants::quadrants;

use forms::Form;
use maps::NamedMap;
use measured::Times;
use program::Program;
use queries::Queries;
use report::FormCost;
use trees::NamedTree;
use xtask::packages::Machine;
use xtask::run::target;

/// The options of the benchmark.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write the tables to README.md in this folder, with the machine and the compilers, and the figure next to it
    #[arg(long, value_name = "FOLDER")]
    publish: Option<PathBuf>,

    /// Measure only these forms, compared with `table`, or by depth with a tree in memory [default: all]
    #[arg(long = "form", value_name = "NAME,…", value_delimiter = ',')]
    forms: Vec<String>,

    /// Measure only these maps [default: all]
    #[arg(long = "map", value_name = "NAME")]
    maps: Vec<String>,

    /// Time the trees of each depth of this map instead, in the forms of --form
    #[arg(long, value_name = "MAP")]
    by_depth: Option<PathBuf>,

    /// Compute medians over this many rounds
    #[arg(long, value_name = "N", default_value_t = 41)]
    rounds: usize,

    /// Skip the counts of callgrind, which take most of the time
    #[arg(long)]
    no_counts: bool,

    /// Skip other tools that compile trees, which are installed with Python's pip
    #[arg(long)]
    no_peers: bool,

    #[command(flatten)]
    machine: Machine,
}

pub(crate) fn bench(arguments: &Arguments) -> Result<(), String> {
    let folder = folder("bench")?;
    let is_asked = |requested: &[String], name: &str| {
        requested.is_empty() || requested.iter().any(|requested| requested == name)
    };
    if let Some(file) = &arguments.by_depth {
        let map = qtdec_papers::read::map(file)?;
        print!(
            "{}",
            depths::table(&folder, arguments.rounds, &map, |name| is_asked(&arguments.forms, name))?
        );
        return Ok(());
    }
    let valgrind = arguments.machine.command("valgrind", &["valgrind"]);
    let counts = !arguments.no_counts && valgrind.is_ok();
    if let (false, Err(reason)) = (arguments.no_counts, valgrind) {
        println!("instructions and branches are skipped: {reason}");
    }
    let python = if arguments.no_peers { None } else { peers::python() };
    if python.is_none() && !arguments.no_peers {
        println!("tl2cgen, m2cgen and emlearn are skipped: Python's pip cannot install them here");
    }
    let mut tables = report::head(arguments.rounds);
    let mut rows = Vec::new();
    let mut subjects = Vec::new();
    for NamedMap { name, map } in maps::all() {
        if !is_asked(&arguments.maps, name) {
            continue;
        }
        let mut forms = forms::all(&map)?;
        if let Some(python) = &python {
            forms.extend(peers::forms(&map, python, &folder.join(name).join("peers"))?);
        }
        let (title, queries) = (format!("The {name} map"), Queries::all(&map));
        subjects.push(Subject { name, title, note: String::new(), forms, queries });
    }
    for NamedTree { name, origin, tree } in trees::all()? {
        if is_asked(&arguments.maps, name) {
            let (forms, queries) = (forms::of_tree(&tree)?, Queries::of_tree(&tree));
            let (title, note) = (format!("A tree of {name}"), format!("\n{origin}\n"));
            subjects.push(Subject { name, title, note, forms, queries });
        }
    }
    for Subject { name, title, note, mut forms, queries } in subjects {
        println!("\n── {name}");
        // Times are reported as multiples of those of the table.
        forms.retain(|form| form.name == "table" || is_asked(&arguments.forms, &form.name));
        let program = Program::build(&folder.join(name.replace(' ', "_")), &forms)?;
        let times = program.times(&queries, arguments.rounds)?;
        for (form, cost) in forms.iter().zip(&program.costs) {
            for (distribution, requested) in &queries {
                let count = counts.then(|| callgrind::count(&program, form, requested)).transpose()?;
                let times: &Times = times
                    .iter()
                    .find(|times| times.form == form.name && times.distribution == *distribution)
                    .ok_or_else(|| format!("no times of {} on {distribution}", form.name))?;
                rows.push(FormCost::new((name, &title), form, cost, times, count));
            }
        }
        let table = report::markdown(&rows, name);
        print!("{table}");
        writeln!(tables, "\n## {title}\n{note}\n{table}").expect("writing to a string cannot fail");
    }
    if is_asked(&arguments.maps, depths::MAP) {
        println!("\n── {}, by depth", depths::MAP);
        let table = depths::table(&folder.join("depths"), arguments.rounds, &depths::map()?, |name| {
            is_asked(&arguments.forms, name)
        })?;
        print!("{table}");
        writeln!(tables, "\n{}\n{table}", depths::HEAD).expect("writing to a string cannot fail");
    }
    if let Some(folder) = &arguments.publish {
        write(&folder.join("README.md"), tables)?;
        let figure = report::figure(&rows).svg().expect("there are few boxes");
        write(&folder.join(report::FIGURE), figure)?;
    }
    Ok(())
}

/// The subject of a section of the tables.
struct Subject {
    name: &'static str,
    title: String,
    /// A paragraph between the title and the table.
    note: String,
    forms: Vec<Form>,
    queries: Vec<(&'static str, Queries)>,
}

/// Returns an empty folder under `target`.
fn folder(name: &str) -> Result<PathBuf, String> {
    let folder = target().join(name);
    let clean = || {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)
    };
    clean().map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    Ok(folder)
}

/// Writes a file whose folder exists.
fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    fs::write(path, content).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
