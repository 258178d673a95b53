//! Words of a rules file that are not read as the numbers they look like.

use qtdec_core::{Place, Problem};

use super::numbers::{Form, Number, Numbers};
use crate::tuning::finding::shown;

/// Returns all such words among the numbers that are read, from `begin` to `end`.
pub(super) fn misread_numbers(bytes: &[u8], begin: usize, end: usize) -> impl Iterator<Item = Problem> + '_ {
    let mut numbers =
        Numbers::new(bytes, begin).take_while(move |number| number.place.start < end).peekable();
    let mut before = begin;
    let words = std::iter::from_fn(move || {
        let first = numbers.next()?;
        let place = word(bytes, &first, before);
        before = place.end;
        let mut of_word = vec![first];
        while let Some(next) = numbers.next_if(|next| next.place.start < place.end) {
            of_word.push(next);
        }
        Some((place, of_word))
    });
    words.filter_map(|(place, numbers)| {
        let (message, help) = meaning(bytes, &String::from_utf8_lossy(&bytes[place.clone()]), &numbers)?;
        Some(Problem::new(Place::Offset(place.start), message).help(help))
    })
}

/// Returns the reading of a word and a suggestion, or `None` if it is read as it looks.
fn meaning(bytes: &[u8], text: &str, numbers: &[Number]) -> Option<(String, &'static str)> {
    let shown = shown(text);
    Some(match numbers {
        [one] if digits(text) == written(bytes, one) => match one.form {
            Form::Decimal => return None,
            Form::Octal => (format!("`{shown}` is octal: it is {}", one.value), "write no leading zeros"),
            Form::Hexadecimal => {
                (format!("`{shown}` is hexadecimal: it is {}", one.value), "write it in decimal")
            }
            Form::TooLarge => {
                (format!("a number beyond 64 bits is read as {}", one.value), "write a smaller one")
            }
        },
        several => {
            let values: Vec<String> = several.iter().take(8).map(|one| one.value.to_string()).collect();
            let help = "write whole numbers of bytes, and other text after a `#`";
            (format!("`{shown}` is read as {}", values.join(" and ")), help)
        }
    })
}

/// Returns the word that contains a number, up to white space or a comment. The word before it ends at `before`.
fn word(bytes: &[u8], number: &Number, before: usize) -> std::ops::Range<usize> {
    let space = bytes[before..number.place.start].iter().rposition(u8::is_ascii_whitespace);
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'#';
    let after = bytes[number.place.end..].iter().position(is_end);
    space.map_or(before, |space| before + space + 1)
        ..after.map_or(bytes.len(), |after| number.place.end + after)
}

fn written<'b>(bytes: &'b [u8], number: &Number) -> std::borrow::Cow<'b, str> {
    String::from_utf8_lossy(&bytes[number.place.clone()])
}

/// Returns a word without the punctuation that people put between numbers.
fn digits(word: &str) -> &str {
    word.trim_matches([',', ';', ':', '=', '|', '(', ')', '[', ']', '{', '}'])
}
