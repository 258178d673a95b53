//! Tables in pages of text that programs write.

/// Returns a chapter with a table between the lines that name it.
///
/// # Errors
///
/// Fails if the chapter has no such lines.
pub fn with_table(chapter: &str, name: &str, table: &str) -> Result<String, String> {
    let (start, end) = (format!("<!-- table {name} -->\n"), "\n<!-- end of the table -->");
    let from = chapter.find(&start).ok_or_else(|| format!("the chapter lacks the line {}", start.trim()))?;
    let from = from + start.len();
    let length = chapter[from..].find(end).ok_or_else(|| format!("the table {name} has no end"))?;
    let mut chapter = chapter.to_owned();
    chapter.replace_range(from..from + length, &format!("\n{table}"));
    Ok(chapter)
}

#[cfg(test)]
mod tests {
    use super::with_table;

    #[test]
    fn only_the_named_table_changes() {
        let chapter = "Text\n<!-- table a -->\n\nold\n\n<!-- end of the table -->\n<!-- table b -->\n\n<!-- end of the table -->\n";
        let written = with_table(chapter, "a", "new\n").unwrap();
        assert_eq!(written, chapter.replace("old", "new"));
        assert!(with_table(chapter, "c", "").unwrap_err().contains("<!-- table c -->"));
        assert!(with_table("<!-- table a -->\n", "a", "").unwrap_err().contains("has no end"));
    }
}
