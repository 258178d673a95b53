//! What the tables would be with other assumptions than those that the papers leave open.

use std::fmt::{self, Write};

use qtdec_core::encode::{self, Fill, Quadtree};
use qtdec_core::{Borders, DecisionMap};
use qtdec_mpi::Collective;
use qtdec_mpi::experiment::Cluster;

use super::data;
use super::fit::{SEEDS, with_noise};
use super::part::{of_2006, with_last_of_ties, without_ranks};
use super::printed::{self, PrintedTree};
use super::simulated::Simulated;

/// A table of the papers about trees of limited depth.
#[derive(Clone, Copy, Debug)]
struct Printed {
    name: &'static str,
    cluster: Cluster,
    collective: Collective,
    /// Whether it is of the 2006 paper, with its segments, and without merged leaves.
    is_2006: bool,
    rows: &'static [PrintedTree],
}

const TABLES: [Printed; 5] = [
    Printed {
        name: "2006, Table 3",
        cluster: Cluster::Grig,
        collective: Collective::Bcast,
        is_2006: true,
        rows: &printed::GRIG_BCAST_2006,
    },
    Printed {
        name: "2006, Table 4",
        cluster: Cluster::Grig,
        collective: Collective::Reduce,
        is_2006: true,
        rows: &printed::GRIG_REDUCE_2006,
    },
    Printed {
        name: "2007, Table 1",
        cluster: Cluster::Frodo,
        collective: Collective::Bcast,
        is_2006: false,
        rows: &printed::FRODO_BCAST_2007,
    },
    Printed {
        name: "2007, Table 2",
        cluster: Cluster::Grig,
        collective: Collective::Bcast,
        is_2006: false,
        rows: &printed::GRIG_BCAST_2007,
    },
    Printed {
        name: "2007, Table 3",
        cluster: Cluster::Grig,
        collective: Collective::Reduce,
        is_2006: false,
        rows: &printed::GRIG_REDUCE_2007,
    },
];

/// What is assumed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Assumption {
    /// What all other tables assume.
    Chapter,
    /// A grid is filled up with its last row and column.
    FillLast,
    /// Of methods that take the same time, the last one wins.
    LastOfTies,
    /// These numbers of ranks were not measured.
    Omitted([u64; 2]),
    /// The standard deviation of ln t.
    Noise(f64),
    /// The time to combine a byte, in nanoseconds.
    ReduceCost(u32),
}

const ASSUMPTIONS: [Assumption; 11] = [
    Assumption::Chapter,
    Assumption::FillLast,
    Assumption::LastOfTies,
    Assumption::Omitted([26, 27]),
    Assumption::Omitted([13, 14]),
    Assumption::Omitted([3, 5]),
    Assumption::Noise(0.01),
    Assumption::Noise(0.02),
    Assumption::ReduceCost(0),
    Assumption::ReduceCost(5),
    Assumption::ReduceCost(20),
];

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chapter => f.write_str("as in this chapter"),
            Self::FillLast => f.write_str("fill `last`"),
            Self::LastOfTies => f.write_str("ties go to the last method"),
            Self::Omitted([one, other]) => write!(f, "without {one} and {other} ranks"),
            Self::Noise(deviation) => write!(f, "noise of {} %", 100.0 * deviation),
            Self::ReduceCost(nanoseconds) => write!(f, "{nanoseconds} ns to combine a byte"),
        }
    }
}

impl Assumption {
    /// Returns the maps of a table, one for each random seed, or nothing if the assumption does not concern it.
    fn maps(self, table: &Printed) -> Result<Vec<DecisionMap>, String> {
        let of_paper = |map: DecisionMap| if table.is_2006 { of_2006(&map) } else { map };
        let plain = || data::read(table.cluster, table.collective).map(of_paper);
        let other = |simulated: Simulated| data::read_other(simulated);
        Ok(match self {
            Self::Chapter | Self::FillLast => vec![plain()?],
            Self::LastOfTies => vec![with_last_of_ties(&plain()?)],
            Self::Omitted(omitted) if table.cluster == Cluster::Grig => {
                vec![of_paper(without_ranks(&other(Simulated::AllRanks(table.collective))?, &omitted))]
            }
            Self::Noise(deviation) => {
                let all = data::read(table.cluster, table.collective)?;
                SEEDS.map(|seed| of_paper(with_noise(&all, deviation, seed))).collect()
            }
            Self::ReduceCost(cost) if table.collective == Collective::Reduce => {
                vec![of_paper(other(Simulated::ReduceCost(cost))?)]
            }
            Self::Omitted(_) | Self::ReduceCost(_) => Vec::new(),
        })
    }

    fn fill(self) -> Fill {
        if self == Self::FillLast { Fill::Last } else { Fill::Stretch }
    }
}

/// The depths whose leaves and whose penalties are shown: fewer leaves are forced, and the exact tree costs nothing.
const LEAVES: [u32; 4] = [3, 4, 5, 6];
const PENALTIES: [u32; 5] = [1, 2, 3, 4, 5];

/// Returns the leaves and mean penalties of the trees of a table, each the mean over the maps.
fn outcome(table: &Printed, assumption: Assumption, maps: &[DecisionMap]) -> ([f64; 4], [f64; 5]) {
    let of = |map: &DecisionMap, depth: u32| {
        let collapse = !table.is_2006;
        let quadtree =
            Quadtree { max_depth: Some(depth), collapse, fill: assumption.fill(), ..Quadtree::default() };
        let tree = encode::encode(map, &quadtree, Borders::Floor).expect("a quadtree serves every map");
        tree.statistics().encoding.clone()
    };
    let mean = |value: &dyn Fn(&DecisionMap) -> f64| maps.iter().map(value).sum::<f64>() / maps.len() as f64;
    let penalty = |map: &DecisionMap, depth| of(map, depth).quality.penalty.map_or(f64::NAN, |own| own.mean);
    (
        LEAVES.map(|depth| mean(&|map| of(map, depth).leaves as f64)),
        PENALTIES.map(|depth| mean(&|map| penalty(map, depth))),
    )
}

/// Returns the leaves and mean penalties of the trees of all tables, as printed and with every assumption.
pub(super) fn table() -> Result<String, String> {
    let mut text = String::from(
        "| table | assumption | leaves: depth 3 | 4 | 5 | 6 | mean penalty %: depth 1 | 2 | 3 | 4 | 5 |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for table in &TABLES {
        let row = |depth: u32| table.rows.iter().find(|row| row.depth == depth).expect("it is printed");
        let printed =
            (LEAVES.map(|depth| row(depth).leaves as f64), PENALTIES.map(|depth| row(depth).penalty_mean));
        line(&mut text, table.name, "**the paper**", printed);
        for assumption in ASSUMPTIONS {
            let maps = assumption.maps(table)?;
            if !maps.is_empty() {
                line(&mut text, table.name, &assumption.to_string(), outcome(table, assumption, &maps));
            }
        }
    }
    Ok(text)
}

fn line(text: &mut String, table: &str, assumption: &str, (leaves, penalties): ([f64; 4], [f64; 5])) {
    let leaves = leaves.map(|leaves| format!("{leaves:.0}")).join(" | ");
    let penalties = penalties.map(|penalty| format!("{penalty:.2}")).join(" | ");
    // Writing to a string does not fail.
    let _ = writeln!(text, "| {table} | {assumption} | {leaves} | {penalties} |");
}
