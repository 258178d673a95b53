//! The papers' form of the code compared with branches, on the maps of the project, in `lab/results/quadrants.md`.

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use qtdec_core::DecisionMap;
use qtdec_core::encode::Quadtree;
use xtask::chapter::with_table;
use xtask::files;
use xtask::outcome::Outcome;
use xtask::packages::Machine;
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

/// The maps that come with the project.
const SHIPPED: [&str; 6] = [
    "mpi/command/maps/frodo-bcast.json.xz",
    "mpi/command/maps/frodo-reduce.json.xz",
    "mpi/command/maps/grig-bcast.json.xz",
    "mpi/command/maps/grig-reduce.json.xz",
    "examples/maps/bcast.json",
    "examples/general/maps/matmul.json",
];

/// The name of the table.
const TABLE: &str = "quadrants";

/// Counts, and rewrites the table.
pub(crate) fn quadrants(machine: Machine) -> Result<Outcome, String> {
    if let Err(reason) = machine.command("valgrind", &["valgrind"]) {
        return Ok(Outcome::Skipped(reason));
    }
    let path = root().join("lab/results/quadrants.md");
    let page = files::read(&path)?;
    // A page without the place of the table is refused before anything is measured.
    with_table(&page, TABLE, "")?;
    let mut table = Table::new();
    let columns = FORMS.map(|form| [format!("{form}: instructions"), format!("{form}: bytes")]);
    table
        .load_style(ASCII_MARKDOWN)
        .set_header(["map".to_owned(), "regions".to_owned()].into_iter().chain(columns.concat()));
    for (number, (name, map)) in all()?.iter().enumerate() {
        table.add_row(row(&number.to_string(), name, map)?);
    }
    let table = format!("{table}\n");
    files::write(&path, with_table(&page, TABLE, &table)?)?;
    Ok(Outcome::Held(table))
}

/// Returns all maps with their names: the shipped ones, and those of the benchmark.
fn all() -> Result<Vec<(String, DecisionMap)>, String> {
    let mut all = vec![("reduce_scatter_block on Polaris".to_owned(), depths::map()?)];
    for path in SHIPPED {
        all.push((format!("`{path}`"), qtdec_papers::read::map(&root().join(path))?));
    }
    let synthetic = maps::all().into_iter().map(|named| (format!("the {} map", named.name), named.map));
    all.extend(synthetic);
    Ok(all)
}

/// Returns the cost of every form of the exact quadtree of a map, for uniform queries.
fn row(number: &str, name: &str, map: &DecisionMap) -> Result<Vec<String>, String> {
    let quadtree = Quadtree::default();
    let tree = forms::encoded(map, &quadtree)?;
    let mut all = forms::layouts(&tree)?;
    all.push(forms::crossing(map)?);
    all.extend(forms::prototypes(map, &quadtree)?);
    all.retain(|form| FORMS.contains(&&*form.name));
    let program = Program::build(&folder("quadrants")?.join(number), &all)?;
    let (_, uniform) = &Queries::all(map)[0];
    let mut row = vec![name.to_owned(), tree.root().leaves().to_string()];
    let mut counted = Vec::new();
    for wanted in FORMS {
        let place = all.iter().position(|form| form.name == wanted).ok_or("no such form")?;
        let Count { instructions, .. } = callgrind::count(&program, &all[place], uniform)?;
        let Cost { text_bytes, .. } = &program.costs[place];
        let bytes = text_bytes.map_or_else(|| "–".to_owned(), |bytes| bytes.to_string());
        row.extend([format!("{instructions:.1}"), bytes]);
        counted.push(instructions);
    }
    let ratio = counted[1] / counted[0];
    if (ratio - 1.0).abs() > SAME {
        return Err(format!(
            "{name}: branches with other borders take {ratio:.3} times as many instructions"
        ));
    }
    Ok(row)
}
