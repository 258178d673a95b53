//! How much the medians of launches differ on 2, 4 and 8 nodes: what a time is good for, with each library.

use clap::Args;
use qtdec_core::median;
use xtask::outcome::Outcome;

use super::chain::{COMM_SIZES, Chain, MSG_SIZES};
use super::library::Library;
use super::medians::Medians;
use super::prepared::{self, Measurement, Options, Setup};
use super::table::table;
use crate::topology::Topology;

/// The options of the measurement.
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    setup: Setup,

    /// Measure this release of Open MPI or MPICH
    #[arg(long, default_value = "4.1")]
    release: Library,
}

/// The library's choice, and schedules of ours that send few messages and many. No algorithm is forced, which the benchmark cannot do in
/// a launch of MPICH.
const METHODS: &str = "default,own:binomial,own:pipeline/1K,own:pipeline/8K";

const LAUNCHES: u8 = 5;

/// Measures on eight nodes with the default ports.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let options = Options { setup: arguments.setup.clone(), release: arguments.release };
    let table = format!("launches {}", options.release);
    let measurement = Measurement { table: &table, ..Measurement::new("launches", Topology::default()) };
    prepared::run(&options, measurement, steps)
}

/// Measures each number of ranks in launches of its own, on the head node.
fn steps(chain: &Chain) -> Result<(), String> {
    let settings = chain.settings("library.sh", chain.release.settings())?;
    let mut table = table(
        ["ranks", "points", "launches", "difference: median, %", "95th percentile, %", "greatest, %"],
        0,
    );
    for ranks in COMM_SIZES {
        let folder = format!("launches-{ranks}");
        for launch in 1..=LAUNCHES {
            let launch = launch.to_string();
            let more = ["--methods", METHODS, "--repeats", "5", "--launch", &launch];
            chain.measure(&settings, (&[ranks], &MSG_SIZES), &format!("{folder}/{launch}.csv"), &more)?;
        }
        let launches = Medians::by_launch(&chain.folder.join(folder))?;
        let points = launches.first().map_or(0, Medians::len);
        let mut row = vec![ranks.to_string(), points.to_string(), launches.len().to_string()];
        row.extend(Differences::between(&launches).percent());
        table.add_row(row);
    }
    chain.results(&table.to_string())
}

/// By what part the medians of a point differ between two launches, for each point and each pair of launches, in increasing order.
pub(super) struct Differences(Vec<f64>);

impl Differences {
    /// Compares each launch with all later ones.
    pub(super) fn between(launches: &[Medians]) -> Self {
        let pairs = launches
            .iter()
            .enumerate()
            .flat_map(|(at, one)| launches[at + 1..].iter().map(move |other| (one, other)));
        let mut all: Vec<f64> = pairs.flat_map(|(one, other)| one.differences(other)).collect();
        all.sort_by(f64::total_cmp);
        Self(all)
    }

    /// Returns the median, the 95th percentile and the greatest one in per cent.
    pub(super) fn percent(&self) -> [String; 3] {
        let at = |part: f64| self.0.get((self.0.len() as f64 * part) as usize).copied();
        let all = [median(&*self.0), at(0.95), self.0.last().copied()];
        all.map(|part| format!("{:.2}", 100.0 * part.unwrap_or(f64::NAN)))
    }
}

#[cfg(test)]
mod tests {
    use super::Differences;

    #[test]
    fn percentiles_are_those_of_all_pairs() {
        let differences = Differences((0..100).map(|part| f64::from(part) / 1000.0).collect());
        assert_eq!(differences.percent(), ["4.95", "9.50", "9.90"]);
        assert_eq!(Differences::between(&[]).percent(), ["NaN", "NaN", "NaN"]);
    }
}
