//! Sizes as people and programs write them: `4096`, `4K`, `4Ki`, `4KiB`, `1.5M`, `4.0`, `1e3`, `2^10`.

/// Parses a size, or returns `None` unless the text is exactly a whole number below 2⁶⁴. K, M and G, with `i`, `iB` or nothing, are
/// powers of 1024.
pub fn size(text: &str) -> Option<u64> {
    if text.len() <= 19 && is_digits(text) {
        return text.parse().ok();
    }
    let text = text.strip_prefix('+').unwrap_or(text);
    if let Some((base, exponent)) = text.split_once('^') {
        return whole(base, 0, 1)?.checked_pow(exponent.parse().ok()?);
    }
    let bare = text.strip_suffix("iB").or_else(|| text.strip_suffix('i'));
    let bare = bare.filter(|text| text.ends_with(SUFFIXES)).unwrap_or(text);
    let (number, unit) = match bare.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&bare[..at], 1 << 10),
        Some((at, 'm' | 'M')) => (&bare[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&bare[..at], 1 << 30),
        _ => (bare, 1),
    };
    match number.split_once(['e', 'E']) {
        None => whole(number, 0, unit),
        Some((number, exponent)) if unit == 1 => whole(number, exponent.parse().ok()?, 1),
        Some(_) => None,
    }
}

/// Returns whether a text consists of decimal digits.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

const SUFFIXES: [char; 6] = ['k', 'K', 'm', 'M', 'g', 'G'];

/// Returns a decimal number times a power of ten and a unit if the product is whole. Nothing is rounded.
fn whole(number: &str, exponent: i32, unit: u64) -> Option<u64> {
    let (digits, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if !is_digits(digits) || !is_digits(fraction) {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let mantissa = format!("{digits}{fraction}");
    let mantissa = mantissa.trim_start_matches('0');
    if mantissa.is_empty() {
        return Some(0);
    }
    let product = mantissa.parse::<u128>().ok()?.checked_mul(unit.into())?;
    let exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let power = 10_u128.checked_pow(exponent.unsigned_abs())?;
    let product = if exponent >= 0 {
        product.checked_mul(power)?
    } else {
        product.is_multiple_of(power).then(|| product / power)?
    };
    product.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_exact() {
        for (text, expected) in [
            ("0", 0),
            ("007", 7),
            ("4096", 4096),
            ("4.0", 4),
            ("4.000000", 4),
            ("1e3", 1000),
            ("1.5E+3", 1500),
            ("40e-1", 4),
            ("0e999999", 0),
            ("4K", 4096),
            ("4k", 4096),
            ("4KiB", 4096),
            ("1Ki", 1024),
            ("2^10", 1024),
            ("10^0", 1),
            ("1.5K", 1536),
            ("0.5KiB", 512),
            ("1M", 1 << 20),
            ("2GiB", 2 << 30),
            ("9007199254740993.0", 9_007_199_254_740_993),
            ("18446744073709551615", u64::MAX),
            ("18446744073709551615.000", u64::MAX),
        ] {
            assert_eq!(size(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "4.5",
            "4.",
            ".5",
            "-4",
            "K",
            "4iB",
            "4KB",
            "4i",
            "2^64",
            "2^-1",
            "2^",
            "2^1K",
            "4Kib",
            "4 K",
            "1e",
            "1e3K",
            "1e-1",
            "0.3K",
            "1e20",
            "1e999999999999",
            "18446744073709551616",
            "16G16",
            "nan",
            "inf",
            "0x10",
            "1_000",
            "1,000",
            "４",
        ] {
            assert_eq!(size(text), None, "{text}");
        }
    }
}
