//! The lines of a benchmark without what logs and documents add: prefixes, colours, and the bars of tables.

use std::io::{self, BufRead, Read};
use std::sync::LazyLock;

use qtdec_core::listing::in_backticks;
use qtdec_core::{Place, Problem};
use regex_lite::Regex;

use super::markdown;
use super::prefixes::Prefix;
use super::unpack::buffered;

/// The maximum number of bytes that are looked at together.
const LONGEST: u64 = 1 << 20;

/// The sequences by which terminals change colours and titles.
static ESCAPE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|\([A-Z0-9])").ok()
});

/// What is added to the lines of a file.
#[derive(Default)]
pub(super) struct Added {
    has_escapes: bool,
    prefix: Option<Prefix>,
    is_markdown: bool,
}

impl Added {
    /// Returns what is added to a file that begins like this. Its format may be recognised as one of a benchmark, or as a table.
    ///
    /// # Errors
    ///
    /// Fails if the outputs of several processes are mixed.
    pub(super) fn to(
        head: &str,
        is_benchmark: impl Fn(&str) -> bool,
        is_table: impl Fn(&str) -> bool,
    ) -> Result<Self, Problem> {
        let mut added = Self { has_escapes: head.contains('\x1b'), ..Self::default() };
        let head = added.without(head);
        if is_benchmark(&head) {
            return Ok(added);
        }
        let lines: Vec<&str> = head.lines().filter(|line| !line.trim().is_empty()).collect();
        // The last line may be truncated.
        let lines = &lines[..lines.len() - usize::from(lines.len() > 1 && !head.ends_with('\n'))];
        for prefix in Prefix::candidates(lines) {
            let with = Self { prefix: Some(prefix), ..Self::default() };
            let text = with.without(&head);
            let Some(prefix) = with.prefix else { continue };
            if is_benchmark(&text) {
                let processes = prefix.processes(lines);
                let of_benchmarks = processes.iter().filter(|(_, text)| is_benchmark(text));
                let names: Vec<&str> = of_benchmarks.map(|(process, _)| process.as_str()).collect();
                if names.len() > 1 {
                    let message =
                        format!("each of several processes wrote a table: {}", in_backticks(&names));
                    return Err(Problem::new(Place::File, message)
                        .help("build the benchmark with the library that launches it, or keep the lines of one process"));
                }
                added.prefix = Some(prefix);
                return Ok(added);
            }
            if added.prefix.is_none() && prefix.is_of_table(lines) && is_table(&text) {
                added.prefix = Some(prefix);
            }
        }
        added.is_markdown = head.lines().map(|line| added.text(line)).any(|line| markdown::is_rule(&line));
        Ok(added)
    }

    /// Returns a beginning of the file without what is added.
    pub(super) fn without(&self, head: &str) -> String {
        head.split_inclusive('\n')
            .map(|line| {
                let text = line.trim_end_matches(['\n', '\r']);
                self.text(text) + &line[text.len()..]
            })
            .collect()
    }

    /// Returns the text of a line. Lines without the prefix stay as they are.
    fn text(&self, line: &str) -> String {
        let plain = ESCAPE.as_ref().filter(|_| self.has_escapes).map(|escape| escape.replace_all(line, ""));
        let line = plain.as_deref().unwrap_or(line);
        let line = self.prefix.as_ref().and_then(|prefix| prefix.rest(line)).unwrap_or(line);
        if self.is_markdown { markdown::row(line) } else { line.to_owned() }
    }

    /// Returns a reader of the whole file without what is added.
    pub(super) fn removed<'r>(self, input: Box<dyn BufRead + 'r>) -> Box<dyn BufRead + 'r> {
        if !self.has_escapes && self.prefix.is_none() && !self.is_markdown {
            return input;
        }
        Box::new(buffered(PlainLines { input, added: self, line: io::Cursor::default() }))
    }
}

struct PlainLines<'r> {
    input: Box<dyn BufRead + 'r>,
    added: Added,
    line: io::Cursor<Vec<u8>>,
}

impl Read for PlainLines<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Whoever recognises the shape of a table looks at all that the first call returns.
        let mut read = 0;
        loop {
            read += self.line.read(&mut buffer[read..])?;
            let mut bytes = Vec::new();
            if read == buffer.len() || (&mut *self.input).take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
                return Ok(read);
            }
            self.line = io::Cursor::new(self.added.without(&String::from_utf8_lossy(&bytes)).into_bytes());
        }
    }
}
