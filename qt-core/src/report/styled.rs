//! Reports in the style of a renderer, for terminals.

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};

use super::Excerpt;
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
            (Some(Excerpt { line, number, marked, .. }), _) if Excerpt::is_shown(line) => {
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
