//! Complete figures: panels in the same colours, with a legend.

use qtdec_core::{DecisionMap, DecisionTree, Domain, MethodIndex};

use super::palette::{NOTHING, UNKNOWN};
use super::{Bands, Entry, NEAR, Palette, Picture, Plane, maps, over_cells};
use crate::origin;

/// Returns a map next to trees of it, each with the option that limited it.
pub fn map_and_trees(
    map: &DecisionMap,
    trees: &[(String, DecisionTree)],
    plane: &Plane,
    outlined: bool,
) -> Picture {
    let decisions: Vec<Option<MethodIndex>> =
        trees.iter().flat_map(|(_, tree)| tree.cells()).chain(map.cells().iter().copied()).collect();
    let palette = Palette::new(map.domain());
    let mut panels =
        vec![maps::measured(map, plane, &palette, origin::of_map(map).unwrap_or("map"), outlined)];
    let of_tree = |(limit, tree): &(String, DecisionTree)| {
        maps::regions(tree, plane, &palette, &title(limit, tree), outlined)
    };
    panels.extend(trees.iter().map(of_tree));
    Picture {
        title: headline(map.domain(), map.source(), plane.selected_samples(map.domain())),
        panels,
        legend: palette.legend(map.domain(), decisions.iter().copied().flatten(), decisions.contains(&None)),
    }
}

/// Returns the picture of one tree.
pub fn tree(tree: &DecisionTree, plane: &Plane, outlined: bool) -> Picture {
    let palette = Palette::new(tree.domain());
    let title = tree.statistics().summary() + &over_cells([tree]);
    let panel = maps::regions(tree, plane, &palette, &title, outlined);
    Picture {
        title: headline(tree.domain(), tree.source(), plane.selected_samples(tree.domain())),
        panels: vec![panel],
        legend: palette.legend(tree.domain(), tree.cells().into_iter().flatten(), !tree.is_total()),
    }
}

/// Returns the penalties of trees side by side, or `None` if the map has no costs.
pub fn penalties_of_trees(
    map: &DecisionMap,
    trees: &[(String, DecisionTree)],
    plane: &Plane,
    bands: Bands,
) -> Option<Picture> {
    let panel = |(limit, tree): &(String, DecisionTree)| {
        super::penalties(&tree.cells(), map, plane, bands, &title(limit, tree))
    };
    let panels = trees.iter().map(panel).collect::<Option<_>>()?;
    Some(Picture {
        title: headline(map.domain(), map.source(), plane.selected_samples(map.domain())),
        panels,
        legend: bands.legend(),
    })
}

/// Returns how far the best method of each cell is from the lower bound of any algorithm, in per cent.
pub fn distances_to_bound(map: &DecisionMap, of_cells: &[Option<f64>], plane: &Plane) -> Picture {
    let shown: Vec<f64> = plane.cells().filter_map(|cell| of_cells[cell]).collect();
    let near = shown.iter().filter(|percent| **percent <= NEAR).count();
    let title = format!("over the lower bound: within {NEAR} % in {near} of {} cells", shown.len());
    Picture {
        title: headline(map.domain(), map.source(), plane.selected_samples(map.domain())),
        panels: vec![super::penalties::distances(of_cells, plane, &title)],
        legend: Bands::Bound.legend(),
    }
}

/// Returns a map, and next to it the decisions of others where they are not right, each with its name.
pub fn differences(
    map: &DecisionMap,
    others: &[(String, Vec<Option<MethodIndex>>)],
    plane: &Plane,
) -> Picture {
    let shown = others.iter().flat_map(|(_, decisions)| decisions).chain(map.cells());
    let palette = Palette::new(map.domain());
    let mut panels = vec![maps::measured(map, plane, &palette, origin::of_map(map).unwrap_or("map"), false)];
    for (name, decisions) in others {
        let is_right = |cell: usize| {
            let is_acceptable = |method| map.acceptable_methods(cell).contains(&method);
            map.cells()[cell].is_none() || decisions[cell].is_some_and(is_acceptable)
        };
        let measured = plane.cells().filter(|&cell| map.cells()[cell].is_some()).count();
        let differing = plane.cells().filter(|&cell| !is_right(cell)).count();
        let title = format!("{name}: different in {differing} of {measured} cells");
        panels.push(maps::colored(plane, &title, |cell| match decisions[cell] {
            _ if is_right(cell) => (NOTHING, None),
            None => (UNKNOWN, None),
            method => (palette.color(method), palette.mark(method)),
        }));
    }
    let mut legend = palette.legend(map.domain(), shown.copied().flatten(), false);
    let [same, unknown] = match origin::of_map(map) {
        Some(done) => [format!("as {done}, or not {done}"), format!("a method that was not {done}")],
        None => ["as in the map, or not in it".to_owned(), "a method that is not in the map".to_owned()],
    };
    legend.push(Entry::new(NOTHING, same));
    if others.iter().any(|(_, decisions)| decisions.contains(&None)) {
        legend.push(Entry::new(UNKNOWN, unknown));
    }
    Picture {
        title: headline(map.domain(), map.source(), plane.selected_samples(map.domain())),
        panels,
        legend,
    }
}

/// Returns the title of a picture of a domain: its collective, the `samples` of axes that are not drawn, and what its source states of the
/// times and of the machine.
pub(super) fn headline(
    domain: &Domain,
    source: Option<&str>,
    samples: impl IntoIterator<Item = String>,
) -> String {
    let collective = domain.collective().map(str::to_owned);
    let parts: Vec<String> = collective.into_iter().chain(samples).chain(origin::described(source)).collect();
    parts.join(", ")
}

/// Returns a title such as `max depth 3: 29 regions, mean penalty 5.97 %`, with the number of cells if not all are included.
fn title(limit: &str, tree: &DecisionTree) -> String {
    let statistics = tree.statistics();
    let regions = match statistics.regions {
        1 => "1 region".to_owned(),
        several => format!("{several} regions"),
    };
    let penalty = statistics.encoding.quality.penalty.as_ref();
    let penalty = penalty.map_or_else(String::new, |penalty| format!(", mean penalty {:.2} %", penalty.mean));
    format!("{limit}: {regions}{penalty}{}", over_cells([tree]))
}
