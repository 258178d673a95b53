//! The writer of canonical times.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::columns::Columns;
use crate::fields::field;
use crate::header::{FORMAT, Named};
use crate::order::natural_method;
use crate::raw::size_fault;
use crate::text::natural;
use crate::times::{Method, Sample, Times};

impl Times {
    /// Writes the times as a file.
    ///
    /// # Errors
    ///
    /// Returns the errors of the output, and an error for declarations that are too long to be read again.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let declarations = self.declarations();
        if let Some(problem) = size_fault(declarations.lines().count(), declarations.len()) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        out.write_all(declarations.as_bytes())?;
        let (columns, names) = (self.columns(), self.column_names());
        let before: Vec<&String> = names.iter().take_while(|name| *name != "repeat").collect();
        let mut text = String::new();
        let mut place = String::new();
        let mut last = None;
        for row in &self.rows {
            if last != Some((row.series, row.launch, row.process)) {
                last = Some((row.series, row.launch, row.process));
                place = before.iter().map(|name| field(&self.field(row, name)).into_owned() + ",").collect();
            }
            text.push_str(&place);
            // Writing to a `String` cannot fail.
            let _ = match row.sample {
                Sample::Repeat(number) if columns.statistic => write!(text, "{number},,"),
                Sample::Repeat(number) => write!(text, "{number},"),
                Sample::Statistic(statistic) => write!(text, ",{statistic},"),
            };
            push_time(&mut text, row.time);
            text.push('\n');
            if text.len() > 1 << 16 {
                out.write_all(text.as_bytes())?;
                text.clear();
            }
        }
        out.write_all(text.as_bytes())
    }

    /// Returns the lines before the rows.
    pub fn declarations(&self) -> String {
        let mut lines = vec![format!("# {FORMAT}")];
        lines.extend(self.header.about.lines().map(|(key, value)| format!("# {key}: {value}")));
        lines.extend(self.header.axes.iter().map(|axis| declared("axis", axis)));
        for (axis, labels) in
            self.header.axes.iter().filter_map(|axis| self.header.labels.get_key_value(&axis.name))
        {
            lines.extend(labels.iter().map(|label| format!("# label {axis}: {}", field(label))));
        }
        lines.extend(self.header.parameters.iter().map(|parameter| declared("parameter", parameter)));
        if !self.methods.iter().is_sorted_by(|one, other| natural_method(one, other).is_le()) {
            lines.extend(self.methods.iter().map(|method| format!("# method: {}", fields(method))));
        }
        for (collective, methods) in &self.orders {
            let method = |number: &u32| fields(&self.methods[*number as usize]);
            lines.extend(
                methods.iter().map(|number| format!("# order: {},{}", field(collective), method(number))),
            );
        }
        if !self.launches.iter().is_sorted_by(|one, other| natural(one, other).is_le()) {
            lines.extend(self.launches.iter().map(|launch| format!("# launch: {}", field(launch))));
        }
        for job in self.jobs.described() {
            let texts = [&job.name, &job.nodes, &job.start].map(|text| field(text));
            lines.push(format!("# job: {}", texts.join(",").trim_end_matches(',')));
        }
        lines.push(self.column_names().join(","));
        lines.join("\n") + "\n"
    }

    /// Returns the names of the columns.
    pub fn column_names(&self) -> Vec<String> {
        let names = |named: &'_ [Named]| named.iter().map(|named| named.name.clone()).collect::<Vec<_>>();
        self.columns().names(&names(&self.header.axes), &names(&self.header.parameters))
    }

    fn columns(&self) -> Columns {
        Columns {
            collective: self.series.iter().any(|series| series.collective.is_some()),
            basis: self.series.iter().any(|series| series.basis.is_some()),
            job: !self.jobs.is_empty(),
            process: self.rows.iter().any(|row| row.process > 0),
            statistic: self.rows.iter().any(|row| matches!(row.sample, Sample::Statistic(_))),
            unit: self.header.unit,
        }
    }
}

fn declared(what: &str, Named { name, unit }: &Named) -> String {
    match unit {
        Some(unit) => format!("# {what} {name}: {unit}"),
        None => format!("# {what} {name}"),
    }
}

/// Returns the fields of a method: its name and the values of its parameters.
fn fields(method: &Method) -> String {
    let all = [&method.name].into_iter().chain(&method.values).map(|text| field(text));
    all.collect::<Vec<_>>().join(",")
}

/// Writes the shortest decimals that are read as the same number.
fn push_time(text: &mut String, time: f64) {
    let _ = if (1e-6..1e15).contains(&time) { write!(text, "{time}") } else { write!(text, "{time:e}") };
}
