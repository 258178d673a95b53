//! Environment variables as set by job scripts: `export NAME='value'`, `NAME=value` alone, `setenv NAME value` of the
//! C shell, and `-genv NAME value` of `mpirun`.

use std::collections::HashMap;

use crate::catalogue::Library;

use super::Severity::{Dropped, Wrong};
use super::finding::Findings;

/// The maximum length in bytes of `NAME=value` when Linux starts a program: `MAX_ARG_STRLEN` without the terminator.
pub(super) const LONGEST: usize = (128 << 10) - 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Assignment<'t> {
    /// The offset of the name in the text.
    pub(super) offset: usize,
    pub(super) name: &'t str,
    /// The offset of the value.
    pub(super) start: usize,
    pub(super) value: &'t str,
}

/// Returns the variables of a file whose names begin with `prefix`, and findings about their syntax. If a variable is
/// set several times, the last assignment is returned.
pub(super) fn assignments<'t>(bytes: &'t [u8], prefix: &str) -> (Vec<Assignment<'t>>, Findings) {
    let mut reader = Reader::default();
    let text = std::str::from_utf8(bytes).unwrap_or_else(|error| {
        let message = "the file is not text in UTF-8";
        reader.findings.at(Dropped, error.valid_up_to(), message, "save it as UTF-8");
        ""
    });
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        reader.number += 1;
        if !line.trim_start().starts_with('#') {
            reader.line(start, line.trim_end(), prefix);
        }
        start += line.len();
    }
    let mut found: Vec<Assignment<'_>> = reader.found.into_values().map(|(_, found)| found).collect();
    found.sort_unstable_by_key(|found| found.offset);
    (found, reader.findings)
}

/// Returns the message that a variable with this value is too long for Linux, if it is.
pub(super) fn too_long(name: &str, value: &str) -> Option<String> {
    let length = name.len() + 1 + value.len();
    let message = format!(
        "{name} has {length} bytes, which exceeds Linux's limit of {LONGEST} bytes per \
         variable"
    );
    (length > LONGEST).then_some(message)
}

/// Ways to reduce the number of rules.
const FEWER: &str = "use fewer communicator sizes (--max-comm-size), shared rules (--approximate) or a \
     smaller tree";

/// Returns the line of a script that sets a variable.
pub(super) fn export(name: &str, value: &str) -> String {
    let quote = if value.contains('\'') { '"' } else { '\'' };
    format!("export {name}={quote}{value}{quote}\n")
}

/// Returns the line of a script that sets a variable to rules, and adds notes about it. Without rules, the line leaves the variable unset, and
/// the script's format is recognised by it.
pub(super) fn set(name: &str, value: &str, library: Library, notes: &mut Vec<String>) -> String {
    if value.is_empty() {
        notes.push(format!("{name} is not set: the choice is left to {} everywhere", library.name()));
        return format!("unset {name}\n");
    }
    notes.extend(too_long(name, value).map(|message| format!("{message}: {FEWER}")));
    export(name, value)
}

/// Returns whether a script says that a variable whose name begins with `prefix` is left unset.
pub(super) fn is_unset(bytes: &[u8], prefix: &str) -> bool {
    let names =
        bytes.split(|byte| *byte == b'\n').filter_map(|line| line.trim_ascii_start().strip_prefix(b"unset "));
    names.map(<[u8]>::trim_ascii_start).any(|name| name.starts_with(prefix.as_bytes()))
}

#[derive(Default)]
struct Reader<'t> {
    number: usize,
    /// The last assignment of each name, and its line.
    found: HashMap<&'t str, (usize, Assignment<'t>)>,
    findings: Findings,
}

impl<'t> Reader<'t> {
    fn line(&mut self, start: usize, line: &'t str, prefix: &str) {
        let mut from = 0;
        while let Some(at) = line[from..].find(prefix).map(|at| from + at) {
            let is_of_name = |char: char| char.is_ascii_alphanumeric() || char == '_';
            let end = line[at..].find(|char| !is_of_name(char)).map_or(line.len(), |end| at + end);
            from = end;
            // This is the end of a longer name, or the value of the variable.
            if line[..at].ends_with(|char: char| is_of_name(char) || ['$', '{'].contains(&char)) {
                continue;
            }
            let (before, rest) = (line[..at].trim_end(), line[end..].trim_start());
            let is_pair = ["setenv", "-genv", "-env"].iter().any(|word| before.ends_with(word));
            let value = rest.strip_prefix('=').map(str::trim_start);
            let Some(value) = value.or(is_pair.then_some(rest)) else { continue };
            let begins = line.len() - value.len();
            let name = &line[at..end];
            let in_shell = is_pair || before.ends_with("export");
            let (skipped, value) = self.value(start + begins, value, in_shell);
            let assignment = Assignment { offset: start + at, name, start: start + begins + skipped, value };
            self.assign(assignment);
            from = (begins + skipped + value.len()).min(line.len());
        }
    }

    /// Returns the value at the beginning of a text, after a number of bytes.
    fn value(&mut self, offset: usize, text: &'t str, in_shell: bool) -> (usize, &'t str) {
        if let Some(quote) = text.chars().next().filter(|char| ['\'', '"'].contains(char)) {
            let inner = &text[1..];
            let end = inner.find(quote).unwrap_or_else(|| {
                let message = "the quote does not end on its line";
                self.findings.at(Dropped, offset, message, "write the whole variable on one line");
                inner.len()
            });
            return (1, &inner[..end]);
        }
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        match text[..end].find(';').filter(|_| in_shell) {
            Some(cut) => {
                let message = "a shell ends the value at its first `;`";
                self.findings.at(Wrong, offset, message, "quote the value");
                (0, &text[..cut])
            }
            None => (0, &text[..end]),
        }
    }

    fn assign(&mut self, assignment: Assignment<'t>) {
        let Assignment { offset, name, value, .. } = assignment;
        if let Some(message) = too_long(name, value) {
            self.findings.at(Dropped, offset, message, FEWER);
        }
        if let Some((line, _)) = self.found.insert(name, (self.number, assignment)) {
            let message = format!("{name} is set again: the value of line {line} is overwritten");
            self.findings.at(Wrong, offset, message, "write all of its rules into one value");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, &str)> {
        let (found, _) = assignments(text.as_bytes(), "I_MPI_ADJUST_");
        assert!(found.iter().all(|found| {
            text[found.offset..].starts_with(found.name) && text[found.start..].starts_with(found.value)
        }));
        found.into_iter().map(|found| (&found.name["I_MPI_ADJUST_".len()..], found.value)).collect()
    }

    #[test]
    fn variables_are_found_where_a_script_sets_them() {
        let script = "#!/bin/bash\n#SBATCH -N 2\n# I_MPI_ADJUST_SCAN=1\nexport I_MPI_ADJUST_BCAST='1:0-9;2' # both\n\
                      I_MPI_ADJUST_REDUCE=2;3:0-9 I_MPI_ADJUST_GATHER=\"1\" mpirun ./a $I_MPI_ADJUST_SCAN\n\
                      I_MPI_ADJUST_SCATTER = 3\nunset I_MPI_ADJUST_BARRIER\nMY_I_MPI_ADJUST_SCAN=1\n";
        let expected = [("BCAST", "1:0-9;2"), ("REDUCE", "2;3:0-9"), ("GATHER", "1"), ("SCATTER", "3")];
        assert_eq!(found(script), expected);
        let script = "setenv I_MPI_ADJUST_BCAST '1;2'\nmpirun -n 4 -genv I_MPI_ADJUST_REDUCE 2 -genv I_MPI_ADJUST_SCAN=1 ./a\n";
        assert_eq!(found(script), [("BCAST", "1;2"), ("REDUCE", "2"), ("SCAN", "1")]);
    }

    #[test]
    fn a_shell_ends_a_bare_value() {
        assert_eq!(found("export I_MPI_ADJUST_BCAST=1:0-9;2"), [("BCAST", "1:0-9")]);
        assert_eq!(found("export I_MPI_ADJUST_BCAST=1\nexport I_MPI_ADJUST_BCAST='2'"), [("BCAST", "2")]);
        assert_eq!(found("export I_MPI_ADJUST_BCAST='1:0-9\n2'"), [("BCAST", "1:0-9")]);
    }
}
