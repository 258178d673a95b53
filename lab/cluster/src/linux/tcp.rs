//! What TCP does to collectives: small messages under Nagle's algorithm, and all-to-alls in two orders, on sixteen nodes.

use qtdec_mpi_predict::Network;
use qtdec_mpi_predict::fit::{Fit, Measured, contention, contention_factor};
use qtdec_mpi_predict::predict::{Method, Predictor, Size, TimeSource};
use qtdec_mpi_schedule::Collective;
use xtask::outcome::Outcome;

use super::chain::Chain;
use super::medians::Medians;
use super::prepared::{self, Measurement, Options};
use super::promised::network;
use super::survey;
use super::table::table;

const NODES: u8 = 16;

/// Broadcasts, by the names of the library and of our schedules, and their segments. The library's flat tree has none, so ours has.
const BROADCASTS: [(&str, &str, Option<u64>); 5] = [
    ("basic_linear", "linear", None),
    ("own:linear", "linear", Some(SEGMENT)),
    ("binomial", "binomial", None),
    ("binomial", "binomial", Some(SEGMENT)),
    ("pipeline", "pipeline", Some(SEGMENT)),
];
const SEGMENT: u64 = 256;
const SMALL: [u64; 4] = [1, 1 << 6, 1 << 10, 1 << 13];

/// The orders in which ranks serve each other, as names of our schedules.
const ORDERS: [&str; 2] = ["linear", "rotated"];
const COMM_SIZES: [u32; 3] = [4, 8, 16];
const BLOCKS: [u64; 3] = [1 << 8, 1 << 12, 1 << 16];

/// Measures on sixteen nodes of the survey's network.
pub(crate) fn run(options: &Options) -> Result<Outcome, String> {
    let topology = survey::topology(NODES)?;
    prepared::run(options, Measurement::new("tcp", topology), steps)
}

/// Measures on the head node.
fn steps(chain: &Chain) -> Result<(), String> {
    chain.bench(2, "", &["--network", "-o", "network.json"])?;
    let network = network(&chain.folder.join("network.json"))?;
    let broadcasts = broadcasts(chain, &network)?;
    let all_to_alls = all_to_alls(chain, &network)?;
    chain.results(&[broadcasts, all_to_alls].join("\n\n"))
}

/// Returns a table of broadcasts of small messages with and without Nagle's algorithm.
fn broadcasts(chain: &Chain, network: &Network) -> Result<String, String> {
    let names: Vec<String> = BROADCASTS.iter().map(|(name, _, segment)| label(name, *segment)).collect();
    let nagle = chain.settings("nagle.sh", &[("OMPI_MCA_btl_tcp_use_nagle", "1")])?;
    let measured = |folder: &str, settings: &str| -> Result<Medians, String> {
        let more = ["--methods", &names.join(","), "--repeats", "9"];
        chain.measure(settings, (&[NODES.into()], &SMALL), &format!("{folder}/bcast.csv"), &more)?;
        Medians::read(&chain.folder.join(folder))
    };
    let (without, with) = (measured("without", "")?, measured("with", &nagle)?);
    let titles = ["broadcast", "bytes", "TCP_NODELAY", "Nagle", "Nagle over TCP_NODELAY", "simulated"];
    let mut table = table(titles, 1);
    for ((name, algorithm, segment), shown) in BROADCASTS.iter().zip(&names) {
        for bytes in SMALL.into_iter().filter(|bytes| segment.is_none_or(|segment| segment < *bytes)) {
            let key =
                (name.replace(':', "_"), segment.map_or_else(String::new, |segment| segment.to_string()));
            let [without, with] = [&without, &with].map(|medians| medians.of(NODES.into(), bytes, &key));
            let (without, with) = (without?, with?);
            let size = Size { comm_size: NODES.into(), msg_size: bytes };
            let simulated = simulated(network, Collective::Bcast, &Method::new(algorithm, *segment), size)?;
            let times = [without, with].map(|time| format!("{time:.0}"));
            let [without_shown, with_shown] = times;
            table.add_row([
                shown.clone(),
                bytes.to_string(),
                without_shown,
                with_shown,
                format!("{:.2}", with / without),
                format!("{simulated:.0}"),
            ]);
        }
    }
    Ok(table.to_string())
}

/// Returns a table of all-to-alls in both orders, and one of the contention that is fitted to them.
fn all_to_alls(chain: &Chain, network: &Network) -> Result<String, String> {
    let methods = ORDERS.map(|order| ["own:", order].concat()).join(",");
    let more = ["--collective", "alltoall", "--methods", &methods, "--repeats", "5"];
    chain.measure("", (&COMM_SIZES, &BLOCKS), "alltoall/times.csv", &more)?;
    let medians = Medians::read(&chain.folder.join("alltoall"))?;
    let titles = ["ranks", "bytes", "same order", "rotated", "same over rotated"];
    let mut times = table([&titles[..], &["same order: simulated", "rotated: simulated"]].concat(), 0);
    let mut measured = ORDERS.map(|_| Vec::new());
    for (ranks, bytes) in COMM_SIZES.iter().flat_map(|ranks| BLOCKS.map(|bytes| (*ranks, bytes))) {
        let size = Size { comm_size: ranks, msg_size: bytes };
        let (mut seen, mut promised) = (Vec::new(), Vec::new());
        for (order, measured) in ORDERS.iter().zip(&mut measured) {
            let time = medians.of(ranks, bytes, &(["own_", order].concat(), String::new()))?;
            measured.push(Measured { ranks: ranks.into(), bytes, seconds: time / 1e6 });
            seen.push(time);
            promised.push(simulated(network, Collective::Alltoall, &Method::new(order, None), size)?);
        }
        let mut row = vec![ranks.to_string(), bytes.to_string()];
        row.extend(seen.iter().map(|time| format!("{time:.0}")));
        row.push(format!("{:.2}", seen[0] / seen[1]));
        row.extend(promised.iter().map(|time| format!("{time:.0}")));
        times.add_row(row);
    }
    let titles = ["order", "contention ratio", "error: median, %", "contention factor", "error: median, %"];
    let mut fits = table(titles, 1);
    for (order, measured) in ["same", "rotated"].into_iter().zip(&measured) {
        let fitted = [contention(network, measured), contention_factor(network, measured)];
        fits.add_row([order.to_owned()].into_iter().chain(fitted.into_iter().flat_map(shown)));
    }
    Ok(format!("{times}\n\n{fits}"))
}

fn shown(fit: Option<Fit<f64>>) -> [String; 2] {
    let error = fit.as_ref().and_then(Fit::error);
    let number = |number: Option<f64>| number.map_or_else(|| "–".to_owned(), |number| format!("{number:.2}"));
    [number(fit.map(|fit| fit.parameters)), number(error.map(|(median, _)| 100.0 * median))]
}

/// Returns the simulated time of a method in microseconds.
fn simulated(network: &Network, collective: Collective, method: &Method, size: Size) -> Result<f64, String> {
    let predictor = Predictor::new(network, collective, TimeSource::Simulated, &[])?;
    let seconds = predictor.times(&[(method, size)], || ()).first().copied().flatten();
    seconds.map(|seconds| seconds * 1e6).ok_or_else(|| format!("no simulation of {method:?} at {size:?}"))
}

fn label(name: &str, segment: Option<u64>) -> String {
    segment.map_or_else(|| name.to_owned(), |segment| format!("{name}/{segment}"))
}
