//! `qtdec time`: how long decisions take in memory, depth by depth.

use clap::Args;
use qtdec_core::Document;

use super::input::{EncodingArguments, Input, as_flags};
use super::output::FormArguments;
use super::{Failure, output};
use crate::sweep::{Fault, Over, Sweep};
use crate::table::{Cell, Table};
use crate::timing::{self, Asked};

/// Tell how long decisions take in memory, depth by depth
///
/// Every tree is loaded as programs load it at run time, as a line of nodes and as a table, and asked at the points of the
/// map and, as in the papers, for 2 to 64 ranks and 1 byte to 16 MB. Times are medians in nanoseconds, of decisions that do
/// not wait for each other; the time of a level is the time divided by the mean depth and one. Only times of one run
/// compare. What a compiled function takes, `cargo xtask bench` of the project measures.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A map, or - for standard input
    #[arg(value_name = "MAP")]
    map: String,

    /// What the queries are drawn by
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    form: FormArguments,

    #[command(flatten)]
    encoding: EncodingArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::open(&arguments.map)?;
    let Document::Map(map) = input.document()? else { return Err(input.needs_a_map()) };
    let swept = |fault| match fault {
        Fault::Options(faults) => {
            let messages = faults.iter().map(|fault| as_flags(&fault.message));
            Failure::Usage(messages.collect::<Vec<_>>().join("\n"))
        }
        Fault::Map(problems) => match input.check::<()>(Err(problems)) {
            Err(failure) => failure,
            Ok(()) => Failure::Closed,
        },
    };
    let sweep = Sweep::new(Over::Depth, None, arguments.encoding.given(), &map).map_err(swept)?;
    let trees = sweep.trees(&map).map_err(swept)?;
    let asked = [("grid", Asked::Grid), ("papers", Asked::Papers)]
        .map(|(name, asked)| (name, timing::queries(map.domain(), asked, arguments.seed)));

    let mut table = Table::new(&[
        ("max depth", "max_depth"),
        ("mean", "depth_mean"),
        ("leaves", "leaves"),
        ("form", "form"),
        ("asked", "asked"),
        ("ns", "ns"),
        ("ns a level", "ns_per_level"),
        ("bytes read", "read_bytes"),
        ("loaded", "loaded_bytes"),
    ]);
    for tree in &trees {
        let encoding = &tree.statistics().encoding;
        for (form_name, form) in timing::Form::ALL {
            for (asked_name, queries) in &asked {
                let timing = queries.as_ref().and_then(|queries| timing::time(tree, form, queries));
                let Some(timing) = timing else { continue };
                table.row(vec![
                    Cell::Whole(encoding.depth.max),
                    Cell::Number(encoding.depth.mean),
                    Cell::Whole(encoding.leaves),
                    Cell::Text(form_name.to_owned()),
                    Cell::Text((*asked_name).to_owned()),
                    Cell::Number(timing.nanoseconds),
                    Cell::Number(timing.nanoseconds / (encoding.depth.mean + 1.0)),
                    Cell::Whole(timing.read_bytes),
                    Cell::Whole(timing.loaded_bytes),
                ]);
            }
        }
    }
    output::print(&table.write(arguments.form.form()))
}
