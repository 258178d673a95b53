//! The papers' form of the code compared with branches, on the maps of the project, in `lab/results/quadrants.md`.

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use qtdec_core::encode::Quadtree;
use qtdec_core::{Axis, DecisionMap, Domain};
use xtask::chapter::with_table;
use xtask::files;
use xtask::machine;
use xtask::outcome::Outcome;
use xtask::run::root;

use super::measured::{Cost, Count};
use super::program::Program;
use super::queries::Queries;
use super::{callgrind, depths, folder, forms, maps};

/// The forms, in the order of the columns: branches with borders at the upper samples and with those where methods cross, the papers' form,
/// and the code of the papers' prototypes, which merges nothing.
const FORMS: [&str; 4] = ["branches", "crossing", "quadrants", "paper"];

/// The greatest relative difference of instructions between borders, which change nothing but the numbers in the code.
const SAME: f64 = 0.02;

/// The greatest geometric mean of the instructions of quadrants relative to those of branches.
const MEAN: f64 = 1.12;

/// The greatest of these relative instructions.
const MOST: f64 = 1.25;

/// The maps that come with the project.
const SHIPPED: [&str; 8] = [
    "mpi/command/maps/frodo-bcast.json.xz",
    "mpi/command/maps/frodo-reduce.json.xz",
    "mpi/command/maps/grig-bcast.json.xz",
    "mpi/command/maps/grig-reduce.json.xz",
    "examples/maps/bcast.json",
    "examples/general/maps/matmul.json",
    "examples/general/maps/sort.json",
    "examples/general/maps/threads.json",
];

/// The name of the table.
const TABLE: &str = "quadrants";

/// The last columns: quadrants relative to branches.
const QUOTIENTS: [&str; 2] = ["relative instructions", "relative bytes"];

/// Counts, and rewrites the table.
pub(crate) fn quadrants() -> Result<Outcome, String> {
    if let Err(reason) = machine::command("valgrind") {
        return Ok(Outcome::Skipped(reason));
    }
    let path = root().join("lab/results/quadrants.md");
    let page = files::read(&path)?;
    // A page without the place of the table is refused before anything is measured.
    with_table(&page, TABLE, "")?;
    let mut table = Table::new();
    let columns = FORMS.map(|form| [format!("{form}: instructions"), format!("{form}: bytes")]);
    let relative = QUOTIENTS.map(str::to_owned);
    let header = ["map".to_owned(), "regions".to_owned()].into_iter().chain(columns.concat()).chain(relative);
    table.load_style(ASCII_MARKDOWN).set_header(header);
    let mut relative = Vec::new();
    for (number, (name, map)) in all()?.iter().enumerate() {
        let row = row(&number.to_string(), name, map)?;
        table.add_row(row.cells);
        relative.push(row.relative);
    }
    let means = [0, 1].map(|of| geometric_mean(relative.iter().map(|relative| relative[of])));
    let mut last = vec!["geometric mean".to_owned()];
    last.resize(2 + 2 * FORMS.len(), String::new());
    last.extend(means.map(quotient));
    table.add_row(last);
    if means[0] > MEAN {
        return Err(format!("quadrants take {:.3} times as many instructions as branches", means[0]));
    }
    let table = format!("{table}\n");
    files::write(&path, with_table(&page, TABLE, &table)?)?;
    Ok(Outcome::Held(table))
}

/// Returns all maps with their names: the shipped ones, and those of the benchmark.
fn all() -> Result<Vec<(String, DecisionMap)>, String> {
    let mut all = vec![("reduce_scatter_block on Polaris".to_owned(), depths::map()?)];
    for path in SHIPPED {
        all.push((format!("`{path}`"), numbered(&qtdec_papers::read::map(&root().join(path))?)?));
    }
    let synthetic = maps::all().into_iter().map(|named| (format!("the {} map", named.name), named.map));
    all.extend(synthetic);
    Ok(all)
}

/// Returns a map with numbers in place of labels, which the prototypes do not take. Any other map is unchanged.
fn numbered(map: &DecisionMap) -> Result<DecisionMap, String> {
    let domain = map.domain();
    if domain.axes().iter().all(|axis| axis.values().is_some()) {
        return Ok(map.clone());
    }
    let numbers = |axis: &Axis| (0..axis.len() as u64).collect::<Vec<u64>>();
    let number = |axis: &Axis| match axis.values() {
        Some(_) => axis.clone(),
        None => Axis::new(axis.name.clone(), numbers(axis)),
    };
    let axes = domain.axes().iter().map(number).collect();
    let domain = Domain::new(None, axes, domain.methods().to_vec()).map_err(|problem| problem.to_string())?;
    DecisionMap::new(domain, map.cells().to_vec()).map_err(|problem| problem.to_string())
}

fn geometric_mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(f64::ln).sum::<f64>() / count).exp()
}

fn quotient(value: f64) -> String {
    format!("{value:.2}")
}

/// The row of one map.
struct Row {
    cells: Vec<String>,
    /// The instructions and the bytes of quadrants, relative to branches.
    relative: [f64; 2],
}

/// Returns the cost of every form of the exact quadtree of a map, for uniform queries.
fn row(number: &str, name: &str, map: &DecisionMap) -> Result<Row, String> {
    let quadtree = Quadtree::default();
    let tree = forms::encoded(map, &quadtree)?;
    let mut all = forms::layouts(&tree)?;
    all.push(forms::crossing(map)?);
    all.extend(forms::prototypes(map, &quadtree)?);
    all.retain(|form| FORMS.contains(&&*form.name));
    let program = Program::build(&folder("quadrants")?.join(number), &all)?;
    let (_, uniform) = &Queries::all(map)[0];
    let mut cells = vec![name.to_owned(), tree.root().leaves().to_string()];
    let mut counted = Vec::new();
    for wanted in FORMS {
        let place = all.iter().position(|form| form.name == wanted).ok_or("no such form")?;
        let Count { instructions, .. } = callgrind::count(&program, &all[place], uniform)?;
        let Cost { text_bytes, .. } = &program.costs[place];
        let bytes = text_bytes.ok_or("`size` of binutils is needed to count bytes")?;
        cells.extend([format!("{instructions:.1}"), bytes.to_string()]);
        counted.push([instructions, bytes as f64]);
    }
    let [branches, crossing, quadrants, _] = counted[..] else { return Err("a form is missing".to_owned()) };
    let ratio = crossing[0] / branches[0];
    if (ratio - 1.0).abs() > SAME {
        return Err(format!(
            "{name}: branches with other borders take {ratio:.3} times as many instructions"
        ));
    }
    let relative = [0, 1].map(|of| quadrants[of] / branches[of]);
    if relative[0] > MOST {
        return Err(format!(
            "{name}: quadrants take {:.3} times as many instructions as branches",
            relative[0]
        ));
    }
    cells.extend(relative.map(quotient));
    Ok(Row { cells, relative })
}
