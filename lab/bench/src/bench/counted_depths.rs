//! The instructions of a decision by the depth of its tree, in `lab/results/depths.md`: the papers' tree of pointers and their code, what
//! qtdec generates, and its tables (2006 paper, Table 4; 2007 paper, Table 3).

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use qtdec_core::{DecisionMap, DecisionTree};
use xtask::chapter::with_table;
use xtask::files;
use xtask::machine;
use xtask::outcome::Outcome;
use xtask::run::root;

use super::forms::{self, Form};
use super::program::Program;
use super::queries::Queries;
use super::{callgrind, depths, folder};

/// The forms, in the order of the columns.
const FORMS: [&str; 6] = ["pointers", "paper", "quadrants", "branches", "table", "memory_table"];

/// The maps, by the names of their tables.
const MAPS: [(&str, &str); 2] = [
    ("grig-reduce", "mpi/command/maps/grig-reduce.json.xz"),
    ("grig-bcast", "mpi/command/maps/grig-bcast.json.xz"),
];

/// The name of the table of hand-written rules.
const RULES: &str = "ft-mpi";

/// Counts, and rewrites the tables.
pub(crate) fn counted_depths() -> Result<Outcome, String> {
    if let Err(reason) = machine::command("valgrind") {
        return Ok(Outcome::Skipped(reason));
    }
    let path = root().join("lab/results/depths.md");
    let mut page = files::read(&path)?;
    // A page without the places of the tables is refused before anything is measured.
    for name in MAPS.map(|(name, _)| name).into_iter().chain([RULES]) {
        with_table(&page, name, "")?;
    }
    let mut printed = Vec::new();
    for (name, file) in MAPS {
        let table = table(name, &qtdec_papers::read::map(&root().join(file))?)?;
        page = with_table(&page, name, &table)?;
        printed.push(format!("{name}\n{table}"));
    }
    let rules = of_rules()?;
    page = with_table(&page, RULES, &rules)?;
    printed.push(format!("{RULES}\n{rules}"));
    files::write(&path, page)?;
    Ok(Outcome::Held(printed.concat()))
}

/// Returns the instructions of each form of the quadtree of each depth, for uniform queries.
fn table(name: &str, map: &DecisionMap) -> Result<String, String> {
    let trees = depths::trees(map)?;
    let all = depths::forms_of(map, &trees, |form| FORMS.contains(&form))?;
    let program = Program::build(&folder("counted_depths")?.join(name), &all)?;
    let (_, uniform) = &Queries::all(map)[0];
    let instructions = |form: &str, depth: u32| -> Result<f64, String> {
        let named = format!("{form}_{depth}");
        let form = all.iter().find(|form| form.name == named).ok_or_else(|| format!("no form {named}"))?;
        Ok(callgrind::count(&program, form, uniform)?.instructions)
    };
    let mut table = Table::new();
    let titles = ["depth", "mean depth", "leaves"].into_iter().chain(FORMS);
    table.load_style(ASCII_MARKDOWN).set_header(titles.chain(["pointers: a level"]));
    for (depth, tree) in &trees {
        let counted: Vec<f64> =
            FORMS.iter().map(|form| instructions(form, *depth)).collect::<Result<_, _>>()?;
        table.add_row(row(*depth, tree, &counted));
    }
    Ok(format!("{table}\n"))
}

/// Returns a row. The last cell divides the instructions with pointers by the mean depth and one, as the papers do with times.
fn row(depth: u32, tree: &DecisionTree, counted: &[f64]) -> Vec<String> {
    let encoding = &tree.statistics().encoding;
    let mean = encoding.depth.mean;
    let mut row = vec![depth.to_string(), format!("{mean:.2}"), encoding.leaves.to_string()];
    row.extend(counted.iter().chain([&(counted[0] / (mean + 1.0))]).map(|count| format!("{count:.1}")));
    row
}

/// Returns the instructions of FT-MPI's rules and of the deepest trees, and how much longer a reduction is decided than a broadcast.
fn of_rules() -> Result<String, String> {
    let collectives = ["reduce", "bcast"];
    let mut all = Vec::from(forms::ft_mpi());
    let mut queries = Vec::new();
    for ((_, file), collective) in MAPS.into_iter().zip(collectives) {
        let map = qtdec_papers::read::map(&root().join(file))?;
        let trees = depths::trees(&map)?;
        let deepest = trees.last().map(std::slice::from_ref).unwrap_or_default();
        let forms = depths::forms_of(&map, deepest, |form| FORMS.contains(&form))?;
        all.extend(forms.into_iter().map(|form| {
            let name = form.name.rsplit_once('_').map_or(&*form.name, |(name, _)| name);
            Form { name: format!("{name}_{collective}"), ..form }
        }));
        queries = Queries::all(&map);
    }
    let program = Program::build(&folder("counted_depths")?.join(RULES), &all)?;
    let (_, uniform) = &queries[0];
    let times = program.times(&queries[..1])?;
    let mut table = Table::new();
    let titles = ["decisions", "broadcast", "reduce", "reduce over broadcast", "their times"];
    table.load_style(ASCII_MARKDOWN).set_header(titles);
    for name in [RULES].into_iter().chain(FORMS) {
        let [reduce, bcast] = collectives.map(|collective| {
            let form = all.iter().find(|form| form.name == format!("{name}_{collective}"));
            let form = form.ok_or_else(|| format!("no form of {name} for {collective}"))?;
            let time =
                times.iter().find(|times| times.form == form.name).map_or(f64::NAN, |times| times.throughput);
            Ok::<_, String>((callgrind::count(&program, form, uniform)?.instructions, time))
        });
        let ((reduce, of_reduce), (bcast, of_bcast)) = (reduce?, bcast?);
        table.add_row([
            name.to_owned(),
            format!("{bcast:.1}"),
            format!("{reduce:.1}"),
            format!("{:.2}", reduce / bcast),
            format!("{:.2}", of_reduce / of_bcast),
        ]);
    }
    Ok(format!("{table}\n"))
}
