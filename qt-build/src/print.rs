//! Generated code as text, in the style of rustfmt.
//!
//! `prettyplease` breaks lines by rules of its own. Where generated code is read, in enums, signatures and branches, its lines are joined
//! and broken again as rustfmt does by default.

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
    let text = prettyplease::unparse(&file);
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
        .or_else(|| attribute(line, indent))
        .or_else(|| list(line, lines, indent))
        .or_else(|| arm(lines, indent))
}

/// Joins or breaks an `if` with an `else`, each with one expression. It is broken in any case where it is an arm of a match.
fn branch(line: &str, lines: &[&str], indent: usize, is_arm: bool) -> Option<(usize, String)> {
    let on_one_line = || {
        let (condition, rest) = line.trim_end_matches(',').strip_prefix("if ")?.split_once(" { ")?;
        let (then, otherwise) = rest.strip_suffix(" }")?.split_once(" } else { ")?;
        Some((1, condition, then, otherwise))
    };
    let on_five = || {
        let [_, then, middle, otherwise, end, ..] = lines else { return None };
        let condition = line.strip_prefix("if ")?.strip_suffix(" {")?;
        let is_indented = |line: &str, by: usize| line.len() - line.trim_start().len() == by;
        let is_whole = [then, otherwise].iter().all(|line| {
            is_indented(line, indent + 4) && !line.ends_with(['(', ';', ',']) && !line.contains(['{', '}'])
        });
        let is_branch = is_indented(middle, indent) && middle.trim_start() == "} else {";
        let is_last = is_indented(end, indent) && end.trim_start() == "}";
        (is_whole && is_branch && is_last).then(|| (5, condition, then.trim_start(), otherwise.trim_start()))
    };
    let (taken, condition, then, otherwise) = on_one_line().or_else(on_five)?;
    let joined = format!("if {condition} {{ {then} }} else {{ {otherwise} }}");
    let space = " ".repeat(indent);
    Some(if !is_arm && joined.chars().count() <= MAX_IF && indent + joined.chars().count() <= MAX_WIDTH {
        (taken, format!("{space}{joined}\n"))
    } else {
        let text = format!(
            "{space}if {condition} {{\n{space}    {then}\n{space}}} else {{\n{space}    {otherwise}\n{space}}}\n"
        );
        (taken, text)
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
