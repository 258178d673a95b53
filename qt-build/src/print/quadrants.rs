//! The quadrants of a quadtree, as comments and as conditions on lines of rustfmt's width.

use super::MAX_WIDTH;

/// Replaces the statements that name quadrants, which may have several lines, by comments.
pub(super) fn commented(text: &str) -> String {
    let mut parts = text.split("qtdec_quadrants!(");
    let first = parts.next().unwrap_or_default().to_owned();
    let comment = |part: &str| {
        let (names, rest) = part.split_once(");").unwrap_or((part, ""));
        format!("// {}{rest}", names.trim().trim_matches('"'))
    };
    first + &parts.map(comment).collect::<Vec<_>>().concat()
}

/// Joins the lines of a condition, or breaks it at every `||`, or else `&&`, if it is too long for one line.
pub(super) fn condition(lines: &[&str], indent: usize) -> Option<(usize, String)> {
    let first = lines[0].trim_start();
    let begins = ["if ", "} else if "].iter().any(|word| first.starts_with(word));
    if !begins || first.ends_with(['{', '}', ',']) {
        return None;
    }
    let space = " ".repeat(indent);
    let end = lines.iter().position(|line| line.strip_prefix(&*space) == Some("{"))?;
    let joined = lines[..end].iter().map(|line| line.trim_start()).collect::<Vec<_>>().join(" ");
    let width = indent + joined.chars().count();
    let text = if width + " {".len() <= MAX_WIDTH {
        format!("{space}{joined} {{\n")
    } else if width <= MAX_WIDTH {
        format!("{space}{joined}\n{space}{{\n")
    } else {
        let operator = if joined.contains(" || ") { " || " } else { " && " };
        let broken = joined.replace(operator, &format!("\n{space}   {operator}"));
        format!("{space}{broken}\n{space}{{\n")
    };
    Some((end + 1, text))
}
