//! One page about a map: what each tree of it is, costs and decides.
//!
//! The page is one file that needs no other and no network: styles, script and data stand in it.

mod data;
mod lines;

pub use data::{Report, Steps};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

impl Report {
    /// The page.
    pub fn html(&self) -> String {
        // Within a script, nothing but its end tag ends it.
        let data = self.json().replace("</", "<\\/");
        // Data comes last: whatever stands in it is not taken for a place to fill in.
        let parts = [
            ("{{title}}", escaped(self.title())),
            ("{{style}}", STYLE.to_owned()),
            ("{{script}}", SCRIPT.to_owned()),
        ];
        let page = parts.iter().fold(PAGE.to_owned(), |page, (place, part)| page.replacen(place, part, 2));
        page.replacen("{{data}}", &data, 1)
    }
}

/// Text between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
