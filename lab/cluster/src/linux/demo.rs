//! The whole chain on the emulated cluster: the network and a grid are measured, a tuning file is made and deployed, and launches
//! with and without it are compared.

use std::fs;
use std::time::Instant;

use clap::Args;
use qtdec_study::study::pairs::PREFIX;
use xtask::outcome::Outcome;

use super::chain::Chain;
use super::prepared::{self, Measurement, Options};
use super::results::{Comparison, gains, own_schedules, simulations};
use crate::topology::Topology;

/// The options of the chain.
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,

    /// Measure in this many launches
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=20))]
    launches: u8,
}

/// The number of pairs of launches, without and with the tuning file.
const PAIRS: u8 = 3;

/// The least gain that the chain must show: the lower end of its interval, in per cent.
const GAIN: f64 = 20.0;

/// Runs the chain on eight nodes with the default ports.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let table = arguments.options.release.release();
    let more = vec!["--launches".into(), arguments.launches.to_string().into()];
    let measurement = Measurement { table, more, ..Measurement::new("demo", Topology::default()) };
    prepared::run(&arguments.options, measurement, |chain| steps(chain, arguments.launches))
}

/// Runs the chain, on the head node.
fn steps(chain: &Chain, launches: u8) -> Result<(), String> {
    let began = Instant::now();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load before: {}", load.trim());
    chain.bench(2, "", &["--network", "-o", "network.json"])?;
    for number in 1..=launches {
        // Whichever is second finds a machine that the first one warmed up.
        let launch = number.to_string();
        let default = || chain.launch("before", "default", &launch, &["--process", "1"]);
        let forced = || chain.forced(&launch);
        if number % 2 == 1 {
            default().and_then(|()| forced())?;
        } else {
            forced().and_then(|()| default())?;
        }
    }
    chain.tune(&["before"], "tuned", &["--baseline", "default"])?;
    for number in 1..=PAIRS {
        let pair = format!("{PREFIX}{number}");
        let default = || chain.launch("control", "default", &pair, &[]);
        let tuned = || chain.tuned(&pair);
        if number % 2 == 1 { default().and_then(|()| tuned())? } else { tuned().and_then(|()| default())? }
    }
    let verified = chain.verify("default")?;
    let Comparison { table, mut faults, sent, kept } = Comparison::new(chain)?;
    let answer = verified["answer"].as_str().unwrap_or("none");
    let [gain, low, high] = gains(&verified);
    let results = format!(
        "{table}\n\nThe library ran the algorithm of the rule in {sent} cells and its own in {kept}, and `verify` answers `{answer}`. The default\nis \
         {gain:.1} % slower than the deployed tree (95 %: {low:.1} to {high:.1} %, over {PAIRS} pairs of launches).\n"
    );
    let (own, others) = own_schedules(chain)?;
    faults.extend(others);
    chain.results(&format!("{results}\n{}\n\n{own}", simulations(chain)?))?;
    // Whether a promise is shown to be kept within 5 % depends on what else the machine does. What the library calls does not.
    if answer != "follows" && answer != "cannot-tell" {
        faults.push(format!("verify answers `{answer}`, although the library obeys"));
    }
    if low.is_nan() || low <= GAIN {
        faults.push(format!("the lower end of the gain is {low:.1} %, not above {GAIN:.0} %"));
    }
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "load after: {}; {:.0} s; results in {}",
        load.trim(),
        began.elapsed().as_secs_f64(),
        chain.folder.display()
    );
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}
