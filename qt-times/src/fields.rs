//! The fields of a row as they are written.

use std::borrow::Cow;

/// Returns a field as it is written: in quotation marks if it has a comma or a quotation mark.
pub(crate) fn field(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns the fields of a line, each with its position in bytes; `None` if quotation marks do not match.
pub(crate) fn fields(line: &str) -> Option<Vec<(usize, Cow<'_, str>)>> {
    let mut fields = Vec::new();
    let mut at = 0;
    loop {
        let rest = &line[at..];
        let (field, length) = match rest.strip_prefix('"') {
            Some(quoted) => {
                let (text, length) = unquoted(quoted)?;
                (Cow::Owned(text), length + 1)
            }
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                (Cow::Borrowed(&rest[..end]), end)
            }
        };
        fields.push((at, field));
        match rest[length..].strip_prefix(',') {
            Some(_) => at += length + 1,
            None => return rest[length..].is_empty().then_some(fields),
        }
    }
}

/// Returns a text after its opening quotation mark, and the number of bytes up to and with the closing one.
fn unquoted(quoted: &str) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut at = 0;
    loop {
        let mark = at + quoted[at..].find('"')?;
        text.push_str(&quoted[at..mark]);
        if !quoted[mark + 1..].starts_with('"') {
            return Some((text, mark + 1));
        }
        text.push('"');
        at = mark + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_read_back() {
        for texts in [&["", "a", ""][..], &["a,b", "\"", "\"a\"", ",,"], &["ä,\"", "b"], &[""]] {
            let line: Vec<Cow<'_, str>> = texts.iter().map(|text| field(text)).collect();
            let line = line.join(",");
            let read: Vec<String> =
                fields(&line).unwrap().into_iter().map(|(_, text)| text.into_owned()).collect();
            assert_eq!(read, texts, "{line}");
        }
        let places: Vec<usize> =
            fields("ä,\"b\"\"\",c").unwrap().into_iter().map(|(place, _)| place).collect();
        assert_eq!(places, [0, 3, 9]);
        assert_eq!((fields("\"a"), fields("\"a\"b,c")), (None, None));
    }
}
