//! MPICH's selection file: JSON whose keys are conditions, tried in order. MVAPICH 4 uses the same format.
//!
//! `src/mpi/coll/src/csel.c` of 4.0.2. The file must contain every collective, or MPICH aborts in the first call of a missing
//! one. Rules are therefore written into a complete file, such as the one inside the [shared library](built_in).

pub mod built_in;
mod calls;
mod check;
mod conditions;
pub mod device_file;
mod layer;
mod read;
mod writer;

use crate::catalogue::mpich::device;
use crate::catalogue::mpich::parameters::{Value as Kind, parameters};
use crate::catalogue::{Library, Release};
use qtdec_core::{Place, Problem, Problems};
use serde_json::{Map, Value};

use super::finding::accepted;
use super::{
    Beginning, Format, LibraryRules, MAX_INT, Setting, Switch, SwitchValue, Switches, Written, json as text,
    notes,
};
use check::Names;
use writer::{Forced, insert};

/// The selection file of MPICH.
pub const MPICH: Format = Format {
    ending: "json",
    releases: &[Release::new(4, 0), Release::new(5, 0)],
    recognises: |beginning| is_selection(beginning) && !beginning.holds_anywhere(OF_MVAPICH),
    least_bytes_of_rule: 24,
    is_shipped: true,
    lacks_whole_file: Some(incomplete),
    companion: Some(device_file::OF_CH4),
    why_not_by_nodes: "no file is written for the device (the --into of CH4 names its own)",
    ..Format::new(
        ("mpich", "a selection file of MPICH from 4.0 on"),
        Library::Mpich,
        |rules, into| write(rules, into.ok_or_else(incomplete)?),
        |bytes, job| Ok(Box::new(read::Rules::new(bytes, job, Names::Of(None))?)),
        |bytes, release| check::check(bytes, Names::Of(release)),
    )
};

/// The selection file of MVAPICH 4: the format of MPICH, with algorithms of its own.
pub const MVAPICH: Format = Format {
    is_written: false,
    recognises: |beginning| is_selection(beginning) && beginning.holds_anywhere(OF_MVAPICH),
    ..Format::new(
        ("mvapich", "a selection file of MVAPICH 4"),
        Library::Mpich,
        |_, _| {
            let problem =
                Problem::new(Place::File, "selection files of MVAPICH can be read, but not written");
            Err(problem.help("--target mpich writes the same format, with the algorithms of MPICH").into())
        },
        |bytes, job| Ok(Box::new(read::Rules::new(bytes, job, Names::Any)?)),
        |bytes, _| check::check(bytes, Names::Any),
    )
};

/// What the names of MVAPICH's algorithms contain.
const OF_MVAPICH: &str = "_osu_";

fn is_selection(beginning: &Beginning<'_>) -> bool {
    beginning.is_json() && beginning.holds("\"collective=")
}

/// Returns the fault of rules without a complete file.
fn incomplete() -> Problem {
    let message = "MPICH aborts if the file lacks a collective, and this file would contain only one";
    let help = "insert it into the complete file of your MPICH with --into libmpich.so, or with its sources' \
                maint/tuning/coll/mpir/generic.json";
    Problem::new(Place::File, message).help(help)
}

/// The variable that names the file.
const SELECTION_FILE: &str = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE";

/// Returns the settings that make MPICH read the file, and keep its device from serving the collectives that rules in it force.
fn switches(all_rules: &[LibraryRules]) -> Switches {
    let (name, value) = device::BY_COLLECTIVE;
    let mut settings = vec![
        Switch::variable(SELECTION_FILE, SwitchValue::File),
        Switch::variable(name, SwitchValue::Text(value)),
    ];
    let forced = all_rules.iter().filter(|rules| rules.forced() > 0);
    let of_collectives = forced.filter_map(|rules| device::variable(&rules.collective));
    settings.extend(of_collectives.map(|name| Switch::variable(name, SwitchValue::Text("0"))));
    let remark = "a call that MPICH's device serves reads no file: other collectives keep theirs";
    Switches { is_script: false, settings, remarks: vec![remark.to_owned()] }
}

fn write(all_rules: &[LibraryRules], bytes: &[u8]) -> Result<Written, Problems> {
    let of_device = all_rules.iter().find_map(|rules| Some((rules.by_nodes()?, &rules.collective)));
    if let Some((name, collective)) = of_device {
        let message = format!(
            "`{name}` of {collective} is a composition of MPICH's device CH4, which has a file of its own"
        );
        let help = format!(
            "give the file of CH4 with another --into, or libmpich.so, which holds both, or exclude `{name}` from the map"
        );
        return Err(Problem::new(Place::File, message).help(help).into());
    }
    accepted(check::check(bytes, Names::Any))?;
    let mut file = text::parse_once(bytes)?;
    if let Some(problem) = file.as_object().and_then(check::missing) {
        return Err(problem.into());
    }
    for rules in all_rules {
        numbers_in_reach(rules)?;
    }
    let mut notes = notes(all_rules);
    let then = "larger messages get the algorithm for this size";
    notes.extend(all_rules.iter().filter_map(|rules| rules.beyond(MAX_INT, then)));
    notes.extend(insert(&mut file, all_rules, Forced::Named)?);
    notes.push(format!(
        "the other {} collectives of the file are kept as they were",
        file.as_object().map_or(0, Map::len).saturating_sub(all_rules.len())
    ));
    Ok(Written { text: finished(&file), notes, switches: switches(all_rules) })
}

/// Checks that MPICH can use the fan-outs and segment sizes of rules.
fn numbers_in_reach(rules: &LibraryRules) -> Result<(), Problem> {
    for (_, Setting { algorithm, segment_size, fan_out, .. }) in rules.settings() {
        let Some(name) = algorithm.map(|algorithm| algorithm.name) else { continue };
        for parameter in parameters(&rules.collective, name) {
            let (what, number, least) = match parameter.value {
                Kind::FanOut { least } => ("fan-out", fan_out, least),
                Kind::SegmentSize(_) => ("segment size", segment_size, 1),
                Kind::Fixed(_) => continue,
            };
            if let Some(number) = number.filter(|number| !(least..=MAX_INT).contains(number)) {
                let message = format!("the {what} {number} of `{name}` is not from {least} to {MAX_INT}");
                let help = "MPICH would fail, or read another number";
                return Err(Problem::new(Place::File, message).help(help));
            }
        }
    }
    Ok(())
}

fn finished(file: &Value) -> String {
    let mut text = text::lay_out(file);
    // MPICH maps the file into memory and looks for the terminator after its end.
    if text.len().is_multiple_of(4096) {
        text.push('\n');
    }
    text
}
