//! Templates: shell files with marks that a value replaces.
//!
//! `@name@` in a line is replaced by one word or phrase. A line `#@name@`, which is a comment for a shell, is replaced by any number
//! of lines with the same indentation. A template is therefore a shell file itself, which shellcheck reads.

use qtdec_mpi_library::tuning::switches;

/// Returns a template with each mark replaced by its value. A mark without a value stays; values are not read for marks.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for line in template.lines() {
        let words = line.trim_start();
        let lines =
            words.strip_prefix('#').and_then(|mark| value(mark, values)).filter(|(_, rest)| rest.is_empty());
        match lines {
            Some((lines, _)) => {
                let indent = &line[..line.len() - words.len()];
                text.extend(
                    lines.lines().flat_map(|line| [if line.is_empty() { "" } else { indent }, line, "\n"]),
                );
            }
            None => put_line(line, values, &mut text),
        }
    }
    text
}

/// Adds a line with the values of the marks in it.
fn put_line(line: &str, values: &[(&str, &str)], text: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find('@') {
        text.push_str(&rest[..at]);
        match value(&rest[at..], values) {
            Some((value, after)) => {
                text.push_str(value);
                rest = after;
            }
            None => {
                text.push('@');
                rest = &rest[at + 1..];
            }
        }
    }
    text.push_str(rest);
    text.push('\n');
}

/// Returns the value of the mark at the start of a text, and the text after it.
fn value<'v, 't>(text: &'t str, values: &[(&str, &'v str)]) -> Option<(&'v str, &'t str)> {
    let (name, after) = text.strip_prefix('@')?.split_once('@')?;
    values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value, after))
}

pub(super) fn quoted(text: &str) -> String {
    switches::quoted(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_a_word_or_lines() {
        let template = "#@none@\nif env \"$@\" @launch@ \"${all[@]}\"; then\n  #@lines@\nfi\n";
        let values = [("none", ""), ("launch", "srun -n '@lines@'"), ("lines", "one\n\n  two\n")];
        let expected = "if env \"$@\" srun -n '@lines@' \"${all[@]}\"; then\n  one\n\n    two\nfi\n";
        assert_eq!(fill(template, &values), expected);
    }

    #[test]
    fn a_mark_without_a_value_stays() {
        assert_eq!(fill("#@lines@\na@b@c @@ @word@x\n", &[("word", "w")]), "#@lines@\na@b@c @@ wx\n");
    }
}
