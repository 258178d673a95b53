//! Suggestions for misspelled words.

use crate::listing::listed;

/// The minimum similarity of a misspelling: `meth` has two thirds in common with `method`, `mode` half.
const LIKE: f64 = 0.6;

/// Returns the most similar known word, if one is similar enough. The similarity is 1 minus the
/// Damerau-Levenshtein distance divided by the longer length.
pub fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let (mut most, mut best) = (LIKE, None);
    for known in known {
        let likeness = likeness(word, known);
        if likeness >= most {
            (most, best) = (likeness, Some(known));
        }
    }
    best
}

/// The maximum length of a word that may be a misspelling, in characters: comparing two takes as long as the product of their lengths.
const MAX_WORD: usize = 256;

fn likeness(one: &str, other: &str) -> f64 {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let longest = one.len().max(other.len());
    match longest {
        0 => 1.0,
        1..=MAX_WORD => 1.0 - distance(&one, &other) as f64 / longest as f64,
        _ => f64::from(u8::from(one == other)),
    }
}

/// Returns the Damerau-Levenshtein distance: the least number of characters to insert, delete, replace, or exchange with the next one.
fn distance(one: &[char], other: &[char]) -> usize {
    // For each character of `other`, how many characters of `one` there are up to the last equal one.
    let mut last = vec![0; other.len()];
    // `rows[i][j]` is the distance of the first `i` and `j` characters.
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (i, &char) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        // The number of characters of `other` up to the last one that is equal to `char`.
        let mut equal = 0;
        for (j, &with) in other.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(char != with);
            let mut least = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            let before = last[j];
            if before > 0 && equal > 0 {
                let between = (i - before) + (j - equal);
                least = least.min(rows[before - 1][equal - 1] + between + 1);
            }
            if char == with {
                equal = j + 1;
            }
            row.push(least);
        }
        rows.push(row);
        for (last, &with) in last.iter_mut().zip(other) {
            if with == char {
                *last = i + 1;
            }
        }
    }
    rows[one.len()][other.len()]
}

/// Returns the suggestion for an unknown word: the word that it may be a misspelling of, and all known words. `what` describes
/// them, as in "methods".
pub fn suggestion<'k>(word: &str, what: &str, known: impl IntoIterator<Item = &'k str> + Clone) -> String {
    let names: Vec<&str> = known.clone().into_iter().collect();
    match did_you_mean(word, known) {
        Some(like) => format!("did you mean `{like}`? The {what} are {}", listed(&names)),
        None if names.is_empty() => "there are none".to_owned(),
        None => format!("the {what} are {}", listed(&names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_are_similar_and_other_words_are_not() {
        let cases = [
            ("msgsize", Some("msg_size")),
            ("msg-size", Some("msg_size")),
            ("meth", Some("method")),
            ("mehtod", Some("method")),
            ("ppn", None),
            ("mode", None),
            ("", None),
        ];
        for (word, expected) in cases {
            assert_eq!(did_you_mean(word, ["method", "msg_size"]), expected, "{word}");
        }
        assert_eq!(did_you_mean("method", []), None);
    }

    #[test]
    fn a_distance_counts_insertions_deletions_replacements_and_exchanges() {
        let cases = [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "abd", 1),
            ("abcd", "acbd", 1),
            ("ca", "abc", 2),
            ("é", "e", 1),
        ];
        for (one, other, expected) in cases {
            let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
            assert_eq!(distance(&one, &other), expected, "{one:?} {other:?}");
            assert_eq!(distance(&other, &one), expected, "{other:?} {one:?}");
        }
    }
}
