//! `qtdec stats`: how large a tree is, and how good.

use clap::Args;
use qtdec_core::Statistics;
use qtdec_core::statistics::{Encoding, Quality};

use super::input::{Input, TreeArguments};
use super::output::counted;
use super::{Failure, output};
use crate::against;

/// Tell how large a tree is, and what its decisions cost
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    tree: TreeArguments,

    /// Ask the tree at the points of this other map, and charge it with that map's costs
    #[arg(long, value_name = "MAP")]
    against: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tree = arguments.tree.tree()?;
    let mut statistics = tree.statistics().clone();
    if let Some(other) = &arguments.against {
        let other = Input::open(other)?;
        let map = other.map()?;
        let decisions = other.check(against::decisions(&tree, &map).map_err(Into::into))?;
        statistics.encoding.quality = Quality::of(&decisions, &map);
    }
    let text = if arguments.json { statistics.to_json() + "\n" } else { described(&statistics) };
    output::print(&text)
}

fn described(statistics: &Statistics) -> String {
    let Encoding { name, options, leaves, nodes, depth, quality } = &statistics.encoding;
    let options: Vec<String> = options.iter().map(|(name, value)| format!(", {name} {value}")).collect();
    let options = options.concat();
    let Quality { cells, mismatches, penalty } = quality;
    let penalty = match penalty {
        None => "not known: the map holds no costs".to_owned(),
        Some(penalty) => {
            let unpriced = match penalty.unpriced {
                0 => String::new(),
                1 => "; 1 cell has no price".to_owned(),
                unpriced => format!("; {unpriced} cells have no price"),
            };
            format!(
                "mean {:.2} %, median {:.2} %, from {:.2} to {:.2} % over {}{unpriced}",
                penalty.mean,
                penalty.median,
                penalty.min,
                penalty.max,
                counted(penalty.cells, "cell", "cells"),
            )
        }
    };
    let table = match statistics.table_bytes {
        Some(bytes) => format!("a table of {}", counted(bytes, "byte", "bytes")),
        None => "no table: it would be too large".to_owned(),
    };
    format!(
        "encoding    {name}{options}\n\
         tree        {}, {}, depth {} to {}, {:.4} on average\n\
         function    {} in {}; {table}\n\
         decisions   {mismatches} of {cells} measured cells are decided otherwise than the map\n\
         penalty     {penalty}\n",
        counted(*leaves, "leaf", "leaves"),
        counted(*nodes, "node", "nodes"),
        depth.min,
        depth.max,
        depth.mean,
        counted(statistics.regions, "region", "regions"),
        counted(statistics.conditions, "condition", "conditions"),
    )
}
