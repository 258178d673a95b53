//! The jobs that launches belong to, where files say it.

use std::collections::{BTreeMap, BTreeSet};

use qtdec_core::listing::shortened;
use qtdec_core::{Message, Place, Problem};

use crate::text::{name_fault, natural, value_fault};

/// What a file says of a job besides its launches. A text is empty where it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// The name of the job, by which its launches refer to it.
    pub name: String,
    /// The nodes on which it ran.
    pub nodes: String,
    /// When it started.
    pub start: String,
}

/// The job of each launch that has a known one, and what is known of the jobs.
///
/// A job is one allocation of nodes by the system that queues programs. Its launches share the nodes and whatever else ran beside them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Jobs {
    of_launches: BTreeMap<String, String>,
    /// The jobs of which more than the name is known.
    described: BTreeMap<String, Job>,
}

impl Jobs {
    /// Records the job of a launch; an empty name changes nothing. Returns whether it was not known before.
    ///
    /// # Errors
    ///
    /// Fails for a name that a file cannot hold, and if the launch belongs to another job.
    pub fn add(&mut self, launch: &str, job: &str) -> Result<bool, Problem> {
        if job.is_empty() {
            return Ok(false);
        }
        if let Some(known) = self.of_launches.get(launch) {
            return if known == job { Ok(false) } else { Err(of_two_jobs(launch, known, job)) };
        }
        if let Some(why) = name_fault(job) {
            return Err(fault("the name of a job", &why));
        }
        self.of_launches.insert(launch.to_owned(), job.to_owned());
        Ok(true)
    }

    /// Adds what is known of a job to what was known of it before.
    ///
    /// # Errors
    ///
    /// Fails for a text that a file cannot hold, and for other nodes or another start than before.
    pub fn describe(&mut self, job: &Job) -> Result<(), Problem> {
        let Job { name, nodes, start } = job;
        if let Some(why) = name_fault(name) {
            return Err(fault("the name of a job", &why));
        }
        for (what, text) in [("the nodes of a job", nodes), ("the start of a job", start)] {
            if let Some(why) = value_fault(text).filter(|_| !text.is_empty()) {
                return Err(fault(what, &why));
            }
        }
        if nodes.is_empty() && start.is_empty() {
            return Ok(());
        }
        let known = self.described.entry(name.clone()).or_insert_with(|| job.clone());
        for (what, known, text) in [("nodes", &mut known.nodes, nodes), ("start", &mut known.start, start)] {
            if known.is_empty() {
                known.clone_from(text);
            } else if !text.is_empty() && known != text {
                let message =
                    Message::from("the job `").value(shortened(name)).text(format!("` has the {what} `"));
                let message =
                    message.value(shortened(known)).text("` and `").value(shortened(text)).text("`");
                return Err(Problem::new(Place::File, message).help(
                    "if they are two jobs, give each a name of its own, such as its number in the queue",
                ));
            }
        }
        Ok(())
    }

    /// Adds the jobs of other launches.
    ///
    /// # Errors
    ///
    /// Fails as [`add`](Self::add) and [`describe`](Self::describe) do.
    pub fn merge(&mut self, other: &Self) -> Result<(), Problem> {
        for (launch, job) in &other.of_launches {
            self.add(launch, job)?;
        }
        other.described.values().try_for_each(|job| self.describe(job))
    }

    /// Returns the name of the job of a launch, if it is known.
    pub fn of(&self, launch: &str) -> Option<&str> {
        self.of_launches.get(launch).map(String::as_str)
    }

    /// Returns the number of launches whose job is known.
    pub(crate) fn len(&self) -> usize {
        self.of_launches.len()
    }

    /// Returns whether no launch has a known job.
    pub fn is_empty(&self) -> bool {
        self.of_launches.is_empty()
    }

    /// Returns the jobs of which more than the name is known, in the order of their names.
    pub fn described(&self) -> Vec<&Job> {
        let mut all: Vec<&Job> = self.described.values().collect();
        all.sort_by(|one, other| natural(&one.name, &other.name));
        all
    }

    pub(crate) fn retain(&mut self, is_used: impl Fn(&str) -> bool) {
        self.of_launches.retain(|launch, _| is_used(launch));
        let used: BTreeSet<&String> = self.of_launches.values().collect();
        self.described.retain(|name, _| used.contains(name));
    }
}

fn fault(what: &str, why: &str) -> Problem {
    Problem::new(Place::File, Message::from(format!("{what} ")).value(why))
        .help("write a text without control characters and blanks at its ends; a name has at most 256 bytes")
}

fn of_two_jobs(launch: &str, known: &str, job: &str) -> Problem {
    let message = Message::from("the launch `").value(shortened(launch)).text("` is of the job `");
    let message = message.value(shortened(known)).text("` and of the job `").value(shortened(job)).text("`");
    Problem::new(Place::File, message)
        .help("give each launch a name of its own, such as `JOB/1` with the name of its job")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(name: &str, nodes: &str, start: &str) -> Job {
        Job { name: name.to_owned(), nodes: nodes.to_owned(), start: start.to_owned() }
    }

    #[test]
    fn a_launch_is_of_one_job() {
        let mut jobs = Jobs::default();
        assert!(jobs.add("1", "4711").unwrap());
        assert!(!jobs.add("1", "").unwrap() && !jobs.add("1", "4711").unwrap());
        assert_eq!((jobs.of("1"), jobs.of("2")), (Some("4711"), None));
        let refused = jobs.add("1", "4712").unwrap_err().to_string();
        let expected = "the launch `1` is of the job `4711` and of the job `4712` (give each launch a name of its own, such as \
                        `JOB/1` with the name of its job)";
        assert_eq!(refused, expected);
        assert!(jobs.add("2", " b").is_err());
    }

    #[test]
    fn descriptions_of_a_job_are_put_together() {
        let mut jobs = Jobs::default();
        for (name, nodes, start) in
            [("10", "a[1-2]", ""), ("9", "", "8:00"), ("10", "", "9:00"), ("11", "", "")]
        {
            jobs.describe(&job(name, nodes, start)).unwrap();
        }
        assert_eq!(jobs.described(), [&job("9", "", "8:00"), &job("10", "a[1-2]", "9:00")]);
        let refused = jobs.describe(&job("10", "b", "")).unwrap_err().to_string();
        assert!(refused.starts_with("the job `10` has the nodes `a[1-2]` and `b`"), "{refused}");
        jobs.add("x", "10").unwrap();
        jobs.retain(|launch| launch == "x");
        assert_eq!(jobs.described(), [&job("10", "a[1-2]", "9:00")]);
    }
}
