//! One page about a map: what each tree of it is, costs and decides.
//!
//! The page is one file that needs no other and no network: styles, script and data stand in it.

mod data;
mod lines;

pub use data::{Report, Steps};

use qtdec_core::visible;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

impl Report {
    /// The page.
    pub fn html(&self) -> String {
        // Within a script, nothing but its tags and comments ends or hides it, all of which begin alike.
        let data = self.json().replace('<', "\\u003c");
        let title = escaped(&visible::line(self.title()));
        let mut page = String::new();
        let mut rest = PAGE;
        // What is filled in is not looked at again: it may hold what looks like another place.
        while let Some((before, behind)) = rest.split_once("{{") {
            let (place, behind) = behind.split_once("}}").unwrap_or((behind, ""));
            page.push_str(before);
            page.push_str(match place {
                "title" => &title,
                "style" => STYLE,
                "script" => SCRIPT,
                _ => &data,
            });
            rest = behind;
        }
        page + rest
    }
}

/// Text between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
