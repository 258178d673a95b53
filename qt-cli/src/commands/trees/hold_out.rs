//! Options that hold out a part of the measurements to evaluate trees with.

use clap::Args;
use clap::builder::PossibleValuesParser;
use qtdec_core::DecisionMap;

use qtdec_study::hold_out::HoldOut;
use qtdec_study::measurements::Statistic;
use qtdec_terminal::{Failure, Subject, SubjectArguments, output, reported, statistic};

/// The held-out part, the number of splits, and the statistic for the cost of decisions.
#[derive(Debug, Args)]
pub(super) struct HoldOutArguments {
    /// Build the trees from one part of the measurements and judge them by the other: the later runs (runs), a random half of the
    /// repeats (repeats), or their second half (blocks) [without a value: runs if there are several, else repeats]
    #[arg(long, value_name = "WHAT", num_args = 0..=1, default_missing_value = BEST, value_parser = PossibleValuesParser::new(HoldOut::NAMES.into_iter().chain([BEST])))]
    hold_out: Option<String>,

    /// Make this many random splits
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..), requires = "hold_out")]
    splits: u64,

    /// Set the random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Compute the cost of decisions with this statistic, instead of the one that chooses the methods: use mean for a program that
    /// pays for slow repeats [default: the statistic of the map]
    #[arg(long, value_name = "STATISTIC", value_parser = statistic)]
    price: Option<Statistic>,
}

/// The value that selects the best kind of split that the measurements allow.
const BEST: &str = "best";

impl HoldOutArguments {
    pub(super) fn is_given(&self) -> bool {
        self.hold_out.is_some()
    }

    /// Returns the map for the cost of decisions, if it differs from the map that trees are built from.
    pub(super) fn prices(
        &self,
        arguments: &SubjectArguments,
        subject: &Subject,
    ) -> Result<Option<DecisionMap>, Failure> {
        match (self.price, &subject.measurements) {
            (None, _) => Ok(None),
            (Some(price), Some(measurements)) => {
                subject.priced(&arguments.name(), measurements, Some(price)).map(Some)
            }
            (Some(_), None) => Err(Failure::usage(
                "--price needs the repeats, and a map has only one cost for each method: add the \
                     times from which it was made with --times",
            )),
        }
    }

    /// Calls `judge` for every split, with a map to build trees from and one to evaluate them with.
    pub(super) fn each(
        &self,
        arguments: &SubjectArguments,
        subject: &Subject,
        mut judge: impl FnMut(&DecisionMap, &DecisionMap) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(what) = self.hold_out.as_deref() else { return Ok(()) };
        let Some(measurements) = &subject.measurements else {
            return Err(Failure::usage(
                "a map has no repeats to hold out: add the times from which it was made with --times",
            ));
        };
        let best = HoldOut::best_of(measurements);
        let what = if what == BEST { best } else { what };
        for split in 0..if what == "repeats" { self.splits } else { 1 } {
            let hold_out = HoldOut::named(what, self.seed.wrapping_add(split));
            let halves = hold_out.split(measurements);
            let (train, test) = reported(&arguments.name(), halves)?;
            let name = arguments.name();
            judge(&subject.priced(&name, &train, None)?, &subject.priced(&name, &test, self.price)?)?;
        }
        if HoldOut::named(what, self.seed).is_optimistic() {
            let remedy = if best == "runs" {
                "--hold-out runs evaluates with another run"
            } else {
                "measure again in another job, and use --hold-out runs"
            };
            output::warn(&format!(
                "the held-out times are from the same run, so their penalties are optimistic: {remedy}"
            ));
        }
        Ok(())
    }
}
