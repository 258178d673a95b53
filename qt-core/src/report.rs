//! Reports of problems for people: with the place in the file and an excerpt, in the style of rustc.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};

use crate::json::Locator;
use crate::message::Syntax;
use crate::problem::{Place, Problem};
use crate::visible;

impl Problem {
    /// Formats the problem for people, with the place in the file and an excerpt, in the style of rustc.
    ///
    /// `text` is the whole file; `None` if it cannot be shown.
    pub fn report(&self, file: &str, text: Option<&str>, syntax: Syntax, renderer: &Renderer) -> String {
        self.report_in(file, text.map(Locator::new).as_ref(), syntax, renderer)
    }

    pub(crate) fn report_in(
        &self,
        file: &str,
        locator: Option<&Locator<'_>>,
        syntax: Syntax,
        renderer: &Renderer,
    ) -> String {
        let message = self.message.render(syntax);
        let title = Level::ERROR.no_name().primary_title(visible::lines(&message));
        let file = &*visible::line(file);
        let excerpt =
            locator.and_then(|locator| Some(Excerpt::new(locator.text(), &self.place.resolve_in(locator)?)));
        let mut group = match (excerpt, &self.place) {
            (Some(Excerpt { line, number, marked, .. }), _)
                if line.len() <= SHOWN_LINE && !line.contains(hides) =>
            {
                let mark = AnnotationKind::Primary.span(marked);
                title.element(Snippet::source(line).line_start(number).path(file).annotation(mark))
            }
            (Some(Excerpt { number, column, .. }), _) => {
                title.element(Origin::path(file).line(number).char_column(column))
            }
            (None, Place::Line(number)) => title.element(Origin::path(file).line(*number as usize)),
            (None, _) => title.element(Origin::path(file)),
        };
        if let Some(help) = self.help_text(syntax) {
            group = group.element(Level::HELP.message(visible::lines(&help).into_owned()));
        }
        renderer.render(&[group])
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
            Self::File | Self::Line(_) => None,
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
