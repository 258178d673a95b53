//! `qtdec time`: decision times by tree depth.

use clap::Args;
use qtdec_core::{DecisionMap, DecisionTree, Document, median};

use super::input::{EncodingArguments, Input};
use super::output::FormArguments;
use super::sweep::failure;
use super::{Failure, output};
use crate::report::table::{Cell, Table};
use crate::timing::{self, Loadable, QueryPattern};
use qtdec_study::study::sweep::{Over, Sweep};

/// The number of rounds for a median.
const ROUNDS: usize = 15;

/// Measure decision time by tree depth
///
/// Every tree is loaded as programs load it at run time. It is queried at the points of the map and, as in the original papers,
/// for 2 to 64 ranks and 1 byte to 16 MB. Times are medians in nanoseconds, of decisions that do not depend on each other; the
/// time per level is the time divided by the mean depth plus one. Compare only times of the same run.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec time map.json --max-depth 3")]
pub(super) struct Arguments {
    /// Read this map, or - for standard input
    #[arg(value_name = "MAP")]
    map: String,

    /// Set the random seed of the queries
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    form: FormArguments,

    #[command(flatten)]
    encoding: EncodingArguments,
}

/// The queries of each kind that the map supports.
type Queries = Vec<(&'static str, Vec<Vec<u64>>)>;

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::open_map(&arguments.map)?;
    let Document::Map(map) = input.document()? else { return Err(input.needs_a_map()) };
    let trees = trees(arguments, &input, &map)?;
    let queries = QueryPattern::ALL.into_iter().filter_map(|(name, requested)| {
        Some((name, timing::queries(map.domain(), requested, arguments.seed)?))
    });
    let queries: Queries = queries.collect();

    let loadables: Vec<Option<Loadable>> = trees.iter().map(Loadable::from_tree).collect();

    // The timed functions, in the order of the rows.
    let mut rows = Vec::new();
    let mut rounds = Vec::new();
    for (tree, loadable) in trees.iter().zip(&loadables) {
        let Some(loadable) = loadable else { continue };
        for (requested, queries) in &queries {
            rows.push((tree, *requested, loadable));
            rounds.push(loadable.round(queries));
        }
    }
    let times = timing::interleave(&mut rounds, ROUNDS);

    let mut table = table();
    for ((tree, requested, loadable), times) in rows.into_iter().zip(times) {
        let encoding = &tree.statistics().encoding;
        let nanoseconds = median(times).unwrap_or(f64::NAN);
        table.row(vec![
            Cell::Whole(encoding.depth.max),
            Cell::Number(encoding.depth.mean),
            Cell::Whole(encoding.leaves),
            Cell::Text("table".to_owned()),
            Cell::Text(requested.to_owned()),
            Cell::Number(nanoseconds),
            Cell::Number(nanoseconds / (encoding.depth.mean + 1.0)),
            Cell::Whole(loadable.read_bytes),
            Cell::Whole(loadable.loaded_bytes()),
        ]);
    }
    output::print(&table.write(arguments.form.form()))
}

fn table() -> Table {
    Table::new(&[
        ("max depth", "max_depth"),
        ("mean", "depth_mean"),
        ("leaves", "leaves"),
        ("form", "form"),
        ("queries", "asked"),
        ("ns", "ns"),
        ("ns a level", "ns_per_level"),
        ("bytes read", "read_bytes"),
        ("loaded", "loaded_bytes"),
    ])
}

/// Returns the tree of each depth.
fn trees(arguments: &Arguments, input: &Input, map: &DecisionMap) -> Result<Vec<DecisionTree>, Failure> {
    let sweep = Sweep::new(Over::Depth, None, arguments.encoding.given(), map);
    let trees = sweep.and_then(|sweep| sweep.trees(map));
    trees.map_err(|fault| failure(fault, |problems| input.reports(problems)))
}
