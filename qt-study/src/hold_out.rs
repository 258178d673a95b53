//! Measurements split into two parts: one to build from, one to evaluate with.

use std::fmt;

use qtdec_core::{DecisionMap, Place, Problem, Problems};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

use crate::measurements::{Measurements, Series};
use crate::notes::Notes;
use crate::selection::Recipe;

/// A way of splitting repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HoldOut {
    /// At random: half of each series, determined by the seed. The larger half is built from.
    Repeats {
        /// The random seed.
        seed: u64,
    },
    /// The first and the second half of each series.
    Blocks,
    /// By runs, or by jobs if there are several: the later half is held out.
    Runs,
}

/// Maps of the parts into which measurements are split.
#[derive(Debug, Default)]
pub struct Splits {
    /// For each split, a map to build trees from, and one to evaluate them with.
    pub parts: Vec<(DecisionMap, DecisionMap)>,
    /// The kind of split, or `None` if nothing can be held out.
    pub kind: Option<HoldOut>,
}

impl Splits {
    /// Returns whether each part holds a launch out.
    pub fn is_by_launch(&self) -> bool {
        self.kind.is_none() && !self.parts.is_empty()
    }

    /// Returns the best splits that the measurements allow: by runs if there are several, otherwise `halves` random halves of the
    /// repeats, otherwise none.
    ///
    /// # Errors
    ///
    /// Fails if a part does not make a map.
    pub fn best_of(measurements: &Measurements, recipe: &Recipe, halves: u64) -> Result<Self, Problems> {
        let what = HoldOut::best_of(measurements);
        let kind = HoldOut::named(what, 1);
        let mut splits = Self { parts: Vec::new(), kind: Some(kind) };
        for seed in 1..=if kind.is_optimistic() { halves } else { 1 } {
            let Ok((train, test)) = HoldOut::named(what, seed).split(measurements) else {
                return Ok(Self::default());
            };
            let map = |part: &Measurements| recipe.map(part, &mut Notes::default());
            splits.parts.push((map(&train)?, map(&test)?));
        }
        Ok(splits)
    }
}

impl HoldOut {
    /// The names of all kinds in options.
    pub const NAMES: [&'static str; 3] = ["repeats", "blocks", "runs"];

    /// Returns the best kind that these measurements allow: by runs if there are several, otherwise by halves of the repeats.
    pub fn best_of(measurements: &Measurements) -> &'static str {
        if measurements.runs().count() > 1 { "runs" } else { "repeats" }
    }

    /// Returns the kind with a name, which is one of [`NAMES`](Self::NAMES).
    pub fn named(name: &str, seed: u64) -> Self {
        match name {
            "blocks" => Self::Blocks,
            "runs" => Self::Runs,
            _ => Self::Repeats { seed },
        }
    }

    /// Returns whether the held-out times were measured in the same run, which makes their penalties optimistic: noise that lasts as
    /// long as a run is in both halves.
    pub fn is_optimistic(self) -> bool {
        self != Self::Runs
    }

    /// Returns the measurements to build from, and those to evaluate with.
    ///
    /// # Errors
    ///
    /// Fails for statistics without repeats, series of a single repeat, or measurements of a single run.
    pub fn split(self, measurements: &Measurements) -> Result<(Measurements, Measurements), Problem> {
        if measurements.all_series().any(|(_, _, series)| matches!(series, Series::Statistics(_))) {
            let message = "nothing can be held out: the files contain statistics, not repeats";
            return Err(Problem::new(Place::File, message).help("use files with a time for each repeat"));
        }
        let in_units = (self == Self::Runs).then(|| measurements.clone().in_units(None));
        let measurements = in_units.as_ref().unwrap_or(measurements);
        let runs = measurements.runs().count();
        if self == Self::Runs && runs < 2 {
            let message = "no run can be held out: all times are from the same run";
            let help = "distinguish runs by a column with --columns run=COLUMN, or by the path with --path '…{run}…'";
            return Err(Problem::new(Place::File, message).help(help));
        }
        let (mut train, mut test) = (measurements.without_times(), measurements.without_times());
        let mut chance = Pcg64::seed_from_u64(if let Self::Repeats { seed } = self { seed } else { 0 });
        for (sizes, method, series) in measurements.all_series() {
            let mut repeats = series.repeats().to_vec();
            let half = repeats.len().div_ceil(2);
            let held_out = match self {
                Self::Repeats { .. } => {
                    repeats.shuffle(&mut chance);
                    repeats.split_off(half)
                }
                Self::Blocks => repeats.split_off(half),
                Self::Runs => {
                    repeats.extract_if(.., |repeat| usize::from(repeat.run) >= runs.div_ceil(2)).collect()
                }
            };
            for (part, repeats) in [(&mut train, repeats), (&mut test, held_out)] {
                if !repeats.is_empty() {
                    part.record_all(sizes, method, repeats);
                }
            }
        }
        if test.is_empty() {
            return Err(Problem::new(Place::File, "nothing can be held out: no method was measured twice"));
        }
        Ok((train, test))
    }
}

impl fmt::Display for HoldOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Repeats { .. } => "a random half of the repeats",
            Self::Blocks => "the second half of the repeats",
            Self::Runs => "the later half of the runs",
        })
    }
}
