//! Simulated broadcasts on nodes with two cards, in one cluster and in two: `lab/papers/results/multirail.csv`.

use std::fmt::Write;
use std::fs;
use std::num::NonZero;
use std::thread;

use qtdec_mpi_predict::network::{Network, shipped};
use qtdec_mpi_predict::simulate::{Noise, Point, times};
use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{Algorithm, Clusters, Entry, Level, Request, TwoLevel, Variant, find};

use xtask::files;
use xtask::run::root;

/// The file of the results.
const FILE: &str = "lab/papers/results/multirail.csv";

const HEADER: &str = "network,cards,form,algorithm,segment_size,comm_size,msg_size,microseconds";

/// The compared algorithms; on a tie, the first one wins.
pub(crate) const ALGORITHMS: [&str; 7] =
    ["binomial", "pipeline", "binary", "scatter_allgather", "two_tree", "circulant", "multirail"];

/// The numbers of ranks in one cluster.
pub(crate) const COMM_SIZES: [u32; 4] = [15, 31, 32, 63];

/// The sizes of Figures 6 and 7: 16 KiB to 64 MiB.
pub(crate) const MSG_SIZES: [u64; 7] = [16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20];

const SEGMENTS: [Option<u64>; 3] = [None, Some(8 << 10), Some(64 << 10)];

/// The treatment of the two cards of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cards {
    /// Two ports; a schedule says for each message which one it takes, and most take the first.
    Two,
    /// One port of twice the rate.
    Bonded,
}

impl Cards {
    pub(crate) const ALL: [Self; 2] = [Self::Two, Self::Bonded];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Two => "two",
            Self::Bonded => "bonded",
        }
    }

    /// Returns a shipped network with two cards per node, or its counterpart with bonded cards.
    pub(crate) fn network(self, name: &str) -> Result<Network, String> {
        let network = shipped(name)?;
        if self == Self::Two {
            return Ok(network);
        }
        let mut description = network.description().clone();
        let rails = f64::from(std::mem::replace(&mut description.rails, 1));
        let between = description.between.iter_mut().flat_map(|between| &mut between.points);
        for point in description.points.iter_mut().chain(between) {
            point.gap /= rails;
        }
        Network::new(description).map_err(|problems| problems.to_string())
    }
}

/// An algorithm's knowledge of the clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The algorithm treats all ranks as one cluster.
    Plain,
    /// The algorithm crosses to every other cluster only once: multirail through its own chain of clusters, others
    /// from the root to the first rank of the cluster and then within it.
    Aware,
}

impl Form {
    pub(crate) const ALL: [Self; 2] = [Self::Plain, Self::Aware];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Aware => "aware",
        }
    }
}

/// An algorithm with its segment size, with or without knowledge of clusters.
pub(crate) struct Candidate {
    algorithm: Built,
    segment: Option<u64>,
    clusters: Option<Clusters>,
}

enum Built {
    Entry(&'static Entry),
    TwoLevel(TwoLevel),
}

impl Candidate {
    pub(crate) fn new(
        name: &str,
        form: Form,
        clusters: Clusters,
        segment: Option<u64>,
    ) -> Result<Self, String> {
        let entry = |name| find(Collective::Bcast, name).map_err(|error| error.to_string());
        let level = |entry: &'static Entry| Level::new(entry, segment.filter(|_| entry.is_segmented()));
        let algorithm = entry(name)?;
        let (algorithm, clusters) = match form {
            Form::Plain => (Built::Entry(algorithm), None),
            Form::Aware if name == "multirail" => (Built::Entry(algorithm), Some(clusters)),
            Form::Aware => {
                let inter = entry("linear")?;
                let composed = level(inter).and_then(|inter| TwoLevel::new(inter, level(algorithm)?));
                (Built::TwoLevel(composed.map_err(|error| error.to_string())?), Some(clusters))
            }
        };
        Ok(Self { algorithm, segment, clusters })
    }

    /// Returns the point of a call, or `None` if the message would not be cut although it should be.
    pub(crate) fn point(&self, comm_size: u32, msg_size: u64) -> Result<Option<Point<'_>>, String> {
        let Self { segment, clusters, .. } = self;
        let (algorithm, of_all): (&(dyn Algorithm + Sync), _) = match &self.algorithm {
            Built::Entry(entry) => (*entry, *segment),
            Built::TwoLevel(composed) => (composed, None),
        };
        if segment.is_some_and(|segment| segment >= msg_size) || (of_all.is_some() && !algorithm.cuts()) {
            return Ok(None);
        }
        let variant = Variant { clusters: clusters.clone(), ..Variant::default() };
        let request = Request::new(comm_size, msg_size)
            .and_then(|request| request.segment(of_all))
            .and_then(|request| request.variant(variant))
            .map_err(|error| error.to_string())?;
        Ok(Some(Point { algorithm, request }))
    }
}

/// Returns the time of an algorithm in a call, with the best of the segment sizes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SimulatedBroadcast {
    pub(crate) network: String,
    pub(crate) cards: String,
    pub(crate) form: String,
    pub(crate) algorithm: String,
    pub(crate) segment_size: Option<u64>,
    pub(crate) comm_size: u32,
    pub(crate) msg_size: u64,
    pub(crate) microseconds: f64,
}

/// Simulates the broadcasts of these sizes.
fn simulated(msg_sizes: &[u64]) -> Result<Vec<SimulatedBroadcast>, String> {
    let mut rows = Vec::new();
    for cards in Cards::ALL {
        for comm_size in COMM_SIZES {
            let one = clusters(1, comm_size)?;
            rows.extend(simulated_in("multirail-32", cards, &[Form::Plain], &one, msg_sizes)?);
        }
        let two = clusters(2, 16)?;
        rows.extend(simulated_in("grid-2x16", cards, &Form::ALL, &two, msg_sizes)?);
    }
    Ok(rows)
}

fn clusters(count: u32, size: u32) -> Result<Clusters, String> {
    Clusters::new([(count, size)]).map_err(|error| error.to_string())
}

fn simulated_in(
    network: &str,
    cards: Cards,
    forms: &[Form],
    clusters: &Clusters,
    msg_sizes: &[u64],
) -> Result<Vec<SimulatedBroadcast>, String> {
    let described = cards.network(network)?;
    let comm_size = clusters.ranks() as u32;
    let mut rows = Vec::new();
    for &form in forms {
        for name in ALGORITHMS {
            let candidate = |segment| Candidate::new(name, form, clusters.clone(), segment);
            let candidates = SEGMENTS.into_iter().map(candidate).collect::<Result<Vec<_>, _>>()?;
            for &msg_size in msg_sizes {
                let (segment_size, seconds) = best(&described, &candidates, comm_size, msg_size)?;
                rows.push(SimulatedBroadcast {
                    network: network.to_owned(),
                    cards: cards.name().to_owned(),
                    form: form.name().to_owned(),
                    algorithm: name.to_owned(),
                    segment_size,
                    comm_size,
                    msg_size,
                    microseconds: seconds * 1e6,
                });
            }
        }
    }
    Ok(rows)
}

/// Returns the segment size of the candidate that takes the least time, and the time in seconds.
fn best(
    network: &Network,
    candidates: &[Candidate],
    comm_size: u32,
    msg_size: u64,
) -> Result<(Option<u64>, f64), String> {
    let mut points = Vec::new();
    for candidate in candidates {
        points.extend(candidate.point(comm_size, msg_size)?.map(|point| (candidate.segment, point)));
    }
    let (segments, points): (Vec<_>, Vec<_>) = points.into_iter().unzip();
    let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let found = times(network, &points, Noise::default(), threads, || ());
    let mut best: Option<(Option<u64>, f64)> = None;
    for (segment, time) in segments.into_iter().zip(found) {
        let seconds = time.map_err(|error| error.to_string())?.seconds();
        if best.is_none_or(|(_, least)| seconds < least) {
            best = Some((segment, seconds));
        }
    }
    best.ok_or_else(|| "no segment size is tried".to_owned())
}

/// Simulates all broadcasts and writes their times.
pub(crate) fn write() -> Result<(), String> {
    let mut text = HEADER.to_owned() + "\n";
    for row in simulated(&MSG_SIZES)? {
        let SimulatedBroadcast {
            network,
            cards,
            form,
            algorithm,
            segment_size,
            comm_size,
            msg_size,
            microseconds,
        } = row;
        let segment = segment_size.map(|size| size.to_string()).unwrap_or_default();
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "{network},{cards},{form},{algorithm},{segment},{comm_size},{msg_size},{microseconds:.3}"
        );
    }
    let file = root().join(FILE);
    files::write(&file, text)
}

/// Reads the times.
pub(crate) fn read() -> Result<Vec<SimulatedBroadcast>, String> {
    let text = fs::read_to_string(root().join(FILE)).map_err(|error| format!("{FILE}: {error}"))?;
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) {
        return Err(format!("{FILE} does not begin with {HEADER}"));
    }
    let row = |line: &str| {
        let [network, cards, form, algorithm, segment, comm_size, msg_size, microseconds] =
            line.split(',').collect::<Vec<_>>().try_into().ok()?;
        Some(SimulatedBroadcast {
            network: network.to_owned(),
            cards: cards.to_owned(),
            form: form.to_owned(),
            algorithm: algorithm.to_owned(),
            segment_size: if segment.is_empty() { None } else { Some(segment.parse().ok()?) },
            comm_size: comm_size.parse().ok()?,
            msg_size: msg_size.parse().ok()?,
            microseconds: microseconds.parse().ok()?,
        })
    };
    lines.map(|line| row(line).ok_or_else(|| format!("{FILE}: not a row: {line}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that quick simulations reproduce the recorded times.
    #[test]
    fn the_results_are_those_of_the_simulator() {
        let held = read().unwrap();
        for row in simulated(&MSG_SIZES[..3]).unwrap() {
            let same = |other: &&SimulatedBroadcast| {
                let key = |row: &SimulatedBroadcast| {
                    (row.network.clone(), row.cards.clone(), row.form.clone(), row.algorithm.clone())
                };
                key(other) == key(&row) && (other.comm_size, other.msg_size) == (row.comm_size, row.msg_size)
            };
            let held = held.iter().find(same).expect("every call is in the file");
            assert_eq!(held.segment_size, row.segment_size, "{row:?}");
            assert!((held.microseconds - row.microseconds).abs() < 1e-3, "{row:?}");
        }
    }

    /// Checks the results for 64 MiB: multirail is within 3 % of M/b, and of M/b + L in two clusters; the binary tree
    /// with bonded cards takes two and three times as long.
    #[test]
    fn large_messages_take_the_time_of_the_formulas() {
        let rows = read().unwrap();
        let time = |network: &str, cards: Cards, form: Form, algorithm: &str, comm_size| {
            let is = |row: &&SimulatedBroadcast| {
                row.network == network
                    && row.cards == cards.name()
                    && row.form == form.name()
                    && row.algorithm == algorithm
                    && (row.comm_size, row.msg_size) == (comm_size, 64 << 20)
            };
            rows.iter().find(is).expect("it was simulated").microseconds / 1e6
        };
        let transfer = f64::from(64 << 20) / 250e6;
        for comm_size in COMM_SIZES {
            let of = |cards, algorithm| time("multirail-32", cards, Form::Plain, algorithm, comm_size);
            assert!((1.0..1.03).contains(&(of(Cards::Two, "multirail") / transfer)), "{comm_size}");
            assert!((1.95..2.05).contains(&(of(Cards::Bonded, "binary") / transfer)), "{comm_size}");
        }
        let of = |cards, algorithm| time("grid-2x16", cards, Form::Aware, algorithm, 32);
        assert!((1.0..1.03).contains(&(of(Cards::Two, "multirail") / (transfer + 0.01))));
        assert!((2.9..3.1).contains(&(of(Cards::Bonded, "binary") / transfer)));
    }
}
