//! The number of attributes, counted before a file is parsed: the parser compares each attribute of an element with those before it, and
//! hands namespaces down from element to element.

use qtdec_core::{Place, Problem};

/// The maximum number of attributes of an element; the runtime knows 12 of an algorithm.
const MAX_ATTRIBUTES: usize = 256;

/// The maximum number of namespaces of a file; the runtime knows none.
const MAX_NAMESPACES: usize = 16;

/// What looks like the start of an element and is none, with its end.
const OTHERS: [(&str, &str); 3] = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];

/// Checks the number of attributes of each element, up to the first place where the text is not XML.
pub(super) fn check(text: &str) -> Result<(), Problem> {
    let (mut at, mut namespaces) = (0, 0);
    while let Some(start) = text[at..].find('<') {
        at += start;
        let tag = &text[at..];
        if let Some((_, end)) = OTHERS.iter().find(|(start, _)| tag.starts_with(start)) {
            at += tag.find(end).map_or(tag.len(), |found| found + end.len());
            continue;
        }
        let (mut attributes, mut quote, mut name) = (0, None, 0);
        for (place, byte) in tag.bytes().enumerate() {
            match (byte, quote) {
                (b'"' | b'\'', None) => quote = Some(byte),
                (_, Some(open)) if byte == open => (quote, name) = (None, place + 1),
                (b'=', None) => {
                    attributes += 1;
                    let words = tag[name..place].split_ascii_whitespace();
                    namespaces += usize::from(words.last().is_some_and(|name| name.starts_with("xmlns")));
                    name = place + 1;
                }
                (b'>', None) => break,
                _ => {}
            }
            at += 1;
            let message = match () {
                () if attributes > MAX_ATTRIBUTES => {
                    format!("an element has more than {MAX_ATTRIBUTES} attributes")
                }
                () if namespaces > MAX_NAMESPACES => {
                    format!("the file declares more than {MAX_NAMESPACES} namespaces")
                }
                () => continue,
            };
            let line = 1 + text[..at].bytes().filter(|byte| *byte == b'\n').count() as u64;
            return Err(
                Problem::new(Place::Line(line), message).help("remove those that the runtime does not know")
            );
        }
    }
    Ok(())
}
