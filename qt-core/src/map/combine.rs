//! Combination of the maps of several collectives, with the collective as an axis; the second paper's combined trees.

mod axes;

use std::collections::HashMap;

use super::DecisionMap;
use super::part::Origin;
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
    combined(maps, domain, &positions)
}

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

/// Copies the cells of the maps into a grid of all of them. `positions` has the axes of each map among those of the domain.
fn combined(maps: &[DecisionMap], domain: Domain, positions: &[Vec<usize>]) -> Result<DecisionMap, Problems> {
    // The first axis is that of the names.
    let copies = |own: &Vec<usize>| {
        let missing = (1..domain.axes().len()).filter(|axis| !own.contains(axis));
        missing.map(|axis| domain.axes()[axis].len() as f64).product()
    };
    let copies: Vec<f64> = positions.iter().map(copies).collect();
    let find = |method: &Method| domain.find_method(&method.label()).expect("every method was taken over");
    let methods = maps.iter().map(|map| map.domain().methods().iter().map(find).collect());
    let methods: Vec<Vec<MethodIndex>> = methods.collect();
    let origins = (0..domain.cells()).map(|cell| {
        let point = domain.sizes(cell);
        let number = point[0] as usize;
        let own: Vec<u64> = positions[number].iter().map(|&axis| point[axis]).collect();
        let (cell, is_measured) = cell_at(maps[number].domain(), &own);
        let share = if is_measured { 1.0 / copies[number] } else { 0.0 };
        Origin { map: &maps[number], methods: &methods[number], cell, share }
    });
    let origins: Vec<Origin<'_>> = origins.collect();
    DecisionMap::of_origins(domain, &origins)
}

/// Returns the cell that decides at these sizes, and whether its samples are exactly these.
fn cell_at(domain: &Domain, sizes: &[u64]) -> (usize, bool) {
    let samples: Vec<usize> =
        domain.axes().iter().zip(sizes).map(|(axis, &size)| axis.sample_of(size, Borders::Floor)).collect();
    let cell = Shape::new(domain.shape()).offset(&samples);
    (cell, domain.sizes(cell) == sizes)
}
