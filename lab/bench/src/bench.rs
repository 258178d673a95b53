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
use std::path::PathBuf;

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
use xtask::files;
use xtask::machine;
use xtask::run::target;

/// The options of the benchmark.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write the tables to README.md in this folder, with the machine and the compilers, and the figure next to it
    #[arg(long, value_name = "FOLDER")]
    publish: Option<PathBuf>,

    /// Time the trees of each depth of this map instead
    #[arg(long, value_name = "MAP", conflicts_with = "publish")]
    by_depth: Option<PathBuf>,

    /// Time only these forms and a tree in memory [default: all]
    #[arg(long = "form", value_name = "NAME,…", value_delimiter = ',', requires = "by_depth")]
    forms: Vec<String>,
}

/// The number of rounds over which medians are computed.
const ROUNDS: usize = 41;

pub(crate) fn bench(arguments: &Arguments) -> Result<(), String> {
    let folder = folder("bench")?;
    if let Some(file) = &arguments.by_depth {
        let map = qtdec_papers::read::map(file)?;
        let is_asked =
            |name: &str| arguments.forms.is_empty() || arguments.forms.iter().any(|form| form == name);
        print!("{}", depths::table(&folder, &map, is_asked)?);
        return Ok(());
    }
    let valgrind = machine::command("valgrind");
    if let Err(reason) = &valgrind {
        println!("instructions and branches are skipped: {reason}");
    }
    let python = peers::python();
    if python.is_none() {
        println!("tl2cgen, m2cgen and emlearn are skipped: Python's pip cannot install them here");
    }
    let mut tables = report::head();
    let mut rows = Vec::new();
    let mut subjects = Vec::new();
    for NamedMap { name, map } in maps::all() {
        let mut forms = forms::all(&map)?;
        if let Some(python) = &python {
            forms.extend(peers::forms(&map, python, &folder.join(name).join("peers"))?);
        }
        let (title, queries) = (format!("The {name} map"), Queries::all(&map));
        subjects.push(Subject { name, title, note: String::new(), forms, queries });
    }
    for NamedTree { name, origin, tree } in trees::all()? {
        let (forms, queries) = (forms::of_tree(&tree)?, Queries::of_tree(&tree));
        let (title, note) = (format!("A tree of {name}"), format!("\n{origin}\n"));
        subjects.push(Subject { name, title, note, forms, queries });
    }
    for Subject { name, title, note, forms, queries } in subjects {
        println!("\n── {name}");
        let program = Program::build(&folder.join(name.replace(' ', "_")), &forms)?;
        let times = program.times(&queries)?;
        for (form, cost) in forms.iter().zip(&program.costs) {
            for (distribution, requested) in &queries {
                let count =
                    valgrind.is_ok().then(|| callgrind::count(&program, form, requested)).transpose()?;
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
    println!("\n── by depth");
    let table = depths::table(&folder.join("depths"), &depths::map()?, |_| true)?;
    print!("{table}");
    writeln!(tables, "\n{}\n{table}", depths::HEAD).expect("writing to a string cannot fail");
    if let Some(folder) = &arguments.publish {
        files::write(folder.join("README.md"), tables)?;
        let figure = report::figure(&rows).svg().expect("there are few boxes");
        files::write(folder.join(report::FIGURE), figure)?;
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
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(files::named(&folder))?;
    }
    files::folder(&folder)?;
    Ok(folder)
}
