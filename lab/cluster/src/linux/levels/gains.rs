//! What decisions gain that may choose compositions.

use qtdec_core::median;
use qtdec_study::study::launch_interval::{LEVEL, LaunchMean};

/// The gains of decisions, as logarithms, by the launches from which they were not made.
pub(super) struct Gains {
    /// Over the decision that chooses none.
    pub(super) over_flat: Vec<f64>,
    pub(super) over_library: Vec<f64>,
    /// By what part the simulated times of compositions differ from the measured ones.
    pub(super) errors: Vec<f64>,
}

impl Gains {
    /// Returns the gains of collectives together, which have as many cells each: the geometric means.
    pub(super) fn together<'g>(all: impl Iterator<Item = &'g Self> + Clone) -> Self {
        let mean = |of: fn(&Self) -> &Vec<f64>| -> Vec<f64> {
            let launches = all.clone().map(|gains| of(gains).len()).min().unwrap_or(0);
            let of_launch = |launch| all.clone().map(|gains| of(gains)[launch]).sum::<f64>();
            (0..launches).map(|launch| of_launch(launch) / all.clone().count() as f64).collect()
        };
        Self {
            over_flat: mean(|gains| &gains.over_flat),
            over_library: mean(|gains| &gains.over_library),
            errors: all.flat_map(|gains| gains.errors.iter().copied()).collect(),
        }
    }

    /// Returns the row of a table.
    pub(super) fn row(&self, name: &str) -> Result<Vec<String>, String> {
        let mut row = vec![name.to_owned()];
        for logs in [&self.over_flat, &self.over_library] {
            let mean = LaunchMean::from_held_out(logs).ok_or("there are too few launches")?;
            let percent = |log: f64| format!("{:.1}", 100.0 * log.exp_m1());
            let [low, high] = mean.ends(LEVEL).map(percent);
            row.extend([percent(mean.mean), format!("{low} to {high}")]);
        }
        let percent = |error: Option<f64>| {
            error.map_or_else(|| "–".to_owned(), |error| format!("{:.1}", 100.0 * error))
        };
        row.push(percent(median(&*self.errors)));
        row.push(percent(self.errors.iter().copied().reduce(f64::max)));
        Ok(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collectives_together_have_the_geometric_mean() {
        let of = |over_flat: [f64; 3], over_library: [f64; 3], errors: &[f64]| Gains {
            over_flat: over_flat.map(f64::ln).to_vec(),
            over_library: over_library.map(f64::ln).to_vec(),
            errors: errors.to_vec(),
        };
        let all = [of([1.0; 3], [2.0; 3], &[0.01, 0.2]), of([1.21; 3], [0.5; 3], &[0.04])];
        let row = Gains::together(all.iter()).row("all").unwrap();
        assert_eq!(row, ["all", "10.0", "10.0 to 10.0", "0.0", "0.0 to 0.0", "4.0", "20.0"]);
        assert_eq!(Gains::together(all[1..].iter()).row("one").unwrap()[1], "21.0");
        assert!(Gains::together([].iter()).row("none").is_err());
    }
}
