//! The times of several broadcasts on all nodes, as a table.

use std::fs;

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};

use super::chain::{Chain, listed};
use super::results::Medians;

/// The broadcasts of one launch.
pub(super) struct Broadcasts<'b> {
    /// The number of nodes, each with one rank.
    pub(super) nodes: u8,
    pub(super) msg_sizes: &'b [u64],
    /// Each method, with its name and its segment size in the times.
    pub(super) methods: &'b [(&'b str, &'b str, &'b str)],
}

impl Broadcasts<'_> {
    /// Measures on the head node, leaves a table of medians in microseconds as the results, and returns the medians.
    ///
    /// # Errors
    ///
    /// Fails if the launch fails.
    pub(super) fn measure(&self, chain: &Chain) -> Result<Medians, String> {
        let Self { nodes, msg_sizes, methods } = *self;
        let mut table = Table::new();
        let titles = methods.iter().map(|(method, ..)| method.replace("default", "the library's choice"));
        table.load_style(ASCII_MARKDOWN).set_header(["bytes".to_owned()].into_iter().chain(titles));
        let names: Vec<&str> = methods.iter().map(|(method, ..)| *method).collect();
        let (names, ranks, bytes) = (names.join(","), nodes.to_string(), listed(msg_sizes));
        fs::create_dir_all(chain.folder.join("times")).map_err(|error| format!("times: {error}"))?;
        let mut arguments = vec!["--clock", "shared", "--root", "0", "--repeats", "3", "--methods", &names];
        arguments.extend(["--comm-sizes", &ranks, "--msg-sizes", &bytes, "--output", "times/bcast.csv"]);
        chain.bench(u32::from(nodes), "", &arguments)?;
        let medians = Medians::read(&chain.folder.join("times"))?;
        for &bytes in msg_sizes {
            let mut row = vec![bytes.to_string()];
            for &(_, name, segment) in methods {
                let is_whole = segment.parse().is_ok_and(|segment: u64| segment >= bytes);
                let time = medians.of(u32::from(nodes), bytes, &(name.to_owned(), segment.to_owned()));
                row.push(if is_whole { "–".to_owned() } else { format!("{:.0}", time?) });
            }
            table.add_row(row);
        }
        table.column_iter_mut().for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        chain.results(&table.to_string())?;
        Ok(medians)
    }
}
