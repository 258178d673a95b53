//! The arguments of the attribute: `"maps/bcast.tree.json", msg_size = len, answers(…)`.

use super::errors::Errors;
use super::listing::is_in;
use super::token::{CALL_SITE, Kind, Token, angles, begins, parts, text, ungrouped};
pub(crate) use crate::way::literal::string;

/// The path of a file. It was computed by `concat!` if it has more than one token.
pub(crate) struct FileName<'t> {
    pub(crate) path: String,
    pub(crate) tokens: &'t [Token],
}

/// A name with what is given for it; nothing for an option that is on.
pub(crate) struct Given<'t> {
    pub(crate) name: &'t Token,
    pub(crate) value: &'t [Token],
    /// Whether the name is an axis even if an option has it.
    pub(crate) is_axis: bool,
}

#[derive(Default)]
pub(crate) struct Arguments<'t> {
    pub(crate) files: Vec<FileName<'t>>,
    pub(crate) given: Vec<Given<'t>>,
    /// Expressions for the methods with these labels.
    pub(crate) answers: Vec<(String, Given<'t>)>,
}

/// Parses the arguments; there are none if one of them is wrong.
pub(crate) fn parse<'t>(arguments: &'t [Token], errors: &mut Errors) -> Arguments<'t> {
    let mut parsed = Arguments::default();
    let mut rest = arguments;
    while !rest.is_empty() {
        match parsed.take(rest).and_then(after_comma) {
            Ok(after) => rest = after,
            Err((place, message)) => {
                errors.place(place, &message);
                return Arguments::default();
            }
        }
    }
    parsed
}

/// A place and what is wrong there.
type Fault = (usize, String);

fn fault<T>(token: &Token, message: &str) -> Result<T, Fault> {
    Err((token.place, message.to_owned()))
}

/// Returns what follows the comma after an argument.
fn after_comma(tokens: &[Token]) -> Result<&[Token], Fault> {
    match tokens {
        [] => Ok(tokens),
        [comma, rest @ ..] if comma.is(",") => Ok(rest),
        [other, ..] => fault(other, "expected `,`"),
    }
}

impl<'t> Arguments<'t> {
    /// Parses the first argument, and returns the rest.
    fn take(&mut self, tokens: &'t [Token]) -> Result<&'t [Token], Fault> {
        let first = single(&tokens[0]);
        let is_macro = matches!(tokens, [_, not, group, ..] if not.is("!") && group.kind == Kind::Group);
        if is_macro || first.len() > 1 || matches!(first, [literal] if string(literal).is_some()) {
            let (tokens, rest) = tokens.split_at(if is_macro { 3 } else { 1 });
            self.files.push(FileName { path: path(tokens)?, tokens: ungrouped(tokens) });
            return Ok(rest);
        }
        let [name] = first else { return fault(&tokens[0], "expected an argument") };
        let word = name.word();
        if word.is_empty() {
            return fault(name, "expected a path in quotes, or an option such as `max_depth = 3`");
        }
        match &tokens[1..] {
            [list, rest @ ..] if list.opens("(") => {
                if !matches!(word, "axis" | "answers") {
                    let message =
                        format!("write `{word} = …`; parentheses are for `axis(…)` and `answers(…)`");
                    return fault(name, &message);
                }
                for given in pairs(&list.inner)? {
                    if word == "axis" {
                        self.given.push(given);
                    } else {
                        self.answers.push((label(given.name), given));
                    }
                }
                Ok(rest)
            }
            [equals, ..] if equals.is("=") && word == "file" => {
                fault(name, "the path comes first, without a name: #[decision_map(\"maps/file.json\", …)]")
            }
            [equals, value @ ..] if equals.is("=") => {
                let (value, rest) = self::value(name, value)?;
                self.given.push(Given { name, value, is_axis: false });
                Ok(rest)
            }
            [next, ..] if next.is("/") || next.is(".") => {
                fault(name, "a path must be in quotes: #[decision_map(\"maps/file.json\")]")
            }
            [next, ..] if next.is(":") => {
                fault(next, &format!("write `=` between an option and its value: {word} = …"))
            }
            [next, ..] if !next.is(",") => fault(next, "expected `=` or `,`"),
            rest => {
                self.given.push(Given { name, value: &[], is_axis: false });
                Ok(rest)
            }
        }
    }
}

/// Returns what a token is, which may be in an invisible group.
fn single(token: &Token) -> &[Token] {
    ungrouped(std::slice::from_ref(token))
}

/// Parses `simple = kernels::simple, "pipeline/8192" = PIPELINE`.
fn pairs(mut tokens: &[Token]) -> Result<Vec<Given<'_>>, Fault> {
    let mut pairs = Vec::new();
    while let [name, rest @ ..] = tokens {
        let [name] = single(name) else { return fault(name, "expected a name") };
        let [equals, rest @ ..] = rest else { return fault(name, "expected `=` after the name") };
        if label(name).is_empty() || !equals.is("=") {
            return fault(name, "expected a name with its value, as in `name = …`");
        }
        let (value, rest) = value(name, rest)?;
        pairs.push(Given { name, value, is_axis: true });
        tokens = after_comma(rest)?;
    }
    Ok(pairs)
}

/// Returns the value with which tokens begin, of what has this name, and the rest.
fn value<'t>(name: &Token, tokens: &'t [Token]) -> Result<(&'t [Token], &'t [Token]), Fault> {
    let (value, rest) = tokens.split_at(expression(tokens)?);
    if value.is_empty() {
        return fault(name, &format!("`{}` has no value after `=`", name.text));
    }
    Ok((ungrouped(value), rest))
}

/// Returns the label that an identifier or a string is; empty if it is neither.
fn label(name: &Token) -> String {
    if name.word().is_empty() { string(name).unwrap_or_default() } else { name.name().to_owned() }
}

/// Returns the path that a string, `concat!`, `env!` or `stringify!` gives.
fn path(tokens: &[Token]) -> Result<String, Fault> {
    let tokens = ungrouped(tokens);
    if let [token] = tokens
        && let Some(path) = string(token)
    {
        return Ok(path);
    }
    let (name, group) = match tokens {
        [number] if number.text.starts_with(|first: char| first.is_ascii_digit()) => {
            return Ok(number.text.clone());
        }
        [name, not, group] if not.is("!") => (name, group),
        _ => {
            let place = tokens.first().map_or(CALL_SITE, |first| first.place);
            return Err((place, "expected a string, `concat!` or `env!`".to_owned()));
        }
    };
    let mut path = String::new();
    for part in parts(&group.inner) {
        match name.word() {
            "concat" => path += &self::path(part)?,
            "env" => {
                let variable = self::path(part)?;
                match std::env::var(&variable) {
                    Ok(value) => return Ok(value),
                    Err(error) => return fault(name, &format!("`{variable}`: {error}")),
                }
            }
            "stringify" => path += &text(part),
            _ => return fault(name, "a path is a string, or made by `concat!` and `env!`"),
        }
    }
    Ok(path)
}

/// The words after which another operand may follow.
const KEYWORDS: &str = " as async break const continue dyn else for if impl in let loop match move mut raw ref return static unsafe while ";

/// Returns the length of the expression with which tokens begin. A comma ends it, except in generic arguments and between the parameters
/// of a closure. Two operands that follow each other lack a comma.
fn expression(tokens: &[Token]) -> Result<usize, Fault> {
    let mut index = 0;
    // Whether an operand comes next, so that `<` and `|` are no operators, and whether this may be a type, after which `<` is none.
    let (mut is_operand, mut is_type) = (true, false);
    while index < tokens.len() {
        let (token, rest) = (&tokens[index], &tokens[index..]);
        let is_punct = matches!(token.kind, Kind::Punct | Kind::Joint);
        let is_keyword = is_in(KEYWORDS, token.word());
        if token.is(",") {
            break;
        } else if token.is("'") {
            index += 1;
            is_operand = true;
        } else if token.is("|") && is_operand {
            index += rest[1..].iter().position(|token| token.is("|")).map_or(0, |end| end + 1);
        } else if begins(rest, "-", ">") {
            index += 1;
            (is_operand, is_type) = (true, true);
        } else if token.is("<") && (is_operand || is_type) {
            index += angles(rest).max(1) - 1;
            is_operand = false;
        } else if begins(rest, ":", ":") {
            index += 1;
            is_operand = true;
        } else if is_punct {
            is_operand = !token.is("?");
            is_type &= token.is("&") || token.is("*") || token.is("!");
        } else if is_keyword {
            is_operand = true;
            is_type |= token.word() == "as";
        } else if token.kind != Kind::Group && !is_operand {
            return fault(token, "expected `,`");
        } else {
            is_operand = false;
            is_type &= token.kind == Kind::Word;
        }
        index += 1;
    }
    Ok(index)
}
