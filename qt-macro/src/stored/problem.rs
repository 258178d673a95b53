//! Problems in a file, with their places, and their reports in the style of rustc.

/// A problem with a part of a file, or with the whole file.
pub(super) struct Problem {
    /// The bytes at fault; the whole file if the second number is 0.
    range: (usize, usize),
    message: String,
    help: String,
}

impl Problem {
    pub(super) fn new(start: usize, end: usize, message: &str, help: &str) -> Self {
        Self { range: (start, end), message: message.to_owned(), help: help.to_owned() }
    }

    /// Creates a problem with the whole file.
    pub(super) fn of_file(message: &str, help: &str) -> Self {
        Self::new(0, 0, message, help)
    }

    /// Creates the problem that something needs the feature `maps`.
    pub(super) fn needs_maps(what: &str) -> Self {
        Self::of_file(
            &format!("{what} needs the feature `maps` of qtdec"),
            "remove `default-features = false` from qtdec in Cargo.toml",
        )
    }

    /// Returns the problem at these bytes.
    pub(super) fn located(self, start: usize, end: usize) -> Self {
        Self { range: (start, end), ..self }
    }

    /// Reports the problem with its place in the file of this name and text.
    pub(super) fn report(&self, file: &str, text: &str) -> String {
        let (message, file) = (visible(&self.message), visible(file));
        let (start, end) = self.range;
        if end == 0 {
            return format!("{message}\n--> {file}{}", self.help_after("\n"));
        }
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[line_start..].lines().next().unwrap_or_default();
        let (number, column) = (before.split('\n').count(), text[line_start..start].chars().count());
        let head = format!("--> {file}:{number}:{}", column + 1);
        if line.len() > SHOWN || visible(line) != line {
            return format!("{message}\n{head}{}", self.help_after("\n"));
        }
        let marked = &text[start..end.min(line_start + line.len()).max(start)];
        let marks = "^".repeat(marked.chars().count().max(1));
        let blanks = " ".repeat(column + 3 * text[line_start..start].matches('\t').count());
        let line = line.replace('\t', "    ");
        let indent = " ".repeat(number.to_string().len());
        let help = self.help_after(&format!("\n{indent} |\n{indent}"));
        format!("{message}\n{indent}{head}\n{indent} |\n{number} | {line}\n{indent} | {blanks}{marks}{help}")
    }

    fn help_after(&self, before: &str) -> String {
        if self.help.is_empty() { String::new() } else { format!("{before} = help: {}", self.help) }
    }
}

/// The maximum length of a line that is shown.
const SHOWN: usize = 120;

/// Returns a text with characters escaped that are invisible and affect the text around them.
pub(super) fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\t' => visible.push(char),
            '\u{61C}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}' => visible.extend(char.escape_unicode()),
            _ if char.is_control() => visible.extend(char.escape_unicode()),
            _ => visible.push(char),
        }
    }
    visible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_shows_the_line_unless_something_in_it_is_hidden() {
        let report = |text: &str, start, end| Problem::new(start, end, "no", "try").report("a.json", text);
        assert_eq!(
            report("{\n\t\"a\": 12\n}", 8, 10),
            "no\n --> a.json:2:7\n  |\n2 |     \"a\": 12\n  |          ^^\n  |\n  = help: try"
        );
        assert_eq!(report("\u{202e}12", 3, 5), "no\n--> a.json:1:2\n = help: try");
        assert_eq!(Problem::of_file("no\u{1b}", "").report("a.json", ""), "no\\u{1b}\n--> a.json");
        assert_eq!(report("[", 1, 1), "no\n --> a.json:1:2\n  |\n1 | [\n  |  ^\n  |\n  = help: try");
    }
}
