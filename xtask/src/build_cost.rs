//! The processor time of a clean release build of the command, by crate: what a user waits for before the first result.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use comfy_table::Table;
use comfy_table::presets::NOTHING;

use xtask::run::{cargo, target};

/// A compiler wrapper that reports the processor time of each crate.
const WRAPPER: &str = include_str!("build_cost/wrapper.sh");

/// The number of crates with a row of their own.
const ROWS: usize = 25;

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Fail if the build takes more than this many seconds of processor time
    #[arg(long, value_name = "SECONDS")]
    at_most: Option<f64>,
}

/// Builds the command in an empty folder, and prints the share of each crate.
pub(crate) fn build_cost(arguments: &Arguments) -> Result<(), String> {
    let folder = target().join("build-cost");
    let reports = folder.join("reports");
    let wrapper = folder.join("wrapper.sh");
    let prepare = || {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&reports)?;
        fs::write(&wrapper, WRAPPER)?;
        #[cfg(unix)]
        fs::set_permissions(&wrapper, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        std::io::Result::Ok(())
    };
    prepare().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut build = cargo(["build", "--release", "--locked", "--bin", "qtdec", "--target-dir"]);
    build.arg(folder.join("target")).env("RUSTC_WRAPPER", &wrapper).env("QTDEC_BUILD_COST", &reports);
    if !build.status().is_ok_and(|status| status.success()) {
        return Err("the command cannot be built".to_owned());
    }
    let crates = crates(&reports)?;
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let total: f64 = crates.iter().map(|(_, seconds)| seconds).sum();
    println!("{}", table(&crates, total));
    match arguments.at_most {
        Some(limit) if total > limit => Err(format!("{total:.0} s of processor time; {limit} are allowed")),
        _ => Ok(()),
    }
}

/// Returns the crates with their seconds, the most expensive first.
fn crates(reports: &Path) -> Result<Vec<(String, f64)>, String> {
    let mut crates = BTreeMap::<String, f64>::new();
    for report in fs::read_dir(reports).map_err(|error| error.to_string())?.flatten() {
        let text = fs::read_to_string(report.path()).map_err(|error| error.to_string())?;
        let (name, seconds) = reported(&text).ok_or_else(|| format!("a report of the shell says {text}"))?;
        *crates.entry(name.to_owned()).or_default() += seconds;
    }
    let mut crates: Vec<_> = crates.into_iter().collect();
    crates.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    Ok(crates)
}

/// Returns the crate and the seconds in a report: its name, the times of the shell and those of the compiler.
fn reported(text: &str) -> Option<(&str, f64)> {
    let mut lines = text.lines();
    let name = lines.next()?;
    let compiler = lines.nth(1)?;
    let seconds = |time: &str| {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    compiler.split_whitespace().map(seconds).sum::<Option<f64>>().map(|sum| (name, sum))
}

fn table(crates: &[(String, f64)], total: f64) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["crate", "seconds", "share"]);
    let mut row = |name: &str, seconds: f64| {
        table.add_row([
            name.to_owned(),
            format!("{seconds:.1}"),
            format!("{:.1} %", 100.0 * seconds / total),
        ]);
    };
    let (first, others) = crates.split_at(crates.len().min(ROWS));
    for (name, seconds) in first {
        row(name, *seconds);
    }
    row(&format!("{} others", others.len()), others.iter().map(|(_, seconds)| seconds).sum());
    row("all", total);
    table
}

#[cfg(test)]
mod tests {
    use super::reported;

    #[test]
    fn the_times_of_the_compiler_are_counted() {
        let text = "syn\n0m0.01s 0m0.02s\n1m2.50s 0m1.25s\n";
        assert_eq!(reported(text), Some(("syn", 63.75)));
        assert_eq!(reported("syn\n0m0.01s 0m0.02s\n"), None);
    }
}
