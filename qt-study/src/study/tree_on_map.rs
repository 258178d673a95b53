//! Evaluation of a tree at the points and with the costs of another map.

use std::collections::HashMap;

use qtdec_core::{Axis, DecisionMap, DecisionTree, MethodIndex, Path, Problem};

use super::regions::labels;

/// Returns the tree's decision for every cell of the map, as a method of the map. Methods are matched by name and segment
/// size; `None` means that the tree has no decision, or one that the map does not contain.
///
/// # Errors
///
/// Fails if the axes of the map are not those of the tree.
pub fn decisions(tree: &DecisionTree, map: &DecisionMap) -> Result<Vec<Option<MethodIndex>>, Problem> {
    let axes = tree.domain().axes();
    let order: Vec<usize> = axes.iter().map(|axis| find(axis, map)).collect::<Result<_, _>>()?;
    if let Some(extra) = map.domain().axes().iter().find(|axis| tree.domain().find_axis(&axis.name).is_none())
    {
        return Err(Problem::new(Path::root().key("axes"), format!("the tree has no axis `{}`", extra.name)));
    }
    let known: HashMap<String, MethodIndex> =
        map.domain().method_indexes().map(|index| (map.domain().method(index).label(), index)).collect();
    let methods: Vec<Option<MethodIndex>> =
        tree.domain().methods().iter().map(|method| known.get(&method.label()).copied()).collect();
    let decisions = (0..map.cells().len()).map(|cell| {
        let point = map.domain().sizes(cell);
        let sizes: Vec<u64> = order.iter().map(|&axis| point[axis]).collect();
        methods[tree.decide(&sizes)?.get()]
    });
    Ok(decisions.collect())
}

fn find(axis: &Axis, map: &DecisionMap) -> Result<usize, Problem> {
    let path = Path::root().key("axes");
    let found = map.domain().find_axis(&axis.name);
    let found =
        found.ok_or_else(|| Problem::new(path.clone(), format!("there is no axis `{}`", axis.name)))?;
    if labels(axis) != labels(&map.domain().axes()[found]) {
        let message = format!("the labels of `{}` are not the tree's", axis.name);
        return Err(Problem::new(path.index(found), message));
    }
    Ok(found)
}
