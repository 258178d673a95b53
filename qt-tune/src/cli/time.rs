//! `qtdec time`: how long decisions take, depth by depth.

use std::cell::RefCell;
use std::ffi::OsString;

use clap::Args;
use qtdec_core::code::Layout;
use qtdec_core::{DecisionMap, DecisionTree, Document};

use super::input::{EncodingArguments, Input};
use super::output::FormArguments;
use super::sweep::failure;
use super::{Failure, output};
use crate::report::table::{Cell, Table};
use crate::study::sweep::{Over, Sweep};
use crate::study::timing::{self, Asked, Compiled, Loadable};

/// Over how many rounds a median is taken.
const ROUNDS: usize = 15;

/// Tell how long decisions take, depth by depth
///
/// Every tree is loaded as programs load it at run time, and asked at the points of the
/// map and, as in the papers, for 2 to 64 ranks and 1 byte to 16 MB. With --compiled, each tree is also compiled, in every
/// layout, by the Rust compiler of this machine. Times are medians in nanoseconds, of decisions that do not wait for each
/// other; the time of a level is the time divided by the mean depth and one. Only times of one run compare.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A map, or - for standard input
    #[arg(value_name = "MAP")]
    map: String,

    /// Compile the trees too, with rustc or what the variable RUSTC names; its axes must all be sizes
    #[arg(long)]
    compiled: bool,

    /// What the queries are drawn by
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    form: FormArguments,

    #[command(flatten)]
    encoding: EncodingArguments,
}

/// The queries of each kind, where the map has such.
type Queries = Vec<(&'static str, Vec<Vec<u64>>)>;

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::open(&arguments.map)?;
    let Document::Map(map) = input.document()? else { return Err(input.needs_a_map()) };
    if arguments.compiled {
        refuse_labels(&map)?;
    }
    let trees = trees(arguments, &input, &map)?;
    let queries = Asked::ALL
        .into_iter()
        .filter_map(|(name, asked)| Some((name, timing::queries(map.domain(), asked, arguments.seed)?)));
    let queries: Queries = queries.collect();

    let loadables: Vec<Option<Loadable>> = trees.iter().map(Loadable::of).collect();
    let (program, compiled) = if arguments.compiled {
        output::warn_of_debug_build();
        let (program, layouts) = compiled(&trees, &queries)?;
        (Some(RefCell::new(program)), layouts)
    } else {
        (None, vec![Vec::new(); trees.len()])
    };

    // What is timed, in the order of the rows.
    let mut rows = Vec::new();
    let mut rounds = Vec::new();
    let mut function = 0;
    for ((tree, loadable), layouts) in trees.iter().zip(&loadables).zip(compiled) {
        if let Some(loadable) = loadable {
            for (asked, queries) in &queries {
                rows.push((tree, "table".to_owned(), *asked, Some(loadable)));
                rounds.push(loadable.round(queries));
            }
        }
        for layout in layouts {
            for (number, (asked, _)) in queries.iter().enumerate() {
                rows.push((tree, format!("compiled {layout}"), *asked, None));
                rounds.extend(
                    program.as_ref().map(|program| timing::round_of_compiled(program, function, number)),
                );
            }
            function += 1;
        }
    }
    let times = timing::in_turn(&mut rounds, ROUNDS).map_err(Failure::input)?;

    let mut table = table();
    for ((tree, form, asked, loadable), times) in rows.into_iter().zip(times) {
        let encoding = &tree.statistics().encoding;
        let nanoseconds = timing::median(&times);
        let bytes = |bytes: Option<u64>| bytes.map_or(Cell::Missing, Cell::Whole);
        table.row(vec![
            Cell::Whole(encoding.depth.max),
            Cell::Number(encoding.depth.mean),
            Cell::Whole(encoding.leaves),
            Cell::Text(form),
            Cell::Text(asked.to_owned()),
            Cell::Number(nanoseconds),
            Cell::Number(nanoseconds / (encoding.depth.mean + 1.0)),
            bytes(loadable.map(|loadable| loadable.read_bytes)),
            bytes(loadable.map(Loadable::loaded_bytes)),
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
        ("asked", "asked"),
        ("ns", "ns"),
        ("ns a level", "ns_per_level"),
        ("bytes read", "read_bytes"),
        ("loaded", "loaded_bytes"),
    ])
}

/// The tree of each depth.
fn trees(arguments: &Arguments, input: &Input, map: &DecisionMap) -> Result<Vec<DecisionTree>, Failure> {
    let sweep = Sweep::new(Over::Depth, None, arguments.encoding.given(), map);
    let trees = sweep.and_then(|sweep| sweep.trees(map));
    trees.map_err(|fault| failure(fault, |problems| input.reports(problems)))
}

/// A program with every tree in every layout that it has, and the names of these for each tree.
fn compiled(
    trees: &[DecisionTree],
    queries: &Queries,
) -> Result<(Compiled, Vec<Vec<&'static str>>), Failure> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let functions = trees.iter().flat_map(|tree| Layout::ALL.map(|(_, layout)| (tree, layout)));
    let functions: Vec<(&DecisionTree, Layout)> = functions.collect();
    let asked: Vec<&[Vec<u64>]> = queries.iter().map(|(_, queries)| &queries[..]).collect();
    let (program, written) = Compiled::build(&rustc, &functions, &asked).map_err(|fault| {
        let help = "install Rust (https://rustup.rs), name its compiler in the variable RUSTC, or leave out --compiled";
        match fault {
            timing::Fault::NoCompiler(..) => Failure::input(format!("{fault}\n{help}")),
            _ => Failure::input(fault.to_string()),
        }
    })?;
    let names = written.chunks(Layout::ALL.len()).map(|written| {
        let known = Layout::ALL.iter().zip(written).filter(|(_, written)| **written);
        known.map(|((name, _), _)| *name).collect()
    });
    Ok((program, names.collect()))
}

fn refuse_labels(map: &DecisionMap) -> Result<(), Failure> {
    match map.domain().axes().iter().find(|axis| axis.values().is_none()) {
        Some(axis) => Err(Failure::Usage(format!(
            "`{}` has labels, and compiled functions are asked for sizes alone: leave out --compiled",
            axis.name
        ))),
        None => Ok(()),
    }
}
