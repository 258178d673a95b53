//! The options of encoders.

use std::ops::RangeBounds;

use crate::listing::one_of;
use crate::option_form::OptionForm;

/// An option of an algorithm: its [spelling](OptionForm), and the field that holds its value.
pub(super) struct Setting<A> {
    pub(super) name: &'static str,
    pub(super) value: &'static str,
    pub(super) help: &'static str,
    /// Sets the value, or returns a description of the expected one.
    pub(super) set: fn(&mut A, &str) -> Result<(), String>,
    /// Returns the value as it is spelled; `None` if there is none.
    pub(super) get: fn(&A) -> Option<String>,
}

impl<A> Setting<A> {
    /// Creates the option that limits the depth, which several encoders have.
    pub(super) const fn max_depth(
        set: fn(&mut A, &str) -> Result<(), String>,
        get: fn(&A) -> Option<String>,
    ) -> Self {
        Self { name: "max_depth", value: "N", help: "limit the depth of blocks and leaves", set, get }
    }

    pub(super) fn form(&self) -> OptionForm {
        OptionForm { name: self.name, value: self.value, help: self.help }
    }
}

/// The values of an option with their names.
pub(super) type Names<T> = [(&'static str, T)];

/// Sets a field to the value with this name, or returns a list of the known names.
pub(super) fn choose<T: Copy>(field: &mut T, name: &str, known: &Names<T>) -> Result<(), String> {
    *field = one_of(name, known)?;
    Ok(())
}

/// Parses the limit of a depth.
pub(super) fn depth(value: &str) -> Result<Option<u32>, String> {
    value.parse().map(Some).map_err(|_| "a whole number, such as 3".to_owned())
}

/// Parses an option in per cent. A number above 0 and up to `share` is refused, because it is a share rather than a percentage.
pub(super) fn percent(value: &str, share: impl RangeBounds<f64>, expected: &str) -> Result<f64, String> {
    match value.parse::<f64>() {
        Ok(percent) if percent > 0.0 && share.contains(&percent) => {
            Err(format!("in per cent, such as {}", (1e6 * percent).round() / 1e4))
        }
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err(expected.to_owned()),
    }
}
