//! Output of commands: data goes to standard output, everything else to standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use annotate_snippets::Renderer;
use annotate_snippets::renderer::DecorStyle;
use clap::Args;
use qtdec_core::visible;

use crate::Failure;
use qtdec_report::table::Form;

/// Returns a renderer of problems in colour; [`anstream`] removes the colours where they cannot be shown.
pub fn renderer() -> Renderer {
    Renderer::styled().decor_style(DecorStyle::Ascii)
}

/// Returns the label `error`, in the style of problems.
pub fn error_label() -> String {
    let style = annotate_snippets::renderer::DEFAULT_ERROR_STYLE;
    format!("{style}error{style:#}")
}

pub fn warn(message: &str) {
    warn_report(&visible::lines(message));
}

/// Prints a warning that a [`renderer`] has formatted.
pub fn warn_report(report: &str) {
    let style = annotate_snippets::renderer::DEFAULT_WARNING_STYLE;
    eprint_styled(&format!("{style}warning{style:#}: {report}"));
}

pub fn note(message: &str) {
    note_report(&visible::lines(message));
}

/// Prints a note that a [`renderer`] has formatted.
pub fn note_report(report: &str) {
    let style = annotate_snippets::renderer::DEFAULT_NOTE_STYLE;
    eprint_styled(&format!("{style}note{style:#}: {report}"));
}

/// Writes lines to standard error, with control characters escaped.
pub fn eprint(lines: &str) {
    eprint_styled(&visible::lines(lines));
}

/// Writes lines to standard error whose only control characters are those for colours. Errors are ignored: if
/// standard error is closed, there is nobody to inform.
pub fn eprint_styled(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// The format in which a table is printed.
#[derive(Debug, Args)]
pub struct FormArguments {
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
    pub fn form(&self) -> Form {
        match (self.json, self.csv, self.markdown) {
            (true, ..) => Form::Json,
            (_, true, _) => Form::Csv,
            (.., true) => Form::Markdown,
            _ => Form::Text,
        }
    }
}

/// Returns a number with its noun, such as `1 leaf` or `2 leaves`.
pub fn counted(number: impl Into<u128>, one: &str, several: &str) -> String {
    let number = number.into();
    format!("{number} {}", if number == 1 { one } else { several })
}

pub fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Writes to standard output; for a terminal, with control characters escaped.
pub fn print(text: &str) -> Result<(), Failure> {
    print_with(|out| out.write_all(text.as_bytes()))
}

/// Writes a value to standard output while it is formatted, which takes no memory for its text; for a terminal, like [`print()`].
pub fn print_shown(value: &impl Display) -> Result<(), Failure> {
    print_with(|out| write!(out, "{value}"))
}

/// Writes what a function writes to standard output, while it does so; for a terminal, as text with control characters escaped.
pub fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if is_terminal() {
        let mut text = Vec::new();
        finished(write(&mut text))?;
        let text = String::from_utf8_lossy(&text);
        return print_to(io::stdout().lock(), visible::lines(&text).as_bytes());
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    finished(write(&mut out).and_then(|()| out.flush()))
}

/// Writes to standard output, with control characters for colours if the output supports them.
pub fn print_styled(text: &str) -> Result<(), Failure> {
    print_to(anstream::stdout().lock(), text.as_bytes())
}

fn print_to(mut out: impl Write, bytes: &[u8]) -> Result<(), Failure> {
    finished(out.write_all(bytes).and_then(|()| out.flush()))
}

fn finished(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(error) => Err(Failure::input(format!("cannot write to standard output: {error}"))),
    }
}
