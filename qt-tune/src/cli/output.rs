//! What is printed: data to standard output, the rest to standard error.

use std::io::{self, IsTerminal, Write};

use annotate_snippets::Renderer;
use annotate_snippets::renderer::DecorStyle;
use clap::Args;
use qtdec_core::visible;

use super::Failure;
use crate::report::table::Form;

/// Problems in colours; [`anstream`] takes them out where nobody sees them.
pub(super) fn renderer() -> Renderer {
    Renderer::styled().decor_style(DecorStyle::Ascii)
}

/// `error` as problems are headed.
pub(super) fn error_label() -> String {
    let style = annotate_snippets::renderer::DEFAULT_ERROR_STYLE;
    format!("{style}error{style:#}")
}

/// Tells what the user should know of.
pub(super) fn warn(message: &str) {
    warn_report(&visible::lines(message));
}

/// Tells what the user should know of, as a [`renderer`] made it.
pub(super) fn warn_report(report: &str) {
    let style = annotate_snippets::renderer::DEFAULT_WARNING_STYLE;
    tell_styled(&format!("{style}warning{style:#}: {report}"));
}

/// Warns where times of this program are those of no program that people use.
pub(super) fn warn_of_debug_build() {
    if cfg!(debug_assertions) {
        warn("this program was built without optimization: what it times in itself takes long");
    }
}

/// Tells what is good to know.
pub(super) fn note(message: &str) {
    note_report(&visible::lines(message));
}

/// Tells what is good to know, as a [`renderer`] made it.
pub(super) fn note_report(report: &str) {
    let style = annotate_snippets::renderer::DEFAULT_NOTE_STYLE;
    tell_styled(&format!("{style}note{style:#}: {report}"));
}

/// Writes lines to standard error, what a terminal would obey as escapes.
pub(super) fn tell(lines: &str) {
    tell_styled(&visible::lines(lines));
}

/// Writes lines to standard error that have the escapes for colours in them, and no others. Should it be closed, nobody is
/// there to be told.
pub(super) fn tell_styled(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// How a table is printed.
#[derive(Debug, Args)]
pub(super) struct FormArguments {
    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Print a Markdown table
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    markdown: bool,
}

impl FormArguments {
    /// Returns whether people read it, not programs.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.form(), Form::Text)
    }

    pub(super) fn form(&self) -> Form {
        match (self.json, self.csv, self.markdown) {
            (true, ..) => Form::Json,
            (_, true, _) => Form::Csv,
            (.., true) => Form::Markdown,
            _ => Form::Text,
        }
    }
}

/// `1 leaf`, `2 leaves`.
pub(super) fn counted(number: impl Into<u128>, one: &str, several: &str) -> String {
    let number = number.into();
    format!("{number} {}", if number == 1 { one } else { several })
}

/// Returns whether somebody watches standard output.
pub(super) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Writes to standard output.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

/// Writes bytes to standard output; to a terminal as text, what it would obey as escapes.
pub(super) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    if is_terminal() {
        let text = String::from_utf8_lossy(bytes);
        return print_to(io::stdout().lock(), visible::lines(&text).as_bytes());
    }
    print_to(io::stdout().lock(), bytes)
}

/// Writes to standard output, with the escapes for colours where there are colours.
pub(super) fn print_styled(text: &str) -> Result<(), Failure> {
    print_to(anstream::stdout().lock(), text.as_bytes())
}

fn print_to(mut out: impl Write, bytes: &[u8]) -> Result<(), Failure> {
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(error) => Err(Failure::input(format!("cannot write to standard output: {error}"))),
    }
}
