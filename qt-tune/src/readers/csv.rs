//! Files of rows and columns: the engine behind every format that is CSV.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};

use csv::ByteRecord;
use qtdec_core::{Basis, Check, Place, Problem};

use super::columns::Columns;
use super::sink::{Measured, Row, Sink};
use crate::measurements::{MeasuredMethod, Statistic, TimeUnit};

/// What a format says about its columns. What the user says of them goes first.
pub(super) struct Table<'f> {
    pub(super) columns: Columns,
    /// Columns with statistics of repeats that are not there themselves.
    pub(super) statistics: &'f [(Statistic, &'f str)],
    pub(super) unit: Option<TimeUnit>,
    /// What was made of the ranks of a repeat.
    pub(super) ranks: Option<&'f str>,
    /// A column, and the value that it has in rows that count.
    pub(super) valid: Option<(&'f str, &'f str)>,
    /// A column with the number of ranks on each node, where the communicator size counts nodes.
    pub(super) ranks_per_node: Option<&'f str>,
    /// Whether message sizes count elements.
    pub(super) in_elements: bool,
    pub(super) rules: &'f dyn Rules,
}

/// What a format reads in its own way.
pub(super) trait Rules {
    /// The collective by MPI's name, from its column.
    fn collective(&self, text: &str) -> String {
        super::collective_name(text)
    }

    /// Whose bytes the message sizes of a collective count, if the format says so.
    fn basis(&self, _collective: Option<&str>) -> Option<Basis> {
        None
    }

    /// The method, from the columns that name it: at least one, not all empty.
    fn method(&self, names: &[&str]) -> MeasuredMethod {
        let last = names.iter().rposition(|name| !name.is_empty()).unwrap_or(0);
        MeasuredMethod { name: names[..=last].join(":"), segment_size: None }
    }

    /// A size, from its column.
    fn size(&self, _axis: &str, text: &str) -> Option<u64> {
        text.parse().ok()
    }
}

/// Reads a table; the header tells commas, semicolons and tabs apart.
pub(super) fn read(
    input: &mut dyn BufRead,
    table: &Table<'_>,
    sink: &mut Sink<'_, '_>,
) -> Result<(), Problem> {
    let start =
        input.fill_buf().map_err(|error| Problem::new(Place::File, format!("cannot be read: {error}")))?;
    let delimiter = delimiter(start);
    let mut rows = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(Metered { input, left: LONGEST });
    let header = rows.byte_headers().map_err(|error| broken(&error))?.clone();
    if header.is_empty() {
        return Err(Problem::new(Place::File, "the file is empty"));
    }
    let Some(mut reader) = Rows::new(&header, table, sink) else { return Ok(()) };
    let mut row = ByteRecord::new();
    while rows.read_byte_record(&mut row).map_err(|error| broken(&error))? {
        if reader.row(&row, sink).is_none() && reader.began == Began::Refused {
            return Ok(());
        }
        rows.get_mut().left = LONGEST;
    }
    Ok(())
}

/// No row is longer, not even one that a quotation mark without its partner makes of many.
const LONGEST: u64 = 1 << 22;

/// Gives out so many bytes, until it is told that a row has been read.
struct Metered<'r> {
    input: &'r mut dyn BufRead,
    left: u64,
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other(
                "a row is longer than 4 MiB: is a quotation mark without its partner?",
            ));
        }
        let length = self.input.read(buffer)?;
        self.left = self.left.saturating_sub(length as u64);
        Ok(length)
    }
}

/// The character that stands most often in the first line that is no comment.
fn delimiter(start: &[u8]) -> u8 {
    let mut lines = start.split(|&byte| byte == b'\n');
    let line = lines.find(|line| !line.starts_with(b"#")).unwrap_or_default();
    let count = |delimiter: u8| line.split(|&byte| byte == delimiter).count();
    b",;\t".iter().copied().max_by_key(|&delimiter| (count(delimiter), delimiter == b',')).unwrap_or(b',')
}

fn broken(error: &csv::Error) -> Problem {
    let line = error.position().map(csv::Position::line);
    let place = line.map_or(Place::File, Place::Line);
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let problem = Problem::new(place, format!("the row has {len} fields, the header {expected_len}"));
            if len > expected_len {
                problem.help("if a number has a comma in it, such as 1,024 or 0,5: write 1024 and 0.5")
            } else {
                problem.help("is the file cut off?")
            }
        }
        csv::ErrorKind::Io(error) => Problem::new(place, format!("cannot be read: {error}")),
        _ => Problem::new(place, format!("not CSV: {error}")),
    }
}

/// A column.
struct Column {
    index: usize,
    name: String,
}

/// The columns of a file, and what was learnt from its rows.
struct Rows<'t, 'f> {
    table: &'t Table<'f>,
    axes: Vec<(String, Column)>,
    /// No columns where the method is fixed.
    method: Vec<Column>,
    segment_size: Option<Column>,
    times: Times,
    collective: Option<Column>,
    filters: Vec<(Column, String)>,
    valid: Option<Column>,
    run: Option<Column>,
    ranks_per_node: Option<Column>,
    element_size: u64,
    began: Began,
    /// Methods by the bytes of their columns.
    methods: HashMap<Vec<u8>, usize>,
    fixed_method: Option<usize>,
    /// Of the row at hand: kept to spare allocations.
    key: Vec<u8>,
    sizes: Vec<u64>,
}

/// Where the times are.
enum Times {
    Repeat(Column),
    Rank { time: Column, repeat: Column },
    Statistics(Vec<(Statistic, Column)>),
}

/// Whether the sink knows what is to come, which a row's collective may have to tell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Began {
    NotYet,
    Yes,
    Refused,
}

/// Looks columns up.
struct Header<'h> {
    names: &'h ByteRecord,
    line: u64,
}

impl Header<'_> {
    fn find(&self, name: &str) -> Option<Column> {
        let index = self.names.iter().position(|column| column == name.as_bytes())?;
        Some(Column { index, name: name.to_owned() })
    }

    fn require(&self, name: &str, check: &mut Check) -> Option<Column> {
        let found = self.find(name);
        let problem = |message| Problem::new(Place::Line(self.line), message);
        if found.is_none() {
            let known: Vec<_> = self.names.iter().map(String::from_utf8_lossy).collect();
            check.add(problem(format!("there is no column `{name}`")).help(format!(
                "the columns are {}; name yours with --columns and --where",
                known.join(", ")
            )));
        } else if self.names.iter().filter(|column| *column == name.as_bytes()).count() > 1 {
            check.add(problem(format!("two columns are called `{name}`")).help("give them different names"));
        }
        found
    }

    /// A column that the user names must be there; one that only the format knows of may be missing.
    fn optional(&self, asked: Option<&String>, known: Option<&String>, check: &mut Check) -> Option<Column> {
        match asked {
            Some(name) => self.require(name, check),
            None => known.and_then(|name| self.find(name)),
        }
    }
}

impl<'t, 'f> Rows<'t, 'f> {
    fn new(names: &ByteRecord, table: &'t Table<'f>, sink: &mut Sink<'_, '_>) -> Option<Self> {
        let header = Header { names, line: names.position().map_or(1, csv::Position::line) };
        let asked = sink.asked();
        let (ours, theirs) = (&asked.columns, &table.columns);
        let columns = ours.clone().or(theirs.clone());
        let mut check = Check::default();

        let fixed =
            |axis: &str| sink.fixed(axis).is_some() && !ours.axes.iter().any(|(name, _)| name == axis);
        let axes = columns.axes.iter().filter(|(name, _)| !fixed(name));
        let axes: Vec<Option<(String, Column)>> =
            axes.map(|(name, column)| Some((name.clone(), header.require(column, &mut check)?))).collect();
        let method: Vec<Option<Column>> = if sink.fixed("method").is_some() && ours.method.is_empty() {
            Vec::new()
        } else {
            columns.method.iter().map(|column| header.require(column, &mut check)).collect()
        };
        let times = times(&header, &columns, table, &mut check);
        let segment_size =
            header.optional(ours.segment_size.as_ref(), theirs.segment_size.as_ref(), &mut check);
        let collective = header.optional(ours.collective.as_ref(), theirs.collective.as_ref(), &mut check);
        let run = header.optional(ours.run.as_ref(), theirs.run.as_ref(), &mut check);
        let filter =
            |(column, value): &(String, String)| Some((header.require(column, &mut check)?, value.clone()));
        let filters: Vec<Option<(Column, String)>> = asked.filters.iter().map(filter).collect();
        let ranks_per_node = table.ranks_per_node.and_then(|column| header.find(column));
        let valid = table.valid.and_then(|(column, _)| header.find(column));
        if table.in_elements && asked.element_size.is_none() {
            check.add(
                Problem::new(Place::File, "the message sizes count elements")
                    .help("tell how many bytes one has with --element-size, such as 8 for MPI_DOUBLE"),
            );
        }
        if let Err(problems) = check.finish(Some(())) {
            sink.check.note::<()>(Err(problems));
            return None;
        }
        let method: Vec<Column> = method.into_iter().flatten().collect();
        let fixed_method = if method.is_empty() { Some(sink.fixed_method(None)?) } else { None };
        Some(Self {
            table,
            axes: axes.into_iter().flatten().collect(),
            method,
            segment_size,
            times: times?,
            collective,
            filters: filters.into_iter().flatten().collect(),
            valid,
            run,
            ranks_per_node,
            element_size: asked.element_size.unwrap_or(1),
            began: Began::NotYet,
            methods: HashMap::new(),
            fixed_method,
            key: Vec::new(),
            sizes: Vec::new(),
        })
    }

    /// Reads a row; `None` if it is not one that counts, or is at fault.
    fn row(&mut self, row: &ByteRecord, sink: &mut Sink<'_, '_>) -> Option<()> {
        let line = row.position().map_or(0, csv::Position::line);
        if self.filters.iter().any(|(column, value)| &row[column.index] != value.as_bytes()) {
            return None;
        }
        if let (Some(column), Some((_, value))) = (&self.valid, self.table.valid)
            && &row[column.index] != value.as_bytes()
        {
            sink.note(format!("a row whose `{}` is not {value} was dropped", column.name));
            return None;
        }
        let collective = match &self.collective {
            Some(column) => {
                let text = column.text(row, line, &mut sink.check)?;
                let name = self.table.rules.collective(text);
                sink.selects(&name).then_some(())?;
                Some(name)
            }
            None => None,
        };
        if self.began == Began::NotYet {
            self.begin(collective.as_deref(), sink);
        }
        if self.began == Began::Refused {
            return None;
        }
        let sound = self.read_sizes(row, line, sink);
        let method = self.read_method(row, line, sink);
        let run = self.run.as_ref().map(|column| sink.run(&String::from_utf8_lossy(&row[column.index])));
        let mut given = Vec::new();
        let measured = match &self.times {
            Times::Repeat(time) => Measured::Repeat(time.time(row, line, &mut sink.check)?),
            Times::Rank { time, repeat } => Measured::Rank {
                repeat: repeat.size(row, line, &mut sink.check)?,
                time: time.time(row, line, &mut sink.check)?,
            },
            Times::Statistics(columns) => {
                for (statistic, column) in columns {
                    given.push((*statistic, column.time(row, line, &mut sink.check)?));
                }
                Measured::Statistics(&given)
            }
        };
        if sound {
            sink.row(&Row { line, sizes: &self.sizes, method: method?, run, measured });
        }
        Some(())
    }

    fn begin(&mut self, collective: Option<&str>, sink: &mut Sink<'_, '_>) {
        let asked = sink.asked().collective.as_deref();
        let fixed = sink.fixed("collective").map(str::to_owned);
        let basis = self.table.rules.basis(collective.or(fixed.as_deref()).or(asked));
        let axes: Vec<&str> = self.axes.iter().map(|(name, _)| &**name).collect();
        let ranks = match &self.times {
            Times::Rank { .. } => Some(sink.asked().ranks.name()),
            _ => self.table.ranks,
        };
        let began = sink.begin(&axes, basis, self.table.unit, ranks);
        self.began = if began.is_some() { Began::Yes } else { Began::Refused };
    }

    fn read_sizes(&mut self, row: &ByteRecord, line: u64, sink: &mut Sink<'_, '_>) -> bool {
        self.sizes.clear();
        for (axis, column) in &self.axes {
            let text = std::str::from_utf8(&row[column.index]).unwrap_or_default();
            let size = self.table.rules.size(axis, text);
            let scale = match (axis.as_str(), &self.ranks_per_node) {
                ("msg_size", _) => Some(self.element_size),
                ("comm_size", Some(column)) => column.size(row, line, &mut sink.check),
                _ => Some(1),
            };
            let size = size.and_then(|size| size.checked_mul(scale?));
            match size {
                Some(0) if axis == "comm_size" => {
                    column.refuse(row, line, "a number of ranks", &mut sink.check);
                }
                Some(size) => self.sizes.push(size),
                None => column.refuse(row, line, "a whole number", &mut sink.check),
            }
        }
        self.sizes.len() == self.axes.len()
    }

    fn read_method(&mut self, row: &ByteRecord, line: u64, sink: &mut Sink<'_, '_>) -> Option<usize> {
        if let Some(method) = self.fixed_method {
            return Some(method);
        }
        self.key.clear();
        for column in self.method.iter().chain(&self.segment_size) {
            self.key.extend_from_slice(&row[column.index]);
            self.key.push(0);
        }
        if let Some(&known) = self.methods.get(&self.key) {
            return Some(known);
        }
        let name = |column: &Column| str::from_utf8(&row[column.index]).ok();
        let names: Option<Vec<&str>> = self.method.iter().map(name).collect();
        let Some(names) = names.filter(|names| names.iter().any(|name| !name.is_empty())) else {
            self.method[0].refuse(row, line, "the name of a method, in UTF-8", &mut sink.check);
            return None;
        };
        let mut method = self.table.rules.method(&names);
        if let Some(column) = self.segment_size.as_ref().filter(|column| !row[column.index].is_empty()) {
            method.segment_size = Some(column.size(row, line, &mut sink.check)?);
        }
        method.segment_size = method.segment_size.filter(|&size| size > 0);
        let number = sink.method(method);
        self.methods.insert(self.key.clone(), number);
        Some(number)
    }
}

/// How to write what would be a number elsewhere.
fn written_otherwise(text: &str) -> Option<&'static str> {
    let is_digit = |character: char| character.is_ascii_digit();
    if !text.starts_with(is_digit) || !text.ends_with(is_digit) {
        return None;
    }
    let marks = |character: &char| !character.is_ascii_digit();
    let is_separator = |mark: char| [',', '.', '\'', '’', '_'].contains(&mark) || mark.is_whitespace();
    let groups: Vec<&str> = text.split(|character| !is_digit(character)).collect();
    let by_thousands = groups[1..].iter().all(|group| group.len() == 3) && groups[0].len() <= 3;
    match text.chars().filter(marks).collect::<Vec<char>>()[..] {
        [] => None,
        [','] if !by_thousands => Some("write a decimal point"),
        ref marks if marks.iter().all(|&mark| is_separator(mark)) => {
            Some("write numbers without thousands separators, and with a decimal point")
        }
        _ => None,
    }
}

/// The columns of the times: the user's or the format's, or else statistics.
fn times(header: &Header<'_>, columns: &Columns, table: &Table<'_>, check: &mut Check) -> Option<Times> {
    if let Some(time) = &columns.time {
        let time = header.require(time, check);
        if columns.rank.is_none() {
            return Some(Times::Repeat(time?));
        }
        let rank = columns.rank.as_ref().and_then(|rank| header.require(rank, check));
        let repeat = columns.repeat.as_ref().and_then(|repeat| header.require(repeat, check));
        return rank.and(Some(Times::Rank { time: time?, repeat: repeat? }));
    }
    let found =
        table.statistics.iter().filter_map(|(statistic, name)| Some((*statistic, header.find(name)?)));
    let found: Vec<(Statistic, Column)> = found.collect();
    if found.is_empty() {
        header.require("time", check);
        return None;
    }
    Some(Times::Statistics(found))
}

impl Column {
    fn parse<T: std::str::FromStr>(&self, row: &ByteRecord) -> Option<T> {
        std::str::from_utf8(&row[self.index]).ok()?.parse().ok()
    }

    fn text<'r>(&self, row: &'r ByteRecord, line: u64, check: &mut Check) -> Option<&'r str> {
        let text = str::from_utf8(&row[self.index]).ok().filter(|text| !text.is_empty());
        if text.is_none() {
            self.refuse(row, line, "a name in UTF-8", check);
        }
        text
    }

    fn refuse(&self, row: &ByteRecord, line: u64, expected: &str, check: &mut Check) {
        check.add_with(|| {
            let found = String::from_utf8_lossy(&row[self.index]);
            let problem =
                Problem::new(Place::Line(line), format!("`{}` is `{found}`, not {expected}", self.name));
            match written_otherwise(&found) {
                Some(help) => problem.help(help),
                None => problem,
            }
        });
    }

    fn size(&self, row: &ByteRecord, line: u64, check: &mut Check) -> Option<u64> {
        let size = self.parse(row);
        if size.is_none() {
            self.refuse(row, line, "a whole number", check);
        }
        size
    }

    fn time(&self, row: &ByteRecord, line: u64, check: &mut Check) -> Option<f64> {
        let time = self.parse(row).filter(|time: &f64| time.is_finite() && *time > 0.0);
        if time.is_none() {
            self.refuse(row, line, "a time above 0", check);
        }
        time
    }
}
