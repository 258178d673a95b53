//! The check of templates at compile time.

use super::lexer::{Kind, Lexeme, next, operator_end};

/// The maximum depth of brackets in a template.
const MAX_DEPTH: usize = 16;

/// Checks a template and the names of its values, at compile time.
///
/// # Panics
///
/// Panics if the template is malformed, or if its names are not these.
pub const fn check(template: &str, names: &[&str]) {
    let text = template.as_bytes();
    let mut open = [0; MAX_DEPTH];
    let (mut depth, mut place, mut used) = (0, 0, 0_u64);
    loop {
        let lexeme = next(text, place, true);
        place = lexeme.end;
        match lexeme.kind {
            Kind::End => break,
            Kind::Fault => panic!("a quote has no end, or a character is none of Rust's"),
            Kind::Punct(true) if text[lexeme.start] != b'\'' => place = operator_end(text, lexeme.start),
            Kind::Ident | Kind::Literal | Kind::Doc | Kind::Punct(_) => {}
            Kind::Splice => {
                let index = find(text, lexeme, names);
                assert!(index < names.len(), "the template has a value that is not given");
                used |= 1 << index;
            }
            Kind::Open | Kind::Repetition => {
                open[depth] = text[lexeme.start];
                depth += 1;
            }
            Kind::Close => {
                assert!(depth > 0, "a bracket is not opened");
                depth -= 1;
                let pair = (open[depth], text[lexeme.start]);
                let is_pair = matches!(pair, (b'(' | b'#', b')') | (b'[', b']') | (b'{', b'}'));
                assert!(is_pair, "a bracket is closed by another one");
                assert!(open[depth] != b'#' || has_star(text, place), "a repetition has no `*`");
            }
        }
    }
    assert!(depth == 0, "a bracket is not closed");
    assert!(used == (1 << names.len()) - 1, "a value is not in the template");
}

const fn has_star(text: &[u8], mut place: usize) -> bool {
    while place < text.len() {
        if text[place] == b'*' {
            return true;
        }
        place += 1;
    }
    false
}

/// Returns the index of a name, or the number of names if it is none of them.
const fn find(text: &[u8], lexeme: Lexeme, names: &[&str]) -> usize {
    let mut index = 0;
    while index < names.len() {
        let name = names[index].as_bytes();
        let mut same = 0;
        while same < name.len() && lexeme.start + same < lexeme.end && name[same] == text[lexeme.start + same]
        {
            same += 1;
        }
        if same == name.len() && lexeme.start + same == lexeme.end {
            return index;
        }
        index += 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    #[should_panic(expected = "a value is not in the template")]
    fn values_that_are_not_used_are_faults() {
        check("a", &["a"]);
    }

    #[test]
    #[should_panic(expected = "a value that is not given")]
    fn names_that_are_not_given_are_faults() {
        check("#a #b", &["a"]);
    }

    #[test]
    #[should_panic(expected = "a repetition has no `*`")]
    fn repetitions_have_an_end() {
        check("#(#a),", &["a"]);
    }
}
