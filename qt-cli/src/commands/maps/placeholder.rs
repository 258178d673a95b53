//! Options of `qtdec map --placeholder`: a map before the first measurement.

use clap::Args;
use qtdec_core::{Axis, DecisionMap, Method, Samples};

use qtdec_terminal::Failure;
use qtdec_terminal::sizes::sizes;

/// Options for a map in which nothing was measured.
#[derive(Debug, Args)]
pub(crate) struct PlaceholderArguments {
    /// Make a map that is marked as unmeasured and chooses the first method, so that the program that measures compiles
    #[arg(long, requires_all = ["methods", "axes"], help_heading = "Placeholder")]
    placeholder: bool,

    /// Name the methods of the placeholder
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        requires = "placeholder",
        help_heading = "Placeholder"
    )]
    methods: Vec<String>,

    /// Name the axes of the placeholder; an axis of labels lists them, as in order=random/sorted
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = axis, requires = "placeholder", help_heading = "Placeholder")]
    axes: Vec<Axis>,
}

impl PlaceholderArguments {
    /// Returns the placeholder, if one is requested.
    pub(crate) fn map(&self) -> Result<Option<DecisionMap>, Failure> {
        if !self.placeholder {
            return Ok(None);
        }
        let methods = self.methods.iter().map(|name| Method::new(name.trim())).collect();
        let map = DecisionMap::placeholder(self.axes.clone(), methods);
        map.map(Some).map_err(|problems| Failure::options(&problems))
    }
}

/// Parses an axis: its name alone, or with sizes or labels separated by slashes.
fn axis(text: &str) -> Result<Axis, String> {
    let Some((name, samples)) = text.split_once('=') else { return Ok(Axis::new(text.trim(), [1])) };
    let axis = Axis::new(name.trim(), []);
    let parts: Vec<&str> = samples.split('/').map(str::trim).collect();
    if let Ok(values) = sizes(&parts.join(",")) {
        return Ok(Axis { samples: Samples::Values(values), ..axis });
    }
    if parts.len() < 2 {
        return Err(format!("`{samples}` is neither a size nor several labels: write {name}=random/sorted"));
    }
    Ok(Axis { samples: Samples::Labels(parts.into_iter().map(str::to_owned).collect()), ..axis })
}
