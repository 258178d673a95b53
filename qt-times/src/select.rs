//! The rows of a choice.

use std::collections::BTreeSet;

use qtdec_core::listing::listed;
use qtdec_core::{Basis, Place, Problem, Problems};

use crate::about::{BLOCKS, LIBRARY, MACHINE};
use crate::builder::Builder;
use crate::columns::time_column;
use crate::header::Named;
use crate::times::{Row, Sample, Series, Times};

impl Times {
    /// Returns the values of a key or in a column; an absent machine, library or division into blocks is empty.
    ///
    /// # Errors
    ///
    /// Fails for a name that is neither a key nor a column.
    pub fn values(&self, name: &str) -> Result<BTreeSet<String>, Problem> {
        if self.is_key(name) {
            let values = self.header.about.lines().filter(|(key, _)| *key == name);
            let values: BTreeSet<String> = values.map(|(_, value)| value.to_owned()).collect();
            return Ok(if values.is_empty() { BTreeSet::from([String::new()]) } else { values });
        }
        let names = self.column_names();
        if names.contains(&name.to_owned()) && name != time_column(self.header.unit) {
            return Ok(self.rows.iter().map(|row| self.field(row, name)).collect());
        }
        let keys = self.header.about.lines().map(|(key, _)| key.to_owned());
        let known: Vec<String> = names.into_iter().chain(keys).collect();
        Err(Problem::new(Place::File, format!("there is no column or key `{name}`"))
            .help(format!("there are {}", listed(&known))))
    }

    /// Returns the times with these values of keys and in columns; `None` if nothing is left.
    ///
    /// # Errors
    ///
    /// Does not fail for names that [`values`](Self::values) knows.
    pub fn select(self, choices: &[(String, String)]) -> Result<Option<Self>, Problems> {
        let (of_file, of_rows): (Vec<_>, Vec<_>) = choices.iter().partition(|(name, _)| self.is_key(name));
        if !of_file.into_iter().all(|(name, value)| self.header.about.has(name, value)) {
            return Ok(None);
        }
        let fits = |row: &Row| of_rows.iter().all(|(name, value)| self.field(row, name) == **value);
        let kept: Vec<Row> = self.rows.iter().filter(|row| fits(row)).copied().collect();
        match kept.len() {
            0 => Ok(None),
            all if all == self.rows.len() => Ok(Some(self)),
            _ => self.with_rows(kept, None).map(Some),
        }
    }

    fn is_key(&self, name: &str) -> bool {
        self.header.about.has_key(name) || [MACHINE, LIBRARY, BLOCKS].contains(&name)
    }

    /// Returns the times of one collective, which is also that of times that name none; `None` if nothing is left.
    ///
    /// # Errors
    ///
    /// Fails for a name that a file cannot hold, and for rows that have the same place once they name the collective.
    pub fn of_collective(self, collective: &str) -> Result<Option<Self>, Problems> {
        let kept = self.rows.iter().copied().filter(|row| {
            let named = self.series[row.series as usize].collective.as_deref();
            named.is_none_or(|named| named.eq_ignore_ascii_case(collective))
        });
        let kept: Vec<Row> = kept.collect();
        let is_whole =
            kept.len() == self.rows.len() && self.series.iter().all(|series| series.collective.is_some());
        if kept.is_empty() {
            return Ok(None);
        }
        if is_whole {
            return Ok(Some(self));
        }
        self.with_rows(kept, Some(&collective.to_lowercase())).map(Some)
    }

    /// Returns some of the rows; series that name no collective are of this one.
    fn with_rows(self, rows: Vec<Row>, collective: Option<&str>) -> Result<Self, Problems> {
        let mut builder = Builder::new(self.header.clone())?;
        let numbers = self.known_to(&mut builder, collective)?;
        builder.keep_order();
        Self { rows, ..self }.add_to(&mut builder, &numbers, 1.0, |series| Series {
            collective: series.collective.or_else(|| collective.map(str::to_owned)),
            ..series
        })?;
        builder.finish()
    }

    pub(crate) fn field(&self, row: &Row, name: &str) -> String {
        let series = &self.series[row.series as usize];
        let method = &self.methods[series.method as usize];
        match name {
            "method" => method.name.clone(),
            "collective" => series.collective.clone().unwrap_or_default(),
            "basis" => series.basis.map_or("", Basis::name).to_owned(),
            "job" => self.jobs.of(&self.launches[row.launch as usize]).unwrap_or_default().to_owned(),
            "launch" => self.launches[row.launch as usize].clone(),
            "process" if row.process > 0 => row.process.to_string(),
            "repeat" | "statistic" => match (row.sample, name) {
                (Sample::Repeat(number), "repeat") => number.to_string(),
                (Sample::Statistic(statistic), "statistic") => statistic.to_string(),
                _ => String::new(),
            },
            _ => {
                let position = |all: &[Named]| all.iter().position(|named| named.name == name);
                match (position(&self.header.axes), position(&self.header.parameters)) {
                    (Some(axis), _) => self.header.sample(axis, series.sizes[axis]).into_owned(),
                    (_, Some(parameter)) => method.values[parameter].clone(),
                    _ => String::new(),
                }
            }
        }
    }
}
