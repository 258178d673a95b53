//! Decision times by tree depth, in memory and compiled (2006 paper, Table 4; 2007 paper, Table 3).

use std::path::Path;

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use qtdec_core::encode::Quadtree;
use qtdec_core::{DecisionMap, DecisionTree};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, Columns, ReadOptions};
use qtdec_study::selection::Recipe;

use super::forms::{self, Form};
use super::program::Program;
use super::queries::Queries;
use xtask::run::root;

/// The text above the table.
pub(super) const HEAD: &str = "## By depth\n\n\
    Times of uniform queries on the measured map of Polaris (7 × 12 cells), as multiples of the time of the tree of the \
    same depth in memory (2006 paper, Table 4; 2007 paper, Table 3), and as multiples of those of the same form at depth 1. `paper` is the code \
    that the papers print, and `pointers` their tree of nodes.\n";

/// The form whose time is the unit.
const IN_MEMORY: &str = "memory_table";

/// Times every form of the quadtree of each depth, in one program: those for which `is_asked` holds, and the tree in memory.
pub(super) fn table(
    folder: &Path,
    map: &DecisionMap,
    is_asked: impl Fn(&str) -> bool,
) -> Result<String, String> {
    let trees = trees(map)?;
    let all = forms_of(map, &trees, |name| name == IN_MEMORY || is_asked(name))?;
    let program = Program::build(folder, &all)?;
    let queries = Queries::all(map);
    let times = program.times(&queries[..1])?;
    let median = |form: &str, depth: u32| {
        let name = format!("{form}_{depth}");
        let found = times.iter().find(|times| times.form == name);
        found.map_or(f64::NAN, |times| times.throughput)
    };

    let mut table = Table::new();
    let depths = trees.iter().map(|(depth, _)| format!("depth {depth}"));
    table.load_style(ASCII_MARKDOWN).set_header([String::new()].into_iter().chain(depths));
    let leaves = trees.iter().map(|(_, tree)| tree.statistics().encoding.leaves.to_string());
    table.add_row(["leaves".to_owned()].into_iter().chain(leaves));
    let names: Vec<&str> = all.iter().filter_map(|form| form.name.strip_suffix("_1")).collect();
    let shown = |ratio: f64| if ratio.is_finite() { format!("{ratio:.2}") } else { "–".to_owned() };
    for name in &names {
        let ratios = trees.iter().map(|(depth, _)| shown(median(name, *depth) / median(IN_MEMORY, *depth)));
        table.add_row([(*name).to_owned()].into_iter().chain(ratios));
    }
    for name in &names {
        let ratios = trees.iter().map(|(depth, _)| shown(median(name, *depth) / median(name, 1)));
        table.add_row([format!("{name}, in its times of depth 1")].into_iter().chain(ratios));
    }
    Ok(format!("{table}\n"))
}

/// Returns the forms of every tree for whose names `is_asked` holds, named with `_` and the depth.
pub(super) fn forms_of(
    map: &DecisionMap,
    trees: &[(u32, DecisionTree)],
    is_asked: impl Fn(&str) -> bool,
) -> Result<Vec<Form>, String> {
    let mut all = Vec::new();
    for (depth, tree) in trees {
        let mut of_tree = vec![forms::in_memory(tree)?];
        of_tree.extend(forms::layouts(tree)?);
        of_tree.extend(forms::select(tree));
        of_tree.extend(forms::prototypes(map, &limited(*depth))?);
        of_tree.retain(|form| is_asked(&form.name));
        all.extend(of_tree.into_iter().map(|form| Form { name: format!("{}_{depth}", form.name), ..form }));
    }
    Ok(all)
}

/// Returns the quadtree of a depth.
fn limited(depth: u32) -> Quadtree {
    Quadtree { max_depth: Some(depth), ..Quadtree::default() }
}

/// Returns the map of the measurements on Polaris.
pub(super) fn map() -> Result<DecisionMap, String> {
    let file = root().join("qt-cli/data/polaris-reduce-scatter/cells.csv");
    let text = std::fs::File::open(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let columns = Columns::parse("comm_size=comm_size,msg_size=bytes_per_rank,time=median_us")?;
    let options = ReadOptions { columns, ..ReadOptions::default() };
    let (measurements, _) =
        readers::read_one("cells.csv", text, &options).map_err(|faults| format!("{faults:?}"))?;
    Recipe::default().map(&measurements, &mut Notes::default()).map_err(|problems| problems.to_string())
}

/// Returns the trees of depth 1 and more, up to the exact one.
pub(super) fn trees(map: &DecisionMap) -> Result<Vec<(u32, DecisionTree)>, String> {
    let mut trees: Vec<(u32, DecisionTree)> = Vec::new();
    for depth in 1.. {
        let tree = forms::encoded(map, &limited(depth))?;
        let is_exact = tree.statistics().encoding.quality.mismatches == 0;
        trees.push((depth, tree));
        if is_exact {
            break;
        }
    }
    Ok(trees)
}
