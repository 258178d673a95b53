//! The rows of a choice.

use qtdec_core::listing::listed;
use qtdec_core::{Basis, Place, Problem, Problems};

use super::builder::Builder;
use super::order::{natural, natural_method};
use super::times::{Row, Times};

impl Times {
    /// Returns the times with these values in columns, or of files whose keys have them; `None` if nothing is left.
    ///
    /// # Errors
    ///
    /// Fails for a name that is neither a column nor a key.
    pub fn select(self, choices: &[(String, String)]) -> Result<Option<Self>, Problems> {
        if choices.is_empty() {
            return Ok(Some(self));
        }
        let names = self.column_names();
        let mut of_rows = Vec::new();
        for (name, value) in choices {
            if self.header.about.has_key(name) {
                if !self.header.about.has(name, value) {
                    return Ok(None);
                }
            } else if names.contains(name) && *name != super::columns::time_column(self.header.unit) {
                of_rows.push((name, value));
            } else if name == super::MACHINE || name == super::LIBRARY {
                // A file that does not name its machine is not of the chosen one.
                return Ok(None);
            } else {
                let keys = self.header.about.lines().map(|(key, _)| key.to_owned());
                let known: Vec<String> = names.iter().cloned().chain(keys).collect();
                return Err(Problem::new(Place::File, format!("there is no column or key `{name}`"))
                    .help(format!("there are {}", listed(&known)))
                    .into());
            }
        }
        if of_rows.is_empty() {
            return Ok(Some(self));
        }
        let fits = |row: &Row| of_rows.iter().all(|(name, value)| self.field(row, name) == ***value);
        let kept: Vec<Row> = self.rows.iter().filter(|row| fits(row)).copied().collect();
        if kept.is_empty() {
            return Ok(None);
        }
        self.with_rows(kept).map(Some)
    }

    /// Returns the times of one collective, and those of none; `None` if nothing is left.
    ///
    /// # Errors
    ///
    /// Does not fail for rows of these times.
    pub fn of_collective(self, collective: &str) -> Result<Option<Self>, Problems> {
        let is_of = |row: &Row| {
            let named = self.series[row.series as usize].collective.as_deref();
            named.is_none_or(|named| named.eq_ignore_ascii_case(collective))
        };
        let kept: Vec<Row> = self.rows.iter().filter(|row| is_of(row)).copied().collect();
        match kept.len() {
            0 => Ok(None),
            all if all == self.rows.len() => Ok(Some(self)),
            _ => self.with_rows(kept).map(Some),
        }
    }

    /// Returns whether methods and launches are in the order of their names.
    pub(super) fn is_natural(&self) -> bool {
        self.methods.iter().is_sorted_by(|one, other| natural_method(one, other).is_le())
            && self.launches.iter().is_sorted_by(|one, other| natural(one, other).is_le())
    }

    fn with_rows(self, rows: Vec<Row>) -> Result<Self, Problems> {
        let mut builder = Builder::new(self.header)?;
        for method in self.methods {
            builder.method(method)?;
        }
        for launch in &self.launches {
            builder.launch(launch)?;
        }
        builder.keep_order();
        for series in self.series {
            builder.series(series)?;
        }
        for row in rows {
            builder.row(row)?;
        }
        builder.finish()
    }

    /// Returns the field of a row in a column.
    fn field(&self, row: &Row, name: &str) -> String {
        let series = &self.series[row.series as usize];
        let method = &self.methods[series.method as usize];
        match name {
            "method" => method.name.clone(),
            "collective" => series.collective.clone().unwrap_or_default(),
            "basis" => series.basis.map_or("", Basis::name).to_owned(),
            "launch" => self.launches[row.launch as usize].clone(),
            "process" if row.process > 0 => row.process.to_string(),
            "repeat" | "statistic" => match (row.sample, name) {
                (super::Sample::Repeat(number), "repeat") => number.to_string(),
                (super::Sample::Statistic(statistic), "statistic") => statistic.to_string(),
                _ => String::new(),
            },
            _ => {
                let position = |all: &[super::Named]| all.iter().position(|named| named.name == name);
                match (position(&self.header.axes), position(&self.header.parameters)) {
                    (Some(axis), _) => series.sizes[axis].to_string(),
                    (_, Some(parameter)) => method.values[parameter].clone(),
                    _ => String::new(),
                }
            }
        }
    }
}
