//! Suggestions of `--columns` and `--where` for a column that may be a condition of the measurement.

use qtdec_core::naming::is_identifier;
use qtdec_core::{Place, Problem};

use super::axis_name::SIZES;
use super::collective_name;
use super::columns::{joined, key_of_axis};
use super::shell::quoted;
use super::table::names::usual_key;
use crate::size::size;
use crate::vocabulary::Vocabulary;

/// The maximum length of a value in a message.
const LONGEST_VALUE: usize = 40;

/// The columns of a table that are named, as keys and columns of `--columns`.
pub(super) struct NamedColumns {
    /// The axes that are columns.
    pub(super) axes: Vec<(String, String)>,
    /// The columns that name the method; none if the path or the user names it.
    pub(super) method: Vec<String>,
    /// The columns that the user named.
    pub(super) requested: Vec<(String, String)>,
}

impl NamedColumns {
    /// Returns the value of `--columns` that also gives a column the meaning of a key.
    fn with(&self, key: &str, column: &str) -> String {
        let pair = (key.to_owned(), column.to_owned());
        let is_axis = |(name, _): &&(String, String)| self.axes.iter().any(|(axis, _)| axis == name);
        let others = self.requested.iter().filter(|known| !is_axis(known)).cloned();
        joined(&self.axes.iter().cloned().chain([pair]).chain(others).collect::<Vec<_>>())
    }

    /// Returns the value of `--columns` that makes a column part of the method.
    fn with_part_of_method(&self, column: &str) -> String {
        let method = ("method".to_owned(), format!("{}+{column}", self.method.join("+")));
        let others = self.requested.iter().filter(|(key, _)| key != "method").cloned();
        joined(&others.chain([method]).collect::<Vec<_>>())
    }

    /// Returns the key of `--columns` for a column of numbers.
    fn key(&self, column: &str) -> String {
        let usual = usual_key(column).filter(|key| !self.axes.iter().any(|(axis, _)| axis == key));
        // The sizes of another choice keep their names.
        let of_mpi = self.axes.iter().any(|(axis, _)| SIZES.contains(&&**axis));
        match usual {
            Some(key @ ("comm_size" | "msg_size")) if of_mpi => key.to_owned(),
            _ if is_identifier(column) => key_of_axis(column),
            _ => "NAME".to_owned(),
        }
    }
}

/// Returns the fault of a column that may be a condition.
pub(super) fn condition(
    line: u64,
    name: &str,
    value: &[u8],
    at: &str,
    offer: &NamedColumns,
    vocabulary: &Vocabulary,
) -> Problem {
    let value = String::from_utf8_lossy(value);
    let shown: String = value.chars().take(LONGEST_VALUE).collect();
    let message = format!(
        "`{name}` changes among the times of one method at one point, and is neither an axis, part of the \
             method nor a repeat: it is `{shown}` here, and was different at {at}"
    );
    let collective = collective_name(&value);
    let what_it_is = if vocabulary.has(&collective) {
        format!(" declare it the collective with --columns {},", quoted(&offer.with("collective", name)))
    } else if size(&value).is_some() {
        format!(" make it an axis with --columns {},", quoted(&offer.with(&offer.key(name), name)))
    } else if offer.method.is_empty() {
        String::new()
    } else {
        format!(" make it part of the method with --columns {},", quoted(&offer.with_part_of_method(name)))
    };
    let (one, every) = (quoted(&format!("{name}={shown}")), quoted(name));
    Problem::new(Place::Line(line), message)
        .help(format!("choose rows with --where {one},{what_it_is} or pool its rows with --repeat {every}"))
}
