//! Campaigns that were measured twice: what the first one predicts of the second one, and what that one finds. They are too few for a
//! rate, so nothing is promised of them.

use std::ops::RangeInclusive;

use qtdec_study::measurements::Measurements;
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, ReadOptions};
use qtdec_study::selection::Recipe;
use qtdec_study::study::launch_gain::{LaunchGains, fold_maps};
use qtdec_study::study::recommend::{RecommendOptions, Recommendation};
use xtask::run::root;

use super::findings::Findings;

/// The files in `lab/rates/reruns`, without the number of the campaign, and what was measured.
const ARCHIVES: [(&str, &str); 2] = [
    ("emulated-bcast", "broadcasts of Open MPI 4.1.4 on eight emulated nodes"),
    ("emulated-allreduce", "its allreduces, which keep the default everywhere"),
];

/// What a campaign predicts, and what another one finds.
struct Rerun {
    /// The number of cells and of methods.
    shape: [usize; 2],
    /// The number of launches of each campaign.
    launches: [usize; 2],
    /// The gain of the first campaign over its held-out launches.
    gain: f64,
    /// The interval in which it predicts the gain of the second one.
    predicted: [f64; 2],
    /// The gain in the second campaign of what all launches of the first one decide.
    found: f64,
}

fn measurements(name: &str, campaign: u8) -> Measurements {
    let file = root().join(format!("lab/rates/reruns/{name}-{campaign}.csv.xz")).display().to_string();
    let read = readers::read(std::slice::from_ref(&file), &ReadOptions::default(), &mut |_, input| input);
    let Ok((measurements, _)) = read else { panic!("{file} cannot be read") };
    measurements
}

impl Rerun {
    /// Decides from the first campaign as `qtdec-mpi tune` does, and prices the decisions with the second one.
    fn new(name: &str) -> Self {
        let [first, second] = [1, 2].map(|campaign| measurements(name, campaign));
        let recipe = Recipe { baseline: vec!["default".to_owned()], ..Recipe::default() };
        let map = recipe.map(&first, &mut Notes::default()).expect("the times make a map");
        let folds = |of: &Measurements| fold_maps(of, &recipe).expect("the launches make maps");
        let rated = Recommendation::new(&map, &RecommendOptions::default(), &folds(&first));
        let recommended = rated.expect("there is a tree").recommended;
        let own = &recommended.held_out.gains;
        let mut again = LaunchGains::default();
        for (_, alone) in folds(&second) {
            again.add(&recommended.choice.tree, &alone).expect("the axes are the same");
        }
        let mean = |gains: &LaunchGains| gains.mean().expect("there are launches").mean.exp_m1();
        Self {
            shape: [own.points.len(), map.domain().methods().len()],
            launches: [own.logs.len(), again.logs.len()],
            gain: mean(own),
            predicted: own.again(again.logs.len()).expect("there are launches"),
            found: mean(&again),
        }
    }
}

/// Returns the table of campaigns that were measured twice. It has no seeds.
pub(super) fn of_archives(_: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| what was measured | cells | methods | launches | gain | launches again | predicted | found again |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (name, about) in ARCHIVES {
        let Rerun { shape: [cells, methods], launches: [own, again], gain, predicted: [low, high], found } =
            Rerun::new(name);
        let [gain, low, high, found] = [gain, low, high, found].map(|gain| 100.0 * gain);
        let row = format!(
            "| {about} | {cells} | {methods} | {own} | {gain:+.2} % | {again} | {low:+.2} to {high:+.2} % | {found:+.2} % |"
        );
        findings.add(row, true);
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rates::trials::SEEDS;
    use crate::rates::{path, with_table};

    #[test]
    fn the_page_has_the_table_of_the_archives() {
        let page = std::fs::read_to_string(path()).unwrap();
        let expected = with_table(&page, "campaigns", &of_archives(&SEEDS).table).unwrap();
        assert!(expected == page, "run cargo xtask rates campaigns --write and look at the changes");
    }
}
