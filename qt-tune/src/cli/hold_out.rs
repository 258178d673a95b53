//! What is held out of measurements, to judge trees by.

use clap::Args;
use clap::builder::PossibleValuesParser;
use qtdec_core::DecisionMap;

use super::measure::reported;
use super::subject::{Subject, SubjectArguments};
use super::{Failure, output};
use crate::measure::hold_out::HoldOut;

/// What is held out, and how often.
#[derive(Debug, Args)]
pub(super) struct HoldOutArguments {
    /// Judge by what is held out as well: half of the repeats at random (repeats), their second half (blocks), or the later runs
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(HoldOut::NAMES))]
    hold_out: Option<String>,

    /// How many random splits are made
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..), requires = "hold_out")]
    splits: u64,

    /// What chance starts from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl HoldOutArguments {
    /// Calls `judge` with two maps for every split: one to build from, and one to judge by.
    pub(super) fn each(
        &self,
        arguments: &SubjectArguments,
        subject: &Subject,
        mut judge: impl FnMut(&DecisionMap, &DecisionMap) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(what) = &self.hold_out else { return Ok(()) };
        let Some(measurements) = &subject.measurements else {
            let message = "a map holds no repeats to hold out: name the measurements";
            return Err(Failure::Usage(message.to_owned()));
        };
        for split in 0..if what == "repeats" { self.splits } else { 1 } {
            let hold_out = HoldOut::named(what, self.seed.wrapping_add(split));
            let halves = hold_out.split(measurements).map_err(Into::into);
            let (train, test) = reported(&arguments.name(), halves)?;
            judge(&arguments.quiet_map_of(&train)?, &arguments.quiet_map_of(&test)?)?;
        }
        if HoldOut::named(what, self.seed).is_optimistic() {
            output::warn(
                "what is held out was measured in the same run: penalties judged by it are optimistic",
            );
        }
        Ok(())
    }
}
