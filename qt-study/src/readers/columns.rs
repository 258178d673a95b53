//! The meaning of columns.

use qtdec_core::naming::is_identifier;

use super::axis_name::axis_name;

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
