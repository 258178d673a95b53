//! `qtdec combine`: one map from the maps of several collectives.

use clap::Args;
use qtdec_core::DecisionMap;
use qtdec_core::map::combine::{AXIS, combine, combine_as};

use qtdec_terminal::{Failure, Input, Outputs, output, reported, stem};

/// Combine the maps of several collectives into one map
///
/// Its decisions depend on the collective and the sizes.
/// Maps that are not of collectives are told apart by the axis `function`, whose labels are the names of their files.
///
/// A map may lack an axis of the others, as a barrier has no message size: it decides the same at every size of that axis.
///
/// qtdec encode makes the tree of the combined map, and qtdec stats compares it with those of the separate ones.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec combine bcast.json reduce.json -o combined.json")]
pub(crate) struct Arguments {
    /// Read these maps, one for each collective
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<String>,

    /// Write the combined map to this file, or - for standard output
    #[arg(short, long, value_name = "MAP", default_value = "-")]
    output: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut outputs = Outputs::new(arguments.maps.iter().map(String::as_str));
    let output = outputs.add(&arguments.output)?;
    let maps = arguments.maps.iter().map(|map| Input::open_map(map)?.map()).collect::<Result<Vec<_>, _>>()?;
    let names = arguments.maps.join(", ");
    let axis = if maps.iter().any(|map| map.domain().collective().is_some()) { AXIS } else { FUNCTION };
    let own: Vec<String> = arguments.maps.iter().map(|name| stem(name)).collect();
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let combined = if axis == AXIS { combine(&maps) } else { combine_as(axis, &own, &maps) };
    let combined = reported(&names, combined)?;
    note_missing_axes(&maps, &combined);
    output.write(&reported(&names, combined.to_file())?)
}

/// The axis of maps that are not of collectives: each is a function, called after its file.
pub(crate) const FUNCTION: &str = "function";

/// Notes the axes that a map lacks: nothing shows that its decisions do not depend on them.
fn note_missing_axes(maps: &[DecisionMap], combined: &DecisionMap) {
    let [names, axes @ ..] = combined.domain().axes() else { return };
    for (index, map) in maps.iter().enumerate() {
        for axis in axes.iter().filter(|axis| map.domain().find_axis(&axis.name).is_none()) {
            let (name, axis) = (names.sample(index), &axis.name);
            output::note(&format!("`{name}` has no {axis}: it decides the same at every {axis}"));
        }
    }
}
