//! `qtdec demo`: the complete pipeline, on real measurements.

use std::path::Path;

use clap::Args;
use qtdec_build::ItemOptions;
use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Basis, Borders, DecisionMap, DecisionTree, Penalty, Problems, Statistics};

use qtdec_report::page::Report;
use qtdec_report::picture;
use qtdec_report::picture::Bands;
use qtdec_report::table::{Cell, Column, Form, Table};
use qtdec_study::measurements::TimeUnit;
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, Columns, Counted, ReadOptions};
use qtdec_study::selection::Recipe;
use qtdec_study::study::over_default::OverDefault;
use qtdec_terminal::{Failure, FileSet, ForceArgument, Outputs, PlaneArguments, folder, output};

/// Run the complete pipeline on real measurements
///
/// It makes a map from times, trees from the map, and functions from the trees.
/// The measurements cover 19 methods of MPI_Reduce_scatter_block on Polaris (Argonne), from 64 to 2048 ranks. One of the
/// methods is the library's own default, which is chosen where it is the fastest.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec demo --output qtdec-demo")]
pub(crate) struct Arguments {
    /// Write the code, the map and the pictures to this folder
    #[arg(short, long, value_name = "FOLDER", default_value = "target/qtdec-demo", value_parser = folder::name())]
    output: String,

    #[command(flatten)]
    force: ForceArgument,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const TIMES: &str = include_str!("../../data/polaris-reduce-scatter/cells.csv");
const TITLE: &str = "MPI_Reduce_scatter_block on Polaris";

const GRID: &str = "7 communicator sizes, 12 message sizes, 18 algorithms and the library's default";

const FUNCTION: &str = "reduce_scatter_block";

/// The method that is the library's own choice.
const DEFAULT: &str = "MPI_Reduce_scatter_block";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let map = &sound(map(false))?;
    let trees = trees(map)?;
    let mut rows: Vec<Step<'_>> = Vec::new();
    let mut files = FileSet::new("demo");
    files.add("map.json", map.to_json());
    for tree in &trees {
        let style = ItemOptions::named(FUNCTION);
        let depth = tree.statistics().encoding.depth.max;
        let lines = sound(style.function(tree, "map.json"))?.lines().count();
        files.add(format!("depth-{depth}.rs"), sound(style.file(tree, "map.json"))?);
        files.add(format!("depth-{depth}.json"), tree.to_json());
        rows.push((tree.statistics(), lines as u64));
    }
    let table = table(rows);
    add_pictures(&mut files, map, &trees)?;
    files.write(&arguments.output, Outputs::new([]), Some(&arguments.force))?;
    if arguments.json {
        return output::print(&table.write(Form::Json));
    }
    let folder = Path::new(&arguments.output);
    let exact = trees.last().map_or(0, |tree| tree.statistics().encoding.depth.max);
    output::print(&format!(
        "{TITLE}: {GRID}\n\
         \n\
         {}\n\
         The tree of depth {exact} is exact. {}\n\
         {}\n\
         The map, the trees, the code and the pictures are in {}; the exact function is {}, and {} is a \
              page about all of it.\n",
        table.write(Form::Text),
        kept(map),
        left_out(map)?,
        folder.display(),
        folder.join(format!("depth-{exact}.rs")).display(),
        folder.join("report.html").display(),
    ))
}

fn add_pictures(files: &mut FileSet, map: &DecisionMap, trees: &[DecisionTree]) -> Result<(), Failure> {
    let plane = PlaneArguments::default().resolve(map.domain())?;
    let limit = |tree: &DecisionTree| tree.statistics().encoding.depth.max.to_string();
    let named = |tree: &DecisionTree| (format!("max depth {}", limit(tree)), tree.clone());
    let steps: Vec<(String, DecisionTree)> = trees.iter().map(named).collect();
    let maps = picture::map_and_trees(map, &steps, &plane, true);
    let penalties = picture::penalties_of_trees(map, &steps, &plane, Bands::Fine);
    for (name, picture) in [("maps.svg", Some(maps)), ("penalties.svg", penalties)] {
        if let Some(svg) = picture.and_then(|picture| picture.svg().ok()) {
            files.add(name, svg);
        }
    }
    let steps = trees.iter().map(|tree| (limit(tree), tree.clone())).collect();
    let report = sound(Report::new(TITLE, "map.json", map, &[("max depth", steps)], &plane))?;
    if let Some(report) = report {
        files.add("report.html", report.html());
    }
    Ok(())
}

/// Returns the map; the library's default is one of its methods, and a candidate unless it is excluded.
fn map(no_default: bool) -> Result<DecisionMap, Problems> {
    let columns = "comm_size=comm_size,msg_size=bytes_per_rank,time=median_us";
    let options = ReadOptions {
        columns: Columns::parse(columns).unwrap_or_default(),
        basis_in: Some(Counted::Of(Basis::Block)),
        time_unit: Some(TimeUnit::Microseconds),
        ..ReadOptions::default()
    };
    let (measurements, _) = readers::read_one("cells.csv", TIMES.as_bytes(), &options)
        .map_err(|mut failed| failed.swap_remove(0).problems)?;
    let recipe = Recipe {
        collective: Some(FUNCTION.to_owned()),
        baseline: vec![DEFAULT.to_owned()],
        no_default,
        ..Recipe::default()
    };
    recipe.map(&measurements, &mut Notes::default())
}

/// Returns the trees of depth 1, 2 and so on, up to the exact one.
fn trees(map: &DecisionMap) -> Result<Vec<DecisionTree>, Failure> {
    let mut trees = Vec::new();
    for max_depth in 1.. {
        let quadtree = Quadtree { max_depth: Some(max_depth), ..Quadtree::default() };
        let tree = sound(encode::encode(map, &quadtree, Borders::default()))?;
        let exact = tree.statistics().encoding.quality.mismatches == 0;
        trees.push(tree);
        if exact {
            break;
        }
    }
    Ok(trees)
}

/// The statistics of a tree, and the number of lines of its function.
type Step<'t> = (&'t Statistics, u64);

fn table(rows: Vec<Step<'_>>) -> Table {
    let columns: [Column<'_, Step<'_>>; 11] = [
        ("depth", "depth", |(tree, _)| Cell::Whole(tree.encoding.depth.max)),
        ("min", "depth_min", |(tree, _)| Cell::Whole(tree.encoding.depth.min)),
        ("mean", "depth_mean", |(tree, _)| Cell::Number(tree.encoding.depth.mean)),
        ("penalty % min", "penalty_min", |step| penalty(step, |penalty| penalty.min)),
        ("max", "penalty_max", |step| penalty(step, |penalty| penalty.max)),
        ("mean", "penalty_mean", |step| penalty(step, |penalty| penalty.mean)),
        ("median", "penalty_median", |step| penalty(step, |penalty| penalty.median)),
        ("leaves", "leaves", |(tree, _)| Cell::Whole(tree.encoding.leaves)),
        ("regions", "regions", |(tree, _)| Cell::Whole(tree.regions)),
        ("conditions", "conditions", |(tree, _)| Cell::Whole(tree.conditions)),
        ("lines", "lines", |(_, lines)| Cell::Whole(*lines)),
    ];
    Table::of(&columns, rows)
}

fn penalty((tree, _): &Step<'_>, of: fn(&Penalty) -> f64) -> Cell {
    Cell::number(tree.encoding.quality.penalty.as_ref().map(of))
}

/// Describes where the exact decisions keep the library's default.
fn kept(map: &DecisionMap) -> String {
    OverDefault::everywhere(map.cells(), map).map_or_else(String::new, |compared| {
        format!("It keeps the library's default in {} of {} cells.", compared.kept, compared.cells)
    })
}

/// Describes what the exact tree loses if the default is not a candidate.
fn left_out(map: &DecisionMap) -> Result<String, Failure> {
    let without = sound(self::map(true))?;
    let priced = Penalty::from_decisions(without.cells(), map);
    let compared = OverDefault::everywhere(without.cells(), &without);
    Ok(priced.zip(compared).map_or_else(String::new, |(penalty, compared)| {
        format!(
            "An exact tree of the 18 algorithms alone is slower than the default in {} cells, and {:.2} % slower than this \
             one on average.",
            compared.slower.len(),
            penalty.mean
        )
    }))
}

/// Reports problems with the embedded data, of which there should be none.
fn sound<T>(result: Result<T, impl Into<Problems>>) -> Result<T, Failure> {
    result.map_err(|problems| Failure::input(problems.into().to_string()))
}
