//! The columns of a table, and what stands in them.

use std::cell::Cell;

use csv::ByteRecord;
use qtdec_core::{Diagnostics, Message, Place, Problem};

use crate::measure::faults::Faults;

/// A column.
pub(super) struct Column {
    pub(super) index: usize,
    pub(super) name: String,
    /// Whether a comma may stand before decimals.
    decimal_comma: bool,
    /// What stands before them in the rows so far.
    mark: Cell<Option<char>>,
}

/// Looks columns up.
pub(super) struct Header<'h> {
    pub(super) names: &'h ByteRecord,
    pub(super) line: u64,
    /// Whether a comma may stand before decimals, as it does where `;` stands between columns.
    pub(super) decimal_comma: bool,
}

impl Header<'_> {
    pub(super) fn find(&self, name: &str) -> Option<Column> {
        let index = self.names.iter().position(|column| column == name.as_bytes())?;
        Some(Column {
            index,
            name: name.to_owned(),
            decimal_comma: self.decimal_comma,
            mark: Cell::new(None),
        })
    }

    pub(super) fn require(&self, name: &str, check: &mut Diagnostics) -> Option<Column> {
        let found = self.find(name);
        let problem = |message| Problem::new(Place::Line(self.line), message);
        if found.is_none() {
            let known: Vec<_> = self.names.iter().map(String::from_utf8_lossy).collect();
            let is_text = self.names.iter().all(|name| str::from_utf8(name).is_ok());
            let encoding = if is_text { "" } else { ", and save the file as UTF-8" };
            check.add(problem(format!("there is no column `{name}`")).help(format!(
                "the columns are {}; name yours with --columns and --where{encoding}",
                known.join(", ")
            )));
        } else if self.names.iter().filter(|column| *column == name.as_bytes()).count() > 1 {
            check.add(problem(format!("two columns are called `{name}`")).help("give them different names"));
        }
        found
    }

    /// A column that the user names must be there; one that only the format knows of may be missing.
    pub(super) fn optional(
        &self,
        asked: Option<&String>,
        known: Option<&String>,
        check: &mut Diagnostics,
    ) -> Option<Column> {
        match asked {
            Some(name) => self.require(name, check),
            None => known.and_then(|name| self.find(name)),
        }
    }
}

impl Column {
    pub(super) fn text<'r>(&self, row: &'r ByteRecord, line: u64, faults: &mut Faults) -> Option<&'r str> {
        let text = self.utf8(row).filter(|text| !text.is_empty());
        if text.is_none() {
            self.refuse(row, line, "a name in UTF-8", faults);
        }
        text
    }

    pub(super) fn refuse(&self, row: &ByteRecord, line: u64, expected: &str, faults: &mut Faults) {
        let found = String::from_utf8_lossy(&row[self.index]);
        let message =
            Message::from(format!("`{}` is `", self.name)).value(&found).text(format!("`, not {expected}"));
        let problem = Problem::new(Place::Line(line), message);
        faults.add(match written_otherwise(&found) {
            Some(help) => problem.help(help),
            None => problem,
        });
    }

    pub(super) fn size(&self, row: &ByteRecord, line: u64, faults: &mut Faults) -> Option<u64> {
        let size = self.utf8(row).and_then(|text| text.parse().ok());
        if size.is_none() {
            self.refuse(row, line, "a whole number", faults);
        }
        size
    }

    /// A time. One column has one decimal mark: what would be another may stand between thousands.
    pub(super) fn time(&self, row: &ByteRecord, line: u64, faults: &mut Faults) -> Option<f64> {
        let text = self.utf8(row).unwrap_or_default();
        let mark = text.chars().find(|mark| [',', '.'].contains(mark));
        let time = match mark {
            Some(',') if self.decimal_comma && !text.contains('.') => text.replacen(',', ".", 1).parse(),
            _ => text.parse(),
        };
        let Some(time) = time.ok().filter(|time: &f64| time.is_finite() && *time > 0.0) else {
            self.refuse(row, line, "a time above 0", faults);
            return None;
        };
        let before = self.mark.get().or(mark);
        if mark.is_some() && mark != before {
            let other = if mark == Some(',') { "point" } else { "comma" };
            let message = Message::from(format!("`{}` is `", self.name)).value(text);
            let message = message.text(format!("`, but a {other} stands before decimals above"));
            let help = "write all numbers with the same decimal mark, and none between thousands";
            faults.add(Problem::new(Place::Line(line), message).help(help));
            return None;
        }
        self.mark.set(before);
        Some(time)
    }

    fn utf8<'r>(&self, row: &'r ByteRecord) -> Option<&'r str> {
        str::from_utf8(&row[self.index]).ok()
    }
}

/// How to write what would be a number elsewhere.
fn written_otherwise(text: &str) -> Option<&'static str> {
    let is_digit = |character: char| character.is_ascii_digit();
    if !text.starts_with(is_digit) || !text.ends_with(is_digit) {
        return None;
    }
    let marks = |character: &char| !character.is_ascii_digit();
    let is_separator = |mark: char| [',', '.', '\'', '’', '_'].contains(&mark) || mark.is_whitespace();
    let groups: Vec<&str> = text.split(|character| !is_digit(character)).collect();
    let by_thousands = groups[1..].iter().all(|group| group.len() == 3) && groups[0].len() <= 3;
    match text.chars().filter(marks).collect::<Vec<char>>()[..] {
        [] => None,
        [','] if !by_thousands => Some("write a decimal point"),
        ref marks if marks.iter().all(|&mark| is_separator(mark)) => {
            Some("write numbers without thousands separators, and with a decimal point")
        }
        _ => None,
    }
}
