//! `qtdec-map/1`: from text to a map.

use super::{Calls, Costs, DecisionMap, Ties, out_of_range};
use crate::domain::{Domain, MethodIndex};
use crate::json::{Dim, Value};
use crate::problem::{Diagnostics, Problems};
use crate::shape::Shape;

const KEYS: [&str; 6] = ["format", "cells", "ties", "costs", "calls", "source"];

impl DecisionMap {
    /// Reads a file whose `format` is known to be that of a map.
    pub(crate) fn read(file: &Value<'_>) -> Result<Self, Problems> {
        let mut check = Diagnostics::default();
        let known: Vec<&str> = KEYS.into_iter().chain(Domain::KEYS).collect();
        let map = file.object(&known, &mut check).and_then(|object| {
            let domain = Domain::read(&object, &mut check);
            // Without `cells` the rest cannot be judged, but its absence can be told along with what else is wrong.
            let cells = object.require("cells", &mut check).cloned();
            let domain = domain?;
            let shape = Shape::new(domain.shape());
            let cells = read_cells(&cells?, &domain, &shape, &mut check)?;
            let ties = object.get("ties").map(|ties| read_ties(ties, &domain, &shape, &mut check));
            let costs = object.get("costs").map(|costs| read_costs(costs, &domain, &mut check));
            let calls = object.get("calls").map(|calls| read_calls(calls, &domain, &mut check));
            let mut map = check.note(Self::new(domain, cells))?;
            if let Some(ties) = ties {
                map = check.note(map.with_ties(ties?))?;
            }
            if let Some(costs) = costs {
                map = check.note(map.with_costs(costs?))?;
            }
            if let Some(calls) = calls {
                map = check.note(map.with_calls(calls?))?;
            }
            map.source = object.get("source").map(|source| source.raw().get().to_owned());
            Some(map)
        });
        check.finish(map)
    }
}

fn read_cells(
    value: &Value<'_>,
    domain: &Domain,
    shape: &Shape,
    check: &mut Diagnostics,
) -> Option<Vec<Option<MethodIndex>>> {
    let count = domain.methods().len();
    let raw: Vec<Option<u64>> = value.grid(&dims(domain), "the index of a method or null", check)?;
    let mut sound = true;
    let cells = raw.into_iter().enumerate().map(|(offset, index)| {
        let known = index?;
        if known < count as u64 {
            return Some(MethodIndex::new(known as usize));
        }
        sound = false;
        check.add_with(|| out_of_range(&value.path.indices(&shape.samples(offset)), known, count));
        None
    });
    let cells = cells.collect();
    sound.then_some(cells)
}

fn read_ties(value: &Value<'_>, domain: &Domain, shape: &Shape, check: &mut Diagnostics) -> Option<Ties> {
    let count = domain.methods().len();
    let cells: Vec<Vec<u64>> = value.grid(&dims(domain), "an array of indexes of methods", check)?;
    let mut sound = true;
    for (offset, ties) in cells.iter().enumerate() {
        for (position, &index) in ties.iter().enumerate().filter(|&(_, &index)| index >= count as u64) {
            sound = false;
            let place = || value.path.indices(&shape.samples(offset)).index(position);
            check.add_with(|| out_of_range(&place(), index, count));
        }
    }
    let indexes = |ties: Vec<u64>| ties.into_iter().map(|index| MethodIndex::new(index as usize)).collect();
    sound.then(|| Ties::new(cells.into_iter().map(indexes)))
}

fn read_costs(value: &Value<'_>, domain: &Domain, check: &mut Diagnostics) -> Option<Costs> {
    let object = value.object(&["unit", "statistic", "values"], check)?;
    let count = domain.methods().len();
    let mut dims = dims(domain);
    dims.push(Dim { len: count, why: format!("there are {count} methods") });
    let values: Vec<Option<f64>> = object.require("values", check)?.grid(&dims, "a cost or null", check)?;
    let mut costs = Costs::new(count, values);
    costs.unit = object.get("unit").and_then(|unit| unit.string(check));
    costs.statistic = object.get("statistic").and_then(|statistic| statistic.string(check));
    Some(costs)
}

fn read_calls(value: &Value<'_>, domain: &Domain, check: &mut Diagnostics) -> Option<Calls> {
    let cells: Vec<f64> = value.grid(&dims(domain), "a number of calls", check)?;
    Some(Calls::new(cells))
}

fn dims(domain: &Domain) -> Vec<Dim> {
    let dim = |axis: &crate::Axis| Dim {
        len: axis.len(),
        why: format!(
            "axis `{}` has {} {}",
            axis.name,
            axis.len(),
            if axis.values().is_some() { "values" } else { "labels" }
        ),
    };
    domain.axes().iter().map(dim).collect()
}
