//! Sizes on axes, as they are written on the command line.

use qtdec_core::{Axis, Domain, Samples};

use super::Failure;

/// A size, with a suffix or without.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let suffixed = text.strip_suffix("iB").filter(|text| text.ends_with(['k', 'K', 'm', 'M', 'g', 'G']));
    let (digits, unit) = match suffixed.unwrap_or(text) {
        text if text.ends_with(['k', 'K']) => (&text[..text.len() - 1], 1 << 10),
        text if text.ends_with(['m', 'M']) => (&text[..text.len() - 1], 1 << 20),
        text if text.ends_with(['g', 'G']) => (&text[..text.len() - 1], 1 << 30),
        text => (text, 1),
    };
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    number.ok_or_else(|| format!("`{text}` is no size, such as 4096 or 4K"))
}

/// The size on an axis; a label is given by its position.
pub(super) fn size_on(axis: &Axis, text: &str) -> Result<u64, Failure> {
    match &axis.samples {
        Samples::Values(_) => size(text).map_err(Failure::Usage),
        Samples::Labels(labels) => match labels.iter().position(|label| label == text) {
            Some(position) => Ok(position as u64),
            None => {
                Err(Failure::Usage(format!("`{text}` is no {}: there are {}", axis.name, labels.join(", "))))
            }
        },
    }
}

/// The position of the axis of this name.
pub(super) fn axis(domain: &Domain, name: &str) -> Result<usize, Failure> {
    domain.find_axis(name).ok_or_else(|| {
        let known: Vec<&str> = domain.axes().iter().map(|axis| &*axis.name).collect();
        Failure::Usage(format!("there is no axis `{name}`: the axes are {}", known.join(", ")))
    })
}
