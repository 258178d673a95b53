//! Tables in pages of text that programs write.

/// What follows a table.
const END: &str = "\n<!-- end of the table -->";

/// Returns a chapter with a table between the lines that name it.
///
/// # Errors
///
/// Fails if the chapter has no such lines.
pub fn with_table(chapter: &str, name: &str, table: &str) -> Result<String, String> {
    let start = format!("<!-- table {name} -->\n");
    let from = chapter.find(&start).ok_or_else(|| format!("the chapter lacks the line {}", start.trim()))?;
    // The end begins with a newline, which is that of the start if there is no table yet.
    let from = from + start.len() - 1;
    let length = chapter[from..].find(END).ok_or_else(|| format!("the table {name} has no end"))?;
    let mut chapter = chapter.to_owned();
    chapter.replace_range(from..from + length, &format!("\n\n{table}"));
    Ok(chapter)
}

/// Returns a chapter with a table as [`with_table`] does. A table that it lacks is added under a title, after the last one whose name begins
/// with the same word.
///
/// # Errors
///
/// Fails if the chapter has no table whose name begins so.
pub fn with_new_table(chapter: &str, name: &str, title: &str, table: &str) -> Result<String, String> {
    if chapter.contains(&format!("<!-- table {name} -->\n")) {
        return with_table(chapter, name, table);
    }
    let word = name.split(' ').next().unwrap_or(name);
    let alike = chapter.rfind(&format!("<!-- table {word} "));
    let end = alike.and_then(|from| Some(from + chapter[from..].find(END)? + END.len()));
    let Some(end) = end else { return with_table(chapter, name, table) };
    let mut chapter = chapter.to_owned();
    chapter.insert_str(end, &format!("\n\n{title}\n\n<!-- table {name} -->\n{END}"));
    with_table(&chapter, name, table)
}

#[cfg(test)]
mod tests {
    use super::{with_new_table, with_table};

    #[test]
    fn only_the_named_table_changes() {
        let chapter = "Text\n<!-- table a -->\n\nold\n\n<!-- end of the table -->\n<!-- table b -->\n\n<!-- end of the table -->\n";
        let written = with_table(chapter, "a", "new\n").unwrap();
        assert_eq!(written, chapter.replace("old", "new"));
        let empty = chapter.replace("\n\nold\n", "");
        assert_eq!(with_table(&empty, "a", "new\n").unwrap(), written);
        assert!(with_table(chapter, "c", "").unwrap_err().contains("<!-- table c -->"));
        assert!(with_table("<!-- table a -->\n", "a", "").unwrap_err().contains("has no end"));
    }

    #[test]
    fn a_new_table_follows_those_of_its_kind() {
        let one = "<!-- table a 1 -->\n\nold\n\n<!-- end of the table -->\n\nText\n";
        let two = with_new_table(one, "a 2", "Title:", "new\n").unwrap();
        let added = "\n\nTitle:\n\n<!-- table a 2 -->\n\nnew\n\n<!-- end of the table -->\n\nText\n";
        assert_eq!(two, one.replace("\n\nText\n", added));
        let again = with_new_table(&two, "a 2", "Title:", "newer\n").unwrap();
        assert_eq!(again, two.replace("new\n", "newer\n"));
        assert!(with_new_table(one, "b 1", "Title:", "").unwrap_err().contains("<!-- table b 1 -->"));
    }
}
