//! Reports as plain text.

use super::Excerpt;

/// The maximum width of a line that is shown as a whole.
const WIDTH: usize = 120;

/// The width of what is shown before a mark in a longer line.
const BEFORE: usize = 40;

/// Returns the report of a problem: its title, its place with the line, and its help.
pub(super) fn report(title: String, file: &str, excerpt: Option<&Excerpt<'_>>, help: Option<&str>) -> String {
    let number = excerpt.map_or_else(String::new, |excerpt| excerpt.number.to_string());
    let is_shown = excerpt.is_some_and(|excerpt| Excerpt::is_shown(excerpt.line));
    let indent = if is_shown { " ".repeat(number.len()) } else { String::new() };
    let mut lines = vec![title];
    match excerpt {
        None => lines.push(format!("--> {file}")),
        Some(excerpt) => lines.push(format!("{indent}--> {file}:{number}:{}", excerpt.column)),
    }
    if let Some(Excerpt { line, marked, .. }) = excerpt.filter(|_| is_shown) {
        let parts = [&line[..marked.start], &line[marked.clone()], &line[marked.end..]].map(cells);
        let [before, mark, _] = &parts;
        let (shown, start) = window(&parts.concat(), before.len());
        let marks = "^".repeat(mark.len().clamp(1, WIDTH - BEFORE));
        lines.push(format!("{indent} |"));
        let blank = if shown.is_empty() { "" } else { " " };
        lines.push(format!("{number} |{blank}{shown}"));
        lines.push(format!("{indent} | {}{marks}", " ".repeat(start)));
        lines.extend(help.map(|_| format!("{indent} |")));
    }
    if let Some(help) = help {
        let help = help.replace('\n', &format!("\n{indent}         "));
        lines.push(format!("{indent} = help: {help}"));
    }
    lines.join("\n")
}

/// Returns the characters of a line, one for each column; a wide one is followed by a placeholder.
fn cells(part: &str) -> Vec<char> {
    let mut cells = Vec::new();
    for char in part.chars() {
        match char {
            '\t' => cells.extend_from_slice(&[' '; 4]),
            char if is_wide(char) => cells.extend_from_slice(&[char, PLACEHOLDER]),
            char => cells.push(char),
        }
    }
    cells
}

/// The second column of a wide character. It is hidden, so that no line that is shown has it.
const PLACEHOLDER: char = '\0';

/// Returns whether a terminal shows a character in two columns.
fn is_wide(char: char) -> bool {
    matches!(
        char,
        '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{303E}' | '\u{3041}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}'
            | '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE6F}' | '\u{FF01}'..='\u{FF60}' | '\u{FFE0}'..='\u{FFE6}'
            | '\u{1F300}'..='\u{1FAFF}' | '\u{20000}'..='\u{3FFFD}'
    )
}

/// Returns the part of a line around a mark, and the column of the mark in it.
fn window(line: &[char], mark: usize) -> (String, usize) {
    const CUT: &str = "...";
    let text = |cells: &[char]| cells.iter().filter(|cell| **cell != PLACEHOLDER).collect::<String>();
    if line.len() <= WIDTH {
        return (text(line), mark);
    }
    let start = mark.saturating_sub(BEFORE);
    let end = (start + WIDTH).min(line.len());
    let before = if start > 0 { CUT } else { "" };
    let after = if end < line.len() { CUT } else { "" };
    (format!("{before}{}{after}", text(&line[start..end])), before.len() + mark - start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str, mark: &str) -> String {
        let start = line.find(mark).unwrap();
        let excerpt = Excerpt { line, number: 12, column: 1, marked: start..start + mark.len() };
        report("title".to_owned(), "a.json", Some(&excerpt), Some("help"))
            .replace("title\n  --> a.json:12:1\n", "")
    }

    #[test]
    fn the_mark_of_a_short_line_stands_below_its_part() {
        assert_eq!(shown("a \"b\"", "\"b\""), "   |\n12 | a \"b\"\n   |   ^^^\n   |\n   = help: help");
        assert_eq!(shown("\t変b", "b"), "   |\n12 |     変b\n   |       ^\n   |\n   = help: help");
    }

    #[test]
    fn a_long_line_is_shown_around_the_mark() {
        let line = ["-".repeat(200), "X".to_owned(), "+".repeat(200)].concat();
        let text = shown(&line, "X");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], format!("12 | ...{}X{}...", "-".repeat(40), "+".repeat(79)));
        assert_eq!(lines[2], format!("   | {}^", " ".repeat(43)));
    }

    #[test]
    fn a_line_with_hidden_characters_is_named_and_not_shown() {
        let excerpt = Excerpt { line: "\u{202e}", number: 12, column: 1, marked: 0..3 };
        assert_eq!(report("title".to_owned(), "a.json", Some(&excerpt), None), "title\n--> a.json:12:1");
        assert_eq!(
            report("title".to_owned(), "a.json", None, Some("help")),
            "title\n--> a.json\n = help: help"
        );
    }
}
