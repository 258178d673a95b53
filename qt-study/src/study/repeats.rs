//! The number of repeats of each method, and the spread of its times.

use std::collections::HashMap;

use qtdec_core::{DecisionMap, MethodIndex};

use crate::measurements::{Measurements, Statistic};

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

    /// Returns the repeats of a method in a cell, or `None` if it was not measured or only statistics are known.
    pub fn get(&self, cell: usize, method: MethodIndex) -> Option<Repeats> {
        let series = self.measurements.series(&self.map.domain().sizes(cell), self.methods[method.get()]?)?;
        let times = series.sorted();
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
