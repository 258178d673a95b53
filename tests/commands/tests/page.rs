//! The page of a report stays a single valid page whatever names a map contains: its script reads the data that were
//! written.

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Borders, DecisionMap, Document};
use qtdec_report::page::Report;
use qtdec_report::picture::Plane;
use serde_json::Value;

/// Text that would end, hide or repeat a part of a page if it were not escaped.
const HOSTILE: &str = "{{data}}{{title}}{{script}}</script><!--<script>-->]]><title>&amp;\"'\u{202e}\u{2028}";

fn map(source: &str) -> DecisionMap {
    let name = Value::from(HOSTILE.replace('\u{202e}', "").as_str());
    let text = format!(
        r#"{{ "format": "qtdec-map/1", "collective": {name}, "axes": [{{ "name": "p", "values": [1, 2], "unit": {name} }}],
             "methods": [{{ "name": {name} }}, {{ "name": "b" }}], "cells": [0, 1], "source": {source} }}"#
    );
    Document::from_json(text.as_bytes()).unwrap().into_map().unwrap()
}

fn page(source: &str) -> String {
    let map = map(source);
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap();
    let plane = Plane::new(map.domain(), Borders::Floor, &[]).unwrap();
    let steps = [("threshold", vec![("100".to_owned(), tree)])];
    Report::new(HOSTILE, "map.json", &map, &steps, &plane).unwrap().unwrap().html()
}

/// Returns the text between a start and an end that each occur once in the page.
fn between<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    assert_eq!(page.matches(start).count(), 1, "{start}");
    let (_, rest) = page.split_once(start).unwrap();
    rest.split_once(end).unwrap().0
}

#[test]
fn hostile_names_do_not_break_the_page() {
    let hostile = Value::from(HOSTILE).to_string();
    let sources = [
        "null".to_owned(),
        "true".to_owned(),
        "1e300".to_owned(),
        "\"files\"".to_owned(),
        "[[], {}]".to_owned(),
        "{}".to_owned(),
        "{ \"files\": null }".to_owned(),
        "{ \"files\": 3 }".to_owned(),
        "{ \"files\": \"abc\" }".to_owned(),
        "{ \"files\": { \"length\": 1 } }".to_owned(),
        "{ \"files\": [1, null, [], \"a.csv\"] }".to_owned(),
        format!("{{ \"files\": [{hostile}] }}"),
        "[".repeat(3000) + &"]".repeat(3000),
    ];
    for source in sources {
        let page = page(&source);
        // This finds the ends of scripts and of the title like a browser.
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script").count(), 2);
        assert!(!page.contains("<!--"));
        assert!(!page.contains('\u{202e}'));
        let title = between(&page, "<title>", "</title>");
        assert!(
            title.starts_with("{{data}}{{title}}{{script}}&lt;/script&gt;&lt;!--")
                && title.ends_with("\\u{2028}"),
            "{title}"
        );
        let data = between(&page, "<script type=\"application/json\" id=\"data\">", "</script>");
        let data: Value = serde_json::from_str(data).unwrap();
        let shown = HOSTILE.replace('\u{202e}', "").replace('\u{2028}', "\\u{2028}");
        let about = data["about"].as_str().unwrap();
        assert!(about.starts_with(&shown), "{about}");
        assert_eq!(about.contains(" · from "), source.contains(".csv") || source.contains("{{"), "{about}");
    }
}
