//! The sizes at which fitted times fill a map.

use std::collections::BTreeMap;

use qtdec_core::domain::MAX_AXES;

use super::model::CostModel;
use super::preset::Source;

/// The ratios of neighbouring samples, from fine to coarse: of axes on which terms have steps, and of others.
///
/// On tract's sets with two axes, decisions from the first pair cost the same as those of the formula itself, to 0.2 points.
const RATIOS: [(f64, f64); 14] = [
    (1.02, 1.1),
    (1.02, 1.2),
    (1.02, 1.4),
    (1.04, 1.4),
    (1.05, 1.6),
    (1.06, 1.8),
    (1.08, 2.0),
    (1.1, 2.0),
    (1.15, 2.0),
    (1.2, 2.0),
    (1.3, 2.0),
    (1.5, 2.0),
    (2.0, 2.0),
    (4.0, 4.0),
];

/// The maximum number of times in a filled map, so that its file stays below 64 MiB.
const MOST_TIMES: usize = 3_300_000;

/// The largest size up to which steps are looked for; above it, steps are smaller than the ratios of samples.
const LAST_STEP: u64 = 1 << 16;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct AxisSamples {
    /// The sizes, increasing. A sample stands for the sizes from it to the next one.
    pub(super) sizes: Vec<u64>,
    pub(super) last: u64,
    /// Whether terms have steps on the axis.
    has_steps: bool,
}

impl AxisSamples {
    /// Returns the sizes at which a sample's times are taken: at the ends of its thirds where terms have steps, so also at the last
    /// one, at which tiles are full, and otherwise the geometric mean of the first and the last one.
    pub(super) fn places(&self, sample: usize) -> Vec<u64> {
        let first = self.sizes[sample];
        let last = self.sizes.get(sample + 1).map_or(self.last, |next| next - 1);
        if first == last {
            vec![first]
        } else if self.has_steps {
            let mut places = [1, 2, 3].map(|third| first + (last - first) * third / 3).to_vec();
            places.dedup();
            places
        } else {
            vec![((first as f64) * (last as f64)).sqrt() as u64]
        }
    }
}

/// Returns the samples of every axis, as fine as the terms ask and a map can hold. `ranges` are the measured ranges.
pub(super) fn samples(model: &CostModel, ranges: &[(u64, u64)]) -> Vec<AxisSamples> {
    let steps: Vec<BTreeMap<u64, f64>> =
        ranges.iter().enumerate().map(|(axis, range)| steps(model, axis, *range)).collect();
    let methods = model.methods().len();
    let mut samples = Vec::new();
    for (stepped, smooth) in RATIOS {
        let axes = ranges.iter().zip(&steps);
        samples = axes.map(|(range, steps)| of_axis(*range, steps, stepped, smooth)).collect();
        if samples.iter().map(|axis| axis.sizes.len()).product::<usize>() * methods <= MOST_TIMES {
            break;
        }
    }
    samples
}

/// Returns the sizes at which terms step on an axis, with the sum of the steps' heights relative to the values.
fn steps(model: &CostModel, axis: usize, (first, last): (u64, u64)) -> BTreeMap<u64, f64> {
    let mut steps = BTreeMap::new();
    for term in model.terms_of_methods() {
        let mut values: Vec<u64> = term.sources.iter().map(|source| source.value(&[1; MAX_AXES])).collect();
        let is_axis = |name: usize| matches!(term.sources[name], Source::Axis(_));
        let Some(own) = term.sources.iter().position(|source| *source == Source::Axis(axis)) else {
            continue;
        };
        for step in term.expression.steps() {
            let is_of_others = (0..values.len()).any(|name| name != own && is_axis(name) && step.has(name));
            if is_of_others || !step.has(own) {
                continue;
            }
            let mut before = None;
            for size in first..=last.min(LAST_STEP) {
                values[own] = size;
                let value = step.value(&values).ok();
                if let (Some(before), Some(value)) = (before, value)
                    && before != value
                {
                    let height = (value as f64 - before as f64).abs() / (value.max(before) as f64);
                    *steps.entry(size).or_insert(0.0) += height;
                }
                before = value;
            }
        }
    }
    steps
}

/// Returns the samples of an axis: each step, and where they are denser than the ratio the highest in reach. Where there are no more
/// steps, the ratio alone counts.
fn of_axis((first, last): (u64, u64), steps: &BTreeMap<u64, f64>, stepped: f64, smooth: f64) -> AxisSamples {
    let has_steps = !steps.is_empty();
    let ratio = if has_steps { stepped } else { smooth };
    let mut sizes = vec![first];
    let mut here = first;
    loop {
        let least = ((here as f64 * ratio).ceil() as u64).max(here + 1);
        let reach = ((here as f64 * ratio * ratio) as u64).max(least);
        let next = steps.range(here + 1..).next().map(|(size, _)| *size);
        let highest = steps
            .range(least..=reach)
            .max_by(|one, other| one.1.total_cmp(other.1).then(other.0.cmp(one.0)))
            .map(|(size, _)| *size);
        here = match next {
            // Steps that are as far from each other as samples are all samples.
            Some(next) if next >= least => next,
            Some(_) => highest.unwrap_or(least),
            None => least,
        };
        if here > last {
            return AxisSamples { sizes, last, has_steps };
        }
        sizes.push(here);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps_of(period: u64, last: u64) -> BTreeMap<u64, f64> {
        (1..=last).step_by(period as usize).skip(1).map(|size| (size, 1.0)).collect()
    }

    #[test]
    fn every_tile_is_a_sample_until_the_ratio_is_reached() {
        let axis = of_axis((1, 200), &steps_of(16, 200), 1.1, 2.0);
        assert!(axis.sizes.starts_with(&[1, 17, 33, 49, 65, 81, 97, 113, 129, 145, 161]));
        // From 161 on, a tile is less than a tenth: two of them are one sample.
        assert_eq!(axis.sizes[11..], [193]);
        assert_eq!((axis.places(0), axis.places(11)), (vec![6, 11, 16], vec![195, 197, 200]));
    }

    #[test]
    fn an_axis_without_steps_has_a_ratio() {
        let axis = of_axis((1, 100), &BTreeMap::new(), 1.1, 2.0);
        assert_eq!(axis.sizes, [1, 2, 4, 8, 16, 32, 64]);
        assert_eq!((axis.places(0), axis.places(2), axis.places(6)), (vec![1], vec![5], vec![80]));
        assert_eq!(of_axis((0, 1), &BTreeMap::new(), 1.1, 2.0).sizes, [0, 1]);
        assert_eq!(of_axis((7, 7), &BTreeMap::new(), 1.1, 2.0).sizes, [7]);
    }
}
