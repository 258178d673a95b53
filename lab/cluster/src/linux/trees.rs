//! The papers' experiment: their methods as our schedules, as OCC ran them over point-to-point messages, quadtrees of each depth, and
//! what these cost in another launch.

use serde_json::Value;
use xtask::outcome::Outcome;

use super::chain::Chain;
use super::medians::Medians;
use super::prepared::{self, Measurement, Options};
use super::table::table;
use crate::topology::Topology;

const NODES: u8 = 16;

const COMM_SIZES: [u32; 8] = [2, 3, 4, 6, 8, 10, 12, 16];
const MSG_SIZES: [u64; 7] = [1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16];

/// The papers' algorithms, with the segment sizes that occur in their trees.
const COLLECTIVES: [(&str, &str); 2] = [
    (
        "bcast",
        "own:linear,own:binomial,own:binary/1K,own:binary/8K,own:split_binary/1K,own:split_binary/8K,\
         own:pipeline,own:pipeline/1K,own:pipeline/8K",
    ),
    (
        "reduce",
        "own:linear,own:binomial,own:binary/1K,own:binary/8K,own:pipeline,own:pipeline/1K,own:pipeline/8K",
    ),
];

/// How far the medians of two launches may differ: at the median of all points, and at the 95th percentile.
const REPEATABLE: [f64; 2] = [0.01, 0.05];

/// Measures on sixteen nodes.
pub(crate) fn run(options: &Options) -> Result<Outcome, String> {
    let topology = Topology { nodes: NODES, ..Topology::default() };
    prepared::run(options, Measurement::new("trees", topology), steps)
}

/// Measures each collective in two launches, on the head node.
fn steps(chain: &Chain) -> Result<(), String> {
    let titles = [
        "collective",
        "depth at most",
        "leaves",
        "penalty in its launch: mean, %",
        "in the other launch: mean, %",
        "worst, %",
        "gain over one method there, %",
    ];
    let mut table = table(titles, 1);
    let (mut repeated, mut faults) = (Vec::new(), Vec::new());
    for (collective, methods) in COLLECTIVES {
        let mut launches = Vec::new();
        for launch in ["1", "2"] {
            let (folder, map) = (format!("{collective}-{launch}"), format!("{collective}-{launch}.json"));
            let file = format!("{folder}/times.csv");
            let mut more = vec!["--collective", collective, "--methods", methods, "--repeats", "3"];
            more.extend(["--launch", launch]);
            chain.measure("", (&COMM_SIZES, &MSG_SIZES), &file, &more)?;
            chain.map(collective, &[&file], &map)?;
            launches.push(Medians::read(&chain.folder.join(folder))?);
        }
        let differences = launches[0].differences(&launches[1]);
        let found = [50, 95].map(|percent| differences[differences.len() * percent / 100]);
        let [median, most] = found.map(|difference| format!("{:.1} %", 100.0 * difference));
        let points = differences.len();
        let sentence = format!(
            "The launches of {collective} differ by {median} at the median of {points} points, and by {most} at the 95th percentile."
        );
        if found.iter().zip(REPEATABLE).any(|(found, limit)| *found > limit) {
            faults.push(format!("{sentence} That is too much"));
        }
        repeated.push(sentence);
        let [first, second] = ["1", "2"].map(|launch| format!("{collective}-{launch}.json"));
        let swept = chain.json(&["sweep", &first, "--against", &second])?;
        for row in swept.as_array().into_iter().flatten() {
            let number =
                |key: &str| row[key].as_f64().map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
            let whole =
                |key: &str| row[key].as_u64().map_or_else(|| "–".to_owned(), |value| value.to_string());
            let mut cells = vec![collective.to_owned(), whole("max_depth"), whole("leaves")];
            cells.extend(
                ["penalty_mean", "held_out_mean", "held_out_max", "held_out_gain_over_method"].map(number),
            );
            table.add_row(cells);
        }
        if swept.as_array().is_none_or(Vec::is_empty) {
            return Err(format!("no tree of {collective}: {}", Value::to_string(&swept)));
        }
    }
    chain.results(&format!("{table}\n\n{}", repeated.join("\n")))?;
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}
