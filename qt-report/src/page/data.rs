//! The page's data, as the JSON that its script reads.

use indexmap::IndexSet;
use qtdec_build::{ItemOptions, LayoutChoice};
use qtdec_core::listing::listed;
use qtdec_core::penalty::penalties;
use qtdec_core::statistics::Statistics;
use qtdec_core::{DecisionMap, DecisionTree, Domain, MethodIndex, Problems, naming, visible};
use serde_json::{Value, json};

use super::lines::LineMap;
use super::units::{percent, written};
use super::{cells, sweep};
use crate::origin;
use crate::picture;
use crate::picture::{Bands, Color, Entry, Palette, Plane, described, ink};
use crate::rated_trees::rated_trees;
use qtdec_study::study::over_default::OverDefault;
use qtdec_study::study::recommend::Recommendation;
use qtdec_study::study::repeats::RepeatsOfCells;

/// The maximum number of cells of a page; more would be too much for a browser.
const MAX_CELLS: usize = 1 << 14;

/// The maximum number of regions of a tree whose code is included; nobody would read more.
const MAX_REGIONS_IN_CODE: usize = 2000;

/// A page about a map.
#[derive(Clone, Debug)]
pub struct Report {
    pub(super) title: String,
    /// The HTML below the title.
    pub opening: String,
    /// The warnings at the top.
    pub warnings: Vec<String>,
    /// The names and the texts of deployed files.
    pub files: Vec<(String, String)>,
    data: Value,
}

/// Trees that differ in one option: its name, and each value with its tree.
pub type Steps = (&'static str, Vec<(String, DecisionTree)>);

impl Report {
    /// Creates a page about the map in `file` and its trees, as far as `plane` shows them. Returns `None` if it would be too large.
    ///
    /// # Errors
    ///
    /// Fails if the names of the map conflict in code.
    pub fn new(
        title: &str,
        file: &str,
        map: &DecisionMap,
        sweeps: &[Steps],
        plane: &Plane,
    ) -> Result<Option<Self>, Problems> {
        let (columns, rows) = plane.size();
        if columns * rows > MAX_CELLS {
            return Ok(None);
        }
        let trees = sweeps.iter().flat_map(|(_, steps)| steps.iter().map(|(_, tree)| tree));
        let decisions: Vec<Vec<Option<MethodIndex>>> = trees.map(DecisionTree::cells).collect();
        let chosen = || decisions.iter().flatten().chain(map.cells()).copied();
        let palette = Palette::new(map.domain());
        let measured = picture::measured(map, plane, &palette, "", true).embedded();
        let mut pictures = IndexSet::from([measured.svg]);
        let (mut steps, mut tables) = (serde_json::Map::new(), serde_json::Map::new());
        for (option, trees) in sweeps {
            let values = trees.iter().map(|(value, tree)| {
                let value = sweep::with_unit(option, value);
                step(&value, tree, file, map, plane, &palette, &mut pictures)
            });
            steps.insert((*option).to_owned(), values.collect::<Result<_, _>>()?);
            tables.insert((*option).to_owned(), sweep::table(option, trees, map));
        }
        let domain = map.domain();
        let methods = domain.method_indexes().map(|index| described(domain.method(index)));
        let gaps = chosen().any(|cell| cell.is_none());
        let data = json!({
            "title": title,
            "warnings": [],
            "deployed": [],
            "caption": caption(map, None),
            "about": about(map, plane),
            "x": axis(plane, 0, measured.x),
            "y": axis(plane, 1, measured.y),
            "measured": 0,
            "pictures": pictures.into_iter().collect::<Value>(),
            "methods": methods.collect::<Value>(),
            "looks": looks(domain, &palette),
            "legend": legend(palette.legend(domain, chosen().flatten(), gaps)),
            "shades": legend(Bands::Fine.legend()),
            "cells": cells::cells(map, plane, &decisions),
            "times": cells::times(map, plane),
            "unit": map.costs().and_then(|costs| costs.unit.as_deref()).map(written),
            "steps": steps,
            "tables": tables,
        });
        let (opening, warnings, files) = (String::new(), Vec::new(), Vec::new());
        Ok(Some(Self { title: title.to_owned(), opening, warnings, files, data }))
    }

    /// Adds the repeats of the methods of the map in each cell.
    pub fn add_repeats(&mut self, repeats: &RepeatsOfCells<'_>, plane: &Plane) {
        cells::add_repeats(&mut self.data["cells"], repeats, plane);
        self.data["caption"] = caption(repeats.map(), Some(repeats)).into();
    }

    /// Adds a table of these trees at the top, and opens the page on the recommended one; the trees are the steps of `option`.
    pub fn open_on(&mut self, option: &str, rated: &Recommendation) {
        self.data["open"] = json!({ option: Recommendation::AT });
        self.data["recommended"] = rated_trees(rated).shown();
    }

    pub(super) fn json(&self) -> String {
        let mut data = self.data.clone();
        data["warnings"] = json!(self.warnings);
        data["deployed"] =
            self.files.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect();
        shown(data).to_string()
    }
}

/// Returns the data with all texts made safe for display.
fn shown(data: Value) -> Value {
    match data {
        Value::String(text) => Value::String(visible::lines(&text).into_owned()),
        Value::Array(values) => values.into_iter().map(shown).collect(),
        Value::Object(members) => members.into_iter().map(|(key, value)| (key, shown(value))).collect(),
        other => other,
    }
}

/// Returns the files from which the map was made, if its source, which may be any JSON, names them.
fn files(map: &DecisionMap) -> Vec<String> {
    let source = map.source().and_then(|source| serde_json::from_str::<Value>(source).ok());
    let files = source.as_ref().and_then(|source| source.get("files")?.as_array());
    files.into_iter().flatten().filter_map(|file| file.as_str().map(str::to_owned)).collect()
}

/// Returns the line below the title: the collective, the axes, the statistic with its unit, and the files.
fn about(map: &DecisionMap, plane: &Plane) -> String {
    let domain = map.domain();
    let (x, y) = plane.scales();
    let axes =
        [x.title, y.title].into_iter().filter(|title| !title.is_empty()).collect::<Vec<_>>().join(" × ");
    let statistic = map.costs().and_then(|costs| {
        let unit = costs.unit.as_deref().map_or_else(String::new, |unit| format!(" in {}", written(unit)));
        Some(costs.statistic.clone()? + &unit)
    });
    let files =
        Some(files(map)).filter(|files| !files.is_empty()).map(|files| format!("from {}", listed(&files)));
    let parts = domain
        .collective()
        .map(str::to_owned)
        .into_iter()
        .chain([axes])
        .chain(plane.selected_samples(domain));
    parts.chain(statistic).chain(files).collect::<Vec<_>>().join(" · ")
}

/// Returns the caption of the map: the best method, unless a faster one was omitted. A baseline that is never chosen runs one of the
/// methods, and of repeats only what they show counts.
fn caption(map: &DecisionMap, repeats: Option<&RepeatsOfCells<'_>>) -> String {
    const PLAIN: &str = "Method of the map";
    let Some(costs) = map.costs() else { return PLAIN.to_owned() };
    let domain = map.domain();
    let methods: Vec<MethodIndex> =
        domain.method_indexes().filter(|&method| !domain.method(method).is_never_chosen()).collect();
    let least = |cell: usize| costs.cheapest(cell, methods.iter().copied());
    let measured: Vec<(usize, MethodIndex)> =
        (0..map.cells().len()).filter_map(|cell| Some((cell, least(cell)?))).collect();
    let comparisons = (measured.len() * methods.len()) as u64;
    let passed_over = |&&(cell, fastest): &&(usize, MethodIndex)| {
        let Some(own) = map.cells()[cell] else { return true };
        let Some(time) = costs.get(cell, own) else { return true };
        costs.get(cell, fastest).is_some_and(|least| time > least)
            && repeats.is_none_or(|repeats| repeats.show_slower(cell, [own, fastest], comparisons))
    };
    let done = origin::of_map(map);
    match measured.iter().filter(passed_over).count() {
        0 => format!("Best method{}", done.map_or_else(String::new, |done| format!(" {done}"))),
        faster => {
            let done = done.map_or("is known".to_owned(), |done| format!("was {done}"));
            format!("{PLAIN}; a faster one {done} in {faster} of {} cells", measured.len())
        }
    }
}

/// Returns the horizontal or vertical axis, with the edges of its samples in shares of the picture, in which the axis has these ends.
fn axis(plane: &Plane, side: usize, [start, end]: [f64; 2]) -> Value {
    let (scale, names) = match side {
        0 => (plane.scales().0, plane.names().0),
        _ => (plane.scales().1, plane.names().1),
    };
    let share = |edge: &f64| start + (end - start) * (edge - scale.from) / (scale.to - scale.from);
    let edges: Vec<f64> = plane.edges()[side].iter().map(share).collect();
    json!({ "title": scale.title, "names": names, "edges": edges, "samples": plane.samples()[side] })
}

fn step(
    value: &str,
    tree: &DecisionTree,
    file: &str,
    map: &DecisionMap,
    plane: &Plane,
    palette: &Palette,
    pictures: &mut IndexSet<String>,
) -> Result<Value, Problems> {
    let decisions = tree.cells();
    let mut penalty = vec![None; decisions.len()];
    for cell in penalties(&decisions, map).into_iter().flatten() {
        penalty[cell.cell] = cell.percent();
    }
    let regions = tree.regions();
    let code = if regions.len() > MAX_REGIONS_IN_CODE { None } else { Some(code(tree, file)?) };
    let lines = code.as_deref().and_then(|code| LineMap::new(tree, code));
    let regions = regions.into_iter().filter_map(|region| {
        let [x, y] = plane.section(&region.samples)?;
        let first: Vec<usize> = region.samples.iter().map(|samples| samples.start).collect();
        let trace = lines.as_ref().map(|lines| lines.trace(&first));
        let trace = trace.map(|trace| json!({ "conditions": trace.conditions, "answer": trace.answer }));
        Some(json!({ "x": [x.start, x.end], "y": [y.start, y.end], "rule": tree.rule_with_units(&region), "trace": trace }))
    });
    let penalties_of_cells = picture::penalties(&decisions, map, plane, Bands::Fine, "");
    let panels = [
        ("tree", picture::regions(tree, plane, palette, "", true)),
        ("penalty", penalties_of_cells.unwrap_or_else(|| picture::unknown(plane))),
    ];
    // Many steps have the same picture, which the page has once.
    let shown = panels
        .into_iter()
        .map(|(name, panel)| (name.to_owned(), pictures.insert_full(panel.embedded().svg).0.into()));
    let shown: serde_json::Map<_, _> = shown.collect();
    let [borders_of_x, borders_of_y] = plane.borders(tree);
    Ok(json!({
        "value": value,
        "rows": rows(tree.statistics(), &decisions, map),
        "choices": plane.cells().map(|cell| decisions[cell].map(MethodIndex::get)).collect::<Value>(),
        "penalties": plane.cells().map(|cell| penalty[cell].map(percent)).collect::<Value>(),
        "pictures": shown,
        "borders": { "x": borders_of_x, "y": borders_of_y },
        "regions": regions.collect::<Value>(),
        "code": code,
    }))
}

fn code(tree: &DecisionTree, file: &str) -> Result<String, Problems> {
    let is_name = |name: &&str| {
        naming::is_identifier(&naming::snake(name)) && naming::is_identifier(&naming::upper_camel(name))
    };
    let name = tree.domain().collective().filter(is_name).unwrap_or("select");
    let layout = LayoutChoice::BRANCHES;
    let style = ItemOptions { optional: !tree.is_total(), layout, ..ItemOptions::named(name) };
    style.function(tree, file)
}

/// Returns the rows about a tree: name, value, and for some a key for programs.
fn rows(statistics: &Statistics, decisions: &[Option<MethodIndex>], map: &DecisionMap) -> Value {
    let Statistics { encoding, regions, conditions } = statistics;
    let quality = &encoding.quality;
    let depth = &encoding.depth;
    let mut rows = vec![
        json!(["encoding", encoding.name]),
        json!(["leaves", encoding.leaves]),
        json!(["nodes", encoding.nodes]),
        json!(["depth", format!("{} to {}, {:.4} on average", depth.min, depth.max, depth.mean)]),
        json!(["regions", regions]),
        json!(["conditions", conditions]),
        json!(["cells that differ from the map", of_cells(quality.mismatches, quality.cells)]),
    ];
    if let Some(penalty) = &quality.penalty {
        let over = match penalty.unpriced {
            0 => String::new(),
            unpriced => format!(" of {}", of_cells(penalty.cells, penalty.cells + unpriced)),
        };
        rows.push(json!(["mean penalty", percent(penalty.mean) + &over, "mean"]));
        rows.push(json!(["median penalty", percent(penalty.median) + &over, "median"]));
        rows.push(json!([
            "least and greatest",
            format!("{} to {}", percent(penalty.min), percent(penalty.max))
        ]));
        if penalty.unpriced > 0 {
            rows.push(json!(["cells without a cost", penalty.unpriced]));
        }
    } else {
        rows.push(json!(["penalty", "unknown: the map has no costs"]));
    }
    if let Some(OverDefault { cells, kept, slower, .. }) = OverDefault::everywhere(decisions, map) {
        rows.push(json!(["the default is kept", of_cells(kept, cells)]));
        rows.push(json!(["slower than the default", of_cells(slower.len() as u64, cells)]));
    }
    rows.into()
}

fn of_cells(some: u64, all: u64) -> String {
    format!("{some} of {all} cells")
}

/// Returns the colour and the letter of every method, and whether it is a baseline.
fn looks(domain: &Domain, palette: &Palette) -> Value {
    let look = |method| {
        let (fill, mark) = (hex(palette.color(Some(method))), palette.mark(Some(method)));
        json!({ "fill": fill, "mark": mark, "baseline": domain.method(method).baseline })
    };
    domain.method_indexes().map(look).collect()
}

fn legend(entries: Vec<Entry>) -> Value {
    let entry = |Entry { color, mark, text }| json!({ "fill": hex(color), "ink": hex(*ink(color)), "mark": mark, "text": text });
    entries.into_iter().map(entry).collect()
}

fn hex(color: Color) -> String {
    format!("#{:02X}{:02X}{:02X}", color.0, color.1, color.2)
}
