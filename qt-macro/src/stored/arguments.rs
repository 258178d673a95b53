//! The arguments of the attribute: `"maps/bcast.tree.json", msg_size = len, answers(…)`.

use super::errors::Errors;
use super::token::{Kind, Token, angles, begins, ungrouped};

/// The path of a file. It was computed by `concat!` if it has more than one token.
pub(super) struct FileName<'t> {
    pub(super) path: String,
    pub(super) tokens: &'t [Token],
}

/// A name with what is given for it; nothing for an option that is on.
pub(super) struct Given<'t> {
    pub(super) name: &'t Token,
    pub(super) value: &'t [Token],
    /// Whether the name is an axis even if an option has it.
    pub(super) is_axis: bool,
}

#[derive(Default)]
pub(super) struct Arguments<'t> {
    pub(super) files: Vec<FileName<'t>>,
    pub(super) given: Vec<Given<'t>>,
    /// Expressions for the methods with these labels.
    pub(super) answers: Vec<(String, Given<'t>)>,
}

/// Parses the arguments; there are none if one of them is wrong.
pub(super) fn parse<'t>(arguments: &'t [Token], errors: &mut Errors) -> Arguments<'t> {
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
        if name.word().is_empty() {
            return fault(name, "expected a path in quotes, or an option such as `layout = \"branches\"`");
        }
        match &tokens[1..] {
            [list, rest @ ..] if list.opens("(") => {
                for given in pairs(&list.inner)? {
                    match name.word() {
                        "axis" => self.given.push(given),
                        "answers" => self.answers.push((label(given.name), given)),
                        _ => return fault(name, "parentheses are for `axis(…)` and `answers(…)`"),
                    }
                }
                Ok(rest)
            }
            [equals, value @ ..] if equals.is("=") => {
                let (value, rest) = value.split_at(expression(value)?);
                if value.is_empty() {
                    return fault(equals, "there is no value after `=`");
                }
                self.given.push(Given { name, value: ungrouped(value), is_axis: false });
                Ok(rest)
            }
            [next, ..] if !next.is(",") => fault(next, "expected `=` or `,`; a path must be in quotes"),
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
        let (value, rest) = rest.split_at(expression(rest)?);
        if value.is_empty() {
            return fault(equals, "there is no value after `=`");
        }
        pairs.push(Given { name, value: ungrouped(value), is_axis: true });
        tokens = after_comma(rest)?;
    }
    Ok(pairs)
}

/// Returns the label that an identifier or a string is; empty if it is neither.
fn label(name: &Token) -> String {
    if name.word().is_empty() { string(name).unwrap_or_default() } else { name.name().to_owned() }
}

/// Returns the value of a string.
pub(super) fn string(token: &Token) -> Option<String> {
    if token.kind != Kind::Literal {
        return None;
    }
    if let Some(raw) = token.text.strip_prefix('r') {
        return Some(raw.trim_matches('#').trim_matches('"').to_owned());
    }
    let text = token.text.strip_prefix('"')?.strip_suffix('"')?;
    let mut value = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        value.push(match char {
            '\\' => match chars.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                other @ ('\\' | '"' | '\'') => other,
                _ => return None,
            },
            char => char,
        });
    }
    Some(value)
}

/// Returns the path that a string, `concat!`, `env!` or `stringify!` gives.
fn path(tokens: &[Token]) -> Result<String, Fault> {
    let tokens = ungrouped(tokens);
    if let [token] = tokens
        && let Some(path) = string(token)
    {
        return Ok(path);
    }
    let [name, not, group] = tokens else {
        return fault(&tokens[0], "expected a string, `concat!` or `env!`");
    };
    if !not.is("!") {
        return fault(name, "expected a string, `concat!` or `env!`");
    }
    let mut path = String::new();
    for part in super::token::parts(&group.inner) {
        match name.word() {
            "concat" => path += &self::path(part)?,
            "env" => {
                let variable = self::path(part)?;
                match std::env::var(&variable) {
                    Ok(value) => return Ok(value),
                    Err(error) => return fault(name, &format!("`{variable}`: {error}")),
                }
            }
            "stringify" => path += &super::token::text(part),
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
        let is_keyword = super::names::is_in(KEYWORDS, token.word());
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
