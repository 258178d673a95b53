//! 2006, section 3.2: the accuracy threshold as a remedy for noise in measurements.

use qtdec_core::encode::Quadtree;
use qtdec_core::statistics::Quality;
use qtdec_core::{DecisionMap, DecisionTree};

use crate::data;
use crate::fit::with_noise;
use crate::item::{Item, Shown};
use crate::part::of_2006;
use crate::table::{Column, Table, number};
use crate::trees::{Making, encoded};

pub(super) const ITEM: Item = Item {
    id: "2006-smoothing",
    title: "trees of noisy measurements, judged by times without noise",
    about: "The papers expect that a threshold \"helps smooth the experimental data\", and that it avoids over-fitting. Each simulated time \
            is multiplied by a factor whose logarithm has the standard deviation in the column *noise*; trees are made of the methods that \
            then seem best, and their decisions are judged by the times without noise. Means over five seeds, fill `stretch`. The first of \
            the columns is the exact tree, which believes every measurement.",
    make,
};

/// The standard deviations of ln t, in per cent.
const NOISES: [u32; 4] = [0, 2, 10, 30];

const SEEDS: u64 = 5;

const THRESHOLDS: [u32; 4] = [90, 75, 62, 50];

const DEPTHS: [u32; 4] = [5, 4, 3, 2];

fn make() -> Result<Shown, String> {
    let titles = THRESHOLDS.map(|threshold| format!("threshold {threshold}"));
    let limits = titles.into_iter().chain(DEPTHS.map(|depth| format!("depth {depth}")));
    let numbers = ["noise %".to_owned(), "exact".to_owned()].into_iter().chain(limits).map(Column::number);
    let mut table = Table::new(["map"].map(Column::text).into_iter().chain(numbers));
    for (name, map) in data::all()? {
        let clean = of_2006(&map);
        for noise in NOISES {
            let means = mean_penalties(&clean, noise).into_iter().map(|mean| number(Some(mean), 2));
            table.row([name.to_owned(), noise.to_string()].into_iter().chain(means));
        }
    }
    Ok(Shown::table(table))
}

/// Returns the penalty of each kind of tree, in per cent, as the mean over the seeds.
fn mean_penalties(clean: &DecisionMap, noise: u32) -> Vec<f64> {
    let making = Making::default();
    let limited = THRESHOLDS
        .map(|threshold| making.of_threshold(f64::from(threshold)))
        .into_iter()
        .chain(DEPTHS.map(|depth| making.of_depth(depth)));
    let kinds: Vec<Quadtree> = std::iter::once(making.of_threshold(100.0)).chain(limited).collect();
    let mut sums = vec![0.0; kinds.len()];
    for seed in 1..=SEEDS {
        let noisy = with_noise(clean, f64::from(noise) / 100.0, seed);
        for (sum, kind) in sums.iter_mut().zip(&kinds) {
            *sum += true_penalty(&encoded(&noisy, kind), clean);
        }
    }
    sums.into_iter().map(|sum| sum / SEEDS as f64).collect()
}

/// Returns the mean penalty of a tree by the times of another map.
fn true_penalty(tree: &DecisionTree, clean: &DecisionMap) -> f64 {
    Quality::from_decisions(&tree.cells(), clean).penalty.map_or(f64::NAN, |penalty| penalty.mean)
}
