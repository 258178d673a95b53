//! How often each method was measured, and how far its times lie apart.

use std::collections::HashMap;

use qtdec_core::{DecisionMap, MethodIndex};

use crate::measure::measurements::{Measurements, Statistic};

/// The repeats of a method at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeats {
    /// How many there are.
    pub count: usize,
    /// The quartiles between which the middle half of them lies.
    pub middle: [f64; 2],
}

/// The repeats of every cell and method of a map that was made of measurements.
#[derive(Debug)]
pub struct RepeatsOfCells<'m> {
    measurements: &'m Measurements,
    map: &'m DecisionMap,
    /// The number of each method of the map in the measurements.
    methods: Vec<Option<usize>>,
}

impl<'m> RepeatsOfCells<'m> {
    /// The repeats of `measurements` by the cells and methods of `map`.
    pub fn new(measurements: &'m Measurements, map: &'m DecisionMap) -> Self {
        let known: HashMap<String, usize> =
            measurements.methods().enumerate().map(|(number, method)| (method.label(), number)).collect();
        let methods = map.domain().methods().iter().map(|method| known.get(&method.label()).copied());
        Self { measurements, map, methods: methods.collect() }
    }

    /// The repeats of a method in a cell; `None` where it was not measured, or only statistics are known.
    pub fn get(&self, cell: usize, method: MethodIndex) -> Option<Repeats> {
        let series = self.measurements.series(&self.map.domain().sizes(cell), self.methods[method.get()]?)?;
        let times = series.sorted();
        let quartile = |thousandths: u16| Statistic::Quantile(thousandths).of_sorted(&times);
        Some(Repeats { count: times.len(), middle: [quartile(250)?, quartile(750)?] })
    }
}
