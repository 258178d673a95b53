//! Broadcasts on two sites that share a slow link: which algorithms cross it once, and what that is worth.

use std::process::ExitCode;

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use xtask::outcome::Outcome;

use super::chain::{Chain, listed};
use super::prepared::{self, Measurement, Options};
use super::results::Medians;
use crate::topology::Topology;

const NODES: u8 = 8;

const MSG_SIZES: [u64; 4] = [1 << 10, 1 << 13, 1 << 16, 1 << 18];

/// The library's choice, algorithms that know nothing of sites, and the papers' for a chain of clusters. Each has the name of its method
/// and its segment size in the times.
const METHODS: [(&str, &str, &str); 6] = [
    ("default", "default", ""),
    ("own:binomial", "own_binomial", ""),
    ("own:pipeline/1K", "own_pipeline", "1024"),
    DOES_NOT,
    KNOWS,
    ("own:multirail@2x4/8K", "own_multirail_2x4", "8192"),
];

/// The papers' schedule for one cluster, and for two: with large messages, the second must be faster.
const DOES_NOT: (&str, &str, &str) = ("own:multirail/1K", "own_multirail", "1024");
const KNOWS: (&str, &str, &str) = ("own:multirail@2x4/1K", "own_multirail_2x4", "1024");
const LARGE: u64 = 1 << 16;

/// Measures on two sites of four nodes.
///
/// # Errors
///
/// Fails if a program cannot be built, or a launch fails.
pub(crate) fn run(options: &Options) -> Result<Outcome, String> {
    let topology = Topology { nodes: NODES, sites: 2, ..Topology::default() };
    prepared::run(options, Measurement { steps: "sites-steps", topology, table: "sites", more: Vec::new() })
}

/// Measures in one launch, on the head node.
///
/// # Errors
///
/// Returns the first step that failed.
pub(crate) fn steps(chain: &Chain) -> Result<ExitCode, String> {
    let mut table = Table::new();
    let mut header = vec!["bytes".to_owned()];
    header.extend(METHODS.map(|(method, ..)| method.replace("default", "the library's choice")));
    table.load_style(ASCII_MARKDOWN).set_header(header);
    let methods = METHODS.map(|(method, ..)| method).join(",");
    let (ranks, bytes) = (NODES.to_string(), listed(&MSG_SIZES));
    std::fs::create_dir_all(chain.folder.join("times")).map_err(|error| format!("times: {error}"))?;
    let mut arguments = vec!["--clock", "shared", "--root", "0", "--repeats", "3", "--methods", &methods];
    arguments.extend(["--comm-sizes", &ranks, "--msg-sizes", &bytes, "--output", "times/bcast.csv"]);
    chain.bench(u32::from(NODES), "", &arguments)?;
    let medians = Medians::read(&chain.folder.join("times"))?;
    for bytes in MSG_SIZES {
        let mut row = vec![bytes.to_string()];
        for (_, name, segment) in METHODS {
            let is_cut = segment.parse().is_ok_and(|segment: u64| segment >= bytes);
            let time = medians.of(u32::from(NODES), bytes, &(name.to_owned(), segment.to_owned()));
            row.push(if is_cut { "–".to_owned() } else { format!("{:.0}", time?) });
        }
        table.add_row(row);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    chain.results(&table.to_string())?;
    let time = |(_, name, segment): (&str, &str, &str)| {
        medians.of(u32::from(NODES), LARGE, &(name.to_owned(), segment.to_owned()))
    };
    let [knows, does_not] = [KNOWS, DOES_NOT].map(time);
    let (knows, does_not) = (knows?, does_not?);
    if knows < does_not {
        Ok(ExitCode::SUCCESS)
    } else {
        Err(format!("the schedule that knows the sites takes {knows} us, and the other one {does_not} us"))
    }
}
