//! Faults in the rows of a file, each kind reported once however many rows have it.

use std::cell::Cell;
use std::rc::Rc;

use indexmap::IndexMap;
use qtdec_core::{Diagnostics, Message, Place, Problem, Problems};

/// The number of faults after which a file is not read further: one that has so many is something else.
pub const MAX_FAULTS: usize = 1 << 16;

/// The maximum number of kinds of faults that are kept; further ones are counted. A report lists only the first of them.
const MAX_KINDS: usize = 1 << 8;

/// The faults of a file, in the order in which they were found.
#[derive(Debug, Default)]
pub struct Faults {
    kinds: IndexMap<String, Fault>,
    /// The number of faults of further kinds.
    further: usize,
    count: FaultCount,
}

/// The number of faults of a file, which whoever reads its bytes can look at too.
#[derive(Clone, Debug, Default)]
pub struct FaultCount(Rc<Cell<usize>>);

impl FaultCount {
    /// Checks that the rest of the file is worth reading.
    ///
    /// # Errors
    ///
    /// Fails after [`MAX_FAULTS`] faults, with a message for the line where reading ends.
    pub fn check(&self) -> Result<(), String> {
        if self.0.get() < MAX_FAULTS {
            return Ok(());
        }
        Err(format!("{MAX_FAULTS} faults were found, and reading ends here: is the file something else?"))
    }
}

/// Returns the fault of a row that has another number of fields than the header; `names` are those of one field and of several.
pub fn ragged(place: Place, names: [&str; 2], found: usize, expected: usize) -> Problem {
    let name = names[usize::from(found != 1)];
    let message = Message::from("the row has ").value(found).text(format!(" {name}, the header {expected}"));
    Problem::new(place, message).help(if found > expected {
        "write numbers without commas: 1024 instead of 1,024, and 0.5 instead of 0,5"
    } else {
        "is the file cut off?"
    })
}

#[derive(Debug)]
struct Fault {
    /// The first fault of its kind.
    problem: Problem,
    /// The number of further lines with the same kind, and the last of them.
    again: u64,
    last: u64,
}

impl Faults {
    /// Adds a fault. Row faults that differ only in the values of their messages are merged.
    pub fn add(&mut self, problem: Problem) {
        let Place::Line(line) = problem.place else {
            return self.add_alone(problem);
        };
        if let Some(fault) = self.kind(problem.kind(), Fault { problem, again: 0, last: line })
            && fault.last != line
        {
            fault.again += 1;
            fault.last = line;
        }
    }

    /// Returns the number of faults as it is now and later.
    pub fn count(&self) -> FaultCount {
        self.count.clone()
    }

    /// Adds all faults found before the rows.
    pub fn note(&mut self, problems: &Problems) {
        for problem in problems {
            self.add_alone(problem.clone());
        }
    }

    fn add_alone(&mut self, problem: Problem) {
        self.kind(problem.to_string(), Fault { problem, again: 0, last: 0 });
    }

    /// Counts a fault, and returns the first one of its kind if that is kept.
    fn kind(&mut self, kind: String, fault: Fault) -> Option<&mut Fault> {
        self.count.0.set(self.count.0.get() + 1);
        if self.kinds.len() < MAX_KINDS || self.kinds.contains_key(&kind) {
            return Some(self.kinds.entry(kind).or_insert(fault));
        }
        self.further += 1;
        None
    }

    /// Returns the result of reading the file.
    ///
    /// # Errors
    ///
    /// Returns all faults that were added.
    pub fn finish(self) -> Result<(), Problems> {
        let mut check = Diagnostics::default();
        for Fault { mut problem, again, last } in self.kinds.into_values() {
            let likewise = match again {
                0 => String::new(),
                1 => format!("; likewise on line {last}"),
                _ => format!("; likewise on {again} more lines, up to {last}"),
            };
            // The count of a fault does not make it another kind.
            problem.message = problem.message.value(likewise);
            check.add(problem);
        }
        check.count(self.further);
        check.finish(Some(()))
    }
}

#[cfg(test)]
mod tests {
    use qtdec_core::Message;

    use super::*;

    #[test]
    fn faults_of_one_kind_are_reported_once() {
        let mut faults = Faults::default();
        let cell = |column: &str, found: &str| {
            Message::from(format!("`{column}` is `")).value(found).text("`, not a time")
        };
        let ragged = |found: u64| Message::from("the row has ").value(found).text(" fields, the header 4");
        let not_a_size = |found: &str| Message::from("`").value(found).text("` is not a size");
        let messages = [
            (2, cell("t1", "x")),
            (3, cell("t1", "")),
            (3, cell("t2", "x")),
            (4, ragged(3)),
            (5, cell("t1", "` is `")),
            (6, ragged(12)),
            (7, not_a_size("two")),
            (7, not_a_size("three")),
        ];
        for (line, message) in messages {
            faults.add(Problem::new(Place::Line(line), message));
        }
        faults.add(Problem::new(Place::File, "there is no `2`"));
        faults.add(Problem::new(Place::File, "there is no `3`"));
        let reported = faults.finish().unwrap_err().to_string();
        let expected = [
            "`t1` is `x`, not a time; likewise on 2 more lines, up to 5",
            "`t2` is `x`, not a time",
            "the row has 3 fields, the header 4; likewise on line 6",
            "`two` is not a size",
            "there is no `2`",
            "there is no `3`",
        ];
        assert_eq!(reported, expected.join("\n"));
    }
}
