//! The medians of the times in a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use qtdec_core::median;

/// The medians of times, in microseconds.
#[derive(Default)]
pub(super) struct Medians(BTreeMap<Key, f64>);

/// Ranks, bytes, and the name of a method with its segment size.
type Key = (u32, u64, String, String);

impl Medians {
    /// Reads the times of a folder, of all launches together.
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let rows = rows(folder)?.into_iter().map(|(_, key, time)| (key, time));
        Ok(Self::new(rows))
    }

    /// Reads the times of a folder, of each launch by itself.
    pub(super) fn by_launch(folder: &Path) -> Result<Vec<Self>, String> {
        let mut launches: BTreeMap<String, Vec<(Key, f64)>> = BTreeMap::new();
        for (launch, key, time) in rows(folder)? {
            launches.entry(launch).or_default().push((key, time));
        }
        Ok(launches.into_values().map(Self::new).collect())
    }

    fn new(rows: impl IntoIterator<Item = (Key, f64)>) -> Self {
        let mut times: BTreeMap<_, Vec<f64>> = BTreeMap::new();
        for (key, time) in rows {
            times.entry(key).or_default().push(time);
        }
        Self(times.into_iter().filter_map(|(key, times)| Some((key, median(times)?))).collect())
    }

    /// Returns the number of points.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns by what part the times of others differ from these, for each method and cell that both have, in increasing order.
    pub(super) fn differences(&self, others: &Self) -> Vec<f64> {
        let both = self.0.iter().filter_map(|(key, time)| Some((time, others.0.get(key)?)));
        let mut differences: Vec<f64> = both.map(|(time, other)| (other / time - 1.0).abs()).collect();
        differences.sort_by(f64::total_cmp);
        differences
    }

    pub(super) fn of(
        &self,
        ranks: u32,
        bytes: u64,
        (method, segment): &(String, String),
    ) -> Result<f64, String> {
        let key = (ranks, bytes, method.clone(), segment.clone());
        let time = self.0.get(&key).copied();
        time.ok_or_else(|| format!("{ranks} ranks and {bytes} bytes: no time of {method} {segment}"))
    }
}

/// Returns the times of all files in a folder, each with its launch.
fn rows(folder: &Path) -> Result<Vec<(String, Key, f64)>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
    let mut rows = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(&error))? {
        let path = entry.map_err(|error| failed(&error))?.path();
        let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let launch = lines.next().and_then(|titles| titles.split(',').position(|title| title == "launch"));
        for row in lines {
            let fields: Vec<&str> = row.split(',').collect();
            let wrong = || failed(&format!("the row `{row}`"));
            let [ranks, bytes, method, segment, .., time] = fields[..] else { return Err(wrong()) };
            let cell = (ranks.parse().map_err(|_| wrong())?, bytes.parse().map_err(|_| wrong())?);
            let key = (cell.0, cell.1, method.to_owned(), segment.to_owned());
            let launch = launch.and_then(|at| fields.get(at)).copied().unwrap_or_default();
            rows.push((launch.to_owned(), key, time.parse().map_err(|_| wrong())?));
        }
    }
    Ok(rows)
}
