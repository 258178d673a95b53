//! Reports of problems for people: with the place in the file and an excerpt, in the style of rustc.

mod plain;
#[cfg(feature = "tools")]
mod styled;

use std::ops::Range;

use crate::json::Locator;
use crate::message::Syntax;
use crate::problem::{Place, Problem};
use crate::visible;

impl Problem {
    /// Formats the problem for people as text without styles, with the place in the file and an excerpt, in the style of rustc.
    pub(crate) fn plain_report(&self, file: &str, locator: Option<&Locator<'_>>, syntax: Syntax) -> String {
        let title = visible::lines(&self.message.render(syntax)).into_owned();
        let help = self.help_text(syntax).map(|help| visible::lines(&help).into_owned());
        let range = locator.and_then(|locator| self.place.resolve_in(locator));
        let excerpt = locator.zip(range).map(|(locator, range)| Excerpt::new(locator.text(), &range));
        plain::report(title, &visible::line(file), excerpt.as_ref(), help.as_deref())
    }
}

impl Place {
    /// Returns the bytes of `text` that this place covers; `None` for the whole file or a path that does not exist.
    pub fn resolve(&self, text: &str) -> Option<Range<usize>> {
        self.resolve_in(&Locator::new(text))
    }

    fn resolve_in(&self, locator: &Locator<'_>) -> Option<Range<usize>> {
        let text = locator.text();
        match self {
            Self::File | Self::Line(_) | Self::Option { .. } => None,
            Self::Offset(offset) => {
                let start = (0..=(*offset).min(text.len())).rfind(|&at| text.is_char_boundary(at))?;
                let end = text[start..].chars().next().map_or(start, |char| start + char.len_utf8());
                Some(start..end)
            }
            Self::At(path) => locator.locate(path).map(|found| found.value),
            Self::Key(path) => locator.locate(path).and_then(|found| found.key),
        }
    }
}

/// Returns whether a character is hidden. A line with such characters is identified by its line and column only; tabs are allowed.
fn hides(char: char) -> bool {
    visible::is_hidden(char) && char != '\t'
}

/// The maximum length of an excerpt. A longer line is identified by its line and column only.
const SHOWN_LINE: usize = 4096;

/// The line on which a byte range begins.
struct Excerpt<'t> {
    line: &'t str,
    number: usize,
    column: usize,
    /// The part of the line that the range covers.
    marked: Range<usize>,
}

impl<'t> Excerpt<'t> {
    /// Returns whether a line is short enough to be shown, and nothing in it is hidden.
    fn is_shown(line: &str) -> bool {
        line.len() <= SHOWN_LINE && !line.contains(hides)
    }

    fn new(text: &'t str, range: &Range<usize>) -> Self {
        let before = &text[..range.start];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[range.start..].find('\n').map_or(text.len(), |newline| range.start + newline);
        let line = text[start..end].trim_end_matches('\r');
        let within = |at: usize| (at - start).min(line.len());
        Self {
            line,
            number: before.split('\n').count(),
            column: before[start..].chars().count() + 1,
            marked: within(range.start)..within(range.end),
        }
    }
}
