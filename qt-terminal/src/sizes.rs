//! Parsers for sizes on the command line.

use qtdec_core::{Axis, Domain, Samples};

use crate::Failure;
use qtdec_study::size::size as exact;

/// Parses a size with an optional suffix.
pub fn size(text: &str) -> Result<u64, String> {
    exact(text).ok_or_else(|| format!("`{text}` is not a size such as 4096 or 4K"))
}

/// Parses a size on an axis; a label is converted to its position.
pub fn size_on(axis: &Axis, text: &str) -> Result<u64, Failure> {
    match &axis.samples {
        Samples::Values(_) => size(text).map_err(Failure::Usage),
        Samples::Labels(labels) => match labels.iter().position(|label| label == text) {
            Some(position) => Ok(position as u64),
            None => Err(Failure::usage(format!(
                "`{text}` is not a label of axis `{}`: the labels are {}",
                axis.name,
                labels.join(", ")
            ))),
        },
    }
}

pub fn axis(domain: &Domain, name: &str) -> Result<usize, Failure> {
    domain.find_axis(name).ok_or_else(|| {
        let known: Vec<&str> = domain.axes().iter().map(|axis| &*axis.name).collect();
        Failure::usage(format!("there is no axis `{name}`: the axes are {}", known.join(", ")))
    })
}

const MAX_SIZES: usize = 65_536;

/// Parses a list of sizes: `2,4,8`, `2..64`, `2..64:2` with a step, or `1..1M*2` with a factor. Ranges include both
/// ends.
pub fn sizes(text: &str) -> Result<Vec<u64>, String> {
    let mut all = Vec::new();
    for part in text.split(',') {
        match part.split_once("..") {
            Some((first, rest)) => extend_range(&mut all, part, first, rest)?,
            None => all.push(size(part)?),
        }
        if all.len() > MAX_SIZES {
            return Err(format!("the list has more than {MAX_SIZES} sizes"));
        }
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

fn extend_range(all: &mut Vec<u64>, part: &str, first: &str, rest: &str) -> Result<(), String> {
    let (last, step, factor) = match (rest.split_once(':'), rest.split_once('*')) {
        (Some((last, step)), None) => (last, size(step)?, 1),
        (None, Some((last, factor))) => (last, 0, size(factor)?),
        (None, None) => (rest, 1, 1),
        (Some(_), Some(_)) => return Err(format!("`{part}` has a step and a factor: remove one of them")),
    };
    let (mut at, last) = (size(first)?, size(last)?);
    if at > last {
        return Err(format!("`{part}` ends below its beginning"));
    }
    let next = |at: u64| at.checked_mul(factor)?.checked_add(step);
    if next(at).is_some_and(|next| next <= at) {
        return Err(format!(
            "`{part}` never ends: the step must be at least 1; with a factor, which must be at least 2, the \
                 range cannot begin at 0"
        ));
    }
    while at <= last && all.len() <= MAX_SIZES {
        all.push(at);
        let Some(next) = next(at) else { break };
        at = next;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_sizes_ranges_steps_and_factors() {
        let cases: [(&str, &[u64]); 8] = [
            ("2,4,8", &[2, 4, 8]),
            ("8,2,8", &[2, 8]),
            ("2..5", &[2, 3, 4, 5]),
            ("2..9:3", &[2, 5, 8]),
            ("1..1K*4", &[1, 4, 16, 64, 256, 1024]),
            ("3,1K..4K*2", &[3, 1024, 2048, 4096]),
            ("7..7", &[7]),
            ("18446744073709551615..18446744073709551615*2", &[u64::MAX]),
        ];
        for (text, expected) in cases {
            assert_eq!(sizes(text).unwrap(), expected, "{text}");
        }
        for text in ["", "2,,4", "4..2", "1..9:0", "0..9*2", "1..9*1", "1..9:2*2", "x", "2..", "1..1000000"] {
            assert!(sizes(text).is_err(), "{text}");
        }
    }
}
