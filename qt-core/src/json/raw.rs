//! JSON values as their text.

use super::scan::{Fault, Scanner};

/// The text of a JSON value, without blanks around it.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'t>(&'t str);

impl<'t> Raw<'t> {
    /// Returns the value that a text consists of, or the first place that is not JSON.
    pub(super) fn parse(text: &'t str) -> Result<Self, Fault> {
        let mut scanner = Scanner::new(text, 0);
        scanner.after_blanks();
        let start = scanner.at();
        scanner.value()?;
        let end = scanner.at();
        scanner.finish()?;
        Ok(Self(&text[start..end]))
    }

    /// Returns the text.
    pub fn get(self) -> &'t str {
        self.0
    }

    /// Returns the elements of an array; `None` if it is not an array.
    pub(super) fn elements(self) -> Option<Parts<'t>> {
        Parts::of(self.0, '[')
    }

    /// Returns the members of an object in file order, with their keys still quoted; `None` if it is not an object.
    pub(super) fn members(self) -> Option<impl Iterator<Item = (Self, Self)>> {
        let mut parts = Parts::of(self.0, '{')?;
        Some(std::iter::from_fn(move || parts.member()))
    }

    /// Returns the value of a number; `None` if it is not a number, or beyond all finite ones.
    pub(super) fn number(self) -> Option<f64> {
        self.0.parse().ok().filter(|number: &f64| self.is_number() && number.is_finite())
    }

    pub(super) fn is_number(self) -> bool {
        matches!(self.0.as_bytes()[0], b'-' | b'0'..=b'9')
    }

    /// Returns the value of a string; `None` if it is not a string, or one of its escapes is not a character.
    pub(super) fn string(self) -> Option<String> {
        let mut rest = self.0.strip_prefix('"')?.strip_suffix('"')?;
        let mut value = String::with_capacity(rest.len());
        while let Some(escape) = rest.find('\\') {
            value.push_str(&rest[..escape]);
            rest = &rest[escape + 1..];
            let letter = rest.as_bytes()[0];
            rest = &rest[1..];
            value.push(match letter {
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'u' => {
                    let mut unit = unit(&mut rest)?;
                    if (0xD800..0xDC00).contains(&unit) {
                        rest = rest.strip_prefix("\\u")?;
                        let low = self::unit(&mut rest)?.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
                        unit = 0x10000 + ((unit - 0xD800) << 10) + low;
                    }
                    char::from_u32(unit)?
                }
                other => char::from(other),
            });
        }
        value.push_str(rest);
        Some(value)
    }
}

/// Takes the four digits of an escape from the beginning of a text.
fn unit(rest: &mut &str) -> Option<u32> {
    let (digits, after) = rest.split_at_checked(4)?;
    *rest = after;
    u32::from_str_radix(digits, 16).ok()
}

/// The rest of an array or object.
pub(super) struct Parts<'t> {
    text: &'t str,
    scanner: Scanner<'t>,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str, open: char) -> Option<Self> {
        text.starts_with(open).then(|| Self { text, scanner: Scanner::new(text, 1) })
    }

    /// Skips what stands before the next part; `None` at the end.
    fn advance(&mut self) -> Option<()> {
        match self.scanner.after_blanks()? {
            b',' => self.scanner.skip(),
            b']' | b'}' => return None,
            _ => {}
        }
        self.scanner.after_blanks().map(|_| ())
    }

    /// Returns the value here. The text is valid JSON.
    fn value(&mut self) -> Option<Raw<'t>> {
        self.scanner.after_blanks()?;
        let start = self.scanner.at();
        self.scanner.value().ok()?;
        Some(Raw(&self.text[start..self.scanner.at()]))
    }

    fn member(&mut self) -> Option<(Raw<'t>, Raw<'t>)> {
        self.advance()?;
        let start = self.scanner.at();
        self.scanner.key().ok()?;
        let key = self.text[start..self.scanner.at()].trim_end_matches(':').trim_end();
        Some((Raw(key), self.value()?))
    }
}

impl<'t> Iterator for Parts<'t> {
    type Item = Raw<'t>;

    fn next(&mut self) -> Option<Raw<'t>> {
        self.advance()?;
        self.value()
    }
}
