//! Open MPI 5.0 on nodes with two ranks each, where its component HAN serves broadcasts: what `tune` writes sends some of them to
//! coll/tuned, and HAN keeps the others.

use clap::Args;
use qtdec_mpi_library::choice::{DEFAULT, UNTOUCHED, WITH_HAN};
use qtdec_study::study::pairs::PREFIX;
use xtask::outcome::Outcome;

use super::chain::Chain;
use super::library::Library;
use super::medians::Medians;
use super::prepared::{self, Measurement, Options, Setup};
use super::results::{gains, label};
use super::spied::{Spied, called};
use super::table::table;
use crate::topology::Topology;

/// The options of the measurement.
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    setup: Setup,
}

const NODES: u8 = 4;
const RANKS_PER_NODE: u8 = 2;

/// The ranks of three and of four nodes. HAN's own communicators are smaller than both.
const COMM_SIZES: [u32; 2] = [6, 8];
const MSG_SIZES: [u64; 4] = [1 << 8, 1 << 10, 1 << 13, 1 << 16];

/// Algorithms of coll/tuned. HAN is faster than all of them with small messages.
const METHODS: &str = "basic_linear,binomial,pipeline/1K,split_binary_tree/1K";

/// The settings of the library's own choice, as job scripts of `qtdec-mpi measure` have them, with HAN and without.
const KEPT: [(&str, &str); 3] = [
    ("OMPI_MCA_coll_tuned_use_dynamic_rules", "1"),
    ("OMPI_MCA_coll_hcoll_enable", "0"),
    ("OMPI_MCA_coll_ucc_enable", "0"),
];
const SWITCHED_OFF: (&str, &str) = ("OMPI_MCA_coll_han_priority", "0");

/// A point tells whether a library obeys if its method and the default differ by more than this.
const DISTINGUISHABLE: f64 = 1.10;

const LAUNCHES: u8 = 3;
const PAIRS: u8 = 3;

/// Measures on four nodes with two ranks each.
pub(crate) fn run(Arguments { setup }: &Arguments) -> Result<Outcome, String> {
    let options = Options { setup: setup.clone(), release: Library::OpenMpi5 };
    let topology = Topology { nodes: NODES, ranks_per_node: RANKS_PER_NODE, ..Topology::default() };
    prepared::run(&options, Measurement::new("han", topology), steps)
}

/// Measures, tunes, deploys and compares, on the head node.
fn steps(chain: &Chain) -> Result<(), String> {
    measure(chain)?;
    chain.tune(&["before"], "tuned", &[])?;
    for pair in 1..=PAIRS {
        let mut sides = [("control", ""), ("after", DEPLOYED)];
        if pair % 2 == 0 {
            sides.reverse();
        }
        for (folder, settings) in sides {
            grid(chain, (folder, WITH_HAN), settings, (&format!("{PREFIX}{pair}"), 1))?;
        }
    }
    let Served { table, kept, sent, mut faults } = Served::new(chain)?;
    let verified = chain.verify(WITH_HAN)?;
    let answer = verified["answer"].as_str().unwrap_or("none");
    let [gain, low, high] = gains(&verified);
    chain.results(&format!(
        "{table}\n\nHAN kept {kept} of {} cells, and {sent} ran the algorithm of their rule. `verify` answers `{answer}`. The untouched library\n\
         is {gain:.1} % slower than the deployment (95 %: {low:.1} to {high:.1} %, over {PAIRS} pairs of launches).\n",
        COMM_SIZES.len() * MSG_SIZES.len()
    ))?;
    if answer != "follows" {
        faults.push(format!("verify answers `{answer}`, not `follows`"));
    }
    if kept == 0 || sent == 0 {
        faults.push("the cells have no calls of both kinds".to_owned());
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// The script that `tune` writes.
const DEPLOYED: &str = "tuned/switches.sh";

/// Measures the library's own choice under each setting, and the algorithms, in processes whose order rotates.
fn measure(chain: &Chain) -> Result<(), String> {
    let kept = chain.settings("kept.sh", &KEPT)?;
    let off = chain.settings("off.sh", &[&KEPT[..], &[SWITCHED_OFF]].concat())?;
    for launch in 1..=LAUNCHES {
        let mut processes =
            vec![(1, WITH_HAN, &*kept), (2, DEFAULT, &*off), (3, UNTOUCHED, ""), (4, METHODS, "")];
        processes.rotate_left(usize::from(launch - 1));
        for (process, methods, settings) in processes {
            grid(chain, ("before", methods), settings, (&launch.to_string(), process))?;
        }
    }
    Ok(())
}

/// Measures methods in one process of a launch.
fn grid(
    chain: &Chain,
    (folder, methods): (&str, &str),
    settings: &str,
    (launch, process): (&str, u8),
) -> Result<(), String> {
    let process = process.to_string();
    let of_launch = ["--launch", launch, "--process", &*process, "--repeats", "5"];
    let file = format!("{folder}/{process}-{launch}.csv");
    let more = [&["--methods", methods], &of_launch[..]].concat();
    chain.measure(settings, (&COMM_SIZES, &MSG_SIZES), &file, &more)
}

/// What served the calls under the deployment.
struct Served {
    table: String,
    /// The number of cells that HAN kept, and of those that ran the algorithm of their rule.
    kept: usize,
    sent: usize,
    faults: Vec<String>,
}

impl Served {
    fn new(chain: &Chain) -> Result<Self, String> {
        let read = |folder: &str| Medians::read(&chain.folder.join(folder));
        let (before, control, after) = (read("before")?, read("control")?, read("after")?);
        let spied = Spied::new(chain)?;
        let titles = ["ranks", "bytes", "deployed", "served by", "HAN", "coll/tuned's choice", "promised"];
        let titles = [&titles[..], &["untouched", "with the files", "faster", "obeyed"]].concat();
        let mut table = table(titles, 4);
        let (mut kept, mut sent, mut faults) = (0, 0, Vec::new());
        for ranks in COMM_SIZES {
            let plain = spied.broadcasts(ranks, "", &MSG_SIZES)?;
            let routed = spied.broadcasts(ranks, DEPLOYED, &MSG_SIZES)?;
            for ((bytes, plain), routed) in MSG_SIZES.into_iter().zip(plain).zip(routed) {
                let own = |name: &str| (name.to_owned(), String::new());
                let chosen = chain.decided(ranks, bytes)?;
                let han = before.of(ranks, bytes, &own(WITH_HAN))?;
                let tuned = before.of(ranks, bytes, &own(DEFAULT))?;
                let promised = before.of(ranks, bytes, &chosen)?;
                let was = control.of(ranks, bytes, &own(WITH_HAN))?;
                let with = after.of(ranks, bytes, &own(WITH_HAN))?;
                let is_kept = chosen.0 == WITH_HAN;
                // A kept call must not look like one of coll/tuned, and a call that is sent must not look like one of HAN.
                let other = if is_kept { tuned } else { han };
                let is_seen = (other / promised).max(promised / other) > DISTINGUISHABLE;
                let obeys = (with / promised).ln().abs() < (with / other).ln().abs();
                let expected = if is_kept { plain } else { vec![called(&chosen); ranks as usize] };
                let deployed = if is_kept { "–".to_owned() } else { label(&chosen.0, &chosen.1) };
                if routed == expected {
                    *if is_kept { &mut kept } else { &mut sent } += 1;
                } else {
                    faults.push(format!("{ranks} ranks and {bytes} bytes: {routed:?} ran, not {expected:?}"));
                }
                if is_seen && !obeys {
                    faults.push(format!(
                        "{ranks} ranks and {bytes} bytes: {with} us are closer to {other} than to {promised}"
                    ));
                }
                let server = match (routed == expected, is_kept) {
                    (true, true) => "HAN",
                    (true, false) => "coll/tuned",
                    (false, _) => "another",
                };
                let mut row = vec![ranks.to_string(), bytes.to_string(), deployed, server.to_owned()];
                row.extend([han, tuned, promised, was, with].map(|time| format!("{time:.0}")));
                row.push(format!("{:.2}", was / with));
                row.push(["–", "no", "yes"][usize::from(is_seen) + usize::from(is_seen && obeys)].to_owned());
                table.add_row(row);
            }
        }
        Ok(Self { table: table.to_string(), kept, sent, faults })
    }
}
