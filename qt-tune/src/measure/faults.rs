//! What is wrong with the rows of a file: told once for each kind of fault, however many rows have it.

use indexmap::IndexMap;
use qtdec_core::{Diagnostics, Place, Problem, Problems};

/// The faults of a file, in the order in which they were met.
#[derive(Debug, Default)]
pub(crate) struct Faults(IndexMap<String, Fault>);

#[derive(Debug)]
struct Fault {
    /// The first of its kind.
    problem: Problem,
    /// On how many lines it is met again, and the last of these.
    again: u64,
    last: u64,
}

impl Faults {
    /// Notes a fault. Two of rows are of one kind if only numbers and what stands in the file set them apart.
    pub(crate) fn add(&mut self, problem: Problem) {
        let Place::Line(line) = problem.place else {
            return self.add_alone(problem);
        };
        let fault = self.0.entry(kind(&problem)).or_insert(Fault { problem, again: 0, last: line });
        if fault.last != line {
            fault.again += 1;
            fault.last = line;
        }
    }

    /// Notes all that is wrong with what stands before the rows.
    pub(crate) fn note(&mut self, problems: &Problems) {
        for problem in problems {
            self.add_alone(problem.clone());
        }
    }

    fn add_alone(&mut self, problem: Problem) {
        self.0.entry(problem.to_string()).or_insert(Fault { problem, again: 0, last: 0 });
    }

    /// # Errors
    ///
    /// All that was noted.
    pub(crate) fn finish(self) -> Result<(), Problems> {
        let mut check = Diagnostics::default();
        for Fault { mut problem, again, last } in self.0.into_values() {
            let likewise = match again {
                0 => String::new(),
                1 => format!("; likewise on line {last}"),
                _ => format!("; likewise on {again} more lines, up to {last}"),
            };
            problem.message += &likewise;
            check.add(problem);
        }
        check.finish(Some(()))
    }
}

/// The message and the way out without what the row holds: its last quotation, and all numbers outside of quotations.
fn kind(problem: &Problem) -> String {
    let Problem { message, help, .. } = problem;
    let quoted = message.find("` is `").map(|at| at + "` is `".len());
    let quoted = quoted.or_else(|| message.find('`').map(|at| at + 1));
    let (before, after) = match (quoted, message.rfind('`')) {
        (Some(start), Some(end)) if start <= end => (&message[..start], &message[end..]),
        _ => ("", &**message),
    };
    let after = after.chars().filter(|character| !character.is_ascii_digit());
    [before, &after.collect::<String>(), help.as_deref().unwrap_or_default()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_one_kind_are_told_once() {
        let mut faults = Faults::default();
        let messages = [
            (2, "`t1` is `x`, not a time"),
            (3, "`t1` is ``, not a time"),
            (3, "`t2` is `x`, not a time"),
            (4, "the row has 3 fields, the header 4"),
            (5, "`t1` is ``` is `, not a time"),
            (6, "the row has 12 fields, the header 4"),
            (7, "`two` is not a size"),
            (7, "`three` is not a size"),
        ];
        for (line, message) in messages {
            faults.add(Problem::new(Place::Line(line), message));
        }
        faults.add(Problem::new(Place::File, "there is no `2`"));
        faults.add(Problem::new(Place::File, "there is no `3`"));
        let told = faults.finish().unwrap_err().to_string();
        let expected = [
            "`t1` is `x`, not a time; likewise on 2 more lines, up to 5",
            "`t2` is `x`, not a time",
            "the row has 3 fields, the header 4; likewise on line 6",
            "`two` is not a size",
            "there is no `2`",
            "there is no `3`",
        ];
        assert_eq!(told, expected.join("\n"));
    }
}
