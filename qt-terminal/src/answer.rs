//! The answer of a command, in the form that all commands of both programs share: a line for each thing asked, the commands that follow,
//! and where the notes and the page are.

use std::fmt;

/// The number of characters of notes on the line that names their file.
const MAX_SHOWN: usize = 90;

/// The longest command beside which the purposes of all commands begin at one column.
const MAX_ALIGNED: usize = 64;

/// The answer of a command. It is displayed as
///
/// ```text
/// bcast      +45.9 %  (95 %: 41.6 to 50.2)  7 regions  deploy
/// allreduce  no gain                                   left to Open MPI
/// next       sh tuned/smoke.sh mpirun -np 8 qtdec-bench  # tries the files
/// notes      6 in tuned/notes.md: rules end at 8 ranks; …
/// page       tuned/report.html
/// ```
#[derive(Clone, Debug, Default)]
pub struct Answer {
    rows: Vec<Vec<String>>,
    next: Vec<(String, &'static str)>,
    notes: Option<String>,
    page: Option<String>,
}

impl Answer {
    /// Adds the line of a thing that was asked: its name, and what was found.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Adds a command that follows, complete as it is typed, and what it is for.
    pub fn next(&mut self, command: impl Into<String>, purpose: &'static str) {
        self.next.push((command.into(), purpose));
    }

    /// Names the file with the notes, and shows the beginnings of the first ones.
    pub fn notes(&mut self, notes: &Notes, file: &str) {
        self.notes = (!notes.0.is_empty()).then(|| format!("{} in {file}: {}", notes.0.len(), notes.shown()));
    }

    pub fn page(&mut self, file: impl Into<String>) {
        self.page = Some(file.into());
    }

    /// Returns the lines, each as a label and what follows it.
    fn lines(&self) -> Vec<(&str, String)> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width =
            |column: usize| self.rows.iter().filter_map(|row| row.get(column).map(|cell| length(cell))).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        let rows = self.rows.iter().filter_map(|row| {
            let (label, cells) = row.split_first()?;
            let cells = cells.iter().zip(&widths[1..]).map(|(cell, width)| padded(cell, *width));
            Some((&**label, cells.collect::<Vec<_>>().join("  ")))
        });
        let aligned = self.next.iter().map(|(command, _)| length(command));
        let aligned = aligned.filter(|length| *length <= MAX_ALIGNED).max().unwrap_or(0);
        let next = self.next.iter().enumerate().map(|(index, (command, purpose))| {
            let label = if index == 0 { "next" } else { "" };
            (label, format!("{}  # {purpose}", padded(command, aligned)))
        });
        let last = [("notes", &self.notes), ("page", &self.page)];
        let last = last.into_iter().filter_map(|(label, text)| Some((label, text.clone()?)));
        rows.chain(next).chain(last).collect()
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.lines();
        let width = lines.iter().map(|(label, _)| length(label)).max().unwrap_or(0);
        lines.iter().try_for_each(|(label, rest)| {
            writeln!(formatter, "{}", format!("{}  {rest}", padded(label, width)).trim_end())
        })
    }
}

/// Notes on what a command found: what may be read later. Those that differ only in what they are about are one.
#[derive(Clone, Debug, Default)]
pub struct Notes(Vec<(Vec<String>, String)>);

impl Notes {
    pub fn add(&mut self, about: Option<&str>, note: impl Into<String>) {
        let (note, about) = (note.into(), about.map(str::to_owned));
        match self.0.iter_mut().find(|(_, known)| *known == note) {
            Some((all, _)) => all.extend(about),
            None => self.0.push((Vec::from_iter(about), note)),
        }
    }

    /// Returns the notes with what each is about.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(about, note)| {
            if about.is_empty() { note.clone() } else { format!("{}: {note}", about.join(", ")) }
        })
    }

    /// Returns the beginnings of the first notes, as many as fit.
    fn shown(&self) -> String {
        let mut shown = String::new();
        for (index, (_, note)) in self.0.iter().enumerate() {
            let beginning = beginning(note);
            if index > 0 && length(&shown) + length(beginning) > MAX_SHOWN {
                return shown + "; …";
            }
            shown = if index == 0 { beginning.to_owned() } else { format!("{shown}; {beginning}") };
        }
        shown
    }
}

/// Returns the first clause of a note; a single word is the name of what the clause is about.
fn beginning(note: &str) -> &str {
    let from = note.find(' ').map_or(0, |space| space + 1);
    let ends = [": ", ", ", "; ", " (", ". "].into_iter().filter_map(|end| note[from..].find(end));
    note[..ends.min().map_or(note.len(), |end| from + end)].trim_end_matches('.')
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(length(text))))
}

#[cfg(test)]
mod tests {
    use super::{Answer, Notes};

    fn row(answer: &mut Answer, cells: &[&str]) {
        answer.row(cells.iter().map(|cell| (*cell).to_owned()));
    }

    #[test]
    fn lines_are_a_table_commands_and_files() {
        let mut answer = Answer::default();
        row(&mut answer, &["bcast", "+45.9 %", "7 regions", "deploy"]);
        row(&mut answer, &["allreduce", "no gain", "", "left"]);
        answer.next("sh smoke.sh", "tries");
        answer.next("source switches.sh", "uses");
        let long = "x".repeat(70);
        answer.next(long.clone(), "verifies");
        let mut notes = Notes::default();
        notes.add(Some("bcast"), "Rules end at 8 ranks, the most.");
        notes.add(None, "Bcast: one more (of two)");
        answer.notes(&notes, "notes.md");
        answer.page("report.html");
        let expected = format!(
            "bcast      +45.9 %  7 regions  deploy\n\
             allreduce  no gain             left\n\
             next       sh smoke.sh         # tries\n           \
                        source switches.sh  # uses\n           \
                        {long}  # verifies\n\
             notes      2 in notes.md: Rules end at 8 ranks; Bcast: one more\n\
             page       report.html\n"
        );
        assert_eq!(answer.to_string(), expected);
        let mut short = Answer::default();
        row(&mut short, &["a", ""]);
        short.notes(&Notes::default(), "notes.md");
        assert_eq!(short.to_string(), "a\n", "no empty lines, and no spaces at the end");
    }

    #[test]
    fn equal_notes_are_one_and_long_ones_are_left_out() {
        let mut notes = Notes::default();
        for name in ["bcast", "reduce"] {
            notes.add(Some(name), "the same");
        }
        notes.add(None, "b".repeat(80));
        assert_eq!(notes.lines().next().unwrap(), "bcast, reduce: the same");
        assert_eq!(notes.shown(), format!("the same; {}", "b".repeat(80)));
        notes.add(None, "c");
        assert_eq!(notes.shown(), format!("the same; {}; …", "b".repeat(80)));
    }
}
