//! The fan-outs and segment sizes that MPICH can use.

use crate::catalogue::mpich::parameters::{self, parameters};
use qtdec_core::{Place, Problem};

use crate::tuning::{LibraryRules, MAX_INT, Setting};

/// Checks that MPICH can use the fan-outs and segment sizes of rules.
pub(super) fn numbers_in_reach(rules: &LibraryRules) -> Result<(), Problem> {
    for (_, Setting { algorithm, segment_size, fan_out, .. }) in rules.settings() {
        let Some(name) = algorithm.map(|algorithm| algorithm.name) else { continue };
        for parameter in parameters(&rules.collective, name) {
            let (what, number, least) = match parameter.value {
                parameters::Value::FanOut { least } => ("fan-out", fan_out, least),
                parameters::Value::SegmentSize(_) => ("segment size", segment_size, 1),
                parameters::Value::Fixed(_) => continue,
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
