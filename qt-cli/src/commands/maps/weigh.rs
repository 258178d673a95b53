//! `qtdec weigh`: a map with the number of calls of its cells.

use std::fs::File;

use clap::Args;

use qtdec_study::profile;
use qtdec_terminal::{Failure, Input, Outputs, output, reported};

/// Attach a call profile to a map
///
/// The profile is a CSV file with a column for every axis of the map and one named `count`. If there is a column `collective` too,
/// rows of other collectives than that of the map do not count. Penalties, majority classes and the
/// objectives of the encodings then count calls instead of cells.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec weigh map.json profile.csv -o weighted.json")]
pub(crate) struct Arguments {
    /// Read this map, or - for standard input
    #[arg(value_name = "MAP")]
    map: String,

    /// Read this profile, with columns such as comm_size,msg_size,count
    #[arg(value_name = "PROFILE")]
    profile: String,

    /// Write the weighted map to this file, or - for standard output
    #[arg(short, long, value_name = "MAP", default_value = "-")]
    output: String,

    /// Count calls outside the map at its nearest edge
    #[arg(long)]
    clamp: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = Outputs::new([&*arguments.map, &arguments.profile]).add(&arguments.output)?;
    let input = Input::open_map(&arguments.map)?;
    let map = input.map()?;
    let name = &arguments.profile;
    let file = File::open(name).map_err(|error| Failure::input(format!("cannot read `{name}`: {error}")))?;
    let profile = reported(name, profile::read(file, &map, arguments.clamp))?;
    for said in profile.beyond(&map) {
        output::note(&said);
    }
    let weighed = reported(name, map.with_calls(profile.calls))?;
    target.write(&reported(name, weighed.to_file())?)
}
