//! The form of a table, recognised from its beginning: the delimiter, and the place of the column names.

use std::io::{self, Read};

use super::names::usual_key;
use super::units::time;
use crate::readers::lines::Time;
use crate::size::size;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Delimiter {
    Byte(u8),
    /// Any amount of whitespace.
    Blanks,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Names {
    FirstRow,
    /// In the comment before the first row, with its line number.
    Comment(u64, Vec<String>),
    /// Nowhere: columns are numbered from 1.
    Nowhere(usize),
}

/// The form of a table, and its first rows.
pub(super) struct Shape {
    pub(super) delimiter: Delimiter,
    pub(super) names: Names,
    /// The first row, whether it holds the names or not.
    head: Vec<String>,
    /// The first rows without the names.
    pub(super) rows: Vec<Vec<String>>,
    /// The line of the first row, and that of the one with the names if others come before it.
    pub(super) preamble: Option<[u64; 2]>,
}

const LOOKED_AT: usize = 30;

impl Shape {
    /// Recognises the form of a table from its beginning, whose last line may be truncated.
    pub(super) fn from_start(start: &[u8]) -> Self {
        let text = String::from_utf8_lossy(start);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let text = if text.contains('\n') { text.replace('\r', "") } else { text.replace('\r', "\n") };
        let lines: Vec<(u64, &str)> =
            (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).collect();
        let first = lines.iter().position(|(_, line)| !line.starts_with('#')).unwrap_or(lines.len());
        let rows = lines[first..].iter().map(|(_, line)| *line).filter(|line| !line.starts_with('#'));
        let mut rows: Vec<&str> = rows.take(LOOKED_AT).collect();
        let before = before_header(&rows);
        let line_of = |row: &str| lines.iter().find(|(_, line)| *line == row).map_or(0, |(line, _)| *line);
        let preamble = (before > 0).then(|| [line_of(rows[0]), line_of(rows[before])]);
        rows.drain(..before);
        let delimiter = delimiter(&rows);
        let mut rows: Vec<Vec<String>> = rows.iter().map(|row| fields(row, delimiter)).collect();
        let Some(head) = rows.first().cloned() else {
            return Self { delimiter, names: Names::FirstRow, head: Vec::new(), rows, preamble };
        };
        if head.iter().all(|field| field.parse::<f64>().is_err()) {
            rows.remove(0);
            return Self { delimiter, names: Names::FirstRow, head, rows, preamble };
        }
        let comment = first.checked_sub(1).map(|before| lines[before]);
        let comment = comment.map(|(line, text)| (line, text.trim_start_matches('#')));
        let titled = comment.and_then(|(line, text)| {
            let ways = [delimiter, Delimiter::Blanks].map(|delimiter| fields(text, delimiter));
            let titles = ways.into_iter().find(|names| names.len() == head.len())?;
            // A comment may have the same number of words by chance.
            let usual = titles.iter().filter(|name| usual_key(name).is_some()).count();
            (usual >= 2 && titles.iter().all(|name| name.parse::<f64>().is_err())).then_some((line, titles))
        });
        let names = titled.map_or(Names::Nowhere(head.len()), |(line, names)| Names::Comment(line, names));
        Self { delimiter, names, head, rows, preamble }
    }

    /// Returns the number of fields in every row, if it is not that of the header.
    pub(super) fn other_width(&self) -> Option<usize> {
        // The last row may be truncated.
        let whole = &self.rows[..self.rows.len().saturating_sub(1)];
        let width = whole.first()?.len();
        let is_other = self.names == Names::FirstRow && width != self.head.len();
        (is_other && whole.iter().all(|row| row.len() == width)).then_some(width)
    }

    /// Returns whether this is a table: between delimiters, with a number in a row as long as the header, or with names that are usual.
    ///
    /// Prose has commas too, but no two lines alike.
    pub(super) fn is_table(&self) -> bool {
        if self.delimiter == Delimiter::Blanks {
            return self.is_of_blanks();
        }
        let usual = self.head.iter().filter(|name| usual_key(name).is_some()).count();
        let is_number = |field: &String| size(field).is_some() || is_number(field);
        // A header may end in a delimiter.
        let least = self.head.len().saturating_sub(1).max(2);
        let is_row = |row: &Vec<String>| row.len() >= least && row.iter().any(is_number);
        self.head.len() >= 2 && (usual >= 2 || self.rows.iter().any(is_row))
    }

    /// Returns whether this is a table of numbers and words separated by whitespace.
    fn is_of_blanks(&self) -> bool {
        let numbers = |row: &Vec<String>| row.iter().filter(|field| is_number(field)).count();
        let [first, ..] = &self.rows[..] else { return false };
        let whole = &self.rows[..self.rows.len().saturating_sub(1).max(1)];
        self.delimiter == Delimiter::Blanks
            && first.len() >= 3
            && self.rows.len() + usize::from(self.names == Names::FirstRow) >= 2
            && whole.iter().all(|row| row.len() == first.len() && numbers(row) >= 2)
    }
}

/// Returns whether a field is a number, with or without a unit of time.
fn is_number(field: &str) -> bool {
    field.parse::<f64>().is_ok() || matches!(time(field), Time::Above(_))
}

/// Returns the most frequent delimiter in the first row, or otherwise whitespace. If tabs give rows of other lengths than
/// whitespace does, they are part of the whitespace.
fn delimiter(rows: &[&str]) -> Delimiter {
    let line = rows.first().copied().unwrap_or_default();
    let count = |delimiter: u8| line.bytes().filter(|&byte| byte == delimiter).count();
    let most = b",;\t".iter().copied().max_by_key(|&delimiter| (count(delimiter), delimiter == b','));
    match most.filter(|&most| count(most) > 0) {
        Some(b'\t') if !are_alike(rows, Delimiter::Byte(b'\t')) && are_alike(rows, Delimiter::Blanks) => {
            Delimiter::Blanks
        }
        Some(most) => Delimiter::Byte(most),
        None if line.trim().contains(' ') => Delimiter::Blanks,
        None => Delimiter::Byte(b','),
    }
}

/// Returns the number of first lines without a delimiter, before a header and rows that have as many fields as it.
fn before_header(rows: &[&str]) -> usize {
    let fields = |row: &&str| b",;\t".map(|byte| fields(row, Delimiter::Byte(byte)));
    let width = |row: &&str| fields(row).iter().map(Vec::len).max().unwrap_or_default();
    let before = rows.iter().take_while(|row| width(row) == 1).count();
    // The last row may be truncated.
    let [names, whole @ .., _] = &rows[before..] else { return 0 };
    let is_name = |field: &String| field.parse::<f64>().is_err();
    let is_header = width(names) > 2 && fields(names).iter().flatten().all(is_name);
    let has_number = |row: &&str| fields(row).iter().flatten().any(|field| !is_name(field));
    let is_row = |row: &&str| width(row) == width(names) && has_number(row);
    if is_header && !whole.is_empty() && whole.iter().all(is_row) { before } else { 0 }
}

fn are_alike(rows: &[&str], delimiter: Delimiter) -> bool {
    // The last row may be truncated.
    let whole = &rows[..rows.len().saturating_sub(1).max(2).min(rows.len())];
    whole.iter().all(|row| fields(row, delimiter).len() == fields(whole[0], delimiter).len())
}

fn fields(line: &str, delimiter: Delimiter) -> Vec<String> {
    let bare = |field: &str| field.trim().trim_matches('"').to_owned();
    match delimiter {
        Delimiter::Byte(byte) => {
            let mut quoted = false;
            let fields = line.split(|character| {
                quoted ^= character == '"';
                character == char::from(byte) && !quoted
            });
            fields.map(bare).collect()
        }
        Delimiter::Blanks => line.split_whitespace().map(bare).collect(),
    }
}

/// A reader that replaces whitespace outside of quotation marks by one tab, and removes it at the ends of a line.
pub(super) struct TabSeparated<R> {
    input: R,
    quoted: bool,
    /// Whether the line already has text, and whitespace after it.
    begun: bool,
    blanks: bool,
}

impl<R> TabSeparated<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, quoted: false, begun: false, blanks: false }
    }
}

impl<R: Read> Read for TabSeparated<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.len() < 2 {
            return Ok(0);
        }
        let mut bytes = vec![0; buffer.len() / 2];
        loop {
            let read = self.input.read(&mut bytes)?;
            let mut written = 0;
            for &byte in &bytes[..read] {
                match byte {
                    b' ' | b'\t' | b'\r' if !self.quoted => {
                        self.blanks = self.begun;
                        continue;
                    }
                    b'\n' => (self.begun, self.blanks, self.quoted) = (false, false, false),
                    _ => {
                        self.quoted ^= byte == b'"';
                        if std::mem::take(&mut self.blanks) {
                            buffer[written] = b'\t';
                            written += 1;
                        }
                        self.begun = true;
                    }
                }
                buffer[written] = byte;
                written += 1;
            }
            if read == 0 || written > 0 {
                return Ok(written);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_first_row_or_the_comment_before_it() {
        let names = |text: &str| {
            let Shape { delimiter, names, .. } = Shape::from_start(text.as_bytes());
            (delimiter, names)
        };
        let comma = Delimiter::Byte(b',');
        let titles = |line, names: &[&str]| {
            Names::Comment(line, names.iter().map(|name| (*name).to_owned()).collect())
        };
        assert_eq!(names("# x\np,m,t\n2,8,1.5\n"), (comma, Names::FirstRow));
        assert_eq!(names("2,8,1.5\n"), (comma, Names::Nowhere(3)));
        assert_eq!(names("# p, m, t\n2,8,1.5\n"), (comma, titles(1, &["p", "m", "t"])));
        assert_eq!(names("# on Friday\n#p m t\n2,8,1.5\n"), (comma, titles(2, &["p", "m", "t"])));
        assert_eq!(names("  p   m  t\n2 8\t1.5\n"), (Delimiter::Blanks, Names::FirstRow));
        assert_eq!(names("2 8 1.5\n"), (Delimiter::Blanks, Names::Nowhere(3)));
    }

    #[test]
    fn blanks_are_squeezed_however_they_are_read() {
        let text = "  a  b\t c \n\n\"d  e\" 1   2\r\n 3";
        for step in [2, 3, 7, 64] {
            let mut squeezed = TabSeparated::new(text.as_bytes());
            let (mut found, mut buffer) = (Vec::new(), vec![0; step]);
            loop {
                let read = squeezed.read(&mut buffer).unwrap();
                if read == 0 {
                    break;
                }
                found.extend_from_slice(&buffer[..read]);
            }
            assert_eq!(String::from_utf8(found).unwrap(), "a\tb\tc\n\n\"d  e\"\t1\t2\n3", "{step}");
        }
    }

    #[test]
    fn prose_with_commas_is_not_a_table() {
        let is = |text: &str| Shape::from_start(text.as_bytes()).is_table();
        assert!(is("a,b\n1,2\n") && is("2,8,ring,1.5\n") && is("\"a, b\",c\nx,2\n") && is("method,time\n"));
        assert!(is("a;b;c;\n1,5;2;x\n"));
        assert!(!is("Measured on Monday, by Jo.\n\nThe nodes were new, and idle.\n"));
        assert!(!is("Results, 4 nodes\n================\n\n- bcast: broadcast, three runs\n2 runs\n"));
    }

    #[test]
    fn text_is_not_a_table() {
        let is = |text: &str| Shape::from_start(text.as_bytes()).is_of_blanks();
        assert!(is("p m t\n2 8 1.5\n2 16 2.5\n") && is("2 8 ring 1.5\n2 8 tree 2.5\n"));
        assert!(
            !is("Measured on a Saturday.\n")
                && !is("srun: job 17 queued and waiting\nsrun: job 17 has been given\n")
        );
        assert!(!is("") && !is("1 2\n3 4\n"));
    }
}
