//! The columns of a table, and what stands in them.

use csv::ByteRecord;
use qtdec_core::{Check, Place, Problem};

/// A column.
pub(super) struct Column {
    pub(super) index: usize,
    pub(super) name: String,
}

/// Looks columns up.
pub(super) struct Header<'h> {
    pub(super) names: &'h ByteRecord,
    pub(super) line: u64,
}

impl Header<'_> {
    pub(super) fn find(&self, name: &str) -> Option<Column> {
        let index = self.names.iter().position(|column| column == name.as_bytes())?;
        Some(Column { index, name: name.to_owned() })
    }

    pub(super) fn require(&self, name: &str, check: &mut Check) -> Option<Column> {
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
        check: &mut Check,
    ) -> Option<Column> {
        match asked {
            Some(name) => self.require(name, check),
            None => known.and_then(|name| self.find(name)),
        }
    }
}

impl Column {
    fn parse<T: std::str::FromStr>(&self, row: &ByteRecord) -> Option<T> {
        std::str::from_utf8(&row[self.index]).ok()?.parse().ok()
    }

    pub(super) fn text<'r>(&self, row: &'r ByteRecord, line: u64, check: &mut Check) -> Option<&'r str> {
        let text = str::from_utf8(&row[self.index]).ok().filter(|text| !text.is_empty());
        if text.is_none() {
            self.refuse(row, line, "a name in UTF-8", check);
        }
        text
    }

    pub(super) fn refuse(&self, row: &ByteRecord, line: u64, expected: &str, check: &mut Check) {
        check.add_with(|| {
            let found = String::from_utf8_lossy(&row[self.index]);
            let problem =
                Problem::new(Place::Line(line), format!("`{}` is `{found}`, not {expected}", self.name));
            match written_otherwise(&found) {
                Some(help) => problem.help(help),
                None => problem,
            }
        });
    }

    pub(super) fn size(&self, row: &ByteRecord, line: u64, check: &mut Check) -> Option<u64> {
        let size = self.parse(row);
        if size.is_none() {
            self.refuse(row, line, "a whole number", check);
        }
        size
    }

    pub(super) fn time(&self, row: &ByteRecord, line: u64, check: &mut Check) -> Option<f64> {
        let time = self.parse(row).filter(|time: &f64| time.is_finite() && *time > 0.0);
        if time.is_none() {
            self.refuse(row, line, "a time above 0", check);
        }
        time
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
