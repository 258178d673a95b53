//! `qtdec weigh`: a map learns how often its cells are called.

use std::fs::File;

use clap::Args;

use super::Failure;
use super::destination::Outputs;
use super::input::Input;
use super::measure::reported;
use crate::measure::profile;

/// Tell a map how often a program calls at which sizes
///
/// The profile is CSV with a column for every axis of the map and one called `count`. Penalties, votes and what the
/// encodings make least then count calls, not cells.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The map, or - for standard input
    #[arg(value_name = "MAP")]
    map: String,

    /// The profile, as in comm_size,msg_size,count
    #[arg(value_name = "PROFILE")]
    profile: String,

    /// Where the weighed map goes, or - for standard output
    #[arg(short, long, value_name = "MAP", default_value = "-")]
    output: String,

    /// Count calls beyond the edges of the map at the edges
    #[arg(long)]
    clamp: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let output = Outputs::of([&*arguments.map, &arguments.profile]).add(&arguments.output)?;
    let input = Input::open(&arguments.map)?;
    let map = input.map()?;
    let name = &arguments.profile;
    let file = File::open(name).map_err(|error| Failure::input(format!("cannot read `{name}`: {error}")))?;
    let calls = reported(name, profile::read(file, &map, arguments.clamp))?;
    let weighed = reported(name, map.with_calls(calls))?;
    output.write(&reported(name, weighed.to_file().map_err(Into::into))?)
}
