//! The columns of a table whose header has names of its own: sizes, labels, the method and its time, or one column of times for each
//! method.

use std::collections::HashSet;

use qtdec_core::domain::MAX_AXES;
use qtdec_core::naming::is_identifier;

use super::names::{SEGMENT_SIZE, plain, time_unit, usual_key};
use super::rates::{is_time, may_be_time};
use crate::readers::argument::is_label;
use crate::readers::columns::Columns;
use crate::readers::content::Content;
use crate::readers::has;
use crate::readers::lines::{Time, time};
use crate::readers::sink::machine_column;
use crate::size::size;

/// What the columns of a table seem to be.
pub(super) struct Recognised {
    pub(super) columns: Columns,
    /// Why they may be something else.
    pub(super) doubt: Option<String>,
}

/// Returns what the columns with these names and first rows seem to be; `None` if nothing fits. `has_method` is whether the method is
/// known from elsewhere.
pub(super) fn recognise(names: &[String], rows: &[Vec<String>], has_method: bool) -> Option<Recognised> {
    let rows: Vec<&Vec<String>> = rows.iter().filter(|row| row.len() == names.len()).collect();
    let is_distinct = names.iter().collect::<HashSet<_>>().len() == names.len();
    if rows.is_empty() || !is_distinct {
        return None;
    }
    let columns: Vec<Seen<'_>> = names
        .iter()
        .enumerate()
        .map(|(at, name)| Seen { name, values: rows.iter().map(|row| &*row[at]).collect() })
        .filter(|column| !column.is_set_aside())
        .collect();
    if has_method || columns.iter().any(|column| usual_key(column.name) == Some("method")) {
        long(&columns, has_method)
    } else {
        wide(&columns)
    }
}

/// A column, with its values in the first rows.
struct Seen<'t> {
    name: &'t str,
    values: Vec<&'t str>,
}

impl Seen<'_> {
    /// Returns whether the column neither names a size or a method nor holds the times to choose by.
    fn is_set_aside(&self) -> bool {
        let content = self.values.first().and_then(|value| Content::from_column(self.name, value));
        matches!(
            content,
            Some(Content::NumberOfRepeat | Content::TimeStamps | Content::Hosts | Content::Notes)
        ) || machine_column(self.name).is_some()
            || usual_key(self.name) == Some(SEGMENT_SIZE)
    }

    fn has_sizes(&self) -> bool {
        self.values.iter().all(|value| size(value).is_some())
    }

    /// Returns whether the column has whole numbers alone; some may be missing, as times can be.
    fn has_whole_numbers(&self) -> bool {
        self.values.iter().all(|value| size(value).is_some() || time(value) == Time::Missing)
    }

    /// Returns whether the column has labels: words, which begin with a letter.
    fn has_labels(&self) -> bool {
        self.values.iter().all(|value| is_label(value))
    }

    fn has_times(&self) -> bool {
        may_be_time(self.name) && self.values.iter().all(|value| !matches!(time(value), Time::No))
    }

    /// Returns whether the column holds times, and its name says so.
    fn is_called_time(&self) -> bool {
        let name = self.name;
        self.has_times() && (time_unit(name).is_some() || usual_key(name) == Some("time") || is_time(name))
    }

    /// Returns whether the column holds times, and its name or a fraction says so.
    fn tells_times(&self) -> bool {
        self.is_called_time() || self.has_times() && !self.has_whole_numbers()
    }

    /// Returns whether the name is that of times or a statistic of them, and not of a method.
    fn is_statistic(&self) -> bool {
        const WORDS: &str = "time times latency lat runtime duration elapsed real user cpu wall t avg average mean median min max \
            minimum maximum total sum p50 p90 p95 p99 s ms us ns";
        plain(self.name).split('_').all(|word| has(WORDS, word))
    }

    fn different(&self) -> usize {
        self.values.iter().collect::<HashSet<_>>().len()
    }

    /// Returns whether the values are powers of two, as sizes often are and times are not.
    fn are_powers(&self) -> bool {
        self.different() > 2 && self.values.iter().all(|value| size(value).is_some_and(u64::is_power_of_two))
    }

    fn axis(&self) -> Option<(String, String)> {
        let names = [self.name.to_owned(), plain(self.name)];
        let name = names.into_iter().find(|name| is_identifier(name))?;
        Some((name, self.name.to_owned()))
    }
}

/// Recognises a table with a row for each time.
fn long(columns: &[Seen<'_>], has_method: bool) -> Option<Recognised> {
    let mut doubt = None;
    let mut doubted = |why: String| doubt = doubt.take().or(Some(why));
    let is_method = |column: &&Seen<'_>| usual_key(column.name) == Some("method");
    let methods: Vec<&Seen<'_>> = columns.iter().filter(is_method).filter(|_| !has_method).collect();
    if let [first, second, ..] = &methods[..] {
        doubted(format!("`{}` and `{}` could both name the method", first.name, second.name));
    }
    let is_called = |column: &&Seen<'_>| !is_method(column) && column.is_called_time();
    let tells = |column: &&Seen<'_>| !is_method(column) && column.tells_times();
    let called: Vec<&Seen<'_>> = columns.iter().filter(is_called).collect();
    let times = if called.is_empty() { columns.iter().filter(tells).collect() } else { called };
    let time = *times.first()?;
    if let [first, second, ..] = &times[..] {
        doubted(format!("`{}` and `{}` could both be the time", first.name, second.name));
    }
    let mut axes = Vec::new();
    let is_other =
        |column: &&Seen<'_>| !is_method(column) && !times.iter().any(|time| time.name == column.name);
    for column in columns.iter().filter(is_other) {
        let value = column.values.first().copied().unwrap_or_default();
        if column.has_sizes() || column.has_labels() {
            if column.has_sizes() && !may_be_time(column.name) {
                doubted(format!("`{}` may be a size, or a result of the measurement", column.name));
            }
            axes.push(column.axis()?);
        } else if Content::from_column(column.name, value).is_none() {
            doubted(format!("`{}` holds neither sizes nor labels", column.name));
        }
    }
    let is_possible = (1..=MAX_AXES).contains(&axes.len());
    let method = methods.first().map(|method| method.name.to_owned());
    is_possible.then(|| Recognised {
        columns: Columns {
            axes,
            method: method.into_iter().collect(),
            time: Some(time.name.to_owned()),
            ..Columns::default()
        },
        doubt,
    })
}

/// Recognises a table with a column of times for each method: the first columns are the axes.
fn wide(columns: &[Seen<'_>]) -> Option<Recognised> {
    let is_axis = |column: &Seen<'_>| column.has_sizes() || column.has_labels();
    let may_be_axis = |column: &Seen<'_>| column.has_whole_numbers() || column.has_labels();
    let first_times = columns.iter().position(|column| !may_be_axis(column) || column.tells_times());
    let called = columns.iter().rposition(|column| !column.is_called_time()).map(|last| last + 1);
    let are_called =
        called.filter(|first| columns.len() >= first + 2 && columns[..*first].iter().all(is_axis));
    let (count, is_clear) = match (are_called, first_times, key(columns)) {
        (Some(first), ..) => (first, true),
        // Without repeats, the axes tell the rows apart, and no column between them and the times is left over.
        (None, Some(first), Some(key)) if first >= key => (key, first == key),
        (None, Some(first), _) => (first, is_grid(&columns[..first])),
        // Whole numbers everywhere: times are no grid, and hardly ever powers of two.
        (None, None, Some(key)) => {
            (key, is_grid(&columns[..key]) && !columns[key..].iter().any(Seen::are_powers))
        }
        (None, None, None) => (1, false),
    };
    if !(1..=MAX_AXES).contains(&count) || columns.len() < count + 2 {
        return None;
    }
    let (axes, times) = columns.split_at(count);
    let can_be_method = |column: &Seen<'_>| {
        column.has_times() && !column.is_statistic() && !column.name.contains(['+', ',', '='])
    };
    if !axes.iter().all(is_axis) || !times.iter().all(can_be_method) {
        return None;
    }
    let axes = axes.iter().map(Seen::axis).collect::<Option<_>>()?;
    let time: Vec<&str> = times.iter().map(|column| column.name).collect();
    let doubt = "it is not clear which columns are sizes and which are times of methods";
    Some(Recognised {
        columns: Columns { axes, time: Some(time.join("+")), ..Columns::default() },
        doubt: (!is_clear).then(|| doubt.to_owned()),
    })
}

/// Returns whether the sizes of several axes are repeated as in a grid; those of a single axis need not be.
fn is_grid(axes: &[Seen<'_>]) -> bool {
    axes.len() == 1 || axes.iter().all(|axis| 2 * axis.different() <= axis.values.len())
}

/// Returns the smallest number of first columns that tell all rows apart.
fn key(columns: &[Seen<'_>]) -> Option<usize> {
    let rows = columns.first()?.values.len();
    (1..=MAX_AXES.min(columns.len())).find(|&count| {
        let points = (0..rows).map(|row| columns[..count].iter().map(|column| column.values[row]).collect());
        points.collect::<HashSet<Vec<_>>>().len() == rows
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::columns::joined;

    /// Returns the columns of a table as the value of `--columns`, with the doubt about them.
    fn of(table: &str) -> Option<(String, Option<String>)> {
        let mut rows: Vec<Vec<String>> =
            table.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
        let names = rows.remove(0);
        let Recognised { columns, doubt } = recognise(&names, &rows, false)?;
        Some((joined(&columns.pairs()), doubt))
    }

    fn clear(table: &str) -> String {
        let (columns, doubt) = of(table).unwrap_or_else(|| panic!("{table}"));
        assert_eq!(doubt, None, "{table}");
        columns
    }

    #[test]
    fn a_row_for_each_time() {
        let rows = "random,8,quick,1200\nsorted,8,quick,700\nrandom,16,merge,900\n";
        let expected = "order=order,len=len,method=method,time=time_ns";
        assert_eq!(clear(&format!("order,len,method,time_ns\n{rows}")), expected);
        for (table, expected) in [
            ("len,algo,rep,ns\n8,a,1,5\n8,b,2,6", "len=len,method=algo,time=ns"),
            ("Matrix Size,variant,t\n8,a,1.5\n9,b,2", "matrix_size=Matrix Size,method=variant,time=t"),
            ("m,n,method,mean_ms,stddev\n1,2,a,5,0.5\n1,3,b,6,0.25", "m=m,n=n,method=method,time=mean_ms"),
            ("host,len,method,value\nx1,8,a,1.5\nx2,9,b,2.5", "len=len,method=method,time=value"),
        ] {
            assert_eq!(clear(table), expected);
        }
    }

    #[test]
    fn a_column_of_times_for_each_method() {
        let grid = "64,4,1200,1500,1800\n64,8,2400,2600,2300\n128,4,2500,2400,1900\n128,8,5000,4100,3900";
        assert_eq!(clear(&format!("m,n,quick,merge,radix\n{grid}")), "m=m,n=n,time=quick+merge+radix");
        for (table, expected) in [
            ("n,quick,merge\n8,1.5,2.5\n16,3,4", "n=n,time=quick+merge"),
            ("n,quick,merge\n8,15,25\n16,31,47\n32,60,90", "n=n,time=quick+merge"),
            ("n,quick,merge\n8,15,\n16,31,NaN\n32,60,90", "n=n,time=quick+merge"),
            ("n,rep,quick,merge\n8,1,1.5,2.5\n8,2,3.5,4", "n=n,time=quick+merge"),
            ("order,n,quick_ns,merge_ns\na,8,15,25\nb,8,31,47", "order=order,n=n,time=quick_ns+merge_ns"),
        ] {
            assert_eq!(clear(table), expected);
        }
    }

    #[test]
    fn what_may_be_something_else_is_doubted() {
        for (table, why) in [
            ("len,method,min_ns,max_ns\n8,a,1,2\n9,b,2,3", "`min_ns` and `max_ns` could both be the time"),
            ("len,method,algo,ns\n8,a,x,1\n9,b,y,2", "`method` and `algo` could both name the method"),
            ("len,alpha,method,ns\n8,0.5,a,1\n9,0.5,b,2", "`alpha` holds neither sizes nor labels"),
            ("len,method,ns,errors\n8,a,1,0\n9,b,2,1", "`errors` may be a size, or a result"),
            // The size of the second matrix, or a method?
            ("n,m,quick,merge\n8,8,15,25\n16,16,31,47\n32,32,60,90", "it is not clear which columns"),
            ("n,depth,quick,merge\n8,3,1.5,2.5\n16,4,3.5,4.5", "it is not clear which columns"),
            ("n,quick,merge\n8,15,25\n8,16,25\n8,15,25", "it is not clear which columns"),
        ] {
            let (_, doubt) = of(table).unwrap_or_else(|| panic!("{table}"));
            assert!(doubt.as_ref().is_some_and(|doubt| doubt.starts_with(why)), "{table}: {doubt:?}");
        }
        for table in [
            "order,len,ns\na,8,1\nb,9,2",
            "n,mean,median\n8,1.5,2.5\n9,2,3",
            "a,b,c,d,method,ns\n1,2,3,4,x,5",
        ] {
            assert_eq!(of(table), None, "{table}");
        }
    }
}
