//! Tables whose columns are in groups: as Markdown, and as CSV.

use std::fmt::Write;

/// What stands where there is nothing to say.
pub(crate) const NOTHING: &str = "–";

/// A table of texts. In Markdown a title such as `leaves: ours` is shortened to `ours` after another column about leaves.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

/// The title of a column, and whether it has numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Column {
    title: String,
    is_text: bool,
}

impl Column {
    pub(crate) fn text(title: impl Into<String>) -> Self {
        Self { title: title.into(), is_text: true }
    }

    pub(crate) fn number(title: impl Into<String>) -> Self {
        Self { title: title.into(), is_text: false }
    }

    /// Returns the part of the title that columns about the same have in common.
    fn group(&self) -> &str {
        self.title.split_once(": ").map_or(&self.title, |(group, _)| group)
    }
}

impl Table {
    pub(crate) fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// Returns a table with columns of texts, and after them columns of numbers.
    pub(crate) fn of<T: Into<String>>(texts: &[&str], numbers: impl IntoIterator<Item = T>) -> Self {
        let texts = texts.iter().copied().map(Column::text);
        Self::new(texts.chain(numbers.into_iter().map(Column::number)))
    }

    /// Adds a row with a text for each column.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.columns.len(), "a row has a cell for each column: {cells:?}");
        self.rows.push(cells);
    }

    /// Returns the table with these columns alone, each named by its title or its group.
    pub(crate) fn only(&self, names: &[&str]) -> Self {
        let is_named =
            |column: &Column| names.iter().any(|name| [column.group(), &column.title].contains(name));
        let kept: Vec<usize> = (0..self.columns.len()).filter(|&at| is_named(&self.columns[at])).collect();
        let of = |row: &Vec<String>| kept.iter().map(|&at| row[at].clone()).collect();
        Self {
            columns: kept.iter().map(|&at| self.columns[at].clone()).collect(),
            rows: self.rows.iter().map(of).collect(),
        }
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the column with this title.
    #[cfg(test)]
    pub(crate) fn column(&self, title: &str) -> Vec<&str> {
        let at = self.columns.iter().position(|column| column.title == title);
        let at = at.unwrap_or_else(|| panic!("there is no column `{title}` in {:?}", self.columns));
        self.rows.iter().map(|row| &*row[at]).collect()
    }

    pub(crate) fn markdown(&self) -> String {
        let mut titles: Vec<&str> = Vec::new();
        let mut group = None;
        for column in &self.columns {
            let is_same = group == Some(column.group()) && column.group() != column.title;
            let shortened = column.title.split_once(": ").filter(|_| is_same).map(|(_, rest)| rest);
            titles.push(shortened.unwrap_or(&column.title));
            group = Some(column.group());
        }
        let lines = self.columns.iter().map(|column| if column.is_text { "---" } else { "---:" });
        let mut text = format!("| {} |\n|{}|\n", titles.join(" | "), lines.collect::<Vec<_>>().join("|"));
        for row in &self.rows {
            // Writing to a string does not fail.
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text
    }

    /// Returns the table with whole titles and without emphasis; cells with nothing are empty.
    pub(crate) fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let titles = self.columns.iter().map(|column| &*column.title);
        let plain =
            |cell: &String| if cell == NOTHING { String::new() } else { cell.replace(['*', '`'], "") };
        let rows = self.rows.iter().map(|row| row.iter().map(plain).collect::<Vec<_>>());
        let written = writer.write_record(titles);
        let written = written.and_then(|()| rows.into_iter().try_for_each(|row| writer.write_record(row)));
        written.expect("writing to memory does not fail, and all rows are equally long");
        let bytes = writer.into_inner().expect("writing to memory does not fail");
        String::from_utf8(bytes).expect("only texts were written")
    }
}

/// Returns a number with this many decimals, or that there is none.
pub(crate) fn number(value: Option<f64>, decimals: usize) -> String {
    value.filter(|value| value.is_finite()).map_or(NOTHING.to_owned(), |value| format!("{value:.decimals$}"))
}

/// Returns the ratio of ours to that of the paper, if the paper has one that is not 0.
pub(crate) fn ratio(ours: Option<f64>, paper: Option<f64>) -> String {
    number(ours.zip(paper.filter(|paper| *paper != 0.0)).map(|(ours, paper)| ours / paper), 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let columns = ["a: one", "a: two", "b"].map(Column::number);
        let mut table = Table::new([Column::text("name")].into_iter().chain(columns));
        table.row(["`x, y`", "1", NOTHING, "3"].map(str::to_owned));
        table
    }

    #[test]
    fn groups_are_named_once_in_markdown_and_always_in_csv() {
        assert_eq!(
            table().markdown(),
            "| name | a: one | two | b |\n|---|---:|---:|---:|\n| `x, y` | 1 | – | 3 |\n"
        );
        assert_eq!(table().csv(), "name,a: one,a: two,b\n\"x, y\",1,,3\n");
    }

    #[test]
    fn columns_are_chosen_by_group_or_title() {
        assert_eq!(table().only(&["a"]).csv(), "a: one,a: two\n1,\n");
        assert_eq!(table().only(&["a: two", "name"]).csv(), "name,a: two\n\"x, y\",\n");
    }

    #[test]
    fn nothing_is_divided_by_nothing() {
        assert_eq!(ratio(Some(3.0), Some(2.0)), "1.50");
        assert_eq!([ratio(Some(3.0), Some(0.0)), ratio(None, Some(1.0)), ratio(Some(1.0), None)], ["–"; 3]);
    }
}
