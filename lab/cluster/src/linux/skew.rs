//! What late ranks change: reductions whose ranks arrive at once, or one after the other.

use qtdec_mpi_predict::predict::{Method, Predictor, Size, TimeSource};
use qtdec_mpi_predict::simulate::Skew;
use qtdec_mpi_schedule::Collective;
use xtask::outcome::Outcome;

use super::chain::Chain;
use super::medians::Medians;
use super::prepared::{self, Measurement, Options};
use super::promised::network;
use super::survey;
use super::table::table;

const NODES: u8 = 16;
const BYTES: u64 = 1 << 10;

/// Our schedules of a reduction.
const ALGORITHMS: [&str; 4] = ["linear", "pipeline", "binary", "binomial"];

/// When ranks arrive: the folder of the times, what the table says, and the option.
const ARRIVALS: [(&str, &str, &str); 3] = [
    ("at-once", "at once", "0"),
    ("ascending", "the root first", "ascending:30000"),
    ("descending", "the root last", "descending:30000"),
];

/// Measures on sixteen nodes of the survey's network.
pub(crate) fn run(options: &Options) -> Result<Outcome, String> {
    let topology = survey::topology(NODES)?;
    prepared::run(options, Measurement::new("skew", topology), steps)
}

/// Measures on the head node, and compares with simulations on the network that was measured.
fn steps(chain: &Chain) -> Result<(), String> {
    chain.bench(2, "", &["--network", "-o", "network.json"])?;
    let network = network(&chain.folder.join("network.json"))?;
    let methods = ALGORITHMS.map(|name| ["own:", name].concat()).join(",");
    let mut columns = Vec::new();
    for (folder, _, skew) in ARRIVALS {
        let more = ["--collective", "reduce", "--methods", &methods, "--skew", skew, "--repeats", "15"];
        chain.measure("", (&[NODES.into()], &[BYTES]), &format!("{folder}/times.csv"), &more)?;
        let measured = Medians::read(&chain.folder.join(folder))?;
        let skew = Skew::named(skew).ok_or("not a pattern")?;
        let mut predictor = Predictor::new(&network, Collective::Reduce, TimeSource::Simulated, &[])?;
        predictor.arrivals = skew.into();
        columns.push((measured, predictor));
    }
    let titles =
        ARRIVALS.iter().flat_map(|(_, title, _)| [(*title).to_owned(), format!("{title}: simulated")]);
    let mut table = table([String::from("reduction")].into_iter().chain(titles).collect::<Vec<_>>(), 1);
    let size = Size { comm_size: NODES.into(), msg_size: BYTES };
    for algorithm in ALGORITHMS {
        let mut row = vec![algorithm.to_owned()];
        for (measured, predictor) in &columns {
            let time = measured.of(size.comm_size, BYTES, &(["own_", algorithm].concat(), String::new()))?;
            let simulated = predictor.times(&[(&Method::new(algorithm, None), size)], || ());
            let simulated = simulated.first().copied().flatten().ok_or("no simulation")?;
            row.extend([time, simulated * 1e6].map(|time| format!("{time:.0}")));
        }
        table.add_row(row);
    }
    chain.results(&table.to_string())
}
