//! Faults in the rows of a file, each kind reported once however many rows have it.

use indexmap::IndexMap;
use qtdec_core::{Diagnostics, Place, Problem, Problems};

/// The faults of a file, in the order in which they were found.
#[derive(Debug, Default)]
pub struct Faults(IndexMap<String, Fault>);

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
        let fault = self.0.entry(problem.kind()).or_insert(Fault { problem, again: 0, last: line });
        if fault.last != line {
            fault.again += 1;
            fault.last = line;
        }
    }

    /// Adds all faults found before the rows.
    pub fn note(&mut self, problems: &Problems) {
        for problem in problems {
            self.add_alone(problem.clone());
        }
    }

    fn add_alone(&mut self, problem: Problem) {
        self.0.entry(problem.to_string()).or_insert(Fault { problem, again: 0, last: 0 });
    }

    /// Returns the result of reading the file.
    ///
    /// # Errors
    ///
    /// Returns all faults that were added.
    pub fn finish(self) -> Result<(), Problems> {
        let mut check = Diagnostics::default();
        for Fault { mut problem, again, last } in self.0.into_values() {
            let likewise = match again {
                0 => String::new(),
                1 => format!("; likewise on line {last}"),
                _ => format!("; likewise on {again} more lines, up to {last}"),
            };
            // The count of a fault does not make it another kind.
            problem.message = problem.message.value(likewise);
            check.add(problem);
        }
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
