//! `qtdec-mpi diff`: the sizes at which a tuning file differs from another one, a map or a tree.

use clap::Args;
use qtdec_core::DecisionTree;
use qtdec_mpi_library::catalogue::Library;
use qtdec_mpi_library::tuning::diff::{Difference, Function, differences};
use qtdec_mpi_library::tuning::{self, Job, Selection};
use qtdec_report::table::{Cell, Column, Table};
use qtdec_terminal::differences::finish;
use qtdec_terminal::{Failure, FormArguments, Input, TreeOptions};

use super::tuning_file::TuningInput;

/// Show where two tuning files decide differently
///
/// In place of the first or both of them there may be a map or a tree.
/// Every size is compared, not just the measured ones. A map stands for its exact tree; qtdec encode makes others. Methods have the names
/// that the file's library uses. The exit code is 3 if the two differ.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec-mpi diff map.json rules.conf --collective bcast")]
pub(crate) struct Arguments {
    /// Read this map, tree or tuning file
    #[arg(value_name = "A")]
    first: String,

    /// Compare it with this map, tree or tuning file
    #[arg(value_name = "B")]
    second: String,

    /// Choose the collective, if a tuning file has several
    #[arg(long, value_name = "NAME")]
    collective: Option<String>,

    #[command(flatten)]
    form: FormArguments,
}

enum Side {
    Tree(Input, Box<DecisionTree>),
    File(TuningInput, Box<dyn Selection>, String),
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (first, second) =
        (Side::open(arguments, &arguments.first)?, Side::open(arguments, &arguments.second)?);
    if let (Some(one), Some(other)) = (first.collective(), second.collective())
        && one != other
    {
        return Err(Failure::input(format!("one is for {one}, the other for {other}")));
    }
    if let (Side::Tree(..), Side::Tree(..)) = (&first, &second) {
        return Err(Failure::input(format!(
            "neither `{0}` nor `{1}` is a tuning file: maps and trees are compared by qtdec diff {0} {1}",
            arguments.first, arguments.second
        )));
    }
    let library = first.library().or(second.library());
    let functions = [first.function(library)?, second.function(library)?];
    if let (Some(one), Some(other)) = (functions[0].basis, functions[1].basis)
        && one != other
    {
        let message = format!(
            "the message sizes of one count the bytes of a {}, and those of the other the bytes of a {}",
            one.name(),
            other.name()
        );
        return Err(Failure::input(message));
    }
    let found = differences(&functions[0], &functions[1]);
    let columns: [Column<'_, &Difference>; 6] = [
        ("comm_size from", "comm_size_from", |found| Cell::Whole(found.comm_size.0)),
        ("below", "comm_size_below", |found| Cell::whole(found.comm_size.1)),
        ("msg_size from", "msg_size_from", |found| Cell::Whole(found.msg_size.0)),
        ("below", "msg_size_below", |found| Cell::whole(found.msg_size.1)),
        ("A", "a", |found| Cell::Text(found.answers.0.clone())),
        ("B", "b", |found| Cell::Text(found.answers.1.clone())),
    ];
    finish(&arguments.form, found.len(), &Table::of(&columns, &found))
}

impl Side {
    fn open(arguments: &Arguments, name: &str) -> Result<Self, Failure> {
        let input = Input::open(name)?;
        let Some(format) = tuning::detect(input.bytes()) else {
            let tree = input.tree(&TreeOptions::default())?;
            return Ok(Self::Tree(input, Box::new(tree)));
        };
        let file = TuningInput::new(input, format, None)?;
        let selection = file.selection(Job::default())?;
        let collective = file.collective(&*selection, arguments.collective.as_deref())?;
        Ok(Self::File(file, selection, collective))
    }

    fn library(&self) -> Option<Library> {
        match self {
            Self::Tree(..) => None,
            Self::File(file, ..) => Some(file.format.library),
        }
    }

    fn collective(&self) -> Option<&str> {
        match self {
            Self::Tree(_, tree) => tree.domain().collective(),
            Self::File(.., collective) => Some(collective),
        }
    }

    fn function(&self, library: Option<Library>) -> Result<Function, Failure> {
        match self {
            Self::Tree(input, tree) => input.check(Function::from_tree(tree, library)),
            Self::File(_, selection, collective) => Ok(Function::from_selection(&**selection, collective)),
        }
    }
}
