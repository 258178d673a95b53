//! The time of a program that learns while it runs: over the default, beside a campaign, where the default is best, and when the network
//! changes.

mod best;
mod change;
mod program;

use clap::{Args, ValueEnum};
use qtdec_mpi_schedule::Collective;
use xtask::outcome::{Outcome, held};

use super::campaign::{self, Calls};
use super::chain::Chain;
use super::prepared::{self, Measurement, Options};
use super::table::table;
use crate::topology::Topology;
use program::{Program, files, gain};

const NODES: u8 = 8;
const PAIRS: u8 = 3;
const ARGUMENTS: [&str; 2] = ["mixed", "200"];

/// The options of `qtdec-mpi tune`.
const TUNE: [&str; 4] = ["--baseline", "default", "--jobs", "launch"];

/// What a campaign measures: the calls of the program.
const CALLS: [Calls; 3] = [
    Calls {
        collective: Collective::Bcast,
        msg_sizes: &[1 << 16],
        forced: "basic_linear,binomial,pipeline/1K,pipeline/8K,split_binary_tree/8K,chain/8K",
        others: "default,own:pipeline/8K,own:split_binary/8K,own:binary/8K,own:scatter_allgather,own:circulant/1K",
    },
    Calls {
        collective: Collective::Allreduce,
        msg_sizes: &[8, 1 << 13],
        forced: "recursive_doubling,ring,rabenseifner",
        others: "default,own:recursive_doubling,own:rabenseifner,own:circulant,own:ring,own:reduce_bcast",
    },
    Calls {
        collective: Collective::Allgather,
        msg_sizes: &[1 << 10],
        forced: "recursive_doubling,ring,neighbor",
        others: "default,own:recursive_doubling,own:bruck,own:neighbor_exchange,own:ring",
    },
];

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Pairs of runs with the default and with what was learned or measured
    Sides,
    /// Pairs of runs that learn where the default is best
    Best,
    /// Runs in which the rate of the network changes
    Change,
}

/// The options of the comparison.
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,

    /// Measure only these parts [default: all]
    parts: Vec<Part>,
}

/// Measures on eight nodes with the default ports, one part after the other.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let Arguments { options, parts } = arguments;
    for part in if parts.is_empty() { Part::value_variants() } else { parts } {
        let name = part.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        let table = format!("learn {name} {}", options.release);
        let topology = Topology { nodes: NODES, ..Topology::default() };
        let measurement =
            Measurement { table: &table, more: vec![name.into()], ..Measurement::new("learn", topology) };
        if let Outcome::Skipped(reason) = prepared::run(options, measurement, |chain| steps(chain, *part))? {
            return Ok(Outcome::Skipped(reason));
        }
    }
    Ok(held(()))
}

/// Runs the programs of a part, on the head node.
fn steps(chain: &Chain, part: Part) -> Result<(), String> {
    let program = Program::new(chain)?;
    chain.results(&match part {
        Part::Sides => sides(&program)?,
        Part::Best => best::measure(&program)?,
        Part::Change => change::measure(&program)?,
    })
}

/// Compares runs of the program with runs of the default.
fn sides(program: &Program<'_>) -> Result<String, String> {
    let chain = program.chain;
    campaign::measure(chain, &CALLS, &[u32::from(NODES)])?;
    chain.tune(&["times"], "tuned-campaign", &TUNE)?;
    program.run("", &ARGUMENTS)?;
    let [mut first, mut second, mut trees, mut full] = [const { Vec::new() }; 4];
    let mut learned = Vec::new();
    for pair in 1..=PAIRS {
        let folder = format!("learned-{pair}");
        let learns = program.settings(&folder, &[("QTDEC_LEARN", &folder)])?;
        first.push(program.pair(pair, ["", &learns], &ARGUMENTS)?);
        second.push(program.pair(pair, ["", &learns], &ARGUMENTS)?);
        learned.extend(files(&chain.folder.join(folder))?);
    }
    chain.tune(&learned, "tuned-learned", &TUNE)?;
    for pair in 1..=PAIRS {
        let [of_learned, of_campaign] = ["tuned-learned", "tuned-campaign"]
            .map(|folder| program.settings(folder, &[("QTDEC_TREES", folder)]));
        trees.push(program.pair(pair, ["", &of_learned?], &ARGUMENTS)?);
        full.push(program.pair(pair, ["", &of_campaign?], &ARGUMENTS)?);
    }
    let mut table = table(["", "pairs of runs", "gain over the default, %", "95 %"], 1);
    let sides =
        [("first run", first), ("second run", second), ("with its trees", trees), ("with a campaign", full)];
    for (side, ratios) in &sides {
        let [mean, interval] = gain(ratios)?;
        table.add_row([(*side).to_owned(), ratios.len().to_string(), mean, interval]);
    }
    Ok(table.to_string())
}
