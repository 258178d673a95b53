//! What the runs that decided nothing show of a decision.

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use qtdec_study::study::launch_interval::{LEVEL, LaunchMean};
use serde_json::Value;
use xtask::files;

use crate::adopted::{ALL, Adopted};

/// A run that decided nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// The argument of the benchmark, and the key of the results.
    pub(crate) name: &'static str,
    /// The run as tables name it.
    pub(crate) title: &'static str,
    /// Whether it has the times of all methods.
    pub(crate) has_choices: bool,
}

/// All of them.
pub(crate) const RUNS: [Run; 3] = [
    Run { name: "second", title: "the samples, second run", has_choices: true },
    Run { name: "between", title: "sizes between the samples", has_choices: true },
    Run { name: "program", title: "the program", has_choices: false },
];

/// The gain over the rule of the crate in per cent: the mean over processes, with the interval for one further process.
///
/// The intervals of all runs of [`ALL`] crates hold together with a probability of 95 %, by Bonferroni.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    gain: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Seen {
    /// Returns the gain of a run from its results.
    pub(crate) fn of(result: &Value) -> Result<Self, String> {
        let gains = result["gains"].as_array().into_iter().flatten();
        let logs: Vec<f64> = gains.filter_map(Value::as_f64).map(|gain| (gain / 100.0).ln_1p()).collect();
        let mean = LaunchMean::new(&logs).ok_or("the results lack the gains of several processes")?;
        // The variance of one process is added to that of the mean.
        let further = LaunchMean { error: mean.error * (1.0 + logs.len() as f64).sqrt(), ..mean };
        let [low, high] = further.ends(LEVEL / (ALL.len() * RUNS.len()) as f64);
        let [gain, low, high] = [mean.mean, low, high].map(|log| 100.0 * log.exp_m1());
        Ok(Self { gain, low, high })
    }

    /// Says what the interval shows.
    pub(crate) fn answer(self) -> &'static str {
        match self {
            Self { low, .. } if low > 0.0 => "faster with the decision",
            Self { high, .. } if high < 0.0 => "faster with the crate's rule",
            _ => "no difference is shown",
        }
    }
}

impl Display for Seen {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:+.2} % ({:+.2} to {:+.2})", self.gain, self.low, self.high)
    }
}

/// Returns the gain in per cent that `qtdec stats --json` prints.
pub(crate) fn gain(stats: &Value) -> Result<f64, String> {
    stats["gain"]["gain"].as_f64().ok_or_else(|| "the statistics lack a gain".to_owned())
}

/// Reads the committed results of a crate.
pub(crate) fn read(adopted: &Adopted) -> Result<Value, String> {
    json(&adopted.path("results.json"))
}

/// Returns the axes of a map, as `--axes` takes them.
pub(crate) fn axes(map: &Path) -> Result<String, String> {
    let map = json(map)?;
    let axes = map["axes"].as_array().into_iter().flatten().filter_map(|axis| {
        let name = axis["name"].as_str()?;
        let labels = axis["labels"].as_array().into_iter().flatten();
        let labels: Vec<&str> = labels.filter_map(Value::as_str).collect();
        Some(if labels.is_empty() { name.to_owned() } else { format!("{name}={}", labels.join("/")) })
    });
    Ok(axes.collect::<Vec<_>>().join(","))
}

/// Reads a file of JSON.
pub(crate) fn json(path: &Path) -> Result<Value, String> {
    let text = files::read(path);
    let value = text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
    value.map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Seen;

    /// With the value that t exceeds with a probability of 0.025 / 9, for three processes, whose logarithms are 0.1, 0.2 and 0.3.
    #[test]
    fn the_interval_is_that_of_a_further_process() {
        let gains = [0.1_f64, 0.2, 0.3].map(|log| 100.0 * log.exp_m1());
        let seen = Seen::of(&json!({ "gains": gains })).unwrap();
        let half = 13.360_441_338 * 0.1 * (4.0_f64 / 3.0).sqrt();
        for (found, expected) in [(seen.gain, 0.2), (seen.low, 0.2 - half), (seen.high, 0.2 + half)] {
            assert!(((found / 100.0).ln_1p() - expected).abs() < 1e-6, "{seen:?}");
        }
        assert!(Seen::of(&json!({ "gains": [1.0] })).is_err());
    }
}
