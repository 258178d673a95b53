//! The cost of choices by model on the shipped archives.

use std::process::Command;

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use serde_json::Value;

use xtask::files;
use xtask::run::{cargo, printed, root, target};

/// An archive of measured times in which some methods are known algorithms.
struct Archive {
    /// The network that stands for the machine.
    network: &'static str,
    /// The file or folder in `qt-cli/data`.
    data: &'static str,
    collective: &'static str,
    /// The further arguments of `qtdec map`.
    map: &'static [&'static str],
    names: &'static str,
    /// The ways to predict times for this network and collective.
    forms: &'static [&'static str],
}

const BOTH: &[&str] = &["exact", "simulated"];

const fn fugaku(collective: &'static str, map: &'static [&'static str; 4], names: &'static str) -> Archive {
    Archive { network: "fugaku", data: "pico-fugaku", collective, map, names, forms: BOTH }
}

const BUFFER: &[&str; 4] = &["--basis", "buffer", "--baseline", "default-default"];
const BLOCK: &[&str; 4] = &["--basis", "block", "--baseline", "default-default"];

const ARCHIVES: [Archive; 5] = [
    fugaku("bcast", BUFFER, "default-basic-linear=linear,default-binomial=binomial"),
    fugaku("reduce", BUFFER, "default-linear=linear,default-binomial=binomial"),
    fugaku("scatter", BLOCK, "default-basic-linear=linear,default-binomial=binomial"),
    fugaku("gather", BLOCK, "default-basic-linear=linear,default-binomial=binomial"),
    Archive {
        network: "polaris",
        data: "polaris-reduce-scatter/raw.tar.xz",
        collective: "reduce_scatter_block",
        map: &["--basis", "block", "--baseline", "MPI_Reduce_scatter_block", "--element-size", "8"],
        names: "MPICH_reduce_scatter_pairwise=pairwise,MPICH_reduce_scatter_rec_halving=recursive_halving",
        // No paper has formulas of this collective.
        forms: &["simulated"],
    },
];

/// Computes and prints the table.
pub(crate) fn choices() -> Result<(), String> {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header([
        "machine, collective",
        "form",
        "points",
        "winners agree",
        "mean cost, %",
        "greatest, %",
    ]);
    let packages = ["--package", "qtdec-cli", "--package", "qtdec-mpi"];
    printed(cargo(["build", "--quiet", "--release"]).args(packages))?;
    let folder = target().join("choices");
    files::folder(&folder)?;
    let map = folder.join("archive.json");
    for archive in ARCHIVES {
        let mut make = Command::new(target().join("release/qtdec"));
        make.arg("map").arg(root().join("qt-cli/data").join(archive.data));
        make.args(["--collective", archive.collective]).args(archive.map).arg("--output").arg(&map);
        printed(&mut make)?;
        for form in archive.forms {
            let mut compare = Command::new(target().join("release/qtdec-mpi"));
            compare.args(["predict", archive.network, "--collective", archive.collective, "--form", form]);
            compare.args(["--names", archive.names, "--json", "--against"]).arg(&map);
            let reported: Value =
                serde_json::from_str(&printed(&mut compare)?).map_err(|error| error.to_string())?;
            table.add_row(row(&archive, form, &reported));
        }
    }
    println!("{table}\n");
    Ok(())
}

fn row(archive: &Archive, form: &str, reported: &Value) -> [String; 6] {
    let cost = |name: &str| reported[name].as_f64().map_or("–".to_owned(), |cost| format!("{cost:.1}"));
    [
        format!("{}, {}", archive.network, archive.collective),
        form.to_owned(),
        reported["points"].to_string(),
        reported["agree"].to_string(),
        cost("penalty_mean"),
        cost("penalty_max"),
    ]
}
