//! Training cases: the measured cells of a map.

use super::super::Input;
use super::lacking::Lacking;
use crate::domain::{MethodIndex, Samples};

pub(super) struct Cases {
    /// The samples on each axis, case by case.
    samples: Vec<u32>,
    classes: Vec<usize>,
    /// The share of a case that each is: less than 1 for a copy along an axis that its label lacks.
    weights: Vec<f64>,
    lacking: Vec<Lacking>,
    /// The methods that are classes: those that are acceptable somewhere.
    methods: Vec<MethodIndex>,
    axes: Vec<Attribute>,
}

/// An axis as an attribute of cases.
pub(super) enum Attribute {
    /// The sizes, and whether each of them has a case.
    Continuous { values: Vec<f64>, seen: Vec<bool> },
    /// The number of labels.
    Discrete(usize),
}

impl Attribute {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Continuous { values, .. } => values.len(),
            Self::Discrete(labels) => *labels,
        }
    }
}

impl Cases {
    pub(super) fn new(input: &Input<'_>) -> Self {
        let map = input.map;
        let measured: Vec<(usize, MethodIndex)> =
            map.cells().iter().enumerate().filter_map(|(cell, method)| Some((cell, (*method)?))).collect();
        let samples: Vec<u32> = measured
            .iter()
            .flat_map(|(cell, _)| input.shape.samples(*cell))
            .map(|sample| sample as u32)
            .collect();
        let mut number = vec![usize::MAX; map.domain().methods().len()];
        for (_, method) in &measured {
            number[method.get()] = 0;
        }
        let methods: Vec<MethodIndex> = input.methods().filter(|method| number[method.get()] == 0).collect();
        for (class, method) in methods.iter().enumerate() {
            number[method.get()] = class;
        }
        let classes = measured.iter().map(|(_, method)| number[method.get()]).collect();
        let axes = map.domain().axes().iter().enumerate().map(|(axis, described)| match &described.samples {
            Samples::Labels(labels) => Attribute::Discrete(labels.len()),
            Samples::Values(values) => {
                let mut seen = vec![false; values.len()];
                for samples in samples.chunks(map.domain().axes().len()) {
                    seen[samples[axis] as usize] = true;
                }
                Attribute::Continuous { values: values.iter().map(|&value| value as f64).collect(), seen }
            }
        });
        let axes = axes.collect();
        let lacking = Lacking::all(map);
        let weight = |(cell, _): &(usize, _)| Lacking::share(&lacking, map, &input.shape.samples(*cell));
        let weights = measured.iter().map(weight).collect();
        Self { samples, classes, weights, lacking, methods, axes }
    }

    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }

    pub(super) fn all(&self) -> Vec<u32> {
        (0..self.len() as u32).collect()
    }

    pub(super) fn sample(&self, case: u32, axis: usize) -> usize {
        self.samples[case as usize * self.axes.len() + axis] as usize
    }

    pub(super) fn class(&self, case: u32) -> usize {
        self.classes[case as usize]
    }

    pub(super) fn weight(&self, case: u32) -> f64 {
        self.weights[case as usize]
    }

    pub(super) fn lacking(&self) -> &[Lacking] {
        &self.lacking
    }

    pub(super) fn method(&self, class: usize) -> MethodIndex {
        self.methods[class]
    }

    pub(super) fn attributes(&self) -> &[Attribute] {
        &self.axes
    }

    pub(super) fn classes(&self) -> usize {
        self.methods.len()
    }

    pub(super) fn count(&self, cases: &[u32]) -> Counts {
        let mut classes: Vec<(usize, f64)> =
            cases.iter().map(|&case| (self.class(case), self.weight(case))).collect();
        classes.sort_unstable_by_key(|(class, _)| *class);
        Counts(
            classes
                .chunk_by(|(one, _), (other, _)| one == other)
                .map(|same| (same[0].0, sum(same)))
                .collect(),
        )
    }
}

/// Returns the weight of cases, each given by a key and its weight.
pub(super) fn sum<K>(cases: &[(K, f64)]) -> f64 {
    cases.iter().map(|(_, weight)| weight).sum()
}

/// The weight of the cases of each class that has any, in order. Most nodes have only a few of many classes.
#[derive(Clone, Debug)]
pub(super) struct Counts(Vec<(usize, f64)>);

impl Counts {
    pub(super) fn classes(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|(class, _)| *class)
    }

    pub(super) fn of_classes(&self) -> impl Iterator<Item = (usize, f64)> {
        self.0.iter().copied()
    }

    pub(super) fn total(&self) -> f64 {
        sum(&self.0)
    }

    /// Returns the weight of the cases of each of these classes.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> + Clone {
        self.0.iter().map(|(_, number)| *number)
    }

    /// Returns the number of classes that have cases.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the majority class, the first on a tie.
    pub(super) fn majority(&self) -> Option<usize> {
        let most = self.numbers().fold(0.0, f64::max);
        self.0.iter().find(|(_, number)| *number == most).map(|(class, _)| *class)
    }
}
