//! The number of repeats of each method, the spread of its times, and which differences they show.

use std::collections::HashMap;

use qtdec_core::{DecisionMap, MethodIndex};

use super::launch_interval::{LEVEL, LaunchMean};
use super::launch_times::medians;
use super::mean_times::CAP;
use crate::measurements::{Measurements, Series, Statistic};
use crate::selection::rank_sum_p_value;

/// The repeats of a method at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeats {
    /// The number of repeats.
    pub count: usize,
    /// The first and third quartiles.
    pub middle: [f64; 2],
}

/// The repeats of every cell and method of a map that was made from measurements.
#[derive(Debug)]
pub struct RepeatsOfCells<'m> {
    measurements: &'m Measurements,
    map: &'m DecisionMap,
    /// The number of each method of the map in the measurements.
    methods: Vec<Option<usize>>,
}

impl<'m> RepeatsOfCells<'m> {
    /// Creates the repeats of `measurements` by the cells and methods of `map`.
    pub fn new(measurements: &'m Measurements, map: &'m DecisionMap) -> Self {
        let known: HashMap<String, usize> =
            measurements.methods().enumerate().map(|(number, method)| (method.label(), number)).collect();
        let methods = map.domain().methods().iter().map(|method| known.get(&method.label()).copied());
        Self { measurements, map, methods: methods.collect() }
    }

    /// Returns the methods of the map.
    pub fn methods(&self) -> impl Iterator<Item = MethodIndex> + use<> {
        self.map.domain().method_indexes()
    }

    /// Returns the unit of the times.
    pub fn unit(&self) -> Option<&str> {
        self.map.costs().and_then(|costs| costs.unit.as_deref())
    }

    /// Returns the map.
    pub fn map(&self) -> &'m DecisionMap {
        self.map
    }

    /// Returns whether the repeats in a cell show that one method takes over 1 % longer than another, as one of this many comparisons:
    /// of methods that take the same time, they show a difference in at most 5 % of all sets of comparisons. Several launches are
    /// compared by Student's interval of their medians, and the repeats of a single launch by the rank-sum test.
    pub fn show_slower(&self, cell: usize, [slow, fast]: [MethodIndex; 2], comparisons: u64) -> bool {
        let level = LEVEL / comparisons as f64;
        let [Some(slower), Some(faster)] = [slow, fast].map(|method| self.series(cell, method)) else {
            return false;
        };
        let others = medians(faster);
        let logs = medians(slower).into_iter();
        let logs = logs.filter_map(|(launch, time)| Some((time / others.get(&launch)?).ln()));
        let (logs, cap) = (logs.collect::<Vec<_>>(), (CAP / 100.0).ln_1p());
        match (LaunchMean::new(&logs), &logs[..]) {
            (Some(mean), _) => mean.ends(level)[0] > cap,
            (None, [log]) if *log > cap => {
                rank_sum_p_value(&slower.sorted(), &faster.sorted()).is_some_and(|p| p < level)
            }
            _ => false,
        }
    }

    fn series(&self, cell: usize, method: MethodIndex) -> Option<&'m Series> {
        self.measurements.series(&self.map.domain().sizes(cell), self.methods[method.get()]?)
    }

    /// Returns the repeats of a method in a cell, or `None` if it was not measured or only statistics are known.
    pub fn get(&self, cell: usize, method: MethodIndex) -> Option<Repeats> {
        let times = self.series(cell, method)?.sorted();
        let quartile = |thousandths: u16| Statistic::Quantile(thousandths).of_sorted(&times);
        Some(Repeats { count: times.len(), middle: [quartile(250)?, quartile(750)?] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurements::measured;
    use crate::notes::Notes;
    use crate::selection::Recipe;

    #[test]
    fn the_middle_half_lies_between_the_quartiles() {
        let times: [(&str, &[f64]); 3] =
            [("left out", &[9.0]), ("ring", &[5.0, 1.0, 4.0, 2.0, 3.0]), ("tree", &[7.0])];
        let of_method = |(name, times): (&'static str, &[f64])| {
            times.iter().map(move |&time| (8, name, 0, time)).collect::<Vec<_>>()
        };
        let measurements = measured(times.into_iter().flat_map(of_method));
        let recipe = Recipe { exclude: vec!["left out".to_owned()], ..Recipe::default() };
        let map = recipe.map(&measurements, &mut Notes::default()).unwrap();
        let repeats = RepeatsOfCells::new(&measurements, &map);
        let found: Vec<Option<Repeats>> = repeats.methods().map(|method| repeats.get(0, method)).collect();
        let of = |count, low, high| Some(Repeats { count, middle: [low, high] });
        assert_eq!(found, [of(5, 2.0, 4.0), of(1, 7.0, 7.0)]);
    }
}
