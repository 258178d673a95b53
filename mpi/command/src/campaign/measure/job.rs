//! Options of a job for the scheduler, other than its ranks.

/// The Slurm options of a job: the directives `#SBATCH --account`, `--partition` and `--time`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// The account to charge.
    pub account: Option<String>,
    /// The partition of the nodes.
    pub partition: Option<String>,
    /// The time limit.
    pub time: Option<String>,
}

impl Job {
    /// Returns whether no option is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the directives, one per line.
    pub(super) fn directives(&self) -> String {
        let requested = [("account", &self.account), ("partition", &self.partition), ("time", &self.time)];
        let lines = requested
            .iter()
            .filter_map(|(name, value)| value.as_ref().map(|value| format!("#SBATCH --{name}={value}\n")));
        lines.collect()
    }

    /// Checks the name of an account or of partitions: a directive ends at white space, and a quote would be part of the name.
    ///
    /// # Errors
    ///
    /// Returns a description of the expected text.
    pub fn name(text: &str) -> Result<String, String> {
        let is_part = |char: char| char.is_alphanumeric() || "_-.,:@+/".contains(char);
        let is_name = !text.is_empty() && text.chars().all(is_part);
        is_name
            .then(|| text.to_owned())
            .ok_or_else(|| "letters, digits and any of _ - . , : @ + /".to_owned())
    }

    /// Checks a time in one of Slurm's formats: `MINUTES`, `M:S`, `H:M:S`, `D-H`, `D-H:M` or `D-H:M:S` (sbatch(1)).
    ///
    /// # Errors
    ///
    /// Returns a description of the expected text.
    pub fn time(text: &str) -> Result<String, String> {
        let (days, clock) = text.split_once('-').map_or((None, text), |(days, clock)| (Some(days), clock));
        let is_number = |part: &str| {
            !part.is_empty() && part.len() <= 6 && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let numbers: Vec<&str> = clock.split(':').chain(days).collect();
        let is_time = numbers.iter().all(|part| is_number(part)) && clock.split(':').count() <= 3;
        let is_some = numbers.iter().any(|part| part.bytes().any(|digit| digit != b'0'));
        if is_time && is_some {
            Ok(text.to_owned())
        } else {
            Err("a time above 0 such as 90 (minutes), 12:00:00 or 1-12:00:00 (days-hours:minutes:seconds)"
                .to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_slurm() {
        for time in ["90", "90:30", "12:00:00", "1-12", "1-12:30", "0-00:00:01", "2-00:00:00"] {
            assert_eq!(Job::time(time), Ok(time.to_owned()));
        }
        for time in
            ["", "0", "00:00", "1h", "1:2:3:4", "1-", "-1", "1--2", "1.5", "12:00:00\n", " 5", "1-2-3"]
        {
            assert!(Job::time(time).is_err(), "{time:?}");
        }
    }

    #[test]
    fn a_name_stays_on_its_line() {
        assert!(["p12", "gpu,cpu", "team:sub", "a@b"].iter().all(|name| Job::name(name).is_ok()));
        assert!(
            ["", "a b", "a\n#SBATCH --x", "$(pwn)", "'a'", "a#"].iter().all(|name| Job::name(name).is_err())
        );
    }

    #[test]
    fn directives_are_the_requested_ones() {
        assert_eq!(Job::default().directives(), "");
        let job = Job { account: Some("p12".to_owned()), time: Some("1-12".to_owned()), ..Job::default() };
        assert_eq!(job.directives(), "#SBATCH --account=p12\n#SBATCH --time=1-12\n");
    }
}
