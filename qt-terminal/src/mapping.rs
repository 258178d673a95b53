//! Options for making a map from times, of `qtdec map` and `qtdec-mpi tune`.

use std::fs;
use std::path::Path;

use clap::Args;
use qtdec_core::domain::Requirement;

use crate::{one_of, pair, percent, sizes, statistic};
use qtdec_study::measurements::{Cleaning, Measurements, Statistic};
use qtdec_study::readers::is_of;
use qtdec_study::selection::{Distinction, Gaps, GridSizes, Recipe, TieRule};
use qtdec_study::terms::{Preset, Terms};

/// Options for making a map from times.
#[derive(Clone, Debug, Args)]
pub struct MapArguments {
    /// Combine repeats with this statistic: median, mean, geomean, trimmed (without the fastest and slowest tenth), min, max, or a
    /// quantile such as p90 [default: median]
    #[arg(long, value_name = "STATISTIC", value_parser = statistic, help_heading = "Map")]
    statistic: Option<Statistic>,

    /// Drop this many repeats at the beginning of each run (or file) of a point and method; one of each run is always kept
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, help_heading = "Map")]
    drop_first: usize,

    /// Use only this many repeats of each point and method, after others are dropped
    #[arg(long, value_name = "N", value_parser = count, help_heading = "Map")]
    first: Option<usize>,

    /// Drop repeats above the upper fence, 1.5 times the interquartile range above the third quartile
    #[arg(long, help_heading = "Map")]
    drop_outliers: bool,

    /// Mark a method as the baseline, which is what is used without a decision; it is chosen where it is best
    ///
    /// A method that is called `baseline` is one without this option: the rule that a program has today, which is compared and never chosen.
    #[arg(long, value_name = "METHOD", help_heading = "Map")]
    pub baseline: Vec<String>,

    /// Never choose the baseline; it still has costs for comparison
    #[arg(long, requires = "baseline", help_heading = "Map")]
    no_default: bool,

    /// Exclude a method; * matches any characters
    #[arg(long, value_name = "METHOD", help_heading = "Map")]
    exclude: Vec<String>,

    /// Restrict where a method may run: power_of_two, commutative, count>=comm_size or comm_size=N
    #[arg(long, value_name = "METHOD=WHERE", value_parser = requirement, help_heading = "Map")]
    requires: Vec<(String, Requirement)>,

    /// Keep all methods within this many per cent of the best as `ties`, from which a tree may choose freely [default: 5]
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, default_missing_value = "5", value_parser = percent, help_heading = "Map")]
    tie_tolerance: Option<f64>,

    /// Keep only ties that the rank-sum test cannot distinguish from the best at this level [default: 0.05]
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, default_missing_value = "0.05", value_parser = level, help_heading = "Map")]
    tie_test: Option<f64>,

    /// Treat cells without times this way: leave them empty, use the nearest cell's method, or interpolate each method's times
    #[arg(long, value_name = "HOW", value_parser = one_of(&Gaps::ALL), help_heading = "Map")]
    gaps: Option<Gaps>,

    /// Add sizes that were not measured, such as msg_size=1..1M*2, and interpolate the times of each method there, linearly between
    /// the logarithms; the error is estimated by leaving out every other measured size
    #[arg(long, value_name = "AXIS=SIZES", value_parser = grid, help_heading = "Map")]
    pub grid: Vec<GridSizes>,

    /// Fit sums of terms to the times of each method and fill a dense map with them: linear, alpha-beta, tiled, a file with a term in
    /// each line, or a sum such as '1 + ceil(m/mr)*mr*k' over axes and constants of methods
    #[arg(long, value_name = "PRESET|FILE", value_parser = terms, conflicts_with_all = ["grid", "gaps", "tie_test"], help_heading = "Map")]
    terms: Option<Terms>,
}

impl MapArguments {
    pub fn cleaning(&self) -> Cleaning {
        let Self { drop_first, first, drop_outliers, .. } = *self;
        Cleaning { drop_first, first, drop_outliers }
    }

    /// Returns the patterns of the methods to exclude.
    pub fn exclude(&self) -> &[String] {
        &self.exclude
    }

    pub fn recipe(&self, measurements: &Measurements) -> Recipe {
        let distinction = self.tie_test.map(|level| Distinction { level });
        let tolerance = self.tie_tolerance.or(distinction.map(|_| TieRule::default().tolerance));
        let recipe = Recipe {
            collective: None,
            statistic: self.statistic,
            baseline: self.baseline.clone(),
            no_default: self.no_default,
            exclude: self.excluded(measurements),
            requires: self.requires.clone(),
            ties: tolerance.map(|tolerance| TieRule { tolerance, distinction }),
            gaps: self.gaps.unwrap_or_default(),
            grid: self.grid.clone(),
            terms: self.terms.clone(),
        };
        recipe.or_baseline_of(measurements)
    }

    /// Returns the methods to exclude, by label; a pattern that matches none is returned unchanged.
    fn excluded(&self, measurements: &Measurements) -> Vec<String> {
        let labels: Vec<String> = measurements.labels().collect();
        let excluded = self.exclude.iter().flat_map(|pattern| {
            let fits = |label: &&String| !labels.contains(pattern) && is_of(pattern, label);
            let found: Vec<String> = labels.iter().filter(fits).cloned().collect();
            if found.is_empty() { vec![pattern.clone()] } else { found }
        });
        excluded.collect()
    }
}

fn requirement(text: &str) -> Result<(String, Requirement), String> {
    let forms = || format!("write METHOD= and one of {}", Requirement::FORMS.join(", "));
    Requirement::of_method(text).ok_or_else(forms)
}

fn count(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| "a whole number of at least 1".to_owned())
}

/// Parses the name of a preset, the terms in a file, or terms.
fn terms(text: &str) -> Result<Terms, String> {
    let is_preset = Preset::ALL.iter().any(|(name, _)| *name == text);
    let is_file = !is_preset && Path::new(text).is_file();
    let text = if is_file {
        fs::read_to_string(text).map_err(|error| format!("{text}: cannot be read: {error}"))?
    } else {
        text.to_owned()
    };
    let parsed = Terms::parse(&text);
    parsed.map_err(|problem| {
        let names = Preset::ALL.map(|(name, _)| name).join(", ");
        let others = format!("; there is no such file, and the presets are {names}");
        format!("{problem}{}", if is_file { "" } else { &others })
    })
}

fn grid(text: &str) -> Result<GridSizes, String> {
    let (axis, sizes) = pair(text)?;
    Ok(GridSizes { axis, sizes: sizes::sizes(&sizes)? })
}

fn level(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|level| *level > 0.0 && *level < 1.0)
        .ok_or_else(|| "a number between 0 and 1".to_owned())
}
