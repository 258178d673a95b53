//! Tables of Markdown, as the page of results has them.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Row, Table};

/// Returns a table without rows, whose columns after the first `words` ones hold numbers.
pub(super) fn table(titles: impl Into<Row>, words: usize) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(titles);
    for column in table.column_iter_mut().skip(words) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
