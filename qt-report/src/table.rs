//! Tables, for people and for programs.

use std::fmt::Write as _;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement};
use qtdec_core::{Axis, visible};
use qtdec_study::study::interval::Interval;
use serde_json::{Map, Number, Value, json};

/// A table whose columns have a title for people and a key for programs.
///
/// If adjacent titles begin with the same word before a colon, only the first shows it: `penalty: mean`, `max`.
pub struct Table {
    columns: Vec<(String, String)>,
    rows: Vec<Vec<Cell>>,
}

/// A column of a table of values: its title for people, its key for programs, and its cell of a value.
pub type Column<'c, T> = (&'c str, &'c str, fn(&T) -> Cell);

/// The format of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Columns side by side.
    #[default]
    Text,
    /// An array of objects.
    Json,
    /// Comma-separated, with the keys as the header.
    Csv,
    /// A Markdown table.
    Markdown,
}

/// One entry.
#[derive(Clone)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A whole number.
    Whole(u64),
    /// A number out of another, of which programs get only the first.
    Of(u64, u64),
    /// A number, shown with two decimals.
    Number(f64),
    /// A number of per cent, shown with two decimals, and with its unit where the table has room.
    Percent(f64),
    /// A number of any magnitude, shown with four significant digits.
    Time(f64),
    /// No entry.
    Missing,
}

impl Table {
    /// Creates a table with columns of these titles and keys.
    pub fn new(columns: &[(&str, &str)]) -> Self {
        let columns = columns.iter().map(|(title, key)| ((*title).to_owned(), (*key).to_owned()));
        Self { columns: columns.collect(), rows: Vec::new() }
    }

    /// Creates a table with a row for each value.
    pub fn of<T>(columns: &[Column<'_, T>], values: impl IntoIterator<Item = T>) -> Self {
        let mut table = Self::new(&columns.iter().map(|(title, key, _)| (*title, *key)).collect::<Vec<_>>());
        for value in values {
            table.row(columns.iter().map(|(.., cell)| cell(&value)).collect::<Vec<_>>());
        }
        table
    }

    /// Creates a table whose first columns are the sizes on axes.
    pub fn by_size(axes: &[Axis], others: &[(&str, &str)]) -> Self {
        let sizes = axes.iter().map(|axis| (&*axis.name, &*axis.name));
        Self::new(&sizes.chain(others.iter().copied()).collect::<Vec<_>>())
    }

    /// Adds a row with one cell for each column.
    pub fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        let cells = cells.into();
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    /// Returns whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Removes the columns that are empty, or whose cells all have the form "n of n".
    #[must_use]
    pub fn without_empty_columns(self) -> Self {
        let holds = |column: usize| self.rows.iter().any(|row| !row[column].says_nothing());
        let kept: Vec<usize> = (0..self.columns.len()).filter(|&column| holds(column)).collect();
        self.keep(&kept)
    }

    /// Returns the columns with these keys, in this order. Unknown keys are ignored.
    #[must_use]
    pub fn picked(self, keys: &[&str]) -> Self {
        let place = |wanted: &&str| self.columns.iter().position(|(_, key)| key == wanted);
        let kept: Vec<usize> = keys.iter().filter_map(place).collect();
        self.keep(&kept)
    }

    fn keep(self, kept: &[usize]) -> Self {
        let columns = kept.iter().map(|&column| self.columns[column].clone()).collect();
        let pick = |row: Vec<Cell>| kept.iter().map(|&column| row[column].clone()).collect();
        Self { columns, rows: self.rows.into_iter().map(pick).collect() }
    }

    /// Returns the titles, with each group named once.
    fn titles(&self) -> Vec<&str> {
        let mut before = None;
        let titles = self.columns.iter().map(|(title, _)| match title.split_once(": ") {
            Some((group, rest)) if before.replace(group) == Some(group) => rest,
            Some(_) => title,
            None => {
                before = None;
                title
            }
        });
        titles.collect()
    }

    /// Returns the text of the table.
    pub fn write(&self, form: Form) -> String {
        match form {
            Form::Text => self.to_text(),
            Form::Json => self.to_json(),
            Form::Csv => self.to_csv(),
            Form::Markdown => self.to_markdown(),
        }
    }

    /// Returns the titles and the rows as displayed on a page, with units.
    pub fn shown(&self) -> Value {
        let rows = self.rows.iter().map(|row| row.iter().map(Cell::with_unit).collect::<Vec<_>>());
        json!({ "titles": self.titles(), "rows": rows.collect::<Vec<_>>() })
    }

    fn to_text(&self) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(self.titles());
        for row in &self.rows {
            table.add_row(row.iter().map(Cell::shown));
        }
        for (index, column) in table.column_iter_mut().enumerate() {
            column.set_cell_alignment(if self.is_text(index) {
                CellAlignment::Left
            } else {
                CellAlignment::Right
            });
        }
        table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    fn is_text(&self, column: usize) -> bool {
        self.rows.iter().any(|row| matches!(row[column], Cell::Text(_)))
    }

    fn to_json(&self) -> String {
        let rows: Vec<String> = self.objects().map(|object| object.to_string()).collect();
        format!("[\n  {}\n]\n", rows.join(",\n  "))
    }

    /// Returns the rows as objects.
    pub fn objects(&self) -> impl Iterator<Item = Value> {
        self.rows.iter().map(|row| {
            let members = self.columns.iter().zip(row).map(|((_, key), cell)| (key.clone(), cell.value()));
            Value::Object(members.collect::<Map<_, _>>())
        })
    }

    fn to_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let header: Vec<&str> = self.columns.iter().map(|(_, key)| &**key).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(Cell::plain).collect::<Vec<String>>());
        // Writing to memory does not fail, and all rows have the same length.
        let _ = writer.write_record(header);
        rows.for_each(|row| drop(writer.write_record(row)));
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    fn to_markdown(&self) -> String {
        let titles = self.titles();
        let lines = (0..self.columns.len()).map(|column| if self.is_text(column) { "---" } else { "---:" });
        let lines: Vec<&str> = lines.collect();
        let mut text = format!("| {} |\n|{}|\n", titles.join(" | "), lines.join("|"));
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| cell.shown().replace('|', "\\|")).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text
    }
}

impl Cell {
    /// Returns the entry of a text that may be missing.
    pub fn text(text: Option<String>) -> Self {
        text.map_or(Self::Missing, Self::Text)
    }

    /// Returns the entry of the ends of an interval that may be missing.
    pub fn interval(interval: Option<Interval>) -> Self {
        Self::text(interval.map(|Interval { low, high, .. }| format!("{low:+.2} … {high:+.2}")))
    }

    /// Returns the entry of a whole number that may be missing.
    pub fn whole(number: Option<u64>) -> Self {
        number.map_or(Self::Missing, Self::Whole)
    }

    /// Returns the entry of a number that may be missing.
    pub fn number(value: Option<f64>) -> Self {
        value.map_or(Self::Missing, Self::Number)
    }

    /// Returns the entry of a number of per cent that may be missing.
    pub fn percent(value: Option<f64>) -> Self {
        value.map_or(Self::Missing, Self::Percent)
    }

    fn says_nothing(&self) -> bool {
        matches!(self, Self::Missing) || matches!(self, Self::Of(part, whole) if part == whole)
    }

    fn with_unit(&self) -> String {
        match self {
            Self::Percent(_) => self.shown() + " %",
            _ => self.shown(),
        }
    }

    fn shown(&self) -> String {
        match self {
            // Longer numbers have more digits than a double.
            Self::Number(number) | Self::Percent(number) if number.abs() >= 1e15 => format!("{number:.3e}"),
            Self::Number(number) | Self::Percent(number) => format!("{number:.2}"),
            Self::Time(number) => four_digits(*number),
            Self::Missing => "–".to_owned(),
            Self::Of(part, whole) => format!("{part} of {whole}"),
            Self::Text(text) => visible::line(text).into_owned(),
            Self::Whole(_) => self.plain(),
        }
    }

    fn plain(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Whole(number) | Self::Of(number, _) => number.to_string(),
            Self::Number(number) | Self::Percent(number) | Self::Time(number) => number.to_string(),
            Self::Missing => String::new(),
        }
    }

    fn value(&self) -> Value {
        match self {
            Self::Text(text) => Value::from(text.as_str()),
            Self::Whole(number) | Self::Of(number, _) => Value::from(*number),
            Self::Number(number) | Self::Percent(number) | Self::Time(number) => {
                Number::from_f64(*number).map_or(Value::Null, Value::Number)
            }
            Self::Missing => Value::Null,
        }
    }
}

/// Formats a number with four digits; whole numbers keep all their digits.
pub(crate) fn four_digits(number: f64) -> String {
    let magnitude = if number == 0.0 { 0.0 } else { number.abs().log10().floor() };
    let decimals = (3.0 - magnitude).clamp(0.0, 17.0) as usize;
    format!("{number:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::{Cell, Form, Table, four_digits};

    #[test]
    fn a_group_is_named_once_whichever_columns_are_left() {
        let mut table = Table::new(&[
            ("depth", "d"),
            ("penalty: min", "a"),
            ("penalty: max", "b"),
            ("held out: max", "c"),
            ("other", "e"),
        ]);
        table.row([Cell::Whole(1), Cell::Missing, Cell::Whole(2), Cell::Of(3, 4), Cell::Of(4, 4)]);
        let header = |table: &Table| table.write(Form::Markdown).lines().next().unwrap().to_owned();
        assert_eq!(header(&table), "| depth | penalty: min | max | held out: max | other |");
        let picked = table.picked(&["b", "a", "c", "d", "e", "nothing"]);
        assert_eq!(header(&picked), "| penalty: max | min | held out: max | depth | other |");
        assert_eq!(header(&picked.without_empty_columns()), "| penalty: max | held out: max | depth |");
    }

    #[test]
    fn digits_that_count() {
        for (number, text) in [
            (0.0, "0.000"),
            (2_145_910.0, "2145910"),
            (519.32, "519.3"),
            (0.002_145_91, "0.002146"),
            (1.0, "1.000"),
        ] {
            assert_eq!(four_digits(number), text);
        }
    }
}
