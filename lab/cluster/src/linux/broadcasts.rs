//! The times of several broadcasts on all nodes, as a table.

use super::chain::Chain;
use super::medians::Medians;
use super::table::table;

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
    pub(super) fn measure(&self, chain: &Chain) -> Result<Medians, String> {
        let Self { nodes, msg_sizes, methods } = *self;
        let titles = methods.iter().map(|(method, ..)| method.replace("default", "the library's choice"));
        let titles: Vec<String> = ["bytes".to_owned()].into_iter().chain(titles).collect();
        let mut table = table(titles, 0);
        let (names, ranks) =
            (methods.iter().map(|(method, ..)| *method).collect::<Vec<_>>(), u32::from(nodes));
        let more = ["--methods", &names.join(","), "--repeats", "3"];
        chain.measure("", (&[ranks], msg_sizes), "times/bcast.csv", &more)?;
        let medians = Medians::read(&chain.folder.join("times"))?;
        for &bytes in msg_sizes {
            let mut row = vec![bytes.to_string()];
            for &(_, name, segment) in methods {
                let is_whole = segment.parse().is_ok_and(|segment: u64| segment >= bytes);
                let time = medians.of(ranks, bytes, &(name.to_owned(), segment.to_owned()));
                row.push(if is_whole { "–".to_owned() } else { format!("{:.0}", time?) });
            }
            table.add_row(row);
        }
        chain.results(&table.to_string())?;
        Ok(medians)
    }
}
