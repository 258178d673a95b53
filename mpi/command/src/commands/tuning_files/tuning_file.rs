//! Tuning files as inputs of commands.

use std::io;
use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use qtdec_core::{Place, Problems};
use qtdec_mpi_library::catalogue::{Library, Release};
use qtdec_study::about::LIBRARY;
use qtdec_study::measurements::Measurements;
use qtdec_study::readers::open_regular;

use qtdec_mpi_library::tuning::switches::is_script_for;
use qtdec_mpi_library::tuning::{self, Finding, Format, Job, Selection, Severity, finding, provenance};
use qtdec_terminal::{Failure, Input, output};

/// The name of the script that `qtdec-mpi tune` writes beside a tuning file.
pub(crate) const SWITCHES: &str = "switches.sh";

/// The script of rules that leave every choice to the library: the settings that make it read a file also change what it does where the
/// file has no rules.
pub(crate) const NO_SWITCHES: &str = "# Every choice is left to the library, so no setting is needed.\n";

/// A tuning file, its format, and one of its collectives.
#[derive(Debug, Args)]
pub(crate) struct TuningArguments {
    /// Read this tuning file, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    input: Option<String>,

    /// Read the file in this format; recognised from its content by default
    #[arg(long, value_name = "FORMAT", value_parser = format_with(|_| true))]
    format: Option<&'static Format>,

    #[command(flatten)]
    release: ReleaseArgument,
}

/// The release of a library.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub(crate) struct ReleaseArgument {
    /// Name the release of the library that the file is for, such as 5.0 or 5.0.7 [default: the oldest release that reads this format]
    #[arg(long, value_name = "RELEASE")]
    pub(crate) release: Option<Release>,
}

/// The end of the rules of a file that is written.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub(crate) struct ExtendArgument {
    /// Continue the rules of the largest measured communicator for larger ones, unless every size needs rules of its own; by default, the
    /// library chooses there
    #[arg(long)]
    pub(crate) extend: bool,
}

impl ReleaseArgument {
    /// Returns the release that a file is for, or `None` if the release makes no difference.
    pub(crate) fn resolve(&self, format: &Format) -> Result<Option<Release>, Failure> {
        let served = format.releases;
        let listed: Vec<String> = served.iter().map(Release::to_string).collect();
        match self.release {
            None => Ok(served.first().copied()),
            Some(release) if served.contains(&release.series()) => Ok(Some(release)),
            Some(release) if served.is_empty() => Err(Failure::usage(format!(
                "--release {release} has no effect: nothing that is known about {} depends on the release",
                format.library.name()
            ))),
            Some(release) => {
                let other = format_for(format.library, release)
                    .map(|other| format!("; those of {release} have the format {}", other.name))
                    .unwrap_or_default();
                Err(Failure::usage(format!(
                    "--release {release}: files in the format {} are for {} {}{other}",
                    format.name,
                    format.library.name(),
                    listed.join(" and ")
                )))
            }
        }
    }

    /// Returns the release that a file made of these times is for, and whether it is known: the given one, or that of the library that the
    /// times state. Otherwise it is the oldest release.
    pub(crate) fn resolve_for(
        &self,
        format: &Format,
        every: &[Measurements],
    ) -> Result<(Option<Release>, bool), Failure> {
        let name = format.library.name();
        let (stated, served) = (every.iter().find_map(|times| stated_in(times, name)), format.releases);
        match (self.release, stated) {
            (None, Some((release, _))) if served.contains(&release.series()) => Ok((Some(release), true)),
            // The times know the third number too.
            (Some(release), Some((stated, _))) if served.contains(&release) && release == stated.series() => {
                Ok((Some(stated), true))
            }
            (None, Some((release, library))) if !served.is_empty() => {
                if let Some(other) = format_for(format.library, release) {
                    return Err(Failure::usage(format!(
                        "the times are of {library}, and files in the format {} are for other releases: write --library {}, or name \
                         the release that the file is for with --release",
                        format.name, other.name
                    )));
                }
                let nearest = served.iter().rev().find(|served| **served < release).or(served.first());
                output::warn(&format!(
                    "the times are of {library}, and what is known of {name} is of other releases: the file is for {}, unless --release \
                     names another",
                    nearest.map(Release::to_string).unwrap_or_default()
                ));
                Ok((nearest.copied(), false))
            }
            (Some(release), Some((other, library))) if release.series() != other.series() => {
                output::warn(&format!(
                    "the times are of {library}, and --release {release} names another release, whose defaults and algorithms take other \
                     times"
                ));
                Ok((self.resolve(format)?, true))
            }
            _ => Ok((self.resolve(format)?, self.release.is_some())),
        }
    }
}

/// Returns the release that times state for a library of this name, and the words in which they do.
fn stated_in<'t>(times: &'t Measurements, name: &str) -> Option<(Release, &'t str)> {
    let plain = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).map(|char| char.to_ascii_lowercase()).collect()
    };
    let library = times.about.get(LIBRARY).filter(|library| plain(library).starts_with(&plain(name)))?;
    Some((provenance::release_in(library)?, library))
}

fn format_for(library: Library, release: Release) -> Option<&'static Format> {
    let mut formats = tuning::formats().iter().copied();
    formats.find(|format| format.library == library && format.releases.contains(&release.series()))
}

/// Returns a parser of the names of those formats of tuning files that are chosen.
pub(crate) fn format_with(is_chosen: fn(&Format) -> bool) -> impl TypedValueParser<Value = &'static Format> {
    let chosen = tuning::formats().iter().filter(|format| is_chosen(format));
    let values = chosen.map(|format| PossibleValue::new(format.name).help(format.about));
    PossibleValuesParser::new(values)
        .try_map(|name| tuning::find_format(&name).ok_or("there is no such format"))
}

/// Properties of a job that rules may test.
#[derive(Debug, Args)]
pub(crate) struct JobArguments {
    /// Set the number of ranks on each node, for tuning files whose rules test it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    ranks_per_node: u64,
}

impl JobArguments {
    pub(crate) fn job(&self) -> Job {
        Job { ranks_per_node: self.ranks_per_node }
    }
}

impl TuningArguments {
    pub(crate) fn name(&self) -> &str {
        self.input.as_deref().unwrap_or_default()
    }

    /// Opens the file, whose format is recognised from the content by default.
    pub(crate) fn open(&self) -> Result<TuningInput, Failure> {
        let input = Input::open(self.name())?;
        let format = self.format.or_else(|| recognised(input.bytes())).ok_or_else(|| {
            let known: Vec<&str> = tuning::formats().iter().map(|format| format.name).collect();
            Failure::input(format!(
                "`{}` is not recognised as a tuning file: if it is one, name its format with --format: {}",
                input.name(),
                known.join(", ")
            ))
        })?;
        let given = self.release.resolve(format)?;
        let release =
            if self.release.release.is_some() { given } else { format.first_release(input.bytes()) };
        TuningInput::new(input, format, release)
    }

    /// Opens a file that a library may ship for the oldest release that does not drop it, unless the user names one. Returns that release too if it is
    /// not the default.
    pub(crate) fn open_for_its_release(&self) -> Result<(TuningInput, Option<Release>), Failure> {
        let file = self.open()?;
        let is_dropped = |release: Option<Release>| {
            let findings = file.format.check(file.input.bytes(), release);
            findings.iter().any(|finding| finding.severity == Severity::Dropped)
        };
        let others = file.format.releases.iter().copied().filter(|release| Some(*release) != file.release);
        let is_open = self.release.release.is_none() && file.format.is_shipped && is_dropped(file.release);
        let release = others.filter(|_| is_open).find(|release| !is_dropped(Some(*release)));
        Ok((TuningInput { release: release.or(file.release), ..file }, release))
    }
}

/// The maximum number of faults that are printed.
const LISTED: usize = 20;

fn is_fault(finding: &Finding) -> bool {
    finding.severity != Severity::Note
}

/// A tuning file with its contents.
pub(crate) struct TuningInput {
    pub(crate) input: Input,
    pub(crate) format: &'static Format,
    /// The release that the file is for, or `None` for one that has every algorithm.
    release: Option<Release>,
}

impl TuningInput {
    pub(crate) fn new(
        input: Input,
        format: &'static Format,
        release: Option<Release>,
    ) -> Result<Self, Failure> {
        let name = input.name();
        if input.bytes().len() > qtdec_core::MAX_BYTES {
            return Err(Failure::input(format!("`{name}` is larger than the maximum of 64 MiB")));
        }
        Ok(Self { input, format, release })
    }

    /// Returns the lookups that the library performs in the file.
    pub(crate) fn selection(&self, job: Job) -> Result<Box<dyn Selection>, Failure> {
        self.faulty(self.format.read(self.input.bytes(), job))
    }

    /// Returns the value, or all faults of the file, as in `qtdec-mpi check`.
    pub(crate) fn faulty<T>(&self, result: Result<T, Problems>) -> Result<T, Failure> {
        result.map_err(|problems| match self.faults(&self.findings()) {
            faults if faults.is_empty() => Failure::Input(self.input.reports(&problems)),
            faults => Failure::Input(faults),
        })
    }

    /// Returns the warning that the times from which the file was made are of another release than it is read for.
    pub(crate) fn other_release(&self) -> Option<String> {
        let own = provenance::measured_library(self.input.bytes());
        let (library, measured) =
            own.or_else(|| provenance::measured_library(self.script_beside()?.as_bytes()))?;
        let release = self.release.filter(|release| release.series() != measured.series())?;
        let name = self.format.library.name();
        Some(format!(
            "`{}` was made from times of {library}, and is checked for {name} {release}: defaults and algorithms of another release take \
             other times; measure again with the release that reads the file, or name it with --release",
            self.input.name()
        ))
    }

    /// Returns the script in the same folder that makes the library use this file, if the format has no comments: they stand in the
    /// script then.
    fn script_beside(&self) -> Option<String> {
        let file = Path::new(self.input.name());
        let script = file.with_file_name(SWITCHES);
        if self.format.has_comments {
            return None;
        }
        let script = io::read_to_string(open_regular(&script).ok()?).ok()?;
        is_script_for(&script, file.file_name()?.to_str()?).then_some(script)
    }

    pub(crate) fn findings(&self) -> Vec<Finding> {
        self.format.check(self.input.bytes(), self.release)
    }

    pub(crate) fn faults(&self, findings: &[Finding]) -> Vec<String> {
        let faults: Vec<&Finding> = findings.iter().filter(|finding| is_fault(finding)).collect();
        let mut reports: Vec<String> =
            faults.iter().take(LISTED).map(|finding| self.report(finding)).collect();
        if faults.len() > LISTED {
            reports.push(format!(
                "and {} more: qtdec-mpi check --json lists all of them",
                faults.len() - LISTED
            ));
        }
        reports
    }

    pub(crate) fn report(&self, finding: &Finding) -> String {
        self.input.reports(&finding.problem.clone().into()).concat()
    }

    /// Returns the requested collective, or the only one in the file.
    pub(crate) fn collective(
        &self,
        selection: &dyn Selection,
        requested: Option<&str>,
    ) -> Result<String, Failure> {
        let known = selection.collectives();
        match (requested, &known[..]) {
            (Some(requested), _) if known.iter().any(|known| known == requested) => Ok(requested.to_owned()),
            (None, [only]) => Ok(only.clone()),
            (_, []) => Err(Failure::input(format!("`{}` has rules for no collective", self.input.name()))),
            (requested, _) => {
                let about = requested
                    .map_or("several collectives".to_owned(), |requested| format!("no `{requested}`"));
                Err(Failure::usage(format!(
                    "`{}` has rules for {about}: choose one with --collective: {}",
                    self.input.name(),
                    known.join(", ")
                )))
            }
        }
    }

    /// Returns the line on which a part of the file begins, or `None` for the whole file.
    pub(crate) fn line(&self, place: &Place) -> Option<usize> {
        finding::line(place, self.input.bytes())
    }

    /// Warns about findings that the current command would not notice.
    pub(crate) fn warn_of_findings(&self) {
        let wrong = self.findings().iter().filter(|finding| is_fault(finding)).count();
        if wrong > 0 {
            output::warn(&format!(
                "`{}` has {} that the library interprets differently than expected: see qtdec-mpi check",
                self.input.name(),
                output::counted(wrong as u64, "place", "places")
            ));
        }
    }
}

/// Returns the format of a file that has a mark of its own, or begins like a rules file of Open MPI, which has none.
fn recognised(bytes: &[u8]) -> Option<&'static Format> {
    let is_text_of_numbers = tuning::begins_like_rules(bytes);
    tuning::recognise(bytes).or_else(|| is_text_of_numbers.then_some(&tuning::open_mpi::CLASSIC))
}
