//! Tables of rates, with the rates that are not as promised.

/// A table of the page, and its rows that break a promise.
pub(super) struct Findings {
    /// The table.
    pub(super) table: String,
    /// The rows with a rate that is not as promised.
    pub(super) broken: Vec<String>,
}

impl Findings {
    /// Creates a table with its first two lines.
    pub(super) fn new(head: &str) -> Self {
        Self { table: head.to_owned(), broken: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: String, is_as_promised: bool) {
        self.table.push_str(&row);
        self.table.push('\n');
        if !is_as_promised {
            self.broken.push(row);
        }
    }
}
