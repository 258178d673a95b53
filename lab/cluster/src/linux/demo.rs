//! The whole chain on the emulated cluster: the network and a grid are measured, a tuning file is made and deployed, and launches
//! with and without it are compared.

use std::fs;
use std::time::Instant;

use clap::Args;
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

/// The number of launches with and without the tuning file, each.
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
    for launch in 1..=launches {
        // Whichever is second finds a machine that the first one warmed up.
        let default = || chain.launch("before", "default", launch, &["--process", "1"]);
        let forced = || chain.forced(launch);
        if launch % 2 == 1 {
            default().and_then(|()| forced())?;
        } else {
            forced().and_then(|()| default())?;
        }
    }
    chain.tune(&["--baseline", "default"])?;
    for pair in 1..=PAIRS {
        let default = || chain.launch("control", "default", pair, &[]);
        let tuned = || chain.tuned(pair);
        if pair % 2 == 1 { default().and_then(|()| tuned())? } else { tuned().and_then(|()| default())? }
    }
    let follows = chain.verify("before", "default")?;
    let against = chain.verify("control", "default")?;
    let Comparison { table, mut faults, seen, obeyed } = Comparison::new(chain)?;
    let answer = follows["answer"].as_str().unwrap_or("none");
    let [gain, low, high] = gains(&against);
    let results = format!(
        "{table}\n\nThe library obeyed at {obeyed} of {seen} points where it can be seen, and `verify` answers `{answer}`. The default\nis {gain:.1} % \
         slower than the deployed tree (95 %: {low:.1} to {high:.1} %, over {PAIRS} launches each).\n"
    );
    let (own, others) = own_schedules(chain)?;
    faults.extend(others);
    chain.results(&format!("{results}\n{}\n\n{own}", simulations(chain)?))?;
    if answer != "follows" {
        faults.push(format!("verify answers `{answer}`, not `follows`"));
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
