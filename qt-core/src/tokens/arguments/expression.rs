//! The extent of an expression among the arguments.
//!
//! A comma ends an expression, except in generic arguments and between the parameters of a closure. Whether the expression is valid is
//! for the compiler to say, which sees it in the generated code.

use crate::tokens::Token;

/// The words after which another operand may follow.
const KEYWORDS: [&str; 22] = [
    "as", "async", "break", "const", "continue", "dyn", "else", "for", "if", "impl", "in", "let", "loop",
    "match", "move", "mut", "raw", "ref", "return", "static", "unsafe", "while",
];

/// Returns the length of the expression with which tokens begin, or an error if two operands follow each other, which lack a comma.
pub(super) fn expression_length(tokens: &[Token]) -> Result<usize, &'static str> {
    let mut index = 0;
    // Whether an operand comes next, so that `<` and `|` are no operators.
    let mut is_operand = true;
    // Whether this may be the path of a type, after which `<` is no operator.
    let mut is_type = false;
    while let Some(token) = tokens.get(index) {
        let rest = &tokens[index..];
        match token {
            Token::Punct(punct) if punct.char == ',' => break,
            Token::Punct(punct) if punct.char == '\'' => {
                index += 1;
                is_operand = true;
            }
            Token::Punct(punct) if punct.char == '|' && is_operand => {
                index += rest[1..].iter().position(|token| token.is('|')).map_or(0, |end| end + 1);
            }
            Token::Punct(_) if begins_with(rest, ['-', '>']) => {
                index += 1;
                (is_operand, is_type) = (true, true);
            }
            Token::Punct(punct) if punct.char == '<' && (is_operand || is_type) => {
                index += angles(rest).map_or(0, |len| len - 1);
                is_operand = false;
            }
            Token::Punct(_) if begins_with(rest, [':', ':']) => {
                index += 1;
                is_operand = true;
            }
            Token::Punct(punct) => {
                is_operand = punct.char != '?';
                is_type &= matches!(punct.char, '&' | '*' | '!');
            }
            Token::Ident(ident) if KEYWORDS.contains(&ident.text()) => {
                is_operand = true;
                is_type |= ident.text() == "as";
            }
            Token::Ident(_) | Token::Literal(_) if !is_operand => {
                return Err("expected `,`");
            }
            Token::Ident(_) => is_operand = false,
            Token::Literal(_) | Token::Group(_) => (is_operand, is_type) = (false, false),
        }
        index += 1;
    }
    Ok(index)
}

/// Returns whether tokens begin with this operator of two characters.
fn begins_with(tokens: &[Token], operator: [char; 2]) -> bool {
    matches!(tokens, [Token::Punct(first), second, ..]
        if first.joint && first.char == operator[0] && second.is(operator[1]))
}

/// Returns the length of the generic arguments with which tokens begin, with both brackets; `None` if the `<` is not closed.
fn angles(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0;
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if begins_with(&tokens[index..], ['-', '>']) {
            index += 1;
        } else if token.is('<') {
            depth += 1;
        } else if token.is('>') {
            depth -= 1;
        }
        index += 1;
        if depth == 0 {
            return (index > 1).then_some(index);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::tokens::Code;

    use super::expression_length;

    #[test]
    fn an_expression_ends_at_a_comma_that_separates_arguments() {
        for expression in [
            "data.len()",
            "f::<A, B>(x)",
            "<A as T<B, C>>::F",
            "iter.fold(0, |a, b| a + b)",
            "|a, b| a < b",
            "|| a",
            "move |a, b: Vec<C, D>| -> E<F, G> { a }",
            "a < b",
            "a as usize + b",
            "a as T<B, C>",
            "a << 2 >> b",
            "a || b && !c",
            "if a { b } else { c }",
            "match a { b => c, d => e }",
            "loop { break 'a; }",
            "'a: { break 'a b }",
            "x.collect::<Vec<_>>().len()",
            "S { a, b }",
            "1..=2",
            "-1",
            "&raw const x",
            "x?.y",
        ] {
            let code = Code::parse(&format!("{expression}, next = 1")).unwrap();
            let expected = Code::parse(expression).unwrap().tokens().len();
            assert_eq!(expression_length(code.tokens()).ok(), Some(expected), "{expression}");
        }
    }

    #[test]
    fn two_operands_in_a_row_lack_a_comma() {
        for text in ["3 depth = 1", "a b", "a.b() c", "\"a\" \"b\""] {
            assert!(expression_length(Code::parse(text).unwrap().tokens()).is_err(), "{text}");
        }
    }
}
