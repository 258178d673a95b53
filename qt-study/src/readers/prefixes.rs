//! The prefix of a log's lines: `[1,0]<stdout>:` or `0: ` of a launcher, or the moment at which a line was written.
//!
//! No launcher is known here: a prefix is a text that lines have in common up to numbers, and without which their format is recognised.

use std::collections::HashMap;
use std::sync::LazyLock;

use indexmap::IndexMap;
use regex_lite::Regex;

/// The maximum length of a prefix in characters.
const LONGEST: usize = 160;

/// The minimum number of lines with the same prefix.
const FEWEST: usize = 3;

const MAX_CANDIDATES: usize = 32;

/// Moments, which tell no processes apart: `12:00:05.250`, `1700000000.25`.
static MOMENT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\d+(?:[:.]\d+)+").ok());

/// What lines have in common before their text.
pub(super) struct Prefix {
    /// The text, with a `0` for each number and the blanks before it.
    mask: String,
    /// Whether a blank separates it from the text.
    gap: bool,
}

impl Prefix {
    /// Returns what may be the prefix of these lines: the most frequent first, and of those as frequent the longest.
    pub(super) fn candidates(lines: &[&str]) -> Vec<Self> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for line in lines {
            for end in ends(line) {
                *counts.entry(mask(&line[..end])).or_default() += 1;
            }
        }
        let mut counts: Vec<(String, usize)> =
            counts.into_iter().filter(|(_, count)| *count >= FEWEST).collect();
        counts.sort_by(|(one, count), (other, others)| {
            (others, other.len(), one).cmp(&(count, one.len(), other))
        });
        counts.truncate(MAX_CANDIDATES);
        let with_gap = |(mask, _)| {
            let mut prefix = Self { mask, gap: false };
            let mut rests = lines.iter().filter_map(|line| prefix.rest(line));
            prefix.gap = rests.all(|rest| rest.is_empty() || rest.starts_with(' '));
            prefix
        };
        counts.into_iter().map(with_gap).collect()
    }

    /// Returns the text of a line behind the prefix, or `None` if the line has none.
    pub(super) fn rest<'l>(&self, line: &'l str) -> Option<&'l str> {
        let mut rest = line;
        for character in self.mask.chars() {
            rest = if character == '0' {
                let number = rest.trim_start_matches(' ');
                let after = number.trim_start_matches(|digit: char| digit.is_ascii_digit());
                (after.len() < number.len()).then_some(after)?
            } else {
                rest.strip_prefix(character)?
            };
        }
        Some(rest.strip_prefix(' ').filter(|_| self.gap).unwrap_or(rest))
    }

    /// Returns whether this is before all lines, a header without a number and the rows of a table, which have some.
    pub(super) fn is_of_table(&self, lines: &[&str]) -> bool {
        let rests: Option<Vec<&str>> = lines.iter().map(|line| self.rest(line)).collect();
        let has_number = |rest: &&str| {
            let mut fields = rest.split([',', ';', '\t', ' ']);
            fields.any(|field| field.parse::<f64>().is_ok())
        };
        matches!(rests.as_deref(), Some([header, rows @ ..])
            if !rows.is_empty() && !has_number(header) && rows.iter().all(has_number))
    }

    /// Returns the text of each process: of the lines whose prefixes are the same but for moments.
    pub(super) fn processes(&self, lines: &[&str]) -> IndexMap<String, String> {
        let mut processes: IndexMap<String, String> = IndexMap::new();
        for (line, rest) in lines.iter().filter_map(|line| Some((line, self.rest(line)?))) {
            let prefix = line[..line.len() - rest.len()].trim();
            let process = MOMENT.as_ref().map_or(prefix.into(), |moment| moment.replace_all(prefix, "…"));
            let text = processes.entry(process.into_owned()).or_default();
            text.push_str(rest);
            text.push('\n');
        }
        processes
    }
}

/// Returns where the prefix of a line may end: behind a colon, a bracket or a bar, or before a blank after one of them.
///
/// Outside of brackets, a prefix has nothing that separates the fields of a table.
fn ends(line: &str) -> Vec<usize> {
    let line = line.trim_end();
    let is_digit = |at: usize| line.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let (mut ends, mut depth, mut is_marked) = (Vec::new(), 0_usize, false);
    for (at, character) in line.char_indices().take(LONGEST) {
        match character {
            '"' | '{' | '#' | '│' => return ends,
            '|' if at == 0 => return ends,
            // The fraction of a second.
            ',' if is_marked && is_digit(at - 1) && is_digit(at + 1) => {}
            ',' | ';' | '\t' if depth == 0 => return ends,
            '[' | '(' | '<' => depth += 1,
            ' ' if is_marked && depth == 0 => ends.push(at),
            ']' | ')' | '>' | ':' | '|' => {
                depth = depth.saturating_sub(usize::from("])>".contains(character)));
                is_marked = true;
                ends.push(at + 1);
            }
            _ => {}
        }
    }
    if is_marked && ends.last() != Some(&line.len()) && line.len() <= LONGEST {
        ends.push(line.len());
    }
    ends
}

/// Returns a text with a `0` for each number and the blanks before it.
fn mask(text: &str) -> String {
    let mut mask = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let number = rest.trim_start_matches(' ');
        let after = number.trim_start_matches(|digit: char| digit.is_ascii_digit());
        if after.len() < number.len() {
            mask.push('0');
            rest = after;
        } else {
            mask.push(character);
            rest = &rest[character.len_utf8()..];
        }
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_what_lines_have_in_common_up_to_numbers() {
        for (lines, expected) in [
            (["[1,0]<stdout>:# a", "[1,0]<stdout>:8 1.5", "[1,12]<stderr>:no"], "[0,0]"),
            (["[1,0]<stdout>:# a", "[1,0]<stdout>:", "[1,12]<stdout>:8 1.5"], "[0,0]<stdout>:"),
            ([" 0: # a", " 0: 8 1.5", "12: b"], "0:"),
            (
                ["2026-03-05 09:08:07,123 # a", "2026-03-05 12:08:07,250 8", "2026-03-05 12:08:08,1 9"],
                "0-0-00:0:0,0",
            ),
            (
                ["Nov  9 12:08:07 n1 x[7]: # a", "Nov 10 12:08:07 n1 x[7]: 8", "Nov 10 12:08:08 n1 x[7]: 9"],
                "Nov00:0:0 n0 x[0]:",
            ),
        ] {
            let masks: Vec<String> =
                Prefix::candidates(&lines).into_iter().map(|prefix| prefix.mask).collect();
            assert_eq!(masks.first().map(String::as_str), Some(expected), "{lines:?}");
        }
        for lines in [
            ["a,b", "1,2", "3,4"],
            ["{\"a\":1}", "{\"a\":2}", "{\"a\":3}"],
            ["| a | b |", "| 1 | 2 |", "| 3 | 4 |"],
        ] {
            assert!(Prefix::candidates(&lines).is_empty(), "{lines:?}");
        }
    }

    #[test]
    fn a_text_begins_behind_the_prefix_and_one_blank_that_all_lines_have() {
        let rests = |lines: [&'static str; 3]| {
            let prefix = Prefix::candidates(&lines).remove(0);
            lines.map(|line| prefix.rest(line))
        };
        assert_eq!(rests(["0: # a", "0:", "0:    8"]), [Some("# a"), Some(""), Some("   8")]);
        assert_eq!(rests(["0:# a", "0:   8", "0:  16"]), [Some("# a"), Some("   8"), Some("  16")]);
    }
}
