//! The meaning of columns whose names and values leave only one: sizes, labels, the method and its time, or one column of times for
//! each method.

use std::collections::{HashMap, HashSet};

use qtdec_core::domain::MAX_AXES;
use qtdec_core::naming::is_identifier;

use super::names::{SEGMENT_SIZE, plain, time_unit, usual_key};
use super::rates::{is_time, may_be_time};
use super::units::{self, time};
use crate::readers::argument::{are_several_sizes, is_label};
use crate::readers::columns::Columns;
use crate::readers::content::Content;
use crate::readers::has;
use crate::readers::lines::Time;
use crate::readers::sink::machine_column;
use crate::size::size;

/// A column, with its values in the first rows.
pub(super) struct Seen<'t> {
    name: &'t str,
    values: Vec<&'t str>,
}

/// Returns the columns with these names, and their values in the rows that are complete.
pub(super) fn seen<'t>(names: &'t [String], rows: &'t [Vec<String>]) -> Vec<Seen<'t>> {
    let rows: Vec<&Vec<String>> = rows.iter().filter(|row| row.len() == names.len()).collect();
    let values = |at: usize| rows.iter().map(|row| row[at].as_str()).collect();
    names.iter().enumerate().map(|(at, name)| Seen { name, values: values(at) }).collect()
}

/// Returns the meaning of columns with names of their own, or why it is not clear. `has_method` is whether the method is known from
/// elsewhere.
pub(super) fn recognise(columns: Vec<Seen<'_>>, has_method: bool) -> Result<Columns, String> {
    let mut names = HashSet::new();
    if let Some(twice) = columns.iter().find(|column| !names.insert(column.name)) {
        return Err(format!("two columns are called `{}`", twice.name));
    }
    if let Some(count) = columns.iter().find(|column| column.may_count_calls()) {
        return Err(format!("`{}` may number the repeats, or count the calls in each time", count.name));
    }
    let columns: Vec<Seen<'_>> = columns.into_iter().filter(|column| !column.is_set_aside()).collect();
    if has_method || columns.iter().any(|column| usual_key(column.name) == Some("method")) {
        long(&columns, has_method)
    } else {
        wide(&columns)
    }
}

impl Seen<'_> {
    fn content(&self) -> Option<Content> {
        self.values.first().and_then(|value| Content::from_column(self.name, value))
    }

    /// Returns whether the column neither names a size or a method nor holds the times to choose by.
    fn is_set_aside(&self) -> bool {
        let content = self.content();
        matches!(
            content,
            Some(Content::NumberOfRepeat | Content::TimeStamps | Content::Hosts | Content::Notes)
        ) || machine_column(self.name).is_some()
            || usual_key(self.name) == Some(SEGMENT_SIZE)
    }

    /// Returns whether the numbers of repeats begin like a number of calls: numbers of repeats begin with 0 or 1.
    fn may_count_calls(&self) -> bool {
        self.content() == Some(Content::NumberOfRepeat)
            && self.different() > 1
            && !self.values.iter().any(|value| matches!(size(value), None | Some(0 | 1)))
    }

    /// Returns whether this is so of most values; the others are faults of their rows.
    fn mostly(&self, is: impl Fn(&str) -> bool) -> bool {
        2 * self.values.iter().filter(|value| is(value)).count() > self.values.len()
    }

    fn has_fractions(&self) -> bool {
        self.values.iter().any(|value| matches!(time(value), Time::Above(_)) && size(value).is_none())
    }

    fn has_sizes(&self) -> bool {
        self.mostly(|value| size(value).is_some()) && !self.has_fractions()
    }

    /// Returns whether the column has whole numbers alone; some may be missing, as times can be.
    fn has_whole_numbers(&self) -> bool {
        self.mostly(|value| size(value).is_some() || time(value) == Time::Missing) && !self.has_fractions()
    }

    /// Returns whether the column has labels: words, which begin with a letter.
    fn has_labels(&self) -> bool {
        self.mostly(is_label)
    }

    /// Returns whether the column answers a question with yes or no.
    fn has_flags(&self) -> bool {
        let is_flag = |value: &&str| has("0 1 true false yes no y n", &value.to_lowercase());
        self.values.iter().all(is_flag) && self.values.iter().any(|value| *value != "1")
    }

    fn has_times(&self) -> bool {
        may_be_time(self.name) && self.mostly(|value| time(value) != Time::No)
    }

    /// Returns whether the name says that the column holds times.
    fn is_called_time(&self) -> bool {
        let name = self.name;
        may_be_time(name) && (time_unit(name).is_some() || usual_key(name) == Some("time") || is_time(name))
    }

    /// Returns whether the column holds times, and its name or a fraction says so.
    fn tells_times(&self) -> bool {
        self.is_called_time() || self.has_times() && self.has_fractions()
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

    /// Returns whether the values are those of one column divided by those of the other, as far as their digits show.
    fn is_ratio(&self, one: &Self, other: &Self) -> bool {
        let number = |text: &&str| units::split(text).0.parse::<f64>().unwrap_or(f64::NAN);
        let rows = self.values.iter().zip(one.values.iter().zip(&other.values));
        let mut rows = rows.map(|(ratio, (one, other))| (number(ratio), number(one) / number(other)));
        self.different() > 1
            && rows.all(|(ratio, quotient)| (ratio - quotient).abs() <= 0.006 * (1.0 + quotient))
    }

    fn axis(&self) -> Result<(String, String), String> {
        let names = [self.name.to_owned(), plain(self.name)];
        let name = names.into_iter().find(|name| is_identifier(name));
        name.map(|name| (name, self.name.to_owned())).ok_or_else(|| {
            format!("`{}` cannot be the name of an axis, which becomes a parameter of a function", self.name)
        })
    }
}

/// Recognises a table with a row for each time.
fn long(columns: &[Seen<'_>], has_method: bool) -> Result<Columns, String> {
    let (methods, others): (Vec<&Seen<'_>>, Vec<_>) =
        columns.iter().partition(|column| usual_key(column.name) == Some("method"));
    let methods = if has_method { Vec::new() } else { methods };
    if let [first, second, ..] = &methods[..] {
        return Err(format!("`{}` and `{}` could both name the method", first.name, second.name));
    }
    let (called, rest): (Vec<&Seen<'_>>, Vec<_>) =
        others.into_iter().partition(|column| column.is_called_time());
    let (times, rest): (Vec<&Seen<'_>>, Vec<_>) = if called.is_empty() {
        rest.into_iter().partition(|column| column.tells_times())
    } else {
        (called, rest)
    };
    let time = match &times[..] {
        [] => return Err("no column holds times".to_owned()),
        [time] => time,
        [first, second, ..] => {
            return Err(format!("`{}` and `{}` could both be the time", first.name, second.name));
        }
    };
    let mut axes = Vec::new();
    for column in rest {
        if !column.has_sizes() && !column.has_labels() {
            if let Some(several) = column.values.iter().find(|value| are_several_sizes(value)) {
                return Err(format!(
                    "`{}` holds several sizes in a cell, such as `{several}`, which need a column each",
                    column.name
                ));
            }
            if column.content().is_none() {
                return Err(format!("`{}` holds neither sizes nor labels", column.name));
            }
        } else if !may_be_time(column.name) || column.has_flags() {
            return Err(format!("`{}` may be a condition, or a result of the measurement", column.name));
        } else {
            axes.push(column);
        }
    }
    if !(1..=MAX_AXES).contains(&axes.len()) {
        return Err(format!("{} columns could be axes, of which a map has 1 to {MAX_AXES}", axes.len()));
    }
    if methods.first().is_some_and(|methods| are_apart(methods, &axes)) {
        return Err("no two methods have times at one point".to_owned());
    }
    Ok(Columns {
        axes: axes.into_iter().map(Seen::axis).collect::<Result<_, _>>()?,
        method: methods.iter().map(|method| method.name.to_owned()).collect(),
        time: Some(time.name.to_owned()),
        ..Columns::default()
    })
}

/// Returns whether there are several methods, and not two of them at one point: an axis is then a result of the measurement.
fn are_apart(methods: &Seen<'_>, axes: &[&Seen<'_>]) -> bool {
    let mut at: HashMap<Vec<&str>, &str> = HashMap::new();
    let mut rows = methods.values.iter().enumerate();
    methods.different() > 1
        && rows.all(|(row, method)| {
            let point = axes.iter().map(|axis| axis.values[row]).collect();
            *at.entry(point).or_insert(method) == *method
        })
}

/// Recognises a table with a column of times for each method: the first columns are the axes.
fn wide(columns: &[Seen<'_>]) -> Result<Columns, String> {
    const UNCLEAR: &str = "it is not clear which columns are sizes and which are times of methods";
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
    if !is_clear || !(1..=MAX_AXES).contains(&count) || columns.len() < count + 2 {
        return Err(UNCLEAR.to_owned());
    }
    let (axes, times) = columns.split_at(count);
    let can_be_method = |column: &Seen<'_>| {
        column.has_times() && !column.is_statistic() && !column.name.contains(['+', ',', '='])
    };
    if !axes.iter().all(|axis| is_axis(axis) && !axis.has_flags()) || !times.iter().all(can_be_method) {
        return Err(UNCLEAR.to_owned());
    }
    if let Some(why) = ratio(&times[..times.len().min(MOST_COMPARED)]) {
        return Err(why);
    }
    let axes = axes.iter().map(Seen::axis).collect::<Result<_, _>>()?;
    let time: Vec<&str> = times.iter().map(|column| column.name).collect();
    Ok(Columns { axes, time: Some(time.join("+")), ..Columns::default() })
}

/// The maximum number of columns of which each is compared with the ratios of all others.
const MOST_COMPARED: usize = 16;

/// Says which column holds a ratio of two others, which is no time.
fn ratio(times: &[Seen<'_>]) -> Option<String> {
    let pairs = times.iter().flat_map(|one| times.iter().map(move |other| (one, other)));
    pairs.filter(|(one, other)| one.name != other.name).find_map(|(one, other)| {
        let is_third = |column: &&Seen<'_>| ![one.name, other.name].contains(&column.name);
        let ratio = times.iter().filter(is_third).find(|column| column.is_ratio(one, other))?;
        Some(format!("`{}` is `{}` divided by `{}`", ratio.name, one.name, other.name))
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

/// Returns whether each row has another method, which is a number, at another point: the method is then a size.
pub(super) fn are_sizes(methods: &Seen<'_>, axes: &[&Seen<'_>]) -> bool {
    methods.values.len() > 2
        && methods.different() == methods.values.len()
        && !methods.values.iter().any(|value| is_label(value))
        && are_apart(methods, axes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::columns::joined;

    /// Returns the columns of a table as the value of `--columns`, or the doubt about them.
    fn of(table: &str) -> Result<String, String> {
        let mut rows: Vec<Vec<String>> =
            table.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
        let names = rows.remove(0);
        recognise(seen(&names, &rows), false).map(|columns| joined(&columns.pairs()))
    }

    #[test]
    fn what_can_be_nothing_else_is_recognised() {
        let grid = "64,4,1200,1500,1800\n64,8,2400,2600,2300\n128,4,2500,2400,1900\n128,8,5000,4100,3900";
        let grid = format!("m,n,quick,merge,radix\n{grid}");
        for (table, expected) in [
            (
                "order,len,method,time_ns\nrandom,8,quick,1200\nsorted,8,quick,700\nrandom,8,merge,900",
                "order=order,len=len,method=method,time=time_ns",
            ),
            ("len,algo,rep,ns\n8,a,1,5\n8,b,2,6", "len=len,method=algo,time=ns"),
            ("Matrix Size,variant,t\n8,a,1.5\n8,b,2", "matrix_size=Matrix Size,method=variant,time=t"),
            ("m,n,method,mean_ms,stddev\n1,2,a,5,0.5\n1,2,b,6,0.25", "m=m,n=n,method=method,time=mean_ms"),
            ("host,len,method,value\nx1,8,a,1.5\nx2,8,b,2.5", "len=len,method=method,time=value"),
            (&*grid, "m=m,n=n,time=quick+merge+radix"),
            ("n,quick,merge\n8,1.5,2.5\n16,3,4", "n=n,time=quick+merge"),
            ("n,quick,merge\n8,15,25\n16,31,47\n32,60,90", "n=n,time=quick+merge"),
            ("n,quick,merge\n8,15,\n16,31,NaN\n32,60,90", "n=n,time=quick+merge"),
            ("n,rep,quick,merge\n8,1,1.5,2.5\n8,2,3.5,4", "n=n,time=quick+merge"),
            ("order,n,quick_ns,merge_ns\na,8,15,25\nb,8,31,47", "order=order,n=n,time=quick_ns+merge_ns"),
            // Bad cells are faults of their rows.
            ("n,method,time_ns\n8,a,-6.0\n8,b,inf", "n=n,method=method,time=time_ns"),
            ("n,method,value\n8,a,1.5\nx,a,2.5\n8,b,3.5", "n=n,method=method,time=value"),
        ] {
            assert_eq!(of(table).as_deref(), Ok(expected), "{table}");
        }
    }

    #[test]
    fn what_may_be_something_else_is_doubted() {
        for (table, why) in [
            ("len,method,min_ns,max_ns\n8,a,1,2\n9,b,2,3", "`min_ns` and `max_ns` could both be the time"),
            ("len,method,algo,ns\n8,a,x,1\n9,b,y,2", "`method` and `algo` could both name the method"),
            (
                "shape,method,ns\n6x768,a,1\n6x768,b,2\n8×768,b,2",
                "`shape` holds several sizes in a cell, such as `6x768`",
            ),
            ("len,alpha,method,ns\n8,0.5,a,1\n9,0.5,b,2", "`alpha` holds neither sizes nor labels"),
            ("len,method,ns,errors\n8,a,1,0\n9,b,2,1", "`errors` may be a condition, or a result"),
            ("len,method,ns,ok\n8,a,1,yes\n8,b,2,no", "`ok` may be a condition, or a result"),
            ("len,method,ns,in_place\n8,a,1,0\n8,b,2,1", "`in_place` may be a condition, or a result"),
            // Cycles are measured, whatever they are called.
            ("len,method,ns,cycles\n8,a,15,31\n8,b,25,52", "no two methods have times at one point"),
            (
                "len,iterations,method,ns\n8,9000,a,1\n9,500,b,2",
                "`iterations` may number the repeats, or count",
            ),
            ("n,quick,merge,gain\n8,15.5,31,0.5\n16,31,47.5,0.65", "`gain` is `quick` divided by `merge`"),
            // The size of the second matrix, or a method?
            ("n,m,quick,merge\n8,8,15,25\n16,16,31,47\n32,32,60,90", "it is not clear which columns"),
            ("n,depth,quick,merge\n8,3,1.5,2.5\n16,4,3.5,4.5", "it is not clear which columns"),
            ("n,quick,merge\n8,15,25\n8,16,25\n8,15,25", "it is not clear which columns"),
            ("order,len,ns\na,8,1\nb,9,2", "it is not clear which columns"),
            ("n,mean,median\n8,1.5,2.5\n9,2,3", "it is not clear which columns"),
            ("a,b,c,d,method,ns\n1,2,3,4,x,5", "4 columns could be axes, of which a map has 1 to 3"),
            ("n,n,method,ns\n1,2,x,5", "two columns are called `n`"),
        ] {
            let doubt = of(table).expect_err(table);
            assert!(doubt.starts_with(why), "{table}: {doubt}");
        }
    }

    #[test]
    fn methods_are_no_sizes() {
        let is = |rows: &[[&str; 2]]| {
            let names = ["n", "method"].map(str::to_owned);
            let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
            let [n, method] = &seen(&names, &rows)[..] else { unreachable!() };
            are_sizes(method, &[n])
        };
        assert!(is(&[["52", "2^10"], ["111", "2^14"], ["190", "2^18"]]));
        assert!(!is(&[["8", "1"], ["8", "2"], ["8", "3"]]), "numbers of methods");
        assert!(!is(&[["52", "a"], ["111", "b"], ["190", "c"]]));
    }
}
