//! Pictures of the measurements that are part of the command, compared with the map and its trees.

use std::collections::{BTreeMap, BTreeSet};

use qtdec_core::{Borders, DecisionMap, DecisionTree, Document, MethodIndex, Options};
use qtdec_report::page::Report;
use qtdec_report::picture::{
    self, Bands, Color, Content, Entry, Palette, Panel, Patch, Picture, Plane, Print,
};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, Columns, ReadOptions};
use qtdec_study::selection::Recipe;
use qtdec_study::study::sweep::{Over, Sweep};
use serde_json::Value;

/// A map in which the tree of depth 1 chooses an unmeasured method in one cell.
const UNPRICED: &str = include_str!("commands.in/unpriced.json");

const TIMES: &str = include_str!("../../../qt-cli/data/polaris-reduce-scatter/cells.csv");

fn map() -> DecisionMap {
    let columns = Columns::parse("comm_size=comm_size,msg_size=bytes_per_rank,time=median_us").unwrap();
    let requested = ReadOptions { columns, ..ReadOptions::default() };
    let (measurements, _) = readers::read_one("cells.csv", TIMES.as_bytes(), &requested).unwrap();
    Recipe::default().map(&measurements, &mut Notes::default()).unwrap()
}

fn trees(map: &DecisionMap, over: Over) -> Vec<DecisionTree> {
    let sweep = Sweep::new(over, None, Vec::new(), map).unwrap();
    sweep.values.iter().map(|value| sweep.tree(map, value).unwrap()).collect()
}

fn plane(map: &DecisionMap) -> Plane {
    Plane::new(map.domain(), Borders::Floor, &[]).unwrap()
}

/// Returns the meaning of the colours of a map.
fn legend(map: &DecisionMap) -> Vec<Entry> {
    Palette::new(map.domain()).legend(map.domain(), map.cells().iter().copied().flatten(), false)
}

/// Returns the colour at a position of a panel.
fn color_at(panel: &Panel, x: f64, y: f64) -> Color {
    let Content::Boxes { boxes, .. } = &panel.content else { panic!("no boxes") };
    let mut over = boxes
        .iter()
        .filter(|patch| (patch.x.0..patch.x.1).contains(&x) && (patch.y.0..patch.y.1).contains(&y));
    let found = over.next().expect("the plane is covered").color;
    assert!(over.next().is_none(), "boxes overlap");
    found
}

/// Returns a place in a cell next to its sample, on logarithmic axes: behind it, the function of a tree may have a border.
fn middle(values: &[u64], sample: usize) -> f64 {
    let position = |sample: usize| (values[sample] as f64).log2();
    position(sample) + 1e-5
}

#[test]
fn boxes_have_the_colours_of_the_methods() {
    let map = map();
    let trees = trees(&map, Over::Depth);
    let (plane, palette) = (plane(&map), Palette::new(map.domain()));
    let mut panels =
        vec![(picture::measured(&map, &plane, &palette, "measured", false), map.cells().to_vec())];
    for tree in &trees {
        panels.push((picture::regions(tree, &plane, &palette, "tree", true), tree.cells()));
    }
    let axes = map.domain().axes();
    let (ranks, bytes) = (axes[0].values().unwrap(), axes[1].values().unwrap());
    for (panel, decisions) in &panels {
        for (cell, decision) in decisions.iter().enumerate() {
            let (row, column) = (cell / bytes.len(), cell % bytes.len());
            let found = color_at(panel, middle(bytes, column), middle(ranks, row));
            assert_eq!(found, palette.color(*decision), "{cell}");
        }
    }
    let legend = legend(&map);
    let colors: BTreeSet<_> =
        legend.iter().map(|entry| (entry.color.0, entry.color.1, entry.color.2)).collect();
    assert_eq!(colors.len(), legend.len(), "one colour for each method");
    let marks: BTreeSet<_> = legend.iter().map(|entry| entry.mark.unwrap()).collect();
    assert_eq!(marks.len(), legend.len(), "one letter for each method");
}

#[test]
fn penalties_have_the_colours_of_their_bands() {
    let map = map();
    let trees = trees(&map, Over::Depth);
    let plane = plane(&map);
    let costs = map.costs().unwrap();
    let bytes = map.domain().axes()[1].values().unwrap();
    let ranks = map.domain().axes()[0].values().unwrap();
    for tree in &trees {
        let panel = picture::penalties(&tree.cells(), &map, &plane, Bands::Paper2007, "penalty").unwrap();
        for (cell, decision) in tree.cells().iter().enumerate() {
            let cost = |method| costs.get(cell, method).unwrap();
            let penalty = 100.0 * (cost(decision.unwrap()) / cost(map.cells()[cell].unwrap()) - 1.0);
            let found =
                color_at(&panel, middle(bytes, cell % bytes.len()), middle(ranks, cell / bytes.len()));
            let steps = Bands::Paper2007.steps();
            assert_eq!(found, steps.iter().rfind(|(from, _)| penalty >= *from).unwrap().1, "{penalty}");
        }
    }
}

#[test]
fn differences_are_drawn_where_there_are_any() {
    let map = map();
    let plane = plane(&map);
    let tree = trees(&map, Over::Depth).remove(1);
    let mut decisions = tree.cells();
    decisions[5] = None;
    let others = [("as measured".to_owned(), map.cells().to_vec()), ("a tree".to_owned(), decisions.clone())];
    let picture = picture::differences(&map, &others, &plane);
    let [_, same, tree] = &picture.panels[..] else { panic!("three panels") };
    let differing = (0..84).filter(|&cell| decisions[cell] != map.cells()[cell]).count();
    assert_eq!(same.title, "as measured: different in 0 of 84 cells");
    assert_eq!(tree.title, format!("a tree: different in {differing} of 84 cells"));
    let agreed = color_at(same, middle(&[8], 0), middle(&[64], 0));
    let bytes = map.domain().axes()[1].values().unwrap();
    let ranks = map.domain().axes()[0].values().unwrap();
    for (cell, decision) in decisions.iter().enumerate() {
        let place = (middle(bytes, cell % bytes.len()), middle(ranks, cell / bytes.len()));
        assert_eq!(color_at(same, place.0, place.1), agreed);
        let is_grey = color_at(tree, place.0, place.1) == agreed;
        assert_eq!(is_grey, *decision == map.cells()[cell], "{cell}");
    }
}

#[test]
fn curves_go_through_the_statistics() {
    let map = map();
    let (depths, thresholds) = (trees(&map, Over::Depth), trees(&map, Over::Threshold));
    let points = |picture: &Picture| match &picture.panels[0].content {
        Content::Lines(lines) => lines.iter().map(|line| line.points.clone()).collect::<Vec<_>>(),
        _ => panic!("no lines"),
    };
    let penalty = |tree: &DecisionTree| {
        picture::percent(tree.statistics().encoding.quality.penalty.as_ref().unwrap().mean)
    };
    let depth = |tree: &DecisionTree| tree.statistics().encoding.depth.mean;
    let both = points(&picture::construction(&depths, &thresholds));
    assert_eq!(both[0], depths.iter().map(|tree| (depth(tree), penalty(tree))).collect::<Vec<_>>());
    assert_eq!(both[1].len(), thresholds.len());
    let values: Vec<(f64, &DecisionTree)> = (1..).map(f64::from).zip(&depths).collect();
    assert_eq!(
        points(&picture::curves("max depth", &values))[0],
        values.iter().map(|(value, tree)| (*value, depth(tree))).collect::<Vec<_>>()
    );
}

/// Text on paper has at least 6 points, whatever a picture shows.
#[test]
fn text_can_be_read_on_paper() {
    let map = map();
    let trees = trees(&map, Over::Depth);
    let named: Vec<(String, DecisionTree)> =
        trees.iter().map(|tree| (tree.statistics().summary(), tree.clone())).collect();
    let at = Plane::new(map.domain(), Borders::Floor, &[("msg_size".to_owned(), 64)]).unwrap();
    let pictures = [
        picture::map_and_trees(&map, &named, &plane(&map), true),
        picture::penalties_of_trees(&map, &named, &plane(&map), Bands::Fine).unwrap(),
        picture::construction(&trees, &trees),
        picture::times_along_axis(&map, &at).unwrap(),
    ];
    for width in [90.0, 180.0] {
        for picture in &pictures {
            let svg = picture.print(Print { width, font: 6.5 }).unwrap();
            assert!(svg.contains(&format!("width=\"{width}mm\"")), "{svg}");
            let number = |text: &str| text.split_once('"').unwrap().0.parse::<f64>().unwrap();
            let (_, pixels) = svg.split_once("viewBox=\"0 0 ").unwrap();
            let pixels: f64 = pixels.split_once(' ').unwrap().0.parse().unwrap();
            let sizes = svg.split("font-size=\"").skip(1).map(number);
            let least = sizes.fold(f64::INFINITY, f64::min) * width / 25.4 * 72.0 / pixels;
            assert!(least >= 5.95, "{least}");
        }
    }
}

#[test]
fn svg_and_png_show_the_same() {
    let map = map();
    let (plane, palette) = (plane(&map), Palette::new(map.domain()));
    let picture = Picture {
        title: "reduce_scatter".to_owned(),
        panels: vec![picture::measured(&map, &plane, &palette, "measured & drawn", false)],
        legend: legend(&map),
    };
    let svg = picture.svg().unwrap();
    assert!(svg.contains("measured &amp; drawn") && svg.contains("msg_size [bytes]"), "{svg}");
    for entry in &picture.legend {
        let (red, green, blue) = (entry.color.0, entry.color.1, entry.color.2);
        assert!(
            svg.contains(&entry.text) && svg.contains(&format!("#{red:02X}{green:02X}{blue:02X}")),
            "{}",
            entry.text
        );
    }
}

/// Of more thin regions than letters fit on, each method still has one.
#[test]
fn every_method_has_a_letter_in_a_crowd() {
    let values: Vec<String> = (1..=64).map(|size| size.to_string()).collect();
    let row = |row: usize| {
        // A checkerboard of single cells, and a method that is best in just one of them.
        let cells = (0..64).map(|column| if (row, column) == (9, 9) { 2 } else { (row + column) % 2 });
        format!("[{}]", cells.map(|cell| cell.to_string()).collect::<Vec<_>>().join(","))
    };
    let text = format!(
        r#"{{ "format": "qtdec-map/1", "collective": "bcast",
            "axes": [{{ "name": "comm_size", "values": [{0}] }}, {{ "name": "elements", "values": [{0}] }}],
            "methods": [{{ "name": "m" }}, {{ "name": "n" }}, {{ "name": "o" }}], "cells": [{1}] }}"#,
        values.join(","),
        (0..64).map(row).collect::<Vec<_>>().join(",")
    );
    let Document::Map(map) = Document::from_json(text.as_bytes()).unwrap() else { panic!("no map") };
    let tree = Options::parse(&[("encoding", "rle")]).unwrap().tree(Document::Map(map.clone())).unwrap();
    let svg = picture::tree(&tree, &plane(&map), false).svg().unwrap();
    for mark in ["A", "B", "C"] {
        let letters = svg.lines().filter(|line| line.trim() == mark).count();
        assert_eq!(letters, 2, "`{mark}` is in the legend and in the picture");
    }
}

/// Every region has a letter, however thin it is, and every picture has the name of the collective above it.
#[test]
fn every_region_has_a_letter() {
    let values: Vec<String> = (1..=128).map(|size| size.to_string()).collect();
    let row = |row: usize| {
        let cells: Vec<String> =
            (0..128).map(|column| ((row / 127 + column / 42 + column / 127) % 9).to_string()).collect();
        format!("[{}]", cells.join(","))
    };
    let rows: Vec<String> = (0..128).map(row).collect();
    let methods: Vec<String> = (0..9).map(|number| format!("{{ \"name\": \"m{number}\" }}")).collect();
    let text = format!(
        r#"{{ "format": "qtdec-map/1", "collective": "reduce",
            "axes": [{{ "name": "comm_size", "values": [{0}] }}, {{ "name": "elements", "values": [{0}] }}],
            "methods": [{1}], "cells": [{2}] }}"#,
        values.join(","),
        methods.join(","),
        rows.join(",")
    );
    let Document::Map(map) = Document::from_json(text.as_bytes()).unwrap() else { panic!("no map") };
    let options = Options::parse(&[("encoding", "optimal")]).unwrap();
    let tree = options.tree(Document::Map(map.clone())).unwrap();
    let picture = picture::tree(&tree, &plane(&map), false);
    let [Panel { content: Content::Boxes { boxes, .. }, .. }] = &picture.panels[..] else {
        panic!("no boxes")
    };
    let narrowest = boxes.iter().map(|region| region.x.1 - region.x.0).fold(f64::INFINITY, f64::min);
    assert!(boxes.len() >= 8 && narrowest <= 1.0, "{boxes:?}");
    let svg = picture.svg().unwrap();
    let letters = |text: &str| -> usize { svg.lines().filter(|line| line.trim() == text).count() };
    let mut expected = BTreeMap::new();
    for region in boxes {
        *expected.entry(region.mark.unwrap()).or_insert(0) += 1;
    }
    for (mark, count) in expected {
        // The legend contains one more.
        assert_eq!(letters(&mark.to_string()), count + 1, "{mark}");
    }
    assert_eq!(letters("reduce"), 1);
}

#[test]
fn too_large_pictures_are_rejected() {
    let map = map();
    let panel = picture::measured(&map, &plane(&map), &Palette::new(map.domain()), "", false);
    let Content::Boxes { boxes, .. } = &panel.content else { panic!("no boxes") };
    let Some(Patch { color, .. }) = boxes.first() else { panic!("no boxes") };
    let entry = Entry { color: *color, mark: None, text: String::new() };
    let many = boxes.iter().cycle().take(1 << 18).cloned().collect();
    let panel = Panel { content: Content::Boxes { boxes: many, outlined: false }, ..panel };
    let picture = Picture { title: String::new(), panels: vec![panel], legend: vec![entry] };
    assert!(picture.svg().unwrap_err().starts_with("a picture of 262144 boxes"));
}

#[test]
fn a_page_names_its_file_and_its_place_on_a_third_axis() {
    let text = br#"{
        "format": "qtdec-map/1",
        "axes": [
            { "name": "comm_size", "values": [2, 4] },
            { "name": "msg_size", "values": [1, 8] },
            { "name": "ppn", "values": [1, 4] }
        ],
        "methods": [{ "name": "linear" }, { "name": "ring" }],
        "cells": [[[0, 0], [0, 1]], [[1, 1], [0, 1]]]
    }"#;
    let Document::Map(map) = Document::from_json(text).unwrap() else { panic!("no map") };
    let plane = Plane::new(map.domain(), Borders::Floor, &[("ppn".to_owned(), 4)]).unwrap();
    let steps = ("max depth", vec![("1".to_owned(), trees(&map, Over::Depth).remove(0))]);
    let page = Report::new("mine", "mine.json", &map, &[steps], &plane).unwrap().unwrap().html();
    assert!(page.contains(r#""about":"msg_size × comm_size · ppn 4""#), "{page}");
    assert!(page.contains("Decided by `mine.json`"), "{page}");
}

#[test]
fn pictures_show_the_number_of_cells_in_a_mean() {
    let Document::Map(map) = Document::from_json(UNPRICED.as_bytes()).unwrap() else { panic!("no map") };
    let trees = trees(&map, Over::Depth);
    let limited: Vec<(String, DecisionTree)> =
        (1..).map(|depth: u32| format!("max depth {depth}")).zip(trees.iter().cloned()).collect();
    let title = |picture: &Picture, panel: usize| picture.panels[panel].title.clone();
    let maps = picture::map_and_trees(&map, &limited, &plane(&map), false);
    assert_eq!(title(&maps, 1), "max depth 1: 1 region, mean penalty 14.29 % of 7 of 8 cells");
    assert_eq!(title(&maps, 3), "max depth 3: 5 regions, mean penalty 0.00 %");
    let values: Vec<(f64, &DecisionTree)> = (1..).map(f64::from).zip(&trees).collect();
    assert_eq!(title(&picture::curves("max depth", &values), 1), "mean penalty of 7 to 8 of 8 cells");
    assert_eq!(title(&picture::curves("max depth", &values[..1]), 1), "mean penalty of 7 of 8 cells");
    assert_eq!(title(&picture::curves("max depth", &values[2..]), 1), "mean penalty");
    let construction = picture::construction(&trees, &trees[2..]);
    let legend: Vec<&str> = construction.legend.iter().map(|entry| &*entry.text).collect();
    assert_eq!(legend, ["maximum depth: mean of 7 to 8 of 8 cells", "accuracy threshold"]);
    let encodings = [("quadtree".to_owned(), trees.iter().collect()), ("exact".to_owned(), vec![&trees[2]])];
    let by_regions = picture::penalty_by_regions(&encodings);
    let legend: Vec<&str> = by_regions.legend.iter().map(|entry| &*entry.text).collect();
    assert_eq!(legend, ["quadtree: mean of 7 to 8 of 8 cells", "exact"]);
}

/// A map that excludes the fastest method, such as a baseline, must not claim to show the best.
#[test]
fn a_page_calls_best_what_is_best() {
    let caption = |text: &str| {
        let Document::Map(map) = Document::from_json(text.as_bytes()).unwrap() else { panic!("no map") };
        let steps = ("max depth", vec![("1".to_owned(), trees(&map, Over::Depth).remove(0))]);
        let page = Report::new("mine", "mine.json", &map, &[steps], &plane(&map)).unwrap().unwrap().html();
        let (_, rest) = page.split_once(r#""caption":""#).unwrap();
        assert!(!page.contains(">Best method measured<"), "the page says so only where it is so");
        rest.split_once('"').unwrap().0.to_owned()
    };
    let text = |baseline: bool, costs: &str| {
        format!(
            r#"{{ "format": "qtdec-map/1",
                "axes": [{{ "name": "comm_size", "values": [2, 4] }}, {{ "name": "msg_size", "values": [1, 8] }}],
                "methods": [{{ "name": "a" }}, {{ "name": "auto", "baseline": {baseline} }}],
                "cells": [[0, 0], [0, {}]]{costs} }}"#,
            i32::from(!baseline)
        )
    };
    let costs = r#", "costs": { "values": [[[1, 2], [3, 3]], [[1, null], [6, 5]]] }"#;
    for (source, best, faster) in [
        (r#"{ "files": ["t.csv"] }"#, "Best method measured", "was measured"),
        (r#"{ "form": "simulated" }"#, "Best method simulated", "was simulated"),
        (r#"{ "form": "exact" }"#, "Best method predicted", "was predicted"),
        ("null", "Best method", "is known"),
    ] {
        let costs = format!(r#"{costs}, "source": {source}"#);
        assert_eq!(caption(&text(false, &costs)), best);
        let left_out = format!("Method of the map; a faster one {faster} in 1 of 4 cells");
        assert_eq!(caption(&text(true, &costs)), left_out);
    }
    assert_eq!(caption(&text(true, "")), "Method of the map");
}

#[test]
fn a_page_shows_the_warnings() {
    let map = map();
    let steps = ("max depth", vec![("1".to_owned(), trees(&map, Over::Depth).remove(0))]);
    let mut page = Report::new("mine", "mine.json", &map, &[steps], &plane(&map)).unwrap().unwrap();
    assert!(page.html().contains(r#""warnings":[]"#));
    page.warnings.push("3 of 84 cells </script>".to_owned());
    let page = page.html();
    assert!(page.contains(r#""warnings":["3 of 84 cells \u003c/script>"]"#), "{page}");
}

#[test]
fn distances_have_the_colours_of_their_bands() {
    let map = map();
    let plane = plane(&map);
    // One cell in each band, and the rest unknown: below 4 %, 4 to 10 %, 10 to 25 %, and so on.
    let starts = [0.0, 4.0, 10.0, 25.0, 50.0, 100.0, 200.0, 400.0];
    let known = starts.iter().map(|start| Some(start + 0.5));
    let of_cells: Vec<Option<f64>> = known.chain(std::iter::repeat(None)).take(84).collect();
    let picture = picture::distances_to_bound(&map, &of_cells, &plane);
    let [panel] = &picture.panels[..] else { panic!("one panel") };
    assert_eq!(panel.title, "over the lower bound: within 4 % in 1 of 8 cells");
    let bytes = map.domain().axes()[1].values().unwrap();
    let ranks = map.domain().axes()[0].values().unwrap();
    for cell in 0..84 {
        let found = color_at(panel, middle(bytes, cell % bytes.len()), middle(ranks, cell / bytes.len()));
        assert_eq!(found, picture.legend[cell.min(8)].color, "{cell}");
    }
}

#[test]
fn times_lie_on_the_axis_that_is_left() {
    let map = map();
    assert!(picture::times_along_axis(&map, &plane(&map)).is_none(), "two axes are left");
    let at = Plane::new(map.domain(), Borders::Floor, &[("msg_size".to_owned(), 64)]).unwrap();
    let picture = picture::times_along_axis(&map, &at).unwrap();
    let Content::Lines(lines) = &picture.panels[0].content else { panic!("lines") };
    let (ranks, costs) = (map.domain().axes()[0].values().unwrap(), map.costs().unwrap());
    let column = map.domain().axes()[1].values().unwrap().iter().position(|&bytes| bytes == 64).unwrap();
    let columns = map.domain().axes()[1].len();
    assert_eq!(lines.len(), map.domain().methods().len());
    assert_eq!(picture.panels[0].x.title, "comm_size [ranks]");
    for (method, line) in map.domain().method_indexes().zip(lines) {
        let time = |row: usize| costs.get(row * columns + column, method).unwrap();
        let expected: Vec<f64> = (0..ranks.len()).map(|row| time(row).log10()).collect();
        assert_eq!(line.points.iter().map(|point| point.1).collect::<Vec<_>>(), expected);
    }
    assert!(picture.svg().is_ok());
}

#[test]
fn pictures_and_pages_use_the_same_names_of_methods() {
    let text = include_str!("commands.in/bcast.json");
    let Document::Map(map) = Document::from_json(text.as_bytes()).unwrap() else { panic!("no map") };
    let trees = trees(&map, Over::Depth);
    let steps = ("max depth", vec![("1".to_owned(), trees[0].clone())]);
    let page = Report::new("mine", "mine.json", &map, &[steps], &plane(&map)).unwrap().unwrap().html();
    let legend = legend(&map);
    assert!(legend.iter().any(|entry| entry.text == "pipeline, segments of 64K"));
    for entry in legend {
        assert!(page.contains(&format!(r#""text":"{}""#, entry.text)), "{}", entry.text);
    }
}

/// The look of a method: its colour and its letter.
type Look = ((u8, u8, u8), Option<char>);

fn look(color: Color, mark: Option<char>) -> Look {
    ((color.0, color.1, color.2), mark)
}

/// Returns the looks by name in a legend. All boxes of the picture that have a letter are explained there.
fn looks_of_picture(picture: &Picture) -> BTreeMap<String, Look> {
    let legend = picture.legend.iter().filter(|entry| entry.mark.is_some());
    let legend: BTreeMap<String, Look> =
        legend.map(|entry| (entry.text.clone(), look(entry.color, entry.mark))).collect();
    for panel in &picture.panels {
        let Content::Boxes { boxes, .. } = &panel.content else { panic!("no boxes") };
        for patch in boxes.iter().filter(|patch| patch.mark.is_some()) {
            assert!(legend.values().any(|known| *known == look(patch.color, patch.mark)), "{patch:?}");
        }
    }
    legend
}

/// Returns the looks by name below a map in the terminal.
fn looks_in_terminal(decisions: &[Option<MethodIndex>], map: &DecisionMap) -> BTreeMap<String, Look> {
    let text = picture::in_terminal(decisions, map.domain(), &plane(map));
    let (_, legend) = text.split_once("\n\n").unwrap();
    let entry = |line: &str| {
        let (_, background) = line.split_once("48;2;").unwrap();
        let (numbers, rest) = background.split_once('m').unwrap();
        let numbers: Vec<u8> = numbers.split(';').map(|number| number.parse().unwrap()).collect();
        let (mark, name) = rest.trim_start().split_once(' ').unwrap();
        let name = name.split_once("m ").unwrap().1;
        (name.to_owned(), ((numbers[0], numbers[1], numbers[2]), mark.chars().next()))
    };
    legend.lines().map(entry).collect()
}

/// Returns the data of a page.
fn data_of(html: &str) -> Value {
    let (_, data) = html.split_once(r#"<script type="application/json" id="data">"#).unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

/// Returns the looks by name in the legend of a page.
fn looks_on_page(data: &Value) -> BTreeMap<String, Look> {
    let entry = |entry: &Value| {
        let fill = u32::from_str_radix(&entry["fill"].as_str().unwrap()[1..], 16).unwrap();
        let [_, red, green, blue] = fill.to_be_bytes();
        let mark = entry["mark"].as_str()?.chars().next();
        Some((entry["text"].as_str().unwrap().to_owned(), ((red, green, blue), mark)))
    };
    data["legend"].as_array().unwrap().iter().filter_map(entry).collect()
}

/// A method has one colour and one letter in all pictures of a map, whichever methods each of them shows.
#[test]
fn a_method_looks_the_same_in_all_pictures_and_on_the_page() {
    let bcast = Document::from_json(include_bytes!("commands.in/bcast.json")).unwrap();
    let Document::Map(bcast) = bcast else { panic!("no map") };
    for map in [map(), bcast] {
        let trees = trees(&map, Over::Depth);
        let named: Vec<(String, DecisionTree)> =
            (1..).map(|depth: u32| depth.to_string()).zip(trees.iter().cloned()).collect();
        let plane = plane(&map);
        let all = looks_of_picture(&picture::map_and_trees(&map, &named, &plane, true));
        let marks: BTreeSet<_> = all.values().collect();
        assert!(all.len() > 2 && marks.len() == all.len(), "{all:?}");

        let mut shown = vec![looks_in_terminal(map.cells(), &map)];
        for tree in &trees {
            let cells = vec![("tree".to_owned(), tree.cells())];
            let read = Document::from_json(tree.to_file().unwrap().as_bytes()).unwrap();
            let Document::Tree(read) = read else { panic!("no tree") };
            shown.push(looks_of_picture(&picture::tree(tree, &plane, false)));
            shown.push(looks_of_picture(&picture::tree(&read, &plane, false)));
            shown.push(looks_of_picture(&picture::differences(&map, &cells, &plane)));
            shown.push(looks_in_terminal(&tree.cells(), &map));
        }
        assert!(shown.iter().any(|looks| looks.len() < all.len()), "some show fewer methods than others");
        let steps = [("max depth", named)];
        let page = Report::new("mine", "mine.json", &map, &steps, &plane).unwrap().unwrap();
        assert_eq!(looks_on_page(&data_of(&page.html())), all);
        for (name, look) in shown.iter().flatten() {
            assert_eq!(all.get(name), Some(look), "{name}");
        }
    }
}

/// The page contains the pictures that the command draws, byte by byte, and knows where their cells are.
#[test]
fn a_page_embeds_the_pictures() {
    let map = map();
    let (plane, palette) = (plane(&map), Palette::new(map.domain()));
    let trees = trees(&map, Over::Depth);
    let steps =
        [("max depth", (1..).map(|depth: u32| depth.to_string()).zip(trees.iter().cloned()).collect())];
    let page = Report::new("mine", "mine.json", &map, &steps, &plane).unwrap().unwrap();
    let data = data_of(&page.html());
    let drawn = |panel: Panel| {
        let picture = Picture { title: String::new(), panels: vec![panel], legend: Vec::new() };
        Value::from(picture.svg().unwrap())
    };
    let measured = picture::measured(&map, &plane, &palette, "", true);
    let embedded = |number: &Value| &data["pictures"][usize::try_from(number.as_u64().unwrap()).unwrap()];
    assert_eq!(*embedded(&data["measured"]), drawn(measured.clone()));
    for (number, tree) in trees.iter().enumerate() {
        let pictures = &data["steps"]["max depth"][number]["pictures"];
        assert_eq!(*embedded(&pictures["tree"]), drawn(picture::regions(tree, &plane, &palette, "", true)));
        let penalties = picture::penalties(&tree.cells(), &map, &plane, Bands::Fine, "").unwrap();
        assert_eq!(*embedded(&pictures["penalty"]), drawn(penalties));
    }

    // The boxes of the map begin and end at the edges of cells.
    let edges = |axis: &str, pixels: f64| -> BTreeSet<i64> {
        let edges = data[axis]["edges"].as_array().unwrap().iter();
        edges.map(|edge| (edge.as_f64().unwrap() * pixels).round() as i64).collect()
    };
    let (x_edges, y_edges) = (edges("x", 420.0), edges("y", 320.0));
    assert_eq!((x_edges.len(), y_edges.len()), (13, 8));
    let svg = embedded(&data["measured"]).as_str().unwrap();
    let number = |rectangle: &str, name: &str| -> i64 {
        let (_, value) = rectangle.split_once(&format!(" {name}=\"")).unwrap();
        value.split_once('"').unwrap().0.parse().unwrap()
    };
    let Content::Boxes { boxes, .. } = &measured.content else { panic!("no boxes") };
    let colors: BTreeSet<String> = boxes
        .iter()
        .map(|Patch { color, .. }| format!("fill=\"#{:02X}{:02X}{:02X}\"", color.0, color.1, color.2))
        .collect();
    let rectangles = svg
        .lines()
        .filter(|line| line.starts_with("<rect") && colors.iter().any(|color| line.contains(color)));
    let rectangles: Vec<&str> = rectangles.collect();
    assert_eq!(rectangles.len(), boxes.len());
    let is_near = |edges: &BTreeSet<i64>, at: i64| edges.iter().any(|edge| (edge - at).abs() <= 1);
    for rectangle in rectangles {
        let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(rectangle, name));
        assert!(is_near(&x_edges, x) && is_near(&x_edges, x + width), "{rectangle} {x_edges:?}");
        assert!(is_near(&y_edges, y) && is_near(&y_edges, y + height), "{rectangle} {y_edges:?}");
    }
}
