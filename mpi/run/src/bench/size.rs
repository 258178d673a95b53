//! Sizes in bytes, as options say them.

/// Reads a number of bytes such as `8K`.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let (number, shift) = match text.as_bytes().last() {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number = number.parse::<u64>().ok().filter(|number| *number < 1 << 30);
    number.map(|number| number << shift).ok_or_else(|| "not a number of bytes, such as 1000 or 8K".to_owned())
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_units() {
        assert_eq!((size("8K"), size("1M"), size("17")), (Ok(8192), Ok(1 << 20), Ok(17)));
        for text in ["", "K", "-1", "1.5K", "99999999999999999999G", "2000000000"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
