//! What the runs that decided nothing show of a decision.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::adopted::Adopted;

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

/// A gain over the rule of the crate with its 95 % interval over the sizes, in per cent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) gain: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Seen {
    /// Reads the gain of what `qtdec stats --json` prints.
    pub(crate) fn of(stats: &Value) -> Result<Self, String> {
        let number =
            |key: &str| stats["gain"][key].as_f64().ok_or_else(|| format!("the results lack `{key}`"));
        Ok(Self { gain: number("gain")?, low: number("low")?, high: number("high")? })
    }

    /// Says what the interval shows.
    pub(crate) fn answer(self) -> &'static str {
        match self {
            Self { low, .. } if low > 0.0 => "faster with the decision",
            Self { high, .. } if high < 0.0 => "faster with the crate's rule",
            _ => "no gain is shown",
        }
    }
}

impl Display for Seen {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:+.2} % ({:+.2} to {:+.2})", self.gain, self.low, self.high)
    }
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
    let text = fs::read_to_string(path).map_err(|error| error.to_string());
    let value = text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
    value.map_err(|error| format!("{}: {error}", path.display()))
}
