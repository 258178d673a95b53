//! An HTML page about a map: the properties, costs and decisions of each of its trees.
//!
//! The page is a single file that needs no network: it contains its styles, script and data.

mod cells;
mod data;
mod lines;
mod opening;
mod sweep;
mod units;

pub use data::{Report, Steps};
pub use opening::{one_line, opening, summary, unmeasured};

use qtdec_core::visible;

use self::opening::escaped;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const TIMES: &str = include_str!("page/times.js");
const SCRIPT: &str = include_str!("page/page.js");

impl Report {
    /// Returns the page as HTML.
    pub fn html(&self) -> String {
        // In a script, only tags and comments can end or hide it, and all of them begin with `<`.
        let data = self.json().replace('<', "\\u003c");
        let title = escaped(&visible::line(&self.title));
        let mut page = String::new();
        let mut rest = PAGE;
        // Inserted text is not searched again, because it may contain what looks like another placeholder.
        while let Some((before, behind)) = rest.split_once("{{") {
            let (place, behind) = behind.split_once("}}").unwrap_or((behind, ""));
            page.push_str(before);
            page.push_str(match place {
                "title" => &title,
                "style" => STYLE,
                "times" => TIMES,
                "script" => SCRIPT,
                "opening" => &self.opening,
                _ => &data,
            });
            rest = behind;
        }
        page + rest
    }
}
