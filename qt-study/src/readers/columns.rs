//! The meaning of columns, and names of axes in places where other keywords are also allowed.

use qtdec_core::naming::is_identifier;
use strsim::damerau_levenshtein;

/// Keywords with a meaning of their own.
const RESERVED: [&str; 8] = ["method", "time", "segment_size", "collective", "job", "run", "repeat", "rank"];

/// The axes that most maps have: those of MPI's collectives.
pub(super) const SIZES: [&str; 2] = ["comm_size", "msg_size"];

/// Returns the name of an axis, without the prefix `axis:`, which marks a name as intended.
///
/// # Errors
///
/// Returns a message for the command line if the name is a misspelling of a keyword.
pub fn axis_name(name: &str) -> Result<&str, String> {
    let known = || RESERVED.into_iter().chain(SIZES);
    if let Some(axis) = name.strip_prefix("axis:") {
        return if RESERVED.contains(&axis) {
            Err(format!("`{axis}` has another meaning, and cannot be the name of an axis"))
        } else {
            Ok(axis)
        };
    }
    if known().any(|known| known == name) {
        return Ok(name);
    }
    match known().find(|known| is_slip(name, known)) {
        None => Ok(name),
        Some(like) => Err(format!(
            "did you mean `{like}` instead of `{name}`? If the axis really has this name, write `axis:{name}`"
        )),
    }
}

/// The minimum length of a keyword in which a single wrong letter is taken for a slip: `range`, `tile` and `bank` are one letter away
/// from shorter ones.
const LONG: usize = 6;

/// Returns whether a name can hardly be anything but this keyword: it differs in case, in separators, or in a single letter.
///
/// A plural or a number at the end makes another name: `repeats`, `msg_size2`.
fn is_slip(name: &str, keyword: &str) -> bool {
    let bare = |text: &str| text.to_lowercase().replace(['_', '-', ' '], "");
    let (name, keyword) = (bare(name), bare(keyword));
    let rest = name.strip_prefix(&*keyword);
    name == keyword
        || keyword.len() >= LONG
            && !rest.is_some_and(|rest| rest == "s" || rest.bytes().all(|byte| byte.is_ascii_digit()))
            && damerau_levenshtein(&name, &keyword) == 1
}

/// Returns the key of an axis, with the prefix that it needs if its name is similar to another key.
pub(super) fn key_of_axis(name: &str) -> String {
    if axis_name(name).is_ok() { name.to_owned() } else { format!("axis:{name}") }
}

/// Returns keys with their columns as the value of `--columns`.
pub(super) fn joined(pairs: &[(String, String)]) -> String {
    let pairs: Vec<String> = pairs.iter().map(|(key, column)| format!("{key}={column}")).collect();
    pairs.join(",")
}

/// The prefix of keys of constants.
const CONSTANT: &str = "constant:";

/// The meaning of columns, as far as the user specifies it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// The name of each axis and its column.
    pub axes: Vec<(String, String)>,
    /// The name of each constant of methods and its column.
    pub constants: Vec<(String, String)>,
    /// The columns that together name the method, joined by `:`.
    pub method: Vec<String>,
    /// The column of the segment size, in which 0 and an empty value mean none.
    pub segment_size: Option<String>,
    /// The column of the time.
    pub time: Option<String>,
    /// The column of the collective.
    pub collective: Option<String>,
    /// The column of the run.
    pub run: Option<String>,
    /// The column of the number of the repeat.
    pub repeat: Option<String>,
    /// The column of the rank whose time is in a row.
    pub rank: Option<String>,
}

impl Columns {
    /// Parses `comm_size=ranks,msg_size=bytes,method=algorithm+variant,time=median_us`: every key but `method`, `time`,
    /// `segment_size`, `collective`, `run`, `repeat` and `rank` is an axis. An axis with a similar name needs the prefix
    /// `axis:`; see [`axis_name`]. A key with the prefix `constant:` is a constant of methods, such as the size of their tiles.
    ///
    /// # Errors
    ///
    /// Returns a message for the command line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut columns = Self::default();
        let mut keys = Vec::new();
        for pair in text.split(',') {
            let parts = pair.split_once('=').filter(|(key, column)| !key.is_empty() && !column.is_empty());
            let (key, column) = parts.ok_or_else(|| format!("`{pair}` is not KEY=COLUMN"))?;
            if keys.contains(&key) {
                return Err(format!("`{key}` is given twice"));
            }
            keys.push(key);
            let column = column.to_owned();
            match key {
                "method" => columns.method = column.split('+').map(str::to_owned).collect(),
                "time" => columns.time = Some(column),
                "segment_size" => columns.segment_size = Some(column),
                "collective" => columns.collective = Some(column),
                "run" => columns.run = Some(column),
                "repeat" => columns.repeat = Some(column),
                "rank" => columns.rank = Some(column),
                "job" => {
                    let message = "the job of a time is not read from columns: name it in the pattern of the paths, as in '{job}/**'";
                    return Err(message.to_owned());
                }
                key if key.starts_with(CONSTANT) => {
                    let name = &key[CONSTANT.len()..];
                    if !is_identifier(name) {
                        return Err(format!(
                            "`{name}` cannot be the name of a constant: write a word, as in {CONSTANT}mr=COLUMN"
                        ));
                    }
                    columns.constants.push((name.to_owned(), column));
                }
                key => {
                    let axis = axis_name(key)?;
                    if !is_identifier(axis) {
                        return Err(format!(
                            "`{axis}` cannot be the name of an axis, which becomes a parameter of a function"
                        ));
                    }
                    columns.axes.push((axis.to_owned(), column));
                }
            }
        }
        let is_axis = |name: &String| columns.axes.iter().any(|(axis, _)| axis == name);
        if let Some((name, _)) = columns.constants.iter().find(|(name, _)| is_axis(name)) {
            return Err(format!("`{name}` is both an axis and a constant: give one of them another name"));
        }
        if columns.rank.is_some() && columns.repeat.is_none() {
            return Err(
                "`rank=COLUMN` needs `repeat=COLUMN`, which identifies the repeat of each rank".to_owned()
            );
        }
        Ok(columns)
    }

    /// Returns the keys with their columns, as [`parse`](Self::parse) accepts them.
    pub(super) fn pairs(&self) -> Vec<(String, String)> {
        let axes = self.axes.iter().map(|(name, column)| (key_of_axis(name), column.clone()));
        let method = (!self.method.is_empty()).then(|| ("method".to_owned(), self.method.join("+")));
        let others = [
            ("segment_size", &self.segment_size),
            ("time", &self.time),
            ("collective", &self.collective),
            ("run", &self.run),
            ("repeat", &self.repeat),
            ("rank", &self.rank),
        ];
        let others = others.into_iter().filter_map(|(key, column)| Some((key.to_owned(), column.clone()?)));
        let constants =
            self.constants.iter().map(|(name, column)| (format!("{CONSTANT}{name}"), column.clone()));
        axes.chain(constants).chain(method).chain(others).collect()
    }

    /// Returns these columns, completed by those of `other`.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        for (axis, column) in other.axes {
            if !self.axes.iter().any(|(known, _)| *known == axis) {
                self.axes.push((axis, column));
            }
        }
        if self.constants.is_empty() {
            self.constants = other.constants;
        }
        if self.method.is_empty() {
            self.method = other.method;
        }
        self.segment_size = self.segment_size.or(other.segment_size);
        self.time = self.time.or(other.time);
        self.collective = self.collective.or(other.collective);
        self.run = self.run.or(other.run);
        self.repeat = self.repeat.or(other.repeat);
        self.rank = self.rank.or(other.rank);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_keys_are_not_axes() {
        let misspelt = [
            ("msgsize", "msg_size"),
            ("MSG_SIZE", "msg_size"),
            ("commsize", "comm_size"),
            ("comm-size", "comm_size"),
            ("com_size", "comm_size"),
            ("methd", "method"),
            ("mehtod", "method"),
            ("Method", "method"),
            ("collectve", "collective"),
            ("segmentsize", "segment_size"),
            ("Time", "time"),
        ];
        for (name, meant) in misspelt {
            assert!(axis_name(name).unwrap_err().contains(&format!("`{meant}`")), "{name}");
            assert_eq!(axis_name(&format!("axis:{name}")), Ok(name));
        }
        let axes = "comm_size ppn nodes size radix root operation datatype algorithm range times runs tile bank ranks ran rang \
                    mode line lime dime tome tie rum runt tank rack seed repeats methods meth segments msg_size2 size_msg \
                    command depth width n k";
        for axis in axes.split_whitespace() {
            assert_eq!(axis_name(axis), Ok(axis));
        }
        assert!(axis_name("axis:method").is_err());
    }
}
