//! What the simulator promises of our schedules, and what a program gains by them: the benchmark's call of the library, without and
//! with the interposer, in launches that alternate.

use clap::{Args, ValueEnum};
use qtdec_mpi_predict::predict::Size;
use qtdec_mpi_schedule::Collective;
use qtdec_study::study::launch_interval::{LEVEL, LaunchMean};
use xtask::outcome::{Outcome, held};

use super::chain::Chain;
use super::deployed::deploy;
use super::measured_network;
use super::medians::Medians;
use super::prepared::{self, Measurement, Options};
use super::promised::{Promised, network, of_library, of_ours};
use super::survey;
use super::table::table;
use crate::topology::Topology;

/// The number of launches with the library's choice, with its best algorithms and with ours, each.
const ROUNDS: usize = 5;

/// Every promised gain of at least this must be measured, with the whole interval above 0.
const PROMISED: f64 = 0.10;

/// A network, with schedules that are made for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Case {
    /// Seven nodes with one port: not a power of two
    Circulant,
    /// Eight nodes with two ports
    Multirail,
    /// Eight nodes on two sites that share a slow link
    Sites,
}

/// The options of the comparison.
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,

    /// Measure only these networks [default: all]
    cases: Vec<Case>,
}

/// A collective with the sizes of its calls, the library's algorithms, and ours.
struct Calls {
    collective: Collective,
    msg_sizes: &'static [u64],
    library: &'static str,
    ours: &'static str,
}

const LARGE: [u64; 2] = [1 << 13, 1 << 16];
const BLOCKS: [u64; 2] = [1 << 10, 1 << 13];

const BCAST: &str =
    "basic_linear,binomial,pipeline/1K,pipeline/8K,binary_tree/1K,split_binary_tree/1K,scatter_allgather";
const REDUCE: &str = "linear,binomial,pipeline/1K,pipeline/8K,binary/1K,rabenseifner";
const ALLREDUCE: &str = "recursive_doubling,ring,rabenseifner";
const ALLGATHER: &str = "ring,bruck,neighbor";

impl Case {
    /// Returns the cluster, on the slow network of the survey.
    fn topology(self) -> Result<Topology, String> {
        Ok(match self {
            Self::Circulant => survey::topology(7)?,
            Self::Multirail => Topology { ports: 2, ..survey::topology(8)? },
            Self::Sites => Topology { sites: 2, ..survey::topology(8)? },
        })
    }

    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns the schedules that are made for the network.
    fn calls(self) -> Vec<Calls> {
        let ours = if self == Self::Circulant { "circulant" } else { "multirail" };
        let of = |collective, library| Calls { collective, msg_sizes: &LARGE, library, ours };
        let mut calls = vec![
            of(Collective::Bcast, BCAST),
            of(Collective::Reduce, REDUCE),
            of(Collective::Allreduce, ALLREDUCE),
        ];
        if self == Self::Multirail {
            calls.push(Calls { msg_sizes: &BLOCKS, ..of(Collective::Allgather, ALLGATHER) });
        }
        calls
    }
}

/// Measures on the networks, one after the other.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let cases = if arguments.cases.is_empty() { Case::value_variants() } else { &arguments.cases };
    for case in cases {
        let table = format!("gain {}", case.name());
        let more = vec![case.name().into()];
        let measurement = Measurement { table: &table, more, ..Measurement::new("gain", case.topology()?) };
        if let Outcome::Skipped(reason) =
            prepared::run(&arguments.options, measurement, |chain| steps(chain, *case))?
        {
            return Ok(Outcome::Skipped(reason));
        }
    }
    Ok(held(()))
}

/// Measures on one network, on the head node.
fn steps(chain: &Chain, case: Case) -> Result<(), String> {
    let topology = case.topology()?;
    measure_network(chain, &topology)?;
    let titles = [
        "collective",
        "bytes",
        "ours",
        "the library's best",
        "promised gain over it, %",
        "measured, %",
        "95 %",
        "over the default, %",
    ];
    let mut table = table(titles, 1);
    let mut faults = Vec::new();
    for calls in case.calls() {
        for row in rows(chain, &topology, &calls)? {
            if row.promised >= PROMISED && row.over_best.ends(LEVEL)[0] <= 0.0 {
                faults.push(format!(
                    "{} of {} bytes by {} gains nothing",
                    calls.collective, row.bytes, row.ours
                ));
            }
            table.add_row(row.cells(calls.collective));
        }
    }
    chain.results(&table.to_string())?;
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Measures the network between two nodes, and between two sites if there are some, as one file.
fn measure_network(chain: &Chain, topology: &Topology) -> Result<(), String> {
    if topology.sites == 1 {
        return chain.bench(2, "", &["--network", "-o", "network.json"]);
    }
    let own = topology.nodes / topology.sites;
    measured_network::measure(chain, 1, Some(own)).map(drop)
}

/// One call: what is promised and what is measured, as logarithms of ratios by launches.
struct Gains {
    bytes: u64,
    ours: String,
    best: String,
    promised: f64,
    over_best: LaunchMean,
    over_default: LaunchMean,
}

impl Gains {
    fn cells(&self, collective: Collective) -> Vec<String> {
        let percent = |gain: f64| format!("{:.1}", 100.0 * gain);
        let [low, high] = self.over_best.ends(LEVEL).map(|end| percent(end.exp_m1()));
        vec![
            collective.to_string(),
            self.bytes.to_string(),
            self.ours.clone(),
            self.best.clone(),
            percent(self.promised),
            percent(self.over_best.mean.exp_m1()),
            format!("{low} to {high}"),
            percent(self.over_default.mean.exp_m1()),
        ]
    }
}

/// Measures the calls of a collective.
fn rows(chain: &Chain, topology: &Topology, calls: &Calls) -> Result<Vec<Gains>, String> {
    let Calls { collective, msg_sizes, library, ours } = *calls;
    let ranks = u32::from(topology.nodes);
    let name = collective.name();
    let file = |of: &str| format!("{name}-{of}/times.csv");
    let measure = |settings: &str, of: &str, methods: &str| {
        let more = ["--collective", name, "--methods", methods, "--repeats", "3"];
        chain.measure(settings, (&[ranks], msg_sizes), &file(of), &more)
    };
    measure("", "library", library)?;
    let map = format!("{name}.json");
    chain.map(name, &[&file("library")], &map)?;
    let network = network(&chain.folder.join("network.json"))?;
    let best = of_library(&network, collective, &chain.folder.join(&map))?;
    let own = msg_sizes
        .iter()
        .map(|&msg_size| of_ours(&network, collective, ours, Size { comm_size: ranks, msg_size }));
    let own: Vec<Promised> = own.collect::<Result<_, _>>()?;
    let sites = match topology.sites {
        1 => String::new(),
        sites => format!("_{sites}x{}", topology.nodes / sites),
    };
    let settings = deploy(chain, collective, (ranks, msg_sizes), &own, &sites)?;
    let mut methods: Vec<String> = best.iter().map(Promised::label).collect();
    methods.sort();
    methods.dedup();
    let methods = methods.join(",");
    let mut logs = vec![(Vec::new(), Vec::new()); msg_sizes.len()];
    for round in 0..ROUNDS {
        // The library's settings are as they were in the first launch, changed in the second, and its call is ours in the third.
        let mut launches =
            [("", "default", "default"), ("", "best", &*methods), (&*settings, "ours", "default")];
        let count = launches.len();
        launches.rotate_left(round % count);
        for (settings, of, methods) in launches {
            measure(settings, &format!("{of}-{round}"), methods)?;
        }
        let read = |of: &str| Medians::read(&chain.folder.join(format!("{name}-{of}-{round}")));
        let (by_default, by_best, by_ours) = (read("default")?, read("best")?, read("ours")?);
        for ((&bytes, best), (over_best, over_default)) in msg_sizes.iter().zip(&best).zip(&mut logs) {
            let default = ("default".to_owned(), String::new());
            let segment = best.segment.map(|segment| segment.to_string()).unwrap_or_default();
            let time = by_ours.of(ranks, bytes, &default)?;
            over_best.push((by_best.of(ranks, bytes, &(best.name.clone(), segment))? / time).ln());
            over_default.push((by_default.of(ranks, bytes, &default)? / time).ln());
        }
    }
    let rows = msg_sizes.iter().zip(best.iter().zip(&own)).zip(&logs);
    let rows = rows.map(|((&bytes, (best, own)), (over_best, over_default))| {
        Some(Gains {
            bytes,
            ours: own.label().replace(ours, &format!("{ours}{}", sites.replace('_', "@"))),
            best: best.label(),
            promised: best.seconds / own.seconds - 1.0,
            over_best: LaunchMean::new(over_best)?,
            over_default: LaunchMean::new(over_default)?,
        })
    });
    rows.collect::<Option<_>>().ok_or_else(|| "there are too few launches".to_owned())
}
