//! The page of a report in Chromium: it shows the same as the command prints.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use headless_chrome::protocol::cdp::Emulation;
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::{Browser, LaunchOptions, Tab};
use qtdec_core::{Borders, DecisionMap, DecisionTree, Document, MethodIndex};
use qtdec_report::page::{Report, Steps};
use qtdec_report::picture::{Palette, Plane};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, Columns, ReadOptions};
use qtdec_study::selection::Recipe;
use qtdec_study::study::sweep::{self, Over, Sweep};
use serde_json::Value;

const TIMES: &str = include_str!("../../../qt-cli/data/polaris-reduce-scatter/cells.csv");

/// Returns the map of the measurements that are part of the command.
fn map() -> DecisionMap {
    let columns = Columns::parse("comm_size=comm_size,msg_size=bytes_per_rank,time=median_us").unwrap();
    let requested = ReadOptions { columns, ..ReadOptions::default() };
    let (measurements, _) = readers::read_one("cells.csv", TIMES.as_bytes(), &requested).unwrap();
    let baseline = vec!["MPI_Reduce_scatter_block".to_owned()];
    Recipe { baseline, ..Recipe::default() }.map(&measurements, &mut Notes::default()).unwrap()
}

fn sweeps(map: &DecisionMap) -> Vec<Steps> {
    let steps = |over: Over| {
        let sweep = Sweep::new(over, None, Vec::new(), map).unwrap();
        let tree = |value: &sweep::Value| (value.name.clone(), sweep.tree(map, value).unwrap());
        (over.title(), sweep.values.iter().map(tree).collect())
    };
    Over::LIMITS.map(|(_, over)| steps(over)).into()
}

/// A page in a browser, with the errors that occurred there.
struct Page {
    tab: Arc<Tab>,
    errors: Arc<Mutex<Vec<String>>>,
    /// The browser, which is closed with its folder at the end of the test.
    _browser: Browser,
    _folder: tempfile::TempDir,
}

impl Page {
    fn open(html: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("report.html");
        fs::write(&file, html).unwrap();
        let program = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
        let program = program.iter().map(PathBuf::from).find(|path| path.exists());
        // Chromium has no sandbox as root; only the project's own page is opened.
        let options = LaunchOptions {
            path: program,
            sandbox: false,
            window_size: Some((1280, 1600)),
            ..Default::default()
        };
        let browser = Browser::new(options).expect("Chromium is installed");
        let tab = browser.new_tab().unwrap();
        tab.enable_log().unwrap();
        tab.enable_runtime().unwrap();
        let errors = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&errors);
        let listen = move |event: &Event| match event {
            Event::LogEntryAdded(entry) => heard.lock().unwrap().push(entry.params.entry.text.clone()),
            Event::RuntimeExceptionThrown(thrown) => {
                heard.lock().unwrap().push(thrown.params.exception_details.text.clone());
            }
            Event::RuntimeConsoleAPICalled(called) => {
                heard.lock().unwrap().push(format!("{:?}", called.params.Type));
            }
            _ => {}
        };
        tab.add_event_listener(Arc::new(listen)).unwrap();
        tab.navigate_to(&format!("file://{}", file.display())).unwrap();
        tab.wait_until_navigated().unwrap();
        Self { tab, errors, _browser: browser, _folder: folder }
    }

    /// Returns the value of an expression.
    fn value(&self, expression: &str) -> Value {
        self.tab.evaluate(expression, false).unwrap().value.unwrap_or_default()
    }

    fn text(&self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({selector:?}).textContent"));
        text.as_str().unwrap_or_else(|| panic!("{selector} has no text")).to_owned()
    }

    /// Runs statements.
    fn act(&self, statements: &str) {
        assert_eq!(
            self.value(&format!("(() => {{ {statements} return 'done'; }})()")),
            "done",
            "{statements}"
        );
    }

    fn slide_to(&self, step: usize) {
        self.act(&format!(
            "const slider = document.getElementById('step'); slider.value = {step}; \
             slider.dispatchEvent(new Event('input'));"
        ));
    }

    /// Moves the mouse over the cell of these samples of the map that `panel` shows.
    fn point_at(&self, panel: &str, x: usize, y: usize) {
        self.act(&format!("document.getElementById('{panel}').scrollIntoView({{ block: 'center' }});"));
        let center = |axis: &str, from: &str, size: &str, sample: usize| {
            // Of the tree, shares of the plane; the plane has its place in the picture.
            let edges = format!(
                "(() => {{ const data = JSON.parse(document.getElementById('data').textContent); const {{ edges }} = data.{axis}; \
                 if ('{panel}' !== 'tree') return edges; const [from, to] = [edges[0], edges[edges.length - 1]]; \
                 const steps = data.steps[document.querySelector('input[name=option]:checked').value]; \
                 return steps[document.getElementById('step').value].borders.{axis}.map((share) => from + (to - from) * share); }})()"
            );
            let place = self.value(&format!(
                "(() => {{ const box = document.querySelector('#{panel} svg').getBoundingClientRect(); const edges = {edges}; \
                 return box.{from} + box.{size} * (edges[{sample}] + edges[{sample} + 1]) / 2; }})()"
            ));
            place.as_f64().unwrap()
        };
        let point = headless_chrome::browser::tab::point::Point {
            x: center("x", "left", "width", x),
            y: center("y", "top", "height", y),
        };
        self.tab.move_mouse_to_point(point).unwrap();
    }

    /// Returns the colour of a picture at the middle of the cell that is outlined in it.
    fn fill_of_cell(&self, panel: &str) -> Value {
        self.value(&format!(
            "(() => {{ const {{ left, top, width, height }} = document.querySelector('#{panel} .cursor').getBoundingClientRect(); \
             const [x, y] = [left + width / 2, top + height / 2]; \
             const covers = (shape) => {{ const box = shape.getBoundingClientRect(); \
                 return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom; }}; \
             const filled = [...document.querySelectorAll('#{panel} svg rect:not([fill=none])')]; \
             return filled.filter(covers).pop().getAttribute('fill'); }})()"
        ))
    }

    fn assert_no_errors(&self) {
        assert_eq!(*self.errors.lock().unwrap(), Vec::<String>::new());
    }
}

/// Parses a number of the page, such as `5.97 %`.
fn percent(text: &str) -> f64 {
    text.trim_end_matches(" %").parse().unwrap()
}

#[test]
#[ignore = "needs Chromium; cargo xtask ci asks for it"]
fn the_page_shows_what_the_command_prints() {
    let map = map();
    let sweeps = sweeps(&map);
    let plane = Plane::new(map.domain(), Borders::Floor, &[]).unwrap();
    let report =
        Report::new("Polaris <&> \"</script>\"", "map.json", &map, &sweeps, &plane).unwrap().unwrap();
    let page = Page::open(&report.html());
    assert_eq!(page.text("h1"), "Polaris <&> \"</script>\"");
    assert_eq!(page.value("document.querySelectorAll('#panels svg').length"), 3);
    assert_eq!(page.value("performance.getEntriesByType('resource').length"), 0, "the page loads nothing");

    let (_, depths) = &sweeps[0];
    for (number, (value, tree)) in depths.iter().enumerate() {
        page.slide_to(number);
        assert_eq!(page.text("#value"), *value);
        check_statistics(&page, tree);
        for (x, y) in [(0, 0), (5, 3), (11, 6), (4, 5)] {
            page.point_at(["measured", "tree", "penalty"][number % 3], x, y);
            check_cell(&page, &map, tree, y * 12 + x);
        }
    }

    // The page is switched to the other option.
    page.act("document.querySelector('input[value=threshold]').click();");
    let (_, thresholds) = &sweeps[1];
    page.slide_to(9);
    assert_eq!(page.text("#value"), format!("{} %", thresholds[9].0));
    check_statistics(&page, &thresholds[9].1);

    // The table has a row for each value, marks the current one, and links to the others.
    let row = |number: usize| format!("#sweep tbody tr:nth-child({number})");
    assert_eq!(page.value("document.querySelectorAll('#sweep tbody tr').length"), thresholds.len());
    assert!(page.text(&format!("{}[aria-current]", row(10))).starts_with(&format!("{} %", thresholds[9].0)));
    page.act(&format!("document.querySelector('{}').click();", row(2)));
    check_statistics(&page, &thresholds[1].1);
    assert_eq!(page.value("document.querySelectorAll('#sweep [aria-current]').length"), 1);
    page.act(&format!("document.querySelector('{}').click();", row(10)));
    check_statistics(&page, &thresholds[9].1);

    // The page can be used without a mouse.
    page.act("document.getElementById('tree').focus();");
    for key in ["Home", "PageDown", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft"] {
        page.tab.press_key(key).unwrap();
    }
    check_cell(&page, &map, &thresholds[9].1, 2 * 12);
    page.assert_no_errors();
}

fn check_statistics(page: &Page, tree: &DecisionTree) {
    let statistics: Value = serde_json::from_str(&tree.statistics().to_json(tree.table_bytes())).unwrap();
    let row = |number: usize| page.text(&format!("#statistics tr:nth-child({number}) td"));
    for (number, key) in [(2, "leaves"), (3, "nodes"), (5, "regions"), (6, "conditions")] {
        assert_eq!(row(number), statistics[key].to_string(), "{key}");
    }
    for key in ["mean", "median"] {
        let shown = percent(&page.text(&format!("#statistics [data-value={key}]")));
        assert!((shown - statistics["penalty"][key].as_f64().unwrap()).abs() <= 0.005, "{key}");
    }
    let letters = "[...document.querySelectorAll('#tree svg text')].filter((text) => /^[A-Z]$/.test(text.textContent.trim()))";
    assert_eq!(page.value(&format!("{letters}.length")), statistics["regions"]);
}

/// Checks the description of the cell under the pointer: methods, penalty, and the line of code that decides it.
fn check_cell(page: &Page, map: &DecisionMap, tree: &DecisionTree, cell: usize) {
    let label = |method: Option<MethodIndex>| map.domain().method(method.unwrap()).label();
    let shown = |what: &str| page.text(&format!("#cell [data-value={what}]"));
    let choice = tree.cells()[cell];
    assert!(shown("best").starts_with(&format!("{}, ", label(map.cells()[cell]))), "{}", shown("best"));
    assert!(shown("choice").starts_with(&format!("{}, ", label(choice))), "{}", shown("choice"));
    let costs = map.costs().unwrap();
    let cost = |method: Option<MethodIndex>| costs.get(cell, method.unwrap()).unwrap();
    let penalty = 100.0 * (cost(choice) / cost(map.cells()[cell]) - 1.0);
    assert!((percent(&shown("penalty")) - penalty).abs() <= 0.005, "{penalty} {}", shown("penalty"));
    let rule = shown("rule");
    assert!(rule == "always" || rule.contains(" ranks") || rule.contains(" bytes"), "{rule}");
    // Pictures of methods have the colours of the legend.
    for (panel, method) in [("measured", map.cells()[cell]), ("tree", choice)] {
        let color = Palette::new(map.domain()).color(method);
        let color = format!("#{:02X}{:02X}{:02X}", color.0, color.1, color.2);
        assert_eq!(page.fill_of_cell(panel), color, "{panel}");
    }
    check_times(page, map, tree, cell);
    let variant = qtdec_core::naming::upper_camel(&label(choice));
    assert!(page.text("#code .answer").contains(&variant), "{} {variant}", page.text("#code .answer"));
}

/// Checks the times along both sides through a cell: a line for each method that is best or chosen and for the baseline, and a dashed line for each change
/// of the choice.
fn check_times(page: &Page, map: &DecisionMap, tree: &DecisionTree, cell: usize) {
    let shape = map.domain().shape();
    let (rows, columns) = (shape[0], shape[1]);
    let of_row: Vec<usize> = (0..columns).map(|x| cell / columns * columns + x).collect();
    let of_column: Vec<usize> = (0..rows).map(|y| y * columns + cell % columns).collect();
    let choices = tree.cells();
    for (side, cells) in [("x", of_row), ("y", of_column)] {
        let shown = cells.iter().flat_map(|cell| [map.cells()[*cell], choices[*cell]]).flatten();
        let methods: BTreeSet<MethodIndex> = shown.chain(map.domain().baseline()).collect();
        let changes = cells.windows(2).filter(|pair| choices[pair[0]] != choices[pair[1]]).count();
        for (what, expected) in [("polyline", methods.len()), (".name", methods.len()), (".border", changes)]
        {
            let count = page.value(&format!("document.querySelectorAll('#times-{side} {what}').length"));
            assert_eq!(count, expected, "{what} along {side}");
        }
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask ci asks for it"]
fn times_are_written_in_the_unit_that_fits() {
    let map = |unit: &str| {
        let text = format!(
            r#"{{ "format": "qtdec-map/1", "axes": [{{ "name": "msg_size", "values": [1, 8] }}],
                "methods": [{{ "name": "linear" }}, {{ "name": "ring" }}], "cells": [0, 1],
                "costs": {{ "unit": "{unit}", "statistic": "median", "values": [[7279.4, 1250000], [null, 999.96]] }} }}"#
        );
        match Document::from_json(text.as_bytes()).unwrap() {
            Document::Map(map) => map,
            Document::Tree(_) => panic!("no map"),
        }
    };
    let written = [
        ("ns", ["7.279 µs", "1.25 ms"]),
        ("us", ["7.279 ms", "1.25 s"]),
        ("cycles", ["7279 cycles", "1250000 cycles"]),
    ];
    for (unit, times) in written {
        let map = map(unit);
        let plane = Plane::new(map.domain(), Borders::Floor, &[]).unwrap();
        let page = Page::open(
            &Report::new("bcast", "map.json", &map, &sweeps(&map), &plane).unwrap().unwrap().html(),
        );
        let cell = page.text("#cell");
        assert!(times.iter().all(|time| cell.contains(time)), "{unit}: {cell}");
        page.assert_no_errors();
    }
}

/// Covers names that could end the page's data or hide the rest of it, and a source that names no files.
#[test]
#[ignore = "needs Chromium; cargo xtask ci asks for it"]
fn a_page_survives_hostile_names() {
    const HOSTILE: &str = "{{data}}</script><!--<script>";
    for source in
        [format!("{{ \"files\": [\"{HOSTILE}\", 1] }}"), r#"{ "files": "abc" }"#.to_owned(), "[1]".to_owned()]
    {
        let text = format!(
            r#"{{ "format": "qtdec-map/1", "collective": "{HOSTILE}", "source": {source},
                "axes": [{{ "name": "msg_size", "values": [1, 8] }}],
                "methods": [{{ "name": "{HOSTILE}" }}, {{ "name": "ring" }}], "cells": [0, 1],
                "costs": {{ "values": [[1, 2], [2, 1]] }} }}"#
        );
        let Document::Map(map) = Document::from_json(text.as_bytes()).unwrap() else { panic!("no map") };
        let plane = Plane::new(map.domain(), Borders::Floor, &[]).unwrap();
        let report = Report::new(HOSTILE, "map.json", &map, &sweeps(&map), &plane).unwrap().unwrap();
        let page = Page::open(&report.html());
        assert_eq!(page.text("h1"), HOSTILE);
        assert_eq!(page.value("document.title"), HOSTILE);
        assert!(page.text("#about").starts_with(HOSTILE));
        assert_eq!(page.value("document.querySelectorAll('#panels svg').length"), 3);
        page.assert_no_errors();
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask ci asks for it"]
fn warnings_and_unpriced_cells_are_shown() {
    let text = include_bytes!("../../../tests/commands/tests/commands.in/unpriced.json");
    let Document::Map(map) = Document::from_json(text).unwrap() else { panic!("no map") };
    let plane = Plane::new(map.domain(), Borders::Floor, &[]).unwrap();
    let mut report = Report::new("allgather", "map.json", &map, &sweeps(&map), &plane).unwrap().unwrap();
    let page = Page::open(&report.html());
    assert_eq!(page.value("document.getElementById('warnings').offsetHeight"), 0, "there are none");
    assert_eq!(page.text("#statistics [data-value=mean]"), "0.00 %");
    page.slide_to(0);
    assert_eq!(page.text("#statistics [data-value=mean]"), "14.29 % of 7 of 8 cells");
    page.assert_no_errors();

    report.warnings.push("a <b> cell".to_owned());
    let page = Page::open(&report.html());
    assert_eq!(page.text("#warnings li"), "Warning: a <b> cell");
    assert!(page.value("document.getElementById('warnings').offsetHeight").as_f64() > Some(0.0));
    page.assert_no_errors();
}

/// Checks that nothing is wider than a narrow window, and that maps are dark on a dark page.
#[test]
#[ignore = "needs Chromium; cargo xtask ci asks for it"]
fn a_narrow_window_cuts_nothing_and_a_dark_page_has_dark_maps() {
    let map = map();
    let plane = Plane::new(map.domain(), Borders::Floor, &[]).unwrap();
    let report = Report::new("reduce_scatter", "map.json", &map, &sweeps(&map), &plane).unwrap().unwrap();
    let page = Page::open(&report.html());
    let first = "getComputedStyle(document.querySelector('#penalty svg rect')).fill";
    assert_eq!(page.value(first), "rgb(255, 255, 255)");
    page.tab
        .call_method(Emulation::SetDeviceMetricsOverride {
            width: 400,
            height: 1600,
            device_scale_factor: 1.0,
            mobile: false,
            scale: None,
            screen_width: None,
            screen_height: None,
            position_x: None,
            position_y: None,
            dont_set_visible_size: None,
            screen_orientation: None,
            viewport: None,
            display_feature: None,
            device_posture: None,
        })
        .unwrap();
    page.act("document.getElementById('sweep').open = true;");
    page.slide_to(1);
    let cut = "[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > 400 \
               || one instanceof HTMLElement && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1) \
               .map((one) => `${one.tagName} ${one.id}`).join()";
    assert_eq!(page.value(cut), "");
    assert_eq!(page.value("document.documentElement.scrollWidth <= 400"), true);
    let dark = Emulation::MediaFeature { name: "prefers-color-scheme".to_owned(), value: "dark".to_owned() };
    page.tab.call_method(Emulation::SetEmulatedMedia { media: None, features: Some(vec![dark]) }).unwrap();
    let fills = "[...document.querySelectorAll('.plane svg rect, .swatch rect')].map((one) => getComputedStyle(one).fill) \
                 .filter((fill) => fill === 'rgb(255, 255, 255)').length";
    assert_eq!(page.value(fills), 0);
    page.assert_no_errors();
}
