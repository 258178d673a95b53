//! The lines before the rows of a file, split but not checked.

use qtdec_core::listing::shortened;
use qtdec_core::{Diagnostics, Place, Problem, Problems};

use crate::fields::fields;
use crate::header::{FORMAT, Named};

/// The maximum number of lines before the rows, and of bytes in them: several times what the most methods, launches and labels take.
const MAX_LINES: usize = 1 << 18;
const MAX_BYTES: usize = 1 << 24;

/// Returns the fault that so many lines and bytes come before the rows, if a file may not have them.
pub(crate) fn size_fault(lines: usize, bytes: usize) -> Option<Problem> {
    let message = match () {
        () if lines > MAX_LINES => format!("more than {MAX_LINES} lines come before the rows"),
        () if bytes > MAX_BYTES => format!("more than {} MiB come before the rows", MAX_BYTES >> 20),
        () => return None,
    };
    Some(
        Problem::new(Place::File, message)
            .help("shorten or remove some, or divide the times among several files"),
    )
}

/// The lines before the rows, each split into its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawHeader {
    /// The name and version of the form.
    pub(crate) format: String,
    /// The keys and their values, with the numbers of their lines.
    pub(crate) about: Vec<(u64, String, String)>,
    pub(crate) axes: Vec<(u64, Named)>,
    /// The names of labelled axes, each with one label.
    pub(crate) labels: Vec<(u64, String, String)>,
    pub(crate) parameters: Vec<(u64, Named)>,
    /// The fields of the listed methods.
    pub(crate) methods: Vec<(u64, Vec<String>)>,
    /// The collectives with the fields of a method that is listed of them.
    pub(crate) orders: Vec<(u64, Vec<String>)>,
    /// The names of the listed launches.
    pub(crate) launches: Vec<(u64, String)>,
    /// The fields of the described jobs.
    pub(crate) jobs: Vec<(u64, Vec<String>)>,
    /// The names of the columns, and their line.
    pub(crate) columns: Vec<String>,
    pub(crate) line: u64,
}

impl RawHeader {
    /// Splits lines, the last of which has the names of the columns.
    ///
    /// # Errors
    ///
    /// Returns the lines that are neither comments of the form nor the names of columns.
    pub fn split<'l>(lines: impl IntoIterator<Item = &'l str>) -> Result<Self, Problems> {
        let mut header = Self::default();
        let mut check = Diagnostics::default();
        for (line, text) in (1..).zip(lines) {
            let split = match text.strip_prefix('#') {
                _ if header.line > 0 => {
                    Err(Problem::new(Place::Line(line), "the names of the columns are above"))
                }
                Some(comment) if line == 1 => {
                    comment.trim().clone_into(&mut header.format);
                    Ok(())
                }
                Some(comment) => header.comment(line, comment),
                None => header.names(line, text),
            };
            if let Err(problem) = split {
                check.add(problem);
            }
        }
        if header.line == 0 {
            check.add(
                Problem::new(Place::File, "the file ends before the names of the columns")
                    .help("is the file cut off?"),
            );
        }
        check.finish(Some(header))
    }

    fn comment(&mut self, line: u64, comment: &str) -> Result<(), Problem> {
        let comment = comment.trim();
        match comment.split_once(' ') {
            Some(("axis", axis)) => self.axes.push((line, named(axis))),
            Some(("parameter", parameter)) => self.parameters.push((line, named(parameter))),
            Some(("label", label)) if label.contains(": ") => {
                let (axis, label) = label.split_once(": ").unwrap_or_default();
                self.labels.push((line, axis.to_owned(), single(line, label)?));
            }
            Some(("method:", method)) => self.methods.push((line, listed(line, method)?)),
            Some(("order:", order)) => self.orders.push((line, listed(line, order)?)),
            Some(("job:", job)) => self.jobs.push((line, listed(line, job)?)),
            Some(("launch:", launch)) => self.launches.push((line, single(line, launch)?)),
            None if comment == "launch:" => self.launches.push((line, String::new())),
            _ => match comment.split_once(": ") {
                Some((key, value)) => self.about.push((line, key.to_owned(), value.trim().to_owned())),
                None => {
                    let message = format!("`# {}` is not `# key: value`", shortened(comment));
                    return Err(Problem::new(Place::Line(line), message)
                        .help("write it as the value of a key, such as `# note: text`, or remove the line"));
                }
            },
        }
        Ok(())
    }

    fn names(&mut self, line: u64, text: &str) -> Result<(), Problem> {
        self.line = line;
        if line == 1 {
            return Err(Problem::new(Place::Line(1), format!("the file does not begin with `# {FORMAT}`"))
                .help("qtdec read makes canonical times of the output of benchmarks"));
        }
        let names = fields(text).ok_or_else(|| {
            Problem::new(Place::Line(line), "the quotation marks do not match")
                .help("write names without them")
        })?;
        self.columns = names.into_iter().map(|(_, name)| name.trim().to_owned()).collect();
        Ok(())
    }
}

fn named(text: &str) -> Named {
    let (name, unit) = text.split_once(": ").map_or((text, None), |(name, unit)| (name, Some(unit.trim())));
    Named { name: name.to_owned(), unit: unit.map(str::to_owned) }
}

fn listed(line: u64, text: &str) -> Result<Vec<String>, Problem> {
    let fields = fields(text).ok_or_else(|| unmatched(line))?;
    Ok(fields.into_iter().map(|(_, field)| field.into_owned()).collect())
}

fn single(line: u64, text: &str) -> Result<String, Problem> {
    let mut fields = listed(line, text)?;
    fields.pop().filter(|_| fields.is_empty()).ok_or_else(|| unmatched(line))
}

fn unmatched(line: u64) -> Problem {
    Problem::new(Place::Line(line), "the quotation marks do not match")
        .help("write each one that belongs to a name twice")
}
