//! What the tables would be with other assumptions than those that the papers leave open.

use std::fmt;

use qtdec_core::DecisionMap;
use qtdec_core::encode::Fill;
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::Cluster;

use crate::data;
use crate::fit::{SEEDS, with_noise};
use crate::item::{Item, Shown};
use crate::part::{with_last_of_ties, without_ranks};
use crate::printed_tables::{PrintedTable, tables};
use crate::simulated::Simulated;
use crate::table::{Table, number};
use crate::trees::{Described, Making};

pub(super) const ITEM: Item = Item {
    id: "2007-assumptions",
    title: "the tables about trees of both papers, with one assumption changed at a time",
    about: "The fill, the method that wins a tie, the two numbers of ranks on Grig that were not measured, noise as the standard deviation of ln t \
            (the mean over five random seeds), and the time to combine a byte in a reduction.",
    make,
};

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
    fn maps(self, table: &PrintedTable) -> Result<Vec<DecisionMap>, String> {
        let of_paper = |map: DecisionMap| table.of_paper(map);
        let plain = || table.map();
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
fn outcome(table: &PrintedTable, assumption: Assumption, maps: &[DecisionMap]) -> ([f64; 4], [f64; 5]) {
    let making = Making { fill: assumption.fill(), ..table.making() };
    let of = |map: &DecisionMap, depth: u32| Described::new(&making.tree(map, depth), map, &making);
    let mean = |value: &dyn Fn(&DecisionMap) -> f64| maps.iter().map(value).sum::<f64>() / maps.len() as f64;
    (
        LEAVES.map(|depth| mean(&|map| of(map, depth).leaves as f64)),
        PENALTIES.map(|depth| mean(&|map| of(map, depth).penalty_mean)),
    )
}

/// Returns the leaves and mean penalties of the trees of all tables, as printed and with every assumption.
fn make() -> Result<Shown, String> {
    let leaves = LEAVES.map(|depth| format!("leaves: depth {depth}"));
    let penalties = PENALTIES.map(|depth| format!("mean penalty %: depth {depth}"));
    let mut shown = Table::of(&["table", "assumption"], leaves.into_iter().chain(penalties));
    let mut line = |table: &PrintedTable, assumption: &str, (leaves, penalties): ([f64; 4], [f64; 5])| {
        let leaves = leaves.map(|leaves| number(Some(leaves), 0));
        let penalties = penalties.map(|penalty| number(Some(penalty), 2));
        shown.row([table.name, assumption].map(str::to_owned).into_iter().chain(leaves).chain(penalties));
    };
    for table in tables() {
        let row = |depth: u32| table.rows.iter().find(|row| row.depth == depth).expect("it is printed");
        let printed =
            (LEAVES.map(|depth| row(depth).leaves as f64), PENALTIES.map(|depth| row(depth).penalty_mean));
        line(&table, "**the paper**", printed);
        for assumption in ASSUMPTIONS {
            let maps = assumption.maps(&table)?;
            if !maps.is_empty() {
                line(&table, &assumption.to_string(), outcome(&table, assumption, &maps));
            }
        }
    }
    Ok(Shown::table(shown))
}
