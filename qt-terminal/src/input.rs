//! Files and options that several commands share.

use std::fs::File;
use std::io::{self, Read};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use qtdec_core::{
    DecisionMap, DecisionTree, Document, Options, Place, Problem, Problems, SourceFile, Syntax,
    help_if_missing,
};
use qtdec_core::{encode, json};

use crate::{Failure, Progress, fitted, output};
use qtdec_study::readers::unpacked;

/// The options of the encoding, as listed by `qtdec-core`.
#[derive(Clone, Debug, Default)]
pub struct EncodingArguments(Vec<(String, String)>);

impl EncodingArguments {
    pub fn given(&self) -> Vec<(String, String)> {
        self.0.clone()
    }

    /// Returns whether an encoding is given, or an option that not all encodings have.
    fn has_encoding(&self) -> bool {
        self.0.iter().any(|(name, _)| {
            name == "encoding"
                || Options::forms().iter().any(|(form, encoders)| form.name == *name && !encoders.is_empty())
        })
    }

    /// Checks the options.
    ///
    /// Without an encoding or an option of one, a map of fitted times is encoded as [`fitted::ENCODING`], and any other as a quadtree.
    pub fn checked(&self) -> Result<TreeOptions, Failure> {
        let parsed =
            |given: &[(String, String)]| Options::parse(given).map_err(|faults| Failure::options(&faults));
        let mut of_fitted = self.given();
        if !self.has_encoding() {
            of_fitted.push(("encoding".to_owned(), fitted::ENCODING.to_owned()));
        }
        Ok(TreeOptions { measured: parsed(&self.0)?, fitted: parsed(&of_fitted)? })
    }
}

/// How trees are made of maps, by whether their times were measured or fitted.
///
/// The default makes the exact tree that stands for a map where a command has no options of encodings.
pub struct TreeOptions {
    measured: Options,
    fitted: Options,
}

impl Default for TreeOptions {
    fn default() -> Self {
        let options = EncodingArguments::default().checked();
        options.unwrap_or_else(|_| unreachable!("no option is given that could be wrong"))
    }
}

impl TreeOptions {
    /// Makes the tree of a map, or returns one. Shows its progress in a terminal if this takes long.
    pub fn tree(&self, document: Document) -> Result<DecisionTree, Problems> {
        let _progress = Progress::late("the tree");
        self.of(&document).tree(document)
    }

    fn of(&self, document: &Document) -> &Options {
        match document {
            Document::Map(map) if map.is_fitted() => &self.fitted,
            _ => &self.measured,
        }
    }
}

impl Args for EncodingArguments {
    fn augment_args(command: Command) -> Command {
        Options::forms().into_iter().fold(command, |command, (form, encoders)| {
            let help = match &encoders[..] {
                [] if form.name == "encoding" => {
                    let names: Vec<&str> = encode::encoders().iter().map(|encoder| encoder.name()).collect();
                    let names = names.join(", ");
                    format!(
                        "{}: {names} [default: quadtree, or {} for fitted times]",
                        form.help,
                        fitted::ENCODING
                    )
                }
                [] => form.help.to_owned(),
                _ => format!("{} ({})", form.help, encoders.join(", ")),
            };
            let values: Vec<&str> = form.value.split('|').collect();
            command.arg(argument(form.name, &values, &help).help_heading("Encoding"))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EncodingArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = Options::forms().into_iter().filter_map(|(form, _)| {
            let value = if form.value.is_empty() {
                matches.get_flag(form.name).then(|| "true".to_owned())
            } else {
                matches.get_one::<String>(form.name).cloned()
            };
            Some((form.name.to_owned(), value?))
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the command-line flag for an option of `qtdec-core`. `values` is either one placeholder or the list of all
/// values.
fn argument(name: &'static str, values: &[&'static str], help: &str) -> Arg {
    let help = sentence(help);
    let arg = Arg::new(name).long(name.replace('_', "-"));
    match values {
        [] | [""] => arg.help(help).action(ArgAction::SetTrue),
        [value] => arg.help(help).value_name(*value),
        [first, ..] => arg
            .help(format!("{help} [default: {first}]"))
            .value_name(values.join("|"))
            .value_parser(PossibleValuesParser::new(values))
            .hide_possible_values(true),
    }
}

/// Returns a help text with an initial capital, like the others of the command.
pub fn sentence(help: &str) -> String {
    let mut characters = help.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

/// Returns the name of a file without folders and endings.
pub fn stem(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(name).to_owned()
}

/// A map or tree file with its contents.
pub struct Input {
    source: SourceFile,
}

impl Input {
    /// Opens a file, or standard input for `-`; it may be compressed.
    pub fn open(name: &str) -> Result<Self, Failure> {
        Self::opened(name).map_err(|error| Failure::input(format!("cannot read `{name}`: {error}")))
    }

    /// Opens a file with a map or a tree, like [`open`](Self::open).
    pub fn open_map(name: &str) -> Result<Self, Failure> {
        Self::opened(name).map_err(|error| {
            let help = help_if_missing(name, &error).map_or_else(String::new, |help| format!("; {help}"));
            Failure::input(format!("cannot read `{name}`: {error}{help}"))
        })
    }

    fn opened(name: &str) -> io::Result<Self> {
        let (called, bytes): (&str, io::Result<Box<dyn Read>>) = match name {
            "-" => ("standard input", Ok(Box::new(io::stdin().lock()))),
            path => (path, File::open(path).map(|file| Box::new(file) as Box<dyn Read>)),
        };
        let source = bytes.and_then(unpacked).and_then(|text| SourceFile::read(called, text));
        source.map(|source| Self { source })
    }

    /// Unpacks a file that is part of a program.
    pub fn packed(name: &str, bytes: &[u8]) -> Result<Self, Failure> {
        let source = unpacked(Box::new(bytes)).and_then(|text| SourceFile::read(name, text));
        let source = source.map_err(|error| Failure::input(format!("cannot read `{name}`: {error}")))?;
        Ok(Self { source })
    }

    /// Returns a part of the file as a file of its own, called after both.
    #[must_use]
    pub fn part(&self, what: &str, bytes: &[u8]) -> Self {
        Self { source: SourceFile::new(format!("{what} of {}", self.name()), bytes.to_vec()) }
    }

    pub fn name(&self) -> &str {
        self.source.name()
    }

    pub fn bytes(&self) -> &[u8] {
        self.source.bytes()
    }

    /// Formats problems for people, with their places in this file.
    pub fn reports(&self, problems: &Problems) -> Vec<String> {
        self.source.reports(problems, Syntax::Command, &output::renderer())
    }

    /// Returns the value, or its problems with their places in this file.
    pub fn check<T>(&self, result: Result<T, impl Into<Problems>>) -> Result<T, Failure> {
        result.map_err(|problems| Failure::Input(self.reports(&problems.into())))
    }

    pub fn document(&self) -> Result<Document, Failure> {
        let text = self.check(json::text(self.bytes()))?.trim_start();
        if text.chars().next().is_some_and(|first| first != '{') {
            let problem =
                Problem::new(Place::File, "the file is not JSON, so it is neither a map nor a tree");
            let help = "qtdec map makes a map from times, and qtdec-mpi import from a tuning file";
            return self.check(Err(problem.help(help)));
        }
        let document = self.check(self.source.document())?;
        if let Some(warning) = document.warning() {
            output::warn(&format!("{}: {warning}", self.name()));
        }
        Ok(document)
    }

    pub fn tree(&self, options: &TreeOptions) -> Result<DecisionTree, Failure> {
        self.check(options.tree(self.document()?))
    }

    /// Returns the tree in the file, or the exact tree of its map, with the map.
    pub fn tree_and_map(&self) -> Result<(DecisionTree, Option<DecisionMap>), Failure> {
        let document = self.document()?;
        let map = match &document {
            Document::Map(map) => Some(map.clone()),
            Document::Tree(_) => None,
        };
        Ok((self.check(TreeOptions::default().tree(document))?, map))
    }

    pub fn map(&self) -> Result<DecisionMap, Failure> {
        match self.document()? {
            Document::Map(map) => Ok(map),
            Document::Tree(_) => Err(self.needs_a_map()),
        }
    }

    pub fn needs_a_map(&self) -> Failure {
        Failure::input(format!("`{}` is a tree, and this command needs a map", self.name()))
    }
}
