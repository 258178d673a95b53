//! Several deployments for a site, of which a job takes that for its own value of a column.

use qtdec_mpi::campaign::measure::fill;
use qtdec_mpi_library::tuning::switches::quoted;
use qtdec_terminal::{Answer, Failure, FileSet, output};

use super::inputs::{Inputs, absolute, outputs};
use super::{Arguments, tune};
use crate::commands::tuning_files::tuning_file::SWITCHES;

/// A column, and the values for each of which a deployment is made.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Each {
    column: String,
    values: Vec<String>,
}

/// How the shell of a job finds its value of a column, under Slurm, PBS and LSF. Other columns must be told.
const SEEN: [(&str, &str); 4] = [
    ("comm_size", "${SLURM_NTASKS:-${PBS_NP:-${LSB_DJOB_NUMPROC:-}}}"),
    ("nodes", "${SLURM_JOB_NUM_NODES:-${PBS_NUM_NODES:-}}"),
    ("partition", "${SLURM_JOB_PARTITION:-${PBS_QUEUE:-${LSB_QUEUE:-}}}"),
    ("ppn", "${SLURM_NTASKS_PER_NODE:-${SLURM_TASKS_PER_NODE:-${PBS_NUM_PPN:-}}}"),
];

impl Each {
    /// Parses `COLUMN=VALUE,…`. Column and values name folders, and stand in a script.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (column, values) = text.split_once('=').ok_or("write COLUMN=VALUE,…, such as ppn=4,8")?;
        let values: Vec<String> = values.split(',').map(str::to_owned).collect();
        for (number, word) in [column].into_iter().chain(values.iter().map(String::as_str)).enumerate() {
            if !is_plain(word) {
                return Err(format!(
                    "`{word}` would name a folder, so it may have letters, digits, _, - and . only, and begins with \
                     a letter or digit: for another value, use --where and a folder of its own"
                ));
            }
            if number > 0 && values[..number - 1].iter().any(|before| before == word) {
                return Err(format!("{word} is given twice"));
            }
        }
        Ok(Self { column: column.to_owned(), values })
    }

    /// Tunes for each value, and writes the script of the jobs. Returns whether any collective has a gain that may be claimed.
    pub(super) fn tune(&self, arguments: &Arguments) -> Result<bool, Failure> {
        let parts: Vec<Arguments> = self.values.iter().map(|value| self.part(arguments, value)).collect();
        let opened = parts.iter().map(Inputs::open).collect::<Result<Vec<_>, Failure>>()?;
        let mut is_recommended = false;
        for (part, opened) in parts.iter().zip(opened) {
            output::print(&format!("── {}\n", part.output))?;
            is_recommended |= tune(opened)?;
        }
        let mut set = FileSet::new("tune");
        set.add(SWITCHES, self.script(arguments)?);
        set.write(&arguments.output, outputs(arguments), Some(&arguments.force))?;
        let mut answer = Answer::default();
        let script = format!("{}/{SWITCHES}", arguments.output);
        answer.next(format!("source {}", quoted(&script)), "takes the settings of a job's own value");
        output::print(&format!("── {}\n{answer}", arguments.output))?;
        Ok(is_recommended)
    }

    fn part(&self, arguments: &Arguments, value: &str) -> Arguments {
        let mut part = arguments.clone();
        part.output = format!("{}/{}", arguments.output, self.folder(value));
        part.values.push((self.column.clone(), value.to_owned()));
        part
    }

    fn folder(&self, value: &str) -> String {
        format!("{}={value}", self.column)
    }

    fn script(&self, arguments: &Arguments) -> Result<String, Failure> {
        let case = |value: &String| {
            let path = absolute(&format!("{}/{}", arguments.output, self.folder(value)), SWITCHES)?;
            Ok(format!("{value}) . {} ;;", quoted(&path)))
        };
        let cases: Vec<String> = self.values.iter().map(case).collect::<Result<_, Failure>>()?;
        let known = SEEN.iter().find(|(column, _)| *column == self.column);
        let values = [
            ("column", &*self.column),
            ("variable", &self.variable()),
            ("seen", known.map_or("", |(_, seen)| seen)),
            ("cases", &cases.join("\n")),
        ];
        Ok(fill(include_str!("each.sh"), &values))
    }

    fn variable(&self) -> String {
        let upper = self.column.to_ascii_uppercase();
        format!("QTDEC_{}", upper.replace(|character: char| !character.is_ascii_alphanumeric(), "_"))
    }
}

/// Returns whether a text has one meaning as the name of a folder, in a shell, and in a pattern of a shell.
fn is_plain(text: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    text.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric()) && text.bytes().all(is_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_name_folders() {
        let each = Each::parse("ppn=4,8").unwrap();
        assert_eq!((&*each.folder("8"), &*each.variable()), ("ppn=8", "QTDEC_PPN"));
        assert!(Each::parse("partition=cpu-2.0,a_b").is_ok());
        for refused in ["ppn", "=4", "ppn=", "ppn=4,", "ppn=../x", "ppn=4,8,4", "ppn=a*", "ppn=.", "p n=4"] {
            assert!(Each::parse(refused).is_err(), "{refused}");
        }
    }
}
