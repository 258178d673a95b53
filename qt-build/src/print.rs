//! Generated code as text, in the style of rustfmt.
//!
//! `prettyplease` breaks lines by rules of its own. Where generated code is read, in enums, signatures and branches, its lines are joined
//! and broken again as rustfmt does by default.

mod quadrants;

/// The width of a line.
const MAX_WIDTH: usize = 100;

/// The width of an `if` with its `else` on one line, without its indentation.
const MAX_IF: usize = 50;

/// The width of the elements of an array on one line.
const MAX_ARRAY: usize = 60;

/// The width of the arguments of an attribute on one line.
const MAX_ATTRIBUTE: usize = 70;

/// Formats an item with a blank line before each of its documented members.
pub(crate) fn printed(item: syn::Item) -> String {
    let mut file = syn::parse_quote!();
    let syn::File { items, .. } = &mut file;
    items.push(item);
    let text = quadrants::commented(&prettyplease::unparse(&file));
    let lines: Vec<&str> = text.lines().collect();
    let mut spaced = String::with_capacity(text.len());
    let mut rest = &lines[..];
    let mut previous = "";
    while let [line, ..] = *rest {
        if line.starts_with("    ///") && previous.ends_with([';', '}']) {
            spaced.push('\n');
        }
        let (taken, written) = restyled(rest, previous).unwrap_or_else(|| (1, format!("{line}\n")));
        spaced.push_str(&written);
        previous = rest[taken - 1];
        rest = &rest[taken..];
    }
    spaced
}

/// Returns how many of these lines have another style, and their text in that style.
fn restyled(lines: &[&str], previous: &str) -> Option<(usize, String)> {
    let line = lines[0].trim_start();
    let indent = lines[0].len() - line.len();
    if let Some((pattern, line)) = line.split_once(" => ")
        && let Some((taken, text)) = branch(line, &[], indent + 4, true)
    {
        let space = " ".repeat(indent);
        return Some((taken, format!("{space}{pattern} => {{\n{text}{space}}}\n")));
    }
    branch(line, lines, indent, previous.ends_with("=> {"))
        .or_else(|| quadrants::condition(lines, indent))
        .or_else(|| attribute(line, indent))
        .or_else(|| list(line, lines, indent))
        .or_else(|| arm(lines, indent))
}

/// Joins or breaks an `if` with an `else`. It is broken in any case where it is an arm of a match.
fn branch(line: &str, lines: &[&str], indent: usize, is_arm: bool) -> Option<(usize, String)> {
    let one_line = line.trim_end_matches(',');
    if Branch::parse(one_line).is_some() {
        return Some((1, expression(one_line, indent, is_arm)));
    }
    let [_, then, middle, otherwise, end, ..] = lines else { return None };
    let condition = line.strip_prefix("if ")?.strip_suffix(" {")?;
    let is_indented = |line: &str, by: usize| line.len() - line.trim_start().len() == by;
    let is_whole = [then, otherwise].iter().all(|line| {
        is_indented(line, indent + 4) && !line.ends_with(['(', ';', ',', '{']) && !has_block(line)
    });
    let is_branch = is_indented(middle, indent) && middle.trim_start() == "} else {";
    let is_last = is_indented(end, indent) && end.trim_start() == "}";
    let (then, otherwise) = (then.trim_start(), otherwise.trim_start());
    let whole = Branch { condition, then, otherwise, is_chain: false };
    (is_whole && is_branch && is_last).then(|| (5, whole.text(indent, is_arm)))
}

/// Formats an expression on one line, which may be an `if`.
fn expression(text: &str, indent: usize, is_arm: bool) -> String {
    match Branch::parse(text) {
        Some(branch) => branch.text(indent, is_arm),
        None => format!("{}{text}\n", " ".repeat(indent)),
    }
}

/// An `if` with an `else`, whose blocks have one expression each.
struct Branch<'t> {
    condition: &'t str,
    then: &'t str,
    otherwise: &'t str,
    /// Whether `otherwise` is an `if` without a block of its own.
    is_chain: bool,
}

impl<'t> Branch<'t> {
    /// Parses an `if` on one line that is the whole text.
    fn parse(text: &'t str) -> Option<Self> {
        let (condition, rest) = text.strip_prefix("if ")?.split_once(" { ")?;
        let (then, rest) = rest.split_at(end_of_block(rest)?);
        let rest = rest.strip_prefix("} else ")?;
        let block = rest.strip_prefix("{ ");
        let otherwise = match block {
            Some(block) if end_of_block(block)? + 1 == block.len() => &block[..block.len() - 1],
            Some(_) => return None,
            None => Self::parse(rest).map(|_| rest)?,
        };
        let (then, otherwise) = (then.trim_end(), otherwise.trim_end());
        Some(Self { condition, then, otherwise, is_chain: block.is_none() })
    }

    /// Formats it as rustfmt does: on one line only if it is short and has no other blocks.
    fn text(&self, indent: usize, is_arm: bool) -> String {
        let Self { condition, then, otherwise, is_chain } = self;
        let space = " ".repeat(indent);
        let joined = format!("if {condition} {{ {then} }} else {{ {otherwise} }}");
        let width = joined.chars().count();
        if !is_arm
            && !is_chain
            && !has_block(then)
            && !has_block(otherwise)
            && width <= MAX_IF
            && indent + width <= MAX_WIDTH
        {
            return format!("{space}{joined}\n");
        }
        let then = expression(then, indent + 4, false);
        let otherwise = if *is_chain {
            expression(otherwise, indent, true).trim_start().to_owned()
        } else {
            format!("{{\n{}{space}}}\n", expression(otherwise, indent + 4, false))
        };
        format!("{space}if {condition} {{\n{then}{space}}} else {otherwise}")
    }
}

/// Returns whether an expression has a block, such as that of an `if`.
fn has_block(text: &str) -> bool {
    braces(text).next().is_some()
}

/// Returns the place of the brace that ends a block, in the text after the one that began it.
fn end_of_block(text: &str) -> Option<usize> {
    let mut depth = 1;
    braces(text).find_map(|(place, brace)| {
        depth = if brace == '{' { depth + 1 } else { depth - 1 };
        (depth == 0).then_some(place)
    })
}

/// Returns the braces of a text and their places, without those in literals.
fn braces(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut is_literal, mut is_escaped) = (false, false);
    text.char_indices().filter(move |(_, c)| {
        let is_end = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_literal ^= is_end;
        !is_literal && ['{', '}'].contains(c)
    })
}

/// Breaks an attribute with many arguments.
fn attribute(line: &str, indent: usize) -> Option<(usize, String)> {
    let (name, arguments) = line.strip_prefix("#[")?.strip_suffix(")]")?.split_once('(')?;
    if arguments.chars().count() <= MAX_ATTRIBUTE || arguments.contains(['(', '"']) {
        return None;
    }
    let space = " ".repeat(indent);
    let arguments = arguments.split(", ").collect::<Vec<_>>().join(&format!(",\n{space}    "));
    Some((1, format!("{space}#[{name}(\n{space}    {arguments}\n{space})]\n")))
}

/// Joins the parameters of a function, or the elements of an array.
fn list(line: &str, lines: &[&str], indent: usize) -> Option<(usize, String)> {
    let is_signature = line.contains("fn ") && line.ends_with('(');
    let is_array = line.ends_with("= &[");
    if !is_signature && !is_array {
        return None;
    }
    let is_end = |other: &&str| other.len() - other.trim_start().len() == indent;
    let elements = lines[1..].iter().position(is_end)?;
    let listed: Vec<&str> = lines[1..=elements].iter().map(|line| line.trim_start()).collect();
    let listed = listed.join(" ");
    let listed = listed.strip_suffix(',')?;
    let joined = format!("{}{listed}{}", lines[0], lines[elements + 1].trim_start());
    let fits = joined.chars().count() <= MAX_WIDTH && (is_signature || listed.chars().count() <= MAX_ARRAY);
    fits.then(|| (elements + 2, joined + "\n"))
}

/// Joins an arm of a match with its answer.
fn arm(lines: &[&str], indent: usize) -> Option<(usize, String)> {
    let [first, answer, end, ..] = lines else { return None };
    let start = first.strip_suffix(" => {")?;
    let answer = answer.trim_start();
    let is_whole =
        end.trim_start() == "}" && end.len() == indent + 1 && !answer.ends_with(['{', '(', ';', '}']);
    let joined = format!("{start} => {answer},");
    (is_whole && joined.chars().count() <= MAX_WIDTH).then(|| (3, joined + "\n"))
}
