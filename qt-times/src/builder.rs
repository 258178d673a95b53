//! Times under construction: rows may come in any order.

use std::collections::BTreeMap;
use std::hash::Hash;

use indexmap::IndexSet;
use qtdec_core::{Message, Place, Problem, Problems};

use crate::faults::Faults;
use crate::header::Header;
use crate::jobs::Jobs;
use crate::order::{Orders, arranged, by_place, natural_method, numbers};
use crate::text::{name_fault, natural};
use crate::times::{Method, Row, Sample, Series, Times};

/// The smallest and the largest time, in any unit. A map accepts slightly more extreme costs.
pub const TIMES: std::ops::RangeInclusive<f64> = 1e-80..=1e80;

/// Times under construction.
///
/// Methods and launches are in the order of their names, unless they are listed in another order first; each collective may have an
/// order of its own.
#[derive(Clone, Debug)]
pub struct Builder {
    /// The jobs of the launches. Those that no launch belongs to are left out of the times.
    pub jobs: Jobs,
    header: Header,
    methods: IndexSet<Method>,
    launches: IndexSet<String>,
    series: IndexSet<Series>,
    listed_methods: usize,
    listed_launches: usize,
    /// The methods that are listed of a collective, in their order.
    orders: BTreeMap<Option<String>, IndexSet<u32>>,
    rows: Vec<Row>,
    /// The line of the first row in its file; each row has a line of its own.
    first_line: Option<u64>,
    bytes: usize,
}

/// The place of a row; no two rows have the same.
type At = (u32, u32, u32, Sample);

fn at(row: &Row) -> At {
    (row.series, row.launch, row.process, row.sample)
}

impl Builder {
    /// Creates times without rows.
    ///
    /// # Errors
    ///
    /// Returns the faults of the header.
    pub fn new(header: Header) -> Result<Self, Problems> {
        header.check_at(|_| Place::File)?;
        Ok(Self {
            jobs: Jobs::default(),
            header,
            methods: IndexSet::new(),
            launches: IndexSet::new(),
            series: IndexSet::new(),
            listed_methods: 0,
            listed_launches: 0,
            orders: BTreeMap::new(),
            rows: Vec::new(),
            first_line: None,
            bytes: 0,
        })
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the approximate memory use.
    pub fn bytes(&self) -> usize {
        // Measurements, which take half as much for each row, are made from the times while these are in memory.
        self.bytes + 256 * self.jobs.len() + self.rows.len() * size_of::<Row>() * 3 / 2
    }

    /// Returns the number of a method.
    ///
    /// # Errors
    ///
    /// Fails for a name or value that a file cannot hold, and for a segment size that is not a whole number above 0.
    pub fn method(&mut self, method: Method) -> Result<u32, Problem> {
        if let Some(known) = self.methods.get_index_of(&method) {
            return Ok(known as u32);
        }
        if let Some(why) = name_fault(&method.name) {
            return Err(misnamed("the name of a method", why));
        }
        debug_assert_eq!(method.values.len(), self.header.parameters.len(), "a value for each parameter");
        for (parameter, value) in self.header.parameters.iter().zip(&method.values) {
            if let Some(why) = name_fault(value).filter(|_| !value.is_empty()) {
                return Err(misnamed(&format!("`{}`", parameter.name), why));
            }
        }
        let segment = self.header.segment_size().map(|position| &*method.values[position]);
        if let Some(text) = segment.filter(|text| !text.is_empty() && !is_count(text)) {
            let message =
                Message::from("`segment_size` is `").value(text).text("`, not a whole number above 0");
            return Err(Problem::new(Place::File, message)
                .help("write bytes as 8192, and nothing where messages are not cut"));
        }
        self.bytes +=
            128 + method.name.len() + method.values.iter().map(|value| 24 + value.len()).sum::<usize>();
        Ok(self.methods.insert_full(method).0 as u32)
    }

    /// Returns the number of a launch; an empty name is that of the times that name none.
    ///
    /// # Errors
    ///
    /// Fails for a name that a file cannot hold.
    pub fn launch(&mut self, name: &str) -> Result<u32, Problem> {
        if let Some(known) = self.launches.get_index_of(name) {
            return Ok(known as u32);
        }
        if let Some(why) = name_fault(name).filter(|_| !name.is_empty()) {
            return Err(misnamed("the name of a launch", why));
        }
        self.bytes += 96 + name.len();
        Ok(self.launches.insert_full(name.to_owned()).0 as u32)
    }

    /// Keeps the methods and launches that are known now in their order, before all later ones.
    pub fn keep_order(&mut self) {
        (self.listed_methods, self.listed_launches) = (self.methods.len(), self.launches.len());
    }

    /// Lists a method as the next one of a collective, or of the times that name none, before all that are not listed.
    pub fn order(&mut self, collective: Option<&str>, method: u32) {
        let order = self.orders.entry(collective.map(str::to_owned)).or_default();
        self.bytes += if order.insert(method) { 48 } else { 0 };
    }

    /// Returns the number of a series.
    ///
    /// # Errors
    ///
    /// Fails for a collective that a file cannot hold, and for a communicator without ranks.
    pub fn series(&mut self, series: Series) -> Result<u32, Problem> {
        if let Some(known) = self.series.get_index_of(&series) {
            return Ok(known as u32);
        }
        if let Some(why) = series.collective.as_deref().and_then(name_fault) {
            return Err(collective_fault(why));
        }
        debug_assert_eq!(series.sizes.len(), self.header.axes.len(), "a size on each axis");
        let mut sizes = self.header.axes.iter().zip(&series.sizes);
        if sizes.any(|(axis, size)| axis.name == "comm_size" && *size == 0) {
            return Err(Problem::new(Place::File, "the communicator size is 0")
                .help("a communicator has at least one rank"));
        }
        debug_assert!(
            (0..series.sizes.len()).all(|axis| self
                .header
                .labels_of(axis)
                .is_none_or(|labels| series.sizes[axis] < labels.len() as u64)),
            "the position of a label"
        );
        self.bytes += 160 + 8 * series.sizes.len() + series.collective.as_ref().map_or(0, String::len);
        Ok(self.series.insert_full(series).0 as u32)
    }

    /// Sets the line of the first row, for messages; each further row is one line below.
    pub(crate) fn begin_at(&mut self, line: u64) {
        self.first_line = Some(line);
    }

    /// Adds a row, whose numbers are those that were returned before.
    ///
    /// # Errors
    ///
    /// Fails for a time that is not above 0, or extreme.
    pub fn row(&mut self, row: Row) -> Result<(), Problem> {
        if !TIMES.contains(&row.time) {
            let message =
                Message::from("the time is `").value(row.time).text("`, not above 0 and at most 1e80");
            return Err(
                Problem::new(Place::File, message).help("leave out the row of a time that is missing")
            );
        }
        self.rows.push(row);
        Ok(())
    }

    /// Returns the times in their order.
    ///
    /// # Errors
    ///
    /// Returns the rows that have the same place as another one.
    pub fn finish(self) -> Result<Times, Problems> {
        let Self { header, methods, launches, mut jobs, series, orders, mut rows, first_line, .. } = self;
        let (mut of_series, mut of_launches) = (vec![false; series.len()], vec![false; launches.len()]);
        for row in &rows {
            of_series[row.series as usize] = true;
            of_launches[row.launch as usize] = true;
        }
        let used = || series.iter().zip(&of_series).filter(|(_, is_used)| **is_used).map(|(one, _)| one);
        let mut of_methods = vec![false; methods.len()];
        for one in used() {
            of_methods[one.method as usize] = true;
        }
        let by_name = |one: usize, other: usize| natural_method(&methods[one], &methods[other]);
        let order = arranged(methods.len(), self.listed_methods, |method| of_methods[method], by_name);
        let orders = Orders::new(used(), &order, &orders);
        let order = orders.of_all();
        let method_numbers = numbers(&order, methods.len());
        let methods = picked(methods.into_iter().collect(), &order);
        let orders = orders.others(&method_numbers);

        let by_name = |one: usize, other: usize| natural(&launches[one], &launches[other]);
        let order = arranged(launches.len(), self.listed_launches, |launch| of_launches[launch], by_name);
        let launch_numbers = numbers(&order, launches.len());
        let launches = picked(launches.into_iter().collect(), &order);
        jobs.retain(|launch| launches.contains(launch));

        let renumbered = |series: Series| Series { method: method_numbers[series.method as usize], ..series };
        let series: Vec<Series> = series.into_iter().map(renumbered).collect();
        let by_place = |one: usize, other: usize| by_place(&series[one], &series[other]);
        let order = arranged(series.len(), 0, |one| of_series[one], by_place);
        let series_numbers = numbers(&order, series.len());
        let series = picked(series, &order);

        for row in &mut rows {
            row.series = series_numbers[row.series as usize];
            row.launch = launch_numbers[row.launch as usize];
        }
        // The number of each row in the file.
        let mut order: Option<Vec<u32>> = None;
        if !rows.is_sorted_by_key(at) {
            let mut numbers: Vec<u32> = (0..rows.len() as u32).collect();
            numbers.sort_by_key(|row| at(&rows[*row as usize]));
            rows = numbers.iter().map(|row| rows[*row as usize]).collect();
            order = Some(numbers);
        }
        let times = Times { header, methods, orders, launches, jobs, series, rows };
        let mut twins = times.rows.windows(2).enumerate().filter(|(_, pair)| at(&pair[0]) == at(&pair[1]));
        let mut faults = Faults::default();
        if let Some(first) = first_line {
            let line = |row| first + order.as_ref().map_or(row as u64, |order| u64::from(order[row]));
            for (row, pair) in twins {
                faults.add(twice(&times, &pair[1], Some(line(row)), Some(line(row + 1))));
            }
        } else if let Some((_, [_, row, ..])) = twins.next() {
            // Without lines, one example is enough.
            let mut problem = twice(&times, row, None, None);
            match twins.count() {
                0 => {}
                1 => problem.message = problem.message.text(", and 1 other time is"),
                others => problem.message = problem.message.text(format!(", and {others} other times are")),
            }
            faults.add(problem);
        }
        faults.finish()?;
        Ok(times)
    }
}

fn picked<T: Hash + Eq>(items: Vec<T>, order: &[usize]) -> IndexSet<T> {
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order.iter().filter_map(|item| items[*item].take()).collect()
}

/// Returns whether a text is a whole number above 0 as it is written in a file.
pub(crate) fn is_count(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0') && text.parse::<u64>().is_ok()
}

fn misnamed(what: &str, why: String) -> Problem {
    Problem::new(Place::File, Message::from(format!("{what} ")).value(why))
        .help("rename it: a name has at most 256 bytes, and no control characters or blanks at its ends")
}

pub(crate) fn collective_fault(why: String) -> Problem {
    Problem::new(Place::File, Message::from("the name of a collective ").value(why))
        .help("write MPI's name in small letters, such as `bcast`")
}

fn twice(times: &Times, row: &Row, first: Option<u64>, line: Option<u64>) -> Problem {
    let series = &times.series[row.series as usize];
    let sizes = series.sizes.iter().enumerate();
    let sizes = sizes
        .map(|(axis, size)| format!("{}={}", times.header.axes[axis].name, times.header.sample(axis, *size)));
    let sizes: Vec<String> = sizes.collect();
    let what = match row.sample {
        Sample::Repeat(number) => format!("repeat {number}"),
        Sample::Statistic(statistic) => format!("the {statistic}"),
    };
    let message =
        Message::default().value(what).text(" of `").value(&times.methods[series.method as usize].name);
    let message = message.text("` at ").value(sizes.join(" "));
    let message = match first {
        Some(first) => message.text(" is on line ").value(first).text(" already"),
        None => message.text(" is given twice"),
    };
    Problem::new(line.map_or(Place::File, Place::Line), message).help(
        "give each start of the benchmark a name of its own in the column `launch`, or number all repeats of a launch",
    )
}
