//! The cost of choices by model on the archive of Fugaku, relative to the default and to interpolation without a model.

use std::path::Path;
use std::process::Command;

use comfy_table::Table;
use serde_json::Value;

use super::table;
use crate::run::{cargo, root, target};

/// The collectives, the bases of their sizes, and the algorithms of methods.
const COLLECTIVES: [(&str, &str, &str); 4] = [
    ("bcast", "buffer", "default-basic-linear=linear,default-binomial=binomial"),
    ("reduce", "buffer", "default-linear=linear,default-binomial=binomial"),
    ("scatter", "block", "default-basic-linear=linear,default-binomial=binomial"),
    ("gather", "block", "default-basic-linear=linear,default-binomial=binomial"),
];

pub(super) fn choices(folder: &Path) -> Result<Table, String> {
    let mut table = table(&[
        "collective",
        "points",
        "winners agree",
        "default",
        "model",
        "model, corrected by a tenth",
        "interpolation of that tenth",
    ]);
    output(&mut cargo(["build", "--quiet", "--release", "--package", "qtdec-tune"]))?;
    let map = folder.join("fugaku.json");
    for (collective, basis, names) in COLLECTIVES {
        let qtdec = || Command::new(target().join("release/qtdec"));
        let mut make = qtdec();
        make.arg("map").arg(root().join("qt-tune/data/pico-fugaku")).args(["--collective", collective]);
        make.args(["--basis", basis, "--baseline", "default-default", "--output"]).arg(&map);
        output(&mut make)?;
        let mut hold = qtdec();
        hold.args([
            "predict",
            "fugaku",
            "--collective",
            collective,
            "--points",
            "10%",
            "--names",
            names,
            "--json",
        ]);
        let told = output(hold.arg("--against").arg(&map))?;
        let told: Value = serde_json::from_slice(&told).map_err(|error| error.to_string())?;
        let drawn = &told["drawn"];
        let number = |value: &Value| value.as_f64().map_or("–".to_owned(), |value| format!("{value:.1}"));
        let interval = |name: &str| {
            let found = &drawn[name];
            format!("{} ({} to {})", number(&found["median"]), number(&found["low"]), number(&found["high"]))
        };
        table.add_row([
            collective.to_owned(),
            drawn["points"].to_string(),
            told["agree"].to_string(),
            number(&drawn["default"]),
            number(&drawn["predicted"]),
            interval("corrected"),
            interval("interpolated"),
        ]);
    }
    Ok(table)
}

/// Returns the output of a command without its warnings.
fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)))
    }
}
