//! Combination of the maps of several collectives, with the collective as an axis; the second paper's combined trees.

mod axes;

use std::collections::HashMap;

use super::{Calls, Costs, DecisionMap, Ties};
use crate::borders::Borders;
use crate::domain::{Domain, MAX_AXES, Method, MethodIndex};
use crate::listing::in_backticks;
use crate::problem::{Diagnostics, Place, Problem, Problems};
use crate::shape::Shape;

/// The name of the axis of collectives.
pub const AXIS: &str = "collective";

/// Combines the maps of several collectives. The first axis is the collective, labelled by their names: see [`combine_as`].
///
/// # Errors
///
/// Returns an error for a map without a collective, and all those of [`combine_as`].
pub fn combine(maps: &[DecisionMap]) -> Result<DecisionMap, Problems> {
    let mut check = Diagnostics::default();
    for (index, _) in maps.iter().enumerate().filter(|(_, map)| map.domain().collective().is_none()) {
        let message = format!("map {} does not name its collective", index + 1);
        check.add(Problem::new(Place::File, message).help("add `collective` to it, such as \"bcast\""));
    }
    let unnamed = |index: usize| format!("map {}", index + 1);
    let name = |(index, map): (usize, &DecisionMap)| {
        map.domain().collective().map_or_else(|| unnamed(index), str::to_owned)
    };
    let names: Vec<String> = maps.iter().enumerate().map(name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    check_names(AXIS, &names, maps, &mut check);
    check.finish(Some(()))?;
    combine_as(AXIS, &names, maps)
}

/// Combines maps, each under a name. The first axis has this name, and the names of the maps as its labels.
///
/// The combined grid has every size of any of the maps. Where a map was not measured at such a size, it uses its usual decision,
/// that of the largest of its samples that is not above the size. Such copies have zero calls, so that they have no weight in
/// penalties. Methods are merged if name, segment size and all else agree.
///
/// A map may lack axes that another has, as a barrier has no message size: its cells are the same at every sample of such an axis, and
/// the calls of a cell are divided equally among its copies.
///
/// # Errors
///
/// Returns an error for fewer than two maps, two maps of one name, axes that differ in more than their sizes or are in no single map
/// together, methods with the same name that differ otherwise, and parts that only some of the maps have.
///
/// # Panics
///
/// Panics if there is not one name for each map.
pub fn combine_as(axis: &str, names: &[&str], maps: &[DecisionMap]) -> Result<DecisionMap, Problems> {
    assert_eq!(names.len(), maps.len(), "there is one name for each map");
    let mut check = Diagnostics::default();
    check_names(axis, names, maps, &mut check);
    // The other errors identify the maps by their names.
    check.finish(Some(()))?;
    let named: Vec<Named<'_>> = names.iter().zip(maps).map(|(name, map)| Named { name, map }).collect();
    let named = &named[..];
    let mut check = Diagnostics::default();
    check_parts(named, &mut check);
    let (axes, positions) = axes::axes(axis, named, &mut check);
    let methods = methods(named, &mut check);
    let (axes, positions, methods) = check.finish(Some((axes, positions, methods)))?;
    let domain = Domain::new(None, axes, methods)?;
    Combined::new(maps, domain, &positions).map()
}

/// A map and its name.
#[derive(Clone, Copy)]
struct Named<'m> {
    name: &'m str,
    map: &'m DecisionMap,
}

fn check_names(axis: &str, names: &[&str], maps: &[DecisionMap], check: &mut Diagnostics) {
    let mut fault = |message: String, help: &str| check.add(Problem::new(Place::File, message).help(help));
    if maps.len() < 2 {
        fault(
            format!("there is nothing to combine: name two maps or more, each of another {axis}"),
            "a single map can be encoded directly",
        );
    }
    for (index, (name, map)) in names.iter().zip(maps).enumerate() {
        if names[..index].contains(name) {
            fault(format!("two of the maps are of `{name}`"), &format!("give one map for each {axis}"));
        }
        if map.domain().axes().len() >= MAX_AXES {
            let message = format!("map {} has {MAX_AXES} axes, and the {axis} would be one more", index + 1);
            fault(message, "remove one axis, or keep separate functions");
        }
    }
}

/// Checks that costs, ties and calls are present in all maps or in none.
fn check_parts(maps: &[Named<'_>], check: &mut Diagnostics) {
    type Has = fn(&DecisionMap) -> bool;
    let parts: [(&str, Has); 3] = [
        ("costs", |map| map.costs().is_some()),
        ("ties", |map| map.ties().is_some()),
        ("calls", |map| map.calls().is_some()),
    ];
    for (part, has) in parts {
        let (with, without): (Vec<Named<'_>>, Vec<Named<'_>>) = maps.iter().partition(|named| has(named.map));
        if !with.is_empty() && !without.is_empty() {
            let names: Vec<&str> = without.iter().map(|named| named.name).collect();
            let message = format!("`{}` has `{part}`, unlike {}", with[0].name, in_backticks(&names));
            check.add(
                Problem::new(Place::File, message)
                    .help(format!("add `{part}` to all of the maps or to none")),
            );
        }
    }
    let unit = |named: &Named<'_>| named.map.costs().and_then(|costs| costs.unit.clone());
    if let Some(other) = maps.iter().find(|named| unit(named) != unit(&maps[0])) {
        let message = format!("the costs of `{}` and `{}` are in different units", maps[0].name, other.name);
        check.add(Problem::new(Place::File, message).help("make all maps with the same `--time-unit`"));
    }
}

/// Returns the methods of all maps, each once.
fn methods(maps: &[Named<'_>], check: &mut Diagnostics) -> Vec<Method> {
    let mut methods: Vec<(Method, &str)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for Named { name, map } in maps {
        for method in map.domain().methods() {
            let place = *known.entry(method.label()).or_insert(methods.len());
            let Some((other, of)) = methods.get(place) else {
                methods.push((method.clone(), name));
                continue;
            };
            let differs = match () {
                () if other == method => continue,
                () if other.id != method.id => "`id`",
                () if other.requires != method.requires => "`requires`",
                () => "`ident` or `baseline`",
            };
            let message =
                format!("`{}` has a different {differs} in `{name}` than in `{of}`", method.label());
            let help = "a combined function has one answer for both: make them agree, omit it, or rename \
                 one of the methods";
            check.add(Problem::new(Place::File, message).help(help));
        }
    }
    methods.into_iter().map(|(method, _)| method).collect()
}

/// The origin of every cell of the combined grid.
struct Combined<'m> {
    maps: &'m [DecisionMap],
    domain: Domain,
    origins: Vec<Origin>,
    /// For each map, the methods of the combined domain that correspond to its own.
    methods: Vec<Vec<MethodIndex>>,
}

/// The cell of a map that a cell of the combined grid was copied from.
struct Origin {
    map: usize,
    cell: usize,
    /// The share of the calls of that cell: 0 if the map was not measured at this point.
    share: f64,
}

impl<'m> Combined<'m> {
    /// Finds the origins. `positions` has the axes of each map among those of the domain.
    fn new(maps: &'m [DecisionMap], domain: Domain, positions: &[Vec<usize>]) -> Self {
        // The first axis is that of the names.
        let copies = |own: &Vec<usize>| {
            let missing = (1..domain.axes().len()).filter(|axis| !own.contains(axis));
            missing.map(|axis| domain.axes()[axis].len() as f64).product()
        };
        let copies: Vec<f64> = positions.iter().map(copies).collect();
        let origins = (0..domain.cells()).map(|cell| {
            let point = domain.sizes(cell);
            let map = point[0] as usize;
            let own: Vec<u64> = positions[map].iter().map(|&axis| point[axis]).collect();
            let (cell, is_measured) = cell_at(maps[map].domain(), &own);
            Origin { map, cell, share: if is_measured { 1.0 / copies[map] } else { 0.0 } }
        });
        let origins = origins.collect();
        let find =
            |method: &Method| domain.find_method(&method.label()).expect("every method was taken over");
        let methods = maps.iter().map(|map| map.domain().methods().iter().map(find).collect()).collect();
        Self { maps, domain, origins, methods }
    }

    fn map(self) -> Result<DecisionMap, Problems> {
        let own = |&Origin { map, cell, .. }: &Origin| {
            self.maps[map].cells()[cell].map(|method| self.methods[map][method.get()])
        };
        let mut map = DecisionMap::new(self.domain.clone(), self.origins.iter().map(own).collect())?;
        if self.maps[0].ties().is_some() {
            map = map.with_ties(Ties::new(self.origins.iter().map(|&Origin { map, cell, .. }| {
                let right = self.maps[map].acceptable_methods(cell).iter();
                right.map(|method| self.methods[map][method.get()]).collect()
            })))?;
        }
        if let Some(costs) = self.maps[0].costs() {
            let named = (costs.unit.clone(), costs.statistic.clone());
            let mut costs = Costs::new(self.domain.methods().len(), self.costs());
            (costs.unit, costs.statistic) = named;
            map = map.with_costs(costs)?;
        }
        // If all grids are equal, there are no copies that need another weight.
        if self.maps[0].calls().is_some() || self.origins.iter().any(|origin| origin.share < 1.0) {
            let calls = |origin: &Origin| origin.share * self.maps[origin.map].weight(origin.cell);
            map = map.with_calls(Calls::new(self.origins.iter().map(calls)))?;
        }
        Ok(map)
    }

    /// Returns the cost of every method in every cell; `None` for a method that only other collectives have.
    fn costs(&self) -> impl Iterator<Item = Option<f64>> {
        self.origins.iter().flat_map(|&Origin { map, cell, .. }| {
            let mut costs = vec![None; self.domain.methods().len()];
            if let Some(own) = self.maps[map].costs() {
                for (method, cost) in self.methods[map].iter().zip(own.cell(cell)) {
                    costs[method.get()] = cost;
                }
            }
            costs
        })
    }
}

/// Returns the cell that decides at these sizes, and whether its samples are exactly these.
fn cell_at(domain: &Domain, sizes: &[u64]) -> (usize, bool) {
    let samples: Vec<usize> =
        domain.axes().iter().zip(sizes).map(|(axis, &size)| axis.sample_of(size, Borders::Floor)).collect();
    let cell = Shape::new(domain.shape()).offset(&samples);
    (cell, domain.sizes(cell) == sizes)
}
