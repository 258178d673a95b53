//! Tables of Markdown as rows of CSV.

/// Returns whether a line is the one between the header and the rows of a table: `|---|:--:|`.
pub(super) fn is_rule(line: &str) -> bool {
    let cells = cells(line);
    let is_dashes =
        |cell: &&str| cell.contains('-') && cell.trim_matches(':').bytes().all(|byte| byte == b'-');
    cells.len() > 1 && cells.iter().all(is_dashes)
}

/// Returns a row of a table as one of CSV, and nothing for any other line.
pub(super) fn row(line: &str) -> String {
    let cells = cells(line);
    if cells.len() < 2 || is_rule(line) {
        return String::new();
    }
    let quoted = cells.iter().map(|cell| {
        // Emphasis, such as that of the fastest method.
        let cell = cell.trim_matches(['*', '`']).trim();
        if cell.contains([',', '"', ';']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.to_owned()
        }
    });
    quoted.collect::<Vec<_>>().join(",")
}

fn cells(line: &str) -> Vec<&str> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    line.strip_suffix('|').unwrap_or(line).split('|').map(str::trim).collect()
}
