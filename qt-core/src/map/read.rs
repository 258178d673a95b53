//! The parser of `qtdec-map/1` files.

use super::{Calls, Costs, DecisionMap, Ties, out_of_range};
use crate::domain::{Domain, MAX_AXES, MAX_CELLS, MethodIndex};
use crate::json::{Dim, Object, PlacedValue};
use crate::problem::{Diagnostics, Path, Problem, Problems};
use crate::shape::Shape;

const KEYS: [&str; 8] = ["format", "placeholder", "cells", "ties", "costs", "calls", "recipe", "source"];

impl DecisionMap {
    pub(crate) fn read(file: &PlacedValue<'_>) -> Result<Self, Problems> {
        let mut check = Diagnostics::default();
        let known: Vec<&str> = KEYS.into_iter().chain(Domain::KEYS).collect();
        let map = file.object(&known, &mut check).and_then(|object| {
            let domain = Domain::read(&object, &mut check);
            let cells = object.require("cells", &mut check).cloned();
            // Even if axes or methods are invalid, the rest is checked against their number, so that all problems are reported at once.
            let frame = Frame::read(&object)?;
            let cells = read_cells(&cells?, &frame, &mut check);
            let placeholder = object.optional("placeholder", &mut check, PlacedValue::boolean);
            let ties = object.get("ties").map(|ties| read_ties(ties, &frame, &mut check));
            let costs = object.get("costs").map(|costs| read_costs(costs, &frame, &mut check));
            let calls = object.get("calls").map(|calls| {
                let cells = calls.grid(&frame.dims(), "a number of calls", &mut check);
                cells.map(|cells: Vec<f64>| Calls::new(cells))
            });
            let (domain, cells) = (domain?, cells?);
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
            if let Some(recipe) = object.get("recipe") {
                recipe.members(&mut check)?;
                map.recipe = Some(recipe.raw().get().to_owned());
            }
            map.is_placeholder = placeholder?.unwrap_or(false);
            check_placeholder(&map, &mut check);
            map.source = object.get("source").map(|source| source.raw().get().to_owned());
            Some(map)
        });
        check.finish(map)
    }
}

fn check_placeholder(map: &DecisionMap, check: &mut Diagnostics) {
    let measured = [("ties", map.ties.is_some()), ("costs", map.costs.is_some())];
    for (key, _) in measured.into_iter().filter(|(_, present)| map.is_placeholder && *present) {
        let problem = Problem::new(Path::root().key(key), format!("a placeholder cannot have `{key}`"));
        check.add(problem.help("remove `placeholder` from a measured map"));
    }
}

struct Frame {
    /// The name and number of samples of each axis, and the word for its samples.
    axes: Vec<(String, usize, &'static str)>,
    methods: usize,
}

impl Frame {
    /// Returns the dimensions of a file, even if axes or methods are invalid, as far as they are present.
    fn read(file: &Object<'_>) -> Option<Self> {
        // These problems have been reported already.
        let mut ignored = Diagnostics::default();
        let mut axes = Vec::new();
        for axis in file.get("axes")?.elements(&mut ignored)? {
            let name = axis.member("name").and_then(|name| name.string(&mut ignored)).unwrap_or_default();
            let (key, samples) =
                ["values", "labels"].into_iter().find_map(|key| Some((key, axis.member(key)?)))?;
            let len = samples.elements(&mut ignored)?.len();
            // An axis with too few samples is incomplete, so its number of samples is unreliable.
            let least = if key == "labels" { 2 } else { 1 };
            axes.push((len >= least).then_some((name, len, key))?);
        }
        let axes = Some(axes).filter(|axes| (1..=MAX_AXES).contains(&axes.len()))?;
        let cells = axes.iter().try_fold(1_usize, |cells, (_, len, _)| cells.checked_mul(*len))?;
        let methods = file.get("methods")?.elements(&mut ignored)?.len();
        let is_sound = cells <= MAX_CELLS && (1..=MethodIndex::MAX_METHODS).contains(&methods);
        is_sound.then_some(Self { axes, methods })
    }

    fn shape(&self) -> Shape {
        Shape::new(self.axes.iter().map(|(_, len, _)| *len).collect())
    }

    fn dims(&self) -> Vec<Dim> {
        let dim = |(name, len, samples): &(String, usize, &str)| Dim {
            len: *len,
            why: format!("axis `{name}` has {len} {samples}"),
        };
        self.axes.iter().map(dim).collect()
    }
}

fn read_cells(
    value: &PlacedValue<'_>,
    frame: &Frame,
    check: &mut Diagnostics,
) -> Option<Vec<Option<MethodIndex>>> {
    let (count, shape) = (frame.methods, frame.shape());
    let raw: Vec<Option<u64>> = value.grid(&frame.dims(), "the index of a method or null", check)?;
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

fn read_ties(value: &PlacedValue<'_>, frame: &Frame, check: &mut Diagnostics) -> Option<Ties> {
    let (count, shape) = (frame.methods, frame.shape());
    let cells: Vec<Vec<u64>> = value.grid(&frame.dims(), "an array of indexes of methods", check)?;
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

fn read_costs(value: &PlacedValue<'_>, frame: &Frame, check: &mut Diagnostics) -> Option<Costs> {
    let object = value.object(&["unit", "statistic", "values"], check)?;
    let count = frame.methods;
    let mut dims = frame.dims();
    dims.push(Dim { len: count, why: format!("there are {count} methods") });
    let values: Vec<Option<f64>> = object.require("values", check)?.grid(&dims, "a cost or null", check)?;
    let mut costs = Costs::new(count, values);
    costs.unit = object.get("unit").and_then(|unit| unit.string(check));
    costs.statistic = object.get("statistic").and_then(|statistic| statistic.string(check));
    Some(costs)
}
