//! A tuning file as commands take it.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use qtdec_core::{Place, Problems};
use qtdec_mpi::catalogue::Release;

use super::input::Input;
use super::{Failure, output};
use crate::tuning::{self, Finding, Format, Job, Selection, Severity};

/// A tuning file, its form, and which of its collectives is meant.
#[derive(Debug, Args)]
pub(super) struct TuningArguments {
    /// Read this tuning file, or - for standard input
    #[arg(value_name = "FILE")]
    input: String,

    /// Read the file in this format; recognised from its content by default
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(format_values()))]
    format: Option<String>,

    #[command(flatten)]
    release: ReleaseArgument,
}

/// The release of a library.
#[derive(Debug, Default, PartialEq, Args)]
pub(super) struct ReleaseArgument {
    /// Target this release of the library, such as 5.0 [default: the oldest release that reads this format]
    #[arg(long, value_name = "RELEASE")]
    release: Option<Release>,
}

impl ReleaseArgument {
    /// The release that is meant for files of a form; `None` where nothing depends on it.
    ///
    /// # Errors
    ///
    /// A release that such files are not for.
    pub(super) fn of(&self, format: &dyn Format) -> Result<Option<Release>, Failure> {
        let served = format.releases();
        let listed: Vec<String> = served.iter().map(Release::to_string).collect();
        match self.release {
            None => Ok(served.first().copied()),
            Some(release) if served.contains(&release) => Ok(Some(release)),
            Some(release) if served.is_empty() => Err(Failure::Usage(format!(
                "--release {release}: nothing that is known of {} depends on its release: leave it out",
                format.library().name()
            ))),
            Some(release) => {
                let others =
                    tuning::formats().iter().copied().filter(|other| other.releases().contains(&release));
                let other =
                    others.filter(|other| other.library() == format.library()).map(Format::name).next();
                let other = other
                    .map(|name| format!("; those of {release} are of the form {name}"))
                    .unwrap_or_default();
                Err(Failure::Usage(format!(
                    "--release {release}: files of the form {} are for {} {}{other}",
                    format.name(),
                    format.library().name(),
                    listed.join(" and ")
                )))
            }
        }
    }

    /// Returns whether a release was named.
    pub(super) fn is_given(&self) -> bool {
        self.release.is_some()
    }
}

/// A form of tuning files, as the value of an option.
pub(super) fn value(format: &dyn Format) -> PossibleValue {
    PossibleValue::new(format.name()).help(format.about())
}

/// All of them.
pub(super) fn format_values() -> Vec<PossibleValue> {
    tuning::formats().iter().copied().map(value).collect()
}

/// What rules may ask of a job.
#[derive(Debug, Args)]
pub(super) struct JobArguments {
    /// Set the number of ranks on each node, for tuning files whose rules test it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    ranks_per_node: u64,
}

impl JobArguments {
    pub(super) fn job(&self) -> Job {
        Job { ranks_per_node: self.ranks_per_node }
    }
}

impl TuningArguments {
    /// Returns the file that was named.
    pub(super) fn name(&self) -> &str {
        &self.input
    }

    pub(super) fn open(&self) -> Result<TuningInput, Failure> {
        TuningInput::open(&self.input, self.format.as_deref(), &self.release)
    }
}

/// As many faults are shown to people.
const LISTED: usize = 20;

fn is_fault(finding: &Finding) -> bool {
    finding.severity != Severity::Note
}

/// A tuning file that was read in.
pub(super) struct TuningInput {
    pub(super) input: Input,
    pub(super) format: &'static dyn Format,
    /// The release that it is for; `None` stands for one that has every algorithm.
    release: Option<Release>,
}

impl TuningInput {
    /// Opens a file of a form that is one of [`tuning::formats`], or of that which its content is recognised by.
    pub(super) fn open(name: &str, format: Option<&str>, release: &ReleaseArgument) -> Result<Self, Failure> {
        let input = Input::open(name)?;
        let format = match format {
            Some(format) => tuning::find_format(format)
                .ok_or_else(|| Failure::Usage(format!("there is no form `{format}` of tuning files")))?,
            None => tuning::detect(input.bytes()).ok_or_else(|| {
                let known: Vec<&str> = tuning::formats().iter().map(|format| format.name()).collect();
                Failure::input(format!(
                    "`{}` is not recognised as a tuning file: if it is one, say which with --format: {}",
                    input.name(),
                    known.join(", ")
                ))
            })?,
        };
        let release = release.of(format)?;
        Self::of(input, format, release)
    }

    /// A file of this form.
    pub(super) fn of(
        input: Input,
        format: &'static dyn Format,
        release: Option<Release>,
    ) -> Result<Self, Failure> {
        let name = input.name();
        if input.bytes().len() > qtdec_core::MAX_BYTES {
            return Err(Failure::input(format!("`{name}` is larger than 64 MiB, the most that is read")));
        }
        Ok(Self { input, format, release })
    }

    /// The file as its library looks things up in it.
    pub(super) fn selection(&self, job: Job) -> Result<Box<dyn Selection>, Failure> {
        self.faulty(self.format.read(self.input.bytes(), job))
    }

    /// The value, or all that is the matter with the file, as `qtdec check` tells it.
    pub(super) fn faulty<T>(&self, result: Result<T, Problems>) -> Result<T, Failure> {
        result.map_err(|problems| match self.faults(&self.findings()) {
            faults if faults.is_empty() => Failure::Input(self.input.reports(&problems)),
            faults => Failure::Input(faults),
        })
    }

    /// All that is the matter with the file.
    pub(super) fn findings(&self) -> Vec<Finding> {
        self.format.check(self.input.bytes(), self.release)
    }

    /// The faults among findings, for people.
    pub(super) fn faults(&self, findings: &[Finding]) -> Vec<String> {
        let faults: Vec<&Finding> = findings.iter().filter(|finding| is_fault(finding)).collect();
        let mut reports: Vec<String> =
            faults.iter().take(LISTED).map(|finding| self.report(finding)).collect();
        if faults.len() > LISTED {
            reports.push(format!("and {} more: qtdec check --json lists all", faults.len() - LISTED));
        }
        reports
    }

    /// A finding for people.
    pub(super) fn report(&self, finding: &Finding) -> String {
        self.input.reports(&finding.problem.clone().into()).concat()
    }

    /// The collective that was asked for, or the only one.
    pub(super) fn collective(
        &self,
        selection: &dyn Selection,
        asked: Option<&str>,
    ) -> Result<String, Failure> {
        let known = selection.collectives();
        match (asked, &known[..]) {
            (Some(asked), _) if known.iter().any(|known| known == asked) => Ok(asked.to_owned()),
            (None, [only]) => Ok(only.clone()),
            (_, []) => Err(Failure::input(format!("`{}` has rules for no collective", self.input.name()))),
            (asked, _) => {
                let about = asked.map_or("several collectives".to_owned(), |asked| format!("no `{asked}`"));
                Err(Failure::Usage(format!(
                    "`{}` has rules for {about}: choose one with --collective: {}",
                    self.input.name(),
                    known.join(", ")
                )))
            }
        }
    }

    /// The line on which a part of the file begins; `None` for the whole of it.
    pub(super) fn line(&self, place: &Place) -> Option<usize> {
        let bytes = self.input.bytes();
        let offset = match place {
            Place::File => return None,
            Place::Offset(offset) => *offset,
            place => place.resolve(std::str::from_utf8(bytes).ok()?)?.start,
        };
        Some(bytes[..offset.min(bytes.len())].split(|byte| *byte == b'\n').count())
    }

    /// Tells of what is the matter with the file beyond what a command looks at.
    pub(super) fn warn_of_findings(&self) {
        let wrong = self.findings().iter().filter(|finding| is_fault(finding)).count();
        if wrong > 0 {
            output::warn(&format!(
                "`{}` does not say what it looks like in {}: see qtdec check",
                self.input.name(),
                output::counted(wrong as u64, "place", "places")
            ));
        }
    }
}
